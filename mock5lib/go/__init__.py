"""Go: the rules (readable and compiled), AlphaGo's 48 planes, ladders, SGF and GTP.

Chapter 9 builds it.
"""
