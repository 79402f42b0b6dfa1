"""The checks of the exercises of chapter 3, REINFORCE, each named after the function that the learner writes."""

import numpy as np

from mock5check.answers import Outcome, kind_problem, same
from mock5check.ch02.slips import log_softmax
from mock5check.ch03.own_loop import reinforce
from mock5check.ch03.slips import (
    ENTROPY_SLIPS,
    OTHERS_SLIPS,
    OWN_SLIPS,
    PUSH_SLIPS,
    entropy_of,
    others_of,
    own_of,
    push_of,
)
from mock5check.core import graded, the_one_slip
from mock5check.frozen import right_when_new

__all__ = ["loss", "mean_entropy", "others_mean", "own_moves", "push", "reinforce"]

# 1. Own moves ---------------------------------------------------------------------------------------------------


@graded
def own_moves(trial, function) -> None:
    """Check `own_moves(history, opening, colour, winner)`: [(move, z), …] of the learner's own, chosen moves."""
    rng = np.random.default_rng(2)
    cases = [([4, 0, 8, 2, 6], 0, 1, 1), ([4, 0, 8, 2, 6], 0, 2, 1), ([4, 0, 8, 2, 6, 1], 2, 1, 2)]
    cases += [([4, 0, 8, 2, 6, 1], 3, 2, 2), ([7, 5, 3], 3, 1, 1), ([40, 41, 42, 43], 1, 1, 0), ([], 0, 1, 0)]
    cases += [([5, 3, 1], 5, 2, 1)]
    for _ in range(12):
        history = rng.permutation(81)[: int(rng.integers(5, 30))].tolist()
        cases.append((history, int(rng.integers(0, 6)), int(rng.integers(1, 3)), int(rng.integers(0, 3))))

    def why(history, opening, colour, winner):
        plies = [ply for ply in range(len(history)) if ply >= opening and ply % 2 == colour - 1]
        return (
            f"Player {colour} moves at plies {'0, 2, 4' if colour == 1 else '1, 3, 5'} …; the first {opening} moves "
            f"were chosen at random, so plies {plies} are left. The winner is {winner}: {'a draw, ' * (winner == 0)}"
            f"z = {0 if winner == 0 else 1 if winner == colour else -1}."
        )

    def observe(solution, *case):
        answer, right = solution(*case), own_of(*case)
        short = isinstance(answer, (list, tuple)) and len(answer) != len(right)
        problem = kind_problem(answer, [(0, 0.0)] * len(answer) if short else right)
        if problem:
            trial.fail(f"{problem[0].upper()}{problem[1:]}", call=trial.last_call, answer=answer)
        if not same(answer, right) and right_when_new(function, case, lambda found: same(found, right)):
            text = "The moves of an earlier call are in it: begin with a new list in each call."
            trial.fail(text, call=trial.last_call, answer=answer, right=right)
        return Outcome(f"[{', '.join(f'({move}, {z:g})' for move, z in answer)}]")

    trial.compare(function, cases, right=own_of, why=why, slips=OWN_SLIPS, observe=observe)


# 2. The push ----------------------------------------------------------------------------------------------------


