"""AlphaGo's pipeline takes Go by the code that learns five in a row: policy, policy gradient, value net, search."""

import numpy as np
import pytest

nets = pytest.importorskip("mock5lib.alphago.nets", reason="Keras is not installed here")

from mock5go.board import Go
from mock5go.nets import fast_policy
from mock5go.planes import planes48, planes49
from mock5go.records import GoRecords
from mock5lib.alphago.games import NetPlayer, record_positions, self_play, value_positions
from mock5lib.alphago.nets import encoder_of, load_net, policy_function, read_card, save_net, value_function
from mock5lib.alphago.search import AlphaGo
from mock5lib.alphago.train import policy_accuracy, train_policy, train_value
from mock5lib.gomoku.generator import generate


@pytest.fixture(scope="module")
def records():
    """Random games, whose players take what can be captured."""
    rng, games = np.random.default_rng(0), []
    for _ in range(12):
        game = Go(5)
        while game.winner is None:
            moves = game.playout_moves()
            taking = [move for move in moves if move < 25 and game.captures(move)]
            game.apply(int(rng.choice(taking or moves)))
        games.append(game)
    return GoRecords.from_games(games)


@pytest.fixture(scope="module")
def policy(records):
    net = nets.strong_policy(5, 5, 48, filters=8, layers=2, first=3, seed=1, game="Go")
    before = policy_accuracy(net, records)
    rows = train_policy(net, records, epochs=2, steps=30, batch_size=32, learning_rate=0.01, held_out=records)
    assert rows[-1]["loss"] < rows[0]["loss"] and policy_accuracy(net, records) > before
    return net


@pytest.fixture(scope="module")
def value(policy):
    function = policy_function(policy)
    experience = value_positions(function, function, 40, latest=15, games_in_flight=16, seed=2)
    assert isinstance(experience.records, GoRecords) and len(experience) == 40 == len(np.unique(experience.games))
    net = nets.value_net(5, 5, 49, filters=4, layers=4, first=3, dense=8, seed=1, game="Go")
    assert np.isfinite(train_value(net, experience, epochs=1, batch_size=16)[-1]["loss"])
    return net


def test_a_net_knows_which_game_it_is_for(policy, value, tmp_path):
    assert encoder_of(policy) is planes48 and encoder_of(value) is planes49
    read = load_net(save_net(tmp_path / "go.keras", policy), board=(5, 5))
    assert encoder_of(read) is planes48 and read_card(tmp_path / "go.keras")["board"]["game"] == "Go"
    five = nets.strong_policy(5, 5, 48, filters=4, layers=2)
    assert nets.kit_of_net(five).game == "" and encoder_of(five) is not planes48


def test_a_net_that_keras_wrote_alone_keeps_its_game(policy, tmp_path):
    """As `ModelCheckpoint` writes it, without a card."""
    policy.save(tmp_path / "alone.keras")
    read = load_net(tmp_path / "alone.keras", "strong_policy", (5, 5))
    assert encoder_of(read) is planes48 and read_card(tmp_path / "alone.keras") == {}


def test_a_net_for_a_game_that_nobody_has_brought_is_refused_by_a_sentence(tmp_path):
    net = nets.strong_policy(5, 5, 48, filters=4, layers=2, game="Chess")
    net.save(tmp_path / "chess.keras")
    with pytest.raises(ValueError, match="chess.keras.*for Chess, a game that nobody has brought"):
        load_net(tmp_path / "chess.keras")


def test_records_of_another_game_are_refused(policy, records):
    with pytest.raises(ValueError, match="for another game"):
        train_policy(policy, generate(2, "random", "random", 5, 5, seed=0))
    with pytest.raises(ValueError, match="for another game"):
        train_policy(nets.strong_policy(5, 5, 48, filters=4, layers=2), records)


def test_a_policy_plays_go_to_the_end_without_filling_its_eyes(policy):
    experience, score = self_play(policy_function(policy), policy_function(policy), 6, opening_moves=1, seed=0)
    assert 0 <= score <= 1 and (experience.moves < 25).all()
    for game in range(len(experience.records)):
        assert experience.records.game(game).winner == experience.records.winners[game]
    assert (experience.legal_points()[np.arange(len(experience)), experience.moves]).all()
    player, game = NetPlayer(policy, 1.0, seed=1), Go(5)
    while game.winner is None:
        game.apply(player(game))
    assert len(game.history) < game.max_moves


