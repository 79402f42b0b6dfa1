"""The capstone of chapter 6, part by part: the ring and one game, each by what it does; the net is in `learner`."""

import numpy as np

from mock5check.answers import kind_problem, same
from mock5check.ch05.capstone import Watched, hashed_expert, table_expert
from mock5check.ch06.searching import SIZE, Recorded
from mock5lib import Mock5
from mock5lib.game.encoders import three_planes

CHANGED = -99  # what is written into arrays after they were added


def _example(number: int) -> tuple:
    """An example that carries its number in each of its parts."""
    planes, policies, outcomes = _examples(np.array([number]))
    return planes[0], policies[0], float(outcomes[0])


def _examples(numbers: np.ndarray) -> tuple:
    """Those of many numbers: arrays (N, 3, 5, 5), (N, 25) and (N,)."""
    planes, policies = np.empty((len(numbers), 3, 5, 5), np.float32), np.empty((len(numbers), 25))
    planes[:], policies[:] = numbers[:, None, None, None] + 0.25, numbers[:, None] / 100
    return planes, policies, numbers / 100 - 0.5


def _numbers(trial, answer, size: int, call: str) -> np.ndarray:
    """The numbers of the examples in a sample; its shapes must be right, and its parts must belong together."""
    right = np.zeros((size, 3, 5, 5)), np.zeros((size, 25)), np.zeros(size)
    problem = kind_problem(answer, right)
    if problem:
        trial.fail(problem[0].upper() + problem[1:], call=call)
    planes, policies, outcomes = (np.asarray(part, float) for part in answer)
    numbers = planes[:, 0, 0, 0].round().astype(int)
    if not all(same(part, own, 1e-5) for part, own in zip((planes, policies, outcomes), _examples(numbers))):
        trial.fail(_apart(planes, policies, outcomes), call=call)
    trial.cases += 1
    return numbers


def _apart(planes, policies, outcomes) -> str:
    """What is wrong with a sample whose parts do not belong together."""
    if (planes == CHANGED).any() or (policies == CHANGED).any():
        what = "planes" if (planes == CHANGED).any() else "policies"
        return (
            f"`add` must keep COPIES: after each add the check wrote {CHANGED} into the arrays that it had handed "
            f"over, and now the ring's {what} hold it. (np.asarray makes no copy where the type is right already.)"
        )
    if (~planes.any(axis=(1, 2, 3)) & ~policies.any(axis=1)).any():
        return (
            "A row of zeros came back, and none was added: only as many rows as were added may be drawn, `len(ring)`, "
            "not `capacity`."
        )
    number = int(planes[0].flat[0].round())
    others = [_example(other) for other in range(1, 20) if other != number]
    for what, part, place in (("planes", planes[0], 0), ("policy", policies[0], 1), ("outcome", outcomes[:1], 2)):
        given = np.atleast_1d(np.asarray(_example(number)[place], float))
        mixed_up = any(same(part, np.atleast_1d(np.asarray(other[place], float)), 1e-5) for other in others)
        if 1 <= number < 20 and not mixed_up and not same(part, given, 1e-5):
            came = part.flat[abs(part - given).argmax()]
            return f"Of example {number} the {what} came back as {came:.7g}, and {given.flat[0]:.7g} went in."
    return "Planes, policy and outcome of one row must come from one example, unchanged."


