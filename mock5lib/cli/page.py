"""`mock5 page`: the page that plays as one file, with a net of your own among the opponents."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path
from typing import Annotated

import typer

from mock5lib.cli.common import plain_errors

LAYERS = ("policy.hidden", "policy.compared", "policy.second", "policy.out", "value.points", "value.board", "value.out")
SIDES = {4: [6], 5: [9, 15]}  # in a row to win → the page's boards


def page(
    net: Annotated[Path, typer.Argument(help="A checkpoint, such as runs/mine/last.", show_default=False)],
    out: Annotated[Path, typer.Option(help="The file to write.")] = Path("my_net.html"),
    name: Annotated[str, typer.Option(help="What the net is called there.")] = "your net",
) -> None:
    """Write one HTML file in which anybody can play against your net.

    It opens in any browser, on a phone too, and needs neither Python nor a
    network. The net is the "patterns" net of chapter 2 with a value head, as
    chapter 6 and `mock5 train alphazero` train it.

    \b
    A run's net, under a name of its own
      mock5 page runs/mine/last --name "Ada's net"
    """
    with plain_errors() as held:
        from mock5lib.base.files import Lock, check_ours, write_whole
        from mock5lib.course import course_file, found_path
        from mock5lib.nets.checkpoints import read_card

        check_ours(out, rb"<!doctype html>.*<title>Play the course's agents", "a page")
        net = found_path(net)
        learned = read_card(net)["board"]
        k = learned.get("k")
        if k not in SIDES:
            other = learned.get("game", k)
            raise ValueError(f"{net}: the page has boards for 4 and 5 in a row, this net learned {other}.")
        own = packed("your_net", net) | {"label": re.sub('[<>&"]', "", name), "sides": SIDES[k]}
        text = one_file(course_file("book/play"), own)
        held.enter_context(Lock(out))
        write_whole(out, text.encode())
        typer.echo(f"{out}: {len(text) / 1e6:.1f} MB. Open it in a browser, or send it to a friend.")


def packed(name: str, folder: Path) -> dict:
    """A checkpoint of the "patterns" net as the page reads it: float32 as it is, without the table's zeros.

    Raises:
        FileNotFoundError, ValueError: as `load_checkpoint`, or the checkpoint holds another net.
    """
    import numpy as np

    from mock5lib.nets.checkpoints import load_checkpoint

    loaded = load_checkpoint(folder)
    made = loaded.card["net"]
    if made["net"] != "patterns" or not made["value"] or made["temperature"] != 1.0:
        raise ValueError(f"{folder}: the page reads the patterns net with a value head, this is {made}.")
    tensors = {name: part.numpy() for name, part in loaded.net.state_dict().items()}
    table = tensors["trunk.table"]
    rows = np.flatnonzero(table.any(axis=1)).astype("<u2")
    parts = [tensors["trunk.rays"], table[rows]]
    for layer in LAYERS:
        parts += [tensors[f"{layer}.weight"], tensors[f"{layer}.bias"]]
    weights = np.concatenate([part.reshape(-1) for part in parts]).astype("<f4")
    return {
        "name": name,
        "reach": made.get("reach", 5),
        "width": table.shape[1],
        "rows": base64.b64encode(rows.tobytes()).decode(),
        "weights": base64.b64encode(weights.tobytes()).decode(),
    }


def one_file(folder: Path, own: dict) -> str:
    """The page in `folder` with its styles, its script, its nets and one more net inside."""

    def text(name: str) -> str:
        return (folder / name).read_text(encoding="utf-8")

    nets = [
        json.loads(re.search(r"mock5Net\((.*)\);", file.read_text())[1]) for file in sorted(folder.glob("nets/*.js"))
    ]
    scripts = f"<script>globalThis.mock5Nets = {json.dumps([*nets, own])};</script>\n<script>{text('page.js')}</script>"
    page = text("index.html").replace('<script src="page.js"></script>', scripts)
    page = re.sub('(?<=Content-Security-Policy" content=")[^"]*', policy(scripts), page)
    return re.sub(r'<link rel="stylesheet" href="([\w.]+)">', lambda found: f"<style>\n{text(found[1])}</style>", page)


def policy(scripts: str) -> str:
    """The page's Content-Security-Policy: these scripts and workers made of them run, and nothing leaves the page."""
    texts = re.findall(r"<script>(.*?)</script>", scripts, re.DOTALL)
    digests = [hashlib.sha256(text.encode()).digest() for text in texts]
    allowed = " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
    return (
        f"default-src 'none'; script-src {allowed} blob:; worker-src blob:; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
