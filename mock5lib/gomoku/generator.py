"""Records of games between two heuristic agents, with random moves that look like mistakes.

The idea is that of lumiknit's generator (2022): a mistake is a point that one could have meant to play, and most
mistakes are made early, while nothing is at stake. The rule here, with randomness r:

- A move is a mistake with chance r / 2; and, if it is not, with chance r once more when the position is quiet: no
  empty point makes an open three or more, for either color.
- To draw a mistake, walk over the empty points from a random one onwards, and note each point that looks better than
  all before it (greedy's score with its noise). One of the last eight points so noted is played.

The games are played by compiled code, on all cores; `slip` is the readable way to draw a mistake. Each game has random
numbers of its own, so the same seed gives the same records whatever the number of workers.

From the command line: `mock5 records generate games.npz --games 4000 --board 9`.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from mock5lib.base import arguments
from mock5lib.base.progress import progress_bar
from mock5lib.game.board import Mock5
from mock5lib.game.records import Records
from mock5lib.gomoku import heuristics_compiled as fast
from mock5lib.gomoku.heuristics import Heuristic, by_name, greedy_scores
from mock5lib.gomoku.heuristics_compiled import HEURISTICS, tables_for
from mock5lib.gomoku.lines_compiled import lines_of
from mock5lib.gomoku.threats import require_five

CHUNK = 64  # games that a worker plays in one go


def generate(
    games: int,
    black: str | Heuristic = "mixed",
    white: str | Heuristic = "mixed",
    height: int = 15,
    width: int = 15,
    *,
    randomness: float = 0.1,
    draws: float = 1.0,
    seed: int = 0,
    workers: int | None = None,
    progress: bool = False,
) -> Records:
    """Play games of five in a row and record them.

    Args:
        games: how many, at least 1.
        black, white: heuristic agents, or their names ("greedy", …). Their random numbers are made from `seed` alone.
        randomness: r of the rule above, from 0 (no mistakes) to 1.
        draws: the chance to keep a drawn game, from 0 to 1. One that is not kept is played again, up to 99 times.
        seed: a whole number from 0.
        workers: threads; default: one for each core.
        progress: show a progress bar.

    Returns:
        The records, with their random moves marked, and a card that tells how they were made.

    Raises:
        ValueError: a number out of range, or no such heuristic agent.
    """
    Mock5(height, width)  # checks the size
    arguments.at_least(1, games=games, workers=workers or 1)
    arguments.at_least(0, seed=seed)
    arguments.share(randomness=randomness, draws=draws)
    kinds = [by_name(agent).kind if isinstance(agent, str) else agent.kind for agent in (black, white)]
    card = {
        "generator": "mock5lib.gomoku.generator 1",
        "black": kinds[0],
        "white": kinds[1],
        "randomness": randomness,
        "draws": draws,
        "seed": seed,
    }
    numbers = np.array([HEURISTICS.index(kind) for kind in kinds])
    lines, tables = lines_of(height, width), tables_for(*numbers)

    def play(first: int):
        return play_chunk(lines, tables, numbers, randomness, draws, seed, first, min(CHUNK, games - first))

    parts = []
    with progress_bar(games, progress, "game") as shown, ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        try:
            for part in pool.map(play, range(0, games, CHUNK)):
                parts.append(part)
                shown.update(len(part[1]))
        except BaseException:  # Ctrl-C: only chunks that have begun are waited for
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    moves, lengths, winners, mistakes = (np.concatenate(pieces) for pieces in zip(*parts))
    return Records(moves, lengths, winners, height, width, mistakes=mistakes, card=card)


def play_chunk(lines, tables, kinds, randomness, draws, seed, first, games, openings=None, swaps=None, exact=False):
    """Games `first` … `first + games − 1` of a seed: (moves flat, lengths, winners, mistakes flat)."""
    points = len(lines.points)
    moves, mistakes = np.zeros((games, points), dtype=np.int16), np.zeros((games, points), dtype=np.bool_)
    lengths, winners = np.zeros(games, dtype=np.int32), np.zeros(games, dtype=np.int8)
    openings = np.zeros((games, 0), dtype=np.int16) if openings is None else openings
    swaps = np.zeros(games, dtype=np.bool_) if swaps is None else swaps
    settings, streams = (float(randomness), exact, float(draws)), (np.uint64(seed), first)
    filled = moves, mistakes, lengths, winners
    fast.play_games(lines, tables, kinds, *settings, openings, swaps, *streams, *filled)
    played = np.arange(points) < lengths[:, None]
    return moves[played], lengths, winners, mistakes[played]


def slip(game, rng: np.random.Generator) -> int:
    """A mistake: one of the last eight points that looked better than all before, on a walk from a random point."""
    require_five(game)
    scores = greedy_scores(game) + rng.random(len(game.cells))
    start, best, noted = int(rng.integers(len(scores))), -np.inf, []
    for point in np.roll(np.arange(len(scores)), -start):
        if game.cells[point] == 0 and scores[point] > best:
            best = scores[point]
            noted.append(int(point))
    return noted[-fast.CANDIDATES :][rng.integers(min(len(noted), fast.CANDIDATES))]
