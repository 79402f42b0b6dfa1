"""A search hands over positions, and its expert turns them into the planes that it was trained on."""

import numpy as np
import pytest
from experts import uniform_expert

from mock5lib import Mock5, names
from mock5lib.alphago.planes import AlphaGoPlanes
from mock5lib.game.encoders import history, three_planes
from mock5lib.game.position import fives_of, stack
from mock5lib.nets.checkpoints import save_checkpoint
from mock5lib.nets.cuda_graph import CapturedExpert, Metered
from mock5lib.nets.nets import expert_of, make_net
from mock5lib.search.puct.agent import SearchAgent
from mock5lib.search.puct.expert import as_expert, constant_value
from mock5lib.search.puct.forest import Forest, Search
from mock5lib.search.puct.pipeline import search_in_turns
from mock5lib.search.puct.tree import SearchTree

ENCODERS = [history(1), history(16), AlphaGoPlanes()]


def hashed(planes):
    """Something arbitrary but fixed about each stack of planes."""
    keys = np.random.default_rng(0).normal(size=(planes[0].size, 82))
    mixed = np.stack([(row.reshape(-1, 1).astype(np.float64) * keys).sum(axis=0) for row in planes])
    return (2 * np.sin(mixed[:, :81])).astype(np.float32), np.sin(mixed[:, 81]).astype(np.float32)


def expert_with(encoder):
    """A function of the planes of this encoder."""

    def expert(planes):
        assert planes.shape[1] == encoder.channels
        return hashed(planes)

    expert.encoder = encoder
    return expert


class OfPositions:
    """An expert that owns its planes: the contract, with nothing more."""

    def of_positions(self, games):
        return hashed(history(2).encode(fives_of(games)))


@pytest.fixture
def checkpoint(tmp_path):
    """A checkpoint whose card names an encoder of seven planes."""
    net = make_net("residual", value=True, seed=0, channels=8, blocks=1, planes=7)
    return save_checkpoint(tmp_path / "net", net, encoder=history(4))


def test_the_searcher_that_a_name_makes_honours_the_checkpoints_encoder(checkpoint):
    game = Mock5(9, 9, history=[40, 41, 31])
    assert names.agent(f"policy:{checkpoint}")(game) in game.legal_moves()
    for name in (f"expert:{checkpoint}@8", f"expert,value=0:{checkpoint}@8"):
        assert names.agent(name, seed=0)(game) in game.legal_moves()


EXPERTS = {**{encoder.name: expert_with(encoder) for encoder in ENCODERS}, "positions": OfPositions()}


@pytest.mark.parametrize("expert", EXPERTS.values(), ids=EXPERTS)
def test_forest_and_readable_tree_show_an_expert_the_same_whole_games_long(expert):
    game = Mock5(9, 9, history=[40, 41, 31])
    agent, tree = SearchAgent(expert, 40, leaves=1), SearchTree(game, expert)
    for _ in range(6):
        fast, readable = agent.search([game])[0], tree.search(40)
        assert fast.visits.tolist() == readable.visits.tolist() and fast.q.tolist() == readable.q.tolist()
        game.apply(fast.move)
        tree.advance(fast.move)


def test_batches_of_leaves_and_forests_in_turns_keep_the_last_moves_apart():
    expert, plain = expert_with(history(3)), OfPositions()
    games = [Mock5(9, 9, history=moves) for moves in ([40, 41], [41, 50, 40], [])]
    for each in (expert, plain):
        together = Search(each, 60, leaves=1).run(games)
        forests = [Forest(1, 9, 9, nodes=61) for _ in games]
        for forest, game in zip(forests, games):
            forest.reset(stack([game]))
        search_in_turns(forests, each, 60)
        for game, one, forest in zip(games, together, forests):
            alone = SearchTree(game, each).search(60)
            assert alone.visits.tolist() == one.visits.tolist() == forest.visits[0].tolist()


def test_what_wraps_an_expert_keeps_its_encoder():
    net = make_net("residual", value=True, seed=0, channels=8, blocks=1, planes=7)
    expert = expert_of(net, encoder=history(4))
    wrapped = [expert, constant_value(expert, 0), Metered(expert), CapturedExpert(net, encoder=expert.encoder)]
    assert all(as_expert(one).encoder is expert.encoder for one in wrapped)
    assert as_expert(uniform_expert).encoder is three_planes


def test_what_is_no_expert_is_refused():
    with pytest.raises(TypeError, match="function of planes"):
        Search(None, 10).run([Mock5(9, 9)])


# How deep a tree grows


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("leaves", [1, 4])
def test_with_max_depth_the_tree_grows_no_deeper_and_values_stand(depth, leaves):
    game = Mock5(6, 6, 4, history=[14, 15])
    root = Search(expert_with_36, 300, leaves=leaves, max_depth=depth).run([game])[0].root
    assert max(ply for _, ply in walk(root)) == depth
    for node, ply in walk(root):
        if ply == depth:
            assert node.value_sum == pytest.approx(node.visits * node.value, abs=1e-5)
    if leaves == 1:
        readable = SearchTree(game, expert_with_36, max_depth=depth).search(300)
        assert readable.visits.tolist() == [root.children[m].visits if m in root.children else 0 for m in range(36)]


def expert_with_36(planes):
    log_priors, values = hashed(planes)
    return log_priors[:, :36], values


def walk(node, ply=0):
    yield node, ply
    for child in node.children.values():
        yield from walk(child, ply + 1)
