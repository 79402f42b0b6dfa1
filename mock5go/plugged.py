"""Agents that this package brings to `mock5lib.names`: foreign Go programs."""

from __future__ import annotations

from mock5go.gtp import GtpAgent
from mock5lib.names import Kind, ProgramOptions, options_of

GTP = Kind("gtp:gnugo --mode gtp --level 1", options_of(ProgramOptions, "seconds memory"), program=GtpAgent)
