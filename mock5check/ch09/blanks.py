"""What the reader of chapter 9 types: groups and liberties, a move with its captures, and a reader of ladders."""

from mock5check.ch09.boards import board_of
from mock5check.ch09.ladders import CHASES
from mock5check.ch09.small import group_of, play  # noqa: F401, the same functions in the exercises
from mock5check.spec import exercise
from mock5lib.go import ladders
from mock5lib.go.board import Go


def can_be_caught(game, prey):
    """As the chapter has it, with our answer to the other question."""
    for move in game.liberties(prey):
        if game.why_illegal(move) is None:
            after = game.copy()
            after.apply(move)
            if len(after.liberties(prey)) == 1 and not can_be_saved.solution(after, prey):
                return True
    return False


def preys(rng):
    """(game, a stone in atari whose owner is to move): made by hand, and from games."""
    found = [("OX. .X. X..", 1, 0), ("OX. .X. ...", 1, 0)]  # its liberty is suicide; leaves it one liberty
    for text, player, prey in found + [chase[1:] for chase in CHASES]:
        board, size = board_of(text)
        game = Go(size, board=board, player=player)
        fleeing = board[prey] == player
        for move in [None] if fleeing else sorted(game.liberties(prey)):  # the hunter's move first
            if move is None or game.why_illegal(move) is None:
                after = game.copy()
                if move is not None:
                    after.apply(move)
                if len(after.liberties(prey)) == 1:
                    yield after, prey


@exercise(
    cases=preys,
    long=6.0,
    call=lambda game, prey: f"can_be_saved(game, {prey}), the group at {game.name_of(prey)}, where game is\n{game}",
    why=lambda game, prey: (
        f"What could save it: {', '.join(map(game.name_of, ladders.answers_of(game, prey)))}. A legal one does if it "
        "leaves the group three or more liberties, or two and can_be_caught says no."
    ),
)
def can_be_saved(game, prey):
    """Whether its owner, who is to move, saves a prey in atari."""
    for move in ladders.answers_of(game, prey):
        if game.why_illegal(move) is None:
            after = game.copy()
            after.apply(move)
            liberties = len(after.liberties(prey))
            if liberties > 2 or (liberties == 2 and not can_be_caught(after, prey)):
                return True
    return False
