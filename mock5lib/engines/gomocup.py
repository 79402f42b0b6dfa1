"""The Gomocup protocol (Piskvork) both ways: our agents for any manager, and foreign engines as our agents.

A manager starts a brain and talks to it in lines through two pipes; points are "x,y", column first, counted from 0. The
protocol is that of P. Laštovička, "Gomoku AI protocol" (2005 and later).

Where engines differ from the protocol's text, `GomocupAgent` is as patient as the managers that engines are tried with:
the tournament's own and c-gomoku-cli send lines that end with LF, and wait for a move whatever else is printed.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable

from mock5lib.base import VERSION
from mock5lib.base.contract import AgentFailure, Named, agent_name
from mock5lib.engines.process import EngineProcess, conversation
from mock5lib.engines.time_limit import TimedAgent, quick_move
from mock5lib.game.board import Mock5
from mock5lib.game.points import BLACK, MAX_SIDE
from mock5lib.game.referee import is_resignation

SMALLEST = 5  # side of a board
LONGEST_LINE = 1024  # characters; no command needs as many
POINT = re.compile(r"(\d{1,9})\s*,\s*(\d{1,9})")
STONE = re.compile(r"(\d{1,9})\s*,\s*(\d{1,9})\s*,\s*([123])")
TURN_SECONDS = 30.0  # where the manager sets no limit
OVERHEAD_SECONDS = 0.05  # of each move, for the pipes and the manager
MOVES_AHEAD = 25  # own moves that the time for the whole game should still last for


class ProtocolError(ValueError):
    """A command that cannot be followed; its text goes to the manager as ERROR."""


class Brain:
    """The brain's side of the protocol, without the pipes: `reply(line)` gives the answer to one line.

    Args:
        agent: any agent for five in a row. clock: seconds, for the time limits.

    Attributes:
        running: False after END. game: the position, None before START.
    """

    def __init__(self, agent, clock: Callable[[], float] = time.perf_counter):
        self.agent, self.clock, self.timed = agent, clock, TimedAgent(agent, clock)
        self.running, self.game = True, None
        self.info: dict[str, int] = {"timeout_turn": int(1000 * TURN_SECONDS)}
        self.used = 0.0  # seconds of the game's time that our moves took
        self._listed: list[str] | None = None  # lines of a BOARD under way

    def reply(self, line: str) -> list[str]:
        """The lines to answer; none where the protocol wants none. It never raises."""
        words = line.split(None, 1)
        if not words:
            return []
        if len(line) > LONGEST_LINE:
            return ["ERROR line too long"]
        name, rest = words[0].upper(), words[1].strip() if len(words) > 1 else ""
        try:
            if self._listed is not None and name not in COMMANDS:
                if name == "DONE":
                    return self.done()
                self._listed.append(line.strip())
                return []
            self._listed = None  # a list in which another command comes is given up
            if name not in COMMANDS:
                return [f"UNKNOWN command {plain(words[0])}"]
            return COMMANDS[name](self, rest)
        except ProtocolError as problem:
            return [f"ERROR {problem}"]
        except Exception as problem:  # noqa: BLE001 - an agent that fails loses its game; the brain answers on
            return [f"ERROR {type(problem).__name__}: {plain(str(problem))}"]

    # Commands

    def start(self, rest: str) -> list[str]:
        """START size"""
        if not re.fullmatch(r"\d{1,9}", rest):
            raise ProtocolError("START takes the size of the board, like START 15")
        return self._new_game(int(rest), int(rest))

    def rect_start(self, rest: str) -> list[str]:
        """RECTSTART width,height"""
        width, height = pair(rest, "RECTSTART takes width,height")
        return self._new_game(height, width)

    def _new_game(self, height: int, width: int) -> list[str]:
        if not (SMALLEST <= height <= MAX_SIDE and SMALLEST <= width <= MAX_SIDE):
            raise ProtocolError(f"unsupported size {width}x{height}; sides are {SMALLEST} to {MAX_SIDE}")
        game = Mock5(height, width, exact=self._exact())
        self._forget()
        if hasattr(self.agent, "warm_up"):
            self.agent.warm_up(game)
        self.game = game
        return ["OK"]

    def restart(self, rest: str) -> list[str]:
        """RESTART: the same board, empty"""
        game = self._started()
        self.game = Mock5(game.height, game.width, exact=self._exact())
        self._forget()
        return ["OK"]

    def _forget(self) -> None:
        self.used = 0.0
        self.info.pop("time_left", None)
        if hasattr(self.agent, "forget"):
            self.agent.forget()

    def begin(self, rest: str) -> list[str]:
        """BEGIN: we open"""
        if self._started().history:
            raise ProtocolError("BEGIN needs an empty board")
        return self._move()

    def turn(self, rest: str) -> list[str]:
        """TURN x,y: the opponent has moved"""
        self._play(self._point(rest, "TURN takes x,y"))
        return self._move()

    def play(self, rest: str) -> list[str]:
        """PLAY x,y: we have to play this move"""
        move = self._point(rest, "PLAY takes x,y")
        self._play(move)
        return [self._name(move)]

    def takeback(self, rest: str) -> list[str]:
        """TAKEBACK x,y: the last stone is taken off"""
        move = self._point(rest, "TAKEBACK takes x,y")
        if self.game.history[-1:] != [move]:
            raise ProtocolError(f"{self._name(move)} is not the last stone")
        self.game.undo()
        return ["OK"]

    def board(self, rest: str) -> list[str]:
        """BOARD, then lines x,y,field, then DONE: a new position"""
        self._started()
        self._listed = []
        return []

    def done(self) -> list[str]:
        """DONE: field 1 of the list is ours, 2 the opponent's, and it is our turn"""
        lines, self._listed = self._listed, None
        points = {"1": [], "2": [], "3": []}
        for line in lines:
            found = STONE.fullmatch(line)
            if not found:
                raise ProtocolError(f"BOARD takes lines x,y,field, got {plain(line)}")
            points[found[3]].append(self._index(int(found[1]), int(found[2])))
        ours, theirs = points["1"], points["2"]
        if points["3"] or not 0 <= len(theirs) - len(ours) <= 1:
            raise ProtocolError(f"{len(ours)} own and {len(theirs)} other stones: it is not our turn on such a board")
        first, second = (ours, theirs) if len(ours) == len(theirs) else (theirs, ours)
        moves = [move for pair in zip(first, second) for move in pair] + first[len(second) :]
        try:
            game = Mock5(self.game.height, self.game.width, history=moves, exact=self._exact())
        except ValueError as problem:
            raise ProtocolError(plain(str(problem))) from None
        if game.winner is not None:
            raise ProtocolError("the game on this board is over")
        self.game = game
        return self._move()

    def set_info(self, rest: str) -> list[str]:
        """INFO key value"""
        key, _, value = rest.lower().partition(" ")
        if key not in KNOWN_INFO:
            return []
        if not re.fullmatch(r"\s*-?\d{1,12}", value):
            raise ProtocolError(f"INFO {key} takes a whole number")
        if key == "rule" and int(value) not in (0, 1):
            raise ProtocolError(f"rule {value} is not known; 0 is five or more in a row, 1 exactly five")
        self.info[key] = int(value)
        if key == "rule" and self.game is not None and not self.game.history:
            self.game = Mock5(self.game.height, self.game.width, exact=self._exact())
        return []

    def about(self, rest: str) -> list[str]:
        name = plain(agent_name(self.agent)).replace('"', "'")
        return [f'name="mock5 {name}", version="{VERSION}", author="mock5lib", country="-"']

    def end(self, rest: str) -> list[str]:
        self.running = False
        return []

    # Parts of commands

    def _move(self) -> list[str]:
        """Our move, played and named, in the time that is left."""
        if self.game.winner is not None:
            raise ProtocolError("the game is over")
        began = self.clock()
        if self.info.get("max_memory", 0) > 0:
            memory = self.info.pop("max_memory") // 2  # the other half is for everything but the tree
            if hasattr(self.agent, "limit_memory"):
                self.agent.limit_memory(memory, len(self.game.board))
        answer, in_time = self.timed.move(self.game, self.seconds())
        self.used += self.clock() - began
        if is_resignation(answer):
            raise ProtocolError("the agent resigns")
        move = self.game.index(answer)
        self.game.apply(move)
        return [*([] if in_time else ["MESSAGE out of time, a quick move instead"]), self._name(move)]

    def seconds(self) -> float:
        """What the next move may take: by the turn's limit, and a share of what is left for the game."""
        turn = self.info["timeout_turn"] / 1000
        left = None
        if "time_left" in self.info and self.info.get("timeout_match", 1) > 0:
            left = self.info.pop("time_left") / 1000
        elif self.info.get("timeout_match", 0) > 0:
            left = self.info["timeout_match"] / 1000 - self.used
        limit = turn if left is None else min(turn, left / MOVES_AHEAD)
        return max(0.9 * limit - OVERHEAD_SECONDS, 0.02)

    def _play(self, move: int) -> None:
        """Play a move that the manager has named."""
        if self.game.winner is not None:
            raise ProtocolError("the game is over")
        if self.game.board[move]:
            raise ProtocolError(f"{self._name(move)} is taken")
        self.game.apply(move)

    def _started(self) -> Mock5:
        if self.game is None:
            raise ProtocolError("START comes first")
        return self.game

    def _point(self, text: str, usage: str) -> int:
        """The free or taken point that a text names."""
        self._started()
        return self._index(*pair(text, usage))

    def _index(self, x: int, y: int) -> int:
        if not (x < self.game.width and y < self.game.height):
            raise ProtocolError(f"{x},{y} is off the {self.game.width}x{self.game.height} board")
        return y * self.game.width + x

    def _name(self, move: int) -> str:
        return xy(move, self.game)

    def _exact(self) -> bool:
        return self.info.get("rule") == 1


