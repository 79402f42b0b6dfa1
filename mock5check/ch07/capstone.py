"""The check of the capstone of chapter 7: an agent in one file, as a function, as an engine, and on the ladder."""

import ast
import io
import linecache
import sys
import tempfile
import time
import types
from math import log, sqrt
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq

from mock5check.answers import is_number
from mock5check.ch07.conversation import check_engine, check_import
from mock5check.ch07.positions import positions, tactics
from mock5check.core import graded
from mock5lib import Mock5
from mock5lib.arena.elo import SCALE

RUNGS = {"pt": 1805, "df": 1811, "mixed": 1894, "greedy": 1935}  # Elo on the ladder of 9×9, data/ladder/9x9
GAMES = 40  # against each
WANTED = 1750  # Elo that the whole interval must exceed
SECONDS, TRIES = 1.0, 3  # a move of the function; how often it may try, as the machine may be busy
NAME = "<my_engine.py>"


def to_a_hundredth(answer, right):
    """The right number, or tuple of numbers, where the answer is at most 0.01 off; else the answer itself."""
    if isinstance(right, tuple):
        alike = isinstance(answer, tuple) and len(answer) == len(right)
        return type(right)(*map(to_a_hundredth, answer, right)) if alike else answer
    return right if is_number(answer) and abs(float(answer) - right) <= 0.01 + 1e-6 else answer


@graded
def ladder_agent(trial, engine, rating) -> None:
    """Check `engine()`, the text of a file with an agent and a Gomocup engine, and `rating(opponents, scores)`."""
    trial.stage("the rating")
    _check_rating(trial, rating)
    trial.stage("the file, and its agent as a function")
    text = trial.call(engine)
    agent = _agent_of(trial, text)
    _check_agent(trial, agent)
    trial.stage("the file as an engine")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "my_engine.py"
        path.write_text(text, encoding="utf-8")
        check_import(trial, path)
        check_engine(trial, path, agent, tactics())
    trial.stage(f"on the ladder: {GAMES} games on 9×9 against each of {', '.join(RUNGS)}")
    _climb(trial, agent, rating)


# 1. The rating ---------------------------------------------------------------------------------------------------


class Rated(NamedTuple):
    """A newcomer's rating and its interval, as the learner reads them."""

    rating: float
    low: float
    high: float


def right_rating(opponents, scores, imaginary=1, z=1.96, scale=SCALE, draw=0.5):
    """The right answer to `rating`; the options make it wrong."""
    rated = np.append(np.asarray(opponents, float), [np.mean(opponents)] * imaginary)
    points = np.sum(scores) + draw * imaginary

    def expected(own):
        return 1 / (1 + 10 ** ((rated - own) / 400))

    own = brentq(lambda own: expected(own).sum() - points, rated.min() - 5000, rated.max() + 5000, xtol=1e-9)
    chances = expected(own)
    half = z * scale / sqrt((chances * (1 - chances)).sum())
    return Rated(own, own - half, own + half)


def _interval(opponents, scores, wide=lambda games, sum_: 1 / sqrt(sum_), without=0):
    """The right rating with another interval. without: so many of the imaginary games are left out of its sum."""
    own, rated = right_rating(opponents, scores)[0], np.append(opponents, [np.mean(opponents)] * (1 - without))
    chances = 1 / (1 + 10 ** ((rated - own) / 400))
    half = 1.96 * SCALE * wide(len(rated), (chances * (1 - chances)).sum())
    return Rated(own, own - half, own + half)


