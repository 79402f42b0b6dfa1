"""The Gomocup protocol both ways: our agents as an engine, foreign engines as agents.

Chapter 7 builds it.
"""
