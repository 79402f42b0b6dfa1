"""Positions on the boards that the page offers, and how often mock5lib's search visits each move there.

    python tests/page_vectors.py        writes tests/data/page_visits.json.gz

The positions are prefixes of the ladders' games, and on 6×6 of games between two trained nets.
The search is the ladder's: `Search` with forced moves, a fresh tree, 64 simulations. It asks the stored checkpoint in
double precision (`exact_expert`); where PyTorch's float32 leads to other visits, those are kept too.
"""

import gzip
import json
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
STORED = Path(__file__).resolve().parent / "data" / "page_visits.json.gz"
BOARDS = {  # height, k, and the checkpoints of the page's nets; positions take turns
    6: (4, {"alphazero_tiny": "alphazero_tiny/round_60", "alphazero_tiny_10": "alphazero_tiny/round_10"}),
    9: (5, {"alphazero_9x9": "alphazero_9x9", "supervised_9x9": "supervised_9x9"}),
    15: (5, {"alphazero_15x15": "alphazero_15x15", "supervised_15x15": "supervised_15x15"}),
}
POSITIONS, SIMULATIONS = 200, 64


def load() -> list[dict]:
    """The stored positions: side, k, net, history, visits as {move: visits}, and `float32` where those differ."""
    with gzip.open(STORED, "rt") as file:
        return json.load(file)


def games_of(side: int) -> list[list[int]]:
    """The moves of many games on this board."""
    if side == 6:
        return tiny_games()
    lines = (ROOT / "data" / "ladder" / f"{side}x{side}" / "games.jsonl").read_text().splitlines()[1:]
    return [[int(move) for move in game[2].split()] for line in lines for game in json.loads(line)["games"]]


def tiny_games(number: int = 60) -> list[list[int]]:
    """Games of the net after 10 rounds with the one after 60, drawn from their policies."""
    from mock5lib import Mock5
    from mock5lib.nets import NetAgent, load_checkpoint

    nets = [load_checkpoint(ROOT / "data" / "checkpoints" / folder).net for folder in BOARDS[6][1].values()]
    players = [NetAgent(net, temperature=1.0, seed=6) for net in nets]
    games = [Mock5(6, 6, k=4) for _ in range(number)]
    while running := [game for game in games if game.winner is None]:
        for game, move in zip(running, players[len(running[0].history) % 2].moves(running)):
            game.apply(move)
    return [game.history for game in games]


def positions_of(side: int) -> list[list[int]]:
    """Histories of distinct positions that are not over, from all stages of the games."""
    rng, games, found = np.random.default_rng(side), games_of(side), {}
    while len(found) < POSITIONS:
        moves = games[rng.integers(len(games))]
        history = moves[: rng.integers(2, len(moves))]
        found[tuple(history)] = list(history)
    return list(found.values())


def exact_expert(net):
    """A net in double precision as an expert whose answers are rounded to float32 at the end.

    In float32 the order of a sum decides between moves that a symmetry makes equal, and it differs from one library and
    one processor to the next. Here such moves are equal, and the search takes the lower index.
    """
    import torch

    from mock5lib.nets.blocks import empty_points

    net = net.double().eval()

    @torch.inference_mode()
    def expert(planes):
        given = torch.from_numpy(planes).double()
        features, empty = net.trunk(given), empty_points(given)
        scores = net.policy(features, empty).masked_fill(~empty, -torch.inf).flatten(1)
        return torch.log_softmax(scores, dim=1).float().numpy(), net.value(features, empty).float().numpy()

    return expert


def visits_with(side: int, net: str, histories: list[list[int]], exact: bool) -> list[dict]:
    """What mock5lib's search makes of positions with this net: {move: visits} of each.

    exact: the net in double precision; else as the ladder's agents ask it, in PyTorch's float32.
    """
    from mock5lib import Mock5
    from mock5lib.nets import expert_of, load_checkpoint
    from mock5lib.search.forest_compiled import Search

    k, nets = BOARDS[side]
    loaded = load_checkpoint(ROOT / "data" / "checkpoints" / nets[net]).net
    search = Search(exact_expert(loaded) if exact else expert_of(loaded), SIMULATIONS, forced_moves=True)
    found = []
    for history in histories:
        visits = search.run([Mock5(side, side, k=k, history=history)])[0].visits  # alone, as an agent asks
        found.append({str(move): int(visits[move]) for move in np.flatnonzero(visits)})
    return found


def positions_with_visits(side: int) -> list[dict]:
    """All positions of one board, as they are stored."""
    k, nets = BOARDS[side]
    histories, stored = positions_of(side), []
    for number, net in enumerate(nets):
        own = histories[number :: len(nets)]
        for history, exact, usual in zip(own, visits_with(side, net, own, True), visits_with(side, net, own, False)):
            one = {"side": side, "k": k, "net": net, "history": history, "visits": exact}
            stored.append(one if exact == usual else {**one, "float32": usual})
    return stored


def main() -> None:
    """Write the file."""
    from mock5lib.base.files import write_whole

    stored = [one for side in BOARDS for one in positions_with_visits(side)]
    write_whole(STORED, gzip.compress(json.dumps(stored, separators=(",", ":")).encode(), mtime=0))
    print(f"{STORED.name}: {len(stored)} positions, {STORED.stat().st_size:,} bytes")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    main()
