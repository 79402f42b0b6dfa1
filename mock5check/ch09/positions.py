"""The boards made by hand that chapter 9's checks ask about; `boards.board_of` reads them."""

from itertools import product

# (board, points whose groups are asked for)
GROUPS = [
    (".O. ... ...", [1]),
    ("..O X.. ...", [2, 3]),
    ("OO. .O. ...", [0, 4]),
    ("..O O.. ..O", [2, 3, 8]),
    ("XO X.", [0, 1]),
    ("O. .O", [0, 3]),
    ("OX. XX. ...", [0, 1]),
    (".XO.. XXO.. .OOX. ..XX. .....", [1, 2, 11, 13]),
    ("OOO O.O OOO", [0, 8]),
    ("OXO XOX OXO", [4, 1]),
    ("OOOOO ....O OOOOO O.... OOOOO", [0, 24]),
]

# (board, point, player)
MOVES = [
    ("... ... ...", 4, 1),
    (".O. ... ...", 1, 1),
    (".X. ... ...", 1, 1),
    (".O. O.. ...", 0, 2),
    (".O. O.. ...", 0, 1),
    (".O. OX. .O.", 5, 1),
    ("O.X XX. ...", 1, 1),
    ("OX. .X. X..", 3, 2),
    (".XO XO. O..", 0, 1),
    (".X .O", 0, 1),
    (".X. X.. ...", 0, 1),
    (".OX OX. X..", 0, 2),
    ("O.O .O. OXX", 1, 2),
    (".O.O. OX.XO .O.O. ..... .....", 7, 1),
    (".XO.. X.XO. .XO.. ..... .....", 6, 1),
    (".XO.. X.XO. .XO.. ..... .....", 6, 2),
    (".OOX. XXXO. OOO.. ..... .....", 0, 2),
    (".XX.. XOO.. XOX.. .XX.. .....", 8, 1),
    ("OOO OO. OOO", 5, 1),
    ("OOO O.O OOO", 4, 1),
    ("OOO O.O OOO", 4, 2),
    ("X.O XXO OOO", 1, 2),
    ("X.O XXO OOO", 1, 1),
    (".XO. XXO. OO.. ....", 0, 1),
    (".XO. XXO. OO.. ....", 0, 2),
    ("OO. OXX .X.", 2, 2),
]

# the boards A, B, … of the scripts
KO = [
    ".OX. O.OX .OX. ....",
    ".OX. OX.X .OX. ....",
    ".OX. O.OX .OX. ...O",
    ".OX. OX.X .OX. ...O",
    ".OX. O.OX .OX. X..O",
    "O.OX .OX. .OX. ....",  # F: the rows of A in another order
    ".XO. XO.O .XO. ....",  # G: the columns of A in another order
    ".... .XO. XO.O .XO.",  # H: A, turned round
    ".OX. O.OX .OX. ..X.",  # I: A and a white stone
    ".OX. O.OX .OX. ..O.",  # J: A and a black stone
]

# what is asked and told in turn, with the numbers of the boards; `other` is a copy, `third` a copy of it
SCRIPTS = [
    [("allows", 5), ("allows", 6), ("allows", 7), ("add", 1), ("allows", 5), ("allows", 6), ("add", 5), ("allows", 7)],
    [("add", 6), ("add", 7), ("allows", 5), ("allows", 6), ("allows", 0), ("copy",), ("other allows", 5)],
    [("allows", 1), ("allows", 0)],
    [("allows", 8), ("allows", 9), ("add", 8), ("allows", 9)],  # they differ in one colour's stones only
    [("add", 1), *[("add", 2 + place % 2) for place in range(150)], ("copy",), ("allows", 0), ("other allows", 0)],
    [("copy",), ("other allows", 0), ("other allows", 1), ("other add", 1), ("other allows", 0)],
    [("allows", 1), ("allows", 1), ("add", 1), ("allows", 2), ("allows", 2), ("add", 3), ("allows", 2), ("allows", 4)],
    [("add", 1), ("allows", 0), ("allows", 2), ("allows", 1)],
    [("add", 1), ("add", 3), ("allows", 2), ("allows", 1), ("allows", 0), ("allows", 4)],
    [("add", 1), ("add", 1), ("add", 1), ("allows", 0), ("allows", 2)],
    [("add", 1), ("add", 1), ("allows", 0), ("allows", 1)],
    [("add", 1), ("add", 2), ("add", 3), ("add", 4), ("allows", 0), ("allows", 1), ("allows", 2), ("allows", 3)],
    [("add", 1), ("copy",), ("other allows", 0), ("other allows", 2), ("allows", 0)],
    [("add", 1), ("add", 2), ("copy",), ("other allows", 1), ("other allows", 0), ("other allows", 3)],
    [("copy",), ("other add", 1), ("allows", 1), ("other allows", 1), ("other allows", 0), ("allows", 0)],
    [("add", 1), ("copy",), ("add", 2), ("other allows", 2), ("other allows", 0), ("allows", 1), ("other allows", 1)],
    [("add", 1), ("copy",), ("other add", 3), ("add", 2), ("allows", 3), ("other allows", 1), ("allows", 0)],
    [("add", 2), ("add", 1), ("add", 0), ("add", 2), ("add", 3), ("copy",), ("other allows", 1), ("other allows", 2)],
    [("add", 1), ("copy",), ("other copy",), ("third allows", 0), ("third allows", 1), ("other add", 2)]
    + [("third allows", 2), ("other allows", 0), ("other allows", 1), ("third add", 3), ("other allows", 3)],
    [("add", *[1, 2, 3, 4] * 8), ("allows", 0), ("allows", 3), ("copy",), ("other allows", 0), ("other allows", 3)],
]


