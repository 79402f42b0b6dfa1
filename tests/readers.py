"""What readers of the chapters typed into blanks: what is accepted, in which form; and what is refused."""

FORMS = [  # what is accepted, though another kind of thing; what the chapter gets
    ("ch03", "def returns_in(z, turns, gamma):\n    return z * gamma ** np.arange(turns)[::-1]", (1.0, 2, 0.5), list),
    (
        "ch03",
        "def returns_in(z, turns, gamma):\n    return tuple(gamma**t * z for t in reversed(range(turns)))",
        (1, 2, 1),
        list,
    ),
    (
        "ch01",
        "def uct_value(w, v, n, c=SQRT2):\n    return np.float64(w / v + c * np.sqrt(np.log(n) / v))",
        (6, 10, 15),
        float,
    ),
    (
        "ch03",
        "def returns_in(z, turns, gamma, done=()):\n    if not turns:\n        return list(done)\n"
        "    return returns_in(z * gamma, turns - 1, gamma, (z, *done))",
        (1.0, 3, 0.5),
        list,
    ),
]

READERS = [  # what a reader typed, and what tells them
    (
        "ch01",
        "def uct_value(w, v, parent_visits, c=SQRT2):\n    return w / v + c * math.sqrt(math.log(parent_visits)) / v",
        "Only the logarithm is under the root",
    ),
    (
        "ch01",
        "def select(node, game, c):\n    while not node.untried:\n        node = best_child(node, c)\n"
        "        game.apply(node.move)\n    return node",
        "When the game is over",
    ),
    (
        "ch02",
        "def log_policy(net, planes):\n    logits = net(planes)\n    mask = planes[:, 2:] == 0\n"
        "    return logits.masked_fill(mask, -1e9).log_softmax(dim=-1)",
        "should have shape",
    ),
    (
        "ch02",
        "def log_policy(net, planes):\n    return planes[:, 2].flatten(1).long().log_softmax(dim=1)",
        "use `.float()` first",
    ),
    (
        "ch03",
        "def climb(theta, mean, pi, played, alpha):\n    theta = theta + alpha * estimate(played, pi, mean)\n"
        "    return theta, mean + 0.1 * (np.mean([z for _, z in played]) - mean)",
        "`estimate` looks up a baseline for each row",
    ),
    (
        "ch03",
        "def loss_of(log_pi, moves, G, baseline):\n    chosen = log_pi.gather(1, moves.unsqueeze(1))\n"
        "    return -(chosen * (G - baseline)).mean()",
        "N×N table",
    ),
    (
        "ch05",
        "def choose(node, c=1.4):\n    def score(m):\n        child = node.children.get(m)\n"
        "        n = child.visits if child else 0\n        q = -child.value_sum / n if child else 0.0\n"
        "        return puct(q, node.priors[m], sum(x.visits for x in node.children.values()), n, c)\n"
        "    return max(node.priors, key=score)",
        "N is the node's own visits",
    ),
    (
        "ch05",
        "import functools\n\n@your_turn\n@functools.lru_cache(None)\ndef choose(node, c=1.4):\n    def score(m):\n"
        "        child = node.children.get(m)\n        q = -child.value_sum / child.visits if child else 0.0\n"
        "        return puct(q, node.priors[m], node.visits, child.visits if child else 0, c)\n"
        "    return max(node.priors, key=score)",
        "not right yet",
    ),
    (
        "ch05",
        "known = {}\n\n@your_turn\ndef choose(node, c=1.4):\n    def score(m):\n        child = node.children.get(m)\n"
        "        q = -child.value_sum / child.visits if child else 0.0\n"
        "        return puct(q, node.priors[m], node.visits, child.visits if child else 0, c)\n"
        "    moves = tuple(node.priors)\n    return known.setdefault(moves, max(moves, key=score))",
        "not right yet",
    ),
    (
        "ch06",
        "def losses(net, planes, policies, outcomes):\n    p, v = heads(net, planes)\n"
        "    return -(policies * p).mean(), ((v - outcomes) ** 2).mean(), -torch.xlogy(policies, policies).mean()",
        "mean over moves AND boards",
    ),
    (
        "ch06",
        "def batch_of(window, size, rng):\n    rows = rng.choice(list(window), size)\n    return rows",
        "Sample indices instead",
    ),
    (
        "ch07",
        "def pair_interval(points):\n    pairs = np.reshape(points, (-1, 2)).mean(1)\n"
        "    half = 1.96 * np.std(pairs, ddof=1) / len(pairs) ** 0.5\n    low, high = pairs.mean() - half, pairs.mean() + half\n"
        "    return max(0, low), min(1, high)",
        "`ddof=1`",
    ),
    (
        "ch08",
        "def played_round(workers, state, number, put, get):\n    state = put(state)\n"
        "    return get([worker.play(state, number) for worker in workers])",
        "started by `.remote",
    ),
    (
        "ch08",
        "def collected(references, get, ask_again, gone):\n    packets = []\n    for i, r in enumerate(references):\n"
        "        try:\n            packets.append(get(r))\n        except Exception:\n            packets.append(get(ask_again(i)))\n"
        "    return packets",
        "Catch `gone` only",
    ),
    (
        "ch05",
        "def backup(node, value):\n    while node is not None and node.move:\n        node.visits += 1\n"
        "        node.value_sum += value\n        value, node = -value, node.parent",
        "Move 0 counts as false",
    ),
    (
        "ch08",
        "def collected(references, get, ask_again, gone):\n    packets = []\n    for i, r in enumerate(references):\n"
        "        try:\n            packet = get(r)\n        except gone:\n            packet = get(ask_again(i))\n"
        "        if packet is not None:\n            packets.append(packet)\n    return packets",
        "Keep it in its place",
    ),
    (
        "ch09",
        "def can_be_saved(game, prey):\n    for move in ladders.answers_of(game, prey):\n"
        "        if game.why_illegal(move) is None:\n            after = game.copy()\n            after.apply(move)\n"
        "            n = len(after.liberties(prey))\n            return n > 2 or (n == 2 and not can_be_caught(after, prey))\n"
        "    return False",
        "decides after the first answer",
    ),
]
