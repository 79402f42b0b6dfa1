"""What every search promises: its budget, its seed, its result, a tree that is kept, and no finished game."""

from itertools import count

import numpy as np
import pytest
from experts import hashed_expert

from mock5lib import Mock5
from mock5lib.search.agent import SearchAgent
from mock5lib.search.uct import UCT
from mock5lib.search.uct_compiled import FastUCT
from mock5lib.search.uct_parallel import RootParallelUCT, TreeParallelUCT

WIN = Mock5(3, 3, k=3, history=[0, 3, 1, 4])  # 2 wins at once
THREAT = Mock5(3, 3, k=3, history=[0, 4, 1])  # only 2 does not lose
OVER = Mock5(3, 3, k=3, history=[0, 3, 1, 4, 2])


def puct(simulations, **options):
    """A search with an expert, made as the others are."""
    return SearchAgent(hashed_expert(), simulations, noise=0.25, nodes=4000, **options)


KEEPING = {"uct": UCT, "fastuct": FastUCT, "puct": puct}
PARALLEL = {"root": RootParallelUCT, "tree": TreeParallelUCT}


def agent_of(name, simulations, seed=0):
    return (KEEPING | PARALLEL)[name](simulations, seed=seed)


def found(agent, game):
    """What an agent finds in a game."""
    return agent.search([game])[0] if isinstance(agent, SearchAgent) else agent.search(game)


@pytest.mark.parametrize("name", [*KEEPING, *PARALLEL])
def test_a_search_spends_its_budget_repeats_with_its_seed_and_leaves_the_game_alone(name):
    first, second, other = (found(agent_of(name, 400, seed), THREAT) for seed in (1, 1, 2))
    assert first.visits.sum() == 400 == first.simulations
    assert first.visits.tolist() == second.visits.tolist() != other.visits.tolist()
    assert THREAT.history == [0, 4, 1] and THREAT.player == 2


@pytest.mark.parametrize("name", [*KEEPING, *PARALLEL])
def test_a_search_takes_a_win_stops_one_and_refuses_a_finished_game(name):
    assert found(agent_of(name, 800), THREAT).move == 2
    won = found(agent_of(name, 800), WIN)
    assert won.move == 2 and won.q[2] == pytest.approx(1) and won.value > 0.4
    with pytest.raises(ValueError, match="(The game|Game 0) is over"):
        found(agent_of(name, 80), OVER)


@pytest.mark.parametrize("name", [*KEEPING, *PARALLEL])
def test_a_result_says_what_was_found(name):
    result = found(agent_of(name, 400), THREAT)
    assert result.visits.shape == result.q.shape == result.prior.shape == (9,)
    assert result.prior.sum() == pytest.approx(1, abs=1e-5) and not result.prior[[0, 1, 4]].any()
    top = result.top(3)
    assert top[0].move == result.move and [c.visits for c in top] == sorted((c.visits for c in top), reverse=True)
    assert result.policy() == pytest.approx(result.visits / 400) and result.policy(0)[result.visits.argmax()] > 0
    with pytest.raises(ValueError, match="temperature must be a number from 0"):
        result.policy(-1)


@pytest.mark.parametrize("name", KEEPING)
def test_the_kept_tree_keeps_the_visits_of_the_position_reached(name):
    game, agent = Mock5(3, 3, k=3), agent_of(name, 400)
    root = found(agent, game).root
    mine = max(children(root), key=lambda child: child.visits)
    reply = max(children(mine), key=lambda child: child.visits)
    kept = reply.visits
    for node in (mine, reply):
        game.apply(node.move)
    result = found(agent, game)
    assert result.root.visits == kept + 400 > 401 and result.simulations == 400 and result.root.parent is None
    fresh = KEEPING[name](400, seed=0, keep_tree=False)
    for _ in range(2):
        assert found(fresh, game).visits.sum() == 400


def children(node):
    return node.children.values() if isinstance(node.children, dict) else node.children


@pytest.mark.parametrize("name", KEEPING)
@pytest.mark.parametrize(
    "other",
    [
        Mock5(3, 3, k=3, history=[8]),
        Mock5(3, 3, k=2, history=[4, 0]),
        Mock5(3, 4, k=3, history=[4, 0]),
        Mock5(3, 3, k=3, history=[4, 0], exact=True),
        Mock5(3, 3, k=3, board=[1, 0, 0, 0, 0, 0, 0, 0, 0], history=[4]),
        Mock5(3, 3, k=3),
    ],
    ids=["another game", "another k", "another size", "another rule", "another start", "an earlier position"],
)
def test_a_position_that_does_not_continue_the_game_gets_a_fresh_tree(name, other):
    agent = agent_of(name, 100)
    agent(Mock5(3, 3, k=3, history=[4]))
    assert found(agent, other).visits.sum() == 100


@pytest.mark.parametrize("name", KEEPING)
def test_a_board_edited_by_hand_or_a_reply_never_tried_gets_a_fresh_tree(name):
    game, agent = Mock5(9, 9, history=[40, 30]), agent_of(name, 30)
    first = found(agent, game)
    game.apply(next(move for move in game.legal_moves() if first.visits[move] == 0))
    assert found(agent, game).visits.sum() == 30
    game[divmod(game.legal_moves()[-1], 9)] = 1
    assert found(agent, game).visits.sum() == 30


class Clock:
    """A clock that moves by `step` seconds each time it is read."""

    def __init__(self, step):
        self.readings = (step * reading for reading in count())

    def __call__(self):
        return next(self.readings)


@pytest.mark.parametrize("kind", [UCT, FastUCT])
@pytest.mark.parametrize(("seconds", "step"), [(1.0, 0.125), (0.35, 0.1), (0.01, 1.0)])
def test_a_budget_in_seconds_is_kept_by_the_clock(kind, seconds, step):
    clock = Clock(step)
    result = kind(5, seconds=seconds, clock=clock, seed=0).search(Mock5(3, 3, k=3))
    rounds = max(1, int(np.ceil(seconds / step - 1e-9)))
    assert next(clock.readings) == pytest.approx(step * (rounds + 1)) and result.simulations == result.visits.sum() > 0
    assert kind is FastUCT or result.simulations == rounds
    assert (kind(seconds=0.5).name, kind(7).name) == tuple(
        f"{kind.__name__.lower()}:{budget}" for budget in ("0.5s", "7")
    )


@pytest.mark.parametrize("make", [UCT, FastUCT])
def test_several_playouts_a_leaf_count_as_so_many_visits(make):
    result = make(100, playouts=4, seed=0).search(Mock5(3, 3, k=3))
    assert result.visits.sum() == 400 == result.root.visits
    assert all(child.visits % 4 == 0 and 0 <= child.wins <= child.visits for child in result.root.children)
