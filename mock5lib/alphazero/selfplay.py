"""Self-play: many games in lockstep, each move found by a search, each position kept with what the search found.

`SelfPlay` goes on from call to call: a game that is unfinished when a round ends is finished in a later one, with the
newer net. `one_game.play_game` is one game with everything in the open.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from mock5lib.alphazero.config import Config
from mock5lib.alphazero.replay import SelfPlayGame, pack_games, unpack_games
from mock5lib.arena.matches import random_opening
from mock5lib.game.board_compiled import RUNNING
from mock5lib.game.lockstep_compiled import Table, random_openings, sample_visited
from mock5lib.game.position_compiled import chosen
from mock5lib.search.forest_compiled import Forest, Timeline, search_in_turns


@dataclass
class Tally:
    """What happened in a round of self-play."""

    positions: int = 0  # searched
    simulations: int = 0
    checked: int = 0  # games ended in which somebody would have resigned, but was not allowed to
    wrong: int = 0  # of those, games that this player did not lose
    games: list[SelfPlayGame] = field(default_factory=list)  # that ended

    @property
    def counts(self) -> dict:
        """What the round adds to the metrics."""
        winners = [game.winner for game in self.games]
        lengths = [len(game.moves) for game in self.games]
        return {
            "new_games": len(winners),
            "simulations": self.simulations,
            "plies": float(np.mean(lengths)) if lengths else None,
            "first_wins": winners.count(1),
            "draws": winners.count(0),
            "second_wins": winners.count(2),
            "resigned": sum(game.resigned for game in self.games),
            "checked": self.checked,
            "wrong": self.wrong,
        }


class Round(NamedTuple):
    """A round of self-play as the learner gets it."""

    tally: Tally
    rng: np.random.Generator  # after playing; the learner goes on with it
    cpu_seconds: float  # that other processes took for it
    notes: dict  # further numbers for the metrics


class SelfPlay:
    """The games of a run, in lockstep.

    Args:
        halves: forests that take turns, 1 or 2. Two keep a GPU busy while trees are walked; see
            `search.forest_compiled.search_in_turns`.
    """

    def __init__(self, config: Config, halves: int = 1):
        games = self.games = config.games
        self.config, self.table = config, Table(games, config.rules.board())
        self.moves = self.table.blank.actions  # how many numbers a policy has
        self.found: list[list[tuple]] = [[] for _ in range(games)]  # (policy, full, value) of each searched position
        self.may_resign = np.zeros(games, dtype=bool)
        self.would_resign = np.zeros(games, dtype=np.int8)  # the first player who would have given up, 0 for none
        self.new = np.ones(games, dtype=bool)  # games that are to begin
        self.parts = np.array_split(np.arange(games), min(halves, games))  # the games of each forest
        self.forests: list[Forest] = []

    def play(self, expert, plies: int, rng: np.random.Generator, timeline: Timeline | None = None) -> Tally:
        """Play so many moves in each game; a game that ends gives way to a new one. Trees start afresh.

        Args:
            expert: as in `search.forest_compiled`. rng: for everything that is drawn.
            timeline: notes when trees were walked and when the expert worked, see `search.forest_compiled`.
        """
        config, tally, seed = self.config, Tally(), int(rng.integers(2**62))
        nodes = (3 if config.keep_tree else 1) * max(config.simulations, config.cheap_simulations) + 2
        self.forests = [self._forest(part, nodes, seed + number) for number, part in enumerate(self.parts)]
        with ThreadPoolExecutor(1) as worker:  # starts no thread before it is given work
            for _ in range(plies):
                self._begin_new(rng)
                full = rng.random(self.games) < config.full_share
                self._search(expert, full, timeline, worker)
                tally.positions += self.games
                tally.simulations += int(sum(forest.simulations.sum() for forest in self.forests))
                best, values = self._of_all(Forest.best_moves), self._of_all(lambda forest: forest.root_values)
                if config.considered:
                    moves, targets = best, self._of_all(Forest.improved_policies)
                else:
                    warm = self.table.plies < config.warm_moves
                    temperature = np.where(warm, config.temperature, config.late_temperature)
                    targets = self._of_all(Forest.policies)
                    moves = sample_visited(targets, best, temperature, rng)
                for g, target in enumerate(targets.astype(np.float16)):
                    self.found[g].append((target, full[g], values[g]))
                self._advance(moves, self._resigns(values), tally)
        return tally

    def _of_all(self, ask: Callable[[Forest], np.ndarray]) -> np.ndarray:
        """What the forests say of all games."""
        return np.concatenate([ask(forest) for forest in self.forests])

    def _forest(self, part: np.ndarray, nodes: int, seed: int) -> Forest:
        """Trees for some games, which stand next to each other; it plays on the table's own positions."""
        roots = chosen(self.table.positions, slice(part[0], part[-1] + 1))
        game = self.table.blank
        return Forest(len(part), game=game, roots=roots, nodes=nodes, seed=seed, **self.config.search)

    def _begin_new(self, rng) -> None:
        """Start a game in every slot whose game has ended, with 0 to `opening_plies` random moves."""
        most, which = self.config.opening_plies, np.flatnonzero(self.new)
        if not len(which):
            return

        def opening(_) -> np.ndarray:
            if self.config.game is not None:  # not any points will do, one after the other
                return np.array([random_opening(self.table.blank, int(rng.integers(most + 1)), rng)[1]], np.int64)
            return rng.permutation(self.moves)[None, : rng.integers(most + 1)] if most else np.zeros((1, 0), np.int64)

        for g in which:
            self.found[g] = []
            random_openings(self.table, [g], opening)
        self.may_resign[which] = rng.random(len(which)) >= self.config.play_on
        self.would_resign[which], self.new[which] = 0, False
        for forest, part in zip(self.forests, self.parts):
            here = which[np.isin(which, part)]
            forest.reset(chosen(self.table.positions, here), here - part[0])

    def _search(self, expert, full, timeline, worker) -> None:
        """Search in every game: in full, with noise, or cheaply."""
        config = self.config
        wanted = np.where(full, config.simulations, config.cheap_simulations)
        noise = np.where(full, config.noise, 0.0)
        if not config.keep_tree:
            for forest in self.forests:
                forest.forget()
        if len(self.forests) == 1 and timeline is None:
            self.forests[0].search(expert, wanted, noise)
            return
        each = [[values[part] for part in self.parts] for values in (wanted, noise)]
        search_in_turns(self.forests, expert, *each, timeline=timeline, worker=worker)

    def _resigns(self, values) -> np.ndarray:
        """In which games the player to move gives up."""
        if self.config.resign is None:
            return np.zeros(self.games, dtype=bool)
        gives_up = values < -self.config.resign
        first = gives_up & ~self.may_resign & (self.would_resign == 0)
        self.would_resign[first] = self.table.players(first)
        return gives_up & self.may_resign

    def _advance(self, moves, resigns, tally: Tally) -> None:
        """Play the moves; games that end go to the tally."""
        for forest, part in zip(self.forests, self.parts):
            forest.advance(np.where(resigns[part], -1, moves[part]))
        going = np.flatnonzero(~resigns)
        self.table.note(going, moves[going], self._of_all(lambda forest: forest.winners)[going])
        self.table.winners[resigns] = 3 - self.table.players(resigns)
        for g in np.flatnonzero(self.table.winners != RUNNING):
            self.new[g] = True
            winner = int(self.table.winners[g])
            if resigns[g]:
                self.found[g].pop()  # no move followed from this position
            if self.would_resign[g]:
                tally.checked += 1
                tally.wrong += int(winner != 3 - self.would_resign[g])
            if self.found[g]:
                tally.games.append(self._played(g, winner, bool(resigns[g])))

    def _played(self, g: int, winner: int, resigned: bool) -> SelfPlayGame:
        policies, full, values = zip(*self.found[g]) if self.found[g] else ((), (), ())
        return SelfPlayGame(
            self.table.histories[g, : self.table.plies[g]].copy(),
            np.array(policies, np.float16).reshape(-1, self.moves),
            np.array(full, bool),
            np.array(values, np.float32),
            winner,
            resigned,
        )

    def state(self) -> dict[str, np.ndarray]:
        """The unfinished games as flat arrays, for a file; `restore` takes them up again."""
        games = [self._played(g, 0, False) for g in range(self.games)]
        more = {"may_resign": self.may_resign, "would_resign": self.would_resign, "new": self.new}
        return pack_games(games, self.moves) | more

    def restore(self, arrays) -> None:
        """Take up the games of `state`."""
        games, self.table = unpack_games(arrays), Table(self.games, self.config.rules.board())
        for ply in range(arrays["lengths"].max()):
            going = np.flatnonzero(arrays["lengths"] > ply)
            self.table.place(going, np.array([games[g].moves[ply] for g in going]))
        self.found = [list(zip(game.policies, game.full, game.values)) for game in games]
        self.may_resign, self.would_resign = arrays["may_resign"].copy(), arrays["would_resign"].copy()
        self.new = arrays["new"].copy()
