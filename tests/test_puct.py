"""One tree, one expert: the formulas, the signs, and the defects of published searches that this one must not have."""

from math import log, sqrt

import numpy as np
import pytest
from experts import BAD_ANSWERS, constant_expert, hashed_expert, positions, uniform_expert
from matplotlib.text import Text
from trees import OPEN_FOUR, every_node

from bench._published import PublishedSearch
from mock5check import ch05
from mock5lib import Mock5
from mock5lib.search.puct import SearchTree, child_q, immediate_wins, legal_priors, log_ucb, look_one_ply_ahead, puct
from mock5lib.show import plot_tree

FIVES = (38, 43)


# Formulas


def test_puct_is_q_plus_c_times_prior_times_root_of_parent_visits_over_one_plus_visits():
    assert puct(0.25, 0.5, 16, 3, 2.0) == 0.25 + 2.0 * 0.5 * 4 / 4


def test_log_ucb_is_the_formula_of_the_notebooks_code():
    w, n, prior, parent_visits, c = -1.5, 6, 0.3, 40, 1.4
    assert log_ucb(w / n, prior, parent_visits, n, c) == pytest.approx(w / n + c * prior * sqrt(log(41) / 7))
    assert log_ucb(0.0, prior, parent_visits, 0, c) == pytest.approx(c * prior * sqrt(log(41)))


@pytest.mark.parametrize("rule", ["puct", "log-ucb"])
def test_each_choice_maximizes_the_rule_over_the_legal_moves(rule):
    formula = {"puct": puct, "log-ucb": log_ucb}[rule]
    for game in positions(20, seed=1):
        tree = SearchTree(game, hashed_expert(), rule=rule, c=1.1)
        for _ in range(30):
            root, scores = tree.root, {}
            for move in game.legal_moves():
                child = root.children.get(move)
                q, n = (-child.value_sum / child.visits, child.visits) if child else (0.0, 0)
                scores[move] = formula(q, root.priors[move], root.visits, n, 1.1)
            before = {move: child.visits for move, child in root.children.items()}
            tree.simulate()
            tried = [move for move, child in root.children.items() if child.visits > before.get(move, 0)]
            assert len(tried) == 1 and scores[tried[0]] == max(scores.values())


def test_first_play_urgency_takes_the_root_of_the_tried_priors_off_the_parents_value():
    tree = SearchTree(Mock5(3, 3, k=3), hashed_expert(), fpu=0.2)
    tree.search(5)
    tried = sum(child.prior for child in tree.root.children.values())
    assert tree.untried_q(tree.root) == pytest.approx(tree.root.q - 0.2 * sqrt(tried))


def test_equal_scores_go_to_the_lowest_index_or_by_lot():
    assert SearchTree(Mock5(3, 3, k=3), uniform_expert).search(1).move == 0
    lots = [SearchTree(Mock5(3, 3, k=3), uniform_expert, rng=np.random.default_rng(seed)) for seed in range(60)]
    assert {tree.search(1).move for tree in lots} == set(range(9))


# Masking


def test_priors_are_normalized_over_the_legal_moves_whatever_the_others_hold():
    log_priors = np.log(np.array([0.2, 0.3, 0.1, 0.4], dtype=np.float32))
    log_priors[0] = -np.inf
    assert legal_priors(log_priors, [1, 2]).tolist() == pytest.approx([0.75, 0.25])
    assert legal_priors(log_priors, [0]).tolist() == [1]


def test_priors_all_zero_fall_back_to_uniform():
    def blind(planes):
        return np.where(planes[:, 2].reshape(len(planes), -1) > 0, -np.inf, 0.0), np.zeros(len(planes))

    tree = SearchTree(Mock5(3, 3, k=3, history=[4]), blind)
    assert set(tree.root.priors.values()) == {np.float32(1 / 8)}


# Signs and exact values: the traps


