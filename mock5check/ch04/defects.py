"""The check of `night`: a program of six functions with five defects, each function judged by what it does."""

from functools import cache

import numpy as np

from mock5check.answers import is_number, nearly, show
from mock5check.ch03.small_games import Misere, Nine
from mock5check.ch04.sampling import check_shuffled, counted
from mock5check.ch04.searched_games import Second, Wide
from mock5check.core import graded


class Bytes(Nine):
    """Tic-tac-toe whose board is a bytearray, as that of the course's own game is."""

    def __init__(self, ledger=None, history=()):
        super().__init__(ledger)
        self.board = bytearray(self.points)
        for move in history:
            self._enter(move)


class Cells(Nine):
    """Tic-tac-toe whose board is an array that is written into: a slice of it is no copy."""

    def __init__(self, ledger=None, history=()):
        super().__init__(ledger)
        self.board = np.zeros(self.points, int)
        for move in history:
            self._enter(move)


class Brief(Nine):
    """Tic-tac-toe that is a draw after three moves, with six points empty."""

    def judged(self, move: int) -> int | None:
        """0 after the third move."""
        return 0 if len(self.history) == 3 else None


class Long(Nine):
    """A game on 144 points that nobody wins."""

    points = 144

    def judged(self, move: int) -> int | None:
        """0 on the full board."""
        return 0 if len(self.history) == self.points else None


@graded
def night(trial, remember, opponent, value_example, shuffled, mean_loss, learning_rate) -> None:
    """Check the six functions of a night of training, which had five defects."""
    for name, check, function in [
        ("remember", _remember, remember),
        ("opponent", _opponent, opponent),
        ("value_example", _value_example, value_example),
        ("shuffled", check_shuffled, shuffled),
        ("mean_loss", _mean_loss, mean_loss),
        ("learning_rate", _learning_rate, learning_rate),
    ]:
        trial.stage(name)
        check(trial, function)


def _weights(number: float) -> dict:
    return {
        "filters": np.full((2, 3), number / 3),
        "bias": np.full(3, -float(number)),
        "steps": np.arange(4) + int(number),
    }


VERSIONS = (1, 2, 2, *range(3, 120), 3)  # that are put into the pool; some come twice


def _remember(trial, function) -> None:
    """Training goes on with the same arrays; the pool keeps what they were."""
    first, weights = _weights(99.0), _weights(1.0)
    pool = [first]
    for version in VERSIONS:
        for name in weights:
            weights[name][:] = _weights(version)[name]
        before = len(pool)
        call = f"remember(pool, weights), with version {version} and {counted(before, 'version')} in the pool"
        answer = trial.call(function, pool, weights, may_change=(0,), shown=call)
        text = f"The pool had {counted(before, 'version')}, and one was added; now it has {len(pool)}."
        trial.require(len(pool) == before + 1, text, call=call)
        text = f"remember returns nothing; it changes the pool. This returned {show(answer)}."
        trial.require(answer is None, text, call=call)
    weights["filters"] += 100.0  # training goes on, in place
    weights["bias"] *= 7.0
    weights["steps"] += 1000
    weights["extra"] = np.zeros(1)
    for place, (version, kept) in enumerate(zip((99, *VERSIONS), pool)):
        text = _not_kept(kept, version, weights, pool[place + 1 :])
        trial.require(
            not text, f"At pool[{place}]: {text}", call=f"pool, after {len(VERSIONS)} calls and more training"
        )


def _not_kept(kept, version: int, weights: dict, later: list) -> str:
    """Why this is not the version that was put there, or an empty text."""
    right = _weights(version)
    if kept is weights:
        return "this is the very dict that training goes on with. Keep a dict of its own, with copies of the arrays."
    if not isinstance(kept, dict) or kept.keys() != right.keys():
        names = f"a dict with {sorted(kept)}" if isinstance(kept, dict) else f"a {type(kept).__name__}"
        return f"a version should be a dict of arrays with the names {sorted(right)}. This is {names}."
    for name, array in right.items():
        mine = kept[name]
        if not isinstance(mine, np.ndarray):
            return f"`{name}` should be a NumPy array; it is a {type(mine).__name__}."
        if mine.shape != array.shape or mine.dtype != array.dtype:
            return (
                f"`{name}` had shape {array.shape} and held {array.dtype}; in the pool it has shape {mine.shape} and "
                f"holds {mine.dtype}. Keep the arrays as they are."
            )
    dicts = [other for other in later if isinstance(other, dict)]
    if any(np.shares_memory(kept[name], other.get(name, 0)) for other in dicts for name in right):
        return "a later version is kept in the same arrays. Each version needs copies of its own."
    if all(np.array_equal(kept[name], right[name]) for name in right):
        return ""
    for other in (99, *VERSIONS):
        if all(np.array_equal(kept[name], array) for name, array in _weights(other).items()):
            return f"here version {other} stands, not version {version}. The newest goes to the end."
    name = next(name for name in right if not np.array_equal(kept[name], right[name]))
    return (
        f"this was version {version}, and then training went on in the same arrays. Its `{name}` was "
        f"{show(right[name].ravel()[:3])}, and now it is {show(kept[name].ravel()[:3])}."
    )


