"""The checks of the exercises of chapter 7, the ladder, each named after the function that the learner writes."""

from collections import Counter

import numpy as np

from mock5check.ch07_slips import (
    INTERVAL_SLIPS,
    LADDER_SLIPS,
    MOVE_SLIPS,
    UPDATE_SLIPS,
    VERDICT_SLIPS,
    interval_of,
    ladder_of,
    move_of,
    update_of,
    verdict_of,
)
from mock5check.core import CheckFailed, Trial, describe_call, same, show

# What went wrong ------------------------------------------------------------------------------------------------


def compare(trial: Trial, function, *args, right, why: str, slips=(), close: float = 1e-9) -> None:
    """As `Trial.expect`, with mistakes given as functions, whose answers may be lists or arrays."""
    call = describe_call(function, args)
    answer = trial.call(function, *args)
    if not same(answer, right, close):
        causes = []
        for slip, cause in slips:
            try:
                wrong = slip(*args)
            except (ArithmeticError, TypeError, ValueError):
                continue
            if same(answer, wrong, close):
                causes.append(cause)
        trial.fail(why, call=call, answer=answer, right=right, hint=causes[0] if causes else None)
    trial.cases += 1


# 1. One game ----------------------------------------------------------------------------------------------------


def elo_update(function) -> None:
    """Check `elo_update(rating, opponent, score, k)`: both ratings after one game."""
    trial = Trial("elo_update")
    cases = [(0.0, 0.0, 1.0, 32), (0.0, 0.0, 0.5, 32), (200.0, 0.0, 1.0, 10), (200.0, 0.0, 0.0, 10)]
    cases += [(1500.0, 1900.0, 0.5, 20), (1900.0, 1500.0, 0.5, 20), (1200.0, 1230.0, 0.0, 64)]
    for rating, opponent, score, k in cases:
        expected = 1 / (1 + 10 ** (-(rating - opponent) / 400))
        why = (
            f"A player {rating - opponent:+.0f} Elo above its opponent expects {expected:.3f} and made {score:g}: "
            f"{k} · ({score:g} − {expected:.3f}) goes from one to the other."
        )
        compare(
            trial,
            function,
            rating,
            opponent,
            score,
            k,
            right=update_of(rating, opponent, score, k),
            why=why,
            slips=UPDATE_SLIPS,
        )
    trial.passed()


# 2. A schedule --------------------------------------------------------------------------------------------------


def schedule(function) -> None:
    """Check `schedule(names, openings)`: all games of a fair round robin."""
    trial = Trial("schedule")
    for names, openings in (("AB", "o"), ("ABC", "op"), ("WXYZ", [0, 1, 2]), ("A", "o")):
        names, openings = list(names), list(openings)
        call = describe_call(function, (names, openings))
        answer = trial.call(function, list(names), list(openings))
        games = schedule_entries(trial, answer, call)
        for black, white, opening in games:
            known = black in names and white in names and opening in openings
            game = show((black, white, opening))
            trial.require(known, f"{game} has a player or an opening that was not given.", call=call)
            trial.require(black != white, f"{black} is to play against itself.", call=call)
        counts = Counter(games)
        for black in names:
            for white in names:
                for opening in openings if black != white else ():
                    found = counts[(black, white, opening)]
                    hint = None
                    if found == 0 and counts[(white, black, opening)]:
                        hint = "The same opening with exchanged colours is there, but not this one."
                    trial.require(
                        found == 1,
                        f"{black} should play black against {white} from opening {opening!r} exactly "
                        f"once; it does {found} times.",
                        call=call,
                        hint=hint,
                    )
    trial.passed()


def schedule_entries(trial: Trial, answer, call: str) -> list[tuple]:
    """The learner's games as hashable triples, or a failure."""
    try:
        games = [tuple(game) for game in answer]
    except TypeError:
        trial.fail("Return a list of games (black, white, opening).", call=call, answer=answer)
    wrong = [game for game in games if len(game) != 3]
    if wrong:
        trial.fail("A game is (black, white, opening).", call=call, answer=wrong[0])
    return games


# 3. An interval -------------------------------------------------------------------------------------------------


def pair_interval(function) -> None:
    """Check `pair_interval(points)`: (low, high), worked out over pairs."""
    trial = Trial("pair_interval")
    rng = np.random.default_rng(3)
    cases = [[1, 0, 1, 0, 0, 1, 1, 0], [1, 1, 0, 0, 1, 0, 0.5, 0.5], [1, 1, 1, 1, 1, 1, 1, 0], [0, 0, 0, 0, 0, 0.5]]
    cases += [rng.choice([0, 0.5, 1], size=2 * pairs).tolist() for pairs in (5, 40, 101)]
    for points in cases:
        pairs = np.reshape(points, (-1, 2)).mean(axis=1)
        why = (
            f"{len(pairs)} pairs with mean {pairs.mean():.4f} and standard deviation {pairs.std():.4f}: half the "
            f"width is 1.96 · {pairs.std():.4f} / √{len(pairs)}; both ends stay within 0 and 1."
        )
        compare(trial, function, points, right=interval_of(points), why=why, slips=INTERVAL_SLIPS)
    trial.passed()


