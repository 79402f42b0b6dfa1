"""Four in a row, the line that wins connect four."""

from mock5check.spec import exercise


def boards(rng):
    """(board, cell)"""
    for cells, cell in (
        ((35, 36, 37, 38), 36),
        ((14, 21, 28, 35), 14),
        ((35, 29, 23, 17), 29),
        ((14, 22, 30, 38), 30),
        ((35, 36, 37, 38, 39), 37),
        ((4, 5, 6, 7), 5),
        ((20, 21, 22, 23), 22),
        ((6, 12, 18, 24), 12),
        ((35, 36, 37), 36),
        ((13, 19, 21, 25), 13),
    ):
        yield [1 if place in cells else 0 for place in range(42)], cell
    for _ in range(120):
        board = rng.choice([0, 1, 2], 42, p=rng.dirichlet((2, 3, 3))).tolist()
        stones = [place for place, stone in enumerate(board) if stone]
        yield board, int(rng.choice(stones)) if stones else 0


def drawn_boards(rng):
    """The boards whose cell holds a stone."""
    return (case for case in boards(rng) if case[0][case[1]])


def line_of(board, cell):
    """The board, and where to look."""
    rows = [" ".join(".OX"[stone] for stone in board[7 * row : 7 * row + 7]) for row in range(6)]
    return f"Look from row {cell // 7}, column {cell % 7}, along all four lines, to both sides, on\n" + "\n".join(rows)


@exercise(cases=drawn_boards, why=line_of)
def four_in_a_row(board, cell):
    """Is the stone on this cell part of four or more in a row?"""
    for down, right in [(0, 1), (1, 0), (1, 1), (1, -1)]:
        count = 1
        for sign in (1, -1):
            row, col = cell // 7 + sign * down, cell % 7 + sign * right
            while 0 <= row < 6 and 0 <= col < 7 and board[row * 7 + col] == board[cell]:
                count += 1
                row, col = row + sign * down, col + sign * right
        if count >= 4:
            return True
    return False
