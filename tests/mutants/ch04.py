"""Wrong solutions of the exercises of chapter 4 that their checks must reject (form: tools/gate.py)."""

MUTANTS = {
    "board_softmax": {
        "rows": ("flat = scores.reshape(len(scores), -1)", "flat = scores"),
        "over the boards": ("flat.max(axis=1, keepdims=True)", "flat.max(axis=0, keepdims=True)"),
        "sum over the boards": ("weights.sum(axis=1, keepdims=True)", "weights.sum(axis=0, keepdims=True)"),
        "the greatest of all boards": ("flat.max(axis=1, keepdims=True)", "flat.max()"),
        "all boards together": ("weights.sum(axis=1, keepdims=True)", "weights.sum()"),
        "overflows": ("np.exp(flat - flat.max(axis=1, keepdims=True))", "np.exp(flat)"),
        "one channel": "def board_softmax(scores):\n    return np.ones((len(scores), scores[0].size))",
        "not normalised": ("weights / weights.sum(axis=1, keepdims=True)", "weights"),
        "nothing returned": "def board_softmax(scores):\n    pass",
    },
    "add_stone": {
        "not turned": ("weights[::-1, ::-1]", "weights"),
        "rows turned only": ("weights[::-1, ::-1]", "weights[::-1]"),
        "columns turned only": ("weights[::-1, ::-1]", "weights[:, ::-1]"),
        "subtracted": ("+= weights", "-= weights"),
        "replaced": ("+= weights", "= weights"),
        "a step off": ("wide[row : row + side, col : col + side]", "wide[row + 1 : row + 1 + side, col : col + side]"),
        "changes what is given": (
            "return wide[reach:-reach, reach:-reach]",
            "logits[:] = wide[reach:-reach, reach:-reach]; return logits",
        ),
    },
    "select": {
        "sign": ("-totals", "totals"),
        "no root": ("np.sqrt(parent_visits)", "parent_visits"),
        "no parent": ("np.sqrt(parent_visits)", "1"),
        "sum of the children's visits": ("np.sqrt(parent_visits)", "np.sqrt(visits.sum())"),
        "a new child first": ("/ np.maximum(visits, 1), 0)", "/ np.maximum(visits, 1), np.inf)"),
        "total for mean": ("np.where(visits > 0, -totals / np.maximum(visits, 1), 0)", "-totals"),
        "least": ("np.argmax", "np.argmin"),
        "prior only": "def select(priors, visits, totals, parent_visits, c):\n    return int(np.argmax(priors))",
        "visits only": "def select(priors, visits, totals, parent_visits, c):\n    return int(np.argmax(visits))",
        "prior does not fade": (" / (1 + visits)", ""),
    },
    "one_per_game": {
        "first of each": ("rng.choice(np.flatnonzero(games == game))", "np.flatnonzero(games == game)[0]"),
        "last of each": ("rng.choice(np.flatnonzero(games == game))", "np.flatnonzero(games == game)[-1]"),
        "of the first three": (
            "rng.choice(np.flatnonzero(games == game))",
            "rng.choice(np.flatnonzero(games == game)[:3])",
        ),
        "never the last": (
            "rng.choice(np.flatnonzero(games == game))",
            "rng.choice(np.flatnonzero(games == game)[: max(1, (games == game).sum() - 1)])",
        ),
        "early ones more often": (
            "rng.choice(np.flatnonzero(games == game))",
            "np.flatnonzero(games == game)[int(rng.random() ** 3 * (games == game).sum())]",
        ),
        "one lot for all games": (
            "chosen = [rng.choice(np.flatnonzero(games == game))",
            "lot = rng.random()\n    chosen = [np.flatnonzero(games == game)[int(lot * (games == game).sum())]",
        ),
        "all of them": "def one_per_game(games, rng):\n    return np.arange(len(games))",
        "so many by lot": (
            "[rng.choice(np.flatnonzero(games == game)) for game in np.unique(games)]",
            "rng.choice(len(games), len(np.unique(games)), replace=False)",
        ),
        "its own generator": ("rng.choice(", "np.random.default_rng().choice("),
        "not sorted": ("return np.sort(chosen)", "return np.sort(chosen)[::-1]"),
        "the games": ("return np.sort(chosen)", "return np.unique(games)"),
    },
}

