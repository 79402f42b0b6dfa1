"""The checks of the exercises of chapter 4, AlphaGo, each named after the function that the learner writes."""

import numpy as np

from mock5check.bounded import bounded
from mock5check.ch02_slips import slips
from mock5check.core import Trial
from mock5check.slips import NO_RETURN
from mock5lib import Mock5

# 1. A softmax over the board ------------------------------------------------------------------------------------


def softmax(scores, axis):
    """The softmax along one axis, safe for large scores."""
    weights = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return weights / weights.sum(axis=axis, keepdims=True)


SOFTMAX_SLIPS = [  # of scores (B, H, W)
    (lambda x: None, NO_RETURN),
    (lambda x: softmax(x, 2).reshape(len(x), -1), "Each ROW sums to 1. Flatten first: all points of a board share it."),
    (lambda x: softmax(x, 1).reshape(len(x), -1), "Each COLUMN sums to 1. All points of a board share it."),
    (lambda x: softmax(x, 0).reshape(len(x), -1), "This normalises over the boards. Each board stands alone."),
    (lambda x: softmax(x.reshape(1, -1), 1).reshape(len(x), -1), "All boards together sum to 1; each should."),
    (lambda x: np.ones((len(x), x[0].size)), "A softmax over one channel is 1 everywhere."),
    (lambda x: softmax(x.reshape(len(x), -1), 1).reshape(x.shape), "The shape should be (B, H·W)."),
]


def board_softmax(function) -> None:
    """Check `board_softmax(scores)`: (B, H, W) → (B, H·W), each row a distribution over the points."""
    trial, rng = Trial("board_softmax"), np.random.default_rng(1)
    cases = [np.zeros((1, 2, 2)), np.array([[[0.0, 1.0], [2.0, 3.0]]]), np.array([[[1000.0, 1001.0], [999.0, 0.0]]])]
    cases += [rng.normal(0, 2, shape) for shape in ((2, 3, 3), (3, 4, 5), (4, 9, 9))]
    cases.append(np.array([[[1000.0, 999.0]], [[0.0, 1.0]]]))
    for scores in cases:
        why = f"The {scores[0].size} points of a board share one sum; there are {len(scores)} boards."
        if scores.max() > 100:
            why += " e^1000 is too large for a float: subtract the greatest score first"
            why += ", each board its OWN: −1,000 is too low for the others." if len(scores) > 1 else "."
        with np.errstate(all="ignore"):
            trial.expect(
                function,
                scores.copy(),
                right=softmax(scores.reshape(len(scores), -1), 1),
                why=why,
                likely=slips(SOFTMAX_SLIPS, scores),
            )
    trial.passed()


# 2. The window of a new stone -----------------------------------------------------------------------------------


def window(logits, row, col, weights, turned=True):
    """The logits after a stone at (row, col): point p gets weights[reach + stone − p]."""
    reach, new = len(weights) // 2, logits.copy()
    for r, c in np.ndindex(logits.shape):
        down, right = (row - r, col - c) if turned else (r - row, c - col)
        if abs(down) <= reach and abs(right) <= reach:
            new[r, c] += weights[reach + down, reach + right]
    return new


WINDOW_SLIPS = [  # of logits, row, col, weights
    (lambda x, r, c, w: None, NO_RETURN),
    (
        lambda x, r, c, w: window(x, r, c, w, turned=False),
        "The window is not turned round: a point ABOVE the stone sees the stone BELOW itself.",
    ),
    (lambda x, r, c, w: window(np.zeros_like(x), r, c, w), "The old logits are missing: the window is ADDED."),
    (lambda x, r, c, w: 2 * x - window(x, r, c, w), "The window is subtracted; add it."),
    (lambda x, r, c, w: window(x, c, r, w) if c < len(x) and r < len(x[0]) else None, "Row and column are swapped."),
    (lambda x, r, c, w: window(x, r, c, w[::-1]), "It must be turned in both directions, rows and columns."),
    (lambda x, r, c, w: window(x, r, c, w[:, ::-1]), "It must be turned in both directions, rows and columns."),
]


