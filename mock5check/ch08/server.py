"""The check of exercise 7: a parameter server, followed call by call beside a right one."""

from __future__ import annotations

import math

import numpy as np

from mock5check.answers import same, show
from mock5check.core import Trial, graded, the_one_slip
from mock5check.watch import learners_line, meaning

RAISED = (ArithmeticError, ValueError, TypeError, IndexError)  # explained by what the server was asked for
CLOSE = 1e-9


class RightServer:
    """A parameter server; its parts can be exchanged for what learners write instead."""

    old_too = bad_too = False  # may a gradient be older than `oldest`, or not finite?

    def __init__(self, weights, rate, oldest):
        self.weights = np.array(weights, dtype=float)
        self.rate, self.oldest, self.version = rate, oldest, 0

    def pull(self):
        """(version, weights)."""
        return self.version, self.weights.copy()

    def counts(self, age: int, gradient) -> bool:
        """Does a gradient of this age count?"""
        return 0 <= age <= (math.inf if self.old_too else self.oldest) and self.is_good(gradient)

    def is_good(self, gradient) -> bool:
        """Are all of its numbers finite?"""
        return self.bad_too or bool(np.isfinite(gradient).all())

    def factor(self, age: int) -> float:
        """What a gradient is multiplied by."""
        return -self.rate / (1 + age)

    def push(self, version, gradient) -> bool:
        """Whether the gradient counted."""
        age = self.version - version
        if not self.counts(age, gradient):
            return False
        self.weights += self.factor(age) * np.asarray(gradient)
        self.version += 1
        return True


def _server(**changed):
    """A server that is wrong in these parts."""
    return type("Server", (RightServer,), changed)


SERVER_SLIPS = [
    (_server(factor=lambda self, age: -self.rate), "An old gradient counts less: divide it by 1 + its age."),
    (_server(factor=lambda self, age: -self.rate / max(1, age)), "Divide by 1 + age, not by the age."),
    (_server(factor=lambda self, age: self.rate / (1 + age)), "The sign: the weights go AGAINST the gradient."),
    (_server(factor=lambda self, age: -1 / (1 + age)), "The learning rate is missing."),
    (_server(old_too=True), "A gradient that is older than `oldest` versions is refused."),
    (_server(bad_too=True), "A gradient with a NaN or an infinity is refused."),
    (
        _server(is_good=lambda self, gradient: not np.isnan(gradient).any()),
        "An infinity is no NaN, and it is refused as well: np.isfinite tells both.",
    ),
    (
        _server(is_good=lambda self, gradient: bool(np.isfinite(gradient).any())),
        "ALL numbers of a gradient must be finite, not only some.",
    ),
    (
        _server(is_good=lambda self, gradient: bool(np.isfinite(gradient).all() and np.any(gradient))),
        "A gradient of zeros counts like any other.",
    ),
    (
        _server(counts=lambda self, age, gradient: 0 <= age < self.oldest and self.is_good(gradient)),
        "A gradient whose age is exactly `oldest` counts.",
    ),
]


