"""The ground floor: files written whole, random generators, ranges of arguments, progress. It knows no game."""
