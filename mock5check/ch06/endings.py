"""Tic-tac-toe for the capstone of chapter 6: is a search right where it can see the end?"""

from functools import cache

import numpy as np

from mock5check.answers import same
from mock5check.ch05.capstone import table_expert
from mock5lib import Mock5
from mock5lib.search.puct.tree import immediate_wins

SIMULATIONS = 64  # a move, in the match


def check_endings(trial, searched) -> None:
    """searched(game, expert, budget) gives (move, policy, the call as text)."""
    _oracle(trial, searched)
    _worth_of_draws(trial, searched)
    _worth_of_one_draw(trial, searched)
    _two_wins(trial, searched)
    _one_win(trial, searched)
    _worth_of_a_win(trial, searched)


def _one_win(trial, searched) -> None:
    """The first free point wins at once; a single simulation sees it."""
    game = Mock5(3, 3, k=3, history=[0, 3, 2, 4])
    move, policy, call = searched(game, table_expert(9), 1)
    trial.require(
        move == 1 and policy[1] > 0.9,
        f"All priors are equal, so the one simulation begins with the first free point, 1, which wins. It played "
        f"{move}, and the share of point 1 is {policy[1]:.0%}. What is a finished game worth to whoever has won it?",
        call=call,
    )


def _worth_of_a_win(trial, searched) -> None:
    """Two moves win, and one simulation sees one of them: it is worth as much as can be, to either player."""
    for history in ((0, 4, 1, 5, 3, 7), (4, 0, 5, 1, 7, 3, 8)):
        game = Mock5(3, 3, k=3, history=history)
        move, policy, call = searched(game, table_expert(9), 1)
        trial.require(
            move == 2 and policy[2] > policy[6] - 1e-6,
            f"Points 2 and 6 win at once for player {game.player}, and the one simulation begins with 2, the lower "
            f"number: a won game is worth 1 to whoever has won it. It plays {move}, and the policy gives point 2 "
            f"{policy[2]:.2g} and point 6 {policy[6]:.2g}. Is the sign of a finished game right for the player who "
            "moved last?",
            call=call,
        )


def _two_wins(trial, searched) -> None:
    """Three moves win at once, with equal priors: the improved policy is not the move that was played."""
    game = Mock5(3, 3, k=3, history=[0, 5, 4, 7, 2, 3])
    _, policy, call = searched(game, table_expert(9), 16)
    winning = immediate_wins(game, game.player)
    trial.require(
        policy[winning].min() > 0.2,
        f"Moves {winning} win, with equal priors and equal values, so their shares are equal, too; they are "
        f"{', '.join(f'{share:.0%}' for share in policy[winning])}. Is it the policy of the search, or one move?",
        call=call,
    )
    weights = np.where(np.arange(9) == winning[0], 4.0, np.where(np.arange(9) == winning[1], 2.0, 1.0))
    _, policy, call = searched(game, table_expert(9, weights), 16)
    trial.require(
        same(policy[winning], weights[winning] / weights[winning].sum(), 0.02),
        f"Moves {winning} all win, so nothing is to be learnt, and the improved policy is the prior, 4 : 2 : 1. It is "
        f"{', '.join(f'{share:.0%}' for share in policy[winning])}.",
        call=call,
    )


