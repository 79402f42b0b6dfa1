"""The searches of the earlier chapters play Go as they are: UCT, its fast twin, and search with an expert."""

import numba
import numpy as np
import pytest

from mock5lib import names
from mock5lib.arena.tournament import Tournament
from mock5lib.go import kernels
from mock5lib.go.board import Go
from mock5lib.search.puct.tree import SearchTree
from mock5lib.search.uct.compiled import FastUCT
from mock5lib.search.uct.tree import UCT, playout_for, simulate


class Blind:
    """An expert that finds all moves alike, and all positions even."""

    history = 0

    def of_games(self, games):
        return np.zeros((len(games), games[0].actions)), np.zeros(len(games))


key_of = numba.njit(kernels.key_of_position)


def position_playout(seed: int):
    """A playout for the readable UCT that depends on the position alone, as the fast one's do with `ordered`."""

    def playout(game: Go) -> int:
        if game.winner is not None:
            return game.winner
        position = kernels.position_of(game)
        return kernels.random_playout(position, np.array([key_of(position, np.uint64(seed))], np.uint64))

    return playout


def random_position(rng, moves: int) -> Go:
    game = Go(int(rng.integers(2, 6)), float(rng.integers(0, 5)))
    for _ in range(moves):
        if game.winner is None:
            game.apply(int(rng.choice(game.legal_moves())))
    return game if game.winner is None else random_position(rng, moves)


def assert_same_tree(readable, fast) -> int:
    for name in ("move", "player", "visits", "wins", "untried"):
        assert getattr(readable, name) == getattr(fast, name)
    assert len(readable.children) == len(fast.children)
    return 1 + sum(assert_same_tree(*pair) for pair in zip(readable.children, fast.children))


def test_the_fast_search_of_go_is_the_readable_one_visit_for_visit():
    rng, nodes = np.random.default_rng(0), 0
    for seed in range(30):
        game, budget = random_position(rng, int(rng.integers(0, 12))), int(rng.integers(1, 120))
        readable = UCT(budget, ordered=True, playout=position_playout(seed)).search(game)
        fast = FastUCT(budget, ordered=True, seed=seed).search(game)
        nodes += assert_same_tree(readable.root, fast.root)
        assert readable.visits.tolist() == fast.visits.tolist() and readable.move == fast.move
        assert readable.prior.tolist() == fast.prior.tolist() and len(fast.visits) == game.actions
    assert nodes > 1000


def test_kept_trees_agree_through_a_game_with_passes():
    game = Go(3, komi=1)
    readable, fast = UCT(80, ordered=True, playout=position_playout(4)), FastUCT(80, ordered=True, seed=4)
    while game.winner is None and len(game.history) < 14:
        expected, got = readable.search(game), fast.search(game)
        assert_same_tree(expected.root, got.root)
        game.apply(got.move if len(game.history) != 3 else game.pass_move)


def lost_unless(colour: int) -> Go:
    """Whoever moves takes the other's big group, and wins, with one move: the point 0."""
    stones = [0, 1, 1, 1, 2, 1, 1, 1, 2, 2, 2, 2, 0, 2, 0, 2]
    other = {0: 0, 1: 2, 2: 1}
    komi, board = (-5, stones) if colour == 2 else (5, [other[stone] for stone in stones])
    return Go(4, komi=komi, board=board, player=colour)


@pytest.mark.parametrize("colour", [1, 2])
@pytest.mark.parametrize(
    "search",
    [
        lambda game: UCT(200, seed=0).search(game),
        lambda game: FastUCT(400, seed=0).search(game),
        lambda game: SearchTree(game, Blind()).search(600),
    ],
    ids=["uct", "fastuct", "puct"],
)
def test_every_search_finds_the_capture_that_wins(search, colour):
    game = lost_unless(colour)
    if search.__code__.co_names[0] == "SearchTree":  # it knows no playouts: let the game be near its end
        game = Go(4, game.komi, board=list(game.board), player=colour, max_moves=2)
    result = search(game)
    assert result.move == 0 and len(result.visits) == 17 and game.history == []


@pytest.mark.slow
def test_many_games_at_once_are_searched_as_each_alone():
    games = [Go(5), Go(5, history=[12, 3]), Go(4), Go(5, komi=2.5)]
    results = FastUCT(60, ordered=True, seed=1).search_many(games)
    for game, result in zip(games, results):
        alone = FastUCT(60, ordered=True, seed=1).search(game)
        assert alone.visits.tolist() == result.visits.tolist() and alone.move == result.move


def test_uct_beats_random_moves_and_passes_when_all_is_settled():
    rng, agent = np.random.default_rng(0), FastUCT(300, seed=1)
    for colour in (1, 2):
        game = Go(5, komi=0.5)
        while game.winner is None:
            move = agent(game) if game.player == colour else int(rng.choice(game.playout_moves()))
            game.apply(move)
        assert game.winner == colour


def test_a_readable_playout_fills_no_eyes_and_wins_as_often_as_the_compiled_one():
    game, rng = Go(5, komi=0.5), np.random.default_rng(2)
    readable = np.bincount([simulate(game, rng) for _ in range(150)], minlength=3) / 150
    playout = playout_for(game, rng)
    compiled = np.bincount([playout(game) for _ in range(3000)], minlength=3) / 3000
    assert np.abs(readable - compiled).max() < 0.13 and game.history == []


def test_a_search_with_an_expert_plays_go_to_its_end_and_keeps_its_tree():
    game, tree = Go(2, komi=0, max_moves=12), SearchTree(Go(2, komi=0, max_moves=12), Blind())
    while game.winner is None:
        move = tree.search(20).move
        tree.advance(move)
        game.apply(move)
    assert tree.game.winner == game.winner


def test_the_ko_is_kept_when_the_search_copies_the_board():
    game = Go(4, board=[".OX".index(c) for c in ".OX.OX.X.OX....."], player=1)
    game.apply(6)
    for result in (
        UCT(60, seed=0).search(game),
        FastUCT(60, seed=0).search(game),
        SearchTree(game, Blind()).search(40),
    ):
        assert result.visits[5] == 0 and result.prior[5] == 0


def test_tournaments_of_go_are_kept_and_go_on(tmp_path):
    tournament = Tournament(tmp_path / "ladder", 4, 4, pairs=2, openings=1, komi=1.5)
    tournament.run([names.recipe("random", "one"), names.recipe("uct:20", "two")])
    again = Tournament.load(tmp_path / "ladder")
    assert again.komi == 1.5 and len(again.records()) == 4 and set(again.ratings().names) == {"one", "two"}
