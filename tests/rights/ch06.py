"""Unusual right solutions of the exercises of chapter 6 that their checks must accept (form: tools/gate.py)."""

RIGHT = {
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
    "false_pass": {
        "by a dict": "def false_pass(games, gate, draws):\n    chances, lost = {0: 1.0}, (1 - draws) / 2\n    for _ in range(games):\n        new = {}\n        for points, p in chances.items():\n            for more, q in ((0, lost), (1, draws), (2, lost)):\n                new[points + more] = new.get(points + more, 0.0) + p * q\n        chances = new\n    return sum(p for points, p in chances.items() if points > 2 * gate * games + 1e-6)",
        "by whole numbers": "from fractions import Fraction\ndef false_pass(games, gate, draws):\n    bar = Fraction(str(gate)) * 2 * games\n    p = np.array([1.0])\n    for _ in range(games):\n        p = np.convolve(p, [(1 - draws) / 2, draws, (1 - draws) / 2])\n    return float(sum(x for i, x in enumerate(p) if i > bar))",
        "by polynomials": "def false_pass(games, gate, draws):\n    p = np.polynomial.polynomial.polypow([(1 - draws) / 2, draws, (1 - draws) / 2], games, maxpower=None)\n    p = np.append(p, np.zeros(2 * games + 1 - len(p)))\n    return p[np.arange(2 * games + 1) > 2 * gate * games + 1e-7].sum()",
    },
    "alphazero": {
        "every part by other hands: a ring of arrays, halving by recursion, an iterator": (
            "class Ring:\n    def __init__(self, capacity):\n        self.size, self.count = capacity, 0\n        self.planes, self.policies = np.zeros((capacity, 3, 5, 5), np.float32), np.zeros((capacity, 25))\n        self.outcomes = np.zeros(capacity)\n\n    def __len__(self):\n        return min(self.size, self.count)\n\n    def add(self, planes, policy, outcome):\n        place = self.count % self.size\n        self.planes[place], self.policies[place], self.outcomes[place] = planes, policy, outcome\n        self.count += 1\n\n    def sample(self, size, rng):\n        rows = (rng.random(size) * len(self)).astype(int)\n        return self.planes[rows], self.policies[rows], self.outcomes[rows]\n\n\ndef improved_policy(log_priors, value, visits, q):\n    p, n = np.exp(log_priors), visits.sum()\n    seen = np.flatnonzero(visits)\n    mix = value if n == 0 else (value + n * (p[seen] @ q[seen]) / p[seen].sum()) / (n + 1)\n    full = np.full(len(q), float(mix))\n    full[seen] = q[seen]\n    full = (full - min(full)) / max(max(full) - min(full), 1e-8)\n    x = log_priors + (5 + visits.max() / 10) * full\n    return np.exp(x - np.logaddexp.reduce(x))\n\n\n"
            "def gumbel_root(log_priors, value, gumbels, simulate, budget, considered):\n    n = len(log_priors)\n    base = [float(a + b) for a, b in zip(log_priors, gumbels)]\n    total, count = [0.0] * n, [0] * n\n\n    def means():\n        return np.array([t / c if c else 0.0 for t, c in zip(total, count)])\n\n    def rank(moves):\n        s = scaled_q(log_priors, value, np.array(count), means())\n        return sorted(moves, key=lambda i: (-(base[i] + s[i]), i))\n\n    def phase(left, spent):\n        if spent == budget:\n            return left[0]\n        for _ in range(max(1, budget // (phases * len(left)))):\n            for i in left:\n                if spent < budget:\n                    total[i] += simulate(i)\n                    count[i] += 1\n                    spent += 1\n        return phase(rank(left)[: max(2, len(left) // 2)], spent)\n\n    left = sorted(range(n), key=lambda i: (-base[i], i))[:considered]\n    phases = max(1, (len(left) - 1).bit_length())\n    return phase(left, 0), np.array(count), means()\n\n\n"
            "def self_play(expert, rng):\n    game, examples = Mock5(5, 5, k=4), []\n    while game.winner is None:\n        move, policy = search(game, expert, 16, rng)\n        examples.append([three_planes.encode([game])[0], policy, 0.0])\n        game.apply(move)\n    result = 1.0 if game.winner else 0.0\n    for example in reversed(examples):\n        example[2], result = result, -result\n    return [tuple(example) for example in examples]\n\n\nclass Rounds:\n    def __init__(self, seed):\n        self.learner, self.ring, self.rng = Learner(seed), Ring(5000), np.random.default_rng(seed + 100)\n\n    def __iter__(self):\n        return self\n\n    def __next__(self):\n        for _ in range(20):\n            for example in self_play(self.learner.expert, self.rng):\n                self.ring.add(*example)\n                if len(self.ring) > 200 and self.rng.random() < 0.25:\n                    planes, policies, outcomes = self.ring.sample(128, self.rng)\n                    turns = int(self.rng.integers(4))\n                    policies = np.rot90(policies.reshape(-1, 5, 5), turns, (1, 2)).reshape(-1, 25)\n                    self.learner.learn(np.rot90(planes, turns, (2, 3)).copy(), policies.copy(), outcomes)\n        return self.learner.expert\n\n\ndef alphazero(seed):\n    return Rounds(seed)\n"
        )
    },
}

