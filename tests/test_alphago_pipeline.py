"""AlphaGo's pipeline at a tiny size: every stage learns, stops and goes on, and says what is wrong with a file."""

import numpy as np
import pytest

keras = pytest.importorskip("keras", reason="chapter 4 needs TensorFlow")
pytest.importorskip("tensorflow")

from mock5lib import Mock5
from mock5lib.alphago.experience import Experience, joined
from mock5lib.alphago.games import NetPlayer, record_positions, self_play, value_positions
from mock5lib.alphago.nets import fast_policy, load_net, policy_function, read_card, save_net, strong_policy, value_net
from mock5lib.alphago.pipeline import COMPARISONS, STAGES, train_alphago
from mock5lib.alphago.planes import planes48, planes49
from mock5lib.alphago.settings import AlphaGoSettings
from mock5lib.alphago.train import (
    gradient_step,
    load_alphago,
    policy_accuracy,
    train_policy,
    train_policy_gradient,
    train_value,
)
from mock5lib.base.files import Lock
from mock5lib.game.records import Records
from mock5lib.game.symmetry import SYMMETRIES
from mock5lib.gomoku.generator import generate

RECORDS = generate(60, "mixed", "mixed", 7, 7, randomness=0.1, seed=1)


def tiny_policy(seed=0, size=7):
    return strong_policy(size, size, filters=8, layers=3, first=3, seed=seed)


def tiny_value(seed=0, size=7):
    return value_net(size, size, filters=8, layers=5, first=3, dense=16, seed=seed)


def same_weights(one, other):
    return all(np.array_equal(a, b) for a, b in zip(one.get_weights(), other.get_weights()))


# Players


def test_a_net_plays_its_most_probable_legal_move_or_draws_one():
    net, game = tiny_policy(), Mock5(7, 7, history=[24, 25, 17])
    probabilities = np.exp(policy_function(net)(planes48.encode([game])))[0] * (game.cells == 0)
    assert NetPlayer(net)(game) == probabilities.argmax()
    drawn = NetPlayer(net, temperature=1.0, seed=0).moves([game] * 400)
    assert len(set(drawn)) > 5 and not set(drawn) & {24, 25, 17}
    assert drawn == NetPlayer(net, temperature=1.0, seed=0).moves([game] * 400)


# Policies from records


def test_a_policy_learns_from_records():
    train, held_out = RECORDS.split(0.2)
    net = tiny_policy()
    before = policy_accuracy(net, held_out)
    history = train_policy(net, train, epochs=2, steps=40, batch_size=64, learning_rate=3e-3, held_out=held_out)
    assert [row["epoch"] for row in history] == [1, 2]
    assert history[1]["val_loss"] < history[0]["loss"]
    assert policy_accuracy(net, held_out) > before + 0.05
    quick = fast_policy(7, 7, 3, seed=0)
    train_policy(quick, train, epochs=1, steps=40, batch_size=64, learning_rate=1e-2)
    assert policy_accuracy(quick, held_out) > 1.5 / 49


def test_a_fast_policy_plays_by_itself_on_its_board_though_its_planes_are_wider():
    player = NetPlayer(fast_policy(5, 5, 2, seed=1))
    assert player.refuses(Mock5(5, 5)) == "" and player(Mock5(5, 5)) in range(25)
    assert player.refuses(Mock5(9, 9)) == "is a net for 5×5 boards, not for 9×9"


def test_records_of_another_board_are_refused():
    with pytest.raises(ValueError, match="9×9 boards, the records are on 7×7"):
        train_policy(tiny_policy(size=9), RECORDS)


# Self-play and the policy gradient


def test_self_play_notes_the_learners_moves_and_who_won():
    learner, opponent = (policy_function(tiny_policy(seed)) for seed in (0, 1))
    experience, score = self_play(learner, opponent, 12, opening_moves=2, seed=0)
    assert (experience.plies >= 2).all() and (experience.plies % 2 == experience.games % 2).all()  # black in 0, 2, 4 …
    assert experience.legal_points()[np.arange(len(experience)), experience.moves].all()
    outcomes = {}
    for game, outcome in zip(experience.games.tolist(), experience.outcomes.tolist()):
        outcomes.setdefault(game, set()).add(outcome)
    assert all(len(found) == 1 for found in outcomes.values()) and len(outcomes) == 12
    assert score == pytest.approx(np.mean([(1 + found.copy().pop()) / 2 for found in outcomes.values()]))


