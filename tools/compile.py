"""Compile the package's kernels once, so that nobody waits for it later: `python -m tools.compile`; set-up runs it.

Numba compiles a kernel at its first call, for the types of its arguments, and keeps the machine code beside its file
(`mock5lib/base/compiled.py`). So here is, as small as can be, what chapters and commands call. Kernels that are kept
already are only read. What is missing here is compiled where it is first used, which then says so.
"""

import os
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from multiprocessing import get_context

from tools.conditions import FIXED

os.environ.update(FIXED)  # no chatter, and one thread for each process

import numpy as np  # noqa: E402
from numba.core.caching import NullCache  # noqa: E402
from tqdm import tqdm  # noqa: E402

from mock5go.board import Go  # noqa: E402
from mock5go.records import GoRecords  # noqa: E402
from mock5lib import Mock5, names  # noqa: E402
from mock5lib.course import course_file  # noqa: E402
from mock5lib.game.board import Rules  # noqa: E402
from mock5lib.game.board_compiled import playout_tally, random_state, seeded  # noqa: E402
from mock5lib.game.records import Records  # noqa: E402
from mock5lib.search.uct import UCT  # noqa: E402
from mock5lib.search.uct_compiled import FastUCT  # noqa: E402


def play(agent, game) -> None:
    """A few moves of an agent, the later ones in the tree that it keeps, and one in two games at once."""
    for _ in range(3):
        game.apply(agent(game))
    agent.moves([game, game.copy()])


def play_named(name: str) -> None:
    play(names.agent(name, 0), Mock5(9, 9))


def play_uct(game) -> None:
    UCT(5, seed=0)(game)
    play(FastUCT(20, seed=0), game)


def read_records() -> None:
    records = Records.load(course_file("data/records/mixed_9x9.npz")).select(range(2))
    Records.from_games([records.game(0)])
    for symmetries in ("none", "random"):
        next(records.batches(2, symmetries=symmetries))


def generate_records() -> None:
    from mock5lib.gomoku.generator import generate

    generate(2, workers=1)


def count_playouts() -> None:
    game = Mock5(9, 9)
    playout_tally(game.cells, 9, 9, 5, False, game.player, 1, random_state(0))


def look_for_forced_wins() -> None:
    from mock5lib.gomoku.forced_wins import forced_win, refutations, winning_starts

    for look in (forced_win, winning_starts, refutations):
        look(Mock5(9, 9, history=[40, 0, 41, 2, 42, 4]))


def play_episodes() -> None:
    """As REINFORCE does."""
    from mock5lib.gomoku.heuristics import by_name
    from mock5lib.learn import rollouts
    from mock5lib.nets.nets import make_net

    net, rng = make_net("patterns", seed=0), np.random.default_rng(0)
    rollouts.play_episodes(net, [by_name("mixed", 0)], 2, Rules(9, 9), 2, rng)


def self_play() -> None:
    """AlphaZero's loop, until games have ended and the net has learned."""
    from mock5lib.alphazero import loop

    run = loop.AlphaZeroRun(loop.preset("tiny", games=2, plies=36, simulations=8, fill=1, batch_size=8))
    loop.iterate(run)
    loop.iterate(run)
    run.ended[0].moves.setflags(write=False)  # as they are when another process has played
    run.buffer.add(run.ended[0])


def prove() -> None:
    from mock5lib.alphazero.proof import prove
    from mock5lib.nets import expert_of, make_net

    prove(expert_of(make_net("patterns", value=True, seed=0)), Mock5(6, 6, 4), 2, cap=5)


def read_go_records() -> None:
    from mock5go.planes import planes48
    from mock5go.rollout_policy import GoFastPlanes

    records = GoRecords.load(course_file("data/records/gnugo_9x9.npz"))
    for encoder in (planes48, GoFastPlanes()):
        records.positions_at(np.arange(50), encoder)


def encode_for_alphago() -> None:
    """The planes alone: AlphaGo's search shares kernels with AlphaZero's."""
    from mock5lib.alphago.planes import planes48

    planes48.encode([Mock5(9, 9)])


def play_alphago_in_go() -> None:
    """With its search, and its policy against itself."""
    from mock5lib.alphago.games import self_play
    from mock5lib.alphago.nets import load_net, policy_function
    from mock5lib.alphago.train import load_alphago

    nets = course_file("data/checkpoints/go_9x9")
    play(load_alphago(nets, simulations=8, seed=0), Go(9))
    policy = policy_function(load_net(nets / "strong.keras"))
    self_play(policy, policy, 2)


# What is compiled → a call that needs it. Two processes take them in this order: long ones first, and what shares
# kernels not at the same time.
STEPS: dict[str, Callable[[], None]] = {
    "AlphaGo's planes": encode_for_alphago,
    "AlphaZero's search": partial(play_named, "alphazero@8"),
    "games of heuristic players": generate_records,
    "UCT": partial(play_uct, Mock5(9, 9)),
    "AlphaGo in Go": play_alphago_in_go,
    "heuristic players": partial(play_named, "mixed"),
    "Keras policies": partial(play_named, "policy:data/checkpoints/alphago_9x9/strong.keras"),
    "forced wins": look_for_forced_wins,
    "AlphaGo": partial(play_named, "alphago@8"),
    "UCT in Go": partial(play_uct, Go(9)),
    "self-play": self_play,
    "records": read_records,
    "records of Go": read_go_records,
    "episodes of REINFORCE": play_episodes,
    "proofs": prove,
    "playouts": count_playouts,
}


def run(name: str) -> None:
    """One step, in a process of its own."""
    STEPS[name]()


def main() -> int:
    if isinstance(seeded._cache, NullCache):
        print("Numba finds no folder to keep machine code in: kernels are compiled anew in each process.")
        return 0
    failed = []
    context = get_context("spawn")
    with ProcessPoolExecutor(min(2, os.cpu_count() or 1), mp_context=context) as pool, tqdm(total=len(STEPS)) as bar:
        waiting = {pool.submit(run, name): name for name in STEPS}
        for done in as_completed(dict(waiting)):
            name = waiting.pop(done)
            if problem := done.exception():
                failed.append(f"{name} ({type(problem).__name__}: {problem})")
            bar.set_description(next(iter(waiting.values()), "kernels"), refresh=False)
            bar.update()
    if failed:
        print(f"Not compiled, and so compiled at its first use: {'; '.join(failed)}", file=sys.stderr)
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
