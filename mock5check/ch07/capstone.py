"""The check of the capstone of chapter 7: an agent in one file, as a function, as an engine, and on the ladder."""

import ast
import io
import linecache
import math
import sys
import tempfile
import time
import types
from pathlib import Path
from unittest import mock

import numpy as np

from mock5check.answers import is_number
from mock5check.ch07.conversation import check_engine
from mock5check.ch07.positions import Position, quiet, tactics
from mock5check.core import graded
from mock5check.spec import exercise
from mock5lib import Mock5

RUNGS = {"pt": 1821, "df": 1840, "mixed": 1926, "greedy": 1947}  # Elo on the ladder of 9×9, data/ladder/9x9
GAMES = 40  # against each
WANTED = 1775  # Elo that the whole interval must exceed
SECONDS, TRIES = 1.0, 3  # a move of the function; how often it may try, as the machine may be busy
NAME = "<my_engine.py>"


def matches(rng):
    """(opponents, scores)"""
    yield from (([1000], [1]), ([1000], [0]), ([0, 400], [1, 0]), ([1805.25, 1811.5, 1900.75], [1, 0, 0.5]))
    yield from (([100, 2500], [1, 0.5]), ([850, 800, 2600], [1, 1, 1]), ([1900] * 160, [1] * 160))
    yield from (([100] * 20, [0] * 20), ([3900] * 20, [1] * 20))  # below 0, above 4000
    for games in rng.integers(2, 12, 20):
        yield rng.choice([*RUNGS.values(), 1200], games).tolist(), rng.choice([0, 0.5, 1], games).tolist()


def to_a_hundredth(solution, opponents, scores):
    """The right numbers for those that are at most 0.01 off; the others as they are."""
    answer, right = solution(opponents, scores), rating.solution(opponents, scores)
    if not isinstance(answer, (tuple, list, np.ndarray)) or len(answer) != 3:
        return answer
    near = [is_number(one) and abs(float(one) - other) <= 0.01 + 1e-6 for one, other in zip(answer, right)]
    return tuple(other if close else one for one, other, close in zip(answer, right, near))


@exercise(
    cases=matches,
    observe=to_a_hundredth,
    why=lambda opponents, scores: (
        f"With the imaginary draw against {np.mean(opponents):g} there are {len(scores) + 1} games and "
        f"{np.sum(scores) + 0.5:g} points. The rating is where that many are expected; an error of 0.01 is fine. "
        "Half of the interval is 1.96 · (400 / ln 10) / √ΣE(1 − E)."
    ),
)
def rating(opponents, scores):
    """(rating, low, high) of a newcomer, from games against opponents of known ratings."""
    rated = np.append(np.asarray(opponents, float), np.mean(opponents))
    points = np.sum(scores) + 0.5
    low, high = rated.min() - 4000, rated.max() + 4000
    for _ in range(80):
        middle = (low + high) / 2
        expected = 1 / (1 + 10 ** ((rated - middle) / 400))
        low, high = (middle, high) if expected.sum() < points else (low, middle)
    half = 1.96 * 400 / math.log(10) / math.sqrt((expected * (1 - expected)).sum())
    return middle, middle - half, middle + half


@graded
def ladder_agent(trial, engine, rating_) -> None:
    """Check `engine()`, the text of a file with an agent and a Gomocup engine, and `rating(opponents, scores)`."""
    trial.stage("the rating")
    rating.__wrapped__(trial, rating_)
    trial.stage("the file, and its agent as a function")
    text = trial.call(engine)
    agent = _agent_of(trial, text)
    _check_agent(trial, agent)
    trial.stage("the file as an engine")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "my_engine.py"
        path.write_text(text, encoding="utf-8")
        check_engine(trial, path, agent)
    trial.stage(f"on the ladder: {GAMES} games on 9×9 against each of {', '.join(RUNGS)}")
    _climb(trial, agent, rating_)


ladder_agent.parts = [rating]


# The function -----------------------------------------------------------------------------------------------------


class _Unread(io.StringIO):
    """What a file finds as its input while it is imported."""

    def readline(self, *_):
        """No line may be read."""
        raise RuntimeError('it reads input while it is imported. Put the loop under `if __name__ == "__main__":`')

    read = readlines = __next__ = readline


