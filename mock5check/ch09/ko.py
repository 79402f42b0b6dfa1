"""The check of `KoMemory`: a right memory for ko, memories with a mistake, and games that are told to them."""

from __future__ import annotations

from contextlib import contextmanager

from mock5check.answers import kind_problem, same
from mock5check.ch09.boards import board_of
from mock5check.ch09.positions import KO, SCRIPTS
from mock5check.core import graded, the_one_slip
from mock5check.frozen import shared_by_copy

BOARDS = [board_of(text)[0] for text in KO]
LETTERS = "ABCDEFGHIJ"  # their names
CASES = [(rule, script) for script in SCRIPTS for rule in ("simple", "positional")]


class RightMemory:
    """The positions that have been, for the rule of ko."""

    def __init__(self, board, rule):
        self.positions, self.rule = [tuple(board)], rule

    def forbidden(self) -> list:
        """The positions that no move may make."""
        return self.positions[-2:-1] if self.rule == "simple" else self.positions

    def allows(self, after) -> bool:
        """May a move make this position?"""
        return tuple(after) not in self.forbidden()

    def add(self, board) -> None:
        """Note the position after a move or a pass."""
        self.positions.append(tuple(board))

    def copy(self):
        """The same positions, independently."""
        other = type(self)((), self.rule)
        other.positions = list(self.positions)
        return other


# Memories with a mistake ----------------------------------------------------------------------------------------------


class _Forgetful(RightMemory):
    def copy(self):
        return type(self)(self.positions[-1], self.rule)


class _ForgetsLater(RightMemory):
    is_copy = False

    def copy(self):
        other = super().copy()
        other.positions, other.is_copy = other.positions[-1:] if self.is_copy else other.positions, True
        return other


class _Shared(RightMemory):
    def copy(self):
        other = super().copy()
        other.positions = self.positions
        return other


class _ByReference(RightMemory):
    def __init__(self, board, rule):
        self.positions, self.rule = [board], rule

    def allows(self, after) -> bool:
        return after not in self.forbidden()

    def add(self, board) -> None:
        self.positions.append(board)


class _AlwaysSimple(RightMemory):
    def forbidden(self) -> list:
        return self.positions[-2:-1]


class _AlwaysPositional(RightMemory):
    def forbidden(self) -> list:
        return self.positions


class _Now(RightMemory):
    def forbidden(self) -> list:
        return self.positions[-1:] if self.rule == "simple" else self.positions


class _NowLater(RightMemory):
    def forbidden(self) -> list:
        return self.positions[1:][-1:] if self.rule == "simple" else self.positions


class _FirstTwice(RightMemory):
    def forbidden(self) -> list:
        return self.positions[:1] if len(self.positions) == 1 else super().forbidden()


class _CopyIsSimple(RightMemory):
    def copy(self):
        other = super().copy()
        other.rule = "simple"
        return other


class _CopyIsPositional(RightMemory):
    def copy(self):
        other = super().copy()
        other.rule = "positional"
        return other


class _NoPasses(RightMemory):
    def add(self, board) -> None:
        if tuple(board) != self.positions[-1]:
            super().add(board)


class _OnlyNew(RightMemory):
    def add(self, board) -> None:
        if tuple(board) not in self.positions:
            super().add(board)


class _Notes(RightMemory):
    def allows(self, after) -> bool:
        allowed = super().allows(after)
        self.add(after)
        return allowed


class _NotesPositional(RightMemory):
    def allows(self, after) -> bool:
        allowed = super().allows(after)
        if self.rule == "positional":
            self.add(after)
        return allowed


class _NotesAllowed(RightMemory):
    def allows(self, after) -> bool:
        allowed = super().allows(after)
        if allowed and self.rule == "positional":
            self.add(after)
        return allowed


class _NotesFirst(RightMemory):
    def allows(self, after) -> bool:
        if tuple(after) not in self.positions:
            self.add(after)
        return super().allows(after)


class _Anything(RightMemory):
    def allows(self, after) -> bool:
        return True


