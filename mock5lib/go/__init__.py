"""Go: the rules (readable and compiled), AlphaGo's 48 planes, ladders, records, SGF and GTP.

Chapter 9 builds it.
"""

from mock5lib.base.imports import lazy_names

__all__, __getattr__, __dir__ = lazy_names(
    __name__,
    {
        "board": "Go",
        "ladders": "is_ladder_capture is_ladder_escape",
        "planes": "GoPlanes readable_planes",
        "records": "GoRecords from_sgf generate save_sgf to_sgf",
        "gtp": "GtpAgent GtpError Responder",
    },
)
