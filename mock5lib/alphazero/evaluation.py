"""How a run of self-play is measured: matches of its player against fixed opponents, the gate, and a line of report.

`run` is an `AlphaZeroRun` of `loop.py`, which calls these functions and hands them on.
"""

from __future__ import annotations

import copy

from torch import nn

from mock5lib.alphazero.config import Config, opponent_named
from mock5lib.arena.matches import match
from mock5lib.game.board import Rules
from mock5lib.game.kit import GameRules
from mock5lib.learn.trainer import copy_weights
from mock5lib.nets.nets import device_of, expert_of
from mock5lib.search.agent import SearchAgent


def search_agent(net: nn.Module, config: Config, simulations: int, seed: int = 0, expert=None) -> SearchAgent:
    """A net with the search of self-play, to play as well as it can: no noise, the most visited move.

    expert: of the net; default: `expert_of(net)`.
    """
    search = {name: config.search[name] for name in ("c", "fpu", "forced_moves")}
    return SearchAgent(expert or expert_of(net), simulations, name=f"alphazero@{simulations}", seed=seed, **search)


def evaluate(run) -> list[dict]:
    """Matches of the player against the config's opponents, noted in the last row of metrics. Opens a gate if any.

    Returns what `score_against` gives for each opponent, with its name.
    """
    if run.config.gate is not None:
        pass_gate(run)
    config, rows = run.config, []
    for name in config.opponents:
        opponent, openings = opponent_named(name, config.rules, config.seed), config.evaluation_openings
        if name == "past":
            if run.past is None:
                continue
            other = copy.deepcopy(run.player)
            other.load_state_dict(run.past)
            opponent = search_agent(other, config, config.evaluation_simulations, config.seed)
            openings = max(openings, 2)
        found = score_against(run.agent(), opponent, config.rules, config.evaluation_games, openings, config.seed)
        rows.append({"opponent": name, **found})
    run.past = copy_weights(run.player)
    run.metrics[-1]["evaluations"] = rows
    return rows


def score_against(agent, opponent, rules: Rules | GameRules, games: int, openings: int = 0, seed: int = 0) -> dict:
    """A match from the empty board: wins, draws, losses, score, low, high (95%); as_first, as_second: [w, d, l]."""
    result = match(agent, opponent, games, game=rules.board(), openings=openings, seed=seed)
    if result.faults:
        reason, count = result.faults.most_common(1)[0]
        raise ValueError(f"No score: {count} of {games} games were lost off the board: {reason}.")
    colors = (result.scores[::2], result.scores[1::2])
    sides = [[int((scores == score).sum()) for score in (1, 0.5, 0)] for scores in colors]
    return result.summary | {"as_first": sides[0], "as_second": sides[1]}


def pass_gate(run) -> bool:
    """Let the newest (averaged) weights play if they score more than `gate` against the playing ones."""
    config, openings = run.config, max(run.config.evaluation_openings, 2)
    newest, playing = (
        search_agent(net, config, config.evaluation_simulations, config.seed) for net in (run.average, run.player)
    )
    found = score_against(newest, playing, config.rules, config.evaluation_games, openings, config.seed)
    passed = found["score"] > config.gate
    if passed:
        run.player.load_state_dict(copy_weights(run.average))
    run.metrics[-1]["gate"] = {"score": found["score"], "passed": passed}
    return passed


def share_spent(run, budget: dict[str, float]) -> float:
    """How much of a budget, iterations, cpu_seconds or minutes, is used up: 1 and more where one of them is."""
    used = {"iterations": run.iteration, "cpu_seconds": run.cpu_seconds, "minutes": run.seconds / 60}
    return max(used[name] / limit if limit else 1.0 for name, limit in budget.items())


def report(run, budget: dict[str, float] | None = None) -> str:
    """How a run stands, in one line of plain text; rates and shares are of the last ten iterations.

    *busy* is the share in which the net (on CUDA: the GPU) answered or learned, told where no workers played.
    """
    rows, earlier, budget = run.metrics[-10:], run.metrics[:-10], budget or {}

    def total(*names: str) -> float:
        return sum(row[name] for row in rows for name in names)

    row, seconds = rows[-1], max(total("selfplay_seconds", "training_seconds"), 1e-9)
    steps = row["steps"] - (earlier[-1]["steps"] if earlier else 0)
    parts = [
        f"iteration {row['iteration']}" + (f"/{budget['iterations']}" if "iterations" in budget else ""),
        f"{row['games']} games ({total('new_games') / seconds:.1f}/s)",
        f"{row['positions']} positions",
        f"{total('simulations') / seconds:,.0f} simulations/s",
        f"{row['steps']} steps",
        f"{steps * run.config.batch_size / seconds:,.0f} positions trained/s",
        f"training {total('training_seconds') / seconds:.0%} of the time",
    ]
    if all("net_seconds" in row for row in rows):
        device = "GPU" if device_of(run.net).type == "cuda" else "net"
        parts.append(f"{device} busy {total('net_seconds', 'gradient_seconds') / seconds:.0%} of the time")
    if row["policy_loss"] is not None:
        parts.append(f"policy {row['policy_loss']:.3f} (never below {row['target_entropy']:.3f})")
        parts.append(f"value {row['value_loss']:.3f}")
    for found in row.get("evaluations", []):
        parts.append(f"against {found['opponent']} {found['score']:.2f} ({found['low']:.2f} to {found['high']:.2f})")
    if budget:
        share = max(share_spent(run, budget), 1e-9)
        parts.append(f"{max(1 / share - 1, 0) * run.seconds:.0f} s left")
    return ", ".join(parts)
