"""The check of a whole REINFORCE: it must learn three games from their results alone, and say how sure it is."""

import numpy as np

from mock5check.answers import is_number, show
from mock5check.ch03.small_games import Cards, Follow, Misere, Nine, Opponent, play_out
from mock5check.core import graded

SECONDS = 120.0  # for one training; a table needs three
TRAINING, CARDS, FOLLOW, EXAM = 3000, 600, 1200, 400  # games
TRIES, ENOUGH = 5, 2  # trainings on the cards, and how many must succeed
POSITIONS = {Nine: [(), (4,), (0, 4), (0, 1, 4), (4, 0, 8, 2), (0, 4, 8, 2, 6, 3)], Cards: [(), (0,), (2,), (4,)]}
NAMES = {
    Nine: "tic-tac-toe",
    Misere: "tic-tac-toe in which three in a row LOSE",
    Cards: "the game of cards",
    Follow: "the circle of cards",
}


@graded
def reinforce(trial, learn, gain) -> None:
    """Check `learn(start, opponent, games, rng)` and `gain(before, after)`."""
    trial.stage("the interval of `gain`")
    _interval(trial, gain)
    trial.stage("the contract of `learn`, on a few games")
    _contract(trial, learn)
    trial.stage(f"the cards: {CARDS} games, and the circle: {FOLLOW:,}")
    _cards(trial, learn)
    _follow(trial, learn)
    for game in (Nine, Misere):
        trial.stage(f"{NAMES[game]}: {TRAINING:,} games, then an exam")
        _gains(trial, learn, gain, game)


# The interval -------------------------------------------------------------------------------------------------------


def spread(before, after) -> float:
    """The standard error of the difference of two means."""
    return float(np.sqrt(np.var(before) / len(before) + np.var(after) / len(after)))


def _interval(trial, gain) -> None:
    rng = np.random.default_rng(1)
    for chances, sizes in [
        (((0.5, 0.2, 0.3), (0.2, 0.2, 0.6)), (400, 400)),
        (((0.5, 0.0, 0.5), (0.02, 0.0, 0.98)), (100, 900)),
        (((0.1, 0.8, 0.1), (0.4, 0.1, 0.5)), (900, 120)),
        (((0.03, 0.0, 0.97), (0.01, 0.0, 0.99)), (300, 400)),
        (((1.0, 0.0, 0.0), (0.3, 0.3, 0.4)), (200, 200)),
        (((0.2, 0.3, 0.5), (0.5, 0.3, 0.2)), (300, 250)),
    ]:
        before, after = (rng.choice([-1, 0, 1], size, p=p) for p, size in zip(chances, sizes))
        low, middle, high = _three(trial, gain, before, after)
        call = f"gain(before, after), results of {sizes[0]} and of {sizes[1]} games"
        right = float(after.mean() - before.mean())
        text = f"The means are {before.mean():.4f} before and {after.mean():.4f} after: the gain is {right:.4f}"
        trial.require(abs(middle - right) < 1e-6, f"{text}, not {middle:.4f}.", call=call)
        text = f"The interval goes from {low:.4f} to {high:.4f}; its middle should be about the gain, {right:.4f}."
        about = abs((low + high) / 2 - right) < 0.15 * (high - low)
        trial.require(low <= right <= high and about, text, call=call)
        wanted = 1.96 * spread(before, after)
        text = (
            f"Half its width is {(high - low) / 2:.4f}. Each mean has a variance of its own, that of its results "
            f"divided by the number of its games; the two add up, and 1.96 standard deviations are {wanted:.4f}."
        )
        trial.require(0.9 * wanted < (high - low) / 2 < 1.12 * wanted, text, call=call)
    _covers(trial, gain, rng)


def _covers(trial, gain, rng) -> None:
    """Of many intervals, about 95 % hold the true gain."""
    held, often = 0, 300
    for _ in range(often):
        before = rng.choice([-1, 0, 1], 150, p=(0.5, 0.2, 0.3))
        after = rng.choice([-1, 0, 1], 250, p=(0.25, 0.2, 0.55))
        low, _, high = _three(trial, gain, before, after)
        held += low <= 0.5 <= high
    text = f"Of {often} intervals {held} held the true gain. Of 95 % intervals about {round(0.95 * often)} do."
    trial.require(0.91 * often <= held <= 0.99 * often, text)