def check_ring(trial, Ring) -> None:
    ring, other = trial.call(Ring, 7), trial.call(Ring, 3)
    trial.require(_length(trial, ring) == 0, "A new ring is empty: len(ring) is 0.", call="Ring(7)")
    call = "ring = Ring(7), then ring.add(planes, policy, outcome) {} times"
    for number in range(1, 20):
        planes, policy, outcome = _example(number)
        answer = trial.call(ring.add, planes, policy, outcome, shown=call.format(number))
        trial.require(answer is None, "add returns nothing.", call=call.format(number))
        planes[:], policy[:] = CHANGED, CHANGED  # the caller uses its arrays again
        held = min(number, 7)
        trial.require(
            _length(trial, ring) == held,
            f"len(ring) is {_length(trial, ring)}; it holds {held}.",
            call=call.format(number),
        )
        if number in (1, 6, 7, 8, 14, 19):
            shown = call.format(number) + ", ring.sample(1600, rng)"
            numbers = _numbers(
                trial, trial.call(ring.sample, 1600, np.random.default_rng(number), shown=shown), 1600, shown
            )
            wanted = set(range(number - held + 1, number + 1))
            expected = 1600 / held
            trial.require(
                np.bincount(numbers).max() < expected + 5.5 * expected**0.5,
                f"Each of the {held} has the same chance; in 1,600 draws one came {np.bincount(numbers).max()} times.",
                call=shown,
            )
            trial.require(
                set(numbers.tolist()) == wanted,
                f"The samples are examples {sorted(set(numbers.tolist()))}; the ring holds the last {held}, "
                f"{sorted(wanted)}, and each of them comes in 1,600 draws.",
                call=shown,
            )
    _draws(trial, ring)
    _equal_ones(trial, Ring)
    _large(trial, Ring)
    trial.require(_length(trial, other) == 0, "What goes into one ring must not appear in another.", call="Ring(3)")


def _equal_ones(trial, Ring) -> None:
    """An example that comes again is another example, and so is one that differs in a single part."""
    ring, call = (
        trial.call(Ring, 5),
        "ring = Ring(5), then ring.add with the same planes four times, outcomes 0, 0, 1, −1",
    )
    planes, policy = np.zeros((3, 5, 5), np.float32), np.full(25, 0.04)
    for outcome in (0.0, 0.0, 1.0, -1.0):
        trial.call(ring.add, planes, policy, outcome, shown=call)
    trial.require(_length(trial, ring) == 4, f"len(ring) is {_length(trial, ring)}; it holds 4.", call=call)
    outcomes = np.asarray(
        trial.call(ring.sample, 400, np.random.default_rng(1), shown=f"{call}, ring.sample(400, rng)")[2]
    )
    counts = [int((outcomes == outcome).sum()) for outcome in (0, 1, -1)]
    trial.require(
        abs(np.array(counts) - [200, 100, 100]).max() < 50,
        f"In 400 draws the outcomes 0, 1 and −1 came {counts} times; some 200, 100 and 100 are expected.",
        call=call,
    )


