"""How much AlphaGo's nets learn. Apart from the pipeline, which needs TensorFlow, so that the command line can ask."""

from __future__ import annotations

from dataclasses import dataclass

from mock5lib.base.arguments import check_settings, setting


@dataclass(frozen=True)
class AlphaGoSettings:
    """How much `train_alphago` trains. The defaults take about ten minutes on one CPU core at 9×9."""

    filters: int = setting(32, "Of each hidden layer (AlphaGo: 192).", at_least=1)
    layers: int = setting(5, "Of the strong policy (AlphaGo: 13); the value net has 3 more.", at_least=1)
    first: int = setting(3, "Side of the first layer's filters (AlphaGo: 5).", at_least=1)
    dense: int = setting(64, "Units of the value net's hidden dense layer (AlphaGo: 256).", at_least=1)
    reach: int = setting(5, "How far the fast policy of five in a row sees.", at_least=1)
    batch_size: int = setting(128, "Positions a batch.", at_least=1)
    fast_steps: int = setting(1000, "Batches for the fast policy.", at_least=1)
    fast_rate: float = setting(3e-3, "Learning rate of the fast policy.", above=0)
    strong_steps: int = setting(1000, "Batches for the strong policy.", at_least=1)
    strong_rate: float = setting(2e-3, "Learning rate of the strong policy.", above=0)
    iterations: int = setting(20, "Steps of policy gradient.", at_least=1)
    games: int = setting(64, "Games for each such step.", at_least=1)
    add_every: int = setting(5, "Steps between two selves of the pool.", at_least=1)
    gradient_rate: float = setting(3e-4, "Learning rate of the policy gradient.", above=0)
    value_positions: int = setting(8000, "Positions for the value net.", at_least=1)
    value_epochs: int = setting(6, "Passes through them.", at_least=1)
    value_rate: float = setting(5e-4, "Learning rate of the value net.", above=0)

    __post_init__ = check_settings
