"""Go, a game that plugs into `mock5lib`: rules, readable and compiled; ladders, AlphaGo's 48 planes, records, SGF, GTP.

Chapter 9 builds it. What `mock5lib` finds here stands in pyproject.toml as entry points; it imports nothing by name.
"""

from mock5lib.base.imports import lazy_names

__all__, __getattr__, __dir__ = lazy_names(
    __name__,
    {
        "board": "Go",
        "ladders": "is_ladder_capture is_ladder_escape",
        "planes": "GoPlanes planes48 planes49 readable_planes",
        "records": "GoRecords from_sgf generate save_sgf to_sgf",
        "gtp": "GtpAgent GtpError Responder",
        "rollout_policy": "GoFastPlanes GoFastPolicy",
    },
)
