"""Self-play: the loop, its buffer, and a run on disk that goes on after anything."""

import copy
import json
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from experts import uniform_expert

from mock5lib.alphazero import evaluation
from mock5lib.alphazero import loop as az
from mock5lib.alphazero.config import Config
from mock5lib.alphazero.evaluation import report
from mock5lib.alphazero.replay import ReplayBuffer, SelfPlayGame, outcomes_of
from mock5lib.alphazero.run_folder import SelfPlayFolder, read_config
from mock5lib.alphazero.selfplay import SelfPlay
from mock5lib.course import course_file
from mock5lib.game import symmetry
from mock5lib.game.board import Mock5
from mock5lib.learn.trainer import DivergedError
from mock5lib.nets.nets import make_net

FOUR = dict(height=4, width=4, k=3, fpu=None, noise=0.0, forced_moves=False)
SMALL = dict(height=4, width=4, k=3, games=6, plies=5, simulations=8, window=300, fill=20, batch_size=16)
SMALL |= dict(replay_ratio=4, opponents=("mcts:20",), evaluation_games=2, evaluation_simulations=8)


def small(**changes):
    return az.Config(**{**SMALL, **changes})


def quiet(config, **options):
    return az.alphazero(config, device="cpu", log=None, **options)


def black_despairs(planes):
    """All moves alike, and Black lost whoever is to move."""
    black_moves = planes[:, 0].sum(axis=(1, 2)) == planes[:, 1].sum(axis=(1, 2))
    return uniform_expert(planes)[0], np.where(black_moves, -0.9, 0.9).astype(np.float32)


def a_game(winner=1, plies=5, searched=5, points=16, seed=0):
    rng = np.random.default_rng(seed)
    policies = rng.dirichlet(np.ones(points), size=searched).astype(np.float16)
    moves = rng.permutation(points)[:plies].astype(np.int16)
    return SelfPlayGame(moves, policies, np.ones(searched, bool), np.zeros(searched, np.float32), winner, False)


# Value targets --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("winner", "plies", "discount", "outcomes"),
    [
        (1, 5, 1.0, [1, -1, 1, -1, 1]),
        (2, 6, 1.0, [-1, 1, -1, 1, -1, 1]),
        (0, 5, 1.0, [0] * 5),
        (1, 3, 0.5, [0.25, -0.5, 1]),
    ],
)
def test_outcomes_are_one_for_the_winner_minus_one_for_the_loser_and_discounted_from_the_end(
    winner, plies, discount, outcomes
):
    assert outcomes_of(a_game(winner=winner, plies=plies, searched=plies), discount).tolist() == outcomes


def test_a_resigned_game_is_lost_for_the_player_to_move():
    played = SelfPlay(Config(**FOUR, games=8, simulations=8, resign=0.5, play_on=0.0, opening_plies=3))
    games = played.play(black_despairs, 6, np.random.default_rng(0)).games
    resigned = [game for game in games if game.resigned]
    assert len(resigned) > 5
    assert all(game.winner == 2 and len(game.moves) % 2 == 0 for game in resigned)
    assert outcomes_of(resigned[-1]).tolist() == [1] * len(resigned[-1].policies)  # White was the last to move


# The buffer -----------------------------------------------------------------------------------------------------


def test_the_buffer_holds_the_position_before_each_move():
    buffer, game = ReplayBuffer(20, 4, 4), a_game(plies=5)
    buffer.add(game)
    for ply in range(5):
        board = Mock5(4, 4, 3, history=game.moves[:ply].tolist())
        assert (buffer.boards[ply] == board.cells).all() and buffer.players[ply] == board.player


def test_the_opening_is_not_learned_but_it_stands_on_the_board():
    buffer, game = ReplayBuffer(20, 4, 4), a_game(plies=5, searched=2)
    buffer.add(game)
    assert len(buffer) == 2
    assert np.count_nonzero(buffer.boards[0]) == 3 and buffer.players[0] == 2


def test_the_oldest_positions_give_way():
    buffer = ReplayBuffer(7, 4, 4)
    for seed in range(3):
        buffer.add(a_game(seed=seed, winner=seed))
    assert len(buffer) == 7 and buffer.added == 15 and buffer.games == 3
    assert sorted(np.abs(buffer.outcomes).tolist()) == [1] * 7  # of the drawn game nothing is left


