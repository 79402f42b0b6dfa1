"""The game: board, rules, symmetry, threats, records. Imports from no other room."""
