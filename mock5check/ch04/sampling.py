"""The checks of what is drawn in chapter 4: one position of each game, and examples in a new order."""

import numpy as np

from mock5check.answers import show
from mock5check.core import graded

# One position a game ------------------------------------------------------------------------------------------


@graded
def one_per_game(trial, function) -> None:
    """Check `one_per_game(games, rng)`: indices, one of each game, at random, sorted."""
    lists = [
        np.array(games)
        for games in ([-1, 2, 2, -3, -3, 3], [0, 0, 0, 1, 1, 2], [5], [3, 1, 3, 1, 1, 7], np.repeat(np.arange(30), 20))
    ]
    samples = [[_one_sample(trial, function, games, seed) for seed in range(30)] for games in lists]
    for games, taken in reversed(list(zip(lists, samples))):  # the long one first: there it is seen best what is wrong
        for game in np.unique(games):
            where = np.flatnonzero(games == game)
            seen = {int(i) for answer in taken for i in answer if games[i] == game}
            many = len(where) == 1 or len(seen) > min(2, len(where) - 1)
            trial.require(many, _too_few(games, game, seen, taken))
    rng = np.random.default_rng(3)
    one, other = (trial.call(function, lists[-1], rng) for _ in range(2))
    text = (
        "Two calls with ONE generator gave the same sample: draw from the `rng` that is given, not from a copy of it."
    )
    trial.require(not np.array_equal(one, other), text)
    _evenly(trial, np.concatenate(samples[-1]) % 20, 20)  # 30 calls, 30 games of 20
    _two_games(trial, function)
    _long_game(trial, function)
    sizes = {2: 100, 3: 100, 5: 100}  # positions of a game: so many games
    games = np.random.default_rng(4).permutation(
        np.repeat(np.arange(300), np.repeat(list(sizes), list(sizes.values())))
    )
    place = np.array([int((games[:i] == game).sum()) for i, game in enumerate(games)])  # which of its game's positions
    taken = np.concatenate([_one_sample(trial, function, games, seed) for seed in range(15)])
    for size, first in zip(sizes, (0, 100, 200)):
        inside = (games[taken] >= first) & (games[taken] < first + 100)
        _evenly(trial, place[taken[inside]], size)


def _samples(trial, function, games, rng, often: int, call: str) -> np.ndarray:
    """So many samples with one generator, a row each, looked at as one call."""
    return trial.call(
        lambda games, rng: np.stack([function(games, rng) for _ in range(often)]), games, rng, shown=call, long=True
    )


def _two_games(trial, function) -> None:
    """Two games whose sizes don't divide each other, and many generators: each position, and each pair, evenly."""
    games, often = np.array([0, 1, 0, 1, 1, 1, 0, 1]), 10_000
    call, rng = f"one_per_game({games.tolist()}, rng), {often:,} times with one rng", np.random.default_rng(12)
    trial.call(function, games, rng, shown=call)
    taken = _samples(trial, function, games, rng, often, call)
    counts = np.zeros((8, 8), int)
    for one, other in taken.tolist():
        counts[(one, other) if games[one] == 0 else (other, one)] += 1
    for game, size in ((0, 3), (1, 5)):
        places = np.flatnonzero(games == game)
        came = counts.sum(axis=1 - game)[places]
        trial.require(
            abs(came - often / size).max() < 5 * (often / size * (1 - 1 / size)) ** 0.5,
            f"The positions {places.tolist()} of game {game} came {came.tolist()} times; with equal chances each comes "
            f"about {often / size:,.0f} times.",
            call=call,
        )
    pairs = counts[np.ix_(games == 0, games == 1)]
    trial.require(
        abs(pairs - often / 15).max() < 120,
        f"Together the positions of the two games came so often: {pairs.tolist()}; each pair should come about "
        f"{often // 15} times. Sample anew for each game.",
        call=call,
    )