KNOWN_INFO = ("timeout_turn", "timeout_match", "time_left", "max_memory", "rule")

COMMANDS = {
    name.upper(): getattr(Brain, name) for name in "start restart begin turn play takeback board about end".split()
}
COMMANDS |= {"RECTSTART": Brain.rect_start, "INFO": Brain.set_info}


def pair(text: str, usage: str) -> tuple[int, int]:
    """The two numbers of "x,y"."""
    found = POINT.fullmatch(text)
    if not found:
        raise ProtocolError(f"{usage}, got {plain(text)}")
    return int(found[1]), int(found[2])


def xy(move: int, game: Mock5) -> str:
    """A point as the protocol writes it, column first."""
    row, col = divmod(move, game.width)
    return f"{col},{row}"


def plain(text: str) -> str:
    """A text that fits into one line of an answer."""
    return "".join(letter if letter.isprintable() else "?" for letter in text.strip())[:100]


def serve(agent, given: int = 0, taken: int = 1) -> None:
    """Be a brain on two file descriptors, until END or the end of the input.

    Answers end with LF. The protocol allows CR LF too, but two managers for Linux compare whole lines with "OK".
    """
    brain = Brain(agent)
    quick_move(Mock5(SMALLEST, SMALLEST))  # loads its compiled parts: no time of the game goes into that
    for line, answers in conversation(given, taken):
        answers.writelines(f"{answer}\n" for answer in brain.reply(line))
        if not brain.running:
            return