def _winding(size: int) -> str:
    """One long winding empty region that black borders and white touches at its beginning alone."""
    walls = {1: "O" * (size - 1) + ".", 3: "." + "O" * (size - 1)}
    rows = ["X" + "." * (size - 1)] + [walls.get(row % 4, "." * size) for row in range(1, size)]
    return " ".join(rows)


def _lone_eyes(size: int) -> list[tuple[str, int]]:
    """(board, player to move): each point with own stones beside it and none, or one, of the opponent's diagonally."""
    found = []
    for row, col in product(range(size), repeat=2):
        around = [(row + dr, col + dc) for dr, dc in product((-1, 0, 1), repeat=2) if (dr, dc) != (0, 0)]
        around = [(r, c) for r, c in around if 0 <= r < size and 0 <= c < size]
        diagonal = [(r, c) for r, c in around if r != row and c != col and {r, c} - {0, size - 1}]  # else it is caught
        for across in [None, *diagonal]:
            player = 1 + len(found) % 2
            stones = {(r, c): ".OX"[player] for r, c in around if r == row or c == col} | {across: ".XO"[player]}
            rows = ("".join(stones.get((r, c), ".") for c in range(size)) for r in range(size))
            found.append((" ".join(rows), player))
    return found


# (board, komi)
ENDS = [
    ("..O .O. O..", 0.5),
    ("O..O O.OO O..O ...O", 1.5),
    (".O. .OO X..", 0.5),
    ("O.. .O. ..X", 0.5),
    (".OX. ..O. OO.. X..O", 1.5),
    ("..... ..... ..... ..... .....", 7.5),
    ("... .O. ...", 0.5),
    ("... .X. ...", 0.5),
    (".OX. .OX. .OX. .OX.", 0.5),
    (".OX. .OX. .OX. .OX.", -3.5),
    (".O.X. .O.X. .O.X. .O.X. .O.X.", 2),
    ("O.X O.X O.X", 0),
    (".OX.X OOXX. XXOOX .XO.O XXOOO", 0.5),
    ("XO.X. XOOXO XO.XO XOOXO .OXXO", 1.5),
    (".OXX. OOXOX XXXOO OOOO. .O.OO", 6.5),
    ("....O ..... ..... ..... .....", 24),
    ("XX.OO X.XO. .XXOO XX.O. .XXOO", 5.5),
    ("O. ..", 4.5),
    ("OX ..", 0.5),
    ("OX O.", 0.5),
    ("X........ OOOOOOOO. ......... .OOOOOOOO ......... OOOOOOOO. ......... .OOOOOOOO .........", 0.5),
    (_winding(19), 0.5),
]

# (size, random moves, komi)
RANDOM_ENDS = [(3, moves, 0.5) for moves in (5, 7, 9)] + [(4, moves, 1.5) for moves in range(6, 22, 2)]
RANDOM_ENDS += [(5, 12, 0.5), (5, 16, 0.5), (5, 20, 1.5), (5, 60, 0.5), (7, 70, 9)]
RANDOM_ENDS += [(9, 60, 7.5), (9, 300, 6.5), (13, 330, 7.5)]

# (board, player to move)
EYES = [
    (".OOO.O. .O.XOO. .O..O.. .OOOO.. ....... ....... ......X", 1),  # one group all round, and white in a corner
    (".O... OO... ..... ..... .....", 1),
    (".OX.. OX... X.... ..... .....", 1),
    (".O... OX... ..... ..... .....", 1),
    ("..... ..O.. .O.O. ..O.. .....", 1),
    ("..... .XO.. .O.O. ..O.. .....", 1),
    ("..... .XO.. .O.O. ..OX. .....", 1),
    ("..... .XOX. .O.O. .XO.. .....", 1),
    ("..... ..O.. .O.O. ..O.. .....", 2),
    (".O.O. OOOOO ..... ..... .....", 1),
    ("O.O.. XO... ..... ..... .....", 1),
    ("OO.O. OOOOX ..... ..... .....", 1),
    ("..O.. OOO.. ..... ..... .....", 1),
    (".O.OO OOOOO OOOOO OOOOO OOOO.", 1),
    (".O.OO OOOOO OOOOO OOOOO OOOO.", 2),
    (".X.XX XXXXX XXXXX XXXXX XXXX.", 2),
    (".O O.", 1),
    (".O O.", 2),
    (".OX. O.OX XO.. ....", 1),
    (".OX. O.OX .OX. ....", 2),
    (".XO.. XXO.. OOO.. ..... .....", 1),
    (".XO.. XXO.. OOO.. ..... .....", 2),
    (".OX.. O.O.. XO... ..... .....", 1),
    (".O... O.O.. XO... ..... .....", 1),
    *_lone_eyes(5),
]

# (board, player to move)
LIBERTIES = [
    ("... ... ...", 1),
    (".O. OX. .O.", 1),
    (".X. X.X .X.", 1),
    (".O. O.. ..X", 1),
    (".O.O. ..... ..... ..... .....", 1),
    (".XO.. X.XO. .XO.. ..... .....", 1),
    (".OX.. O.OX. .OX.. ..... .....", 2),
    ("..... OOOO. ..... XXXX. .....", 1),
    ("..... OOOO. ..... XXXX. .....", 2),
    (".OOO.O. ....... ..X.... .XXXX.. ..X.... ....... .......", 2),
    (".OOO.O. ....... ..X.... .XXXX.. ..X.... ....... .......", 1),
    ("....... .O.O.O. ....... .O...O. ....... .O.O.O. .......", 1),
    ("XX. OOO ...", 1),
    ("XXX. OOO. .... ....", 1),
]

# moves on 2×2 points, after which superko forbids point 3 to White, and simple ko forbids nothing
LONG_KO = [3, 1, 0, 4, 2, 1]