def _opponent(trial, function) -> None:
    for size in (1, 2, 5, 12, 20):
        pool = [_weights(float(n)) for n in range(size)]
        call = f"opponent(pool, rng), with {size} {'version' if size == 1 else 'versions'}"
        rng, counts = np.random.default_rng(size), [0] * size
        for chosen in _chosen(trial, function, pool, rng, 200 * size, call):
            found = [n for n, version in enumerate(pool) if chosen is version]
            if not found:
                trial.fail("Return one of the pool's versions, the very dict.", call=call, answer=chosen)
            counts[found[0]] += 1
        text = f"In {200 * size} calls the versions were chosen {counts} times. Each should have the same chance."
        trial.require(size == 1 or min(counts) > 130 and max(counts) < 270, text, call=call)
    pool, rng, often = [{"bias": np.zeros(1)} for _ in range(60)], np.random.default_rng(60), 2_400
    call = f"opponent(pool, rng), with 60 versions, {often:,} times"
    number_of = {id(version): number for number, version in enumerate(pool)}
    chosen = np.array([number_of[id(version)] for version in _chosen(trial, function, pool, rng, often, call)])
    counts, older = np.bincount(chosen, minlength=60), int((chosen < 30).sum())
    text = (
        f"One version was chosen {counts.max()} times, and one {counts.min()} times; {often // 60} each are expected."
    )
    trial.require(abs(counts - often / 60).max() < 33, text, call=call)
    text = f"{older:,} of these calls chose one of the older half of the versions; about {often // 2:,} should."
    trial.require(abs(older - often / 2) < 123, text, call=call)
    draws = [[id(function(pool, np.random.default_rng(seed))) for _ in range(4)] for seed in (3, 3)]
    trial.require(draws[0] == draws[1], "Equal generators should choose equally: use `rng` and nothing else.")


def _chosen(trial, function, pool: list, rng, often: int, call: str) -> list:
    """What so many calls give, looked at as one call: one photograph of the pool will do."""
    trial.call(function, pool, np.random.default_rng(0), shown=call)
    return trial.call(lambda pool, rng: [function(pool, rng) for _ in range(often)], pool, rng, shown=call, long=True)


def _last_point(game) -> int:
    """A policy: the empty point with the greatest number."""
    if game.winner is not None:
        raise ValueError("the policy was asked for a move in a game that is over")
    return game.legal_moves()[-1]


MANY = 1800  # of value_example on the empty board: 200 for each move
CALLS = 240  # of value_example in one position; a right solution fails by chance once in 100,000 checks
DRAWN = (0, 1, 2, 4, 3, 5, 7, 6, 8)  # a game of tic-tac-toe that ends in a draw
OVER = [  # (moves so far, turn): games that are over by then, in a win or a draw
    ((), 7),
    ((), 9),
    ((), 20),
    ((2, 0, 4, 1, 8, 5), 1),
    ((0, 3, 1, 4, 2), 0),
    ((0, 3, 1, 4, 2), 3),
    ((0, 3, 1, 4), 8),
    *((DRAWN[:8], turn) for turn in (0, 1, 2, 4)),
    *((DRAWN, turn) for turn in (0, 2)),
    ((1, 2, 6, 3, 0, 8), 5),
]


