"""The check of `my_uct`: visits against all that UCT can find on small trees, positions, and matches in a budget."""

from functools import cache

import numpy as np

from mock5check.answers import is_number, show
from mock5check.ch01.small_games import PLAIN, QuickFour, Rules, TreeGame, possible_answers, way
from mock5check.core import graded
from mock5lib import Mock5
from mock5lib.search.uct.tree import UCT

SECONDS = 60.0  # for one search; a slow right one needs one second

TREES = {
    "each move ends the game": (1, {"win": 1, "draw": 0, "loss": 2}),
    "player 2 is to move": (2, {"loss": 1, "win": 2, "draw": 0}),
    "the opponent replies": (1, {"good": (2, {"x": 1, "y": 0}), "trap": (2, {"x": 1, "y": 2})}),
    "player 1 moves twice": (1, {"again": (1, {"x": 2, "y": 1}), "over": (2, {"x": 1, "y": 0})}),
    "three moves deep": (2, {"a": (1, {"p": (2, {"x": 2, "y": 0}), "q": 2}), "b": (1, {"p": 0})}),
    "one move, then the opponent chooses": (1, {"only": (2, {"win": 2, "draw": 0, "loss": 1})}),
    "a long way without a choice": (1, {"far": way(30, 1), "near": way(1, 0), "bad": 2}),
}
BUDGETS = (1, 4, 12, 20, 40)
FINE = (5, 8, 14, 19, 25, 39, 55, 65, 145)  # these tell ln N from ln (N ± 1), and v from v + 0.01
BELOW = (6, 9, 20, 26, 95)  # these tell N from the sum of the children's visits, below the root
ONE_PLY = ("each move ends the game", "player 2 is to move")
CHOOSES_ONCE = (1, {"only": (2, {"x": 1, "y": 0, "z": 2})})

SLIPS = [
    (Rules(c=0.0), "There is no exploration in it: add √2 · √(ln N / v)."),
    (Rules(c=1.0), "c is √2 here, as in the chapter."),
    (Rules(c=2.0), "c is √2 here: √(2 · ln N / v), or √2 in front of the root, but not both."),
    (Rules(draw=0.0), "Draws add nothing here. Each counts one half, for both sides."),
    (Rules(draw=1.0), "A draw counts one half, not 1."),
    (Rules(sign=-1), "The points go to the wrong side: they belong to the player who moved into the node."),
    (Rules(in_turn=True), "It takes for granted that players alternate. Ask the game who is to move, `game.player`."),
    (Rules(flat=True), "Nothing is kept below the first move: UCT chooses the replies by the formula, too."),
    (Rules(root_first=True), "One simulation went into the root alone. Already the first one tries a move."),
    (
        Rules(children_log=True),
        "N counts all simulations that have gone through the node, also the one that made it: below the root that is "
        "one more than its moves' visits together.",
    ),
    (Rules(own_log=True), "The logarithm is of the visits of the node ABOVE, not of the child's own."),
]

# Connect four: the columns so far, and the only move that wins within five moves. A test proves each by `outcome`.
FOURS = {
    "2212552526001360631": 1,
    "44205241042111566": 3,
    "55125624066605326": 3,
    "50056215206601": 3,
    "64162032403045526624": 0,
    "263031333463245": 4,
}
TICS = {(0, 1, 5, 8): [3], (0, 2, 1): [5, 8], (0, 6, 7, 8): [1], (1, 0, 6, 2): [7], (1, 2, 4): [7]}


@cache
def answers(name: str, simulations: int, rules: Rules = PLAIN) -> set:
    """`possible_answers` on one of TREES, worked out once."""
    return possible_answers(TREES[name], simulations, rules)


@graded
def my_uct(trial, function) -> None:
    """Check `my_uct(game, simulations, rng)`: {move: (visits, wins)} of a whole search of one's own."""
    trial.stage("the contract, on small games written by hand")
    for name, tree in TREES.items():
        _ask(trial, function, TreeGame(tree), 5, 0, f"a small game: {name}")
    _repeats(trial, function)
    _finished(trial, function)
    trial.stage("visit for visit: only what plain UCT can find")
    _playouts(trial, function)
    _visit_for_visit(trial, function)
    trial.stage("tic-tac-toe: the one good move")
    _tic_tac_toe(trial, function)
    trial.stage("connect four: positions with one best move")
    _connect_four(trial, function)
    trial.stage("connect four: ten games, 200 simulations against 20")
    _matches(trial, function)


