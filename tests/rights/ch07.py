"""Unusual right solutions of the exercises of chapter 7 that their checks must accept (form: tools/gate.py)."""

RIGHT = {
    "schedule": {
        "by permutations": "from itertools import permutations\ndef schedule(names, openings):\n    return [(a, b, o) for a, b in permutations(names, 2) for o in openings]",
        "both colors at once": "def schedule(names, openings):\n    games = []\n    for o in openings:\n        for i in range(len(names)):\n            for j in range(i):\n                games.append([names[i], names[j], o])\n                games.append([names[j], names[i], o])\n    return games",
        "by product": "from itertools import product\ndef schedule(names, openings):\n    return tuple(game for game in product(names, names, openings) if game[0] != game[1])",
    },
    "performance": {
        "to 0.01": "def performance(ratings, points, right=performance):\n    return round(right(ratings, points), 2)",
        "by scipy": "from scipy.optimize import brentq\ndef performance(ratings, points):\n    if points in (0, len(ratings)):\n        return math.inf if points else -math.inf\n    def short(r):\n        return sum(1 / (1 + 10 ** ((o - r) / 400)) for o in ratings) - points\n    return brentq(short, min(ratings) - 5000, max(ratings) + 5000)",
        "finer and finer grids": "def performance(ratings, points):\n    if not 0 < points < len(ratings):\n        return math.inf if points else -math.inf\n    low, high = min(ratings) - 5000.0, max(ratings) + 5000.0\n    while high - low > 1e-4:\n        grid = np.linspace(low, high, 12)\n        made = (1 / (1 + 10 ** ((np.array(ratings, float)[:, None] - grid) / 400))).sum(axis=0)\n        place = int((made < points).sum())\n        low, high = grid[max(place - 1, 0)], grid[min(place, 11)]\n    return float(low + high) / 2",
        "by Newton's steps": "def performance(ratings, points):\n    if not 0 < points < len(ratings):\n        return math.copysign(math.inf, points - 0.25)\n    r, o = float(np.mean(ratings)), np.array(ratings, float)\n    for _ in range(400):\n        e = 1 / (1 + 10 ** ((o - r) / 400))\n        r += max(-100, min(100, (points - e.sum()) * 400 / math.log(10) / (e * (1 - e)).sum()))\n    return r",
    },
    "verdict": {
        "NumPy's texts": "def verdict(pairs, s0, s1, alpha, beta, right=verdict):\n    said = right(pairs, s0, s1, alpha, beta)\n    return said and np.array([said])[0]",
        "by sums": "def verdict(pairs, s0, s1, alpha, beta):\n    n = len(pairs)\n    if n == 0: return None\n    m = sum(pairs) / n\n    v = sum((x - m) ** 2 for x in pairs) / n\n    if v == 0: return None\n    llr = (s1 - s0) * (2 * sum(pairs) - n * (s0 + s1)) / (2 * v)\n    return 'stronger' if llr >= math.log((1 - beta) / alpha) else 'not stronger' if llr <= math.log(beta / (1 - alpha)) else None",
        "by the set of scores": "def verdict(pairs, s0, s1, alpha, beta):\n    if len(set(pairs)) < 2:\n        return None\n    p = np.array(pairs)\n    llr = len(p) * (s1 - s0) * (2 * p.mean() - s0 - s1) / 2 / p.std() ** 2\n    if llr >= math.log1p(-beta) - math.log(alpha):\n        return 'stronger'\n    return 'not stronger' if llr <= math.log(beta) - math.log1p(-alpha) else None",
        "as likelihoods": "def verdict(pairs, s0, s1, alpha, beta):\n    p = np.asarray(pairs, float)\n    if p.size == 0 or not p.var():\n        return None\n    llr = (((p - s0) ** 2 - (p - s1) ** 2) / (2 * p.var())).sum()\n    up, low = np.log((1 - beta) / alpha), np.log(beta / (1 - alpha))\n    return ['not stronger', None, 'stronger'][1 + int(llr >= up) - int(llr <= low and llr < up)]",
    },
    "read_move": {
        "by split": "def read_move(line, width, height):\n    text = line.strip()\n    if text[:5].upper() == 'ERROR':\n        raise ValueError(text)\n    parts = [part.strip() for part in text.split(',')]\n    if len(parts) != 2 or not all(re.fullmatch('-?[0-9]+', p) for p in parts):\n        return None\n    x, y = map(int, parts)\n    if x not in range(width) or y not in range(height):\n        raise ValueError(text)\n    return y, x",
        "by groups": "def read_move(line, width, height):\n    if re.match(r'\\s*error', line, re.IGNORECASE):\n        raise ValueError(line)\n    m = re.match(r'^\\s*(?P<x>-?[0-9]+)\\s*,\\s*(?P<y>-?[0-9]+)\\s*$', line)\n    if m is None:\n        return None\n    x, y = int(m['x']), int(m['y'])\n    if min(x, y) < 0 or x >= width or y >= height:\n        raise ValueError(line)\n    return (y, x)",
        "an error of its own": "class BadMove(ValueError):\n    pass\n\ndef read_move(line, width, height):\n    if line.lstrip().lower().startswith('error'):\n        raise BadMove(line)\n    m = re.fullmatch(r'\\s*(-?\\d+)\\s*,\\s*(-?\\d+)\\s*', line)\n    if m:\n        x, y = (int(g) for g in m.groups())\n        if 0 <= x < width and 0 <= y < height:\n            return [y, x]\n        raise BadMove(line)",
    },
    "ladder_agent": {
        "to 0.01": "def rating(opponents, scores, right=rating):\n    return tuple(round(x, 2) for x in right(opponents, scores))\n",
        "a root finder of SciPy": "from scipy.optimize import brentq\ndef rating(opponents, scores):\n    o = np.r_[opponents, np.mean(opponents)]\n    e = lambda r: 1 / (1 + np.exp((o - r) * math.log(10) / 400))\n    r = brentq(lambda r: e(r).sum() - sum(scores) - 0.5, -1e4, 2e4)\n    half = 1.96 * (400 / math.log(10)) * (e(r) * (1 - e(r))).sum() ** -0.5\n    return float(r), float(r - half), float(r + half)\n",
        "Newton's steps": "def rating(opponents, scores):\n    o, wanted = list(opponents) + [sum(opponents) / len(opponents)], sum(scores) + 0.5\n    r = o[-1]\n    for _ in range(500):\n        e = [1 / (1 + 10 ** ((x - r) / 400)) for x in o]\n        info = sum(p * (1 - p) for p in e)\n        step = (wanted - sum(e)) / info * 400 / math.log(10)\n        r += max(-100, min(100, step))\n    half = 1.96 * 400 / math.log(10) / math.sqrt(info)\n    return r, r - half, r + half\n",
        "an engine with NumPy, one state machine": 'def engine():\n    return r"""\nimport re, sys\nimport numpy as np\n\ndef agent(game):\n    h, w = game.height, game.width\n    cells = np.array(game.board).reshape(h, w)\n    y, x = np.mgrid[:h, :w]\n    total = -np.hypot(y - h / 2 + 0.5, x - w / 2 + 0.5) / 100\n    for mine, table in ((game.player, [0, 10, 120, 1500, 1e7]), (3 - game.player, [0, 9, 100, 1200, 1e5])):\n        for dy, dx in ((0, 1), (1, 0), (1, 1), (1, -1)):\n            for a in range(h):\n                for b in range(w):\n                    if a + 4 * dy < h and 0 <= b + 4 * dx < w:\n                        i, j = a + np.arange(5) * dy, b + np.arange(5) * dx\n                        five = cells[i, j]\n                        if not (five == 3 - mine).any():\n                            total[i, j] += table[min(4, int((five == mine).sum()))]\n    total[cells != 0] = -np.inf\n    return int(total.argmax())\n\nclass State:\n    pass\n\ndef new(n):\n    s = State()\n    s.height = s.width = n\n    s.board, s.player = [0] * (n * n), 1\n    return s\n\ndef think(s):\n    s.player = 1 if s.board.count(1) == s.board.count(2) else 2\n    m = agent(s)\n    s.board[m] = s.player\n    return "%d,%d" % (m % s.width, m // s.width)\n\ndef point(s, text):\n    x, y = map(int, text.split(","))\n    if not (0 <= x < s.width and 0 <= y < s.height) or s.board[y * s.width + x]:\n        raise ValueError("not empty")\n    return y * s.width + x\n\ndef main():\n    s, stones = new(15), None\n    for raw in sys.stdin:\n        line = raw.strip()\n        word, arg = (line.split(None, 1) + ["", ""])[:2]\n        out = ""\n        try:\n            if stones is not None:\n                if word == "DONE":\n                    put, stones, t = stones, None, new(s.width)\n                    even = sum(k == 1 for _, _, k in put) == sum(k == 2 for _, _, k in put)\n                    for x, y, k in put:\n                        t.board[point(t, "%d,%d" % (x, y))] = k if even else 3 - k\n                    s, out = t, think(t)\n                else:\n                    stones.append([int(v) for v in line.split(",")])\n            elif word == "START":\n                if not 5 <= int(arg) <= 20:\n                    raise ValueError("size")\n                s, out = new(int(arg)), "OK"\n            elif word == "RESTART":\n                s, out = new(s.width), "OK"\n            elif word == "BEGIN":\n                out = think(s)\n            elif word == "TURN":\n                m = point(s, arg)\n                s.board[m] = 1 if s.board.count(1) == s.board.count(2) else 2\n                out = think(s)\n            elif word == "BOARD":\n                stones = []\n            elif word == "ABOUT":\n                out = \'name="NumPy", version="0.1"\'\n            elif word == "END":\n                break\n            elif word != "INFO":\n                out = "UNKNOWN"\n        except Exception as e:\n            out = "ERROR " + str(e)\n        if out:\n            sys.stdout.write("DEBUG thinking\\n" + out + "\\n")\n            sys.stdout.flush()\n\nif __name__ == "__main__":\n    main()\n"""\n',
    },
}

