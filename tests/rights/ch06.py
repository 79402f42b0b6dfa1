"""Unusual right solutions of the exercises of chapter 6 that their checks must accept (form: tools/gate.py)."""

RIGHT = {
    "visit_policy": {
        "in logarithms": "def visit_policy(visits, temperature):\n    if temperature == 0:\n        best = visits == visits.max()\n        return best / best.sum()\n    with np.errstate(divide='ignore'):\n        x = np.log(visits / visits.max()) / temperature\n    return np.exp(x) / np.exp(x).sum()",
        "move by move": "def visit_policy(visits, temperature):\n    top = int(max(visits))\n    w = [float(n == top) if temperature == 0 else (n / top) ** (1 / temperature) for n in visits.tolist()]\n    return np.array(w) / sum(w)",
        "by np.power": "def visit_policy(visits, temperature):\n    w = (visits == np.max(visits)) * 1.0 if not temperature else np.power(visits / np.max(visits), 1.0 / temperature)\n    return w / np.sum(w)",
    },
    "outcomes": {
        "from the end": "def outcomes(players, winner, gamma):\n    out, g = [], 1.0\n    for p in reversed(players):\n        out.insert(0, g * ((p == winner) - (p != winner)) if winner else 0.0)\n        g *= gamma\n    return out",
        "an array": "def outcomes(players, winner, gamma):\n    p = np.array(players)\n    sign = np.where(p == winner, 1.0, -1.0) * (winner != 0)\n    return sign * float(gamma) ** np.arange(len(p))[::-1]",
        "by a comprehension": "def outcomes(players, winner, gamma):\n    n = len(players)\n    return [0 if winner == 0 else (1 if p == winner else -1) * gamma ** (n - 1 - i) for i, p in enumerate(players)]",
    },
    "noisy_prior": {
        "by np.where": "def noisy_prior(prior, empty, noise, weight):\n    p = np.where(empty, prior, 0.0)\n    eta = np.zeros(len(prior))\n    eta[empty] = noise\n    return (1 - weight) * p / p.sum() + weight * eta",
        "point by point": "def noisy_prior(prior, empty, noise, weight):\n    total, rest = prior[empty].sum(), iter(noise)\n    return np.array([(1 - weight) * p / total + weight * next(rest) if e else 0.0 for p, e in zip(prior, empty)])",
        "by np.place": "def noisy_prior(prior, empty, noise, weight):\n    out = np.zeros(len(prior), dtype=float)\n    np.place(out, empty, weight * noise + (1 - weight) * prior[empty] / np.sum(prior[empty]))\n    return out",
    },
    "turned_example": {
        "by fliplr": "def turned_example(board, policy, turns, mirror):\n    return tuple(np.rot90(np.fliplr(a) if mirror else a, turns).copy() for a in (board, policy))",
        "turn by turn": "def turned_example(board, policy, turns, mirror):\n    pair = [np.flip(a, 1) if mirror else a for a in (board, policy)]\n    for _ in range(turns):\n        pair = [a.T[::-1] for a in pair]\n    return pair",
        "stacked": "def turned_example(board, policy, turns, mirror):\n    both = np.stack([board.astype(float), policy])\n    if mirror:\n        both = both[:, :, ::-1]\n    both = np.rot90(both, turns, axes=(1, 2))\n    return both[0].astype(board.dtype), both[1]",
    },
    "losses": {
        "by a mask": "def losses(log_priors, values, policies, outcomes, full):\n    mask = full == 1\n    cross = -(policies[mask] * log_priors[mask]).sum(axis=1)\n    return (cross.mean() if mask.any() else 0.0), np.mean((outcomes - values) ** 2)",
        "by einsum": "def losses(log_priors, values, policies, outcomes, full):\n    policy = -np.einsum('ba,ba,b->', policies, log_priors, full) / max(full.sum(), 1)\n    return policy, np.square(values - outcomes).mean()",
        "in a loop": "def losses(log_priors, values, policies, outcomes, full):\n    total, count = 0.0, 0\n    for lp, p, f in zip(log_priors, policies, full):\n        if f:\n            total, count = total - float(p @ lp), count + 1\n    return (total / count if count else 0), sum((z - v) ** 2 for z, v in zip(outcomes, values)) / len(values)",
    },
    "steps_owed": {
        "by divmod": "def steps_owed(new_positions, reuse, batch_size, debt):\n    steps, debt = divmod(debt + new_positions * reuse, batch_size)\n    return int(steps), debt",
        "one by one": "def steps_owed(new_positions, reuse, batch_size, debt):\n    owed, steps = debt + new_positions * reuse, 0\n    while owed >= batch_size:\n        owed, steps = owed - batch_size, steps + 1\n    return steps, owed",
        "by math.floor": "import math\ndef steps_owed(new_positions, reuse, batch_size, debt):\n    owed = new_positions * reuse + debt\n    steps = math.floor(owed / batch_size)\n    return [steps, owed - batch_size * steps]",
    },
    "gap": {
        "as a sum": "def gap(reuse):\n    rows = az.alphazero(small_run(reuse), iterations=6, device='cpu', log=None).metrics\n    return -(rows[5]['target_entropy'] - rows[5]['policy_loss'])",
        "imported by name": "from mock5lib.alphazero.loop import alphazero\n\ndef gap(reuse):\n    *_, last = alphazero(small_run(reuse), iterations=6, device='cpu', log=None).metrics\n    return float(np.subtract(last['policy_loss'], last['target_entropy']))",
        "kept in a list": "def gap(reuse):\n    gaps = []\n    for row in az.alphazero(small_run(reuse), log=None, device='cpu', iterations=6).metrics:\n        gaps.append((row['policy_loss'] or 0) - (row['target_entropy'] or 0))\n    return gaps[-1]",
    },
    "false_pass": {
        "by a dict": "def false_pass(games, gate, draws):\n    chances, lost = {0: 1.0}, (1 - draws) / 2\n    for _ in range(games):\n        new = {}\n        for points, p in chances.items():\n            for more, q in ((0, lost), (1, draws), (2, lost)):\n                new[points + more] = new.get(points + more, 0.0) + p * q\n        chances = new\n    return sum(p for points, p in chances.items() if points > 2 * gate * games + 1e-6)",
        "by whole numbers": "from fractions import Fraction\ndef false_pass(games, gate, draws):\n    bar = Fraction(str(gate)) * 2 * games\n    p = np.array([1.0])\n    for _ in range(games):\n        p = np.convolve(p, [(1 - draws) / 2, draws, (1 - draws) / 2])\n    return float(sum(x for i, x in enumerate(p) if i > bar))",
        "by polynomials": "def false_pass(games, gate, draws):\n    one = np.polynomial.Polynomial([(1 - draws) / 2, draws, (1 - draws) / 2])\n    p = (one**games).coef\n    p = np.append(p, np.zeros(2 * games + 1 - len(p)))\n    return p[np.arange(2 * games + 1) > 2 * gate * games + 1e-7].sum()",
    },
}
