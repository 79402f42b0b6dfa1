"""Any k in a row: board, compiled rules, referee, symmetry, positions to planes, records, an exact solver.

Chapters 0 to 2 build it. It imports from no room but the ground floor.
"""
