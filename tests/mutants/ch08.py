"""No wrong solutions besides those that the exercises of chapter 8 declare."""

MUTANTS = {}
