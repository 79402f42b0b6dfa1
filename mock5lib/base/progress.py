"""A progress bar: a widget in a notebook, text elsewhere."""

from __future__ import annotations


def progress_bar(total: int, progress: bool, unit: str):
    """A tqdm bar over so many units, hidden unless `progress`."""
    if progress:
        from tqdm.auto import tqdm
    else:
        from tqdm import tqdm  # tqdm.auto warns where a notebook lacks its widgets
    return tqdm(total=total, unit=unit, disable=not progress)
