"""A run of self-play on disk, so that it can be killed at any moment and goes on.

    config.json         what the run is
    metrics.jsonl       a line for each iteration
    step-000120/        a checkpoint with everything needed to go on; the last two, and those for the archive
    best/, last/        checkpoints of the player for `load_agent`; best: the highest score against the first opponent
    buffer/000120.npz   the games that ended up to iteration 120 and after the checkpoint before, for the replay buffer
    games/000120.npz    the same games as records
    events/             TensorBoard events, where tensorboard is installed

Files and folders appear whole or not at all. What is newer than the last whole checkpoint is dropped on resuming, and
played again to the same games.
"""

from __future__ import annotations

import io
import json
import shutil
import time
import zipfile
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

import numpy as np
import safetensors.torch
import torch

from mock5lib.alphazero.replay import PlayedGame, pack_games, unpack_games
from mock5lib.base.files import write_whole
from mock5lib.game.records import Records
from mock5lib.game.records import concatenate as join_records
from mock5lib.nets.checkpoints import load_checkpoint, save_checkpoint
from mock5lib.nets.nets import device_of
from mock5lib.nets.run_files import complete_lines, load_optimizer, optimizer_bytes, step_folders

CONFIG, METRICS, STATE = "config.json", "metrics.jsonl", "state.json"
OPTIMIZER, NEWEST, AVERAGE, PAST, SELFPLAY = (
    "optimizer.safetensors",
    "newest.safetensors",
    "average.safetensors",
    "past.safetensors",
    "selfplay.npz",
)


