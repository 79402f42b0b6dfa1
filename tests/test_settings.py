"""Settings that make no sense are refused by a sentence that names the setting and the value: one table for all."""

import re
from math import inf, nan

import numpy as np
import pytest
from crooks import first_free
from experts import uniform_expert

from mock5lib import Mock5
from mock5lib.alphago.rollout_policy import FastPolicy
from mock5lib.alphago.search import AlphaGo
from mock5lib.alphazero.config import Config
from mock5lib.arena import SequentialTest, match
from mock5lib.engines.gomocup import GomocupAgent
from mock5lib.gomoku.generator import generate
from mock5lib.learn.settings import CloneSettings, ReinforceSettings
from mock5lib.learn.supervised import train
from mock5lib.nets.nets import make_net
from mock5lib.search.forest_compiled import Forest, Search
from mock5lib.search.puct import SearchTree
from mock5lib.search.uct import UCT
from mock5lib.search.uct_compiled import FastUCT
from mock5lib.search.uct_parallel import RootParallelUCT, TreeParallelUCT

MAKERS = {  # what has settings: how it is made, and what each of them may not be
    "self-play": (
        lambda **changes: Config(**{"height": 4, "width": 4, "k": 3, "window": 300, "fill": 20, **changes}),
        "games=0; replay_ratio=-1; discount=0; average=1; lr=0; fill=1000; noise=2; evaluation_games=3; net='deep';"
        "opponents=('mixed',); opponents=('mcts:x',); height=99; resign=2; full_share=-0.1; simulations=1",
    ),
    "REINFORCE": (
        ReinforceSettings,
        "iterations=0; games=7; games=0; lr=0; lr=nan; clip=-1; discount=0; discount=1.1; baseline='median';"
        "entropy=-0.1; kl=nan; opening_plies=-1; evaluation_games=3; seed=-1",
    ),
    "learning from records": (
        lambda **options: train(make_net("linear"), generate(2, "pt", "pt", 9, 9), progress=False, **options),
        "steps=0; batch_size=0; lr=0; lr=nan; schedule='linear'; warm_up=1.0; symmetries='some'",
    ),
    "cloning": (
        lambda **changes: CloneSettings(**{"simulations": 6, **changes}),
        "episodes=0; games=3; simulations=0; late_simulations=5; lr=0.0; full_score=0",
    ),
    "UCT": (
        UCT,
        "simulations=0; simulations=10.5; simulations='10'; simulations=None; simulations=True; seconds=0.0;"
        "seconds=inf; c=-1; c=inf; playouts=0; final='mean'",
    ),
    "FastUCT": (FastUCT, "simulations=0; max_slots=5"),
    "root": (lambda trees: RootParallelUCT(4, trees=trees), "trees=8"),
    "tree": (lambda **options: TreeParallelUCT(4, **options), "workers=0; counts='loss'"),
    "a readable tree": (
        lambda **options: SearchTree(Mock5(9, 9), uniform_expert, **options),
        "rule='ucb'; c=-1; c=nan; c=inf; fpu=inf; fpu=-inf; fpu=nan; max_depth=0; max_depth=1.5",
    ),
    "a search": (
        lambda **options: Search(uniform_expert, **{"simulations": 10, **options}),
        "rule='ucb'; c=-1.0; c=inf; c=nan; fpu=inf; fpu=-inf; fpu=nan; leaves=0; leaves=1.5; virtual_loss=-1.0;"
        "virtual_loss=inf; noise=1.5; noise=nan; noise_total=0.0; noise_total=inf; considered=-1; considered=2.5;"
        "gumbel_scale=inf; value_scale=nan; max_visit_init=inf; max_depth=0; max_depth=1.5; simulations=0",
    ),
    "AlphaGo's search": (
        lambda **options: AlphaGo(
            lambda planes: np.zeros((len(planes), 81)),
            FastPolicy(np.zeros((5, 5, 3))),
            lambda planes: np.zeros(len(planes)),
            **options,
        ).search([Mock5(9, 9)]),
        "lambda_value=-0.1; lambda_value=1.1; lambda_value=nan; rollout_limit=-1; simulations=0; rollouts=0;"
        "c=-1; leaves=0",
    ),
    "a forest": (lambda **sizes: Forest(**{"games": 1, "nodes": 10, **sizes}), "games=0; nodes=1; width=0"),
    "the generator": (
        lambda **options: generate(**{"games": 2, **options}),
        "games=0; randomness=1.5; randomness=nan; draws=-1; seed=-1; workers=-2; height=37",
    ),
    "a sequential test": (SequentialTest, "alpha=0; beta=0.5; elo1=inf"),
    "a match": (
        lambda **options: match(first_free, first_free, 2, game=Mock5(9, 9), **options),
        "seconds=0; seconds=-1; seconds=nan; openings=-1",
    ),
    "an engine": (
        lambda **options: GomocupAgent(**{"command": ["engine"], **options}),
        "seconds=0; tolerance=-1; start_seconds=0",
    ),
}
ROWS = [(kind, row.strip()) for kind, (_, rows) in MAKERS.items() for row in rows.split(";")]


@pytest.mark.parametrize(("kind", "wrong"), ROWS)
def test_a_setting_out_of_its_range_is_refused_by_its_name_and_its_value(kind, wrong):
    ((name, value),) = eval(f"dict({wrong})", {"nan": nan, "inf": inf}).items()
    with pytest.raises((TypeError, ValueError)) as refused:
        MAKERS[kind][0](**{name: value})
    said = str(refused.value)
    value = value[0] if isinstance(value, tuple) else value
    assert re.search(rf"\b{name}\b", said, re.IGNORECASE) and str(value) in said, said
