"""A round robin that can be stopped at any moment, goes on later, and takes in new players.

In each round every two players meet for some pairs of games, from openings of their own. A meeting is one line of a
file. What is played in it depends on the tournament's settings, the round and the two names alone, so it does not
matter when it is played, beside which others, or after how many interruptions: the table is the same.

What a game began with is read from its moves. So games whose openings were chosen in another way are read as any
others, and the intervals know which games share an opening.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from mock5lib.arena.elo import Ratings, ratings
from mock5lib.arena.matches import MatchResult, opening_positions, result_of, score_of, scored
from mock5lib.arena.side_by_side import PlayedGame
from mock5lib.arena.workers import Batch, check_meeting, play_batches, player_of
from mock5lib.base.arguments import whole
from mock5lib.base.contract import Recipe
from mock5lib.base.files import Lock, append_rows, read_rows
from mock5lib.game.board import Mock5
from mock5lib.game.kit import GameRules, bring, check_kit, rules_of_game
from mock5lib.game.records import Records, records_of
from mock5lib.game.referee import Outcome

FILE, BEGINS = "games.jsonl", b'{"tournament": '
OPENINGS = 1  # the stream of a meeting's openings, apart from those of its players


@dataclass
class Tournament:
    """A tournament in a folder, whose `games.jsonl` holds its settings and a line for each meeting.

    Args:
        folder: where it is kept; it is made if need be. A tournament that is there already goes on.
        height, width, k, exact: the game. pairs: of games in a meeting. openings: random moves to start each pair with.
        seed: a whole number that all openings and all players' random numbers come from.
        game: the start of another game, in place of height, width, k and exact, see `game.kit`; the file names it.

    Raises:
        ValueError: the folder holds a tournament with other settings, or a damaged one.
    """

    folder: Path
    height: int = 9
    width: int = 9
    k: int = 5
    exact: bool = False
    pairs: int = 10
    openings: int = 4
    seed: int = 0
    game: Any = None
    meetings: list[dict] = field(init=False, repr=False)

    def __post_init__(self):
        if not isinstance(self.folder, (str, Path)):
            raise TypeError(f"folder must be where the tournament is kept, such as 'runs/ladder', got {self.folder!r}.")
        self.folder = Path(self.folder)
        self.start = Mock5(self.height, self.width, self.k, exact=self.exact)  # checks the rules
        if self.game is not None:
            check_kit(self.game)
            self.start = bring(self.game).board()
            self.height, self.width = self.start.height, self.start.width
        whole("pairs", self.pairs, 1)
        whole("seed", self.seed, 0)
        whole("openings", self.openings, 0)
        self.meetings = self._read()

    @classmethod
    def load(cls, folder) -> Tournament:
        """The tournament that is kept in a folder. Its game, if it is one of the reader's own, has been brought."""
        lines = read_rows(Path(folder) / FILE, BEGINS)
        if not lines:
            raise ValueError(f"{Path(folder) / FILE}: there is no tournament.")
        try:
            settings = dict(lines[0]["tournament"])
            if "game" in settings:
                settings["game"] = GameRules(settings["game"], settings.pop("options", {})).board()
            return cls(Path(folder), **settings)
        except TypeError as problem:
            raise ValueError(f"{Path(folder) / FILE}, line 1: not the settings of a tournament: {problem}") from None

    @property
    def settings(self) -> dict:
        """What all games have in common."""
        played = {name: getattr(self, name) for name in ("pairs", "openings", "seed")}
        if self.game is not None:
            return rules_of_game(self.start)._asdict() | played
        rules = {name: getattr(self, name) for name in ("height", "width", "k", "exact")}
        return rules | played

    def _read(self) -> list[dict]:
        """The meetings that the file has."""
        path = self.folder / FILE
        lines = read_rows(path, BEGINS)
        if lines and lines[0] != {"tournament": self.settings}:
            raise ValueError(
                f"{path}: holds a tournament with the settings {lines[0]['tournament']}, not {self.settings}; name "
                f"another folder, or remove this one."
            )
        there = {}
        for number, line in enumerate(lines[1:], start=2):
            if not is_meeting(line, 2 * self.pairs):
                raise ValueError(f"{path}, line {number}: not a meeting of {2 * self.pairs} games.")
            one, other = sorted(line["agents"])
            earlier = there.setdefault((line["round"], one, other), number)
            if earlier < number:
                raise ValueError(f"{path}, line {number}: the meeting of line {earlier} once more.")
        self._records_of(lines[1:])  # for its checks: a winner may have been written by hand
        return lines[1:]

    # Playing

    def run(
        self,
        players: list[Recipe | str],
        rounds: int = 1,
        *,
        workers: int = 1,
        say: Callable[[str], None] = lambda text: None,
    ):
        """Play the meetings that are missing, round by round.

        Args:
            players: recipes or names of agents; those of earlier runs need not be named again.
            rounds: to be complete afterwards. workers: processes that play meetings. say: told each meeting's result.

        Raises:
            ValueError: a player can't play this game, has changed since its games were played, or is named twice.
        """
        whole("rounds", rounds, 0)
        if not isinstance(players, (list, tuple)):
            raise TypeError(f"players must be a list of agents' names or recipes, got {players!r}.")
        recipes = [player_of(player, self.start) for player in players]
        strangers = [one for one in recipes if not isinstance(one, Recipe)]
        if strangers:
            raise TypeError(f"Players of a tournament are names or recipes, got {strangers[0]!r}.")
        names, prints = [recipe.name for recipe in recipes], {recipe.name: recipe.print for recipe in recipes}
        if len(set(names)) < max(2, len(names)):
            raise ValueError(f"A tournament needs at least 2 players with different names, got {names}.")
        path, by_name = self.folder / FILE, {recipe.name: recipe for recipe in recipes}
        with Lock(path):
            self.meetings = self._read()  # another process may have played since
            for meeting in self.meetings:
                for name, kept in zip(meeting["agents"], meeting.get("prints", ["", ""])):
                    now = prints.get(name, "")
                    if kept and now and kept != now:
                        raise ValueError(
                            f"{name} is {now} now, and was {kept} when its games in {path} were played; give it "
                            "another label, remove the lines that name it, or name another folder."
                        )
            wanted = self.missing(names, rounds)
            for name in {name: None for _, pair in wanted for name in pair}:
                check_meeting([by_name[name]], self.start)
            if wanted and not read_rows(path, BEGINS):
                append_rows(path, [{"tournament": self.settings}])
            batches = []
            for number, pair in wanted:
                starts = [position for position, _ in self.starts(number, pair)]
                batches.append(Batch((by_name[pair[0]], by_name[pair[1]]), starts, self._seed(number, pair)))
            results = zip(wanted, play_batches(batches, workers))
            for count, ((number, pair), played) in enumerate(results, start=1):
                meeting = {
                    "round": number,
                    "agents": list(pair),
                    "prints": [prints.get(name, "") for name in pair],
                    "moves": list(played.moves),
                    "seconds": [round(seconds, 3) for seconds in played.seconds],
                    "games": [
                        [int(game.outcome), game.outcome.reason, " ".join(map(str, game.board.history))]
                        for game in played.games  # winner and reason as agents see them
                    ],
                }
                append_rows(path, [meeting])
                self.meetings.append(meeting)
                score = score_of(played.games)
                result = f"{pair[0]} {score:g} : {2 * self.pairs - score:g} {pair[1]}"
                say(f"{count}/{len(wanted)} round {number + 1}: {result}")

    def missing(self, names: list[str], rounds: int) -> list[tuple[int, tuple[str, str]]]:
        """(round, pair of names) of the meetings that are not there yet."""
        there = {(meeting["round"], *meeting["agents"]) for meeting in self.meetings}
        pairs = [tuple(sorted(pair)) for pair in combinations(names, 2)]
        return [(number, pair) for number in range(rounds) for pair in pairs if (number, *pair) not in there]

    def starts(self, number: int, pair: tuple[str, str]) -> list[tuple]:
        """The (position, moves) that the meeting of two players in a round begins with, names in alphabetical order."""
        rng = np.random.default_rng([*self._seed(number, pair), OPENINGS])
        return opening_positions(self.start, self.pairs, self.openings, rng)

    def _seed(self, number: int, pair: tuple[str, str]) -> tuple[int, ...]:
        """What a meeting's openings and its players' random numbers come from."""
        return self.seed, number, *(zlib.crc32(name.encode()) for name in pair)

    # Results

    @property
    def names(self) -> list[str]:
        """All players that have games."""
        return names_in(self.meetings)

    def games(self) -> Iterator[tuple[str, str, float]]:
        """(black, white, black's score) of each game, as `ratings` takes them; without those lost by a fault."""
        for game, _ in self._rated():
            yield game

    def _rated(self) -> Iterator[tuple[tuple[str, str, float], str]]:
        """The games that count, as `ratings` takes them, each with its opening's moves."""
        for meeting in self.meetings:
            one, other = meeting["agents"]
            for index, (winner, reason, moves) in enumerate(meeting["games"]):
                if is_fault(reason, meeting["agents"]):
                    continue
                score, opening = scored(winner), " ".join(moves.split()[: self.openings])
                yield (one, other, score) if index % 2 == 0 else (other, one, 1 - score), opening

    def ratings(self, anchor: str | None = None) -> Ratings:
        """Elo ratings by all games; the anchor is `random` if it plays, else the weakest."""
        rated = list(self._rated())
        games, openings = ([entry[part] for entry in rated] for part in range(2))
        return ratings(games, anchor or ("random" if "random" in self.names else None), openings=openings)

    def result(self, one: str, other: str) -> MatchResult:
        """All games of two players, as a match seen by the first."""
        meetings = [meeting for meeting in self.meetings if set(meeting["agents"]) == {one, other}]
        if not meetings:
            raise ValueError(f"{one} and {other} have not met; there are {', '.join(self.names)}.")
        played, openings = [], []
        for meeting in sorted(meetings, key=lambda meeting: meeting["round"]):
            games = self._games_of(meeting)
            if meeting["agents"][0] != one:  # the same games with the agents' numbers exchanged
                games = [game for pair in zip(games[1::2], games[::2]) for game in pair]
                games = [game._replace(outcome=game.outcome.swapped()) for game in games]
            played += games
            openings += [game.board.history[: self.openings] for game in games[::2]]
        return result_of(played, (one, other), openings)

    def records(self) -> Records:
        """All games as records, meeting by meeting."""
        return self._records_of(self.meetings)

    def _records_of(self, meetings: list[dict]) -> Records:
        """The games of meetings as records; a ValueError names the first that is no game, or not won as it says."""
        moves, winners, forfeits = [], [], []
        for meeting in meetings:
            for index, (winner, reason, played) in enumerate(meeting["games"]):
                moves.append(list(map(int, played.split())))
                winners.append(3 - winner if winner and index % 2 else winner)  # the first player is white in these
                forfeits.append(is_off_board(reason, meeting["agents"]))
        kind = records_of(self.start)
        return kind(
            [move for game in moves for move in game],
            [len(game) for game in moves],
            winners,
            *kind.rule_of(self.start),
            forfeits=forfeits,
            card={"tournament": self.settings, "players": names_in(meetings)},
            source=str(self.folder / FILE),
        )

    def _games_of(self, meeting: dict) -> list[PlayedGame]:
        """The games of a meeting, as its first player sees them."""
        path, found = self.folder / FILE, []
        for entry in meeting["games"]:
            found.append(game_of(entry, self.start, self.openings, path))
            one, other = found[-2:] if len(found) % 2 == 0 else found[-1:] * 2
            if one.board.history[: self.openings] != other.board.history[: self.openings]:
                raise ValueError(f"{path}: not a game of this tournament: it has another opening")
        return found

    def cross_table(self, names: list[str] | None = None) -> tuple[list[str], np.ndarray, np.ndarray]:
        """Who scored what against whom: (names, scores (N, N) with NaN where two have not met, games (N, N))."""
        names = names or self.ratings().names
        where = {name: number for number, name in enumerate(names)}
        scores, games = np.zeros((2, len(names), len(names)))
        for black, white, won in self.games():
            if black in where and white in where:
                row, column = where[black], where[white]
                scores[row, column] += won
                scores[column, row] += 1 - won
                games[row, column] += 1
                games[column, row] += 1
        with np.errstate(invalid="ignore"):
            return names, scores / games, games

    def thinking(self) -> dict[str, float]:
        """Seconds of thinking a move of each player that was timed: of the processor, for engines by the clock."""
        seconds, moves = Counter(), Counter()
        for meeting in self.meetings:
            for name, spent, asked in zip(meeting["agents"], meeting["seconds"], meeting["moves"]):
                seconds[name] += spent
                moves[name] += asked
        return {name: seconds[name] / asked for name, asked in moves.items() if asked}

    def table(self) -> dict:
        """Everything but the games, as plain values: settings, ladder, first-move advantage, cross-table, forfeits.

        The ladder's ratings are not rounded: whoever shows them rounds once, so that all tables agree.
        """
        rated = self.ratings()
        _, scores, games = self.cross_table(rated.names)
        columns = {
            "name": rated.names,
            "elo": rated.elo.tolist(),
            "low": rated.low.tolist(),
            "high": rated.high.tolist(),
            "games": rated.games.astype(int).tolist(),
            "points": rated.scores.tolist(),
        }
        return {
            "settings": self.settings,
            "games": int(games.sum() / 2),
            "distinct": self.distinct,
            "first_move": [round(value, 1) for value in rated.first_move],
            "rough": rated.rough,
            "ladder": [dict(zip(columns, row)) for row in zip(*columns.values())],
            "superiority": [
                round(rated.superiority(one, other), 4) for one, other in zip(rated.names, rated.names[1:])
            ],
            "scores": [[None if np.isnan(score) else round(float(score), 4) for score in row] for row in scores],
            "forfeits": self.forfeits(),
        }

    @property
    def distinct(self) -> int:
        """How many of the games differ, move for move: two players without chance repeat themselves."""
        return len({moves for meeting in self.meetings for _, _, moves in meeting["games"]})

    def forfeits(self) -> dict[str, int]:
        """Reasons for games that ended off the board, with how many each."""
        found = Counter()
        for meeting in self.meetings:
            found.update(reason for _, reason, _ in meeting["games"] if is_off_board(reason, meeting["agents"]))
        return dict(sorted(found.items()))

    def faults(self) -> dict[str, int]:
        """Those forfeits that are no resignations: games that tell nothing of strength, and that no rating counts."""
        return {reason: count for reason, count in self.forfeits().items() if not reason.endswith(" resigned")}


