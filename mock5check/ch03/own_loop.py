"""The check of a whole REINFORCE: it must learn three games from their results alone, and say how sure it is."""

import numpy as np

from mock5check.answers import show
from mock5check.ch03.closer_look import hint_from_single_games, wrong_push
from mock5check.ch03.interval import check_interval, three_numbers
from mock5check.ch03.small_games import (
    Bonus,
    Cards,
    Follow,
    Gamble,
    LateBonus,
    LateGamble,
    LateRefuge,
    LateTruce,
    Misere,
    Nine,
    Opponent,
    Refuge,
    Riddle,
    Truce,
    alike_but_for,
    new_ledger,
    play_out,
)
from mock5check.core import graded

SECONDS = 120.0  # for one training; a table needs three
TRAINING, CARDS, FOLLOW, RIDDLES, EXAM = 3000, 600, 1200, 3000, 400  # games
TRIES, ENOUGH = 5, 2  # trainings on the cards, and how many must succeed
POSITIONS = {Nine: [(), (4,), (0, 4), (0, 1, 4), (4, 0, 8, 2), (0, 4, 8, 2, 6, 3)], Cards: [(), (0,), (2,), (4,)]}
NAMES = {
    Nine: "tic-tac-toe",
    Misere: "tic-tac-toe in which three in a row LOSE",
    Cards: "the game of cards",
    Follow: "the circle of cards",
    Truce: "the cards of which one draws and the others lose",
    Bonus: "the cards of which one wins and the others draw, beside a stone that lies there",
    LateTruce: "four cards, of which one draws for player 2 and the others lose",
    LateBonus: "four cards, of which one wins for player 2 and the others draw",
    Gamble: "four cards: a draw, or a card that wins twice in three games",
    Refuge: "six cards: a draw, or a card that wins twice in five games",
    LateGamble: "five cards: player 2 has a draw, or a card that wins twice in three games",
    LateRefuge: "five cards: player 2 has a draw, or a card that wins once in three games",
    Riddle: "nine points with four stones: one point wins at once, the others lose",
}
ADVICE = (  # where single games show no reason
    "Work one game out by hand: does each own move push its own position by (z − b) · (one-hot − π), with z as YOUR "
    "result? If so, try another size of the step."
)


@graded
def reinforce(trial, learn, gain) -> None:
    """Check `learn(start, opponent, games, rng)` and `gain(before, after)`."""
    trial.stage("the interval of `gain`")
    check_interval(trial, gain)
    trial.stage("the contract of `learn`, on a few games")
    _contract(trial, learn)
    trial.stage(f"the cards: {CARDS} games, also where there are draws, and the circle: {FOLLOW:,}")
    _cards(trial, learn)
    for game in (Truce, Bonus):
        _draws(trial, learn, game)
    for game in (Gamble, Refuge, LateGamble, LateRefuge):
        _weighs(trial, learn, game)
    for game in (LateTruce, LateBonus):
        _draws_late(trial, learn, game)
    _follow(trial, learn)
    trial.stage(f"positions that differ in whose stones lie where: {RIDDLES:,} games")
    _riddles(trial, learn)
    for game in (Nine, Misere):
        trial.stage(f"{NAMES[game]}: {TRAINING:,} games, then an exam")
        _gains(trial, learn, gain, game)


# The contract -------------------------------------------------------------------------------------------------------


