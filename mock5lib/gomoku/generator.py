"""Records of games between two agents, with random moves that look like mistakes.

The idea is that of lumiknit's generator (2022): a mistake is a point that one could have meant to play, and most
mistakes are made early, while nothing is at stake. The rule here, with randomness r:

- A move is a mistake with chance r / 2; and, if it is not, with chance r once more when the position is quiet: no
  empty point makes an open three or more, for either colour.
- To draw a mistake, walk over the empty points from a random one onwards, and note each point that looks better than
  all before it (greedy's score with its noise). One of the last eight points so noted is played.

Games of heuristic agents are played by compiled code, on all cores. Each game has random numbers of its own, so the
same seed gives the same records whatever the number of workers.

From the command line: `mock5 records generate games.npz --games 4000 --board 9`.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from mock5lib.base import ranges
from mock5lib.base.contract import AgentFailure, agent_name, moves_of
from mock5lib.base.progress import progress_bar
from mock5lib.base.seeds import generator_of
from mock5lib.game.board import Mock5
from mock5lib.game.records import Records
from mock5lib.gomoku import heuristics_fast as fast
from mock5lib.gomoku.heuristics import Heuristic, by_name, greedy_scores
from mock5lib.gomoku.threats import Analysis, Threat, require_five

CHUNK = 64  # games that a worker plays in one go


def generate(
    games: int,
    black="mixed",
    white="mixed",
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
        black, white: names of heuristic agents ("greedy", …), or any agents. Heuristic agents, by name or as objects,
            are played by compiled code with random numbers made from `seed` alone; other agents use their own, and
            one worker.
        randomness: r of the rule above, from 0 (no mistakes) to 1.
        draws: the chance to keep a drawn game, from 0 to 1. One that is not kept is played again, up to 99 times.
        seed: a whole number from 0.
        workers: threads; default: one for each core.
        progress: show a progress bar.

    Returns:
        The records, with their random moves marked, and a card that tells how they were made.

    Raises:
        ValueError: a number out of range, no such agent, or an agent that plays an illegal move.
    """
    Mock5(height, width)  # checks the size
    ranges.at_least(1, games=games, workers=workers or 1)
    ranges.at_least(0, seed=seed)
    ranges.share(randomness=randomness, draws=draws)
    black, white = (by_name(agent, seed) if isinstance(agent, str) else agent for agent in (black, white))
    card = {
        "generator": "mock5lib.gomoku.generator 1",
        "black": agent_name(black),
        "white": agent_name(white),
        "randomness": randomness,
        "draws": draws,
        "seed": seed,
    }
    if isinstance(black, Heuristic) and isinstance(white, Heuristic):
        kinds = (black.kind, white.kind)
        return heuristic_games(games, kinds, height, width, randomness, draws, seed, workers, progress, card)
    return agent_games(games, black, white, height, width, randomness, draws, seed, progress, card)


# Heuristic agents, compiled -------------------------------------------------------------------------------------


def heuristic_games(games, kinds, height, width, randomness, draws, seed, workers, progress, card) -> Records:
    """`generate` for two kinds of heuristic agents: chunks of games, shared out among threads."""
    numbers = np.array([fast.KINDS.index(kind) for kind in kinds])
    lines, tables = fast.lines_of(height, width), fast.tables_for(*numbers)

    def play(first: int):
        return play_chunk(lines, tables, numbers, randomness, draws, seed, first, min(CHUNK, games - first))

    starts = range(0, games, CHUNK)
    parts = []
    with progress_bar(games, progress, "game") as shown, ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        try:
            for part in pool.map(play, starts):
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


# Any agents -----------------------------------------------------------------------------------------------------


def agent_games(games, black, white, height, width, randomness, draws, seed, progress, card) -> Records:
    """`generate` for any two agents: all games side by side, so that nets see batches."""
    streams = np.random.SeedSequence(seed).spawn(3)
    players = {
        1: Careless(black, randomness, np.random.default_rng(streams[0])),
        2: Careless(white, randomness, np.random.default_rng(streams[1])),
    }
    keep = np.random.default_rng(streams[2])
    boards = [Mock5(height, width) for _ in range(games)]
    mistakes: list[list[bool]] = [[] for _ in range(games)]
    attempts = np.zeros(games, dtype=int)
    running = list(range(games))
    with progress_bar(games, progress, "game") as shown:
        while running:
            one_round(players, boards, mistakes, running)
            for number in [number for number in running if boards[number].winner == 0]:
                attempts[number] += 1
                if attempts[number] < fast.MAX_ATTEMPTS and keep.random() >= draws:
                    boards[number], mistakes[number] = Mock5(height, width), []
            left = [number for number in running if boards[number].winner is None]
            shown.update(len(running) - len(left))
            running = left
    return Records.from_games(boards, mistakes=np.concatenate(mistakes), card=card)


def one_round(players, boards, mistakes, running) -> None:
    """A move of black and a move of white in each running game."""
    for colour, player in players.items():
        turn = [number for number in running if boards[number].winner is None and boards[number].player == colour]
        try:
            moves = player.moves([boards[number] for number in turn])
        except AgentFailure as failure:
            raise ValueError(f"{player.name} {failure}.") from None
        for number, move, slipped in zip(turn, moves, player.slipped):
            try:
                boards[number].apply(move)
            except (TypeError, ValueError, IndexError) as problem:
                raise ValueError(f"Game {number + 1}: {player.name} played an illegal move: {problem}") from None
            mistakes[number].append(slipped)


class Careless:
    """An agent that plays another's moves, but makes mistakes by the generator's rule.

    Args:
        agent: any agent for five in a row. randomness: from 0 to 1. seed: an int, a numpy Generator, or None.

    Attributes:
        slipped: for the last call, which of its moves were mistakes.
    """

    def __init__(self, agent, randomness: float, seed=None):
        ranges.share(randomness=randomness)
        self.agent, self.randomness, self.rng = agent, randomness, generator_of(seed)
        self.name = agent_name(agent) + (f" with randomness {randomness}" if randomness else "")
        self.slipped: list[bool] = []

    def __call__(self, game):
        return self.moves([game])[0]

    def moves(self, games) -> list:
        """A move in each game."""
        self.slipped = [errs(game, self.randomness, self.rng) for game in games]
        sober = [game for game, slipped in zip(games, self.slipped) if not slipped]
        answers = iter(moves_of(self.agent, sober))
        return [slip(game, self.rng) if slipped else next(answers) for game, slipped in zip(games, self.slipped)]


def errs(game, randomness: float, rng: np.random.Generator) -> bool:
    """Whether the next move is a mistake: with chance r / 2, and in a quiet position with chance r once more."""
    if rng.random() < randomness / 2:
        return True
    return bool(rng.random() < randomness and is_quiet(game))


def is_quiet(game) -> bool:
    """Whether no empty point makes an open three or more, for either colour."""
    return bool(Analysis(game).levels.max(initial=0) < Threat.OPEN_THREE)


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
