"""`play_game`, the proof against every defense, and the commands of self-play."""

import json

import numpy as np
import pytest
from experts import uniform_expert
from typer.testing import CliRunner

from mock5lib.alphazero import loop as az
from mock5lib.alphazero.one_game import TreeStore, play_game
from mock5lib.alphazero.proof import Defenses, prove
from mock5lib.alphazero.replay import ReplayBuffer
from mock5lib.cli import app
from mock5lib.game.board import Mock5
from mock5lib.game.oracle import tic_tac_toe
from mock5lib.nets import make_net


@pytest.fixture(scope="module")
def nets():
    return [make_net("hidden", value=True, seed=seed, channels=4, first=3) for seed in (1, 2)]


# One game -------------------------------------------------------------------------------------------------------


def test_a_game_comes_back_with_outcomes_for_the_player_to_move(nets):
    endings = set()
    for seed in range(12):
        game = Mock5(3, 3, 3)
        played = play_game(game, None, None, *nets, searches=8, return_history=True, gamma=0.5, seed=seed)
        assert played.steps == len(game.history) == len(played.history)
        for ply, step in enumerate(played.history):
            left = len(game.history) - 1 - ply
            sign = 0 if game.winner == 0 else 1 if game.winner == step.player else -1
            assert step.outcome == sign * 0.5**left
            assert step.game.history == game.history[:ply] and step.player == step.game.player
        endings.add(game.winner)
    assert {1, 2} <= endings  # so a game that White ended was among them


def test_outcomes_are_discounted_in_the_buffer_as_in_the_history(nets):
    """As in the source, AIX Project's part 4."""
    buffer = ReplayBuffer(50, 3, 3)
    played = play_game(Mock5(3, 3, 3), None, buffer, *nets, searches=8, return_history=True, gamma=0.5, seed=1)
    assert len(buffer) == played.steps and set(np.abs(buffer.outcomes[: len(buffer)])) == {
        0.5**left for left in range(played.steps)
    }
    assert buffer.outcomes[: len(buffer)].tolist() == [step.outcome for step in played.history]
    own = ReplayBuffer(50, 3, 3, discount=0.5)
    play_game(Mock5(3, 3, 3), None, own, *nets, searches=8, seed=1)
    assert own.outcomes.tolist() == buffer.outcomes.tolist(), "without gamma the buffer's own discount counts"


def test_the_result_belongs_to_net_1_whoever_begins(nets):
    for seed in range(8):
        game = Mock5(3, 3, 3)
        result = play_game(game, None, None, *nets, searches=8, net1_plays_first=True, seed=seed).result
        assert result == {0: 0, 1: 1, 2: -1}[game.winner]


def test_the_lot_decides_who_begins_unless_it_is_fixed(nets):
    def began(seed, **options):
        said = []
        play_game(Mock5(3, 3, 3), None, None, *nets, searches=2, render=said.append, seed=seed, **options)
        return "net 1" in said[0]

    assert len({began(seed) for seed in range(12)}) == 2
    assert all(began(seed, net1_plays_first=True) for seed in range(6))


def test_a_rendered_move_shows_the_board_and_the_three_most_visited(nets):
    said = []
    play_game(Mock5(4, 4, 3), None, None, *nets, searches=20, render=said.append, seed=0)
    lines = said[0].splitlines()
    assert str(Mock5(4, 4, 3)).splitlines()[0] in lines
    assert sum("Top" in line for line in lines) == 3
    visits = [int(line.split("visits")[1].split()[0]) for line in lines if "Top" in line]
    assert visits == sorted(visits, reverse=True)
    assert all(word in lines[-1] for word in ("Taken", "Q ", "%", "\033[31m"))
    assert "won" in said[-1] or "draw" in said[-1]


def test_the_buffer_gets_the_positions_with_the_share_of_visits(nets):
    buffer = ReplayBuffer(50, 3, 3)
    options = dict(searches=20, steps_before_tau_0=0, return_history=True, seed=1)
    played = play_game(Mock5(3, 3, 3), None, buffer, nets[0], **options)
    assert len(buffer) == played.steps
    assert np.allclose(buffer.policies[0].astype(float), played.history[0].policy, atol=1e-3)
    assert played.history[0].policy.max() < 0.9  # not sharpened by the small temperature


def test_one_tree_serves_one_net_and_is_kept_between_moves(nets):
    store = TreeStore(4, 4, 3, nodes=2000, leaves=2)
    played = play_game(Mock5(4, 4, 3), store, None, nets[0], searches=10, batch_size=2, return_history=True, seed=0)
    assert played.steps > 3
    store.update_root_node(Mock5(4, 4, 3), nets[0])
    store.search_batch(30, lambda planes: uniform_expert(planes))
    before = store.forest.visits[0]
    move = int(before.argmax())
    store.update_root_node(Mock5(4, 4, 3, history=[move]), nets[0])
    assert store.forest.visits[0].sum() == before[move] - 1


def test_two_nets_on_one_tree_are_refused(nets):
    with pytest.raises(ValueError, match="can't share a tree"):
        play_game(Mock5(3, 3, 3), TreeStore(3, 3, 3), None, *nets)


def test_late_moves_are_the_most_visited_ones(nets):
    game = Mock5(3, 3, 3)
    played = play_game(game, None, None, nets[0], searches=50, steps_before_tau_0=0, return_history=True, seed=3)
    chosen = [step.policy[move] >= 0.7 * step.policy.max() for step, move in zip(played.history, game.history)]
    assert all(chosen)


