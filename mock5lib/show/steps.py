"""Panels that take a search apart: UCT one phase at a time, and the two terms of its formula."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from html import escape
from types import SimpleNamespace

import ipywidgets
import numpy as np
from matplotlib.figure import Figure

from mock5lib.game.board import Mock5
from mock5lib.show.curves import SQRT2, plot_uct_terms, uct_terms
from mock5lib.show.svg import svg_board
from mock5lib.show.tree import children_of, plot_tree, wins_label
from mock5lib.show.widget import Panel, button, row, set_picture

UNIT = 0.6  # inches of a node: the picture grows with the tree, and its nodes stay as they are
STILL = 8  # simulations in the picture of a stepper that has not been used
PHASES = {"select": "1 Select", "expand": "2 Expand", "simulate": "3 Simulate", "backup": "4 Back up"}


class UCTStepper(Panel):
    """Step through UCT one phase at a time and watch w/v change in the tree.

    `stepper.step()`, `stepper.finish_simulation()` and `stepper.run(n)` do what the buttons do.

    Args:
        game: the position to search, tic-tac-toe if None.
        simulations: how many can be stepped through. c: weight of the exploration term. seed: of the random draws.
        search: a generator function with the arguments of `mock5lib.search.uct_step_by_step.uct_steps`, which is the
            default.
        max_nodes: how many nodes are drawn; the rest is summarized.
    """

    def __init__(
        self,
        game=None,
        search: Callable | None = None,
        *,
        simulations: int = 200,
        c: float = SQRT2,
        seed: int = 0,
        max_nodes: int = 24,
    ):
        if search is None:
            from mock5lib.search.uct_step_by_step import uct_steps as search
        self.game = (game if game is not None else Mock5(3, 3, k=3)).copy()
        self.search, self.simulations, self.c, self.seed, self.max_nodes = search, simulations, c, seed, max_nodes
        self.tree = ipywidgets.Image(format="png")
        self.playout = ipywidgets.HTML()
        self.words = ipywidgets.HTML()
        self._buttons = [
            button("Next phase", "Do one of the four phases", self.step, button_style="primary"),
            button("Finish simulation", "Go on to the end of this simulation", self.finish_simulation),
            button("10 simulations", "Run ten whole simulations", lambda: self.run(10)),
        ]
        again = button("Start again", "Back to the empty tree", self.restart)
        scrolling = ipywidgets.Box([self.tree], layout={"overflow": "auto", "max_width": "100%"})
        picture = ipywidgets.HBox([scrolling, self.playout], layout={"flex_flow": "row wrap", "align_items": "center"})
        super().__init__(children=[row(*self._buttons, again), self.words, picture])
        self.restart()

    def restart(self) -> None:
        """Back to the empty tree; the same seed makes the same steps."""
        self._steps = self.search(self.game.copy(), self.simulations, self.c, np.random.default_rng(self.seed))
        self.last, self.simulation, self.finished, self._before = None, 0, False, {}
        self._show()

    def step(self):
        """Do one phase. Returns the step, or None when all simulations are done."""
        step = self._advance()
        self._show()
        return step

    def finish_simulation(self) -> None:
        """Go on to the end of the present simulation (or of the next, between two)."""
        self._finish()
        self._show()

    def run(self, simulations: int) -> None:
        """Run whole simulations."""
        for _ in range(simulations):
            self._finish()
        self._show()

    @property
    def phase(self) -> str | None:
        """The phase just done, or None at the start."""
        return self.last.phase if self.last else None

    @property
    def text(self) -> str:
        """What the last phase did, in a sentence."""
        return self.last.text if self.last else "The tree holds only the root. Press “Next phase”."

    @property
    def root(self):
        """The root of the tree; before the first step a root without visits."""
        if self.last:
            return self.last.root
        return SimpleNamespace(move=None, player=self.game.player, parent=None, children=[], visits=0, wins=0.0)

    def _advance(self):
        path = self.last.path if self.last else []
        before = {id(node): wins_label(node) for node in path}
        step = next(self._steps, None)
        if step is None:
            self.finished = True
            return None
        self.simulation += step.phase == "select"
        self.last, self._before = step, before if step.phase == "backup" else {}
        return step

    def _finish(self) -> None:
        while self._advance() is not None:
            if self.phase == "backup":
                return

    def _show(self) -> None:
        set_picture(self.tree, self._figure(), shrinks=False)
        self.playout.value = self._playout_html()
        phases = " → ".join(_phase(name, phase == self.phase) for phase, name in PHASES.items())
        text = self.text if not self.finished else f"All {self.simulations} simulations are done. {self.text}"
        self.words.value = (
            f'<div style="font-size: 14px; line-height: 1.5"><div style="margin: 4px 0">{phases}</div>'
            f'<div class="m5-words" aria-live="polite">{escape(text)}</div></div>'
        )
        for each in self._buttons:
            each.disabled = self.finished

    def _figure(self) -> Figure:
        path = self.last.path if self.last else []
        new = getattr(self.last, "new_node", None) if self.phase in ("expand", "simulate", "backup") else None
        board = self.game if hasattr(self.game, "height") else None
        title = f"Simulation {self.simulation}: {PHASES[self.phase][2:].lower()}" if self.last else "Before the search"
        options = {"max_nodes": self.max_nodes, "title": title, "value": self._value_text, "unit": UNIT}
        return plot_tree(self.root, board, path=path, new_node=new, **options).figure

    def _value_text(self, node) -> str:
        now, before = wins_label(node), self._before.get(id(node))
        changed = before is not None and before != now
        # A longer text would run into the neighbor's.
        return f"{before}→{now}" if changed and len(before) + len(now) <= 7 else now

    def _playout_html(self) -> str:
        if self.phase != "simulate" or not hasattr(self.game, "board"):
            return ""
        end = self.game.copy()
        tree_moves = [node.move for node in self.last.path[1:]]
        for move in [*tree_moves, *self.last.playout]:
            end.apply(move)
        caption = f"The playout: {len(self.last.playout)} random moves" if self.last.playout else "No playout needed"
        return (
            f'<div style="margin: 0 8px; text-align: center">{svg_board(end, numbers=True, size=170)}'
            f'<div style="font-size: 13px">{caption}</div></div>'
        )

    def summary(self) -> str:
        return f"simulation {self.simulation}, {self.phase or 'nothing'} done, root {wins_label(self.root)}"

    def pictures(self) -> dict[str, str | bytes]:
        """The tree; before the first step the one that some simulations lead to, for a reader who can't press."""
        if self.last is not None:
            return {"image/png": self.tree.value}
        options = {"simulations": self.simulations, "c": self.c, "seed": self.seed, "max_nodes": self.max_nodes}
        ahead = UCTStepper(self.game, self.search, **options)
        ahead.run(STILL)
        return {"image/png": ahead.tree.value}


