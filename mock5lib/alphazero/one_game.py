"""`play_game`: one game of self-play with everything in the open, after "AIX Project, Part 4: reinforcement learning".

One net or two; one search tree for both, or one each; who begins is fixed or drawn; the game is shown as it goes; its
positions go to a replay buffer and come back to the caller. `selfplay.py` is the fast way for many games.

What differs from the article's code: each position's outcome belongs to the player to move there, whoever ended the
game; the policy that is kept is the share of visits, and the temperature only draws the move; positions are copies;
two nets never share a tree.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from torch import nn

from mock5lib.alphazero.replay import ReplayBuffer, SelfPlayGame
from mock5lib.base.arguments import above, generator_of
from mock5lib.game.board import Mock5
from mock5lib.game.lockstep_compiled import sample_visited
from mock5lib.game.position_compiled import stack
from mock5lib.nets.nets import expert_of
from mock5lib.search.forest_compiled import Forest, ForestResult

LATE_TEMPERATURE = 0.08  # the article's
BLUE, CYAN, RED, PLAIN = "\033[34m", "\033[36m", "\033[31m", "\033[0m"


class SearchedPosition(NamedTuple):
    """One searched position of a game."""

    game: Mock5  # a copy of the position
    player: int  # who was to move, 1 or 2
    policy: np.ndarray  # (H * W,) share of visits
    outcome: float  # of the game for that player, discounted


class Played(NamedTuple):
    """What came of `play_game`."""

    result: int  # 1 if net 1 won, −1 if net 2 did, 0 for a draw
    steps: int  # moves of both
    history: list[SearchedPosition]  # in order of play; empty unless asked for


class TreeStore:
    """A search tree that follows one game.

    Args:
        height, width, k, exact: the game. nodes: of the tree; default room is for three searches of 400.
        seed: of its noise. options: see `search.trees_compiled.Options`.
    """

    def __init__(self, height=15, width=15, k=5, exact=False, *, nodes: int = 1201, seed: int = 0, **options):
        self.forest = Forest(1, height, width, k, exact, nodes=nodes, seed=seed, **options)
        self.net: nn.Module | None = None

    def update_root_node(self, game: Mock5, net: nn.Module) -> None:
        """Stand at a position: keep the part of the tree below the moves played since, or start afresh."""
        forest = self.forest
        new = np.flatnonzero(forest.boards[0] != game.cells)
        since = game.history[len(game.history) - len(new) :]
        known = self.net is net and forest.winners[0] == -1 and not forest.boards[0][new].any()
        if known and len(new) <= 2 and sorted(since) == new.tolist():
            for move in since:
                forest.advance(np.array([move]))
        if not known or forest.players[0] != game.player or (forest.boards[0] != game.cells).any():
            forest.reset(stack([game]))
        self.net = net

    def search_batch(self, searches: int, expert: Callable) -> ForestResult:
        """Search; `searches` steps of the store's `leaves` each."""
        self.forest.search(expert, searches * self.forest.options.leaves)
        return self.forest.result(0)


