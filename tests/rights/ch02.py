"""Unusual right solutions of the exercises of chapter 2 that their checks must accept (form: tools/gate.py)."""

RIGHT = {
    "tempered": {
        "in logarithms": "def tempered(chances, temperature):\n    if temperature == 0:\n        best = chances == chances.max()\n        return best / best.sum()\n    with np.errstate(divide='ignore'):\n        x = np.log(chances) / temperature\n    w = np.exp(x - x.max())\n    return w / w.sum()",
        "point by point": "def tempered(chances, temperature):\n    top = max(chances)\n    w = [float(p == top) if temperature == 0 else (p / top) ** (1 / temperature) for p in chances]\n    return np.array([x / sum(w) for x in w])",
        "by np.power": "def tempered(chances, temperature):\n    w = np.power(chances / np.max(chances), 1 / temperature) if temperature > 0 else np.isin(chances, chances.max())\n    return w / np.sum(w)",
    },
    "held_out": {
        "by choice": "def held_out(lengths, fraction, rng):\n    n = len(lengths)\n    count = int(np.clip(round(fraction * n), 1, n - 1))\n    chosen = rng.choice(n, size=count, replace=False)\n    return np.isin(np.repeat(np.arange(n), lengths), chosen)",
        "by the least random numbers": "def held_out(lengths, fraction, rng):\n    n = len(lengths)\n    count = max(1, min(round(fraction * n), n - 1))\n    rank = rng.random(n).argsort().argsort()\n    return np.concatenate([np.full(length, r < count) for length, r in zip(lengths, rank)])",
        "in a loop": "def held_out(lengths, fraction, rng):\n    games = list(range(len(lengths)))\n    rng.shuffle(games)\n    chosen = set(games[: min(max(round(fraction * len(games)), 1), len(games) - 1)])\n    mask = []\n    for g, length in enumerate(lengths):\n        mask += [g in chosen] * int(length)\n    return np.array(mask)",
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
    "train_policy": {
        "a fixed step size, one hidden layer": (
            "            nn.Conv2d(3, 64, 3, padding=1), nn.ReLU(), nn.Conv2d(64, 32, 1), nn.ReLU(), nn.Conv2d(32, 1, 1), nn.Flatten()",
            "            nn.Conv2d(3, 96, 3, padding=1), nn.ReLU(), nn.Conv2d(96, 1, 1), nn.Flatten()",
        ),
        "windows and a small net for each point": "def train_policy(boards, moves, examples, seed):\n    torch.manual_seed(seed)\n"
        "    small = nn.Sequential(nn.Linear(27, 48), nn.ReLU(), nn.Linear(48, 24), nn.ReLU(), nn.Linear(24, 1))\n"
        "    def logits(b):\n        g = torch.from_numpy(b.astype(np.int64)).reshape(-1, 7, 7) % 3\n        h = F.one_hot(g, 3).permute(0, 3, 1, 2).float()\n"
        "        w = F.unfold(F.pad(h, (1, 1, 1, 1)), 3).transpose(1, 2)\n        x = small(w)[..., 0]\n"
        "        return torch.where(torch.from_numpy(b) == 0, x, torch.tensor(-torch.inf))\n"
        "    adam = torch.optim.AdamW(small.parameters(), lr=0.01)\n    order = torch.Generator().manual_seed(seed)\n    left = examples\n"
        "    while left >= 100:\n        for rows in torch.randperm(len(moves), generator=order).split(100):\n            if left < 100:\n                break\n"
        "            for group in adam.param_groups:\n                group['lr'] = 0.01 * (left / examples)\n            rows = rows.numpy()\n"
        "            loss = -torch.log_softmax(logits(boards[rows]), 1)[np.arange(len(rows)), moves[rows]].mean()\n            adam.zero_grad()\n            loss.backward()\n            adam.step()\n            left -= len(rows)\n"
        "    def policy(b):\n        with torch.no_grad():\n            return torch.softmax(logits(b), 1).double().numpy()\n    return policy",
        "a net that is called with single points": "def train_policy(boards, moves, examples, seed):\n    torch.manual_seed(seed)\n"
        "    small = nn.Sequential(nn.Linear(27, 48), nn.ReLU(), nn.Linear(48, 24), nn.ReLU(), nn.Linear(24, 1))\n"
        "    def logits(b):\n        g = torch.from_numpy(b.astype(np.int64)).reshape(-1, 7, 7) % 3\n        h = F.one_hot(g, 3).permute(0, 3, 1, 2).float()\n"
        "        w = F.unfold(F.pad(h, (1, 1, 1, 1)), 3).transpose(1, 2)\n        x = small(w.reshape(-1, 27)).reshape(len(b), 49)\n"
        "        return torch.where(torch.from_numpy(b) == 0, x, torch.tensor(-torch.inf))\n"
        "    adam = torch.optim.Adam(small.parameters(), lr=0.01)\n    rng = np.random.default_rng(seed)\n"
        "    for step in range(-(-examples // 100)):\n        adam.param_groups[0]['lr'] = 0.01 * (1 - step * 100 / (examples + 1))\n"
        "        rows = rng.integers(0, len(moves), 100)\n        loss = F.cross_entropy(logits(boards[rows]), torch.from_numpy(moves[rows]))\n"
        "        adam.zero_grad()\n        loss.backward()\n        adam.step()\n"
        "    def policy(b):\n        with torch.no_grad():\n            return torch.softmax(logits(b), 1).numpy()\n    return policy",
        "each batch turned and mirrored": (
            "        loss = F.cross_entropy(net(planes[rows]), answers[rows])",
            "        turns = int(rng.integers(4))\n        squares = F.one_hot(answers[rows], 49).reshape(-1, 7, 7).rot90(turns, (1, 2)).flatten(1)\n"
            "        loss = F.cross_entropy(net(planes[rows].rot90(turns, (2, 3))), squares.argmax(dim=1))",
        ),
    },
}

BLANKS = {
    "planes_of": {
        "assigned one by one": "def planes_of(game):\n    planes = np.zeros((3, game.height, game.width), dtype=np.float32)\n"
        "    board = np.array(game.cells).reshape(game.height, game.width)\n    planes[0][board == game.player] = 1\n"
        "    planes[1][(board != 0) & (board != game.player)] = 1\n    planes[2] = board == 0\n    return planes",
        "a lookup of rows": "def planes_of(game):\n    rows = np.eye(3, dtype=np.float32)[[2, 0, 1] if game.player == 1 else [2, 1, 0]]\n"
        "    return rows[np.asarray(game.cells)].T.reshape(3, game.height, game.width).copy()",
        "point by point": "def planes_of(game):\n    planes = [[[0.0] * game.width for _ in range(game.height)] for _ in range(3)]\n"
        "    for point, stone in enumerate(game.cells):\n        row, column = divmod(point, game.width)\n"
        "        planes[2 if stone == 0 else 0 if stone == game.player else 1][row][column] = 1.0\n"
        "    return np.array(planes, dtype=np.float32)",
    },
    "turn_example": {
        "by transposing": "def turn_example(planes, move):\n    c, h, w = planes.shape\n    return planes.transpose(0, 2, 1)[:, ::-1], (w - 1 - move % w) * h + move // w",
        "by a marked board": "def turn_example(planes, move):\n    mark = np.zeros(planes.shape[1:], bool)\n    mark.flat[move] = True\n    return np.stack([np.rot90(p) for p in planes]), int(np.flatnonzero(np.rot90(mark))[0])",
        "a list of two": "def turn_example(planes, move):\n    h, w = planes.shape[-2:]\n    row, column = np.unravel_index(move, (h, w))\n    return [np.rot90(planes, axes=(-2, -1)).copy(), int(np.ravel_multi_index((w - 1 - column, row), (w, h)))]",
    },
    "log_policy": {
        "a large number subtracted": "def log_policy(net, planes):\n    x = net(planes).reshape(len(planes), -1)\n"
        "    taken = planes[:, 2].reshape(len(planes), -1) != 1\n    return F.log_softmax(torch.where(taken, torch.full_like(x, -1e9), x), dim=-1)",
        "by logsumexp": "def log_policy(net, planes):\n    empty = planes[:, 2].flatten(1) > 0\n"
        "    logits = net(planes).flatten(start_dim=1).masked_fill(~empty, -1e9)\n    return logits - torch.logsumexp(logits, dim=1, keepdim=True)",
        "occupied are own or other": "def log_policy(net, planes):\n    logits = net(planes).view(planes.shape[0], -1).clone()\n"
        "    occupied = (planes[:, 0] + planes[:, 1]).flatten(1).bool()\n    logits[occupied] = -1e9\n    return torch.log_softmax(logits, 1)",
    },
    "train_step": {
        "the loss by hand": "def train_step(net, optimizer, planes, moves):\n    optimizer.zero_grad()\n    log_p = log_policy(net, planes)\n"
        "    loss = -log_p[torch.arange(len(moves)), moves].mean()\n    loss.backward()\n    optimizer.step()\n    return float(loss)",
        "cleared at the end": "def train_step(net, optimizer, planes, moves):\n"
        "    loss = F.cross_entropy(log_policy(net, planes), moves)\n    loss.backward()\n    optimizer.step()\n"
        "    optimizer.zero_grad(set_to_none=True)\n    return loss.item()",
        "gather": "def train_step(net, optimizer, planes, moves):\n    for weights in net.parameters():\n        weights.grad = None\n"
        "    played = log_policy(net, planes).gather(1, moves[:, None])\n    loss = -played.sum() / len(planes)\n    loss.backward()\n"
        "    optimizer.step()\n    return loss.detach().item()",
    },
}
