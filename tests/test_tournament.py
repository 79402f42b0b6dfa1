"""Tournaments: all meet all, whatever interrupts them the table is the same, and new players join."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from crooks import crook, heuristic

from mock5lib.arena.tournament import FILE, Tournament

KEPT = Path(__file__).resolve().parent.parent / "data" / "ladder"
PLAYERS = ("random", "greedy", "pt", "mixed")


def play(folder, names=PLAYERS, rounds=2, prints=(), **options):
    tournament = Tournament(folder, pairs=3, openings=2, seed=4)
    prints = dict(prints)
    tournament.run([heuristic(name)._replace(print=prints.get(name, "")) for name in names], rounds, **options)
    return tournament


def test_all_meet_all_in_each_round_with_both_colors(tmp_path):
    tournament = play(tmp_path)
    games = list(tournament.games())
    assert len(games) == 2 * 6 * 6 and tournament.names == sorted(PLAYERS)
    for one in PLAYERS:
        for other in PLAYERS:
            assert sum(game[:2] == (one, other) for game in games) == (6 if one != other else 0)


def test_each_meeting_has_openings_of_its_own_played_with_both_colors(tmp_path):
    tournament, openings = play(tmp_path), set()
    for meeting in tournament.meetings:
        starts = [moves for _, moves in tournament.starts(meeting["round"], meeting["agents"])]
        for number, (_, _, moves) in enumerate(meeting["games"]):
            assert [int(move) for move in moves.split()][:2] == starts[number // 2]
        openings.add(str(starts))
    assert len(openings) == len(tournament.meetings) == 12
    assert tournament.result("greedy", "pt").openings == [
        moves for number in range(2) for _, moves in tournament.starts(number, ("greedy", "pt"))
    ]


def test_a_pair_of_games_from_two_openings_is_named(tmp_path):
    play(tmp_path, ("greedy", "pt"), rounds=1)
    text = (tmp_path / FILE).read_text()
    meeting = json.loads(text.splitlines()[1])
    meeting["games"][:4] = [meeting["games"][place] for place in (0, 3, 2, 1)]
    (tmp_path / FILE).write_text(text.splitlines()[0] + "\n" + json.dumps(meeting) + "\n")
    with pytest.raises(ValueError, match="games.jsonl: not a game of this tournament: it has another opening"):
        Tournament.load(tmp_path).result("greedy", "pt")


def test_games_that_share_an_opening_are_one_piece_of_evidence(tmp_path):
    """The same games, told twice from the same openings, say no more than once; distinct games are counted."""
    play(tmp_path, ("greedy", "pt", "mixed"), rounds=2)
    once = Tournament.load(tmp_path)
    lines = (tmp_path / FILE).read_text().splitlines()
    twice = tmp_path / "twice"
    twice.mkdir()
    again = [json.dumps(json.loads(line) | {"round": 7 + number}) for number, line in enumerate(lines[1:])]
    (twice / FILE).write_text("\n".join([*lines, *again]) + "\n")
    twice = Tournament.load(twice)
    assert twice.table()["games"] == 2 * once.table()["games"] and twice.distinct == once.distinct
    for name in once.names:
        pair = (tournament.ratings().interval(name) for tournament in (once, twice))
        (low, high), (low_twice, high_twice) = pair
        assert high_twice - low_twice > 0.8 * (high - low), "independent games would make it 0.7 of that"


def test_a_tournament_cut_anywhere_ends_with_the_same_table(tmp_path):
    whole = play(tmp_path / "whole")
    text = (tmp_path / "whole" / FILE).read_bytes()
    for number, cut in enumerate((0, 10, len(text) // 3, len(text) // 2, len(text) - 1)):
        folder = tmp_path / f"cut{number}"
        folder.mkdir()
        (folder / FILE).write_bytes(text[:cut])
        again = play(folder)
        assert again.table() == whole.table()
        assert sorted(map(str, again.games())) == sorted(map(str, whole.games()))


@pytest.mark.slow
def test_the_order_of_players_and_the_number_of_workers_do_not_matter(tmp_path):
    one, two = play(tmp_path / "one"), play(tmp_path / "two", PLAYERS[::-1], workers=2)
    assert one.table() == two.table()


def test_new_players_and_rounds_join_and_old_games_stay(tmp_path):
    play(tmp_path, PLAYERS[:3], rounds=1)
    before = (tmp_path / FILE).read_bytes()
    later = play(tmp_path, PLAYERS, rounds=2)
    assert (tmp_path / FILE).read_bytes().startswith(before)
    assert later.table() == play(tmp_path / "at_once").table()


def test_a_player_with_other_files_plays_again_once_its_lines_are_removed(tmp_path):
    play(tmp_path, PLAYERS[:3], rounds=1, prints={"pt": "abc"})
    with pytest.raises(ValueError, match="pt is def now, and was abc when its games"):
        play(tmp_path, PLAYERS[:3], rounds=2, prints={"pt": "def"})
    lines = (tmp_path / FILE).read_text().splitlines(keepends=True)
    (tmp_path / FILE).write_text("".join(line for line in lines if '"pt"' not in line))
    assert len(Tournament.load(tmp_path).meetings) == 1
    again = play(tmp_path, PLAYERS[:3], rounds=1, prints={"pt": "def"})
    assert len(again.meetings) == 3


def test_a_match_between_two_players_reads_as_a_match(tmp_path):
    tournament = play(tmp_path)
    result, mirrored = tournament.result("greedy", "random"), tournament.result("random", "greedy")
    assert result.games == 12 and result.score == 1 and mirrored.score == 0
    assert result.scores[::2].tolist() == (1 - mirrored.scores[1::2]).tolist()
    assert result.records.winners.tolist() == [1, 2] * 6 and mirrored.records.winners.tolist() == [2, 1] * 6
    with pytest.raises(ValueError, match="have not met"):
        tournament.result("greedy", "df")


def test_the_cross_table_adds_up(tmp_path):
    names, scores, games = play(tmp_path).cross_table()
    for row in range(4):
        assert np.isnan(scores[row, row]) and games[row, row] == 0
        for column in range(row):
            assert scores[row, column] + scores[column, row] == 1 and games[row, column] == 12
    assert names[-1] == "random" and np.nanmean(scores[-1]) < 0.05


def test_all_games_are_kept_as_records(tmp_path):
    tournament = play(tmp_path)
    records = tournament.records()
    assert len(records) == 72 and not records.forfeits.any()
    black = sum(points for _, _, points in tournament.games())
    assert black == (records.winners == 1).sum() + (records.winners == 0).sum() / 2


def test_a_player_that_fails_loses_its_games_and_the_reason_is_in_the_table(tmp_path):
    tournament = Tournament(tmp_path, pairs=1)
    tournament.run([heuristic("greedy"), crook("raises"), heuristic("random")])
    table = tournament.table()
    ((reason, count),) = table["forfeits"].items()
    assert reason.startswith("raises raised RuntimeError: out of ideas (crooks.py, line ") and count == 4
    assert [row["name"] for row in table["ladder"]] == ["greedy", "random"], "nobody is rated by another's fault"
    assert table["games"] == 2 and tournament.faults() == table["forfeits"]
    assert tournament.records().forfeits.any()


def test_thinking_is_timed_for_agents_that_play_move_by_move(tmp_path):
    tournament = Tournament(tmp_path, pairs=1)
    tournament.run([heuristic("greedy"), crook("raises"), heuristic("random")])
    assert set(tournament.thinking()) == {"greedy", "raises", "random"}
    assert all(0 <= seconds < math.inf for seconds in tournament.thinking().values())


def test_the_table_is_plain_json_with_random_at_zero(tmp_path):
    table = play(tmp_path).table()
    assert json.loads(json.dumps(table)) == table
    ladder = table["ladder"]
    assert ladder[-1]["name"] == "random" and ladder[-1]["elo"] == 0
    assert [row["elo"] for row in ladder] == sorted((row["elo"] for row in ladder), reverse=True)


def test_wrong_tournaments_are_refused(tmp_path):
    play(tmp_path, rounds=1)
    with pytest.raises(ValueError, match="holds a tournament with the settings"):
        Tournament(tmp_path, pairs=4)
    with pytest.raises(ValueError, match="at least 2 players"):
        Tournament(tmp_path / "new").run([heuristic("pt")])
    with pytest.raises(ValueError, match="different names"):
        Tournament(tmp_path / "new").run([heuristic("pt"), heuristic("pt")])
    with pytest.raises(ValueError, match="there is no tournament"):
        Tournament.load(tmp_path / "new")
    with pytest.raises(ValueError, match="pairs must be at least 1, got 0"):
        Tournament(tmp_path / "new", pairs=0)
    text = (tmp_path / FILE).read_text().splitlines()
    (tmp_path / FILE).write_text("\n".join([text[0], '{"round": 0}', *text[1:]]) + "\n")
    with pytest.raises(ValueError, match="line 2: not a meeting of 6 games"):
        Tournament.load(tmp_path)


@pytest.mark.parametrize("folder", sorted(path.parent.name for path in KEPT.glob(f"*/{FILE}")))
def test_a_kept_table_is_that_of_its_games(folder):
    tournament = Tournament.load(KEPT / folder)
    kept, now = json.loads((KEPT / folder / "table.json").read_text(encoding="utf-8")), tournament.table()
    assert kept["settings"] == now["settings"] and kept["forfeits"] == now["forfeits"] and kept["games"] == now["games"]
    old, new = ({row["name"]: row for row in table["ladder"]} for table in (kept, now))
    assert old.keys() == new.keys()
    for name, row in new.items():
        assert (old[name]["games"], old[name]["points"]) == (row["games"], row["points"])
        assert old[name]["elo"] == pytest.approx(row["elo"], abs=0.2)
    assert len(tournament.records()) == kept["games"]