@graded
def push(trial, function) -> None:
    """Check `push(logits, empty, move, advantage)`: advantage · ∇ log π(move), 0 on occupied points."""
    rng = np.random.default_rng(3)
    cases = [([0.0, 0.0, 0.0], [1, 1, 1], 0, 1.0), ([0.0, 0.0, 0.0], [1, 1, 0], 1, -1.0), ([1.0, 2.0], [1, 1], 1, 0.0)]
    cases += [([0.5, -1.0, 900.0], [1, 1, 0], 0, 0.5), ([800.0, 801.0, 799.0], [1, 1, 1], 2, 2.0)]
    cases += [([-2000.0, -2001.0, 0.0], [1, 1, 0], 1, 1.0), ([60.0, 0.0, 61.0], [1, 1, 1], 1, 3.0)]
    cases += [([-1500.0, 2.0, -1501.0], [1, 0, 1], 0, -5.0), ([1.0, 2.0, 3.0], [1, 1, 1], 1, 40.0)]
    for n in (4, 9, 9, 16):
        empty = np.append(rng.integers(0, 2, n - 2), [1, 1])
        cases.append((rng.normal(0, 2, n).round(2), empty, int(rng.choice(np.flatnonzero(empty))), rng.normal()))
    cases += [([2000.0, 0.0, -1.0], [1, 1, 1], 0, 1.0), ([0.0, -3000.0, 5.0], [1, 1, 1], 1, -2.0)]
    cases += [([-3e9, -3e9 + 1000, 0.0], [1, 1, 0], 0, 1.0), ([20.0, 0.0], [1, 1], 0, 1.0)]
    cases += [([20000.3, 20001.1], [1, 1], 0, 1.0)]  # single precision has no such numbers
    cases = [(np.array(x), np.array(empty, dtype=bool), move, a) for x, empty, move, a in cases]

    def why(logits, empty, move, advantage):
        chances = np.exp(log_softmax(np.where(empty, logits, -np.inf)))
        large = " exp(800) is infinite for a computer, and exp(−900) is 0." if np.abs(logits).max() > 700 else ""
        if not empty.all() and logits[empty].max() < -700:
            large = " Such logits lie below a mask of −100 or −10⁹, and exp() of them is 0: "
            large += "mask with −∞, then subtract the largest."
        return (
            f"π is {np.round(chances, 3).tolist()}. The derivative of log π({move}) is 1 − π at point {move} and "
            f"−π elsewhere; all of it times the advantage {advantage:.3g}.{large}"
        )

    trial.compare(function, cases, right=push_of, why=why, slips=PUSH_SLIPS)


# 3. The others' mean --------------------------------------------------------------------------------------------


@graded
def others_mean(trial, function) -> None:
    """Check `others_mean(results)`: for each game the mean result of all the OTHER games of the batch."""
    rng = np.random.default_rng(5)
    cases = [[1.0, -1.0], [1.0, 1.0, -1.0], [0.0, 0.0, 1.0, -1.0], [1.0] * 5, [1, 0, 0, -1, 1], [0, 1], [1, -1]]
    cases += [rng.choice([-1.0, 0.0, 1.0], n) for n in (4, 8, 20, 64)] + [rng.choice([-1, 0, 1], 9)]
    cases.append(rng.permutation([1] * 200 + [-1] * 20))  # their sum does not fit into eight bits

    def why(z):
        whole = " The results are whole numbers, the means are not." if z.dtype.kind == "i" else ""
        if z.dtype == np.int8:
            whole += " An int8 holds no more than 127: a sum that stays one wraps round."
        return f"Game 0: the others' results sum to {z.sum() - z[0]:g}, and there are {len(z) - 1} of them.{whole}"

    def observe(solution, z):
        answer = solution(z)
        if isinstance(answer, np.ndarray) and answer.dtype.kind in "iu":
            text = "The answer is an array of whole numbers. Return floats: means are not whole, in general."
            trial.fail(text, call=trial.last_call, answer=answer)
        return answer

    cases = [(np.array(z),) for z in cases] + [(np.array([1] * 200 + [-1] * 20, np.int8),)]
    trial.compare(function, cases, right=others_of, why=why, slips=OTHERS_SLIPS, observe=observe, fresh=True)


# 4. Entropy -----------------------------------------------------------------------------------------------------


@graded
def mean_entropy(trial, function) -> None:
    """Check `mean_entropy(log_chances)`: the mean over rows of −Σ π log π, in nats, with −∞ for impossible moves."""
    rng = np.random.default_rng(7)
    cases = [np.log([[0.5, 0.5]]), np.log(np.full((2, 4), 0.25)), np.array([[0.0, -np.inf]])]
    cases.append(np.array([[np.log(0.5), np.log(0.5), -np.inf], [0.0, -np.inf, -np.inf]]))
    cases.append(np.array([[-1e-5, np.log(1e-5) - 5e-6], [0.0, -800.0]]))  # rare moves count, too
    cases.append(np.log([[1 - 8 * 5e-7, *[5e-7] * 8]]))
    cases.append(np.array([[np.log1p(-360 * np.exp(-22)), *[-22.0] * 360]]))
    for rows, n in [(1, 5), (3, 9), (6, 81)]:
        logits = rng.normal(0, 2, (rows, n))
        logits[:, 1:][rng.random((rows, n - 1)) < 0.4] = -np.inf
        cases.append(np.stack([log_softmax(row) for row in logits]))

    def right(log_chances):
        return float(np.mean([entropy_of(row) for row in log_chances])) + 0.0

    def why(log_chances):
        each = [float(f"{entropy_of(row):.5g}") + 0.0 for row in log_chances[:6]]
        rare = np.isfinite(log_chances).any() and log_chances[np.isfinite(log_chances)].min() < -12
        rare = " Rare moves count, too: add nothing, and cut nothing off." * bool(rare)
        return f"The rows have the entropies {each} (nats); an impossible move counts 0.{rare}"

    trial.compare(function, [(case,) for case in cases], right=right, why=why, slips=ENTROPY_SLIPS)


