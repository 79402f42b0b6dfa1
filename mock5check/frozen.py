"""Did something change? A photograph of all that can be changed, from some values on, and a look at it later."""

from __future__ import annotations

import types
from collections import deque

import numpy as np

_UNCHANGING = (type(None), bool, int, float, complex, str, bytes, range, type, types.ModuleType, np.generic)
CONTAINERS = (list, tuple, dict, set, np.ndarray)


class Photograph:
    """What lists, arrays, tensors, boards, nodes and what hangs from them held at one moment.

    objects: look into nodes and the like, too?
    """

    def __init__(self, *values, objects: bool = True):
        self.seen = {}
        waiting = list(values)
        while waiting:
            value = waiting.pop()
            if id(value) in self.seen or _is_atom(value) or not (objects or isinstance(value, CONTAINERS)):
                continue
            content, parts = _content(value)
            self.seen[id(value)] = value, content  # the value itself is kept, so that no other gets its id
            waiting += parts

    def has_changed(self) -> bool:
        """Does anything of it hold something else by now?"""
        return any(_content(value)[0] != content for value, content in self.seen.values())


def _is_atom(value) -> bool:
    """Nothing to look into: numbers and texts; functions; and generators, which are there to be used up."""
    return isinstance(value, (*_UNCHANGING, np.random.Generator)) or (callable(value) and not hasattr(value, "shape"))


def _content(value) -> tuple:
    """(what it holds, as something to compare; the parts to look into)"""
    if isinstance(value, np.ndarray):
        if value.dtype == object:
            return (value.shape, tuple(map(_mark, value.ravel()))), list(value.ravel())
        return (value.dtype.str, value.shape, value.tobytes()), []
    if type(value).__module__.startswith("torch") and hasattr(value, "detach"):
        numbers = value.detach().cpu().numpy()
        grown = id(value.grad) if value.is_leaf else None
        return (str(value.dtype), numbers.shape, numbers.tobytes(), value.requires_grad, grown), []
    if hasattr(value, "legal_moves"):
        return tuple(_plain(getattr(value, name, None)) for name in ("board", "history", "player", "winner")), []
    if isinstance(value, (list, tuple, deque)):
        return tuple(map(_mark, value)), list(value)
    if isinstance(value, dict):
        return tuple((_mark(key), _mark(part)) for key, part in value.items()), list(value.values())
    if isinstance(value, (set, frozenset)):
        return frozenset(map(_mark, value)), []
    names = [name for kind in type(value).__mro__ for name in _slots(kind)] + sorted(getattr(value, "__dict__", ()))
    parts = [getattr(value, name, None) for name in names]
    return tuple(zip(names, map(_mark, parts))), parts


def _slots(kind: type) -> tuple:
    slots = getattr(kind, "__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


def _mark(value):
    """What stands for a part: its value if it can't change (NaN is then equal to itself), else which object it is."""
    return (type(value).__name__, repr(value)) if isinstance(value, _UNCHANGING) else id(value)


def _plain(value):
    return tuple(value) if isinstance(value, (list, tuple, bytearray, np.ndarray)) else value


def shared_name(function, answers: list) -> str | None:
    """The name of the global, default or closed-over variable that `function` hands out each time, if it is one."""
    inner = getattr(function, "__code__", None)
    if inner is None:
        return None
    named = {name: function.__globals__.get(name) for name in inner.co_names}
    named |= dict(zip(inner.co_freevars, (cell.cell_contents for cell in function.__closure__ or ())))
    defaults = function.__defaults__ or ()
    named |= dict(zip(inner.co_varnames[inner.co_argcount - len(defaults) : inner.co_argcount], defaults))
    for name, value in named.items():
        if any(_overlap(value, answer) for answer in answers):
            return name
    return None


def _overlap(one, other) -> bool:
    if one is other and not _is_atom(one):
        return True
    both_arrays = isinstance(one, np.ndarray) and isinstance(other, np.ndarray)
    return both_arrays and np.may_share_memory(one, other) and np.shares_memory(one, other)


def shared_by_class(kind, ours) -> str | None:
    """The name of a list, dict, set or array that belongs to a class, though not to ours: all its objects share it."""
    found = {} if not isinstance(kind, type) else {name: at for name, at in vars(kind).items() if name[:2] != "__"}
    found = {name: at for name, at in found.items() if name not in vars(ours)}
    names = [name for name, value in found.items() if isinstance(value, (list, dict, set, np.ndarray)) and len(value)]
    return names[0] if names else None


def hands_back(answer, args: tuple) -> bool:
    """Is the answer one of the arguments, or a view of one?"""
    return any(_overlap(answer, value) for value in args if not _is_atom(answer))
