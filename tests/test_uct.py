"""Plain UCT in readable nodes: the four steps, the formula, the budgets, the kept tree, and any game."""

from itertools import count
from math import log, sqrt

import numpy as np
import pytest
from trees import assert_same_tree, every_node

from mock5lib import Mock5
from mock5lib.search.uct import (
    SQRT2,
    UCT,
    Node,
    backup,
    expand,
    final_child,
    playout_for,
    run_simulation,
    select,
    simulate,
    ucb1,
)
from mock5lib.search.uct_step_by_step import uct_steps


class Nim:
    """Take 1 to 3 stones; who takes the last one wins. It keeps no history, and its moves are not points."""

    def __init__(self, stones, player=1):
        self.stones, self.player, self.taken = stones, player, []

    def legal_moves(self):
        return list(range(1, min(3, self.stones) + 1))

    def apply(self, move):
        self.stones, self.player = self.stones - move, 3 - self.player
        self.taken.append(move)

    def undo(self):
        self.stones, self.player = self.stones + self.taken.pop(), 3 - self.player

    def copy(self):
        return Nim(self.stones, self.player)

    winner = property(lambda self: None if self.stones else 3 - self.player)


def node_with_children(*statistics, visits=None, game=None):
    """A fully expanded root at an empty board, with children of the given (wins, visits)."""
    game = game or Mock5(1, len(statistics), k=5)
    root = Node(game)
    for move, (wins, child_visits) in enumerate(statistics):
        game.apply(move)
        child = Node(game, move, root)
        child.wins, child.visits = wins, child_visits
        root.children.append(child)
        game.undo()
    root.untried = []
    root.visits = sum(v for _, v in statistics) if visits is None else visits
    return root


# The formula


def test_ucb1_is_the_rate_plus_c_times_the_root_of_log_n_over_v():
    root = node_with_children((3.0, 4), (1.0, 6))
    assert ucb1(root.children[0], 10, c=2.0) == pytest.approx(0.75 + 2.0 * sqrt(log(10) / 4))
    # Auer et al. 2002: w/v + sqrt(2 ln N / v). The published tutorial has 1.4 * sqrt(2 ln N / v): nearly twice that.
    assert ucb1(root.children[0], 10) == pytest.approx(0.75 + sqrt(2 * log(10) / 4))


# The four steps


def test_select_stops_at_the_root_while_it_has_untried_moves():
    game = Mock5(3, 3, k=3)
    root = Node(game)
    for tried in range(9):
        assert select(root, game) is root and len(root.children) == tried
        run_simulation(root, game, SQRT2, np.random.default_rng(tried), lambda game: 0)
    assert select(root, game).parent is root
    assert len(game.history) == 1


def test_expand_tries_each_move_once_and_in_random_order():
    orders = []
    for seed in range(20):
        game = Mock5(2, 2, k=3)
        root, rng = Node(game), np.random.default_rng(seed)
        for _ in range(4):
            child = expand(root, game, rng)
            assert game.history == [child.move] and child.parent is root and child.player == 2
            game.undo()
        orders.append(tuple(child.move for child in root.children))
        assert sorted(orders[-1]) == [0, 1, 2, 3] and root.untried == []
    assert len(set(orders)) > 5
    assert {order[0] for order in orders} == {0, 1, 2, 3}


def test_a_finished_game_is_not_expanded():
    game = Mock5(3, 3, k=3, history=[0, 3, 1, 4, 2])
    node = Node(game)
    assert node.untried == [] and expand(node, game, np.random.default_rng(0)) is node


def test_a_playout_ends_the_game_and_puts_it_back():
    game, rng = Mock5(3, 3, k=3, history=[4]), np.random.default_rng(0)
    before, winners = str(game), {simulate(game, rng) for _ in range(200)}
    assert winners == {0, 1, 2}
    assert str(game) == before and game.history == [4]


def test_backup_gives_the_point_to_who_moved_into_the_node():
    game = Mock5(3, 3, k=3)
    root = Node(game)
    child = expand(root, game, None)  # player 1 moved
    grandchild = expand(child, game, None)  # player 2 moved
    backup(grandchild, winner=1)
    assert [(node.wins, node.visits) for node in (root, child, grandchild)] == [(0, 1), (1, 1), (0, 1)]
    backup(grandchild, winner=2)
    assert [(node.wins, node.visits) for node in (root, child, grandchild)] == [(1, 2), (1, 2), (1, 2)]
    backup(child, winner=0)  # worth half to both sides
    assert [(node.wins, node.visits) for node in (root, child, grandchild)] == [(1.5, 3), (1.5, 3), (1, 2)]


# The search


def test_a_subclass_with_other_rules_is_played_by_its_own_rules():
    class FirstRowOnly(Mock5):
        def legal_moves(self):
            return [move for move in super().legal_moves() if move < self.width] or super().legal_moves()

    result = UCT(300, seed=0).search(FirstRowOnly(3, 3, k=3))
    assert np.flatnonzero(result.visits).tolist() == [0, 1, 2]
    assert all(len(node.untried) <= 3 for node in result.root.children)


