"""Everything that makes a run of `alphazero.py` what it is, in one dataclass, and the presets of the course."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields

from mock5lib.alphazero.evaluation import opponent_named
from mock5lib.alphazero.selfplay import Search
from mock5lib.game.board import Mock5
from mock5lib.nets.nets import NAMES
from mock5lib.search.puct.arrays import Options


@dataclass(frozen=True)
class Config:
    """Everything that makes a run what it is.

    Attributes:
        height, width, k, exact: the game.
        net, sizes: of `make_net`; the net has two heads. start: a checkpoint to begin with instead (warm start); its
            net counts then, and gets a fresh value head if it has none.
        games: in lockstep. plies: moves in each of them per iteration.
        simulations: of a full search. full_share, cheap_simulations: see `selfplay.Search`.
        c, fpu, leaves, noise, noise_total, considered, forced_moves: of the search, see `Options`.
        keep_trees: search on in the tree of the move before.
        warm_moves, temperature, late_temperature, opening_plies, resign, play_on: see `selfplay.Search`.
        discount: of the result, per move that followed. search_share: of the search's value in the value target.
        window: positions in the replay buffer. fill: positions that must be there before training begins.
        reuse: how often each new position is trained on, on average. A run that starves the gradient learns nothing.
        batch_size, lr, weight_decay, value_weight, clip: of the gradient steps (Adam).
        augment: turn each drawn position into a symmetry of the board, by lot.
        average: decay per step of the running mean of weights, which plays; 0 plays the newest weights.
        gate: None, or the score that new weights must exceed against the playing ones to take over.
        evaluate_every: iterations between evaluations, 0 for none. evaluation_games: even, against each of `opponents`:
            "mcts:N" (pure MCTS with N playouts), a heuristic's name, or "past" (itself at the evaluation before).
        evaluation_simulations: a move. evaluation_openings: random moves at the start of each pair of games.
        seed: of everything.

    Raises:
        ValueError: a value out of its range; names it.
    """

    height: int = 6
    width: int = 6
    k: int = 4
    exact: bool = False
    net: str = "patterns"
    sizes: dict = field(default_factory=lambda: {"reach": 3})
    start: str | None = None
    games: int = 64
    plies: int = 8
    simulations: int = 100
    cheap_simulations: int = 20
    full_share: float = 1.0
    c: float = 1.4
    fpu: float | None = 0.2
    leaves: int = 1
    noise: float = 0.25
    noise_total: float = 10.8
    considered: int = 0
    forced_moves: bool = True
    keep_trees: bool = True
    warm_moves: int = 10
    temperature: float = 1.0
    late_temperature: float = 0.1
    opening_plies: int = 0
    resign: float | None = None
    play_on: float = 0.1
    discount: float = 1.0
    search_share: float = 0.0
    window: int = 20_000
    fill: int = 1_000
    reuse: float = 8.0
    batch_size: int = 128
    lr: float = 2e-3
    weight_decay: float = 1e-4
    value_weight: float = 1.0
    clip: float = 1.0
    augment: bool = True
    average: float = 0.99
    gate: float | None = None
    evaluate_every: int = 0
    evaluation_games: int = 20
    evaluation_simulations: int = 100
    evaluation_openings: int = 0
    opponents: tuple[str, ...] = ("mcts:1000",)
    seed: int = 0

    def __post_init__(self):
        object.__setattr__(self, "opponents", tuple(self.opponents))
        Mock5(self.height, self.width, self.k)  # for its checks
        lowest = {
            "games": 1,
            "plies": 1,
            "simulations": 2,
            "cheap_simulations": 2,
            "warm_moves": 0,
            "temperature": 0,
            "late_temperature": 0,
            "opening_plies": 0,
            "window": 1,
            "fill": 1,
            "reuse": 0,
            "batch_size": 1,
            "weight_decay": 0,
            "value_weight": 0,
            "clip": 0,
            "evaluate_every": 0,
            "evaluation_games": 2,
            "evaluation_simulations": 1,
            "evaluation_openings": 0,
            "seed": 0,
        }
        for name, low in lowest.items():
            if not low <= getattr(self, name) < math.inf:
                raise ValueError(f"{name} is at least {low}, got {getattr(self, name)!r}.")
        shares = {
            "full_share": self.full_share,
            "play_on": self.play_on,
            "search_share": self.search_share,
            "resign": self.resign,
            "gate": self.gate,
        }
        for name, share in shares.items():
            if share is not None and not 0 <= share <= 1:
                raise ValueError(f"{name} is from 0 to 1, got {share!r}.")
        if not 0 <= self.average < 1:
            raise ValueError(f"average is from 0 to below 1, got {self.average!r}.")
        if not 0 < self.discount <= 1:
            raise ValueError(f"discount is above 0 and at most 1, got {self.discount!r}.")
        if not 0 < self.lr < math.inf:
            raise ValueError(f"lr is a number above 0, got {self.lr!r}.")
        if self.fill > self.window:
            raise ValueError(f"fill is at most the window, {self.window}, got {self.fill!r}: training never began.")
        if self.evaluation_games % 2:
            raise ValueError(f"evaluation_games is even, for both colours, got {self.evaluation_games!r}.")
        if self.net not in NAMES:
            raise ValueError(f"net is one of {', '.join(NAMES)}, got {self.net!r}.")
        Options(**self.options)
        for name in self.opponents:
            opponent_named(name, self.k, 0)

    @property
    def options(self) -> dict:
        """Of the forest, in self-play."""
        names = ("c", "fpu", "leaves", "noise", "noise_total", "considered", "forced_moves")
        return {name: getattr(self, name) for name in names}

    @property
    def search(self) -> Search:
        """How self-play searches."""
        names = [name for name in Search._fields if name != "options"]
        return Search(**{name: getattr(self, name) for name in names}, options=self.options)

    @property
    def rules(self) -> dict:
        """The game, as arguments of `Mock5`."""
        return {"height": self.height, "width": self.width, "k": self.k, "exact": self.exact}


PRESETS: dict[str, dict] = {
    "tiny": dict(games=128, simulations=32, considered=8, evaluate_every=10, opponents=("mcts:1000",)),
    "laptop": dict(
        height=9,
        width=9,
        k=5,
        sizes={},
        games=128,
        plies=8,
        simulations=32,
        cheap_simulations=24,
        considered=8,
        warm_moves=12,
        opening_plies=6,
        window=100_000,
        fill=4_000,
        reuse=6,
        batch_size=256,
        average=0.995,
        evaluation_simulations=64,
        evaluation_openings=4,
        evaluation_games=100,
        evaluate_every=100,
        opponents=("mixed",),
    ),
    "gpu": dict(
        height=15,
        width=15,
        k=5,
        sizes={"width": 32, "head": 64},
        games=1024,
        plies=16,
        simulations=64,
        considered=16,
        opening_plies=6,
        window=400_000,
        fill=50_000,
        reuse=6,
        batch_size=2048,
        lr=1e-3,
        average=0.999,
        resign=0.95,
        evaluation_simulations=200,
        evaluation_openings=4,
        evaluation_games=100,
        evaluate_every=20,
        opponents=("mixed", "past"),
    ),
}


def preset(name: str, **changes) -> Config:
    """A preset with some fields changed.

    Raises:
        ValueError: no such preset or field, or a value out of its range.
    """
    if name not in PRESETS:
        raise ValueError(f"A preset is one of {', '.join(PRESETS)}, got {name!r}.")
    unknown = sorted(set(changes) - {known.name for known in fields(Config)})
    if unknown:
        raise ValueError(f"A config has no field {', '.join(unknown)}.")
    return Config(**{**PRESETS[name], **changes})