def add_stone(function) -> None:
    """Check `add_stone(logits, row, col, weights)`: new logits (H, W) after one more stone."""
    trial, rng = Trial("add_stone"), np.random.default_rng(2)
    nine = np.arange(9.0).reshape(3, 3)
    cases = [(np.zeros((5, 5)), 2, 2, nine), (np.ones((5, 5)), 0, 4, nine)]
    for height, width, reach in ((6, 4, 1), (7, 9, 2), (9, 9, 5), (9, 9, 5)):
        point = int(rng.integers(height)), int(rng.integers(width))
        cases.append((rng.normal(size=(height, width)), *point, rng.normal(size=(2 * reach + 1, 2 * reach + 1))))
    for logits, row, col, weights in cases:
        given, reach = logits.copy(), len(weights) // 2
        why = f"Point (r, c) gets weights[{reach} + {row} − r, {reach} + {col} − c] if that is in the window."
        trial.expect(
            function,
            given,
            row,
            col,
            weights.copy(),
            right=window(logits, row, col, weights),
            why=why,
            likely=slips(WINDOW_SLIPS, logits, row, col, weights),
        )
        trial.require(np.array_equal(given, logits), "It changed the logits that it was given. Work on a copy.")
    trial.passed()


# 3. Selection ---------------------------------------------------------------------------------------------------


def formula(priors, visits, totals, parent_visits, c, sign=-1.0, power=0.5, one=1):
    """Q + u of each child; `totals` belong to the player to move at the child."""
    q = np.divide(sign * totals, visits, out=np.zeros(len(visits)), where=visits > 0)
    return q + c * priors * parent_visits**power / (one + visits)


SELECT_SLIPS = [  # of priors, visits, totals, parent_visits, c
    (lambda *a: None, NO_RETURN),
    (lambda *a: int(formula(*a, sign=1.0).argmax()), "The sign of Q: what is good for the child is bad for us."),
    (lambda *a: int(formula(*a, power=1.0).argmax()), "Take the square ROOT of the parent's visits."),
    (lambda *a: int(formula(*a, power=0.0).argmax()), "The parent's visits are missing."),
    (lambda p, v, t, n, c: int((-t + c * p * np.sqrt(n) / (1 + v)).argmax()), "Q is the MEAN, total by visits."),
    (
        lambda p, v, t, n, c: int(formula(p, v, t, v.sum(), c).argmax()),
        "Take the parent_visits that are given. The sum of the children's is 0 at first: no prior would count.",
    ),
    (
        lambda p, v, t, n, c: int(np.where(v > 0, formula(p, v, t, n, c), np.inf).argmax()),
        "That tries each child once before all else, as UCT does. Here Q is 0 without visits, and the prior decides.",
    ),
    (lambda p, v, t, n, c: int(p.argmax()), "That is the highest prior. What was found counts, too."),
    (lambda p, v, t, n, c: int(v.argmax()), "The most visits choose the move to PLAY, not the next to look at."),
    (lambda *a: int(formula(*a).argmin()), "The greatest, not the least."),
]


def select(function) -> None:
    """Check `select(priors, visits, totals, parent_visits, c)`: the index of the greatest Q + u."""
    trial, rng = Trial("select"), np.random.default_rng(3)
    cases = [([0.5, 0.5], [10, 1], [4.0, -0.4], 12, 1.0), ([0.4, 0.4, 0.2], [8, 8, 0], [-4.0, 4.0, 0.0], 17, 1.0)]
    cases.append(([0.6, 0.399, 0.001], [3, 2, 0], [0.0, 0.0, 0.0], 6, 1.0))
    cases += [([0.1, 0.9], [1, 99], [-0.5, -45.0], 101, 5.0), ([0.2, 0.5, 0.3], [0, 0, 0], [0.0, 0.0, 0.0], 1, 5.0)]
    for n in (2, 5, 5, 9, 30, 30, 30, 81, 81, 81):
        visits = rng.integers(0, 40, n)
        totals = np.round(visits * rng.uniform(-1, 1, n), 2)
        c = float(rng.choice([0.5, 2.0, 5.0]))
        cases.append((rng.dirichlet(np.ones(n)), visits, totals, int(visits.sum()) + 1, c))
    for priors, visits, totals, parent_visits, c in cases:
        given = np.array(priors, float), np.array(visits, int), np.array(totals, float), parent_visits, c
        scores = formula(*given)
        why = f"Q + u is {np.round(scores[:6], 3).tolist()}{' …' if len(scores) > 6 else ''}."
        with np.errstate(all="ignore"):
            trial.expect(
                function,
                *(x.copy() if isinstance(x, np.ndarray) else x for x in given),
                right=int(scores.argmax()),
                why=why,
                likely=slips(SELECT_SLIPS, *given),
            )
    trial.passed()


# 4. One position a game -----------------------------------------------------------------------------------------