class RunFolder:
    """The folder of one run.

    Args:
        config: a `Config` of `alphazero.py`.
    """

    def __init__(self, folder: Path, config):
        self.folder, self.config = Path(folder), config
        self.waiting: list[PlayedGame] = []  # games that ended since the last checkpoint
        self.best = -1.0
        self._events = None

    # Going on

    def resume(self, run, say) -> None:
        """Fill `run` from the last whole checkpoint, or begin a new run.

        Raises:
            ValueError: the folder holds something else, or a run of another config; says which fields differ.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        file = self.folder / CONFIG
        if not file.exists():
            if any(self.folder.iterdir()):
                raise ValueError(f"{self.folder}: is not empty and holds no run; nothing is written there.")
            write_whole(file, (json.dumps(plain(self.config), indent=2) + "\n").encode())
        self.check(file)
        for step in reversed(step_folders(self.folder)):
            try:
                self.load(step, run)
            except (ValueError, OSError, KeyError, zipfile.BadZipFile) as problem:
                say(f"{step.name} can't be used ({problem}); going back to the checkpoint before.")
                shutil.rmtree(step)
                continue
            break
        self.drop_after(run)
        if run.iteration:
            say(f"{self.folder}: goes on after iteration {run.iteration}.")

    def check(self, file: Path) -> None:
        """A ValueError that names every field in which the run on disk differs."""
        try:
            there = json.loads(file.read_text(encoding="utf-8"))
        except ValueError as problem:
            raise ValueError(f"{file}: not the config of a run ({problem}).") from None
        here = plain(self.config)
        differ = [name for name in sorted(here.keys() | there.keys()) if here.get(name) != there.get(name)]
        if differ:
            fields = "; ".join(f"{name} is {there.get(name)!r} there and {here.get(name)!r} here" for name in differ)
            raise ValueError(f"{self.folder}: holds a run of another config: {fields}.")

    def load(self, step: Path, run) -> None:
        """Fill `run` from one checkpoint; raises if it is not whole, and leaves `run` as it was."""
        state = json.loads((step / STATE).read_text(encoding="utf-8"))
        metrics = [row for row in complete_lines(self.folder / METRICS) if row["iteration"] <= state["iteration"]]
        if len(metrics) != state["iteration"]:
            raise ValueError(f"{METRICS} has {len(metrics)} rows, the checkpoint is of iteration {state['iteration']}")
        weights = {name: read_weights(step / name) for name in (NEWEST, AVERAGE, PAST) if (step / name).exists()}
        read_weights(step / OPTIMIZER)  # to fail here, before anything has changed
        games = np.load(io.BytesIO((step / SELFPLAY).read_bytes()))
        played = self.played_until(state["iteration"])
        positions = sum(len(game.policies) for game in played)
        kept = min(positions, run.config.window)
        if kept < min(state["positions"], run.config.window):
            raise ValueError(f"the buffer's files hold {positions} positions, the checkpoint had {state['positions']}")
        load_checkpoint(step, run.player, device_of(run.player))
        load_optimizer(run.optimizer, step / OPTIMIZER)
        run.net.load_state_dict(weights[NEWEST])
        run.average.load_state_dict(weights[AVERAGE])
        run.past = weights.get(PAST)
        run.selfplay.restore(games)
        run.buffer.added, run.buffer.games = state["positions"] - positions, state["games"] - len(played)
        for game in played:
            run.buffer.add(game)
        run.metrics, run.debt, run.steps = metrics, state["debt"], state["steps"]
        run.cpu_seconds, run.seconds, self.best = state["cpu_seconds"], state["seconds"], state["best"]

    def played_until(self, iteration: int) -> list[PlayedGame]:
        """The games in the buffer's files up to an iteration."""
        games = []
        for file in sorted((self.folder / "buffer").glob("*.npz")):
            if int(file.stem) <= iteration:
                games += unpack_games(np.load(io.BytesIO(file.read_bytes())))
        return games

    def drop_after(self, run) -> None:
        """Remove what is newer than the run as it stands."""
        for part in ("buffer", "games"):
            for file in (self.folder / part).glob("*.npz"):
                if int(file.stem) > run.iteration:
                    file.unlink()
        write_whole(self.folder / METRICS, "".join(json.dumps(row) + "\n" for row in run.metrics).encode())

    # Writing

    def append(self, row: dict, run, *, keep: bool, archive_every: int = 0) -> None:
        """Add a row of metrics and the games that ended in it; write a checkpoint if asked to.

        Raises:
            OSError: the disk is full or can't be written; says which checkpoint is whole.
        """
        self.waiting += run.ended
        try:
            with open(self.folder / METRICS, "a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")
            self.write_events(row)
            if keep:
                self.keep(run, archive_every)
        except OSError as problem:
            whole = step_folders(self.folder)
            last = f"the last whole checkpoint is {whole[-1].name}" if whole else "there is no checkpoint yet"
            raise OSError(problem.errno, f"{self.folder}: can't be written ({problem.strerror}); {last}") from problem

    def keep(self, run, archive_every: int) -> None:
        """Write a checkpoint: games first, then the folder that counts them in."""
        if self.waiting:
            self.write_games(run.iteration)
        name = f"step-{run.iteration:06d}"
        state = {
            "iteration": run.iteration,
            "positions": run.buffer.added,
            "games": run.buffer.games,
            "debt": run.debt,
            "steps": run.steps,
            "cpu_seconds": run.cpu_seconds,
            "seconds": run.seconds,
        }
        rows = [found for found in run.metrics[-1].get("evaluations", []) if found["opponent"] != "past"]
        improved = bool(rows) and rows[0]["score"] >= self.best
        self.best = rows[0]["score"] if improved else self.best
        state["best"] = self.best
        extra = {
            STATE: (json.dumps(state) + "\n").encode(),
            OPTIMIZER: optimizer_bytes(run.optimizer),
            NEWEST: weights_bytes(run.net.state_dict()),
            AVERAGE: weights_bytes(run.average.state_dict()),
            SELFPLAY: npz_bytes(run.selfplay.state()),
        }
        if run.past is not None:
            extra[PAST] = weights_bytes(run.past)
        self.save_player(name, run, extra)
        self.save_player("last", run)
        if improved:
            self.save_player("best", run)
        self.tidy(run, archive_every)

    def write_games(self, iteration: int) -> None:
        """The waiting games, for the buffer and as records."""
        points = self.config.height * self.config.width
        for part in ("buffer", "games"):
            (self.folder / part).mkdir(exist_ok=True)
        write_whole(self.folder / "buffer" / f"{iteration:06d}.npz", npz_bytes(pack_games(self.waiting, points)))
        records_of(self.waiting, self.config).save(self.folder / "games" / f"{iteration:06d}.npz")
        self.waiting = []

    def save_player(self, name: str, run, extra: dict[str, bytes] | None = None) -> None:
        """A checkpoint of the player."""
        found = run.metrics[-1].get("evaluations") or [None]
        save_checkpoint(
            self.folder / name,
            run.player,
            **run.config.rules,
            extra_files=extra,
            score=found[0],
            training={
                "alphazero": plain(run.config),
                "iteration": run.iteration,
                "games": run.buffer.games,
                "positions": run.buffer.added,
                "steps": run.steps,
                "cpu_seconds": round(run.cpu_seconds, 1),
            },
            simulations=run.config.evaluation_simulations,
            name=f"alphazero {self.folder.name}",
        )

    def tidy(self, run, archive_every: int) -> None:
        """Remove checkpoints and buffer files that nothing needs any more. The two last checkpoints stay usable."""
        steps = step_folders(self.folder)
        for old in steps[:-2]:
            if not archive_every or int(old.name[5:]) % archive_every:
                shutil.rmtree(old)
        oldest = json.loads((steps[-2:][0] / STATE).read_text(encoding="utf-8"))["positions"]
        needed = run.buffer.added - oldest + self.config.window
        files, held = sorted((self.folder / "buffer").glob("*.npz"), reverse=True), 0
        for file in files:
            if held >= needed:
                file.unlink()
            else:
                held += int(np.load(file)["searched"].sum())

    def write_events(self, row: dict) -> None:
        """The row's numbers as TensorBoard events, if tensorboard is installed."""
        if self._events is None:
            self._events = events_writer(self.folder / "events", row["iteration"])
        scores = {f"score/{found['opponent']}": found["score"] for found in row.get("evaluations", [])}
        self._events({name: value for name, value in (row | scores).items() if isinstance(value, (int, float))})


