"""Ratings: a published worked example, players of known strength, and what must hold for any games."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mock5lib.arena.elo import SCALE, elo_of, expected_score, ratings

# American League 1987, home team by row: Agresti, Categorical Data Analysis (2nd ed. 2002), section 10.6.
TEAMS = ("Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore")
SEASON = """-   4-3 4-2 4-3 6-1 4-2 6-0
            3-3 -   4-2 4-3 6-0 6-1 4-3
            2-5 4-3 -   2-4 4-3 4-2 6-0
            3-3 5-1 2-5 -   4-3 4-2 6-1
            5-1 2-5 3-3 4-2 -   5-2 6-0
            2-5 3-3 3-4 4-3 4-2 -   2-4
            2-5 1-5 1-6 2-4 1-6 3-4 -"""


def season():
    """(home, away, wins of the home team, games)."""
    for home, row in zip(TEAMS, SEASON.splitlines()):
        for away, cell in zip(TEAMS, row.split()):
            if cell != "-":
                wins, losses = map(int, cell.split("-"))
                yield home, away, wins, wins + losses


def played(strengths, advantage, games, seed):
    """Games of all against all with both colors, players named by their Elo."""
    rng = np.random.default_rng(seed)
    for first in strengths:
        for second in strengths:
            if first != second:
                yield str(first), str(second), rng.binomial(games, expected_score(first - second + advantage)), games


# A published example -----------------------------------------------------------------------------------------------


def test_the_season_of_1987_is_rated_as_published():
    """Agresti 2002, table 10.11, to the four digits that the vignette of R's package BradleyTerry2 prints."""
    result = ratings(season(), "Baltimore", prior=0, first_move=False)
    assert result.names == list(TEAMS)
    assert (result.elo / SCALE).round(4).tolist() == [1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0]


def test_the_season_with_the_advantage_of_playing_at_home_is_rated_as_published():
    result = ratings(season(), "Baltimore", prior=0)
    assert result.names == list(TEAMS)
    assert (result.elo / SCALE).round(4).tolist() == [1.6196, 1.4754, 1.3271, 1.2813, 1.1438, 0.7047, 0]
    assert round(result.first_move[0] / SCALE, 4) == 0.3023
    # Its published standard error, 0.1309, makes an interval of much the same width as the likelihood's profile.
    assert np.diff(result.first_move[1:])[0] / SCALE == pytest.approx(2 * 1.96 * 0.1309, rel=0.02)


# Players of known strength -----------------------------------------------------------------------------------------


def test_known_strengths_come_out():
    strengths = [0, 80, 200, 350, 600]
    result = ratings(played(strengths, 40, 20_000, seed=0), "0")
    assert result.names == ["600", "350", "200", "80", "0"]
    assert [result[str(elo)] for elo in strengths] == pytest.approx(strengths, abs=6)
    assert result.first_move[0] == pytest.approx(40, abs=3)


@pytest.mark.slow
def test_intervals_hold_the_truth_as_often_as_they_say():
    strengths, advantage = np.array([0, 100, 200, 300]), 30
    held, held_advantage = [], []
    for seed in range(150):
        result = ratings(played(strengths, advantage, 20, seed), "0")
        weights = dict(zip(result.model.names, result.model.weights))
        true_mean = sum(weights[str(elo)] * elo for elo in strengths)
        mean = sum(weights[name] * result[name] for name in weights)
        for elo in strengths:
            low, high = result.interval(str(elo))
            held.append(low <= elo - true_mean + mean <= high)
        held_advantage.append(result.first_move[1] <= advantage <= result.first_move[2])
    assert 0.93 < np.mean(held) < 0.97 and np.mean(held_advantage) > 0.9


# Games from one opening go the same way -----------------------------------------------------------------------------

LEVEL, SPREAD, WEAK = [-1.35, -0.9, -0.4, 0, 0.5, 1], [-0.9, -0.5, -0.2, 0, 0.4, 0.8], [0, 0, 0.5, 0.6, -5.5, -6.5]
WORLDS = {  # log-odds of six players; half-width of a draw, effects of an opening on a color and on a player; shared?
    "many draws, shared openings": (LEVEL, 2.4, 1.05, 0.4, True),
    "many draws, own openings": (LEVEL, 2.4, 1.05, 0.4, False),
    "no draws, shared openings": (SPREAD, 0, 0, 0, True),
    "few draws, strong openings": (SPREAD, 0.05, 0.5, 0.35, True),
    "two who lose nearly all": (WEAK, 1.6, 1.05, 0.4, True),
}