# One search ---------------------------------------------------------------------------------------------------------


def _ask(trial, function, game, simulations: int, seed: int, shown: str, long: bool = False) -> dict:
    """One search, if its form is right: a dict with a pair for each legal move, visits that add up, in its budget."""
    call = f"my_uct(game, {simulations}, rng), where game is {shown}:\n{game}"
    before = (list(game.history), game.player, game.winner)
    if hasattr(game, "ledger"):
        game.ledger, most = {"applied": 0}, simulations * game.longest()
    rng = np.random.default_rng(seed)
    answer = trial.call(function, game, simulations, rng, shown=call, long=long, seconds=SECONDS if long else 20)
    if not isinstance(answer, dict):
        trial.fail("Return a dict: {move: (visits, wins)}.", call=call, answer=answer)
    same_game = before == (list(game.history), game.player, game.winner)
    trial.require(same_game, "The game should be left as it was. Search on a copy, or undo all moves.", call=call)
    legal = list(game.legal_moves())
    if set(answer) != set(legal):
        why = f"The keys should be the legal moves {legal}, unvisited ones with (0, 0) too; they are {list(answer)}."
        trial.fail(why, call=call)
    for move, pair in answer.items():
        _is_pair(trial, move, pair, call)
    total = sum(visits for visits, _ in answer.values())
    why = f"{simulations} simulations were asked for, and each goes through one move. The visits add up to {total}."
    trial.require(total == simulations, why, call=call)
    if hasattr(game, "ledger"):
        why = (
            f"The budget is exceeded: {game.ledger['applied']} moves were made on the game and its copies. "
            f"{simulations} simulations, each one game of at most {game.longest()} moves, need no more than {most}."
        )
        trial.require(game.ledger["applied"] <= most, why, call=call)
    return answer


def _is_pair(trial, move, pair, call: str) -> None:
    named = f"The entry of move {move!r} should be a pair (visits, wins)"
    if not isinstance(pair, (tuple, list)) or len(pair) != 2 or not all(map(is_number, pair)):
        trial.fail(f"{named}, not {show(pair)}.", call=call)
    visits, wins = pair
    whole = isinstance(visits, (int, np.integer))
    trial.require(
        whole and visits >= 0, f"{named}; visits count, so they are whole numbers: {show(visits)}.", call=call
    )
    fits = 0 <= wins <= visits and float(2 * wins).is_integer()
    text = f"{named}; wins are points, 1 for a win and ½ for a draw, so from 0 to {visits} here, not {show(wins)}."
    trial.require(fits, text, call=call)


def _repeats(trial, function) -> None:
    """Equal generators give equal searches; another one gives another."""
    game = Mock5(3, 3, k=3, history=[4])
    found = [_ask(trial, function, game, 60, seed, "tic-tac-toe") for seed in (1, 1, 2, 3)]
    plain = [{move: tuple(map(float, pair)) for move, pair in answer.items()} for answer in found]
    text = "Equal generators should give equal searches: sample with the `rng` that is given, and nothing else."
    trial.require(plain[0] == plain[1], text)
    text = "Three generators gave the very same numbers in 60 simulations: are playouts sampled with `rng`?"
    trial.require(not plain[1] == plain[2] == plain[3], text)


def _finished(trial, function) -> None:
    answer = trial.call(function, QuickFour([0, 1, 0, 1, 0, 1, 0]), 10, np.random.default_rng(0))
    trial.require(answer == {}, f"The game is over, so no move is legal: return an empty dict, not {show(answer)}.")


# What it finds ------------------------------------------------------------------------------------------------------


