"""Go's text protocol both ways (GTP, version 2, G. Farnebäck 2002): our agents for any program, programs as our agents.

Commands go in lines, each with a number if one likes; the answer to each is "= …" or "? …" with the same number, and
an empty line.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress

from mock5go.board import LARGEST, SMALLEST, Go
from mock5lib.base import VERSION, arguments
from mock5lib.base.contract import AgentFailure, Named, agent_name
from mock5lib.engines.process import EngineProcess, conversation

LONGEST_LINE = 1024  # characters; no command needs as many
SECONDS = 30.0  # for a foreign program's answer
QUIT_SECONDS = 0.5  # for its end
COLORS = {"b": 1, "black": 1, "w": 2, "white": 2}


class Refused(AgentFailure):
    """A foreign program does not follow a command."""


class GtpError(ValueError):
    """A command that cannot be followed; its text goes out after "?"."""


class Responder:
    """The answering side of the protocol, without the pipes: `reply(line)` gives the answer to one line.

    Args:
        agent: any agent for Go.

    Attributes:
        running: False after quit. game: the position. Colors may move twice in a row, as the protocol wants it: the
            other one passes in between.
    """

    def __init__(self, agent):
        self.agent, self.running, self.game = agent, True, Go(19)
        self._before: list[Go] = []  # positions for undo

    def reply(self, line: str) -> str:
        """The answer with its empty line; "" to an empty line. It never raises."""
        if len(line) > LONGEST_LINE:
            return "? line too long\n\n"
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
            wrong = isinstance(problem, TypeError) and "positional argument" in str(problem)
            text = f"{words[0]} with {len(words) - 1} arguments" if wrong else f"{type(problem).__name__}: {problem}"
            sign, answer = "?", re.sub(r"[^\x20-\x7e]|\s+", " ", text)[:200]
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
        if hasattr(self.agent, "forget"):
            self.agent.forget()

    def komi(self, komi: str) -> str:
        board, player = self.game.start
        try:
            self.game = Go(self.game.size, float(komi), board=list(board), player=player, history=self.game.history)
        except ValueError:
            raise GtpError("komi not a float") from None
        return ""

    def play(self, color: str, vertex: str) -> str:
        game = self._turned_to(color)
        try:
            game.apply(game.move_named(vertex))
        except ValueError:
            raise GtpError("illegal move") from None
        self._before.append(self.game)
        self.game = game
        return ""

    def genmove(self, color: str) -> str:
        game = self._turned_to(color)
        move = self.agent(game.copy())
        if move is None:
            return "resign"
        try:
            game.apply(move)
        except (TypeError, ValueError, IndexError) as problem:
            raise GtpError(f"the agent played an illegal move: {problem}") from None
        self._before.append(self.game)
        self.game = game
        return game.name_of(game.history[-1])

    def _turned_to(self, color: str) -> Go:
        """A copy of the game in which this color is to move."""
        player, game = number_of(color), self.game.copy()
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

    def list_stones(self, color: str) -> str:
        player = number_of(color)
        return " ".join(self.game.name_of(point) for point, stone in enumerate(self.game.board) if stone == player)

    def final_score(self) -> str:
        lead = self.game.lead()
        return f"{'B' if lead > 0 else 'W'}+{abs(lead):g}" if lead else "0"

    def time_settings(self, *settings: str) -> str:
        """Accepted and not looked at: an agent has its own budget."""
        return ""

    time_left = time_settings


NAMES = (
    "protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove undo"
    " showboard list_stones final_score time_settings time_left"
)
COMMANDS = {name: getattr(Responder, name) for name in NAMES.split()}


def number_of(color: str) -> int:
    """1 for black and 2 for white."""
    if color.lower() not in COLORS:
        raise GtpError("no such color, black or white")
    return COLORS[color.lower()]


def serve(agent, given: int = 0, taken: int = 1) -> None:
    """Answer on two file descriptors until quit or the end of the input. Raises BrokenPipeError."""
    responder = Responder(agent)
    for line, answers in conversation(given, taken):
        answers.write(responder.reply(line))
        if not responder.running:
            return


class GtpAgent(Named):
    """A foreign Go program as an agent; it starts when it is asked for the first time.

    Args:
        command: program and arguments. seconds: for each answer. memory: bytes that it may use (on Linux).
        seed: told by `set_random_seed`, where it knows that command; None leaves it out.

    A program that is late, refuses a move or dies loses the game: the call raises `AgentFailure`, and the next one
    starts it anew.
    """

    own_clock = True  # a match leaves the time to it

    def __init__(self, command, seconds: float = SECONDS, memory: int | None = None, *, seed=None, name=None):
        if not command:
            raise ValueError("A Go program needs a command, got an empty one.")
        arguments.above(0, seconds=seconds)
        self.command, self.seconds, self.memory, self.seed = list(command), seconds, memory, seed
        self.name = name or os.path.basename(command[0])
        self.asked = 0  # commands so far
        self._process: EngineProcess | None = None
        self._known: tuple | None = None  # size, komi and moves of the game that it knows

    def refuses(self, game) -> str:
        """Why it can't play a game, as the end of a sentence, or ""."""
        return "" if isinstance(game, Go) else f"is a Go program, and can't play {type(game).__name__}"

    def __call__(self, game: Go) -> int | None:
        """Its move, None to resign."""
        check_played(game)
        try:
            if self._process is None and self.seed is not None:
                with suppress(Refused):
                    self.ask(f"set_random_seed {self.seed}")
            self._show(game)
            answer = self.ask(f"genmove {game.color_name(game.player)}")
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

    def ask(self, command: str) -> str:
        """The first line of the answer to a command, without its number; whatever else it prints is passed over."""
        if self._process is None:
            self._process = EngineProcess(self.command, self.memory)
        self.asked += 1
        self._process.send(f"{self.asked} {command}")
        for line in self._process.lines(self.seconds):
            head, _, rest = line.strip().partition(" ")
            if head == f"={self.asked}":
                return rest.strip()
            if head == f"?{self.asked}":
                raise Refused(f"refused {command!r}: {rest.strip()[:100]}")
        raise AgentFailure(f"gave no answer to {command!r} within {self.seconds:g} s")

    def set_up(self, game: Go) -> None:
        """Have its board show the position of `game`, played from an empty board."""
        check_played(game)
        for command in (f"boardsize {game.size}", "clear_board", f"komi {game.komi:g}"):
            self.ask(command)
        for ply, move in enumerate(game.history):
            self.ask(play_command(game, move, 1 + ply % 2))

    def close(self) -> None:
        """End the program; the next question starts another."""
        if self._process is not None:
            self._process.close("quit", QUIT_SECONDS)
        self._process = self._known = None

    def _show(self, game: Go) -> None:
        """Bring its board to this position by the moves that it does not know."""
        size, komi, moves = self._known or (0, 0.0, [])
        if (size, komi) != (game.size, game.komi) or moves != game.history[: len(moves)]:
            self.set_up(game)
            return
        for ply in range(len(moves), len(game.history)):
            self.ask(play_command(game, game.history[ply], 1 + ply % 2))


def check_played(game: Go) -> None:
    """Raise a ValueError unless the game was played from an empty board, black first."""
    if any(game.start[0]) or game.start[1] != 1:
        raise ValueError("A Go program is shown games that were played from an empty board, black first.")


def play_command(game: Go, move: int, player: int) -> str:
    """The command that plays a move."""
    return f"play {game.color_name(player)} {game.name_of(move)}"
