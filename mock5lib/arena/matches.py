"""Matches: two agents, many games side by side, each opening played with both colors.

An opening may favor one color, so the two games from it are not independent; the pairs are. The score and its
interval are therefore worked out over pairs. Openings are random moves, or come from a list.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from mock5lib.arena.elo import SequentialTest, elo_of
from mock5lib.arena.side_by_side import PlayedGame
from mock5lib.arena.workers import Batch, check_meeting, name_of, play_batches, player_of
from mock5lib.base import arguments
from mock5lib.base.arguments import generator_of
from mock5lib.base.contract import Recipe, check_game
from mock5lib.base.progress import is_watched, progress_bar
from mock5lib.game.board import Mock5
from mock5lib.game.kit import check_kit, lacking
from mock5lib.game.records import Records, records_of
from mock5lib.game.referee import Outcome
from mock5lib.names import MOST_SECONDS


def opening_positions(start, pairs: int, openings, rng: np.random.Generator) -> list[tuple]:
    """For each pair the (position, moves from `start`) to begin with; none is decided."""
    if isinstance(openings, (int, np.integer)):
        arguments.whole("openings", openings, 0)
        return [random_opening(start, int(openings), rng) for _ in range(pairs)]
    if not isinstance(openings, Sequence) or isinstance(openings, str):
        raise TypeError(f"openings must be a number of random moves, or a list of openings, got {openings!r}.")
    for number, moves in enumerate(openings, start=1):
        if not isinstance(moves, (Sequence, np.ndarray)) or isinstance(moves, str):
            raise TypeError(f"Opening {number} must be a list of moves, such as [40, 31], got {moves!r}.")
    openings = [list(moves) for moves in openings]
    if not openings:
        raise ValueError("The list of openings is empty.")
    positions = [played_opening(start, moves, number) for number, moves in enumerate(openings, start=1)]
    return [(positions[pair % len(openings)], openings[pair % len(openings)]) for pair in range(pairs)]


def random_opening(start, plies: int, rng: np.random.Generator, attempts: int = 1000) -> tuple:
    """(position, moves) after `plies` uniform random moves that leave the game undecided; in Go no passes."""
    for _ in range(attempts):
        position, moves = start.copy(), []
        while position.winner is None and len(moves) < plies:
            legal = position.playout_moves() if hasattr(position, "playout_moves") else position.legal_moves()
            moves.append(int(legal[rng.integers(len(legal))]))
            position.apply(moves[-1])
        if position.winner is None:
            return position, moves
    raise ValueError(f"No opening of {plies} random moves leaves this game undecided; choose fewer.")


def played_opening(start, moves: list[int], number: int):
    """The position after an opening's moves, or a ValueError if one is illegal or the game is over then."""
    position = start.copy()
    try:
        for move in moves:
            position.apply(move)
    except (TypeError, ValueError, IndexError) as problem:
        raise ValueError(f"Opening {number}: {problem}") from None
    if position.winner is not None:
        raise ValueError(f"Opening {number} decides the game; nothing is left to play.")
    return position


MOST_GAMES = 1_000_000  # of a match, which keeps them all
BATCH = 20  # pairs of games between two looks at the score