def _train(trial, learn, game, games: int, seed: int, long: bool = False, generator: int | None = None):
    """One training within its rules; returns the policy. generator: another seed for `rng`, the opponent's the same."""
    ledger, opponent = new_ledger(), Opponent(seed + 100)
    call = f"learn(start, opponent, {games}, rng), where start() begins {NAMES[game]}"

    def start():
        ledger["started"] += 1
        stop_if_too_many()
        return game(ledger)

    def stop_if_too_many():
        if ledger["started"] > max(games, 1):
            begun = f"{games} game{'s' * (games != 1)} may be played; start() was called {ledger['started']} times."
            trial.fail(f"{begun} Each call counts as a game.", call=call)

    rng = np.random.default_rng(seed if generator is None else generator)
    options = {"long": True, "seconds": SECONDS} if long else {}
    policy = trial.call(learn, start, opponent, games, rng, shown=call, may_change=(1,), **options)
    if not callable(policy):
        trial.fail("Return the policy, a function of a game.", call=call, answer=policy)
    stop_if_too_many()  # once more: what was raised in it may have been caught
    text = f"With 0 games nothing is played; {ledger['applied']} moves were made."
    trial.require(games or not ledger["applied"], text, call=call)
    text = f"The opponent was asked for its move, and another move was played, {ledger['unplayed']} times."
    trial.require(not ledger["unplayed"], text, call=call)
    if games >= 100:
        text = f"Only {ledger['started']} games were started and {ledger['applied']} moves made. Learn from games."
        trial.require(ledger["started"] > games / 2, text, call=call)
        share = opponent.opened / ledger["started"]
        text = (
            f"The opponent was asked for {opponent.opened} first moves in {ledger['started']} games. Play half "
            "of them as player 1, half as player 2, and ask it once for each of its moves."
        )
        trial.require(0.4 <= share <= 0.6, text, call=call)
    return policy


def _asked(trial, policy, game, moves, call: str) -> np.ndarray:
    """What the policy says of a position, if it is a distribution over the legal moves."""
    ledger = new_ledger()
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
    text = (
        "Asked twice, with nothing learnt in between, the policy answers differently. It says probabilities; it draws "
        "no random numbers."
    )
    trial.require(np.array_equal(before, _seen(trial, first, Cards, 120)), text)
    second = _train(trial, learn, Cards, 120, 1)
    wiped = "A later call of `learn` changed the policy of an earlier one. Make new parameters in each call."
    trial.require(np.array_equal(before, _seen(trial, first, Cards, 120)), wiped)
    text = (
        "Two equal calls of `learn`, with equal generators and equal opponents, gave different policies. Is something "
        "kept from an earlier call (a table outside of `learn`, a default argument)? Or is there another source of "
        "random numbers than `rng`?"
    )
    trial.require(np.allclose(before, _seen(trial, second, Cards, 120), atol=1e-6), text)
    untrained = _seen(trial, _train(trial, learn, Cards, 0, 1), Cards, 0)
    text = (
        f"After 120 games the policy is still the one that has learnt nothing, that of 0 games: asked for the first "
        f"card, it says {show(before[:5])}. Is a position named BEFORE your move is made on its board, does the policy "
        "look up the very same name, and is z − b anything but 0?"
    )
    trial.require(not np.allclose(before, untrained, atol=1e-3), text, call="learn(start, opponent, 120, rng)")
    for games in (124, 127):
        text = (
            f"After {games} games the policy is that of 120, with equal generators: the last {games - 120} games teach "
            "nothing. If you learn in batches, learn from what is left at the end, too, though it is a smaller batch."
        )
        if np.isin(before, (0.0, 1.0)).all():
            text = (
                f"After 120 games the policy is certain of every move: {show(before[:5])}. Return the probabilities "
                "that your moves are sampled with, and not the greatest one alone; or is the step far too large?"
            )
        trial.require(any(_last_ones_teach(trial, learn, games, seed) for seed in range(1, 6)), text)
    other = _seen(trial, _train(trial, learn, Cards, 120, 1, generator=2), Cards, 120)
    text = "Two different generators gave one and the same policy: sample the moves with the `rng` that is handed in."
    trial.require(not np.allclose(before, other, atol=1e-6), text)
    trial.require(np.array_equal(before, _seen(trial, first, Cards, 120)), wiped)
    _own_arrays(trial, first)
    _own_arrays(trial, _train(trial, learn, Cards, 0, 1))
    wrong = wrong_push(learn)
    trial.require(not wrong, wrong or "")


def _last_ones_teach(trial, learn, games: int, seed: int) -> bool:
    """Does the policy after so many games differ from that after 120?"""
    one, other = (_seen(trial, _train(trial, learn, Cards, n, seed), Cards, n) for n in (120, games))
    return not np.array_equal(one, other)