def _value_example(trial, function) -> None:
    for history, turn in [((), 0), ((), 1), ((), 3), ((), 5), ((4,), 2), ((0, 4), 4), ((2, 6), 3)]:
        before = _played(history, turn)
        calls, least, most = (MANY, 0.67, 1.33) if not history and not turn else (CALLS, 0.2, 2.6)
        taken = [_one_example(trial, function, history, turn, before, seed) for seed in range(calls)]
        counts = {move: taken.count(move) for move in before.legal_moves() if _after(before, move).winner is None}
        text = f"In {calls} calls the random moves came up so often: {counts}. Each should have the same chance."
        even = calls / max(1, len(before.legal_moves()))
        fair = all(least * even < count < most * even for count in counts.values())
        trial.require(fair, text, call=f"value_example(game, {turn}, policy, rng) after {list(history)}")
    _ending_moves(trial, function)
    for history, turn in OVER:
        for seed in range(4):
            _one_example(trial, function, history, turn, _played(history, turn), seed)
    rng = np.random.default_rng(7)
    boards = {tuple(trial.call(function, Nine(), 0, _last_point, rng)[0]) for _ in range(12)}
    text = (
        "Twelve calls with ONE generator gave the same move: draw from the `rng` that is given, not from a copy of it."
    )
    trial.require(len(boards) > 1, text, call="value_example(game, 0, policy, rng), twelve times")
    for seed in range(40):  # not every empty point is a legal move
        _one_example(trial, function, (5,), 1, _played((5,), 1, Wide), seed)
    for seed in range(20):  # here three in a row lose
        _one_example(trial, function, (5,), 1, _played((5,), 1, Misere), seed)
        _one_example(trial, function, (), 1, _played((), 1, Bytes), seed)
        _one_example(trial, function, (), 1, _played((), 1, Cells), seed)
    _one_example(trial, function, (), 20, _played((), 20, Long), 0)  # 123 moves to the end
    for turn in (2, 1, 3):
        _one_example(trial, function, (), turn, _played((), turn, Brief), turn)
    for seed in range(20):  # player 2 begins
        _one_example(trial, function, (5,), 1, _played((5,), 1, Second), seed)
    for seed in range(20):
        pair = [trial.call(function, Nine(), 0, _last_point, np.random.default_rng(seed)) for _ in range(2)]
        text = "Equal generators should give equal examples: use `rng` and nothing else."
        same = (pair[0] is None) == (pair[1] is None) and (pair[0] is None or list(pair[0][0]) == list(pair[1][0]))
        trial.require(same, text, call="value_example(game, 0, policy, rng), twice")


def _ending_moves(trial, function) -> None:
    """A random move that ends the game is as likely as any other; then there is no example."""
    history, often = (0, 3, 1, 4), 400  # one of five moves makes three in a row
    before = _played(history, 0)
    none = sum(_one_example(trial, function, history, 0, before, seed) is None for seed in range(often))
    trial.require(
        abs(none - often / 5) < 41,  # five standard deviations
        f"One of the five legal moves ends the game, so some {often // 5} of {often} calls return None; {none} did. "
        "Each legal move has the same chance, also one that ends the game.",
        call=f"value_example(game, 0, policy, rng), where game is {before}",
    )


def _played(history: tuple, turn: int, kind=Nine):
    """The position before the random move."""
    game = kind(history=history)
    for _ in range(turn):
        game.apply(_last_point(game)) if game.winner is None else None
    return game


def _one_example(trial, function, history, turn: int, before, seed: int):
    """One call; returns the random move that was played, None if there is no example."""
    kind = type(before)
    game, call = (
        kind(history=history),
        f"value_example(game, {turn}, policy, rng), where game is {kind(history=history)}",
    )
    answer = trial.call(function, game, turn, _last_point, np.random.default_rng(seed), may_change=(2,), shown=call)
    later = _one_later(kind, tuple(before.history))
    if answer is None:
        ends = before.winner is not None or any(after.winner is not None for _, _, after, _ in later)
        text = "It returned None, but the game goes on after `turn` moves and a random one."
        trial.require(ends, text, call=call)
        return None
    text = "Return None, or three things: the board, the player to move there, and the result for this player."
    trial.require(isinstance(answer, (tuple, list)) and len(answer) == 3, text, call=call)
    text = "Where there is nothing to judge, return None itself, not three of them."
    trial.require(any(part is not None for part in answer), text, call=call)
    board, player, z = answer
    board = (
        np.asarray(list(board)).tolist() if isinstance(board, (list, tuple, np.ndarray, bytes, bytearray)) else board
    )
    told = "from the start" if kind(history=history).winner is not None else f"within {counted(turn, 'move')}"
    text = f"This game is over {told}: there is nothing to judge, return None."
    trial.require(before.winner is None, text, call=call)
    found = [(move, after, winner) for own, move, after, winner in later if own == board]
    trial.require(found, "" if found else _not_one_later(before, board, turn), call=call)
    move, after, winner = found[0]
    trial.require(after.winner is None, "The random move ended the game: return None.", call=call)
    text = f"On this board player {after.player} is to move, not {show(player)}."
    trial.require(is_number(player) and player == after.player, text, call=call)
    right = 0 if winner == 0 else 1 if winner == after.player else -1
    text = f"Played to its end by the policy, {'it is a draw' if right == 0 else f'player {winner} wins'}: for player "
    trial.require(is_number(z) and z == right, f"{text}{after.player} that is {right}, not {show(z)}.", call=call)
    return move


