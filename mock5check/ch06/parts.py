"""The fifth part of chapter 6's capstone, a whole game, by what its examples say."""

import numpy as np

from mock5check.answers import kind_problem, same
from mock5check.ch05.capstone import Watched, hashed_expert, table_expert
from mock5check.ch06.gumbels import SIZE, Recorded
from mock5lib import Mock5
from mock5lib.game.encoders import three_planes


def check_self_play(trial, self_play) -> None:
    firsts, starts = set(), []
    for seed in range(6):
        call = f"self_play(expert, rng), seed {seed}"
        expert = Watched(hashed_expert(9, 0.3), many=True)
        game = trial.call(self_play, expert, np.random.default_rng(seed), shown=call, long=True, seconds=60.0)
        _one_game(trial, game, call)
        firsts.add(int(game[1][0][1].argmax()))
        starts.append(game)
        trial.require(expert.asked, "It never asked the expert.", call=call)
        _simulations(trial, game, expert.asked, call)
    again = trial.call(self_play, hashed_expert(9, 0.3), np.random.default_rng(0), long=True, seconds=60.0)
    trial.require(
        len(again) == len(starts[0]) and all(same(a, b) for a, b in zip(again, starts[0])),
        "The same rng must give the same game.",
        call="self_play(expert, rng), twice with seed 0",
    )
    trial.require(len(firsts) > 1, "Six seeds, one first move: the games must differ.", call="self_play(expert, rng)")
    _what_was_found(trial, self_play)
    _policies(trial, self_play)
    _new_numbers(trial, self_play)


def _simulations(trial, game, asked: list, call: str) -> None:
    """How many positions were asked about between the first roots: each simulation meets a new one."""
    roots = []
    for planes, _, _ in game[:4]:
        where = [number for number, other in enumerate(asked) if np.array_equal(other, planes)]
        roots.append(where[-1] if len(where) > (len(roots) > 0) else None)  # once in the search before, once as a root
    for number, (root, following) in enumerate(zip(roots, roots[1:]), 1):
        if root is not None and following is not None:
            trial.require(
                not 0 < following - root < 9,
                f"For move number {number} it asked the expert about {following - root} positions, the root among "
                "them. Your size may be anything from 8 simulations on, and each of these meets a new position here.",
                call=call,
            )


def _what_was_found(trial, self_play) -> None:
    """Where one move has nearly all of the prior, and all values are 0, the search returns it, and it is played."""
    weights, wanted = np.ones(25), (7, 18, 11)
    weights[list(wanted)] = 1e21, 1e14, 1e7
    for seed in range(3):
        call = f"self_play(expert, rng), seed {seed}; of the priors point 7 has nearly all, then 18, then 11"
        game = trial.call(
            self_play, table_expert(25, weights), np.random.default_rng(seed), shown=call, long=True, seconds=60.0
        )
        _one_game(trial, game, call)
        boards = [planes[0].ravel() + planes[1].ravel() for planes, _, _ in game[:4]]
        moves = tuple(int((after - before).argmax()) for before, after in zip(boards, boards[1:]))
        trial.require(
            moves == wanted,
            f"All values are 0, so each search returns the point with the highest prior: {wanted}. The game begins "
            f"with {moves}. What the search returns is played, from the first move on.",
            call=call,
        )


def _policies(trial, self_play) -> None:
    """An expert whose values, but not its priors, favour row 0: so do the improved policies."""

    def likes_the_top(own, other):
        return float(np.tanh(own[0].sum() - other[0].sum()))

    call, shares, single = "self_play(expert, rng)", [], 0
    for seed in range(4):
        expert = table_expert(25, value=likes_the_top)
        game = trial.call(self_play, expert, np.random.default_rng(seed), shown=call, long=True, seconds=60.0)
        early = [policy for planes, policy, _ in game if planes[2, 0].sum() >= 3][:4]
        shares += [policy[:5].sum() for policy in early]
        single += sum(np.count_nonzero(policy) == 1 for policy in early[:3])
    trial.require(
        single < 6,
        "The policies of the first positions, where nothing is forced, give one point all. Wanted is the improved "
        "policy of the search, not the move that was played.",
        call=call,
    )
    _whole_policy(trial, self_play)
    trial.require(
        np.mean(shares) > 0.35,
        "All priors are equal, and the expert's value is higher for whoever has more stones in row 0. So the improved "
        f"policies favour row 0; in the examples its share is {np.mean(shares):.0%}, and the prior's is 20 %. Do the "
        "examples hold the policy that the search returned?",
        call=call,
    )


def _whole_policy(trial, self_play) -> None:
    """At first nobody can win; with values of 0 nothing is learnt, and the improved policy is the prior."""
    tilted, call = np.arange(1, 26), "self_play(expert, rng), with priors in proportion to 1, 2, … 25 and values of 0"
    game = trial.call(
        self_play, table_expert(25, tilted), np.random.default_rng(0), shown=call, long=True, seconds=60.0
    )
    planes, policy, _ = game[1]
    right = np.where(planes[2].ravel() == 1, tilted, 0) / tilted[planes[2].ravel() == 1].sum()
    trial.require(
        same(np.asarray(policy, float), right, 1e-3),
        "The policy of an example is the one that the search returns, all of it and unchanged. All values are 0, so in "
        "the second position it is the prior over the empty points. The greatest difference is "
        f"{abs(policy - right).max():.3g}.",
        call=call,
    )


