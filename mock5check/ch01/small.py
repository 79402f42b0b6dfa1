"""The small exercises of chapter 1, each declared by its solution."""

from dataclasses import dataclass
from typing import NamedTuple

from mock5check.answers import Changes
from mock5check.ch01.grown import deepest, grown_tree, in_words, places
from mock5check.spec import exercise
from mock5check.watch import EndlessLoop


@dataclass(frozen=True, repr=False)
class Child:
    """A child of the root as far as the choice of the final move needs it."""

    move: int
    wins: float
    visits: int

    def __repr__(self) -> str:
        return f"move {self.move}: {self.wins:.10g}/{self.visits}"


def tables(rng):
    """(children,)"""
    for table in (
        [(2, 150, 395), (4, 450, 600), (7, 4, 5), (8, 455, 599), (3, 0, 2)],  # every slip chooses another one
        [(3, 10, 40), (6, 5, 9), (8, 25, 40), (5, 30, 39)],
        [(5, 8, 20), (1, 12, 20), (0, 12, 20), (9, 3, 4)],  # equal in both; move 0 counts as false
        [(0, 3, 10), (4, 2, 10)],
        [(7, 4, 5), (4, 10, 20), (3, 12, 20)],
        [(5, 900, 999), (2, 500, 1000)],  # one visit more is more
        [(3, 600.5, 1000), (5, 601, 1000), (1, 600, 1000)],  # w/v unrounded
        [(1, 0, 2001), (2, 2000, 2000)],
        [(6, 0, 1)],
    ):
        yield ([Child(*numbers) for numbers in table],)
    for size in rng.integers(1, 7, 100):
        visits = rng.integers(1, 5, size)
        wins = (rng.integers(0, 2 * visits + 1) / 2).tolist()
        yield ([Child(*numbers) for numbers in zip(rng.permutation(25)[:size].tolist(), wins, visits.tolist())],)


@exercise(
    cases=tables,
    why="The most visits decide. If several children have them, the greater w/v decides, unrounded; if that's equal, "
    "too, take the first of them.",
    shows={"best": "the best child"},
)
def final_move(children):
    """The move to play once the search is over."""
    best = max(children, key=lambda child: (child.visits, child.wins / child.visits))
    return best.move


def snapshot(root) -> dict:
    """All that can be changed in a tree: {what of which node: value}."""
    tree = places(root)
    place = {id(node): in_words(moves) for moves, node in tree.items()} | {id(None): None}
    return {
        f"{name} of {in_words(moves)}": value
        for moves, node in sorted(tree.items(), key=lambda pair: -len(pair[0]))
        for name, value in (
            ("visits", node.visits),
            ("wins", f"{node.wins:g}"),
            ("player", node.player),
            ("untried", list(node.untried)),
            ("parent", place.get(id(node.parent), "a node outside")),
            ("children", [child.move for child in node.children]),
        )
    }


def what_changed(solution, root, leaf, winner) -> Changes:
    """What changed in the whole tree once a result was entered at the leaf, and what came back."""
    nodes = places(root)
    before, answer, now = snapshot(nodes[()]), solution(nodes[leaf], winner), snapshot(nodes[()])
    changed = Changes({name: f"{value}" for name, value in now.items() if value != before.get(name)})
    return changed if answer is None else Changes(changed | {"the answer": f"{answer}"})


def lines_in_trees(rng):
    """(root of a grown tree, moves to the node that is handed in, moves from there)"""
    for number, history in enumerate([[0, 4, 8], [], [4], [1, 2, 0]]):
        root, _ = grown_tree(history, 80, seed=number)
        tree = places(root)
        pairs = [moves for moves in tree if len(moves) == 2]
        lines = [pairs[i] for i in rng.integers(0, len(pairs), 5)]
        yield from ((root, (), moves) for moves in [(), *lines, lines[0][:1], deepest(root)])
        yield from ((root, lines[0][:1], moves) for moves in [(), lines[0][1:], (99,)])
        untried = [(*moves, node.untried[-1]) for moves, node in tree.items() if node.untried]
        move = lines[0][0]
        yield from ((root, (), moves) for moves in [*untried[:1], *untried[-1:], (move, move), (-1, 0), (move, 99)])
        yield root, (), (lines[0][1], move)  # perhaps in another order


