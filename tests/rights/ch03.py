"""Unusual right solutions of the exercises of chapter 3 that their checks must accept (form: tools/gate.py)."""

RIGHT = {
    "own_moves": {
        "by a step": "def own_moves(history, opening, color, winner):\n    z = 0 if not winner else 1 if winner == color else -1\n    first = opening + (opening % 2 != color - 1)\n    return [(m, z) for m in history[first::2]]",
        "lists of two": "def own_moves(history, opening, color, winner):\n    z = {0: 0.0, color: 1.0}.get(winner, -1.0)\n    return [[m, z] for i, m in enumerate(history) if i >= opening and (i % 2 == 0) == (color == 1)]",
        "by zip": "def own_moves(history, opening, color, winner):\n    player, found = 1, []\n    for i, m in enumerate(history):\n        if player == color and i >= opening:\n            found.append((m, (winner == color) - (winner == 3 - color)))\n        player = 3 - player\n    return found",
    },
    "push": {
        "a sum kept off zero by a little": "def push(logits, empty, move, advantage):\n    x = np.where(empty, logits, -np.inf)\n    p = np.exp(x - x.max())\n    p /= p.sum() + 1e-12\n    return advantage * (np.eye(len(p))[move] - p)",
        "as a difference": "def push(logits, empty, move, advantage):\n    x = np.where(empty, logits, -np.inf)\n    p = np.exp(x - np.logaddexp.reduce(x))\n    return advantage * (np.eye(len(p))[move] - p)",
        "by PyTorch": "def push(logits, empty, move, advantage):\n    x = torch.tensor(logits, requires_grad=True)\n    masked = x.masked_fill(~torch.tensor(empty), float('-inf'))\n    (advantage * torch.log_softmax(masked, 0)[move]).backward()\n    return x.grad.numpy()",
        "on the empty points": "def push(logits, empty, move, advantage):\n    out = np.zeros(len(logits))\n    w = np.exp(logits[empty] - logits[empty].max())\n    out[empty] = -advantage * w / w.sum()\n    out[move] += advantage\n    return out",
    },
    "others_mean": {
        "by a mask": "def others_mean(results):\n    n = len(results)\n    others = ~np.eye(n, dtype=bool)\n    return (others @ results.astype(float)) / (n - 1.0)",
        "by deletion": "def others_mean(results):\n    return np.array([np.delete(results, i).mean() for i in range(len(results))])",
        "from the mean": "def others_mean(results):\n    n = len(results)\n    return (n * results.mean() - results) / (n - 1)",
    },
    "mean_entropy": {
        "with a little added": "def mean_entropy(log_chances):\n    p = np.exp(log_chances)\n    return -(p * np.log(p + 1e-12)).sum(axis=1).mean()",
        "without NaN": "def mean_entropy(log_chances):\n    p = np.exp(log_chances)\n    with np.errstate(invalid='ignore'):\n        return -np.nansum(p * log_chances) / len(p)",
        "by scipy": "from scipy.special import entr\ndef mean_entropy(log_chances):\n    return entr(np.exp(log_chances)).sum(axis=1).mean()",
        "in loops": "import math\ndef mean_entropy(log_chances):\n    return sum(-math.exp(x) * x for row in log_chances for x in row if x > -math.inf) / len(log_chances)",
    },
    "loss": {
        "by indices": "def loss(log_priors, values, moves, returns, beta):\n    p = log_priors[torch.arange(len(moves)), moves]\n    h = -(log_priors.exp() * log_priors).sum(1)\n    return torch.mean(-(returns - values.detach()) * p - beta * h)",
        "without gradient for the values": "def loss(log_priors, values, moves, returns, beta):\n    with torch.no_grad():\n        a = returns - values\n    nll = torch.nn.functional.nll_loss(log_priors, moves, reduction='none')\n    return (a * nll).mean() + beta * (log_priors.exp() * log_priors).sum() / len(moves)",
        "in float32": "def loss(log_priors, values, moves, returns, beta):\n    x = log_priors.float()\n    p = x.gather(1, moves[:, None]).squeeze(1)\n    return -((returns - values.detach()).float() * p).mean() + beta * (x.exp() * x).sum(1).mean()",
    },
    "reinforce": {
        "batches of ten games, the others' mean as baseline": "def learn(start, opponent, games, rng):\n    table, waiting = {}, []\n"
        "    def row(game):\n        return table.setdefault((game.player, *game.board), np.zeros(len(game.board)))\n"
        "    def policy(game):\n        shown = np.where(np.array(game.board) == 0, table.get((game.player, *game.board), np.zeros(len(game.board))), -np.inf)\n"
        "        weights = np.exp(shown - shown.max())\n        return weights / weights.sum()\n"
        "    for n in range(games):\n        game, mine, seen = start(), 2 - n % 2, []\n        while game.winner is None:\n"
        "            if game.player == mine:\n                pi = policy(game)\n                move = int(np.searchsorted(pi.cumsum(), rng.random() * pi.sum(), side='right').clip(0, len(pi) - 1))\n"
        "                seen.append((row(game), pi, move))\n            else:\n                move = opponent(game)\n            game.apply(move)\n"
        "        waiting.append((seen, (game.winner == mine) - (game.winner == 3 - mine)))\n        if len(waiting) == 10 or n == games - 1:\n"
        "            total = sum(z for _, z in waiting)\n            for seen, z in waiting:\n                for logits, pi, move in seen:\n"
        "                    step = (z - (total - z) / max(len(waiting) - 1, 1)) * (np.eye(len(pi))[move] - pi)\n                    logits += 0.5 * step\n"
        "            waiting = []\n    return policy",
        "copies of what is kept": (
            "    return chances\n",
            "    kept = {}\n    def policy(game):\n        if name_of(game) not in kept:\n            kept[name_of(game)] = chances(game)\n"
            "        return kept[name_of(game)].copy()\n    return policy\n",
        ),
        "asks about a copy": ("move = opponent(game)", "move = opponent(game.copy())"),
        "no baseline, each color's table apart": ("0.5 * (z - mean) * push", "0.4 * z * push"),
        "with a discount": (
            "        for seen, pi, move in steps:",
            "        for later, (seen, pi, move) in enumerate(reversed(steps)):",
        ),
        "an interval by the bootstrap": "def gain(before, after):\n    rng = np.random.default_rng(0)\n"
        "    means = [rng.choice(x, (1000, len(x))).mean(axis=1) for x in (before, after)]\n    rise = after.mean() - before.mean()\n"
        "    low, high = np.quantile(means[1] - means[0], [0.025, 0.975])\n    return [low, rise, high]",
    },
}