# 4. Ratings -----------------------------------------------------------------------------------------------------


def ladder(function) -> None:
    """Check `ladder(points, rounds)`: the most likely ratings, the last player at 0."""
    trial = Trial("ladder")
    rng = np.random.default_rng(4)
    cases = [(np.array([[0.0, 15.0], [5.0, 0.0]]), 50), (np.array([[0.0, 3.0], [3.0, 0.0]]), 1)]
    cases += [(np.array([[0.0, 6.5, 8.0], [3.5, 0.0, 7.0], [2.0, 3.0, 0.0]]), 3)]
    for players, rounds in ((3, 1), (4, 200), (6, 40)):
        wins = np.triu(rng.integers(1, 20, (players, players)), 1)
        games = np.triu(rng.integers(20, 40, (players, players)), 1)
        cases.append(((wins + (games - wins).T).astype(float), rounds))
    for points, rounds in cases:
        given = points.copy()
        why = f"{rounds} rounds of W / Σ n / (γ + γ') from γ = 1, then 400 · log10(γ), less the last player's."
        right = ladder_of(points, rounds)
        compare(trial, function, given, rounds, right=right, why=why, slips=LADDER_SLIPS, close=1e-6)
        trial.require((given == points).all(), "The points that were given must stay as they are.")
    trial.passed()


# 5. May we stop? ------------------------------------------------------------------------------------------------


def verdict(function) -> None:
    """Check `verdict(pairs, s0, s1, alpha, beta)`: what a sequential test says."""
    trial = Trial("verdict")
    rng = np.random.default_rng(5)
    cases = [([], 0.5, 0.55, 0.05, 0.05), ([0.5] * 30, 0.5, 0.55, 0.05, 0.05), ([1.0] * 9, 0.5, 0.55, 0.05, 0.05)]
    cases += [([1, 0.5] * 10, 0.5, 0.6, 0.05, 0.05), ([0, 0.5] * 10, 0.5, 0.6, 0.05, 0.05)]
    for alpha, beta in ((0.05, 0.05), (0.001, 0.2), (0.2, 0.001)):
        for mean in (0.46, 0.5, 0.53, 0.56, 0.6, 0.66):
            for count in (12, 40, 120):
                pairs = np.clip(np.rint(4 * rng.normal(mean, 0.25, count)) / 4, 0, 1).tolist()
                cases.append((pairs, 0.5, 0.58, alpha, beta))
    for pairs, s0, s1, alpha, beta in cases:
        right = verdict_of(pairs, s0, s1, alpha, beta)
        low, high = np.log(beta / (1 - alpha)), np.log((1 - beta) / alpha)
        varied = len(pairs) > 0 and np.var(pairs) > 0
        ratio = len(pairs) * (s1 - s0) * (2 * np.mean(pairs) - s0 - s1) / (2 * np.var(pairs)) if varied else None
        why = (
            f"The log-likelihood ratio is {ratio:.2f}; the bounds are {low:.2f} and {high:.2f}."
            if varied
            else "Without any spread among the pairs nothing can be said."
        )
        compare(trial, function, pairs, s0, s1, alpha, beta, right=right, why=why, slips=VERDICT_SLIPS)
    trial.passed()


# 6. The engine's line -------------------------------------------------------------------------------------------


def read_move(function) -> None:
    """Check `read_move(line, width, height)`: (row, column), None, or a ValueError."""
    trial = Trial("read_move")
    lines = ["3,4", "0,0", " 7 , 2 \r\n", "14,8", "", "   ", "OK", "DEBUG 3,4", "MESSAGE best 3,4", "3,4,1"]
    lines += ["three,four", "3;4", "12", ",", "3,", "SUGGEST 5,5", "x3,4", "3,4!", "0,8", "14,0"]
    for line in lines:
        right = move_of(line, 15, 9)
        why = f"Column {right[1]} comes first, then row {right[0]}." if right else "The whole line is not a move."
        compare(trial, function, line, 15, 9, right=right, why=why, slips=MOVE_SLIPS)
    for line in ("15,0", "0,9", "-1,3", "3,-1", "99,99", "9,14", "ERROR no move", "error 3,4", "  Error"):
        must_raise(trial, function, line)
    trial.passed()


def must_raise(trial: Trial, function, line: str) -> None:
    """The learner's function must raise a ValueError for this line."""
    call = describe_call(function, (line, 15, 9))
    try:
        answer = function(line, 15, 9)
    except ValueError:
        trial.cases += 1
        return
    except NotImplementedError:
        trial.call(function, line, 15, 9)
    except CheckFailed:
        raise
    except Exception as error:  # noqa: BLE001 - another error is a wrong answer
        trial.fail(f"A ValueError was wanted, it raised {type(error).__name__}: {error}", call=call)
    reported = "error" in line.lower()
    what = "The engine reports an error" if reported else "This point is off a board of 15 columns and 9 rows"
    trial.fail(f"{what}: raise a ValueError.", call=call, answer=answer)
