"""Nets: shapes, masking, symmetry, heads, and the way from a net to a policy, an agent and an expert."""

import copy

import numpy as np
import pytest
import torch

from mock5lib import Mock5
from mock5lib.game import symmetry
from mock5lib.game.encoders import three_planes
from mock5lib.game.lockstep_compiled import OCCUPIED, sample_moves
from mock5lib.nets.blocks import BLOCKED, PatternTrunk, fuse_norms, ray_states
from mock5lib.nets.nets import NAMES, NetAgent, NetPolicy, expert_of, heads, make_net, parameters_of

SMALL = {
    "stack": {"channels": 8, "layers": 2},
    "hidden": {"channels": 8},
    "residual": {"channels": 8, "blocks": 1},
    "patterns": {"width": 4, "head": 8},
}


def small(name, **kind):
    return make_net(name, seed=0, **SMALL.get(name, {}), **kind).eval()


def some_games(size, count=3, stones=14, seed=0):
    rng = np.random.default_rng(seed)
    games = []
    while len(games) < count:
        game = Mock5(size, size)
        for move in rng.permutation(size * size)[:stones]:
            if game.winner is None:
                game.apply(int(move))
        if game.winner is None:
            games.append(game)
    return games


def planes_of(games):
    return torch.from_numpy(three_planes.encode(games))


@pytest.mark.parametrize("name", NAMES)
def test_one_net_answers_boards_of_two_sizes_with_probabilities_of_legal_moves(name):
    net = small(name, value=True)
    for size in (9, 15):
        games = some_games(size)
        with torch.inference_mode():
            log_priors, values = net(planes_of(games))
        assert log_priors.shape == (3, size * size) and values.shape == (3,)
        assert torch.allclose(log_priors.exp().sum(dim=1), torch.ones(3), atol=1e-5)
        for row, game in zip(log_priors, games):
            assert not row.exp()[game.cells != 0].any() and (row.exp()[game.cells == 0] > 0).all()
        assert (values.abs() <= 1).all()


@pytest.mark.parametrize("name", NAMES)
def test_a_full_board_gives_finite_answers(name):
    planes = torch.zeros(1, 3, 9, 9)
    planes[:, 0] = 1
    with torch.inference_mode():
        log_priors, values = heads(small(name, value=True), planes)
    assert torch.isfinite(log_priors).all() and torch.isfinite(values).all()


@pytest.mark.parametrize("name", NAMES)
def test_a_position_is_judged_alike_alone_and_in_a_batch(name):
    net, planes = small(name, value=True), planes_of(some_games(9))
    with torch.inference_mode():
        together, values = net(planes)
        alone, value = net(planes[1:2])
    assert torch.allclose(together[1:2], alone, atol=1e-4) and torch.allclose(values[1:2], value, atol=1e-5)


def test_a_net_of_patterns_has_the_eight_symmetries_built_in():
    net = small("patterns", value=True)
    planes = three_planes.encode(some_games(9))
    with torch.inference_mode():
        log_priors, values = net(torch.from_numpy(planes))
        for angle, flip in symmetry.SYMMETRIES:
            turned = np.ascontiguousarray(symmetry.transform(planes, angle, flip))
            priors_there, values_there = net(torch.from_numpy(turned))
            expected = symmetry.transform_policy(log_priors.numpy(), 9, 9, angle, flip)
            assert np.allclose(priors_there, expected, atol=1e-4) and torch.allclose(values_there, values, atol=1e-5)


def test_a_ray_ends_at_the_first_block_and_has_63_states():
    states = ray_states(5)
    assert sorted(set(states.tolist())) == list(range(63))

    def code(*points):
        return sum(point * 3**step for step, point in enumerate(points))

    assert states[code(0, 1, BLOCKED, 1, 1)] == states[code(0, 1, BLOCKED, 0, BLOCKED)]
    assert states[code(0, 1, BLOCKED, 0, 0)] != states[code(1, 0, BLOCKED, 0, 0)]
    assert states[code(0, 1, 0, 0, BLOCKED)] != states[code(0, 1, 0, 0, 0)]


def test_both_players_lines_go_through_the_same_table():
    trunk = PatternTrunk()
    planes = planes_of(some_games(9))
    other_way = planes[:, [1, 0, 2]]
    assert torch.equal(trunk.line_kinds(planes), trunk.line_kinds(other_way).flip(-1))


def test_the_expert_has_the_layers_of_the_notebook():
    convolutions = [(3, 256, 5), (256, 64, 3), *[(64, 64, 3)] * 4, *[(64, 16, 3), (16, 1, 1)] * 2]
    assert parameters_of(make_net("expert")) == sum(a * b * size**2 + b for a, b, size in convolutions)


# Temperature


def test_a_low_temperature_leaves_only_the_best():
    planes = three_planes.encode([some_games(9)[0]])
    cold, usual = (make_net("stack", temperature=t, seed=0)(torch.from_numpy(planes)).exp() for t in (1e-6, 1.0))
    assert cold.max() > 0.9 > usual.max() and cold.argmax() == usual.argmax()


# From a net to a policy, an agent, an expert


class Scores(torch.nn.Module):
    """A learner's own net: one convolution, plain scores."""

    def __init__(self):
        super().__init__()
        self.filter = torch.nn.Conv2d(3, 1, 3, padding=1)

    def forward(self, planes):
        return self.filter(planes)


def test_a_net_of_ones_own_is_masked_and_normalized():
    games = some_games(9)
    log_priors, values = heads(Scores(), planes_of(games))
    assert values is None and torch.allclose(log_priors.exp().sum(dim=1), torch.ones(3), atol=1e-5)
    assert (log_priors[0][games[0].cells != 0] < OCCUPIED / 2).all()