def one_per_game(function) -> None:
    """Check `one_per_game(games, rng)`: indices, one of each game, by lot, sorted."""
    trial = Trial("one_per_game")
    for games in ([0, 0, 0, 1, 1, 2], [5], [3, 1, 3, 1, 1, 7], np.repeat(np.arange(30), 20)):
        games, taken = np.array(games), []
        for seed in range(30):
            answer = trial.call(function, games.copy(), np.random.default_rng(seed))
            trial.require(answer is not None, NO_RETURN)
            answer = np.asarray(answer)
            call = f"one_per_game({games[:8].tolist()}{' …' if len(games) > 8 else ''}, rng)"
            count = len(np.unique(games))
            trial.require(answer.shape == (count,), f"There are {count} games, so {count} indices.", call=call)
            inside = np.issubdtype(answer.dtype, np.integer) and (answer >= 0).all() and (answer < len(games)).all()
            trial.require(inside, f"Return whole numbers from 0 to {len(games) - 1}: places in the list.", call=call)
            trial.require(len(np.unique(games[answer])) == count, "One position of EACH game.", call=call)
            trial.require((np.diff(answer) > 0).all(), "The indices should be sorted.", call=call)
            taken.append(answer)
        for game in np.unique(games):
            where = np.flatnonzero(games == game)
            seen = {int(i) for answer in taken for i in answer if games[i] == game}
            many = len(where) == 1 or len(seen) > min(2, len(where) - 1)
            trial.require(
                many,
                f"Game {game} has {len(where)} positions, 30 lots took only {sorted(seen)}: draw one "
                "by lot. The first ones of all games look alike.",
            )
    places = np.bincount(
        np.concatenate(taken) % 20, minlength=20
    )  # of the last list: 30 lots, 30 games of 20 positions
    rare, common = int(places.argmin()), int(places.argmax())
    trial.require(
        12 <= places[rare] and places[common] <= 100,
        f"In 900 lots from games of 20 positions, position {rare} came up {places[rare]} times and position {common} "
        f"{places[common]} times; by fair lots each comes up about 45 times. Draw from ALL positions of a game, and "
        "anew for each game.",
    )
    again = [trial.call(function, np.repeat([0, 1, 2], 9), np.random.default_rng(5)) for _ in range(2)]
    trial.require(np.array_equal(*again), "Equal generators should draw equal positions: use the `rng` that is given.")
    trial.passed()


# 5. Find the defect: back up ------------------------------------------------------------------------------------


def backed(path, value, flips=True, mean=True):
    """[(q, n)] of a path from the root to a leaf after one value, which belongs to the player to move at the leaf."""
    new = []
    for ply, (q, n) in enumerate(reversed(path)):
        v = -value if flips and ply % 2 else value
        new.append((q + (v - q) / (n + 1) if mean else q + v / (n + 1), n + 1))
    return new[::-1]


BACKUP_SLIPS = [  # of path, value
    (lambda p, v: None, NO_RETURN),
    (lambda p, v: backed(p, v, flips=False, mean=False), "That is the published code. It has two defects."),
    (lambda p, v: backed(p, v, mean=False), "The sign is right now. q is a harmonic sum still, not a mean."),
    (lambda p, v: backed(p, v, flips=False), "The mean is right now. The value must change its sign from ply to ply."),
    (lambda p, v: backed(p, -v), "The value belongs to the player to move at the LEAF: no change of sign there."),
    (lambda p, v: [(q, n) for q, n in p], "Nothing has changed."),
]


def backup(function) -> None:
    """Check `backup(path, value)`: new (q, n) of every node from the root to the leaf."""
    trial, rng = Trial("backup"), np.random.default_rng(5)
    cases = [([(0.0, 0)], 0.5), ([(0.5, 1), (-0.5, 1)], 1.0), ([(0.0, 3), (0.25, 2), (0.0, 0)], -1.0)]
    for length in (2, 3, 4, 7):
        path = [(float(np.round(rng.uniform(-1, 1), 2)), int(rng.integers(1, 50))) for _ in range(length - 1)]
        cases.append(([*path, (0.0, 0)], float(np.round(rng.uniform(-1, 1), 2))))
    for path, value in cases:
        why = f"At the leaf the value is {value:g}, one ply above it {-value:g}, and so on; q moves by (value − q)/n, "
        why += "with the new count n."
        trial.expect(
            function, list(path), value, right=backed(path, value), why=why, likely=slips(BACKUP_SLIPS, path, value)
        )
    trial.passed()


# 6. Find the defect: the greedy point ---------------------------------------------------------------------------


