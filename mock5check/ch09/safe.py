"""The capstone of chapter 9: stones that can never be captured (Benson 1976)."""

from mock5check.ch09.boards import board_of, call_on_board, members, random_games
from mock5check.spec import exercise
from mock5go.board import Go


def boards_with_life(rng):
    """(board, size, color)"""
    for text in (
        ".O. OOO ...",  # one eye
        ".O.O OOOO .... ....",  # two
        ".OO. OOOO .... ....",
        "..O. OOOO .... ....",  # two points in one eye
        ".O.O .OOO .... ....",
        "X.O. OOOO .... ....",  # a stone of the opponent in an eye
        "..X.O OOOOO .O... .....  .....",
        ".O.X. OOOX. XXXX. ..... .....",  # a false eye
        "O.OX. .OOX. OOOX. XXXX. .....",  # two chains that share two eyes
        ".OO.X O..OX OOOOX XXXXX .....",  # a region that only one of two chains fills
        "O.OX. .OOX. O.OX. OXXX. .....",
        "O.O.O .O.O. O.O.O .O.O. O.O.O",
        ".O.O.O OO.OO. .OOOOO ...... ...... ......",
        "O.OXO. .OOXOO OOXX.. XX.... ...... ......",
        "..O OO. OO.",  # a region that was vital for no dropped chain goes, too
        ".O. XOX O.O",  # … and that one holds a stone of the opponent
        ".O. OO. ..O",  # the dropped stones still wall their regions in
        ".O.O O.OO ..OO ..O.",  # three passes
        "..O. O.OO .O.O O.OO",  # four
        "O.O. .O.. O.OO .OO.",  # five
        "OO. OOO ...",  # large eyes
        "O.O. OOO. O... OOOO",
        "O.XX OOXX O.O. OOOX",
        ".OO.O ..OOO O...O O...O OOOOO",
    ):
        yield from ((*board_of(text), color) for color in (1, 2))
    for game in random_games(rng, 20):
        while not game.over:
            game.apply(int(rng.choice(game.playout_moves())))
            if rng.random() < 0.02:
                break
        yield from ((list(game.board), game.size, color) for color in (1, 2))
    for size in (3, 4, 5) * 8:  # some points of a full board are free
        board = rng.choice([0, 1, 1, 2], size * size, p=(0.3, 0.3, 0.3, 0.1)).tolist()
        try:
            Go(size, board=board)
        except ValueError:  # a stone without liberty
            continue
        yield from ((board, size, color) for color in (1, 2))


def points(solution, board, size, color):
    return members(solution(board, size, color), (set, frozenset, list, tuple), "Return the set of the stones' points.")


def beside(point, size):
    """The points next to a point, as a set."""
    row, col = divmod(point, size)
    near = (row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)
    return {r * size + c for r, c in near if 0 <= r < size and 0 <= c < size}


def connected(points, size):
    """A set of points, cut into its connected parts."""
    left, parts = set(points), []
    while left:
        part, waiting = set(), [left.pop()]
        while waiting:
            point = waiting.pop()
            part.add(point)
            near = beside(point, size) & left
            left -= near
            waiting += near
        parts.append(part)
    return parts


@exercise(
    cases=boards_with_life,
    observe=points,
    uses=[beside, connected],
    call=call_on_board("safe_stones"),
    why="A chain stays as long as two regions are vital to it, and a region as long as all chains beside it stay.",
)
def safe_stones(board, size, color):
    """The points of the stones that can't be captured even if their owner always passes."""
    own = {point for point, stone in enumerate(board) if stone == color}
    chains = connected(own, size)
    regions = connected(set(range(size * size)) - own, size)
    while True:
        kept, lost = [], set()
        for chain in chains:
            vital = 0
            for region in regions:
                empty = [point for point in region if board[point] == 0]
                vital += all(beside(point, size) & chain for point in empty)
            if vital >= 2:
                kept.append(chain)
            else:
                lost |= chain
        if not lost:
            return set().union(*kept)
        chains = kept
        regions = [r for r in regions if not any(beside(p, size) & lost for p in r)]
