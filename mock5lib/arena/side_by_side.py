"""Many games between two agents, side by side, whatever the agents do: resign, raise, stall, die or answer nonsense."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import inf
from typing import NamedTuple

import numpy as np

from mock5lib.base.contract import AgentFailure, agent_name
from mock5lib.game.board import Mock5
from mock5lib.game.referee import NO_ANSWER, Outcome, answer_of, play_answer, winner_said
from mock5lib.gomoku.generator import play_chunk
from mock5lib.gomoku.heuristics import Heuristic
from mock5lib.gomoku.heuristics_compiled import HEURISTICS, tables_for
from mock5lib.gomoku.lines_compiled import lines_of

now = time.perf_counter  # a name of its own, so that tests can bring another clock


class PlayedGame(NamedTuple):
    """One game of a match, finished on the board or off it."""

    outcome: Outcome  # counts agents, not colors
    board: object  # the game where it ended
    played: int  # moves after the opening


class PlayedPairs(NamedTuple):
    """Pairs of games between two agents."""

    games: list[PlayedGame]
    seconds: tuple[float, float]  # that each agent thought: of the processor, or by the clock if it keeps its own
    moves: tuple[int, int]  # that it was asked for; 0 for heuristics that play compiled games


def play_pairs(
    starts: list, agent1, agent2, *, seconds: float | None = None, finished: Callable[[int], None] = lambda games: None
) -> PlayedPairs:
    """Two games from each position, side by side; `agent1` is player 1 in games 0, 2, 4 …

    Args:
        starts: running positions of one game and one set of rules.
        seconds: allowed for a move; see `match`.
        finished: called with the number of games that have ended since the last call.
    """
    if all(isinstance(agent, Heuristic) for agent in (agent1, agent2)) and all(map(is_record, starts)):
        games = play_heuristics(agent1, agent2, starts)
        finished(len(games))
        return PlayedPairs(games, (0.0, 0.0), (0, 0))
    boards = [start.copy() for start in starts for _ in range(2)]
    outcomes: list[Outcome | None] = [None] * len(boards)
    agents = {1: agent1, 2: agent2}
    thought, asked, played = {1: 0.0, 2: 0.0}, {1: 0, 2: 0}, [0] * len(boards)
    running = list(range(len(boards)))
    while running:
        before = len(running)
        for number, agent in agents.items():
            # Agents exchange colors in every other game.
            turn = [index for index in running if boards[index].player == (number if index % 2 == 0 else 3 - number)]
            clock = time.perf_counter if getattr(agent, "own_clock", False) else time.process_time
            began = clock()
            answers = ask(agent, [boards[index] for index in turn], seconds)
            thought[number] += clock() - began
            asked[number] += len(turn)
            for index, answer in zip(turn, answers):
                answer = NO_ANSWER if answer is None and played[index] < 2 else answer
                outcomes[index] = outcome_of(boards[index], answer, number, agents)
                played[index] += outcomes[index] is None or boards[index].winner is not None
            running = [index for index in running if outcomes[index] is None]
        finished(before - len(running))
    games = [PlayedGame(*game) for game in zip(outcomes, boards, played)]
    return PlayedPairs(games, (thought[1], thought[2]), (asked[1], asked[2]))


def ask(agent, boards: list, seconds: float | None = None) -> list:
    """The agent's answer for each board: a move, None, or the exception that tells why there is no move.

    An agent with `moves` that raises, or gives too few answers, is asked again, one by one: a bad game should not lose
    the others.
    """
    limit = inf if seconds is None or getattr(agent, "own_clock", False) else seconds
    if boards and hasattr(agent, "moves"):
        answers, took = timed(lambda games: list(agent.moves(games)), [board.copy() for board in boards])
        if isinstance(answers, list) and len(answers) == len(boards):
            return answers if took <= limit * len(boards) else [too_late(seconds)] * len(boards)
    found = [timed(agent, board.copy()) for board in boards]
    return [answer if took <= limit else too_late(seconds) for answer, took in found]


def timed(agent, question) -> tuple[object, float]:
    """What an agent answers, or the exception that it raises, and the seconds that it took."""
    began = now()
    return answer_of(agent, question), now() - began


def too_late(seconds: float | None) -> AgentFailure:
    """What an agent loses by that takes its time."""
    return AgentFailure("gave no move" if seconds is None else f"took more than {seconds:g} s for a move")


def outcome_of(board, answer, number: int, agents: dict) -> Outcome | None:
    """Play agent `number`'s answer on the board. The outcome if the game is over by it, else None."""
    player = board.player
    if fault := play_answer(board, answer):
        return Outcome(3 - number, f"{agent_name(agents[number])} {fault}")
    if winner_said(board) is None:
        return None
    if board.winner == 0:
        return Outcome(0, "draw")
    winner = number if board.winner == player else 3 - number
    return Outcome(winner, f"{agent_name(agents[winner])} won")


# Two heuristics, compiled ---------------------------------------------------------------------------------------


def is_record(position) -> bool:
    """Whether a position is five in a row from the empty board, as compiled agents can take up."""
    if type(position) is not Mock5 or position.k != 5 or position.player != 1 + len(position.history) % 2:
        return False
    return np.count_nonzero(position.cells) == len(position.history)


def play_heuristics(agent1: Heuristic, agent2: Heuristic, starts: list[Mock5]) -> list[PlayedGame]:
    """The same pairs by compiled code; lots are drawn from both agents' random numbers."""
    kinds = np.array([HEURISTICS.index(agent.kind) for agent in (agent1, agent2)])
    seed = agent1.rng.integers(1 << 62) ^ agent2.rng.integers(1 << 62)
    first = starts[0]
    forced = np.full((2 * len(starts), max(len(start.history) for start in starts)), -1, dtype=np.int16)
    for row, start in enumerate(start for start in starts for _ in range(2)):
        forced[row, : len(start.history)] = start.history
    swaps = np.arange(len(forced)) % 2 == 1
    lines, tables = lines_of(first.height, first.width), tables_for(*kinds, both_ways=True)
    moves, lengths, winners, _ = play_chunk(
        lines, tables, kinds, 0.0, 1.0, seed, 0, len(forced), forced, swaps, first.exact
    )
    names = ("", agent1.name, agent2.name)
    games = []
    for number, history in enumerate(np.split(moves, np.cumsum(lengths)[:-1])):
        board = Mock5(first.height, first.width, exact=first.exact, history=history.tolist())
        winner = int(winners[number])
        agent = 3 - winner if winner and swaps[number] else winner
        outcome = Outcome(agent, f"{names[agent]} won" if agent else "draw")
        games.append(PlayedGame(outcome, board, len(history) - len(starts[number // 2].history)))
    return games