def plain(config) -> dict:
    """A config as JSON holds it."""
    return json.loads(json.dumps(asdict(config)))


def weights_bytes(weights: dict[str, torch.Tensor]) -> bytes:
    """Weights as safetensors."""
    return safetensors.torch.save({name: part.detach().cpu().contiguous() for name, part in weights.items()})


def read_weights(path: Path) -> dict[str, torch.Tensor]:
    """Weights from a file of `weights_bytes`; a ValueError if it is cut short."""
    try:
        return safetensors.torch.load(path.read_bytes())
    except safetensors.SafetensorError as problem:
        raise ValueError(f"{path}: not a weights file, or cut short ({problem}).") from None


def npz_bytes(arrays: dict[str, np.ndarray]) -> bytes:
    """Arrays as a compressed npz."""
    stream = io.BytesIO()
    np.savez_compressed(stream, **arrays)
    return stream.getvalue()


def records_of(games: list[PlayedGame], config) -> Records:
    """Games of self-play as records."""
    return Records(
        np.concatenate([game.moves for game in games]),
        [len(game.moves) for game in games],
        [game.winner for game in games],
        config.height,
        config.width,
        config.k,
        config.exact,
        forfeits=[game.resigned for game in games],
        card={"made by": "alphazero", "config": plain(config)},
    )


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


# Reading a run ----------------------------------------------------------------------------------------------------


def read_config(folder):
    """The config of a run.

    Raises:
        FileNotFoundError: there is no run. ValueError: it is no run's config; names the file.
    """
    from mock5lib.alphazero.loop import Config

    file = Path(folder) / CONFIG
    if not file.is_file():
        raise FileNotFoundError(f"{folder}: holds no run, it has no {CONFIG}.")
    try:
        return Config(**json.loads(file.read_text(encoding="utf-8")))
    except (ValueError, TypeError) as problem:
        raise ValueError(f"{file}: not the config of a run ({problem}).") from None


def read_metrics(folder) -> list[dict]:
    """The rows of a run, one for each iteration; a last line that was cut short is left out."""
    return list(complete_lines(Path(folder) / METRICS))


def read_games(folder) -> Records:
    """All games of a run that its checkpoints hold, as records.

    Raises:
        FileNotFoundError: there are none.
    """
    files = sorted((Path(folder) / "games").glob("*.npz"))
    if not files:
        raise FileNotFoundError(f"{folder}: holds no games.")
    return join_records([Records.load(file) for file in files])


# Where a run runs --------------------------------------------------------------------------------------------------


def device_named(name: str, say) -> torch.device:
    """ "cpu", "cuda" or "auto" as a device.

    Raises:
        ValueError: CUDA is asked for and not there, or there is no such device.
    """
    if name not in ("cpu", "cuda", "auto"):
        raise ValueError(f"device is 'cpu', 'cuda' or 'auto', got {name!r}.")
    there = torch.cuda.is_available()
    if name == "cuda" and not there:
        raise ValueError("device 'cuda' was asked for, but torch finds no CUDA GPU here; take 'cpu' or 'auto'.")
    if name == "auto" and not there:
        say("No CUDA GPU found: running on the CPU.")
    return torch.device("cuda" if there and name != "cpu" else "cpu")


@contextmanager
def memory_advice(config, device):
    """Out of memory ends in a MemoryError that says which settings to lower."""
    try:
        yield
    except (MemoryError, torch.OutOfMemoryError) as problem:
        what = "GPU" if isinstance(problem, torch.OutOfMemoryError) else "main"
        raise MemoryError(
            f"Out of {what} memory. Lower games ({config.games}), leaves ({config.leaves}), batch_size "
            f"({config.batch_size}), simulations ({config.simulations}) or window ({config.window})."
        ) from problem
