"""Wrong solutions of chapter 1 beside the slips of its declarations (form: tools/gate.py): there are none."""

MUTANTS = {}
