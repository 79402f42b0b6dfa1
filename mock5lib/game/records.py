"""Game records: many finished games in flat arrays; checked, saved, split by game, and read as positions.

`Records.load(path)` and `records.save(path)` choose the format by the file's ending: `.npz` (compact, keeps all),
`.bin` (the original generator's) and `.sgf` (GM[4]); Gomocup's `.psq` is read only. See `record_formats.py`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mock5lib.base import arguments
from mock5lib.base.compiled import compiled
from mock5lib.base.files import DAMAGE, format_of
from mock5lib.base.plugins import GAMES, brought, thing_at
from mock5lib.game import kit, plain, record_formats
from mock5lib.game.board import Mock5
from mock5lib.game.board_compiled import RUNNING
from mock5lib.game.encoders import Encoder, three_planes
from mock5lib.game.points import BLACK
from mock5lib.game.position_compiled import (
    at,
    copy_into,
    is_legal,
    play,
    position_of,
    room_for,
    sensible_points,
    winner_of,
)


class TrainingBatch(NamedTuple):
    """A batch of B positions with what was played there and how the game ended."""

    planes: np.ndarray  # (B, C, H, W) float32
    moves: np.ndarray  # (B,) int64: the move that was played
    outcomes: np.ndarray  # (B,) float32: 1 if the player to move won the game, −1 if it lost, 0 for a draw


class Records:
    """Finished games from the empty board, all on boards of one size and by one rule.

    `GameRecords` is the same for a game of one's own: it has another `blank`, and so has `mock5go.records.GoRecords`.

    Args:
        moves: all games' moves one after the other, indices `row * width + col`.
        lengths: number of moves of each game. winners: 0 for a draw, 1 or 2.
        forfeits: which games ended off the board, by resignation or an illegal answer. Default: none.
        mistakes: which moves were random ones, put in by the generator; same length as `moves`. Default: none.
        card: how the games were made; anything that JSON can hold.
        source: what an error calls these records, for example their file.

    Attributes:
        moves (M,) int16, offsets (G + 1,) int64: game g is `moves[offsets[g]:offsets[g + 1]]`.
        winners (G,) int8, forfeits (G,) bool, mistakes (M,) bool, card.
        blank: the empty board that all games begin with. height, width, k, exact: of it.

    Raises:
        ValueError: sizes that do not fit, an illegal move, moves after the end, an unfinished game or a wrong
            winner; it names the source and the number of the game, counted from 1.
    """

    FORMAT = record_formats.NPZ_FORMAT

    def __init__(
        self,
        moves,
        lengths,
        winners,
        height,
        width,
        k=5,
        exact=False,
        *,
        forfeits=None,
        mistakes=None,
        card=None,
        source="records",
    ):
        self.blank = Mock5(height, width, k, exact=exact)
        self.k, self.exact = self.blank.k, self.blank.exact
        self._fill(moves, lengths, winners, forfeits, mistakes, card, source)

    def _fill(self, moves, lengths, winners, forfeits, mistakes, card, source: str) -> None:
        """Keep the games, if they are right, as games of `blank`."""
        for name, given in (("moves", moves), ("lengths", lengths), ("winners", winners)):
            if np.ndim(given) == 0:
                raise TypeError(f"{source}: the {name} are a list of whole numbers, got {given!r}.")
        moves, lengths, winners = np.asarray(moves), np.asarray(lengths), np.asarray(winners)
        forfeits = np.zeros(len(winners), bool) if forfeits is None else np.asarray(forfeits, dtype=bool)
        mistakes = np.zeros(len(moves), bool) if mistakes is None else np.asarray(mistakes, dtype=bool)
        for name, numbers in (("moves", moves), ("lengths", lengths), ("winners", winners)):
            if numbers.size and not np.issubdtype(numbers.dtype, np.integer):
                raise ValueError(f"{source}: the {name} are whole numbers, these are {numbers.dtype}.")
        whole = moves.ndim == lengths.ndim == 1 and ((0 <= lengths) & (lengths <= len(moves))).all()
        if not (whole and lengths.sum() == len(moves) and lengths.shape == winners.shape == forfeits.shape):
            raise ValueError(
                f"{source}: {moves.size} moves, {lengths.size} lengths, {winners.size} winners and {forfeits.size} "
                "forfeits do not fit together; the records are cut short or not records."
            )
        if mistakes.shape != moves.shape:
            raise ValueError(f"{source}: {mistakes.size} marks of mistakes do not fit {moves.size} moves.")
        self.moves, self.winners = moves.astype(np.int64), winners.astype(np.int64)
        self.offsets, self.card = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]), dict(card or {})
        self.forfeits, self.mistakes = forfeits, mistakes
        start, games = position_of(self.blank), (self.moves, self.offsets, self.winners, self.forfeits)
        if isinstance(start, plain.Plain):
            wrong = plain.first_wrong_game(self.blank, *games)
        else:
            wrong = first_wrong_game(start, room_for(start), *games)
        if wrong >= 0:
            raise ValueError(f"{source}, game {wrong + 1}: {self._fault(wrong)}.")
        self.moves, self.winners = self.moves.astype(np.int16), self.winners.astype(np.int8)  # which hold what is legal

    def _fault(self, number: int) -> str:
        """What is wrong with a game, as the board says it."""
        board, winner = self.blank.copy(), self.winners[number]
        for ply, move in enumerate(self.moves_of(number).tolist(), start=1):
            try:
                board.apply(move)
            except (ValueError, IndexError) as problem:
                return f"move {ply}: {problem}".removesuffix(".")
        if self.forfeits[number]:
            return f"a forfeited game has a winner 1 or 2 and is not decided on the board; this one says {winner}"
        if board.winner is None:
            return "it is cut short: the game is not over after its last move"
        return f"the winner is given as {winner}, which is not what the board says"

    @classmethod
    def from_games(cls, games, *, winners=None, mistakes=None, card=None):
        """The records of finished games by their histories.

        Args:
            games: of the kind that these records hold, from the start on.
            winners: who won each game; needed where a game was forfeited. Default: what each board says.
        """
        try:
            games = list(games)
        except TypeError:
            raise TypeError(f"Records are made of a list of games, got {games!r}.") from None
        for number, game in enumerate(games, start=1):
            if not cls.can_hold(game):
                raise ValueError(f"Game {number}: records hold games from the empty board on, begun by black.")
        rules = {cls.rule_of(game) for game in games}
        if len(rules) != 1:
            raise ValueError(f"Records hold games of one board and rule, got {sorted(rules) or 'no games'}.")
        forfeits = [game.winner is None for game in games]
        if winners is None and any(forfeits):
            number = forfeits.index(True) + 1
            raise ValueError(f"Game {number} is not over: play it on, or say who has won each game (winners).")
        if winners is None:
            winners = [game.winner for game in games]
        moves = np.concatenate([np.array(game.history, dtype=np.int16) for game in games])
        lengths = [len(game.history) for game in games]
        return cls(moves, lengths, winners, *rules.pop(), forfeits=forfeits, mistakes=mistakes, card=card)

    @staticmethod
    def can_hold(game) -> bool:
        """Whether these are records for a game: k in a row from the empty board, begun by black."""
        if type(game) is not Mock5 or np.count_nonzero(game.cells) != len(game.history):
            return False
        return not game.history or game.cells[game.history[0]] == BLACK

    @classmethod
    def reads(cls, path: Path) -> bool:
        """Whether a file says that it holds such records; False also where nothing can be read."""
        return format_of(path) == cls.FORMAT

    @property
    def rule_text(self) -> str:
        """The rule in words."""
        return f"{self.k} in a row{' exactly' if self.exact else ''}"

    @classmethod
    def from_table(cls, table, card=None):
        """The games of a `game.lockstep_compiled.Table`, which are over."""
        moves = table.histories[table.histories >= 0]
        return cls(moves, table.plies, table.winners, *cls.rule_of(table.blank), card=card)

    @staticmethod
    def rule_of(game) -> tuple:
        """What is the same in all games: the arguments between winners and forfeits."""
        return game.height, game.width, game.k, game.exact

    def _rule(self) -> tuple:
        return self.rule_of(self.blank)

    height = property(lambda self: self.blank.height)
    width = property(lambda self: self.blank.width)

    # Looking at the games

    def __len__(self) -> int:
        return len(self.winners)

    def __repr__(self) -> str:
        rule = f", k={self.k}" + (", exact" if self.exact else "")
        return f"<Records: {len(self)} games, {self.positions} positions, {self.height}×{self.width}{rule}>"

    def __eq__(self, other) -> bool:
        """Same rules, moves and results; the card does not count."""
        same_rule = isinstance(other, Records) and self._rule() == other._rule()
        return same_rule and all(
            np.array_equal(getattr(self, part), getattr(other, part))
            for part in ("moves", "offsets", "winners", "forfeits")
        )

    __hash__ = None

    @property
    def lengths(self) -> np.ndarray:
        """Number of moves of each game, (G,) int64."""
        return np.diff(self.offsets)

    @property
    def positions(self) -> int:
        """Number of positions with a move: the moves of all games together."""
        return len(self.moves)

    def moves_of(self, game: int) -> np.ndarray:
        """The moves of one game, counted from 0."""
        if not 0 <= game < len(self):
            raise IndexError(f"There is no game {game}: games are 0 to {len(self) - 1}.")
        return self.moves[self.offsets[game] : self.offsets[game + 1]]

    def game(self, game: int, plies: int | None = None):
        """One game, or its first `plies` moves, on a board."""
        board = self.blank.copy()
        for move in self.moves_of(game)[:plies].tolist():
            board.apply(move)
        return board

    def select(self, games):
        """The records of some games, given by their numbers."""
        games = numbers_below(games, len(self), "game")
        ranges = [np.arange(self.offsets[game], self.offsets[game + 1]) for game in games]
        where = np.concatenate(ranges) if ranges else np.zeros(0, dtype=np.int64)
        return type(self)(
            self.moves[where],
            self.lengths[games],
            self.winners[games],
            *self._rule(),
            forfeits=self.forfeits[games],
            mistakes=self.mistakes[where],
            card=self.card if (games % 2 == np.arange(len(games)) % 2).all() else no_turns(self.card),
        )

    def split(self, fraction: float, seed=0) -> tuple[Records, Records]:
        """Two parts by game, the second with about `fraction` of the games (at least one each).

        Positions of one game are alike; a split by position would let a net see its test answers in training.
        """
        arguments.split_fraction(fraction)
        if len(self) < 2:
            raise ValueError(f"A split by game needs at least 2 games, there are {len(self)}.")
        order = arguments.generator_of(seed).permutation(len(self))
        held_out = min(max(round(fraction * len(self)), 1), len(self) - 1)
        return self.select(np.sort(order[held_out:])), self.select(np.sort(order[:held_out]))

    # Positions

    def batches(
        self,
        batch_size: int = 256,
        *,
        encoder: Encoder = three_planes,
        symmetries: str = "random",
        shuffle: bool = True,
        mistakes: bool = True,
        where=None,
        seed=0,
    ) -> Iterator[TrainingBatch]:
        """Go once through all positions, in batches; the last one may be smaller.

        Args:
            where: places in `moves`, to go through those positions alone.
            symmetries: "random" turns each position into one of the board's symmetries (eight on a square board,
                four on another), "all" gives each position in every one of them, "none" leaves it.
            shuffle: mix the positions of all games; otherwise they come game by game.
            mistakes: whether positions in which the generator put a random move are given too.
            seed: for the order and the symmetries: an int or a numpy Generator.
        """
        arguments.one_of("symmetries", symmetries, ("random", "all", "none"))
        rng = arguments.generator_of(seed)
        where = np.arange(self.positions) if where is None else where
        if not mistakes:
            where = where[~self.mistakes[where]]
        kinds = len(self.symmetries)
        turns = np.zeros(len(where), dtype=np.int64)
        if symmetries == "random":
            turns = rng.integers(kinds, size=len(where))
        elif symmetries == "all":
            where, turns = np.repeat(where, kinds), np.tile(np.arange(kinds), len(where))
        order = rng.permutation(len(where)) if shuffle else np.arange(len(where))
        for start in range(0, len(order), batch_size):
            chosen = order[start : start + batch_size]
            yield self.positions_at(where[chosen], encoder, turns[chosen])

    def positions_at(self, where, encoder: Encoder = three_planes, turns=None) -> TrainingBatch:
        """The positions before some moves, given by their places in `moves`.

        Args:
            where: (B,) places in `moves`. turns: (B,) numbers of symmetries, in the order of `symmetries`.
        """
        where = numbers_below(where, self.positions, "place in the moves")
        turns = np.zeros_like(where) if turns is None else numbers_below(turns, len(self.symmetries), "symmetry")
        if turns.shape != where.shape:
            raise ValueError(f"There must be a symmetry for each of {len(where)} positions, got {turns.shape}.")
        maps, first = self._maps(), self.offsets[self.games_at(where)]
        moves, outcomes = maps[turns, self.moves[where]], self.outcomes_at(where)
        if kit.starts_symmetric(self.blank):
            positions = replayed(self.blank, self.moves, first, where, maps, turns)
            return TrainingBatch(encoder.encode(positions), moves, outcomes)
        planes = encoder.encode(replayed(self.blank, self.moves, first, where))  # turned moves need not be legal here
        come_from = np.argsort(kit.point_maps(self.blank), axis=1)[turns]
        turned = np.take_along_axis(planes.reshape(*planes.shape[:2], -1), come_from[:, None], axis=2)
        return TrainingBatch(turned.reshape(planes.shape), moves, outcomes)

    def games_at(self, where) -> np.ndarray:
        """The numbers of the games that places in `moves` lie in."""
        return np.searchsorted(self.offsets, where, side="right") - 1

    def outcomes_at(self, where) -> np.ndarray:
        """For each of some moves, (B,) float32: 1 if who played it won, −1 if they lost, 0 for a draw."""
        games = self.games_at(where)
        players, winners = 1 + (where - self.offsets[games]) % 2, self.winners[games]
        return np.where(winners == 0, 0, np.where(winners == players, 1, -1)).astype(np.float32)

    def sensible_at(self, where) -> np.ndarray:
        """The points worth a look before some moves, (B, H * W) bool, see `game.position_compiled.mark_sensible`."""
        return sensible_points(replayed(self.blank, self.moves, self.offsets[self.games_at(where)], where))

    def _maps(self) -> np.ndarray:
        """Where each move goes in each of the game's symmetries: (S, actions) int64."""
        return kit.move_maps(self.blank)

    @property
    def symmetries(self) -> list[tuple[int, int]]:
        """The (angle, flip) of the game: of k in a row eight on a square board, four on another."""
        return kit.symmetries_of(self.blank)

    # Files

    def save(self, path) -> Path:
        """Write the records in the format of the path's ending: .npz, .bin or .sgf. Returns the path.

        The file appears whole or not at all.

        Raises:
            ValueError: another ending, or a file is there that does not begin as such records; it stays.
        """
        return record_formats.write(self, Path(path))

    @classmethod
    def load(cls, path, *, height: int | None = None, width: int | None = None, k: int | None = None, exact=None):
        """Read and check records.

        Args:
            height, width: the board. `.bin` does not tell, and needs them; elsewhere they are an expectation.
            k, exact: the rule. `.npz` and our `.sgf` tell it, and it is an expectation; elsewhere five in a row is
                taken where nothing is said, and the games must fit that.

        Raises:
            ValueError: not such records, cut short, of another board, or a game against the rules; names the file.
            FileNotFoundError: there is no such file.
        """
        path = Path(path)
        try:
            if record_formats.known_ending(path, cls.FORMAT) == ".npz":
                records = record_formats.read_npz(cls, path)
            else:
                records = record_formats.read(cls, path, height, width, k, exact)
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError, PermissionError):
            raise
        except kit.NotBrought as problem:
            raise kit.NotBrought(f"{path}: {problem}") from None
        except DAMAGE as problem:
            if str(problem).startswith(str(path)):
                raise
            raise ValueError(f"{path}: not records, or damaged ({problem}).") from None
        expected = (height or records.height, width or records.width)
        if (records.height, records.width) != expected:
            raise ValueError(
                f"{path}: games on a {records.height}×{records.width} board, expected {expected[0]}×{expected[1]}."
            )
        for name, wanted in (("k", k), ("exact", exact)):
            if wanted is not None and getattr(records, name, None) != wanted:
                raise ValueError(f"{path}: its games have {name}={getattr(records, name, None)}, expected {wanted}.")
        return records

    def rule_arrays(self) -> dict:
        """How an .npz keeps the rule."""
        return {"rule": np.array(self._rule(), dtype=np.int32)}

    @staticmethod
    def rule_in(arrays) -> tuple:
        """The rule that an .npz keeps."""
        height, width, k, exact = arrays["rule"].tolist()
        return height, width, k, bool(exact)