def _own_arrays(trial, policy) -> None:
    """Each answer of a policy is an array of its own."""
    call = "policy(game), twice for one position"
    text = "Two answers are one and the same array. Return a new array each time, or a copy."
    twice = [trial.call(policy, Cards(None, (2,)), shown=call) for _ in range(2)]
    trial.require(not np.shares_memory(*twice), text, call=call)
    call = "policy(game), for one position, for another, and for the first again"
    one, other = (lambda: Cards(None, (0,))), Cards(None, (4,))
    answer = trial.call(policy, one(), shown=call)
    kept = answer.copy()
    trial.call(policy, other, shown=call)
    text = "The first answer changed when the policy was asked again. Return a new array each time."
    trial.require(np.array_equal(answer, kept), text, call=call)
    if answer.flags.writeable:
        answer[:] = -1.0
    text = "What was written into the first answer came back in the next. Return a new array each time, or a copy."
    trial.require(np.allclose(trial.call(policy, one(), shown=call), kept), text, call=call)


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
    _fail(trial, learn, text, f"policy = learn(start, opponent, {CARDS}, rng) with {NAMES[Cards]}")


def _fail(trial, learn, text: str, call: str | None = None):
    """It does not learn; is there a reason that single games show?"""
    hint = hint_from_single_games(learn)
    trial.fail(text if hint else f"{text} {ADVICE}", call=call, hint=hint)


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
                f"probability {share:.2f}; {wanted} is asked for."
            )
    return None


def _draws(trial, learn, game) -> None:
    """A draw is better than a loss, and worse than a win: the best first card."""
    call = f"policy = learn(start, opponent, {CARDS}, rng) with {NAMES[game]}"
    for seed in (21, 22):  # two, for a card may also be found by luck
        share = float(_asked(trial, _train(trial, learn, game, CARDS, seed, long=True), game, (), call)[game.best])
        text = (
            f"As player 1's card, number {game.best} {game.idea}. After {CARDS} games the policy takes it with "
            f"probability {share:.2f}; 0.5 is asked for. Is a draw worth 0, and do drawn games teach, too?{game.note}"
        )
        if share < 0.5:
            _fail(trial, learn, text, call)
        trial.cases += 1


def _draws_late(trial, learn, game) -> None:
    """The same for player 2, whatever player 1 has taken; three trainings, for a card may also be found by luck."""
    call = f"policy = learn(start, opponent, {game.games}, rng) with {NAMES[game]}"
    firsts = [card for card in range(game.points) if card != game.best]
    for seed in (23, 24, 25):
        policy = _train(trial, learn, game, game.games, seed, long=True)
        share = np.mean([_asked(trial, policy, game, (card,), call)[game.best] for card in firsts])
        text = (
            f"As player 2's card, number {game.best} {game.idea}. After {game.games:,} games the policy takes it with "
            f"probability {share:.2f}, a mean over player 1's cards; 0.5 is asked for. Is a draw worth 0 to player 2, "
            "too?"
        )
        if share < 0.5:
            _fail(trial, learn, text, call)
        trial.cases += 1


def _weighs(trial, learn, game) -> None:
    """Wins, draws and losses are worth 1, 0 and −1: two trainings of three must choose the better mean."""
    call, shares = f"policy = learn(start, opponent, {game.games}, rng) with {NAMES[game]}", []
    late = isinstance(game(), LateGamble)
    starts = [(0,), (3,), (4,)] if late else [()]  # player 1's card, where player 2 is to choose
    while len(shares) < 3 and sum(share >= 0.5 for share in shares) < 2:
        policy = _train(trial, learn, game, game.games, 30 + len(shares), long=True)
        shares.append(float(np.mean([_asked(trial, policy, game, moves, call)[game.best] for moves in starts])))
    text = (
        f"As player {1 + late}'s card, number {game.best} {game.idea}. So it has the best mean if a win is worth 1, a "
        f"draw 0 and a loss −1. After {game.games:,} games the policies took it with probabilities of "
        f"{', '.join(f'{share:.2f}' for share in shares)}; 0.5 is asked for, in two of three trainings."
    )
    if sum(share >= 0.5 for share in shares) < 2:
        _fail(trial, learn, text, call)
    trial.cases += 1


