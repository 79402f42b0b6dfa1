"""The original mock5 package's word on 240 positions; on 40 of them where the whole file is not at hand."""

import gzip
import json
from pathlib import Path

HERE = Path(__file__).resolve().parent
WHOLE = HERE.parents[1] / "shared" / "reference" / "mock5_vectors.json.gz"
SMALL = HERE / "data" / "mock5_vectors_small.json.gz"


def load(path: Path) -> list[dict]:
    """Positions as dicts; threat levels as lists of ints whichever file they come from."""
    with gzip.open(path, "rt") as file:
        positions = json.load(file)
    for position in positions:
        threats = position["threats"]
        position["threats"] = {color: [[int(x) for x in row] for row in rows] for color, rows in threats.items()}
    return positions


def positions() -> list[dict]:
    """All 240 positions if the whole file is there, else the 40 that are kept with the tests."""
    return load(WHOLE if WHOLE.exists() else SMALL)
