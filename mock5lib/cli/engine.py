"""`mock5 engine`: one of our agents as a brain for any Gomocup manager, or for any program that speaks Go's GTP."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from mock5lib.cli.common import Seed, few_threads, plain_errors


def engine(
    agent: Annotated[str, typer.Option(help="Which agent plays; see `mock5 play --help`.")] = "uct:10000",
    seed: Seed = 0,
    go: Annotated[bool, typer.Option("--go", help="Play Go, by GTP, instead of five in a row.")] = False,
) -> None:
    """Be an engine: speak the Gomocup protocol, or Go's GTP, on standard input and output.

    A manager, the program that runs a tournament of engines, starts it, sends
    START, INFO, TURN and so on, and reads moves as x,y, column first. The
    manager's limits of time and memory are kept.

    \b
    What a manager starts
      mock5 engine --agent expert:data/checkpoints/supervised_9x9@200
    By hand: a 9 × 9 board, your stone in its middle, the answer
      printf 'START 9\\nTURN 4,4\\nEND\\n' | mock5 engine --agent greedy
    Go, in a program such as Sabaki or GoGui
      mock5 engine --go --agent uct:10000
    """
    with plain_errors("An engine keeps no games; its manager starts it again."):
        few_threads()
        from mock5lib import names
        from mock5lib.engines import gomocup_server
        from mock5lib.go import gtp

        answers = os.dup(1)
        os.dup2(2, 1)  # whatever a library prints must not get between the answers
        try:
            (gtp if go else gomocup_server).serve(names.agent(agent, seed), 0, answers)
        except BrokenPipeError:
            pass
    sys.stderr.flush()
    os._exit(0)  # an agent that was late may still be thinking