def test_a_step_of_policy_gradient_follows_the_formula():
    """−mean(z · log π) over the legal moves, by plain differences of one weight."""
    net, game = tiny_policy(), Mock5(7, 7, history=[24])
    planes, legal = planes48.encode([game] * 2), np.tile(game.cells == 0, (2, 1))
    moves, advantages = np.array([3, 40], np.int16), np.array([0.5, -1], "f")

    def loss_of():
        scores = np.where(legal, policy_function(net)(planes).astype(np.float64), -np.inf)
        log_policy = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
        return -np.mean(advantages * log_policy[[0, 1], moves])

    kernel = net.layers[2].kernel  # the scores are linear in it
    net.compile(keras.optimizers.SGD(1.0))
    start, change, slopes = kernel.numpy().copy(), 1e-2, []
    for n in range(start.size):
        values = []
        for sign in (1, -1):
            kernel.assign(start + sign * change * np.eye(start.size)[n].reshape(start.shape))
            values.append(loss_of())
        slopes.append((values[0] - values[1]) / (2 * change))
    kernel.assign(start)
    _, entropy = gradient_step(net)(planes.transpose(0, 2, 3, 1), moves, advantages, legal)
    assert 0 < entropy <= np.log(48) + 1e-5
    assert (start - kernel.numpy()).reshape(-1) == pytest.approx(slopes, abs=2e-3) and np.abs(slopes).max() > 1e-2


def test_the_pool_grows_and_the_frozen_opponent_stays():
    log = train_policy_gradient(tiny_policy(), iterations=5, games=4, add_every=2, seed=0)
    assert [row["iteration"] for row in log] == [1, 2, 3, 4, 5]
    assert all(row["opponent"] in {0, 2, 4} and row["opponent"] < row["iteration"] for row in log)
    assert any(row["opponent"] for row in log)
    frozen = train_policy_gradient(tiny_policy(), iterations=3, games=4, add_every=1, opponents="frozen", seed=0)
    assert {row["opponent"] for row in frozen} == {0}


def test_bad_settings_of_the_policy_gradient_are_refused():
    with pytest.raises(ValueError, match="one of pool, frozen"):
        train_policy_gradient(tiny_policy(), iterations=1, opponents="self")


# The value net


@pytest.fixture(scope="module")
def policies():
    return policy_function(tiny_policy(0)), policy_function(tiny_policy(1))


def test_value_data_has_one_position_a_game_after_a_random_move(policies):
    experience = value_positions(*policies, 30, latest=12, games_in_flight=16, seed=0)
    assert len(experience) == 30 == len(np.unique(experience.games))
    assert experience.plies.min() >= 1 and experience.plies.max() <= 12 and len(np.unique(experience.plies)) > 4


def test_the_value_net_learns_who_wins(policies):
    experience = value_positions(*policies, 60, latest=12, seed=0)
    train, held_out = experience.split(0.2)
    assert not set(train.games) & set(held_out.games)
    history = train_value(tiny_value(), train, epochs=4, batch_size=16, held_out=held_out, learning_rate=3e-3)
    assert history[-1]["loss"] < history[0]["loss"] and "val_loss" in history[0]
    with pytest.raises(ValueError, match="9×9 boards, the records are on 7×7"):
        train_value(tiny_value(size=9), train)


# Experience files


def some_experience():
    return Experience(RECORDS.select(np.arange(6)), RECORDS.offsets[:6] + 10)


def test_experience_comes_back_from_its_file(tmp_path):
    experience = some_experience()
    path = experience.save(tmp_path / "new" / "experience.npz")
    again = Experience.load(path)
    assert again.records == experience.records and again.records.card == experience.records.card
    assert np.array_equal(again.where, experience.where)
    assert [file.name for file in path.parent.iterdir()] == ["experience.npz"]
    assert Records.load(path) == experience.records  # who wants only the games has them


