"""Learning from records: the loop, what it measures, and the ceiling that the heuristics' lots set."""

import math

import numpy as np
import pytest
import torch
from experts import weights_of

from mock5lib import agents
from mock5lib.game.records import Records
from mock5lib.gomoku import prediction_ceiling
from mock5lib.gomoku.generator import generate
from mock5lib.learn.supervised import calibration_of, evaluate, rate_at, train
from mock5lib.learn.trainer import DivergedError
from mock5lib.nets.nets import make_net


@pytest.fixture(scope="module")
def records():
    return generate(60, "mixed", "mixed", 9, 9, randomness=0.2, seed=1, workers=1)


def tiny(seed=0, **kind):
    return make_net("stack", channels=8, layers=2, seed=seed, **kind)


def fit(net, records, held_out=None, **options):
    return train(net, records, held_out, progress=False, **({"steps": 30, "batch_size": 16, "lr": 0.01} | options))


# Training


def test_training_lowers_the_loss_on_games_held_out(records):
    learn_from, held_out = records.split(0.3, 0)
    net = make_net("patterns", seed=0)
    before = evaluate(net, held_out)
    run = fit(net, learn_from, held_out, steps=150, batch_size=32, lr=0.02)
    assert run.best.log_loss < before.log_loss - 1 and run.best.top1 > before.top1 + 0.2
    assert len(run.losses) == 150


def test_equal_seeds_train_equal_nets_and_other_seeds_do_not(records):
    nets = [tiny() for _ in range(3)]
    runs = [fit(net, records, seed=seed) for net, seed in zip(nets, (1, 1, 2))]
    assert runs[0].losses == runs[1].losses != runs[2].losses
    assert np.array_equal(weights_of(nets[0]), weights_of(nets[1]))


def test_the_second_head_learns_who_wins():
    # Black always wins these: who is to move tells the outcome, and the number of stones tells who is to move.
    moves = [0, 9, 1, 10, 2, 11, 3, 12, 4]
    records = Records(np.array(moves * 20), [9] * 20, [1] * 20, 9, 9)
    net = make_net("patterns", value=True, seed=0)
    before = evaluate(net, records)
    run = fit(net, records, records, steps=150, lr=0.005)
    assert before.value_loss > 0.8 and run.best.value_loss < 0.1 and run.best.value_sign == 1
    assert len(run.value_losses) == 150


def test_a_head_that_is_not_there_is_not_measured(records):
    run = fit(tiny(), records, records)
    assert run.best.value_loss is None and run.best.value_sign is None and run.value_losses == []


def test_random_moves_of_the_generator_are_left_out_unless_asked_for(records):
    net = tiny()
    assert evaluate(net, records).positions == (~records.mistakes).sum() < records.positions
    assert evaluate(net, records, mistakes=True).positions == records.positions


def test_a_loss_that_is_not_a_number_stops_and_keeps_the_last_good_weights(records):
    class Breaks(torch.nn.Module):
        """Becomes NaN at its 8th call."""

        def __init__(self):
            super().__init__()
            self.net, self.calls = tiny(), 0

        def forward(self, planes):
            self.calls += 1
            return self.net(planes) * (math.nan if self.calls == 8 else 1.0)

    net = Breaks()
    start = weights_of(net)
    with pytest.raises(DivergedError, match=r"Step 8 of 30, epoch 0: the loss is nan .* weights of step 0"):
        fit(net, records)
    assert np.array_equal(weights_of(net), start)


def test_one_cycle_rises_and_falls_and_cosine_only_falls():
    rates = {kind: [rate_at(step / 100, kind, 0.2) for step in range(1, 101)] for kind in ("one-cycle", "cosine")}
    assert rates["one-cycle"].index(max(rates["one-cycle"])) == 19 and max(rates["one-cycle"]) == pytest.approx(1)
    assert rates["cosine"] == sorted(rates["cosine"], reverse=True)
    assert rates["one-cycle"][-1] == rates["cosine"][-1] == pytest.approx(1e-3)
    assert rate_at(0.5, "constant") == 1


