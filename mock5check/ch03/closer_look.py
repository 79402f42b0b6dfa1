"""What single games change in a table: a closer look at a REINFORCE, for the hint of a message.

Each hint is given only where the very thing that it names was seen. Nets change everywhere at once, and show nothing.
"""

from typing import NamedTuple

import numpy as np

from mock5check.ch03.small_games import Cards, Nine, Opponent, new_ledger
from mock5check.watch import EndlessLoop, bounded, within

SEEDS = 12  # pairs of trainings that differ by one game
MANY = 400  # games of a long training; the last quarter of them is looked at


class _Kept:
    """The ledger of this game keeps what was played."""

    def apply(self, move) -> None:
        """Play a move."""
        super().apply(move)
        if self.winner is not None:
            self.ledger.setdefault("ended", []).append((*self.history, self.winner))


class _Cards(_Kept, Cards):
    """The game of cards."""


class _Nine(_Kept, Nine):
    """Tic-tac-toe."""


class Step(NamedTuple):
    """What one game more has changed. colour: the learner's, 1 or 2. result: 1 or −1, for the learner.

    before, after: what the policy says in the learner's position of this game. elsewhere: how far other positions have
    changed, {"opponent's": …, "other": …}, the former if the opponent's choice in this game was at one of them.
    """

    colour: int
    result: int
    move: int
    before: np.ndarray
    after: np.ndarray
    elsewhere: dict


def hint_from_single_games(learn) -> str | None:
    """What is wrong with the way in which `learn` changes its policy, if that can be seen from single games."""
    try:
        steps, late = _steps(learn, range(SEEDS), (0, 1)), _steps(learn, range(3), (60, 61))
        return (
            _sign(steps, late)
            or _last_game(learn, late)
            or _others(steps)
            or _others(late)
            or _growing(steps, late)
            or _greedy(steps)
            or _sampling(learn)
        )
    except (Exception, EndlessLoop):
        return None


def wrong_push(learn) -> str | None:
    """How the push of a table differs from REINFORCE's, if it does: by its direction, or by a discount."""
    try:
        return _slope(_steps(learn, range(3), (60, 61))) or _discount(learn)
    except (Exception, EndlessLoop):
        return None


def _steps(learn, seeds, lengths) -> list:
    return [step for seed in seeds for games in lengths if (step := _one_more(learn, games, seed))]


def _trained(learn, games: int, seed: int, kind=_Cards) -> tuple:
    """(policy, [(move, move, …, winner) of each game], how many of the games the opponent began)."""
    ledger, opponent = new_ledger(), Opponent(seed + 100)
    watched = within(learn, seconds=30.0) if games > 100 else bounded(learn)
    policy = watched(lambda: kind(ledger), opponent, games, np.random.default_rng(seed))
    return policy, ledger.get("ended", []), opponent.opened


def _one_more(learn, games: int, seed: int) -> Step | None:
    """The step from `games` to one more; None if the two trainings do not begin alike."""
    (policy, ended, opened), (later, more, began) = (_trained(learn, n, seed) for n in (games, games + 1))
    if len(ended) != games or len(more) != games + 1 or more[:games] != ended or began - opened not in (0, 1):
        return None
    first, second, winner = more[-1]
    colour = 1 + began - opened
    place, other = ((), (first,)) if colour == 1 else ((first,), ())
    before, after = (np.array(each(_Cards(None, place)), float) for each in (policy, later))
    far = {
        seen: float(abs(np.subtract(later(_Cards(None, seen)), policy(_Cards(None, seen)))).max())
        for seen in ((), *((card,) for card in range(5)))
        if seen != place
    }
    elsewhere = {"opponent's": far.pop(other), "other": max(far.values())}
    return Step(colour, 1 if winner == colour else -1, (first, second)[colour - 1], before, after, elsewhere)


def _moved(step: Step) -> bool:
    return abs(step.after - step.before).max() > 1e-7


