"""How to learn: the settings of the three ways. `mock5 train` has an option for each of the first two's.

Nothing heavy is imported here, so that the command's help shows at once.
"""

from __future__ import annotations

from dataclasses import dataclass

from mock5lib.base import ranges
from mock5lib.base.ranges import setting

SCHEDULES = ("one-cycle", "cosine", "constant")
BASELINES = ("none", "mean", "value")


@dataclass(frozen=True)
class TrainSettings:
    """Learning from records, see `supervised.train`."""

    steps: int = setting(4000, "Batches to learn from; the records are gone through as often as that needs.")
    batch_size: int = setting(64, "Positions in each.")
    lr: float = setting(0.02, "Highest learning rate of Adam.")
    schedule: str = setting("one-cycle", "one-cycle (rises, then falls as a cosine), cosine (only falls) or constant.")
    warm_up: float = setting(0.15, "Share of the steps in which one-cycle rises.")
    weight_decay: float = setting(0.0, "Decoupled (Loshchilov & Hutter 2019).")
    clip: float = setting(1.0, "Largest norm of the gradient, 0 for none.")
    value_weight: float = setting(1.0, "Weight of the outcome's loss beside the moves'.")
    symmetries: str = setting("random", "Views of each position: random, all or none.")
    mistakes: bool = setting(False, "Learn the generator's random moves too.")
    evaluate_every: int | None = setting(None, "Steps between evaluations. Default: at the end.")
    patience: int | None = setting(None, "Stop after so many evaluations without a better one, and go back to that.")
    seed: int = setting(0, "Equal seeds give equal results.")

    def __post_init__(self):
        ranges.at_least(1, steps=self.steps, batch_size=self.batch_size)
        ranges.at_least(1, evaluate_every=self.evaluate_every or 1, patience=self.patience or 1)
        ranges.at_least(0, warm_up=self.warm_up, clip=self.clip)
        ranges.above(0, lr=self.lr)
        ranges.one_of("schedule", self.schedule, SCHEDULES)
        if self.warm_up >= 1:
            raise ValueError(f"warm_up is a share of the steps, from 0 to below 1, got {self.warm_up!r}.")


@dataclass(frozen=True)
class ReinforceSettings:
    """REINFORCE, see `reinforce.reinforce`."""

    iterations: int = setting(300, "Gradient steps in all.")
    games: int = setting(64, "Games for each, even.")
    lr: float = setting(1e-3, "Learning rate of Adam.")
    clip: float = setting(1.0, "Largest norm of the gradient, 0 for none.")
    discount: float = setting(1.0, "Of the result, per own move that followed.")
    baseline: str = setting("mean", "none, mean (of earlier returns) or value (a second head, which learns too).")
    entropy: float = setting(0.0, "Weight of the bonus for an undecided policy.")
    kl: float = setting(0.0, "Weight of KL(policy ‖ starting policy).")
    value_weight: float = setting(1.0, "Weight of (G − v)².")
    opening_plies: int = setting(4, "Random moves at the start of each pair of games.")
    evaluate_every: int = setting(0, "Iterations between evaluations at temperature 0, 0 for none.")
    evaluation_games: int = setting(400, "Games of each, even.")
    seed: int = setting(0, "Equal seeds give equal results.")

    def __post_init__(self):
        ranges.at_least(1, iterations=self.iterations)
        ranges.at_least(2, games=self.games, evaluation_games=self.evaluation_games)
        for name in ("clip", "entropy", "kl", "value_weight", "opening_plies", "evaluate_every", "seed"):
            ranges.at_least(0, **{name: getattr(self, name)})
        ranges.even(games=self.games, evaluation_games=self.evaluation_games)
        ranges.above(0, lr=self.lr, discount=self.discount)
        ranges.share(discount=self.discount)
        ranges.one_of("baseline", self.baseline, BASELINES)


@dataclass(frozen=True)
class CloneSettings:
    """Playing with a search and cloning the winners, see `search_clone.clone_search`."""

    episodes: int = setting(1700, "Games in all.")
    games: int = setting(50, "How many of them in lockstep, a round; even.")
    simulations: int = setting(100, "For a move.")
    late_simulations: int | None = setting(
        None,
        "How many for a move once the score of the last `window` games is `full_score` or more; below it in "
        "proportion, and never fewer than at an earlier round. None: always `simulations`.",
    )
    full_score: float = setting(0.5, "See late_simulations.")
    window: int = setting(200, "See late_simulations.")
    steps: int = setting(2, "Gradient steps for each episode.")
    lr: float = setting(1e-4, "Learning rate of Adam.")
    weight_decay: float = setting(1e-6, "Of Adam.")
    value_weight: float = setting(10.0, "Weight of the value's loss.")
    clip: float = setting(0.0, "Largest norm of the gradient, 0 for none (as in the notebook).")
    opening_plies: int = setting(0, "Random moves at the start of each pair of games.")
    half: bool = setting(False, "Search with weights of 16 bits.")
    seed: int = setting(0, "Equal seeds give equal results.")

    def __post_init__(self):
        for name in ("episodes", "simulations", "window"):
            ranges.at_least(1, **{name: getattr(self, name)})
        for name in ("steps", "weight_decay", "value_weight", "clip", "opening_plies", "seed"):
            ranges.at_least(0, **{name: getattr(self, name)})
        ranges.at_least(2, games=self.games)
        ranges.even(games=self.games)
        if self.late_simulations is not None:
            ranges.at_least(self.simulations, late_simulations=self.late_simulations)
        ranges.above(0, lr=self.lr, full_score=self.full_score)
        ranges.share(full_score=self.full_score)
