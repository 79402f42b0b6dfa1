"""The heuristic agents say what the original said, fast and readable alike; policies become agents without traps."""

import numpy as np
import pytest
from crooks import first_free, last_free
from games import random_game
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_vectors import positions

from mock5lib import Mock5, agents
from mock5lib.gomoku import heuristics
from mock5lib.gomoku import heuristics_compiled as fast
from mock5lib.gomoku import lines_compiled as fast_position
from mock5lib.gomoku.heuristics import SCORES, highest_with_noise

POSITIONS = positions()
FIVE = ("greedy", "defensive", "pt", "df", "mixed")


def game_of(position) -> Mock5:
    return Mock5(position["height"], position["width"], history=position["history"])


@st.composite
def five_games(draw, max_moves=60):
    """A random game of five in a row that still runs, on boards of 1×2 to 16×16."""
    height, width = draw(st.integers(1, 16)), draw(st.integers(2, 16))
    game = random_game(height, width, 5, False, draw(st.integers(0, max_moves)), draw(st.integers(0, 2**32 - 1)))
    if game.winner is not None:
        game.undo()
    return game


def compiled(game, name):
    """Scores or policy of the compiled agent, stones placed one by one."""
    kind = fast.HEURISTICS.index(name)
    lines = fast_position.lines_of(game.height, game.width)
    tables = fast.tables_for(kind, kind)
    position = fast_position.new_position(lines, tables)
    fast_position.clear(position)
    for number, move in enumerate(game.history):
        fast_position.place(position, np.int64(lines.points[move]), np.int64(1 + number % 2))
    if name in SCORES:
        scores = position.scores[tables.slots[game.player - 1, kind], lines.points]
        return np.where(position.board[lines.points] == 0, scores, 0.0)
    if len(game.history) <= 2:
        fast.opening_weights(position, len(game.history), np.int64(game.history[0] if game.history else -1))
    else:
        fast.pattern_weights(position, game.player, kind == fast.DF)
    return position.weights


def readable(game, name):
    return {**SCORES, **heuristics.POLICIES}[name](game)


def fits(counts, chances) -> bool:
    """Whether counts are a likely sample of these chances: chi-squared within six standard deviations."""
    expected = counts.sum() * chances
    if counts[expected == 0].any():
        return False
    counts, expected = counts[expected > 0], expected[expected > 0]
    chi_squared, free = ((counts - expected) ** 2 / expected).sum(), len(counts) - 1
    return chi_squared <= free + 6 * np.sqrt(2 * free) + 6


# Scores ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["greedy", "defensive"])
def test_scores_are_those_of_the_original(name):
    for position in POSITIONS:
        np.testing.assert_allclose(readable(game_of(position), name), position[f"{name}_score"], rtol=1e-6, atol=1e-4)


@pytest.mark.parametrize("name", ["pt", "df"])
def test_policies_are_those_of_the_original(name):
    checked = 0
    for position in POSITIONS:
        if position.get(f"{name}_policy") is not None and len(position["history"]) >= 3:
            np.testing.assert_allclose(readable(game_of(position), name), position[f"{name}_policy"], atol=1e-6)
            checked += 1
    assert checked >= 20


@settings(max_examples=60, deadline=None)
@given(five_games())
def test_compiled_scores_equal_the_readable_ones_on_random_positions(game):
    for name in ("greedy", "defensive", "pt", "df"):
        np.testing.assert_allclose(compiled(game, name), readable(game, name), rtol=1e-12)


def test_an_own_five_goes_before_the_opponents_in_pt_and_df():
    game = Mock5(9, 9, history=[0, 72, 1, 73, 2, 74, 3, 75])  # both have four in a row, black to move
    for name in ("pt", "df"):
        assert np.flatnonzero(readable(game, name)).tolist() == [4]


def test_two_stones_set_by_hand_are_an_opening_too():
    game = Mock5(9, 9)
    game[4, 4], game[8, 8] = 1, 2
    wanted = heuristics.opening_policy(game, 2)
    assert wanted.sum() == 25 and wanted[4 * 9 + 4] == 1
    assert readable(game, "pt").sum() == 24


# Moves ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stones", [0, 1, 17])
@pytest.mark.parametrize("name", ["random", *FIVE])
def test_moves_are_drawn_by_the_stated_chances_one_by_one_and_batched(name, stones):
    game = random_game(8, 9, 5, False, stones, seed=83)  # with 17 stones the agents disagree
    agent = agents.by_name(name, seed=5)
    chances = agent.distribution(game)
    assert chances.sum() == pytest.approx(1)
    one_by_one = np.bincount([agent(game) for _ in range(1500)], minlength=72)
    batched = np.bincount(agent.moves([game] * 4000), minlength=72)
    assert fits(one_by_one, chances) and fits(batched, chances)


