"""The check of `my_uct`: visits against all that UCT can find on small trees, positions, and matches in a budget."""

from functools import cache, partial
from math import log, sqrt

import numpy as np

from mock5check.answers import is_number, show
from mock5check.ch01.playouts import check_playouts
from mock5check.ch01.small_games import PLAIN, QuickFour, Rules, Salted, TreeGame, possible_answers, renamed, way
from mock5check.core import CheckFailed, Trial, graded
from mock5check.watch import learners_line, meaning
from mock5lib import Mock5
from mock5lib.search.uct.tree import UCT

SECONDS = 60.0  # for one search; a slow right one needs one second

TREES = {
    "each move ends the game": (1, {"win": 1, "draw": 0, "loss": 2}),
    "player 2 is to move": (2, {"loss": 1, "win": 2, "draw": 0}),
    "the opponent replies": (1, {"good": (2, {"x": 1, "y": 0}), "trap": (2, {"x": 1, "y": 2})}),
    "player 1 moves twice": (1, {"again": (1, {"x": 2, "y": 1}), "over": (2, {"x": 1, "y": 0})}),
    "player 1 moves twice and wins": (1, {"again": (1, {"x": 1, "y": 1}), "over": 2}),
    "three moves deep": (2, {"a": (1, {"p": (2, {"x": 2, "y": 0}), "q": 2}), "b": (1, {"p": 0})}),
    "one move, then the opponent chooses": (1, {"only": (2, {"win": 2, "draw": 0, "loss": 1})}),
    "a long way without a choice": (1, {"far": way(100, 1), "near": way(1, 0), "bad": 2}),
}
# Moves of other kinds, and what may have gone wrong where the same game is searched rightly with texts for moves.
ODD_MOVES = {
    "moves are pairs": (
        (1, {(0, 1): (2, {(2, 2): (1, {(0, 0): 1})}), (1, 2): (2, {(2, 2): (1, {(0, 0): 2})})}),
        "The keys should be the moves as they are, no texts of them; and NumPy makes an array of a list of moves, so "
        "rng.choice and rng.permutation give no pair back: draw an index, moves[int(rng.integers(len(moves)))].",
    ),
    "a text and a number are moves": (
        (1, {"a": (2, {"b": (1, {2: 1}), 3: (1, {2: 1})}), 1: (2, {"b": 2, 3: 2})}),
        "These moves cannot be sorted, and rng.choice and rng.permutation make the text '1' of 1. Leave the moves as "
        "they are, and draw an index.",
    ),
    "a number and its text are moves": (
        (1, {1: 1, "1": 2}),
        "The keys should be the moves as they are, no texts of them: here 1 and '1' are two moves.",
    ),
    "0 and an empty text are moves": (
        (1, {0: (2, {"": (1, {0: 1})}), "": (2, {0: (1, {"": 2}), "": 2})}),
        "0 and '' are moves, too, though both count as false. Ask `is None`.",
    ),
}
BUDGETS = (1, 4, 12, 20, 40)
FINE = (5, 8, 14, 19, 25, 39, 55, 65, 145)  # these tell ln N from ln (N ± 1), and v from v + 0.01
BELOW = (6, 9, 20, 26, 95)  # these tell N from the sum of the children's visits, below the root
LONG = ("a long way without a choice",)  # says nothing of the rules that the others do not
ONE_PLY = ("each move ends the game", "player 2 is to move")

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
    (
        Rules(root_log=True),
        "N is the number of simulations through the node in which you choose, not through the root.",
    ),
    (Rules(more=1), "N counts a simulation too many: it is the node's own visits, without the one under way."),
    (Rules(c=sqrt(2 / log(10))), "ln is the natural logarithm, `math.log`."),
    (Rules(c=sqrt(2 / log(2))), "ln is the natural logarithm, `math.log`."),
    (Rules(whose="next"), "The points go to the wrong side: they belong to the player who moved into the node."),
    (
        Rules(whose="player 1"),
        "The points are always those of player 1. They belong to the player who moved into the node.",
    ),
    (Rules(whose="root"), "The points belong to the player who moved into each node, not to the one at the root."),
    (Rules(turned=True), "What you return are the opponent's points: wins belong to the player to move at `game`."),
    (Rules(whole=True), "A simulation adds ONE node to the tree; the rest of its game is played, but not kept."),
    (Rules(late=True), "A simulation adds ONE node to the tree, a move at the root, too; here it then adds another."),
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
        game = TreeGame(tree)
        for simulations in (5, 7):  # a second search of the same game begins anew
            _ask(trial, function, game, simulations, 0, f"a small game: {name}")
    _odd_moves(trial, function)
    _repeats(trial, function)
    _after_a_restart(trial, function)
    _finished(trial, function)
    trial.stage("visit for visit: only what plain UCT can find")
    check_playouts(trial, partial(_ask, trial, function))
    _each_once(trial, function)
    _visit_for_visit(trial, function)
    _odd_moves(trial, function, last=True)
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
    before = _state(game)
    if hasattr(game, "ledger"):
        game.ledger, most = {"applied": 0}, simulations * game.longest()
    rng = np.random.default_rng(seed)
    try:
        rules = {"shown": call, "long": long, "seconds": SECONDS if long else 20}
        answer = trial.call(function, game, simulations, rng, lets_through=(ValueError,), **rules)
    except ValueError as error:
        _refused(trial, error, call, _state(game) == before)
    if not isinstance(answer, dict):
        trial.fail("Return a dict: {move: (visits, wins)}.", call=call, answer=answer)
    trial.require(
        before == _state(game), "The game should be left as it was. Search on a copy, or undo all moves.", call=call
    )
    legal = list(game.legal_moves())
    if set(answer) != set(legal):
        why = f"The keys should be the legal moves {legal}, unvisited ones with (0, 0) too; they are {list(answer)}."
        trial.fail(why, call=call)
    for move, pair in answer.items():
        _is_pair(trial, move, pair, call)
    total = sum(visits for visits, _ in answer.values())
    asked = "1 simulation was" if simulations == 1 else f"{simulations} simulations were"
    why = f"{asked} asked for, and each goes through one move. The visits add up to {total}."
    if total > simulations:
        why += " Is there one too many, is one counted twice, or is the tree of an earlier search still there?"
    trial.require(total == simulations, why, call=call)
    if hasattr(game, "ledger"):
        why = (
            f"The budget is exceeded: {game.ledger['applied']} moves were made on the game and its copies. "
            f"{simulations} simulations, each one game of at most {game.longest()} moves, need no more than {most}."
        )
        trial.require(game.ledger["applied"] <= most, why, call=call)
    return {move: (int(visits), round(2 * float(wins)) / 2) for move, (visits, wins) in answer.items()}


