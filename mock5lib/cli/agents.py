"""`mock5 agents`: who can be played against, and how strong they are."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from mock5lib.cli.common import plain_errors

LISTED = {  # what to type → what it is
    **{f"alphazero@{n}": f"a net that learnt by self-play, {n} simulations per move" for n in (200, 64, 16)},
    **{f"expert@{n}": f"the supervised net, {n} simulations per move" for n in (200, 64)},
    "reinforced": "the supervised net after REINFORCE, no search",
    "alphago@64": "AlphaGo's three nets, 64 simulations per move",
    "supervised": "a net that imitates the heuristics, no search",
    "greedy": "looks one move ahead and attacks",
    "defensive": "looks one move ahead and defends",
    "mixed": "one of the other heuristics at each move, by chance",
    "df": "counts threats, without looking ahead",
    "pt": "counts stones in lines",
    "uct:10000": "plain UCT, 10,000 simulations per move",
    "uct:1000": "the same with 1,000; uct:0.5s takes half a second",
    "uct:100": "the same with 100",
    "uct:10": "the same with 10",
    "random": "any legal move",
}
ALSO = """\
policy:FOLDER, expert:FOLDER@64, alphazero:FOLDER@200 play a net of your own; alphago:FOLDER@64 your own three.
engine:/path/to/engine plays any program that speaks the Gomocup protocol.
Options stand before the colon or the @: uct,c=0.5:1000  alphazero,temperature=1@64"""


def agents(
    as_json: Annotated[bool, typer.Option("--json", help="For scripts: a list of objects, and nothing else.")] = False,
) -> None:
    """List who can be played against, by name, with Elo on both boards.

    Elo is from the course's ladders, where random play has 0; a 95% interval
    stands on the ladders' own pages, data/ladder/9x9/ladder.md and 15x15.
    """
    with plain_errors():
        elo = {board: elo_by_name(board) for board in ("9x9", "15x15")}
        names = sorted(LISTED, key=lambda name: -elo["9x9"].get(name, 0))
        if as_json:
            rows = [
                {"name": name, "what": LISTED[name]} | {board: elo[board].get(name) for board in elo} for name in names
            ]
            typer.echo(json.dumps(rows, indent=2, ensure_ascii=False))
            return
        typer.echo(f"{'name':<14} {'9×9':>5} {'15×15':>5}  what it is")
        for name in names:
            nine, fifteen = (f"{elo[board][name]:.0f}" if name in elo[board] else "–" for board in elo)
            typer.echo(f"{name:<14} {nine:>5} {fifteen:>5}  {LISTED[name]}")
        typer.echo(f"\nElo above random play, on the course's ladders.\n{ALSO}")


def elo_by_name(board: str) -> dict[str, float]:
    """{what to type: Elo} on one of the course's ladders; empty where the course's data are missing."""
    from mock5lib import names
    from mock5lib.cli.ladder import ROSTERS
    from mock5lib.course import course_file

    try:
        table = json.loads(course_file(f"data/ladder/{board}/table.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    roster = ROSTERS[board]
    elo = {roster.players.get(player["name"]): player["elo"] for player in table["ladder"]}
    whole = {name: names.parse(name, roster.side).text for name in LISTED}
    return {name: elo[text] for name, text in whole.items() if text in elo}