@dataclass
class MatchResult:
    """How a match ended, seen by the first agent.

    Attributes:
        names: both agents' names.
        outcomes: for each game who won, 1 or 2 for the first or second agent, 0 for a draw, each with a `.reason`.
            Games 2p and 2p + 1 share an opening; the first agent is player 1 in game 2p.
        lengths: (G,) number of moves, the opening's included.
        openings: for each pair the moves it started with.
        records: the games as `Records` (as colors, not agents); None for games without the kit of `game.kit`, and for
            games that began elsewhere than at the start.
        verdict: of the sequential test that ended the match early; None without one, or if all games were played. The
            score of a match that ended early is a little too far from the middle, for it ended on a good or bad run.
    """

    names: tuple[str, str]
    outcomes: list[Outcome]
    lengths: np.ndarray
    openings: list[list[int]]
    records: Records | None = None
    verdict: str | None = None

    games = property(lambda self: len(self.outcomes))
    wins = property(lambda self: self.outcomes.count(1))  # of the first agent
    losses = property(lambda self: self.outcomes.count(2))
    draws = property(lambda self: self.outcomes.count(0))

    @property
    def scores(self) -> np.ndarray:
        """Per game 1 for a win of the first agent, 0.5 for a draw, 0 for a loss, shape (G,)."""
        return np.array([scored(outcome) for outcome in self.outcomes])

    @property
    def score(self) -> float:
        """(wins + draws / 2) / games of the first agent."""
        return float(self.scores.mean())

    @property
    def summary(self) -> dict:
        """games, wins, draws, losses, score and its 95% interval, low and high: what a line of results keeps."""
        counted = dict(games=self.games, wins=self.wins, draws=self.draws, losses=self.losses, score=self.score)
        return counted | dict(zip(("low", "high"), self.interval))

    interval = property(lambda self: score_interval(self.pair_scores))  # 95%, of the score

    @property
    def elo(self) -> tuple[float, float, float]:
        """How many Elo the first agent is above the second by the score, with the 95% interval's low and high end."""
        low, high = self.interval
        return elo_of(self.score), elo_of(low), elo_of(high)

    @property
    def pair_scores(self) -> np.ndarray:
        """The first agent's mean score in each pair of games, (G / 2,): 0, 0.25, 0.5, 0.75 or 1."""
        return self.scores.reshape(-1, 2).mean(axis=1)

    @property
    def forfeits(self) -> Counter:
        """Reasons for games that ended off the board, with how many each: "agent: why" → games."""
        on_board = {"draw", *(f"{name} won" for name in self.names)}
        return Counter(outcome.reason for outcome in self.outcomes if outcome.reason not in on_board)

    @property
    def faults(self) -> Counter:
        """The forfeits that are not resignations: the agent raised, was late, died, or gave no legal move."""
        return Counter({reason: count for reason, count in self.forfeits.items() if not reason.endswith(" resigned")})

    @property
    def distinct(self) -> int | None:
        """How many of the games differ; few mean that the interval claims too much. None without records."""
        return len({tuple(self.records.moves_of(game)) for game in range(self.games)}) if self.records else None

    def __repr__(self) -> str:
        counted = f"won {self.wins}, drawn {self.draws}, lost {self.losses}"
        return f"<MatchResult {self.names[0]} against {self.names[1]}: {counted}>"

    def __str__(self) -> str:
        low, high = self.interval
        first_black, first_white = self.scores[::2].mean(), self.scores[1::2].mean()
        lines = [f"{count} × {reason}" for reason, count in self.faults.most_common(5)]
        if lines:
            failed = sum(self.faults.values())
            lines = [f"{failed} of {self.games} games were lost off the board: this is no measure of strength", *lines]
        lines += [
            f"{self.names[0]} against {self.names[1]}, {self.games} games",
            f"won {self.wins}, drawn {self.draws}, lost {self.losses}",
            f"score {self.score:.3f}, 95% interval {low:.3f} to {high:.3f}",
            f"as black {first_black:.3f}, as white {first_white:.3f}; {self.lengths.mean():.1f} moves a game",
        ]
        if self.distinct is not None and 2 * self.distinct < self.games:
            instead = "" if any(self.openings) else "; openings=4 gives each pair a start of its own"
            lines += [f"Only {self.distinct} of {self.games} games differ, so the interval is too narrow{instead}."]
        lines += [f"ended early: {self.names[0]} is {self.verdict}"] if self.verdict else []
        resigned = self.forfeits - self.faults
        lines += [f"{count} × {reason}" for reason, count in resigned.most_common(5)]
        return "\n".join(lines)


def score_interval(pair_scores) -> tuple[float, float]:
    """A 95% interval for the mean score from the mean scores of independent pairs of games, or of openings.

    The normal interval over pairs, after one imaginary pair won and one lost are added: the idea of Agresti and Coull
    (1998) for proportions. So the interval keeps a width where all pairs end alike, and draws narrow it as they
    should. In simulated matches of 10 to 250 pairs it held the true score in 95% of cases or more.

    Args:
        pair_scores: (P,) each from 0 to 1, P at least 1.
    """
    scores = np.concatenate([np.asarray(pair_scores, dtype=float), [0.0, 1.0]])
    half = 1.96 * scores.std() / np.sqrt(len(scores))
    mean = scores.mean()
    return float(max(mean - half, 0.0)), float(min(mean + half, 1.0))


