"""The check of a whole REINFORCE: from results alone it must learn three games of cards and tic-tac-toe."""

import numpy as np

from mock5check.answers import show
from mock5check.ch03.small_games import Gamble, Lamps, Nine, Opponent, Reply, play_out
from mock5check.core import graded
from mock5check.spec import exercise

SECONDS = 120.0  # for one training; a table needs three
GAMES, EXAM = 3000, 400
TRIES, ENOUGH = 3, 2  # trainings on the cards, and how many must succeed
WANTED = 0.5  # the chance of the right card
UNMOVED = 0.2  # relative to an even chance
DRAWS = "Are a win, a draw and a loss worth 1, 0 and −1, and does it learn from drawn games, too?"
NAMES = {
    Reply: "the game in which one card is the right reply",
    Lamps: "the game in which two stones say which card wins",
    Gamble: "the game in which one card is a sure draw",
    Nine: "tic-tac-toe",
}


def results(rng):
    """(before, after)"""
    for sizes in ((200, 200), (100, 900), (900, 100)):
        for kind in (int, int, float, float):
            yield tuple(rng.choice([-1, 0, 1], size, p=rng.dirichlet((2, 1, 2))).astype(kind) for size in sizes)


@exercise(
    cases=results,
    close=0.015,
    why="The gain is the mean after minus the mean before. Each mean has its own variance, s²/n, and the two add up.",
    shows={"rise": "the gain", "error": "its standard error"},
)
def gain(before, after):
    """(low, gain, high): by how much the mean result rose, with its 95% interval."""
    rise = after.mean() - before.mean()
    error = np.sqrt(before.var(ddof=1) / len(before) + after.var(ddof=1) / len(after))
    return rise - 1.96 * error, rise, rise + 1.96 * error


@graded
def reinforce(trial, learn, gain_) -> None:
    """Check `learn(start, opponent, games, rng)` and `gain(before, after)`."""
    trial.stage("`gain`, on made-up results")
    gain.__wrapped__(trial, gain_)
    trial.stage("`learn`, on a few games")
    _same_again(trial, learn)
    for game in (Reply, Lamps, Gamble):
        trial.stage(f"{NAMES[game]}: {GAMES:,} games")
        _takes_the_right_cards(trial, learn, game)
    trial.stage(f"{NAMES[Nine]}: {GAMES:,} games, then an exam of {2 * EXAM}")
    _gains(trial, learn, gain_)


reinforce.parts = [gain]