def cases() -> list:
    """(weights, rate, oldest, the calls in turn: "pull", or a push's version and gradient)."""
    nan, one = np.array([math.nan, 1.0]), np.ones(2)
    square, rng = np.arange(6.0).reshape(2, 3) / 3, np.random.default_rng(3)
    hole = np.where(square == 1, math.inf, square)
    long = [(version - int(rng.integers(0, min(version, 12) + 1)), rng.normal(size=2)) for version in range(30)]
    return [
        ([1.0, 2.0], 0.1, 0, ["pull"]),
        ([1.0, 2.0], 0.1, 0, [(0, one), "pull", (1, one), "pull"]),
        ([1.0, 2.0], 0.5, 0, [(0, one), (0, one), "pull"]),
        ([1.0, 2.0], 0.5, 2, [(0, one), (0, one), (0, one), (0, one), "pull"]),
        ([1.0, 2.0], 0.5, 9, [(0, np.array([3.0, -1.0])), (0, one), (2, one), "pull"]),
        ([0.0, 0.0], 1.0, 3, [(0, nan), "pull", (0, one), "pull"]),
        ([0.0, 0.0], 1.0, 3, [(0, np.array([math.inf, 0.0])), (0, -one), "pull"]),
        ([0.0, 0.0], 1.0, 3, [(1, one), (5, one), "pull", (0, one), (1, one), "pull"]),
        ([5, 6], 0.25, 1, [(0, np.array([1, 2])), "pull", (0, np.array([1, 2])), "pull"]),
        ([1.0, -1.0], 0.2, 4, ["pull", (0, one), (0, 2 * one), (1, one), "pull", (3, one), (0, one), "pull"]),
        ([1.0, 2.0], 0.5, 1, [(0, 0 * one), "pull", (0, one), "pull"]),
        (square.tolist(), 0.7, 2, ["pull", (0, square), (0, square + 1), "pull", (1, hole), "pull"]),
        ([4.0], 0.3, 1, [(0, np.array([1.0])), "pull"]),
        ([7, 8], 0.3, 1, ["pull", (0, np.array([1, 0])), "pull"]),
        ([1.0, 2.0], 0.1, 0, [(0, np.array([100.0, -1e5])), "pull"]),
        ([1.0, 2.0], 0.1, 0, [(0, np.array([-math.inf, 1.0])), "pull"]),
        (np.ones(2, np.float32), 0.1, 0, ["pull", (0, one), "pull"]),
        (4.0, 0.3, 1, ["pull", (0, np.array(1.0)), "pull"]),
        ([1.0, 2.0], 1.0, 3, [(0, nan * nan[0]), (0, one), "pull"]),
        ([1.0, 2.0], 1e-300, 1, [(0, np.array([1e308, 1e308])), "pull", (1, np.array([1e200, -1e200])), "pull"]),
        ([1 / 3, -2 / 3], 0.1, 12, [*long, "pull"]),
    ]


@graded
def parameter_server(trial, server_class) -> None:
    """Check the class `ParameterServer(weights, rate, oldest)` with `pull()` and `push(version, gradient)`."""
    for case in cases():
        for spoils in ("nothing", "init", "pull"):
            Visit(trial, case, spoils).compare(server_class)
            trial.cases += 1
    two_servers(trial, server_class)


