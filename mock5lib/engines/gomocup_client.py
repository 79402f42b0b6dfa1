"""Foreign engines as our agents, by the Gomocup protocol (Piskvork); the other way round is `gomocup_server.py`.

Where engines differ from the protocol's text, this manager is as patient as those that engines are tried with: the
tournament's own and c-gomoku-cli send lines that end with LF, and wait for a move whatever else is printed.
"""

from __future__ import annotations

import os
import re
import time

from mock5lib.base.contract import AgentFailure
from mock5lib.engines.gomocup_server import plain, xy
from mock5lib.engines.process import EngineProcess
from mock5lib.game.board import Mock5

ANSWER = re.compile(r"(-?\d{1,9})\s*,\s*(-?\d{1,9})")
END_SECONDS = 1.0  # to end after END; the protocol's own example
SETTLE_SECONDS = 0.02  # after its move: one engine was seen to drop commands for some milliseconds
LARGEST = 2**31 - 1  # engines read numbers into 32 bits, and one was seen to hang on a larger one


class GomocupAgent:
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

    def __call__(self, game: Mock5) -> tuple[int, int]:
        """Its move as (row, column), which may be illegal."""
        if game.k != 5 or len(game.history) != int((game.cells != 0).sum()):
            raise ValueError("An engine plays five in a row, on boards that were played from the beginning.")
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