@cache
def _one_later(kind, history: tuple) -> list:
    """[(board, move, position, who wins in the end)] after each random move that can follow."""
    before = kind(history=history)
    afters = [(move, _after(before, move)) for move in before.legal_moves()]
    return [(list(after.board), move, after, _to_the_end(after.copy()).winner) for move, after in afters]


def _not_one_later(before, board, turn: int) -> str:
    """Why this is not the board after one more move."""
    if any(list(_to_the_end(_after(before, move)).board) == board for move in before.legal_moves()):
        return (
            f"The board that came back, {show(board)}, is the one at the END of the game: `game.board` goes on "
            "changing with each move. Take a copy at the moment that counts."
        )
    return (
        f"After {counted(turn, 'move')} of the policy the board is {list(before.board)}, with player {before.player} "
        f"to move. The board that came back, {show(board)}, is not one random move later."
    )


def _to_the_end(game):
    """Played to its end by the policy."""
    while game.winner is None:
        game.apply(_last_point(game))
    return game


def _after(game, move: int):
    twin = game.copy()
    twin.apply(move)
    return twin


def _mean_loss(trial, function) -> None:
    for count, size in [(8, 4), (10, 4), (5, 8), (7, 3), (1, 1), (33, 32)]:
        results = np.arange(count, dtype=float) ** 2 / 7
        planes, sizes, apart = np.tile(np.arange(count, dtype=float)[:, None, None], (1, 2, 3)), [], []

        def loss_of(planes, results, sizes=sizes, apart=apart):
            sizes.append(len(results))
            if len(planes) != len(results) or not np.allclose(planes[:, 0, 0] ** 2 / 7, results):
                apart.append((planes[:, 0, 0].tolist(), results.tolist()))
                return 0.0
            return float((results + planes[:, 0, 0]).mean())

        call = f"mean_loss(loss_of, planes, results, {size}), with {counted(count, 'example')}"
        answer = trial.call(function, loss_of, planes, results, size, shown=call)
        right = float((results + planes[:, 0, 0]).mean())
        trial.require(
            not apart,
            "Planes and results of other examples were put together in a batch: each example keeps its own result. "
            f"Planes and results, the first time: {show(apart[0]) if apart else ''}; a result is n² / 7.",
            call=call,
        )
        if not is_number(answer):
            trial.fail("Return one number.", call=call, answer=answer)
        text = f"The batches had sizes {sizes}. At least 1 and at most {size} at a time, and every example once."
        trial.require(sum(sizes) == count and max(sizes) <= size and 0 not in sizes, text, call=call)
        if abs(float(answer) - right) > 1e-9 * max(1, abs(right)):
            text = _other_mean(float(answer), results + planes[:, 0, 0], sizes)
            trial.fail(text, call=call, answer=float(answer), right=right, hint=nearly(float(answer), right))
        trial.cases += 1


def _other_mean(answer: float, losses, sizes: list) -> str:
    """What this number is instead of the mean over all examples, if that can be seen."""
    ends = np.cumsum(sizes)
    means = [float(losses[end - size : end].mean()) for size, end in zip(sizes, ends)]
    text = f"The batches have sizes {sizes}, and every EXAMPLE counts alike: the mean over all {len(losses)}."
    for other, hint in (
        (losses.sum(), "This is the SUM over the examples; divide it by their number."),
        (sum(means), "This is the sum of the batches' means."),
        (np.mean(means), "This is the mean of the batches' means: a short batch then counts as much as a long one."),
        (sum(means) / len(losses), "`loss_of` gives a batch's MEAN: multiply it with the batch's size before adding."),
        (means[-1], "This is the last batch's mean alone."),
    ):
        if abs(answer - other) < 1e-9 * max(1, abs(other)):
            return f"{text} {hint}"
    return text


def _learning_rate(trial, function) -> None:
    cases = [(0, 0.01, 100), (99, 0.01, 100), (100, 0.01, 100), (250, 0.4, 100), (7, 1.0, 1), (1999, 0.003, 500)]
    cases += [(10_000, 0.003, 500), (10_000, 0.1, 10_001), (1_000, 0.01, 1)]

    def why(step, first, halve_every):
        halved = counted(step // halve_every, "time")
        return f"Before step {step} it has been halved {halved}, once every {counted(halve_every, 'step')}."

    trial.compare(function, cases, right=lambda step, first, every: first * 0.5 ** (step // every), why=why)
