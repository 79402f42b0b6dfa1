"""One page about a run of self-play: what it is, its curves, how strong it is, and how it played before and after."""

from __future__ import annotations

import base64
import html
import io
from pathlib import Path

from mock5lib.alphazero.config import FIELDS, Config
from mock5lib.alphazero.evaluation import search_agent
from mock5lib.alphazero.loop import first_net
from mock5lib.alphazero.run_folder import read_config
from mock5lib.base.runs import read_metrics
from mock5lib.nets import load_checkpoint
from mock5lib.show.curves import plot_run

BEGINS = "<!doctype html>\n<title>A run of self-play"  # how a report begins, so that only a report is overwritten
PAGE = """{begins}: {name}</title>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; color: #1d1d1f; background: #fff; max-width: 62rem; margin: 2rem auto;
        padding: 0 1rem; }}
img {{ max-width: 100%; height: auto; }}
table {{ border-collapse: collapse; }}
th, td {{ text-align: left; padding: .2rem 1.2rem .2rem 0; border-bottom: 1px solid #ddd; }}
</style>
<main>
<h1>{name}</h1>
<p>{length}</p>
<img src="data:image/png;base64,{picture}" alt="{alt}">
{scores}
{settings}
</main>
"""


def before_and_after(folder, simulations: int = 64) -> dict:
    """Two games that a run's net plays against itself, as {"Before training": game, "After training": game}.

    One with the weights it began with and one with its last; every move after so many simulations.

    Raises:
        FileNotFoundError, ValueError: the folder holds no run with a checkpoint.
    """
    config = read_config(folder)
    nets = {"Before training": first_net(config), "After training": load_checkpoint(Path(folder) / "last").net}
    played = {}
    for when, net in nets.items():
        player, game = search_agent(net, config, simulations), config.rules.board()
        while game.winner is None:
            game.apply(player(game))
        played[when] = game
    return played


def page_of_run(folder) -> str:
    """The page, as HTML in one piece; raises as `before_and_after`, and if no iteration is finished."""
    config, rows = read_config(folder), read_metrics(folder)
    if not rows:
        raise ValueError(f"{folder}: holds no run with finished iterations.")
    stream = io.BytesIO()
    plot_run(rows, Path(folder).name, before_and_after(folder)).savefig(stream, format="png", dpi=110)
    last = rows[-1]
    length = f"{last['iteration']:,} iterations, {last['games']:,} games, {last['steps']:,} gradient steps in "
    length += f"{last['seconds'] / 60:.1f} minutes of playing and learning."
    evaluated = [row for row in rows if row.get("evaluations")]
    scores = settings = ""
    if evaluated:
        found = [
            (one["opponent"], f"{one['score']:.2f} ({one['low']:.2f} to {one['high']:.2f})")
            for one in evaluated[-1]["evaluations"]
        ]
        scores = table(f"Strength after {evaluated[-1]['seconds'] / 60:.1f} minutes", ("against", "score, 95%"), found)
    plain = Config()
    changed = [
        (name, str(getattr(config, name)), one.metadata["help"])
        for name, one in FIELDS.items()
        if getattr(config, name) != getattr(plain, name)
    ]
    if changed:
        settings = table("What differs from the usual settings", ("setting", "here", "what it is"), changed)
    return PAGE.format(
        begins=BEGINS,
        name=html.escape(Path(folder).name),
        length=length,
        picture=base64.b64encode(stream.getvalue()).decode(),
        alt="Curves of the score, the losses, the ends of games and the speed; a game before and one after training",
        scores=scores,
        settings=settings,
    )


def table(title: str, head, rows) -> str:
    """A heading and a table, as HTML."""
    lines = ["<tr>" + "".join(f"<th>{html.escape(cell)}</th>" for cell in head) + "</tr>"]
    lines += ["<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows]
    return f"<h2>{html.escape(title)}</h2>\n<table>\n" + "\n".join(lines) + "\n</table>"
