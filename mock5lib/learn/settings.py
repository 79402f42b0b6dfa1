"""How to learn: the settings of the three ways. `mock5 train` has an option for each of the first two's.

Nothing heavy is imported here, so that the command's help shows at once.
"""

from __future__ import annotations

from dataclasses import dataclass

from mock5lib.base import arguments
from mock5lib.base.arguments import check_settings, setting

SCHEDULES = ("one-cycle", "cosine", "constant")
BASELINES = ("none", "mean", "value")


@dataclass(frozen=True)
class TrainSettings:
    """Learning from records, see `supervised.train`."""

    steps: int = setting(
        4000, "Batches to learn from; the records are gone through as often as that needs.", at_least=1
    )
    batch_size: int = setting(64, "Positions in each.", at_least=1)
    lr: float = setting(0.02, "Highest learning rate of Adam.", above=0, at_most=1000)
    schedule: str = setting(
        "one-cycle", "one-cycle (rises, then falls as a cosine), cosine (only falls) or constant.", one_of=SCHEDULES
    )
    warm_up: float = setting(0.15, "Share of the steps in which one-cycle rises.", at_least=0)
    weight_decay: float = setting(0.0, "Decoupled (Loshchilov & Hutter 2019).")
    clip: float = setting(1.0, "Largest norm of the gradient, 0 for none.", at_least=0)
    value_weight: float = setting(1.0, "Weight of the outcome's loss beside the moves'.")
    symmetries: str = setting("random", "Views of each position: random, all or none.")
    mistakes: bool = setting(False, "Learn the generator's random moves too.")
    evaluate_every: int | None = setting(None, "Steps between evaluations. Default: at the end.", at_least=1)
    seed: int = setting(0, "Equal seeds give equal results.")

    def __post_init__(self):
        check_settings(self)
        if self.warm_up >= 1:
            raise ValueError(f"warm_up is a share of the steps, from 0 to below 1, got {self.warm_up!r}.")


@dataclass(frozen=True)
class ReinforceSettings:
    """REINFORCE, see `reinforce.reinforce`."""

    iterations: int = setting(300, "Gradient steps in all.", at_least=1)
    games: int = setting(64, "Games for each, even.", at_least=2)
    lr: float = setting(1e-3, "Learning rate of Adam.", above=0, at_most=1)
    clip: float = setting(1.0, "Largest norm of the gradient, 0 for none.", at_least=0)
    discount: float = setting(1.0, "Of the result, per own move that followed.", above=0)
    baseline: str = setting(
        "mean", "none, mean (of earlier returns) or value (a second head, which learns too).", one_of=BASELINES
    )
    entropy: float = setting(0.0, "Weight of the bonus for an undecided policy.", at_least=0)
    kl: float = setting(0.0, "Weight of KL(policy ‖ starting policy).", at_least=0)
    value_weight: float = setting(1.0, "Weight of (G − v)².", at_least=0)
    opening_plies: int = setting(4, "Random moves at the start of each pair of games.", at_least=0)
    evaluate_every: int = setting(0, "Iterations between evaluations at temperature 0, 0 for none.", at_least=0)
    evaluation_games: int = setting(400, "Games of each, even.", at_least=2)
    seed: int = setting(0, "Equal seeds give equal results.", at_least=0)

    def __post_init__(self):
        check_settings(self)
        arguments.even(games=self.games, evaluation_games=self.evaluation_games)
        arguments.share(discount=self.discount)


@dataclass(frozen=True)
class CloneSettings:
    """Playing with a search and cloning the winners, see `search_clone.clone_search`."""

    episodes: int = setting(1700, "Games in all.", at_least=1)
    games: int = setting(50, "How many of them in lockstep, a round; even.", at_least=2)
    simulations: int = setting(100, "For a move.", at_least=1)
    late_simulations: int | None = setting(
        None,
        "How many for a move once the score of the last `window` games is `full_score` or more; below it in "
        "proportion, and never fewer than at an earlier round. None: always `simulations`.",
    )
    full_score: float = setting(0.5, "See late_simulations.", above=0)
    window: int = setting(200, "See late_simulations.", at_least=1)
    steps: int = setting(2, "Gradient steps for each episode.", at_least=0)
    lr: float = setting(1e-4, "Learning rate of Adam.", above=0, at_most=1)
    weight_decay: float = setting(1e-6, "Of Adam.", at_least=0)
    value_weight: float = setting(10.0, "Weight of the value's loss.", at_least=0)
    clip: float = setting(0.0, "Largest norm of the gradient, 0 for none (as in the notebook).", at_least=0)
    opening_plies: int = setting(0, "Random moves at the start of each pair of games.", at_least=0)
    half: bool = setting(False, "Search with weights of 16 bits.")
    seed: int = setting(0, "Equal seeds give equal results.", at_least=0)

    def __post_init__(self):
        check_settings(self)
        arguments.even(games=self.games)
        arguments.share(full_score=self.full_score)
        if self.late_simulations is not None:
            arguments.at_least(self.simulations, late_simulations=self.late_simulations)
