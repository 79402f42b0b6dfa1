"""Everything that makes a run of self-play what it is, on one level of names, and the presets.

`config.json` in the run's folder, `--set name=value` of the command and `preset` all speak these names.
"""

from __future__ import annotations

import difflib
import json
import math
from dataclasses import asdict, dataclass, field, fields

from mock5lib import names
from mock5lib.base import arguments
from mock5lib.base.arguments import check_settings, in_words, read_setting, setting
from mock5lib.base.contract import refusal
from mock5lib.game.board import Mock5, Rules
from mock5lib.game.kit import GameRules, check_kit
from mock5lib.nets.nets import MAKERS
from mock5lib.search.forest_compiled import MOST_AT_ONCE, checked_options


@dataclass(frozen=True)
class Config:
    """A whole run.

    A Gumbel root (`considered` above 0) plays the move that sequential halving leaves, whatever the temperature, and
    its target is the improved policy. A value that makes no sense is a ValueError.
    """

    # The game: k in a row, with the arguments of `Mock5`
    height: int = setting(6, "rows", at_least=1)
    width: int = setting(6, "columns", at_least=1)
    k: int = setting(4, "stones in a row that win", at_least=1)
    exact: bool = setting(False, "whether more than k in a row do not win")
    game: str | None = setting(None, "a game of one's own instead, by the name of its class; see `game.kit`")
    options: dict = field(default_factory=dict, metadata={"help": "of that game, as JSON", "limits": {}})

    # The net to begin with; it has two heads
    net: str = setting("patterns", "a net by its name", one_of=tuple(MAKERS))
    sizes: dict = field(default_factory=lambda: {"reach": 3}, metadata={"help": "of the net, as JSON", "limits": {}})
    start: str | None = setting(None, "a checkpoint instead; a fresh value head is added where it has none")

    # The search, see `search.trees_compiled.Options`
    c: float = setting(1.4, "weight of the exploration term", at_least=0)
    fpu: float | None = setting(0.2, "first-play urgency")
    leaves: int = setting(1, "that a tree gathers in one step", at_least=1, at_most=MOST_AT_ONCE)
    noise: float = setting(0.25, "weight of the Dirichlet noise at the root", at_least=0, at_most=1)
    noise_total: float = setting(10.8, "sum of its concentrations", above=0)
    considered: int = setting(0, "moves that a Gumbel root considers, 0: none", at_least=0, at_most=MOST_AT_ONCE)
    forced_moves: bool = setting(True, "look one ply ahead by the rules at each leaf, in games where one can")

    # Self-play: how long it searches, and how it plays what it found
    games: int = setting(64, "in lockstep", at_least=1)
    plies: int = setting(8, "moves in each of them per iteration", at_least=1)
    simulations: int = setting(100, "of a full search", at_least=2)
    cheap_simulations: int = setting(20, "of a cheap one: no noise, and its policy is no target", at_least=2)
    full_share: float = setting(1.0, "chance of a full search (playout-cap randomization)", at_least=0, at_most=1)
    keep_tree: bool = setting(True, "search on in the tree of the move before")
    warm_moves: int = setting(10, "moves of each game sampled at `temperature`, the others at the late one", at_least=0)
    temperature: float = setting(1.0, "of the first moves", at_least=0, at_most=math.inf)
    late_temperature: float = setting(0.1, "of the later ones", at_least=0, at_most=math.inf)
    opening_plies: int = setting(0, "each game starts with 0 to this many random moves", at_least=0)
    resign: float | None = setting(None, "give up where the value is below −resign", at_least=0, at_most=1)
    play_on: float = setting(0.1, "share of games without resigning, to see wrong resignations", at_least=0, at_most=1)

    # What the value head learns, see `replay.outcomes_of`
    discount: float = setting(1.0, "of the result, per move that followed", above=0, at_most=1)
    search_share: float = setting(0.0, "of the search's own value, mixed into the result", at_least=0, at_most=1)

    # The replay buffer
    window: int = setting(20_000, "positions", at_least=1)
    fill: int = setting(1_000, "positions that must be there before training begins", at_least=1)
    replay_ratio: float = setting(8.0, "how often each new position is trained on, on average", at_least=0)
    augment: bool = setting(True, "turn each drawn position into a random symmetry of the board")

    # The gradient steps (AdamW), and the weights that play
    batch_size: int = setting(128, "positions", at_least=1)
    lr: float = setting(2e-3, "learning rate", above=0)
    weight_decay: float = setting(1e-4, "decoupled", at_least=0)
    value_weight: float = setting(1.0, "of the value's loss beside the policy's", at_least=0)
    clip: float = setting(1.0, "norm of the gradient at most", at_least=0)
    average: float = setting(0.99, "decay per step of the playing weights' running mean", at_least=0, at_most=1)

    # How the player is measured
    gate: float | None = setting(None, "score above which new weights take over", at_least=0, at_most=1)
    evaluate_every: int = setting(0, "iterations; 0: never", at_least=0)
    evaluation_games: int = setting(20, "against each opponent; even, for both colors", at_least=2)
    evaluation_simulations: int = setting(100, "per move", at_least=1)
    evaluation_openings: int = setting(0, "random moves at the start of each pair", at_least=0)
    opponents: tuple[str, ...] = setting(("mcts:1000",), "names of agents, or past: itself the last time")

    seed: int = setting(0, "of everything", at_least=0)

    def __post_init__(self):
        object.__setattr__(self, "opponents", tuple(self.opponents))
        check_settings(self)
        start = self.rules.board()
        check_kit(start)
        if self.net != "flat" and self.start is None and start.actions != start.height * start.width:
            moves = f"{self.game} has {start.actions} moves on {start.height * start.width} points"
            raise ValueError(f"net must be flat: {moves}, and only that net has moves that are no points.")
        checked_options(self.search)
        arguments.even(evaluation_games=self.evaluation_games)
        if self.average == 1:
            raise ValueError("average must be below 1, got 1: the mean would never follow the newest weights.")
        if self.fill > self.window:
            raise ValueError(f"fill is at most the window, {self.window}, got {self.fill!r}: training never began.")
        for name in self.opponents:
            opponent_named(name, self.rules, 0)

    @property
    def rules(self) -> Rules | GameRules:
        """The game. Of one of the reader's own, `board()` is a ValueError where nobody has brought it."""
        if self.game is not None:
            return GameRules(self.game, self.options)
        return Rules(self.height, self.width, self.k, self.exact)

    def said(self) -> dict:
        """The config as a file has it, with one game."""
        of_another_game = ("game", "options") if self.game is None else ("height", "width", "k", "exact")
        return {name: value for name, value in asdict(self).items() if name not in of_another_game}

    @property
    def search(self) -> dict:
        """How self-play searches, as arguments of `Forest`."""
        found = ("c", "fpu", "leaves", "noise", "noise_total", "considered")
        return {name: getattr(self, name) for name in found} | {"forced_moves": None if self.forced_moves else False}


