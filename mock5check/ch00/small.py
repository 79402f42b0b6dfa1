"""The check with which chapter 0 shows how checks talk."""

from mock5check.spec import exercise


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
