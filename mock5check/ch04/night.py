"""Six functions of a night of training, each declared by itself; the exercise hands out five defects in them."""

from copy import deepcopy

import numpy as np

from mock5check.answers import Facts, Outcome, is_number, show
from mock5check.core import Refused
from mock5check.sampled import sampled
from mock5check.spec import exercise, together
from mock5lib import Mock5

SEEDS = 80  # calls, each with a generator of its own: what can come up does


class Possible(Facts):
    absent = "impossible"


def all_that_comes(in_words):
    """Observe a function that draws: {answer: what belongs to it} of many calls, both as `in_words` tells them."""

    def observe(function, *case):
        found = {}

        def drawn(seed: int) -> tuple:  # from a copy: what one call changes in place is not the next one's
            return in_words(function(*deepcopy(case), np.random.default_rng(seed)), *case)

        for seed in range(SEEDS):
            told = drawn(seed)
            if seed < 5 and told != drawn(seed):
                raise Refused("With a generator of the same seed it answered differently. Draw from `rng` alone.")
            found.setdefault(told[0], set()).add(told[1])
        return Possible({name: " or ".join(sorted(values)) for name, values in sorted(found.items())})

    return observe


def weights_of(version: int) -> dict:
    return {"filters": np.full((1, 2), version / 2), "steps": np.array([version])}


def pools(rng):
    """(pool, weights)"""
    for size in (0, 1, 3, 30):
        yield [weights_of(version) for version in range(size)], weights_of(size)


def pool_afterwards(function, pool, weights) -> dict:
    """What the versions hold after two calls, between which training goes on in the same arrays."""
    told = {}
    for _ in range(2):
        answer = function(pool, weights)
        told |= {} if answer is None else {"what it returned": show(answer)}
        for array in weights.values():
            array += 100
    return Facts(told | {f"pool[{place}]": version_in_words(version) for place, version in enumerate(pool)})


def version_in_words(version) -> str:
    if not isinstance(version, dict) or not all(isinstance(array, np.ndarray) for array in version.values()):
        raise Refused(f"A version should be a dict of NumPy arrays by name. This one is {show(version)}.")
    return ", ".join(f"{name} {show(array.tolist())} ({array.dtype})" for name, array in sorted(version.items()))


@exercise(
    cases=pools,
    observe=pool_afterwards,
    call=lambda pool, weights: (
        f"remember(pool, weights), with {len(pool)} in the pool. Then training adds 100 to all weights, and the same "
        f"again"
    ),
    may_change=(0,),
    why="The pool keeps the weights as they were at each call, no matter what training does to the arrays afterward. "
    "Nothing is returned.",
)
def remember(pool, weights):
    """Put the weights as they are now into the pool of earlier versions."""
    pool.append({name: array.copy() for name, array in weights.items()})


def pools_to_choose_from(rng):
    """(pool,)"""
    for size in (1, 2, 5, 12):
        yield ([weights_of(version) for version in range(size)],)


def which_version(chosen, pool) -> np.ndarray:
    places = np.array([version is chosen for version in pool])
    if not places.any():
        raise Refused(f"Return one of the pool's versions itself, not a copy. This is {show(chosen)}.")
    return places


@sampled(
    cases=pools_to_choose_from,
    chances=lambda pool: np.full(len(pool), 1 / len(pool)),
    happened=which_version,
    event="version",
    draws=1000,
    why="Every version should be equally likely, the oldest and the newest, too.",
)
def opponent(pool, rng):
    """One of the pool's versions, each with the same chance."""
    return pool[rng.integers(len(pool))]


def last_point(game) -> int:
    """A policy: the last empty point."""
    return game.legal_moves()[-1]


def positions(rng):
    """(game, turn, policy)"""
    for history, turn in (
        ([0, 4, 8, 2], 0),
        ([0, 4, 8, 2], 1),
        ([0, 1], 3),
        ([4, 1, 3, 5], 2),
        ([4, 0, 1], 0),
        ([0, 3, 1, 4], 0),  # the random move may win
        ([0, 4, 8, 2, 6, 3, 5], 0),
        ([0, 1, 2, 4, 3, 5, 7, 6], 0),  # the random move fills the board
        ([0, 1, 2, 4, 3, 5, 7, 6], 2),  # drawn before it
        ([], 9),  # over before the random move
        ([0, 3, 1, 4, 2], 0),
    ):
        yield Mock5(3, 3, k=3, history=history), turn, last_point


def example_in_words(answer, *case) -> tuple:
    if answer is None:
        return "None", "possible"
    if not isinstance(answer, (tuple, list)) or len(answer) != 3 or not all(map(is_number, answer[1:])):
        raise Refused(f"Return None, or a board, the player to move and the result, not {show(answer)}.")
    board, player, result = answer
    return "board " + "".join(".OX"[stone] for stone in board), f"player {player:g} to move, result {result:g}"


