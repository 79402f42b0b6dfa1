"""The ground floor: files written whole, random generators, ranges of arguments, progress, caches. It knows no game.

No chapter builds it.
"""

VERSION = "0.1.0"
