"""Openings: the moves that a pair of games begins with, random ones or a list."""

from __future__ import annotations

import numpy as np

from mock5lib.base import ranges


def opening_positions(start, pairs: int, openings, rng: np.random.Generator) -> list[tuple]:
    """For each pair the (position, moves from `start`) to begin with; none is decided."""
    if isinstance(openings, (int, np.integer)):
        ranges.at_least(0, openings=openings)
        return [random_opening(start, int(openings), rng) for _ in range(pairs)]
    openings = [list(moves) for moves in openings]
    if not openings:
        raise ValueError("The list of openings is empty.")
    positions = [played_opening(start, moves, number) for number, moves in enumerate(openings, start=1)]
    return [(positions[pair % len(openings)], openings[pair % len(openings)]) for pair in range(pairs)]


def random_opening(start, plies: int, rng: np.random.Generator, attempts: int = 1000) -> tuple:
    """(position, moves) after `plies` uniform random moves that leave the game undecided; in Go no passes."""
    for _ in range(attempts):
        position, moves = start.copy(), []
        while position.winner is None and len(moves) < plies:
            legal = position.playout_moves() if hasattr(position, "playout_moves") else position.legal_moves()
            moves.append(int(legal[rng.integers(len(legal))]))
            position.apply(moves[-1])
        if position.winner is None:
            return position, moves
    raise ValueError(f"No opening of {plies} random moves leaves this game undecided; choose fewer.")


def played_opening(start, moves: list[int], number: int):
    """The position after an opening's moves, or a ValueError if one is illegal or the game is over then."""
    position = start.copy()
    try:
        for move in moves:
            position.apply(move)
    except (TypeError, ValueError, IndexError) as problem:
        raise ValueError(f"Opening {number}: {problem}") from None
    if position.winner is not None:
        raise ValueError(f"Opening {number} decides the game; nothing is left to play.")
    return position
