"""An agent that searches before each move, many boards at once, and keeps its trees between moves."""

from __future__ import annotations

import numpy as np

from mock5lib.base.arguments import generator_of, whole
from mock5lib.game.board import Mock5
from mock5lib.game.encoders import not_learned
from mock5lib.game.position_compiled import chosen, identity_of, looks_ahead, position_of, rules_of, without_position
from mock5lib.search import trees_compiled
from mock5lib.search.deadline import AnswersByDeadline
from mock5lib.search.expert import as_expert
from mock5lib.search.forest_compiled import (
    MAX_SIMULATIONS,
    MOST_NODES,
    Forest,
    ForestResult,
    checked_options,
    positions_of,
)
from mock5lib.search.trees_compiled import EDGE, NODE


class SearchAgent(AnswersByDeadline):
    """Plays the move that a search with an expert finds best.

    Args:
        expert: see `Forest.search`.
        simulations: a move, in addition to what the kept tree knows already.
        temperature: 0 plays the best move; above 0, moves are drawn in proportion to visits^(1/temperature). A number,
            or a function from the number of stones on the board to one.
        keep_tree: keep the tree between moves, and go on from the part that still matters.
        nodes: nodes in each tree; default: room for three searches. A tree that is full searches no further.
        seed: a whole number, a `numpy.random.Generator`, or None for a new start each time.
        name: default: the rule and the number of simulations, such as "puct:100".
        options: see `Options`.
    """

    def __init__(
        self, expert, simulations=100, *, temperature=0.0, keep_tree=True, nodes=None, seed=None, name=None, **options
    ):
        whole("simulations", simulations, 1, MAX_SIMULATIONS)
        as_expert(expert)  # checks it
        rule = checked_options(options).rule
        self.expert, self.simulations, self.temperature = expert, simulations, temperature
        self.keep_tree, self.options = keep_tree, options
        self.nodes = nodes or min((3 if keep_tree else 1) * simulations + 1, MOST_NODES)
        whole("nodes", self.nodes, 2, MOST_NODES)
        self.name = name or f"{rule}:{simulations}"
        self._rng = generator_of(seed)
        self._forest: Forest | None = None
        self.learned: dict = {}  # the game that its net has learned, as the card says it

    def refuses(self, game) -> str:
        """Why it can't play a game, as the end of a sentence, or ""."""
        expert = as_expert(self.expert)
        own = getattr(expert, "refuses", None)
        why = without_position(game) or (own(game) if own else not_learned(game, expert.encoder, self.learned))
        if not why and self.options.get("forced_moves") and not looks_ahead(position_of(game)):
            why = f"looks one ply ahead, which {type(game).__name__} does not say that one can"
        return why

    def __call__(self, game: Mock5, **budget) -> int:
        """The move in one game, which is left as it is; `simulations=…` for other than the agent's, this once."""
        return self.moves([game], **budget)[0]

    def moves(self, games: list[Mock5], **budget) -> list[int]:
        """One move for each game."""
        return [self._pick(result, game) for result, game in zip(self.search(games, **budget), games)]

    def search(self, games: list[Mock5], simulations: int | None = None) -> list[ForestResult]:
        """What the search found in each game of a list; `think` is for one.

        The games are left as they are. `simulations` in place of the agent's, this once.
        """
        if hasattr(games, "legal_moves"):
            raise TypeError(
                f"search takes a list of games, [game], got a {type(games).__name__}; think(game) is for one."
            )
        games = list(games)
        if simulations is not None:
            whole("simulations", simulations, 1, MAX_SIMULATIONS)
        if not games:
            return []
        positions = positions_of(games)
        slots = self._places(games, positions)
        wanted = np.zeros(self._forest.games, dtype=np.int64)
        wanted[slots] = simulations or self.simulations
        self._forest.set_positions(positions, slots)
        self._forest.search(self.expert, wanted)
        return self._forest.results(slots, games)

    def think(self, game: Mock5) -> ForestResult:
        """What the search finds in one game.

        With a kept tree, visits of earlier calls count: asked twice about a position, it has twice as many.
        """
        return self.search([game])[0]

    def limit_memory(self, nbytes: int, points: int) -> None:
        """Let each tree take at most so many bytes on a board of so many points."""
        self.nodes = max(2, min(self.nodes, nbytes // (NODE.itemsize + points * EDGE.itemsize)))
        self.forget()

    def forget(self) -> None:
        """Drop the trees kept from earlier moves."""
        self._forest = None

    def _pick(self, result: ForestResult, game: Mock5) -> int:
        temperature = self.temperature
        if callable(temperature):
            temperature = temperature(sum(1 for stone in game.board if stone))
        if temperature == 0:
            return result.move
        return int(self._rng.choice(len(result.visits), p=result.policy(temperature)))

    def _places(self, games: list[Mock5], positions) -> list[int]:
        """Which game of the forest each game is; games that no tree leads to get a fresh one."""
        forest = self._forest
        if forest is None or forest.games < len(games) or rules_of(forest.roots) != rules_of(positions):
            seed = int(self._rng.integers(2**62))
            forest = self._forest = Forest(len(games), game=games[0], nodes=self.nodes, seed=seed, **self.options)
        found = self._follow(games) if self.keep_tree else {}
        free = iter([slot for slot in range(forest.games) if slot not in found.values()])
        new = {number: next(free) for number in range(len(games)) if number not in found}
        trees_compiled.fresh_roots(forest.trees, np.array([*new.values()], dtype=np.int64))
        return [found[number] if number in found else new[number] for number in range(len(games))]

    def _follow(self, games: list[Mock5]) -> dict[int, int]:
        """Find the games whose position of up to two moves ago stands in the forest, and play those moves there.

        Returns:
            Number in `games` → game of the forest.
        """
        forest, standing = self._forest, {}
        for slot in range(forest.games):
            standing.setdefault(identity_of(chosen(forest.roots, slot)), []).append(slot)
        found, moves = {}, np.full((2, forest.games), -1, dtype=np.int64)
        for number, game in enumerate(games):
            earlier = game.copy()
            for played in range(min(2, len(game.history)) + 1):
                slots = standing.get(identity_of(position_of(earlier)))
                if slots:
                    found[number] = slots.pop()
                    moves[:played, found[number]] = game.history[len(game.history) - played :]
                    break
                if earlier.history:
                    earlier.undo()
        for ply in moves:
            if (ply >= 0).any():
                forest.advance(ply)
        return found