ANSWER = re.compile(r"(-?\d{1,9})\s*,\s*(-?\d{1,9})")
END_SECONDS = 1.0  # to end after END; the protocol's own example
SETTLE_SECONDS = 0.02  # after its move: one engine was seen to drop commands for some milliseconds
LARGEST = 2**31 - 1  # engines read numbers into 32 bits, and one was seen to hang on a larger one


class GomocupAgent(Named):
    """A foreign engine as an agent for five in a row.

    Args:
        command: program and arguments. seconds: a move, which it is told; it loses after `tolerance` seconds more.
        memory: bytes it may use, which it is told and, on Linux, held to.
        info: further INFO keys and values, such as {"MAX_NODE": 1000}.
        start_seconds: to answer START and RESTART, where it may load weights.

    An engine that gives no move in time, dies or cannot start loses the game: the call raises `AgentFailure`, and the
    next one starts it anew.
    """

    own_clock = True  # a match leaves the time to it

    def __init__(
        self,
        command: list[str],
        seconds: float = 5.0,
        tolerance: float = 1.0,
        memory: int | None = None,
        info: dict | None = None,
        *,
        start_seconds: float = 20.0,
        name: str | None = None,
    ):
        if not command:
            raise ValueError("An engine needs a command, got an empty one.")
        if not (seconds > 0 and tolerance >= 0 and start_seconds > 0):
            given = f"got {seconds}, {start_seconds} and {tolerance}"
            raise ValueError(f"seconds and start_seconds are above 0 and tolerance at least 0, {given}.")
        self.command, self.seconds, self.tolerance, self.memory = list(command), seconds, tolerance, memory
        self.info, self.start_seconds = dict(info or {}), start_seconds
        self.name = name or os.path.basename(command[0])
        self._engine: EngineProcess | None = None
        self._rules = None  # of the board that it was started for
        self._history: list[int] = []  # of the position that it knows

    def refuses(self, game) -> str:
        """Why it can't play a game, as the end of a sentence, or ""."""
        if type(game) is not Mock5 or game.k != 5:
            return "is an engine for five in a row"
        whole = len(game.history) == int((game.cells != 0).sum())
        if not whole or (game.history and game.board[game.history[0]] != BLACK):
            return "is an engine, which takes games that were played from the beginning, black first"
        return ""

    def __call__(self, game: Mock5) -> tuple[int, int]:
        """Its move as (row, column), which may be illegal."""
        if why := self.refuses(game):
            raise ValueError(f"{self.name} {why}.")
        try:
            if self._engine is None or self._rules != (game.height, game.width, game.exact):
                self._start(game)
            return self._move(game)
        except AgentFailure:
            self.close()
            raise

    def close(self) -> None:
        """End the engine."""
        if self._engine is not None:
            self._engine.close("END", END_SECONDS)
        self._engine = self._rules = None

    def _start(self, game: Mock5) -> None:
        self.close()
        self._engine = EngineProcess(self.command, self.memory)
        self._obey(f"START {game.width}" if game.width == game.height else f"RECTSTART {game.width},{game.height}")
        settings = {
            "timeout_turn": min(int(1000 * self.seconds), LARGEST),
            "timeout_match": 0,
            "time_left": LARGEST,
            "game_type": 1,
            "max_memory": min(self.memory or 0, LARGEST),
            "rule": int(game.exact),
        }
        self._engine.send(*(f"INFO {key} {value}" for key, value in (settings | self.info).items()))
        self._rules, self._history = (game.height, game.width, game.exact), []

    def _obey(self, command: str) -> None:
        """Send a command that is answered by OK."""
        self._engine.send(command)
        heard = ""
        for line in self._engine.lines(self.start_seconds):
            heard = line.strip()
            if heard.upper().startswith("OK"):
                return
            if heard.upper().startswith(("ERROR", "UNKNOWN")):
                raise AgentFailure(f"refused {command}: {plain(heard)}")
        raise AgentFailure(
            f"did not answer {command} within {self.start_seconds:g} s (option start){last_words(heard)}"
        )

    def _move(self, game: Mock5) -> tuple[int, int]:
        """Its answer to the shortest commands that bring it from the position that it knows to this one.

        Lines that name no point are passed over: DEBUG, MESSAGE and SUGGEST by the protocol, and anything else, also
        ERROR and UNKNOWN, because engines print what they like and then move all the same.
        """
        if game.history and self._history == game.history[:-1]:
            self._engine.send(f"TURN {xy(game.history[-1], game)}")
        else:
            if self._history:
                try:  # an engine need not know RESTART
                    self._obey("RESTART")
                except AgentFailure:
                    self._start(game)
            self._engine.send(*(board_lines(game) if game.history else ["BEGIN"]))
        heard = ""
        for line in self._engine.lines(self.seconds + self.tolerance):
            heard = line.strip()
            if found := ANSWER.fullmatch(heard):
                col, row = int(found[1]), int(found[2])
                self._history = [*game.history, row * game.width + col]
                time.sleep(SETTLE_SECONDS)
                return row, col
        raise AgentFailure(f"gave no move within {self.seconds:g} s{last_words(heard)}")


def last_words(heard: str) -> str:
    """What an engine printed last instead of an answer, for the sentence that tells of it."""
    return f"; it printed {plain(heard)!r}" if heard else ""


def board_lines(game: Mock5) -> list[str]:
    """BOARD … DONE for a position, as the player to move sees it."""
    first = 1 if game.player == 1 else 2
    stones = [f"{xy(move, game)},{first if ply % 2 == 0 else 3 - first}" for ply, move in enumerate(game.history)]
    return ["BOARD", *stones, "DONE"]
