"""A run's folder, so that it can be killed at any moment and goes on, and so that nothing in it is ever lost.

    config.json       (or settings.json) what the run is
    metrics.jsonl     (or log.jsonl) one row of numbers for each round
    step-000120/      a checkpoint after so many rows, with all that is needed to go on: the last two stay
    set-aside-1/      what a start could not use; nothing that is there is touched again

A checkpoint is whole or not there, has a checksum of each of its files, and holds the rows up to it: the log can be
written anew from it, and never decides about weights. Rows after the last checkpoint are dropped on going on; the
rounds that they tell of are played again, to the same rows.
"""

from __future__ import annotations

import json
import pickle
import warnings
import zipfile
import zlib
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path

from mock5lib.base.files import (
    LOCK,
    SUMS,
    Lock,
    as_lines,
    check_sums,
    heal,
    json_lines,
    json_object,
    left_behind,
    make_folder,
    remove_folder,
    set_aside,
    warn,
    write_whole,
)

STATE, START, LOGS = "state.json", "start", ("metrics.jsonl", "log.jsonl")
# What a damaged file makes its reader raise. Any other OSError, such as a disk that answers late, is no damage.
DAMAGE = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, NotImplementedError, EOFError)
DAMAGE += (FileNotFoundError, zipfile.BadZipFile, zlib.error, pickle.UnpicklingError, RecursionError)