BLANKS = {
    "sample_move": {
        "unscaled": "def sample_move(visits, temperature, rng):\n    powers = np.asarray(visits, dtype=float) ** (1 / temperature)\n"
        "    return rng.choice(np.arange(len(visits)), p=powers / powers.sum())",
        "by logarithms": "def sample_move(visits, temperature, rng):\n    tried = np.flatnonzero(visits)\n"
        "    logs = np.log(visits[tried]) / temperature\n    p = np.exp(logs - logs.max())\n"
        "    return int(rng.choice(tried, p=p / p.sum()))",
        "by a running sum": "def sample_move(visits, temperature, rng):\n"
        "    sums = np.cumsum((np.array(visits) / max(visits)) ** (1 / temperature))\n"
        "    return int(np.searchsorted(sums, rng.random() * sums[-1], side='right'))",
    },
    "examples_of": {
        "turned at each step back": "def examples_of(game, steps):\n    z, found = abs(outcome(game.winner, 1)), []\n"
        "    for position, pi in reversed(steps):\n        found.append((position, pi, z))\n        z = -z\n"
        "    return found[::-1]",
        "in a loop": "def examples_of(game, steps):\n    found = []\n    for position, pi in steps:\n"
        "        found.append((position, pi, outcome(game.winner, position.player)))\n    return found",
        "without outcome": "def examples_of(game, steps):\n    sign = {0: 0.0, 1: 1.0, 2: -1.0}[game.winner]\n"
        "    return [[at, pi, sign * (3 - 2 * at.player)] for at, pi in steps]",
        "by the count of moves": "def examples_of(game, steps):\n    found = []\n    for step in steps:\n"
        "        z = outcome(game.winner, 1 + len(step[0].history) % 2)\n        found += [(*step, z)]\n    return found",
    },
    "batch_of": {
        "all drawn before": "def batch_of(window, size, rng):\n    places, turns = rng.choice(len(window), size), rng.integers(0, 8, size)\n"
        "    boards = [window[i][0].replay(int(t) // 2, int(t) % 2) for i, t in zip(places, turns)]\n"
        "    policies = [transform_policy(window[i][1], 6, 6, int(t) // 2, int(t) % 2) for i, t in zip(places, turns)]\n"
        "    return as_tensor(three_planes.encode(boards)), as_tensor(policies), as_tensor([window[i][2] for i in places])",
        "by rot90": "def batch_of(window, size, rng):\n    rows = []\n    for _ in range(size):\n"
        "        position, pi, z = window[int(rng.random() * len(window))]\n        angle, flip = rng.integers([4, 2])\n"
        "        both = np.concatenate([three_planes.encode([position])[0], pi.reshape(1, 6, 6)])\n"
        "        both = np.rot90(both[..., ::-1] if flip else both, angle, (1, 2))\n"
        "        rows.append((both[:3], both[3].flatten(), z))\n    return [as_tensor(part) for part in zip(*rows)]",
        "no example twice where there are enough": "def batch_of(window, size, rng):\n"
        "    order = rng.choice(len(window), size, replace=len(window) < size)\n"
        "    planes, policies, outcomes = torch.empty(size, 3, 6, 6), torch.empty(size, 36), torch.empty(size)\n"
        "    for row, i in enumerate(order):\n        flip, angle = int(rng.integers(2)), int(rng.integers(4))\n"
        "        position, pi, outcomes[row] = window[i]\n"
        "        planes[row] = as_tensor(three_planes.encode([position.replay(angle, flip)])[0])\n"
        "        policies[row] = as_tensor(transform_policy(pi, 6, 6, angle, flip))\n    return planes, policies, outcomes",
    },
    "losses": {
        "by nan_to_num": "def losses(net, planes, policies, outcomes):\n    log_p, v = heads(net, planes)\n"
        "    entropy = -(policies * policies.log().nan_to_num(neginf=0)).sum(1)\n"
        "    return -(policies * log_p).sum(1).mean(), torch.nn.functional.mse_loss(v, outcomes), entropy.mean()",
        "by the functions of torch": "def losses(net, planes, policies, outcomes):\n    log_p, v = heads(net, planes)\n"
        "    floor = torch.special.entr(policies).sum() / len(policies)\n"
        "    return torch.nn.functional.cross_entropy(log_p, policies), (v - outcomes).square().mean(), floor",
        "by einsum": "def losses(net, planes, policies, outcomes):\n    log_p, v = heads(net, planes)\n    n = len(planes)\n"
        "    floor = torch.where(policies > 0, policies * policies.clamp(min=1e-30).log(), 0.0).sum() / -n\n"
        "    return [torch.einsum('ba,ba->', policies, log_p) / -n, ((v - outcomes) @ (v - outcomes)) / n, floor]",
    },
    "sequential_halving": {
        "with sums": "def sequential_halving(scores, priors, simulate, budget, value=0.0):\n    n = len(scores)\n"
        "    sums, visits, order, left = np.zeros(n), np.zeros(n, int), [], list(range(n))\n"
        "    phases = int(np.ceil(np.log2(n)))\n    while len(order) < budget:\n"
        "        for _ in range(max(budget // (phases * len(left)), 1)):\n            for move in left:\n"
        "                if len(order) < budget:\n                    sums[move] += simulate(move)\n"
        "                    visits[move] += 1\n                    order.append(move)\n"
        "        now = scores + scaled_q(value, priors, sums / np.maximum(visits, 1), visits)\n"
        "        left = sorted(left, key=lambda move: -now[move])[: max(2, len(left) // 2)]\n    return left[0], order",
        "one candidate after another": "def sequential_halving(scores, priors, simulate, budget, value=0.0):\n"
        "    seen, order, left = [[] for _ in scores], [], list(range(len(scores)))\n"
        "    phases = math.ceil(math.log2(len(scores)))\n    while budget > len(order):\n"
        "        each, spare = max(1, budget // (phases * len(left))), budget - len(order)\n"
        "        turns = sorted((left * each)[:spare], key=left.index)\n        for move in turns:\n"
        "            seen[move].append(simulate(move))\n        order.extend(turns)\n"
        "        q = np.array([np.mean(found) if found else 0.0 for found in seen])\n"
        "        total = scores + scaled_q(value, priors, q, np.array([len(found) for found in seen]))\n"
        "        left.sort(key=lambda move: total[move], reverse=True)\n        del left[max(2, len(left) // 2) :]\n"
        "    return left[0], order",
        "phase by phase": "def sequential_halving(scores, priors, simulate, budget, value=0.0):\n"
        "    n = len(scores)\n    q, visits, order, left = np.zeros(n), np.zeros(n), [], np.arange(n)\n"
        "    phases = math.ceil(math.log2(n))\n    while len(order) != budget:\n"
        "        plan = list(left) * max(1, budget // (phases * len(left)))\n"
        "        for move in plan[: budget - len(order)]:\n"
        "            q[move] = (q[move] * visits[move] + simulate(move)) / (visits[move] + 1)\n"
        "            visits[move] += 1\n            order += [move]\n"
        "        total = (scores + scaled_q(value, priors, q, visits))[left]\n"
        "        left = left[total.argsort()[::-1]][: max(2, len(left) // 2)]\n    return left[0], order",
    },
}
