"""AlphaGo's 48 planes of Go, their compiled twin, and the reader of ladders."""

import os

import numpy as np
import pytest

from mock5go import ladders, planes, planes_compiled
from mock5go.board import Go

ALL = bool(os.environ.get("MOCK5_GO_ALL"))

# Black's stone at D6 runs to the right and down, away from white's wall, until the board ends.
LADDER = """
.........
.........
...XX....
..XO.....
.........
.........
.........
.........
.........
"""
BREAKER = LADDER.replace("XO.....\n.........\n.........\n.........", "XO.....\n.........\n.........\n......O..")
EDGE = """
.......X.
......XOX
.......O.
.........
"""


def board(text: str, player: int, size: int = 9) -> Go:
    rows = text.split()
    rows += ["." * size] * (size - len(rows))
    return Go(size, board=[".OX".index(letter) for row in rows for letter in row], player=player)


def mirrored(game: Go) -> Go:
    """The same with the colors exchanged."""
    return Go(game.size, board=[(0, 2, 1)[stone] for stone in game.board], player=3 - game.player)


def captures(game: Go) -> set[str]:
    return {game.name_of(m) for m in game.legal_moves()[:-1] if ladders.is_ladder_capture(game, m)}


def escapes(game: Go) -> set[str]:
    return {game.name_of(m) for m in game.legal_moves()[:-1] if ladders.is_ladder_escape(game, m)}


def test_the_planes_are_those_of_the_table():
    assert sum(feature.planes for feature in planes.FEATURES) == 49
    assert [feature.first for feature in planes.FEATURES] == list(
        np.cumsum([0, *(feature.planes for feature in planes.FEATURES[:-1])])
    )
    names = [(feature.name, feature.planes) for feature in planes.FEATURES]
    assert names[:5] == [("stone color", 3), ("ones", 1), ("turns since", 8), ("liberties", 8), ("capture size", 8)]


@pytest.mark.parametrize("turn", [lambda game: game, mirrored], ids=["black runs", "white runs"])
def test_a_ladder_works_a_breaker_stops_it_and_the_edge_ends_it(turn):
    free, broken = turn(board(LADDER, 2)), turn(board(BREAKER, 2))
    assert captures(free) == {"D5"} and captures(broken) == set()
    started = LADDER.replace("XO.....\n.........", "XO.....\n...X.....")
    assert escapes(turn(board(started, 1))) == set(), "the chase ends at the edge"
    saved = BREAKER.replace("XO.....\n.........", "XO.....\n...X.....")
    assert escapes(turn(board(saved, 1))) == {"E6"}, "a stone in the way saves the group"


def test_a_hunter_in_atari_can_be_taken_instead():
    game = board("....... ..XX... .XOOX.. ..XOX.. ..O.... ....... .......", 1, 7)
    taking = game.move_named("B4")
    assert game.captures(taking) and ladders.is_ladder_escape(game, taking)


def test_a_group_with_three_liberties_is_no_prey():
    assert captures(board(".... .O.. .... ....", 2, 4)) == set()


def positions_of_random_games(rng, size: int, games: int, share: float):
    """About a share of the positions of so many random games."""
    for _ in range(games):
        game = Go(size)
        while game.winner is None:
            if rng.random() < share:
                yield game
            game.apply(int(rng.choice(game.playout_moves())))


@pytest.mark.parametrize(("size", "games", "share"), [(3, 500, 0.5), (5, 700, 0.3), (9, 700, 0.05), (13, 100, 0.02)])
def test_the_compiled_planes_are_the_readable_ones(size, games, share):
    rng = np.random.default_rng(size)
    for game in positions_of_random_games(rng, size, games if ALL else games // 100, share):
        expected, got = planes.readable_planes(game), planes.planes49.encode([game])[0]
        for feature in planes.FEATURES:
            part = slice(feature.first, feature.first + feature.planes)
            assert (expected[part] == got[part]).all(), feature.name
        assert (planes.planes48.encode([game])[0] == got[:48]).all()


@pytest.mark.parametrize("text", [LADDER, BREAKER, EDGE], ids=["ladder", "breaker", "edge"])
@pytest.mark.parametrize("player", [1, 2])
def test_ladders_are_read_alike_compiled(text, player):
    game = board(text, player)
    assert (planes.readable_planes(game) == planes.planes49.encode([game])[0]).all()


def test_each_plane_says_what_its_name_promises():
    game = Go(5)
    for name in ("C3", "B3", "pass", "C4", "B2", "C2", "pass", "E5"):
        game.apply(game.move_named(name))
    shown = planes.planes49.encode([game])[0].reshape(49, -1)
    at = game.move_named
    assert shown[planes_compiled.OTHER, at("E5")] == 1 and shown[planes_compiled.OWN, at("C3")] == 1
    assert shown[planes_compiled.SINCE, at("E5")] == 1, "the last move"
    assert shown[planes_compiled.SINCE + 7, at("C3")] == 1, "eight turns ago"
    assert shown[planes_compiled.LIBERTIES : planes_compiled.LIBERTIES + 8].sum() == sum(
        1 for stone in game.board if stone
    )
    assert (
        shown[planes_compiled.ONES].all()
        and not shown[planes_compiled.ZEROS].any()
        and shown[planes_compiled.BLACK_TO_MOVE].all()
    )
    legal = game.legal_moves()[:-1]
    assert (shown[planes_compiled.SENSIBLE, legal] == 1).all()
    for first in (planes_compiled.CAPTURES, planes_compiled.LIBERTIES_AFTER):
        assert (shown[first : first + 8].sum(axis=0)[legal] == 1).all(), "one plane for each legal move"
