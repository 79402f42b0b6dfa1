"""A run's folder, so that it can be killed at any moment and goes on.

    config.json       (or settings.json) what the run is
    metrics.jsonl     (or log.jsonl) one row of numbers for each round
    step-000120/      a checkpoint after so many rows, with all that is needed to go on: the last two stay

A checkpoint is whole or not there, has a SHA-256 of each of its files in its card, and holds the rows up to it: the
log is written anew from it. Rows after the last checkpoint are dropped on going on; the rounds that they tell of are
played again, to the same rows.
"""

from __future__ import annotations

import json
import pickle
import re
import warnings
import zipfile
import zlib
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path

from mock5lib.base.files import (
    DRAFT,
    LOCK,
    MOST_CARD,
    Lock,
    as_lines,
    digest,
    json_lines,
    json_object,
    make_folder,
    read_file,
    remove_folder,
    write_whole,
)

STATE, CARD, START, LOGS = "state.json", "card.json", "start", ("metrics.jsonl", "log.jsonl")
CONFIG, KEEP_EVERY = "config.json", 10  # of a run of self-play: what it is, and its usual rounds between checkpoints
MOST_DIFFERENCES = 4  # between two runs that are named one by one
# What a damaged file makes its reader raise. Any other OSError, such as a disk that answers late, is no damage.
DAMAGE = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, NotImplementedError, EOFError)
DAMAGE += (FileNotFoundError, zipfile.BadZipFile, zlib.error, pickle.UnpicklingError, RecursionError)


class RunFolder:
    """The folder of one run, for one process: `with RunFolder(…) as store:`.

    Args:
        about: what the run is, as JSON holds it, kept in `file`; a run that is there already must be the same, but for
            what `length` names.
        log: the file of the rows. parts: folders with a file for each checkpoint, as in `buffer/000120.npz`.
    """

    def __init__(
        self,
        folder,
        about: dict,
        *,
        file: str = "settings.json",
        log: str = "metrics.jsonl",
        length: tuple[str, ...] = (),
        parts: tuple[str, ...] = (),
    ):
        self.folder, self.about, self.file, self.log = Path(folder), json.loads(json.dumps(about)), file, log
        self.length, self.parts = length, parts

    def __enter__(self) -> RunFolder:
        make_folder(self.folder)
        file = self.folder / self.file
        # Locks and drafts are traces of what was killed before it had written anything
        there = (path.name for path in self.folder.iterdir())
        ours = (DRAFT, re.compile(rf"(\..+)?\{LOCK}"))
        foreign = sorted(name for name in there if not any(one.fullmatch(name) for one in ours))
        if foreign and not file.exists():  # before a lock is put there
            raise ValueError(
                f"{self.folder}: is not empty and holds no run: {foreign[0]!r} is there, {self.file} is not; nothing "
                "is written there."
            )
        self.lock = Lock(self.folder).__enter__()
        try:
            self.news = f"{self.folder}: had kept no checkpoint yet; it begins again." if file.exists() else ""
            if not file.exists():
                write_whole(file, (json.dumps(self.about, indent=2) + "\n").encode())
            self.check(file)
        except BaseException:
            self.lock.__exit__()
            raise
        return self

    def __exit__(self, *_) -> None:
        self.lock.__exit__()

    def check(self, file: Path) -> None:
        """A ValueError that names the fields in which the run on disk differs, a few of them if they are many."""
        there = json_object(read_file(file, MOST_CARD))
        if there is None:
            raise ValueError(f"{file}: does not say what the run is.")
        here = self.about
        differ = [name for name in sorted({*here, *there} - {*self.length}) if here.get(name) != there.get(name)]
        if differ:
            shown = differ if len(differ) <= MOST_DIFFERENCES else differ[:3]
            fields = "; ".join(f"{name} is {there.get(name)!r} there and {here.get(name)!r} here" for name in shown)
            if len(differ) > len(shown):
                fields += f"; and {len(differ) - len(shown)} more; name another folder for another run"
            raise ValueError(f"{file}: another run is there: {fields}.")

    def steps(self) -> list[Path]:
        """The checkpoints, oldest first."""
        return step_folders(self.folder)

    def resume(self, load: Callable[[Path, dict, list[dict]], None]) -> tuple[list[dict], dict]:
        """Fill a run from its newest checkpoint, and drop what came after it.

        Args:
            load: gets a checkpoint's folder, state and rows, and fills the run.

        Returns the checkpoint's rows and state, none of either if the run begins; `news` says what was there. A
        ValueError says that it is damaged; nothing was changed then.
        """
        step, rows, state = last_checkpoint(self.folder), [], {}
        if step:
            self.news = f"{self.folder}: goes on after iteration {number_of(step)}."
            try:
                check_files(step)
                state, rows = json.loads(read_file(step / STATE)), json_lines(read_file(step / self.log))
                load(step, state, rows)
            except DAMAGE as problem:
                raise ValueError(
                    f"{step}: can't be used ({problem}). Nothing was changed. Without that folder the run goes on from "
                    f"the checkpoint before, or from its beginning."
                ) from problem
        for file in (file for part in self.parts for file in (self.folder / part).glob("*.npz")):
            if file.stem.isdecimal() and int(file.stem) > len(rows):
                file.unlink()
        write_whole(self.folder / self.log, as_lines(rows))
        return rows, state

    def append(self, row: dict) -> None:
        """Add a row to the log."""
        with self.writing(), open(self.folder / self.log, "ab") as file:
            file.write(as_lines([row]))

    def keep(self, rows: list[dict], state: dict, save: Callable[[Path, dict[str, bytes]], None], every: int = 0):
        """Write a checkpoint, then remove the others but for the last one and, if asked to, each `every` rows.

        Args:
            save: writes the checkpoint into a folder, with further files by name, whole or not at all.

        Returns the checkpoint's folder.
        """
        step = self.folder / f"step-{len(rows):06d}"
        with self.writing():
            save(step, {STATE: (json.dumps(state) + "\n").encode(), self.log: as_lines(rows)})
            for old in self.steps()[:-2]:
                if not every or number_of(old) % every:
                    remove_folder(old)
        return step

    @contextmanager
    def writing(self):
        """What can't be written ends in an OSError that says which checkpoint is whole."""
        try:
            yield
        except OSError as problem:
            last = last_checkpoint(self.folder)
            whole = f"the last whole checkpoint is {last.name}" if last else "there is no checkpoint yet"
            raise OSError(problem.errno, f"{self.folder}: can't be written ({problem.strerror}); {whole}") from problem