RATING_SLIPS = [
    (lambda o, s: right_rating(o, s, imaginary=0), "The imaginary draw is missing."),
    (lambda o, s: right_rating(o, s, draw=0.0), "The imaginary game is a draw: it counts one half, too."),
    (
        lambda o, s: right_rating(o, s, z=1.0),
        "That is one standard error. The 95 % interval has 1.96 of them each way.",
    ),
    (lambda o, s: right_rating(o, s, scale=400), "The factor is 400 / ln 10."),
    (lambda o, s: right_rating(o, s, scale=1), "The factor 400 / ln 10 is missing."),
    (
        lambda o, s: (
            right_rating(o + np.mean(o), [*s, 0.5], imaginary=0, draw=0.0)
            if type(o) is np.ndarray
            else right_rating(o, s)
        ),
        "An array plus a list adds number by number; it appends nothing. Use `np.append`.",
    ),
    (lambda o, s: Rated(*[right_rating(o, s)[i] for i in (0, 2, 1)]), "The ends are exchanged: low comes first."),
    (lambda o, s: Rated(*[right_rating(o, s)[i] for i in (1, 0, 2)]), "Return the rating first, then low and high."),
    (lambda o, s: _interval(o, s, lambda games, sum_: 1 / sum_), "The root is missing: it is √ΣE(1 − E)."),
    (lambda o, s: _interval(o, s, lambda games, sum_: sqrt(sum_)), "Divided by the root, not multiplied with it."),
    (lambda o, s: _interval(o, s, lambda games, sum_: sqrt(games / sum_)), "It is the SUM of E(1 − E), not its mean."),
    (lambda o, s: _interval(o, s, without=1), "In the interval, too, the imaginary game is one of the games."),
    (
        lambda o, s: Rated(*[np.mean(o) + 400 * log(np.mean(s) / (1 - np.mean(s))) / log(10)] * 3),
        "That takes the opponents for one of their mean rating.",
    ),
]


def _check_rating(trial, rating) -> None:
    rng = np.random.default_rng(7)
    cases = [
        ([1805, 1811, 1811, 1935], [1, 0, 0.5, 0]),
        ([1000], [1]),
        ([1000], [0]),
        ([1800.9], [1]),
        ([1805.25, 1811.5, 1900.75], [1, 0, 0.5]),
        ([1800.0, 1900.0], [0.5, 0.5]),
        ([0, 400], [1, 0]),
        ([1500] * 4, [1, 1, 1, 1]),
    ]
    cases += [
        ([1805] * 3 + [1935], [0, 0, 0, 0]),
        ([100, 2500], [1, 0.5]),
        ([-300, 900, 901], [1, 1, 0]),
        ([850, 800, 2600], [1, 1, 1]),
        ([100] * 20, [0] * 20),
    ]
    for games in (6, 40, 160):
        opponents = rng.choice(list(RUNGS.values()), size=games).tolist()
        cases.append((opponents, rng.choice([0, 0.5, 1], size=games, p=[0.3, 0.2, 0.5]).tolist()))
    cases.append((np.array([1805.0, 1811.0, 1894.0, 1935.0]), np.array([1.0, 0.5, 0.0, 0.0])))
    cases += [([2500, 6000, 6000, 5500], [0.5, 0, 0, 0])]  # far from all of them points hardly change with the rating
    cases += [([6000.0], [1]), ([-3000], [0]), ([1900] * 160, [1] * 160), ([1805, 1811, 1894, 1935] * 40, [0] * 160)]

    def why(opponents, scores):
        return (
            f"{_counted(len(scores), 'game')}, {_counted(np.sum(scores), 'point')}, and the imaginary draw against "
            f"{np.mean(opponents):g}, which keeps every rating finite: the rating is where {np.sum(scores) + 0.5:g} "
            f"points are expected of {len(scores) + 1} games. At most 0.01 off is asked for. "
            "Half of the interval is 1.96 · (400 / ln 10) / √ΣE(1 − E)."
        )

    def observe(solution, opponents, scores):
        answer = solution(opponents, scores)
        if not isinstance(answer, (tuple, list)) or len(answer) != 3:
            trial.fail("Return three numbers: (rating, low, high).", call=trial.last_call, answer=answer)
        return to_a_hundredth(Rated(*answer), right_rating(opponents, scores))

    trial.compare(rating, cases, right=right_rating, why=why, slips=RATING_SLIPS, observe=observe)


def _counted(number, what: str) -> str:
    return f"{number:g} {what}{'' if number == 1 else 's'}"


# 2. The function -------------------------------------------------------------------------------------------------


def _agent_of(trial, text):
    """The function `agent` of the file."""
    call = "engine()"
    trial.require(isinstance(text, str) and text.strip(), "Return the text of a Python file.", call=call)
    name = len(text.split()) == 1 and text.strip().endswith(".py")
    trial.require(not name, f"{text.strip()!r} is the name of a file. Return the text that stands in it.", call=call)
    try:
        tree = ast.parse(text, NAME)
    except SyntaxError as error:
        trial.fail(
            f"The text is no Python file: {error.msg}, line {error.lineno}: {(error.text or '').strip()}. (In a "
            r"text in quotes a backslash is doubled, \\s, unless an r stands before the quotes.)",
            call=call,
        )
    strangers = sorted(_imported(tree) - set(sys.stdlib_module_names) - {"numpy"})
    trial.require(
        not strangers,
        f"The file imports {', '.join(strangers)}. It must run with Python's standard library and NumPy alone.",
        call=call,
    )
    linecache.cache[NAME] = (len(text), None, text.splitlines(keepends=True), NAME)
    module = types.ModuleType("my_engine")

    def importing():
        kept, sys.stdin = sys.stdin, io.StringIO("")  # a file that reads at its import finds nothing
        try:
            exec(compile(tree, NAME, "exec"), module.__dict__)
        finally:
            sys.stdin = kept

    trial.call(importing, shown="import my_engine", long=True)
    agent = getattr(module, "agent", None)
    trial.require(callable(agent), "The file has no function `agent(game)`.", call="import my_engine")
    return agent


