"""`mock5 agents`, `mock5 match` and `mock5 ladder`: who can be played against, and who is stronger.

A match is two agents, many games, one score with its interval; a ladder is every agent of the course in one tournament,
with table, cross-table and pictures.
"""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from mock5lib.base.files import PICTURE
from mock5lib.cli.common import (
    BOARD,
    GameFile,
    K,
    Quiet,
    Seed,
    Workers,
    empty_board,
    few_threads,
    plain_errors,
    recipe_for,
    start_of,
)

LISTED = {  # what to type → what it is
    **{f"alphazero@{n}": f"a net that learned by self-play, {n} simulations per move" for n in (200, 64, 16)},
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
    from mock5lib.course import course_file

    try:
        table = json.loads(course_file(f"data/ladder/{board}/table.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    roster = ROSTERS[board]
    elo = {roster.players.get(player["name"]): player["elo"] for player in table["ladder"]}
    whole = {name: names.parse(name, roster.side).text for name in LISTED}
    return {name: elo[text] for name, text in whole.items() if text in elo}


def match(
    one: Annotated[str, typer.Argument(help="An agent by name; `mock5 agents` lists them.")],
    other: Annotated[str, typer.Argument(help="The other agent.")],
    games: Annotated[int, typer.Option(help="Even: each opening is played with both colors.")] = 100,
    board: Annotated[str, typer.Option(help="Side of the board, or rows x columns such as 9x12.")] = BOARD,
    k: Annotated[int, typer.Option(help="In a row to win.", min=1)] = K,
    game: GameFile = None,
    openings: Annotated[int, typer.Option(help="Random moves at the start of each pair of games.", min=0)] = 4,
    seconds: Annotated[
        float | None, typer.Option(help="Allowed for a move; each agent then plays in a process of its own.")
    ] = None,
    workers: Workers = 1,
    records: Annotated[Path | None, typer.Option(help="Write the games as .npz, .bin or .sgf.")] = None,
    seed: Seed = 0,
    quiet: Quiet = False,
) -> None:
    """Play a match from random openings, each with both colors, and say how sure the result is.

    A draw counts half. The interval is over pairs of games, since the two
    games from one opening are not independent. All games of a match go on
    side by side, so that a net sees them as one batch.

    \b
    Two heuristics
      mock5 match mixed greedy --games 1000
    UCT against a net with search, in two processes
      mock5 match uct:1000 expert@64 --games 40 --workers 2
    The same time for both
      mock5 match uct:0.5s "engine,seconds=0.5:/path/to/engine" --games 20
    A game of your own
      mock5 match uct:1000 uct:100 --games 20 --game examples/reversi.py:Reversi
    """
    with plain_errors("Nothing was kept; the same command starts again.") as held:
        few_threads()
        from mock5lib.arena import match as play
        from mock5lib.base.files import Lock
        from mock5lib.game.record_formats import check_place
        from mock5lib.game.records import records_of

        start = start_of(board, k, game)
        if records is not None:
            check_place(records, records_of(start).FORMAT)  # now, not after hours
        one, other = (recipe_for(name, start) for name in (one, other))
        if records is not None:
            held.enter_context(Lock(records, whole=True))
        result = play(
            one,
            other,
            games,
            game=start,
            openings=openings,
            seed=seed,
            progress=not quiet,
            seconds=seconds,
            workers=workers,
        )
        typer.echo(str(result))
        if records is not None and result.records is None:
            raise ValueError(f"{records}: not written, records can't hold these games.")
        if not result.faults:
            typer.echo("Elo difference {:+.0f} ({:+.0f} to {:+.0f})".format(*result.elo))
        if records is not None:
            typer.echo(f"games written to {result.records.save(records)}")
        if result.faults:
            raise typer.Exit(1)


NOTHING = rb"(?!)"  # how a file begins that may be replaced
PAGES = {"table.json": rb'\{\s*"settings": ', "ladder.md": b"# Ladder on "}
PAGES |= dict.fromkeys(("ladder.png", "ladder_narrow.png", "cross.png", "time.png"), PICTURE)
COLORED_KINDS = ("search with a net", "net alone", "heuristic", "UCT", "random", "guest")


class Roster(NamedTuple):
    """Who plays on which ladder: label → name of the agent, and how much is played."""

    side: int
    players: dict[str, str]
    rounds: int
    pairs: int
    folder: str
    game: str | None = None  # another one, see `kit.game_named`
    plan: list[tuple[list[str], int]] = []  # (some who meet each other, in how many rounds), one by one


ROSTERS = {
    name: Roster(players={one: one for one in roster.pop("known")} | roster.pop("players"), **roster)
    for name, roster in tomllib.loads(Path(__file__).with_name("rosters.toml").read_text(encoding="utf-8")).items()
}


def ladder(
    quick: Annotated[bool, typer.Option("--quick", help="Few agents and games at 9×9: under five minutes.")] = False,
    board: Annotated[
        str | None,
        typer.Option(
            help="Which ladder: 9x9, 15x15, ablations (data/runs/ablations_9x9), or go_9x9: Go. Default: 9x9."
        ),
    ] = None,
    game: GameFile = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder of a ladder of your own. Default: runs/ladder/9x9, with the course's games."),
    ] = None,
    add: Annotated[
        list[str] | None, typer.Option(help="One more agent, as LABEL=NAME or NAME, or a folder of them; repeatable.")
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option(help="Only these labels play now; games of others stay. Repeatable.")
    ] = None,
    rounds: Annotated[
        int | None, typer.Option(help="Rounds to be complete at the end: in each, all meet all once.", min=1)
    ] = None,
    pairs: Annotated[
        int | None, typer.Option(help="Pairs of games of two agents in a round; the same for a whole folder.", min=1)
    ] = None,
    workers: Workers = 2,
    seed: Seed = 0,
    quiet: Quiet = False,
) -> None:
    """Let all agents meet all, rate them, and write table and pictures.

    Without --out the folder begins with the games that the course keeps in
    data/ladder, so that only newcomers have to play. Stopped or killed, the
    same command goes on where it was. Agents whose files are missing are left
    out, and join once they are there. Whoever has games in the folder stays on
    the ladder. `mock5 agents` lists names.

    \b
    Your own net among all others
      mock5 ladder --add "mine=alphazero:runs/mine/last@64"
    A small ladder from nothing, in under five minutes; the whole one, in hours
      mock5 ladder --quick
      mock5 ladder --out runs/whole
    A group's: the `agent` of each .py file in a folder, and each net there
      mock5 ladder --quick --out runs/group --add group
    A foreign engine against two agents
      mock5 ladder --add "guest: Foo=engine,seconds=1:/path/to/foo"
      --only "guest: Foo" --only greedy --only mixed
    A game of your own, with the agents that you name
      mock5 ladder --game examples/reversi.py:Reversi --add uct:100 --add random
    Chapter 9's ladder of Go, which needs GNU Go (apt install gnugo)
      mock5 ladder --board go_9x9 --workers 1
    """
    with plain_errors("The games that are over are kept; the same command goes on."):
        few_threads()
        from mock5lib.arena.tournament import Tournament
        from mock5lib.base.progress import once, while_compiling

        add = [one for text in add or [] for one in (brought(Path(text)) if Path(text).is_dir() else [text])]
        boards = [name for name in ROSTERS if name != "quick"]
        if board not in (*boards, None):
            raise ValueError(f"--board is {', '.join(boards[:-1])} or {boards[-1]}, got {board!r}.")
        if quick and board:
            raise ValueError("--quick has its own board, 9x9: leave out --board.")
        roster = ROSTERS["quick" if quick else board or "9x9"]
        start = start_of(BOARD, K, game or roster.game) if game or roster.game else None
        roster = own_roster(start, add) if game else roster
        say = (lambda text: None) if quiet else typer.echo
        folder = out or Path("runs/ladder", roster.folder)
        players = chosen(roster.players, add, only or [])
        recipes, left_out = [], []
        for label, name in players.items():
            try:
                recipes.append(recipe_for(name, start or empty_board(str(roster.side), K), label))
            except FileNotFoundError as missing:
                if label not in roster.players:
                    raise
                left_out.append(f"left out: {label}. {missing}")
        typer.echo("".join(f"{line}\n" for line in left_out), nl=False)  # now that no name is wrong
        if len(recipes) < 2:
            raise ValueError(f"A ladder needs two players, and has {', '.join(map(repr, players)) or 'none'}.")
        check_places(folder)  # now: with the course's games the folder would be ours
        if out is None and (pairs or roster.pairs, seed) == (roster.pairs, 0):
            begin_with_the_course(folder, roster.folder, say)
        tournament = Tournament(folder, roster.side, roster.side, pairs=pairs or roster.pairs, seed=seed, game=start)
        with while_compiling(once(say)):
            for group, times in groups(recipes, roster, rounds):
                tournament.run(group, times, workers=workers, say=say)
        if next(tournament.games(), None) is None and tournament.faults():
            reasons = "; ".join(f"{count} × {reason}" for reason, count in tournament.faults().items())
            raise ValueError(f"All games were lost off the board, so there is nobody to rate: {reasons}.")
        typer.echo(write(tournament, {**roster.players, **players}))
        if tournament.faults():
            raise typer.Exit(1)


def brought(folder: Path) -> list[str]:
    """What a group has put into a folder, each as LABEL=NAME: the `agent` of a Python file, and nets.

    A net searches with 64 simulations if it values positions. A ValueError if there is neither.
    """
    from mock5lib.nets.checkpoints import CARD, read_card

    found = [f"{file.stem}={file}:agent" for file in sorted(folder.glob("*.py"))]
    for card in sorted(folder.glob(f"*/{CARD}")):
        net, values = card.parent, read_card(card.parent)["net"].get("value")
        found.append(f"{net.name}=alphazero:{net}@64" if values else f"{net.name}=policy:{net}")
    if not found:
        raise ValueError(f"{folder}: holds no agents, which are Python files with an `agent`, or nets.")
    return found


def own_roster(start, add: list[str]) -> Roster:
    """The ladder of a game of one's own: whoever is added."""
    name = type(start).__name__
    if len(add) < 2:
        raise ValueError(f"A ladder of {name} has the agents that you name: --add uct:100 --add random, for example.")
    return Roster(max(start.height, start.width), {}, 1, 10, name.lower())


def groups(recipes: list, roster: Roster, rounds: int | None) -> list[tuple[list, int]]:
    """Who meet each other in how many rounds: by the roster's plan, where newcomers are in all groups, or all."""
    if rounds or not roster.plan:
        return [(recipes, rounds or roster.rounds)]
    found = [
        ([one for one in recipes if one.name in labels or one.name not in roster.players], times)
        for labels, times in roster.plan
    ]
    return [(group, times) for group, times in found if len(group) > 1]


def begin_with_the_course(folder: Path, ladder: str, say) -> None:
    """Copy the course's games of a ladder, if it has any, to a folder that has none yet."""
    from mock5lib.arena.tournament import FILE
    from mock5lib.base.files import Lock, write_whole
    from mock5lib.course import course_file

    try:
        games = course_file(f"data/ladder/{ladder}/{FILE}")
    except FileNotFoundError:
        return
    with Lock(folder / FILE):
        if not (folder / FILE).exists():
            write_whole(folder / FILE, games.read_bytes())
            say(f"{folder} begins with the games of the course's ladder; --out FOLDER begins without them")


def chosen(players: dict[str, str], add: list[str], only: list[str]) -> dict[str, str]:
    """The players of a roster that are wanted, and further ones, given as LABEL=NAME or as a NAME alone."""
    from mock5lib.names import kind_named

    players, added = dict(players), set()
    for text in add:
        label, equals, name = text.partition("=")
        kind, *more = re.split("[,:]", label)
        if not equals or (more and kind_named(kind)):  # the = is in the name's options
            label = name = text
        label = label.strip()
        if not label.isprintable():
            raise ValueError(f"A label is a text that can be printed, got {label!r}.")
        if label in added:
            raise ValueError(f"Two agents that are added have the label {label!r}; give one of them another.")
        added.add(label)
        players[label] = name.strip()
    unknown = [label for label in only if label not in players]
    if unknown:
        raise ValueError(f"There is no {unknown[0]!r} on this ladder; there are {', '.join(map(repr, players))}.")
    return {label: name for label, name in players.items() if not only or label in only}


def check_places(folder: Path) -> None:
    """A ValueError that names the first file in the place of one that `write` writes, and that is none of ours."""
    from mock5lib.arena.tournament import FILE
    from mock5lib.base.files import check_ours

    begun = (folder / FILE).exists()  # nothing is ours before the first game
    for name, begins in PAGES.items():
        check_ours(folder / name, begins if begun else NOTHING, "a ladder's page")


# Table and pictures ----------------------------------------------------------------------------------------------


def write(tournament, players: dict[str, str]) -> str:
    """Write table.json, ladder.md and the pictures into the tournament's folder; the ladder as text."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    from mock5lib.base.files import Lock, tidy, write_figure, write_whole
    from mock5lib.show.ladder import plot_cross_table, plot_ladder, plot_narrow_ladder, plot_strength_by_time

    check_places(tournament.folder)
    folder, rated, table, thinking = tournament.folder, tournament.ratings(), tournament.table(), tournament.thinking()
    rows, size, kinds = table["ladder"], size_of(tournament), kinds_of(rated.names, players)
    title = f"{size}: Elo with 95% intervals, {rated.anchor} = 0"
    names, scores, _ = tournament.cross_table(rated.names)
    pictures = {
        "ladder": plot_ladder(rows, title=title, kinds=kinds, close_up=True),
        "ladder_narrow": plot_narrow_ladder(rows, title=title, kinds=kinds),
        "cross": plot_cross_table(names, scores, title=f"{size}: who scores what against whom"),
    }
    if any(seconds > 0 for seconds in thinking.values()):
        title = f"{size}: strength by time of thinking"
        pictures["time"] = plot_strength_by_time(rows, thinking, title=title, kinds=kinds)
    with Lock(folder / "ladder.md"):
        for name in PAGES:
            tidy(folder, name)
        for name, ax in pictures.items():
            write_figure(folder / f"{name}.png", ax.figure, dpi=200)
            plt.close(ax.figure)
        write_whole(folder / "table.json", (json.dumps(table, indent=1, ensure_ascii=False) + "\n").encode())
        write_whole(folder / "ladder.md", markdown(tournament, rated, thinking, players).encode())
    faults = "".join(f"{count} × {reason}\n" for reason, count in tournament.faults().items())
    if faults:
        faults = f"Games lost off the board, which no rating counts:\n{faults}\n"
    return f"{faults}{rated}\n\n{table['games']} games; first move {rated.first_move[0]:.0f} Elo; written to {folder}"


def kinds_of(labels: list[str], players: dict[str, str]) -> dict[str, str]:
    """{label: one of COLORED_KINDS}, in their order, so that a kind has the same color on all ladders.

    Whoever has only its games here is a guest.
    """
    kinds = dict.fromkeys(("expert", "alphago", "alphazero"), "search with a net")
    kinds |= {"uct": "UCT", "policy": "net alone", "": "guest", "random": "random"}
    found = {}
    for label in labels:
        kind = re.split("[,:]", players.get(label, ""))[0]
        found[label] = "guest" if is_foreign(kind) else kinds.get(kind, "heuristic")
    return dict(sorted(found.items(), key=lambda item: COLORED_KINDS.index(item[1])))


def is_foreign(head: str) -> bool:
    """Whether an agent's name that begins so stands for a foreign program."""
    from mock5lib.names import kind_named

    kind = kind_named(head.split(",")[0])
    return kind is not None and kind.program is not None


def size_of(tournament) -> str:
    """The board in words, and which game is played on it if it is another one."""
    board = f"{tournament.height}×{tournament.width}"
    return board if tournament.game is None else f"{board}, {tournament.records().rule_text}"


def markdown(tournament, rated, thinking: dict[str, float], players: dict[str, str]) -> str:
    """The ladder as a page: settings, table, what is below what."""
    lines = [
        f"# Ladder on {size_of(tournament)}",
        "",
        f"{int(rated.games.sum() / 2):,} games, {tournament.distinct:,} of them distinct, in pairs from the same "
        f"{tournament.openings} random moves, colors exchanged. Elo by Bradley and Terry's model with a draw as half, "
        f"{rated.anchor} = 0; 95% intervals know which games share an opening. The first move is worth "
        f"{rated.first_move[0]:.0f} Elo ({rated.first_move[1]:.0f} to "
        f"{rated.first_move[2]:.0f}). *Above the next*: likelihood of superiority. Times are the processor's, of "
        f"the run that made the table, and good for orders of magnitude.",
        "",
        "| | agent | Elo | 95% interval | score | above the next | ms a move | by name |",
        "| ---: | --- | ---: | --- | ---: | ---: | ---: | --- |",
    ]
    for place, name in enumerate(rated.names):
        low, high = rated.interval(name)
        below = rated.names[place + 1] if place + 1 < len(rated.names) else None
        sure = f"{100 * rated.superiority(name, below):.1f}%" if below else ""
        time = f"{1000 * thinking[name]:.3g}" if thinking.get(name) else ""
        score = rated.scores[place] / rated.games[place]
        head, _, argument = players.get(name, "").partition(":")
        if is_foreign(head):  # without folder and arguments
            argument = Path(shlex.split(argument)[0]).name
        shown = cell(f"`{head}:{argument}`" if argument else f"`{head}`" if head else "–")
        lines.append(
            f"| {place + 1} | {cell(name)} | {rated[name]:.0f} | {low:.0f} to {high:.0f} | {score:.3f} | "
            f"{sure} | {time} | {shown} |"
        )
    if rated.rough:
        lines += ["", f"Fewer than four openings tell of {', '.join(rated.rough)}: a rough interval."]
    forfeits = tournament.forfeits()
    lines += ["", *(f"- {count} × {reason}" for reason, count in forfeits.items())] if forfeits else []
    return "\n".join(lines) + "\n"


def cell(text: str) -> str:
    """A text that may stand in a cell of a Markdown table."""
    return text.replace("|", "\\|")