def test_a_value_belongs_to_the_player_to_move_and_flips_once_per_ply():
    tree = SearchTree(Mock5(9, 9), constant_expert(0.5))
    child = tree.simulate()
    assert child.parent is tree.root and child.value_sum == 0.5 and child_q(child) == -0.5
    assert tree.root.value_sum == 0.5 - 0.5
    tree.root.priors = {child.move: 1.0}  # so that the next walk goes there again
    grandchild = tree.simulate()
    assert grandchild.parent is child
    assert (grandchild.value_sum, child.value_sum, tree.root.value_sum) == (0.5, 0.5 - 0.5, 0.5 - 0.5 + 0.5)


def test_the_search_goes_where_the_opponent_is_said_to_stand_badly():
    def expert(planes):  # whoever holds point 7 stands well
        own, other = (planes[:, side].reshape(len(planes), -1)[:, 7] for side in (0, 1))
        return uniform_expert(planes)[0], 0.9 * (own - other)

    result = SearchTree(Mock5(9, 9), expert).search(200)
    assert result.move == 7 and result.q[7] == pytest.approx(0.9)


def test_a_draw_is_worth_nothing_to_both_sides():
    game = Mock5(3, 3, k=3, history=[0, 1, 2, 4, 3, 5, 7, 6])  # one point left: a draw
    for expert in (constant_expert(1.0), constant_expert(-1.0)):
        result = SearchTree(game, expert).search(10)
        assert result.visits[8] == 10 and result.q[8] == 0.0


def test_a_finished_position_is_scored_by_the_rules_from_its_first_visit():
    tree = SearchTree(Mock5(9, 9, history=OPEN_FOUR), constant_expert(0.8))
    tree.search(300)
    for move in FIVES:
        child = tree.root.children.get(move)
        if child:
            assert child.exact and child.value == -1 and child.value_sum == -child.visits and not child.children


def test_published_search_never_plays_the_five_and_this_one_does():
    game = Mock5(9, 9, history=OPEN_FOUR)

    def published_expert(game):
        return np.full(81, 1 / 81), 0.0

    for seed in range(3):
        search = PublishedSearch(game, published_expert, np.random.default_rng(seed))
        assert search.decide(1000) not in FIVES
        assert all(search.root.children[move].n == 1 for move in FIVES)
    for rule in ("puct", "log-ucb"):
        assert SearchTree(game, uniform_expert, rule=rule).search(100).move in FIVES


def test_every_node_counts_its_own_look_and_its_childrens_visits():
    tree = SearchTree(Mock5(6, 6, k=4), hashed_expert())
    tree.search(200)
    for node in every_node(tree.root):
        if node.priors is not None:
            assert node.visits == 1 + sum(child.visits for child in node.children.values())
            assert node.value_sum == pytest.approx(node.value - sum(c.value_sum for c in node.children.values()))


# Looking one ply ahead


def test_looking_ahead_finds_own_wins_then_forced_blocks():
    four = Mock5(9, 9, history=OPEN_FOUR)
    assert look_one_ply_ahead(four) == (list(FIVES), 1.0)
    quiet = Mock5(9, 9, history=OPEN_FOUR + [20])
    assert look_one_ply_ahead(quiet) == (list(FIVES), -1.0)
    blocked = Mock5(9, 9, history=OPEN_FOUR[:-1] + [43, 20])
    assert immediate_wins(blocked, 1) == [38] and look_one_ply_ahead(blocked) == ([38], None)
    assert look_one_ply_ahead(Mock5(9, 9)) == (list(range(81)), None)


@pytest.mark.parametrize("exact", [False, True])
def test_the_rows_tell_of_immediate_wins_what_playing_them_shows(exact):
    rng, compared = np.random.default_rng(4), 0
    for _ in range(30):
        game = Mock5(6, 7, k=4, exact=exact)
        while game.winner is None:
            for player in (1, 2):
                shown = []
                for move in game.legal_moves():
                    after = game.copy()
                    after.player = player
                    after.apply(move)
                    shown += [move] * (after.winner == player)
                assert immediate_wins(game, player) == shown
                compared += bool(shown)
            game.apply(int(rng.choice(game.legal_moves())))
    assert compared > 50


