"""The capstone of chapter 6, part by part: the ring, one search, one game, one net; each by what it does."""

from functools import cache, partial

import numpy as np

from mock5check.answers import kind_problem, same
from mock5check.ch05.capstone import Watched, hashed_expert, table_expert
from mock5check.ch06.endings import check_endings
from mock5lib import Mock5
from mock5lib.game.encoders import three_planes

SIZE = (5, 5, 4)


def _example(number: int) -> tuple:
    """An example that carries its number in each of its parts."""
    return np.full((3, 5, 5), number, np.float32), np.full(25, number / 100), number / 100 - 0.5


def _numbers(trial, answer, size: int, call: str) -> np.ndarray:
    """The numbers of the examples in a sample; its shapes must be right, and its parts must belong together."""
    right = np.zeros((size, 3, 5, 5)), np.zeros((size, 25)), np.zeros(size)
    problem = kind_problem(answer, right)
    if problem:
        trial.fail(problem[0].upper() + problem[1:], call=call)
    planes, policies, outcomes = (np.asarray(part, float) for part in answer)
    numbers = planes[:, 0, 0, 0].round().astype(int)
    together = all(
        same(np.asarray(part, float), np.stack([_example(n)[place] for n in numbers]).astype(float), 1e-5)
        for place, part in enumerate((planes, policies, outcomes))
    )
    trial.require(together, "Planes, policy and outcome of one row must come from one example, unchanged.", call=call)
    return numbers


def check_ring(trial, Ring) -> None:
    ring, other = trial.call(Ring, 7), trial.call(Ring, 3)
    trial.require(_length(trial, ring) == 0, "A new ring is empty: len(ring) is 0.", call="Ring(7)")
    call = "ring = Ring(7), then ring.add(planes, policy, outcome) {} times"
    for number in range(1, 20):
        planes, policy, outcome = _example(number)
        answer = trial.call(ring.add, planes, policy, outcome, shown=call.format(number))
        trial.require(answer is None, "add returns nothing.", call=call.format(number))
        planes[:], policy[:] = -99, -99  # the caller uses its arrays again
        held = min(number, 7)
        trial.require(
            _length(trial, ring) == held,
            f"len(ring) is {_length(trial, ring)}; it holds {held}.",
            call=call.format(number),
        )
        if number in (1, 6, 7, 8, 14, 19):
            shown = call.format(number) + ", ring.sample(400, rng)"
            numbers = _numbers(
                trial, trial.call(ring.sample, 400, np.random.default_rng(number), shown=shown), 400, shown
            )
            wanted = set(range(number - held + 1, number + 1))
            trial.require(
                set(numbers.tolist()) == wanted,
                f"The samples are examples {sorted(set(numbers.tolist()))}; the ring holds the last {held}, "
                f"{sorted(wanted)}, and each of them comes in 400 draws. (An add keeps a COPY of its arrays.)",
                call=shown,
            )
    _draws(trial, ring)
    trial.require(_length(trial, other) == 0, "What goes into one ring must not appear in another.", call="Ring(3)")


def _length(trial, ring) -> int:
    return trial.call(lambda ring: len(ring), ring, may_change=(0,), shown="len(ring)")


def _draws(trial, ring) -> None:
    """Every example is as likely as any other, draws are made with `rng`, and a sample is no view of the ring."""
    call = "ring.sample(7000, rng), a ring of seven examples"
    first = trial.call(ring.sample, 7000, np.random.default_rng(1), shown=call)
    numbers = _numbers(trial, first, 7000, call)
    counts = np.bincount(numbers)[13:]
    trial.require(
        abs(counts - 1000).max() < 180, f"Each has the same chance; here they came {counts} times.", call=call
    )
    trial.require(len(set(map(tuple, numbers[:40].reshape(-1, 2)))) > 8, "Draw each row by itself.", call=call)
    again = _numbers(trial, trial.call(ring.sample, 7000, np.random.default_rng(1), shown=call), 7000, call)
    trial.require(
        (again == numbers).all(), "The same rng must give the same sample: draw with it, and only it.", call=call
    )
    other = _numbers(trial, trial.call(ring.sample, 7000, np.random.default_rng(2), shown=call), 7000, call)
    trial.require((other != numbers).any(), "Another rng must give another sample.", call=call)
    small = [
        np.array(part) for part in trial.call(ring.sample, 2, np.random.default_rng(3), shown="ring.sample(2, rng)")
    ]
    taken = trial.call(ring.sample, 60, np.random.default_rng(4), shown="ring.sample(60, rng)")
    trial.require(len(small[2]) == 2, "sample(2, rng) has two rows.", call="ring.sample(2, rng)")
    trial._kept.clear()  # those of this stage are about to be written into
    for part in taken:
        part[...] = -7
    _numbers(
        trial, trial.call(ring.sample, 60, np.random.default_rng(5)), 60, "ring.sample, after a sample was changed"
    )


