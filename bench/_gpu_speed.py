"""How fast a device answers, searches and plays."""

from __future__ import annotations

import time

import numpy as np
import torch
from torch.utils.flop_counter import FlopCounterMode

from bench._gpu_tests import planes_of
from bench._rate import best_rate
from mock5lib.alphazero import loop as az
from mock5lib.alphazero.selfplay import SelfPlay
from mock5lib.nets.cuda_graph import CapturedExpert, Metered
from mock5lib.nets.nets import expert_of, half_type, make_net
from mock5lib.search.puct.forest import Forest
from mock5lib.search.puct.pipeline import search_in_turns

SIMULATIONS = 16  # of each position, where the search is measured


def expert_for(job, name: str, capture: bool):
    """An untrained net of this kind as an expert that counts its device's seconds."""
    net = make_net(name, value=True, seed=0, **getattr(job.size, name)).eval().to(job.device)
    captured = CapturedExpert(net)
    return captured if capture else Metered(expert_of(net, half=captured.half), job.device)


# The card's own figures -------------------------------------------------------------------------------------------


def arithmetic(job) -> dict:
    """what the card can do at best: operations of a large product of matrices, bytes of a large copy, per second"""
    found = {"card": torch.cuda.get_device_name(job.device) if job.device.type == "cuda" else "CPU"}
    if job.device.type == "cuda":
        own = torch.cuda.get_device_properties(job.device)
        found |= {"memory_gib": round(own.total_memory / 2**30, 1), "multiprocessors": own.multi_processor_count}
    half = half_type(job.device)
    for name, dtype in (("float32", torch.float32), (str(half).removeprefix("torch."), half)):
        found[f"tflops {name}"] = product_rate(job, dtype) / 1e12
    found["tflops 16 bits"] = found[f"tflops {str(half).removeprefix('torch.')}"]
    return {**found, "gigabytes": copy_rate(job) / 1e9}


def waited(job, work, seconds: float = 1.0) -> float:
    """How often a second `work` is done, launches waited for."""

    def three():
        for _ in range(3):
            work()
        if job.device.type == "cuda":
            torch.cuda.synchronize(job.device)
        return 3

    return best_rate(three, min(seconds, job.size.seconds))


def product_rate(job, dtype: torch.dtype) -> float:
    """Additions and multiplications a second."""
    side = job.size.matrix
    one, other = (torch.randn(side, side, device=job.device).to(dtype) for _ in range(2))
    return 2 * side**3 * waited(job, lambda: one @ other)


def copy_rate(job) -> float:
    """Bytes read and written a second."""
    one = torch.zeros(job.size.matrix**2, device=job.device)
    other = torch.empty_like(one)
    return 2 * one.nbytes * waited(job, lambda: other.copy_(one))


# Nets -------------------------------------------------------------------------------------------------------------


def operations_of(name: str, job) -> float:
    """Additions and multiplications of one board."""
    net = make_net(name, value=True, seed=0, **getattr(job.size, name)).eval()
    with FlopCounterMode(display=False) as counter, torch.inference_mode():
        net(torch.from_numpy(planes_of(1, job.size.side)))
    return float(counter.get_total_flops())


def boards(job) -> dict:
    """boards a second of the residual and the patterns net, against the card's arithmetic and its memory"""
    best, rows = job.found("arithmetic"), []
    for name in ("residual", "patterns"):
        operations = operations_of(name, job)
        for batch in job.size.batches:
            for capture in (False, True):
                expert, planes = expert_for(job, name, capture), planes_of(batch, job.size.side)

                def work(expert=expert, planes=planes, batch=batch):
                    expert(planes)
                    return batch

                rate = best_rate(work, job.size.seconds)
                peak = best["tflops 16 bits" if name == "residual" and job.device.type == "cuda" else "tflops float32"]
                row = {"net": name, "boards": batch, "captured": capture, "boards/s": rate}
                row["arithmetic"] = rate * operations / (peak * 1e12)
                if name == "patterns":  # four lines of two players at each point, a vector each, read and summed
                    gathered = job.size.side**2 * 8 * 2 * job.size.patterns["width"] * 4
                    row["memory"] = rate * gathered / (best["gigabytes"] * 1e9)
                rows.append(row)
    return {"rows": rows, "gflop": {name: operations_of(name, job) / 1e9 for name in ("residual", "patterns")}}


# Search and self-play -----------------------------------------------------------------------------------------------


def search(job) -> dict:
    """simulations a second by games in flight: lockstep or two halves, launched step by step or captured"""
    rows = [
        searched(job, name, games, halves, capture)
        for name, captures in (("residual", (False, True)), ("patterns", (True,)))
        for games in job.size.batches
        for halves in (1, 2)
        for capture in captures
    ]
    return {"rows": rows}


def searched(job, name: str, games: int, halves: int, capture: bool) -> dict:
    """One way to search, from the empty board."""
    expert, side = expert_for(job, name, capture), job.size.side
    forests = [Forest(games // halves, side, side, nodes=SIMULATIONS + 1) for _ in range(halves)]

    def work() -> int:
        for forest in forests:
            forest.reset()
        search_in_turns(forests, expert, SIMULATIONS)
        return games * SIMULATIONS

    work()  # compiles, records
    done, before, start = 0, expert.seconds, time.perf_counter()
    while time.perf_counter() - start < job.size.seconds:
        done += work()
    passed = time.perf_counter() - start
    row = {"net": name, "games": games, "halves": halves, "captured": capture}
    return {**row, "simulations/s": done / passed, "busy": (expert.seconds - before) / passed}


def selfplay(job) -> dict:
    """positions of self-play a second, with the preset as it is and a fresh net"""
    config = az.preset("gpu", **job.size.changes)
    run = az.AlphaZeroRun(config, job.device)
    play, expert, rng = SelfPlay(config, halves=2), run.expert(), run_rng()
    play.play(expert, 1, rng)  # compiles, records
    positions = simulations = 0
    before, start = expert.seconds, time.perf_counter()
    while (passed := time.perf_counter() - start) < 4 * job.size.seconds:
        tally = play.play(expert, 1, rng)
        positions, simulations = positions + tally.positions, simulations + tally.simulations
    per_round = config.games * config.plies * passed / positions
    found = {"positions/s": positions / passed, "simulations/s": simulations / passed}
    return {**found, "busy": (expert.seconds - before) / passed, "seconds per round, playing": per_round}


def run_rng() -> np.random.Generator:
    """The same draws in each call."""
    return np.random.default_rng(0)
