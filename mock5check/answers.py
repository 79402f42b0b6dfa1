"""What came back: is it the right kind of thing, is it the same as the right answer, and where does it differ?"""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping

import numpy as np

WIDTH = 100  # characters of one shown value
SMALL = 16  # numbers of an array that is shown whole
PLACES = 3  # of a longer one, where it differs
ROUGHLY = 1e-5
NO_RETURN = "It returned nothing. Is a `return` missing?"


class Outcome(str):
    """What is compared and shown by these words, without quotation marks."""

    __repr__ = str.__str__


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
        close = max(close, 2e-6)
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
        return None if truth else f"{what} should be True or False, not {show(answer)}."
    if isinstance(right, numbers.Number):
        return _number_problem(answer, right, what)
    if isinstance(right, np.ndarray):
        return _array_problem(answer, right, what)
    if isinstance(right, (list, tuple)):
        return _sequence_problem(answer, right, what)
    if isinstance(right, str) and not isinstance(answer, str):
        return f"{what} should be a text or None, not {show(answer)}."
    return None


def _number_problem(answer, right, what: str) -> str | None:
    if isinstance(answer, str):
        return f"{what} is the text {answer!r}. Return a number."
    if isinstance(answer, (bool, np.bool_)):
        return f"{what} is {answer}. Return a number."
    if not is_number(answer):
        return f"{what} should be one number, not {show(answer)}."
    whole = isinstance(right, numbers.Integral)
    if whole and not (isinstance(answer, numbers.Integral) or "int" in str(getattr(answer, "dtype", ""))):
        return f"{what} should be a whole number (an int), not {show(answer)}: range() and indices refuse a float."
    return None


def _array_problem(answer, right, what: str) -> str | None:
    wanted = f"a NumPy array of shape {right.shape}"
    if not isinstance(answer, np.ndarray):
        if isinstance(answer, (list, tuple)):
            return f"{what} is a {type(answer).__name__}. Return {wanted}: the code that comes next calculates with it."
        return f"{what} should be {wanted}, not {show(answer)}."
    if isinstance(answer, np.ma.MaskedArray):
        return f"{what} is a masked array, in which some numbers are hidden. Return {wanted}, a plain one."
    if answer.dtype.kind not in "biuf":
        return f"{what} is an array that holds {answer.dtype}. Wanted are numbers."
    if answer.shape != right.shape:
        return f"{what} has shape {answer.shape}. Wanted is shape {right.shape}."
    if right.dtype == bool and answer.dtype != bool:
        return f"{what} is an array that holds {answer.dtype}. Wanted are booleans."
    if right.dtype != bool and answer.dtype == bool:
        return f"{what} is an array of booleans. Wanted are numbers."
    return None


def _sequence_problem(answer, right, what: str) -> str | None:
    kind = "a pair" if isinstance(right, tuple) and len(right) == 2 else f"a {type(right).__name__}"
    if isinstance(answer, (str, Mapping)) or not hasattr(answer, "__getitem__") or not hasattr(answer, "__len__"):
        return f"{what} should be {kind}, not {show(answer)}."
    if hasattr(answer, "ndim") and answer.ndim == 0:
        return f"{what} should be {kind}, not one number."
    if len(answer) != len(right):
        return f"{what} has {_items(len(answer))}. Wanted are {len(right)}."
    for place, (part, right_part) in enumerate(zip(answer, right)):
        named = right._fields[place].replace("_", " ") if hasattr(right, "_fields") else f"item {place}"
        problem = kind_problem(part, right_part, named if what == "the answer" else f"{what}, {named}")
        if problem:
            return problem
    return None


def _items(count: int) -> str:
    return f"{count} item{'' if count == 1 else 's'}"