# 5. The loss ----------------------------------------------------------------------------------------------------


def _loss(log_priors, values, moves, returned, beta, policy=-1.0, bonus=-1.0, baseline=True, summed=False, **broken):
    """The right answer to `loss`; the options make it wrong."""
    played = log_priors[range(len(moves)), moves]
    played = {"column": played[:, None], "all": log_priors[:, moves], "π": played.exp()}.get(
        broken.get("played"), played
    )
    entropy = -(log_priors.exp() * log_priors).sum(dim=1)
    advantages = returned - values.detach() if baseline else returned
    one, other = advantages * played, beta * entropy
    other = other / log_priors.shape[1] if broken.get("all_numbers") else other
    value = ((returned - values) ** 2).mean() if broken.get("value") else 0.0
    summed = {True: "both", False: ""}.get(summed, summed)
    first = one.sum() if summed in ("both", "policy") else one.mean()
    return policy * first + bonus * (other.sum() if summed in ("both", "entropy") else other.mean()) + value


LOSS_SLIPS = [
    (lambda *a: _loss(*a, policy=1.0, bonus=1.0), "The sign is turned round: optimisers go downhill."),
    (
        lambda *a: _loss(*a, policy=1.0),
        "The sign of the policy's part is turned round: is its minus there, and is the advantage G − v?",
    ),
    (lambda *a: _loss(*a, bonus=1.0), "The bonus is to make the entropy LARGER, so it is subtracted from the loss."),
    (lambda *a: _loss(*a, bonus=0.0), "The entropy bonus is missing."),
    (lambda *a: _loss(*a, summed=True), "Take the means over the positions, not the sums."),
    (lambda *a: _loss(*a, summed="policy"), "The policy's part is a mean over the positions, not a sum."),
    (lambda *a: _loss(*a, summed="entropy"), "The entropies' part is a mean over the positions, not a sum."),
    (lambda *a: _loss(*a, all_numbers=True), "An entropy is a SUM over the moves; the mean is over positions only."),
    (
        lambda *a: _loss(*a, played="column"),
        "(B,) times (B, 1) is (B, B): take column 0 of what `gather` gives, `[:, 0]`. And a mean of products is no "
        "product of means.",
    ),
    (
        lambda *a: _loss(*a, played="all"),
        "`log_priors[:, moves]` is (B, B): every row with every move. One number of each row is wanted.",
    ),
    (lambda *a: _loss(*a, played="π"), "That is π(a). Its logarithm is wanted, which `log_priors` holds already."),
    (lambda *a: _loss(*a, value=True), "The values' own loss is not asked for here."),
    (lambda *a: _loss(*a, baseline=False), "The baseline, the value, is not subtracted from the return."),
]


def _loss_case(rows, points, beta, seed, spread=1.0) -> tuple:
    """(logits, (log_priors, values, moves, returns, beta)) with a gradient to follow."""
    import torch

    rng = np.random.default_rng(seed)
    logits = torch.tensor(rng.normal(0, spread, (rows, points)), requires_grad=True)
    values = torch.tensor(rng.uniform(-1, 1, rows), requires_grad=True)
    moves, returned = torch.tensor(rng.integers(0, points, rows)), torch.tensor(rng.uniform(-1, 1, rows))
    return logits, (torch.log_softmax(logits, dim=1), values, moves, returned, beta)


