"""What a point of a board holds, how it is written, and the directions of its lines."""

EMPTY, BLACK, WHITE = 0, 1, 2
STONES = ".OX"
DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))  # row, column, right-down, left-down
MAX_SIDE = len(DIGITS)
