"""The check of the capstone of chapter 7: an agent in one file, as a function, as an engine, and on the ladder."""

import ast
import io
import linecache
import queue
import re
import subprocess
import sys
import tempfile
import threading
import time
import types
from functools import cache
from math import log, sqrt
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq

from mock5check.core import graded
from mock5lib import Mock5
from mock5lib.arena.elo import SCALE
from mock5lib.search.puct.tree import immediate_wins

RUNGS = {"pt": 1805, "df": 1811, "mixed": 1894, "greedy": 1935}  # Elo on the ladder of 9×9, data/ladder/9x9
GAMES = 40  # against each
WANTED = 1750  # Elo that the whole interval must exceed
PATIENCE = 10.0  # seconds for an answer of the engine
SECONDS = 1.0  # a move of the function
NAME = "<my_engine.py>"


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
        _check_engine(trial, path, agent)
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


RATING_SLIPS = [
    (lambda o, s: right_rating(o, s, imaginary=0), "The imaginary draw is missing."),
    (lambda o, s: right_rating(o, s, draw=0.0), "The imaginary game is a draw: it brings half a point, too."),
    (
        lambda o, s: right_rating(o, s, z=1.0),
        "That is one standard error. The 95 % interval has 1.96 of them each way.",
    ),
    (lambda o, s: right_rating(o, s, scale=400), "The factor is 400 / ln 10."),
    (lambda o, s: right_rating(o, s, scale=1), "The factor 400 / ln 10 is missing."),
    (
        lambda o, s: Rated(*[np.mean(o) + 400 * log(np.mean(s) / (1 - np.mean(s))) / log(10)] * 3),
        "That takes the opponents for one of their mean rating.",
    ),
]


def _check_rating(trial, rating) -> None:
    rng = np.random.default_rng(7)
    cases = [
        ([1000], [1]),
        ([1000], [0]),
        ([1800.0, 1900.0], [0.5, 0.5]),
        ([0, 400], [1, 0]),
        ([1500] * 4, [1, 1, 1, 1]),
    ]
    cases += [([1805] * 3 + [1935], [0, 0, 0, 0]), ([100, 2500], [1, 0.5]), ([-300, 900, 901], [1, 1, 0])]
    for games in (6, 40, 160):
        opponents = rng.choice(list(RUNGS.values()), size=games).tolist()
        cases.append((opponents, rng.choice([0, 0.5, 1], size=games, p=[0.3, 0.2, 0.5]).tolist()))
    cases.append((np.array([1805.0, 1935.0]), np.array([1.0, 0.5])))

    def why(opponents, scores):
        return (
            f"{len(scores)} games, {np.sum(scores):g} points, and the imaginary draw against {np.mean(opponents):g}: "
            f"the rating is where {np.sum(scores) + 0.5:g} points are expected of {len(scores) + 1} games. "
            "Half of the interval is 1.96 · (400 / ln 10) / √ΣE(1 − E)."
        )

    def observe(solution, opponents, scores):
        answer = solution(opponents, scores)
        return Rated(*answer) if isinstance(answer, tuple) and len(answer) == 3 else answer

    trial.compare(rating, cases, right=right_rating, why=why, slips=RATING_SLIPS, observe=observe, close=1e-5)


# 2. The function -------------------------------------------------------------------------------------------------


def _agent_of(trial, text):
    """The function `agent` of the file."""
    call = "engine()"
    trial.require(isinstance(text, str) and text.strip(), "Return the text of a Python file.", call=call)
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


def _move(trial, agent, game) -> int:
    """A legal move, made in time; the game stays as it is."""
    call = f"agent(game), where game is\n{game}"
    start = time.process_time()
    move = trial.call(agent, game, shown=call, long=True)
    used = time.process_time() - start
    whole = isinstance(move, (int, np.integer)) and not isinstance(move, bool)
    trial.require(whole, f"It returned {move!r}. A move is an int, row · width + column.", call=call)
    trial.require(move in game.legal_moves(), f"Move {move} is not legal.", call=call)
    trial.require(used < SECONDS, f"It took {used:.1f} seconds of computing. A move may take {SECONDS:g}.", call=call)
    return int(move)


@cache
def positions() -> tuple:
    """Unfinished positions on boards of several sizes, the emptiest and the fullest among them."""
    rng, found = np.random.default_rng(70), [Mock5(9, 9), Mock5(15, 15), Mock5(7, 10), Mock5(9, 13)]
    for height, width, stones in [
        (9, 9, 20),
        (15, 15, 41),
        (7, 10, 33),
        (10, 7, 12),
        (9, 9, 60),
        (19, 19, 30),
        (5, 5, 24),
    ]:
        for _ in range(2):
            game = None
            while game is None or game.winner is not None or len(game.history) < stones:
                game = Mock5(height, width)
                for move in rng.permutation(height * width)[:stones].tolist():
                    if game.winner is None:
                        game.apply(move)
            found.append(game)
    return tuple(found)


