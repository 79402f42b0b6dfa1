"""How a run of self-play is measured: matches of its player against fixed opponents, and the gate.

`run` is a `Run` and `config` a `Config` of `alphazero.py`, whose loop calls these functions and hands them on.
"""

from __future__ import annotations

import copy

from torch import nn

from mock5lib.arena.match import match
from mock5lib.game.board import Mock5
from mock5lib.gomoku import heuristics_fast as fast
from mock5lib.gomoku.heuristics import by_name as heuristic_by_name
from mock5lib.learn.supervised import copy_weights
from mock5lib.nets.nets import expert_of
from mock5lib.search.puct.agent import SearchAgent
from mock5lib.search.uct.compiled import FastUCT


def search_agent(net: nn.Module, config, simulations: int | None = None, expert=None, **options) -> SearchAgent:
    """A net with the search of a config, to play as well as it can: no noise, the most visited move.

    expert: of the net; default: `expert_of(net)`.
    """
    chosen = {"c": config.c, "fpu": config.fpu, "forced_moves": config.forced_moves, "seed": config.seed, **options}
    simulations = simulations or config.evaluation_simulations
    return SearchAgent(expert or expert_of(net), simulations, name=f"alphazero@{simulations}", **chosen)


def opponent_named(name: str, k: int, seed: int):
    """A fixed opponent: "mcts:N", "random" or another heuristic; None for "past".

    Raises:
        ValueError: there is no such opponent, or it does not play this k.
    """
    kind, _, number = name.partition(":")
    if kind == "mcts" and number.isdigit() and int(number) > 0:
        return FastUCT(int(number), seed=seed, keep_tree=False)
    if name in fast.KINDS:
        if k != 5 and name != "random":
            raise ValueError(f"Of the opponents, {name!r} is defined for five in a row only, this game has k = {k}.")
        return heuristic_by_name(name, seed)
    if name == "past":
        return None
    raise ValueError(f"opponents are 'mcts:N', {', '.join(map(repr, fast.KINDS))} or 'past', got {name!r}.")


def evaluate(run) -> list[dict]:
    """Matches of the player against the config's opponents; see `Run.evaluations`. Opens a gate if there is one."""
    config = run.config
    if config.gate is not None:
        pass_gate(run)
    rows = [play_opponent(run, name) for name in config.opponents if name != "past" or run.past is not None]
    run.past = copy_weights(run.player)
    run.metrics[-1]["evaluations"] = rows
    return rows


def play_opponent(run, name: str) -> dict:
    """One match of the player."""
    config, openings = run.config, run.config.evaluation_openings
    opponent = opponent_named(name, config.k, config.seed)
    if name == "past":
        other = copy.deepcopy(run.player)
        other.load_state_dict(run.past)
        opponent, openings = search_agent(other, config), max(openings, 2)
    return {"opponent": name, **score_against(run.agent(), opponent, config, config.evaluation_games, openings)}


def score_against(agent, opponent, config, games: int, openings: int = 0) -> dict:
    """A match from the config's board: wins, draws, losses, score, low, high (95 %), and the same by colour.

    Returns:
        as_first and as_second are [wins, draws, losses].
    """
    game = Mock5(config.height, config.width, config.k, exact=config.exact)
    result = match(agent, opponent, games, game=game, openings=openings, seed=config.seed)
    low, high = result.interval
    colours = (result.points[::2], result.points[1::2])
    sides = [[int((points == point).sum()) for point in (1, 0.5, 0)] for points in colours]
    return {
        "games": games,
        "wins": result.wins,
        "draws": result.draws,
        "losses": result.losses,
        "score": result.score,
        "low": low,
        "high": high,
        "as_first": sides[0],
        "as_second": sides[1],
    }


def pass_gate(run) -> bool:
    """Let the newest (averaged) weights play if they score more than `gate` against the playing ones."""
    config = run.config
    newest, playing = search_agent(run.average, config), search_agent(run.player, config)
    found = score_against(newest, playing, config, config.evaluation_games, max(config.evaluation_openings, 2))
    passed = found["score"] > config.gate
    if passed:
        run.player.load_state_dict(copy_weights(run.average))
    run.metrics[-1]["gate"] = {"score": found["score"], "passed": passed}
    return passed