def check_files(step: Path) -> None:
    """A ValueError that names the first file of a checkpoint that is missing, or not as its card says."""
    card = json_object(read_file(step / CARD, MOST_CARD)) or {}
    for name, wanted in card.get("sha256", {}).items():
        if not (step / name).is_file():
            raise ValueError(f"{step / name}: is named in {CARD} and not there")
        if digest(read_file(step / name)) != wanted:
            raise ValueError(f"{step / name}: damaged, its bytes are not those that were written")


def step_folders(folder: Path) -> list[Path]:
    """The checkpoints of a run, oldest first."""
    return sorted((path for path in folder.glob("step-*") if path.name[5:].isdecimal()), key=number_of)


def instead_of(path: Path) -> str:
    """What to say where no checkpoint is: of a run of self-play that has none yet, or those within; "" for neither."""
    run = path if path.is_dir() else path.parent
    if (run / CONFIG).is_file() and not any(run.glob(f"*/{CARD}")):
        return (
            f"{run} has no checkpoint yet; it keeps the first after {KEEP_EVERY} rounds, or those of --keep-every: go "
            "on with the command that began it."
        )
    within = sorted(path.glob(f"last/{CARD}")) or sorted(path.glob(f"*/{CARD}"))
    return f"Did you mean {' or '.join(card.parent.as_posix() for card in within[:3])}?" if within else ""


def number_of(step: Path) -> int:
    """The 120 of step-000120."""
    return int(step.name[5:])


def last_checkpoint(folder) -> Path | None:
    """The newest checkpoint of a run, None if it has none yet."""
    return next(iter(reversed(step_folders(Path(folder)))), None)


def read_metrics(path) -> list[dict]:
    """The rows of a run's log, from the file or its folder; a last line that was cut short is left out.

    A warning says so if a line before it is damaged: the rows from there on are left out.
    """
    path = Path(path)
    if path.is_dir():
        path = next((path / name for name in LOGS if (path / name).exists()), path / LOGS[0])
    rows = json_lines(read_file(path)) if path.exists() else []
    if None in rows:
        number = rows.index(None)
        warnings.warn(f"{path}, line {number + 1}: damaged; {len(rows) - number} rows are left out.", stacklevel=2)
        return rows[:number]
    return rows
