"""Foreign programs as agents, and our agents as such a program, by Gomocup's protocol. Go's is in `mock5go/gtp.py`.

Chapter 7 builds it.
"""

from mock5lib.base.imports import lazy_names

__all__, __getattr__, __dir__ = lazy_names(
    __name__, {"gomocup": "Brain GomocupAgent ProtocolError serve", "process": "EngineProcess"}
)
