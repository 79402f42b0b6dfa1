"""Unusual right solutions of the exercises of chapter 7 that their checks must accept (form: tools/gate.py)."""

RIGHT = {
    "elo_update": {
        "two expectations": "def elo_update(rating, opponent, score, k):\n    e = 1 / (1 + 10 ** ((opponent - rating) / 400))\n    return rating + k * (score - e), opponent + k * ((1 - score) - (1 - e))",
        "by strengths": "def elo_update(rating, opponent, score, k):\n    a, b = 10 ** (rating / 400), 10 ** (opponent / 400)\n    change = k * (score - a / (a + b))\n    return [rating + change, opponent - change]",
        "an array": "def elo_update(rating, opponent, score, k):\n    change = k * (score - 1 / (1 + np.power(10.0, (opponent - rating) / 400)))\n    return np.array([rating + change, opponent - change])",
    },
    "schedule": {
        "by permutations": "from itertools import permutations\ndef schedule(names, openings):\n    return [(a, b, o) for a, b in permutations(names, 2) for o in openings]",
        "both colours at once": "def schedule(names, openings):\n    games = []\n    for o in openings:\n        for i in range(len(names)):\n            for j in range(i):\n                games.append([names[i], names[j], o])\n                games.append([names[j], names[i], o])\n    return games",
        "by product": "from itertools import product\ndef schedule(names, openings):\n    return tuple(game for game in product(names, names, openings) if game[0] != game[1])",
    },
    "pair_interval": {
        "by slices": "def pair_interval(points):\n    p = (np.array(points[::2], float) + np.array(points[1::2], float)) / 2\n    half = 1.96 * np.std(p) / len(p) ** 0.5\n    return np.clip([p.mean() - half, p.mean() + half], 0, 1)",
        "by hand": "import math\ndef pair_interval(points):\n    p = [(points[i] + points[i + 1]) / 2 for i in range(0, len(points), 2)]\n    m = sum(p) / len(p)\n    half = 1.96 * math.sqrt(sum((x - m) ** 2 for x in p) / len(p) / len(p))\n    return max(0, m - half), min(1, m + half)",
        "by statistics": "import statistics\ndef pair_interval(points):\n    p = [(float(a) + float(b)) / 2 for a, b in zip(points[::2], points[1::2])]\n    half = 1.96 * statistics.pstdev(p) / math.sqrt(len(p))\n    return [max(statistics.fmean(p) - half, 0.0), min(statistics.fmean(p) + half, 1.0)]",
    },
    "performance": {
        "by scipy": "from scipy.optimize import brentq\ndef performance(ratings, points):\n    if points in (0, len(ratings)):\n        return math.inf if points else -math.inf\n    def short(r):\n        return sum(1 / (1 + 10 ** ((o - r) / 400)) for o in ratings) - points\n    return brentq(short, min(ratings) - 5000, max(ratings) + 5000)",
        "by Zermelo": "def performance(ratings, points):\n    if points == 0: return float('-inf')\n    if points == len(ratings): return float('inf')\n    others = 10 ** ((np.array(ratings, float) - np.mean(ratings)) / 400)\n    g = 1.0\n    for _ in range(20000):\n        g = points / (1 / (g + others)).sum()\n    return float(400 * np.log10(g) + np.mean(ratings))",
        "by Newton's steps": "def performance(ratings, points):\n    if not 0 < points < len(ratings):\n        return math.copysign(math.inf, points - 0.25)\n    r, o = float(np.mean(ratings)), np.array(ratings, float)\n    for _ in range(400):\n        e = 1 / (1 + 10 ** ((o - r) / 400))\n        r += max(-100, min(100, (points - e.sum()) * 400 / math.log(10) / (e * (1 - e)).sum()))\n    return r",
    },
    "verdict": {
        "by sums": "def verdict(pairs, s0, s1, alpha, beta):\n    n = len(pairs)\n    if n == 0: return None\n    m = sum(pairs) / n\n    v = sum((x - m) ** 2 for x in pairs) / n\n    if v == 0: return None\n    llr = (s1 - s0) * (2 * sum(pairs) - n * (s0 + s1)) / (2 * v)\n    return 'stronger' if llr >= math.log((1 - beta) / alpha) else 'not stronger' if llr <= math.log(beta / (1 - alpha)) else None",
        "by the set of scores": "def verdict(pairs, s0, s1, alpha, beta):\n    if len(set(pairs)) < 2:\n        return None\n    p = np.array(pairs)\n    llr = len(p) * (s1 - s0) * (2 * p.mean() - s0 - s1) / 2 / p.std() ** 2\n    if llr >= math.log1p(-beta) - math.log(alpha):\n        return 'stronger'\n    return 'not stronger' if llr <= math.log(beta) - math.log1p(-alpha) else None",
        "as likelihoods": "def verdict(pairs, s0, s1, alpha, beta):\n    p = np.asarray(pairs, float)\n    if p.size == 0 or not p.var():\n        return None\n    llr = (((p - s0) ** 2 - (p - s1) ** 2) / (2 * p.var())).sum()\n    up, low = np.log((1 - beta) / alpha), np.log(beta / (1 - alpha))\n    return ['not stronger', None, 'stronger'][1 + int(llr >= up) - int(llr <= low and llr < up)]",
    },
    "read_move": {
        "by split": "def read_move(line, width, height):\n    text = line.strip()\n    if text[:5].upper() == 'ERROR':\n        raise ValueError(text)\n    parts = [part.strip() for part in text.split(',')]\n    if len(parts) != 2 or not all(p.removeprefix('-').isdigit() for p in parts):\n        return None\n    x, y = map(int, parts)\n    if x not in range(width) or y not in range(height):\n        raise ValueError(text)\n    return y, x",
        "by groups": "def read_move(line, width, height):\n    if re.match(r'\\s*error', line, re.IGNORECASE):\n        raise ValueError(line)\n    m = re.match(r'^\\s*(?P<x>-?[0-9]+)\\s*,\\s*(?P<y>-?[0-9]+)\\s*$', line)\n    if m is None:\n        return None\n    x, y = int(m['x']), int(m['y'])\n    if min(x, y) < 0 or x >= width or y >= height:\n        raise ValueError(line)\n    return (y, x)",
        "an error of its own": "class BadMove(ValueError):\n    pass\n\ndef read_move(line, width, height):\n    if line.lstrip().lower().startswith('error'):\n        raise BadMove(line)\n    m = re.fullmatch(r'\\s*(-?\\d+)\\s*,\\s*(-?\\d+)\\s*', line)\n    if m:\n        x, y = (int(g) for g in m.groups())\n        if 0 <= x < width and 0 <= y < height:\n            return [y, x]\n        raise BadMove(line)",
    },
}
