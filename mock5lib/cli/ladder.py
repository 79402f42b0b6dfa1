"""`mock5 ladder`: every agent of the course in one tournament, with table, cross-table and pictures."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from mock5lib.cli.common import Cluster, Quiet, Seed, Workers, few_threads, plain_errors

CHECKPOINTS = "data/checkpoints"
PICTURES = ("ladder.png", "ladder_narrow.png", "cross.png", "time.png")
PNG, NOTHING = rb"\x89PNG", rb"(?!)"  # how a file begins that may be replaced


class Roster(NamedTuple):
    """Who plays on which ladder: label → name of the agent, and how much is played."""

    side: int
    players: dict[str, str]
    rounds: int
    pairs: int
    folder: str
    komi: float | None = None  # of Go
    plan: tuple[tuple[tuple[str, ...], int], ...] = ()  # (some who meet each other, in how many rounds), one by one


HEURISTICS = {name: name for name in ("random", "pt", "df", "greedy", "defensive", "mixed")}
NINE = {
    **HEURISTICS,
    "UCT 10": "uct:10",
    "UCT 100": "uct:100",
    "UCT 1,000": "uct:1000",
    "UCT 10,000": "uct:10000",
    "supervised net": f"policy:{CHECKPOINTS}/supervised_9x9",
    "REINFORCE net": f"policy:{CHECKPOINTS}/reinforced_9x9",
    "AlphaGo's policy": f"policy:{CHECKPOINTS}/alphago_9x9/strong.keras",
    "AlphaGo's policy, reinforced": f"policy:{CHECKPOINTS}/alphago_9x9/reinforced.keras",
    "AlphaGo, values only": f"alphago,lambda_value=0:{CHECKPOINTS}/alphago_9x9@64",
    "AlphaGo, rollouts only": f"alphago,lambda_value=1:{CHECKPOINTS}/alphago_9x9@64",
    "AlphaGo, mixed": f"alphago:{CHECKPOINTS}/alphago_9x9@64",
    "expert 64": f"expert:{CHECKPOINTS}/supervised_9x9@64",
    "expert 200": f"expert:{CHECKPOINTS}/supervised_9x9@200",
    "AlphaZero, no search": f"policy:{CHECKPOINTS}/alphazero_9x9",
    "AlphaZero 16": f"alphazero:{CHECKPOINTS}/alphazero_9x9@16",
    "AlphaZero 64": f"alphazero:{CHECKPOINTS}/alphazero_9x9@64",
    "AlphaZero 200": f"alphazero:{CHECKPOINTS}/alphazero_9x9@200",
}
FIFTEEN = {
    **HEURISTICS,
    "UCT 10": "uct:10",
    "UCT 100": "uct:100",
    "UCT 1,000": "uct:1000",
    "UCT 10,000": "uct:10000",
    "supervised net": f"policy:{CHECKPOINTS}/supervised_15x15",
    "supervised net of 9×9": f"policy:{CHECKPOINTS}/supervised_9x9",
    "REINFORCE net of 9×9": f"policy:{CHECKPOINTS}/reinforced_9x9",
    "expert 64": f"expert:{CHECKPOINTS}/supervised_15x15@64",
    "expert 200": f"expert:{CHECKPOINTS}/supervised_15x15@200",
    "AlphaZero 64": f"alphazero:{CHECKPOINTS}/alphazero_15x15@64",
    "AlphaZero 200": f"alphazero:{CHECKPOINTS}/alphazero_15x15@200",
}
QUICK = {
    **{name: NINE[name] for name in ("random", "greedy", "mixed", "UCT 100", "UCT 1,000")},
    **{name: NINE[name] for name in ("supervised net", "REINFORCE net")},
    "expert 16": f"expert:{CHECKPOINTS}/supervised_9x9@16",
}
RUNS = {  # the folders of data/runs/ablations_9x9/run.py
    "base": "base",
    "PUCT": "puct",
    "PUCT, no noise": "puct_no_noise",
    "fewer filters": "fewer_filters",
    "no forced moves": "no_forced_moves",
}
ABLATIONS = {
    **{name: NINE[name] for name in ("greedy", "mixed", "expert 64")},
    **{
        f"{name}, run {seed + 1}": f"alphazero:runs/ablations/{run}-{seed}@64"
        for name, run in RUNS.items()
        for seed in (0, 1)
    },
    **{f"no search, run {seed + 1}": f"policy:runs/ablations/base-{seed}" for seed in (0, 1)},
    **{f"no value, run {seed + 1}": f"alphazero,value=0:runs/ablations/base-{seed}@64" for seed in (0, 1)},
    "long run": NINE["AlphaZero 64"],
    "long run, no search": NINE["AlphaZero, no search"],
    "long run, no value": f"alphazero,value=0:{CHECKPOINTS}/alphazero_9x9@64",
}
GNU_GO = "--chinese-rules --positional-superko --capture-all-dead --never-resign"
GO = {
    "random": "random",
    "UCT 1,000": "uct:1000",
    "UCT 10,000": "uct:10000",
    "fast policy": f"policy:{CHECKPOINTS}/go_9x9/fast.keras",
    "strong policy": f"policy:{CHECKPOINTS}/go_9x9/strong.keras",
    "reinforced policy": f"policy:{CHECKPOINTS}/go_9x9/reinforced.keras",
    **{f"AlphaGo {n:,}": f"alphago,c=2,resign=-0.9:{CHECKPOINTS}/go_9x9@{n}" for n in (100, 400, 1600)},
    **{f"GNU Go, level {level}": f"gtp:gnugo --mode gtp --level {level} {GNU_GO}" for level in (1, 10)},
}
GO_PLAN = (  # those that think long meet few, and those whose strength is near; the main question comes early
    (("random", "fast policy", "strong policy", "reinforced policy", "GNU Go, level 1"), 3),
    (("UCT 1,000", "strong policy", "GNU Go, level 1"), 1),
    (("UCT 10,000", "GNU Go, level 1"), 1),
    (("AlphaGo 400", "GNU Go, level 1"), 6),
    (("AlphaGo 1,600", "GNU Go, level 1"), 1),
    (("strong policy", "AlphaGo 100", "GNU Go, level 1", "GNU Go, level 10"), 1),
    (("AlphaGo 400", "GNU Go, level 10"), 1),
    (("AlphaGo 100", "GNU Go, level 1"), 4),
    (("UCT 10,000", "strong policy"), 4),
    (("random", "UCT 1,000", "fast policy"), 2),
    (("AlphaGo 400", "GNU Go, level 1"), 10),
    (("AlphaGo 400", "GNU Go, level 10"), 2),
    (("AlphaGo 1,600", "GNU Go, level 1"), 5),
    (("AlphaGo 1,600", "GNU Go, level 10"), 1),
)
KINDS = ("search with a net", "net alone", "heuristic", "UCT", "guest")
ROSTERS = {
    "9x9": Roster(9, NINE, 2, 10, "9x9"),
    "15x15": Roster(15, FIFTEEN, 3, 5, "15x15"),
    "quick": Roster(9, QUICK, 1, 5, "quick"),
    "ablations": Roster(9, ABLATIONS, 1, 10, "ablations_9x9"),
    "go_9x9": Roster(9, GO, 1, 2, "go_9x9", komi=7.5, plan=GO_PLAN),
}


def ladder(
    quick: Annotated[bool, typer.Option("--quick", help="Few agents and games at 9×9: under five minutes.")] = False,
    board: Annotated[
        str, typer.Option(help="Which ladder: 9x9, 15x15, ablations (data/runs/ablations_9x9), or go_9x9: Go.")
    ] = "9x9",
    out: Annotated[
        Path | None, typer.Option(help="Folder of the games. Default: runs/ladder/ and the ladder's name.")
    ] = None,
    afresh: Annotated[
        bool, typer.Option("--afresh", help="Begin a new folder without the games that the course has played.")
    ] = False,
    add: Annotated[list[str] | None, typer.Option(help="One more agent, as LABEL=NAME or NAME; repeatable.")] = None,
    only: Annotated[
        list[str] | None, typer.Option(help="Only these labels play now; games of others stay. Repeatable.")
    ] = None,
    forget: Annotated[
        list[str] | None, typer.Option(help="First drop all games of this label, for one trained anew; repeatable.")
    ] = None,
    rounds: Annotated[
        int | None, typer.Option(help="Rounds to be complete at the end: in each, all meet all once.", min=1)
    ] = None,
    pairs: Annotated[
        int | None, typer.Option(help="Pairs of games of two agents in a round; the same for a whole folder.", min=1)
    ] = None,
    workers: Workers = 2,
    cluster: Cluster = None,
    seconds: Annotated[
        float | None, typer.Option(help="Allowed for a move; each agent then plays in a process of its own.")
    ] = None,
    seed: Seed = 0,
    quiet: Quiet = False,
) -> None:
    """Let all agents meet all, rate them, and write table and pictures.

    A new folder begins with the games that the course keeps in data/ladder, so
    that only newcomers have to play. Stopped or killed, the same command goes
    on where it was. Agents whose files are missing are left out, and join once
    they are there. Whoever has games in the folder stays on the ladder.
    `mock5 agents` lists names.

    \b
    Your own net among all others
      mock5 ladder --add "mine=alphazero:runs/mine/best@64"
    A small ladder from nothing, in under five minutes; the whole one, in hours
      mock5 ladder --quick
      mock5 ladder --afresh --out runs/whole
    A foreign engine against two agents
      mock5 ladder --add "guest: Foo=engine,seconds=1:/path/to/foo"
      --only "guest: Foo" --only greedy --only mixed --out runs/foo
    After a net was trained anew
      mock5 ladder --forget "REINFORCE net"
    Chapter 9's ladder of Go, which needs GNU Go (apt install gnugo)
      mock5 ladder --board go_9x9 --afresh --out data/ladder/go_9x9 --workers 1
    """
    with plain_errors("The games that are over are kept; the same command goes on."):
        few_threads()
        from mock5lib import names
        from mock5lib.arena.tournament import Tournament

        boards = [name for name in ROSTERS if name != "quick"]
        if board not in boards:
            raise ValueError(f"--board is {', '.join(boards[:-1])} or {boards[-1]}, got {board!r}.")
        roster = ROSTERS["quick" if quick else board]
        say = (lambda text: None) if quiet else typer.echo
        folder = out or Path("runs/ladder", roster.folder)
        players = chosen(roster.players, add or [], only or [])
        recipes, prints, left_out = [], {}, []
        for label, name in players.items():
            try:
                name = names.full_name(kept_here(name), roster.side)
                recipes.append(names.recipe(name, label))
                prints[label] = names.fingerprint(name)
            except FileNotFoundError as missing:
                if label not in roster.players:
                    raise
                left_out.append(f"left out: {label}. {missing}")
        typer.echo("".join(f"{line}\n" for line in left_out), nl=False)  # now that no name is wrong
        check_places(folder)  # now: with the course's games the folder would be ours
        if not afresh and (pairs or roster.pairs, seed) == (roster.pairs, 0):
            begin_with_the_course(folder, roster.folder, say)
        settings = {"pairs": pairs or roster.pairs, "seed": seed, "komi": roster.komi}
        tournament = Tournament(folder, roster.side, roster.side, **settings)
        for label in forget or []:
            typer.echo(f"{label}: {tournament.forget(label)} meetings forgotten")
        where = {"workers": workers, "cluster": cluster}
        for group, times in groups(recipes, roster, rounds):
            tournament.run(group, times, **where, seconds=seconds, prints=prints, say=say)
        typer.echo(write(tournament, {**roster.players, **players}))


def groups(recipes: list, roster: Roster, rounds: int | None) -> list[tuple[list, int]]:
    """Who meet each other in how many rounds: by the roster's plan, where newcomers are in all groups, or all."""
    if rounds or not roster.plan:
        return [(recipes, rounds or roster.rounds)]
    found = [
        ([one for one in recipes if one.name in labels or one.name not in roster.players], times)
        for labels, times in roster.plan
    ]
    return [(group, times) for group, times in found if len(group) > 1]


