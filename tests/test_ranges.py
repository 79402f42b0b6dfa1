"""Arguments out of their range are refused by a sentence that names them."""

import numpy as np
import pytest

from mock5lib.base import arguments
from mock5lib.base.arguments import generator_of

WRONG = [
    (lambda: arguments.whole("games", 2.5, 1), TypeError, "games must be a whole number, got 2.5."),
    (lambda: arguments.whole("games", True, 1), TypeError, "games must be a whole number, got True."),
    (lambda: arguments.whole("games", 0, 1), ValueError, "games must be at least 1, got 0."),
    (lambda: arguments.whole("side", 37, 1, 36), ValueError, "side must be between 1 and 36, got 37."),
    (lambda: arguments.at_least(0, clip=1, kl=-0.5), ValueError, "kl must be at least 0, got -0.5."),
    (lambda: arguments.at_least(0, clip=float("nan")), ValueError, "clip must be at least 0, got nan."),
    (lambda: arguments.at_least(0, clip=float("inf")), ValueError, "clip must be at least 0, got inf."),
    (lambda: arguments.above(0, lr=0), ValueError, "lr must be a number above 0, got 0."),
    (lambda: arguments.share(draws=1.5), ValueError, "draws must be a number from 0 to 1, got 1.5."),
    (lambda: arguments.share(draws=float("nan")), ValueError, "draws must be a number from 0 to 1, got nan."),
    (
        lambda: arguments.split_fraction(1),
        ValueError,
        "A split fraction must be between 0 and 1, both excluded, got 1.",
    ),
    (
        lambda: arguments.even(games=7),
        ValueError,
        "games must be even, as each opening is played with both colors, got 7.",
    ),
    (
        lambda: arguments.one_of("Net", "big", ("small", "tiny")),
        ValueError,
        "Net must be one of small, tiny, got 'big'.",
    ),
]


@pytest.mark.parametrize("check, error, sentence", WRONG, ids=[sentence for *_, sentence in WRONG])
def test_a_value_out_of_its_range_is_refused_by_name(check, error, sentence):
    with pytest.raises(error) as raised:
        check()
    assert str(raised.value) == sentence


def test_values_at_the_ends_of_their_ranges_are_taken():
    assert arguments.whole("side", np.int64(36), 1, 36) == 36 and arguments.whole("games", 1, 1) == 1
    arguments.at_least(0, clip=0)
    arguments.share(draws=0, randomness=1.0)
    arguments.even(games=0)
    arguments.above(0, lr=1e-9)


def test_a_seed_gives_the_same_numbers_and_a_generator_is_used_as_it_is():
    rng = np.random.default_rng(1)
    assert generator_of(rng) is rng
    assert generator_of(7).random() == generator_of(np.int64(7)).random() != generator_of(None).random()
    with pytest.raises(TypeError, match="A seed is a whole number from 0, a numpy Generator or None, got 'x'"):
        generator_of("x")
