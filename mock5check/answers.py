"""What came back: is it the right kind of thing, is it the same as the right answer, and where does it differ?"""

from __future__ import annotations

import inspect
import math
import numbers
from collections import Counter
from collections.abc import Mapping

import numpy as np

WIDTH = 100  # characters of one shown value
SMALL = 16  # numbers of an array that is shown whole
PLACES = 3  # of a longer one, where it differs
DIGITS = 6  # of a number, or more where two would look the same
ROUGHLY = 1e-5
SINGLE = 2e-6  # as close as single precision allows
NO_RETURN = "It returned nothing. Is a `return` missing? `append`, `sort`, `reverse` and `shuffle` return nothing, too."
NOT_A_NUMBER = (
    "NaN means 0/0, ∞ − ∞ or the like, and it spreads to all that comes after. Print what you have, line by line: "
    "where does the first one turn up?"
)
ORDINALS = "first second third fourth fifth sixth seventh".split()


class Outcome(str):
    """What is compared and shown by these words, without quotation marks."""

    __repr__ = str.__str__


class Facts(dict):
    """What was observed, {what: value}, of which the learner is told only what differs.

    Where one has no such fact, it reads `absent`: a list of changes says "unchanged".
    """

    absent = "nothing"


class Members(list):
    """What was returned in no order, sorted: the learner is told what does not belong and what is missing."""


class Changes(Facts):
    absent = "unchanged"


def same(answer, right, close: float = 1e-9) -> bool:
    """Is `answer` the same as `right`: numbers within `close`, sequences and arrays item by item?

    An int is as good as an equal float, a list as good as an equal tuple or array; True is not 1, "1" is not 1. Arrays
    in single precision need only be as close as this precision allows.
    """
    if answer is None or right is None:
        return answer is right
    truths = [isinstance(value, (bool, np.bool_)) for value in (answer, right)]
    if any(truths):
        return all(truths) and bool(answer) == bool(right)
    if isinstance(right, numbers.Number):
        close = max(close, SINGLE) if getattr(answer, "dtype", None) == np.float32 else close
        return is_number(answer) and _same_numbers(float(answer), float(right), close)
    if isinstance(right, np.ndarray) and isinstance(answer, np.ndarray):
        return _same_arrays(answer, right, close)
    if isinstance(right, (list, tuple, np.ndarray)):
        no_sequence = isinstance(answer, (str, Mapping)) or not hasattr(answer, "__len__")
        if no_sequence or getattr(answer, "ndim", 1) == 0:
            return False
        return len(answer) == len(right) and all(same(a, r, close) for a, r in zip(answer, right))
    if isinstance(right, Mapping) and isinstance(answer, Mapping):
        return answer.keys() == right.keys() and all(same(answer[key], right[key], close) for key in right)
    kind = str if isinstance(right, str) else type(right)
    return isinstance(answer, kind) and bool(answer == right)


def _same_numbers(answer: float, right: float, close: float) -> bool:
    """As `np.isclose` with equal_nan, which takes twenty times as long for two numbers."""
    if answer == right or (answer != answer and right != right):
        return True
    return math.isfinite(right) and abs(answer - right) <= close + close * abs(right)


def _same_arrays(answer, right, close: float) -> bool:
    if answer.shape != right.shape or (answer.dtype == bool) != (right.dtype == bool):
        return False
    if answer.dtype.kind not in "biuf" or right.dtype.kind not in "biuf":
        return False
    return bool(_near(answer, right, close).all())


def _near(answer, right, close: float) -> np.ndarray:
    """Item by item: is it near enough for its precision?"""
    if np.float32 in (answer.dtype, right.dtype):
        close = max(close, SINGLE)
    return np.isclose(answer.astype(float), right.astype(float), rtol=close, atol=close, equal_nan=True)


def is_number(value) -> bool:
    """One real number: of Python, of NumPy, or an array or a tensor without axes. Text and truth values are none."""
    if isinstance(value, (bool, np.bool_)):
        return False
    if isinstance(value, numbers.Real):
        return True
    dtype = str(getattr(value, "dtype", ""))
    return getattr(value, "ndim", None) == 0 and ("int" in dtype or "float" in dtype)


