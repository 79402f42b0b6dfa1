"""Games for the check of a whole search: trees written down by hand, a quick connect four, and their right answers."""

from __future__ import annotations

from math import log, sqrt
from typing import NamedTuple

# A game tree by hand -------------------------------------------------------------------------------------------------


class TreeGame:
    """A game played on a tree: a position is `(player to move, {move: position or result})`.

    A result is 0 for a draw, else the player who won. `ledger` counts the moves made on this game and all its copies.
    It has the six names of the contract, and neither a `history` nor a `board`, which the contract does not promise.
    """

    def __init__(self, tree, played=(), ledger=None):
        self._line, self._played = [tree], []
        self.ledger = {"applied": 0} if ledger is None else ledger
        for move in played:
            self._enter(move)

    def __getattr__(self, name: str):
        said = (
            f"`{name}` is not among legal_moves, apply, undo, winner, player, copy, which are all that a game promises"
        )
        raise AttributeError(said if name in ("history", "board") else f"a game has no attribute {name!r}")

    def _enter(self, move) -> None:
        if move not in self.legal_moves():
            raise ValueError(f"{move!r} is not legal here, only {self.legal_moves()}")
        self._line.append(self._line[-1][1][move])
        self._played.append(move)

    @property
    def winner(self):
        position = self._line[-1]
        return None if isinstance(position, tuple) else position

    @property
    def player(self) -> int:
        return self._line[-1][0] if self.winner is None else 3 - self._line[-2][0]

    def legal_moves(self) -> list:
        return list(self._line[-1][1]) if self.winner is None else []

    def apply(self, move) -> None:
        self._enter(move)
        self.ledger["applied"] += 1

    def undo(self) -> None:
        self._line.pop()
        self._played.pop()

    def copy(self) -> TreeGame:
        return TreeGame(self._line[0], self._played, self.ledger)

    def state(self) -> tuple:
        """What a search must leave as it was."""
        return tuple(self._played), self.player, self.winner

    def longest(self) -> int:
        """The most moves that may follow."""
        return _depth(self._line[-1])

    def __str__(self) -> str:
        return describe(self._line[-1])


def _depth(position) -> int:
    return 1 + max(map(_depth, position[1].values())) if isinstance(position, tuple) else 0


def renamed(position, names: dict):
    """The same tree with texts for moves, which `names` collects."""
    if not isinstance(position, tuple):
        return position
    inner = {names.setdefault(move, f"m{len(names)}"): renamed(below, names) for move, below in position[1].items()}
    return position[0], inner


def way(length: int, end):
    """A position from which `length` moves without a choice lead to `end`; players 2 and 1 make them in turn."""
    for ply in reversed(range(length)):
        end = (2 - ply % 2, {"on": end})
    return end


def describe(position) -> str:
    """A position of a TreeGame in words."""
    if not isinstance(position, tuple):
        return f"player {position} has won" if position else "a draw"
    player, moves = position
    if _depth(position) > 9:
        return f"player {player} moves; up to {_depth(position)} moves follow"
    ends = {move: "draw" if end == 0 else f"player {end} wins" for move, end in moves.items()}
    inner = [
        f"{move or repr(move)}: {f'({describe(p)})' if isinstance(p, tuple) else ends[move]}"
        for move, p in moves.items()
    ]
    return f"player {player} moves; " + ", ".join(inner)


# What UCT may answer -------------------------------------------------------------------------------------------------


class _Choices:
    """Replays one sequence of choices, and counts on to the next one, until all have been made."""

    def __init__(self):
        self.taken, self.place = [], 0

    def __call__(self, options: list):
        if self.place == len(self.taken):
            self.taken.append([0, len(options)])
        choice = self.taken[self.place][0]
        self.place += 1
        return options[choice]

    def next(self) -> bool:
        """Go on to the next sequence; False after the last one."""
        self.place = 0
        while self.taken:
            self.taken[-1][0] += 1
            if self.taken[-1][0] < self.taken[-1][1]:
                return True
            self.taken.pop()
        return False


class Rules(NamedTuple):
    """Plain UCT; other values than these make it wrong in a way that learners do."""

    c: float = sqrt(2)
    draw: float = 0.5
    sign: int = 1  # −1: points go to the other side
    in_turn: bool = False  # does it believe that players always alternate?
    flat: bool = False  # does it keep nothing below the first move?
    root_first: bool = False  # is the first simulation spent on the root itself?
    own_log: bool = False  # is the logarithm that of the child's visits?
    children_log: bool = False  # is it that of the sum of the children's visits, one fewer below the root?
    root_log: bool = False  # is it that of the root's visits, at every node?
    more: int = 0  # what is added to N
    whose: str = "mover"  # whose points are kept: also "next", "player 1", "root"
    turned: bool = False  # is visits − wins returned?
    whole: bool = False  # does the whole game of a simulation enter the tree?
    late: bool = False  # do two nodes enter the tree where the first one is a move at the root?


PLAIN = Rules()


class _Node:
    def __init__(self, position):
        self.children, self.untried = {}, list(position[1]) if isinstance(position, tuple) else []
        self.visits, self.wins = 0, 0.0