def kept_here(name: str) -> str:
    """An agent's name with the path of the course's checkpoint as it is from the working folder."""
    from mock5lib.names import shipped

    return re.sub(rf"(?<=:){CHECKPOINTS}/([^@]+)", lambda found: shipped(found[1]), name)


def begin_with_the_course(folder: Path, ladder: str, say) -> None:
    """Copy the course's games of a ladder, if it has any, to a folder that has none yet."""
    from mock5lib.arena.tournament import FILE
    from mock5lib.base.files import Lock, write_whole
    from mock5lib.course import course_file

    try:
        games = course_file(f"data/ladder/{ladder}/{FILE}")
    except FileNotFoundError:
        return
    folder.mkdir(parents=True, exist_ok=True)
    with Lock(folder / FILE):
        if not (folder / FILE).exists():
            write_whole(folder / FILE, games.read_bytes())
            say(f"{folder} begins with the games of the course's ladder; --afresh begins without them")


def chosen(players: dict[str, str], add: list[str], only: list[str]) -> dict[str, str]:
    """The players of a roster that are wanted, and further ones."""
    players = dict(players)
    for text in add:
        label, name = labelled(text)
        players[label] = name
    unknown = [label for label in only if label not in players]
    if unknown:
        raise ValueError(f"There is no {unknown[0]!r} on this ladder; there are {', '.join(players)}.")
    return {label: name for label, name in players.items() if not only or label in only}


