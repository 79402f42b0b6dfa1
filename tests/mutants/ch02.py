"""Wrong solutions of the exercises of chapter 2 that their checks must reject (form: tools/gate.py)."""

MUTANTS = {
    "tempered": {
        "power T instead of 1/T": ("scaled ** (1 / temperature)", "scaled ** temperature"),
        "softmax of chances": ("scaled ** (1 / temperature)", "np.exp(chances / temperature)"),
        "temperature not used": ("scaled ** (1 / temperature)", "scaled"),
        "T = 0 divides by zero": ("if temperature == 0:", "if temperature < 0:"),
        "T = 0 takes the first of equals": ("(scaled == 1).astype(float)", "np.eye(len(chances))[chances.argmax()]"),
        "T = 0 is uniform": ("(scaled == 1).astype(float)", "np.ones(len(chances))"),
        "small T underflows": ("scaled = chances / chances.max()", "scaled = chances / (chances.max() == 1 or 1)"),
        "T = 0 not normalised": (
            "return weights / weights.sum()",
            "return weights / (weights.sum() if temperature else 1)",
        ),
        "no-op": "def tempered(chances, temperature): return chances",
    },
    "held_out": {
        "by position": "def held_out(lengths, fraction, rng):\n    return rng.random(lengths.sum()) < fraction",
        "one flag per game": ("np.repeat(chosen, lengths)", "chosen"),
        "always the first games": ("rng.permutation(games)", "np.arange(games)"),
        "the last games": ("rng.permutation(games)[:count]", "np.arange(games)[-count:]"),
        "perhaps all games": ("min(max(round(fraction * games), 1), games - 1)", "max(round(fraction * games), 1)"),
        "rounded down": ("round(fraction * games)", "int(fraction * games)"),
        "own generator": ("rng.permutation", "np.random.default_rng().permutation"),
        "longer games more often": (
            "rng.permutation(games)[:count]",
            "rng.choice(games, count, replace=False, p=lengths / lengths.sum())",
        ),
    },
    "turn_example": {
        "move not turned": ("(width - 1 - column) * height + row", "move"),
        "planes not turned": ("np.rot90(planes, axes=(1, 2))", "planes"),
        "move turned clockwise": ("(width - 1 - column) * height + row", "column * height + height - 1 - row"),
        "planes turned clockwise": ("axes=(1, 2)", "axes=(2, 1)"),
        "wrong axes": ("np.rot90(planes, axes=(1, 2))", "np.rot90(planes)"),
        "old width": ("(width - 1 - column) * height + row", "(width - 1 - column) * width + row"),
        "off by one": ("width - 1 - column", "width - column"),
        "planes mirrored": ("np.rot90(planes, axes=(1, 2))", "planes.transpose(0, 2, 1)"),
        "no-op": "def turn_example(planes, move): return planes, move",
    },
    "choose": {
        "best point always": ("int(rng.choice(points, p=weights / weights.sum()))", "int(points[weights.argmax()])"),
        "epsilon ignored": ("weights.sum() == 0 or rng.random() < epsilon", "weights.sum() == 0"),
        "even draw over all points": ("return int(rng.choice(points))\n", "return int(rng.integers(len(scores)))\n"),
        "zero scores crash": ("weights.sum() == 0 or ", ""),
        "occupied points play too": ("np.flatnonzero(empty)", "np.arange(len(scores))"),
        "uniform": ("int(rng.choice(points, p=weights / weights.sum()))", "int(rng.choice(points))"),
        "global randomness": ("int(rng.choice(points, p", "int(np.random.choice(points, p"),
        "first point of zeros": ("return int(rng.choice(points))\n", "return int(points[0])\n"),
    },
    "ceiling": {
        "told who moves": (
            "mixture.max(axis=1).mean()",
            "(np.asarray(weights) @ np.asarray(parts).max(axis=2)).mean()",
        ),
        "largest of any agent": ("mixture.max(axis=1).mean()", "parts.max(axis=(0, 2)).mean()"),
        "weights forgotten": ("np.tensordot(weights, parts, axes=1)", "parts.mean(axis=0)"),
        "best position": ("mixture.max(axis=1).mean()", "mixture.max()"),
        "sum over positions": (".max(axis=1).mean()", ".max(axis=1).sum()"),
        "guessing by lot": ("mixture.max(axis=1).mean()", "(mixture**2).sum(axis=1).mean()"),
        "one": "def ceiling(parts, weights): return 1.0",
    },
    "train_policy": {
        "a mask of -100": ("masked_fill(taken, -1e9)", "masked_fill(taken, -100.0)"),
        "no step": ("        optimizer.step()\n", ""),
        "no gradient": ("        loss.backward()\n", ""),
        "a step size of 10": ("STEP_SIZE = 128, 0.01", "STEP_SIZE = 128, 10.0"),
        "a tiny step size": ("STEP_SIZE = 128, 0.01", "STEP_SIZE = 128, 1e-6"),
        "filters of 1 × 1": ("nn.Conv2d(3, 64, 3, padding=1)", "nn.Conv2d(3, 64, 1)"),
        "boards and moves of different rows": ("answers[rows]", "answers[rows.roll(1)]"),
        "moves in another order": ("torch.from_numpy(moves)", "torch.from_numpy(rng.permutation(moves))"),
        "always the first batch": ("rng.integers(0, len(moves), BATCH)", "np.arange(BATCH) % len(moves)"),
        "the mask the wrong way round": ("planes[:, 2].flatten(1) == 0", "planes[:, 2].flatten(1) == 1"),
        "masked with 0": ("masked_fill(taken, -1e9)", "masked_fill(taken, 0)"),
        "softmax over the batch": (".softmax(dim=1).numpy()", ".softmax(dim=0).numpy()"),
        "logits instead of probabilities": (".softmax(dim=1).numpy()", ".numpy()"),
        "logarithms of probabilities": (".softmax(dim=1).numpy()", ".log_softmax(dim=1).numpy()"),
        "a tensor": (".softmax(dim=1).numpy()", ".softmax(dim=1)"),
        "one plane": ("[grid == 1, grid == -1, grid == 0]", "[grid != 0, grid != 0, grid == 0]"),
        "the board lies on its side": (
            "    planes, answers",
            "    boards = boards.reshape(-1, 7, 7).transpose(0, 2, 1).reshape(-1, 49).copy()\n    planes, answers",
        ),
        "always the same seed": (
            "    torch.manual_seed(seed)\n    rng, net",
            "    torch.manual_seed(0)\n    seed = 0\n    rng, net",
        ),
        "one net for all": (
            "rng, net, steps = np.random.default_rng(seed), PolicyNet(), examples // BATCH",
            "net = train_policy.__dict__.setdefault('net', PolicyNet())\n    rng, steps = np.random.default_rng(seed), examples // BATCH",
        ),
        "twice the examples": ("examples // BATCH", "2 * (examples // BATCH)"),
        "an eighth of the examples": ("examples // BATCH", "examples // BATCH // 8"),
        "the net, not a policy": ("    return policy\n", "    return net.layers[0].weight\n"),
        "moves, not probabilities": (".softmax(dim=1).numpy()", ".argmax(dim=1).numpy()"),
        "changes the boards": ("    planes, answers", "    boards[boards == -1] = 2\n    planes, answers"),
        "no examples crashes": ("1 - step / (steps + 1)", "1 - step / steps"),
        "the batch's own mean": (
            "        taken = planes[:, 2]",
            "        planes = planes - planes.mean(dim=0) + 1e-3\n        taken = planes[:, 2]",
        ),
        "an untrained copy": ("    def policy(boards):", "    net = PolicyNet()\n\n    def policy(boards):"),
        "evenly over the empty points": ".".join(
            [
                "def train_policy(boards, moves, examples, seed):\n    return lambda b: (b == 0) / (b == 0)",
                "sum(axis=1, keepdims=True)",
            ]
        ),
        "the teacher, guessed": "def train_policy(boards, moves, examples, seed):\n    def policy(b):\n        g = np.pad((b == 1).reshape(-1, 7, 7), ((0, 0), (1, 1), (1, 1)))\n"
        "        n = sum(g[:, i : i + 7, j : j + 7] for i in range(3) for j in range(3)).reshape(-1, 49) * 1.0\n"
        "        e = np.exp(9 * n) * (b == 0)\n        return e / e.sum(axis=1, keepdims=True)\n    return policy",
    },
}

