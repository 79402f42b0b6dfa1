"""Matches: both colors from each opening, honest intervals, and agents that misbehave lose with the reason kept."""

import multiprocessing

import numpy as np
import pytest
from crooks import crook, first_free, heuristic, last_free, plain, unborn
from hypothesis import given, settings
from hypothesis import strategies as st

from mock5lib import Mock5, agents
from mock5lib.arena import SequentialTest, match
from mock5lib.arena import side_by_side as playing
from mock5lib.arena.elo import PAIR_SCORES, elo_of, expected_score, log_likelihood_ratio
from mock5lib.arena.matches import score_interval
from mock5lib.base import Recipe
from mock5lib.gomoku.heuristics import Heuristic

# Pairs ----------------------------------------------------------------------------------------------------------


def test_each_opening_is_played_with_both_colors():
    result = match(first_free, last_free, 8, game=Mock5(9, 9), openings=3, seed=1)
    assert len(result.openings) == 4 and all(len(moves) == 3 for moves in result.openings)
    assert len({tuple(moves) for moves in result.openings}) == 4
    for number in range(8):
        assert result.records.moves_of(number)[:3].tolist() == result.openings[number // 2]
    # After three moves white is to play: that is agent 2 in games 0, 2, … and agent 1 in the others.
    for number in range(8):
        position = result.records.game(number, plies=3)
        agent = last_free if number % 2 == 0 else first_free
        assert result.records.moves_of(number)[3] == agent(position)


def test_outcomes_count_agents_and_records_count_colors():
    result = match(first_free, last_free, 4, game=lambda: Mock5(9, 9))
    assert result.outcomes == [1, 2, 1, 2] and result.records.winners.tolist() == [1, 1, 1, 1]
    assert (result.wins, result.draws, result.losses, result.score) == (2, 0, 2, 0.5)
    assert result.outcomes[0].reason == "first_free won" and result.outcomes[1].reason == "last_free won"
    assert result.lengths.tolist() == [9] * 4 and result.distinct == 2


def test_a_draw_is_worth_half_to_both_sides():
    result = match(agents.random(0), agents.random(1), 4, game=Mock5(3, 3))
    assert result.draws == 4 and result.score == 0.5 and result.scores.tolist() == [0.5] * 4


def test_the_same_seeds_give_the_same_match():
    def play(seed):
        return match(agents.greedy(1), agents.pt(2), 20, game=Mock5(9, 9), openings=2, seed=seed)

    first, again, other = play(0), play(0), play(1)
    assert first.records == again.records != other.records
    assert first.openings == again.openings != other.openings


def test_the_table_says_it_all():
    text = str(match(first_free, last_free, 4, game=Mock5(9, 9)))
    assert text.splitlines() == [
        "first_free against last_free, 4 games",
        "won 2, drawn 0, lost 2",
        f"score 0.500, 95% interval {score_interval([0.5, 0.5])[0]:.3f} to {score_interval([0.5, 0.5])[1]:.3f}",
        "as black 1.000, as white 0.000; 9.0 moves a game",
    ]


def test_a_match_that_plays_the_same_games_again_says_so():
    same = match(first_free, last_free, 20, game=Mock5(9, 9))
    assert repr(same) == "<MatchResult first_free against last_free: won 10, drawn 0, lost 10>"
    said = "Only 2 of 20 games differ, so the interval is too narrow"
    assert f"\n{said}; openings=4 gives each pair a start of its own." in str(same)
    assert f"\n{said}." in str(match(first_free, last_free, 20, game=Mock5(9, 9), openings=[[40]]))
    assert "differ" not in str(match(first_free, last_free, 20, game=Mock5(9, 9), openings=2))


def test_the_difference_in_elo_is_that_of_the_score_and_of_its_interval():
    result = match(first_free, last_free, 4, game=Mock5(9, 9))
    assert result.elo == (0, *map(elo_of, result.interval))


# Compiled and readable ------------------------------------------------------------------------------------------


def test_compiled_matches_give_each_agent_its_color():
    result = match(agents.greedy(0), agents.random(0), 40, openings=1)
    assert result.wins == 40 and result.records.winners.tolist() == [1, 2] * 20


def test_the_exact_rule_holds_in_compiled_matches_too():
    result = match(agents.greedy(0), agents.mixed(0), 40, game=Mock5(9, 9, exact=True), openings=3)
    assert result.records.exact and result.games == 40


# Openings -------------------------------------------------------------------------------------------------------


def test_a_list_of_openings_is_used_in_turn():
    result = match(first_free, last_free, 6, game=Mock5(9, 9), openings=[[40], [41, 42]])
    assert result.openings == [[40], [41, 42], [40]]


@pytest.mark.parametrize(
    ("openings", "problem"),
    [
        ([[40, 40]], "Opening 1: Row 4, column 4 is occupied"),
        ([[0], [0, 99]], "Opening 2: Move 99 is off the board"),
        ([[0, 9, 1, 10, 2, 11, 3, 12, 4]], "Opening 1 decides the game"),
        ([], "empty"),
        (81, "choose fewer"),
    ],
)
def test_openings_that_cannot_be_played_are_refused(openings, problem):
    with pytest.raises(ValueError, match=problem):
        match(first_free, last_free, 2, game=Mock5(9, 9), openings=openings)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_random_openings_never_decide_the_game(seed):
    result = match(first_free, last_free, 6, game=Mock5(3, 3, k=3), openings=6, seed=seed)
    assert all(Mock5(3, 3, k=3, history=moves).winner is None for moves in result.openings)


@pytest.mark.parametrize("games", [0, 1, 7, -2])
def test_a_match_has_an_even_number_of_games(games):
    with pytest.raises(ValueError, match="games must be between 2 and|even number of games"):
        match(first_free, last_free, games)


# Agents that misbehave ------------------------------------------------------------------------------------------


def test_a_batched_agent_that_fails_on_one_game_loses_that_game_only():
    class Fragile:
        name = "fragile"

        def moves(self, games):
            return [self(game) for game in games]

        def __call__(self, game):
            if game.history and game.history[0] == 40:
                raise ValueError("I never liked the center")
            return first_free(game)

    result = match(Fragile(), last_free, 4, game=Mock5(9, 9), openings=[[40], [41]])
    assert [outcome.reason.startswith("fragile raised") for outcome in result.outcomes] == [True, True, False, False]


def test_a_batched_agent_sees_all_its_games_at_once():
    class Batched:
        name, sizes = "batched", []

        def moves(self, games):
            self.sizes.append(len(games))
            return [first_free(game) for game in games]

    agent = Batched()
    match(agent, last_free, 20, game=Mock5(9, 9))
    assert agent.sizes[:3] == [10, 20, 20] or agent.sizes[:3] == [10, 10, 10]


# The interval ---------------------------------------------------------------------------------------------------


def test_the_interval_holds_the_true_score_as_often_as_it_says():
    rng = np.random.default_rng(0)
    for pairs in (10, 50, 200):
        for chances in ([0.4, 0.2, 0.4], [0.02, 0.03, 0.95], [0.05, 0.9, 0.05], [0.0, 0.01, 0.99]):
            truth = np.dot(chances, [0, 0.5, 1])
            points = rng.choice([0, 0.5, 1], size=(1000, pairs, 2), p=chances).mean(axis=2)
            held = [low <= truth <= high for low, high in map(score_interval, points)]
            assert np.mean(held) > 0.93


def test_the_interval_of_a_clean_sweep_has_a_width():
    low, high = score_interval([1.0] * 100)
    assert 0.96 < low < 0.98 and high == 1


def test_colors_that_cancel_out_narrow_the_interval():
    """When black always wins, every pair is even: the games vary, the pairs do not."""
    narrow, wide = score_interval([0.5] * 100), score_interval([0.0, 1.0] * 50)
    assert narrow[1] - narrow[0] < 0.3 * (wide[1] - wide[0])


# Agents by recipe: workers, limits, processes of their own ---------------------------------------------------------


def test_recipes_give_the_same_games_with_any_number_of_workers():
    def play(workers):
        return match(
            heuristic("greedy"), heuristic("mixed"), 24, game=Mock5(9, 9), openings=2, batch=4, workers=workers, seed=5
        )

    one, two = play(1), play(2)
    assert one.records == two.records and one.outcomes == two.outcomes
    assert one.names == ("greedy", "mixed") and one.distinct > 12


def test_each_batch_has_agents_with_other_random_numbers():
    result = match(heuristic("random"), heuristic("random"), 6, game=Mock5(9, 9), batch=1)
    assert result.distinct == 6


def test_several_workers_need_recipes():
    with pytest.raises(ValueError, match="need agents as recipes"):
        match(agents.greedy(0), heuristic("pt"), 4, workers=2)


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("stalls", "stalls took more than 2 s for a move"),
        ("dies", "dies died (exit code 7)"),
        ("raises", "raises raised RuntimeError: out of ideas"),
        ("strays", "strays played an illegal move: Move -1 is off the board"),
        ("hides", "hides raised "),
    ],
)
@pytest.mark.slow
def test_an_agent_with_a_limit_loses_its_games_only_and_the_match_goes_on(how, reason):
    result = match(crook(how), plain(last_free), 4, game=Mock5(9, 9), openings=[[], [40]], seconds=2)
    assert result.losses == 4 and all(outcome.reason.startswith(reason) for outcome in result.outcomes)
    assert not multiprocessing.active_children()


