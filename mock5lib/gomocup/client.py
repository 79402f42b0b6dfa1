"""Foreign engines as our agents, by the Gomocup protocol (Piskvork); the other way round is `mock5lib.gomocup.server`.

Where engines differ from the protocol's text, this manager is as patient as those that engines are tried with: the
tournament's own and c-gomoku-cli send lines that end with LF, and wait for a move whatever else is printed.
"""

from __future__ import annotations

import os
import re
import time

from mock5lib.base.contract import AgentFailure
from mock5lib.base.process import EngineGone, EngineProcess
from mock5lib.game.board import Mock5
from mock5lib.gomocup.server import Brain, ProtocolError, plain, serve

__all__ = ["AgentFailure", "Brain", "GomocupAgent", "ProtocolError", "serve"]

ANSWER = re.compile(r"(-?\d{1,9})\s*,\s*(-?\d{1,9})")
END_SECONDS = 1.0  # to end after END; the protocol's own example
LARGEST = 2**31 - 1  # engines read numbers into 32 bits, and one was seen to hang on a larger one


class GomocupAgent:
    """A foreign engine as an agent for five in a row.

    Args:
        command: program and arguments. seconds: a move, which it is told; it loses after `tolerance` seconds more.
        memory: bytes it may use, which it is told and, on Linux, held to.
        info: further INFO keys and values, such as {"MAX_NODE": 1000}.
        start_seconds: to answer START and RESTART, where it may load weights.
        settle: seconds to wait after its move: one engine was seen to drop commands for some milliseconds after it.

    A question without an answer is put once more, as a new game. After that, and when it dies or cannot start, it loses
    the game: the call raises `AgentFailure`, and the next one starts it anew.
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
        settle: float = 0.02,
        name: str | None = None,
    ):
        if not command:
            raise ValueError("An engine needs a command, got an empty one.")
        if not (seconds > 0 and tolerance >= 0 and start_seconds > 0):
            raise ValueError(
                f"seconds and start_seconds are above 0 and tolerance at least 0, got {seconds}, "
                f"{start_seconds} and {tolerance}."
            )
        self.command, self.seconds, self.tolerance, self.memory = list(command), seconds, tolerance, memory
        self.info, self.start_seconds, self.settle = dict(info or {}), start_seconds, settle
        self.name = name or os.path.basename(command[0])
        self._engine: EngineProcess | None = None
        self._rules = None  # of the board that it was started for
        self._history: list[int] = []  # of the position that it knows
        self._heard = ""  # what it printed last that was no answer; of errors the first

    def __call__(self, game: Mock5):
        """Its move as (row, column), which may be illegal.

        Raises:
            ValueError: not five in a row from an empty board. AgentFailure: no move.
        """
        if game.k != 5 or len(game.history) != int((game.cells != 0).sum()):
            raise ValueError("An engine plays five in a row, on boards that were played from the beginning.")
        try:
            return self._ask(game)
        except EngineGone as gone:
            self.close()
            raise AgentFailure(str(gone)) from None
        except AgentFailure:
            self.close()
            raise

    def close(self) -> None:
        """End the engine."""
        if self._engine is not None:
            try:
                self._engine.send("END", seconds=0.1)
                self._engine.wait(END_SECONDS)
            except EngineGone:
                pass
            self._engine.close()
        self._engine = self._rules = None

    @property
    def pid(self) -> int | None:
        """The process of the running engine; None if none runs."""
        return self._engine.process.pid if self._engine else None

    @property
    def errors(self) -> str:
        """The end of the running engine's error output."""
        return self._engine.errors if self._engine else ""

    def _ask(self, game: Mock5):
        if self._engine is None or self._rules != (game.height, game.width, game.exact):
            self._start(game)
        question = self._question(game)  # which may start it anew
        self._heard = ""
        self._engine.drain()
        self._engine.send(*question)
        answer = self._answer()
        if answer is not None:
            time.sleep(self.settle)
            self._history = [*game.history, answer[0] * game.width + answer[1]]
            return answer
        if self._says_ok("RESTART", self.seconds + self.tolerance):  # it may have dropped the command
            self._engine.send(*afresh(game))
            answer = self._answer()
        if answer is None:
            raise AgentFailure(f"gave no move within {self.seconds:g} s{self._last_words()}")
        self.close()  # a second answer may still come, and must not be taken for the next one
        return answer

    def _question(self, game: Mock5) -> list[str]:
        """The shortest commands that bring it from the position that it knows to this one."""
        known = self._history
        if game.history and known == game.history[:-1]:
            return [f"TURN {xy(game.history[-1], game)}"]
        if known and not self._restarts():
            self._start(game)
        return afresh(game)

    def _restarts(self) -> bool:
        """Whether it takes the stones off its board; an engine need not be able to."""
        try:
            return self._says_ok("RESTART", self.start_seconds)
        except EngineGone:
            return False

    def _start(self, game: Mock5) -> None:
        self.close()
        try:
            self._engine = EngineProcess(self.command, memory=self.memory)
        except OSError as problem:
            raise AgentFailure(f"cannot be started: {problem.strerror or problem}") from None  # without its path
        size = f"START {game.width}" if game.width == game.height else f"RECTSTART {game.width},{game.height}"
        if not any(self._says_ok(size, self.start_seconds / 2) for _ in range(2)):
            if self._heard.upper().startswith(("ERROR", "UNKNOWN")):
                raise AgentFailure(f"refused {size}: {plain(self._heard)}")
            raise AgentFailure(
                f"did not answer {size} within {self.start_seconds:g} s (option start){self._last_words()}"
            )
        self._engine.send(*(f"INFO {key} {value}" for key, value in self._settings(game).items()))
        self._rules, self._history = (game.height, game.width, game.exact), []

    def _settings(self, game: Mock5) -> dict:
        usual = {
            "timeout_turn": min(int(1000 * self.seconds), LARGEST),
            "timeout_match": 0,
            "time_left": LARGEST,
            "game_type": 1,
            "max_memory": min(self.memory or 0, LARGEST),
            "rule": int(game.exact),
        }
        return usual | self.info

    def _says_ok(self, command: str, seconds: float) -> bool:
        """Whether it answers a command by OK; not if by ERROR or UNKNOWN, or not in time."""
        self._heard = ""
        self._engine.drain()
        self._engine.send(command)
        for line in self._lines(seconds):
            if line.upper().startswith("OK"):
                return True
            self._note(line)
            if self._heard.upper().startswith(("ERROR", "UNKNOWN")):
                return False
        return False

    def _answer(self) -> tuple[int, int] | None:
        """The point that it answers; None if it gives none in time.

        Lines that name no point are passed over: DEBUG, MESSAGE and SUGGEST by the protocol, and anything else, also
        ERROR and UNKNOWN, because engines print what they like and then move all the same.
        """
        for line in self._lines(self.seconds + self.tolerance):
            if found := ANSWER.fullmatch(line):
                return int(found[2]), int(found[1])
            self._note(line)
        return None

    def _lines(self, seconds: float):
        """What it prints in so many seconds, line by line, without spaces around."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0 and (line := self._engine.line(left)) is not None:
            yield line.strip()

    def _note(self, line: str) -> None:
        """Keep a line that may say why there is no answer."""
        if not self._heard.upper().startswith(("ERROR", "UNKNOWN")):
            self._heard = line

    def _last_words(self) -> str:
        return f"; it printed {plain(self._heard)!r}" if self._heard else ""


def afresh(game: Mock5) -> list[str]:
    """Commands for a position on an empty board of the right size, and a move from there."""
    return board_lines(game) if game.history else ["BEGIN"]


def board_lines(game: Mock5) -> list[str]:
    """BOARD … DONE for a position, as the player to move sees it."""
    first = 1 if game.player == 1 else 2
    stones = [f"{xy(move, game)},{first if ply % 2 == 0 else 3 - first}" for ply, move in enumerate(game.history)]
    return ["BOARD", *stones, "DONE"]


def xy(move: int, game: Mock5) -> str:
    """A point as the protocol writes it."""
    row, col = divmod(move, game.width)
    return f"{col},{row}"