BLANKS = {
    "estimate": {
        "the vector as a whole": "def estimate(played, pi, baseline=no_baseline):\n    total = np.zeros_like(pi)\n"
        "    for steps, z in played:\n        for s, a in steps:\n            total[s] += (z - baseline[s]) * (np.eye(9)[a] - pi[s])\n"
        "    return total / len(played)",
        "each game by itself": "def estimate(played, pi, baseline=no_baseline):\n    n = len(played)\n\n    def of(game):\n"
        "        rows, z = np.zeros((S, 9)), game[1]\n        for s, move in game[0]:\n"
        "            rows[s, move] += (z - baseline[s]) / n\n            rows[s] -= (z - baseline[s]) * pi[s] / n\n        return rows\n\n"
        "    return sum(of(game) for game in played)",
        "np.add.at": "def estimate(played, pi, baseline=no_baseline):\n"
        "    s, a, z = np.transpose([(s, a, z) for steps, z in played for s, a in steps])\n    s, a = s.astype(int), a.astype(int)\n"
        "    push, gradient = z - np.asarray(baseline)[s], np.zeros(pi.shape)\n    np.add.at(gradient, (s, a), push)\n"
        "    np.subtract.at(gradient, s, push[:, None] * pi[s])\n    return gradient / len(played)",
    },
    "climb": {
        "the policy asked again": "def climb(theta, mean, pi, played, alpha):\n"
        "    step = estimate(played, policy(theta), np.full(len(theta), mean))\n"
        "    return theta + alpha * step, 0.9 * mean + 0.1 * np.mean([z for _, z in played])",
        "a copy, changed in place": "def climb(theta, mean, pi, played, alpha):\n"
        "    theta = theta.copy()\n    theta += estimate(played, pi, baseline=mean * np.ones(S)) * alpha\n"
        "    for_mean = sum(z for steps, z in played) / len(played)\n    mean += (for_mean - mean) / 10\n    return [theta, mean]",
        "weights of the old and the new": "def climb(theta, mean, pi, played, alpha):\n    results = np.array([game[1] for game in played])\n"
        "    new = 0.9 * mean + 0.1 * results.mean()\n    return theta + estimate(played, pi, np.repeat(mean, S)) * alpha, new",
        "the step by itself": "def climb(theta, mean, pi, played, alpha):\n    baseline = np.empty(S)\n    baseline[:] = mean\n"
        "    step = alpha * estimate(played, pi, baseline)\n    for _, z in played:\n        mean += 0 * z\n"
        "    return np.add(theta, step), float(mean - 0.1 * mean + 0.1 * np.mean([z for _, z in played]))",
    },
    "returns_in": {
        "backwards": "def returns_in(z, turns, gamma):\n    found = []\n    for _ in range(turns):\n        found.insert(0, z)\n"
        "        z = gamma * z\n    return found",
        "reversed": "def returns_in(z, turns, gamma):\n    return [z * gamma**left for left in reversed(range(turns))]",
        "an array": "def returns_in(z, turns, gamma):\n    return z * np.power(float(gamma), np.arange(turns)[::-1])",
    },
    "loss_of": {
        "a product of vectors": "def loss_of(log_pi, moves, G, baseline):\n"
        "    chosen = torch.stack([row[move] for row, move in zip(log_pi, moves)])\n"
        "    return -torch.dot(G - baseline, chosen) / len(moves)",
        "gather": "def loss_of(log_pi, moves, G, baseline):\n    played = log_pi.gather(1, moves.unsqueeze(1)).squeeze(1)\n"
        "    return ((baseline - G) * played).mean()",
        "one-hot": "def loss_of(log_pi, moves, G, baseline):\n    one_hot = torch.eye(log_pi.shape[1])[moves]\n"
        "    return -torch.sum((G - baseline)[:, None] * one_hot * log_pi) / len(moves)",
        "one move at a time": "def loss_of(log_pi, moves, G, baseline):\n    loss = 0.0\n"
        "    for row, move, g in zip(log_pi, moves.tolist(), G.tolist()):\n        loss = loss - (g - baseline) * row[move] / len(moves)\n"
        "    return loss",
    },
}