# Wrong solutions that an earlier edition of the checks accepted, or that made them crash or hang.
EDGE = {
    "board_softmax": {
        "clipped": (
            "flat = scores.reshape(len(scores), -1)",
            "flat = np.clip(scores.reshape(len(scores), -1), -50, 50)",
        ),
        "in place": (
            "flat = scores.reshape(len(scores), -1)",
            "flat = scores.reshape(len(scores), -1)\n    flat -= flat.max(axis=1, keepdims=True)",
        ),
        "nested lists": (
            "return weights / weights.sum(axis=1, keepdims=True)",
            "return (weights / weights.sum(axis=1, keepdims=True)).tolist()",
        ),
        "as the board": (
            "return weights / weights.sum(axis=1, keepdims=True)",
            "return (weights / weights.sum(axis=1, keepdims=True)).reshape(scores.shape)",
        ),
        "kept off zero": (
            "return weights / weights.sum(axis=1, keepdims=True)",
            "return (weights + 1e-6) / (weights + 1e-6).sum(axis=1, keepdims=True)",
        ),
    },
    "add_stone": {
        "a shared buffer": (
            "    return wide",
            "    global held\n    held = {} if 'held' not in globals() else held\n    out = held.setdefault(logits.shape, np.zeros(logits.shape))\n    out[:] = wide[reach:-reach, reach:-reach]\n    return out\n    return wide",
        ),
        "nested lists": ("return wide[reach:-reach, reach:-reach]", "return wide[reach:-reach, reach:-reach].tolist()"),
        "padding left on": ("return wide[reach:-reach, reach:-reach]", "return wide"),
        "wraps round the edge": "def add_stone(logits, row, col, weights):\n    reach, new = len(weights) // 2, logits.copy()\n"
        "    for r, c in np.ndindex(weights.shape):\n        y, x = (row + r - reach) % len(new), (col + c - reach) % len(new[0])\n"
        "        new[y, x] += weights[::-1, ::-1][r, c]\n    return new",
        "turns the weights": (
            "wide[row : row + side",
            "weights[:] = weights[::-1, ::-1].copy(); weights = weights[::-1, ::-1]\n    wide[row : row + side",
        ),
    },
    "select": {
        "unvisited child at −1": ("/ np.maximum(visits, 1), 0)", "/ np.maximum(visits, 1), -1)"),
        "unvisited child at the mean": (
            "/ np.maximum(visits, 1), 0)",
            "/ np.maximum(visits, 1), -totals.sum() / max(visits.sum(), 1))",
        ),
        "one more in the root": ("np.sqrt(parent_visits)", "np.sqrt(parent_visits + 1)"),
        "last of equal ones": ("return int(np.argmax(q + u))", "return int(len(q) - 1 - np.argmax((q + u)[::-1]))"),
        "changes the visits": ("    q = np.where", "    visits += visits == 0\n    q = np.where"),
        "the score": ("return int(np.argmax(q + u))", "return float(np.max(q + u))"),
        "text": ("return int(np.argmax(q + u))", "return str(np.argmax(q + u))"),
    },
    "one_per_game": {
        "a list": ("return np.sort(chosen)", "return sorted(chosen)"),
        "sorts the games": ("    chosen = [", "    games.sort()\n    chosen = ["),
        "a mask": ("return np.sort(chosen)", "return np.isin(np.arange(len(games)), chosen)"),
        "floats": ("return np.sort(chosen)", "return np.sort(chosen).astype(float)"),
        "never ends": ("    chosen = [", "    while len(np.unique(games)) == 1: pass\n    chosen = ["),
    },
    "boards_before": {
        "as found": "def boards_before(game, moves):\n    state, found = game.copy(), []\n    for move in moves:\n"
        "        state.apply(move)\n        found.append(state.cells)\n    return np.array(found)",
        "after the move": (
            "        row[state.cells == state.player] = 1\n        row[state.cells == 3 - state.player] = -1\n        state.apply(move)\n",
            "        state.apply(move)\n        row[state.cells == state.player] = 1\n        row[state.cells == 3 - state.player] = -1\n",
        ),
        "black is always 1": (
            "        row[state.cells == state.player] = 1\n        row[state.cells == 3 - state.player] = -1\n",
            "        row[state.cells == 1] = 1\n        row[state.cells == 2] = -1\n",
        ),
        "one player all along": (
            "        row[state.cells == state.player] = 1\n        row[state.cells == 3 - state.player] = -1\n",
            "        row[state.cells == game.player] = 1\n        row[state.cells == 3 - game.player] = -1\n",
        ),
        "signs turned": (
            "row[state.cells == state.player] = 1\n        row[state.cells == 3 - state.player] = -1",
            "row[state.cells == state.player] = -1\n        row[state.cells == 3 - state.player] = 1",
        ),
        "opponent left out": ("        row[state.cells == 3 - state.player] = -1\n", ""),
        "plays in the game": ("game.copy(), np", "game, np"),
        "last board everywhere": ("    return found", "    return np.repeat(found[-1:], len(moves), axis=0)"),
        "the last board too": (
            "np.zeros((len(moves), len(game.board)), dtype=int)",
            "np.zeros((len(moves) + 1, len(game.board)), dtype=int)",
        ),
        "a list": ("    return found", "    return found.tolist()"),
        "from the empty board": ("game.copy(), np", "Mock5(game.height, game.width, k=game.k), np"),
        "texts": ("return found", "return found.astype(str)"),
    },
    "batches": {
        "as found": "def batches(count, size, rng):\n    order = np.roll(np.arange(count), rng.integers(count))\n    return [order[size * i : size * (i + 1)] for i in range(count // size)]",
        "last batch missing": ("range(0, count, size)]", "range(0, count - size + 1, size)]"),
        "rolled": ("rng.permutation(count)", "np.roll(np.arange(count), rng.integers(count))"),
        "not shuffled": ("rng.permutation(count)", "np.arange(count)"),
        "with repetition": ("rng.permutation(count)", "rng.integers(count, size=count)"),
        "own generator": ("rng.permutation", "np.random.default_rng().permutation"),
        "always the same order": ("rng.permutation(count)", "np.random.default_rng(0).permutation(count)"),
        "batches shuffled, not examples": (
            "    return [order[start : start + size] for start in range(0, count, size)]",
            "    order = np.arange(count)\n    out = [order[start : start + size] for start in range(0, count, size)]\n    return [out[i] for i in rng.permutation(len(out))]",
        ),
        "overlapping": ("order[start : start + size]", "order[start : start + size + 1]"),
        "one array": ("return [order[start : start + size] for start in range(0, count, size)]", "return order"),
        "lists": ("order[start : start + size] for", "order[start : start + size].tolist() for"),
        "short batch filled up": (
            "order[start : start + size] for",
            "np.resize(order[start : start + size], size) for",
        ),
    },
    "when_to_stop": {
        "as found": "def when_to_stop(losses, patience):\n    waited = epoch = 0\n    for epoch in range(1, len(losses)):\n"
        "        waited = 0 if losses[epoch] < losses[epoch - 1] else waited + 1\n        if waited >= patience:\n            break\n    return epoch + 1, epoch",
        "against the last": ("if loss < best:", "if epoch == 0 or loss < losses[epoch - 1]:"),
        "last epoch kept": ("return epoch + 1, place", "return epoch + 1, epoch"),
        "last epoch kept at the end": ("return len(losses), place", "return len(losses), len(losses) - 1"),
        "one too long": (">= patience", "> patience"),
        "one too short": (">= patience", ">= patience - 1"),
        "equal is better": ("loss < best", "loss <= best"),
        "never waits anew": ("epoch - place >= patience", "sum(x > best for x in losses[: epoch + 1]) > patience"),
        "numbers of epochs from 1": ("return epoch + 1, place", "return epoch + 1, place + 1"),
        "best of all losses": ("return epoch + 1, place", "return epoch + 1, losses.index(min(losses))"),
        "a list of losses cut": (
            "return epoch + 1, place",
            "del losses[epoch + 1 :]\n            return epoch + 1, place",
        ),
        "stops one epoch late": ("return epoch + 1, place", "return epoch + 2, place"),
    },
}