def labelled(text: str) -> tuple[str, str]:
    """Label and name of LABEL=NAME, or of a NAME alone, whose options may hold an = too."""
    from mock5lib.names import KINDS

    label, equals, name = text.partition("=")
    kind, *more = re.split("[,:]", label)
    if not equals or (more and kind in KINDS):
        return text, text
    return label.strip(), name.strip()


def check_places(folder: Path) -> None:
    """A ValueError that names the first file in the place of one that `write` writes, and that is none of ours."""
    from mock5lib.arena.tournament import FILE, TABLE, TABLE_BEGINS
    from mock5lib.base.files import check_ours

    picture = PNG if (folder / FILE).exists() else NOTHING  # no pictures of ours before the first game
    pages = {TABLE: TABLE_BEGINS, "ladder.md": b"# Ladder on "}
    for name, begins in (pages | dict.fromkeys(PICTURES, picture)).items():
        check_ours(folder / name, begins, "a ladder's page")


def write(tournament, players: dict[str, str]) -> str:
    """Write table.json, ladder.md and the pictures into the tournament's folder; the ladder as text."""
    import matplotlib

    matplotlib.use("Agg")
    from mock5lib.arena.tournament import FILE
    from mock5lib.base.files import Lock

    with Lock(tournament.folder / FILE):
        check_places(tournament.folder)
        return write_pages(tournament, players)