def _follow(trial, learn) -> None:
    """What is right depends on the position."""
    policy = _train(trial, learn, Follow, FOLLOW, 5, long=True)
    call = f"policy = learn(start, opponent, {FOLLOW}, rng) with {NAMES[Follow]}"
    share = np.mean([_asked(trial, policy, Follow, (card,), call)[(card + 1) % 5] for card in range(5)])
    text = (
        f"Player 2 wins with the card that follows player 1's in the circle. After {FOLLOW:,} games the policy takes "
        f"it with probability {share:.2f}, a mean over the first cards; 0.5 is asked for. Does it tell positions "
        "apart, each with numbers of its own?"
    )
    if share < 0.5:
        _fail(trial, learn, text, call)
    trial.cases += 1


def _riddles(trial, learn) -> None:
    """Positions in pairs that a careless name can't tell apart; one training of two must know them all."""
    call, failures = f"policy = learn(start, opponent, {RIDDLES}, rng) with {NAMES[Riddle]}", []
    for seed in (8, 9):
        policy = _train(trial, learn, Riddle, RIDDLES, seed, long=True)
        shares = {moves: _asked(trial, policy, Riddle, moves, call)[point] for moves, point in Riddle.right.items()}
        worst = min(shares, key=shares.get)
        if shares[worst] >= 0.5:
            return
        failures.append((worst, shares[worst]))
    worst, share = failures[-1]
    trial.fail(
        f"In position {Riddle(None, worst)} point {Riddle.right[worst]} wins at once, and all others lose. The policy "
        f"takes it with probability {share:.2f}; 0.5 is asked for in each of {len(Riddle.right)} positions, in one "
        "of two trainings. If others go well: does the position's name tell it apart from all others, with each stone, "
        "whose it is and where it lies? Else: is the step of a size that neither crawls nor jumps?",
        call=call,
    )


def _gains(trial, learn, gain, game) -> None:
    """The exam: what the trained policy wins against fresh games of the same opponent, and before."""
    results = {}
    for name, games in (("before", 0), ("after", TRAINING)):
        policy = _train(trial, learn, game, games, 3, long=True)
        results[name] = {colour: _exam(policy, game, colour) for colour in (1, 2)}
    if game is Nine:
        _tells_apart(trial, policy)
    gained = {colour: float(results["after"][colour].mean() - results["before"][colour].mean()) for colour in (1, 2)}
    told = ", ".join(f"{gain_:+.2f} as player {colour}" for colour, gain_ in gained.items())
    text = f"After {TRAINING:,} games of {NAMES[game]} its mean result has changed by {told}."
    if min(gained.values()) <= 0.05:
        _fail(trial, learn, f"{text} Both should rise by more than 0.05.")
    both = [np.concatenate([results[name][colour] for colour in (1, 2)]) for name in ("before", "after")]
    low, middle, _ = three_numbers(trial, gain, *both)
    told = f"{text} That is {middle:+.2f} in all, and at least {low:+.2f} by your interval; +0.10 is asked for."
    if low < 0.10:
        _fail(trial, learn, told)
    trial.cases += 2


def _tells_apart(trial, policy) -> None:
    """Some positions that differ in nothing but whose stones they are, or where one's own lie, get other answers."""
    call = f"policy = learn(start, opponent, {TRAINING}, rng) with {NAMES[Nine]}"
    for what, said in [
        ("colours", "whose stones lie on the points"),
        ("own", "where one's own stones lie"),
        ("other", "where the opponent's stones lie"),
    ]:
        pairs = alike_but_for(what)
        text = (
            f"Positions that differ only in {said}, such as {Nine(None, pairs[0][0])} and {Nine(None, pairs[0][1])}, "
            "get the same preferences in every case. Does the position's name tell them apart? Are all own moves "
            "pushed, also those after the first?"
        )
        trial.require(any(_differ(policy, *pair) for pair in pairs), text, call=call)


def _differ(policy, one, other) -> bool:
    """Are the shares of the points that are empty in both positions different?"""
    games = Nine(None, one), Nine(None, other)
    common = [p for p in range(9) if not games[0].board[p] and not games[1].board[p]]
    shares = [np.asarray(policy(game))[common] for game in games]
    return all(share.sum() > 0 for share in shares) and not np.allclose(
        shares[0] / shares[0].sum(), shares[1] / shares[1].sum(), atol=1e-4
    )


def _exam(policy, game, colour: int) -> np.ndarray:
    rng, opponent = np.random.default_rng(7), Opponent(11)
    return np.array([play_out(game(), policy, opponent, colour, rng) for _ in range(EXAM)])
