"""A foreign Go program as an agent, by the Go Text Protocol (GTP), version 2 (G. Farnebäck 2002).

Each command goes out with a number, and its answer begins with "=" (or "?" for a refusal) and the same number; whatever
else a program prints is passed over. The other way round, our agents for any Go program, is `gtp.py`.
"""

from __future__ import annotations

import os
import time

from mock5lib.base import ranges
from mock5lib.base.contract import AgentFailure
from mock5lib.base.process import EngineGone, EngineProcess
from mock5lib.go.board import Go

SECONDS = 30.0  # for an answer
COLOURS = ("", "black", "white")


class GtpProgram:
    """A running Go program that answers commands.

    Args:
        command: program and arguments. seconds: for each answer. memory: bytes that it may use (on Linux).

    Raises:
        ValueError: no command, or no time. AgentFailure: it cannot be started.
    """

    def __init__(self, command: list[str], seconds: float = SECONDS, memory: int | None = None):
        if not command:
            raise ValueError("A Go program needs a command, got an empty one.")
        ranges.above(0, seconds=seconds)
        self.seconds, self.asked = seconds, 0
        try:
            self.process = EngineProcess(list(command), memory=memory)
        except OSError as problem:
            raise AgentFailure(f"cannot be started: {problem.strerror or problem}") from None

    def ask(self, command: str) -> str:
        """The first line of the answer to a command, without its number.

        Raises:
            AgentFailure: it refuses, answers nothing in time, or has ended.
        """
        self.asked += 1
        deadline = time.monotonic() + self.seconds
        try:
            self.process.send(f"{self.asked} {command}")
            while (left := deadline - time.monotonic()) > 0 and (line := self.process.line(left)) is not None:
                head, _, rest = line.strip().partition(" ")
                if head == f"={self.asked}":
                    return rest.strip()
                if head == f"?{self.asked}":
                    raise AgentFailure(f"refused {command!r}: {rest.strip()[:100]}")
        except EngineGone as gone:
            raise AgentFailure(str(gone)) from None
        raise AgentFailure(f"gave no answer to {command!r} within {self.seconds:g} s")

    def set_up(self, game: Go) -> None:
        """Have its board show the position of `game`, played from an empty board."""
        check_played(game)
        for command in (f"boardsize {game.size}", "clear_board", f"komi {game.komi:g}"):
            self.ask(command)
        for ply, move in enumerate(game.history):
            self.ask(play_command(game, move, 1 + ply % 2))

    def close(self) -> None:
        """End it."""
        try:
            self.process.send("quit", seconds=0.1)
            self.process.wait(0.5)
        except EngineGone:
            pass
        self.process.close()


def check_played(game: Go) -> None:
    """Raise a ValueError unless the game was played from an empty board, black first."""
    if any(game.start[0]) or game.start[1] != 1:
        raise ValueError("A Go program is shown games that were played from an empty board, black first.")


def play_command(game: Go, move: int, colour: int) -> str:
    """The command that plays a move."""
    return f"play {COLOURS[colour]} {game.name_of(move)}"


class GtpAgent:
    """A foreign Go program as an agent.

    Args:
        command, seconds, memory: see `GtpProgram`. A program that is late, refuses a move or dies loses the game: the
            call raises `AgentFailure`, and the next one starts it anew.
        seed: told by `set_random_seed`, where it knows that command; None leaves it out.
    """

    own_clock = True  # a match leaves the time to it

    def __init__(self, command, seconds: float = SECONDS, memory: int | None = None, *, seed=None, name=None):
        if not command:
            raise ValueError("A Go program needs a command, got an empty one.")
        ranges.above(0, seconds=seconds)
        self.command, self.seconds, self.memory, self.seed = list(command), seconds, memory, seed
        self.name = name or os.path.basename(command[0])
        self._program: GtpProgram | None = None
        self._known: tuple | None = None  # size, komi and moves of the game that it knows

    def __call__(self, game: Go) -> int | None:
        """Its move, None to resign.

        Raises:
            ValueError: a game from a set-up board. AgentFailure: no move.
        """
        check_played(game)
        try:
            if self._program is None:
                self._start()
            self._show(game)
            answer = self._program.ask(f"genmove {COLOURS[game.player]}")
            if answer.lower() == "resign":
                return None
            move = game.move_named(answer)
        except AgentFailure:
            self.close()
            raise
        except ValueError:
            self.close()
            raise AgentFailure(f"answered {answer[:40]!r}, which is no move") from None
        self._known = game.size, game.komi, [*game.history, move]
        return move

    def _start(self) -> None:
        self._program, self._known = GtpProgram(self.command, self.seconds, self.memory), None
        if self.seed is not None:
            try:
                self._program.ask(f"set_random_seed {self.seed}")
            except AgentFailure as problem:
                if not str(problem).startswith("refused"):
                    raise

    def _show(self, game: Go) -> None:
        """Bring its board to this position by the moves that it does not know."""
        size, komi, moves = self._known or (0, 0.0, [])
        if (size, komi) != (game.size, game.komi) or moves != game.history[: len(moves)]:
            self._program.set_up(game)
            return
        for ply in range(len(moves), len(game.history)):
            self._program.ask(play_command(game, game.history[ply], 1 + ply % 2))

    def close(self) -> None:
        """End the program; the next question starts another."""
        if self._program is not None:
            self._program.close()
        self._program = self._known = None