def opponent_named(name: str, rules: Rules | GameRules, seed: int):
    """A fixed opponent, any agent of `mock5lib.names` that plays this game, such as "uct:1000"; None for "past"."""
    if name == "past":
        return None
    try:
        opponent = names.agent(name, seed)
    except ValueError as problem:
        raise ValueError(f"opponents: {problem}") from None
    game = rules.board()
    if isinstance(rules, Rules):
        game = Mock5(max(rules.k, 9), max(rules.k, 9), rules.k)
    if why := refusal(opponent, game):
        raise ValueError(f"opponents: {why}")
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
    "own": dict(net="flat", sizes={"channels": 32, "blocks": 2}, games=64, simulations=32, considered=8, warm_moves=6)
    | dict(opening_plies=4, evaluate_every=50, evaluation_openings=2, opponents=("uct:100",)),
}


def preset(name: str, **changes) -> Config:
    """A preset with some fields changed: `preset("tiny", simulations=64)`."""
    if name not in PRESETS:
        raise ValueError(f"A preset is one of {', '.join(PRESETS)}, got {name!r}.")
    unknown = sorted(changes.keys() - FIELDS.keys())
    if unknown:
        raise ValueError(f"A config has no field {', '.join(unknown)}; it has {', '.join(FIELDS)}.")
    return Config(**{**PRESETS[name], **changes})


FIELDS = {one.name: one for one in fields(Config)}


def read_field(name: str, text: str):
    """The value of a config's field that somebody typed: `--set opponents=uct:100,mixed`, `--set sizes={"reach": 4}`.

    Raises:
        ValueError, TypeError: there is no such field, or its value is of another type or out of range.
    """
    if name not in FIELDS:
        near = difflib.get_close_matches(name, FIELDS, n=1)
        meant = f" Did you mean {near[0]}?" if near else ""
        raise ValueError(f"A config has no field {name!r}.{meant} It has {', '.join(FIELDS)}.")
    if name == "opponents":
        return tuple(one.strip() for one in text.strip('["]').replace('"', "").split(",") if one.strip())
    if name in ("sizes", "options"):
        try:
            return json.loads(text)
        except ValueError:
            raise ValueError(f'{name} is JSON such as {{"reach": 4}}, got {text!r}.') from None
    try:
        return read_setting(FIELDS[name], text)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be {in_words(FIELDS[name])}, got {text!r}.") from None
