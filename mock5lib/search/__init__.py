"""Search: plain UCT and its parallel forms. Imports from `game` and `agents` alone."""