@graded
def loss(trial, function) -> None:
    """Check `loss(log_priors, values, moves, returns, beta)`: its value, and where its gradient goes."""
    import torch

    cases = [
        (1, 3, 0.0, 1),
        (4, 9, 0.0, 2),
        (4, 9, 0.1, 3),
        (10, 81, 0.02, 4),
        (3, 5, 1.0, 5),
        (4, 9, 0.004, 6),
        (3, 4, 0.0, 7, 400.0),
    ]
    for case in cases:
        beta = case[2]
        logits, arguments = _loss_case(*case)
        right = _loss(*arguments)
        call = _loss_call(*arguments)
        answer = trial.call(function, *arguments, shown=call)
        text = "It called `backward` itself, which leaves gradients behind. Return the loss; the caller does the rest."
        trial.require(logits.grad is None and arguments[1].grad is None, text, call=call)
        if not isinstance(answer, torch.Tensor) or answer.ndim:
            text = (
                "Return one number as a tensor without axes; `.mean()` gives one, `.item()` would cut its gradient off."
            )
            trial.fail(text, call=call, answer=answer)
        fine = 1e-9 if answer.dtype == torch.float64 else 1e-5
        if not np.isclose(float(answer.detach()), float(right.detach()), rtol=fine, atol=fine):
            policy = float(_loss(*arguments, bonus=0.0).detach())
            why = f"−mean of (G − v) · log π(a) is {policy:.6f}"
            entropy = (policy - float(right.detach())) / beta if beta else 0.0
            why += f", the mean entropy {entropy:.6f}, with weight {beta} and a MINUS." if beta else "."
            hint = the_one_slip(function, cases, LOSS_SLIPS, _loss_value, close=1e-6)
            trial.fail(why, call=call, answer=float(answer.detach()), right=float(right.detach()), hint=hint)
        text = "The number is right, but it has no gradient with respect to the logits: keep log_priors attached."
        trial.require(answer.requires_grad, text, call=call)
        wanted = torch.autograd.grad(right, logits, retain_graph=True)[0]
        found = torch.autograd.grad(answer, [logits, arguments[1]], retain_graph=True, allow_unused=True)
        followed = found[0] is not None and torch.allclose(found[0].double(), wanted, rtol=1e-4, atol=1e-6)
        nan = found[0] is not None and bool(torch.isnan(found[0]).any())
        text = "The number is right, but its gradient with respect to the logits is not. "
        text += (
            "It holds NaN: 0 · log 0 has no derivative for a computer; `log_priors` are there already." if nan else ""
        )
        trial.require(followed, text, call=call, hint=_cut_off(found[0], arguments, logits))
        trial.require(
            found[1] is None or not found[1].any(),
            "The gradient also flows into `values`: this loss would push the values, to make the advantages "
            "look better. Use values.detach().",
            call=call,
        )


def _loss_call(log_priors, values, moves, returned, beta) -> str:
    """The call with its numbers, where they are few."""

    def shown(tensor):
        text = np.array2string(
            tensor.detach().numpy(), precision=4, separator=", ", suppress_small=True, max_line_width=100
        )
        return text if tensor.numel() <= 36 else f"(shape {tuple(tensor.shape)})"

    names = {"log_priors": log_priors, "values": values, "moves": moves, "returns": returned}
    tensors = ",\n".join(f"{name}={shown(tensor)}" for name, tensor in names.items())
    return f"loss(\n{tensors},\nbeta={beta})"


def _cut_off(found, arguments, logits) -> str | None:
    """What to say where the gradient is that of one part of the loss alone."""
    import torch

    *_, beta = arguments
    if not beta and found is not None and not found.any():
        return "It is 0: the policy's part has no gradient. Detach the values, and not log π(a)."
    for options, part in (({"bonus": 0.0}, "entropy's"), ({"policy": 0.0}, "policy's")):
        alone = torch.autograd.grad(_loss(*arguments, **options), logits, retain_graph=True)[0]
        if beta and found is not None and torch.allclose(found.double(), alone, rtol=1e-4, atol=1e-6):
            both = " (With π detached, Σ π ∇log π cancels out to 0.)" if part == "entropy's" else ""
            return f"The {part} part has no gradient, but needs one too: keep log_priors attached there.{both}"
    return None


def _loss_value(function, *case) -> float:
    return float(function(*_loss_case(*case)[1]).detach())