def kind_problem(answer, right, what: str = "the answer") -> str | None:
    """A sentence that says why `answer` is not even the kind of thing that `right` is, or None.

    An array must be an array of the same shape, a list a list or what can be indexed as one, a whole number whole.
    """
    if right is None:
        return None
    if answer is None:
        return NO_RETURN if what == "the answer" else f"{what} is None. Is a `return` missing?"
    if isinstance(right, (bool, np.bool_)):
        truth = isinstance(answer, (bool, np.bool_))
        return None if truth else f"{what} should be True or False; yours is {_kind(answer)}."
    if isinstance(right, numbers.Number):
        return _number_problem(answer, right, what)
    if isinstance(right, np.ndarray):
        return _array_problem(answer, right, what)
    if isinstance(right, (list, tuple)):
        return _sequence_problem(answer, right, what)
    if isinstance(right, Mapping) and not isinstance(answer, Mapping):
        return f"{what} should be a dict; yours is {_kind(answer)}."
    if isinstance(right, str) and not isinstance(answer, str):
        return f"{what} should be a text or None; yours is {_kind(answer)}."
    return None


def _kind(value) -> str:
    """A value of the wrong kind, in a few words."""
    if isinstance(value, str) and not isinstance(value, Outcome):
        return f"the text {value if len(value) < 30 else value[:28] + '…'!r}"
    if inspect.isgenerator(value):
        return "a generator. `return` a list, and don't `yield`"
    if hasattr(value, "detach"):
        return f"a torch tensor, {show(value)}"
    return f"a NumPy array, {show(value)}" if isinstance(value, np.ndarray) and value.size <= SMALL else show(value)


def _number_problem(answer, right, what: str) -> str | None:
    if isinstance(answer, str):
        return f"{what} is {_kind(answer)}. Return a number."
    if isinstance(answer, (bool, np.bool_)):
        return f"{what} is {answer}. Return a number."
    if not is_number(answer):
        return f"{what} should be a single number; yours is {show(answer)}."
    whole = isinstance(right, numbers.Integral)
    if whole and not (isinstance(answer, numbers.Integral) or "int" in str(getattr(answer, "dtype", ""))):
        return (
            f"{what} should be a whole number (an int); yours is {show(answer)}. range() and indexing refuse a float."
        )
    return None


def _array_problem(answer, right, what: str) -> str | None:
    wanted = f"a NumPy array of shape {right.shape}"
    if not isinstance(answer, np.ndarray):
        if isinstance(answer, (list, tuple)):
            return f"{what} is a {type(answer).__name__}. Return {wanted}: the code after it does arithmetic with it."
        return f"{what} should be {wanted}; yours is {_kind(answer)}."
    if isinstance(answer, np.ma.MaskedArray):
        return f"{what} is a masked array, which hides some of its numbers. Return {wanted}, a plain one."
    if answer.dtype.kind not in "biuf":
        return f"{what} should hold numbers; yours holds {answer.dtype}."
    if answer.shape != right.shape:
        return f"{what} should have shape {right.shape}; yours has shape {answer.shape}."
    if right.dtype == bool and answer.dtype != bool:
        return f"{what} should hold booleans; yours holds {answer.dtype}."
    if right.dtype != bool and answer.dtype == bool:
        return f"{what} should hold numbers; yours holds booleans."
    return None