def _sign(steps: list, late: list) -> str | None:
    """Do won moves become less likely, or do lost games change nothing? late: steps after many games."""
    for colour in (1, 2):
        mine = [step for step in steps if step.colour == colour]
        moved = [step for step in mine if _moved(step)]
        wrong = [step for step in moved if (step.after - step.before)[step.move] * step.result < 0]
        if len(moved) >= 3 and len(wrong) == len(moved):
            step = wrong[0]
            return (
                f"After a single game that it {'won' if step.result > 0 else 'LOST'} as player {colour}, the move that "
                f"it had made there went from {step.before[step.move]:.3f} to {step.after[step.move]:.3f}. The sign is "
                f"turned round for player {colour}: z is 1 if YOU have won, whoever you are."
            )
        if len(mine) >= 6 and not moved and any(step.colour == colour and _moved(step) for step in late):
            return (
                f"The first game as player {colour} changed nothing, though later ones do. Is z the result of THIS "
                "game, known before its moves are pushed, and not that of the game before?"
            )
        if len(mine) >= 6 and not moved and any(map(_moved, steps)):
            return f"Single games as player {colour} changed nothing. It is to learn from its games of both colours."
        for result, name in ((-1, "lost"), (1, "won")):
            same = [step for step in mine if step.result == result]
            if len(same) >= 3 and not any(map(_moved, same)) and len(moved) >= 3:
                return f"Single games that it {name} as player {colour} changed nothing. Every result teaches."
    return None


def _last_game(learn, late: list) -> str | None:
    """Does the policy depend on the colour of the last game, as if it were part of a position's name?

    One game more then changes it everywhere, and two games more only in positions that came up.
    """
    moved = [step for step in late if _moved(step)]
    if len(moved) < 3 or any(step.elsewhere["other"] < 1e-7 for step in moved):
        return None
    for seed in range(3):
        (policy, ended, _), (later, more, _) = (_trained(learn, games, seed) for games in (60, 62))
        if len(more) != 62 or more[:60] != ended:
            return None
        unseen = [(card,) for card in range(5) if card not in (more[-1][0], more[-2][0])]
        if any(abs(np.subtract(policy(_Cards(None, at)), later(_Cards(None, at)))).max() > 1e-9 for at in unseen):
            return None
    return (
        "After one game more the policy had changed everywhere, and after two games more only in positions that came "
        "up: something of the last game, such as its `colour`, is in the name by which the policy looks a position up. "
        "Take `game.player` and the board, of the game that is asked about."
    )


def _others(steps: list) -> str | None:
    """Does a game change positions in which the learner did not move?"""
    moved = [step for step in steps if _moved(step)]
    for what, text in (
        (
            "other",
            "After a single game the policy had changed in positions that never came up in it. If it is a table: does "
            "each position have a key of its own, and an array of its OWN? (`table.get(key, zeros)` hands out one "
            "array for all of them, and `+=` writes into it.)",
        ),
        (
            "opponent's",
            "After a single game the policy had changed where the OPPONENT moved, too. Push your own moves only.",
        ),
    ):
        if len(moved) >= 3 and all(step.elsewhere[what] > 1e-7 for step in moved):
            return text
    return None


def _change(step: Step) -> np.ndarray:
    """How far the logits have moved, their mean being 0."""
    legal = (step.before > 0) & (step.after > 0)
    change = np.zeros(len(legal))
    change[legal] = np.log(step.after[legal]) - np.log(step.before[legal])
    return np.where(legal, change - change[legal].mean(), 0.0)


PUSHES = {  # by what is said of them; the right one first
    "": lambda one, pi: one - pi,
    "−π is missing from it": lambda one, pi: one,
    "it has +π, and −π is right": lambda one, pi: one + pi,
    "the move itself gets none of it, only −π": lambda one, pi: -pi,
    "it is 1 at the move, where 1 − π is right": lambda one, pi: np.where(one == 1, 1.0, -pi),
}


def _push(step: Step, made=PUSHES[""]) -> np.ndarray:
    """What the step may have added, its mean being 0."""
    legal = step.before > 0
    push = made(np.eye(len(legal))[step.move], step.before)
    return np.where(legal, push - push[legal].mean(), 0.0)


def _fits(step: Step, made) -> bool:
    """Do change and push point the same way?"""
    change, push = _change(step), _push(step, made)
    return abs(change @ push) > (1 - 1e-6) * np.linalg.norm(change) * np.linalg.norm(push)


def _slope(steps: list) -> str | None:
    """Is the push one-hot − π?"""
    told = [
        step
        for step in steps
        if _moved(step) and np.ptp(step.before[step.before > 0]) > 0.01 and (step.before > 0).sum() > 2
    ]
    fitting = [said for said, made in PUSHES.items() if len(told) >= 3 and all(_fits(step, made) for step in told)]
    if not fitting or "" in fitting:
        return None
    return f"The steps of single games show the push: {fitting[0]}. A move's push is one-hot − π."