def numbers_below(numbers, count: int, what: str) -> np.ndarray:
    """Whole numbers from 0 to count − 1, (n,) int64, or an IndexError; compiled code takes them without a look."""
    numbers = np.asarray(numbers)
    if numbers.size and not np.issubdtype(numbers.dtype, np.integer):
        raise TypeError(f"A {what} is a whole number, got {numbers.dtype}.")
    wrong = numbers[(numbers < 0) | (numbers >= count)]
    if wrong.size:
        raise IndexError(f"There is no {what} {wrong[0]}: they are 0 to {count - 1}.")
    return numbers.astype(np.int64).reshape(-1)


def concatenate(parts: list):
    """The games of several records of one board and rule, in order; the first part's card."""
    if len({part._rule() for part in parts}) != 1:
        raise ValueError("Only records of one board and rule can be put together, and there must be some.")
    names = ("moves", "lengths", "winners", "forfeits", "mistakes")
    moves, lengths, winners, forfeits, mistakes = (
        np.concatenate([getattr(part, name) for part in parts]) for name in names
    )
    same = all(part.card.get("match") == parts[0].card.get("match") for part in parts)
    in_turn = same and all(len(part) % 2 == 0 for part in parts[:-1])
    marks = {"forfeits": forfeits, "mistakes": mistakes, "card": parts[0].card if in_turn else no_turns(parts[0].card)}
    return type(parts[0])(moves, lengths, winners, *parts[0]._rule(), **marks)


