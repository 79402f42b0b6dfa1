"""Unusual right solutions of the exercises of chapter 5 that their checks must accept (form: tools/gate.py)."""

RIGHT = {
    "puct_scores": {
        "an answer in single precision": (
            "return q + c * priors * np.sqrt(1 + visits.sum()) / (1 + visits)",
            "return (q + c * priors * np.sqrt(1 + visits.sum()) / (1 + visits)).astype(np.float32)",
        ),
        "move by move": "import math\ndef puct_scores(priors, visits, totals, value, c, reduction):\n    seen = sum(p for p, n in zip(priors, visits) if n)\n    root = math.sqrt(1 + sum(visits))\n    return np.array([(w / n if n else value - reduction * math.sqrt(seen)) + c * p * root / (1 + n) for p, n, w in zip(priors, visits, totals)])",
        "by np.divide": "def puct_scores(priors, visits, totals, value, c, reduction):\n    q = np.full(len(priors), value - reduction * (priors @ (visits > 0)) ** 0.5)\n    np.divide(totals, visits, out=q, where=visits > 0)\n    return q + c * priors * (visits.sum() + 1) ** 0.5 / (visits + 1)",
        "by an index": "def puct_scores(priors, visits, totals, value, c, reduction):\n    seen = np.flatnonzero(visits)\n    q = np.ones(len(priors)) * (value - reduction * np.sqrt(priors[seen].sum()))\n    q[seen] = totals[seen] / visits[seen]\n    return q + c * priors * np.sqrt(visits.sum() + 1) / (visits + 1)",
    },
    "proven_value": {
        "in a loop": "def proven_value(children):\n    best, unknown = -1, False\n    for value in children:\n        if value is None:\n            unknown = True\n        else:\n            best = max(best, -value)\n    return 1 if best == 1 else None if unknown else best",
        "by any and all": "def proven_value(children):\n    if any(v == -1 for v in children if v is not None):\n        return 1\n    if all(v is not None for v in children):\n        return 0 if 0 in children else -1",
        "by sets": "def proven_value(children):\n    kinds = set(children)\n    return 1 if -1 in kinds else None if None in kinds else -min(kinds)",
    },
    "puct_search": {
        "arrays and recursion": 'import math\n\nclass Arrays:\n    def __init__(self, game, expert):\n        self.moves = np.array(game.legal_moves() if game.winner is None else [], dtype=int)\n        self.next = [None] * len(self.moves)\n        self.n, self.w = np.zeros(len(self.moves)), np.zeros(len(self.moves))\n        if game.winner is None:\n            log_p, v = expert(three_planes.encode([game]))\n            self.value, x = v.item(), log_p[0, self.moves]\n            p = np.full(len(x), 1 / len(x)) if np.isneginf(x).all() else np.exp(x - x.max())\n            self.p = p / p.sum()\n        else:\n            self.value = 0 if game.winner == 0 else -1\n\ndef descend(node, game, expert, c):\n    if not len(node.moves):\n        return node.value\n    with np.errstate(invalid="ignore"):\n        q = np.where(node.n > 0, node.w / node.n, 0)\n    total = q + c * node.p * np.sqrt(1 + node.n.sum()) / (1 + node.n)\n    i = np.lexsort((node.moves, -node.p, -total))[0]\n    game.apply(int(node.moves[i]))\n    if node.next[i] is None:\n        node.next[i] = Arrays(game, expert)\n        value = -node.next[i].value\n    else:\n        value = -descend(node.next[i], game, expert, c)\n    node.n[i] += 1\n    node.w[i] += value\n    return value\n\ndef puct_search(game, expert, simulations, c):\n    root = Arrays(game, expert)\n    for _ in range(simulations):\n        descend(root, game.copy(), expert, c)\n    visits, q = np.zeros(game.height * game.width, dtype=np.int32), np.zeros(game.height * game.width)\n    visits[root.moves] = root.n\n    q[root.moves] = root.w / np.maximum(root.n, 1)\n    return visits, q\n',
        "a dict of paths": "def puct_search(game, expert, simulations, c):\n    known = {}\n\n    def look(path, position):\n        if position.winner is not None:\n            known[path] = [0, 0.0, {}, -abs(np.sign(position.winner))]\n        else:\n            (log_p,), (value,) = expert(three_planes.encode([position]))\n            legal = position.legal_moves()\n            top = max(log_p[m] for m in legal)\n            weights = [1.0 if top == -math.inf else math.exp(log_p[m] - top) for m in legal]\n            known[path] = [0, 0.0, {m: w / sum(weights) for m, w in zip(legal, weights)}, value]\n\n    def score(path, move):\n        n, w = known[path + (move,)][:2] if path + (move,) in known else (0, 0.0)\n        prior = known[path][2][move]\n        return (-w / n if n else 0.0) + c * prior * math.sqrt(known[path][0]) / (1 + n), prior, -move\n\n    for _ in range(simulations + 1):\n        path, position = (), game.copy()\n        while path in known and known[path][2]:\n            path += (max(known[path][2], key=lambda move: score(path, move)),)\n            position.apply(path[-1])\n        if path not in known:\n            look(path, position)\n        for up in range(len(path) + 1):\n            known[path[: len(path) - up]][0] += 1\n            known[path[: len(path) - up]][1] += known[path][3] * (-1) ** up\n    visits, q = np.zeros(len(game.board), dtype=np.int64), np.zeros(len(game.board))\n    for move in game.legal_moves():\n        if (move,) in known:\n            visits[move], q[move] = known[(move,)][0], -known[(move,)][1] / known[(move,)][0]\n    return visits, q\n",
        "edges with running means, and a table of positions": "class Edge:\n    def __init__(self, prior, move):\n        self.prior, self.move, self.n, self.mean, self.edges, self.value = prior, move, 0, 0.0, None, None\n\nmemory = {}\n\ndef puct_search(game, expert, simulations, c):\n    memory.clear()\n    root = Edge(1.0, -1)\n    for _ in range(simulations + 1):\n        board, path = game.duplicate(), [root]\n        while path[-1].edges:\n            here = path[-1]\n            scores = [e.mean + c * e.prior * here.n**0.5 / (1 + e.n) for e in here.edges]\n            path.append(here.edges[int(np.argmax(scores))])\n            board.apply(path[-1].move)\n        last = path[-1]\n        if last.value is None and board.winner is None:\n            key = tuple(board.board)\n            if key not in memory:\n                memory[key] = expert(three_planes.encode([board]))\n            log_p, v = memory[key]\n            legal = np.array(board.legal_moves())\n            x = log_p[0][legal].astype(np.float64)\n            p = np.ones(len(x)) if x.max() == -np.inf else np.exp(x - x.max())\n            p /= p.sum()\n            order = np.lexsort((legal, -p))\n            last.edges = [Edge(float(p[i]), int(legal[i])) for i in order]\n            last.value = -float(v[0])\n        elif last.value is None:\n            last.value = float(board.winner != 0)\n        value = last.value\n        for edge in path[::-1]:\n            edge.n += 1\n            edge.mean += (value - edge.mean) / edge.n\n            value *= -1\n    visits, q = np.zeros(len(game.board), dtype=int), np.zeros(len(game.board))\n    for edge in root.edges:\n        visits[edge.move], q[edge.move] = edge.n, edge.mean\n    return visits, q\n",
    },
    "virtual_loss": {
        "by place": "def fly(path):\n    for i, node in enumerate(path):\n        node.visits += 1\n        node.value_sum += i > 0\n\ndef land(path, value):\n    for i, node in enumerate(path):\n        node.value_sum += value * (-1) ** (len(path) - 1 - i) - (i > 0)",
        "root last": "def fly(path):\n    for node in path[:0:-1]:\n        node.value_sum += 1.0\n    for node in path:\n        node.visits = node.visits + 1\n\ndef land(path, value):\n    sign = 1\n    for node in path[::-1]:\n        node.value_sum += sign * value - (node is not path[0])\n        sign = -sign",
        "by recursion": "def land(path, value):\n    if path:\n        path[-1].value_sum += value - (len(path) > 1)\n        land(path[:-1], -value)",
    },
}

