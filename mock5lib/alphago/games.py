"""Policy nets as players, and their games by the hundred: self-play for the policy gradient, data for the value net."""

from __future__ import annotations

import numpy as np

from mock5lib.alphago.experience import Experience, joined
from mock5lib.alphago.kit import refusal
from mock5lib.alphago.nets import NetFunction, board_of, encoder_of, kit_of_net, policy_function
from mock5lib.base import arguments
from mock5lib.base.contract import Named
from mock5lib.game.lockstep_compiled import Table, sample_sensible
from mock5lib.game.position_compiled import chosen, stack
from mock5lib.game.records import Records, records_of

# A net as a player ----------------------------------------------------------------------------------------------


class NetPlayer(Named):
    """A policy net as an agent, without search.

    Args:
        net: a policy net, or its `policy_function`.
        temperature: 0 plays the most probable move; t > 0 draws in proportion to p^(1/t).
        seed: a whole number, a numpy Generator, or None.
    """

    def __init__(self, net, temperature: float = 0.0, seed=None, name: str | None = None):
        arguments.temperatures(temperature=temperature)
        self.policy = net if isinstance(net, NetFunction) else policy_function(net)
        self.encoder, self.kit = encoder_of(self.policy.net), self.policy.kit
        self.temperature, self.rng = temperature, arguments.generator_of(seed)
        self.name = name or self.policy.kind

    def __call__(self, game) -> int | None:
        return self.moves([game])[0]

    def refuses(self, game) -> str:
        """Why it can't play a game, as the end of a sentence, or ""."""
        return refusal(game, self.kit, board_of(self.policy.net))

    def moves(self, games) -> list[int | None]:
        """A move in each game, see `Kit.answers`."""
        positions = stack(games)
        moves = sample_sensible(self.policy(self.encoder.encode(positions)), positions, self.temperature, self.rng)
        return self.kit.answers(games, moves)


# Games between policies -------------------------------------------------------------------------------------------


def self_play(
    learner: NetFunction, opponent: NetFunction, games: int, *, opening_moves: int = 0, seed=0
) -> tuple[Experience, float]:
    """Games between two policies, which draw their moves; the learner is black in every other one.

    Args:
        opening_moves: random moves at the start of each game, which nobody learns from.

    Returns:
        The positions in which the learner moved, with its moves and the outcomes; and its score from 0 to 1.
    """
    rng, table, noted = arguments.generator_of(seed), table_for(learner.net, games), []
    learner_plays = 1 + np.arange(games) % 2
    for _ in range(opening_moves):
        running = table.running
        table.place(running, random_moves(table, running, rng))
    while len(running := table.running):
        own = learner_plays[running] == table.players(running)
        mine, theirs = running[own], running[~own]
        moves = ask(learner, table, mine, rng), ask(opponent, table, theirs, rng)
        noted.append((mine, table.plies[mine]))
        table.place(np.concatenate([mine, theirs]), np.concatenate(moves))
    scores = (1 + table.results(slice(None), learner_plays)) / 2
    return experience_of(table, noted, {"made": "self-play", "opening_moves": opening_moves}), float(scores.mean())


def table_for(net, games: int) -> Table:
    """A table of so many games of the kind, and on the board, that a net was made for."""
    return Table(games, kit_of_net(net).start(*board_of(net)))


def ask(policy: NetFunction, table: Table, games: np.ndarray, rng) -> np.ndarray:
    """A move in each of these games, drawn from a policy."""
    if not len(games):
        return np.zeros(0, dtype=np.int64)
    return table.sample(games, policy(encoder_of(policy.net).encode(chosen(table.positions, games))), 1.0, rng)


def random_moves(table: Table, games: np.ndarray, rng) -> np.ndarray:
    """A uniform legal move in each of these games."""
    return table.sample(games, np.zeros((len(games), 1)), 1.0, rng)


def experience_of(table: Table, noted: list, card: dict) -> Experience:
    """Positions of games that are over: `noted` holds pairs of arrays, games and how many plies of them were played.

    Positions in which a player passed are left out: a policy over points has no pass.
    """
    records = records_of(table.blank).from_table(table, card)
    games, plies = (np.concatenate(part) for part in zip(*noted))
    where = records.offsets[games] + plies
    return Experience(records, where[records.moves[where] < records.height * records.width])


# Data for the value net --------------------------------------------------------------------------------------------


def value_positions(
    supervised: NetFunction,
    reinforced: NetFunction,
    positions: int,
    *,
    latest: int = 40,
    games_in_flight: int = 256,
    seed=0,
) -> Experience:
    """Positions with the outcome that strong play leads to (Silver et al. 2016, Methods, "Training of the value net").

    Each game plays its first U − 1 moves by the supervised policy, move U at random, and the rest by the reinforced
    one, U drawn from 1 to `latest`. The position after move U is kept, and no other: positions of one game share their
    outcome, and a net learns such games by heart.

    Returns:
        `positions` positions with the moves played next; fewer than one a game if games end before their move U.
    """
    rng, parts, found = arguments.generator_of(seed), [], 0
    while found < positions:
        games = min(games_in_flight, positions - found)
        table, noted = table_for(supervised.net, games), []
        chance = rng.integers(1, latest + 1, size=games)  # U, the move that is made at random
        while len(running := table.running):
            number = table.plies[running[0]] + 1  # the same in all games that are not over
            before, at, after = (
                running[compare(number, chance[running])] for compare in (np.less, np.equal, np.greater)
            )
            random = random_moves(table, at, rng)
            moves = ask(supervised, table, before, rng), random, ask(reinforced, table, after, rng)
            kept = after[number == chance[after] + 1]
            noted.append((kept, table.plies[kept]))
            table.place(np.concatenate([before, at, after]), np.concatenate(moves))
        parts.append(experience_of(table, noted, {"made": "value positions", "latest": latest}))
        found += len(parts[-1])
    return joined(parts).select(slice(positions))


def record_positions(records: Records, positions: int, *, one_per_game: bool = True, seed=0) -> Experience:
    """Positions of records with their games' outcomes, to compare the two ways of choosing them.

    Args:
        one_per_game: one position, by lot, of each of `positions` games; otherwise all positions of as few games as
            hold so many. Games, too, are taken by lot.
    """
    have = len(records) if one_per_game else records.positions
    if positions > have:
        raise ValueError(f"The records hold {have} {'games' if one_per_game else 'positions'}, asked for {positions}.")
    rng, first, lengths = arguments.generator_of(seed), records.offsets[:-1], records.lengths
    order = rng.permutation(len(records))
    if one_per_game:
        where = (first + (rng.random(len(records)) * lengths).astype(np.int64))[order[:positions]]
    else:
        where = np.concatenate([np.arange(first[game], first[game] + lengths[game]) for game in order])[:positions]
    return Experience(records, where)