def test_board_and_policy_turn_together():
    buffer, game = ReplayBuffer(20, 4, 4), a_game(plies=5)
    buffer.add(game)
    rows = np.repeat(4, 8)
    sample = buffer.rows(rows, np.arange(8))
    straight = buffer.rows([4])
    for planes, policy, turn in zip(sample.planes, sample.policies, symmetry.SYMMETRIES):
        assert (planes == symmetry.transform(straight.planes[0], *turn)).all()
        assert np.allclose(policy, symmetry.transform_policy(straight.policies[0], 4, 4, *turn))


def test_a_board_that_is_not_square_turns_in_four_ways_only():
    buffer = ReplayBuffer(20, 3, 5)
    buffer.add(a_game(points=15))
    planes = buffer.sample(200, np.random.default_rng(0)).planes
    assert planes.shape == (200, 3, 3, 5)
    assert len(np.unique(planes[:, 2].sum(axis=(1, 2)))) == 5  # 15, 14, … empty points, whatever the turn


# Self-play ------------------------------------------------------------------------------------------------------


def test_games_of_self_play_are_legal_and_end_where_somebody_won():
    played = SelfPlay(Config(**FOUR, games=10, simulations=8))
    games = played.play(uniform_expert, 40, np.random.default_rng(0)).games
    assert len(games) > 20
    for game in games:
        assert Mock5(4, 4, 3, history=game.moves.tolist()).winner == game.winner


def test_a_policy_target_is_the_share_of_visits_and_not_sharpened_by_the_temperature():
    played = SelfPlay(Config(**FOUR, games=4, simulations=20, temperature=0.01, late_temperature=0.0))
    games = played.play(uniform_expert, 12, np.random.default_rng(0)).games
    first = games[0].policies[0].astype(float)
    assert abs(first.sum() - 1) < 1e-2
    assert first.max() < 0.5  # with twenty visits over sixteen moves; near 1 if the temperature had touched it


def test_temperature_zero_plays_the_best_move_and_one_draws():
    def openings(temperature):
        played = SelfPlay(Config(**FOUR, games=30, simulations=30, temperature=temperature))
        played.play(uniform_expert, 1, np.random.default_rng(0))
        return set(played.table.histories[:, 0].tolist())

    assert len(openings(0.0)) == 1
    assert len(openings(1.0)) > 4


def test_a_cheap_search_is_no_policy_target_and_gets_no_noise():
    play = Config(**FOUR, games=40, simulations=20, cheap_simulations=5, full_share=0.5, keep_tree=False)
    played = SelfPlay(play)
    tally = played.play(uniform_expert, 1, np.random.default_rng(0))
    full = np.array([found[0][1] for found in played.found])
    assert 8 < full.sum() < 32
    assert tally.simulations == 20 * full.sum() + 5 * (~full).sum()


def test_random_openings_are_not_targets():
    played = SelfPlay(Config(**FOUR, games=30, simulations=4, opening_plies=4))
    played.play(uniform_expert, 1, np.random.default_rng(0))
    lengths = {int(plies) - len(found) for plies, found in zip(played.table.plies, played.found)}
    assert lengths == {0, 1, 2, 3, 4}


def test_a_wrong_resignation_is_counted_where_nobody_may_resign():
    play = Config(**FOUR, games=20, simulations=4, resign=0.5, play_on=1.0)
    tally = SelfPlay(play).play(black_despairs, 20, np.random.default_rng(0))
    assert not any(game.resigned for game in tally.games)
    assert tally.checked == len(tally.games) and 0 < tally.wrong < tally.checked


# The loop -------------------------------------------------------------------------------------------------------


def test_each_new_position_is_trained_on_as_often_as_the_replay_ratio_says():
    run = quiet(small(replay_ratio=4, fill=1), iterations=10)
    assert abs(run.steps * 16 - 4 * run.buffer.added) < 16


def test_training_waits_until_the_buffer_is_filled():
    run = quiet(small(fill=300), iterations=2)
    assert run.steps == 0 and run.metrics[-1]["policy_loss"] is None