def _sequence_problem(answer, right, what: str) -> str | None:
    kind = "a pair" if isinstance(right, tuple) and len(right) == 2 else f"a {type(right).__name__}"
    if isinstance(right, Members) and isinstance(answer, Members):
        return None
    if isinstance(answer, (str, Mapping)) or not hasattr(answer, "__getitem__") or not hasattr(answer, "__len__"):
        return f"{what} should be {kind}; yours is {_kind(answer)}."
    if hasattr(answer, "ndim") and answer.ndim == 0:
        return f"{what} should be {kind}; yours is a single number."
    if len(answer) != len(right):
        if isinstance(right, tuple) and hasattr(answer, "ndim"):
            return f"{what} should be a tuple of {len(right)} things; yours is {_kind(answer)}."
        return f"{what} should have {_elements(len(right))}; yours has {len(answer) or 'none'}."
    for place, (part, right_part) in enumerate(zip(answer, right)):
        named = _part(right, place)
        problem = kind_problem(part, right_part, named if what == "the answer" else f"{named} of {what}")
        if problem:
            return problem
    return None


def _part(right, place: int) -> str:
    """What a part of an answer is called: by its name, as the second result of a tuple, as entry 1 of a list."""
    if hasattr(right, "_fields"):
        return right._fields[place].replace("_", " ")
    if isinstance(right, tuple) and place < len(ORDINALS):
        return f"the {ORDINALS[place]} result"
    return f"entry {place}"


def _elements(count: int) -> str:
    return f"{count} element{'' if count == 1 else 's'}"


def difference(answer, right, close: float = 1e-9) -> str | None:
    """Where an answer differs from the right one: which parts, or the first entries of an array, and how many."""
    if isinstance(right, Members) and isinstance(answer, Members):
        told = {"too much": Counter(answer) - Counter(right), "missing": Counter(right) - Counter(answer)}
        return "; ".join(f"{name}: {show(list(some.elements()))}" for name, some in told.items() if some) or None
    pair = [np.asarray(value) if _all_numbers(value) else None for value in (answer, right)]
    if not hasattr(right, "_fields") and all(part is not None and part.shape == pair[0].shape for part in pair):
        wrong = ~_near(*pair, close)
        if pair[0].ndim == 0 or not wrong.any():
            return None
        first = [_difference_at(tuple(map(int, place)), *pair) for place in np.argwhere(wrong)[:PLACES]]
        count = f"{wrong.sum():,} of {wrong.size:,} entries {'differs' if wrong.sum() == 1 else 'differ'}"
        return "; ".join(first) + (f"; {count}" if wrong.size > 2 else "")
    if isinstance(right, Mapping) and isinstance(answer, Mapping):
        absent = Outcome(getattr(right, "absent", "missing"))
        named = [(_word(name), answer.get(name, absent), right.get(name, absent)) for name in {**right, **answer}]
    elif isinstance(right, (list, tuple)) and hasattr(answer, "__len__") and len(answer) == len(right):
        named = [(_part(right, place), *parts) for place, parts in enumerate(zip(answer, right))]
    else:
        return None
    return "\n".join(_told(*one, close) for one in [one for one in named if not same(*one[1:], close)][:PLACES]) or None


def _told(name: str, mine, theirs, close: float) -> str:
    """How one part differs: where, if it is long, else what it is and what it should be."""
    where = None if _is_short(mine) and _is_short(theirs) else difference(mine, theirs, close)
    both = [mine, theirs] if isinstance(mine, str) and isinstance(theirs, str) else show_both(mine, theirs)
    if not where and "\n" in "".join(both):
        return f"{name}:\n{both[0]}\nshould be\n{both[1]}"
    return f"{name}: {where or f'{both[0]}; should be {both[1]}'}"


def _word(value) -> str:
    return value if isinstance(value, str) else show(value)


def _is_short(value) -> bool:
    """Is it shown whole, in a line or a few?"""
    if isinstance(value, np.ndarray):
        return value.size <= SMALL
    return not isinstance(value, (list, tuple)) or len(show(value)) < WIDTH - 2


def is_observed(value) -> bool:
    """Is it a collection of facts, or of named parts, rather than what the learner's function returned?"""
    return isinstance(value, Facts) or hasattr(value, "_fields")


def _difference_at(place: tuple, answer, right) -> str:
    mine, theirs = show_both(answer[place].item(), right[place].item())
    return f"entry [{', '.join(map(str, place))}] is {_short_number(mine)}, should be {_short_number(theirs)}"


def _short_number(text: str) -> str:
    return text.removesuffix(".0")


