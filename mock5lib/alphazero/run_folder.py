"""A run of self-play on disk, so that it can be killed at any moment and goes on; see `base/runs.py`.

config.json         what the run is
metrics.jsonl       a line for each iteration
step-000120/        a checkpoint with everything needed to go on; the last two, and those for the archive
best/, last/        checkpoints of the player for `load_agent`; best: the highest score against the first opponent
games/000120.npz    the games that ended up to iteration 120 and after the checkpoint before, as records
buffer/000120.npz   what the search found in them, for the replay buffer: removed once the window has moved on
events/             TensorBoard events, where tensorboard is installed
"""

from __future__ import annotations

import io
import json
import time
from pathlib import Path

import numpy as np

from mock5lib.alphazero.config import Config
from mock5lib.alphazero.replay import SelfPlayGame, pack_games, unpack_games
from mock5lib.base.files import MOST_CARD, npz_bytes, read_file, replace_folder, write_whole
from mock5lib.base.runs import CARD, CONFIG, STATE, RunFolder, number_of
from mock5lib.game.kit import NotBrought
from mock5lib.game.records import records_of
from mock5lib.nets.checkpoints import (
    OPTIMIZER,
    WEIGHTS,
    fill_optimizer,
    load_checkpoint,
    optimizer_bytes,
    read_weights,
    save_checkpoint,
    weights_bytes,
)

SELFPLAY, BUFFER, GAMES = "selfplay.npz", "buffer", "games"
NEWEST, AVERAGE, PAST = "newest.safetensors", "average.safetensors", "past.safetensors"
COUNTED = ("debt", "steps", "cpu_seconds", "seconds")  # of a run, in a checkpoint's state


