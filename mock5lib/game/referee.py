"""One game between two agents, whatever the agents do: resign, raise or answer nonsense.

Works for any game of the course's contract, `base.contract.Game`.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable
from pathlib import PurePath

from mock5lib.base.contract import AgentFailure, agent_name, check_game
from mock5lib.game.points import typed_point

NO_ANSWER = AgentFailure("gave None at its first turn: does it lack a `return`?")  # to resign one must have played
RESIGN, UNDO = (False, 0), (False, 1)  # answers that the original package understands


class Outcome(int):
    """Who won: 1 or 2 for the first or second agent, 0 for a draw; an int with a `.reason` in words."""

    reason: str

    def __new__(cls, winner: int, reason: str) -> Outcome:
        outcome = super().__new__(cls, winner)
        outcome.reason = reason
        return outcome

    def swapped(self) -> Outcome:
        """The same outcome with the two agents' numbers exchanged."""
        return Outcome(3 - self if self else 0, self.reason)

    def __reduce__(self):
        return Outcome, (int(self), self.reason)


def play_game(game, black, white, *, show: Callable | None = None, max_undos: int = 1000) -> Outcome:
    """Play `game` on from where it stands; it is changed in place.

    Args:
        black, white: agents for player 1 and player 2: functions from a game to a move.
        show: called with the game before each move (for example `print`).
        max_undos: how often agents may answer (False, 1), "take back", before that counts as nonsense.

    Returns:
        The winner as the game counts players (1 or 2, 0 for a draw) with the reason.
    """
    check_game(game)
    agents = {1: black, 2: white}
    for agent in agents.values():
        if not callable(agent):
            raise TypeError(f"An agent is a function from a game to a move, got {agent!r}; `mock5lib.agent` makes one.")
    have_played = set()
    while winner_said(game) is None:
        if show is not None:
            show(game)
        player = game.player
        who = f"player {player} ({agent_name(agents[player])})"
        answer = answer_of(agents[player], game.copy())
        answer = NO_ANSWER if answer is None and player not in have_played else answer
        if isinstance(answer, tuple) and answer == UNDO and max_undos > 0:
            max_undos -= 1
            game.undo()
        elif fault := play_answer(game, answer):
            return Outcome(3 - player, f"{who} {fault}")
        else:
            have_played.add(player)
    if game.winner == 0:
        return Outcome(0, "draw")
    return Outcome(game.winner, f"player {game.winner} ({agent_name(agents[game.winner])}) won")


def winner_said(game) -> int | None:
    """None while a game runs, 0 for a draw, 1 or 2; a ValueError if the game calls its winner otherwise."""
    if game.winner not in (None, 0, 1, 2):
        raise ValueError(f"The winner of a game is None, 0, 1 or 2; {type(game).__name__} says {game.winner!r}.")
    return game.winner


def answer_of(agent, game):
    """What an agent answers: a move, None, or the exception that it raises, by which it loses the game."""
    try:
        return agent(game)
    except SystemExit:
        return AgentFailure("tried to end the program")
    except Exception as problem:  # noqa: BLE001 - whatever it is, the game ends by it and nothing else does
        return problem


def play_answer(game, answer) -> str:
    """Play what `answer_of` gives; returns why the agent has lost by it, such as "resigned", or "" if it has not."""
    if isinstance(answer, AgentFailure):
        return str(answer)
    if isinstance(answer, Exception):
        return f"raised {type(answer).__name__}: {answer}{place_of(answer)}"
    try:
        if is_resignation(answer):
            return "resigned"
        game.apply(answer)
    except Exception as problem:  # noqa: BLE001 - an answer may be any object, and fail in any way
        return f"played an illegal move: {problem}"
    return ""


def place_of(problem: Exception) -> str:
    """Where an exception was raised, " (my_agent.py, line 12)"; "" if nobody knows."""
    if isinstance(problem.__cause__, Exception) and type(problem.__cause__).__name__ == "_RemoteTraceback":
        found = re.findall(r'File "([^"]*)", line (\d+)', str(problem.__cause__))  # it came from another process
    else:
        found = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(problem.__traceback__)]
    return f" ({PurePath(found[-1][0]).name}, line {found[-1][1]})" if found else ""


def is_resignation(move) -> bool:
    """None, or the original package's (False, 0) and (None, None)."""
    if move is None:
        return True
    return isinstance(move, tuple) and len(move) == 2 and (move[0] is None or (move[0] is False and move[1] == 0))


def read_human_move(game):
    """An agent that asks at the terminal: a point as in `typed_point`, or `gg` to resign, or `undo`."""
    while True:
        text = input("row and column (e.g. 3a), or h8, 'gg' or 'undo' > ").strip()
        if text.upper() == "GG":
            return RESIGN
        if text.upper() == "UNDO":
            return UNDO
        if (point := typed_point(text, game.height, game.width)) and game.can_place_at(*point):
            return point
        print(f"{text or 'Nothing'} is not an empty point of this board.")


read_human_move.name = "human"  # type: ignore[attr-defined]  # an agent may be a function with a name