def _long_game(trial, function) -> None:
    """Keys of which many are equal favour the first positions; in a long game that shows."""
    often, size = 200, 3000
    call, games = f"one_per_game(games, rng), {often} times, for one game of {size} positions", np.zeros(size, int)
    taken = _samples(trial, function, games, np.random.default_rng(13), often, call)
    text = (
        f"The positions that came are {taken.mean():.0f} on average; with equal chances that is about {size // 2}. "
        "Each position of a game should have the same chance, however long the game is."
    )
    trial.require(abs(taken.mean() - size / 2) < 5 * size / (12 * often) ** 0.5, text, call=call)


def _too_few(games, game, seen: set, taken: list) -> str:
    """Why 30 calls took so few of a game's positions."""
    where = np.flatnonzero(games == game).tolist()
    told = f"[{where[0]}, {where[1]}, …, {where[-1]}]" if len(where) > 6 else where
    text = f"games is {games[:8].tolist()}{' …' if len(games) > 8 else ''}; game {game} stands at {told}, and "
    text += f"30 calls with 30 generators took only {sorted(seen)}. "
    places = [[np.flatnonzero(games == one)[place] for one in np.unique(games)] for place in (0, -1)]
    if all(np.array_equal(answer, np.sort(places[0])) for answer in taken):
        return text + "Sample one at random: the first ones of all games look alike."
    if all(np.array_equal(answer, np.sort(places[1])) for answer in taken):
        return text + "Sample one at random, not always the last."
    if all(np.array_equal(answer, taken[0]) for answer in taken):
        return text + "All 30 samples were the same: draw from the `rng` that is given."
    least = np.unique(games, return_counts=True)[1].min()
    if least < len(where) and seen <= set(where[:least]):
        return f"{text}The shortest game has {least}, and no more were taken from any. Games differ in length."
    if seen == set(where[:-1]):
        return text + "The last position never comes up."
    return text + "All positions of a game should come up."


def _evenly(trial, places, size: int) -> None:
    """Each position of a game with the same chance: within five standard deviations, about one in a million fails."""
    counts = np.bincount(places, minlength=size)
    even = len(places) / size
    most = 5 * (even * (1 - 1 / size)) ** 0.5
    trial.require(
        (abs(counts - even) < most).all(),
        f"In {len(places)} samples from games of {size} positions these came up so often, in turn: {counts.tolist()}; "
        f"with equal chances each comes up about {even:.0f} times. Sample from ALL positions of a game, each with the "
        "same chance, and anew for each game.",
    )


def _one_sample(trial, function, games, seed: int) -> np.ndarray:
    """What one call gives, if it is one index for each game, sorted, and the same again from an equal generator."""
    call = f"one_per_game({games[:8].tolist()}{' …' if len(games) > 8 else ''}, rng)"
    answer, again = (trial.call(function, games.copy(), np.random.default_rng(seed), shown=call) for _ in range(2))
    if not isinstance(answer, np.ndarray) or not np.issubdtype(answer.dtype, np.integer):
        trial.fail("Return a NumPy array of indices, whole numbers.", call=call, answer=answer)
    count = len(np.unique(games))
    text = f"There {'is 1 game, so 1 index' if count == 1 else f'are {count} games, so {count} indices'}."
    trial.require(answer.shape == (count,), f"{text} What came back has shape {answer.shape}.", call=call)
    text = "Two calls handed out one and the same array. Make a new one in each call."
    trial.require(not np.shares_memory(answer, again), text, call=call)
    inside = (answer >= 0).all() and (answer < len(games)).all()
    trial.require(inside, f"Indices go from 0 to {len(games) - 1}: places in the list.", call=call)
    came = f"These came back: {show(answer[:12])}."
    trial.require(len(np.unique(games[answer])) == count, f"One position of EACH game. {came}", call=call)
    trial.require((np.diff(answer) > 0).all(), f"The indices should be sorted. {came}", call=call)
    text = "Equal generators should give equal samples: use the `rng` that is given, and nothing else."
    trial.require(np.array_equal(answer, again), text, call=call)
    return answer


# Examples in a new order ----------------------------------------------------------------------------------------


