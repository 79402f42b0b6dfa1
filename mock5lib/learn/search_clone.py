"""Play with a search, clone the winners: the experiment of lumiknit, "18. 8th Attempt: MCTS with Networks" (2022).

Episodes are games against the mixed opponent in which a search chooses the learner's moves. The net then learns from
every position of the finished games, in all symmetries of the board:

    loss = − mean(q · log p(move)) + value_weight · SmoothL1(v, r)

r is the game's result for the player to move there, 1, 0 or −1, and q is 1 where r is 1, else 0. So the policy
clones the winner's moves, whoever won, and learns nothing from draws and from the loser's moves.

Two ideas that the author left open: pre-training on records is `supervised.train` before the first episode. And
`late_simulations` lets the number of simulations a move grow with the score.

What differs from the notebook: `games` episodes run in lockstep through the forest (`search/forest_compiled.py`), whose
search has none of the notebook's defects and keeps its tree from move to move; their positions are shuffled together
before the steps, as many as the notebook would take; and an episode may start from a few random moves, each such
opening played with both colors.

Each round draws its lots from (seed, round) alone: a run that was killed goes on from its last checkpoint to the same
log.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field
from typing import NamedTuple

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from mock5lib.arena.matches import score_interval
from mock5lib.base.contract import agent_name
from mock5lib.base.progress import progress_bar
from mock5lib.base.runs import RunFolder
from mock5lib.game.board import Rules
from mock5lib.game.encoders import three_planes
from mock5lib.game.lockstep_compiled import Table
from mock5lib.game.records import Records
from mock5lib.gomoku.heuristics import by_name as heuristic_by_name
from mock5lib.learn.rollouts import answers, play_openings
from mock5lib.learn.settings import CloneSettings
from mock5lib.learn.supervised import to_tensors
from mock5lib.learn.trainer import Trainer
from mock5lib.nets.nets import device_of, expert_of, has_value, heads
from mock5lib.search.forest_compiled import Forest
from mock5lib.search.trees_compiled import Options


class Games(NamedTuple):
    """Finished games, and what came of them for the learner."""

    records: Records
    results: np.ndarray  # (G,) 1, 0 or −1 for the learner; games 2p and 2p + 1 share an opening
    searched: int  # positions that were searched


@dataclass
class CloneRun:
    """A run: the net as it stands, and one row for each round (see `clone_search`)."""

    net: nn.Module
    settings: CloneSettings
    rows: list[dict] = field(default_factory=list)

    @property
    def episodes(self) -> int:
        """Games played so far."""
        return self.rows[-1]["episodes"] if self.rows else 0

    def last(self, games: int) -> list[float]:
        """The learner's scores in the last so many games, in order of play."""
        return [score for row in self.rows for score in row["points"]][-games:]

    def score(self, games: int = 200) -> tuple[float, float, float]:
        """Score over the last so many games with its 95% interval: (score, low, high)."""
        return score_of(self.last(games))


def score_of(scores: list[float]) -> tuple[float, float, float]:
    """Mean of scores, which come in pairs of games that share an opening, with its 95% interval."""
    pairs = np.asarray(scores, dtype=float).reshape(-1, 2).mean(axis=1)
    return (float(pairs.mean()), *score_interval(pairs))


# Playing --------------------------------------------------------------------------------------------------------


def play_games(
    expert: Callable,
    opponent,
    games: int,
    simulations: int,
    rules: Rules,
    opening_plies: int,
    rng: np.random.Generator,
    **options,
) -> Games:
    """Play games in lockstep; the learner is black in every other one and plays its search's best move.

    Args:
        expert: as in `search.forest_compiled`. opponent: an agent. simulations: a move.
        opening_plies: random moves at the start of each pair of games.
        rng: for openings and opponent. options: of the search, see `search.trees_compiled.Options`.
    """
    table = Table(games, rules.board())
    play_openings(table, opening_plies, rng)
    seed, nodes = int(rng.integers(2**62)), 3 * simulations + 1
    forest = Forest(games, *rules, roots=table.positions, nodes=nodes, seed=seed, **options)
    colors, searched = (1 + np.arange(games) % 2).astype(np.int8), 0
    while (running := table.running).size:
        own = table.players(running) == colors[running]
        moves = np.full(games, -1, dtype=np.int64)
        if own.any():
            wanted = np.zeros(games, dtype=np.int64)
            wanted[running[own]] = simulations
            forest.search(expert, wanted)
            moves[running[own]] = forest.best_moves()[running[own]]
            searched += int(own.sum())
        if not own.all():
            moves[running[~own]] = answers(opponent, table, running[~own], rng)
        forest.advance(moves)
        table.note(running, moves[running], forest.winners[running])
    return Games(Records.from_table(table), table.results(slice(None), colors), searched)


# Learning -------------------------------------------------------------------------------------------------------


def clone_losses(net: nn.Module, planes, moves, outcomes) -> tuple[torch.Tensor, torch.Tensor]:
    """(−mean(q · log p(move)), SmoothL1(v, r)): r are the outcomes (B,) for the player to move, q is 1 where r is 1."""
    log_priors, values = heads(net, planes)
    played = log_priors.gather(1, moves[:, None])[:, 0]
    return -(played * (outcomes == 1)).mean(), functional.smooth_l1_loss(values, outcomes)


