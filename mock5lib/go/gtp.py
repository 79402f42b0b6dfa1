"""Our agents for any Go program, by the Go Text Protocol (GTP), version 2 (G. Farnebäck 2002).

A program sends commands in lines and gets "= …" or "? …" for each, ended by an empty line. Foreign programs as our
agents are in `engine.py`.
"""

from __future__ import annotations

import os
import re

from mock5lib.base.contract import KeepsTree, agent_name
from mock5lib.base.interrupts import raise_interrupt
from mock5lib.base.process import split_lines
from mock5lib.base.versions import VERSION
from mock5lib.go.board import LARGEST, SMALLEST, Go

LONGEST_LINE = 1024  # bytes that are looked at; no command needs as many
UNDOS = 1200  # moves that can be taken back: those of the longest game
COLOURS = {"b": 1, "black": 1, "w": 2, "white": 2}


class GtpError(ValueError):
    """A command that cannot be followed; its text goes out after "?"."""


class Responder:
    """The answering side of the protocol, without the pipes: `reply(line)` gives the answer to one line.

    Args:
        agent: any agent for Go.

    Attributes:
        running: False after quit. game: the position. Colours may move twice in a row, as the protocol wants it: the
            other one passes in between.
    """

    def __init__(self, agent):
        self.agent, self.running, self.game = agent, True, Go(19)
        self._before: list[Go] = []  # positions for undo

    def reply(self, line: str) -> str:
        """The answer with its empty line; "" to an empty line. It never raises."""
        text = re.sub(r"[^\x20-\x7e]", "", line.partition("#")[0].replace("\t", " ")).strip()
        if not text:
            return ""
        found = re.match(r"(\d{1,9})(?:\s+|$)", text)
        number, words = (found[1], text[found.end() :].split()) if found else ("", text.split())
        try:
            if not words or words[0] not in COMMANDS:
                raise GtpError("unknown command")
            sign, answer = "=", COMMANDS[words[0]](self, *words[1:])
        except GtpError as problem:
            sign, answer = "?", str(problem)
        except Exception as problem:  # noqa: BLE001 - an agent that fails loses its game; the program answers on
            raise_interrupt(problem)
            sign, answer = "?", wrong_use(words, problem)
        return f"{sign}{number} {answer}".rstrip() + "\n\n"

    # Commands

    def protocol_version(self) -> str:
        return "2"

    def name(self) -> str:
        return re.sub(r"\s+", " ", f"mock5 {agent_name(self.agent)}")

    def version(self) -> str:
        return VERSION

    def known_command(self, command: str = "") -> str:
        return "true" if command in COMMANDS else "false"

    def list_commands(self) -> str:
        return "\n".join(sorted(COMMANDS))

    def quit(self) -> str:
        self.running = False
        return ""

    def boardsize(self, size: str) -> str:
        if not (size.isdigit() and len(size) < 3 and SMALLEST <= int(size) <= LARGEST):
            raise GtpError("unacceptable size")
        self._new_game(Go(int(size), self.game.komi))
        return ""

    def clear_board(self) -> str:
        self._new_game(Go(self.game.size, self.game.komi))
        return ""

    def _new_game(self, game: Go) -> None:
        self.game, self._before = game, []
        if isinstance(self.agent, KeepsTree):
            self.agent.forget()

    def komi(self, komi: str) -> str:
        try:
            game = Go(self.game.size, float(komi), history=self.game.history)
        except ValueError:
            raise GtpError("komi not a float") from None
        self.game = game if not any(self.game.start[0]) else with_komi(self.game, game.komi)
        return ""

    def play(self, colour: str, vertex: str) -> str:
        game = self._turned_to(colour)
        try:
            game.apply(game.move_named(vertex))
        except ValueError:
            raise GtpError("illegal move") from None
        self._take(game)
        return ""

    def genmove(self, colour: str) -> str:
        game = self._turned_to(colour)
        move = self.agent(game.copy())
        if move is None:
            return "resign"
        try:
            game.apply(move)
        except (TypeError, ValueError, IndexError) as problem:
            raise GtpError(f"the agent played an illegal move: {problem}") from None
        self._take(game)
        return game.name_of(game.history[-1])

    def _take(self, game: Go) -> None:
        self._before = [*self._before[1 - UNDOS :], self.game]
        self.game = game

    def _turned_to(self, colour: str) -> Go:
        """A copy of the game in which this colour is to move."""
        if colour.lower() not in COLOURS:
            raise GtpError("no such colour, black or white")
        player, game = COLOURS[colour.lower()], self.game.copy()
        if game.winner is None and game.player != player:
            game.apply(game.pass_move)
        if game.winner is not None:  # a program goes on after two passes, to take dead stones off
            game = Go(game.size, game.komi, board=list(game.board), player=player)
        return game

    def undo(self) -> str:
        if not self._before:
            raise GtpError("cannot undo")
        self.game = self._before.pop()
        return ""

    def showboard(self) -> str:
        return "\n" + str(self.game)

    def list_stones(self, colour: str) -> str:
        if colour.lower() not in COLOURS:
            raise GtpError("no such colour, black or white")
        player = COLOURS[colour.lower()]
        return " ".join(self.game.name_of(point) for point, stone in enumerate(self.game.board) if stone == player)

    def final_score(self) -> str:
        lead = self.game.lead()
        return f"{'B' if lead > 0 else 'W'}+{abs(lead):g}" if lead else "0"

    def ignored(self, *settings: str) -> str:
        """Time settings: an agent has its own budget."""
        return ""


COMMANDS = {
    **{name: getattr(Responder, name) for name in ("protocol_version", "name", "version", "known_command", "quit")},
    **{name: getattr(Responder, name) for name in ("list_commands", "boardsize", "clear_board", "komi", "play")},
    **{name: getattr(Responder, name) for name in ("genmove", "undo", "showboard", "list_stones", "final_score")},
    "time_settings": Responder.ignored,
    "time_left": Responder.ignored,
}


def with_komi(game: Go, komi: float) -> Go:
    """A game from a set-up board with another komi."""
    board, player = game.start
    return Go(game.size, komi, board=list(board), player=player, history=game.history)


def wrong_use(words: list[str], problem: Exception) -> str:
    """What to say of a command that raised: too few or too many words, or the agent failed."""
    if isinstance(problem, TypeError) and "positional argument" in str(problem):
        return f"{words[0]} with {len(words) - 1} arguments"
    return re.sub(r"[^\x20-\x7e]|\s+", " ", f"{type(problem).__name__}: {problem}")[:200]


def serve(agent, given: int = 0, taken: int = 1) -> None:
    """Answer on two file descriptors until quit or the end of the input. Raises BrokenPipeError."""
    responder = Responder(agent)
    for line in split_lines(given, LONGEST_LINE + 1):
        answer = "? line too long\n\n" if len(line) > LONGEST_LINE else responder.reply(line.decode(errors="replace"))
        data = answer.encode()
        while data:
            data = data[os.write(taken, data) :]
        if not responder.running:
            return
