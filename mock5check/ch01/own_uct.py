"""The capstone `my_uct`, declared by ours: what it finds on small trees, in tic-tac-toe and in connect four."""

import math
from functools import cache

import numpy as np

from mock5check.answers import is_number, show
from mock5check.ch01.connect_four import ConnectFour
from mock5check.core import CheckFailed, _quiet, graded
from mock5check.script import declared
from mock5check.spec import edited
from mock5lib import Mock5
from mock5lib.game.oracle import tic_tac_toe

SECONDS = 60.0  # for one search; a slow right one needs one second
SEEDS = 60  # searches of ours that show what may be found

# Game trees: {move: what follows}, or who has won. Player 1 begins, and the players take turns.
LEAVES = {0: 1, 1: 0, 2: 2}  # the game is over after any move, so nothing is left to chance
ONLY = {0: {0: 2, 1: 0, 2: 1}}  # all depends on the reply
OR_DRAW = {0: ONLY[0], 1: 0}
SEARCHES = [(LEAVES, (), n) for n in (3, 4, 5, 8, 14, 19, 25, 39, 55, 65, 145)]
SEARCHES += [({0: LEAVES}, (0,), n) for n in (5, 14, 40)] + [(ONLY, (), n) for n in (1, 6, 9, 20, 26)]
SEARCHES += [(OR_DRAW, (), 145)]  # tells a node's own visits from the root's

TIC_TAC_TOES = 15
# Connect four: the columns so far, and the only one that does not lose, or that wins.
FOURS = {"001122": 3, "00112": 3, "01010": 0, "50056215206601": 3, "263031333463245": 4}


class Place:
    """A position in the tree: its children by move, moves not yet tried, visits and points of who moved into it."""

    def __init__(self, game):
        self.children, self.untried = {}, list(game.legal_moves())
        self.visits, self.wins = 0, 0.0


def one_simulation(root, game, rng):
    """One simulation from `root`; `game` stands there, and is played to its end."""
    node, path = root, []
    while game.winner is None:
        move = next_move(node, rng)
        mover, new = game.player, move not in node.children
        game.apply(move)
        if new:
            node.children[move] = Place(game)
        node = node.children[move]
        path.append((mover, node))
        if new:
            break
    while game.winner is None:
        moves = game.legal_moves()
        game.apply(moves[int(rng.integers(len(moves)))])
    root.visits += 1
    for mover, node in path:
        node.visits += 1
        node.wins += 0.5 if game.winner == 0 else float(game.winner == mover)


def next_move(node, rng):
    """A move that was not tried yet, at random; else the one that the formula likes best."""
    if node.untried:
        return node.untried.pop(int(rng.integers(len(node.untried))))
    log_visits = math.log(node.visits)

    def score(move):
        child = node.children[move]
        return child.wins / child.visits + math.sqrt(2) * math.sqrt(log_visits / child.visits)

    return max(node.children, key=score)


def my_uct(game, simulations, rng):
    """Search with plain UCT: {move: (visits, points of the player to move)} for each legal move."""
    root = Place(game)
    for _ in range(simulations if game.winner is None else 0):
        one_simulation(root, game.copy(), rng)
    tried = {move: (child.visits, child.wins) for move, child in root.children.items()}
    return {move: tried.get(move, (0, 0.0)) for move in game.legal_moves()}


PARTS = Place, one_simulation, next_move, my_uct
search = my_uct


class Tiny:
    """A game on one of the trees above."""

    def __init__(self, tree, history=()):
        self.tree, self._history = tree, list(history)

    @property
    def _here(self):
        here = self.tree
        for move in self._history:
            here = here[move]
        return here

    @property
    def winner(self):
        return None if isinstance(self._here, dict) else self._here

    @property
    def player(self):
        return 1 + len(self._history) % 2

    def legal_moves(self):
        return list(self._here) if self.winner is None else []

    def apply(self, move):
        if move not in self.legal_moves():
            raise ValueError(f"{move!r} is not legal here, only {self.legal_moves()}")
        self._history.append(move)

    def undo(self):
        self._history.pop()

    def copy(self):
        return Tiny(self.tree, self._history)

    def __str__(self):
        told = f"a tree of moves and winners (0: a draw), player 1 begins: {self.tree}"
        return told + f", after the moves {self._history}" * bool(self._history)


def ask(trial, function, game, simulations: int, seed: int = 0, long: bool = False) -> dict:
    """One search, if its form is right: {move: (visits, wins)}, for each legal move; visits add up; nothing changed."""
    call, seconds = f"my_uct(game, {simulations}, rng), where game is\n{game}", SECONDS if long else 5
    rng = np.random.default_rng(seed)
    try:
        answer = trial.call(function, game, simulations, rng, shown=call, may_change=(2,), long=long, seconds=seconds)
    except CheckFailed as failed:
        empty = any(text in str(failed) for text in ("high <= 0", "low >= high", "empty"))
        hint = (
            "\n  hint:     No move is left here. Did the walk go on below the node that it has just added? Or is the "
        )
        hint += "game over? A draw, 0, counts as false: ask `winner is None`."
        raise CheckFailed(f"{failed}{hint * empty}") from None
    legal = list(game.legal_moves())
    if not isinstance(answer, dict) or set(answer) != set(legal):
        trial.fail(
            f"Return a dict with a pair (visits, wins) for each of the legal moves, {legal}.", call=call, answer=answer
        )
    for move, pair in answer.items():
        if not (isinstance(pair, (tuple, list)) and len(pair) == 2 and all(map(is_number, pair))):
            trial.fail(f"The entry of move {move} should be a pair (visits, wins); yours is {show(pair)}.", call=call)
        visits, wins = pair
        fits = visits == int(visits) and -1e-6 <= wins <= visits + 1e-6 and abs(2 * wins - round(2 * wins)) < 1e-6
        text = f"Visits are whole; wins are points, 1 for a win and ½ for a draw. Move {move} has {show(pair)}."
        trial.require(fits, text, call=call)
    total = sum(visits for visits, _ in answer.values())
    text = (
        f"Each of the {simulations} simulations, even the first, should count for one move. The visits sum to {total}."
    )
    trial.require(total == simulations * bool(legal), text, call=call)
    return {move: (int(answer[move][0]), round(2 * float(answer[move][1])) / 2) for move in legal}


