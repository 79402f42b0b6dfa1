"""What is said of a `gumbel_root` in the capstone of chapter 6 that goes another way than the right one."""

from math import ceil, log2

import numpy as np

from mock5check.answers import nearly, same
from mock5check.ch06.formulas import observed_root, right_gumbel

SHOWN = 8  # moves whose scores are shown, the best ones
LINES = 5  # about the phases
MANY = 16  # an array of more numbers is shown by its shape alone


class Told:
    """Observes solutions of `gumbel_root`, and explains what is right beside what the last but one of them did."""

    def __init__(self):
        self.seen = []  # (answer, the simulated moves in their order): the learner's and the right one

    def observe(self, solution, *case):
        """What came back and what was simulated."""
        order = []
        answer = observed_root(solution, *case, order=order)
        self.seen = [*self.seen[-1:], (answer, order)]
        return answer

    def why(self, log_priors, value, gumbels, truth, budget, considered) -> str:
        """What the right `gumbel_root` does in this case, phase by phase, and where the learner's leaves it."""
        case, phases = (log_priors, value, gumbels, truth, budget, considered), []
        observed_root(lambda *args: right_gumbel(*args, told=phases), *case)
        m = min(considered, len(log_priors))
        number = max(1, ceil(log2(m)))
        lines = [
            f"Candidates, by g + log p: {phases[0].before}. With {m} there "
            f"{'is 1 phase' if number == 1 else f'are {number} phases'} in all."
        ]
        for before, each, used, left, _ in phases:
            share = f"max(1, {budget} // ({number} · {len(before)}))"
            lines.append(
                f"{before} get {share} = {each} each, in turn; {used} of {budget} are used, and by g + log p + σ "
                f"{left} {'stays' if len(left) == 1 else 'stay'}, in this order."
            )
        if len(lines) > LINES + 1:
            lines[LINES:] = ["And so on, until the budget is used up."]
        if len(self.seen) == 2:
            (answer, mine), (right, order) = self.seen
            lines += [_where_it_leaves(mine, order, answer, right, phases, log_priors + gumbels)]
            lines += _visits_that_differ(answer, right)
            close = mine == order and not same(answer.q, right.q) and nearly(answer.q, right.q)
            lines += [f"q: {close[0].lower()}{close[1:]}"] if close else []
        return "\n".join(line for line in lines if line)


def _where_it_leaves(mine: list, order: list, answer, right, phases: list, first) -> str:
    """The first simulation that is another one, and the scores by which its phase's moves were chosen."""
    if mine == order:
        if getattr(answer, "move", None) in (None, right.move):
            return ""
        last = phases[-1]
        return (
            "Your simulations are the right ones; what differs is the move that is returned, the first one after the "
            "last cut. This cut is made among all moves of the last phase, also those without a visit, by "
            f"g + log p + σ: {_scores(last.scores, last.before)}."
        )
    place = next((i for i, pair in enumerate(zip(mine, order)) if pair[0] != pair[1]), min(len(mine), len(order)))
    if place == len(order):
        return f"The first {place} simulations are the right ones, but yours went on: there were {len(mine)}."
    phase = next(number for number, phase in enumerate(phases) if place < phase.used)
    came = f"yours is of move {mine[place]}" if place < len(mine) else "yours had ended before"
    came += f", the right one of move {order[place]}"
    if phase == 0:
        scores = f"The candidates are chosen by g + log p: {_scores(first, range(len(first)))}."
    else:
        before = phases[phase - 1]
        scores = f"After phase {phase} they are chosen by g + log p + σ: {_scores(before.scores, before.before)}."
    return f"The first simulation that differs is number {place + 1}, in phase {phase + 1}: {came}. {scores}"


def _scores(scores, moves) -> str:
    """The best of these moves with their scores."""
    best = sorted(moves, key=lambda move: (-scores[move], move))
    numbers = {digits: [f"{scores[move]:.{digits}g}" for move in best] for digits in (6, 9, 12)}
    digits = next(some for some, texts in numbers.items() if len(set(texts)) == len(set(numbers[12])))
    told = [f"{move} has {number}" for move, number in zip(best[:SHOWN], numbers[digits])]
    return ", ".join(told) + ", …" * (len(best) > SHOWN)


def _visits_that_differ(answer, right) -> list:
    """Of arrays that are too long to be shown: which moves have other visits."""
    visits = getattr(answer, "visits", None)
    if len(right.visits) <= MANY or not isinstance(visits, np.ndarray) or visits.shape != right.visits.shape:
        return []
    differ = np.flatnonzero(visits != right.visits)
    shown = "; ".join(f"move {i}: {visits[i]:g}, right {right.visits[i]}" for i in differ[:SHOWN])
    return [f"Visits that differ: {shown}{'; …' * (len(differ) > SHOWN)}."] if len(differ) else []
