"""The checks of the exercises of chapter 8, bigger machines, each named after the function that the learner writes."""

from mock5check.ch08 import blanks
from mock5check.ch08.cluster import Cluster
from mock5check.ch08.collecting import collect
from mock5check.ch08.server import parameter_server
from mock5check.ch08.serving import serve
from mock5check.ch08.small import accept, busy_share, generator_for, speed_up
from mock5check.your_turn import turns_of

__all__ = [
    "Cluster",
    "accept",
    "busy_share",
    "collect",
    "generator_for",
    "parameter_server",
    "serve",
    "speed_up",
    "your_turn",
]

your_turn = turns_of(blanks)