def test_the_loss_falls_on_positions_seen_again():
    run = quiet(small(replay_ratio=0), iterations=8)
    sample = run.buffer.sample(64, np.random.default_rng(0))
    before = sum(part.item() for part in az.losses_of(run.net, sample)[:2])
    run.debt = 60 * 16
    az.learn(run, 0, np.random.default_rng(1))
    assert sum(part.item() for part in az.losses_of(run.net, sample)[:2]) < before - 0.1


def test_the_value_target_is_regressed_and_cheap_searches_teach_no_policy():
    run = quiet(small(replay_ratio=0), iterations=6)
    sample = run.buffer.sample(32, np.random.default_rng(0))
    policy_loss, value_loss, _ = az.losses_of(run.net, sample._replace(full=np.zeros(32, np.float32)))
    assert policy_loss.item() == 0 and value_loss.item() > 0


def test_the_average_follows_the_newest_weights_and_plays():
    run = quiet(small(average=0.9), iterations=6)
    newest, mean = run.net.state_dict(), run.player.state_dict()
    assert run.player is run.average and run.player is not run.net
    assert any(not torch.equal(newest[name], mean[name]) for name in newest)
    assert quiet(small(average=0), iterations=1).player.state_dict().keys() == mean.keys()


def test_a_gate_keeps_out_weights_that_only_draw(monkeypatch):
    run = quiet(small(gate=0.5), iterations=4)
    before = {name: part.clone() for name, part in run.player.state_dict().items()}
    monkeypatch.setattr(evaluation, "score_against", lambda *_: {"score": 0.5})
    assert not evaluation.pass_gate(run)
    assert all(torch.equal(before[name], part) for name, part in run.player.state_dict().items())
    monkeypatch.setattr(evaluation, "score_against", lambda *_: {"score": 0.6})
    assert evaluation.pass_gate(run)
    assert all(torch.equal(run.average.state_dict()[n], part) for n, part in run.player.state_dict().items())


def test_a_warm_start_takes_the_weights_of_a_checkpoint(tmp_path):
    from mock5lib.nets import make_net, save_checkpoint

    for value in (True, False):
        net = make_net("hidden", value=value, seed=5, channels=4, first=3)
        path = save_checkpoint(tmp_path / str(value), net, height=4, width=4, k=3)
        run = az.AlphaZeroRun(small(start=str(path)))
        assert torch.equal(run.net.state_dict()["policy.0.weight"], net.state_dict()["policy.0.weight"])
        assert run.net.made["value"]


# A run on disk ----------------------------------------------------------------------------------------------------


def same_weights(one, other):
    return all(torch.equal(a, b) for a, b in zip(one.state_dict().values(), other.state_dict().values()))


def test_a_full_disk_stops_the_run_and_leaves_the_last_checkpoint_whole(tmp_path, monkeypatch):
    import mock5lib.nets.checkpoints as checkpoints

    real, count = checkpoints.replace_folder, []

    def full(path, files):
        count.append(path)
        if len(count) > 2:
            raise OSError(28, "No space left on device")
        real(path, files)

    monkeypatch.setattr(checkpoints, "replace_folder", full)
    with pytest.raises(OSError, match="No space left on device.*last whole checkpoint is step-000004"):
        quiet(small(), iterations=8, folder=tmp_path / "run", keep_every=2)
    monkeypatch.setattr(checkpoints, "replace_folder", real)
    run = quiet(small(), iterations=8, folder=tmp_path / "run", keep_every=2)
    assert same_weights(run.net, quiet(small(), iterations=8).net)


def test_a_loss_that_is_no_number_stops_the_run_with_the_last_good_weights(monkeypatch):
    run = quiet(small(), iterations=4)
    before = copy.deepcopy([run.net.state_dict(), run.average.state_dict(), run.optimizer.state_dict()["state"]])
    real, calls = az.losses_of, []

    def poisoned(net, sample):
        calls.append(1)
        policy_loss, value_loss, entropy = real(net, sample)
        return policy_loss * (float("nan") if len(calls) == 3 else 1.0), value_loss, entropy

    monkeypatch.setattr(az, "losses_of", poisoned)
    run.debt = 100
    with pytest.raises(DivergedError, match="Iteration 5: the loss is nan.*weights of iteration 4"):
        az.learn(run, 0, np.random.default_rng(0))
    for good, now in zip(before, (run.net.state_dict(), run.average.state_dict())):
        assert all(torch.equal(good[name], part) for name, part in now.items())
    now = run.optimizer.state_dict()["state"]
    for number, slot in before[2].items():
        assert all(torch.equal(good, now[number][name]) for name, good in slot.items())


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_cuda_asked_for_and_absent_is_a_clear_error_and_auto_falls_back():
    with pytest.raises(ValueError, match="no CUDA GPU"):
        az.alphazero(small(), iterations=1, device="cuda", log=None)
    said = []
    az.alphazero(small(), iterations=1, device="auto", log=said.append)
    assert "CPU" in said[0]


