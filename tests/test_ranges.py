"""Arguments out of their range are refused by a sentence that names them."""

import numpy as np
import pytest

from mock5lib.base import ranges
from mock5lib.base.seeds import generator_of

WRONG = [
    (lambda: ranges.whole("games", 2.5, 1), TypeError, "games must be a whole number, got 2.5."),
    (lambda: ranges.whole("games", True, 1), TypeError, "games must be a whole number, got True."),
    (lambda: ranges.whole("games", 0, 1), ValueError, "games must be at least 1, got 0."),
    (lambda: ranges.whole("side", 37, 1, 36), ValueError, "side must be between 1 and 36, got 37."),
    (lambda: ranges.at_least(0, clip=1, kl=-0.5), ValueError, "kl must be at least 0, got -0.5."),
    (lambda: ranges.at_least(0, clip=float("nan")), ValueError, "clip must be at least 0, got nan."),
    (lambda: ranges.at_least(0, clip=float("inf")), ValueError, "clip must be at least 0, got inf."),
    (lambda: ranges.above(0, lr=0), ValueError, "lr must be a number above 0, got 0."),
    (lambda: ranges.share(draws=1.5), ValueError, "draws must be a number from 0 to 1, got 1.5."),
    (lambda: ranges.share(draws=float("nan")), ValueError, "draws must be a number from 0 to 1, got nan."),
    (lambda: ranges.split_fraction(1), ValueError, "A split fraction must be between 0 and 1, both excluded, got 1."),
    (
        lambda: ranges.even(games=7),
        ValueError,
        "games must be even, as each opening is played with both colours, got 7.",
    ),
    (lambda: ranges.one_of("Net", "big", ("small", "tiny")), ValueError, "Net must be one of small, tiny, got 'big'."),
]


@pytest.mark.parametrize("check, error, sentence", WRONG, ids=[sentence for *_, sentence in WRONG])
def test_a_value_out_of_its_range_is_refused_by_name(check, error, sentence):
    with pytest.raises(error) as raised:
        check()
    assert str(raised.value) == sentence


def test_values_at_the_ends_of_their_ranges_are_taken():
    assert ranges.whole("side", np.int64(36), 1, 36) == 36 and ranges.whole("games", 1, 1) == 1
    ranges.at_least(0, clip=0)
    ranges.share(draws=0, randomness=1.0)
    ranges.even(games=0)
    ranges.above(0, lr=1e-9)


def test_a_seed_gives_the_same_numbers_and_a_generator_is_used_as_it_is():
    rng = np.random.default_rng(1)
    assert generator_of(rng) is rng
    assert generator_of(7).random() == generator_of(np.int64(7)).random() != generator_of(None).random()
    with pytest.raises(TypeError, match="A seed is a whole number from 0, a numpy Generator or None, got 'x'"):
        generator_of("x")
