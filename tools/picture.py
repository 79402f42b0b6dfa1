"""Draw the picture of README.md: a board with a search's thoughts, a search tree, and how play gets better.

python -m tools.picture        writes data/figures/course.png
"""

import os

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402

from mock5lib import Mock5  # noqa: E402
from mock5lib.search.uct.compiled import FastUCT  # noqa: E402
from mock5lib.search.uct.grading import graded_by_oracle  # noqa: E402
from mock5lib.search.uct.tree import UCT  # noqa: E402
from mock5lib.show import plot_board, plot_curves, plot_tree, style  # noqa: E402
from tools.stamp import ROOT  # noqa: E402

TARGET = ROOT / "data" / "figures" / "course.png"


def draw(budgets=(10, 30, 100, 300, 1000, 2000), seeds=5):
    """The Figure with its three parts."""
    with style():
        figure = plt.figure(figsize=(13.2, 4.3), layout="constrained")
        board, tree, curve = figure.subplots(1, 3, width_ratios=(1, 1.25, 1.15))
    middle = Mock5(9, 9, history=[40, 31, 41, 50, 39, 48, 32])  # black has an open three
    visits = FastUCT(50_000, seed=0).search(middle).visits
    heat = np.where(visits > visits.mean(), visits, np.nan)
    plot_board(middle, board, heat=heat, title="A board, and where a search looks")
    trap = Mock5(3, 3, k=3, history=[0, 4, 8])
    root = UCT(60, seed=3, keep_tree=False).search(trap).root
    plot_tree(root, trap, tree, max_nodes=13, title="The tree it grows", caption=None)
    shares = graded_by_oracle(budgets, seeds=seeds)
    plot_curves(
        budgets,
        {"UCT": (shares.mean(1), shares.min(1), shares.max(1))},
        curve,
        log_x=True,
        percent=True,
        ylim=(0.88, 1.005),
        xlabel="simulations a move",
        ylabel="optimal moves",
        title="All 4,520 positions of tic-tac-toe, graded",
    )
    assert np.all(shares[-1] == 1)
    return figure


def main() -> None:
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    temporary = TARGET.with_suffix(".tmp")
    draw().savefig(temporary, format="png", dpi=110)
    os.replace(temporary, TARGET)


if __name__ == "__main__":
    main()
