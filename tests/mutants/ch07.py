"""Wrong solutions of the exercises of chapter 7 that their checks must reject (form: tools/gate.py)."""

MUTANTS = {
    "schedule": {
        "one colour only": ("if black != white", "if black < white"),
        "against itself": ("if black != white", "if True"),
        "twice": ("for opening in openings]", "for opening in openings] * 2"),
        "opening in front": ("(black, white, opening)", "(opening, black, white)"),
        "empty": ("return games", "return []"),
        "nothing": ("return games", "return None"),
    },
    "pair_interval": {
        "over games": (".reshape(-1, 2).mean(axis=1)", ""),
        "wrong pairs": (".reshape(-1, 2).mean(axis=1)", ".reshape(2, -1).mean(axis=0)"),
        "sums": (".mean(axis=1)", ".sum(axis=1)"),
        "one standard error": ("1.96 * ", ""),
        "sample deviation": ("pairs.std()", "pairs.std(ddof=1)"),
        "not cut at 1": ("min(pairs.mean() + half, 1.0)", "pairs.mean() + half"),
        "not cut at 0": ("max(pairs.mean() - half, 0.0)", "pairs.mean() - half"),
        "variance": ("pairs.std()", "pairs.var()"),
    },
    "verdict": {
        "verdicts exchanged": ('return "stronger"\n    if', 'return "not stronger"\n    if'),
        "alpha and beta exchanged": ("np.log((1 - beta) / alpha)", "np.log((1 - alpha) / beta)"),
        "lower bound mirrored": ("np.log(beta / (1 - alpha))", "-np.log((1 - beta) / alpha)"),
        "no spread": ("if len(pairs) == 0 or np.ptp(pairs) == 0:", "if len(pairs) == 0:"),
        "mean once": ("2 * pairs.mean() - s0", "pairs.mean() - s0"),
        "weaker": ('return "not stronger"', 'return "weaker"'),
        "games for pairs": ("len(pairs) * (s1 - s0)", "2 * len(pairs) * (s1 - s0)"),
        "never stops": ("if ratio >= np.log((1 - beta) / alpha):", "if False:"),
        "never gives up": ("if ratio <= np.log(beta / (1 - alpha)):", "if False:"),
        "half of the ratio": ("/ (2 * pairs.var())", "/ (4 * pairs.var())"),
        "always decides": ("    return None\n    # END", '    return "not stronger"\n    # END'),
    },
    "read_move": {
        "row first": ("column, row = int(found[1]), int(found[2])", "row, column = int(found[1]), int(found[2])"),
        "pair exchanged": ("return row, column", "return column, row"),
        "anywhere in the line": ("re.fullmatch", "re.search"),
        "spaces refused": (r"\s*(-?\d+)\s*,\s*(-?\d+)\s*", r"(-?\d+),(-?\d+)"),
        "sides exchanged": ("0 <= column < width and 0 <= row < height", "0 <= column < height and 0 <= row < width"),
        "one past the edge": ("column < width", "column <= width"),
        "chatter is an error": ("return None", 'raise ValueError("no move")'),
    },
}

