"""Episodes for REINFORCE: many games between a net and its opponents, side by side on flat arrays.

Each ply, one batch through the net answers all games in which it is to move, and each opponent answers all of its
games at once. Every opening is played twice with colors exchanged, by the same opponent.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from torch import nn

from mock5lib.base import arguments
from mock5lib.base.contract import agent_name, moves_of
from mock5lib.game.board import Mock5, Rules
from mock5lib.game.encoders import Encoder, three_planes
from mock5lib.game.five_compiled import Five
from mock5lib.game.lockstep_compiled import Table, random_openings, sample_moves
from mock5lib.game.position_compiled import chosen
from mock5lib.game.referee import NO_ANSWER, is_resignation, place_of
from mock5lib.gomoku.heuristics import Heuristic
from mock5lib.gomoku.threats import require_five
from mock5lib.nets.nets import device_of, heads


class Episodes(NamedTuple):
    """G games, and the N positions in which the net was to move."""

    positions: Five  # stacked
    moves: np.ndarray  # (N,) int64: what the net played
    values: np.ndarray  # (N,) float32: what its value head said, 0 without one
    games: np.ndarray  # (N,) int64: which game
    moves_left: np.ndarray  # (N,) int64: how many moves the net made in that game after this one
    results: np.ndarray  # (G,) float64: 1 if the net won, 0 drawn, −1 lost
    lengths: np.ndarray  # (G,) int64: plies, the opening's included
    opponents: np.ndarray  # (G,) int64: which opponent; games 2p and 2p + 1 are a pair

    @property
    def pair_scores(self) -> np.ndarray:
        """For each pair of games the net's mean score, 1 a win and 0.5 a draw: (G / 2,)."""
        return (self.results.reshape(-1, 2).mean(axis=1) + 1) / 2


def play_episodes(
    net: nn.Module,
    opponents: list,
    games: int,
    rules: Rules,
    opening_plies: int,
    rng: np.random.Generator,
    *,
    temperature: float = 1.0,
    encoder: Encoder = three_planes,
) -> Episodes:
    """Play `games` games; the net is black in every other one, and draws its moves at `temperature` (0: the best).

    Args:
        opponents: agents; pair number p of games is played by opponents[p % len(opponents)].
        opening_plies: random moves at the start of each pair.
        rng: for the openings, the net's moves and the heuristic opponents'.
    """
    arguments.at_least(2, games=games)
    arguments.even(games=games)
    table = Table(games, rules.board())
    play_openings(table, opening_plies, rng)
    colors = (1 + np.arange(games) % 2).astype(np.int8)
    rivals = np.arange(games) // 2 % len(opponents)
    steps, have_played = [], np.zeros(games, bool)
    while (running := table.running).size:
        to_move = table.players(running) == colors[running]
        own, others = running[to_move], running[~to_move]
        if own.size:
            planes = encoder.encode(chosen(table.positions, own))
            with torch.inference_mode():
                log_priors, values = heads(net, torch.from_numpy(planes).to(device_of(net)))
            drawn = sample_moves(log_priors.float().cpu().numpy(), temperature, rng)
            values = np.zeros(own.size, np.float32) if values is None else values.float().cpu().numpy()
            steps.append((own, table.plies[own], drawn, values))
        moves = np.empty(len(others), dtype=np.int64)
        for number, opponent in enumerate(opponents):
            asked = rivals[others] == number
            if asked.any():
                moves[asked] = answers(opponent, table, others[asked], rng)
                if (moves[asked & ~have_played[others]] < 0).any():
                    raise ValueError(f"{agent_name(opponent)} {NO_ANSWER} Nothing can be learned from it.")
        have_played[others] = True
        if own.size:
            table.place(own, steps[-1][2])
        table.place(others, moves)
    numbers, plies, moves, values = (np.concatenate(parts) for parts in zip(*steps))
    left = np.empty(len(numbers), dtype=np.int64)
    for game in range(games):
        own = np.flatnonzero(numbers == game)
        left[own] = np.arange(own.size)[::-1]
    return Episodes(
        table.positions_at(numbers, plies),
        moves,
        values,
        numbers,
        left,
        table.results(slice(None), colors),
        table.plies,
        rivals,
    )


def play_openings(table: Table, plies: int, rng: np.random.Generator) -> None:
    """Give games 2p and 2p + 1 the same uniform random moves that leave the game undecided."""
    games, points = table.boards.shape
    pairs = np.arange(games).reshape(-1, 2)
    random_openings(table, pairs, lambda n: rng.permuted(np.tile(np.arange(points), (n, 1)), axis=1)[:, :plies])


def answers(agent, table: Table, games: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """An opponent's moves in these games; −1 where it resigns. Heuristics are played by compiled code."""
    if isinstance(agent, Heuristic):
        if agent.kind != "random":
            require_five(table.blank)
        return agent.choose(chosen(table.positions, games), table.histories[games, 0].astype(np.int64), rng)
    boards = [table.game(number) for number in games]
    moves = []
    try:
        replies = moves_of(agent, boards)
    except (Exception, SystemExit) as problem:  # noqa: BLE001 - an agent may raise anything
        said = f"raised {type(problem).__name__}: {problem}{place_of(problem)}"
        raise ValueError(f"{agent_name(agent)} {said}, so nothing can be learned from it.") from problem
    for board, reply in zip(boards, replies):
        try:
            moves.append(-1 if is_resignation(reply) else board.index(reply))
        except TypeError as problem:
            raise TypeError(f"{agent_name(agent)} answered {reply!r}. {problem}") from None
        except IndexError as problem:
            raise ValueError(f"{agent_name(agent)}: {problem} Nothing can be learned from it.") from None
        if moves[-1] >= 0 and board.board[moves[-1]]:
            where = board.name_of(moves[-1])
            raise ValueError(f"{agent_name(agent)} played {where}, which is occupied; nothing can be learned from it.")
    return np.array(moves)


# The readable twin ----------------------------------------------------------------------------------------------


def play_one_episode(
    net: nn.Module,
    opponent,
    game: Mock5,
    color: int,
    rng: np.random.Generator,
    *,
    temperature: float = 1.0,
    encoder: Encoder = three_planes,
) -> tuple[list, float]:
    """One game, one board at a time: ([(position, the net's move), …], result), the result 1, 0 or −1 for the net."""
    steps = []
    while game.winner is None:
        if game.player == color:
            planes = torch.from_numpy(encoder.encode([game])).to(device_of(net))
            with torch.inference_mode():
                log_priors, _ = heads(net, planes)
            move = int(sample_moves(log_priors.float().cpu().numpy(), temperature, rng)[0])
            steps.append((game.copy(), move))
        else:
            move = opponent(game)
        game.apply(move)
    return steps, 0.0 if game.winner == 0 else 1.0 if game.winner == color else -1.0