def test_the_playouts_of_a_subclass_follow_its_rules_too():
    class Misere(Mock5):
        winner = property(lambda self: None if Mock5.winner.fget(self) is None else 3 - Mock5.winner.fget(self))

    rng = np.random.default_rng(0)
    assert playout_for(Mock5(1, 2, k=1), rng)(Mock5(1, 2, k=1)) == 1
    assert playout_for(Misere(1, 2, k=1), rng)(Misere(1, 2, k=1)) == 2


# The final move


def test_most_visits_and_best_ratio_may_choose_differently():
    root = node_with_children((6.0, 10), (4.0, 5), (0.0, 1))
    assert final_child(root, "visits").move == 0
    assert final_child(root, "ratio").move == 1


def test_equal_visits_are_decided_by_the_ratio_and_equal_ratios_by_visits():
    assert final_child(node_with_children((3.0, 10), (6.0, 10)), "visits").move == 1
    assert final_child(node_with_children((5.0, 10), (50.0, 100)), "ratio").move == 1


def test_moves_equal_in_both_are_drawn_by_lot():
    root = node_with_children((5.0, 10), (5.0, 10), (4.0, 10))
    rng = np.random.default_rng(0)
    assert {final_child(root, "visits", rng).move for _ in range(50)} == {0, 1}
    assert final_child(root, "visits").move == 0


# The kept tree


def test_an_interrupted_search_leaves_no_broken_tree():
    calls = count()

    def interrupted(game):
        if next(calls) == 130:
            raise KeyboardInterrupt
        return 0

    agent, game = UCT(100, seed=0, playout=interrupted), Mock5(3, 3, k=3)
    agent(game)
    with pytest.raises(KeyboardInterrupt):
        agent(game)
    result = agent.search(game)
    assert result.visits.sum() == 100 and all(node.visits > 0 for node in every_node(result.root))


def test_a_game_without_history_is_searched_afresh_each_time():
    agent = UCT(300, seed=0)
    for _ in range(2):
        assert agent.search(Nim(6)).root.visits == 300


# Any game


def test_uct_plays_nim_unchanged():
    assert [UCT(800, seed=0)(Nim(stones)) for stones in (5, 6, 7)] == [1, 2, 3]
    result = UCT(400, seed=0).search(Nim(6))
    assert result.visits.shape == (4,) and result.visits[0] == 0 and result.prior.tolist() == [0] + [1 / 3] * 3


# Bad input


def test_a_finished_game_is_refused():
    game = Mock5(3, 3, k=3, history=[0, 3, 1, 4, 2])
    with pytest.raises(ValueError, match="The game is over"):
        uct_steps(game)
    with pytest.raises(ValueError, match="simulations must be at least 1"):
        uct_steps(Mock5(), simulations=0)


# One phase at a time


def test_the_steps_of_a_simulation_come_in_order_and_add_one_visit():
    game = Mock5(3, 3, k=3, history=[0, 4, 1])
    visits = 0
    for number, step in enumerate(uct_steps(game, simulations=60, rng=0)):
        assert step.phase == ("select", "expand", "simulate", "backup")[number % 4]
        assert step.simulation == number // 4 + 1
        assert step.path[0] is step.root and step.path[-1].visits >= (step.phase == "backup")
        visits += step.phase == "backup"
        assert step.root.visits == visits
        assert (step.result is not None) == (step.phase in ("simulate", "backup"))
        assert step.text.endswith(".") and len(step.text) < 400
        if step.phase == "expand":
            assert (step.new_node is None) == (step.path[-1].visits > 0)
    assert visits == 60 and game.history == [0, 4, 1]


def test_the_steps_build_the_tree_that_the_agent_builds():
    game = Mock5(3, 3, k=3)
    rng = np.random.default_rng(7)
    agent = UCT(100, seed=rng, playout=lambda game: simulate(game, rng))
    *_, last = uct_steps(game, simulations=100, rng=7)
    assert assert_same_tree(last.root, agent.search(game).root) > 50


def test_a_step_shows_the_playout_it_played():
    for step in uct_steps(Mock5(3, 3, k=3, history=[4]), simulations=20, rng=1):
        if step.phase == "backup":
            game = Mock5(3, 3, k=3, history=[4])
            for node in step.path[1:]:
                game.apply(node.move)
            for move in step.playout:
                game.apply(move)
            assert game.winner == step.result


# The result


def test_a_policy_follows_the_visits_and_the_temperature():
    result = UCT(300, seed=0).search(Mock5(3, 3, k=3, history=[4]))
    sharp, flat = result.policy(0.25), result.policy(4.0)
    assert sharp.max() > result.policy().max() > flat.max() and flat[4] == 0
    assert result.policy(1e-3).sum() == pytest.approx(1)
    result.visits[:] = [0, 5, 5, 1, 0, 0, 0, 0, 0]
    assert result.policy(0).tolist() == [0, 0.5, 0.5, 0, 0, 0, 0, 0, 0]