def play_game(
    game: Mock5,
    stores,
    buffer: ReplayBuffer | None,
    net1: nn.Module,
    net2: nn.Module | None = None,
    *,
    steps_before_tau_0: int = 10,
    searches: int = 100,
    batch_size: int = 1,
    net1_plays_first: bool = False,
    device: str = "cpu",
    render: bool | Callable = False,
    return_history: bool = False,
    gamma: float | None = None,
    noise: float = 0.25,
    seed=None,
) -> Played:
    """Play one game between two nets with their searches, on from `game`, which is changed in place.

    Args:
        stores: None for two fresh trees; a `TreeStore` for both players; or a pair of them. Two different nets can't
            share one.
        buffer: gets the searched positions; None for none.
        net1, net2: with two heads. net2 None: net 1 plays itself.
        steps_before_tau_0: so many moves are drawn from the visits; later ones at a temperature of 0.08.
        searches, batch_size: each search step looks at `batch_size` leaves: searches · batch_size simulations a move.
            A store has `leaves` of its own.
        net1_plays_first: else the lot decides.
        render: True prints board and, for each move, the three most visited ones; or a function that gets the text.
        return_history: give the positions back, with their outcomes.
        gamma: discount of outcomes per move that followed, in the buffer and in the history alike. Default: the
            buffer's own, or 1.
        noise: weight of the root's Dirichlet noise, for fresh trees. seed: a whole number, a Generator or None.

    Raises:
        ValueError: two nets on one tree.
    """
    rng = generator_of(seed)
    if gamma is None:
        gamma = 1.0 if buffer is None else buffer.discount
    above(0, gamma=gamma)
    nets = (net1, net1 if net2 is None else net2)
    stores = stores_for(game, stores, nets, searches * batch_size, batch_size, noise, rng)
    experts = [expert_of(net, device) for net in nets]
    show = render if callable(render) else print if render else lambda text: None
    turn = 0 if net1_plays_first or rng.random() < 0.5 else 1
    net1_player = game.player if turn == 0 else 3 - game.player
    opening, found = len(game.history), []
    while game.winner is None:
        stores[turn].update_root_node(game, nets[turn])
        result = stores[turn].search_batch(searches, experts[turn])
        warm = len(game.history) - opening < steps_before_tau_0
        policy = result.visits / result.visits.sum()
        drawn = sample_visited(policy[None], np.array([result.move]), 1.0 if warm else LATE_TEMPERATURE, rng)
        move = int(drawn[0])
        show(turn_text(game, turn, result, policy, move))
        found.append((game.copy(), policy, result.value))
        game.apply(move)
        turn = 1 - turn
    show(f"{game}\n{BLUE}{'A draw' if game.winner == 0 else f'Player {game.winner} won'}{PLAIN}")
    if buffer is not None:
        buffer.add(kept_game(game, found), gamma)
    history = []
    if return_history:
        for left, (position, policy, _) in zip(range(len(found) - 1, -1, -1), found):
            outcome = sign(game.winner, position.player) * gamma**left
            history.append(SearchedPosition(position, position.player, policy, outcome))
    return Played(sign(game.winner, net1_player), len(found), history)


def sign(winner: int, player: int) -> int:
    """1 if the player has won, −1 if the other has, 0 for a draw."""
    return 0 if winner == 0 else 1 if winner == player else -1


def stores_for(game: Mock5, stores, nets, simulations: int, leaves: int, noise: float, rng) -> tuple:
    """The two players' trees."""
    if stores is None:
        rules, nodes = (game.height, game.width, game.k, game.exact), 3 * simulations + 2
        seeds = rng.integers(2**62, size=2).tolist()
        return tuple(TreeStore(*rules, nodes=nodes, seed=seed, noise=noise, leaves=leaves) for seed in seeds)
    one, other = (stores, stores) if isinstance(stores, TreeStore) else stores
    if one is other and nets[0] is not nets[1]:
        raise ValueError("Two different nets can't share a tree: its values and priors would be a mixture of both.")
    return one, other


def turn_text(game: Mock5, turn: int, result: ForestResult, policy, taken: int) -> str:
    """Board, who is to move, the three most visited moves, and the move taken; colored for a terminal."""
    lines = [str(game), f"{BLUE}Turn: net {turn + 1} (player {game.player}), {result.simulations} simulations{PLAIN}"]
    best = [(f"{CYAN}Top {number}", one.move) for number, one in enumerate(result.top(3), start=1)]
    for name, move in [*best, (f"{RED}Taken", taken)]:
        text = f"visits {int(result.visits[move])}  Q {result.q[move]:+.3f}  probability {policy[move]:.1%}"
        lines.append(f"{name}: ({move // game.width}, {move % game.width})  {text}{PLAIN}")
    return "\n".join(lines)


def kept_game(game: Mock5, found) -> SelfPlayGame:
    """The game for a replay buffer."""
    return SelfPlayGame(
        np.array(game.history, dtype=np.int16),
        np.array([policy for _, policy, _ in found], dtype=np.float16),
        np.ones(len(found), dtype=bool),
        np.array([value for _, _, value in found], dtype=np.float32),
        game.winner,
        False,
    )
