"""Wrong solutions of the exercises of chapter 5 that their checks must reject (form: tools/gate.py)."""

MUTANTS = {
    "virtual_loss": {
        "never undone": ("node.value_sum -= 1", "node.value_sum -= 0"),
        "no loss": ("node.value_sum += 1", "node.value_sum += 0"),
        "visit counted twice": ("node.value_sum += value\n", "node.value_sum += value; node.visits += 1\n"),
        "visit taken back": ("node.value_sum -= 1", "node.value_sum -= 1; node.visits -= 1"),
        "no visit": ("node.visits += 1\n", "pass\n"),
        "sign never flips": ("value = -value", "value = value"),
        "root loses too": ("path[0].visits += 1", "path[0].visits += 1; path[0].value_sum += 1"),
        "landing does nothing": "def land(path, value): pass",
    }
}

# Wrong solutions that an earlier edition of the checks accepted, or that made them crash or hang.
EDGE = {
    "puct_search": {
        "of equals the more visited": (
            "move = max(node.priors, key=lambda move: score(node, move, c))",
            "move = max(node.priors, key=lambda m: (score(node, m, c), node.children[m].visits if m in node.children else 0))",
        ),
        "no score is below −1": (
            "        move = max(node.priors, key=lambda move: score(node, move, c))\n",
            "        best, move = -1.0, None\n"
            "        for one in node.priors:\n"
            "            if score(node, one, c) > best:\n                best, move = score(node, one, c), one\n",
        ),
        "sorted in no order of equals": (
            "    return dict(sorted(priors.items(), key=lambda pair: (-pair[1], pair[0])))",
            "    order = np.argsort(-np.array(list(priors.values())))\n    return {legal[i]: priors[legal[i]] for i in order}",
        ),
        "visits of the board's kind": (
            "np.zeros(len(game.board), dtype=int)",
            "np.zeros(len(game.board), dtype=np.int8)",
        ),
        "a single move needs no search": (
            "    root = Place(game, expert)\n",
            "    if len(game.legal_moves()) == 1:\n        only = np.zeros(len(game.board), dtype=int)\n        only[game.legal_moves()] = simulations\n        return only, np.zeros(len(game.board))\n    root = Place(game, expert)\n",
        ),
        "a game made again from its moves": (
            "walk(root, game.copy(), expert, c)",
            "walk(root, type(game)(game.height, game.width, game.k, history=game.history), expert, c)",
        ),
        "nearly equal scores are equal": (
            "        move = max(node.priors, key=lambda move: score(node, move, c))\n",
            "        best = max(score(node, move, c) for move in node.priors)\n"
            "        move = next(move for move in node.priors if score(node, move, c) >= best - 1e-9)\n",
        ),
        "log-priors of a billion": (
            "    chosen = log_priors[legal]\n",
            "    chosen = np.nan_to_num(log_priors[legal], neginf=-1e9)\n",
        ),
        "scores rounded to six digits": "class Place:\n    def __init__(self, game, expert):\n        self.children, self.priors, self.visits, self.value_sum = {}, {}, 0, 0.0\n        if game.winner is not None:\n            self.value = 0.0 if game.winner == 0 else -1.0\n        else:\n            log_priors, values = expert(three_planes.encode([game]))\n            self.value = float(values[0])\n            legal = game.legal_moves()\n            logs = np.array(log_priors[0], dtype=np.float64)[legal]\n            top = logs.max()\n            if top == -np.inf:\n                p = np.full(len(legal), 1 / len(legal))\n            else:\n                p = np.exp(logs - top)\n                p = p / p.sum()\n            for prior, move in sorted(zip(p.tolist(), legal), key=lambda x: (-x[0], x[1])):\n                self.priors[move] = prior\n\n\ndef score(node, move, c):\n    child = node.children.get(move)\n    n = child.visits if child else 0\n    q = -child.value_sum / n if n else 0.0\n    return round(q + c * node.priors[move] * math.sqrt(node.visits) / (1 + n), 6)\n\n\ndef walk(root, game, expert, c):\n    path = [root]\n    while path[-1].priors and path[-1].visits:\n        node = path[-1]\n        move = max(node.priors, key=lambda m: score(node, m, c))\n        game.apply(move)\n        if move not in node.children:\n            node.children[move] = Place(game, expert)\n        path.append(node.children[move])\n    value = path[-1].value\n    for node in reversed(path):\n        node.visits += 1\n        node.value_sum += value\n        value = -value\n\n\ndef puct_search(game, expert, simulations, c):\n    root = Place(game, expert)\n    walk(root, game.copy(), expert, c)\n    for _ in range(simulations):\n        walk(root, game.copy(), expert, c)\n    visits, q = np.zeros(len(game.board), int), np.zeros(len(game.board))\n    for move, child in root.children.items():\n        visits[move] = child.visits\n        q[move] = -child.value_sum / child.visits\n    return visits, q\n",
        "the maximum at the root only": (
            "np.exp(chosen - greatest)\n",
            "np.exp(chosen - greatest * (len(legal) == 8 or greatest > -700))\n",
        ),
        "twenty plies deep": ("    while node.priors:", "    while node.priors and len(path) < 20:"),
        "a node for all ways": (
            "            node.children[move] = Place(game, expert)",
            "            node.children[move] = root.__dict__.setdefault('all', {}).setdefault(bytes(game.board), Place(game, expert))",
        ),
        "no maximum subtracted": ("np.exp(chosen - greatest)", "np.exp(chosen)"),
        "no maximum subtracted, and shared": (
            "np.exp(chosen - greatest)\n",
            "np.exp(chosen)\n    weights = weights if weights.sum() else np.ones(len(legal))\n",
        ),
        "−700 at least": ("    chosen = log_priors[legal]\n", "    chosen = np.maximum(log_priors[legal], -700)\n"),
        "20 below the greatest at least": (
            "np.exp(chosen - greatest)\n",
            "np.exp(np.maximum(chosen - greatest, -20))\n",
        ),
        "a policy of nothing at the root only": (
            "greatest == -np.inf else",
            "greatest == -np.inf and len(legal) == len(log_priors) - 1 else",
        ),
        "a win for player 1": ("-1.0 if game.winner else 0.0", "{0: 0.0, 1: 1.0, 2: -1.0}[game.winner]"),
        "values cut at 0.999": (
            "self.value = float(values[0])",
            "self.value = min(0.999, max(-0.999, float(values[0])))",
        ),
        "q a sum": (
            "child.visits, -child.value_sum / child.visits\n    return",
            "child.visits, -child.value_sum\n    return",
        ),
        "the pair the other way round": ("    return visits, q\n", "    return q, visits\n"),
        "Q of the opponent": (
            "(-child.value_sum / child.visits, child.visits) if child",
            "(child.value_sum / child.visits, child.visits) if child",
        ),
        "the value never flips": ("        value = -value\n", ""),
        "a win for whoever would move": ("-1.0 if game.winner else 0.0", "1.0 if game.winner else 0.0"),
        "a draw counts as a loss": ("-1.0 if game.winner else 0.0", "-1.0"),
        "illegal moves share": (
            "    chosen = log_priors[legal]\n    greatest = chosen.max()",
            "    chosen = log_priors[legal] - np.logaddexp.reduce(log_priors)\n    return dict(sorted(zip(legal, np.exp(chosen).tolist()), key=lambda pair: (-pair[1], pair[0])))\n    greatest = 0",
        ),
        "priors not normalised": ("(weights / weights.sum()).tolist()", "weights.tolist()"),
        "no answer where the net gives no chance": (
            "np.ones(len(legal)) if greatest == -np.inf else np.exp(chosen - greatest)",
            "np.exp(chosen - greatest)",
        ),
        "one simulation too few": ("range(simulations)", "range(simulations - 1)"),
        "one simulation too many": ("range(simulations)", "range(simulations + 1)"),
        "UCB1": ("math.sqrt(node.visits) / (1 + visits)", "math.sqrt(math.log(1 + node.visits) / (1 + visits))"),
        "the root of the fraction": ("math.sqrt(node.visits) / (1 + visits)", "math.sqrt(node.visits / (1 + visits))"),
        "n without the 1": ("/ (1 + visits)", "/ max(visits, 1)"),
        "the prior is forgotten": ("c * node.priors[move] *", "c *"),
        "an untried move has its parent's value": (
            "if child else (0.0, 0)",
            "if child else (node.value_sum / node.visits, 0)",
        ),
        "ties to the lower move": ("key=lambda pair: (-pair[1], pair[0])", "key=lambda pair: pair[0]"),
        "ties by chance": (
            "move = max(node.priors, key=lambda move: score(node, move, c))",
            "move = max(node.priors, key=lambda move: score(node, move, c) + 1e-6 * np.random.random())",
        ),
        "a finished game counts no visit": (
            "        node.visits, node.value_sum = node.visits + 1, node.value_sum + value\n    for",
            "    for",
        ),
        "the finished game asks the expert": (
            "        if game.winner is not None:\n            self.value",
            "        if game.winner is not None:\n            expert(three_planes.encode([game]))\n            self.value",
        ),
        "asks about the root each time": (
            "    for _ in range(simulations):\n",
            "    for _ in range(simulations):\n        expert(three_planes.encode([game]))\n",
        ),
        "plays on the caller's board": ("walk(root, game.copy(), expert, c)", "walk(root, game, expert, c)"),
        "only the visits": ("    return visits, q\n", "    return visits\n"),
        "square boards": ("np.zeros(len(game.board), dtype=int)", "np.zeros(game.width**2, dtype=int)"),
        "one player's values": (
            "self.value = float(values[0])",
            "self.value = float(values[0]) * (1 if game.player == 1 else -1)",
        ),
        "changes the expert's answer": (
            "    chosen = log_priors[legal]\n",
            "    log_priors[legal] -= log_priors[legal].max()\n    chosen = log_priors[legal]\n",
        ),
        "never ends": ("    while node.priors:", "    while True:"),
        "uniform": "def puct_search(game, expert, simulations, c):\n    visits = np.zeros(len(game.board), dtype=int)\n    for i in range(simulations):\n        visits[game.legal_moves()[i % len(game.legal_moves())]] += 1\n    return visits, np.zeros(len(visits))",
        "one ply deep": (
            "        node = node.children[move]\n",
            "        node = node.children[move]\n        value = node.value\n        node.visits, node.value_sum = node.visits + 1, node.value_sum + value\n        break\n",
        ),
    },
    "virtual_loss": {
        "the loss of whoever flew last": "waiting = []\ndef fly(path):\n    waiting.append(list(path))\n    path[0].visits += 1\n"
        "    for node in path[1:]:\n        node.visits += 1\n        node.value_sum += 1\n\ndef land(path, value):\n"
        "    for node in waiting.pop()[1:]:\n        node.value_sum -= 1\n    for node in reversed(path):\n"
        "        node.value_sum += value\n        value = -value",
        "the loss of whoever flew first": "waiting = []\ndef fly(path):\n    waiting.append(path)\n    path[0].visits += 1\n"
        "    for node in path[1:]:\n        node.visits += 1\n        node.value_sum += 1\n\ndef land(path, value):\n"
        "    for node in waiting.pop(0)[1:]:\n        node.value_sum -= 1\n    for node in reversed(path):\n"
        "        node.value_sum += value\n        value = -value",
        "the first landing clears all": "waiting = []\ndef fly(path):\n    waiting.append(path)\n    path[0].visits += 1\n"
        "    for node in path[1:]:\n        node.visits += 1\n        node.value_sum += 1\n\ndef land(path, value):\n"
        "    for one in waiting:\n        for node in one[1:]:\n            node.value_sum -= 1\n    waiting.clear()\n"
        "    for node in reversed(path):\n        node.value_sum += value\n        value = -value",
        "all losses of a node at once": "def fly(path):\n    path[0].visits += 1\n    for node in path[1:]:\n"
        "        node.visits += 1\n        node.value_sum += 1\n        node.flying = getattr(node, 'flying', 0) + 1\n\n"
        "def land(path, value):\n    for node in path[1:]:\n        node.value_sum -= node.flying\n        node.flying = 0\n"
        "    for node in reversed(path):\n        node.value_sum += value\n        value = -value",
        "from the root": ("for node in reversed(path):", "for node in path:"),
        "path eaten": ("    for node in reversed(path):", "    path.reverse()\n    for node in path:"),
        "reset to what it was": "saved = {}\ndef fly(path):\n    for i, node in enumerate(path):\n        saved[id(node)] = node.value_sum\n        node.visits += 1\n"
        "        node.value_sum += i > 0\n\ndef land(path, value):\n    for node in reversed(path):\n        node.value_sum = saved[id(node)] + value\n        value = -value",
        "means": (
            "        node.value_sum += value\n",
            "        node.value_sum += (value - node.value_sum) / node.visits\n",
        ),
    },
}
