"""AlphaGo's nets for Go on 9×9 as they are stored: they load, they are what their cards say, and they play."""

import json
from pathlib import Path

import numpy as np
import pytest

nets = pytest.importorskip("mock5lib.alphago.nets", reason="Keras is not installed here")

from mock5go.board import Go
from mock5go.records import GoRecords
from mock5lib import agents, names
from mock5lib.alphago.nets import load_net, read_card
from mock5lib.alphago.train import policy_accuracy
from mock5lib.arena.matches import match
from mock5lib.arena.tournament import Tournament

ROOT = Path(__file__).resolve().parent.parent
NETS, LADDER = ROOT / "data/checkpoints/go_9x9", ROOT / "data/ladder/go_9x9"


@pytest.mark.parametrize("name", [f"policy:{NETS}/strong.keras", f"alphago:{NETS}@16"])
def test_the_stored_nets_play_and_win_against_random_moves(name):
    result = match(names.agent(name, seed=0), agents.random(0), 2, game=Go(9), openings=4, seed=0)
    assert result.wins == 2 and result.lengths.min() > 20


def test_the_stored_policies_foretell_gnu_gos_moves():
    """On some of the games; their cards have the numbers for those that were held out."""
    records = GoRecords.load(ROOT / "data/records/gnugo_9x9.npz").select(np.arange(40))
    found = {name: policy_accuracy(load_net(NETS / f"{name}.keras"), records, 600) for name in ("fast", "strong")}
    kept = {name: read_card(NETS / f"{name}.keras")["score"]["top1"] for name in found}
    assert all(abs(found[name] - kept[name]) < 0.08 for name in found) and kept["strong"] > kept["fast"] + 0.15


def test_the_stored_value_net_knows_more_than_the_mean_outcome():
    card = read_card(NETS / "value.keras")
    assert card["training"]["history"][-1]["val_loss"] < 0.95 * card["score"]["saying_the_mean"]


def test_the_kept_ladder_of_go_holds_whole_games():
    tournament = Tournament.load(LADDER)
    records = tournament.records()
    assert isinstance(records, GoRecords) and len(records) == tournament.table()["games"] > 100
    rows = json.loads((LADDER / "table.json").read_text(encoding="utf-8"))["ladder"]
    assert len(rows) == 11 and {"AlphaGo 1,600", "GNU Go, level 10"} < {row["name"] for row in rows}