def _state(game) -> tuple:
    """What a search must leave as it was."""
    return game.state() if isinstance(game, TreeGame) else (list(game.history), game.player, game.winner)


def _refused(trial, error: ValueError, call: str, unchanged: bool) -> None:
    """Say what stopped the search: a move that is not legal, or no moves at all."""
    why, hint = meaning(error), None
    if any(text in str(error) for text in ("high <= 0", "low >= high", "cannot be empty")):
        hint = "Nothing is left to choose from: is the game over? A draw, 0, counts as false, so ask `winner is None`."
    elif not unchanged:
        why += " And `game` does not stand where it stood: is it back at its start before each simulation?"
    trial.fail(why, call=call, line=learners_line(error), hint=hint)


def _odd_moves(trial, function, last: bool = False) -> None:
    """Any key of a dict may be a move. A cause is given where the same game is searched rightly with texts for moves.

    A search that is wrong there too is explained better by the stages that follow; only the last call stops it.
    """
    for name, (tree, cause) in ODD_MOVES.items():
        try:
            _searched(trial, function, tree, f"a small game: {name}")
        except CheckFailed as failed:
            if _passes(function, renamed(tree, {})):
                raise CheckFailed(f"{failed}\n  hint:     {cause}") from None
            if last:
                raise


def _passes(function, tree) -> bool:
    try:
        _searched(Trial("my_uct"), function, tree, "")
    except CheckFailed:
        return False
    return True


def _searched(trial, function, tree, shown: str) -> None:
    """Searches of a tree whose answer does not hang on what is sampled."""
    for simulations, seed in ((1, 0), (5, 1), (20, 2), (20, 3)):
        answer = _ask(trial, function, TreeGame(tree), simulations, seed, shown)
        mine = tuple((move, int(answer[move][0]), float(answer[move][1])) for move in sorted(tree[1], key=str))
        right = possible_answers(tree, simulations, most=64)
        if mine not in right:
            call = f"my_uct(game, {simulations}, rng), where game is {shown}:\n{TreeGame(tree)}"
            why = f"Plain UCT can't find this. Whatever it samples, it finds {_in_words(right)}."
            trial.fail(why, call=call, answer=_as_dict(mine))


