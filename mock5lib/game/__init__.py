"""k in a row on any board: the rules, readable and compiled; referee, symmetries, planes, records, an exact solver.

Chapters 0 to 2 build it. It imports from no room but the ground floor.
"""

from mock5lib.base.imports import lazy_names

__all__, __getattr__, __dir__ = lazy_names(
    __name__,
    {
        "board": "Mock5 Rules",
        "points": "BLACK EMPTY WHITE",
        "encoders": "Encoder three_planes",
        "symmetry": "SYMMETRIES symmetries_of transform transform_moves transform_policy",
        "referee": "Outcome play_game",
        "session": "Session",
        "oracle": "Oracle tic_tac_toe",
        "records": "GameRecords Records concatenate",
        "board_compiled": "playout_tally random_state",
        "position_compiled": "position_of stack",
        "lockstep_compiled": "Table random_openings sample_moves",
    },
)