# Wrong solutions that an earlier edition of the checks accepted, or that made them crash or hang.
EDGE = {
    "schedule": {
        "a set of games": ("    return games", "    return sorted(set(games), key=str)"),
        "crashes on lists": ("    games = []\n", "    games = []\n    {opening: 0 for opening in openings}\n"),
        "eats the openings": ("    return games", "    openings.clear()\n    return games"),
        "sorts the names": ("    games = []\n", "    games = []\n    names.sort()\n"),
        "a generator": ("    return games", "    return (game for game in games)"),
        "openings as texts": ("(black, white, opening) for", "(black, white, str(opening)) for"),
        "kept between calls": "kept = []\ndef schedule(names, openings):\n    for black in names:\n        for white in names:\n"
        "            if black != white:\n                kept.extend((black, white, opening) for opening in openings)\n    return list(kept)",
    },
    "pair_interval": {
        "cut at one end": (
            "    return max(pairs.mean() - half, 0.0), min(pairs.mean() + half, 1.0)",
            "    low, high = pairs.mean() - half, pairs.mean() + half\n    if low < 0:\n        low = 0.0\n    elif high > 1:\n        high = 1.0\n    return low, high",
        ),
        "texts": (
            "return max(pairs.mean() - half, 0.0), min(pairs.mean() + half, 1.0)",
            "return str(max(pairs.mean() - half, 0.0)), str(min(pairs.mean() + half, 1.0))",
        ),
        "one pair is everything": ("    half =", "    if len(pairs) == 1: return 0.0, 1.0\n    half ="),
        "rounded": ("return max(pairs.mean() - half, 0.0)", "return max(round(pairs.mean() - half, 3), 0.0)"),
        "upper end first": (
            "return max(pairs.mean() - half, 0.0), min(pairs.mean() + half, 1.0)",
            "return min(pairs.mean() + half, 1.0), max(pairs.mean() - half, 0.0)",
        ),
        "the columns' means": (".mean(axis=1)", ".mean(axis=0)"),
    },
    "performance": {
        "a wider range about the mean": (
            "low, high = min(ratings) - 4000, max(ratings) + 4000",
            "low, high = sum(ratings) / len(ratings) - 4000, sum(ratings) / len(ratings) + 4000",
        ),
        "1500 to either side": ("min(ratings) - 4000, max(ratings) + 4000", "min(ratings) - 1500, max(ratings) + 1500"),
        "near enough in points": (
            "    low, high = min(ratings) - 4000, max(ratings) + 4000\n",
            "    low, high = min(ratings) - 4000, max(ratings) + 4000\n    for _ in range(60):\n        middle = (low + high) / 2\n        off = sum(1 / (1 + 10 ** ((rating - middle) / 400)) for rating in ratings) - points\n        if abs(off) < 1e-6:\n            return middle\n        low, high = (middle, high) if off < 0 else (low, middle)\n    low, high = min(ratings) - 4000, max(ratings) + 4000\n",
        ),
        "twenty halvings": ("range(60)", "range(20)"),
        "Newton from the mean": "def performance(ratings, points):\n    if points == 0: return -math.inf\n    if points == len(ratings): return math.inf\n    r = sum(ratings) / len(ratings)\n    for _ in range(50):\n        e = [1 / (1 + 10 ** ((o - r) / 400)) for o in ratings]\n        r += (points - sum(e)) / (sum(x * (1 - x) for x in e) * math.log(10) / 400)\n    return r",
        "4000 to either side of 0": ("min(ratings) - 4000, max(ratings) + 4000", "-4000, 4000"),
        "rule of thumb": "def performance(ratings, points):\n    n = len(ratings)\n    if points in (0, n): return math.inf if points else -math.inf\n"
        "    return sum(ratings) / n + 400 * (2 * points - n) / n",
        "scale 200": ("/ 400)) for", "/ 200)) for"),
        "base e": ("10 ** (", "math.e ** ("),
        "halves exchanged": (
            "            low = middle\n        else:\n            high = middle",
            "            high = middle\n        else:\n            low = middle",
        ),
        "four rounds": ("range(60)", "range(8)"),
        "range too narrow": ("min(ratings) - 4000, max(ratings) + 4000", "min(ratings), max(ratings)"),
        "at most 400 above": ("min(ratings) - 4000, max(ratings) + 4000", "min(ratings) - 400, max(ratings) + 400"),
        "one digit": ("return middle", "return round(middle, 1)"),
        "no case for no point": ("    if points == 0:\n        return -math.inf\n", ""),
        "whole numbers": ("return middle", "return round(middle)"),
        "sorts the ratings": ("    if points == 0:", "    ratings.sort()\n    if points == 0:"),
        "never ends": ("for _ in range(60):", "while low < high or True:"),
        "differences over 400 cut": ("(rating - middle) / 400", "max(-400, min(400, rating - middle)) / 400"),
        "text": ("return middle", "return str(middle)"),
    },
    "verdict": {
        "a small variance is none": ("np.ptp(pairs) == 0", "pairs.var() < 1e-6"),
        "against 0.5": ("(s1 - s0)", "(s1 - 0.5)"),
        "above, not at": (">= np.log", "> np.log"),
        "lower bound β": ("np.log(beta / (1 - alpha))", "np.log(beta)"),
        "lists only": "def verdict(pairs, s0, s1, alpha, beta, right=verdict):\n    return right(pairs, s0, s1, alpha, beta) if pairs else None",
        "changes the array": (
            "    ratio =",
            "    pairs -= pairs.mean() - 0.5\n    pairs += pairs.mean() - 0.5\n    pairs *= 1.0\n    ratio =",
        ),
        "little spread is none": ("np.ptp(pairs) == 0", "pairs.var() < 1e-2"),
        "hardly any spread is none": ("np.ptp(pairs) == 0", "pairs.var() < 1e-4"),
        "the text None": ("    return None\n    # END", '    return "None"\n    # END'),
        "a truth": ('return "stronger"\n    if', "return True\n    if"),
        "never ends": ("    ratio =", "    while len(pairs) < 3: pass\n    ratio ="),
    },
    "read_move": {
        "blanks before ERROR": ("line.strip().upper()", 'line.strip(" ").upper()'),
        "any sign for a digit": (
            '    found = re.fullmatch(r"\\s*(-?\\d+)\\s*,\\s*(-?\\d+)\\s*", line)\n    if not found:\n        return None\n    column, row = int(found[1]), int(found[2])\n',
            "    parts = [part.strip() for part in line.split(',')]\n    if len(parts) != 2 or not all(p.removeprefix('-').isdigit() for p in parts):\n        return None\n    column, row = map(int, parts)\n",
        ),
        "nine digits at most": ("(-?\\d+)\\s*,", "(-?\\d{1,9})\\s*,"),
        "three spellings of ERROR": (
            'line.strip().upper().startswith("ERROR")',
            'line.strip().startswith(("ERROR", "error", "Error"))',
        ),
        "a minus is off the board": (
            "    column, row = int",
            "    if '-' in line:\n        raise ValueError(line)\n    column, row = int",
        ),
        "sixty-four bits": (
            "    column, row = int(found[1]), int(found[2])",
            "    column, row = np.int64(found[1]), np.int64(found[2])",
        ),
        "no zero in front": ("(-?\\d+)\\s*,\\s*(-?\\d+)", "(-?(?:0|[1-9]\\d*))\\s*,\\s*(-?(?:0|[1-9]\\d*))"),
        "ERR is enough": ('.startswith("ERROR")', '.startswith("ERR")'),
        "spaces on one side": (r"\s*,\s*(-?\d+)\s*", r",\s*(-?\d+)\s*"),
        "one space at most": (r"\s*,\s*", r" ?, ?(?<!  )"),
        "decimals": (r"(-?\d+)\s*,", r"(-?\d+)(?:\.\d+)?\s*,"),
        "two digits": (r"\s*(-?\d+)\s*,\s*(-?\d+)\s*", r"\s*(-?\d{1,2})\s*,\s*(-?\d{1,2})\s*"),
        "error anywhere": ('line.strip().upper().startswith("ERROR")', '"ERROR" in line.upper()'),
        "error as a word": ('.startswith("ERROR")', '.split()[:1] == ["ERROR"]'),
        "minus is no number": (r"\s*(-?\d+)\s*,\s*(-?\d+)\s*", r"\s*(\d+)\s*,\s*(\d+)\s*"),
        "split at commas": (
            "    found = re",
            "    if line.count(',') == 1 and line.replace(',', '').replace(' ', '').strip().isdigit():\n        line = line.replace(' ', '')\n    found = re",
        ),
        "a space after the minus": (r"\s*(-?\d+)\s*,", r"\s*(-?\s*\d+)\s*,"),
        "three digits": (r"\s*(-?\d+)\s*,\s*(-?\d+)\s*", r"\s*(-?\d{1,3})\s*,\s*(-?\d{1,3})\s*"),
        "whatever int reads": "def read_move(line, width, height):\n    if line.strip().lower().startswith('error'):\n        raise ValueError(line)\n"
        "    try:\n        x, y = map(int, line.split(','))\n    except ValueError:\n        return None\n"
        "    if 0 <= x < width and 0 <= y < height:\n        return y, x\n    raise ValueError(line)",
        "two minus signs": "def read_move(line, width, height):\n    if line.strip().lower().startswith('error'):\n        raise ValueError(line)\n"
        "    parts = [part.strip() for part in line.split(',')]\n    if len(parts) != 2 or not all(part.lstrip('-').isdigit() for part in parts):\n        return None\n"
        "    x, y = map(int, parts)\n    if 0 <= x < width and 0 <= y < height:\n        return y, x\n    raise ValueError(line)",
        "off the board is no move": (
            'raise ValueError(f"{column},{row} is off the {width}x{height} board")',
            "return None",
        ),
        "raises an IndexError": ('raise ValueError(f"{column}', 'raise IndexError(f"{column}'),
        "the board of 15": (
            "0 <= column < width and 0 <= row < height",
            "0 <= column < min(width, 15) and 0 <= row < min(height, 15)",
        ),
    },
}