def test_experience_files_missing_cut_short_or_foreign_are_named_and_stay(tmp_path):
    with pytest.raises(FileNotFoundError, match="no.npz"):
        Experience.load(tmp_path / "no.npz")
    data = some_experience().save(tmp_path / "good.npz").read_bytes()
    for number, wrong in enumerate((data[: len(data) // 2], b"", b"no experience")):
        (tmp_path / f"bad{number}.npz").write_bytes(wrong)
        with pytest.raises(ValueError, match=f"bad{number}.npz"):
            Experience.load(tmp_path / f"bad{number}.npz")
    with pytest.raises(ValueError, match="bad2.npz: is there already.*not overwritten"):
        some_experience().save(tmp_path / "bad2.npz")
    RECORDS.save(tmp_path / "games.npz")
    with pytest.raises(ValueError, match="games.npz: holds no experience"):
        Experience.load(tmp_path / "games.npz")
    beyond = Experience(RECORDS, np.array([0]))
    beyond.where = np.array([RECORDS.positions])
    with pytest.raises(ValueError, match="beyond.npz: .*no place in the moves"):
        Experience.load(beyond.save(tmp_path / "beyond.npz"))


def test_turned_experience_is_the_experience_of_turned_games():
    experience = some_experience()
    games = [RECORDS.game(n, 10) for n in range(6)]
    for number, (angle, flip) in enumerate(SYMMETRIES):
        batch = experience.positions_at(np.arange(6), planes49, np.full(6, number))
        turned = [game.replay(angle, flip) for game in games]
        assert np.array_equal(batch.planes, planes49.encode(turned))
        for n, move in enumerate(batch.moves):
            assert RECORDS.game(n, 11).replay(angle, flip).history[-1] == move


def test_experience_is_put_together_split_by_game_and_given_in_batches():
    experience = joined([some_experience(), some_experience()])
    assert len(experience) == 12 == len(np.unique(experience.games))
    one, two = experience.split(0.3, seed=0)
    assert len(one) + len(two) == 12 and not set(one.games) & set(two.games)
    batches = list(experience.batches(5, encoder=planes48, seed=0))
    assert [len(batch.moves) for batch in batches] == [5, 5, 2]
    for wrong in (0, 1):
        with pytest.raises(ValueError, match="between 0 and 1"):
            experience.split(wrong)


# The three from their files, and all stages


TINY = AlphaGoSettings(
    filters=4,
    layers=3,
    dense=8,
    reach=2,
    batch_size=16,
    fast_steps=3,
    strong_steps=3,
    iterations=2,
    games=4,
    value_positions=20,
    value_epochs=1,
)


@pytest.mark.slow
def test_all_stages_make_an_agent_and_a_second_run_only_reads(tmp_path):
    said = []
    train_alphago(tmp_path, RECORDS, TINY, say=said.append)
    names = {path.name for path in tmp_path.iterdir()}
    assert {"fast.keras", "strong.keras", "reinforced.keras", "positions.npz", "value.keras"} <= names
    assert read_card(tmp_path / "value.keras")["training"]["history"][0]["epoch"] == 1
    assert not same_weights(load_net(tmp_path / "strong.keras"), load_net(tmp_path / "reinforced.keras"))
    before = (tmp_path / "value.keras").stat().st_mtime_ns
    train_alphago(tmp_path, RECORDS, TINY, say=said.append)
    assert (tmp_path / "value.keras").stat().st_mtime_ns == before
    assert sum("is there already" in line for line in said) == len(STAGES)
    agent = load_alphago(tmp_path, simulations=12, seed=0)
    game = Mock5(7, 7)
    for _ in range(4):
        game.apply(agent(game))
    with pytest.raises(ValueError, match="7×7"):
        agent(Mock5(9, 9))


def test_two_processes_never_train_into_one_folder(tmp_path):
    with Lock(tmp_path), pytest.raises(BlockingIOError, match="is writing there"):
        train_alphago(tmp_path, RECORDS, TINY, stages=("fast",), say=lambda line: None)
    assert [path.name for path in tmp_path.iterdir()] == [".lock"]


def test_a_damaged_file_of_a_stage_stops_the_training_and_stays(tmp_path):
    (tmp_path / "fast.keras").write_text("milk, eggs")
    with pytest.raises(ValueError, match="fast.keras: not a .keras file"):
        train_alphago(tmp_path, RECORDS, TINY, stages=("fast",), say=lambda line: None)
    assert (tmp_path / "fast.keras").read_text() == "milk, eggs"


@pytest.mark.slow
def test_the_comparisons_play_a_frozen_self_and_choose_positions_in_two_ways(tmp_path):
    train_alphago(tmp_path, RECORDS, TINY, stages=("strong", *COMPARISONS), say=lambda line: None)
    opponents = [row["opponent"] for row in read_card(tmp_path / "frozen.keras")["training"]["history"]]
    assert opponents == [0, 0]
    for name in COMPARISONS[1:]:
        assert load_net(tmp_path / f"{name}.keras").name == "value_net"
        assert 0 <= read_card(tmp_path / f"{name}.keras")["score"]["saying_the_mean"] <= 1


def test_positions_of_records_are_one_of_each_game_or_all_of_few():
    each = record_positions(RECORDS, 40, seed=0)
    assert len(each) == 40 == len(np.unique(each.games))
    all_of_few = record_positions(RECORDS, 100, one_per_game=False, seed=0)
    assert len(all_of_few) == 100 and len(np.unique(all_of_few.games)) < 12
    for experience in (each, all_of_few):
        shown = experience.positions_at(slice(None), planes49)
        for n in range(0, len(experience), 9):
            game = RECORDS.game(experience.games[n], experience.plies[n])
            assert np.array_equal(shown.planes[n], planes49.encode([game])[0])
            assert experience.legal_points()[n].tolist() == (game.cells == 0).tolist()
            assert experience.moves[n] == RECORDS.moves_of(experience.games[n])[len(game.history)]
            winner = RECORDS.winners[experience.games[n]]
            outcome = 0 if winner == 0 else 1 if winner == game.player else -1
            assert experience.outcomes[n] == shown.outcomes[n] == outcome
    with pytest.raises(ValueError, match="hold 60 games, asked for 61"):
        record_positions(RECORDS, 61)


def test_a_value_net_that_died_is_noticed():
    net, experience = tiny_value(), record_positions(RECORDS, 40)
    net.layers[-1].kernel.assign(net.layers[-1].kernel * 0)
    net.layers[-1].trainable = False
    with pytest.warns(UserWarning, match="same to every position"):
        train_value(net, experience, epochs=1)


def test_priors_come_from_the_records_policy_and_rollouts_from_the_fast_one(tmp_path):
    quick, strong, reinforced = fast_policy(7, 7, 2, seed=0), tiny_policy(1), tiny_policy(2)
    for name, net in {"fast": quick, "strong": strong, "reinforced": reinforced, "value": tiny_value()}.items():
        save_net(tmp_path / f"{name}.keras", net)
    evaluator, game = load_alphago(tmp_path).evaluator, Mock5(7, 7, history=[24])
    planes = planes48.encode([game])
    assert np.array_equal(evaluator.policy(planes), policy_function(strong)(planes))
    assert np.array_equal(evaluator.fast_policy.weights, quick.layers[0].kernel.numpy()[:, :, :, 0])
    without = load_alphago(tmp_path, value=None, lambda_value=1).evaluator
    assert without.value is None
    with pytest.raises(ValueError, match="λ = 0.5 needs a value net"):
        load_alphago(tmp_path, value=None)


def test_stages_unknown_or_before_their_time_are_refused(tmp_path):
    with pytest.raises(ValueError, match="Stages are fast, strong.*got 'slow'"):
        train_alphago(tmp_path, RECORDS, TINY, stages=("fast", "slow"))
    with pytest.raises(ValueError, match="got 'none'"):
        train_alphago(tmp_path, RECORDS, TINY, stages=())
    with pytest.raises(FileNotFoundError, match="strong.keras.*run stage 'strong' first"):
        train_alphago(tmp_path, RECORDS, TINY, stages=("reinforced",), say=lambda line: None)
    save_net(tmp_path / "fast.keras", fast_policy(9, 9, 2))
    with pytest.raises(ValueError, match="fast.keras: expected a fast policy for a 7×7 board"):
        train_alphago(tmp_path, RECORDS, TINY, stages=("fast",))


def test_an_agent_of_files_that_do_not_fit_names_the_file(tmp_path):
    save_net(tmp_path / "strong.keras", tiny_policy())
    with pytest.raises(FileNotFoundError, match="fast.keras"):
        load_alphago(tmp_path)
    save_net(tmp_path / "fast.keras", fast_policy(7, 7, 2))
    save_net(tmp_path / "value.keras", tiny_value(size=9))
    with pytest.raises(ValueError, match="value.keras: expected a value net for a 7×7 board, this one is for 9×9"):
        load_alphago(tmp_path)
    save_net(tmp_path / "value.keras", tiny_policy())
    with pytest.raises(ValueError, match="value.keras: expected a value net"):
        load_alphago(tmp_path)
