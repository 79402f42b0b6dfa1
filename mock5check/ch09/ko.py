"""The memory for ko of chapter 9, declared by its solution."""

from mock5check.ch09.boards import board_of
from mock5check.script import script


class KoMemory:
    """The positions that have been, for the rule of ko."""

    def __init__(self, board, rule):
        self.positions, self.rule = [tuple(board)], rule

    def allows(self, after):
        """May a move make this position?"""
        if self.rule == "simple":
            return len(self.positions) < 2 or tuple(after) != self.positions[-2]
        return tuple(after) not in self.positions

    def add(self, board):
        """Note the position after a move or a pass."""
        self.positions.append(tuple(board))

    def copy(self):
        """A memory of its own that knows the same."""
        other = KoMemory(self.positions[0], self.rule)
        other.positions = list(self.positions)
        return other


BOARDS = {
    "A": ".OX. O.OX .OX. ....",
    "B": ".OX. OX.X .OX. ....",  # White has taken the ko
    "C": "O.OX .OX. .OX. ....",  # the rows of A in another order
    "D": ".XO. XO.O .XO. ....",  # the columns of A in another order
    "E": ".OX. O.OX .OX. ..X.",  # A and a white stone
    "F": ".OX. O.OX .OX. ..O.",  # A and a black one
    "G": ".OX. O.OX .OX. ...O",  # A and a black one at the last point
    "H": "OOX. O.OX .OX. ....",  # A and a black one at the first
    "I": ".... .... .... ....",
}
GIVEN = {name: board_of(rows)[0] for name, rows in BOARDS.items()}


def told(text, rule="positional"):
    """A script by letters: the first board, then "B" to add B, "B?" to ask for it, "=" to copy; o is the copy."""
    first, *steps = text.split()
    lines = [f"memory = KoMemory({first}, {rule!r})"]
    for step in steps:
        name, board = ("other" if step[0] == "o" else "memory"), step.strip("o?")
        copied = board == "="
        lines.append("other = memory.copy()" if copied else f"{name}.{'allows' if '?' in step else 'add'}({board})")
    return lines


def games(rng):
    """Scripts of memories, of copies, and of a board that the game goes on changing."""
    for rule in ("simple", "positional"):
        for text in (
            *("A A?", "A B?", "A B A?", "A B B?", "A B B A?", "A B C A? B? C? D?", "A E? F? G? H? I?", "A E F? G?"),
            *("A B = oA?", "A B C = oB? oA? oD?", "A = oB B? oA? A?", "A B = C oB? oC? B?", "A B = oC C? A?"),
            *(f"A {'B C ' * times}A?" for times in (15, 200)),
        ):
            yield told(text, rule)
        new = ["board = list(A)", f"memory = KoMemory(board, {rule!r})", "board[:] = B"]
        yield [*new, "memory.allows(A)", "memory.allows(B)"]
        yield [*new, "memory.add(board)", "board[:] = C", "memory.allows(A)", "memory.allows(B)", "memory.allows(C)"]
        two = ["one = KoMemory(A, 'simple')", "two = KoMemory(B, 'positional')"]
        yield [*two, "one.add(C)", "two.allows(C)", "one.allows(A)", "two.allows(A)"]
        twice = ["memory = KoMemory(A, 'positional')", "memory.add(B)", "other = memory.copy()", "third = other.copy()"]
        yield [*twice, "third.allows(A)", "other.add(C)", "third.allows(C)", "other.allows(A)"]
    for _ in range(30):
        letters = rng.choice(list("ABCDEFGH"), 10)
        marks = rng.choice(["", "?"], 10)
        steps = [letter + mark for letter, mark in zip(letters, marks)]
        middle = ["=", *(rng.choice(["", "o"]) + step for step in steps[5:])]
        yield told(" ".join(["A", *steps[:5], *middle]), str(rng.choice(["simple", "positional"])))


def why(line, names):
    memory = names[line.split(".")[0]]
    letters = [name for position in memory.positions for name, board in GIVEN.items() if tuple(board) == position]
    rule = "only the position before the last one is" if memory.rule == "simple" else "all positions so far are"
    told = ", ".join(letters if len(letters) < 12 else [*letters[:4], "…", *letters[-4:]])
    return f"With {memory.rule!r}, {rule} forbidden. The memory was given {told}. (A, B, … are different boards.)"


ko_memory = script("KoMemory", KoMemory, cases=games, why=why, given=GIVEN)