def _imported(tree) -> set:
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or ".").split(".")[0])
    return names


class Position:
    """What an agent may use of a game, and nothing else."""

    def __init__(self, game):
        self.board, self.height, self.width, self.player = tuple(game.board), game.height, game.width, game.player


def _timed(trial, agent, game, call: str) -> tuple:
    """(the move, seconds); where it takes long it may try again, as the machine may be busy with something else."""
    used = []
    while not used or (used[-1] >= SECONDS and len(used) < TRIES):
        start = time.perf_counter()
        move = trial.call(agent, game, shown=call, long=True)
        used.append(time.perf_counter() - start)
    return move, min(used)


def _move(trial, agent, game, bare: bool = False) -> int:
    """A legal move, made in time; the game stays as it is. bare: hand in a Position, not a whole game."""
    what = "game has board, height, width and player, and nothing else" if bare else "game is"
    call = f"agent(game), where {what}\n{game}"
    move, used = _timed(trial, agent, Position(game) if bare else game.copy(), call)
    whole = isinstance(move, (int, np.integer)) and not isinstance(move, bool)
    trial.require(whole, f"It returned {move!r}. A move is an int, row · width + column.", call=call)
    trial.require(move in game.legal_moves(), f"Move {move} is not legal.", call=call)
    trial.require(used < SECONDS, f"It took {used:.1f} seconds. A move takes less than {SECONDS:g}.", call=call)
    return int(move)


def _check_agent(trial, agent) -> None:
    for game in positions():
        one, other = (_move(trial, agent, game, bare) for bare in (False, True))
        text = (
            f"The same position must get the same move. With a bytearray as `board` it played {_point(one, game)}, "
            f"with a tuple {_point(other, game)}. (`np.array` makes small numbers, up to 255, of a bytearray: "
            "`np.array(list(board))` has room for larger ones.)"
        )
        trial.require(one == other, text, call=f"agent(game), twice, on\n{game}")
    for number, (game, right, idea) in enumerate(tactics()):
        move = _move(trial, agent, game, bare=number % 2 == 1)
        trial.require(
            move in right,
            f"{idea} It played {_point(move, game)}; right is {' or '.join(_point(m, game) for m in right)}.",
            call=f"agent(game), where game is\n{game}",
        )


def _point(move: int, game) -> str:
    return f"({move // game.width}, {move % game.width})"


# 4. The ladder ---------------------------------------------------------------------------------------------------


def _climb(trial, agent, rating) -> None:
    """Rated by its games against four agents whose ratings are known."""
    from mock5lib.arena import match
    from mock5lib.names import agent as named

    opponents, scores = [], []
    for name, elo in RUNGS.items():
        result = match(agent, named(name, seed=1), GAMES, game=Mock5(9, 9), openings=4, seed=5)
        lost = {why: count for why, count in result.forfeits.items() if "agent" in why}
        trial.require(
            not result.forfeits,
            f"Games were lost by forfeit: {lost or dict(result.forfeits)}.",
            call=f"a match with {name}",
        )
        opponents += [elo] * GAMES
        scores += result.scores.tolist()
    own, low, high = trial.call(rating, opponents, scores)
    print(f"     rated {own:.0f}, 95 % interval {low:.0f} to {high:.0f}")
    each = ", ".join(f"{name} {np.mean(scores[i * GAMES : (i + 1) * GAMES]):.2f}" for i, name in enumerate(RUNGS))
    trial.require(
        low > WANTED,
        f"Rated {own:.0f}, with an interval from {low:.0f} to {high:.0f}. All of it must lie above {WANTED}. "
        f"Scores: {each}.",
        call=f"{GAMES} games against each of {', '.join(RUNGS)}",
    )
