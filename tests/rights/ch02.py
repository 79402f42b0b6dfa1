"""Unusual right solutions of the exercises of chapter 2 that their checks must accept (form: tools/gate.py)."""

RIGHT = {
    "point_score": {
        "in NumPy": "def point_score(own, other, centre, base, weight):\n    return centre + (float(base) ** np.array(own)).sum() + weight * (float(base) ** np.array(other)).sum()",
        "in a loop": "def point_score(own, other, centre, base, weight):\n    score = centre\n    for d in range(4):\n        score += pow(base, own[d])\n        score += weight * pow(base, other[d])\n    return score",
        "by map": "def point_score(own, other, centre, base, weight):\n    return sum(map(base.__pow__, own)) + weight * sum(map(base.__pow__, other)) + centre",
    },
    "planes": {
        "booleans": (".astype(float)", ""),
        "bytes": (".astype(float)", ".astype(np.int8)"),
        "point by point": "def planes(board, player, height, width):\n    out = np.zeros((3, height, width), np.float32)\n    for i, stone in enumerate(board):\n        plane = 2 if stone == 0 else 0 if stone == player else 1\n        out[plane, i // width, i % width] = 1\n    return out",
    },
    "log_policy": {
        "by logaddexp": "def log_policy(logits, empty):\n    out = np.full(len(logits), -np.inf)\n    out[empty] = logits[empty] - np.logaddexp.reduce(logits[empty])\n    return out",
        "point by point": "import math\ndef log_policy(logits, empty):\n    top = max(x for x, e in zip(logits, empty) if e)\n    total = sum(math.exp(x - top) for x, e in zip(logits, empty) if e)\n    return np.array([x - top - math.log(total) if e else -math.inf for x, e in zip(logits, empty)])",
        "by scipy": "from scipy.special import log_softmax\ndef log_policy(logits, empty):\n    return log_softmax(np.where(empty, logits, -np.inf))",
    },
    "tempered": {
        "in logarithms": "def tempered(chances, temperature):\n    if temperature == 0:\n        best = chances == chances.max()\n        return best / best.sum()\n    with np.errstate(divide='ignore'):\n        x = np.log(chances) / temperature\n    w = np.exp(x - x.max())\n    return w / w.sum()",
        "point by point": "def tempered(chances, temperature):\n    top = max(chances)\n    w = [float(p == top) if temperature == 0 else (p / top) ** (1 / temperature) for p in chances]\n    return np.array([x / sum(w) for x in w])",
        "by np.power": "def tempered(chances, temperature):\n    w = np.power(chances / np.max(chances), 1 / temperature) if temperature > 0 else np.isin(chances, chances.max())\n    return w / np.sum(w)",
    },
    "top_k": {
        "by sorting": "def top_k(scores, moves, k):\n    best = np.argsort(-scores, axis=1)[:, :k]\n    return (best == moves[:, None]).any(axis=1).mean()",
        "in a loop": "def top_k(scores, moves, k):\n    hits = 0\n    for row, move in zip(scores, moves):\n        hits += move in sorted(range(len(row)), key=lambda i: -row[i])[:k]\n    return hits / len(moves)",
        "by ranks": "def top_k(scores, moves, k):\n    ranks = (-scores).argsort(axis=1).argsort(axis=1)\n    return float(np.mean([ranks[i, m] < k for i, m in enumerate(moves)]))",
    },
    "held_out": {
        "by choice": "def held_out(lengths, fraction, rng):\n    n = len(lengths)\n    count = int(np.clip(round(fraction * n), 1, n - 1))\n    chosen = rng.choice(n, size=count, replace=False)\n    return np.isin(np.repeat(np.arange(n), lengths), chosen)",
        "by the least random numbers": "def held_out(lengths, fraction, rng):\n    n = len(lengths)\n    count = max(1, min(round(fraction * n), n - 1))\n    rank = rng.random(n).argsort().argsort()\n    return np.concatenate([np.full(length, r < count) for length, r in zip(lengths, rank)])",
        "in a loop": "def held_out(lengths, fraction, rng):\n    games = list(range(len(lengths)))\n    rng.shuffle(games)\n    chosen = set(games[: min(max(round(fraction * len(games)), 1), len(games) - 1)])\n    mask = []\n    for g, length in enumerate(lengths):\n        mask += [g in chosen] * int(length)\n    return np.array(mask)",
    },
    "turn_example": {
        "by transposing": "def turn_example(planes, move):\n    c, h, w = planes.shape\n    return planes.transpose(0, 2, 1)[:, ::-1], (w - 1 - move % w) * h + move // w",
        "by a marked board": "def turn_example(planes, move):\n    mark = np.zeros(planes.shape[1:], bool)\n    mark.flat[move] = True\n    return np.stack([np.rot90(p) for p in planes]), int(np.flatnonzero(np.rot90(mark))[0])",
        "a list of two": "def turn_example(planes, move):\n    h, w = planes.shape[-2:]\n    row, column = np.unravel_index(move, (h, w))\n    return [np.rot90(planes, axes=(-2, -1)).copy(), int(np.ravel_multi_index((w - 1 - column, row), (w, h)))]",
    },
    "choose": {
        "by cumulated sums": "def choose(scores, empty, epsilon, rng):\n    points = np.flatnonzero(empty)\n    w = scores[points].astype(float)\n    if rng.random() < epsilon or not w.any():\n        w = np.ones(len(points))\n    return int(points[np.searchsorted(np.cumsum(w), rng.random() * w.sum(), side='right')])",
        "as one mixture": "def choose(scores, empty, epsilon, rng):\n    even = empty / empty.sum()\n    w = np.where(empty, scores, 0.0)\n    p = even if w.sum() == 0 else (1 - epsilon) * w / w.sum() + epsilon * even\n    return rng.choice(len(scores), p=p)",
        "by the race of exponentials": "def choose(scores, empty, epsilon, rng):\n    w = np.where(empty, scores, 0.0)\n    if w.sum() == 0 or rng.random() < epsilon:\n        w = empty.astype(float)\n    with np.errstate(divide='ignore'):\n        return int(np.argmin(rng.exponential(size=len(w)) / w))",
    },
    "ceiling": {
        "by einsum": "def ceiling(parts, weights):\n    return np.einsum('a,asn->sn', weights, parts).max(axis=-1).mean()",
        "in loops": "def ceiling(parts, weights):\n    total = 0.0\n    for s in range(parts.shape[1]):\n        total += max(sum(w * p[s][n] for w, p in zip(weights, parts)) for n in range(parts.shape[2]))\n    return total / parts.shape[1]",
        "by broadcasting": "def ceiling(parts, weights):\n    return float(np.mean(np.max(np.sum(weights[:, None, None] * parts, axis=0), axis=1)))",
    },
    "gradient": {
        "by the policy": "def gradient(logits, empty, move):\n    return np.exp(log_policy(logits, empty)) - np.eye(len(logits))[move]",
        "by PyTorch": "import torch\ndef gradient(logits, empty, move):\n    x = torch.tensor(logits, requires_grad=True)\n    masked = x.masked_fill(~torch.tensor(empty), float('-inf'))\n    (masked.logsumexp(0) - x[move]).backward()\n    return x.grad.numpy()",
        "point by point": "import math\ndef gradient(logits, empty, move):\n    top = max(x for x, e in zip(logits, empty) if e)\n    w = [math.exp(x - top) if e else 0.0 for x, e in zip(logits, empty)]\n    return np.array([x / sum(w) - (i == move) for i, x in enumerate(w)])",
    },
}