# The proof ------------------------------------------------------------------------------------------------------


def test_a_won_game_is_proved_and_the_book_beats_every_defense():
    book = {}
    proof = prove(uniform_expert, Mock5(4, 4, 3), 200, book=book)
    assert proof.unbeatable and proof.complete and proof.won > 10
    results = follow(Mock5(4, 4, 3), book)
    assert set(results) == {1}
    assert max(map(len, results[1])) == proof.longest_win


def follow(game, book, results=None):
    """Every defense against the book's moves, one board at a time: result → the histories that ended so."""
    results = {} if results is None else results
    if game.winner is not None:
        results.setdefault(game.winner, []).append(list(game.history))
    elif game.player == 2:
        for reply in game.legal_moves():
            game.apply(reply)
            follow(game, book, results)
            game.undo()
    else:
        game.apply(move_of(game, book))
        follow(game, book, results)
        game.undo()
    return results


def move_of(game, book):
    """A win at once, else a block, else the book's move."""
    for player in (game.player, 3 - game.player):
        for move in game.legal_moves():
            trial = Mock5(game.height, game.width, game.k, board=game.board)
            trial.place_stone_at_index(move) if player == trial.player else trial.place_stone(*divmod(move, 4), player)
            if trial.winner == player:
                return move
    tree = Defenses(Mock5(4, 4, 3), uniform_expert, 2, 1, book, {})
    board, lines = tree.distinct(game.cells[None].copy(), [[]])
    for come_from in tree.comes_from:
        if (game.cells[come_from] == board[0]).all():
            return int(come_from[book[board[0].tobytes()]])
    raise AssertionError("no such position in the book")


def test_tic_tac_toe_is_not_won_and_every_failure_is_a_real_game():
    proof = prove(uniform_expert, Mock5(3, 3, 3), 400)
    assert proof.complete and not proof.unbeatable
    assert proof.drawn > 0 and proof.lost == 0
    assert tic_tac_toe().value(Mock5(3, 3, 3)) == 0
    for line in proof.failures:
        assert Mock5(3, 3, 3, history=line).winner == 0


def test_a_careless_agent_is_caught_losing():
    def edges(planes):  # likes one edge, and trusts no search
        scores, values = uniform_expert(planes)
        scores[:, 1] = 30
        return scores, values

    proof = prove(edges, Mock5(3, 3, 3), 2)
    assert proof.lost > 0 and not proof.unbeatable
    lost = [line for line in proof.failures if Mock5(3, 3, 3, history=line).winner == 2]
    assert len(lost) > 0


def test_the_cap_stops_the_proof_and_says_so():
    proof = prove(uniform_expert, Mock5(4, 4, 3), 50, cap=5)
    assert proof.positions == 5 and not proof.complete and not proof.unbeatable
    assert "stopped at the cap" in str(proof)


# Commands -------------------------------------------------------------------------------------------------------

TRAIN = [*"--board 4 --k 3 --device cpu --set games=6 --set plies=5 --set simulations=8 --set fill=20".split()]
TRAIN += [
    *"--set batch_size=16 --set evaluate_every=3 --set evaluation_games=2".split(),
    "--set",
    'opponents=["mcts:20"]',
]


def call(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


def test_train_report_and_prove_work_together(tmp_path):
    done = call("train", "alphazero", tmp_path / "run", "--iterations", 6, *TRAIN)
    assert done.exit_code == 0, done.output
    assert "iteration 6/6" in done.output and "6 iterations" in done.output
    config = json.loads((tmp_path / "run" / "config.json").read_text())
    assert config["height"] == 4 and config["k"] == 3 and config["opponents"] == ["mcts:20"]
    for _ in range(2):  # a report of ours is written anew
        written = call("report", tmp_path / "run")
        assert written.exit_code == 0, written.output
    page = (tmp_path / "run" / "report.html").read_text()
    assert "6 iterations" in page and "mcts:20" in page and "<td>4</td>" in page
    (tmp_path / "run" / "report.html").write_text("a diary")
    assert call("report", tmp_path / "run").exit_code == 2
    proved = call("prove", tmp_path / "run", "--simulations", 64, "--quiet")
    assert proved.exit_code == 0 and "positions up to symmetry" in proved.output
    kept = json.loads((tmp_path / "run" / "proof.json").read_text())
    assert kept["simulations"] == 64 and f"{kept['won']} lines won" in proved.output


def test_commands_on_a_folder_without_a_run_say_so(tmp_path):
    for command in ("report", "prove"):
        done = call(command, tmp_path)
        assert done.exit_code == 2 and str(tmp_path) in done.output


@pytest.mark.slow
@pytest.mark.parametrize("net", [("patterns", {"width": 8}), ("residual", {"channels": 8, "blocks": 1})])
def test_the_gpu_preset_runs_on_a_cpu_when_made_small(net):
    small = dict(height=7, width=7, games=4, plies=2, simulations=8, cheap_simulations=4, fill=8, batch_size=16)
    small |= dict(evaluate_every=1, evaluation_games=2, evaluation_simulations=8, opening_plies=2)
    config = az.preset("gpu", **small, net=net[0], sizes=net[1])
    run = az.alphazero(config, iterations=20, device="cpu", log=None)
    assert run.steps > 0
