"""The fast policy and its rollouts: the same logits however they are reached, and honest outcomes."""

import numpy as np
import pytest
from games import random_game

from mock5lib import Mock5
from mock5lib.alphago import rollout_policy_compiled as module
from mock5lib.alphago.rollout_policy import FastPolicy

UNIFORM = FastPolicy(np.zeros((3, 3, 3)))


def some_policy(reach=3, scale=0.7, seed=0):
    return FastPolicy(np.random.default_rng(seed).normal(0, scale, (2 * reach + 1, 2 * reach + 1, 3)))


def plain_logits(game, policy):
    """The definition: a sum over all points around each point."""
    reach, logits = policy.reach, np.zeros(len(game.cells))
    for move in range(len(logits)):
        row, col = divmod(move, game.width)
        for d_row in range(-reach, reach + 1):
            for d_col in range(-reach, reach + 1):
                r, c = row + d_row, col + d_col
                inside = 0 <= r < game.height and 0 <= c < game.width
                stone = game[r, c] if inside else 3
                if stone:
                    what = module.OFF if stone == 3 else module.OWN if stone == game.player else module.OTHER
                    logits[move] += policy.weights[reach + d_row, reach + d_col, what]
    return logits


@pytest.mark.parametrize(("height", "width", "reach"), [(9, 9, 5), (5, 8, 2), (3, 3, 4)])
def test_probabilities_are_the_softmax_of_the_plain_sum(height, width, reach):
    policy = some_policy(reach)
    for seed in range(6):
        game = random_game(height, width, 5, False, 3 * seed, seed)
        if 0 in game.board:
            weights = np.exp(plain_logits(game, policy)) * (game.cells == 0)
            assert policy(game) == pytest.approx(weights / weights.sum(), abs=1e-5)


def test_logits_kept_up_to_date_stone_by_stone_are_those_from_scratch():
    policy, game = some_policy(5), Mock5(9, 9)
    field = policy.field(9, 9)
    position = module.new_rollout(game.cells, field)
    for move in np.random.default_rng(1).permutation(81)[:60].tolist():
        module.add_stone(position.logits, field, field.points[move], game.player)
        game.board[move], game.player = game.player, 3 - game.player
        kept = position.logits[game.player - 1][field.points]
        assert kept == pytest.approx(plain_logits(game, policy), abs=1e-4)


def test_a_rollout_draws_its_moves_from_the_policy():
    """One move to go: the mean outcome is the probability of the winning move."""
    policy, game = some_policy(2, 0.5, seed=4), Mock5(5, 5)
    for point, stone in ((0, 1), (1, 1), (2, 1), (3, 1), (10, 2), (12, 2), (17, 2), (24, 2)):
        game.board[point] = stone
    chance, rollouts = policy(game)[4], 20_000
    assert 0.01 < chance < 0.9
    mean = policy.rollouts([game], rollouts, limit=1, seed=0)[0]
    assert mean == pytest.approx(chance, abs=4 * np.sqrt(chance * (1 - chance) / rollouts))


@pytest.mark.parametrize("player", [1, 2])
def test_outcomes_belong_to_the_player_who_moves_before_the_rollout(player):
    """All empty points win for one side, so every rollout ends the same way."""
    game = Mock5(5, 5, board=[player] * 4 + [0] + [3 - player, player, 3 - player, player, 3 - player] * 4)
    game.player = player
    assert UNIFORM.rollouts([game], 10, seed=0)[0] == 1
    game.board[9] = 0  # two empty points; the other side would have to pass to lose
    game.player = 3 - player
    values = UNIFORM.rollouts([game], 4000, seed=0)
    assert values[0] == pytest.approx(-0.5, abs=0.05)


def test_a_game_without_a_winner_is_worth_nothing():
    assert UNIFORM.rollouts([Mock5(4, 4)], 50, seed=0)[0] == 0
    assert some_policy().rollouts([Mock5(9, 9)], 50, limit=8, seed=0)[0] == 0  # nobody can have five stones
    assert some_policy().rollouts([Mock5(9, 9)], 50, limit=0, seed=0)[0] == 0


def test_the_same_seed_gives_the_same_outcomes_and_boards_do_not_change():
    policy, games = some_policy(), [random_game(9, 9, 5, False, n, n) for n in range(12)]
    before = [bytes(game.board) for game in games]
    one, two, other = (policy.rollouts(games, 3, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(one, two) and not np.array_equal(one, other)
    assert [bytes(game.board) for game in games] == before


def test_it_plays_as_an_agent():
    from mock5lib import agents

    player = agents.agent(some_policy(), seed=0)
    game = Mock5(9, 9)
    while game.winner is None:
        game.apply(player(game))


@pytest.mark.parametrize("shape", [(4, 4, 3), (3, 5, 3), (3, 3), (1, 1, 3)])
def test_weights_that_are_no_fast_policy_are_refused(shape):
    with pytest.raises(ValueError, match="shape"):
        FastPolicy(np.zeros(shape))