# 4. One search ---------------------------------------------------------------------------------------------------


def one_search(trial, search, game, expert, budget: int, seed=None) -> tuple:
    """(move, policy) of a learner's search, both of them possible; the expert must be asked no more than allowed."""
    call = f"search(game, expert, {budget}, {'None' if seed is None else 'rng'}), where game is\n{game}"
    watched = Watched(expert, many=True)
    rng = None if seed is None else np.random.default_rng(seed)
    try:
        answer = trial.call(search, game, watched, budget, rng, shown=call, long=True)
    finally:
        if watched.problem:
            trial.fail(watched.problem, call=call)
    problem = kind_problem(answer, (0, np.zeros(len(game.board))))
    if problem:
        trial.fail(problem[0].upper() + problem[1:], call=call, answer=answer)
    move, policy = int(answer[0]), answer[1]
    legal = game.legal_moves()
    trial.require(move in legal, f"Move {move} is not legal.", call=call)
    trial.require(
        np.isfinite(policy).all() and policy.min() >= 0 and abs(policy.sum() - 1) < 1e-6,
        f"The policy must be shares that sum to 1; these sum to {policy.sum():.6g}, the least is {policy.min():.3g}.",
        call=call,
    )
    trial.require(policy[legal].sum() > 1 - 1e-6, "The policy gives a stone's point a share.", call=call)
    trial.require(not watched.changed(), "It changed the arrays that the expert answered.", call=call)
    trial.require(
        len(watched.asked) <= budget + 1,
        f"It asked the expert about {len(watched.asked)} positions; "
        f"{budget} simulations and the root make {budget + 1}.",
        call=call,
    )
    return move, policy, call


def check_search(trial, search) -> None:
    empty, tilted = Mock5(*SIZE[:2], k=SIZE[2]), np.arange(1, 26)
    for budget in (1, 2, 16, 40):
        one, other = (one_search(trial, search, empty, hashed_expert(1), budget, seed=3) for _ in range(2))
        trial.require(same(one[:2], other[:2]), "The same rng must give the same search.", call=one[2])
    one, other = (one_search(trial, search, empty, hashed_expert(2), 16) for _ in range(2))
    trial.require(same(one[:2], other[:2]), "With rng None there are no random numbers: always the same.", call=one[2])
    _without_noise(trial, search)
    moves = {one_search(trial, search, empty, table_expert(25), 8, seed)[0] for seed in range(12)}
    trial.require(
        len(moves) > 4,
        f"With equal priors and values, twelve seeds play {len(moves)} different moves. "
        "Gumbel numbers sample the candidates.",
        call="search(game, expert, 8, rng) on the empty board",
    )
    for history in ([], [12], [12, 6, 7]):
        game = Mock5(*SIZE[:2], k=SIZE[2], history=history)
        _, policy, call = one_search(trial, search, game, table_expert(25, tilted), 8, seed=1)
        right = np.where(np.array(game.board) == 0, tilted, 0) / tilted[game.legal_moves()].sum()
        trial.require(
            same(policy, right, 1e-3),
            "All values are 0 and nobody can win yet, so nothing is learnt and the improved policy is the prior "
            f"over the legal moves. The greatest difference is {abs(policy - right).max():.3g}.",
            call=call,
        )
    _sides(trial, search)
    _below(trial, search)
    check_endings(trial, partial(one_search, trial, search))


def _without_noise(trial, search) -> None:
    """With rng None all Gumbel numbers are 0: where nothing is learnt, the move of the highest prior is played."""
    for point in (24, 7, 13, 18):
        game = Mock5(*SIZE[:2], k=SIZE[2], history=[12] if point == 7 else [])
        hardly = np.where(np.arange(25) == point, 1.01, 1.0)
        move, _, call = one_search(trial, search, game, table_expert(25, hardly), 16)
        trial.require(
            move == point,
            f"All values are 0, nobody can win yet, and point {point} has a slightly higher prior than the rest. With "
            f"rng None all Gumbel numbers are 0, so it is the move to play; it played {move}.",
            call=call,
        )