@cache
def tactics() -> tuple:
    """[(game, moves that are right, what it is about)]: a five to make, one to prevent, and both at once."""
    rng, found = np.random.default_rng(71), []
    ideas = {
        "own": "It can make five in a row at once, and that wins.",
        "other": "The opponent threatens to make five in a row at one point, which must be taken.",
        "both": "It can make five in a row at once, and that wins, whatever the opponent threatens.",
    }
    while len(found) < 60:
        kind = ("own", "other", "own", "other", "both")[len(found) % 5]
        height, width = [(9, 9), (15, 15), (9, 11)][len(found) % 3]
        mover = 1 + len(found) % 2
        fours = {"own": [mover], "other": [3 - mover], "both": [1, 2]}[kind]
        game = _planted(rng, height, width, fours, mover)
        if game is not None:
            own, other = immediate_wins(game, mover), immediate_wins(game, 3 - mover)
            fits = {
                "own": own and not other,
                "other": not own and len(other) == 1,
                "both": own and set(other) - set(own),
            }
            if fits[kind]:
                found.append((game, own or other, ideas[kind]))
    return tuple(found)


def _planted(rng, height: int, width: int, fours: list, mover: int):
    """A position with four of five points in a row of each player in `fours`; None where it did not work out."""
    stones, free = {1: [], 2: []}, rng.permutation(height * width).tolist()
    for player in fours:
        dr, dc = [(0, 1), (1, 0), (1, 1), (1, -1)][int(rng.integers(4))]
        r, c = int(rng.integers(height)), int(rng.integers(width))
        row = [(r + i * dr, c + i * dc) for i in range(5)]
        if not all(0 <= a < height and 0 <= b < width and a * width + b in free for a, b in row):
            return None
        stones[player] = [a * width + b for a, b in row]
        stones[player].pop(int(rng.integers(5)))
        free = [point for point in free if point not in stones[player]]
    game, turns = Mock5(height, width), 12 + (mover == 2)
    for turn in range(turns):
        player = 1 + turn % 2
        game.apply(stones[player].pop() if stones[player] else free.pop())
        if game.winner is not None:
            return None
    return game


def _check_agent(trial, agent) -> None:
    for game in positions():
        moves = {_move(trial, agent, game) for _ in range(2)}
        trial.require(
            len(moves) == 1, "The same position must get the same move.", call=f"agent(game), twice, on\n{game}"
        )
    for game, right, idea in tactics():
        move = _move(trial, agent, game)
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


# 3. The engine ---------------------------------------------------------------------------------------------------


class Talk:
    """A conversation with the engine, through its pipes."""

    def __init__(self, trial, path: Path):
        self.trial, self.said = trial, []
        command = [sys.executable, "-I", str(path)]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=path.parent
        )
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def tell(self, *lines: str) -> None:
        """Send lines that want no answer yet."""
        self.said += [f"> {line.strip()}" for line in lines]
        try:
            for line in lines:
                self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except OSError:
            self.fail("It has ended.")

    def ask(self, *lines: str) -> str:
        """Send lines, and read the one line that answers them; MESSAGE and DEBUG lines are passed over."""
        self.tell(*lines)
        while True:
            try:
                line = self.lines.get(timeout=PATIENCE)
            except queue.Empty:
                self.fail(f"No answer in {PATIENCE:g} seconds. Is each answer a line, and flushed at once?")
            if line is None:
                self.process.wait(PATIENCE)
                error = self.process.stderr.read().strip().splitlines()
                self.fail(f"It has ended{': ' + error[-1] if error else ''}. An engine runs on until END.")
            self.said.append(line.rstrip("\n"))
            if not line.upper().startswith(("MESSAGE", "DEBUG")):
                return line.strip()

    def fail(self, why: str) -> None:
        shown = self.said if len(self.said) <= 12 else ["…", *self.said[-12:]]
        self.trial.fail(why, call="python my_engine.py\n" + "\n".join(shown))

    def require(self, condition, why: str) -> None:
        if not condition:
            self.fail(why)
        self.trial.cases += 1

    def move(self, game, *lines: str) -> int:
        """The move in the answer: x,y of an empty point, as an int."""
        answer = self.ask(*lines)
        found = re.fullmatch(r"(\d+),(\d+)", answer)
        self.require(found, f"{answer!r} is no move. A move is x,y: column, comma, row, counted from 0.")
        x, y = int(found[1]), int(found[2])
        inside = x < game.width and y < game.height and not game.board[y * game.width + x]
        self.require(inside, f"{answer} is no empty point of this board.")
        return y * game.width + x

    def end(self) -> None:
        """After END the program is over."""
        self.tell("END")
        try:
            self.require(
                self.process.wait(PATIENCE) == 0, f"It ended with exit status {self.process.returncode}, not 0."
            )
        except subprocess.TimeoutExpired:
            self.fail(f"It still runs {PATIENCE:g} seconds after END.")


def _check_engine(trial, path: Path, agent) -> None:
    for part in (_first_words, _two_games, _whole_boards, _nonsense, _no_more_input):
        talk = Talk(trial, path)
        try:
            part(talk, agent)
            if part is not _no_more_input:
                talk.end()
        finally:
            talk.process.kill()
            talk.process.wait()
            for pipe in (talk.process.stdin, talk.process.stderr):
                try:
                    pipe.close()
                except OSError:
                    pass