class Store:
    """The folder of one run, for one process: `with Store(…) as store:`.

    Args:
        about: what the run is, as JSON holds it, kept in `file`; a run that is there already must be the same, but for
            what `length` names. today: brings an older file's content into the form of `about`.
        log: the file of the rows. parts: folders with a file for each checkpoint, as in `buffer/000120.npz`.
        from_older: where newer checkpoints are damaged, set them aside and go on from the one before, or from the
            beginning; else that is an error, and nothing is changed.

    Raises:
        ValueError: the folder holds something else, or another run; says in what it differs.
        BlockingIOError: another process writes there; names it.
    """

    def __init__(
        self,
        folder,
        about: dict,
        *,
        file: str = "settings.json",
        log: str = "metrics.jsonl",
        length: tuple[str, ...] = (),
        today: Callable[[dict], dict] = dict,
        parts: tuple[str, ...] = (),
        from_older: bool = False,
    ):
        self.folder, self.about, self.file, self.log = Path(folder), json.loads(json.dumps(about)), file, log
        self.length, self.today, self.parts, self.from_older = length, today, parts, from_older

    def __enter__(self) -> Store:
        make_folder(self.folder)
        self.lock = Lock(self.folder).__enter__()
        try:
            self.begin()
        except BaseException:
            self.lock.__exit__()
            raise
        return self

    def __exit__(self, *_) -> None:
        self.lock.__exit__()

    # Going on

    def begin(self) -> None:
        """Check that the folder is empty or holds this run, and mend what a killed process left half done."""
        file = self.folder / self.file
        if not file.exists():
            foreign = sorted(path.name for path in self.folder.iterdir() if not self.is_first_trace(path))
            if foreign:
                raise ValueError(
                    f"{self.folder}: is not empty and holds no run, but {foreign[0]!r}; nothing is written there."
                )
            write_whole(file, (json.dumps(self.about, indent=2) + "\n").encode())
        self.check(file)
        for folder in (self.folder, *(self.folder / part for part in self.parts)):
            heal(folder, rf"step-\d+|last|best|{START}|\d{{6}}\.npz|{self.file}|{self.log}")

    def is_first_trace(self, path: Path) -> bool:
        """Whether this may be all that is left of a run that was killed before it had said what it is."""
        if path.name == START and (path / "card.json").is_file():  # as runs began once
            return self.about in (json_object((path / "card.json").read_bytes()) or {}).get("training", {}).values()
        return path.name == LOCK or left_behind(path.name, f"{self.file}|{START}") is not None

    def check(self, file: Path) -> None:
        """A ValueError that names every field in which the run on disk differs."""
        try:
            there = self.today(json.loads(file.read_bytes()))
        except DAMAGE as problem:
            raise ValueError(f"{file}: does not say what the run is ({problem}).") from None
        here = self.about
        differ = [name for name in sorted({*here, *there} - {*self.length}) if here.get(name) != there.get(name)]
        if differ:
            fields = "; ".join(f"{name} is {there.get(name)!r} there and {here.get(name)!r} here" for name in differ)
            raise ValueError(f"{file}: another run is there: {fields}.")

    def steps(self) -> list[Path]:
        """The checkpoints, oldest first."""
        return step_folders(self.folder)

    def resume(self, load: Callable[[Path, dict, list[dict]], None]) -> tuple[list[dict], dict]:
        """Fill a run from its newest checkpoint that can be used.

        Args:
            load: gets a checkpoint's folder, state and rows, and fills the run; or raises, and leaves it as it was.

        Returns:
            The checkpoint's rows and state; none of either if the run begins.

        Raises:
            ValueError: a checkpoint is damaged, and `from_older` was not asked for. OSError: one can't be read now.
        """
        found: tuple[list[dict], dict] = [], {}

        def load_step(step: Path) -> None:
            nonlocal found
            check_sums(step)
            if not (step / SUMS).exists():
                warn(f"{step}: is from before checkpoints had checksums; a flipped bit in it would not be noticed.")
            state, rows = json.loads((step / STATE).read_bytes()), self.rows_of(step)
            load(step, state, rows)
            found = rows, state

        newest_usable(self.folder, self.steps(), load_step, self.from_older, self.came_after)
        self.drop_after(found[0])
        return found

    def rows_of(self, step: Path) -> list[dict]:
        """The rows up to a checkpoint: its own; or the log's, for one from before checkpoints held them."""
        own, log, number = step / self.log, self.folder / self.log, number_of(step)
        if own.exists():
            return json_lines(own.read_bytes())
        rows, seen = [], set()
        for row in json_lines(log.read_bytes()):
            name = row and (row.get("iteration"), row.get("episodes"))
            if row is None or name not in seen:  # two processes at once, which was possible, wrote each row twice
                rows.append(row)
                seen.add(name)
        rows = rows[:number]
        if len(rows) < number or None in rows:
            what = f"line {rows.index(None) + 1} is damaged" if None in rows else f"it has {len(rows)} rows"
            raise ValueError(f"it needs the first {number} rows of {log}: {what}")
        return rows

    def came_after(self, step: Path | None) -> list[Path]:
        """What a run has beside its checkpoints that came after one of them, None for the beginning."""
        number = number_of(step) if step else 0
        players = [path for path in (self.folder / "last", self.folder / "best") if iteration_of(path) > number]
        return [*self.newer_parts(number), *players, self.folder / self.log]

    def newer_parts(self, number: int) -> list[Path]:
        """Files of the parts that came after checkpoint `number`."""
        files = (file for part in self.parts for file in (self.folder / part).glob("*.npz"))
        return [file for file in files if file.stem.isdecimal() and int(file.stem) > number]

    def drop_after(self, rows: list[dict]) -> None:
        """Remove what came after the checkpoint with these rows; what can't have come so is set aside."""
        log, lines, newer = self.folder / self.log, as_lines(rows), self.newer_parts(len(rows))
        there = log.read_bytes() if log.exists() else b""
        found = json_lines(there)
        fits = as_lines(found[: len(rows)]) == as_lines(rows[: len(found)]) and (rows or not found)
        lost = ([] if fits else [log]) + (newer if len(newer) > len(self.parts) else [])  # a kill leaves one of each
        if lost:
            aside = set_aside(self.folder, lost)
            warn(f"{self.folder}: {lost[0].name} does not fit the checkpoints; set aside in {aside.name}/.")
        for file in newer:
            file.unlink(missing_ok=True)
        if there != lines:
            write_whole(log, lines)

    # Writing

    def append(self, row: dict) -> None:
        """Add a row to the log."""
        with self.writing(), open(self.folder / self.log, "ab") as file:
            file.write(as_lines([row]))

    def keep(self, rows: list[dict], state: dict, save: Callable[[Path, dict[str, bytes]], None], every: int = 0):
        """Write a checkpoint, then remove the others but for the last one and, if asked to, each `every` rows.

        Args:
            save: writes the checkpoint into a folder, with further files by name, whole or not at all.

        Returns:
            The checkpoint's folder.
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


def newest_usable(
    folder: Path,
    checkpoints: list[Path],
    load: Callable[[Path], None],
    from_older: bool,
    came_after: Callable[[Path | None], list[Path]] = lambda checkpoint: [],
) -> Path | None:
    """Fill a run from the newest of its checkpoints (oldest first) that can be used; returns it, None if there is none.

    Args:
        load: fills the run; or raises, and leaves it as it was. came_after: what else came after a checkpoint.
        from_older: set those that are damaged aside, with what came after the one before, and say so.

    Raises:
        ValueError: one is damaged, and `from_older` was not asked for; nothing is changed. OSError: can't be read now.
    """
    damaged, usable = {}, None
    for checkpoint in reversed(checkpoints):
        try:
            load(checkpoint)
            usable = checkpoint
            break
        except DAMAGE as problem:
            damaged[checkpoint] = problem
    if not damaged:
        return usable
    why = "; ".join(f"{path.name} can't be used ({problem})" for path, problem in damaged.items())
    goal = f"from {usable.name}, the checkpoint before" if usable else "from its beginning"
    if not from_older:
        raise ValueError(
            f"{folder}: {why}. Nothing was changed. With --from-older (from_older=True) the run goes on {goal}, and "
            f"what came after it is set aside."
        )
    aside = set_aside(folder, [path for path in (*damaged, *came_after(usable)) if path.exists()])
    warn(f"{folder}: {why}; set aside in {aside.name}/, and the run goes on {goal}.")
    return usable


def step_folders(folder: Path) -> list[Path]:
    """The checkpoints of a run, oldest first."""
    return sorted((path for path in folder.glob("step-*") if path.name[5:].isdecimal()), key=number_of)


def number_of(step: Path) -> int:
    """The 120 of step-000120."""
    return int(step.name[5:])


def last_checkpoint(folder) -> Path | None:
    """The newest checkpoint of a run, None if it has none yet."""
    return next(iter(reversed(step_folders(Path(folder)))), None)


def iteration_of(checkpoint: Path) -> int:
    """The iteration that a checkpoint's card tells of; 0 if it tells of none."""
    file = checkpoint / "card.json"
    return ((file.is_file() and json_object(file.read_bytes())) or {}).get("training", {}).get("iteration", 0)


def read_metrics(path) -> list[dict]:
    """The rows of a run's log, from the file or its folder; a last line that was cut short is left out.

    A warning says so if a line before it is damaged: the rows from there on are left out.
    """
    path = Path(path)
    if path.is_dir():
        path = next((path / name for name in LOGS if (path / name).exists()), path / LOGS[0])
    rows = json_lines(path.read_bytes()) if path.exists() else []
    if None in rows:
        number = rows.index(None)
        warnings.warn(f"{path}, line {number + 1}: damaged; {len(rows) - number} rows are left out.", stacklevel=2)
        return rows[:number]
    return rows
