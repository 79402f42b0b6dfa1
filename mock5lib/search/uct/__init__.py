"""Plain UCT: the readable tree, its steps one by one, parallel forms, the compiled twin, grading by an oracle.

Chapter 1 builds it.
"""