def check_shuffled(trial, function) -> None:
    seen, neighbours, orders = np.zeros((6, 6)), 0, set()
    for seed in range(300):
        size = 6 if seed else 1
        results = np.arange(size) + 0.5
        planes = results[:, None, None] * 10 + np.ones((size, 2, 2))
        call = f"shuffled(planes, results, rng), with {counted(size, 'example')}"
        answer = trial.call(function, planes, results, np.random.default_rng(seed), fresh=True, shown=call)
        text = "Return two new arrays: the planes and the results."
        trial.require(isinstance(answer, (tuple, list)) and len(answer) == 2, text, call=call)
        new_planes, new_results = answer
        kinds = " and ".join(type(part).__name__ for part in answer)
        arrays = all(isinstance(part, np.ndarray) for part in answer)
        trial.require(arrays, f"{text} These are of type {kinds}.", call=call)
        fits = new_planes.shape == planes.shape and new_results.shape == results.shape
        trial.require(fits, f"{text} They keep their shapes.", call=call)
        kinds = [part.dtype.kind for part in answer] == ["f", "f"]
        now = f"Planes and results were floats; now they hold {new_planes.dtype} and {new_results.dtype}."
        trial.require(kinds, now, call=call)
        fresh = not any(np.shares_memory(new, old) for new, old in zip(answer, (planes, results)))
        trial.require(fresh, f"{text} These are views of the given ones.", call=call)
        whole = sorted(new_results.ravel().tolist()) == results.tolist()
        trial.require(whole, f"Every example comes once. The results are now {show(new_results)}.", call=call)
        first = new_planes[:, 0, 0]
        text = f"Each example keeps its result: results {show(new_results)} now stand beside planes {show(first)}."
        trial.require(np.array_equal(first, new_results * 10 + 1), text, call=call)
        again = trial.call(function, planes, results, np.random.default_rng(seed), shown=call)
        text = "Equal generators should shuffle equally: use `rng` and nothing else."
        trial.require(np.array_equal(new_results, again[1]), text, call=f"{call}, twice")
        if size == 6:
            seen[np.arange(6), new_results.astype(int)] += 1
            neighbours += int((np.diff(new_results) == 1).sum())
            orders.add(tuple(new_results))
    rng, swapped = np.random.default_rng(5), 0
    for _ in range(800):
        call = "shuffled(planes, results, rng), with 2 examples, 800 times"
        pair = trial.call(function, np.ones((2, 2, 2)), np.array([0.5, 1.5]), rng, shown=call)
        swapped += pair[1][0] == 1.5
    text = f"Two examples changed places {swapped} times in 800 calls; about 400 times is expected."
    trial.require(329 < swapped < 471, text, call=call)
    _three_examples(trial, function)
    text = "299 calls with 299 generators gave one and the same order: draw it from the `rng` that is given."
    trial.require(len(orders) > 1, text)
    text = (
        f"In 299 calls with 6 examples one example came to one place {int(seen.max())} times, and another one to some "
        f"place {counted(int(seen.min()), 'time')}; with equal chances each comes to each place about 50 times."
    )
    trial.require(seen.min() > 20 and seen.max() < 90, text)
    text = (
        f"In 299 calls with 6 examples, one was followed by its old neighbour {neighbours} times; 250 are expected. "
        "Put every example into a new place of its own."
    )
    trial.require(150 < neighbours < 400, text)


def _three_examples(trial, function) -> None:
    """All six orders of three examples come up alike: swaps with any place, and keys that may be equal, are uneven."""
    often, call = 12_000, "shuffled(planes, results, rng), with 3 examples, 12,000 times"
    planes, results = np.ones((3, 2, 2)), np.array([0.5, 1.5, 2.5])

    def orders(planes, results, rng):
        return np.stack([function(planes, results, rng)[1] for _ in range(often)])

    found = trial.call(orders, planes, results, np.random.default_rng(6), shown=call, long=True)
    counts = np.unique(found @ np.array([9.0, 3.0, 1.0]), return_counts=True)[1].tolist()
    trial.require(
        len(counts) == 6 and max(abs(count - often / 6) for count in counts) < 195,
        f"The six orders came up so often: {counts}; with equal chances each comes {often // 6:,} times. "
        "`rng.permutation` gives every order the same chance.",
        call=call,
    )


def counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