def _train(trial, learn, game, games: int, seed: int):
    """The policy of one training."""
    call = f"learn(start, opponent, {games}, rng), with {NAMES[game]}"
    opponent, begun = Opponent(seed + 100), []

    def start():
        begun.append(game(history=game.starts[(len(begun) + 1) // 2 % len(game.starts)]))
        if len(begun) > max(games, 1):
            trial.fail(f"`start()` was called more than {games} times. Every call starts a game.", call=call)
        return begun[-1]

    rng, limit = np.random.default_rng(seed), SECONDS if games == GAMES else SECONDS / 6
    untouched = rng.bit_generator.state
    policy = trial.call(learn, start, opponent, games, rng, shown=call, may_change=(1,), long=True, seconds=limit)
    if not callable(policy):
        trial.fail("Return the policy, which is a function of a game.", call=call, answer=policy)
    if games >= 100:
        text = (
            f"The opponent began {opponent.opened} of {games} games. Play half of them as player 1 and half as "
            "player 2, and ask the opponent once for each of its moves."
        )
        trial.require(0.4 <= opponent.opened / games <= 0.6, text, call=call)
        text = "`rng` was never used. Sample your own moves with it."
        trial.require(rng.bit_generator.state != untouched, text, call=call)
        played = {tuple(one.history[:ply]) for one in begun for ply in range(1, len(one.history) + 1)}
        missed = [moves for moves in opponent.said if tuple(moves) not in played]
        if missed and any(one.winner is not None for one in begun):  # else it has played on copies
            *before, move = missed[0]
            trial.fail(
                f"After {before} the opponent chose {move}, but no game continued that way. Play its moves.", call=call
            )
    trial.require(
        games or not opponent.said, "Asked for 0 games, it played one: the opponent was asked for a move.", call=call
    )
    return policy


def _told(position, games: int) -> str:
    """The call of a policy as text."""
    return (
        f"policy = learn(start, opponent, {games}, rng), with {NAMES[type(position)]}\n"
        f"then policy(game), where game.board is {position.board} and game.player is {position.player}"
    )


def _asked(trial, policy, position, games: int) -> np.ndarray:
    """What the policy says of a position, if it is a distribution over the legal moves."""
    call = _told(position, games)
    chances = trial.call(policy, position, shown=call)
    points = len(position.board)
    if not isinstance(chances, np.ndarray) or chances.shape != (points,) or chances.dtype.kind != "f":
        trial.fail(f"The policy should return a NumPy array of {points} probabilities.", call=call, answer=chances)
    sums = np.isfinite(chances).all() and (chances >= 0).all() and abs(chances.sum() - 1) < 1e-5
    trial.require(sums, f"Probabilities are never negative and add up to 1. These are {show(chances)}.", call=call)
    taken = [point for point in range(points) if position.board[point]]
    text = f"Points {taken} are taken, so their probability should be 0. These are {show(chances)}."
    trial.require(not chances[taken].any(), text, call=call)
    again = trial.call(policy, position, shown=f"{call}, twice")
    text = "Both calls returned the same array, or a view of it. Return a copy of what you keep."
    trial.require(not np.shares_memory(chances, again), text, call=f"{call}, twice")
    return chances.copy()


def _say(trial, policy, games: int) -> np.ndarray:
    """What a policy says of a few positions, in a row."""
    return np.concatenate([_asked(trial, policy, Reply(history=moves), games) for moves in ((), (0,), (3,))])


def _same_again(trial, learn) -> None:
    """Equal calls give equal policies, another generator gives another, and a later call changes no earlier policy."""
    policies, said = [], []
    for games, seed in ((120, 0), (0, 0), (120, 0)):
        policies.append(_train(trial, learn, Reply, games, seed))
        said.append(_say(trial, policies[-1], games))
    text = (
        "Two calls of `learn`, with equal generators and equal opponents, gave different policies. Is something kept "
        "from call to call (a table outside of `learn`, a default argument)? Are there other random numbers than `rng`?"
    )
    trial.require(np.allclose(said[0], said[2], atol=1e-6), text, call="learn(start, opponent, 120, rng), twice")
    text = (
        "A later call of `learn` has changed the policy of an earlier one. Has each call a table (or net) of its own?"
    )
    calls = "before = learn(start, opponent, 0, rng)\nafter = learn(start, opponent, 120, rng)\nthen before(game)"
    trial.require(np.allclose(_say(trial, policies[1], 0), said[1], atol=1e-6), text, call=calls)


def _takes_the_right_cards(trial, learn, game) -> None:
    """Where one card is right, the policy takes it; luck plays a part, so not every training has to succeed."""
    problems = []
    for seed in range(TRIES):
        policy = _train(trial, learn, game, GAMES, seed)
        problems.append(_problem(trial, policy, game))
        if problems.count(None) == ENOUGH:
            return
    text, call = next(filter(None, problems))
    trial.fail(f"{text} ({ENOUGH} of {TRIES} trainings have to succeed.)", call=call)


def _problem(trial, policy, game) -> tuple | None:
    """What is said of the first right card that the policy does not take, and the call; None if it takes them all."""
    positions = [game(history=history) for history, *_ in game.right]
    answers = [_asked(trial, policy, position, GAMES) for position in positions]
    for position, answer, (_, card, stakes) in zip(positions, answers, game.right):
        share, even, me = answer[card], 1 / len(position.legal_moves()), position.player
        if share >= WANTED:
            continue
        alike = [
            other.board for other, said in zip(positions, answers) if other is not position and _same(answer, said)
        ]
        if abs(share / even - 1) < UNMOVED:
            idea = (
                f"That's about what it was at first, so as player {me} it has learned nothing here. Do you look up the "
                "position BEFORE your move is made, under the same key as the policy? Is z − b ever anything but 0? Is "
                "the step large enough?"
            )
            if "draw" in stakes:
                idea = DRAWS
        elif alike:
            idea = (
                f"It says the same about the board {alike[0]}. Does a position's key tell whose stones are where, and "
                "does each position have its own array?"
            )
        elif "draw" in stakes and share < even:
            idea = DRAWS
        elif share < even:
            idea = (
                f"It has learned to AVOID that card. As player {me}, is z = 1 when player {me} has won? Do you add "
                "(z − b) · (1 − π) to the move that was made, −(z − b) · π to the others, and nothing for the "
                "opponent's moves?"
            )
        else:
            idea = "Are your moves sampled from the policy? If so, try a different step size."
        told = f"Card {card} {stakes}. The policy takes it with probability {share:.2f}, not {WANTED} or more. {idea}"
        return told, _told(position, GAMES)
    return None


def _same(one, other) -> bool:
    """Do two answers share out the points that are empty in both in the same way?"""
    common = (one > 0) & (other > 0)
    return np.allclose(one[common] / one[common].sum(), other[common] / other[common].sum(), atol=1e-6)


def _gains(trial, learn, gain_) -> None:
    """What the trained policy scores against fresh games of the same opponent, and what one of 0 games does."""
    before, after = (
        {color: _exam(trial, policy, color) for color in (1, 2)}
        for policy in (_train(trial, learn, Nine, games, 3) for games in (0, GAMES))
    )
    rises = [after[color].mean() - before[color].mean() for color in (1, 2)]
    text = f"After {GAMES:,} games of {NAMES[Nine]} its mean result has changed by {rises[0]:+.2f} as player 1 and by "
    text += f"{rises[1]:+.2f} as player 2. "
    more = "Are your moves sampled from the current policy? Do ALL of them teach it something? Try larger steps."
    trial.require(min(rises) > 0.05, f"{text}Both should rise by more than 0.05. {more}")
    low, middle, _ = trial.call(gain_, *(np.concatenate([half[1], half[2]]) for half in (before, after)))
    text += f"That is {middle:+.2f} in all, and at least {low:+.2f} by your interval, not +0.10 or more. {more}"
    trial.require(low >= 0.10, text)
    print(f"     the mean result rose by {middle:.2f}")


def _exam(trial, policy, color: int) -> np.ndarray:
    rng, opponent = np.random.default_rng(7), Opponent(11)
    return np.array([play_out(Nine(), policy, opponent, color, rng) for _ in range(EXAM)])