def _discount(learn) -> str | None:
    """Do the earlier moves of a game of tic-tac-toe always get smaller steps than the later ones, or a factor π?"""
    ratios, of_chances = [], []
    for seed in range(6):
        (policy, ended, opened), (later, more, began) = (_trained(learn, n, seed, _Nine) for n in (40, 41))
        if len(ended) != 40 or more[:40] != ended or began - opened not in (0, 1):
            return None
        *moves, winner = more[-1]
        colour, sizes, chances = 1 + began - opened, [], []
        for ply in range(colour - 1, len(moves), 2):
            says = [np.array(each(_Nine(None, moves[:ply])), float) for each in (policy, later)]
            step = Step(colour, 1, moves[ply], *says, {})
            if (step.before > 0).sum() > 1:
                if _moved(step) and not _fits(step, PUSHES[""]):
                    return None
                sizes.append(np.linalg.norm(_change(step)) / np.linalg.norm(_push(step)))
                chances.append(step.before[step.move])
        if winner and sizes and sizes[-1]:  # else the last one had no choice, or several games make a step
            ratios += [early / late if late else 0.0 for early, late in zip(sizes, sizes[1:])]
            of_chances += [early / late for early, late in zip(chances, chances[1:])]
    if len(ratios) < 6:
        return None
    if not any(ratios):
        return "A game of tic-tac-toe changed nothing but the position of your LAST move. Push all of your moves."
    if np.allclose(ratios, of_chances, rtol=1e-3):
        return (
            "The steps of single games are as large as the move's chance π: that is the slope of π itself. The slope "
            "of log π, which is asked for, has no factor π in front."
        )
    if np.ptp(ratios) > 0.6 or min(ratios) < 1.002 and max(ratios) > 0.998:  # a baseline makes them differ a little
        return None
    told = f"In tic-tac-toe each move of a game was pushed some {np.mean(ratios):.2f} times as far as the next one. "
    if np.mean(ratios) > 1:
        return (
            f"{told}Push all your moves of a game by the same z − b. Does b or z change within the loop over the "
            "moves? Move the baseline once, after the game."
        )
    return f"{told}Push all by the same result; a discount prefers a quick result to a better one."


def _growing(steps: list, late: list) -> str | None:
    """Do the steps become larger and larger?"""
    sizes = [
        [np.linalg.norm(_change(step)) / np.linalg.norm(_push(step)) for step in some if _moved(step)]
        for some in (steps, late)
    ]
    if len(sizes[0]) < 3 or len(sizes[1]) < 3 or np.median(sizes[1]) < 4 * np.median(sizes[0]):
        return None
    return (
        f"After 60 games one more moves the preferences {np.median(sizes[1]) / np.median(sizes[0]):.0f} times as far "
        "as at first. A baseline b follows the results, so it stays between −1 and 1: b += 0.05 · (z − b)."
    )


def _greedy(steps: list) -> str | None:
    """Does it take one and the same card, where all have the same chance?"""
    first = [step.move for step in steps if step.colour == 1 and np.ptp(step.before) < 1e-9]
    if len(first) < 8 or max(map(first.count, first)) < len(first) - 2:
        return None
    favourite = max(first, key=first.count)
    return (
        f"With even chances for all five cards it took card {favourite} in {first.count(favourite)} of {len(first)} "
        "first games, each with another rng. Sample the moves: the greatest probability alone finds nothing new."
    )


def _sampling(learn) -> str | None:
    """Are its first cards, late in a training, those that its policy would draw?"""
    often, says = [], []
    for seed in range(3):
        policy, ended, opened = _trained(learn, MANY, seed)
        if len(ended) != MANY or not 0.4 < opened / MANY < 0.6:
            return None
        chances = np.asarray(policy(_Cards(None)), float)
        best = int(chances.argmax())
        # The opponent's cards are even, a fifth each, in the games that it begins.
        firsts = np.array([first for first, _, _ in ended[-MANY // 4 :]])
        share = opened / MANY
        often.append(((firsts == best).mean() - share / 5) / (1 - share))
        says.append(chances[best])
    if min(says) > 0.6 and max(often) < 0.4:
        return (
            f"In the last games it took its favourite first card in {np.mean(often):.0%} of them, and its policy says "
            f"{np.mean(says):.0%}. Sample the moves from the policy itself: no other chances, and no even ones."
        )
    return None