_NOTES = (
    "`allows` is only asked; the move may never be played. It must not note the position: that is what `add` is for."
)
_PASSES = "Note a position that you know already, too: after a pass it is the position before the last move."
_RULE = "A copy has the rule of its original."
_BEFORE = (
    "Simple ko is about the position BEFORE the last move, not the one after it: positions[-2], not positions[-1]."
)
SLIPS = [
    (_Forgetful, "A copy must know all earlier positions, not only the last one: a search plays on copies."),
    (_ForgetsLater, "A copy of a copy must know all earlier positions, too: a search makes copies of copies."),
    (_Shared, "A copy and its original must not share one list: what is added to one is then known to the other."),
    (_ByReference, "The game goes on changing the list that it handed over. Keep a copy, such as tuple(board)."),
    (_AlwaysSimple, 'With "positional", every earlier position is forbidden, however long ago it was.'),
    (_AlwaysPositional, 'With "simple", only one position is forbidden: the one before the last move.'),
    (_Now, _BEFORE),
    (_NowLater, _BEFORE),
    (_FirstTwice, 'Before anything is added there is no position before the last move: "simple" then allows all.'),
    (_CopyIsSimple, _RULE),
    (_CopyIsPositional, _RULE),
    (_NoPasses, _PASSES),
    (_OnlyNew, _PASSES),
    (_Notes, _NOTES),
    (_NotesPositional, _NOTES),
    (_NotesAllowed, _NOTES),
    (_NotesFirst, _NOTES),
    (_Anything, "It allows everything. A tuple never equals a list, and two lists are not the same object."),
]


# The games ------------------------------------------------------------------------------------------------------------


def told(build, rule: str, script, ask) -> None:
    """Tell a game to memories that `build` makes: `ask(function, arguments, name of the memory, method, board)`.

    The list that is handed over is the game's own, which goes on changing. What `ask` returns for `copy` is the next
    memory: "other" is a copy of "memory", "third" one of "other".
    """
    game = list(BOARDS[0])
    memories = {"memory": ask(build, (game, rule), "memory", "", 0)}
    for step, *boards in script:
        name, method = step.split() if " " in step else ("memory", step)
        for board in boards or [None]:
            game[:] = game if board is None else BOARDS[board]
            memory = memories[name]
            answer = ask(getattr(memory, method, None), () if board is None else (game,), name, method, board)
        if method == "copy":
            memories["third" if name == "other" else "other"] = answer


def answers(build, rule: str, script) -> list:
    """What a memory answers each time that it is asked."""
    found = []

    def ask(function, arguments, name, method, board):
        answer = function(*arguments)
        found.extend([answer] if method == "allows" else [])
        return answer

    told(build, rule, script, ask)
    return found


def shared_by_all(memory_class) -> dict:
    """The lists, sets and dicts that belong to a class, by their names."""
    found = vars(memory_class).items() if isinstance(memory_class, type) else ()
    return {name: value for name, value in found if type(value) in (list, set, dict) and not name.startswith("__")}


@contextmanager
def lists_of_their_own(memory_class):
    """While it lasts, each memory has new ones of the lists, sets and dicts that belong to the class."""
    kinds, begin = {name: type(value) for name, value in shared_by_all(memory_class).items()}, memory_class.__init__

    def begin_anew(self, *arguments):
        vars(self).update((name, kind()) for name, kind in kinds.items())
        begin(self, *arguments)

    memory_class.__init__ = begin_anew
    try:
        yield
    finally:
        memory_class.__init__ = begin


def hint_of(memory_class) -> str | None:
    """The mistake, where a memory with it answers as the learner's does, or none is left once it is taken away."""
    if shared := sorted(shared_by_all(memory_class)):
        with lists_of_their_own(memory_class):
            right = all(_or_none(memory_class, *case) == answers(RightMemory, *case) for case in CASES)
        if right:
            return f"`{shared[0]}` belongs to the class, so all memories share it. Make self.{shared[0]} in `__init__`."
    return the_one_slip(memory_class, CASES, SLIPS, answers)


def _or_none(build, rule: str, script):
    try:
        return answers(build, rule, script)
    except Exception:
        return None