def write_pages(tournament, players: dict[str, str]) -> str:
    """What `write` does, while no other process writes there."""
    from mock5lib.base.files import write_whole
    from mock5lib.show.ladder import plot_cross_table, plot_ladder, plot_narrow_ladder, plot_strength_by_time

    folder, rated = tournament.folder, tournament.ratings()
    table, thinking = tournament.table(), tournament.thinking()
    tournament.save_table()
    names, scores, _ = tournament.cross_table(rated.names)
    size = size_of(tournament)
    title, kinds = f"{size}: Elo with 95 % intervals, {rated.anchor} = 0", kinds_of(rated.names, players)
    save(plot_ladder(table["ladder"], title=title, kinds=kinds, close_up=True), folder / "ladder.png")
    save(plot_narrow_ladder(table["ladder"], title=title, kinds=kinds), folder / "ladder_narrow.png")
    save(plot_cross_table(names, scores, title=f"{size}: who scores what against whom"), folder / "cross.png")
    if any(seconds > 0 for seconds in thinking.values()):
        title = f"{size}: strength by time of thinking"
        save(plot_strength_by_time(table["ladder"], thinking, title=title, kinds=kinds), folder / "time.png")
    write_whole(folder / "ladder.md", markdown(tournament, rated, thinking, players).encode())
    return f"{rated}\n\n{table['games']} games; first move {rated.first_move[0]:.0f} Elo; written to {folder}"


