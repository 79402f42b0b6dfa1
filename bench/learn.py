"""Learning on 9×9: training samples, and games of REINFORCE, one thread of torch

The form that REINFORCE is compared with is the textbook's: play one game against the mixed opponent, the net answering
one board at a time, then step along that game's gradient. It uses the same net, opponent and rules.
"""

import numpy as np
import torch

from bench._rate import best_rate, row
from mock5lib import Mock5, agents
from mock5lib.game.encoders import three_planes
from mock5lib.gomoku.generator import generate
from mock5lib.learn import play_episodes, play_one_episode, train
from mock5lib.learn.reinforce import ReinforceSettings, reinforce
from mock5lib.learn.rollouts import Rules
from mock5lib.nets import heads, make_net

NETS = ("linear", "stack", "patterns", "residual")


def training(seconds: float) -> list[dict]:
    """Samples a second of a training step, from records to changed weights, by net."""
    records = generate(1000, "mixed", "mixed", 9, 9, randomness=0.2, seed=1)

    def rate(name: str) -> float:
        net = make_net(name, value=True, seed=0)

        def work():
            train(net, records, steps=20, batch_size=64, lr=1e-3, progress=False)
            return 20 * 64

        return best_rate(work, seconds)

    return [row(f"training, {name} net with value head, batches of 64", rate(name), "samples/s") for name in NETS]


def step_along(net, optimizer, steps, result: float) -> None:
    """A step along one game's policy gradient: push all its moves by its result."""
    planes = torch.from_numpy(three_planes.encode([game for game, _ in steps]))
    moves = torch.tensor([move for _, move in steps])
    log_priors, _ = heads(net, planes)
    loss = -result * log_priors.gather(1, moves[:, None]).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def games_of_reinforce(name: str, games: int, seconds: float) -> list[dict]:
    """Games a second: playing alone, and whole iterations with their gradients."""
    net, opponent, rng = make_net(name, seed=0), agents.mixed(0), np.random.default_rng(0)
    optimizer = torch.optim.Adam(net.parameters(), 1e-6)

    def play_batch():
        play_episodes(net, [opponent], games, Rules(), 0, rng)
        return games

    def play_one():
        play_one_episode(net, opponent, Mock5(9, 9), 1, rng)
        return 1

    def learn_batch():
        settings = ReinforceSettings(iterations=1, games=games, lr=1e-6, opening_plies=0, evaluate_every=0)
        reinforce(net, opponent, settings, progress=False)
        return games

    def learn_one():
        step_along(net, optimizer, *play_one_episode(net, opponent, Mock5(9, 9), 1, rng))
        return 1

    one, one_learnt = best_rate(play_one, seconds), best_rate(learn_one, seconds)
    return [
        row(
            f"playing, {name} net, {games} games side by side",
            best_rate(play_batch, seconds),
            "games/s",
            "one game at a time",
            one,
        ),
        row(
            f"REINFORCE, {name} net, {games} games a step",
            best_rate(learn_batch, seconds),
            "games/s",
            "one game at a time",
            one_learnt,
        ),
    ]


def run(quick: bool = False) -> list[dict]:
    """All rows; `quick` takes a tenth of the time."""
    seconds, threads = 0.3 if quick else 3.0, torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        rows = training(seconds)
        for name in ("linear", "patterns"):
            for games in (64, 512):
                rows += games_of_reinforce(name, games, seconds)
        return rows
    finally:
        torch.set_num_threads(threads)
