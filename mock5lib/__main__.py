"""`python -m mock5lib`: the same as `mock5`."""

from mock5lib.cli import run

run()