def found_by(function, number: int) -> set:
    """All that a search finds in one of SEARCHES, whatever it samples."""
    tree, history, simulations = SEARCHES[number]
    answers = [
        _quiet(lambda f, seed: str(f(Tiny(tree, history), simulations, np.random.default_rng(seed))), function, (seed,))
        for seed in range(SEEDS)
    ]
    return {answer for answer in answers if isinstance(answer, str)}


@cache
def ours(number: int) -> set:
    return found_by(search, number)


def visit_for_visit(trial, function) -> None:
    """On trees that leave little to chance it finds what ours may find."""
    mine = [
        (number, str(ask(trial, function, Tiny(tree, history), simulations, seed)))
        for number, (tree, history, simulations) in enumerate(SEARCHES)
        for seed in range(3)
    ]
    for number, answer in mine:
        if answer not in ours(number):
            tree, history, simulations = SEARCHES[number]
            source, slips = declared("my_uct", *PARTS)
            some = sorted({one for one, _ in mine if SEARCHES[one][2] <= 65}, key=lambda one: one != number)
            causes = {
                cause
                for old, new, cause in slips
                for wrong in edited(source, old, new, *PARTS)[-1:]
                if all({found for n, found in mine if n == one} <= found_by(wrong, one) for one in some)
            }
            right = " or ".join(sorted(ours(number))[:3])
            trial.fail(
                f"Your search found {answer}. Whatever it samples, plain UCT finds {right}.",
                call=f"my_uct(game, {simulations}, rng), where game is\n{Tiny(tree, history)}",
                hint=causes.pop() if len(causes) == 1 else None,
            )
        trial.cases += 1


def samples_with_the_generator(trial, function) -> None:
    """Equal generators give equal searches, others others; playouts take each reply as often."""
    game = Mock5(3, 3, k=3, history=[4])
    found = [ask(trial, function, game, 60, seed) for seed in (1, 1, 2, 3)]
    text = "Two generators of one seed gave different searches. Sample with `rng`, and with nothing else."
    trial.require(found[0] == found[1], text)
    trial.require(not found[1] == found[2] == found[3], "Three generators gave the very same search. Is `rng` used?")
    points = [ask(trial, function, Tiny(ONLY), 1, seed)[0][1] for seed in range(150)]
    counts = [points.count(score) for score in (1, 0.5, 0)]
    text = (
        "After the only move, the playout takes one of three replies at random, which win, draw and lose. In 150 "
        f"searches this came up {counts[0]}, {counts[1]} and {counts[2]} times. Each should come up about 50 times."
    )
    trial.require(min(counts) > 25, text, call=f"my_uct(game, 1, rng), where game is\n{Tiny(ONLY)}")


def plays_tic_tac_toe(trial, function) -> None:
    """With 2,000 simulations it is perfect, but for one position."""
    oracle, rng, missed, seen = tic_tac_toe(), np.random.default_rng(1), [], 0
    while seen < TIC_TAC_TOES:
        game = Mock5(3, 3, k=3)
        for move in rng.permutation(9)[: rng.integers(1, 6)].tolist():
            if game.winner is None:
                game.apply(move)
        best = oracle.optimal_moves(game) if game.winner is None else []
        if 0 < len(best) < len(game.legal_moves()):
            seen += 1
            answer = ask(trial, function, game, 2000, seen, long=True)
            move = max(answer, key=lambda move: answer[move])
            missed += [(game, move, best)] if move not in best else []
    for game, move, best in missed[1:]:
        text = f"The most visited move is {move}, but the best are {best}. It missed {len(missed)} of {seen} positions."
        trial.fail(text, call=f"my_uct(game, 2000, rng), where game is\n{game}")
    trial.cases += seen


def plays_connect_four(trial, function) -> None:
    """A game it was not written for: it takes a win, blocks a loss, and sees what comes five moves later."""
    for columns, best in FOURS.items():
        game = ConnectFour()
        for column in columns:
            game.apply(int(column))
        answer = ask(trial, function, game, 800, long=True)
        move = max(answer, key=lambda move: answer[move])
        text = f"UCT with 800 simulations finds column {best}, the right one. Your most visited column is {move}."
        trial.require(move == best, text, call=f"my_uct(game, 800, rng), where game is\n{game}")


@graded
def my_uct(trial, function) -> None:
    """Check `my_uct(game, simulations, rng)`: {move: (visits, wins)} of a whole search of one's own."""
    trial.stage("small trees: the form, and visit for visit what plain UCT finds")
    for tree, simulations in ((LEAVES, 2), (ONLY, 7), (0, 7)):
        ask(trial, function, Tiny(tree), simulations)
    visit_for_visit(trial, function)
    samples_with_the_generator(trial, function)
    trial.stage("tic-tac-toe: is it perfect?")
    plays_tic_tac_toe(trial, function)
    trial.stage("connect four: a game that it was not written for")
    plays_connect_four(trial, function)


my_uct.solution, (my_uct.source, my_uct.slips) = search, declared("my_uct", *PARTS)
my_uct.cases = lambda rng: [(Tiny(LEAVES), 5)]