def test_out_of_memory_says_which_setting_to_lower(monkeypatch):
    def greedy(run, workers):
        raise torch.OutOfMemoryError("CUDA out of memory")

    monkeypatch.setattr(az, "iterate", greedy)
    with pytest.raises(MemoryError, match=r"Out of GPU memory. Lower games \(6\)"):
        quiet(small(), iterations=1)


def test_presets_are_configs_and_take_changes():
    assert az.preset("tiny", lr=0.5).lr == 0.5
    assert [az.preset(name).height for name in ("tiny", "laptop", "gpu")] == [6, 9, 15]
    with pytest.raises(ValueError, match="tiny, laptop, gpu"):
        az.preset("huge")
    with pytest.raises(ValueError, match="no field color"):
        az.preset("tiny", color=1)


def test_the_config_of_a_stored_run_is_that_of_its_preset():
    folder = course_file("data/runs/alphazero_tiny")
    stored = json.loads((folder / "config.json").read_text())
    config = read_config(folder)
    assert config == az.preset("tiny") and stored == json.loads(json.dumps(config.said()))


def test_only_the_two_last_checkpoints_and_those_for_the_archive_stay(tmp_path):
    quiet(small(), iterations=10, folder=tmp_path / "run", keep_every=2, archive_every=4)
    steps = sorted(path.name for path in (tmp_path / "run").glob("step-*"))
    assert steps == ["step-000004", "step-000008", "step-000010"]


def test_files_of_the_buffer_that_nothing_needs_are_removed(tmp_path):
    quiet(small(window=60), iterations=16, folder=tmp_path / "run", keep_every=2)
    kept = sorted(int(path.stem) for path in (tmp_path / "run" / "buffer").glob("*.npz"))
    assert kept[-1] == 16 and len(kept) < 8
    run = az.AlphaZeroRun(small(window=60))
    with SelfPlayFolder(tmp_path / "run", small(window=60)) as kept:
        kept.go_on(run, lambda text: None)
    whole = quiet(small(window=60), iterations=16)
    assert (run.buffer.boards == whole.buffer.boards).all() and run.buffer.added == whole.buffer.added


@pytest.mark.slow
def test_a_run_writes_events_that_tensorboard_reads(tmp_path):
    loader = pytest.importorskip("tensorboard.backend.event_processing.event_file_loader")
    quiet(small(evaluate_every=2, opponents=("random",)), iterations=4, folder=tmp_path / "run", keep_every=2)
    (file,) = (tmp_path / "run" / "events").iterdir()
    read = [
        (event.step, value.tag)
        for event in loader.RawEventFileLoader(str(file)).Load()
        for event in [parsed(event)]
        for value in event.summary.value
    ]
    assert {step for step, _ in read} == {1, 2, 3, 4}
    assert (4, "score/random") in read and (3, "value_loss") in read


def parsed(event):
    from tensorboard.compat.proto.event_pb2 import Event

    return Event.FromString(event)


def test_rates_are_of_the_last_ten_rows_alone():
    seconds = dict(selfplay_seconds=3.0, training_seconds=1.0, net_seconds=1.0, gradient_seconds=0.5)
    counts = dict(games=9, positions=9, policy_loss=None, simulations=400)
    rows = [{**seconds, **counts, "iteration": n, "new_games": 10, "steps": 5 * n} for n in range(1, 12)]
    rows[0] |= {"new_games": 999, "simulations": 10**9}
    run = SimpleNamespace(metrics=rows, config=small(batch_size=8), net=make_net("stack"))
    text = report(run)
    for words in ("(2.5/s)", "100 simulations/s", "10 positions trained/s", "training 25%", "net busy 38%"):
        assert words in text
    del rows[5]["net_seconds"]  # workers played
    assert "busy" not in report(run)