class Visit:
    """One server's calls in turn. spoils: 99 is written into what "init" was given, or "pull" gave, or "nothing"."""

    def __init__(self, trial: Trial, case: tuple, spoils: str = "nothing"):
        self.trial, self.case, self.spoils = trial, case, spoils
        weights, rate, oldest, self.script = case
        self.given, self.pulled, self.place = np.array(weights), [], 0
        self.told = f"ParameterServer({show(weights)}, rate={rate}, oldest={oldest})"

    def build(self, server_class):
        """A new server."""
        _, rate, oldest, _ = self.case
        server = self.trial.call(server_class, self.given, rate, oldest, shown=self.told)
        if self.spoils == "init":
            self.given[...] = 99
        return server

    def pull(self, server):
        """(version, a copy of the weights), or whatever came back."""
        box = []  # the answer goes round the trial, which would take the check's own writing for the learner's
        self.trial.call(lambda: box.append(server.pull()), shown=self.told)
        answer = box[0]
        if not isinstance(answer, (tuple, list)) or len(answer) != 2 or not isinstance(answer[1], np.ndarray):
            return answer
        kept = answer[1].copy()
        self.pulled.append((answer[1], kept))
        if self.spoils == "pull" and answer[1].flags.writeable:
            answer[1][...] = 99
        return answer[0], kept

    def compare(self, server_class) -> None:
        """Call by call; the first answer that is wrong is explained."""
        server, right = self.build(server_class), RightServer(*self.case[:3])
        for place, step in enumerate(self.script):
            self.place, start = place, max(0, place - 7)
            steps = ", ".join(map(step_text, self.script[start : place + 1]))
            self.told = f"{self.told.splitlines()[0]}\n{'… ' if start else ''}{steps}"
            if isinstance(step, str):
                self.compare_pull(server_class, self.pull(server), right.pull())
            else:
                self.compare_push(server_class, server, right, *step)
        if self.spoils == "nothing":
            self.nothing_moved()

    def compare_pull(self, server_class, answer, right) -> None:
        """(version, weights), in this order, and the right ones."""
        text = form_problem(answer, right)
        if text:
            self.trial.fail(text, call=self.told, **({} if answer is None else {"answer": answer}))
        version, weights = answer
        gap = float(np.max(np.abs(weights - right[1])))
        if version == right[0] and gap <= CLOSE * max(1.0, float(np.abs(right[1]).max())):
            return
        if self.spoils != "nothing" and version == right[0]:
            self.fail_for_a_copy()
        text = f"The version is {right[0]}: so many pushes have counted."
        if version == right[0]:
            text = f"The weights differ by up to {gap:.3g}. " + (
                "Keep weights and rate in float64." if gap < 1e-5 else self.history()
            )
        self.fail_with_hint(server_class, text, answer, right)

    def compare_push(self, server_class, server, right: RightServer, version: int, gradient) -> None:
        """Whether it counts."""
        before, age = right.version, right.version - version
        wanted = right.push(version, gradient)
        said = f"The server has version {before}, so the age is {age}; {self.fate(age, gradient)}: "
        said += f"push should return {wanted}."
        try:
            answer = self.trial.call(server.push, version, gradient, shown=self.told, lets_through=RAISED)
        except RAISED as error:
            if np.array(self.case[0]).dtype == int:
                said = "The weights were whole numbers: keep them as floats."
            self.trial.fail(f"{meaning(error)} {said}", call=self.told, line=learners_line(error))
        if answer is None:
            self.trial.fail(f"push returned None. Is a `return` missing? {said}", call=self.told)
        if not isinstance(answer, (bool, np.bool_)) or bool(answer) != wanted:
            self.fail_with_hint(server_class, said, answer, wanted)

    def fate(self, age: int, gradient) -> str:
        """Why a gradient counts or does not, and by how much."""
        _, rate, oldest, _ = self.case
        if not 0 <= age <= oldest:
            return f"only ages from 0 to {oldest} count"
        if not np.isfinite(gradient).all():
            return "the gradient is not finite"
        finite = "all of its numbers are finite, though large: " if abs(np.asarray(gradient)).max() > 1e100 else ""
        return f"{finite}the gradient counts by −{rate:g} / {1 + age}"

    def history(self) -> str:
        """What the pushes so far should have done."""
        right, told = RightServer(*self.case[:3]), []
        for step in self.script[: self.place]:
            if not isinstance(step, str):
                told.append(f"age {right.version - step[0]}, {self.fate(right.version - step[0], step[1])}")
                right.push(*step)
        return f"The last pushes: {'; '.join(told[-4:])}." if told else "Nothing was pushed yet."

    def fail_with_hint(self, server_class, text: str, answer, right) -> None:
        """The verdict, with the one known slip that answers all cases in the same way."""
        hint = the_one_slip(server_class, [(case,) for case in cases()], SERVER_SLIPS, self.observed, CLOSE)
        if not self.begins_anew(server_class):
            hint = (
                "A new server does not begin with version 0 and its own weights: keep both in `self`, not in the class."
            )
        self.trial.fail(text, call=self.told, answer=answer, right=right, hint=hint)

    def begins_anew(self, server_class) -> bool:
        """Does a new server know nothing of those before it? The first case has passed by then, or nobody can tell."""
        visit = Visit(self.trial, self.case)
        answer = visit.pull(visit.build(server_class))
        return self.case[3] == ["pull"] or same(answer, RightServer(*self.case[:3]).pull())

    def observed(self, server_class, case) -> list:
        """All answers of a server in turn."""
        visit = Visit(self.trial, case)
        server = visit.build(server_class)
        return [
            visit.pull(server) if isinstance(step, str) else self.trial.call(server.push, *step) for step in case[3]
        ]

    def fail_for_a_copy(self) -> None:
        """The answers are right until the check writes into an array of its own."""
        text = {
            "init": "After `__init__` the check wrote 99 into the array that it had handed over, and the server's "
            "weights changed with it. `__init__` should copy the array.",
            "pull": "After each pull the check wrote 99 into the weights that it got, and the server's own changed "
            "with them. `pull` should hand out a copy.",
        }[self.spoils]
        self.trial.fail(text, call=self.told)

    def nothing_moved(self) -> None:
        """Neither the array that was handed over nor what was handed out has changed with a push."""
        same = np.array_equal(self.given, np.array(self.case[0]))
        text = "A push changed the array that the server was made with. `__init__` should copy it."
        self.trial.require(same, text, call=self.told)
        same = all(np.array_equal(now, kept) for now, kept in self.pulled)
        text = "The weights that an earlier pull gave changed with a later push. `pull` should hand out a copy."
        self.trial.require(same, text, call=self.told)