BLANKS = {
    "pair_interval": {
        "by slices": "def pair_interval(points):\n    pairs = (np.array(points[::2], float) + np.array(points[1::2], float)) / 2\n"
        "    half = 1.96 * np.std(pairs) / len(pairs) ** 0.5\n    return np.clip([pairs.mean() - half, pairs.mean() + half], 0, 1)",
        "by hand": "def pair_interval(points):\n    pairs = [(points[i] + points[i + 1]) / 2 for i in range(0, len(points), 2)]\n"
        "    mean, n = sum(pairs) / len(pairs), len(pairs)\n    half = 1.96 * (sum((x - mean) ** 2 for x in pairs) / n / n) ** 0.5\n"
        "    return max(0, mean - half), min(1, mean + half)",
        "two rows": "def pair_interval(points):\n    pairs = np.array(points).reshape((-1, 2)).T.sum(axis=0) / 2\n"
        "    error = (np.mean(pairs**2) - np.mean(pairs) ** 2).clip(0) ** 0.5 / np.sqrt(pairs.size)\n"
        "    ends = [pairs.mean() + sign * 1.96 * error for sign in (-1, 1)]\n    return [min(1.0, max(0.0, end)) for end in ends]",
    },
    "expected": {
        "by odds": "def expected(d):\n    odds = 10 ** (d / 400)\n    return odds / (1 + odds)",
        "by exp": "def expected(d):\n    return 1 / (1 + np.exp(-np.log(10) / 400 * d))",
        "by tanh": "def expected(d):\n    return (1 + np.tanh(np.log(10) * np.asarray(d) / 800)) / 2",
    },
    "bradley_terry": {
        "player by player": "def bradley_terry(totals, rounds=500):\n    strength = [1.0] * len(totals)\n    for _ in range(rounds):\n"
        "        strength = [\n            sum(totals[i]) / sum((totals[i, j] + totals[j, i]) / (g + strength[j]) for j in range(len(totals)) if j != i)\n"
        "            for i, g in enumerate(strength)\n        ]\n    return 400 * np.log10(np.array(strength) / strength[0])",
        "one after the other": "def bradley_terry(totals, rounds=500):\n    games, g = totals + totals.T, np.ones(len(totals))\n"
        "    for _ in range(rounds):\n        for i in range(len(g)):\n            g[i] = totals[i].sum() / (games[i] / (g[i] + g)).sum()\n"
        "    r = 400 * np.log10(g)\n    return r - r[0]",
        "scaled in every round": "def bradley_terry(totals, rounds=500):\n    wins, games = np.sum(totals, 1), totals + np.transpose(totals)\n"
        "    strength = np.ones(totals.shape[0])\n    for _ in range(rounds):\n"
        "        strength = wins / np.sum(games / np.add.outer(strength, strength), axis=1)\n        strength /= strength[0]\n"
        "    return 400 * np.log(strength) / np.log(10)",
    },
    "resampled_width": {
        "in a loop": "def resampled_width(points, samples):\n    found = []\n    for sample in samples:\n"
        "        totals = sum(points[:, :, o] for o in sample)\n        found.append(bradley_terry(totals))\n"
        "    return np.array(found).std(axis=0) * 1.96",
        "by weights": "def resampled_width(points, samples):\n    openings = points.shape[2]\n"
        "    times = np.array([np.bincount(sample, minlength=openings) for sample in samples])\n"
        "    found = np.stack([bradley_terry(points @ row) for row in times])\n    return 1.96 * found.std(0)",
        "by mean points": "def resampled_width(points, samples):\n"
        "    found = [bradley_terry(points[..., sample].mean(axis=-1)) for sample in samples]\n    return np.std(found, 0) * 1.96",
    },
}