def _large(trial, Ring) -> None:
    """The first examples of a large ring are no more likely than the last ones."""
    call, capacity, draws = "ring = Ring(20_000), full, then ring.sample(20_000, rng)", 20_000, 20_000
    ring, (planes, policy, _) = trial.call(Ring, capacity), _example(1)

    def fill():
        for number in range(capacity):
            ring.add(planes, policy, float(number))

    trial.call(fill, shown="ring.add, 20,000 times", long=True)
    drawn = np.asarray(trial.call(ring.sample, draws, np.random.default_rng(8), shown=call, long=True)[2])
    counts = np.bincount((drawn * 12 // capacity).astype(int), minlength=12)
    trial.require(
        abs(counts - draws / 12).max() < 220,
        f"Each example has the same chance. Of the 12 twelfths of the ring, in the order in which they were put in, "
        f"{draws:,} draws took {counts.tolist()}; some {draws // 12} of each are expected.",
        call=call,
    )


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
    few = [trial.call(ring.sample, 5, np.random.default_rng(seed), shown="ring.sample(5, rng)") for seed in range(12)]
    trial.require(
        any(len(set(_numbers(trial, sample, 5, "ring.sample(5, rng)").tolist())) < 5 for sample in few),
        "Of seven examples five were drawn, twelve times, and never did one come twice in a sample. Each row is drawn "
        "by itself, from all of them.",
        call="ring.sample(5, rng), a ring of seven examples",
    )
    small = [
        np.array(part) for part in trial.call(ring.sample, 2, np.random.default_rng(3), shown="ring.sample(2, rng)")
    ]
    taken = [
        part
        for size in (60, *[1] * 30)
        for part in trial.call(ring.sample, size, np.random.default_rng(4 + size), shown=f"ring.sample({size}, rng)")
    ]
    trial.require(len(small[2]) == 2, "sample(2, rng) has two rows.", call="ring.sample(2, rng)")
    trial._kept.clear()  # those of this stage are about to be written into
    for part in taken:
        part[...] = -7
    _numbers(
        trial, trial.call(ring.sample, 60, np.random.default_rng(5)), 60, "ring.sample, after a sample was changed"
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
        _simulations(trial, game, expert.asked, call)
    again = trial.call(self_play, hashed_expert(9, 0.3), np.random.default_rng(0), long=True, seconds=60.0)
    trial.require(
        len(again) == len(starts[0]) and all(same(a, b) for a, b in zip(again, starts[0])),
        "The same rng must give the same game.",
        call="self_play(expert, rng), twice with seed 0",
    )
    trial.require(len(firsts) > 1, "Six seeds, one first move: the games must differ.", call="self_play(expert, rng)")
    _what_was_found(trial, self_play)
    _policies(trial, self_play)
    _new_numbers(trial, self_play)


def _simulations(trial, game, asked: list, call: str) -> None:
    """How many positions were asked about between the first roots: each simulation meets a new one."""
    roots = []
    for planes, _, _ in game[:4]:
        where = [number for number, other in enumerate(asked) if np.array_equal(other, planes)]
        roots.append(where[-1] if len(where) > (len(roots) > 0) else None)  # once in the search before, once as a root
    for number, (root, following) in enumerate(zip(roots, roots[1:]), 1):
        if root is not None and following is not None:
            trial.require(
                not 0 < following - root < 9,
                f"For move number {number} it asked the expert about {following - root} positions, the root among "
                "them. Your size may be anything from 8 simulations on, and each of these meets a new position here.",
                call=call,
            )


def _what_was_found(trial, self_play) -> None:
    """Where one move has nearly all of the prior, and all values are 0, the search returns it, and it is played."""
    weights, wanted = np.ones(25), (7, 18, 11)
    weights[list(wanted)] = 1e21, 1e14, 1e7
    for seed in range(3):
        call = f"self_play(expert, rng), seed {seed}; of the priors point 7 has nearly all, then 18, then 11"
        game = trial.call(
            self_play, table_expert(25, weights), np.random.default_rng(seed), shown=call, long=True, seconds=60.0
        )
        _one_game(trial, game, call)
        boards = [planes[0].ravel() + planes[1].ravel() for planes, _, _ in game[:4]]
        moves = tuple(int((after - before).argmax()) for before, after in zip(boards, boards[1:]))
        trial.require(
            moves == wanted,
            f"All values are 0, so each search returns the point with the highest prior: {wanted}. The game begins "
            f"with {moves}. What the search returns is played, from the first move on.",
            call=call,
        )


def _policies(trial, self_play) -> None:
    """An expert whose values, but not its priors, favour row 0: so do the improved policies."""

    def likes_the_top(own, other):
        return float(np.tanh(own[0].sum() - other[0].sum()))

    call, shares, single = "self_play(expert, rng)", [], 0
    for seed in range(4):
        expert = table_expert(25, value=likes_the_top)
        game = trial.call(self_play, expert, np.random.default_rng(seed), shown=call, long=True, seconds=60.0)
        early = [policy for planes, policy, _ in game if planes[2, 0].sum() >= 3][:4]
        shares += [policy[:5].sum() for policy in early]
        single += sum(np.count_nonzero(policy) == 1 for policy in early[:3])
    trial.require(
        single < 6,
        "The policies of the first positions, where nothing is forced, give one point all. Wanted is the improved "
        "policy of the search, not the move that was played.",
        call=call,
    )
    _whole_policy(trial, self_play)
    trial.require(
        np.mean(shares) > 0.35,
        "All priors are equal, and the expert's value is higher for whoever has more stones in row 0. So the improved "
        f"policies favour row 0; in the examples its share is {np.mean(shares):.0%}, and the prior's is 20 %. Do the "
        "examples hold the policy that the search returned?",
        call=call,
    )


def _whole_policy(trial, self_play) -> None:
    """At first nobody can win; with values of 0 nothing is learnt, and the improved policy is the prior."""
    tilted, call = np.arange(1, 26), "self_play(expert, rng), with priors in proportion to 1, 2, … 25 and values of 0"
    game = trial.call(
        self_play, table_expert(25, tilted), np.random.default_rng(0), shown=call, long=True, seconds=60.0
    )
    planes, policy, _ = game[1]
    right = np.where(planes[2].ravel() == 1, tilted, 0) / tilted[planes[2].ravel() == 1].sum()
    trial.require(
        same(np.asarray(policy, float), right, 1e-3),
        "The policy of an example is the one that the search returns, all of it and unchanged. All values are 0, so in "
        "the second position it is the prior over the empty points. The greatest difference is "
        f"{abs(policy - right).max():.3g}.",
        call=call,
    )


def _new_numbers(trial, self_play) -> None:
    """All priors are equal and all values 0, so the moves come from the Gumbel numbers alone: are they drawn anew?"""
    call, slots = "self_play(expert, rng), all priors equal and all values 0", []
    for seed in range(6):
        rng = Recorded(np.random.PCG64(seed))
        game = trial.call(self_play, table_expert(25), rng, shown=call, long=True, seconds=60.0)
        for (planes, _, _), (after, _, _) in list(zip(game, game[1:]))[:4]:
            empty = np.flatnonzero(planes[2])
            move = int(np.flatnonzero(planes[2].ravel() != after[2].ravel())[0])
            slots.append((seed, int(np.searchsorted(empty, move))))
        trial.require(
            rng.asked >= len(game) / 2,
            f"In a game of {len(game)} moves the `gumbel` of the `rng` that was given was called {rng.asked} "
            "times: new numbers for every move, all from one generator.",
            call=call,
        )
        _, first = slots[4 * seed]  # on the empty board, a point
        best = int(np.argmax(rng.given[:25]))
        trial.require(
            len(rng.given) < 25 or first == best,
            f"The first search returns the move with the greatest Gumbel number, {best}; played was {first}. What the "
            "search returns is played: don't draw a move from the improved policy.",
            call=call,
        )
    trial.require(
        len(set(slots)) > 12,
        "In each game the first moves have the same place among the legal ones. Is it the move that the search returns "
        "that is played, and are the Gumbel numbers new for every move, with one rng for the whole game?",
        call=call,
    )


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
    alternate = outcomes == [last * (-1) ** (len(outcomes) - 1 - i) for i in range(len(outcomes))]
    could_end = bool(winning) or len(game.legal_moves()) == 1
    trial.require(
        could_end or not alternate,
        "After the last example's position no move can end the game: the examples end too early. There is one for EACH "
        "move, also for the last. (The game is Mock5(5, 5, k=4).)",
        call=call,
    )
    trial.require(last in (1, 0), f"The last mover has won (1) or drawn (0); its outcome here is {last:g}.", call=call)
    trial.require(
        bool(winning) if last == 1 else len(game.legal_moves()) == 1,
        "The examples end before the game does, or its result is wrong: after the last example's position comes "
        "the move that ends the game.",
        call=call,
    )
    trial.require(
        alternate,
        "An outcome is the result for the player to move in ITS position: 1 for each of the winner's positions, −1 for "
        f"the loser's. They are {', '.join(f'{o:g}' for o in outcomes[-6:])} at the end.",
        call=call,
    )


def wins(game, move: int) -> bool:
    after = game.copy()
    after.apply(move)
    return after.winner not in (None, 0)
