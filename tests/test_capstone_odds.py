"""How often a program that is no better than the playouts passes the match of chapter 6's capstone."""

from functools import cache

import numpy as np
import pytest

from mock5check.ch06 import capstone
from mock5lib.arena.sequential import SequentialTest


def passes(rng, draws: float) -> bool:
    """One look at a program that scores 0.5: first GLANCE games, then the sequential test."""

    def pairs(count):
        games = np.where(rng.random((count, 2)) < draws, 1, 2 * rng.integers(2, size=(count, 2)))  # in half points
        return games.sum(axis=1)

    if pairs(capstone.GLANCE // 2).sum() / (2 * capstone.GLANCE) < capstone.GOOD:
        return False
    counts = np.zeros(5, int)
    for _ in range(capstone.MATCH // (2 * capstone.BATCH)):
        counts += np.bincount(pairs(capstone.BATCH), minlength=5)
        if said := verdict(tuple(counts.tolist())):
            return said == "stronger"
    return False


@cache
def verdict(counts: tuple) -> str | None:
    return SequentialTest(**capstone.STRONGER).verdict(np.repeat(np.arange(5) / 4, counts))


@pytest.mark.slow
def test_who_is_no_better_than_the_playouts_passes_in_fewer_than_two_of_a_hundred_checks():
    looks = capstone.TRAINING / capstone.LOOK
    for draws in (0.0, 0.2):
        rng = np.random.default_rng(6)
        share = np.mean([passes(rng, draws) for _ in range(100_000)])
        assert 1 - (1 - share) ** looks < 0.02