GREEDY_SLIPS = [  # of probabilities, legal
    (lambda p, ok: None, NO_RETURN),
    (lambda p, ok: int(np.argmax(p[ok])), "That is the published code: a place in the FILTERED list."),
    (lambda p, ok: int(np.argmax(p)), "That point is occupied."),
    (lambda p, ok: float(max(p)), "That is a probability, not a point."),
    (lambda p, ok: len(p) - 1 - int(np.argmax(np.where(ok, p, -1)[::-1])), "Of equally probable points, the FIRST."),
    (lambda p, ok: int(np.argmin(np.where(ok, p, 2))), "The most probable, not the least."),
]


def greedy_point(function) -> None:
    """Check `greedy_point(probabilities, legal)`: the most probable legal point."""
    trial, rng = Trial("greedy_point"), np.random.default_rng(6)
    cases = [([0.1, 0.6, 0.3], [True, True, True]), ([0.5, 0.1, 0.4], [False, True, True])]
    cases.append(([0.0, 0.0, 1.0, 0.0], [False, False, False, True]))
    cases.append(([0.05, 0.05, 0.1, 0.1, 0.6, 0.1], [False] * 2 + [True] * 4))
    cases.append(([0.1, 0.3, 0.3, 0.3], [True, False, True, True]))
    for n in (9, 25, 81, 81):
        legal = rng.random(n) < 0.6
        legal[int(rng.integers(n))] = True
        cases.append((rng.dirichlet(np.ones(n)), legal))
    for probabilities, legal in cases:
        p, ok = np.array(probabilities, float), np.array(legal, bool)
        right = int(np.argmax(np.where(ok, p, -1)))
        why = f"Legal points are {np.flatnonzero(ok)[:10].tolist()}; of them {right} has the highest probability."
        trial.expect(function, p.copy(), ok.copy(), right=right, why=why, likely=slips(GREEDY_SLIPS, p, ok))
    trial.passed()


# 7. Find the defect: the result of a rollout --------------------------------------------------------------------

FOUR, THREE = {"height": 5, "width": 5, "k": 4}, {"height": 3, "width": 3, "k": 3}
ENDS = [  # the board, how it begins, the moves to come, who wins (None: nobody yet)
    (FOUR, [16, 15, 17, 6, 18, 21], [19], 1),
    (FOUR, [0, 16, 15, 17, 6, 18, 21], [24, 1], None),
    (FOUR, [0, 16, 9, 17, 6, 18], [21, 19], 2),
    (FOUR, [0, 16, 9, 17, 6, 18, 21], [19], 2),
    (FOUR, [16, 15, 17, 6], [18, 21, 19], 1),
    (THREE, [0, 1, 2, 4, 3, 5, 7], [6, 8], 0),
]


def rollout_result(function) -> None:
    """Check `rollout_result(game, choose, limit)`: 1, 0 or −1 for the player to move before the rollout."""
    trial = Trial("rollout_result")
    for board, history, moves, winner in ENDS:
        for limit in (0, 1, 2, 50):
            game = Mock5(**board, history=history)
            played = moves[:limit]
            over = winner if len(played) == len(moves) else None
            if limit > len(moves) and winner is None:
                continue
            right = 0 if not over else 1 if over == game.player else -1
            end = f"Within {limit} moves nobody wins: 0." if not over else f"Player {over} wins: {right}."
            why = f"Player {game.player} was to move. {'The game ends in a draw: 0.' if over == 0 else end}"
            call = f"rollout_result(game, choose, {limit})\nwhere game is\n{game}\nand choose plays {moves} in turn"
            answer = trial.call(bounded(function), game, played_in_turn(trial, moves, call), limit)
            if answer != right or answer is None:
                hint = NO_RETURN if answer is None else None
                if answer == -right and right == 1:
                    hint = "After the last stone it is the LOSER's turn. Who was to move before the rollout?"
                elif over == 0:
                    hint = "A draw is worth 0: its winner is 0. None means that the game still runs."
                elif over is None and answer != 0:
                    hint = "A game without a winner is worth 0."
                trial.fail(why, call=call, answer=answer, right=right, hint=hint)
            trial.cases += 1
            trial.require(game.history == history, "It changed the game that it was given. Play on a copy.", call=call)
    trial.passed()


def played_in_turn(trial: Trial, moves: list[int], call: str):
    """A `choose` that plays the moves one after the other, and explains when it is asked for more."""
    coming = iter(moves)

    def choose(state):
        move = next(coming, None)
        if move is None:
            trial.fail(
                "The game is over, and choose was asked for another move.",
                call=call,
                hint="A game runs while its winner is None. A draw is 0, which counts as false, too.",
            )
        return move

    return choose