def test_records_without_a_usable_position_are_refused(records):
    blank = records.select([0])
    blank.mistakes[:] = True
    for use in (lambda: fit(tiny(), blank), lambda: evaluate(tiny(), blank), lambda: prediction_ceiling(blank)):
        with pytest.raises(ValueError, match="no positions"):
            use()


# Metrics


class Fixed(torch.nn.Module):
    """Gives every position the same scores."""

    def __init__(self, scores):
        super().__init__()
        self.register_buffer("scores", torch.as_tensor(scores, dtype=torch.float))

    def forward(self, planes):
        return self.scores.expand(len(planes), -1)


def test_accuracy_and_log_loss_of_a_case_worked_by_hand():
    records = Records(np.array([0, 3, 1, 4, 2]), [5], [1], 3, 3, k=3)
    scores = np.log([0.4, 0.2, 0.1, 0.1, 0.05, 0.05, 0.04, 0.03, 0.03])
    metrics = evaluate(Fixed(scores), records)
    # The moves 0, 3, 1, 4, 2 rank 1st; 3rd of 1 2 3 …; 1st; 2nd of 2 4 5 …; 1st among the points left.
    assert metrics.top1 == pytest.approx(3 / 5) and metrics.top3 == 1
    chances = [0.4, 0.1 / 0.6, 0.2 / 0.5, 0.05 / 0.3, 0.1 / 0.25]
    assert metrics.log_loss == pytest.approx(-np.log(chances).mean(), abs=1e-5)


def test_equal_scores_do_not_count_as_hits():
    records = Records(np.array([4, 0, 1, 2, 7]), [5], [1], 3, 3, k=3)
    metrics = evaluate(Fixed(np.zeros(9)), records)
    assert metrics.top1 == pytest.approx(3 / 5)  # of equals the first: right for 0, 1 and 2, wrong for 4 and 7


def test_calibration_compares_confidence_with_the_share_right():
    sure, right = np.array([0.91, 0.93, 0.95, 0.25, 0.25]), np.array([True, True, False, False, True])
    low, high = calibration_of(sure, right)
    assert low == pytest.approx((0.25, 0.5, 2)) and high == pytest.approx((0.93, 2 / 3, 3))
    assert calibration_of(np.array([1.0]), np.array([True])) == ((1.0, 1.0, 1),)


# The ceiling


def test_the_ceiling_is_the_mean_chance_of_the_likeliest_moves():
    # What the most probable move scores on real moves is the ceiling, up to chance.
    many = generate(40, "mixed", "mixed", 9, 9, randomness=0.2, seed=3, workers=1)
    where = np.flatnonzero(~many.mistakes)
    games = np.searchsorted(many.offsets, where, side="right") - 1
    positions = [many.game(int(game), int(place - many.offsets[game])) for game, place in zip(games, where)]
    chances = np.stack([agents.mixed().distribution(position) for position in positions])
    ceiling = prediction_ceiling(many)
    assert ceiling.positions == len(where) and ceiling.top1 == pytest.approx(chances.max(axis=1).mean())
    assert ceiling.top3 == pytest.approx(np.sort(chances)[:, -3:].sum(axis=1).mean())
    hits = chances.argmax(axis=1) == many.moves[where]
    assert abs(hits.mean() - ceiling.top1) < 4 * math.sqrt(0.25 / len(where))
    assert chances[np.arange(len(where)), many.moves[where]].min() > 0


def test_a_fixed_policy_has_a_higher_ceiling_than_chance():
    lone = generate(5, "greedy", "greedy", 9, 9, randomness=0, seed=0, workers=1)
    assert 1 >= prediction_ceiling(lone, "greedy").top1 > prediction_ceiling(lone, "random").top1
    with pytest.raises(ValueError, match="clever"):
        prediction_ceiling(lone, "clever")
