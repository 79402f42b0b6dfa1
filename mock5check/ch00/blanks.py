"""What the reader of chapter 0 types, an agent and its score. Both are declared by our versions."""

from mock5check.answers import NO_RETURN, Outcome
from mock5check.core import Refused
from mock5check.spec import exercise
from mock5lib import Mock5


def first_empty(game):
    """As the chapter has it: play the first empty point."""
    return game.legal_moves()[0]


def positions(rng):
    """(game,)"""
    yield from ((Mock5(3, 3, k=3, history=moves),) for moves in ([], [4], [0, 3, 1, 4], [3, 0, 4, 1, 8], [0, 1, 3, 4]))
    yield (Mock5(9, 9, history=[39, 0, 40, 1, 41, 2, 42, 80]),)
    for height, width in rng.integers(3, 5, (30, 2)):
        game = Mock5(int(height), int(width), k=3)
        for _ in range(rng.integers(2, 9)):
            game.apply(int(rng.choice(game.legal_moves())))
            if game.winner is not None:
                game.undo()
        yield (game,)


def answered(solution, game):
    """That the answer wins, or which point it is."""
    after = game.copy()
    move = solution(game)
    if move is None:
        raise Refused(NO_RETURN)
    try:
        after.apply(move)
    except (ValueError, IndexError, TypeError) as error:
        raise Refused(f"That isn't a legal move. {error}") from None
    if after.winner:  # whoever has just moved
        return Outcome("a move that wins")
    return Outcome(f"point {after.history[-1]}, which doesn't win")


@exercise(
    cases=positions,
    observe=answered,
    why="Try every legal move: if one makes game.winner the player who plays it, return that one. If none does, return "
    "first_empty(game).",
)
def wins_at_once(game):
    """Win with this move if you can; otherwise play the first empty point."""
    for move in game.legal_moves():
        game.apply(move)
        won = game.winner == 3 - game.player  # the player who has just moved
        game.undo()
        if won:
            return move
    return first_empty(game)


def results(rng):
    """(wins, draws, losses)"""
    yield from ((5, 4, 1), (3, 0, 1), (0, 6, 0), (0, 0, 7), (2, 0, 0), (0, 1, 3))
    yield from (tuple(row) for row in rng.integers(0, 40, (20, 3)).tolist() if sum(row))


def counted(wins, draws, losses):
    total = wins + draws / 2
    return (
        f"The wins count {wins}, the draws {draws}/2 = {draws / 2:g}, the losses 0. "
        f"That makes {total:g} out of a possible {wins + draws + losses}."
    )


@exercise(cases=results, why=counted)
def score(wins, draws, losses):
    """The mean score of the games, 0 to 1; a draw counts one half for each side."""
    return (wins + draws / 2) / (wins + draws + losses)