def _phase(name: str, on: bool) -> str:
    """A phase in the line of all four; it should not look as if it could be pressed."""
    if on:
        return f'<b style="border-bottom: 3px solid #0072B2">{name}</b>'
    return f'<span style="opacity: 0.75">{name}</span>'


class FormulaSlider(Panel):
    """The two terms of UCT for the children of a node, with a slider for the exploration constant.

    `panel.c` is the constant (set it, or move the slider); `panel.scores` and `panel.chosen` follow.

    Args:
        children: (name, w, v) triples, or a node of a search tree. parent_visits: N, by default the sum of the v.
    """

    def __init__(self, children: Sequence, c: float = SQRT2, *, parent_visits: int | None = None, largest: float = 3.0):
        if hasattr(children, "children"):
            node = children
            children = [(f"move {child.move}", child.wins, child.visits) for child in children_of(node)]
            parent_visits = node.visits if parent_visits is None else parent_visits
        self.triples, self.parent_visits = list(children), parent_visits
        self.slider = ipywidgets.FloatSlider(
            value=c, min=0.0, max=max(largest, c), step=0.01, description="c", readout_format=".2f"
        )
        self.slider.layout.width = "420px"
        self.picture = ipywidgets.Image(format="png")
        self.words = ipywidgets.HTML()
        super().__init__(children=[self.slider, self.words, self.picture])
        self.slider.observe(lambda _: self._show(), "value")
        self._show()

    @property
    def c(self) -> float:
        """The exploration constant."""
        return self.slider.value

    @c.setter
    def c(self, value: float) -> None:
        self.slider.value = value

    @property
    def scores(self) -> list[float]:
        """w/v + c * sqrt(ln N / v) of each child."""
        return uct_terms(self.triples, self.c, self.parent_visits)[2]

    @property
    def chosen(self) -> str:
        """Name of the child that UCT goes to."""
        return self.triples[uct_terms(self.triples, self.c, self.parent_visits)[3]][0]

    @property
    def text(self) -> str:
        """The choice in a sentence."""
        means, _, scores, index = uct_terms(self.triples, self.c, self.parent_visits)
        if math.isinf(scores[index]):
            return f"{self.chosen} has no visit yet, so UCT tries it first."
        if means[index] == max(means):
            return f"UCT goes to {self.chosen}, which also has the best w/v so far."
        best = self.triples[means.index(max(means))][0]
        return f"UCT goes to {self.chosen}: {best} has the better w/v, but {self.chosen} has been tried less."

    def _show(self) -> None:
        ax = plot_uct_terms(self.triples, self.c, parent_visits=self.parent_visits, top=self._top())
        set_picture(self.picture, ax.figure)
        self.words.value = f'<div style="font-size: 14px" aria-live="polite">{escape(self.text)}</div>'

    def _top(self) -> float:
        """Where the axis ends: the same for each c, so that the bars can be compared; the largest c just fits."""
        scores = uct_terms(self.triples, self.slider.max, self.parent_visits)[2]
        return 1.12 * max([1.0, *filter(math.isfinite, scores)])

    def summary(self) -> str:
        return f"c = {self.c:.2f}, UCT goes to {self.chosen}"

    def pictures(self) -> dict[str, str | bytes]:
        return {"image/png": self.picture.value}