def meetings(world, pairs, rng):
    """(games, openings): all six meet all for so many pairs, each opening with both colors."""
    strengths, draw, by_color, by_player, shared = world
    games, labels, luck = [], [], None
    for one, other in combinations(range(len(strengths)), 2):
        if luck is None or not shared:
            luck = rng.normal(size=pairs) * by_color, rng.normal(size=(len(strengths), pairs)) * by_player
        color, taste = luck
        better = strengths[one] - strengths[other] + taste[one] - taste[other]
        for first, second, side in ((one, other, 1), (other, one, -1)):
            odds = side * better + 0.65 + color + rng.logistic(size=pairs)
            scores = np.where(odds > draw, 1.0, np.where(odds < -draw, 0.0, 0.5))
            games += [("abcdef"[first], "abcdef"[second], float(score)) for score in scores]
            labels += [(0 if shared else (one, other), opening) for opening in range(pairs)]
    return games, labels


@pytest.mark.slow
@pytest.mark.parametrize("world", WORLDS)
def test_intervals_hold_the_truth_where_games_share_their_openings(world):
    """Ratings, a difference and the first move, in 200 round robins of 20 pairs each."""
    rng, held, held_alone = np.random.default_rng(7), [], []
    endless = WORLDS[world][:-1] + (False,)
    truth = ratings(meetings(endless, 40_000, rng)[0], prior=0).model.best * SCALE
    for _ in range(200):
        games, labels = meetings(WORLDS[world], 20, rng)
        model = ratings(games, openings=labels).model
        contrasts = [model.against_mean(name) for name in model.names]
        for contrast in (*contrasts, model.contrast(["d"], ["c"]), np.eye(7)[-1]):
            _, low, high = model.estimate(contrast)
            held.append(low <= contrast @ truth <= high)
        model.scatter = None
        _, low, high = model.estimate(np.eye(7)[-1])
        held_alone.append(low <= np.eye(7)[-1] @ truth <= high)
    assert np.mean(held) > 0.93
    if world == "many draws, shared openings":
        assert np.mean(held_alone) < 0.92


def test_intervals_agree_with_openings_drawn_anew():
    """Chapter 7's interval: ± 1.96 standard deviations of ratings from whole openings drawn with replacement."""
    rng = np.random.default_rng(3)
    games, labels = meetings(WORLDS["many draws, shared openings"], 100, rng)
    result = ratings(games, "a", openings=labels, prior=0)
    of_opening = [[game for game, (_, label) in zip(games, labels) if label == opening] for opening in range(100)]
    found = []
    for _ in range(150):
        drawn = ratings([game for opening in rng.integers(100, size=100) for game in of_opening[opening]], "a", prior=0)
        found.append([drawn["f"] - drawn["a"], drawn["d"] - drawn["c"], drawn.first_move[0]])
    ours = result.difference("f", "a"), result.difference("d", "c"), result.first_move
    for (_, low, high), scattered in zip(ours, np.std(found, axis=0)):
        assert (high - low) / 2 == pytest.approx(1.96 * scattered, rel=0.2)


def test_with_few_openings_an_interval_is_flagged_and_with_one_it_is_that_of_independent_games():
    rng = np.random.default_rng(0)
    for openings, flagged in ((1, True), (3, True), (6, False)):
        games, labels = meetings(WORLDS["many draws, shared openings"], openings, rng)
        result = ratings(games, openings=labels)
        assert (result.rough == result.names) == flagged == ("Fewer than four openings tell of" in str(result))
        if openings == 1:
            assert result.low == pytest.approx(ratings(games).low)
    with pytest.raises(ValueError, match="openings are one for each single game, got 1 for 2 games"):
        ratings([("a", "b", 1), ("b", "a", 1)], openings=[0])
    with pytest.raises(ValueError, match="openings are one for each single game"):
        ratings([("a", "b", 3, 4)], openings=[0])


def test_a_player_that_lost_everything_does_not_blur_the_others():
    """Their intervals stay as they were without it, though its own has no lower end to speak of."""
    games = list(played([0, 60, 120], 0, 50, 1))
    alone = ratings(games, "0")
    crushed = ratings([*games, *(("lamb", name, 0, 50) for name in ("0", "60", "120"))], "0")
    for name in ("0", "60", "120"):
        assert np.diff(crushed.interval(name)) == pytest.approx(np.diff(alone.interval(name)), rel=0.1)
    assert np.diff(crushed.interval("lamb")) > 5 * np.diff(alone.interval("0"))


# What holds for any games ------------------------------------------------------------------------------------------


def test_a_difference_has_its_own_interval_and_lists_stand_for_their_mean():
    result = ratings(played([0, 100, 200, 300], 30, 60, seed=5), anchor="0")
    middle, low, high = result.difference("200", "100")
    assert middle == pytest.approx(result["200"] - result["100"]) and low < middle < high
    assert result.difference("100", "200") == pytest.approx((-middle, -high, -low), abs=1e-3)
    mean, *ends = result.difference(["100", "300"], ["0", "200"])
    assert mean == pytest.approx((result["100"] + result["300"] - result["0"] - result["200"]) / 2)
    assert ends[1] - ends[0] < high - low  # four players' games tell more than two players'
    assert result.anchor == "0"
    with pytest.raises(ValueError, match="'x' is not in list"):
        result.difference("200", "x")