def no_turns(card: dict) -> dict:
    """The card of a match whose games no longer have each player black in turn: it names the players alone."""
    return {("players" if name == "match" else name): value for name, value in card.items()}


class GameRecords(Records):
    """Finished games of a game of one's own, see `game.kit`: the file names it, and whoever reads brings it.

    Args:
        game, options: its name and options, as text of JSON; `kit.bring` has made it known.
    """

    FORMAT = "mock5-game-records-1"

    def __init__(
        self, moves, lengths, winners, game, options="{}", *, forfeits=None, mistakes=None, card=None, source="records"
    ):
        self.blank = kit.GameRules(str(game), json.loads(options)).board()
        self._fill(moves, lengths, winners, forfeits, mistakes, card, source)

    @staticmethod
    def can_hold(game) -> bool:
        """Whether a game has the kit of `game.kit`, and its moves lead from the start to where it stands."""
        try:
            kit.check_kit(game)
            replay = kit.rules_of_game(game).made(type(game))
            for move in game.history:
                replay.apply(move)
        except (TypeError, ValueError, IndexError):
            return False
        return list(replay.board) == list(game.board) and replay.player == game.player

    @staticmethod
    def rule_of(game) -> tuple:
        name, options = kit.bring(game)
        return name, json.dumps(options, sort_keys=True)

    def __repr__(self) -> str:
        return f"<GameRecords: {len(self)} games of {self._rule()[0]}, {self.positions} moves>"

    @property
    def rule_text(self) -> str:
        name, options = kit.rules_of_game(self.blank)
        return ", ".join([name, *(f"{key} {value}" for key, value in options.items())])

    def rule_arrays(self) -> dict:
        return dict(zip(("game", "options"), map(np.array, self._rule())))

    @staticmethod
    def rule_in(arrays) -> tuple:
        return str(arrays["game"]), str(arrays["options"])