def learn_from(trainer: Trainer, records: Records, settings: CloneSettings, number: int) -> dict:
    """Take `settings.steps` steps for each game of a round, on all its positions in all symmetries; the mean losses."""
    net = trainer.net
    size = math.ceil(records.positions * len(records.symmetries) / len(records))
    losses = []
    net.train()
    for again in range(settings.steps):
        for batch in records.batches(size, symmetries="all", seed=[settings.seed, number, 2, again]):
            policy_loss, value_loss = clone_losses(net, *to_tensors(batch, device_of(net)))
            trainer.step(policy_loss + settings.value_weight * value_loss, f"Round {number + 1}")
            losses.append((policy_loss.item(), value_loss.item()))
    net.eval()
    means = np.mean(losses, axis=0).tolist() if losses else (None, None)
    return {"policy_loss": means[0], "value_loss": means[1]}


def simulations_for(settings: CloneSettings, rows: list[dict]) -> int:
    """How many simulations a move the next round gets: the second open idea, where it is asked for."""
    if settings.late_simulations is None or not rows:
        return settings.simulations
    scores = [score for row in rows for score in row["points"]][-settings.window :]
    share = min(1.0, float(np.mean(scores)) / settings.full_score)
    wanted = settings.simulations + share * (settings.late_simulations - settings.simulations)
    return max(rows[-1]["simulations"], round(wanted))


# The loop -------------------------------------------------------------------------------------------------------


def clone_search(
    net: nn.Module,
    settings: CloneSettings | None = None,
    *,
    opponent="mixed",
    rules: Rules | None = None,
    folder=None,
    keep_every: int = 4,
    stop_after: int | None = None,
    progress: bool = True,
    **options,
) -> CloneRun:
    """Run the experiment. Changes the net in place.

    Args:
        net: a two-headed net (`make_net(…, value=True)`, or "expert", the notebook's own), pre-trained or not.
        opponent: an agent, or the name of a heuristic one.
        rules: the game; default 9 × 9, five in a row.
        folder: where to keep the log (`log.jsonl`, a row for each round) and checkpoints. If a run with the same
            settings is there, it goes on from its last checkpoint; `episodes` may be more than before.
        keep_every: rounds between checkpoints. stop_after: rounds to play in this call; default: all.
        options: of the search. Default: rule="log-ucb", c=1.4, as in the notebook.

    Returns:
        The run. Its rows have: episodes (so far), simulations, wins, draws, losses, points (of each game of the round,
        in order), plies (mean), policy_loss, value_loss, searched (positions), seconds and cpu_seconds (this round's).

    Raises:
        ValueError: a net without a value head, a folder that holds another run, or a damaged checkpoint.
        DivergedError: the loss became NaN or infinite.
    """
    settings, rules = settings or CloneSettings(), rules or Rules()
    options = {"rule": "log-ucb", "c": 1.4, **options}
    Options(**options)  # for its checks
    opponent = heuristic_by_name(opponent, 0) if isinstance(opponent, str) else opponent
    if not has_value(net, rules.height, rules.width):
        raise ValueError("The experiment needs a net with a value head: make_net(…, value=True).")
    net.eval()
    optimizer = torch.optim.Adam(net.parameters(), lr=settings.lr, weight_decay=settings.weight_decay)
    run, trainer = CloneRun(net, settings), Trainer(net, optimizer, settings.clip)
    about = {**asdict(settings), "rules": list(rules), "opponent": agent_name(opponent), "search": options}
    card = {**rules._asdict(), "encoder": three_planes, "training": {"search_clone": about}}
    kept = nullcontext() if folder is None else RunFolder(folder, about, log="log.jsonl", length=("episodes",))
    played = 0
    with kept as store, progress_bar(settings.episodes, progress, "game") as shown:
        if store is not None:
            run.rows, _ = trainer.resume(store, **card)
            if progress and store.news:
                shown.write(store.news)
        shown.update(run.episodes)
        while run.episodes < settings.episodes and (stop_after is None or played < stop_after):
            run.rows.append(one_round(run, trainer, opponent, rules, options))
            played += 1
            if store is not None:
                store.append(run.rows[-1])
                if len(run.rows) % keep_every == 0 or run.episodes >= settings.episodes:
                    trainer.keep(store, run.rows, {"rounds": len(run.rows)}, **card)
            shown.set_postfix_str(f"score {np.mean(run.last(settings.window)):.3f}", refresh=False)
            shown.update(len(run.rows[-1]["points"]))
    return run


def play_round(run: CloneRun, opponent, rules: Rules, options: dict) -> Games:
    """The games of a run's next round, fewer in the last; the run stays as it was."""
    settings, number = run.settings, len(run.rows)
    rng = np.random.default_rng([settings.seed, number])
    if isinstance(getattr(opponent, "rng", None), np.random.Generator):  # so that a resumed run meets the same one
        opponent.rng = np.random.default_rng([settings.seed, number, 1])
    left = settings.episodes - run.episodes
    count = min(settings.games, left + left % 2)
    expert = expert_of(run.net, half=settings.half)
    simulations = simulations_for(settings, run.rows)
    return play_games(expert, opponent, count, simulations, rules, settings.opening_plies, rng, **options)


def one_round(run: CloneRun, trainer: Trainer, opponent, rules: Rules, options: dict) -> dict:
    """Play the games of a round and learn from them; returns the row."""
    wall, cpu = time.perf_counter(), time.process_time()
    games = play_round(run, opponent, rules, options)
    losses = learn_from(trainer, games.records, run.settings, len(run.rows))
    results = games.results
    return {
        "episodes": run.episodes + len(results),
        "simulations": simulations_for(run.settings, run.rows),
        "wins": int((results == 1).sum()),
        "draws": int((results == 0).sum()),
        "losses": int((results == -1).sum()),
        "points": ((results + 1) / 2).tolist(),
        "plies": float(games.records.lengths.mean()),
        **losses,
        "searched": games.searched,
        "seconds": round(time.perf_counter() - wall, 2),
        "cpu_seconds": round(time.process_time() - cpu, 2),
    }
