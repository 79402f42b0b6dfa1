"""Unusual right solutions of the exercises of chapter 5 that their checks must accept (form: tools/gate.py)."""

RIGHT = {
    "masked_priors": {
        "by logaddexp": "def masked_priors(log_priors, legal):\n    out = np.zeros(len(log_priors))\n    chosen = log_priors[legal]\n    with np.errstate(invalid='ignore'):\n        p = np.exp(chosen - np.logaddexp.reduce(chosen))\n    out[legal] = p if np.isfinite(p).all() else 1 / len(legal)\n    return out",
        "by a mask": "def masked_priors(log_priors, legal):\n    mask = np.isin(np.arange(len(log_priors)), legal)\n    x = np.where(mask, log_priors, -np.inf)\n    if np.isneginf(x).all():\n        return mask / mask.sum()\n    w = np.exp(x - x.max())\n    return w / w.sum()",
        "move by move": "import math\ndef masked_priors(log_priors, legal):\n    out, top = np.zeros(len(log_priors)), max(log_priors[m] for m in legal)\n    for m in legal:\n        out[m] = 1.0 if top == -math.inf else math.exp(log_priors[m] - top)\n    return out / out.sum()",
    },
    "puct_scores": {
        "move by move": "import math\ndef puct_scores(priors, visits, totals, value, c, reduction):\n    seen = sum(p for p, n in zip(priors, visits) if n)\n    root = math.sqrt(1 + sum(visits))\n    return np.array([(w / n if n else value - reduction * math.sqrt(seen)) + c * p * root / (1 + n) for p, n, w in zip(priors, visits, totals)])",
        "by np.divide": "def puct_scores(priors, visits, totals, value, c, reduction):\n    q = np.full(len(priors), value - reduction * (priors @ (visits > 0)) ** 0.5)\n    np.divide(totals, visits, out=q, where=visits > 0)\n    return q + c * priors * (visits.sum() + 1) ** 0.5 / (visits + 1)",
        "by an index": "def puct_scores(priors, visits, totals, value, c, reduction):\n    seen = np.flatnonzero(visits)\n    q = np.ones(len(priors)) * (value - reduction * np.sqrt(priors[seen].sum()))\n    q[seen] = totals[seen] / visits[seen]\n    return q + c * priors * np.sqrt(visits.sum() + 1) / (visits + 1)",
    },
    "proven_value": {
        "in a loop": "def proven_value(children):\n    best, unknown = -1, False\n    for value in children:\n        if value is None:\n            unknown = True\n        else:\n            best = max(best, -value)\n    return 1 if best == 1 else None if unknown else best",
        "by any and all": "def proven_value(children):\n    if any(v == -1 for v in children if v is not None):\n        return 1\n    if all(v is not None for v in children):\n        return 0 if 0 in children else -1",
        "by sets": "def proven_value(children):\n    kinds = set(children)\n    return 1 if -1 in kinds else None if None in kinds else -min(kinds)",
    },
    "virtual_loss": {
        "by place": "def fly(path):\n    for i, node in enumerate(path):\n        node.visits += 1\n        node.value_sum += i > 0\n\ndef land(path, value):\n    for i, node in enumerate(path):\n        node.value_sum += value * (-1) ** (len(path) - 1 - i) - (i > 0)",
        "root last": "def fly(path):\n    for node in path[:0:-1]:\n        node.value_sum += 1.0\n    for node in path:\n        node.visits = node.visits + 1\n\ndef land(path, value):\n    sign = 1\n    for node in path[::-1]:\n        node.value_sum += sign * value - (node is not path[0])\n        sign = -sign",
        "by recursion": "def land(path, value):\n    if path:\n        path[-1].value_sum += value - (len(path) > 1)\n        land(path[:-1], -value)",
    },
}
