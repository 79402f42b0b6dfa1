"""All stages of AlphaGo's training into one folder; see `train.py` for what each of them does.

    fast.keras         the fast policy, from records
    strong.keras       the strong policy, from records; gives the search its priors
    reinforced.keras   the strong policy after self-play against a pool of its earlier selves
    positions.npz      one position a game, with the outcome under the reinforced policy
    value.keras        the value net, learned from those

and three more to compare with:

    frozen.keras       self-play against the first self only, as in the slides after Pumperla and Ferguson (2019)
    one_each.keras     a value net from records: one position a game
    whole_games.keras  a value net from as many positions: all of a few games, which it knows by heart

A stage whose file is there is passed over; one that was stopped begins again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from mock5lib.alphago import nets as keras_nets
from mock5lib.alphago.experience import Experience
from mock5lib.alphago.games import record_positions, value_positions
from mock5lib.alphago.kit import kit_of
from mock5lib.alphago.nets import FAST, STRONG, VALUE, keras, load_net, policy_function, save_net
from mock5lib.alphago.settings import AlphaGoSettings
from mock5lib.alphago.train import policy_accuracy, train_policy, train_policy_gradient, train_value
from mock5lib.base.files import Lock, make_folder
from mock5lib.base.plugins import thing_at
from mock5lib.game.records import Records

STAGES = ("fast", "strong", "reinforced", "positions", "value")
COMPARISONS = ("frozen", "one_each", "whole_games")
NETS_OF_STAGES = {"fast": FAST, "strong": STRONG, "reinforced": STRONG, "frozen": STRONG}
NETS_OF_STAGES |= {"value": VALUE, "one_each": VALUE, "whole_games": VALUE}
NEEDS = {"reinforced": ["strong"], "positions": ["strong", "reinforced"], "value": ["positions"], "frozen": ["strong"]}


def train_alphago(
    folder,
    records: Records,
    settings: AlphaGoSettings | None = None,
    *,
    stages=STAGES,
    seed: int = 0,
    say: Callable[[str], None] = print,
) -> Path:
    """Run stages into a folder, in their order.

    Args:
        records: games to learn from, of any game with a kit (`alphago.kit`), a tenth of them held out.
        stages: some of `STAGES` and `COMPARISONS`.
        say: is given a line for each epoch, iteration and file.
    """
    known = STAGES + COMPARISONS
    unknown = [stage for stage in stages if stage not in known]
    if unknown or not stages:
        raise ValueError(f"Stages are {', '.join(known)}; got {unknown[0] if unknown else 'none'!r}.")
    if kit_of(records.blank) is None:
        raise ValueError(f"AlphaGo's nets don't know the game of these records, {records!r}; see `alphago.kit`.")
    run = Pipeline(Path(folder), *records.split(0.1, seed=seed), settings or AlphaGoSettings(), seed, say)
    make_folder(run.folder)
    with Lock(run.folder):
        for stage in (stage for stage in known if stage in stages):
            if run.path(stage).is_file():
                run.read(stage)
                say(f"{run.path(stage)}: is there already")
                continue
            for needed in NEEDS.get(stage, ()):
                if not run.path(needed).is_file():
                    raise FileNotFoundError(
                        f"{run.path(needed)}: stage {stage!r} needs it; run stage {needed!r} first."
                    )
            say(f"stage {stage} …")
            run.do(stage)
    return run.folder


@dataclass(frozen=True)
class Pipeline:
    """A folder, and what its stages learn from."""

    folder: Path
    train: Records
    held_out: Records
    settings: AlphaGoSettings
    seed: int
    say: Callable[[str], None]

    def path(self, stage: str) -> Path:
        """The file of a stage."""
        return self.folder / f"{stage}.{'keras' if stage in NETS_OF_STAGES else 'npz'}"

    def read(self, stage: str) -> keras.Model | Experience:
        """What a stage has written."""
        if stage == "positions":
            return Experience.load(self.path(stage))
        return load_net(self.path(stage), NETS_OF_STAGES[stage], (self.train.height, self.train.width))

    def do(self, stage: str) -> None:
        """Run a stage and write its file."""
        if stage == "positions":
            policies = policy_function(self.read("strong")), policy_function(self.read("reinforced"))
            found = value_positions(*policies, self.settings.value_positions, seed=self.seed)
            found.save(self.path(stage))
            self.say(f"{self.path(stage)}: {found!r}")
        elif stage in ("fast", "strong"):
            self.learn_records(stage)
        elif stage in ("reinforced", "frozen"):
            self.learn_by_playing(stage)
        elif stage == "value":
            self.learn_outcomes(stage, *self.read("positions").split(0.1, seed=self.seed))
        else:  # as many positions as there are games; not turned, which would hide for a while what is learned by heart
            each = stage == "one_each"
            chosen = record_positions(self.train, len(self.train), one_per_game=each, seed=self.seed)
            unseen = record_positions(self.held_out, len(self.held_out), seed=self.seed)
            self.learn_outcomes(stage, chosen, unseen, symmetries=False)

    def learn_records(self, stage: str) -> None:
        """The fast or the strong policy from records, judged every 250 steps or so."""
        net, settings = self.new(stage), self.settings
        steps, rate = getattr(settings, f"{stage}_steps"), getattr(settings, f"{stage}_rate")
        epochs = max(1, steps // 250)
        options = dict(epochs=epochs, steps=-(-steps // epochs), batch_size=settings.batch_size, learning_rate=rate)
        history = train_policy(net, self.train, held_out=self.held_out, **options, **self.usual(stage))
        self.keep(stage, net, history, top1=policy_accuracy(net, self.held_out))

    def learn_by_playing(self, stage: str) -> None:
        """The strong policy against a pool of its earlier selves, or against the first one."""
        net, settings = self.read("strong"), self.settings
        options = dict(iterations=settings.iterations, games=settings.games, add_every=settings.add_every)
        options |= dict(learning_rate=settings.gradient_rate, opponents="frozen" if stage == "frozen" else "pool")
        self.keep(stage, net, train_policy_gradient(net, **options, **self.usual(stage)))

    def learn_outcomes(self, stage: str, learned: Experience, unseen: Experience, symmetries: bool = True) -> None:
        """A value net from positions with outcomes."""
        net, settings = self.new(stage), self.settings
        options = dict(epochs=settings.value_epochs, batch_size=settings.batch_size, learning_rate=settings.value_rate)
        history = train_value(net, learned, held_out=unseen, symmetries=symmetries, **options, **self.usual(stage))
        self.keep(stage, net, history, saying_the_mean=float(unseen.outcomes.var()))

    def new(self, stage: str) -> keras.Model:
        """An untrained net for a stage."""
        board, settings, kit = (self.train.height, self.train.width), self.settings, kit_of(self.train.blank)
        if NETS_OF_STAGES[stage] == FAST:
            return thing_at(kit.fast_net)(*board, settings.reach, seed=self.seed)
        shape = {"filters": settings.filters, "first": settings.first, "seed": self.seed, "game": kit.game}
        if NETS_OF_STAGES[stage] == STRONG:
            return keras_nets.strong_policy(*board, layers=settings.layers, **shape)
        return keras_nets.value_net(*board, layers=settings.layers + 3, dense=settings.dense, **shape)

    def usual(self, stage: str) -> dict:
        """What every training is told."""
        return {"seed": self.seed, "report": lambda row: self.say(f"{stage}: {in_words(row)}")}

    def keep(self, stage: str, net, history: list[dict], **score) -> None:
        """Write a net without its optimizer, which nobody needs any more."""
        bare = type(net).from_config(net.get_config())  # a clone would be compiled, too
        bare.set_weights(net.get_weights())
        training = {"stage": stage, "seed": self.seed, "settings": asdict(self.settings), "history": history}
        save_net(self.path(stage), bare, training=training, score=score)
        self.say(f"{self.path(stage)}: done" + (f", {in_words(score)}" if score else ""))


def in_words(row: dict) -> str:
    """{"epoch": 2, "loss": 1.2345} → "epoch 2, loss 1.234"."""
    return ", ".join(
        f"{name} {value:.3f}" if isinstance(value, float) else f"{name} {value}" for name, value in row.items()
    )