def rerooted(solution, root, start, moves) -> Changes:
    """What came back, and what changed in the whole tree."""
    nodes = places(root)
    before, answer, now = snapshot(nodes[()]), solution(nodes[start], list(moves)), snapshot(nodes[()])
    came = [in_words(line) for line, node in nodes.items() if node is answer]
    told = {"the answer": came[0] if came else "None" if answer is None else "no node of this tree"}
    return Changes(told | {name: f"{value}" for name, value in now.items() if value != before.get(name)})


@exercise(
    cases=lines_in_trees,
    observe=rerooted,
    may_change=(0,),
    call=lambda root, start, moves: (
        f"reroot(node, {list(moves)}), where node is {in_words(start)}" + " of a larger tree" * bool(start)
    ),
    why="The answer is the node at the end of these moves, cut off from its parent. If there is none, it's None, and "
    "nothing is cut. Nothing else changes. (Nodes are named by the moves from the top of the whole tree.)",
)
def reroot(root, moves):
    """The node after these moves, as a root of its own; None if the tree does not have it."""
    node = root
    for move in moves:
        node = next((child for child in node.children if child.move == move), None)
        if node is None:
            return None
    node.parent = None
    return node


class Budget(NamedTuple):
    the_count_returned: int
    simulations_run: int


class FakeClock:
    """A clock that moves on only when a simulation runs, so that the check knows what is right."""

    def __init__(self, start: float, costs):
        self.now, self.costs, self.simulations = start, costs, 0

    def __call__(self) -> float:
        return self.now

    def simulate(self) -> None:
        self.now += self.costs[self.simulations % len(self.costs)]
        self.simulations += 1
        if self.simulations > 3000:
            raise EndlessLoop(
                "3,000 simulations, far past the deadline. It should look at `clock()`, and at no other clock"
            )


def budgets(rng):
    """(seconds, start of the clock, seconds that simulations take in turn)"""
    yield from ((1.0, 0.0, [0.25]), (1.0, 5000.0, [0.25]), (1.0, 64.0, [0.375]), (1.0, 64.0, [0.5]))
    yield from ((0.125, 64.0, [8.0]), (0.0, 64.0, [0.25]), (-0.5, 64.0, [0.25]), (0.75, -10.0, [0.0625]))
    yield from ((4.0, 1.0, [0.25, 1.5, 0.5]), (2.0, -0.5, [4.0, 0.25]), (150.0, 3.0, [0.0625]), (1.0, 1.7e9, [0.125]))
    for seconds, start, count in zip(rng.integers(1, 40, 20) / 8, rng.integers(-9, 99, 20) / 4, rng.integers(1, 4, 20)):
        yield float(seconds), float(start), (rng.integers(1, 20, count) / 8).tolist()


def with_a_clock(solution, seconds, start, costs):
    clock = FakeClock(start, costs)
    return Budget(solution(clock.simulate, seconds, clock), clock.simulations)


@exercise(
    cases=budgets,
    observe=with_a_clock,
    call=lambda seconds, start, costs: (
        f"search_for(simulate, {seconds:g}, clock), where clock() starts at {start:g} and simulations cost {costs} s"
    ),
    why="The deadline is `seconds` after the call. A simulation that starts before it is finished, and the first one "
    "runs no matter what the clock says.",
    shows={"deadline": "the deadline"},
)
def search_for(simulate, seconds, clock):
    """Run simulations until the time is up, at least one. Returns how many ran."""
    deadline = clock() + seconds
    count = 0
    while count == 0 or clock() < deadline:
        simulate()
        count += 1
    return count