def _simulation(node: _Node, position, rules: Rules, choose, first: int, ply: int, top=None) -> int:
    """One simulation below `node`; returns the winner. A child's `wins` are those of the player who moved into it."""
    node.visits, top = node.visits + 1, top or node
    if not isinstance(position, tuple):
        return position
    if rules.flat and ply:
        return _playout(position, choose)
    player, moves = position
    if node.untried:
        move = choose(node.untried) if len(node.untried) > 1 else node.untried[0]
        node.untried.remove(move)
        child = node.children[move] = _Node(moves[move])
        if rules.whole or (rules.late and not ply):
            winner = _simulation(child, moves[move], rules, choose, first, ply + 1, top)
        else:
            child.visits, winner = 1, _playout(moves[move], choose)
    else:
        above = (top if rules.root_log else node).visits - 1 - (rules.children_log and ply > 0) + rules.more
        scores = {move: _score(child, above, rules) for move, child in node.children.items()}
        best = max(scores.values())
        equal = [move for move, score in scores.items() if score > best - 1e-9]
        move = choose(equal) if len(equal) > 1 else equal[0]
        child = node.children[move]
        winner = _simulation(child, moves[move], rules, choose, first, ply + 1, top)
    whose = _whose(rules, player, moves[move], first, ply)
    child.wins += rules.draw if winner == 0 else float((winner == whose) == (rules.sign > 0))
    return winner


def _whose(rules: Rules, player: int, below, first: int, ply: int) -> int:
    """The player whose points a child keeps: the one who moved into it, unless the rules are wrong."""
    if rules.whose == "next":
        return below[0] if isinstance(below, tuple) else 3 - player
    if rules.whose != "mover":
        return 1 if rules.whose == "player 1" else first
    return player if not rules.in_turn else first if ply % 2 == 0 else 3 - first


def _score(child: _Node, parent_visits: int, rules: Rules) -> float:
    visits = child.visits if rules.own_log else parent_visits
    return child.wins / child.visits + rules.c * sqrt(log(visits) / child.visits)


def _playout(position, choose) -> int:
    while isinstance(position, tuple):
        options = list(position[1].values())
        position = choose(options) if len(options) > 1 else options[0]
    return position


def possible_answers(tree, simulations: int, rules: Rules = PLAIN, most: int = 1000) -> set:
    """All that UCT can find at the root, whatever it samples: {((move, visits, wins), …)}, every legal move in order.

    The counts hold for each order in which moves are tried, each playout, and each choice among equal scores. After
    `most` of these sequences of choices it gives up; plain UCT has fewer on small trees.
    """
    found, choose = set(), _Choices()
    for _ in range(most):
        root = _Node(tree)
        for _ in range(simulations - rules.root_first):
            _simulation(root, tree, rules, choose, tree[0], 0)
        seen = {
            move: (child.visits, child.visits - child.wins if rules.turned else child.wins)
            for move, child in root.children.items()
        }
        found.add(tuple((move, *seen.get(move, (0, 0.0))) for move in sorted(tree[1], key=str)))
        if not choose.next():
            break
    return found


class Salted(str):
    """A move that is a text, and whose hash is another one after each start of Python, for which `salt` stands."""

    salt = 0

    def __hash__(self):
        return hash((Salted.salt, str(self)))


# Connect four, quickly ---------------------------------------------------------------------------------------------


class QuickFour:
    """Connect four with one int for each player's stones, seven bits a column. `ledger` as in TreeGame."""

    def __init__(self, history=(), ledger=None):
        self.stones, self.heights = [0, 0], [7 * column for column in range(7)]
        self.history, self.winner, self.player = [], None, 1
        self.ledger = {"applied": 0} if ledger is None else ledger
        for column in history:
            self._enter(column)

    def legal_moves(self) -> list:
        """The columns with room; none once the game is over."""
        return [] if self.winner is not None else [c for c in range(7) if self.heights[c] < 7 * c + 6]

    def _enter(self, column: int) -> None:
        if self.winner is not None or not 0 <= column < 7 or self.heights[column] >= 7 * column + 6:
            raise ValueError(f"column {column} is not legal, only {self.legal_moves()}")
        mine = self.stones[self.player - 1] = self.stones[self.player - 1] | 1 << self.heights[column]
        self.heights[column] += 1
        self.history.append(column)
        if has_four(mine):
            self.winner = self.player
        elif len(self.history) == 42:
            self.winner = 0
        self.player = 3 - self.player

    def apply(self, column: int) -> None:
        """Drop a stone. ValueError for a column that is not legal."""
        self._enter(column)
        self.ledger["applied"] += 1

    def undo(self) -> None:
        """Take the last stone back."""
        column = self.history.pop()
        self.heights[column] -= 1
        self.player, self.winner = 3 - self.player, None
        self.stones[self.player - 1] ^= 1 << self.heights[column]

    def copy(self) -> QuickFour:
        """The same position, of its own."""
        other = object.__new__(QuickFour)
        other.stones, other.heights, other.history = self.stones.copy(), self.heights.copy(), self.history.copy()
        other.winner, other.player, other.ledger = self.winner, self.player, self.ledger
        return other

    def longest(self) -> int:
        """The most moves that may follow."""
        return 42 - len(self.history)

    def __str__(self) -> str:
        rows = [[" .OX"[1 + self._stone(7 * c + r)] for c in range(7)] for r in range(5, -1, -1)]
        return "\n".join(" ".join(row) for row in [*rows, map(str, range(7))])

    def _stone(self, cell: int) -> int:
        return 1 if self.stones[0] >> cell & 1 else 2 if self.stones[1] >> cell & 1 else 0


def has_four(stones: int) -> bool:
    """Four in a row on a board of seven bits a column: upright, across and both diagonals."""
    for step in (1, 7, 6, 8):
        pairs = stones & stones >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


def outcome(game: QuickFour, depth: int) -> int:
    """1 if the player to move can force a win within `depth` moves of both, −1 if the opponent can, else 0."""
    if game.winner is not None:
        return 0 if game.winner == 0 else -1
    best = -1 if depth else 0
    for column in game.legal_moves() if depth else ():
        game.apply(column)
        best = max(best, -outcome(game, depth - 1))
        game.undo()
        if best == 1:
            break
    return best