@exercise(
    cases=positions,
    observe=all_that_comes(example_in_words),
    call=lambda game, turn, policy: (
        f"value_example(game, {turn}, policy, rng), {SEEDS} times, where the policy always "
        f"plays the last empty point, O is player 1, X is player 2, and game is\n{game}"
    ),
    why=lambda game, turn, policy: (
        f"The policy makes {turn} move{'s' * (turn != 1)}, and then comes a random one. Judge the position after it by "
        f"how the "
        "policy plays on, for the player to move in it. If the game is over by then, return None."
    ),
)
def value_example(game, turn, policy, rng):
    """`turn` moves by the policy, one random move, then the policy to the end: (board, player to move, result)."""
    game = game.copy()
    for _ in range(turn):
        if game.winner is None:
            game.apply(policy(game))
    if game.winner is None:
        game.apply(int(rng.choice(game.legal_moves())))
    if game.winner is not None:
        return None
    board, player = list(game.board), game.player
    while game.winner is None:
        game.apply(policy(game))
    return board, player, 0 if game.winner == 0 else 1 if game.winner == player else -1


CORNERS = np.array([[0, 0.1], [0.2, 0.3]])  # what an example's planes hold beyond its result


def examples(rng):
    """(planes, results)"""
    for count in (1, 2, 3):
        results = np.arange(count) + 0.5
        yield results[:, None, None] + CORNERS, results


def order_in_words(answer, planes, results) -> tuple:
    if not isinstance(answer, (tuple, list)) or len(answer) != 2 or not all(type(a) is np.ndarray for a in answer):
        raise Refused("Return two arrays, the planes and the results.")
    if answer[0].shape != planes.shape or answer[1].shape != results.shape:
        raise Refused(f"The shapes should stay {planes.shape} and {results.shape}.")
    of = [float(one[0, 0]) if np.allclose(one, one[0, 0] + CORNERS) else Outcome("a mixture") for one in answer[0]]
    return f"the order {show(answer[1].tolist())}", f"with the planes of {show(of)}"


@exercise(
    cases=examples,
    observe=all_that_comes(order_in_words),
    call=lambda planes, results: (
        f"shuffled(planes, results, rng), {SEEDS} times, where results is {show(results)} and "
        f"each example's planes are its result + {CORNERS.tolist()}"
    ),
    fresh=True,
    why="Every order should be possible, and each example should keep its result.",
)
def shuffled(planes, results, rng):
    """The examples in a new random order."""
    order = rng.permutation(len(results))
    return planes[order], results[order]


def at_most(size: int):
    """A loss that refuses larger batches."""

    def loss_of(planes, results):
        if not 0 < len(planes) == len(results) <= size:
            raise ValueError(f"a batch of {len(planes)} planes and {len(results)} results, where size is {size}")
        return float(np.mean((planes[:, 0, 0] - results) ** 2))

    return loss_of


def batches(rng):
    """(loss_of, planes, results, size)"""
    for count, size in ((1, 1), (4, 2), (3, 2), (2, 5), (7, 3), (10, 4)):
        results = rng.integers(-9, 10, count) / 2
        yield at_most(size), rng.integers(0, 5, (count, 2, 2)).astype(float), results, size


@exercise(
    cases=batches,
    call=lambda loss_of, planes, results, size: f"mean_loss(loss_of, planes, results, {size}), {len(results)} examples",
    why="Every example counts the same, including those of the last batch, which may be smaller.",
)
def mean_loss(loss_of, planes, results, size):
    """The mean loss of all examples, asked for in batches of `size`."""
    total = 0.0
    for start in range(0, len(results), size):
        batch = slice(start, start + size)
        total += loss_of(planes[batch], results[batch]) * len(results[batch])
    return total / len(results)


def steps(rng):
    """(step, first, halve_every)"""
    yield from (
        (0, 0.01, 100),
        (99, 0.01, 100),
        (100, 0.01, 100),
        (250, 0.4, 100),
        (7, 1.0, 1),
        (1999, 0.003, 500),
        (40, 0.01, 2),
    )


@exercise(cases=steps, why="It's halved after every `halve_every` steps, and constant in between.")
def learning_rate(step, first, halve_every):
    """The step size before a step: halved after every `halve_every` steps."""
    return first * 0.5 ** (step // halve_every)


@together(remember, opponent, value_example, shuffled, mean_loss, learning_rate)
def night(remember, opponent, value_example, shuffled, mean_loss, learning_rate):
    """Check the six functions of a night of training, which had five defects."""
