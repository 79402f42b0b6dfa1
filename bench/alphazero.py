"""AlphaZero on 6×6, four in a row: the preset `tiny` from zero, one thread

Rates count processor time, so that other work on the machine does not show. "Targets" are games won by the agent with
100 simulations a move against pure MCTS with 1,000 and 5,000 playouts.
"""

import torch

from bench._rate import row
from mock5lib import Mock5
from mock5lib.alphazero import loop as az
from mock5lib.alphazero.prove import prove
from mock5lib.nets.nets import expert_of

TARGETS = (("mcts:1000", 40), ("mcts:5000", 80))


def run(quick: bool = False) -> list:
    """Train for 60 processor seconds, then play the targets and try every defence."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        config = az.preset("tiny", evaluate_every=0)
        trained = az.alphazero(config, cpu_seconds=3 if quick else 60, device="cpu", log=None)
        return [*speed(trained), *strength(trained, quick)]
    finally:
        torch.set_num_threads(threads)


def speed(trained) -> list:
    """Games, simulations and trained positions a processor second, and the share of gradients."""
    seconds, config = trained.cpu_seconds, trained.config
    simulations = sum(found["simulations"] for found in trained.metrics)
    learning = sum(found["training_seconds"] for found in trained.metrics)
    playing = sum(found["selfplay_seconds"] for found in trained.metrics)
    note = f"{trained.iteration} rounds, {trained.buffer.games} games in {seconds:.0f} processor seconds"
    return [
        row("games of self-play", trained.buffer.games / seconds, "games/s", note=note),
        row("simulations, gradients counted in", simulations / seconds, "simulations/s"),
        row("positions trained on", trained.steps * config.batch_size / seconds, "positions/s"),
        row("share of the time for gradients", learning / (learning + playing), ""),
    ]


def strength(trained, quick: bool) -> list:
    """Games won by colour, and lines not won against every defence."""
    rows, config = [], trained.config
    for name, games in TARGETS:
        games = 4 if quick else games
        found = az.score_against(trained.agent(100), az.opponent_named(name, config.k, 1), config.rules, games)
        for side in ("first", "second"):
            won, drawn, lost = found[f"as_{side}"]
            note = f"of {games // 2}; {drawn} drawn, {lost} lost"
            rows.append(row(f"won as {side} player against {name}", won, "games", note=note))
    board, cap = Mock5(config.height, config.width, config.k), 2_000 if quick else 200_000
    proof = prove(expert_of(trained.player), board, 100, cap=cap, c=config.c, fpu=config.fpu)
    rows.append(row("lines not won, of every defence", proof.drawn + proof.lost, "lines", note=str(proof)))
    return rows