def test_a_draw_counts_half():
    drawn = ratings([("a", "b", 0.5)] * 4 + [("b", "a", 0), ("a", "b", 1)], prior=0)
    split = ratings([("a", "b", 1)] * 2 + [("a", "b", 0)] * 2 + [("b", "a", 0), ("a", "b", 1)], prior=0.0)
    assert drawn.elo == pytest.approx(split.elo) and drawn.scores.tolist() == split.scores.tolist()


games_of_four = st.lists(
    st.tuples(st.sampled_from("abcd"), st.sampled_from("abcd"), st.sampled_from([0, 0.5, 1])).filter(
        lambda game: game[0] != game[1]
    ),
    min_size=1,
    max_size=40,
)


@settings(max_examples=40)
@given(games_of_four)
def test_the_likelihood_is_highest_where_scores_equal_expectations(games):
    """The first-order condition: with the imaginary draws counted, everybody scores what its rating expects."""
    names = {name for game in games for name in game[:2]}
    reachable, edges = {games[0][0]}, [set(game[:2]) for game in games]
    for _ in names:
        reachable |= {name for edge in edges if edge & reachable for name in edge}
    if reachable != names:
        with pytest.raises(ValueError, match="never met"):
            ratings(games)
        return
    result = ratings(games)
    model = result.model
    residual = model.design.T @ (model.scores - model.counts / (1 + np.exp(-model.design @ model.best)))
    assert np.abs(residual).max() < 1e-6
    assert (result.low <= result.elo).all() and (result.elo <= result.high).all()
    assert result.elo.min() == 0 and (np.diff(result.elo) <= 1e-9).all()
    assert result.games.sum() == 2 * len(games) and result.scores.sum() == len(games)


def test_the_order_of_games_and_the_anchor_change_no_difference():
    games = list(season())
    one, other = ratings(games, "Baltimore"), ratings(games[::-1], "Toronto")
    assert other["Toronto"] == 0
    for name in TEAMS:
        assert one[name] - one["Toronto"] == pytest.approx(other[name], abs=1e-5)
        assert np.diff(one.interval(name)) == pytest.approx(np.diff(other.interval(name)), abs=1e-3)


def test_who_lost_all_games_gets_a_finite_rating_with_a_prior_and_a_clear_error_without():
    games = [("a", "b", 20, 20), ("b", "c", 10, 20), ("c", "b", 10, 20)]
    result = ratings(games, "b")
    assert 300 < result["a"] < 900 and np.isfinite(result.elo).all() and result.interval("a")[1] > result["a"] + 200
    with pytest.raises(ValueError, match="no finite ratings.*a prior above 0"):
        ratings(games, "b", prior=0)


@pytest.mark.parametrize(
    ("games", "options", "problem"),
    [
        ([], {}, "no games"),
        ([("a", "a", 1)], {}, "against itself"),
        ([("a", "b", 2)], {}, "a score of 2 in 1 game"),
        ([("a", "b", -1, 4)], {}, "not possible"),
        ([("a", "b", float("nan"))], {}, "not possible"),
        ([("a", "b", 1)], {"anchor": "c"}, "anchor 'c'"),
        ([("a", "b", 1), ("c", "d", 1)], {}, "never met"),
    ],
)
def test_games_that_cannot_be_rated_are_refused(games, options, problem):
    with pytest.raises(ValueError, match=problem):
        ratings(games, **options)


def test_an_unknown_player_is_named():
    with pytest.raises(ValueError, match="no player 'z'"):
        ratings([("a", "b", 1)])["z"]


def test_the_table_has_a_line_a_player():
    text = str(ratings(season(), "Baltimore"))
    assert text.splitlines()[1].startswith("Milwaukee") and len(text.splitlines()) == 8


# Small formulas ----------------------------------------------------------------------------------------------------


def test_score_and_elo_are_inverse():
    assert elo_of(0.5) == 0 and elo_of(10 / 11) == pytest.approx(400) and elo_of(1) == float("inf")
    assert expected_score(-400) == pytest.approx(1 / 11) and expected_score(elo_of(0.3)) == pytest.approx(0.3)


def test_superiority_is_right_as_often_as_it_says():
    rng, said, right = np.random.default_rng(2), [], []
    for seed in range(150):
        one, two = np.sort(rng.normal(0, 60, 2))
        result = ratings(played([one, two], 0, 30, seed), prior=0.1)
        chance = result.superiority(str(one), str(two))
        said.append(max(chance, 1 - chance))
        right.append((chance > 0.5) == (one > two))
    assert np.mean(right) == pytest.approx(np.mean(said), abs=0.06)


@pytest.mark.slow
def test_the_interval_of_a_difference_holds_the_truth_as_often_as_it_says():
    held = 0
    for seed in range(200):
        _, low, high = ratings(played([0, 100, 250], 0, 30, seed), anchor="0").difference("250", "100")
        held += low <= 150 <= high
    assert 180 <= held <= 199
