"""Wrong solutions of the exercises of chapter 2 that their checks must reject (form: tools/gate.py)."""

MUTANTS = {
    "point_score": {
        "centre forgotten": ("centre + sum", "sum"),
        "opponent forgotten": ("base**m + weight * base**o", "base**m"),
        "weight on the own lines": ("base**m + weight * base**o", "weight * base**m + base**o"),
        "weight on both": ("(base**m + weight * base**o", "(weight * (base**m + base**o)"),
        "weight forgotten": ("weight * base**o", "base**o"),
        "weight under the power": ("weight * base**o", "(weight * base)**o"),
        "base and exponent swapped": ("base**m + weight * base**o", "m**base + weight * o**base"),
        "product instead of power": ("base**m + weight * base**o", "base * m + weight * base * o"),
        "sum of levels under the power": (
            "sum(base**m + weight * base**o for m, o in zip(own, other))",
            "base ** sum(own) + weight * base ** sum(other)",
        ),
        "strongest direction only": (
            "sum(base**m + weight * base**o for m, o in zip(own, other))",
            "base ** max(own) + weight * base ** max(other)",
        ),
        "level 0 skipped": ("for m, o in zip(own, other)", "for m, o in zip(own, other) if m or o"),
        "opponent's lines are bad": ("+ weight * base**o", "- weight * base**o"),
        "always greedy": "def point_score(own, other, centre, base, weight):\n"
        "    return centre + sum(10**m + 0.7 * 10**o for m, o in zip(own, other))",
    },
    "planes": {
        "black is always own": ("stones == player, stones == 3 - player", "stones == 1, stones == 2"),
        "own and other swapped": ("stones == player, stones == 3 - player", "stones == 3 - player, stones == player"),
        "empty first": (
            "[stones == player, stones == 3 - player, stones == 0]",
            "[stones == 0, stones == player, stones == 3 - player]",
        ),
        "occupied instead of empty": ("stones == 0", "stones != 0"),
        "numbers instead of ones": ("stones == 3 - player", "stones * (stones == 3 - player)"),
        "width before height": ("reshape(height, width)", "reshape(width, height)"),
        "columns for rows": ("reshape(height, width)", "reshape(width, height).T"),
        "planes last": (".astype(float)", ".astype(float).transpose(1, 2, 0)"),
        "flat planes": (".astype(float)", ".astype(float).reshape(3, -1)"),
        "two planes": ("stones == 3 - player, stones == 0]", "stones == 3 - player]"),
        "uniform": "def planes(board, player, height, width):\n    return np.full((3, height, width), 1 / 3)",
    },
    "log_policy": {
        "mask forgotten": ("np.where(empty, logits, -np.inf)", "logits"),
        "mask after normalising": "def log_policy(logits, empty):\n    x = logits - logits.max()\n"
        "    return np.where(empty, x - np.log(np.exp(x).sum()), -np.inf)",
        "masked with 0": ("-np.inf)", "0.0)"),
        "empty points masked": ("np.where(empty, logits, -np.inf)", "np.where(empty, -np.inf, logits)"),
        "not normalised": ("shifted - np.log(np.exp(shifted).sum())", "masked"),
        "overflows": ("shifted = masked - masked.max()", "shifted = masked"),
        "shifted by an occupied point": ("masked.max()", "logits.max()"),
        "chances, not logarithms": (
            "return shifted - np.log(np.exp(shifted).sum())",
            "return np.exp(shifted) / np.exp(shifted).sum()",
        ),
        "legal points only": (
            "return shifted - np.log(np.exp(shifted).sum())",
            "return (shifted - np.log(np.exp(shifted).sum()))[empty]",
        ),
        "base 10": ("return shifted - np.log(", "return shifted - np.log10("),
        "uniform": "def log_policy(logits, empty):\n    return np.where(empty, -np.log(empty.sum()), -np.inf)",
        "changes its argument": "def log_policy(logits, empty):\n    logits -= logits.max()\n    return logits",
    },
    "tempered": {
        "power T instead of 1/T": ("scaled ** (1 / temperature)", "scaled ** temperature"),
        "softmax of chances": ("scaled ** (1 / temperature)", "np.exp(chances / temperature)"),
        "not normalised": ("return weights / weights.sum()", "return weights"),
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
    "top_k": {
        "the k lowest": ("scores > played", "scores < played"),
        "one too many": ("better < k", "better <= k"),
        "one too few": ("better < k", "better < k - 1"),
        "k not used": ("better < k", "better < 1"),
        "number, not share": (".mean()", ".sum()"),
        "misses": ("better < k", "better >= k"),
        "divided by k": ("(better < k).mean()", "(better < k).mean() / k"),
        "over all scores": ("(better < k).mean()", "(better < k).sum() / scores.size"),
        "one column for all": ("scores[np.arange(len(moves)), moves]", "scores[:, moves[0]]"),
        "the first k points": "def top_k(scores, moves, k): return (moves < k).mean()",
    },
    "held_out": {
        "by position": "def held_out(lengths, fraction, rng):\n    return rng.random(lengths.sum()) < fraction",
        "one flag per game": ("np.repeat(chosen, lengths)", "chosen"),
        "the training part": ("np.repeat(chosen, lengths)", "np.repeat(~chosen, lengths)"),
        "always the first games": ("rng.permutation(games)", "np.arange(games)"),
        "the last games": ("rng.permutation(games)[:count]", "np.arange(games)[-count:]"),
        "with repetition": ("rng.permutation(games)[:count]", "rng.integers(games, size=count)"),
        "perhaps no game": ("max(round(fraction * games), 1)", "round(fraction * games)"),
        "perhaps all games": ("min(max(round(fraction * games), 1), games - 1)", "max(round(fraction * games), 1)"),
        "rounded down": ("round(fraction * games)", "int(fraction * games)"),
        "own generator": ("rng.permutation", "np.random.default_rng().permutation"),
        "every game by its own lot": (
            "chosen[rng.permutation(games)[:count]] = True",
            "chosen = rng.random(games) < fraction",
        ),
        "half a game": (
            "return np.repeat(chosen, lengths)",
            "mask = np.repeat(chosen, lengths)\n    return np.roll(mask, 1)",
        ),
        "numbers of positions": (
            "return np.repeat(chosen, lengths)",
            "return np.flatnonzero(np.repeat(chosen, lengths))",
        ),
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
        "mirrored at the diagonal": ("(width - 1 - column) * height + row", "column * height + row"),
        "planes mirrored": ("np.rot90(planes, axes=(1, 2))", "planes.transpose(0, 2, 1)"),
        "height for width": ("width - 1 - column", "height - 1 - column"),
        "no-op": "def turn_example(planes, move): return planes, move",
    },
    "choose": {
        "best point always": ("int(rng.choice(points, p=weights / weights.sum()))", "int(points[weights.argmax()])"),
        "index in the filtered list": (
            "return int(rng.choice(points, p=weights / weights.sum()))",
            "return int(rng.choice(len(points), p=weights / weights.sum()))",
        ),
        "epsilon ignored": ("weights.sum() == 0 or rng.random() < epsilon", "weights.sum() == 0"),
        "epsilon the other way round": ("rng.random() < epsilon", "rng.random() > epsilon"),
        "even draw over all points": ("return int(rng.choice(points))\n", "return int(rng.integers(len(scores)))\n"),
        "zero scores crash": ("weights.sum() == 0 or ", ""),
        "occupied points play too": ("np.flatnonzero(empty)", "np.arange(len(scores))"),
        "uniform": ("int(rng.choice(points, p=weights / weights.sum()))", "int(rng.choice(points))"),
        "global randomness": ("int(rng.choice(points, p", "int(np.random.choice(points, p"),
        "zero scores counted over all points": ("if weights.sum() == 0", "if scores.sum() == 0"),
        "first point of zeros": ("return int(rng.choice(points))\n", "return int(points[0])\n"),
    },
    "ceiling": {
        "told who moves": (
            "mixture.max(axis=1).mean()",
            "(np.asarray(weights) @ np.asarray(parts).max(axis=2)).mean()",
        ),
        "largest of any agent": ("mixture.max(axis=1).mean()", "parts.max(axis=(0, 2)).mean()"),
        "weights forgotten": ("np.tensordot(weights, parts, axes=1)", "parts.mean(axis=0)"),
        "most frequent agent": ("np.tensordot(weights, parts, axes=1)", "parts[np.argmax(weights)]"),
        "mean before the largest": ("mixture.max(axis=1).mean()", "mixture.mean(axis=0).max()"),
        "best position": ("mixture.max(axis=1).mean()", "mixture.max()"),
        "sum over positions": (".max(axis=1).mean()", ".max(axis=1).sum()"),
        "guessing by lot": ("mixture.max(axis=1).mean()", "(mixture**2).sum(axis=1).mean()"),
        "one": "def ceiling(parts, weights): return 1.0",
    },
    "gradient": {
        "sign flipped": ("return slope", "return -slope"),
        "played move forgotten": ("slope[move] -= 1", "slope[move] -= 0"),
        "mask forgotten": ("np.where(empty, logits, -np.inf)", "logits"),
        "mask after normalising": (
            "weights / weights.sum()",
            "np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum() * empty",
        ),
        "overflows": ("np.exp(masked - masked.max())", "np.exp(logits) * empty"),
        "by the chance": ("slope[move] -= 1", "slope = -np.eye(len(logits))[move] / slope[move]"),
        "halved": ("slope[move] -= 1", "slope[move] -= 0.5"),
        "mean over points": ("return slope", "return slope / len(slope)"),
        "not normalised": ("weights / weights.sum()", "weights"),
        "no update": "def gradient(logits, empty, move): return np.zeros(len(logits))",
        "pushes all others alike": "def gradient(logits, empty, move):\n"
        "    g = empty / empty.sum()\n    g[move] -= 1\n    return g",
    },
}

# Wrong solutions that an earlier edition of the checks accepted, or that made them crash or hang.
EDGE = {
    "point_score": {
        "changes the levels": (
            "    return centre",
            "    own.append(own.pop(0)); own[0] += 0; own.sort()\n    return centre",
        ),
        "text": ("return centre + sum", "return str(centre) + str"),
        "whole numbers": ("return centre + sum(", "return int(centre) + sum("),
        "levels up to five": ("base**m + weight * base**o", "base**min(m, 5) + weight * base**min(o, 5)"),
        "weight above one ignored": ("weight * base**o", "min(weight, 1) * base**o"),
    },
    "planes": {
        "nested lists": (".astype(float)", ".astype(float).tolist()"),
        "changes the board": (
            "    stones = np.array(board)",
            "    board[:] = [3 - s if s and player == 2 else s for s in board]\n    player = 1\n    stones = np.array(board)",
        ),
        "a shared buffer": "buffer = np.zeros((3, 81))\ndef planes(board, player, height, width):\n"
        "    seen, stones = buffer[:, : height * width], np.array(board)\n"
        "    seen[:] = stones == player, stones == 3 - player, stones == 0\n    return seen.reshape(3, height, width)",
        "texts": (".astype(float)", ".astype(str)"),
        "square boards only": ("reshape(height, width)", "reshape(height, height)"),
    },
    "log_policy": {
        "masked with −1000": ("-np.inf)", "-1000.0)"),
        "chances clipped": (
            "return shifted - np.log(np.exp(shifted).sum())",
            "return np.where(empty, np.log(np.clip(np.exp(shifted) / np.exp(shifted).sum(), 1e-12, 1)), -np.inf)",
        ),
        "logits clipped": ("np.where(empty, logits, -np.inf)", "np.where(empty, np.clip(logits, -50, 50), -np.inf)"),
        "a list": (
            "return shifted - np.log(np.exp(shifted).sum())",
            "return (shifted - np.log(np.exp(shifted).sum())).tolist()",
        ),
        "changes the logits": (
            "masked = np.where(empty, logits, -np.inf)",
            "logits[~empty] = -np.inf\n    masked = logits",
        ),
        "a shared buffer": "buffer = np.zeros(81)\ndef log_policy(logits, empty):\n    out = buffer[: len(logits)]\n"
        "    out[:] = np.where(empty, logits, -np.inf)\n    out -= out.max()\n    out -= np.log(np.exp(out).sum())\n    return out",
        "overflow caught too late": (
            "shifted = masked - masked.max()",
            "shifted = masked if abs(logits).max() < 900 else masked - masked.max()",
        ),
    },
    "tempered": {
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
    "top_k": {
        "changes the scores": ("    played =", "    scores.sort(axis=1)\n    played ="),
        "changes the moves": (
            "    played =",
            "    moves += 0; moves[:] = moves[::-1]; scores = scores[::-1]\n    played =",
        ),
        "in percent": ("(better < k).mean()", "100 * (better < k).mean()"),
        "text": ("return (better < k).mean()", 'return f"{(better < k).mean()}"'),
        "array of one": ("return (better < k).mean()", "return np.array([(better < k).mean()])"),
        "one after another, nearly": ("scores > played[:, None]", "scores > played[:, None] + 1e-6"),
    },
    "held_out": {
        "half rounded up": ("round(fraction * games)", "int(fraction * games + 0.5)"),
        "a block of neighbours": (
            "chosen[rng.permutation(games)[:count]] = True",
            "chosen[(rng.integers(games) + np.arange(count)) % games] = True",
        ),
        "every third": (
            "chosen[rng.permutation(games)[:count]] = True",
            "step = games // count\n    chosen[(rng.integers(step) + step * np.arange(count)) % games] = True",
        ),
        "a list": ("return np.repeat(chosen, lengths)", "return np.repeat(chosen, lengths).tolist()"),
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
        "three planes only": ("np.rot90(planes, axes=(1, 2))", "np.rot90(planes[:3], axes=(1, 2))"),
        "a move of one byte": (
            "(width - 1 - column) * height + row",
            "int(np.uint8(((width - 1 - column) * height + row) % 128))",
        ),
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
        "tiny scores are zero": ("if weights.sum() == 0", "if weights.sum() < 1e-6"),
        "a little added": ("weights = scores[points]", "weights = scores[points] + 1e-9"),
        "changes the scores": ("weights = scores[points]", "scores[~empty] = 0\n    weights = scores[points]"),
        "a float": ("return int(rng.choice(points, p", "return float(rng.choice(points, p"),
        "text": ("return int(rng.choice(points, p", "return str(rng.choice(points, p"),
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
        "changes the parts": (
            "    mixture =",
            "    parts *= np.asarray(weights)[:, None, None]\n    return parts.sum(axis=0).max(axis=1).mean()\n    mixture =",
        ),
        "changes the weights": (
            "    mixture =",
            "    weights /= weights.sum(); weights[:] = weights[::-1]; parts = parts[::-1]\n    mixture =",
        ),
        "array of one": ("return mixture.max(axis=1).mean()", "return mixture.max(axis=1).mean(keepdims=True)"),
        "in percent": ("return mixture.max(axis=1).mean()", "return 100 * mixture.max(axis=1).mean()"),
        "median": ("mixture.max(axis=1).mean()", "np.median(mixture.max(axis=1))"),
        "rounded": ("mixture.max(axis=1).mean()", "round(mixture.max(axis=1).mean(), 3)"),
    },
    "gradient": {
        "masked with −1000": ("-np.inf)", "-1000.0)"),
        "logits clipped": ("np.where(empty, logits, -np.inf)", "np.where(empty, np.clip(logits, -30, 30), -np.inf)"),
        "chances kept off zero": (
            "slope = weights / weights.sum()",
            "slope = np.maximum(weights / weights.sum(), 1e-6) * empty",
        ),
        "changes the logits": (
            "masked = np.where(empty, logits, -np.inf)",
            "logits -= logits[empty].max()\n    masked = np.where(empty, logits, -np.inf)",
        ),
        "a list": ("return slope", "return slope.tolist()"),
        "a shared buffer": (
            "    return slope",
            "    global held\n    held = np.zeros(99) if 'held' not in globals() else held\n    held[: len(slope)] = slope\n    return held[: len(slope)]",
        ),
        "shifted by an occupied point": ("masked.max()", "logits.max()"),
    },
}
