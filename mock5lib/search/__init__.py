"""Search: `uct` knows the rules alone, `puct` asks an expert. Both answer with a `SearchResult`.

Chapters 1 and 5 build it.
"""
