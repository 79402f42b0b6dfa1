"""No wrong solutions besides those that the exercises of chapter 9 declare."""

MUTANTS = {}
