"""The boards that the check of KoMemory asks about; `boards.board_of` reads them."""

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