CAPSTONE = {
    "it ends where the points are nearly right": (
        "        low, high = (middle, high) if expected.sum() < points else (low, middle)\n",
        "        if abs(expected.sum() - points) < 1e-6:\n            break\n"
        "        low, high = (middle, high) if expected.sum() < points else (low, middle)\n",
    ),
    "a full board is its end": (
        "if all(self.board):\n            raise ValueError",
        "if all(self.board):\n            raise IndexError",
    ),
    "BOARDING": ('if command == "BOARD":', 'if command.startswith("BOARD"):'),
    "moves remembered by the stones": (
        "def agent(game):",
        "def agent(game, kept={}):\n    if tuple(game.board) not in kept:\n        kept[tuple(game.board)] = found(game)\n"
        "    return kept[tuple(game.board)]\n\n\ndef found(game):",
    ),
    "a greeting": ("    game, lines = Game(15)", "    print('READY', flush=True)\n    game, lines = Game(15)"),
    "the stones stay after RESTART": (
        '        return Game(int(size)), "OK"\n',
        '        return game if command == "RESTART" else Game(int(size)), "OK"\n',
    ),
    "rows over the right edge": (
        "0 <= c + 4 * dc < width",
        "(0 <= c + 4 * dc < width or dr == 0 and r * width + c + 4 < height * width)",
    ),
    "diagonals over the right edge": (
        "0 <= c + 4 * dc < width",
        "(0 <= c + 4 * dc < width or dc == 1 and dr == 1 and (r + 4) * width + c + 4 < height * width)",
    ),
    "diagonals over the left edge": ("0 <= c + 4 * dc < width", "c + 4 * dc < width"),
    "errors as messages": ('said = f"ERROR {problem}"', 'said = f"MESSAGE ERROR {problem}"'),
    "END in a word": ('if command.upper() == "END":', 'if "END" in line.upper():'),
    "the beginning of a command": ('if command == "BEGIN":', 'if command.startswith("BEGIN"):'),
    "START with a minus": ("size = rest.strip() if", 'size = rest.strip().lstrip("-") if'),
    "dies when it has lost": ("10**7, 0), (1, 9, 110, 1300, 10**5, 0)", "10**7), (1, 9, 110, 1300, 10**5)"),
    "ten threes outweigh a four": ("1300, 10**5, 0)", "1300, 15000, 0)"),
    "BEGIN plays the middle": (
        '    if command == "BEGIN":\n        return game, game.move()\n',
        '    if command == "BEGIN":\n        c = game.width // 2\n        game.board[c * game.width + c] = 1\n        return game, f"{c},{c}"\n',
    ),
    "END says OK": (
        '        if command.upper() == "END":\n            return\n',
        '        if command.upper() == "END":\n            print("OK", flush=True)\n            return\n',
    ),
    "START with two numbers": ("size = rest.strip() if command", 'size = rest.strip().split(",")[0] if command'),
    "equal stones of a BOARD count once": (
        "            stones.append((point, int(owner)))\n",
        "            if (point, int(owner)) not in stones:\n                stones.append((point, int(owner)))\n",
    ),
    "INFO begins a new game": (
        '    return game, None if command == "INFO" else "UNKNOWN " + command\n',
        '    return (Game(game.width), None) if command == "INFO" else (game, "UNKNOWN")\n',
    ),
    "UNKNOWN takes a stone off": (
        '    return game, None if command == "INFO" else "UNKNOWN " + command\n',
        '    if command != "INFO" and any(game.board):\n        game.board[next(i for i, stone in enumerate(game.board) if stone)] = 0\n    return game, None if command == "INFO" else "UNKNOWN"\n',
    ),
    "a five is worth little more than a four": (
        "OWN, OTHER = (1, 12, 150, 1800, 10**7, 0), (1, 9, 110, 1300, 10**5, 0)",
        "OWN, OTHER = (1, 12, 120, 1200, 3000, 0), (1, 10, 100, 1000, 2000, 0)",
    ),
    # the rating
    "an imaginary loss": ("np.sum(scores) + 0.5", "np.sum(scores)"),
    "the spread of the scores": (
        "math.sqrt((expected * (1 - expected)).sum())",
        "math.sqrt(len(rated) / max(np.var(scores), 0.01)) / 4",
    ),
    "all opponents are one": (
        "    rated = np.append(np.asarray(opponents, float), np.mean(opponents))",
        "    rated = np.full(len(opponents) + 1, np.mean(opponents))",
    ),
    "the opponents' view": ("if expected.sum() < points else", "if expected.sum() > points else"),
    "rounded": (
        "return middle, middle - half, middle + half",
        "return round(middle), round(middle - half), round(middle + half)",
    ),
    "only the rating": ("return middle, middle - half, middle + half", "return middle"),
    "sorts the scores": ("    points = np.sum(scores) + 0.5", "    scores.sort()\n    points = np.sum(scores) + 0.5"),
    "a range of 400": ("rated.min() - 4000, rated.max() + 4000", "rated.min() - 400, rated.max() + 400"),
    "a range of 800": ("rated.min() - 4000, rated.max() + 4000", "rated.min() - 800, rated.max() + 800"),
    "a list added to an array": (
        "np.append(np.asarray(opponents, float), np.mean(opponents))",
        "np.asarray(opponents + [np.mean(opponents)], float)",
    ),
    # the agent
    "rows of a board of as many points": (
        "@lru_cache\ndef windows(height, width):",
        "known = {}\n\n\ndef windows(height, width):\n    if height * width not in known:\n"
        "        known[height * width] = windows_of(height, width)\n    return known[height * width]\n\n\n"
        "def windows_of(height, width):",
    ),
    "a bad BOARD empties the board": (
        "game, stones = Game(game.width), []\n",
        "game.__init__(game.width)\n        stones = []\n",
    ),
    "a BOARD by turns": (
        "game.put(point, mine if owner == 1 else 3 - mine)",
        "game.put(point, 1 if sum(map(bool, game.board)) % 2 == 0 else 2)",
    ),
    "a slip of the pen": ("    return max((i for", "    return max((j for"),
    "one diagonal forgotten": ("((0, 1), (1, 0), (1, 1), (1, -1))", "((0, 1), (1, 0), (1, 1))"),
    "windows at the edge forgotten": ("r + 4 * dr < height", "r + 4 * dr < height - 1"),
    "attacks for player 1": ("own = sum(board[i] == game.player", "own = sum(board[i] == 1"),
    "plays on stones": ("max((i for i in range(h * w) if not board[i]), key", "max((i for i in range(h * w)), key"),
    "a pair": ("key=lambda i: scores[i])\n\n\nclass", "key=lambda i: scores[i]), 0\n\n\nclass"),
    "nearest to the middle": (
        "                scores[i] += worth\n",
        "                scores[i] += worth if worth > 10**4 else 0\n",
    ),
    "asleep": (
        "    board, h, w = game.board, game.height, game.width\n",
        "    board, h, w = game.board, game.height, game.width\n    if len(board) > 200: __import__('time').sleep(1.2)\n",
    ),
    "asks the game for its moves": (
        "max((i for i in range(h * w) if not board[i])",
        "max((i for i in game.legal_moves())",
    ),
    "the package through the back door": (
        "    board, h, w = game.board, game.height, game.width\n",
        "    board, h, w = game.board, game.height, game.width\n    __import__('importlib').import_module('mock5lib')\n",
    ),
    # the engine
    "runs when it is imported": ('if __name__ == "__main__":\n    main()\n', "main()\n"),
    "DONE only without a return": (
        """            if line.strip().upper() == "DONE":\n""",
        """            if line == "DONE\\\\n":\n""",
    ),
    "START keeps the stones": (
        '        return Game(int(size)), "OK"',
        '        return game if command == "START" and game.width == int(size) else Game(int(size)), "OK"',
    ),
    "no board of 5": ("not 5 <= int(size) <= 20", "not 5 < int(size) <= 20"),
    "errors in small letters": ('said = f"ERROR {problem}"', 'said = f"error {problem}"'),
    "a refused START ends the game": (
        "        if not size.isdigit() or not 5 <= int(size) <= 20:\n",
        "        game.board[:] = [0] * len(game.board)\n        if not size.isdigit() or not 5 <= int(size) <= 20:\n",
    ),
    "an empty BOARD crashes": ("        mine = 1 if sum(", "        stones[0]\n        mine = 1 if sum("),
    "not flushed": ("print(said, flush=True)", "print(said)"),
    "always black": ("self.player = 1 if stones[0] <= stones[1] else 2", "self.player = 1"),
    "one board for ever": (
        '        return Game(int(size)), "OK"',
        '        return game if game.width == int(size) else Game(int(size)), "OK"',
    ),
    "RESTART on 15": (
        'rest.strip() if command == "START" else str(game.width)',
        'rest.strip() if command == "START" else "15"',
    ),
    "any size": ("not size.isdigit() or not 5 <= int(size) <= 20", "not size.isdigit()"),
    "overwrites stones": (" or self.board[y * self.width + x]:", ":"),
    "the opponent's stones for its own": ("mine if owner == 1 else 3 - mine", "mine if owner == 2 else 3 - mine"),
    "always black in BOARD": (
        "mine = 1 if sum(o == 1 for _, o in stones) == sum(o == 2 for _, o in stones) else 2",
        "mine = 1",
    ),
    "DONE is not read": (
        '            if line.strip().upper() == "DONE":\n                break\n',
        '            if line.strip().upper() == "DONE":\n                continue\n',
    ),
    "silent about the unknown": ('None if command == "INFO" else "UNKNOWN " + command', "None"),
    "dies of an error": ("            except ValueError as problem:", "            except KeyError as problem:"),
    "does not end": ('        if command.upper() == "END":\n            return\n', ""),
    "runs on without input": ('iter(sys.stdin.readline, "")', "iter(sys.stdin.readline, None)"),
    "only defines it": ('if __name__ == "__main__":\n    main()\n', ""),
}
MUTANTS["ladder_agent"] = CAPSTONE