def test_immediate_wins_of_a_subclass_follow_its_rules():
    class Misere(Mock5):
        winner = property(lambda self: None if Mock5.winner.fget(self) is None else 3 - Mock5.winner.fget(self))

    three = dict(k=3, history=[0, 3, 1, 4])
    assert immediate_wins(Mock5(3, 3, **three), 1) == [2] and immediate_wins(Misere(3, 3, **three), 1) == []


def test_with_forced_moves_a_double_threat_is_seen_one_ply_earlier():
    open_three = Mock5(9, 9, history=[39, 0, 40, 8, 41, 72])  # black to move: a fourth stone wins
    plain = SearchTree(open_three, uniform_expert).search(75)
    ahead = SearchTree(open_three, uniform_expert, forced_moves=True).search(75)
    assert max(plain.q) < 1
    assert ahead.move in (38, 42) and ahead.q[ahead.move] == 1


# The root: noise, reuse, result


def test_noise_goes_to_the_root_only_and_leaves_a_distribution():
    tree = SearchTree(Mock5(6, 6, k=4), hashed_expert())
    tree.search(30)
    below = {id(n): dict(n.priors) for n in every_node(tree.root) if n is not tree.root and n.priors is not None}
    root = dict(tree.root.priors)
    tree.add_noise(np.random.default_rng(0), weight=0.25)
    assert sum(tree.root.priors.values()) == pytest.approx(1, abs=1e-5)
    assert any(tree.root.priors[move] != prior for move, prior in root.items())
    assert all(child.prior == tree.root.priors[move] for move, child in tree.root.children.items())
    assert all(below[id(n)] == n.priors for n in every_node(tree.root) if id(n) in below)


def test_moving_on_keeps_the_subtree_and_no_more():
    tree = SearchTree(Mock5(9, 9), hashed_expert())
    move = tree.search(100).move
    child = tree.root.children[move]
    visits = child.visits
    tree.advance(move)
    assert tree.root is child and child.parent is None and tree.game.history == [move]
    result = tree.search(50)
    assert tree.root.visits == visits + 50 and result.visits.sum() == visits - 1 + 50
    unseen = next(move for move in tree.game.legal_moves() if move not in tree.root.children)
    tree.advance(unseen)
    assert tree.root.visits == 1


def test_moving_on_refuses_an_illegal_move_and_stays():
    tree = SearchTree(Mock5(9, 9, history=[40]), hashed_expert())
    tree.search(10)
    root = tree.root
    for move, error in ((40, ValueError), (81, IndexError), ("a", TypeError)):
        with pytest.raises(error):
            tree.advance(move)
    assert tree.root is root and tree.game.history == [40]


def test_the_tree_draws_itself():
    tree = SearchTree(Mock5(3, 3, k=3), hashed_expert())
    tree.search(40)
    best = max(tree.root.children.values(), key=lambda child: child.visits)
    assert best.label() == f"{child_q(best):+.2f} of {best.visits}"
    axes = plot_tree(tree)
    assert any(best.label() == text.get_text() for text in axes.findobj(Text))


# Bad input


@pytest.mark.parametrize("answer", BAD_ANSWERS.values(), ids=BAD_ANSWERS)
def test_an_unusable_answer_is_a_clear_error(answer):
    expert, error, word = answer
    with pytest.raises(error, match=word):
        SearchTree(Mock5(3, 3, k=3), expert)


def test_settings_out_of_range_are_clear_errors():
    game = Mock5(3, 3, k=3)
    with pytest.raises(ValueError, match="simulations"):
        SearchTree(game, uniform_expert).search(0)
    with pytest.raises(ValueError, match="over"):
        SearchTree(Mock5(9, 9, history=OPEN_FOUR + [38]), uniform_expert)


def test_the_search_that_chapter_5_asks_for_is_this_one():
    solution = ch05.puct_search.solution
    for game, expert, simulations, c in ch05.puct_search.cases(np.random.default_rng(0)):
        result = SearchTree(game, expert, c=c).search(simulations)
        visits, q = solution(game, expert, simulations, c)
        assert visits.tolist() == result.visits.tolist() and np.allclose(q, result.q, atol=2e-6)
