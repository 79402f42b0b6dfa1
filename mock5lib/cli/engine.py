"""`mock5 engine`: one of our agents as a brain for any Gomocup manager."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from mock5lib.cli.common import Seed, plain_errors
from mock5lib.cli.play import complete_agent
from mock5lib.cli.threads import few_threads


def engine(
    agent: Annotated[
        str, typer.Option(help="Which agent plays; see `mock5 play --help`.", autocompletion=complete_agent)
    ] = "uct:10000",
    seed: Seed = 0,
) -> None:
    """Be an engine: speak the Gomocup protocol on standard input and output.

    A manager starts it with a command such as `mock5 engine --agent expert:data/checkpoints/supervised_9x9@200`, sends
    START, INFO, TURN and so on, and reads moves. Time and memory limits of the manager are kept.
    """
    with plain_errors():
        few_threads()
        from mock5lib import specs
        from mock5lib.arena.gomocup import serve

        answers = os.dup(1)
        os.dup2(2, 1)  # whatever a library prints must not get between the answers
        try:
            serve(specs.agent(agent, seed), 0, answers)
        except BrokenPipeError:
            pass
    sys.stderr.flush()
    os._exit(0)  # an agent that was late may still be thinking
