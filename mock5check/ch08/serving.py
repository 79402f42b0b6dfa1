"""The check of chapter 8's batch server."""

import numpy as np

from mock5check.ch08.serve_slips import SERVE_SLIPS, answers_of, batches_of
from mock5check.core import graded


def fixed(batch: int) -> float:
    """Seconds for a batch: 1 for the launch, and an eighth for each request."""
    return 1 + batch / 8


def growing(batch: int) -> float:
    """Seconds for a batch that gains nothing from company."""
    return 0.5 * batch


def in_steps(batch: int) -> float:
    """Seconds for a batch that fits into one pass, or does not."""
    return 1 if batch <= 4 else 3


def from_a_table(batch: int) -> float:
    """Seconds that were measured for batches of one and of two; there are no others."""
    return {1: 2.0, 2: 3.0}[batch]


SHOWN = {fixed: "1 + b / 8", growing: "0.5 * b", in_steps: "1 if b <= 4 else 3", from_a_table: "{1: 2.0, 2: 3.0}[b]"}


@graded
def serve(trial, function) -> None:
    """Check `serve(arrivals, most, deadline, seconds_of)`: when each request is answered."""
    rng = np.random.default_rng(8)
    cases = [
        ([0.0], 4, 2.0, fixed),
        ([0.0, 0.0008], 4, 0.0, fixed),
        ([], 4, 1.0, fixed),
        ([0.0, 0.5, 1.0, 1.5], 4, 10.0, fixed),
        ([0.0, 0.5, 1.0, 1.5], 4, 1.0, fixed),
        ([0.0, 0.5, 1.0, 1.5], 4, 0.0, fixed),
        ([0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6], 3, 5.0, fixed),
        ([3.0, 3.0, 3.0, 9.0], 2, 1.0, fixed),
        ([0.0, 1.0, 2.0, 3.0, 50.0], 2, 0.5, growing),
        ([1.0, 1.0, 1.0], 1, 7.0, growing),
        ([0.0, 2.0, 2.0, 2.0], 8, 2.0, fixed),
        ([0.0, 5.0, 5.5, 6.0, 30.0], 2, 4.0, fixed),
        ([0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 4.0], 8, 1.0, in_steps),
        ([1.7e9], 2, 1.0, fixed),
        ([float(second) for second in range(3000)], 1, 0.0, fixed),
        ([0.0, 1.0000005], 3, 1.0, fixed),
        ([0, 1, 2], 2, 5, fixed),  # whole numbers, and answers that are none
        ([0.0, 0.0, 1.0], 2, 1.0, from_a_table),
        ([third / 3 for third in (0, 1, 2, 4, 5, 7, 8, 20, 22)], 3, 2 / 3, in_steps),
    ]
    cases += [
        (np.sort(np.round(rng.random(40) * span, 2)).tolist(), most, deadline, seconds_of)
        for span, most, deadline, seconds_of in (
            (10.0, 8, 0.3, fixed),
            (60.0, 8, 1.0, fixed),
            (60.0, 4, 5.0, fixed),
            (20.0, 3, 0.2, growing),
        )
    ]

    def why(arrivals, most, deadline, seconds_of):
        if not arrivals:
            return "Without requests there are no answers."
        batches = batches_of(arrivals, most, deadline, seconds_of)
        told = "; ".join(f"{taken} at {start:.6g}, answered at {end:.6g}" for start, taken, end in batches[:4])
        return (
            f"A batch starts when the server is free and {most} {'waits' if most == 1 else 'wait'}, or the first has "
            f"waited {deadline:.4g} s. Here that is: {told}{'; …' if len(batches) > 4 else ''}."
        )

    def call(arrivals, most, deadline, seconds_of):
        shown = f"[{', '.join(f'{at:.4g}' for at in arrivals[:6])}{', …' if len(arrivals) > 6 else ''}]"
        return f"serve({shown}, most={most}, deadline={deadline:.4g}, seconds_of=lambda b: {SHOWN[seconds_of]})"

    def observe(solution, *case):
        answer = solution(*case)
        if isinstance(answer, np.ndarray):
            text = "Return a list: an array has no `count`, and other methods that the next cell needs."
            trial.fail(text, call=trial.last_call, answer=answer)
        if isinstance(answer, list) and None in answer and len(answer) == len(case[0]):
            text = "gets no answer: None. (Several may come at one moment; `arrivals.index` finds the first of these.)"
            trial.fail(f"Request {answer.index(None)} {text}", call=trial.last_call, answer=answer)
        return answer

    trial.compare(function, cases, right=answers_of, why=why, slips=SERVE_SLIPS, call=call, observe=observe, long=20.0)