def _sides(trial, search) -> None:
    """Whoever has more stones in the first row stands better: does the search put one there, whoever moves?"""

    def likes_the_top(own, other):
        return float(own[0].sum() - other[0].sum()) / 5

    for history in ([], [12], [12, 6], [12, 6, 24]):
        game = Mock5(*SIZE[:2], k=SIZE[2], history=history)
        favour = np.where(np.arange(25) % 5 == 1, 3.0, 1.0)  # five candidates or so, one of them in the first row
        move, policy, call = one_search(trial, search, game, table_expert(25, favour, likes_the_top), 40)
        trial.require(
            policy[:5].sum() > 0.5 and policy.argmax() < 5,
            "The expert's value is higher for whoever has more stones in row 0. So the improved policy should "
            f"favour row 0. Its share is {policy[:5].sum():.0%}. Whose values are these, and whose are q and v?",
            call=call,
        )


def _below(trial, search) -> None:
    """Six points matter, two of them in row 0, where each side likes to be: which replies are looked into?"""

    def likes_the_top(own, other):
        return float(np.tanh(own[0].sum() - other[0].sum()))

    weights = np.full(25, 1e-4)
    weights[[1, 3, 11, 13, 22, 24]] = 1
    for history in ([], [12, 6]):
        game = Mock5(*SIZE[:2], k=SIZE[2], history=history)
        watched = Watched(table_expert(25, weights, likes_the_top), many=True)
        trial.call(search, game, watched, 100, None, long=True)
        before, top = np.array(game.board).reshape(5, 5), []
        for own, other, _ in watched.asked:
            if own.sum() + other.sum() - len(history) == 3:  # the other side is to move again: its reply stands
                top.append(bool(own[0].sum() > (before[0] == 3 - game.player).sum()))
        call = f"search(game, expert, 100, None), where game is\n{game}"
        trial.require(top, "No position three moves ahead was looked at: the tree must grow.", call=call)
        trial.require(
            np.mean(top) > 0.4,
            "The expert's value is higher for whoever has more stones in row 0, so the best replies are there. But of "
            f"the positions three moves ahead that it looked at, the reply stood there in {np.mean(top):.0%} only. "
            "Below the root, too, each player must choose what is good for itself.",
            call=call,
        )


# 5. One game -----------------------------------------------------------------------------------------------------


def check_self_play(trial, self_play) -> None:
    firsts, starts = set(), []
    for seed in range(6):
        call = f"self_play(expert, rng), seed {seed}"
        expert = Watched(hashed_expert(9, 0.3), many=True)
        game = trial.call(self_play, expert, np.random.default_rng(seed), shown=call, long=True, seconds=60.0)
        _one_game(trial, game, call)
        firsts.add(int(game[1][0][1].argmax()))
        starts.append(game)
        trial.require(expert.asked, "It never asked the expert.", call=call)
    again = trial.call(self_play, hashed_expert(9, 0.3), np.random.default_rng(0), long=True, seconds=60.0)
    trial.require(
        len(again) == len(starts[0]) and all(same(a, b) for a, b in zip(again, starts[0])),
        "The same rng must give the same game.",
        call="self_play(expert, rng), twice with seed 0",
    )
    trial.require(len(firsts) > 1, "Six seeds, one first move: the games must differ.", call="self_play(expert, rng)")


def _one_game(trial, examples, call: str) -> None:
    """Examples of a whole game: consecutive positions from the empty board, policies, and the result seen by each."""
    trial.require(
        isinstance(examples, list) and len(examples) >= 7, "Return a list, one example for each move.", call=call
    )
    game, outcomes = Mock5(*SIZE[:2], k=SIZE[2]), []
    for number, example in enumerate(examples):
        problem = kind_problem(example, (np.zeros((3, 5, 5)), np.zeros(25), 0.0), f"example {number}")
        trial.require(problem is None, f"{problem}", call=call)
        planes, policy, outcome = example
        if number:
            new = np.flatnonzero((planes[1].ravel() == 1) & (np.array(game.board) == 0))
            ok = len(new) == 1 and game.winner is None
            trial.require(ok, f"Example {number} does not follow example {number - 1} by one move.", call=call)
            game.apply(int(new[0]))
            share = examples[number - 1][1][int(new[0])]
            trial.require(share > 0, f"Move {new[0]} was played, and the policy before it says 0.", call=call)
        trial.require(game.winner is None, f"Example {number} is a position of a finished game.", call=call)
        trial.require(
            np.array_equal(planes, three_planes.encode([game])[0]),
            f"Example {number}: planes are not `three_planes.encode([game])[0]` of the position before the move, own "
            "stones first. The first position is the empty board; later ones follow one by one.",
            call=call,
        )
        empty = np.array(game.board) == 0
        fair = policy.min() >= 0 and abs(policy.sum() - 1) < 1e-6 and policy[~empty].sum() < 1e-6
        trial.require(fair, f"Example {number}: the policy must sum to 1 over the empty points.", call=call)
        outcomes.append(outcome)
    _outcomes(trial, game, outcomes, call)


