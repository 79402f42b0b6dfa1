"""Policy nets as players, and their games by the hundred: self-play for the policy gradient, data for the value net."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from mock5lib.alphago.experience import ARRAYS, RECENT, Experience
from mock5lib.alphago.nets import NetFunction, board_of, encoder_of, policy_function
from mock5lib.base.compiled import compiled
from mock5lib.game.kernels import wins_at
from mock5lib.game.records import Records, replay
from mock5lib.gomoku.heuristics import generator_of

OCCUPIED = -1e9  # what an occupied point gets before normalising


# A net as a player ----------------------------------------------------------------------------------------------


class NetPlayer:
    """A policy net as an agent, without search.

    Args:
        net: a policy net, or its `policy_function`.
        temperature: 0 plays the most probable move; t > 0 draws in proportion to p^(1/t).
        seed: a whole number, a numpy Generator, or None.
    """

    def __init__(self, net, temperature: float = 0.0, seed=None, name: str | None = None):
        if not 0 <= temperature < np.inf:
            raise ValueError(f"A temperature is at least 0, got {temperature!r}.")
        self.policy = net if isinstance(net, NetFunction) else policy_function(net)
        self.encoder = encoder_of(self.policy.net)
        self.temperature, self.rng = temperature, generator_of(seed)
        self.name = name or self.policy.kind

    def __call__(self, game) -> int | None:
        return self.moves([game])[0]

    def moves(self, games) -> list[int | None]:
        """A move in each game; None where no point is empty."""
        log_probabilities = self.policy(self.encoder.encode(games))
        boards = np.stack([game.cells for game in games])
        moves = draw_moves(log_probabilities, boards, self.temperature, self.rng)
        return [int(move) if 0 in game.board else None for move, game in zip(moves, games)]


def draw_moves(log_probabilities, boards, temperature: float, rng) -> np.ndarray:
    """A legal move for each row of log-probabilities (B, H * W): the best at temperature 0, else by p^(1/temperature).

    Adding Gumbel noise and taking the maximum draws from the softmax (Gumbel 1954).
    """
    scores = np.where(boards == 0, log_probabilities, OCCUPIED)
    if temperature > 0:
        scores = scores / temperature + rng.gumbel(size=scores.shape)
    return scores.argmax(axis=1)


def check_counts(**counts) -> None:
    """Raise a ValueError that names the first count below 1."""
    for name, count in counts.items():
        if not isinstance(count, (int, np.integer)) or count < 1:
            raise ValueError(f"{name} must be a whole number of at least 1, got {count!r}.")


# Games between policies -------------------------------------------------------------------------------------------


class Table:
    """G games side by side in flat arrays, all with the same number of moves played.

    Attributes:
        boards (G, H * W) int8, recent (G, 8) int16, winners (G,) int8: −1 running, 0 a draw, 1, 2. ply: moves played.
    """

    def __init__(self, games: int, height: int, width: int):
        self.height, self.width, self.ply = height, width, 0
        self.boards = np.zeros((games, height * width), dtype=np.int8)
        self.recent = np.full((games, RECENT), -1, dtype=np.int16)
        self.winners = np.full(games, -1, dtype=np.int8)

    @property
    def player(self) -> int:
        """Who moves next, in all games."""
        return 1 + self.ply % 2

    @property
    def running(self) -> np.ndarray:
        """Numbers of the games that are not over."""
        return np.flatnonzero(self.winners == -1)

    def ask(self, policy: NetFunction, games: np.ndarray, temperature: float, rng) -> np.ndarray:
        """A move in each of these games."""
        if not len(games):
            return np.zeros(0, dtype=np.int64)
        players = np.full(len(games), self.player, dtype=np.int8)
        encoder = encoder_of(policy.net)
        planes = encoder.planes(self.boards[games], players, self.recent[games], self.height, self.width)
        return draw_moves(policy(planes), self.boards[games], temperature, rng)

    def random_moves(self, games: np.ndarray, rng) -> np.ndarray:
        """A uniform legal move in each of these games."""
        return draw_moves(np.zeros((len(games), self.boards.shape[1])), self.boards[games], 1.0, rng)

    def play(self, games: np.ndarray, moves: np.ndarray) -> None:
        """One move in each running game."""
        size, stones = (self.height, self.width), self.ply + 1
        place_all(self.boards, self.recent, self.winners, games, moves, self.player, stones, *size)
        self.ply = stones


@compiled(nogil=True)
def place_all(boards, recent, winners, games, moves, player, stones, height, width):
    """Play one move in each of some games; see `Table`."""
    for i in range(len(games)):
        g, move = games[i], moves[i]
        boards[g, move] = player
        recent[g, 1:] = recent[g, :-1].copy()
        recent[g, 0] = move
        if wins_at(boards[g], height, width, 5, False, move):
            winners[g] = player
        elif stones == boards.shape[1]:
            winners[g] = 0


@dataclass
class Log:
    """Positions as they come, for an `Experience` once the games are over."""

    parts: list = field(default_factory=list)

    def add(self, table: Table, games: np.ndarray, moves: np.ndarray) -> None:
        """Note the positions of some games and the moves to be played there."""
        players = np.full(len(games), table.player, dtype=np.int8)
        self.parts.append((table.boards[games].copy(), players, table.recent[games].copy(), moves.copy(), games.copy()))

    def experience(self, table: Table, card: dict) -> Experience:
        """What was noted, with the outcomes."""
        none = (np.zeros(shape, int) for shape in ((0, table.boards.shape[1]), 0, (0, RECENT), 0, 0))
        boards, players, recent, moves, games = map(np.concatenate, zip(*(self.parts or [none])))
        winners = table.winners[games]
        outcomes = np.where(winners == 0, 0, np.where(winners == players, 1, -1))
        return Experience(boards, players, recent, moves, outcomes, games, table.height, table.width, card=card)


def self_play(
    learner: NetFunction, opponent: NetFunction, games: int, *, temperature: float = 1.0, opening_moves: int = 0, seed=0
) -> tuple[Experience, float]:
    """Games between two policies; the learner is black in every other one.

    Args:
        opening_moves: random moves at the start of each game, which nobody learns from.

    Returns:
        The positions in which the learner moved, with its moves and the outcomes; and its score from 0 to 1.
    """
    check_counts(games=games)
    rng, (height, width) = generator_of(seed), board_of(learner.net)
    table, log = Table(games, height, width), Log()
    learner_plays = np.where(np.arange(games) % 2 == 0, 1, 2)
    while len(running := table.running):
        if table.ply < opening_moves:
            table.play(running, table.random_moves(running, rng))
            continue
        mine = running[learner_plays[running] == table.player]
        theirs = running[learner_plays[running] != table.player]
        moves = table.ask(learner, mine, temperature, rng), table.ask(opponent, theirs, temperature, rng)
        log.add(table, mine, moves[0])
        table.play(np.concatenate([mine, theirs]), np.concatenate(moves))
    points = np.where(table.winners == 0, 0.5, table.winners == learner_plays)
    card = {"made": "self-play", "games": games, "temperature": temperature, "opening_moves": opening_moves}
    return log.experience(table, card), float(points.mean())


# Data for the value net --------------------------------------------------------------------------------------------


def value_positions(
    supervised: NetFunction,
    reinforced: NetFunction,
    positions: int,
    *,
    one_per_game: bool = True,
    latest: int = 40,
    games_in_flight: int = 256,
    seed=0,
) -> Experience:
    """Positions with the outcome that strong play leads to (Silver et al. 2016, Methods, "Training of the value net").

    Each game plays its first U − 1 moves by the supervised policy, move U at random, and the rest by the reinforced
    one, U drawn from 1 to `latest`. The position after move U is kept, and no other: positions of one game share their
    outcome, and a net learns such games by heart. (With `one_per_game=False` all later ones are kept too, to see that.)

    Returns:
        `positions` positions with the moves played next; fewer than one a game if games end before their move U.

    Raises:
        ValueError: numbers out of range, or policies for two boards.
    """
    check_counts(positions=positions, latest=latest, games_in_flight=games_in_flight)
    if board_of(supervised.net) != board_of(reinforced.net):
        raise ValueError("Both policies must be made for boards of one size.")
    rng, parts, found, first = generator_of(seed), [], 0, 0
    while found < positions:
        games = games_in_flight if not one_per_game else min(games_in_flight, positions - found)
        part = value_games(supervised, reinforced, games, one_per_game, latest, rng)
        part.games += first
        parts, found, first = [*parts, part], found + len(part), first + games
    card = {"made": "value positions", "one_per_game": one_per_game, "latest": latest}
    joined = {name: np.concatenate([getattr(part, name) for part in parts])[:positions] for name in ARRAYS}
    return Experience(**joined, height=parts[0].height, width=parts[0].width, card=card)


def value_games(supervised, reinforced, games: int, one_per_game: bool, latest: int, rng) -> Experience:
    """The positions of one lot of games; see `value_positions`."""
    table, log = Table(games, *board_of(supervised.net)), Log()
    chance = rng.integers(1, latest + 1, size=games)  # U, the move that is made at random
    while len(running := table.running):
        number = table.ply + 1
        before, at, after = (
            running[mask] for mask in (number < chance[running], number == chance[running], number > chance[running])
        )
        random = table.random_moves(at, rng)
        moves = table.ask(supervised, before, 1.0, rng), random, table.ask(reinforced, after, 1.0, rng)
        kept = number == chance[after] + 1 if one_per_game else np.ones(len(after), dtype=bool)
        log.add(table, after[kept], moves[2][kept])
        table.play(np.concatenate([before, at, after]), np.concatenate(moves))
    return log.experience(table, {})


def record_positions(records: Records, positions: int, *, one_per_game: bool = True, seed=0) -> Experience:
    """Positions of records with their games' outcomes, to compare the two ways of choosing them.

    Args:
        one_per_game: one position, by lot, of each of `positions` games; otherwise all positions of as few games as
            hold so many. Games, too, are taken by lot.

    Raises:
        ValueError: the records do not hold so many.
    """
    check_counts(positions=positions)
    have = len(records) if one_per_game else records.positions
    if positions > have:
        raise ValueError(f"The records hold {have} {'games' if one_per_game else 'positions'}, asked for {positions}.")
    rng, first, lengths = generator_of(seed), records.offsets[:-1], records.lengths
    order = rng.permutation(len(records))
    if one_per_game:
        where = (first + (rng.random(len(records)) * lengths).astype(np.int64))[order[:positions]]
    else:
        where = np.concatenate([np.arange(first[game], first[game] + lengths[game]) for game in order])[:positions]
    games = np.searchsorted(records.offsets, where, side="right") - 1
    none = np.zeros(len(where), dtype=np.int64)
    identity = np.arange(records.height * records.width)[None]
    boards, players, recent, moves, outcomes = replay(
        records.moves, records.offsets, records.winners, games, where, identity, none, RECENT
    )
    card = {"made": "positions of records", "one_per_game": one_per_game, "records": records.card}
    return Experience(boards, players, recent, moves, outcomes, games, records.height, records.width, card=card)
