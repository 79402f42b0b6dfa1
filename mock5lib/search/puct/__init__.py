"""Search with an expert: the readable tree, and the forest, many trees in flat arrays."""