def match(
    agent1,
    agent2,
    games: int = 100,
    *,
    game: Mock5 | Callable | None = None,
    openings=0,
    seed=0,
    progress: bool = False,
    seconds: float | None = None,
    stop: SequentialTest | None = None,
    batch: int | None = None,
    workers: int = 1,
) -> MatchResult:
    """Play a match. Each opening is played twice, with colors exchanged; all games of a batch go on side by side.

    An agent with `moves(games)` is asked for all its games at once. An agent that resigns, raises, stalls, dies or
    answers with no legal move loses that game, and the result keeps the reason. Agents get copies of the games.

    An agent may be given by its name, such as "uct:1000", or as a `Recipe`. Each batch then has fresh ones, so that the
    same seed gives the same games with any number of workers, and agents can be kept in processes of their own. An
    agent that can't play the game is refused before the first one.

    Args:
        games: how many, even and at least 2; with `stop`, at most so many.
        game: where to start: a game of any kind, or a function without arguments that makes one. Default: Mock5().
        openings: number of random moves to start each pair with, or a list of openings, each a list of moves; a list
            shorter than games / 2 is used again from its start.
        seed: for random openings and recipes: an int or a numpy Generator. Agents have their own.
        progress: show a progress bar.
        seconds: allowed for a move; many games asked at once have their seconds together. An agent that takes longer
            loses. One from a recipe plays in its own process, and is ended there; any other is waited for.
        stop: a test to end the match early, asked after each batch; see `SequentialTest`.
        batch: pairs of games side by side. Default: all, or 20 with recipes or `stop`.
        workers: processes that play batches; several need recipes.

    A match keeps nothing; a tournament of two does.
    """
    if arguments.whole("games", games, 2, MOST_GAMES) % 2:
        raise ValueError(f"A match has an even number of games, both colors in turn; got {games}.")
    if seconds is not None:
        arguments.above(0, seconds=seconds)
        arguments.at_most(MOST_SECONDS, seconds=seconds)
    start = game_of(game)
    if type(start) is not Mock5 and not lacking(start):
        check_kit(start)
    agent1, agent2 = player_of(agent1, start), player_of(agent2, start)
    check_meeting([agent1, agent2], start, own_process=seconds is not None)
    rng = generator_of(seed)
    starts = opening_positions(start, games // 2, openings, rng)
    positions, names = [position for position, _ in starts], (name_of(agent1), name_of(agent2))
    recipes = any(isinstance(agent, Recipe) for agent in (agent1, agent2))
    batch = batch or (BATCH if recipes or stop is not None else len(starts))
    arguments.whole("batch", batch, 1)
    recipe_seed = int(rng.integers(1 << 62)) if recipes else 0
    batches = [
        Batch((agent1, agent2), positions[pair : pair + batch], (recipe_seed, pair), seconds)
        for pair in range(0, len(starts), batch)
    ]
    played, verdict = [], None
    with progress_bar(games, progress, "game") as shown:
        for found in play_batches(batches, workers, ticking(shown)):
            played += found.games
            verdict = stop and stop.verdict([score_of(played[i : i + 2]) / 2 for i in range(0, len(played), 2)])
            if verdict:
                break
    return result_of(played, names, [moves for _, moves in starts[: len(played) // 2]], verdict)


def game_of(game):
    """Where a match starts: the game, what the function makes, or an empty 15 × 15 board; else a TypeError."""
    made = Mock5() if game is None else game() if callable(game) else game
    check_game(made)
    if not hasattr(legal := made.legal_moves(), "__getitem__"):
        raise TypeError(f"{type(made).__name__}.legal_moves() must give a list, got a {type(legal).__name__}.")
    return made


def score_of(games: list[PlayedGame]) -> float:
    """The sum of the first agent's scores in some games."""
    return sum(float(scored(game.outcome)) for game in games)


def scored(winner: int) -> float:
    """The first agent's score in a game: 1 if agent 1 has won, 0.5 for a draw (0), 0 if agent 2 has."""
    return (0.5, 1.0, 0.0)[winner]


def result_of(played: list[PlayedGame], names, openings, verdict=None) -> MatchResult:
    """The result of games that were played in pairs; with records if these can hold them."""
    outcomes, boards, records = [game.outcome for game in played], [game.board for game in played], None
    plies = np.repeat([len(moves) for moves in openings], 2)
    lengths = plies + np.array([game.played for game in played])
    kind = records_of(boards[0])
    if all(map(kind.can_hold, boards)):
        winners = [int(outcome.swapped() if index % 2 else outcome) for index, outcome in enumerate(outcomes)]
        records = kind.from_games(boards, winners=winners, card={"match": list(names)})
    return MatchResult(names, outcomes, lengths, openings, records, verdict)


def ticking(bar) -> Callable[[int], None]:
    """A bar that moves with each round of moves: all games of a match go on side by side, and end late and together."""
    rounds = 0

    def tick(ended: int) -> None:
        nonlocal rounds
        rounds += 1
        bar.set_postfix_str(f"move {2 * rounds}", refresh=ended == 0 and is_watched())
        bar.update(ended)

    return tick