def test_the_mixed_agent_is_the_four_others_in_the_stated_shares():
    game = random_game(8, 9, 5, False, 17, seed=83)
    parts = {name: agents.by_name(name).distribution(game) for name in ("greedy", "defensive", "pt", "df")}
    assert np.minimum(parts["greedy"], parts["defensive"]).sum() == np.minimum(parts["pt"], parts["df"]).sum() == 0
    shares = {"greedy": 0.4, "defensive": 0.4, "pt": 0.1, "df": 0.1}
    mixture = sum(share * parts[name] for name, share in shares.items())
    np.testing.assert_allclose(agents.mixed().distribution(game), mixture)


def test_the_chance_to_be_highest_after_noise_is_exact():
    assert highest_with_noise(np.array([3.0, 3.0, 1.9])).tolist() == [0.5, 0.5, 0]
    # 0 and 0.5: the lower one wins if its noise beats the other's by more than 0.5, which has chance 1/8.
    assert highest_with_noise(np.array([0.0, 0.5])).tolist() == pytest.approx([0.125, 0.875])
    scores = np.random.default_rng(0).random(40)
    noisy = scores + np.random.default_rng(1).random((20_000, 40))
    assert fits(np.bincount(noisy.argmax(axis=1), minlength=40), highest_with_noise(scores))


@pytest.mark.parametrize("name", ["random", *FIVE])
def test_an_equal_seed_gives_equal_moves(name):
    games = [random_game(9, 9, 5, False, 6, seed) for seed in range(8)]
    first, second, other = (agents.by_name(name, seed) for seed in (1, 1, 2))
    assert first.moves(games) == second.moves(games)
    assert [first(game) for game in games] == [second(game) for game in games]
    opening = Mock5(9, 9, history=[40])
    assert [first(opening) for _ in range(30)] != [other(opening) for _ in range(30)]


def test_the_random_agent_plays_any_game():
    game = Mock5(3, 3, k=3)
    while game.winner is None:
        game.apply(agents.random(seed=3)(game))
    assert agents.random(0).moves([game]) == [None]


@pytest.mark.parametrize("name", FIVE)
def test_a_full_board_gets_no_move(name):
    full = Mock5(2, 2, history=[0, 1, 2, 3])
    assert agents.by_name(name, 0)(full) is None
    assert agents.by_name(name, 0).moves([full, Mock5(2, 2)])[0] is None


def test_an_agent_is_made_before_it_is_called():
    with pytest.raises(TypeError, match="Make the agent first"):
        agents.greedy(Mock5())


# Policies -------------------------------------------------------------------------------------------------------


def counting(game):
    """0, 1, 2 … per point."""
    return np.arange(game.height * game.width, dtype=float)


def test_a_policy_agent_draws_empty_points_in_proportion():
    game = Mock5(1, 4, history=[3])
    moves = agents.agent(counting, seed=0).moves([game] * 3000)
    assert fits(np.bincount(moves, minlength=4), np.array([0, 1, 2, 0]) / 3)


def test_a_policy_agent_explores_with_chance_epsilon():
    game = Mock5(1, 4, history=[3])
    moves = [agents.agent(counting, epsilon=0.5, seed=seed)(game) for seed in range(2000)]
    assert fits(np.bincount(moves, minlength=4), np.array([1 / 6, 1 / 6 + 1 / 6, 1 / 6 + 1 / 3, 0]))


def test_a_policy_of_zeros_is_played_uniformly():
    moves = agents.agent(lambda game: np.zeros(4), seed=0).moves([Mock5(1, 4)] * 2000)
    assert fits(np.bincount(moves, minlength=4), np.full(4, 0.25))


def of_scores(scores):
    """An agent with a policy that gives these, asked for a move."""

    def clumsy(game):
        return scores

    return agents.agent(clumsy)(Mock5(2, 2))