@pytest.mark.slow
def test_a_worker_that_an_agent_takes_down_is_replaced_and_the_agent_named():
    result = match(crook("dies"), heuristic("greedy"), 2, game=Mock5(9, 9), workers=2)
    assert [outcome.reason for outcome in result.outcomes] == ["dies died (exit code 7)"] * 2
    assert not multiprocessing.active_children()


def test_a_recipe_that_makes_no_agent_loses_with_the_reason():
    result = match(Recipe("unborn", unborn), heuristic("pt"), 2, game=Mock5(9, 9), seconds=5)
    assert [outcome.reason for outcome in result.outcomes] == ["unborn cannot be made: no weights here"] * 2


def test_an_agent_without_a_process_of_its_own_is_judged_by_the_clock(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(playing, "now", lambda: clock[0])

    def slow(game):
        clock[0] += 3.0 if len(game.history) == 4 else 1.0
        return first_free(game)

    result = match(slow, last_free, 2, game=Mock5(9, 9), seconds=2)
    assert result.outcomes[0].reason == "slow took more than 2 s for a move"
    assert result.outcomes[1] == 1 or result.outcomes[1].reason == "last_free won"
    assert match(slow, last_free, 2, game=Mock5(9, 9), seconds=4).forfeits == {}


def test_games_asked_together_have_their_seconds_together(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(playing, "now", lambda: clock[0])

    class Batched:
        name = "batched"

        def moves(self, games):
            clock[0] += 1.0 * len(games)
            return [first_free(game) for game in games]

    assert match(Batched(), last_free, 20, game=Mock5(9, 9), seconds=1.1).forfeits == {}
    assert match(Batched(), last_free, 20, game=Mock5(9, 9), seconds=0.9).losses == 20


# Ending early -------------------------------------------------------------------------------------------------------


def test_a_clear_match_ends_early_and_says_so():
    result = match(
        heuristic("greedy"), heuristic("random"), 400, game=Mock5(9, 9), openings=2, batch=5, stop=SequentialTest(0, 50)
    )
    assert result.verdict == "stronger" and result.games < 100 and result.games % 10 == 0
    assert "ended early: greedy is stronger" in str(result)
    worse = match(
        heuristic("random"), heuristic("greedy"), 400, game=Mock5(9, 9), openings=2, batch=5, stop=SequentialTest(0, 50)
    )
    assert worse.verdict == "not stronger" and worse.games < 100


def test_an_even_match_is_played_to_its_end():
    result = match(plain(first_free), plain(first_free), 20, game=Mock5(9, 9), stop=SequentialTest(-5, 5))
    assert result.games == 20 and result.verdict is None


def test_the_ratio_is_near_the_published_approximation():
    """Van den Bergh (2019): N (s1 − s0) (2 mean − s0 − s1) / (2 variance), for many games and near hypotheses."""
    for counts, elo in (([440, 2910, 5170, 2888, 455], 5), ([142, 620, 1122, 699, 188], 3)):
        shares = np.array(counts) / sum(counts)
        mean = shares @ PAIR_SCORES
        variance = shares @ (PAIR_SCORES - mean) ** 2
        low, high = expected_score(0), expected_score(elo)
        near = sum(counts) * (high - low) * (2 * mean - low - high) / (2 * variance)
        assert log_likelihood_ratio(counts, PAIR_SCORES, low, high) == pytest.approx(near, rel=0.01)
        assert SequentialTest(0, elo).ratio(np.repeat(PAIR_SCORES, counts)) == pytest.approx(near, rel=0.01)


def test_the_sequential_test_errs_as_rarely_as_it_says():
    rng, test = np.random.default_rng(1), SequentialTest(0, 100, alpha=0.05, beta=0.05)
    for elo, wrong in ((0, "stronger"), (100, "not stronger")):
        score, errors, undecided = expected_score(elo), 0, 0
        for _ in range(200):
            pairs = (rng.random((2, 400)) < score).mean(axis=0)
            verdicts = (test.verdict(pairs[:count]) for count in range(10, 401, 10))
            verdict = next((one for one in verdicts if one), None)
            errors, undecided = errors + (verdict == wrong), undecided + (verdict is None)
        assert errors <= 20 and undecided <= 4  # 5 % expected: more than 20 of 200 has a chance below 1 in 300


class Wrapped:
    """A heuristic agent that the match cannot know as one."""

    def __init__(self, name, seed):
        self.agent = Heuristic(name, seed)
        self.name, self.moves = name, self.agent.moves

    def __call__(self, game):
        return self.agent(game)


def test_heuristics_play_alike_compiled_and_move_by_move():
    """Two estimates of one score differ by less than four standard errors; the openings are the same."""
    whole = match(agents.mixed(1), agents.pt(2), 300, game=Mock5(9, 9), openings=2, seed=3)
    single = match(Wrapped("mixed", 1), Wrapped("pt", 2), 300, game=Mock5(9, 9), openings=2, seed=3)
    assert whole.openings == single.openings
    error = np.sqrt(whole.scores.var() / 300 + single.scores.var() / 300)
    assert abs(whole.score - single.score) < 4 * error
    assert abs(whole.lengths.mean() - single.lengths.mean()) < 4 * np.sqrt(2 * whole.lengths.var() / 300)


def test_too_few_answers_are_asked_again_one_by_one():
    class Short:
        name = "short"

        def moves(self, games):
            return []

        def __call__(self, game):
            return first_free(game)

    assert match(Short(), last_free, 2, game=Mock5(9, 9)).wins == 1