def _first_words(talk, agent) -> None:
    """ABOUT, START, INFO and BEGIN, with an end of line as on Windows."""
    about = talk.ask("ABOUT")
    talk.require(re.search(r'name="[^"]+"', about), 'ABOUT wants a line with name="…" in it.')
    talk.require(talk.ask("START 15\r") == "OK", "START 15 is answered with OK.")
    talk.tell("INFO timeout_turn 1000", "INFO max_memory 83886080")
    again = talk.ask("ABOUT")
    talk.require(again == about, "INFO lines get no answer, and ABOUT its own again.")
    talk.move(Mock5(15, 15), "BEGIN\r")


def _two_games(talk, agent) -> None:
    """A game with each colour: the same moves as the function's."""
    rng = np.random.default_rng(3)
    for number, begins in enumerate((True, False)):
        talk.require(talk.ask("RESTART" if number else "START 9") == "OK", "START and RESTART are answered with OK.")
        game, order = Mock5(9, 9), rng.permutation(81).tolist()
        command = ["BEGIN"]
        while game.winner is None and len(game.history) < 24:
            if not begins or game.history:
                theirs = next(move for move in order if not game.board[move])
                game.apply(theirs)
                command = [f"TURN {theirs % 9},{theirs // 9}"]
            if game.winner is not None:
                break
            wanted = int(agent(game.copy()))
            move = talk.move(game, *command)
            same = move == wanted
            talk.require(
                same,
                f"The function plays {wanted % 9},{wanted // 9} here. Does the engine know "
                "where the stones are, and whose turn it is?",
            )
            game.apply(move)


def _whole_boards(talk, agent) -> None:
    """BOARD: a position at once, the engine to move with either colour; afterwards the game goes on."""
    size = None
    square = [case for case in tactics() if case[0].height == case[0].width][::3]
    for game, right, idea in sorted(square, key=lambda case: case[0].width):
        if size != game.width:  # else the BOARD takes the place of the game before
            size = game.width
            talk.require(talk.ask(f"START {size}") == "OK", f"START {size} is answered with OK.")
        lines = [
            f"{m % size},{m // size},{1 if (i + 1) % 2 == game.player % 2 else 2}" for i, m in enumerate(game.history)
        ]
        move = talk.move(game, "BOARD", *lines, "DONE")
        shown = ", ".join(f"{m % size},{m // size}" for m in right)
        talk.require(move in right, f"{idea} Right is {shown}. (In a BOARD, a 1 marks the engine's own stones.)")
        wanted = int(agent(game.copy()))
        talk.require(move == wanted, f"The function plays {wanted % size},{wanted // size} in this position.")
        _play_on(talk, agent, game.copy(), move)


def _play_on(talk, agent, game, move: int) -> None:
    """After a BOARD the game goes on: four more moves of each side."""
    rng, size = np.random.default_rng(len(game.history)), game.width
    for _ in range(4):
        game.apply(move)
        if game.winner is not None:
            return
        theirs = int(rng.choice(game.legal_moves()))
        game.apply(theirs)
        if game.winner is not None:
            return
        wanted = int(agent(game.copy()))
        move = talk.move(game, f"TURN {theirs % size},{theirs // size}")
        talk.require(move == wanted, f"After BOARD and TURN the function plays {wanted % size},{wanted // size}.")


def _nonsense(talk, agent) -> None:
    """What can't be followed is answered with ERROR or UNKNOWN, and changes nothing."""
    for line in ("START 4", "START 21", "START", "START big"):
        talk.require(
            talk.ask(line).upper().startswith("ERROR"), f"{line!r} is answered with ERROR: 5 to 20 are possible."
        )
    talk.require(talk.ask("START 9") == "OK", "START 9 is answered with OK, also after errors.")
    talk.require(talk.ask("SING a song").upper().startswith("UNKNOWN"), "A command that it does not know: UNKNOWN.")
    game = Mock5(9, 9)
    game.apply(3 * 9 + 5)
    game.apply(talk.move(game, "TURN 5,3"))
    for line in ("TURN 5,3", "TURN 9,0", "TURN 0,9", "TURN 3", "TURN -1,2", "TURN a,b"):
        talk.require(
            talk.ask(line).upper().startswith("ERROR"), f"{line!r}: not an empty point of this board, so ERROR."
        )
    wanted_after = next(m for m in range(80, -1, -1) if not game.board[m])
    game.apply(wanted_after)
    move, wanted = talk.move(game, f"TURN {wanted_after % 9},{wanted_after // 9}"), int(agent(game.copy()))
    talk.require(
        move == wanted, f"After the errors the function plays {wanted % 9},{wanted // 9}: an error changes nothing."
    )


def _no_more_input(talk, agent) -> None:
    """The manager is gone: the program ends."""
    talk.require(talk.ask("START 9") == "OK", "START 9 is answered with OK.")
    talk.process.stdin.close()
    talk.said.append("(end of input)")
    try:
        talk.process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        talk.fail(f"It still runs {PATIENCE:g} seconds after the end of its input.")
