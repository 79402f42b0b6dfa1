"""Wrong solutions of the exercises of chapter 5: all are declared, so their slips are the wrong ones."""

MUTANTS = {}