def _three(trial, gain, before, after) -> tuple:
    """The three numbers of one answer."""
    call = f"gain(before, after), results of {len(before)} and of {len(after)} games"
    answer = trial.call(gain, before, after, shown=call)
    triple = isinstance(answer, (tuple, list, np.ndarray)) and len(answer) == 3 and all(map(is_number, answer))
    if not triple:
        trial.fail("Return three numbers (low, gain, high).", call=call, answer=answer)
    return tuple(map(float, answer))


# The contract -------------------------------------------------------------------------------------------------------


def _train(trial, learn, game, games: int, seed: int, long: bool = False):
    """One training within its rules; returns the policy."""
    ledger, opponent = {"started": 0, "applied": 0}, Opponent(seed + 100)

    def start():
        ledger["started"] += 1
        return game(ledger)

    call = f"learn(start, opponent, {games}, rng), where start() begins {NAMES[game]}"
    rng = np.random.default_rng(seed)
    options = {"long": True, "seconds": SECONDS} if long else {}
    policy = trial.call(learn, start, opponent, games, rng, shown=call, may_change=(1,), **options)
    if not callable(policy):
        trial.fail("Return the policy, a function of a game.", call=call, answer=policy)
    text = f"{games} games may be played; start() was called {ledger['started']} times."
    trial.require(ledger["started"] <= max(games, 1), text, call=call)
    if games >= 100:
        text = f"Only {ledger['started']} games were started and {ledger['applied']} moves made. Learn from games."
        trial.require(ledger["started"] > games / 2, text, call=call)
        share = opponent.opened / ledger["started"]
        text = f"The opponent began {share:.0%} of the games. Play half of them as player 1, half as player 2."
        trial.require(0.4 <= share <= 0.6, text, call=call)
    return policy


def _asked(trial, policy, game, moves, call: str) -> np.ndarray:
    """What the policy says of a position, if it is a distribution over the legal moves."""
    ledger = {"started": 0, "applied": 0}
    position = game(ledger, moves)
    call = f"{call}\nthen policy(game) after the moves {list(moves)}: {position}"
    chances = trial.call(policy, position, shown=call)
    points = len(position.board)
    if not isinstance(chances, np.ndarray) or chances.shape != (points,) or chances.dtype.kind != "f":
        trial.fail(f"A policy returns a NumPy array of {points} probabilities.", call=call, answer=chances)
    legal = position.legal_moves()
    closed = [p for p in range(points) if p not in legal]
    sums = np.isfinite(chances).all() and (chances >= 0).all() and abs(chances.sum() - 1) < 1e-5
    trial.require(sums, f"Probabilities are not negative and sum to 1. These are {show(chances)}.", call=call)
    trial.require((chances[closed] == 0).all(), f"Points {closed} are taken: their probability is 0.", call=call)
    text = "A policy looks at the position and says probabilities. It does not play moves ahead, not even on a copy."
    trial.require(ledger["applied"] == 0, text, call=call)
    return chances.copy()


def _seen(trial, policy, game, games: int) -> np.ndarray:
    call = f"policy = learn(start, opponent, {games}, rng) with {NAMES[game]}"
    return np.concatenate([_asked(trial, policy, game, moves, call) for moves in POSITIONS[game]])


def _contract(trial, learn) -> None:
    for game in (Nine, Cards):
        for games in (0, 1, 12):
            _seen(trial, _train(trial, learn, game, games, 0), game, games)
    first = _train(trial, learn, Cards, 120, 1)
    before = _seen(trial, first, Cards, 120)
    again = _seen(trial, _train(trial, learn, Cards, 120, 1), Cards, 120)
    other = _seen(trial, _train(trial, learn, Cards, 120, 2), Cards, 120)
    text = "Equal generators and equal opponents should give equal policies: sample with `rng`, and nothing else."
    trial.require(np.allclose(before, again, atol=1e-6), text)
    trial.require(not np.allclose(before, other, atol=1e-6), "Two generators gave one and the same policy.")
    text = "A later call of `learn` changed the policy of an earlier one. Make new parameters in each call."
    trial.require(np.array_equal(before, _seen(trial, first, Cards, 120)), text)
    untrained = _seen(trial, _train(trial, learn, Cards, 0, 1), Cards, 0)
    text = "After 120 games the policy is still what it was: nothing was learnt."
    trial.require(not np.allclose(before, untrained, atol=1e-3), text)