def _new_numbers(trial, self_play) -> None:
    """All priors are equal and all values 0, so the moves come from the Gumbel numbers alone: are they drawn anew?"""
    call, slots = "self_play(expert, rng), all priors equal and all values 0", []
    for seed in range(6):
        rng = Recorded(np.random.PCG64(seed))
        game = trial.call(self_play, table_expert(25), rng, shown=call, long=True, seconds=60.0)
        for (planes, _, _), (after, _, _) in list(zip(game, game[1:]))[:4]:
            empty = np.flatnonzero(planes[2])
            move = int(np.flatnonzero(planes[2].ravel() != after[2].ravel())[0])
            slots.append((seed, int(np.searchsorted(empty, move))))
        trial.require(
            rng.asked >= len(game) / 2,
            f"In a game of {len(game)} moves the `gumbel` of the `rng` that was given was called {rng.asked} "
            "times: new numbers for every move, all from one generator.",
            call=call,
        )
        _, first = slots[4 * seed]  # on the empty board, a point
        best = int(np.argmax(rng.given[:25]))
        trial.require(
            len(rng.given) < 25 or first == best,
            f"The first search returns the move with the greatest Gumbel number, {best}; played was {first}. What the "
            "search returns is played: don't draw a move from the improved policy.",
            call=call,
        )
    trial.require(
        len(set(slots)) > 12,
        "In each game the first moves have the same place among the legal ones. Is it the move that the search returns "
        "that is played, and are the Gumbel numbers new for every move, with one rng for the whole game?",
        call=call,
    )


def _one_game(trial, examples, call: str) -> None:
    """Examples of a whole game: consecutive positions from the empty board, policies, and the result seen by each."""
    trial.require(
        isinstance(examples, list) and len(examples) >= 7, "Return a list, one example for each move.", call=call
    )
    game, outcomes = Mock5(*SIZE[:2], k=SIZE[2]), []
    for number, example in enumerate(examples):
        problem = kind_problem(example, (np.zeros((3, 5, 5)), np.zeros(25), 0.0), f"example {number}")
        trial.require(problem is None, f"{problem}", call=call)
        planes, policy, outcome = example
        if number:
            new = np.flatnonzero((planes[1].ravel() == 1) & (np.array(game.board) == 0))
            ok = len(new) == 1 and game.winner is None
            trial.require(ok, f"Example {number} does not follow example {number - 1} by one move.", call=call)
            game.apply(int(new[0]))
            share = examples[number - 1][1][int(new[0])]
            trial.require(share > 0, f"Move {new[0]} was played, and the policy before it says 0.", call=call)
        trial.require(game.winner is None, f"Example {number} is a position of a finished game.", call=call)
        trial.require(
            np.array_equal(planes, three_planes.encode([game])[0]),
            f"Example {number}: planes are not `three_planes.encode([game])[0]` of the position before the move, own "
            "stones first. The first position is the empty board; later ones follow one by one.",
            call=call,
        )
        empty = np.array(game.board) == 0
        fair = policy.min() >= 0 and abs(policy.sum() - 1) < 1e-6 and policy[~empty].sum() < 1e-6
        trial.require(fair, f"Example {number}: the policy must sum to 1 over the empty points.", call=call)
        outcomes.append(outcome)
    _outcomes(trial, game, outcomes, call)


def _outcomes(trial, game, outcomes: list, call: str) -> None:
    """The last example's mover has won, or it was the last empty point; the others alternate."""
    winning = [move for move in game.legal_moves() if wins(game, move)]
    last = outcomes[-1]
    alternate = outcomes == [last * (-1) ** (len(outcomes) - 1 - i) for i in range(len(outcomes))]
    could_end = bool(winning) or len(game.legal_moves()) == 1
    trial.require(
        could_end or not alternate,
        "After the last example's position no move can end the game: the examples end too early. There is one for EACH "
        "move, also for the last. (The game is Mock5(5, 5, k=4).)",
        call=call,
    )
    trial.require(last in (1, 0), f"The last mover has won (1) or drawn (0); its outcome here is {last:g}.", call=call)
    trial.require(
        bool(winning) if last == 1 else len(game.legal_moves()) == 1,
        "The examples end before the game does, or its result is wrong: after the last example's position comes "
        "the move that ends the game.",
        call=call,
    )
    trial.require(
        alternate,
        "An outcome is the result for the player to move in ITS position: 1 for each of the winner's positions, −1 for "
        f"the loser's. They are {', '.join(f'{o:g}' for o in outcomes[-6:])} at the end.",
        call=call,
    )


def wins(game, move: int) -> bool:
    after = game.copy()
    after.apply(move)
    return after.winner not in (None, 0)