def _agent_of(trial, text):
    """The function `agent` of the file."""
    trial.require(isinstance(text, str) and text.strip(), "Return the text of a Python file.", call="engine()")
    name = len(text.split()) == 1 and text.strip().endswith(".py")
    trial.require(not name, f"{text.strip()!r} is the name of a file. Return the text that's in it.")
    try:
        tree = ast.parse(text, NAME)
    except SyntaxError as error:
        trial.fail(
            f"The text isn't valid Python: {error.msg}, line {error.lineno}: {(error.text or '').strip()}. (Between "
            r"quotes a backslash must be doubled, \\s, unless there's an r before them.)",
            call="engine()",
        )
    strangers = sorted(_imported(tree) - set(sys.stdlib_module_names) - {"numpy"})
    text_ = f"The file imports {', '.join(strangers)}. It may use only Python's standard library and NumPy."
    trial.require(not strangers, text_, call="engine()")
    linecache.cache[NAME] = (len(text), None, text.splitlines(keepends=True), NAME)
    module = types.ModuleType("my_engine")

    def importing():
        with mock.patch.object(sys, "stdin", _Unread()):
            exec(compile(tree, NAME, "exec"), module.__dict__)

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


def _move(trial, agent, game) -> int:
    """A legal move, made in time; the position stays as it is."""
    call, used = f"agent(game), where game is\n{game}", []
    while not used or (used[-1] >= SECONDS and len(used) < TRIES):
        start = time.perf_counter()
        move = trial.call(agent, Position(game), shown=call, long=True)
        used.append(time.perf_counter() - start)
    whole = isinstance(move, (int, np.integer)) and not isinstance(move, bool)
    trial.require(whole, f"It returned {move!r}. A move is an int, row · width + column.", call=call)
    trial.require(move in game.legal_moves(), f"Move {move} is not legal.", call=call)
    trial.require(min(used) < SECONDS, f"It took {min(used):.1f} seconds. A move may take {SECONDS:g}.", call=call)
    return int(move)


def _check_agent(trial, agent) -> None:
    first = [_move(trial, agent, game) for game in quiet()]
    for game, right, idea in tactics():
        row, column = divmod(_move(trial, agent, game), game.width)
        points = " or ".join(str(divmod(move, game.width)) for move in right)
        text = f"{idea} It played {(row, column)}; it should be {points}, as (row, column)."
        trial.require(row * game.width + column in right, text, call=f"agent(game), where game is\n{game}")
    for game, move in reversed(list(zip(quiet(), first))):
        now = _move(trial, agent, game)
        text = (
            f"In this position it played {move} earlier, and now {now}. Its move should depend on the position alone."
        )
        trial.require(now == move, text, call=f"agent(game), where game is\n{game}")


# The ladder -------------------------------------------------------------------------------------------------------


def _climb(trial, agent, rating_) -> None:
    """Rated by its games against four agents whose ratings are known."""
    from mock5lib.arena import match
    from mock5lib.names import agent as named

    def player(game):
        return agent(Position(game))

    opponents, scores = [], []
    for name, elo in RUNGS.items():
        result = match(player, named(name, seed=1), GAMES, game=Mock5(9, 9), openings=4, seed=5)
        text = f"It lost games by forfeit: {dict(result.forfeits)}."
        trial.require(not result.forfeits, text, call=f"a match with {name}")
        opponents += [elo] * GAMES
        scores += result.scores.tolist()
    own, low, high = trial.call(rating_, opponents, scores)
    print(f"     rated {own:.0f}, 95% interval {low:.0f} to {high:.0f}")
    each = ", ".join(f"{name} {np.mean(scores[i * GAMES : (i + 1) * GAMES]):.2f}" for i, name in enumerate(RUNGS))
    text = (
        f"Rated {own:.0f}, with an interval from {low:.0f} to {high:.0f}. The whole interval should be above {WANTED}. "
    )
    trial.require(low > WANTED, f"{text}Scores: {each}.", call=f"{GAMES} games against each of {', '.join(RUNGS)}")
