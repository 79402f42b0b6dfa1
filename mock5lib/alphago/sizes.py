"""How much AlphaGo's nets learn. Apart from the pipeline, which needs TensorFlow, so that the command line can ask."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from mock5lib.base import ranges
from mock5lib.base.ranges import setting


@dataclass(frozen=True)
class Sizes:
    """How much `train_alphago` trains. The defaults take about ten minutes on one CPU core at 9×9."""

    filters: int = setting(32, "Of each hidden layer (AlphaGo: 192).")
    layers: int = setting(5, "Of the strong policy (AlphaGo: 13); the value net has 3 more.")
    first: int = setting(3, "Side of the first layer's filters (AlphaGo: 5).")
    dense: int = setting(64, "Units of the value net's hidden dense layer (AlphaGo: 256).")
    reach: int = setting(5, "How far the fast policy of five in a row sees.")
    batch_size: int = setting(128, "Positions a batch.")
    fast_steps: int = setting(1000, "Batches for the fast policy.")
    fast_rate: float = setting(3e-3, "Learning rate of the fast policy.")
    strong_steps: int = setting(1000, "Batches for the strong policy.")
    strong_rate: float = setting(2e-3, "Learning rate of the strong policy.")
    iterations: int = setting(20, "Steps of policy gradient.")
    games: int = setting(64, "Games for each such step.")
    add_every: int = setting(5, "Steps between two selves of the pool.")
    gradient_rate: float = setting(3e-4, "Learning rate of the policy gradient.")
    value_positions: int = setting(8000, "Positions for the value net.")
    value_epochs: int = setting(6, "Passes through them.")
    value_rate: float = setting(5e-4, "Learning rate of the value net.")

    def __post_init__(self):
        numbers = asdict(self)
        rates = {name: numbers.pop(name) for name in numbers.copy() if name.endswith("rate")}
        ranges.counts(**numbers)
        ranges.above(0, **rates)