def _outcomes(trial, game, outcomes: list, call: str) -> None:
    """The last example's mover has won, or it was the last empty point; the others alternate."""
    winning = [move for move in game.legal_moves() if wins(game, move)]
    last = outcomes[-1]
    trial.require(last in (1, 0), f"The last mover has won (1) or drawn (0); its outcome here is {last}.", call=call)
    trial.require(
        bool(winning) if last == 1 else len(game.legal_moves()) == 1,
        "The examples end before the game does, or its result is wrong: after the last example's position comes "
        "the move that ends the game.",
        call=call,
    )
    right = [last * (-1) ** (len(outcomes) - 1 - i) for i in range(len(outcomes))]
    trial.require(
        outcomes == right,
        "An outcome is the result for the player to move in ITS position: 1 for each of the winner's positions, −1 for "
        f"the loser's. They are {[f'{o:g}' for o in outcomes[-6:]]} at the end.",
        call=call,
    )


def wins(game, move: int) -> bool:
    after = game.copy()
    after.apply(move)
    return after.winner not in (None, 0)


# 6. One net ------------------------------------------------------------------------------------------------------


@cache
def lesson() -> tuple:
    """64 positions with policies and outcomes to be learnt by heart: (planes, policies, outcomes)."""
    rng = np.random.default_rng(64)
    games = [some_position(rng) for _ in range(64)]
    policies = np.zeros((64, 25))
    for row, game in zip(policies, games):
        row[rng.choice(game.legal_moves(), size=2, replace=False)] = 0.75, 0.25
    return three_planes.encode(games), policies, rng.choice([-1.0, 1.0, 0.0], size=64)


def some_position(rng):
    game = Mock5(*SIZE[:2], k=SIZE[2])
    for _ in range(int(rng.integers(2, 14))):
        if game.winner is None:
            game.apply(int(rng.choice(game.legal_moves())))
    return game if game.winner is None else some_position(rng)


def answers_of(trial, expert, planes, call: str) -> tuple:
    """(log-priors, values) of an expert of the learner's, usable ones."""
    answer = trial.call(expert, planes, shown=call, long=True)
    right = np.zeros((len(planes), 25)), np.zeros(len(planes))
    problem = kind_problem(answer, right)
    if problem:
        trial.fail(problem[0].upper() + problem[1:], call=call)
    log_priors, values = answer
    legal = planes[:, 2].reshape(len(planes), 25) == 1
    fine = np.isfinite(log_priors[legal]).all() and np.isfinite(values).all() and abs(values).max() <= 1 + 1e-6
    trial.require(fine, "Log-priors of the empty points must be finite numbers and values lie in [−1, 1].", call=call)
    return log_priors, values


def check_learner(trial, Learner) -> None:
    planes, policies, outcomes = lesson()
    learner, twin, other = (trial.call(Learner, seed, long=True, seconds=60.0) for seed in (1, 1, 2))
    call = "Learner(1).expert(planes)"
    one, same_seed, another = (answers_of(trial, net.expert, planes, call) for net in (learner, twin, other))
    trial.require(same(one, same_seed, 1e-5), "Two learners of one seed must begin alike.", call=call)
    trial.require(not same(one, another, 1e-5), "Learners of different seeds must differ.", call=call)
    for rows in (1, 5):
        few = answers_of(trial, learner.expert, planes[:rows], call)
        whole = tuple(part[:rows] for part in one)
        trial.require(same(few, whole, 1e-3), "An answer must not depend on the other boards of a batch.", call=call)
    legal = planes[:, 2].reshape(-1, 25) == 1
    for _ in range(200):
        trial.call(
            learner.learn, planes, policies, outcomes, shown="learner.learn(planes, policies, outcomes)", long=True
        )
    log_priors, values = answers_of(trial, learner.expert, planes, call)
    logits = np.where(legal, log_priors, -np.inf)
    shares = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    said = "200 calls of learner.learn with one batch of 64 examples, then learner.expert"
    far, off = abs(shares - policies).max(axis=1).mean(), abs(values - outcomes).mean()
    trial.require(
        far < 0.15,
        f"After 200 steps on the same 64 examples the policy (softmax over the empty points) should be theirs; it is "
        f"off by {far:.2f}. The loss is −Σ π · log p, averaged over the batch.",
        call=said,
    )
    trial.require(
        off < 0.2,
        f"After 200 steps on the same 64 examples the values should be their outcomes; they are off by {off:.2f}.",
        call=said,
    )
    trial.require(
        same(answers_of(trial, twin.expert, planes, call), same_seed, 1e-6),
        "What one learner learns must not change another.",
        call=said,
    )
