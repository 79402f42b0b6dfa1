"""Wrong solutions of the exercises of chapter 6 that their checks must reject (form: tools/gate.py)."""

MUTANTS = {}

CAPSTONE = {
    "whose turn it is by the number of stones": (
        "log_priors, values = expert(three_planes.encode([game]))",
        "board = np.reshape(list(game.board), (game.height, game.width))\n"
        "        mine = 1 + int((board > 0).sum()) % 2\n"
        "        log_priors, values = expert(np.stack([board == mine, board == 3 - mine, board == 0]).astype(np.float32)[None])",
    ),
    "equal in six digits is equal": (
        "left = np.array(sorted(left, key=lambda i: (-now[i], i)))",
        "left = np.array(sorted(left, key=lambda i: (-round(now[i], 6), i)))",
    ),
    "a softmax over all points": (
        "        chosen = log_priors[0, self.moves].astype(float)\n        chosen -= chosen.max()\n        self.log_priors = chosen - np.log(np.exp(chosen).sum())",
        "        chosen = log_priors[0].astype(float)\n        chosen -= chosen.max()\n        self.log_priors = (chosen - np.log(np.exp(chosen).sum()))[self.moves]",
    ),
    "a prior is 1e-30 at least": (
        "tried, priors = visits > 0, np.exp(log_priors)",
        "tried, priors = visits > 0, np.maximum(np.exp(log_priors), 1e-30)",
    ),
    "two that are left get all the rest at once": (
        "        each = max(1, budget // (phases * len(left)))\n",
        "        each = budget if len(left) <= 2 else max(1, budget // (phases * len(left)))\n",
    ),
    "two that are left share the rest in one phase": (
        "        each = max(1, budget // (phases * len(left)))\n",
        "        each = max(1, budget // (phases * len(left)))\n"
        "        if len(left) == 2:\n            each = max(1, (budget - int(visits.sum())) // 2)\n",
    ),
    "equal scores in any order after a phase": (
        "        left = np.array(sorted(left, key=lambda i: (-now[i], i)))[: max(2, len(left) // 2)]",
        "        left = np.array([k for k in np.argsort(-now) if k in left])[: max(2, len(left) // 2)]",
    ),
    "the halving gets −v": (
        "gumbel_root(log_priors, root.value, gumbels,",
        "gumbel_root(log_priors, -root.value, gumbels,",
    ),
    "the halving gets no v": ("gumbel_root(log_priors, root.value, gumbels,", "gumbel_root(log_priors, 0.0, gumbels,"),
    "a copy by the history if there is one": (
        "walk(root, game.copy(), expert, slot)",
        "walk(root, Mock5(game.height, game.width, game.k, history=game.history) if game.history else game.copy(), expert, slot)",
    ),
    "equals in the order of before": ("key=lambda i: (-now[i], i)", "key=lambda i: -now[i]"),
    "a guard where all priors are small": (
        "np.average(q[tried], weights=priors[tried]) if tried.any() else 0.0",
        "(priors[tried] * q[tried]).sum() / max(priors[tried].sum(), 1e-12)",
    ),
    "a move drawn from the policy": (
        "        game.apply(move)\n",
        "        game.apply(int(rng.choice(len(policy), p=policy / policy.sum())))\n",
    ),
    "the winner is to move": ("value = -1.0 if game.winner else 0.0", "value = 1.0 if game.winner else 0.0"),
    "values squashed once more": ("float(values[0]) if exact", "float(np.tanh(values[0])) if exact"),
    "values of one digit": ("float(values[0]) if exact", "round(float(values[0]), 1) if exact"),
    "four simulations in a game": ("search(game, expert, 16, rng)", "search(game, expert, 4, rng)"),
    "seven simulations in a game": ("search(game, expert, 16, rng)", "search(game, expert, 7, rng)"),
    "eight and four simulations by turns": (
        "search(game, expert, 16, rng)",
        "search(game, expert, 4 if len(steps) % 2 else 8, rng)",
    ),
    "a sample of the policy": (
        "    return root.moves[best], policy",
        "    return (root.moves[best] if rng is None else int(rng.choice(len(policy), p=policy))), policy",
    ),
    "the remainder of a number of 16 bits": (
        "rng.integers(len(self.kept), size=size)",
        "rng.integers(1 << 16, size=size) % len(self.kept)",
    ),
    "remembers what the expert said": (
        "        log_priors, values = expert(three_planes.encode([game]))\n",
        "        said, key = globals().setdefault('SAID', {}), (expert, bytes(game.board), game.player)\n"
        "        if key not in said:\n            said[key] = expert(three_planes.encode([game]))\n"
        "        log_priors, values = said[key]\n",
    ),
    "priors that are no softmax": (
        "        chosen -= chosen.max()\n        self.log_priors = chosen - np.log(np.exp(chosen).sum())\n",
        "        self.log_priors = chosen\n",
    ),
    "the rules' value turned round at first": (
        "            value = node.value\n",
        "            value = -node.value if new and node.known else node.value\n",
    ),
    "two candidates at least": ('kind="stable")[:considered]', 'kind="stable")[: max(2, considered)]'),
    "half of a batch": (
        "        log_priors, values = self.net(planes)\n        loss",
        "        planes, policies, outcomes = planes[:64], policies[:64], outcomes[:64]\n        log_priors, values = self.net(planes)\n        loss",
    ),
    "a sorting that is not stable": (
        'np.argsort(-scores, kind="stable")[:considered]',
        "np.argsort(-scores)[:considered]",
    ),
    "a billionth inside the logarithm": (
        "chosen - np.log(np.exp(chosen).sum())",
        "np.log(np.exp(chosen) / np.exp(chosen).sum() + 1e-9)",
    ),
    "an even policy over wins": (
        "    policy[root.moves] = improved_policy(log_priors, root.value, visits, q)\n",
        "    policy[root.moves] = improved_policy(log_priors, root.value, visits, q)\n"
        "    if root.known and root.value == 1:\n        policy[root.moves] = 1 / len(root.moves)\n",
    ),
    "the policy is squared in the examples": (
        "        steps.append((three_planes.encode([game])[0], policy, game.player))",
        "        steps.append((three_planes.encode([game])[0], policy**2 / (policy**2).sum(), game.player))",
    ),
    "the policy is mixed with an even one": (
        "        steps.append((three_planes.encode([game])[0], policy, game.player))",
        "        even = (policy > 0) / (policy > 0).sum()\n"
        "        steps.append((three_planes.encode([game])[0], 0.9 * policy + 0.1 * even, game.player))",
    ),
    "dropout in the answers": (
        "        x = self.trunk(planes)",
        "        x = nn.functional.dropout(self.trunk(planes), 0.1, training=True)",
    ),
    # the ring
    "rows that nobody wrote": "class Ring:\n    def __init__(self, capacity):\n        self.planes, self.policies = np.zeros((capacity, 3, 5, 5), np.float32), np.zeros((capacity, 25))\n"
    "        self.outcomes, self.count = np.zeros(capacity), 0\n\n    def __len__(self):\n        return min(self.count, len(self.outcomes))\n\n"
    "    def add(self, planes, policy, outcome):\n        i = self.count % len(self.outcomes)\n        self.planes[i], self.policies[i], self.outcomes[i] = planes, policy, outcome\n        self.count += 1\n\n"
    "    def sample(self, size, rng):\n        rows = rng.integers(len(self.outcomes), size=size)\n        return self.planes[rows], self.policies[rows], self.outcomes[rows]\n",
    "the oldest stays": ("            self.kept[self.oldest] = example\n", "            self.kept[-1] = example\n"),
    "the tree does not grow": ("        if new or node.known:", "        if True:"),
    "one place too many": ("if len(self.kept) < self.capacity:", "if len(self.kept) <= self.capacity:"),
    "a single one is the ring's own": (
        "    planes, policies, outcomes = zip(*drawn)\n",
        "    planes, policies, outcomes = zip(*drawn)\n"
        "        if size == 1:\n            return planes[0][None], policies[0][None], np.array(outcomes)\n",
    ),
    "never drops": ("if len(self.kept) < self.capacity:", "if True:"),
    "keeps the caller's arrays": ("np.array(planes, np.float32), np.array(policy, float)", "planes, policy"),
    "the newest only": ("rng.integers(len(self.kept), size=size)", "range(len(self.kept) - size, len(self.kept))"),
    "the last one never drawn": (
        "rng.integers(len(self.kept), size=size)",
        "rng.integers(len(self.kept) - 1 or 1, size=size)",
    ),
    "drawn without rng": ("rng.integers(len(self.kept), size=size)", "np.random.randint(len(self.kept), size=size)"),
    "rows mixed up": ("np.stack(policies), np.array(outcomes)", "np.stack(policies), np.sort(outcomes)"),
    "one store for all rings": (
        "self.capacity, self.kept, self.oldest = capacity, [], 0",
        "self.capacity, self.kept, self.oldest = capacity, STORE, 0\n\n    global STORE\n    STORE = []",
    ),
    # the formulas
    "visits as the target": (
        "    weights = np.exp(logits - logits.max())\n    return weights / weights.sum()\n\n\ndef scaled_q",
        "    return visits / max(visits.sum(), 1)\n\n\ndef scaled_q",
    ),
    "the prior forgotten": (
        "    logits = log_priors + scaled_q(log_priors, value, visits, q)",
        "    logits = scaled_q(log_priors, value, visits, q)",
    ),
    "one simulation less": ("simulate, budget, 8)", "simulate, max(1, budget - 1), 8)"),
    "half of the simulations": ("simulate, budget, 8)", "simulate, max(1, budget // 2), 8)"),
    "the move for the policy": (
        "    policy[root.moves] = improved_policy(log_priors, root.value, visits, q)\n",
        "    policy[root.moves] = improved_policy(log_priors, root.value, visits, q)\n    if root.known:\n        policy = np.eye(len(policy))[root.moves[best]]\n",
    ),
    "noise for four moves": (
        "search(game, expert, 16, rng)",
        "search(game, expert, 16, rng if len(steps) < 4 else None)",
    ),
    "the caller's outcomes": (
        "            torch.tensor(part, dtype=torch.float32) for part in (planes, policies, outcomes)\n        )\n",
        "            torch.from_numpy(part).float() for part in (planes, policies, outcomes)\n        )\n        outcomes *= 0.95\n",
    ),
    "the old order stays": (
        "        left = np.array(sorted(left, key=lambda i: (-now[i], i)))[: max(2, len(left) // 2)]\n    return int(left[0])",
        '        keep = left[np.argsort(-now[left], kind="stable")][: max(2, len(left) // 2)]\n        left = left[np.isin(left, keep)]\n    return int(keep[0])',
    ),
    "25 Gumbel numbers": ("rng.gumbel(size=len(root.moves))", "rng.gumbel(size=25)[: len(root.moves)]"),
    "a small spread is one": ("max(np.ptp(completed), 1e-8)", "(np.ptp(completed) or 1.0)"),
    "the mean without priors": ("np.average(q[tried], weights=priors[tried])", "np.mean(q[tried])"),
    "the sum of the visits": ("(50 + visits.max())", "(50 + visits.sum())"),
    "fills q in": ("completed = np.where(tried, q, mixed)", "q[~tried] = mixed\n    completed = q"),
    "priors in single precision": (
        "tried, priors = visits > 0, np.exp(log_priors)",
        "tried, priors = visits > 0, np.exp(log_priors.astype(np.float32))",
    ),
    "the last softmax in single precision": (
        "    weights = np.exp(logits - logits.max())\n    return weights / weights.sum()\n\n\ndef scaled_q",
        "    return torch.softmax(torch.tensor(logits, dtype=torch.float32), 0).double().numpy()\n\n\ndef scaled_q",
    ),
    # sequential halving
    "σ of g + log p": ("now = scores + scaled_q(log_priors, value,", "now = scores + scaled_q(scores, value,"),
    "g + log p in single precision": (
        "    scores = log_priors + gumbels\n",
        "    scores = np.float32(log_priors) + np.float32(gumbels)\n",
    ),
    "scores in single precision": (
        "now = scores + scaled_q(log_priors, value, visits, q)",
        "now = (scores + scaled_q(log_priors, value, visits, q)).astype(np.float32)",
    ),
    "means in single precision": (
        "    return int(left[0]), visits, q",
        "    return int(left[0]), visits, q.astype(np.float32).astype(float)",
    ),
    "all in single precision": "def improved_policy(log_priors, value, visits, q):\n    lp, q = log_priors.astype(np.float32), q.astype(np.float32)\n"
    "    seen = visits > 0\n    p = np.exp(lp)\n    mean = (p[seen] * q[seen]).sum() / p[seen].sum() if seen.any() else np.float32(0)\n"
    "    x = np.where(seen, q, (value + visits.sum() * mean) / (1 + visits.sum())).astype(np.float32)\n"
    "    z = lp + np.float32(5 + 0.1 * visits.max()) * (x - x.min()) / max(np.ptp(x), np.float32(1e-8))\n"
    "    w = np.exp(z - z.max())\n    return w / w.sum()",
    "of equals the last": ("key=lambda i: (-now[i], i)", "key=lambda i: (-now[i], -i)"),
    "exp of large numbers": ("        chosen -= chosen.max()\n", ""),
    "no Gumbel numbers": ("scores = log_priors + gumbels", "scores = log_priors + 0"),
    "down to one": ("[: max(2, len(left) // 2)]", "[: max(1, len(left) // 2)]"),
    "drops the better half": ("key=lambda i: (-now[i], i)", "key=lambda i: (now[i], i)"),
    "more than the budget": ("np.tile(left, each)[: budget - visits.sum()]", "np.tile(left, each)"),
    "all moves are candidates": ('kind="stable")[:considered]', 'kind="stable")'),
    "the last value": ("q[move] += (simulate(int(move)) - q[move]) / visits[move]", "q[move] = simulate(int(move))"),
    "never ends": ("            visits[move] += 1\n            q", "            q"),
    # one search
    "no sign on the way up": ("        value = -value\n        node.visits", "        node.visits"),
    "the first sign missing": (
        "    for node, slot in reversed(path):\n        value = -value\n        node.visits[slot] += 1\n        node.totals[slot] += value\n    return value",
        "    for node, slot in reversed(path):\n        node.visits[slot] += 1\n        node.totals[slot] += value\n        value = -value\n    return value",
    ),
    "plays a slot for a move": ("return root.moves[best], policy", "return best, policy"),
    "the policy of the legal moves": (
        "    return root.moves[best], policy",
        "    return root.moves[best], policy[root.moves]",
    ),
    "illegal moves share": (
        "    policy = np.zeros(len(game.board))\n",
        "    policy = np.full(len(game.board), 1e-3)\n",
    ),
    "a draw counts as a loss for the last": (
        "value = -1.0 if game.winner else 0.0",
        "value = -1.0 if game.winner else 1.0",
    ),
    "fixed noise without rng": (
        "np.zeros(len(root.moves)) if rng is None else",
        "np.random.default_rng(0).gumbel(size=len(root.moves)) if rng is None else",
    ),
    "searches on the caller's board": ("walk(root, game.copy(), expert, slot)", "walk(root, game, expert, slot)"),
    "twice the simulations": ("simulate, budget, 8)", "simulate, 2 * budget, 8)"),
    "height and width exchanged": (
        "walk(root, game.copy(), expert, slot)",
        "walk(root, Mock5(game.width, game.height, game.k, history=list(game.history)), expert, slot)",
    ),
    # one game
    "the outcome of player 1": ("won if player == 1 else -won", "won"),
    "the outcome turned round": ("won if player == 1 else -won", "-won if player == 1 else won"),
    "a draw is a loss": ("{0: 0.0, 1: 1.0, 2: -1.0}", "{0: -1.0, 1: 1.0, 2: -1.0}"),
    "the position after the move": (
        "        steps.append((three_planes.encode([game])[0], policy, game.player))\n        game.apply(move)\n",
        "        game.apply(move)\n        steps.append((three_planes.encode([game])[0], policy, game.player))\n",
    ),
    "always the same game": ("search(game, expert, 16, rng)", "search(game, expert, 16, None)"),
    "seven in the middle": (
        "    game, steps = Mock5(5, 5, k=4), []\n",
        "    game, steps = Mock5(5, 5, k=4, history=[12]), []\n",
    ),
    "five in a row": ("Mock5(5, 5, k=4)", "Mock5(5, 5, k=5)"),
    # one net
    "each value meets every outcome": ("(outcomes - values) ** 2", "(outcomes[:, None] - values) ** 2"),
    "the value is cut off": ("(outcomes - values) ** 2", "(outcomes - values.detach()) ** 2"),
    "the best move of the policy": (
        "loss = -(policies * log_priors).sum(dim=1).mean()",
        "loss = nn.functional.nll_loss(log_priors, policies.argmax(dim=1))",
    ),
    "the policy's loss has the wrong sign": ("loss = -(policies * log_priors)", "loss = (policies * log_priors)"),
    "no value in the loss": (" + ((outcomes - values) ** 2).mean()", " + 0 * values.mean()"),
    "gradients pile up": ("        self.optimizer.zero_grad()\n", ""),
    "the seed is not used": ("torch.manual_seed(seed)", "torch.manual_seed(0)"),
    "values in a column": ("torch.tanh(self.value(pooled)).squeeze(1)", "torch.tanh(self.value(pooled))"),
    "one net for all": (
        "        self.net = TwoHeads()\n",
        "        global only\n        only = globals().get('only') or TwoHeads()\n        self.net = only\n",
    ),
    # accepted by an earlier edition of the check
    "overflows": ("np.exp(logits - logits.max())", "np.exp(logits)"),
    "phases from considered": ("math.ceil(math.log2(len(left)))", "math.ceil(math.log2(considered))"),
    "the last edge only": (
        "    for node, slot in reversed(path):\n        value = -value\n        node.visits[slot] += 1\n        node.totals[slot] += value\n    return value",
        "    node, slot = path[-1]\n    node.visits[slot] += 1\n    node.totals[slot] -= value\n    return value * (-1) ** len(path)",
    ),
    "the root's edge only": (
        "    for node, slot in reversed(path):\n        value = -value\n        node.visits[slot] += 1\n        node.totals[slot] += value\n    return value",
        "    value *= (-1) ** len(path)\n    node, slot = path[0]\n    node.visits[slot] += 1\n    node.totals[slot] += value\n    return value",
    ),
    "v turned round in the policy": (
        "improved_policy(log_priors, root.value, visits, q)",
        "improved_policy(log_priors, -root.value, visits, q)",
    ),
    "no v in the policy": (
        "improved_policy(log_priors, root.value, visits, q)",
        "improved_policy(log_priors, 0.0, visits, q)",
    ),
    "one seed for all moves": (
        "    game, steps = Mock5(5, 5, k=4), []\n    while game.winner is None:\n",
        "    game, steps, seed = Mock5(5, 5, k=4), [], int(rng.integers(1 << 30))\n    while game.winner is None:\n"
        "        rng = np.random.default_rng(seed)\n",
    ),
    "without the last example": ("for planes, policy, player in steps]", "for planes, policy, player in steps[:-1]]"),
    "probabilities": ("return log_priors.numpy(), values.numpy()", "return log_priors.exp().numpy(), values.numpy()"),
    "another result each time": (
        "Ring(20_000), np.random.default_rng(seed)\n",
        "Ring(20_000), np.random.default_rng()\n",
    ),
    "yields the learner": ("        yield learner.expert", "        yield learner"),
    # the loop
    "never learns": ("            learner.learn(turned", "            (turned"),
    "one round": ("    while True:\n        new = ", "    for _ in range(1):\n        new = "),
    "the list of experts": ("        yield learner.expert", "        return [learner.expert]"),
    "yields the net": ("        yield learner.expert", "        yield learner.net"),
    "forgets the ring": ("            ring.add(*example)\n", "            pass\n"),
}
MUTANTS["alphazero"] = CAPSTONE

# Wrong solutions that an earlier edition of the checks accepted, or that made them crash or hang.
EDGE = {}
