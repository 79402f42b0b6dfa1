"""The root of a search in chapter 6's capstone: the stones that the expert is shown, and what its value decides."""

import numpy as np

from mock5check.ch05.capstone import Watched, table_expert
from mock5check.ch06.gumbels import SIZE
from mock5lib import Mock5


def check_set_up(trial, search) -> None:
    """A board that was set up, so that its history does not tell all of its stones."""
    set_up = Mock5(*SIZE[:2], k=SIZE[2], board=[2, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1, *[0] * 10])
    played = set_up.copy()
    played.apply(24)
    for game in (set_up, played):
        stones = sum(map(bool, game.board))
        watched, call = Watched(table_expert(25), many=True), f"search(game, expert, 8, None), where game is\n{game}"
        trial.call(search, game, watched, 8, None, shown=call, long=True)
        fewest = min((int(planes[:2].sum()) for planes in watched.asked), default=stones)
        text = (
            f"This game began from a board with stones, and the expert was asked about one with {fewest} of its "
            f"{stones}. The history does not tell all of them: `game.copy()` does."
        )
        trial.require(fewest >= stones, text, call=call)
        own = np.reshape(np.asarray(game.board) == game.player, (5, 5))
        roots = [planes[0] for planes in watched.asked if planes[:2].sum() == stones]
        text = (
            f"Player {game.player} is to move, and in the planes that the expert gets the first one should hold this "
            "player's stones. Who is to move says `game.player`, not the number of stones."
        )
        trial.require(all(np.array_equal(plane == 1, own) for plane in roots), text, call=call)


def check_value(trial, searched) -> None:
    """Three moves, two simulations: what the third is taken to be worth hangs on v, and decides the last cut."""
    game = Mock5(1, 3, k=5)
    for v, then in ((-0.9, 0.2), (-0.6, 0.1)):

        def says(own, other, v=v, then=then):
            return then if own.sum() + other.sum() else v

        move, _, call = searched(game, table_expert(3, [1.2, 1.1, 1.0], says), 2)
        trial.require(
            move != 2,
            f"The expert says {v} of this position, and {then} to the player to move after any move. Two simulations "
            f"meet points 0 and 1, whose q is {-then}; point 2, without a visit, is taken to be worth less, as v, "
            f"{v}, is mixed in. So `gumbel_root` chooses 0 or 1, and the move to play is {move}. Does `gumbel_root`, "
            "too, get the expert's value of the root?",
            call=call,
        )