class SelfPlayFolder(RunFolder):
    """The folder of one run, for one process: `with SelfPlayFolder(…) as kept:`."""

    def __init__(self, folder: Path, config: Config):
        super().__init__(folder, config.said(), file=CONFIG, parts=(BUFFER, GAMES))
        self.config = config
        self.waiting: list[SelfPlayGame] = []  # games that ended since the last checkpoint
        self.best, self.best_at = -1.0, 0
        self._events = None

    def go_on(self, run, say) -> None:
        """Fill `run` from the last whole checkpoint, or begin a new run; see `RunFolder.resume` for what it raises."""
        run.metrics, _ = self.resume(lambda step, state, rows: self.load(step, state, run))
        if run.iteration:
            self.keep_players(self.steps()[-1])
        if self.news:
            say(self.news)

    def load(self, step: Path, state: dict, run) -> None:
        """Fill `run` from one checkpoint; raises if it is not whole, and leaves `run` as it was."""
        newest, average = (read_weights(step / name) for name in (NEWEST, AVERAGE))
        past = read_weights(step / PAST) if (step / PAST).exists() else None
        unfinished = dict(np.load(io.BytesIO(read_file(step / SELFPLAY))))
        played = self.played_until(state["iteration"])
        positions, window = sum(len(game.policies) for game in played), self.config.window
        if min(positions, window) < min(state["positions"], window):
            raise ValueError(f"the buffer's files hold {positions} positions, the checkpoint had {state['positions']}")
        load_checkpoint(step, run.player)
        fill_optimizer(run.optimizer, step / OPTIMIZER)
        run.net.load_state_dict(newest)
        run.average.load_state_dict(average)
        run.past = past
        run.selfplay.restore(unfinished)
        run.buffer.added, run.buffer.games = state["positions"] - positions, state["games"] - len(played)
        for game in played:
            run.buffer.add(game)
        for name in COUNTED:
            setattr(run, name, state[name])
        self.best, self.best_at = state["best"], state["best_at"]

    def played_until(self, iteration: int) -> list[SelfPlayGame]:
        """The games in the buffer's files up to an iteration; a ValueError names a file that is damaged."""
        games, kind = [], records_of(self.config.rules.board())
        for file in sorted((self.folder / BUFFER).glob("[0-9]*.npz")):
            if int(file.stem) <= iteration:
                played, data = kind.load(self.folder / GAMES / file.name), read_file(file)
                record = {"moves": played.moves, "lengths": played.lengths}
                record |= {"winners": played.winners, "resigned": played.forfeits}
                try:
                    games += unpack_games({**np.load(io.BytesIO(data)), **record})
                except Exception as problem:  # noqa: BLE001 - numpy raises many kinds for a damaged file
                    raise ValueError(f"{file}: damaged ({problem})") from None
        return games

    def note(self, row: dict, run, keep: bool, archive_every: int = 0) -> None:
        """Add a row of metrics and the games that ended in it; write a checkpoint if asked to."""
        self.waiting += run.ended
        self.append(row)
        scores = {f"score/{found['opponent']}": found["score"] for found in row.get("evaluations", [])}
        with self.writing():
            if self._events is None:
                self._events = events_writer(self.folder / "events", row["iteration"])
            self._events({name: value for name, value in (row | scores).items() if isinstance(value, (int, float))})
        if keep:
            self.write_checkpoint(run, archive_every)

    def write_checkpoint(self, run, archive_every: int) -> None:
        """Games first, then the folder that counts them in."""
        with self.writing():
            if self.waiting:
                self.write_games(run.iteration)
        rows = [found for found in run.metrics[-1].get("evaluations", []) if found["opponent"] != "past"]
        if rows and rows[0]["score"] >= self.best:
            self.best, self.best_at = rows[0]["score"], run.iteration
        counts = {"iteration": run.iteration, "positions": run.buffer.added, "games": run.buffer.games}
        state = counts | {name: getattr(run, name) for name in COUNTED}
        state |= {"best": self.best, "best_at": self.best_at}
        weights = {NEWEST: run.net.state_dict(), AVERAGE: run.average.state_dict(), PAST: run.past}
        files = {name: weights_bytes(some) for name, some in weights.items() if some is not None}
        files |= {
            OPTIMIZER: optimizer_bytes(run.optimizer),
            SELFPLAY: npz_bytes(run.unfinished or run.selfplay.state()),
        }

        def save(step: Path, more: dict[str, bytes]) -> None:
            spent = {"steps": run.steps, "cpu_seconds": round(run.cpu_seconds, 1)}
            save_checkpoint(
                step,
                run.player,
                **self.config.rules._asdict(),
                extra_files=files | more,
                score=(run.metrics[-1].get("evaluations") or [None])[0],
                training={"alphazero": self.config.said(), **counts, **spent},
                simulations=self.config.evaluation_simulations,
                name=f"alphazero {self.folder.name}",
            )

        step = self.keep(run.metrics, state, save, archive_every)
        with self.writing():
            self.keep_players(step)
            self.tidy(run)

    def write_games(self, iteration: int) -> None:
        """The waiting games as records, and what the search found in them for the buffer."""
        name, start = f"{iteration:06d}.npz", self.config.rules.board()
        for part in (BUFFER, GAMES):
            (self.folder / part).mkdir(exist_ok=True)
        found, kind = pack_games(self.waiting, start.actions), records_of(start)
        kind(
            *(found.pop(part) for part in ("moves", "lengths", "winners")),
            *kind.rule_of(start),
            forfeits=found.pop("resigned"),
            card={"made by": "alphazero", "config": self.config.said()},
        ).save(self.folder / GAMES / name)
        write_whole(self.folder / BUFFER / name, npz_bytes(found))
        self.waiting = []

    def keep_players(self, step: Path) -> None:
        """`last/` is the player of the newest checkpoint, and `best/` too if that was the best."""
        files = {part: read_file(step / part) for part in (WEIGHTS, CARD)}
        for name in ("last", "best") if self.best_at == number_of(step) else ("last",):
            replace_folder(self.folder / name, files)

    def tidy(self, run) -> None:
        """Remove the buffer's files that neither of the last two checkpoints needs."""
        oldest = json.loads((self.steps()[-2:][0] / STATE).read_text(encoding="utf-8"))["positions"]
        needed, held = run.buffer.added - oldest + self.config.window, 0
        for file in sorted((self.folder / BUFFER).glob("[0-9]*.npz"), reverse=True):
            if held >= needed:
                file.unlink()
            else:
                held += int(np.load(file)["searched"].sum())


def events_writer(folder: Path, iteration: int):
    """A function that adds a dict of numbers to a new file of TensorBoard events; None where it is not installed.

    It writes the events itself: torch's own writer loads TensorFlow, where that is installed, for ten seconds.
    """
    try:
        from tensorboard.compat.proto.event_pb2 import Event
        from tensorboard.compat.proto.summary_pb2 import Summary
        from tensorboard.summary.writer.record_writer import RecordWriter
    except ImportError:
        return lambda numbers: None
    folder.mkdir(exist_ok=True)
    writer = RecordWriter(open(folder / f"events.out.tfevents.{iteration:06d}", "wb"))
    writer.write(Event(file_version="brain.Event:2").SerializeToString())

    def add(numbers: dict) -> None:
        values = [Summary.Value(tag=name, simple_value=value) for name, value in numbers.items()]
        event = Event(step=numbers["iteration"], wall_time=time.time(), summary=Summary(value=values))
        writer.write(event.SerializeToString())
        writer.flush()

    return add


def read_config(folder) -> Config:
    """The config of a run. A ValueError names a file that holds none."""
    file = Path(folder) / CONFIG
    if not file.is_file():
        raise FileNotFoundError(f"{folder}: holds no run, it has no {CONFIG}.")
    try:
        return Config(**json.loads(read_file(file, MOST_CARD)))
    except NotBrought as problem:
        raise NotBrought(f"{file}: {problem}") from None
    except (ValueError, TypeError, RecursionError) as problem:
        raise ValueError(f"{file}: not the config of a run ({problem}).") from None