def test_an_expert_speaks_numpy_and_says_0_without_a_value_head():
    planes = three_planes.encode(some_games(9))
    for value in (False, True):
        log_priors, values = expert_of(small("stack", value=value))(planes)
        assert log_priors.dtype == values.dtype == np.float32 and log_priors.shape == (3, 81) and values.shape == (3,)
        assert values.any() == value


def test_an_expert_in_half_precision_is_a_copy_that_agrees_roughly():
    net, planes = small("stack", value=True), three_planes.encode(some_games(9))
    whole, half = expert_of(net)(planes), expert_of(net, half=True)(planes)
    legal = whole[0] > OCCUPIED / 2
    assert np.allclose(whole[0][legal], half[0][legal], atol=0.1) and np.allclose(whole[1], half[1], atol=0.05)
    assert next(net.parameters()).dtype == torch.float32


def test_an_expert_uses_the_running_statistics_of_batch_norm():
    net = small("residual", value=True)
    expert, planes = expert_of(net), three_planes.encode(some_games(9))
    first = expert(planes)
    net.train()
    assert np.array_equal(expert(planes)[0], first[0])


def test_an_agent_at_temperature_0_plays_the_most_probable_move():
    net, games = small("stack"), some_games(9)
    agent, policy = NetAgent(net, name="stack"), NetPolicy(net)
    assert agent.moves(games) == [int(policy(game).argmax()) for game in games] == [agent(game) for game in games]
    assert agent.name == "stack" and policy.scores(games).shape == (3, 81)


def test_an_agent_that_draws_repeats_with_its_seed_and_plays_legal_moves():
    games = some_games(9) * 20
    moves = [NetAgent(small("stack"), 1.0, seed=seed).moves(games) for seed in (1, 1, 2)]
    assert moves[0] == moves[1] != moves[2]
    assert all(move in game.legal_moves() for move, game in zip(moves[0], games))


def test_an_agent_answers_many_boards_and_resigns_on_a_full_one():
    full = Mock5(3, 3, k=5, board=[1, 2] * 4 + [1])
    answers = NetAgent(small("stack")).moves([Mock5(3, 3, k=5), full])
    assert answers[1] is None and answers[0] < 9


# Making


def test_equal_seeds_make_equal_nets_and_leave_torchs_own_lots_alone():
    torch.manual_seed(7)
    expected = torch.rand(3)
    torch.manual_seed(7)
    nets = [make_net("stack", channels=8, seed=seed) for seed in (1, 1, 2)]
    assert torch.equal(torch.rand(3), expected)
    weights = [next(net.parameters()) for net in nets]
    assert torch.equal(weights[0], weights[1]) and not torch.equal(weights[0], weights[2])


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"name": "deep"}, "'deep'"),
        ({"name": "stack", "chanels": 8}, "chanels"),
        ({"name": "stack", "channels": -1}, "channels of a net must be a whole number from 0 to 4096, got -1"),
        ({"name": "stack", "channels": 2.5}, "2.5"),
        ({"name": "stack", "temperature": 0}, "temperature"),
        ({"name": "stack", "temperature": "warm"}, "'warm'"),
        ({"name": "patterns", "planes": 7}, "7 planes"),
    ],
)
def test_a_net_that_cannot_be_made_is_a_value_error_that_says_why(arguments, message):
    with pytest.raises(ValueError, match=message):
        make_net(**arguments)


def test_a_negative_temperature_of_an_agent_is_refused():
    with pytest.raises(ValueError, match="-1"):
        NetAgent(small("stack"), temperature=-1)


def test_a_net_with_its_norms_folded_in_answers_the_same():
    net = make_net("residual", value=True, seed=0, channels=8, blocks=2)
    planes = planes_of([Mock5(9, 9, history=[40, 41]), Mock5(9, 9)])
    for _ in range(3):
        net.train()(torch.rand(16, 3, 9, 9))  # norms that are not those of a fresh net
    with torch.inference_mode():
        before = net.eval()(planes)
        after = fuse_norms(copy.deepcopy(net))(planes)
    assert not any(isinstance(part, torch.nn.BatchNorm2d) for part in fuse_norms(copy.deepcopy(net)).modules())
    for old, new in zip(before, after):
        assert torch.allclose(old, new, atol=1e-4)


@pytest.mark.parametrize("reach", [3, 5])
def test_line_kinds_are_the_same_on_the_cpu_and_in_torch(reach):
    trunk, rng = PatternTrunk(reach=reach), np.random.default_rng(0)
    stones = rng.choice(3, size=(20, 7, 12), p=[0.25, 0.25, 0.5])
    planes = torch.from_numpy(np.stack([stones == 0, stones == 1, stones == 2], axis=1).astype(np.float32))
    planes[0, 2, 3, 3] = 0  # a point that is nothing blocks both
    assert torch.equal(trunk.line_kinds(planes), trunk.line_kinds_in_torch(planes))


def test_draws_follow_the_policy_at_its_temperature():
    chances = np.array([0.5, 0.3, 0.2, 0.0])
    rows = np.log(np.maximum(chances, 1e-300))[None].repeat(20000, axis=0)
    rng = np.random.default_rng(0)
    assert (sample_moves(rows[:5], 0.0, rng) == 0).all()
    for temperature in (1.0, 2.0):
        counts = np.bincount(sample_moves(rows, temperature, rng), minlength=4) / 20000
        expected = chances ** (1 / temperature) / (chances ** (1 / temperature)).sum()
        assert np.abs(counts - expected).max() < 0.015 and counts[3] == 0