def names_in(meetings: list[dict]) -> list[str]:
    """All players of meetings."""
    return sorted({name for meeting in meetings for name in meeting["agents"]})


def is_meeting(line: dict, games: int) -> bool:
    """Whether a line of the file is a meeting: a round, two players, and so many games of [winner, reason, moves]."""
    agents, played = line.get("agents"), line.get("games")
    if not isinstance(agents, list) or len(agents) != 2 or not all(isinstance(name, str) for name in agents):
        return False
    if not isinstance(line.get("round"), int) or line["round"] < 0 or not isinstance(played, list):
        return False
    prints = line.get("prints", ["", ""])
    if not isinstance(prints, list) or len(prints) != 2 or not all(isinstance(one, str) for one in prints):
        return False
    for spent in (line.get("moves"), line.get("seconds")):
        if not isinstance(spent, list) or len(spent) != 2:
            return False
        if not all(type(one) in (int, float) and 0 <= one < 1e12 for one in spent):
            return False
    whole_games = [
        isinstance(game, list)
        and len(game) == 3
        and game[0] in (0, 1, 2)
        and all(isinstance(part, str) for part in game[1:])
        and all(move.isdecimal() for move in game[2].split())
        for game in played
    ]
    return len(played) == games and all(whole_games)


def is_fault(reason: str, agents: list[str]) -> bool:
    """Whether a game ended off the board, and not by resignation."""
    return is_off_board(reason, agents) and not reason.endswith(" resigned")


def is_off_board(reason: str, agents: list[str]) -> bool:
    """Whether a game was not decided on the board, as its reason says."""
    return reason != "draw" and reason not in {f"{name} won" for name in agents}


def game_of(entry: list, start, opening: int, path) -> PlayedGame:
    """The game of an entry, whose first moves are its opening; a ValueError names the file if it can't be played."""
    try:
        winner, reason, moves = entry
        board, moves = start.copy(), [int(move) for move in moves.split()]
        for move in moves:
            board.apply(move)
        return PlayedGame(Outcome(winner, reason), board, len(moves) - opening)
    except (TypeError, ValueError, IndexError, AttributeError) as problem:
        raise ValueError(f"{path}: not a game of this tournament: {problem}") from None
