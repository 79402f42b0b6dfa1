"""Wrong solutions of the exercises of chapter 7 that their checks must reject (form: tools/gate.py)."""

MUTANTS = {}

# Wrong solutions that an earlier edition of the checks accepted, or that made them crash or hang.
EDGE = {}

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