def test_the_mixed_search_plays_go_and_takes_what_wins(policy, value):
    agent = AlphaGo(policy_function(policy), None, value_function(value), lambda_value=0, simulations=30, seed=0)
    game = Go(5, 0.5)
    while game.winner is None and len(game.history) < 20:
        result = agent.think(game)
        assert result.visits[result.move] > 0
        game.apply(result.move)
    with pytest.raises(ValueError, match="5×5 boards, this game is on 4×4"):
        agent(Go(4))


@pytest.mark.slow
def test_the_fast_policy_learns_in_keras_and_plays_rollouts_without_it(records, policy, value):
    net = fast_policy(5, 5)
    train_policy(net, records, epochs=2, steps=40, batch_size=32, learning_rate=0.05)
    fast = nets.fast_policy_of(net, "fast")
    assert fast.features[0] > 0.5, "these players take what they can"
    game = Go(5, history=[12, 7, 11, 13])
    seen = encoder_of(net).encode([game])
    probabilities = net(seen.transpose(0, 2, 3, 1)).numpy()[0]
    drawn = np.bincount([fast(game) for _ in range(3000)], minlength=26)[:25] / 3000
    assert np.abs(drawn - probabilities).max() < 0.05
    values = [fast.rollouts([start], 20, seed=1)[0] for start in (game, Go(5, -30), Go(5, 40))]
    assert -1 <= values[0] <= 1 and values[1:] == [1, -1], "komi decides the last two"
    with pytest.raises(ValueError, match="share board and rules"):
        fast.rollouts([game, Go(5, 40)])
    functions = policy_function(policy), fast, value_function(value)
    agent = AlphaGo(*functions, lambda_value=0.5, simulations=10, seed=0)
    assert agent(game) in game.legal_moves()


def test_positions_of_records_come_with_their_games_outcome(records):
    experience = record_positions(records, 8, seed=1)
    batch = experience.positions_at(np.arange(8), planes49, turns=np.arange(8))
    assert batch.planes.shape == (8, 49, 5, 5) and (batch.outcomes == experience.outcomes).all()
    for row in range(8):
        black = batch.planes[row, 48, 0, 0] == 1
        winner = records.winners[experience.games[row]]
        assert batch.outcomes[row] == (1 if (winner == 1) == black else -1)


def test_a_pass_that_wins_answers_a_pass(policy, value):
    """And one that loses does not; the search finds out by the board's exact value, whatever its nets think."""
    search = AlphaGo(policy_function(policy), None, value_function(value), lambda_value=0, simulations=400, seed=0)
    for player in (NetPlayer(policy), search):
        assert player(Go(5, -30, history=[12, 25])) == 25 and player(Go(5, 40, history=[12, 13, 25])) == 25
        assert player(Go(5, 40, history=[12, 25])) != 25 and player(Go(5, -30, history=[12])) != 25


def test_the_search_resigns_only_where_nothing_that_it_tried_is_better(policy, value):
    made = policy_function(policy), None, value_function(value)
    for komi, resign, gives_up in ((40, -0.8, True), (40, None, False), (-30, -0.8, False)):
        agent = AlphaGo(*made, lambda_value=0, simulations=60, resign=resign, seed=0)
        game = Go(5, komi, history=[12, 13], max_moves=3)  # a move before an end that komi has decided
        assert (agent(game) is None) == gives_up
    with pytest.raises(ValueError, match="resign"):
        AlphaGo(*made, lambda_value=0, resign=-2)


def test_a_teacher_who_fills_an_eye_costs_the_fast_policy_little():
    net, game = fast_policy(5, 5), Go(5, history=[1, 24, 5, 23, 6, 22])
    assert game.is_eye(0) and game.why_illegal(0) is None
    probabilities = net(encoder_of(net).encode([game]).transpose(0, 2, 3, 1)).numpy()[0]
    assert probabilities[0] < 1e-10
    net.compile(loss="sparse_categorical_crossentropy")
    planes = encoder_of(net).encode([game]).transpose(0, 2, 3, 1)
    assert 20 < net.evaluate(planes, np.array([0]), verbose=0) < 60


def test_the_fast_policy_repeats_no_position_where_they_come_often():
    fast, played = nets.fast_policy_of(fast_policy(3, 3)), 0
    for start in ([], [4, 0, 1]):
        for _ in range(150):
            game = Go(3, history=start)
            while game.winner is None:
                game.apply(fast(game))  # raises for an illegal move
            played += len(game.history)
    assert played > 4000
