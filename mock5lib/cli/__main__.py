"""`python -m mock5lib.cli`: the same as `mock5`."""

from mock5lib.cli import run

run()