def nearly(answer, right) -> str | None:
    """What to say of an answer with NaN in it, or one whose numbers agree with the right ones in six digits or so."""
    if not _all_numbers(answer) or np.asarray(answer).dtype.kind != "f":
        return None
    if np.isnan(np.asarray(answer)).any() and _all_numbers(right) and not np.isnan(np.asarray(right)).any():
        return NOT_A_NUMBER
    if same(answer, right, ROUGHLY):
        return (
            "The first digits are right. Is something rounded, or in single precision (float32)? Is a small number "
            "added or cut off? Or does a loop end too early?"
        )
    return None


def _all_numbers(value) -> bool:
    try:
        array = np.asarray(value)
    except (ValueError, TypeError, RuntimeError):
        return False
    return array.dtype.kind in "biuf"


def show_both(answer, right) -> tuple[str, str]:
    """Both as text, with as many digits as it takes to tell them apart."""
    for digits in (DIGITS, 9, 12, 17):
        both = show(answer, digits), show(right, digits)
        if both[0] != both[1]:
            return both
    return show(answer), show(right)


def show(value, digits: int = DIGITS) -> str:
    """A value as a learner can read it: numbers rounded, a board as a picture, a small array whole, the rest short."""
    if hasattr(value, "legal_moves"):
        return f"the game\n{value}"
    if hasattr(value, "detach"):  # a tensor
        value = value.detach().cpu().numpy()
    if isinstance(value, np.ndarray) and value.ndim:
        return _shown_array(value, digits)
    if isinstance(value, (np.generic, np.ndarray)):
        value = value.item()
    if isinstance(value, float):
        text = f"{value + 0.0:.{digits}g}"  # no −0
        return f"{text}.0" if text.lstrip("-").isdigit() else text
    if hasattr(value, "_fields"):
        return "; ".join(f"{name.replace('_', ' ')} {show(part, digits)}" for name, part in zip(value._fields, value))
    if isinstance(value, (list, tuple)) and len(value) > SMALL:
        kind = "list" if isinstance(value, list) else "tuple"
        return f"a {kind} of {len(value)}: {_short(', '.join(show(part, digits) for part in value[:6]))}, …"
    if isinstance(value, (list, tuple)):
        inner = ", ".join(show(part, digits) for part in value)
        inner += "," if isinstance(value, tuple) and len(value) == 1 else ""
        return _short(f"[{inner}]" if isinstance(value, list) else f"({inner})")
    if isinstance(value, dict):
        return _short(f"{{{', '.join(f'{show(key, digits)}: {show(part, digits)}' for key, part in value.items())}}}")
    text = repr(value)
    if " at 0x" in text:  # an address says nothing
        name = getattr(value, "__name__", None)
        return f"the function {name}" if name else f"a {type(value).__name__} object"
    return _short(text)


def _shown_array(value, digits: int) -> str:
    if value.size > SMALL:
        return f"an array of shape {value.shape}, {value.dtype}"
    if value.dtype.kind != "f":
        text = np.array2string(value, separator=", ")
    else:
        numbers_ = [f"{number + 0.0:.{digits}g}" for number in value.flat]
        width = max(map(len, numbers_), default=0) if value.ndim > 1 else 0

        def one(number) -> str:
            return f"{number + 0.0:{width}.{digits}g}"

        text = np.array2string(value, separator=", ", formatter={"float_kind": one})
    while "\n\n" in text:
        text = text.replace("\n\n", "\n")
    return text


def describe_call(function, args: tuple) -> str:
    """The call as text; a game among the arguments is named, and its board stands below."""
    boards, shown = [], []
    for value in args:
        if hasattr(value, "legal_moves"):
            boards.append(f"where game is\n{value}")
            shown.append("game")
        else:
            shown.append(show(value))
    call = f"{getattr(function, '__name__', show(function))}({', '.join(shown)})"
    return "\n".join([call, *boards])


def _short(text: str) -> str:
    return text if len(text) <= WIDTH else text[: WIDTH - 2] + " …"