BLANKS = {
    "masked_priors": {
        "zeros like the log-priors": "def masked_priors(log_priors, legal):\n    priors = np.zeros_like(log_priors)\n"
        "    best = np.max(log_priors[legal])\n    few = np.ones(len(legal)) if best == -np.inf else np.exp(log_priors[legal] - best)\n"
        "    priors[legal] = few / few.sum()\n    return priors",
        "by logaddexp": "def masked_priors(log_priors, legal):\n    out = np.zeros(len(log_priors))\n    chosen = log_priors[legal]\n"
        "    with np.errstate(invalid='ignore'):\n        p = np.exp(chosen - np.logaddexp.reduce(chosen))\n"
        "    out[legal] = p if np.isfinite(p).all() else 1 / len(legal)\n    return out",
        "by PyTorch, in double precision": "def masked_priors(log_priors, legal):\n    import torch\n\n    p = np.zeros(len(log_priors))\n"
        "    x = torch.tensor([float(log_priors[i]) for i in legal], dtype=torch.float64)\n"
        "    p[legal] = 1 / len(legal) if torch.isneginf(x).all() else torch.softmax(x, 0).numpy()\n    return p",
        "by a mask": "def masked_priors(log_priors, legal):\n    mask = np.isin(np.arange(len(log_priors)), legal)\n"
        "    x = np.where(mask, log_priors, -np.inf).astype(float)\n    if np.isneginf(x).all():\n        return mask / mask.sum()\n"
        "    w = np.exp(x - x.max())\n    return w / w.sum()",
    },
    "puct": {
        "the root first": "def puct(q, prior, parent_visits, visits, c=1.4):\n    root = parent_visits**0.5\n"
        "    return root * prior * c / (visits + 1) + q",
        "NumPy's numbers": "def puct(q, prior, parent_visits, visits, c=1.4):\n    u = np.sqrt(parent_visits) / (1 + visits)\n    return q + c * prior * u",
        "over one denominator": "def puct(q, prior, parent_visits, visits, c=1.4):\n"
        "    n = 1 + visits\n    return (n * q + c * prior * math.sqrt(parent_visits)) / n",
    },
    "choose": {
        "in a loop": "def choose(node, c=1.4):\n    best, most = None, -math.inf\n    for move, prior in node.priors.items():\n"
        "        q, n = 0.0, 0\n        if move in node.children:\n            child = node.children[move]\n            n = child.visits\n"
        "            q = -child.value_sum / n\n        s = puct(q, prior, node.visits, n, c)\n        if s > most:\n            best, most = move, s\n"
        "    return best",
        "by argmax": "def choose(node, c=1.4):\n    moves, scores = list(node.priors), []\n    for move in moves:\n        child = node.children.get(move)\n"
        "        n = child.visits if child else 0\n        scores.append(puct(-child.value_sum / n if n else 0, node.priors[move], node.visits, n, c))\n"
        "    return moves[np.argmax(scores)]",
        "pairs, sorted": "def choose(node, c=1.4):\n    pairs = []\n    for move, prior in node.priors.items():\n        try:\n            child = node.children[move]\n"
        "            q, n = -(child.value_sum / child.visits), child.visits\n        except KeyError:\n            q, n = 0, 0\n"
        "        pairs.append((puct(q, prior, node.visits, n, c=c), move))\n    pairs.sort(key=lambda pair: -pair[0])\n    return pairs[0][1]",
    },
    "backup": {
        "by recursion": "def backup(node, value):\n    node.visits += 1\n    node.value_sum += value\n    if node.parent is not None:\n        backup(node.parent, -value)",
        "by plies": "def backup(node, value):\n    ply = 0\n    while node:\n        node.visits = node.visits + 1\n        node.value_sum += value * (-1) ** ply\n"
        "        node = node.parent\n        ply += 1",
        "by players": "def backup(node, value):\n    mover, line = node.player, [node]\n    while line[-1].parent is not None:\n        line.append(line[-1].parent)\n"
        "    for node in reversed(line):\n        node.visits += 1\n        node.value_sum += value if node.player == mover else -value",
    },
}