def _is_pair(trial, move, pair, call: str) -> None:
    named = f"The entry of move {move!r} should be a pair (visits, wins)"
    if not isinstance(pair, (tuple, list)) or len(pair) != 2 or not all(map(is_number, pair)):
        trial.fail(f"{named}, not {show(pair)}.", call=call)
    visits, wins = pair
    whole = isinstance(visits, (int, np.integer))
    trial.require(
        whole and visits >= 0, f"{named}; visits count, so they are whole numbers: {show(visits)}.", call=call
    )
    fits = -1e-6 <= wins <= visits + 1e-6 and abs(2 * wins - round(2 * wins)) < 1e-6
    text = (
        f"{named}; wins are points, 1 for a win and ½ for a draw, so a number of halves from 0 to {visits} here, not "
        f"{show(wins)}."
    )
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


def _after_a_restart(trial, function) -> None:
    """Equal generators give equal searches in the next start of Python, too, where a set of texts has another order."""

    def search(seed: int, salt: int) -> dict:
        Salted.salt = salt
        game = TreeGame((1, {Salted(name): end for name, end in zip("abcde", (2, 1, 0, 1, 2))}))
        answer = _ask(Trial("my_uct"), function, game, 3, seed, "a small game")
        return {str(move): pair for move, pair in answer.items()}

    try:
        for seed in range(3):
            found = [search(seed, salt) for salt in range(4)]
            text = (
                "Equal generators should give equal searches, also after Python is started again. The order in which a "
                "set of texts gives out its elements is another one after each start: keep moves in a list."
            )
            call = f"my_uct(game, 3, np.random.default_rng({seed})), in four starts of Python"
            trial.require(all(answer == found[0] for answer in found), text, call=call)
    finally:
        Salted.salt = 0


def _finished(trial, function) -> None:
    answer = trial.call(function, QuickFour([0, 1, 0, 1, 0, 1, 0]), 10, np.random.default_rng(0))
    trial.require(answer == {}, f"The game is over, so no move is legal: return an empty dict, not {show(answer)}.")


# What it finds ------------------------------------------------------------------------------------------------------


def _each_once(trial, function) -> None:
    """With many moves and as many simulations, each move is tried once."""
    for size in (6, 10):
        game, many = Mock5(size, size), size**2
        answer = _ask(trial, function, game, many, 0, f"five in a row on {size}×{size}", long=True)
        missed = sum(visits == 0 for visits, _ in answer.values())
        text = (
            f"UCT tries every move once before it compares those it has tried: √(ln N / 0) is infinite, larger than "
            f"any number. There are {many} moves and {many} simulations, and {missed} moves were never tried."
        )
        trial.require(not missed, text, call=f"my_uct(game, {many}, rng), where game is empty, {size}×{size}")


def _visit_for_visit(trial, function) -> None:
    found = {}
    for name, tree in TREES.items():
        below = BELOW * (name == "one move, then the opponent chooses")
        for simulations in BUDGETS + FINE * (name in ONE_PLY) + below:
            for seed in range(5 if simulations in BUDGETS + below else 1):
                answer = _ask(trial, function, TreeGame(tree), simulations, seed, f"a small game: {name}")
                found[name, simulations, seed] = tuple(
                    (m, int(answer[m][0]), float(answer[m][1])) for m in sorted(tree[1], key=str)
                )
    for (name, simulations, _), mine in found.items():
        right = answers(name, simulations)
        if mine not in right:
            trial.fail(
                f"Plain UCT can't find this. Whatever it samples, it finds {_in_words(right)}.",
                call=f"my_uct(game, {simulations}, rng), where game is a small game: {name}:\n{TreeGame(TREES[name])}",
                answer=_as_dict(mine),
                hint=_the_slip(found, (name, simulations, mine)),
            )
        trial.cases += 1


def _as_dict(answer: tuple) -> dict:
    return {move: (visits, wins) for move, visits, wins in answer}


def _in_words(right: set) -> str:
    shown = " or ".join(str(_as_dict(answer)) for answer in sorted(right)[:3])
    return shown if len(right) <= 3 else f"{shown} or {len(right) - 3} more"


def _the_slip(found: dict, failing: tuple) -> str | None:
    """The one known cause that can find all that was found in a few simulations, and what was found where it failed."""
    few = [failing] + [(name, n, mine) for (name, n, _), mine in found.items() if n <= 12 and name not in LONG]
    few += [(name, n, mine) for (name, n, _), mine in found.items() if name in ONE_PLY and 12 < n <= 40]
    causes = {cause for rules, cause in SLIPS if all(mine in answers(name, n, rules) for name, n, mine in few)}
    return causes.pop() if len(causes) == 1 else None


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