@cache
def tic_tac_toe_cases() -> tuple:
    """Unfinished positions with three to six empty points, in which some moves are worse than others."""
    from mock5lib.game.oracle import tic_tac_toe

    oracle, found = tic_tac_toe(), []
    for game in oracle.positions():
        best = set(oracle.optimal_moves(game)) if game.winner is None else set()
        if 3 <= len(game.legal_moves()) <= 6 and 0 < len(best) < len(game.legal_moves()):
            found.append((game, best))
    return tuple(found[:: len(found) // 40][:40])


# The moves so far, and the moves that draw; all others lose. In the first group the opponent makes the last move of a
# draw, in the second whoever is to move; a search that mistakes draws for wins or losses errs in one of them.
DRAWS = (
    (0.75, {(0, 1, 2, 3, 7): (4, 8), (0, 1, 2, 5, 7): (4, 6), (1, 0, 3, 2, 8): (4, 7), (2, 1, 3, 8, 7): (4, 6)}),
    (0.35, {(0, 2, 1, 7): (6, 8), (0, 5, 3, 6): (2, 8), (5, 2, 8, 3): (0, 6), (7, 1, 8, 6): (0, 2)}),
)


# The moves of games with two empty points, after which both orders give a draw.
NEARLY_DRAWN = ((8, 5, 2, 6, 7, 0, 3), (1, 2, 6, 3, 0, 8, 5), (0, 3, 5, 2, 4, 8, 6))


def _worth_of_draws(trial, searched) -> None:
    """Where a draw is the best that there is, the improved policy goes for it: it is worth 0, more than a loss."""
    for least, positions in DRAWS:
        shares, shown = [], ""
        for history, best in positions.items():
            _, policy, call = searched(Mock5(3, 3, k=3, history=history), table_expert(9), 200)
            share = policy[list(best)].sum()
            shown = call if share <= min(shares, default=1) else shown
            shares.append(share)
        trial.require(
            np.mean(shares) > least,
            "In tic-tac-toe positions where some moves draw and the others lose, the improved policy gives those that "
            f"draw {np.mean(shares):.0%} after 200 simulations; more than {least:.0%} is asked for. A draw is worth 0: "
            "more than a loss, less than a win.",
            call=shown,
        )


def _worth_of_one_draw(trial, searched) -> None:
    """Two empty points, a draw after both; three simulations, so that only one of the moves has met the draw."""
    for history in NEARLY_DRAWN:
        game = Mock5(3, 3, k=3, history=history)
        first, second = game.legal_moves()
        for said in (0.1, -0.1):

            def expert_says(own, other, said=said):
                return said if own.sum() + other.sum() == 7 else -said  # for whoever is to move there

            favour = np.where(np.arange(9) == first, 1.02, 1.0)
            _, policy, call = searched(game, table_expert(9, favour, expert_says), 3)
            better = first if said < 0 else second
            trial.require(
                policy[first] < 0.6 if said > 0 else policy[first] > 0.4,
                f"Both moves end in a draw. By the expert every position is worth {said} to the player to move here. "
                f"Of three simulations two begin with {first}, whose prior is a little higher: the first sees {said}, "
                f"the second the draw, 0. The one that begins with {second} sees {said}. So {better} has the better "
                f"mean; its share is {policy[better]:.0%}. What is a draw worth?",
                call=call,
            )


def _oracle(trial, searched) -> None:
    """Tic-tac-toe with an expert that knows nothing: is the search right where it can see the end?"""
    right, shares, first = 0, [], None
    cases = tic_tac_toe_cases()
    for game, best in cases:
        move, policy, _ = searched(game.copy(), table_expert(9), SIMULATIONS)  # a learner may play on it
        right += move in best
        shares.append(policy[list(best)].sum())
        first = first or (None if move in best else (game, move, best))
    if first:
        game, move, best = first
        trial.require(
            right >= 0.9 * len(cases),
            f"In tic-tac-toe, with equal priors and values of 0, it plays a best move in {right} of {len(cases)} "
            f"positions with six empty points or fewer. Here it plays {move}; best are {sorted(best)}.",
            call=f"search(game, expert, {SIMULATIONS}, None), where game is\n{game}",
        )
    trial.require(
        np.mean(shares) > 0.75,
        f"In tic-tac-toe positions the improved policy gives the best moves {np.mean(shares):.0%}; the search has seen "
        "the end, so it should be more than 75 %. Are all finished games worth 1, 0 or −1, for the right player?",
        call=f"search(game, expert, {SIMULATIONS}, None) in {len(cases)} positions",
    )
