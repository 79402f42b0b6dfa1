"""The playouts of `my_uct`: every move with the same chance, each by itself, and anew in each simulation."""

import numpy as np

from mock5check.ch01.small_games import TreeGame

TWICE = {  # two more moves, of which one pair alone wins
    "left, left": (1, {"only": (2, {"l": (1, {"l": 1, "r": 2}), "r": (1, {"l": 2, "r": 2})})}),
    "left, right": (1, {"only": (2, {"l": (1, {"l": 2, "r": 1}), "r": (1, {"l": 2, "r": 2})})}),
}
SEVEN = (1, {"only": (2, {name: 1 if name in "abc" else 2 for name in "abcdefg"})})
MANY, GOOD = 67, 33  # moves, and how many of them win, the first ones
SIXTY_SEVEN = (1, {"only": (2, {move: 1 if move < GOOD else 2 for move in range(MANY)})})
THREE = (1, {"only": (2, {"x": 2, "y": 1, "z": 2})})
NINE = (1, {"only": (2, {name: 1 if name == "i" else 2 for name in "abcdefghi"})})
FORTY = (1, {"only": (2, {move: (1, {"x": 1, "y": 2}) for move in range(40)})})
CHOOSES_ONCE = (1, {"only": (2, {"x": 1, "y": 0, "z": 2})})


def check_playouts(trial, ask) -> None:
    """ask(game, simulations, seed, shown) gives the answer of one search, if its form is right."""
    _playouts(trial, ask)
    _later_moves(trial, ask)


def _playouts(trial, ask) -> None:
    """One simulation, one move, then three ends: each comes up a third of the time."""
    counts = {1.0: 0, 0.5: 0, 0.0: 0}
    for seed in range(240):
        answer = ask(TreeGame(CHOOSES_ONCE), 1, seed, "a game of two moves")
        counts[float(answer["only"][1])] += 1
    won, drawn, lost = counts.values()
    text = (
        f"In 240 searches of one simulation, 1 point was found {won} times, ½ {drawn} times and 0 points {lost} times. "
        "After the new node's move there are three moves: one wins, one draws, one loses; playouts sample them evenly."
    )
    hint = "A draw counts ½ for both sides." if not drawn and won and lost else None
    trial.require(all(45 <= count <= 120 for count in counts.values()), text, hint=hint)


def _share_won(ask, tree, simulations: int, searches: int) -> np.ndarray:
    """The share of points in each of so many searches of a game whose first move is the only one."""
    answers = [ask(TreeGame(tree), simulations, seed, "a small game") for seed in range(searches)]
    return np.array([float(answer["only"][1]) / simulations for answer in answers])


def _later_moves(trial, ask) -> None:
    """All moves of a playout are sampled evenly, each by itself, and anew in each simulation."""
    for what, tree in TWICE.items():
        won = int(_share_won(ask, tree, 1, 240).sum())
        text = (
            f"In 240 searches of one simulation {won} were won. After the new node's move come two moves out of two "
            f"each, and only the pair {what} wins, so some 60 are expected. "
        )
        if 26 <= 240 - won <= 94:
            text += "The points go to the wrong side: here they belong to player 1, who made the first move."
        else:
            text += "Sample EACH move of a playout anew."
        trial.require(26 <= won <= 94, text, call=f"my_uct(game, 1, rng), where game is\n{TreeGame(tree)}")
    won = int(_share_won(ask, SEVEN, 1, 300).sum())
    text = (
        f"In 300 searches of one simulation {won} were won. After the new node's move three of seven moves win, so "
        "some 129 are expected: every move with the same chance, and the points to the player who made the first move."
    )
    trial.require(86 <= won <= 172, text, call=f"my_uct(game, 1, rng), where game is\n{TreeGame(SEVEN)}")
    won, even = int(_share_won(ask, SIXTY_SEVEN, 1, 600).sum()), round(600 * GOOD / MANY)
    text = (
        f"In 600 searches of one simulation {won} were won. After the new node's move the first {GOOD} of {MANY} moves "
        f"win, so some {even} are expected. (The remainder of a random number, as in `number % {MANY}`, is uneven: the "
        "first moves come up more often.)"
    )
    trial.require(abs(won - even) < 62, text, call=f"my_uct(game, 1, rng), with {MANY} moves after the only first one")
    for tree, which, even in ((THREE, "the second of three", 100), (NINE, "the last of nine", 33)):
        won = int(_share_won(ask, tree, 1, 300).sum())
        text = (
            f"In 300 searches of one simulation {won} were won. After the new node's move only {which} moves wins, so "
            f"some {even} are expected: every move with the same chance, however many there are."
        )
        far = 5 * (even * (1 - even / 300)) ** 0.5
        trial.require(abs(won - even) < far, text, call=f"my_uct(game, 1, rng), where game is\n{TreeGame(tree)}")
    shares = _share_won(ask, FORTY, 41, 8)
    text = (
        "After the only move come 40 replies, and then one of two moves, of which one wins. In 41 simulations about "
        f"half should be won; in eight searches the shares were {np.round(shares, 2).tolist()}. Do all simulations "
        "draw from ONE generator, the `rng` that is given?"
    )
    trial.require(((shares > 0.12) & (shares < 0.88)).all(), text, call="my_uct(game, 41, rng)")
