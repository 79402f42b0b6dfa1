"""Self-play: many games in lockstep, each move found by a search, each position kept with what the search found.

`SelfPlay` goes on from call to call: a game that is unfinished when a round ends is finished in a later one, with the
newer net. `play_game` is one game with all that can be asked of it, to read and to watch.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from typing import NamedTuple

import numpy as np

from mock5lib.alphazero.config import GameConfig, SelfPlayConfig
from mock5lib.alphazero.replay import SelfPlayGame, joined
from mock5lib.base import ranges
from mock5lib.game.kernels import RUNNING
from mock5lib.game.table import Rules, Table, random_openings, sample_visited
from mock5lib.search.puct.arrays import Options
from mock5lib.search.puct.forest import Forest
from mock5lib.search.puct.pipeline import Timeline, search_in_turns


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
    """G games on one board, in lockstep.

    Args:
        game, play: the parts of a config, see `config.py`; `play.games` is G. search: of the forest.
        halves: forests that take turns, 1 or 2. Two keep a GPU busy while trees are walked; see `search.puct.pipeline`.

    Raises:
        ValueError: fewer games than halves.
    """

    def __init__(self, game: GameConfig, play: SelfPlayConfig, search: Options | None = None, halves: int = 1):
        ranges.at_least(1, halves=halves)
        ranges.at_least(halves, games=play.games)
        self.rules, self.points = Rules(**asdict(game)), game.height * game.width
        self.settings, self.options = play, search or Options()
        games = self.games = play.games
        self.halves, self.table = halves, Table(games, self.rules)
        self.found: list[list[tuple]] = [[] for _ in range(games)]  # (policy, full, value) of each searched position
        self.may_resign = np.zeros(games, dtype=bool)
        self.would_resign = np.zeros(games, dtype=np.int8)  # the first player who would have given up, 0 for none
        self.new = np.ones(games, dtype=bool)  # games that are to begin

    def play(self, expert, plies: int, rng: np.random.Generator, timeline: Timeline | None = None) -> Tally:
        """Play so many moves in each game; a game that ends gives way to a new one. Trees start afresh.

        Args:
            expert: as in `search.puct.forest`. rng: for everything that is drawn.
            timeline: notes when trees were walked and when the expert worked, see `search.puct.pipeline`.
        """
        tally = Tally()
        self._grow_forests(int(rng.integers(2**62)))
        with ThreadPoolExecutor(1) as worker:  # starts no thread before it is given work
            self._plies(expert, plies, rng, tally, timeline, worker)
        return tally

    def _plies(self, expert, plies, rng, tally, timeline, worker) -> None:
        for _ in range(plies):
            self._begin_new(rng)
            full = rng.random(self.games) < self.settings.full_share
            self._search(expert, full, tally, timeline, worker)
            policies, best, values = self._findings()
            moves = self._draw(policies, best, rng)
            targets = np.concatenate([f.improved_policies() for f in self.forests]) if self._gumbel else policies
            self._note(targets, full, values)
            self._advance(moves, self._resigns(values), tally)

    @property
    def _gumbel(self) -> bool:
        return self.options.considered > 0

    def _grow_forests(self, seed: int) -> None:
        """Fresh trees at the positions reached so far."""
        most = max(self.settings.simulations, self.settings.cheap_simulations)
        nodes = (3 if self.settings.keep_tree else 1) * most + 2
        parts = np.array_split(np.arange(self.games), self.halves)
        self.forests = [
            Forest(len(part), *self.rules, nodes=nodes, seed=seed + number, **asdict(self.options))
            for number, part in enumerate(parts)
        ]
        self._slots = [(forest, part) for forest, part in zip(self.forests, parts)]
        self._place(np.flatnonzero(~self.new))

    def _place(self, which) -> None:
        """Put the positions of these games into the forests, with empty trees."""
        for forest, part in self._slots:
            here = which[np.isin(which, part)]
            if len(here):
                forest.reset(self.table.boards[here], self.table.players(here), here - part[0])

    def _begin_new(self, rng) -> None:
        """Start a game in every slot whose game has ended."""
        which = np.flatnonzero(self.new)
        if not len(which):
            return
        for g in which:
            self.found[g] = []
            random_openings(self.table, [g], lambda _: self._opening(rng))
        self.may_resign[which] = rng.random(len(which)) >= self.settings.play_on
        self.would_resign[which], self.new[which] = 0, False
        self._place(which)

    def _opening(self, rng) -> np.ndarray:
        """0 to `opening_plies` random moves, (1, plies)."""
        if not self.settings.opening_plies:
            return np.zeros((1, 0), dtype=np.int64)
        return rng.permutation(self.points)[None, : rng.integers(self.settings.opening_plies + 1)]

    def _search(self, expert, full, tally: Tally, timeline, worker) -> None:
        search, noise = self.settings, self.options.noise
        wanted = np.where(full, search.simulations, search.cheap_simulations)
        if not search.keep_tree:
            for forest in self.forests:
                forest.forget()
        if len(self.forests) == 1 and timeline is None:
            self.forests[0].search(expert, wanted, np.where(full, noise, 0.0))
        else:
            parts = [part for _, part in self._slots]
            noises = [np.where(full[part], noise, 0.0) for part in parts]
            search_in_turns(
                self.forests, expert, [wanted[part] for part in parts], noises, timeline=timeline, worker=worker
            )
        tally.simulations += int(sum(forest.simulations.sum() for forest in self.forests))
        tally.positions += self.games

    def _findings(self):
        """Of all games: the policies at temperature 1 (G, A), the best moves (G,), and the values (G,)."""
        parts = [(forest.policies(), forest.best_moves(), forest.root_values) for forest in self.forests]
        return tuple(np.concatenate(arrays) for arrays in zip(*parts))

    def _draw(self, policies, best, rng) -> np.ndarray:
        """The move of each game: drawn from visits^(1/temperature), or what the Gumbel root chose."""
        if self._gumbel:
            return best
        warm = self.table.plies < self.settings.warm_moves
        temperature = np.where(warm, self.settings.temperature, self.settings.late_temperature)
        return sample_visited(policies, best, temperature, rng)

    def _note(self, targets, full, values) -> None:
        targets = targets.astype(np.float16)
        for g in range(self.games):
            self.found[g].append((targets[g], full[g], values[g]))

    def _resigns(self, values) -> np.ndarray:
        """In which games the player to move gives up."""
        if self.settings.resign is None:
            return np.zeros(self.games, dtype=bool)
        gives_up = values < -self.settings.resign
        first = gives_up & ~self.may_resign & (self.would_resign == 0)
        self.would_resign[first] = self.table.players(first)
        return gives_up & self.may_resign

    def _advance(self, moves, resigns, tally: Tally) -> None:
        """Play the moves; games that end go to the tally."""
        for forest, part in self._slots:
            forest.advance(np.where(resigns[part], -1, moves[part]))
        going = np.flatnonzero(~resigns)
        self.table.place(going, moves[going])
        self.table.winners[resigns] = 3 - self.table.players(resigns)
        for g in np.flatnonzero(self.table.winners != RUNNING):
            if resigns[g]:
                self.found[g].pop()  # no move followed from this position
            self._end(g, int(self.table.winners[g]), bool(resigns[g]), tally)

    def _end(self, g: int, winner: int, resigned: bool, tally: Tally) -> None:
        if self.would_resign[g]:
            tally.checked += 1
            tally.wrong += int(winner != 3 - self.would_resign[g])
        self.new[g] = True
        if self.found[g]:
            tally.games.append(self._played(g, winner, resigned))

    def _played(self, g: int, winner: int, resigned: bool) -> SelfPlayGame:
        moves, (policies, full, values) = self.table.histories[g, : self.table.plies[g]].copy(), zip(*self.found[g])
        return SelfPlayGame(
            moves, np.array(policies, np.float16), np.array(full, bool), np.array(values, np.float32), winner, resigned
        )

    # Between rounds

    def state(self) -> dict[str, np.ndarray]:
        """The unfinished games as flat arrays, for a file."""
        going = [self._played(g, 0, False) for g in range(self.games) if self.found[g]]
        played = np.arange(self.points) < self.table.plies[:, None]
        return {
            "lengths": self.table.plies.astype(np.int32),
            "searched": np.array([len(found) for found in self.found], dtype=np.int32),
            "moves": self.table.histories[played],
            "policies": joined([game.policies for game in going], np.float16, self.points),
            "full": joined([game.full for game in going], bool),
            "values": joined([game.values for game in going], np.float32),
            "may_resign": self.may_resign,
            "would_resign": self.would_resign,
            "new": self.new,
        }

    def restore(self, arrays) -> None:
        """Take up the games of `state`.

        Raises:
            ValueError: it has another number of games.
        """
        if len(arrays["lengths"]) != self.games:
            raise ValueError(f"The state is of {len(arrays['lengths'])} games, this self-play has {self.games}.")
        cuts = np.cumsum(arrays["searched"])[:-1]
        self.table = Table(self.games, self.rules)
        histories = np.empty_like(self.table.histories)
        histories[np.arange(self.points) < arrays["lengths"][:, None]] = arrays["moves"]
        for ply in range(arrays["lengths"].max()):
            games = np.flatnonzero(arrays["lengths"] > ply)
            self.table.place(games, histories[games, ply])
        parts = zip(*(np.split(arrays[name], cuts) for name in ("policies", "full", "values")))
        self.found = [list(zip(*part)) for part in parts]
        self.may_resign, self.would_resign = arrays["may_resign"].copy(), arrays["would_resign"].copy()
        self.new = arrays["new"].copy()