def step_text(step) -> str:
    """A call as text."""
    return "pull()" if isinstance(step, str) else f"push({step[0]}, {show(step[1])})"


def form_problem(answer, right) -> str | None:
    """Why this is no pair of a version and weights, or None."""
    if answer is None:
        return "pull returned None. Is a `return` missing?"
    if not isinstance(answer, (tuple, list)) or len(answer) != 2:
        return "pull() should give the pair (version, weights)."
    version, weights = answer
    if isinstance(version, np.ndarray) and version.ndim:
        return "pull() should give (version, weights), in this order."
    if not isinstance(weights, (np.ndarray, np.floating)) or weights.dtype.kind not in "iuf":
        return f"The weights of a pull should be a NumPy array of numbers, not {show(weights)}."
    if weights.dtype != float:
        return f"The server keeps floats in double precision, float64; these weights are {weights.dtype}."
    if weights.shape != right[1].shape:
        return f"The weights of a pull should have shape {right[1].shape}, as those at first, not {weights.shape}."
    if isinstance(version, bool) or not isinstance(version, (int, np.integer)):
        return f"The version should be a whole number, not {show(version)}."
    return None


def two_servers(trial: Trial, server_class) -> None:
    """What one server is told is nothing to the other."""
    call = "one = ParameterServer([1., 2.], 0.5, 3); other = ParameterServer([7., 8.], 0.5, 3); other.push(0, [1., 1.])"
    one = trial.call(server_class, np.array([1.0, 2.0]), 0.5, 3, shown=call)
    other = trial.call(server_class, np.array([7.0, 8.0]), 0.5, 3, shown=call)
    trial.call(other.push, 0, np.ones(2), shown=call)
    for rate, oldest in ((0.25, 3), (0.5, 0)):  # a third one, with another rate or another greatest age
        mine = trial.call(server_class, np.array([1.0, 2.0]), 0.5, 3, shown=call)
        third = f"mine = ParameterServer([1., 2.], 0.5, 3); third = ParameterServer([7., 8.], {rate}, {oldest})"
        trial.call(server_class, np.array([7.0, 8.0]), rate, oldest, shown=third)
        told = f"{third}; mine.push(0, [1., 1.]) twice, then mine.pull()"
        counted = [trial.call(mine.push, 0, np.ones(2), shown=told) for _ in range(2)]
        weights = trial.call(lambda mine=mine: np.copy(mine.pull()[1]), shown=told)
        trial.require(
            all(counted) and np.allclose(weights, [0.25, 1.25]),
            f"`mine` has rate 0.5 and keeps gradients up to age 3, so its weights are [0.25, 1.25]; they are "
            f"{show(weights)}. Each server has a rate and a greatest age of its own: keep them in `self`.",
            call=told,
        )
    version, weights = trial.call(lambda: tuple(np.copy(part) for part in one.pull()), shown=f"{call}; one.pull()")
    trial.require(
        version == 0 and np.array_equal(weights, [1.0, 2.0]),
        f"`one` should have version 0 and weights [1., 2.]; it has {version} and {show(weights)}. Each server has its "
        "own: keep them in `self`, not in the class.",
        call=f"{call}; one.pull()",
    )
