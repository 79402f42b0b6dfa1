"""Unusual right solutions of the exercises of chapter 3 that their checks must accept (form: tools/gate.py)."""

RIGHT = {
    "returns": {
        "from the end": "def returns(z, moves, discount):\n    out, g = [], z\n    for _ in range(moves):\n        out.append(g)\n        g *= discount\n    return out[::-1]",
        "an array": "def returns(z, moves, discount):\n    return z * np.power(float(discount), np.arange(moves)[::-1])",
        "inserted in front": "def returns(z, moves, discount):\n    out = []\n    while len(out) < moves:\n        out.insert(0, z if not out else out[0] * discount)\n    return out",
    },
    "own_moves": {
        "by a step": "def own_moves(history, opening, colour, winner):\n    z = 0 if not winner else 1 if winner == colour else -1\n    first = opening + (opening % 2 != colour - 1)\n    return [(m, z) for m in history[first::2]]",
        "lists of two": "def own_moves(history, opening, colour, winner):\n    z = {0: 0.0, colour: 1.0}.get(winner, -1.0)\n    return [[m, z] for i, m in enumerate(history) if i >= opening and (i % 2 == 0) == (colour == 1)]",
        "by zip": "def own_moves(history, opening, colour, winner):\n    player, found = 1, []\n    for i, m in enumerate(history):\n        if player == colour and i >= opening:\n            found.append((m, (winner == colour) - (winner == 3 - colour)))\n        player = 3 - player\n    return found",
    },
    "push": {
        "as a difference": "def push(logits, empty, move, advantage):\n    x = np.where(empty, logits, -np.inf)\n    p = np.exp(x - np.logaddexp.reduce(x))\n    return advantage * (np.eye(len(p))[move] - p)",
        "by PyTorch": "def push(logits, empty, move, advantage):\n    x = torch.tensor(logits, requires_grad=True)\n    masked = x.masked_fill(~torch.tensor(empty), float('-inf'))\n    (advantage * torch.log_softmax(masked, 0)[move]).backward()\n    return x.grad.numpy()",
        "on the empty points": "def push(logits, empty, move, advantage):\n    out = np.zeros(len(logits))\n    w = np.exp(logits[empty] - logits[empty].max())\n    out[empty] = -advantage * w / w.sum()\n    out[move] += advantage\n    return out",
    },
    "running_baseline": {
        "by weights": "def running_baseline(means, rate):\n    return [sum(rate * (1 - rate) ** (i - 1 - j) * means[j] for j in range(i)) for i in range(len(means))]",
        "by accumulate": "from itertools import accumulate\ndef running_baseline(means, rate):\n    return list(accumulate(means, lambda b, m: (1 - rate) * b + rate * m, initial=0.0))[: len(means)]",
        "an array": "def running_baseline(means, rate):\n    b = np.zeros(len(means))\n    for i in range(1, len(means)):\n        b[i] = b[i - 1] + rate * (means[i - 1] - b[i - 1])\n    return b",
    },
    "others_mean": {
        "by a mask": "def others_mean(results):\n    n = len(results)\n    others = ~np.eye(n, dtype=bool)\n    return (others @ results) / (n - 1.0)",
        "by deletion": "def others_mean(results):\n    return np.array([np.delete(results, i).mean() for i in range(len(results))])",
        "from the mean": "def others_mean(results):\n    n = len(results)\n    return (n * results.mean() - results) / (n - 1)",
    },
    "normalised": {
        "by the largest distance": "def normalised(advantages):\n    c = advantages - np.mean(advantages)\n    if np.abs(c).max() < 1e-12:\n        return np.zeros(len(c))\n    return c / np.sqrt(np.mean(c**2))",
        "by the range": "def normalised(advantages):\n    if np.ptp(advantages) == 0:\n        return 0.0 * advantages\n    return (advantages - advantages.mean()) / np.std(advantages)",
        "by np.divide": "def normalised(advantages):\n    c = advantages - advantages.mean()\n    s = c.std()\n    return np.divide(c, s, out=np.zeros(len(c)), where=s > 1e-10)",
    },
    "mean_entropy": {
        "without NaN": "def mean_entropy(log_chances):\n    p = np.exp(log_chances)\n    with np.errstate(invalid='ignore'):\n        return -np.nansum(p * log_chances) / len(p)",
        "by scipy": "from scipy.special import entr\ndef mean_entropy(log_chances):\n    return entr(np.exp(log_chances)).sum(axis=1).mean()",
        "in loops": "import math\ndef mean_entropy(log_chances):\n    return sum(-math.exp(x) * x for row in log_chances for x in row if x > -math.inf) / len(log_chances)",
    },
    "loss": {
        "by indices": "def loss(log_priors, values, moves, returns, beta):\n    p = log_priors[torch.arange(len(moves)), moves]\n    h = -(log_priors.exp() * log_priors).sum(1)\n    return torch.mean(-(returns - values.detach()) * p - beta * h)",
        "without gradient for the values": "def loss(log_priors, values, moves, returns, beta):\n    with torch.no_grad():\n        a = returns - values\n    nll = torch.nn.functional.nll_loss(log_priors, moves, reduction='none')\n    return (a * nll).mean() + beta * (log_priors.exp() * log_priors).sum() / len(moves)",
        "in float32": "def loss(log_priors, values, moves, returns, beta):\n    x = log_priors.float()\n    p = x.gather(1, moves[:, None]).squeeze(1)\n    return -((returns - values.detach()).float() * p).mean() + beta * (x.exp() * x).sum(1).mean()",
    },
}