# Learning -----------------------------------------------------------------------------------------------------------


def _cards(trial, learn) -> None:
    """Which card is the highest? A win or a loss is all that tells; two trainings of at most five must find it."""
    good, failures = 0, []
    for seed in range(TRIES):
        policy = _train(trial, learn, Cards, CARDS, seed, long=True)
        failure = _misses_the_best_card(trial, policy)
        good += failure is None
        failures += [failure] if failure else []
        if good == ENOUGH:
            return
        if len(failures) > TRIES - ENOUGH:
            break
    text = f"{failures[0]} It was so, or much the same, in {len(failures)} of {good + len(failures)} trainings."
    trial.fail(text, call=f"policy = learn(start, opponent, {CARDS}, rng) with {NAMES[Cards]}")


def _misses_the_best_card(trial, policy) -> str | None:
    """Says which card is not played often enough; None if all is well."""
    call = f"policy = learn(start, opponent, {CARDS}, rng) with {NAMES[Cards]}"
    for moves, winning, wanted in [((), [2], 0.5), ((0,), [2, 4], 0.65), ((4,), [2], 0.4)]:
        share = float(_asked(trial, policy, Cards, moves, call)[winning].sum())
        trial.cases += 1
        why = f"beats card {moves[0]}" if moves else "never loses as the first card"
        if share < wanted:
            return (
                f"Card {' or '.join(map(str, winning))} {why}. After {CARDS} games the policy takes it with "
                f"probability {share:.2f}; {wanted} is asked for. Is the sign right, for both "
                "players? Is the step large enough?"
            )
    return None


def _follow(trial, learn) -> None:
    """What is right depends on the position."""
    policy = _train(trial, learn, Follow, FOLLOW, 5, long=True)
    call = f"policy = learn(start, opponent, {FOLLOW}, rng) with {NAMES[Follow]}"
    share = np.mean([_asked(trial, policy, Follow, (card,), call)[(card + 1) % 5] for card in range(5)])
    text = (
        f"Player 2 wins with the card that follows player 1's in the circle. After {FOLLOW:,} games the policy takes "
        f"it with probability {share:.2f}, a mean over the first cards; 0.5 is asked for. Does it tell positions apart?"
    )
    trial.require(share >= 0.5, text, call=call)


def _gains(trial, learn, gain, game) -> None:
    """The exam: what the trained policy wins against fresh games of the same opponent, and before."""
    results = {}
    for name, games in (("before", 0), ("after", TRAINING)):
        policy = _train(trial, learn, game, games, 3, long=True)
        results[name] = {colour: _exam(policy, game, colour) for colour in (1, 2)}
    gained = {colour: float(results["after"][colour].mean() - results["before"][colour].mean()) for colour in (1, 2)}
    told = ", ".join(f"{gain_:+.2f} as player {colour}" for colour, gain_ in gained.items())
    text = f"After {TRAINING:,} games of {NAMES[game]} its mean result has changed by {told}."
    trial.require(min(gained.values()) > 0.05, f"{text} Both should rise by more than 0.05.")
    both = [np.concatenate([results[name][colour] for colour in (1, 2)]) for name in ("before", "after")]
    low, middle, _ = _three(trial, gain, *both)
    told = f"{text} That is {middle:+.2f} in all, and at least {low:+.2f} by your interval; +0.10 is asked for."
    trial.require(low >= 0.10, f"{told} Larger steps, a baseline, or steps after fewer games may help.")


def _exam(policy, game, colour: int) -> np.ndarray:
    rng, opponent = np.random.default_rng(7), Opponent(11)
    return np.array([play_out(game(), policy, opponent, colour, rng) for _ in range(EXAM)])
