"""Search with an expert: the readable tree, and the forest, many trees in flat arrays.

Chapter 5 builds the tree, chapter 6 the forest.
"""
