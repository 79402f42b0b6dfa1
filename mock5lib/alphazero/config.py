"""Everything that makes a run of self-play what it is: one small part for each thing the loop builds, and the presets.

Each function takes the part that it needs. Files, `--set` and `preset` speak one level of names: a field's own, or the
one that its line gives as `flat`; see `flat` and `changed`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, is_dataclass, replace
from numbers import Real

from mock5lib.alphazero.opponents import opponent_named
from mock5lib.game.board import Mock5
from mock5lib.nets.nets import NAMES
from mock5lib.search.puct.arrays import Options


def setting(default, interval: str | None = None, flat: str | None = None):
    """A field: its default, the interval of its values as "[0, 1)", and its name among all the config's if another."""
    return field(default=default, metadata={"interval": interval, "flat": flat})


class Part:
    """A part of a config: frozen, and each number within the interval of its field (None only where it is the default).

    Raises:
        ValueError: a value out of its interval; names it.
    """

    def __post_init__(self):
        for one in fields(self):
            value, interval = getattr(self, one.name), one.metadata.get("interval")
            if interval is None or value is None and one.default is None:
                continue
            low, high = (float(end) for end in interval[1:-1].split(","))
            above = isinstance(value, Real) and (value > low if interval[0] == "(" else value >= low)
            if not (above and (value < high if interval[-1] == ")" else value <= high)):
                raise ValueError(f"{flat_name(one)} is a number {in_words(interval)}, got {value!r}.")


def in_words(interval: str) -> str:
    """ "[0, 1)" as "of at least 0 and below 1"."""
    low, high = (end.strip() for end in interval[1:-1].split(","))
    ends = [f"above {low}" if interval[0] == "(" else f"of at least {low}"]
    ends += [] if high == "inf" else [f"below {high}" if interval[-1] == ")" else f"at most {high}"]
    return " and ".join(ends)


@dataclass(frozen=True)
class GameConfig(Part):
    """The game: k in a row, with the arguments of `Mock5`."""

    height: int = 6  # rows
    width: int = 6  # columns
    k: int = 4  # stones in a row that win
    exact: bool = False  # whether more than k in a row do not win

    def __post_init__(self):
        Mock5(self.height, self.width, self.k)  # for its checks


@dataclass(frozen=True)
class NetConfig(Part):
    """The net to begin with. It has two heads."""

    kind: str = setting("patterns", flat="net")  # a name of `nets.nets.NAMES`
    sizes: dict = field(default_factory=lambda: {"reach": 3})  # of `make_net`
    start: str | None = None  # a checkpoint instead; a fresh value head is added where it has none

    def __post_init__(self):
        if self.kind not in NAMES:
            raise ValueError(f"net is one of {', '.join(NAMES)}, got {self.kind!r}.")


@dataclass(frozen=True)
class SelfPlayConfig(Part):
    """How self-play searches, and how it plays what it found.

    A Gumbel root (`considered` of the search above 0) plays the move that sequential halving leaves, whatever the
    temperature, and its target is the improved policy.
    """

    games: int = setting(64, "[1, inf)")  # in lockstep
    plies: int = setting(8, "[1, inf)")  # moves in each of them per iteration
    simulations: int = setting(100, "[2, inf)")  # of a full search
    cheap_simulations: int = setting(20, "[2, inf)")  # of a cheap one: no noise, and its policy is no target
    full_share: float = setting(1.0, "[0, 1]")  # chance of a full search (playout-cap randomisation; Wu 2019)
    keep_tree: bool = True  # search on in the tree of the move before
    warm_moves: int = setting(10, "[0, inf)")  # moves of each game sampled at `temperature`, the others at the late one
    temperature: float = setting(1.0, "[0, inf)")
    late_temperature: float = setting(0.1, "[0, inf)")
    opening_plies: int = setting(0, "[0, inf)")  # each game starts with 0 to so many random moves
    resign: float | None = setting(None, "[0, 1]")  # give up where the search's value is below −resign; None: never
    play_on: float = setting(0.1, "[0, 1]")  # share of games without resigning, so that wrong resignations are seen


@dataclass(frozen=True)
class TargetConfig(Part):
    """What the value head learns, see `replay.outcomes_of`."""

    discount: float = setting(1.0, "(0, 1]")  # of the result, per move that followed
    search_share: float = setting(0.0, "[0, 1]")  # of the search's own value, mixed into the result


@dataclass(frozen=True)
class ReplayConfig(Part):
    """The replay buffer, and how often each position is drawn from it."""

    window: int = setting(20_000, "[1, inf)")  # positions
    fill: int = setting(1_000, "[1, inf)")  # positions that must be there before training begins
    replay_ratio: float = setting(8.0, "[0, inf)")  # how often each new position is trained on, on average
    augment: bool = True  # turn each drawn position into a random symmetry of the board

    def __post_init__(self):
        super().__post_init__()
        if self.fill > self.window:
            raise ValueError(f"fill is at most the window, {self.window}, got {self.fill!r}: training never began.")