def difference(answer, right, close: float = 1e-9) -> str | None:
    """Where a long answer differs from the right one: the first indices, both values, how many; None if it is short."""
    pair = [np.asarray(value) if _all_numbers(value) else None for value in (answer, right)]
    if all(part is not None and part.shape == pair[0].shape for part in pair):
        short = pair[0].ndim == 0 or pair[0].size <= SMALL and pair[0].ndim == 1
        if short and show(answer) != show(right):
            return None
        wrong = ~_near(*pair, close)
        if not wrong.any():
            return None
        first = [_difference_at(tuple(map(int, place)), *pair) for place in np.argwhere(wrong)[:PLACES]]
        return "; ".join([*first, f"{wrong.sum()} of {wrong.size} differ"])
    if isinstance(right, Mapping) and isinstance(answer, Mapping):
        names = [name for name in {**right, **answer} if not same(answer.get(name), right.get(name), close)]
        told = [f"{name} is {answer.get(name, 'nothing')}, right is {right.get(name, 'nothing')}" for name in names]
        return "; ".join(told[:PLACES]) or None
    if isinstance(right, (list, tuple)) and hasattr(answer, "__len__") and len(answer) == len(right):
        for place, (part, right_part) in enumerate(zip(answer, right)):
            if not same(part, right_part, close):
                inner = difference(part, right_part, close)
                short = f"is {show(part)}, right is {show(right_part)}"
                named = right._fields[place].replace("_", " ") if hasattr(right, "_fields") else f"item {place}"
                return f"{named}: {inner}" if inner else f"{named} {short}" if len(right) > 1 else None
    return None


def _difference_at(place: tuple, answer, right) -> str:
    mine, theirs = (_plain(part[place]) for part in (answer, right))
    if mine == theirs:
        mine, theirs = (repr(part[place].item()) for part in (answer, right))
    return f"at [{', '.join(map(str, place))}] it is {mine}, right is {theirs}"


def nearly(answer, right) -> str | None:
    """What to say of an answer whose numbers agree with the right ones in six digits or so."""
    if _all_numbers(answer) and np.asarray(answer).dtype.kind == "f" and same(answer, right, ROUGHLY):
        return (
            "It agrees with the right answer in the first digits, and then differs. Is something rounded, in single "
            "precision (float32), a small number added or cut off, or does a loop end too early?"
        )
    return None


def _all_numbers(value) -> bool:
    try:
        array = np.asarray(value)
    except (ValueError, TypeError, RuntimeError):
        return False
    return array.dtype.kind in "biuf"


def _plain(value) -> str:
    """A number with six digits, or what it is."""
    return f"{value:.6g}" if isinstance(value, (float, np.floating)) else f"{value}"


def show(value) -> str:
    """A value as a learner can read it: a board as its picture, a small array whole, the rest cut short."""
    if hasattr(value, "legal_moves"):
        return f"the game\n{value}"
    if hasattr(value, "detach"):  # a tensor
        value = value.detach().cpu().numpy()
    if isinstance(value, np.ndarray) and value.ndim:
        if value.size <= SMALL:
            value = value + 0.0 if value.dtype.kind == "f" else value  # no −0
            return np.array2string(value, precision=_digits(value), separator=", ", suppress_small=False)
        return f"an array of shape {value.shape} that holds {value.dtype}"
    if isinstance(value, np.generic):
        value = value.item()
    if hasattr(value, "_fields"):
        return "; ".join(f"{name.replace('_', ' ')} {show(part)}" for name, part in zip(value._fields, value))
    if isinstance(value, (list, tuple)) and len(value) > SMALL:
        kind = "list" if isinstance(value, list) else "tuple"
        return f"a {kind} of {len(value)}: {_short(', '.join(map(show, value[:6])))}, …"
    if isinstance(value, (list, tuple)):
        inner = ", ".join(map(show, value)) + ("," if isinstance(value, tuple) and len(value) == 1 else "")
        return _short(f"[{inner}]" if isinstance(value, list) else f"({inner})")
    return _short(repr(value))


def _digits(array) -> int:
    """How many digits it takes to tell its numbers apart: 6, or up to 12."""
    if array.dtype.kind != "f":
        return 6
    kinds = {digits: len({f"{number:.{digits}g}" for number in array.flat}) for digits in (6, 9, 12)}
    return next(digits for digits, count in kinds.items() if count == kinds[12])


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
