"""`mock5 play`: a board in the terminal, against any agent, or to watch two of them.

`mock5 engine`: one of our agents as a brain for any Gomocup manager.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import contextmanager, nullcontext
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from mock5lib.base.contract import agent_name, refusal
from mock5lib.cli.common import BOARD, GameFile, K, Seed, few_threads, plain_errors, recipe_for, start_of
from mock5lib.game.board import Mock5
from mock5lib.game.kit import lacking
from mock5lib.game.points import DIGITS, typed_point
from mock5lib.game.session import Session, ended

STONES = {0: ("·", "grey50"), 1: ("●", "bold bright_blue"), 2: ("○", "bold bright_yellow")}
PLAIN_STONES = ".XO"
HELP = """\
Type a point as row and column: {example}. Or:
  u, undo        take back your last move and the answer to it
  swap           take over the other color; after a game, in a new one
  new            start again
  r, resign      give up this game
  q, quit        leave
  ?, help        this text"""

SHORT = {"?": "help", "u": "undo", "r": "resign", "q": "quit"}


class TerminalGame(Session):
    """A game at the terminal.

    Args:
        game: where to start; it is copied.
        agents: player → agent, or None for a human.
        console: where it is shown. read: reads a line for a prompt.
    """

    def __init__(self, game: Mock5, agents: dict, console: Console, read: Callable[[str], str] = input):
        super().__init__(game, agents)
        self.console, self.read = console, read

    def run(self) -> None:
        """Play until the human leaves, or until the game is over where no human plays."""
        human = None in self.agents.values()
        if human:
            self.help()
        self.show()
        while True:
            if self.agent is not None:
                self.agent_moves()
            elif not human or not self.command():
                return

    def agent_moves(self) -> None:
        """Let the agent to move play; one that fails loses, and is told why."""
        name = agent_name(self.agent)
        with self.waiting(name) if self.console.is_terminal else nullcontext():
            self.ask(name)
        self.show()

    @contextmanager
    def waiting(self, name: str):
        """A spinner that says what an agent is waited for."""
        from mock5lib.base.progress import COMPILING, while_compiling

        thinking = f"{name} is thinking …"
        with self.console.status(thinking) as status:
            with while_compiling(lambda runs: status.update(f"{name}: {COMPILING}" if runs else thinking)):
                yield

    # What the human types

    def command(self) -> bool:
        """Read one line and do what it says; False to leave."""
        color = color_of(self.game, self.game.player)
        try:
            line = self.read("new or quit > " if self.result is not None else f"{color}, your move (? for help) > ")
        except (EOFError, OSError, RuntimeError):  # the end of what is typed, or there is no keyboard
            self.console.print()
            return False
        word = line.strip().lower()
        word = SHORT.get(word, word)
        if word == "quit":
            return False
        try:
            match word:
                case "undo":
                    if not self.undo():
                        raise ValueError("There is no move of yours to take back.")
                    self.show()
                case "swap" | "new":
                    new = word == "new" or self.result is not None
                    getattr(self, word)()
                    if new:
                        self.show()
                case "resign":
                    if self.result is None:
                        self.lose(f"{color_of(self.game, self.game.player)} resigned")
                    self.show()
                case "help":
                    self.help()
                case "":
                    pass
                case _:
                    self.play(line)
        except ValueError as problem:
            self.say(str(problem))
        return True

    def play(self, line: str) -> None:
        """Play the move that a line names."""
        if self.result is not None:
            raise ValueError("The game is over; new starts another one.")
        self.game.apply(read_move(line, self.game))
        if self.agent is None:  # else the agent's answer is shown with it
            self.show()

    def help(self) -> None:
        """Show the commands, with a point of this board as example."""
        if not moves_are_points(self.game):
            text = HELP.replace("a point as row and column", "the number of a move").format(
                example="0 is the first one"
            )
            self.console.print(text, style="dim", highlight=False)
            return
        row, col = self.game.height // 2, self.game.width - 1
        digits = f"{DIGITS[row]}{DIGITS[col].lower()}"
        example = f"{digits} or {row} {col} is row {row}, column {DIGITS[col]}"
        example += "; row A, column 1 is a 1, with a space" if self.game.height > 10 else ""
        example += ".\nA letter before a number is a column, rows from below: a1 or A1 is the lower left corner"
        example += "; or pass" if hasattr(self.game, "pass_move") else ""
        self.console.print(HELP.format(example=example), style="dim", highlight=False)

    # What is shown

    def say(self, text: str) -> None:
        """A line of news."""
        self.console.print(text, style="yellow", highlight=False, markup=False)

    def show(self) -> None:
        """The board, and how the game stands."""
        self.console.print(board_text(self.game, plain_stones(self.console.encoding)))
        if self.game.history:
            who, what = self.name_of(3 - self.game.player), played(self.game)
            self.console.print(f"move {len(self.game.history)}: {who} {what}", highlight=False, markup=False)
        if hasattr(self.game, "score_text"):
            self.console.print(self.game.score_text(), highlight=False, markup=False)
        if self.forfeit:
            self.say(f"{self.name_of(3 - self.loser)} wins: {ended(self.forfeit)}")
        elif self.game.winner is not None:
            self.say("A draw." if self.game.winner == 0 else f"{self.name_of(self.game.winner)} wins.")

    def name_of(self, player: int) -> str:
        """A player's color, with the agent's name."""
        agent = self.agents[player]
        return color_of(self.game, player) + (f" ({agent_name(agent)})" if agent is not None else "")


def color_of(game, player: int) -> str:
    """'black' or 'white', or what a game calls its players."""
    return game.color_name(player) if hasattr(game, "color_name") else ("empty", "black", "white")[player]


def moves_are_points(game) -> bool:
    """Whether the moves of a game are points of its board, and perhaps a pass."""
    return getattr(game, "actions", 0) >= game.height * game.width


def played(game) -> str:
    """What was done last, as the end of a sentence."""
    move = game.history[-1]
    if move == getattr(game, "pass_move", None):
        return "passed"
    if hasattr(game, "name_of"):
        return f"at {game.name_of(move)}"
    if not moves_are_points(game):
        return f"played {move}"
    return f"at {DIGITS[move // game.width]} {DIGITS[move % game.width]}"


def plain_stones(encoding: str | None) -> bool:
    """Whether a terminal lacks the round stones, and shows `. X O` instead: black is X."""
    try:
        "".join(sign for sign, _ in STONES.values()).encode(encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return True
    return False


def board_text(game: Mock5, plain: bool = False) -> Text:
    """The board with colored stones, the last one underlined; `plain` for terminals without round ones."""
    last = game.history[-1] if game.history else -1
    text = Text("   " + " ".join(f"{DIGITS[col]:>2}" for col in range(game.width)) + "\n", style="dim")
    for row in range(game.height):
        text.append(f" {DIGITS[row]} ", style="dim")
        for col in range(game.width):
            point = row * game.width + col
            sign, style = STONES[game.board[point]]
            sign = PLAIN_STONES[game.board[point]] if plain else sign
            text.append(" ").append(sign, style=f"{style} underline" if point == last else style).append(" ")
        text.append("\n")
    return text


def read_move(line: str, game) -> int:
    """The move of a line: a point as `read_point` takes it, a pass, or the number of a move that is no point."""
    if line.strip().lower() == "pass" and hasattr(game, "pass_move"):
        return game.pass_move
    if moves_are_points(game):
        row, col = read_point(line, game)
        return row * game.width + col
    if not line.strip().isdecimal():
        raise ValueError(f"{line.strip()!r} is no number of a move, nor a command; ? shows what there is.")
    return int(line)


def read_point(line: str, game: Mock5) -> tuple[int, int]:
    """The (row, column) of a line; a ValueError if it is none, see `typed_point`."""
    if found := typed_point(line, game.height, game.width):
        return found
    raise ValueError(f"{line.strip()!r} is no point of this board, nor a command; ? shows what there is.")


def play(
    agent: Annotated[str, typer.Argument(help="The opponent; or, with a second agent, black.")] = "greedy",
    other: Annotated[str | None, typer.Argument(help="Watch: this agent plays white.")] = None,
    white: Annotated[bool, typer.Option("--white", help="You play white; the agent begins.")] = False,
    board: Annotated[str, typer.Option(help="Side of the board, or rows x columns such as 9x12.")] = BOARD,
    k: Annotated[int, typer.Option(help="In a row to win.", min=1)] = K,
    game: GameFile = None,
    seed: Annotated[int | None, typer.Option(help="For the agents' random numbers.")] = None,
) -> None:
    """Play in the terminal against an agent, or watch two agents.

    \b
    Heuristics: greedy, defensive, pt, df, mixed; and random
      mock5 play greedy
    The course's nets, the one that fits the board: `mock5 agents` lists them
      mock5 play alphazero@200
      mock5 play alphazero@64 --board 15
      mock5 play alphazero@100 --board 6 --k 4
    UCT with 1,000 simulations a move, or half a second
      mock5 play uct:1000
      mock5 play uct:0.5s
    A net of yours: its most probable move, or with 64 simulations per move
      mock5 play policy:runs/mine/last
      mock5 play alphazero:runs/mine/last@64
    Any engine that speaks the Gomocup protocol
      mock5 play "engine,seconds=2:/path/to/engine"
    Options of an agent stand before the colon
      mock5 play uct,c=0.5:1000
    Watch two agents
      mock5 play uct:1000 mixed
    A game of your own
      mock5 play uct:1000 --game examples/reversi.py:Reversi
    """
    with plain_errors("The game was not kept; the same command starts another."):
        few_threads()
        start = start_of(board, k, game)
        if why := lacking(start):
            raise ValueError(f"A board in the terminal {why}.")

        def made(name: str, seed: int | None):  # an agent that calls itself as it was typed
            one = recipe_for(name, start, name).make(seed)
            if why := refusal(one, start):
                raise ValueError(why)
            return one

        first, second = made(agent, seed), other and made(other, None if seed is None else seed + 1)
        agents = {1: first, 2: second} if white or second else {1: None, 2: first}
        shown = TerminalGame(start, agents, Console())
        try:
            shown.run()
        finally:
            for one in agents.values():
                if hasattr(one, "close"):
                    one.close()
        if shown.forfeit and not shown.forfeit.endswith(" resigned"):
            raise typer.Exit(1)  # as a match that an agent breaks


def engine(
    agent: Annotated[str, typer.Option(help="Which agent plays; see `mock5 play --help`.")] = "uct:10000",
    seed: Seed = 0,
) -> None:
    """Be an engine: speak the Gomocup protocol on standard input and output.

    A manager, the program that runs a tournament of engines, starts it, sends
    START, INFO, TURN and so on, and reads moves as x,y, column first. The
    manager's limits of time and memory are kept.

    \b
    What a manager starts
      mock5 engine --agent expert:data/checkpoints/supervised_9x9@200
    By hand: a 9 × 9 board, your stone in its middle, the answer
      printf 'START 9\\nTURN 4,4\\nEND\\n' | mock5 engine --agent greedy
    """
    from mock5lib.engines.gomocup import serve

    answer_as_engine(agent, seed, Mock5(9, 9), serve)


def answer_as_engine(agent: str, seed: int, start, serve: Callable) -> None:
    """Let `serve(agent, input, output)` answer with an agent for games like `start`; then this process ends."""
    with plain_errors("An engine keeps no games; its manager starts it again."):
        few_threads()
        made = recipe_for(agent, start).make(seed)
        if why := refusal(made, start):
            raise ValueError(why)
        answers = os.dup(1)
        os.dup2(2, 1)  # whatever a library prints must not get between the answers
        try:
            serve(made, 0, answers)
        except BrokenPipeError:
            pass
    sys.stderr.flush()
    os._exit(0)  # an agent that was late may still be thinking
