"""The Gumbel numbers of a search in chapter 6's capstone: are they drawn, are they Gumbel numbers, do they decide?"""

import numpy as np

from mock5check.ch05.capstone import table_expert
from mock5lib import Mock5

SIZE = (5, 5, 4)


class Recorded(np.random.Generator):
    """A generator that keeps the Gumbel numbers it gave, and counts how often it was asked for some."""

    given: tuple | list = ()
    asked = 0

    def gumbel(self, *args, **options):
        numbers = super().gumbel(*args, **options)
        self.given, self.asked = [*self.given, *np.ravel(numbers).tolist()], self.asked + 1
        return numbers


def check_greatest(trial, search) -> None:
    """Equal priors, values of 0: the move of the greatest Gumbel number is played, and nothing else is drawn."""
    game = Mock5(*SIZE[:2], k=SIZE[2])
    for seed in range(5):
        rng = Recorded(np.random.PCG64(seed))
        move, _ = trial.call(search, game, table_expert(25), 12, rng, long=True)
        given = rng.given
        trial.require(
            len(given) != 25 or move == int(np.argmax(given)),
            f"All priors are equal and all values 0, so the move to play is the one with the greatest Gumbel number, "
            f"{int(np.argmax(given or 0))}. It played {move}. `gumbel_root` says which; don't draw it from the policy.",
            call="search(game, expert, 12, rng) on the empty board",
        )


def check_shares(trial, search) -> None:
    """g + log p has its greatest where the prior says, as often as it says: Gumbel numbers, and no others."""
    game, weights, rng = Mock5(*SIZE[:2], k=SIZE[2]), np.where(np.arange(25) == 12, 24.0, 1.0), np.random.default_rng(7)
    share = np.mean(
        [trial.call(search, game, table_expert(25, weights), 1, rng, long=True)[0] == 12 for _ in range(100)]
    )
    trial.require(
        0.33 < share < 0.67,
        f"One point has half of the prior, and all values are 0. In 100 searches of one simulation it was played in "
        f"{share:.0%}; with g from `rng.gumbel` it is as often as the prior says, 50 %.",
        call="search(game, expert, 1, rng) on the empty board, 100 times with one rng",
    )