def why(memory: RightMemory, board: int) -> str:
    """Why a right memory allows or forbids a position."""
    known, name = [LETTERS[BOARDS.index(list(position))] for position in memory.positions], LETTERS[board]
    if memory.rule == "simple":
        if len(known) < 2:
            return 'Nothing has been added yet, so there is no position before the last move: "simple" allows all.'
        if name == known[-2]:
            return f'{name} is the position before the last move or pass, so "simple" forbids it.'
        return f'"simple" forbids only {known[-2]} here, the position before the last move or pass.'
    if name not in known:
        return f'This memory was never told of {name}, so "positional" allows it.'
    when = "the position at the beginning" if name == known[0] else "the present position"
    if name not in (known[0], known[-1]):
        when = "an earlier position"
    return f'{name} is {when}, so "positional" forbids it.'


@graded
def KoMemory(trial, memory_class) -> None:  # noqa: N802 - named like the class that it checks
    """Check the class `KoMemory(board, rule)` with `allows(after)`, `add(board)` and `copy()`."""
    for rule, script in CASES:
        _tell(trial, memory_class, rule, script)
        trial.cases += 1
    _two_rules(trial, memory_class)


def _shared(memories: list) -> str | None:
    """Do a memory and its copy hold the same list or set?"""
    for one, other in zip(memories, memories[1:]):
        if name := shared_by_copy(one, other):
            return f"A copy and its original must not share: `{name}` is one and the same object in both."
    return None


def _two_rules(trial, memory_class) -> None:
    """Two memories side by side: the younger one's rule is not the older one's."""
    for rules in (("positional", "simple"), ("simple", "positional")):
        call = (
            f"memory = KoMemory(A, {rules[0]!r}); another = KoMemory(A, {rules[1]!r}); memory.add(B); memory.add(C); "
        )
        rule = "".join(list(rules[0]))  # the same text, but another object
        memory = trial.call(memory_class, list(BOARDS[0]), rule, shown=call)
        trial.call(memory_class, list(BOARDS[0]), rules[1], shown=call)
        for board in BOARDS[1:3]:
            trial.call(memory.add, list(board), shown=call)
        answer = trial.call(memory.allows, list(BOARDS[0]), shown=call)
        text = (
            f"The rule of `memory` is {rules[0]!r}, but it answers by the other one. Keep the rule in `self`, and "
            "compare it with ==. (`is` asks for the same object.)"
        )
        trial.require(bool(answer) == (rules[0] == "simple"), text, call=call + "memory.allows(A)")


def _tell(trial, memory_class, rule: str, script) -> None:
    """One game, which ends at the first wrong answer."""
    right, past, shown, memories = {}, [], {0}, []

    def ask(function, arguments, name, method, board):
        letter = "" if board is None else LETTERS[board]
        step = f"{name}.{method}({letter})" if method else f"memory = KoMemory(A, {rule!r})"
        shown.update([] if board is None else [board])
        call = _call(step, past, shown)
        past.append(f"{'third' if name == 'other' else 'other'} = {step}" if method == "copy" else step)
        if not callable(function):
            trial.fail(f"There is no method `{method}` in what should be a KoMemory.", call=call)
        answer = trial.call(function, *arguments, shown=call)
        if method in ("", "copy"):
            memories.append(answer)
        if not method:
            right["memory"] = RightMemory(*arguments)
            return answer
        wanted = getattr(right[name], method)(*arguments)
        if method == "copy":
            right["third" if name == "other" else "other"] = wanted
        if method == "allows" and not same(answer, wanted):
            problem = kind_problem(answer, wanted)
            reason = problem[0].upper() + problem[1:] if problem else why(right[name], board)
            hint = None if problem else hint_of(memory_class) or _shared(memories)
            trial.fail(reason, call=call, hint=hint, answer=answer, right=wanted)
        return answer

    told(memory_class, rule, script, ask)


def _call(step: str, past: list, shown: set) -> str:
    """A call with all that came before it, and the boards."""
    steps = past if len(past) < 16 else [*past[:6], f"… ({len(past) - 8} more)", *past[-2:]]
    before = f"\nafter {'; '.join(steps)}" if past else ""
    if len(past) == 1:
        before += " (nothing was added)"
    boards = "\n".join(f"{LETTERS[i]}: {KO[i]}" for i in sorted(shown))
    return f"{step}{before}\nwhere the rows of the boards are\n{boards}"