# Wrong solutions that an earlier edition of the checks accepted, or that made them crash or hang.
EDGE = {
    "tempered": {
        "even above 100": (
            "    scaled = chances / chances.max()",
            "    if temperature > 100: return np.full(len(chances), 1 / len(chances))\n    scaled = chances / chances.max()",
        ),
        "the array of an earlier call": "seen = {}\ndef tempered(chances, temperature):\n    key = (tuple(chances), temperature)\n    if key not in seen:\n        w = (chances == chances.max()) * 1.0 if temperature == 0 else (chances / chances.max()) ** (1 / temperature)\n        seen[key] = w / w.sum()\n    return seen[key]",
        "scaled only after all became 0": "def tempered(chances, temperature):\n    if temperature == 0:\n        best = chances == chances.max()\n        return best / best.sum()\n    w = chances ** (1 / temperature)\n    if w.sum() == 0:\n        w = (chances / chances.max()) ** (1 / temperature)\n    return w / w.sum()",
        "rounded to eight digits": "def tempered(chances, temperature):\n    if temperature == 0:\n        best = chances == chances.max()\n        return best / best.sum()\n    w = (chances / chances.max()) ** (1 / temperature)\n    w = w / w.sum()\n    return np.where(w < 1e-6, 0, w)",
        "nearly the highest": "def tempered(chances, temperature):\n    if temperature == 0:\n        best = np.isclose(chances, chances.max())\n        return best / best.sum()\n    w = (chances / chances.max()) ** (1 / temperature)\n    return w / w.sum()",
        "at T = 0 a small T": "def tempered(chances, temperature):\n    w = (chances / chances.max()) ** (1 / max(temperature, 1e-9))\n    return w / w.sum()",
        "divided by the mean": ("scaled ** (1 / temperature)", "(chances / chances.mean()) ** (1 / temperature)"),
        "the given array at 1": (
            "    scaled = chances",
            "    if temperature == 1: return chances\n    scaled = chances",
        ),
        "near 0 is 0": ("if temperature == 0:", "if temperature < 0.01:"),
        "least temperature 0.001": ("1 / temperature", "1 / max(temperature, 0.001)"),
        "nearly equal is equal": ("(scaled == 1).astype(float)", "np.isclose(scaled, 1, atol=1e-4).astype(float)"),
        "changes the chances": ("scaled = chances / chances.max()", "chances /= chances.max()\n    scaled = chances"),
        "a list": ("return weights / weights.sum()", "return list(weights / weights.sum())"),
        "a shared buffer": "buffer = np.zeros(100)\ndef tempered(chances, temperature):\n    out = buffer[: len(chances)]\n"
        "    out[:] = chances / chances.max()\n    out[:] = out == 1 if temperature == 0 else out ** (1 / temperature)\n"
        "    out /= out.sum()\n    return out",
        "the same array at 1": (
            "    scaled = chances",
            "    if temperature == 1: chances *= 1.0 + 1e-15; return chances\n    scaled = chances",
        ),
        "never ends": (
            "    scaled = chances",
            "    while temperature < 0.1 and temperature: temperature *= 1\n    scaled = chances",
        ),
    },
    "held_out": {
        "swaps with any place": (
            "    chosen[rng.permutation(games)[:count]] = True",
            "    order = list(range(games))\n    for i in range(count):\n        j = rng.integers(games)\n"
            "        order[i], order[j] = order[j], order[i]\n    chosen[order[:count]] = True",
        ),
        "a few swaps of any two": (
            "    chosen[rng.permutation(games)[:count]] = True",
            "    order = list(range(games))\n    for _ in range(games):\n        i, j = rng.integers(games, size=2)\n"
            "        order[i], order[j] = order[j], order[i]\n    chosen[order[:count]] = True",
        ),
        "shuffled naively": "def held_out(lengths, fraction, rng):\n    n = len(lengths)\n    order = list(range(n))\n    for i in range(n):\n        j = int(rng.integers(n))\n        order[i], order[j] = order[j], order[i]\n    k = min(max(round(fraction * n), 1), n - 1)\n    return np.isin(np.repeat(np.arange(n), lengths), order[:k])",
        "numbers of games in a byte": "def held_out(lengths, fraction, rng):\n    n = len(lengths)\n    k = min(max(round(fraction * n), 1), n - 1)\n    game = np.repeat(np.arange(n), lengths).astype(np.uint8)\n    return np.isin(game, rng.permutation(n)[:k].astype(np.uint8))",
        "by Sattolo": "def held_out(lengths, fraction, rng):\n    n = len(lengths)\n    order = list(range(n))\n    for i in range(n - 1, 0, -1):\n        j = int(rng.integers(i))\n        order[i], order[j] = order[j], order[i]\n    k = min(max(round(fraction * n), 1), n - 1)\n    return np.isin(np.repeat(np.arange(n), lengths), order[:k])",
        "a generator of its own": ("rng.permutation(games)", "np.random.default_rng(0).permutation(games)"),
        "half rounded up": ("round(fraction * games)", "int(fraction * games + 0.5)"),
        "every third": (
            "chosen[rng.permutation(games)[:count]] = True",
            "step = games // count\n    chosen[(rng.integers(step) + step * np.arange(count)) % games] = True",
        ),
        "ones and zeros": ("return np.repeat(chosen, lengths)", "return np.repeat(chosen, lengths).astype(int)"),
        "changes the lengths": ("    games = len(lengths)", "    lengths.sort()\n    games = len(lengths)"),
        "a shared buffer": (
            "    return np.repeat(chosen, lengths)",
            "    global kept\n    kept = np.zeros(999, bool) if 'kept' not in globals() else kept\n    kept[: lengths.sum()] = np.repeat(chosen, lengths)\n    return kept[: lengths.sum()]",
        ),
        "until all fit": (
            "    chosen[rng.permutation(games)[:count]] = True",
            "    while chosen.sum() != count + 1: chosen[rng.integers(games)] = True\n",
        ),
    },
    "turn_example": {
        "a row as it is": "def turn_example(planes, move):\n    c, h, w = planes.shape\n    if h == 1 or w == 1:\n        return planes.reshape(c, w, h).copy(), move\n    return np.rot90(planes, axes=(1, 2)), (w - 1 - move % w) * h + move // w",
        "one table for as many points": "tables = {}\n\ndef turn_example(planes, move):\n    c, h, w = planes.shape\n    if h * w not in tables:\n        tables[h * w] = np.rot90(np.arange(h * w).reshape(h, w)).ravel().tolist()\n    return np.rot90(planes, axes=(1, 2)), tables[h * w].index(move)",
        "points in a byte": "def turn_example(planes, move):\n    c, h, w = planes.shape\n    table = np.rot90(np.arange(h * w).astype(np.uint8).reshape(h, w)).ravel().tolist()\n    return np.rot90(planes, axes=(1, 2)), table.index(move % 256) if move % 256 in table else 0",
        "marked by −1": "def turn_example(planes, move):\n    marked = planes.sum(axis=0)\n    marked.flat[move] = -1\n    return np.rot90(planes, axes=(1, 2)), int(np.rot90(marked).argmin())",
        "both mirrored": (
            "np.rot90(planes, axes=(1, 2)), (width - 1 - column) * height + row",
            "planes.transpose(0, 2, 1), column * height + row",
        ),
        "row and column by the height": ("divmod(move, width)", "divmod(move, height)"),
        "dealt anew": ("np.rot90(planes, axes=(1, 2))", "planes.reshape(len(planes), width, height)"),
        "three planes only": ("np.rot90(planes, axes=(1, 2))", "np.rot90(planes[:3], axes=(1, 2))"),
        "turned in place": (
            "    height, width = planes.shape[1:]",
            "    if planes.shape[1] == planes.shape[2]: planes[:] = planes[::-1]\n    height, width = planes.shape[1:]",
        ),
        "a float": ("(width - 1 - column) * height + row", "float((width - 1 - column) * height + row)"),
        "nested lists": ("return np.rot90(planes, axes=(1, 2)),", "return np.rot90(planes, axes=(1, 2)).tolist(),"),
        "planes only": (
            "return np.rot90(planes, axes=(1, 2)), (width - 1 - column) * height + row",
            "return np.rot90(planes, axes=(1, 2))",
        ),
        "square boards only": ("(width - 1 - column) * height + row", "(height - 1 - column) * width + row"),
    },
    "choose": {
        "epsilon in hundredths, rounded up": ("rng.random() < epsilon", "rng.integers(100) < epsilon * 100"),
        "drawn in hundredths": (
            "    return int(rng.choice(points, p=weights / weights.sum()))",
            "    return int(points[np.searchsorted(np.cumsum(weights / weights.sum()), rng.integers(100) / 100)])",
        ),
        "thousandths": (
            "    return int(rng.choice(points, p=weights / weights.sum()))",
            "    p = np.round(weights / weights.sum(), 3)\n    return int(rng.choice(points, p=p / p.sum()))",
        ),
        "a bag of 1,000 tickets": (
            "    return int(rng.choice(points, p=weights / weights.sum()))",
            "    return int(rng.choice(np.repeat(points, np.round(1000 * weights / weights.sum()).astype(int))))",
        ),
        "a drum of tickets": (
            "    return int(rng.choice(points, p=weights / weights.sum()))",
            "    return int(rng.choice(np.repeat(points, np.ceil(1000 * weights / weights.sum()).astype(int))))",
        ),
        "less than 1e-100 is zero": ("if weights.sum() == 0", "if weights.sum() <= 1e-100"),
        "shares of whole numbers": "def choose(scores, empty, epsilon, rng):\n    points = np.flatnonzero(empty)\n    p = np.zeros_like(scores)\n    if scores[points].sum() == 0 or rng.random() < epsilon:\n        return int(rng.choice(points))\n    p[points] = scores[points] / scores[points].sum()\n    return int(rng.choice(len(p), p=p / p.sum())) if p.sum() else int(rng.choice(points))",
        "evenly over stones, too": "def choose(scores, empty, epsilon, rng):\n    w = np.where(empty, scores, 0.0)\n    p = empty.astype(float) if w.sum() == 0 else ((1 - epsilon) * w / w.sum() + epsilon / len(w)) * empty\n    return int(rng.choice(len(p), p=p / p.sum()))",
        "epsilon added to the scores": "def choose(scores, empty, epsilon, rng):\n    w = np.where(empty, scores, 0.0)\n    p = empty.astype(float) if w.sum() == 0 else ((1 - epsilon) * w + epsilon) * empty\n    return int(rng.choice(len(p), p=p / p.sum()))",
        "epsilon twice": "def choose(scores, empty, epsilon, rng):\n    w = np.where(empty, scores, 0.0)\n    if w.sum() == 0 or rng.random() < epsilon or rng.random() < epsilon:\n        w = empty.astype(float)\n    return int(rng.choice(len(w), p=w / w.sum()))",
        "epsilon in tenths": "def choose(scores, empty, epsilon, rng):\n    w = np.where(empty, scores, 0.0)\n    if w.sum() == 0 or rng.integers(0, 10) < epsilon * 10:\n        w = empty.astype(float)\n    return int(rng.choice(len(w), p=w / w.sum()))",
        "half of epsilon": "def choose(scores, empty, epsilon, rng):\n    w = np.where(empty, scores, 0.0)\n    if w.sum() == 0 or rng.random() < epsilon / 2:\n        w = empty.astype(float)\n    return int(rng.choice(len(w), p=w / w.sum()))",
        "the two best": (
            "    if weights.sum() == 0",
            "    best = np.argsort(-weights, kind='stable')[:2]\n"
            "    if weights.sum() and rng.random() >= epsilon:\n"
            "        return int(rng.choice(points[best], p=weights[best] / weights[best].sum()))\n"
            "    epsilon = 1\n    if weights.sum() == 0",
        ),
        "compared with the kept one": "def choose(scores, empty, epsilon, rng):\n    points = np.flatnonzero(empty)\n"
        "    if scores[points].sum() == 0 or rng.random() < epsilon:\n        return int(rng.choice(points))\n"
        "    keep = points[0]\n    for i in points[1:]:\n"
        "        if scores[i] > 0 and rng.random() < scores[i] / (scores[keep] + scores[i]):\n            keep = i\n"
        "    return int(keep)",
        "the best, and the others evenly": "def choose(scores, empty, epsilon, rng):\n    points = np.flatnonzero(empty)\n"
        "    if scores[points].sum() == 0 or rng.random() < epsilon:\n        return int(rng.choice(points))\n"
        "    best = points[scores[points].argmax()]\n    if rng.random() < scores[best] / scores[points].sum():\n"
        "        return int(best)\n    rest = points[(points != best) & (scores[points] > 0)]\n"
        "    return int(rng.choice(rest)) if len(rest) else int(best)",
        "less than 1e-12 is zero": ("if weights.sum() == 0", "if weights.sum() < 1e-12"),
        "softmax": (
            "p=weights / weights.sum()",
            "p=np.exp(weights - weights.max()) / np.exp(weights - weights.max()).sum()",
        ),
        "weights that don't sum to 1": ("p=weights / weights.sum()", "p=weights"),
        "a generator of its own": (
            "    points = np.flatnonzero(empty)",
            "    rng = np.random.default_rng(0)\n    points = np.flatnonzero(empty)",
        ),
        "tiny scores are zero": ("if weights.sum() == 0", "if weights.sum() < 1e-6"),
        "a little added": ("weights = scores[points]", "weights = scores[points] + 1e-9"),
        "a float": ("return int(rng.choice(points, p", "return float(rng.choice(points, p"),
        "normalises in place": (
            "weights = scores[points]",
            "scores /= scores.max() or 1\n    weights = scores[points]",
        ),
        "never ends": (
            "    points = np.flatnonzero(empty)",
            "    while not scores.any(): pass\n    points = np.flatnonzero(empty)",
        ),
    },
    "ceiling": {
        "four agents at most": "def ceiling(parts, weights):\n    return float(sum(weights[a] * parts[a] for a in range(min(4, len(parts)))).max(1).mean())",
        "a sum like the parts": "def ceiling(parts, weights):\n    total = np.zeros_like(parts[0])\n    for w, p in zip(weights, parts):\n        total += (w * p).astype(total.dtype)\n    return float(total.max(axis=1).mean())",
        "over the positions": ("mixture.max(axis=1).mean()", "mixture.max(axis=0).mean()"),
        "remembered by shape": "remembered = {}\ndef ceiling(parts, weights):\n    if parts.shape not in remembered:\n"
        "        remembered[parts.shape] = np.tensordot(weights, parts, axes=1).max(axis=1).mean()\n"
        "    return remembered[parts.shape]",
        "changes the weights": (
            "    mixture =",
            "    weights /= weights.sum(); weights[:] = weights[::-1]; parts = parts[::-1]\n    mixture =",
        ),
        "in percent": ("return mixture.max(axis=1).mean()", "return 100 * mixture.max(axis=1).mean()"),
        "median": ("mixture.max(axis=1).mean()", "np.median(mixture.max(axis=1))"),
        "rounded": ("mixture.max(axis=1).mean()", "round(mixture.max(axis=1).mean(), 3)"),
    },
    "train_policy": {
        "a step size that ends at 0": ("lambda step: 1 - step / (steps + 1)", "lambda step: 1 - step / (steps - 1)"),
        "one batch too many": (
            "    for _ in range(steps):\n",
            "    shown = 0\n    while examples and shown <= examples:\n        shown += BATCH\n",
        ),
        "a batch's own mean where nothing was trained": "class Normed(PolicyNet):\n    def __init__(self):\n        super().__init__()\n"
        "        self.layers.insert(1, nn.BatchNorm2d(64))\n        self.learnt = False\n\n    def forward(self, planes):\n"
        "        self.learnt |= torch.is_grad_enabled()\n        self.train(torch.is_grad_enabled() or not self.learnt)\n"
        "        return super().forward(planes)\n\n\nPolicyNet = Normed",
        "epochs of all boards": ("examples // BATCH", "examples // len(moves) * len(moves) // BATCH"),
        "a constant after the softmax": (
            "            return net(planes_of(boards)).softmax(dim=1).numpy()",
            "            p = net(planes_of(boards)).softmax(dim=1).numpy() + 1e-3\n            return p / p.sum(axis=1, keepdims=True)",
        ),
        "ten steps at least": ("examples // BATCH", "(max(10, examples // BATCH) if examples else 0)"),
        "nine of ten examples": ("examples // BATCH", "examples * 9 // 10 // BATCH"),
        "one step fewer": ("examples // BATCH", "max(examples // BATCH - 1, 0)"),
        "a larger batch counted than drawn": (
            "rng.integers(0, len(moves), BATCH)",
            "rng.integers(0, len(moves), BATCH - 8)",
        ),
        "a net kept for each seed": (
            "    rng, net, steps = np.random.default_rng(seed), PolicyNet(), examples // BATCH",
            "    kept = train_policy.__dict__\n    net = kept.setdefault(str(seed), PolicyNet())\n    rng, steps = np.random.default_rng(seed), examples // BATCH",
        ),
        "the data of the notebook": (
            "    planes, answers = planes_of(boards), torch.from_numpy(moves)\n",
            "    from mock5check import ch02\n\n    boards, moves = ch02.records(30_000, 0)\n    planes, answers = planes_of(boards), torch.from_numpy(moves)\n",
        ),
        "each board once at most": ("examples // BATCH", "min(examples, len(moves)) // BATCH"),
        "a fifth held out": ("examples // BATCH", "examples * 4 // 5 // BATCH"),
        "as many boards as a batch": (
            "rng.integers(0, len(moves), BATCH)",
            "rng.choice(len(moves), BATCH, replace=False)",
        ),
        "the last board never": ("rng.integers(0, len(moves), BATCH)", "rng.integers(0, len(moves) - 1, BATCH)"),
        "at least one step": ("examples // BATCH", "max(1, examples // BATCH)"),
        "once through the boards": ("examples // BATCH", "len(moves) // BATCH"),
        "the first weights are always the same": ("torch.manual_seed(seed)", "torch.manual_seed(0)"),
        "one move has all": (
            "            return net(planes_of(boards)).softmax(dim=1).numpy()",
            "            return np.eye(49)[net(planes_of(boards)).argmax(dim=1).numpy()]",
        ),
        "one array for all answers": (
            "    def policy(boards):",
            "    held = np.zeros((4000, 49), np.float32)\n\n    def policy(boards):\n        held[: len(boards)] = answer(boards)\n"
            "        return held[: len(boards)]\n\n    def answer(boards):",
        ),
        "half precision": (".softmax(dim=1).numpy()", ".softmax(dim=1).half().numpy()"),
    },
}