NAN, INF = float("nan"), float("inf")
WRONG = [
    *((lambda name=name: agents.by_name(name, 0)(Mock5(9, 9, k=4)), "k = 5 only.*k = 4") for name in FIVE),
    (lambda: agents.pt(0).moves([Mock5(9, 9), Mock5(9, 9, k=4)]), "k = 4"),
    (lambda: agents.by_name("clever"), "one of random, greedy.*'clever'"),
    (lambda: of_scores([1, -1, 0, 0]), "-1.0 to point 1"),
    (lambda: of_scores([1, 2, NAN, 0]), "nan to point 2"),
    (lambda: of_scores([INF, 0, 0, 0]), "inf to point 0"),
    (lambda: of_scores([1, 2, 3]), r"shape \(4,\); clumsy gave shape \(3,\)"),
    (lambda: of_scores([[1, 2], [3, 4]]), r"gave shape \(2, 2\)"),
    *((lambda chance=chance: agents.agent(agents.uniform, chance), "from 0 to 1") for chance in (-0.1, 1.1, NAN)),
    *((lambda tau=tau: agents.softmax([1.0, 2.0], tau), "above 0") for tau in (0, -1, NAN, INF)),
    (lambda: agents.pt_softmax(agents.uniform, 0), "above 0"),
    *((lambda row=row: agents.softmax(row), "finite") for row in ([], [-INF], [NAN, 1], [INF, 1])),
    *((lambda wrong=wrong: agents.Stat().update_by_result(*wrong), "0, 1 or 2") for wrong in ((3, 1), (-1, 1), (1, 0))),
    (lambda: agents.Stat().update_by_result(None), "0, 1 or 2"),
]


@pytest.mark.parametrize(("call", "words"), WRONG)
def test_what_makes_no_sense_is_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_temperature_sharpens_and_evens_out():
    scores = [1.0, 2.0, 3.0]
    assert agents.softmax(scores).tolist() == pytest.approx([0.0900306, 0.2447285, 0.6652410], abs=1e-6)
    assert agents.softmax(scores, 1e-3).tolist() == [0, 0, 1]
    assert agents.softmax(scores, 1e6).tolist() == pytest.approx([1 / 3] * 3, abs=1e-5)
    assert agents.softmax([0.0, -np.inf]).tolist() == [1, 0]
    assert agents.softmax([1e5, 1e5 - 1]).sum() == pytest.approx(1)


def test_softmax_of_a_policy_looks_at_empty_points_only():
    """A huge score on an occupied point would take all the weight, and leave the legal moves zeros."""
    soft = agents.pt_softmax(lambda game: np.array([1000.0, 1, 2, 3]))
    chances = soft(Mock5(1, 4, history=[0]))
    assert chances[0] == 0 and chances[1:].tolist() == pytest.approx(agents.softmax([1, 2, 3]).tolist())


def test_norm_makes_the_largest_one_and_leaves_zeros_alone():
    game = Mock5(1, 4, history=[3])
    assert agents.pt_norm(counting)(game).tolist() == [0, 0.5, 1, 0]
    assert agents.pt_norm(lambda game: np.zeros(4))(game).tolist() == [0, 0, 0, 0]


def test_a_batched_policy_stays_batched_through_its_transformers():
    asked = []

    def net(game):
        raise AssertionError("asked one by one")

    def scores(games):
        asked.append(len(games))
        return np.stack([counting(game) for game in games])

    net.scores = scores
    for policy in (net, agents.pt_softmax(net), agents.pt_norm(net)):
        assert len(agents.agent(policy, seed=0).moves([Mock5(2, 2)] * 5)) == 5
    assert asked == [5, 5, 5]


def test_transformers_name_what_they_transform():
    assert agents.pt_softmax(agents.pt_norm(agents.uniform), 0.5).name == "pt_softmax(pt_norm(uniform),tau=0.5)"
    assert agents.agent(agents.uniform).name == "stochastic(uniform)"


# Comparing ------------------------------------------------------------------------------------------------------


def test_agents_are_compared_with_both_colors(capsys):
    result = agents.test_agents(4, first_free, last_free, 9, 9)
    assert result.wins == (2, 2) and result.draws == 0  # who is black wins
    assert result.win_lengths == (9, 9) and result.draw_length == 0
    shown = capsys.readouterr().out
    assert "4 games" in shown and "1 first_free     2  0.500    9.0" in shown


def test_draws_are_counted_with_their_length(capsys):
    result = agents.test_agents(3, agents.random(0), agents.random(1), 3, 3, verbose=False)
    assert (result.games, result.wins, result.draws, result.draw_length) == (3, (0, 0), 3, 9)
    assert capsys.readouterr().out == ""


def test_a_draw_is_worth_half_to_both_sides():
    stat = agents.Stat()
    assert np.isnan(stat.win_rate())
    for result in (1, 0, 2, 1):
        stat.update_by_result(result)
    other = agents.Stat()
    for result in (1, 0, 2, 1):
        other.update_by_result(result, side=2)
    assert (stat.wins, stat.draws, stat.losses, stat.games) == (2, 1, 1, 4)
    assert stat.win_rate() == 0.625 and other.win_rate() == 0.375


def test_a_count_taken_from_a_later_one_leaves_what_came_between():
    stat = agents.Stat()
    stat.update_by_result(1)
    earlier = stat.dup()
    stat.update_by_result(2)
    stat.update_by_result(0)
    assert stat - earlier == agents.Stat(0, 1, 1) and earlier == agents.Stat(1, 0, 0)