@dataclass(frozen=True)
class TrainingConfig(Part):
    """The gradient steps (AdamW), and the weights that play."""

    batch_size: int = setting(128, "[1, inf)")  # positions
    lr: float = setting(2e-3, "(0, inf)")
    weight_decay: float = setting(1e-4, "[0, inf)")
    value_weight: float = setting(1.0, "[0, inf)")  # of the value's loss beside the policy's
    clip: float = setting(1.0, "[0, inf)")  # norm of the gradient at most
    average: float = setting(0.99, "[0, 1)")  # decay per step of the weights' running mean, which plays; 0: the newest


@dataclass(frozen=True)
class EvaluationConfig(Part):
    """How the player is measured."""

    every: int = setting(0, "[0, inf)", flat="evaluate_every")  # iterations; 0: never
    games: int = setting(20, "[2, inf)", flat="evaluation_games")  # against each opponent; even, for both colours
    simulations: int = setting(100, "[1, inf)", flat="evaluation_simulations")  # per move
    openings: int = setting(0, "[0, inf)", flat="evaluation_openings")  # random moves at the start of each pair
    opponents: tuple[str, ...] = ("mcts:1000",)  # "mcts:N" playouts, a heuristic, "past": itself the last time
    gate: float | None = setting(None, "[0, 1]")  # score against the playing weights above which new ones take over

    def __post_init__(self):
        super().__post_init__()
        object.__setattr__(self, "opponents", tuple(self.opponents))
        if self.games % 2:
            raise ValueError(f"evaluation_games is even, for both colours, got {self.games!r}.")


@dataclass(frozen=True)
class Config(Part):
    """A whole run.

    Raises:
        ValueError: an opponent that there is not, or that does not play this game; the parts check themselves.
    """

    game: GameConfig = GameConfig()
    net: NetConfig = NetConfig()
    search: Options = Options(fpu=0.2, noise=0.25, noise_total=10.8, forced_moves=True)
    selfplay: SelfPlayConfig = SelfPlayConfig()
    targets: TargetConfig = TargetConfig()
    replay: ReplayConfig = ReplayConfig()
    training: TrainingConfig = TrainingConfig()
    evaluation: EvaluationConfig = EvaluationConfig()
    seed: int = setting(0, "[0, inf)")  # of everything

    def __post_init__(self):
        super().__post_init__()
        for name in self.evaluation.opponents:
            opponent_named(name, self.game.k, 0)


# One level of names ---------------------------------------------------------------------------------------------


def flat_name(one) -> str:
    """The name of a part's field among the names of all parts."""
    return one.metadata.get("flat") or one.name


PARTS = {part.name: fields(part.default) for part in fields(Config) if is_dataclass(part.default)}
PLACES = {flat_name(one): (part, one.name) for part, found in PARTS.items() for one in found}


def flat(config: Config) -> dict:
    """All fields of a config on one level, as JSON holds them; `changed(Config(), **flat(config))` is the config."""
    found = {name: getattr(getattr(config, part), one) for name, (part, one) in PLACES.items()}
    return {**found, "opponents": list(found["opponents"]), "seed": config.seed}


def changed(config: Config, **changes) -> Config:
    """A config with some fields changed, by their flat names.

    Raises:
        ValueError: no such field, or a value out of its range.
    """
    seed = changes.pop("seed", config.seed)
    unknown = sorted(changes.keys() - PLACES.keys())
    if unknown:
        raise ValueError(f"A config has no field {', '.join(unknown)}.")
    parts: dict[str, dict] = {}
    for name, value in changes.items():
        part, one = PLACES[name]
        parts.setdefault(part, {})[one] = value
    return replace(config, seed=seed, **{part: replace(getattr(config, part), **new) for part, new in parts.items()})


# Presets --------------------------------------------------------------------------------------------------------

FIVE = dict(k=5, opening_plies=6, replay_ratio=6, evaluation_openings=4, evaluation_games=100)
PRESETS: dict[str, dict] = {
    "tiny": dict(games=128, simulations=32, considered=8, evaluate_every=10),
    "laptop": FIVE
    | dict(height=9, width=9, sizes={}, games=128, warm_moves=12, window=100_000, fill=4_000)
    | dict(simulations=32, cheap_simulations=24, considered=8, batch_size=256, average=0.995)
    | dict(evaluation_simulations=64, evaluate_every=100, opponents=("mixed",)),
    "gpu": FIVE
    | dict(height=15, width=15, net="residual", sizes={"channels": 64, "blocks": 6})
    | dict(games=1024, plies=16, window=400_000, fill=20_000)
    | dict(simulations=64, considered=16, batch_size=2048, lr=1e-3, average=0.999, resign=0.95)
    | dict(evaluation_simulations=200, evaluate_every=20, opponents=("mixed", "past")),
}


def preset(name: str, **changes) -> Config:
    """A preset with some fields changed, by their flat names: `preset("tiny", simulations=64)`.

    Raises:
        ValueError: no such preset or field, or a value out of its range.
    """
    if name not in PRESETS:
        raise ValueError(f"A preset is one of {', '.join(PRESETS)}, got {name!r}.")
    return changed(Config(), **{**PRESETS[name], **changes})