def kind_of(name: str | None) -> str:
    """What sort of player a name stands for, one of KINDS. Whoever has only its games here is a guest."""
    kinds = dict.fromkeys(("expert", "alphago", "alphazero"), "search with a net")
    kinds |= {"uct": "UCT", "policy": "net alone", "engine": "guest", "gtp": "guest", "": "guest"}
    return kinds.get(re.split("[,:]", name or "")[0], "heuristic")


def kinds_of(labels: list[str], players: dict[str, str]) -> dict[str, str]:
    """{label: kind}, in the order of KINDS, so that a kind has the same colour on all ladders."""
    found = {label: kind_of(players.get(label)) for label in labels}
    return dict(sorted(found.items(), key=lambda item: KINDS.index(item[1])))


def save(ax, path: Path) -> None:
    """Write the figure of some Axes as PNG and close it."""
    import matplotlib.pyplot as plt

    from mock5lib.base.files import write_figure

    write_figure(path, ax.figure, PNG, metadata={"Software": None})
    plt.close(ax.figure)


def size_of(tournament) -> str:
    """The board in words."""
    board, komi = f"{tournament.height}×{tournament.width}", tournament.komi
    return board if komi is None else f"{board}, Go with komi {komi:g}"


def markdown(tournament, rated, thinking: dict[str, float], players: dict[str, str]) -> str:
    """The ladder as a page: settings, table, what is below what."""
    lines = [
        f"# Ladder on {size_of(tournament)}",
        "",
        f"{int(rated.games.sum() / 2):,} games, each pair of them from the same {tournament.openings} random moves, "
        f"colours exchanged. Elo by Bradley and Terry's model with a draw as half, 95 % profile-likelihood intervals, "
        f"{rated.anchor} = 0. The first move is worth {rated.first_move[0]:.0f} Elo ({rated.first_move[1]:.0f} to "
        f"{rated.first_move[2]:.0f}). *Above the next*: likelihood of superiority. Times are the processor's, of "
        f"the run that made the table, and good for orders of magnitude.",
        "",
        "| | agent | Elo | 95 % interval | score | above the next | ms a move | by name |",
        "| ---: | --- | ---: | --- | ---: | ---: | ---: | --- |",
    ]
    for place, name in enumerate(rated.names):
        low, high = rated.interval(name)
        below = rated.names[place + 1] if place + 1 < len(rated.names) else None
        sure = f"{100 * rated.superiority(name, below):.1f} %" if below else ""
        time = f"{1000 * thinking[name]:.3g}" if thinking.get(name) else ""
        score = rated.scores[place] / rated.games[place]
        lines.append(
            f"| {place + 1} | {cell(name)} | {rated[name]:.0f} | {low:.0f} to {high:.0f} | {score:.3f} | "
            f"{sure} | {time} | {shown_name(players.get(name))} |"
        )
    forfeits = tournament.forfeits()
    lines += ["", *(f"- {count} × {reason}" for reason, count in forfeits.items())] if forfeits else []
    return "\n".join(lines) + "\n"


def cell(text: str) -> str:
    """A text that may stand in a cell of a Markdown table."""
    return text.replace("|", "\\|")


def shown_name(name: str | None) -> str:
    """An agent's name for the page: an engine's without folder and arguments; a dash for one that was not named."""
    if name is None:
        return "–"
    head, _, argument = name.partition(":")
    if head.split(",")[0] in ("engine", "gtp"):
        name = f"{head}:{Path(shlex.split(argument)[0]).name}"
    return f"`{cell(name)}`"
