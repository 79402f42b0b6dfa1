"""An encoder by its name, as the cards of checkpoints have it."""

from __future__ import annotations

import re

from mock5lib.alphago import planes as alphago_planes
from mock5lib.game.encoders import Encoder


def by_name(name: str) -> Encoder:
    """The encoder of this name: "planes3", "planes3+lastN", or one of `alphago.planes`.

    Raises:
        ValueError: there is no such encoder.
    """
    if (encoder := alphago_planes.by_name(name)) is not None:
        return encoder
    found = re.fullmatch(r"planes3(?:\+last(\d+))?", name)
    if not found:
        names = "'planes3', 'planes3+lastN', 'alphago48', 'alphago49' or 'stones-reachN'"
        raise ValueError(f"An encoder is named {names}, got {name!r}.")
    return Encoder(int(found[1] or 0))
