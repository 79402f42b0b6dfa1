"""Foreign programs that play, and our agents as such a program, by Gomocup's protocol. Go's is in `go/gtp.py`.

Chapter 7 builds it.
"""