def records_of(game) -> type[Records]:
    """The class of records for games like this one: what its class says, see `game.kit`."""
    if type(game) is Mock5:
        return Records
    place = getattr(type(game), "records", None)
    return GameRecords if place is None else thing_at(place)


def records_in(path) -> type[Records]:
    """The class that reads a file of records, ours or that of a game that a package brings; `Records` if none does."""
    places = (getattr(kit.class_named(name), "records", None) for name in brought(GAMES))
    kinds = [GameRecords, *(thing_at(place) for place in places if place is not None)]
    return next((kind for kind in kinds if kind.reads(Path(path))), Records)


# Positions of games in a row of moves, whatever the game --------------------------------------------------------


def replayed(blank, moves, first, where, maps=None, turns=None) -> Any:
    """Stacked positions: number b after moves[first[b]:where[b]] from the blank board, turned by maps[turns[b]]."""
    start = position_of(blank)
    positions = room_for(start, len(where))
    if maps is None:
        maps, turns = np.arange(blank.actions)[None], np.zeros_like(where)
    if isinstance(start, plain.Plain):
        return start.of(plain.replayed(blank, moves, first, where, maps, turns))
    play_up_to(start, positions, moves, first, where, maps, turns)
    return positions


@compiled(nogil=True)
def play_up_to(start, positions, moves, first, where, maps, turns):
    """`replayed`."""
    for b in range(len(where)):
        play_from(start, at(positions, b), moves[first[b] : where[b]], maps[turns[b]])


@compiled
def play_from(start, position, moves, to):
    copy_into(position, start)
    for move in moves:
        play(position, to[move])


@compiled(nogil=True)
def first_wrong_game(start, position, moves, offsets, winners, forfeits):
    """The first game with an illegal move or another end than its record says, −1 if all is well; uses `position`."""
    for game in range(len(winners)):
        copy_into(position, start)
        winner = RUNNING
        for number in range(offsets[game], offsets[game + 1]):
            if winner != RUNNING or not is_legal(position, moves[number]):
                return game
            play(position, moves[number])
            winner = winner_of(position)
        said = winners[game]
        if forfeits[game]:
            ends_as_said = winner == RUNNING and 1 <= said <= 2
        else:
            ends_as_said = winner != RUNNING and winner == said
        if not ends_as_said:
            return game
    return -1