def _playouts(trial, function) -> None:
    """One simulation, one move, then three ends: each comes up a third of the time."""
    counts = {1.0: 0, 0.5: 0, 0.0: 0}
    for seed in range(240):
        answer = _ask(trial, function, TreeGame(CHOOSES_ONCE), 1, seed, "a game of two moves")
        counts[float(answer["only"][1])] += 1
    text = (
        f"In 240 searches of one simulation, 1, ½ and 0 points were found {list(counts.values())} times. After the new "
        "node's move there are three moves: one wins, one draws, one loses, and playouts sample them evenly."
    )
    trial.require(all(45 <= count <= 120 for count in counts.values()), text)


def _visit_for_visit(trial, function) -> None:
    found = {}
    for name, tree in TREES.items():
        below = BELOW * (name == "one move, then the opponent chooses")
        for simulations in BUDGETS + FINE * (name in ONE_PLY) + below:
            for seed in range(5 if simulations in BUDGETS + below else 1):
                answer = _ask(trial, function, TreeGame(tree), simulations, seed, f"a small game: {name}")
                found[name, simulations, seed] = tuple(
                    (m, int(answer[m][0]), float(answer[m][1])) for m in sorted(tree[1])
                )
    for (name, simulations, _), mine in found.items():
        right = answers(name, simulations)
        if mine not in right:
            trial.fail(
                f"Plain UCT can't find this. Whatever it samples, it finds {_in_words(right)}.",
                call=f"my_uct(game, {simulations}, rng), where game is a small game: {name}:\n{TreeGame(TREES[name])}",
                answer=_as_dict(mine),
                hint=_the_slip(found),
            )
        trial.cases += 1


def _as_dict(answer: tuple) -> dict:
    return {move: (visits, wins) for move, visits, wins in answer}


def _in_words(right: set) -> str:
    shown = " or ".join(str(_as_dict(answer)) for answer in sorted(right)[:3])
    return shown if len(right) <= 3 else f"{shown} or {len(right) - 3} more"


def _the_slip(found: dict) -> str | None:
    """The one known slip that can find all that was found in a few simulations."""
    few = [(name, simulations, mine) for (name, simulations, _), mine in found.items() if simulations <= 12]
    causes = [cause for rules, cause in SLIPS if all(mine in answers(name, n, rules) for name, n, mine in few)]
    return causes[0] if len(causes) == 1 else None


# What it plays ------------------------------------------------------------------------------------------------------


def most_visited(answer: dict):
    """The move that a search would play."""
    return max(answer, key=lambda move: (answer[move][0], answer[move][1]))


def _tic_tac_toe(trial, function) -> None:
    for history, best in TICS.items():
        game = Mock5(3, 3, k=3, history=list(history))
        answer = _ask(trial, function, game, 1000, 0, "tic-tac-toe", long=True)
        move = most_visited(answer)
        text = f"UCT with 1,000 simulations finds {' or '.join(map(str, best))}. The most visited move is {move}."
        trial.require(move in best, text, call=f"my_uct(game, 1000, rng), where game is\n{game}")


def _connect_four(trial, function) -> None:
    for columns, best in FOURS.items():
        game = QuickFour(map(int, columns))
        answer = _ask(trial, function, game, 800, 0, "connect four", long=True)
        move = most_visited(answer)
        text = f"Column {best} wins by force within five moves, and UCT with 800 simulations finds it."
        trial.require(
            move == best,
            f"{text} The most visited column is {move}.",
            call=f"my_uct(game, 800, rng), where game is\n{game}",
        )


def _matches(trial, function) -> None:
    points = 0.0
    for number in range(10):
        game, opponent, mine = QuickFour(), UCT(20, seed=number, keep_tree=False), 1 + number % 2
        while game.winner is None:
            if game.player == mine:
                answer = _ask(trial, function, game, 200, number, "connect four", long=True)
                game.apply(most_visited(answer))
            else:
                game.apply(opponent(game.copy()))
        points += 0.5 if game.winner == 0 else float(game.winner == mine)
    text = f"With 200 simulations a move against 20 it made {points:g} of 10 points. A sound UCT makes about 9; 6 do."
    trial.require(points >= 6, text)
