"""Unusual right solutions of the exercises of chapter 4 that their checks must accept (form: tools/gate.py)."""

RIGHT = {
    "board_softmax": {
        "board by board": "def board_softmax(scores):\n    rows = []\n    for s in scores:\n        w = np.exp(s - s.max())\n        rows.append((w / w.sum()).ravel())\n    return np.array(rows)",
        "over two axes": "def board_softmax(scores):\n    w = np.exp(scores - scores.max(axis=(1, 2), keepdims=True))\n    return (w / w.sum(axis=(1, 2), keepdims=True)).reshape(len(w), -1)",
        "by scipy": "from scipy.special import softmax\ndef board_softmax(scores):\n    return softmax(scores.reshape(len(scores), -1), axis=1)",
    },
    "add_stone": {
        "point by point": "def add_stone(logits, row, col, weights):\n    new, reach = logits.copy(), len(weights) // 2\n    for r in range(len(new)):\n        for c in range(len(new[0])):\n            if abs(row - r) <= reach and abs(col - c) <= reach:\n                new[r, c] += weights[reach + row - r, reach + col - c]\n    return new",
        "by scipy": "from scipy.signal import convolve2d\ndef add_stone(logits, row, col, weights):\n    stone = np.zeros(logits.shape)\n    stone[row, col] = 1\n    reach = len(weights) // 2\n    full = convolve2d(stone, weights[::-1, ::-1])\n    return logits + full[reach : reach + len(logits), reach : reach + len(logits[0])]",
        "by slices": "def add_stone(logits, row, col, weights):\n    new, reach, w = np.array(logits), len(weights) // 2, np.rot90(weights, 2)\n    h, k = new.shape\n    top, left = max(0, row - reach), max(0, col - reach)\n    low, right = min(h, row + reach + 1), min(k, col + reach + 1)\n    new[top:low, left:right] += w[top - row + reach : low - row + reach, left - col + reach : right - col + reach]\n    return new",
    },
    "select": {
        "in a loop": "import math\ndef select(priors, visits, totals, parent_visits, c):\n    best, place = -math.inf, 0\n    for i, (p, n, w) in enumerate(zip(priors, visits, totals)):\n        score = (-w / n if n else 0) + c * p * math.sqrt(parent_visits) / (1 + n)\n        if score > best:\n            best, place = score, i\n    return place",
        "by np.divide": "def select(priors, visits, totals, parent_visits, c):\n    q = np.divide(-totals, visits, out=np.zeros(len(visits)), where=visits > 0)\n    return np.argmax(q + c * priors * parent_visits**0.5 / (1 + visits))",
        "by max": "def select(priors, visits, totals, parent_visits, c):\n    q = -totals / np.maximum(1, visits)\n    u = c * priors * np.sqrt(parent_visits) / (visits + 1)\n    return max(range(len(q)), key=lambda i: q[i] + u[i])",
    },
    "one_per_game": {
        "by a shuffle": "def one_per_game(games, rng):\n    order = rng.permutation(len(games))\n    _, first = np.unique(games[order], return_index=True)\n    return np.sort(order[first])",
        "by integers": "def one_per_game(games, rng):\n    out = []\n    for g in sorted(set(games.tolist())):\n        where = [i for i, x in enumerate(games) if x == g]\n        out.append(where[int(rng.integers(len(where)))])\n    return np.array(sorted(out))",
        "by the greatest random number": "def one_per_game(games, rng):\n    r = rng.random(len(games))\n    return np.array(sorted(max(np.flatnonzero(games == g), key=lambda i: r[i]) for g in np.unique(games)))",
    },
    "boards_before": {
        "by np.where": "def boards_before(game, moves):\n    state, out = game.copy(), []\n    for move in moves:\n        cells = state.cells.astype(int)\n        out.append(np.where(cells == 0, 0, np.where(cells == state.player, 1, -1)))\n        state.apply(move)\n    return np.array(out, dtype=int).reshape(len(moves), len(game.board))",
        "from lists": "def boards_before(game, moves):\n    state, rows = game.copy(), []\n    for move in moves:\n        rows.append([0 if s == 0 else 1 if s == state.player else -1 for s in list(state.board)])\n        state.apply(move)\n    return np.array(rows, int) if rows else np.zeros((0, len(list(game.board))), int)",
        "backwards": "def boards_before(game, moves):\n    state, n = game.copy(), game.height * game.width\n    out = np.zeros((len(moves), n), dtype=np.int8)\n    for m in moves:\n        state.apply(m)\n    for i in reversed(range(len(moves))):\n        state.undo()\n        out[i] = (state.cells == state.player).astype(np.int8) - (state.cells == 3 - state.player)\n    return out",
    },
    "batches": {
        "by a shuffle": "def batches(count, size, rng):\n    order = np.arange(count)\n    rng.shuffle(order)\n    return [order[i : i + size] for i in range(0, count, size)]",
        "by split": "def batches(count, size, rng):\n    return np.split(rng.permutation(count), range(size, count, size))",
        "by sorting random numbers": "def batches(count, size, rng):\n    order, out = rng.random(count).argsort(), []\n    while len(order):\n        out.append(order[:size])\n        order = order[size:]\n    return tuple(out)",
    },
    "when_to_stop": {
        "waiting counted": "def when_to_stop(losses, patience):\n    best, place, waited = losses[0], 0, 0\n    for epoch in range(1, len(losses)):\n        if losses[epoch] < best:\n            best, place, waited = losses[epoch], epoch, 0\n        else:\n            waited += 1\n            if waited == patience:\n                return epoch + 1, place\n    return len(losses), place",
        "by argmin": "def when_to_stop(losses, patience):\n    for trained in range(1, len(losses) + 1):\n        place = int(np.argmin(losses[:trained]))\n        if trained - 1 - place >= patience:\n            break\n    return trained, place",
        "a list": "def when_to_stop(losses, patience):\n    place = 0\n    for epoch in range(len(losses)):\n        if losses[epoch] < losses[place]:\n            place = epoch\n        if epoch == place + patience:\n            return [epoch + 1, place]\n    return [len(losses), place]",
    },
}
