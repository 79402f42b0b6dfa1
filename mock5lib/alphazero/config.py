"""Everything that makes a run of self-play what it is, on one level of names, and the presets.

`config.json` in the run's folder, `--set name=value` of the command and `preset` all speak these names.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from numbers import Integral, Real

from mock5lib import names
from mock5lib.base import arguments
from mock5lib.game.board import Rules
from mock5lib.gomoku.heuristics import Heuristic
from mock5lib.nets.nets import NAMES
from mock5lib.search.trees_compiled import Options


@dataclass(frozen=True)
class Config:
    """A whole run.

    A Gumbel root (`considered` above 0) plays the move that sequential halving leaves, whatever the temperature, and
    its target is the improved policy. A value that makes no sense is a ValueError.
    """

    # The game: k in a row, with the arguments of `Mock5`
    height: int = 6  # rows
    width: int = 6  # columns
    k: int = 4  # stones in a row that win
    exact: bool = False  # whether more than k in a row do not win

    # The net to begin with; it has two heads
    net: str = "patterns"  # a name of `nets.nets.NAMES`
    sizes: dict = field(default_factory=lambda: {"reach": 3})  # of `make_net`
    start: str | None = None  # a checkpoint instead; a fresh value head is added where it has none

    # The search, see `search.trees_compiled.Options`
    c: float = 1.4
    fpu: float | None = 0.2
    leaves: int = 1
    noise: float = 0.25
    noise_total: float = 10.8
    considered: int = 0
    forced_moves: bool = True

    # Self-play: how long it searches, and how it plays what it found
    games: int = 64  # in lockstep
    plies: int = 8  # moves in each of them per iteration
    simulations: int = 100  # of a full search
    cheap_simulations: int = 20  # of a cheap one: no noise, and its policy is no target
    full_share: float = 1.0  # chance of a full search (playout-cap randomisation; Wu 2019)
    keep_tree: bool = True  # search on in the tree of the move before
    warm_moves: int = 10  # moves of each game sampled at `temperature`, the others at the late one
    temperature: float = 1.0
    late_temperature: float = 0.1
    opening_plies: int = 0  # each game starts with 0 to this many random moves
    resign: float | None = None  # give up where the search's value is below −resign; None: never
    play_on: float = 0.1  # share of games without resigning, so that wrong resignations are seen

    # What the value head learns, see `replay.outcomes_of`
    discount: float = 1.0  # of the result, per move that followed
    search_share: float = 0.0  # of the search's own value, mixed into the result

    # The replay buffer
    window: int = 20_000  # positions
    fill: int = 1_000  # positions that must be there before training begins
    replay_ratio: float = 8.0  # how often each new position is trained on, on average
    augment: bool = True  # turn each drawn position into a random symmetry of the board

    # The gradient steps (AdamW), and the weights that play
    batch_size: int = 128  # positions
    lr: float = 2e-3
    weight_decay: float = 1e-4
    value_weight: float = 1.0  # of the value's loss beside the policy's
    clip: float = 1.0  # norm of the gradient at most
    average: float = 0.99  # decay per step of the weights' running mean, which plays; 0: the newest

    # How the player is measured
    gate: float | None = None  # score against the playing weights above which new ones take over
    evaluate_every: int = 0  # iterations; 0: never
    evaluation_games: int = 20  # against each opponent; even, for both colours
    evaluation_simulations: int = 100  # per move
    evaluation_openings: int = 0  # random moves at the start of each pair
    opponents: tuple[str, ...] = ("mcts:1000",)  # "mcts:N" playouts, a heuristic, "past": itself the last time

    seed: int = 0  # of everything

    def __post_init__(self):
        kinds = {"int": Integral, "float": Real, "bool": bool, "dict": dict, "str": str}
        for one in fields(self):
            value, kind = getattr(self, one.name), one.type.removesuffix(" | None")
            missing = value is None and kind != one.type
            if not missing and not isinstance(value, kinds.get(kind, object)):
                raise ValueError(f"{one.name} must be of type {one.type}, got {value!r}.")
        object.__setattr__(self, "opponents", tuple(self.opponents))
        self.rules.board()  # for its checks
        Options(**self.search)
        arguments.one_of("net", self.net, NAMES)
        for low, counts in (
            (0, "warm_moves opening_plies evaluate_every evaluation_openings seed temperature late_temperature"),
            (0, "replay_ratio weight_decay value_weight clip"),
            (1, "games plies window fill batch_size evaluation_simulations"),
            (2, "simulations cheap_simulations evaluation_games"),
        ):
            arguments.at_least(low, **{name: getattr(self, name) for name in counts.split()})
        for name in ("full_share", "play_on", "discount", "search_share", "average", "resign", "gate"):
            arguments.share(**{name: getattr(self, name) or 0.0})
        arguments.above(0, lr=self.lr, discount=self.discount)
        arguments.even(evaluation_games=self.evaluation_games)
        if self.average == 1:
            raise ValueError("average must be below 1, got 1: the mean would never follow the newest weights.")
        if self.fill > self.window:
            raise ValueError(f"fill is at most the window, {self.window}, got {self.fill!r}: training never began.")
        for name in self.opponents:
            opponent_named(name, self.k, 0)

    @property
    def rules(self) -> Rules:
        """The game."""
        return Rules(self.height, self.width, self.k, self.exact)

    @property
    def search(self) -> dict:
        """How self-play searches, as arguments of `Forest`."""
        found = ("c", "fpu", "leaves", "noise", "noise_total", "considered", "forced_moves")
        return {name: getattr(self, name) for name in found}


def opponent_named(name: str, k: int, seed: int):
    """A fixed opponent, any agent of `mock5lib.names` that plays this k, such as "uct:1000"; None for "past"."""
    if name == "past":
        return None
    try:
        opponent = names.agent(name, seed)
    except ValueError as problem:
        raise ValueError(f"opponents: {problem}") from None
    if isinstance(opponent, Heuristic) and k != 5 and opponent.kind != "random":
        raise ValueError(f"Of the opponents, {name!r} is defined for five in a row only, this game has k = {k}.")
    return opponent


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
    """A preset with some fields changed: `preset("tiny", simulations=64)`."""
    if name not in PRESETS:
        raise ValueError(f"A preset is one of {', '.join(PRESETS)}, got {name!r}.")
    unknown = sorted(changes.keys() - {one.name for one in fields(Config)})
    if unknown:
        raise ValueError(f"A config has no field {', '.join(unknown)}.")
    return Config(**{**PRESETS[name], **changes})
