"""Wrong solutions of the exercises of chapter 9 that their checks must reject (form: tools/gate.py)."""

MUTANTS = {
    "KoMemory": {
        "the very same text": ('if self.rule == "simple":', 'if self.rule is "simple":'),
        "Black's stones alone name a position": 'class KoMemory:\n    def __init__(self, board, rule):\n        self.positions, self.rule = [tuple(x == 1 for x in board)], rule\n\n    def allows(self, after):\n        if self.rule == "simple":\n            return len(self.positions) < 2 or tuple(x == 1 for x in after) != self.positions[-2]\n        return tuple(x == 1 for x in after) not in self.positions\n\n    def add(self, board):\n        self.positions.append(tuple(x == 1 for x in board))\n\n    def copy(self):\n        other = KoMemory([], self.rule)\n        other.positions = list(self.positions)\n        return other\n',
        "forgetful copy": ("other.positions = list(self.positions)", "other.positions = self.positions[-1:]"),
        "copy of two": ("other.positions = list(self.positions)", "other.positions = self.positions[-2:]"),
        "shared list": ("other.positions = list(self.positions)", "other.positions = self.positions"),
        "copy is itself": ("return other", "return self"),
        "kept by reference": ("self.positions.append(tuple(board))", "self.positions.append(board)"),
        "all by reference": "class KoMemory:\n    def __init__(self, board, rule):\n        self.positions, self.rule = [board], rule\n    def allows(self, after):\n        return after not in (self.positions[-2:-1] if self.rule == 'simple' else self.positions)\n    def add(self, board):\n        self.positions.append(board)\n    def copy(self):\n        other = KoMemory([], self.rule)\n        other.positions = list(self.positions)\n        return other",
        "simple is the present": ("self.positions[-2]\n", "self.positions[-1]\n"),
        "simple is superko": ('if self.rule == "simple":', "if False:"),
        "rules swapped": ('self.rule == "simple"', 'self.rule != "simple"'),
        "first one crashes": ("len(self.positions) < 2 or ", ""),
        "first one forbids": ("len(self.positions) < 2 or ", "len(self.positions) > 1 and "),
        "answers turned round": ("return tuple(after) not in self.positions", "return tuple(after) in self.positions"),
        "present one allowed": ("not in self.positions\n", "not in self.positions[:-1]\n"),
        "first one forgotten": ("not in self.positions\n", "not in self.positions[1:]\n"),
        "the last eight": ("not in self.positions\n", "not in self.positions[-3:]\n"),
        "known ones are dropped": (
            "self.positions.append(tuple(board))",
            "if tuple(board) not in self.positions:\n            self.positions.append(tuple(board))",
        ),
        "a set that loses order": "class KoMemory:\n    def __init__(self, board, rule):\n        self.seen, self.rule, self.last = {tuple(board)}, rule, None\n        self.now = tuple(board)\n    def allows(self, after):\n        return tuple(after) not in self.seen\n    def add(self, board):\n        self.seen.add(tuple(board))\n    def copy(self):\n        other = KoMemory(self.now, self.rule)\n        other.seen = set(self.seen)\n        return other",
        "asking is noting": (
            "        return tuple(after) not in self.positions",
            "        known = tuple(after) in self.positions\n        self.positions.append(tuple(after))\n        return not known",
        ),
        "by number of stones": (
            "return tuple(after) not in self.positions",
            "return sum(1 for s in after if s) not in [sum(1 for s in p if s) for p in self.positions]",
        ),
        "by its first row": (
            "return tuple(after) not in self.positions",
            "return tuple(after)[:4] not in [p[:4] for p in self.positions]",
        ),
        "numbers": ("return tuple(after) not in self.positions", "return int(tuple(after) not in self.positions)"),
        "the last twenty": ("not in self.positions\n", "not in self.positions[-20:]\n"),
        "a deque of twenty": "from collections import deque\nclass KoMemory:\n    def __init__(self, board, rule):\n        self.past, self.rule = deque([tuple(board)], maxlen=20), rule\n    def allows(self, after):\n        if self.rule == 'simple':\n            return len(self.past) < 2 or tuple(after) != self.past[-2]\n        return tuple(after) not in self.past\n    def add(self, board):\n        self.past.append(tuple(board))\n    def copy(self):\n        other = KoMemory([], self.rule)\n        other.past = self.past.copy()\n        return other",
        "copy of a copy": (
            "        return other",
            "        other.positions = self.positions[-1:] if hasattr(self, 'is_copy') else other.positions\n        other.is_copy = True\n        return other",
        ),
        "tuples stored, lists asked": "class KoMemory:\n    def __init__(self, board, rule):\n        self.past, self.rule = [tuple(board)], rule\n    def allows(self, after):\n        return after not in (self.past[-2:-1] if self.rule == 'simple' else self.past)\n    def add(self, board):\n        self.past.append(tuple(board))\n    def copy(self):\n        other = KoMemory([], self.rule)\n        other.past = list(self.past)\n        return other",
    },
    "is_captured": {
        "takes only the largest hunters": (
            "    for stone in game.group(prey):\n        for beside in game.neighbours(stone):\n            hunter = game.board[beside] == 3 - game.player\n            if hunter and len(game.liberties(beside)) == 1:\n                answers |= game.liberties(beside)\n",
            "    touching = {q for stone in game.group(prey) for q in game.neighbours(stone) if game.board[q] == 3 - game.player}\n    taken = [q for q in touching if len(game.liberties(q)) == 1]\n    if taken:\n        answers |= game.liberties(max(taken, key=lambda q: (len(game.group(q)), min(game.liberties(q)))))\n",
        ),
        "takes small groups of hunters only": (
            "len(game.liberties(beside)) == 1",
            "len(game.liberties(beside)) == 1 and len(game.group(beside)) < 5",
        ),
        "the liberty of the stone beside": (
            "answers |= game.liberties(beside)",
            "answers |= {q for q in game.neighbours(beside) if game.board[q] == 0}",
        ),
        "always": "def is_captured(game, prey):\n    return True",
        "never": "def is_captured(game, prey):\n    return False",
        "by kind": "def is_captured(game, prey):\n    return game.board[prey] == game.player",
        "hunters are never taken": ("answers |= game.liberties(beside)", "pass"),
        "nobody runs": ("answers = set(game.liberties(prey))", "answers = set()"),
        "hunters with two liberties": (
            "if hunter and len(game.liberties(beside)) == 1:",
            "if hunter and len(game.liberties(beside)) == 2:",
        ),
        "two liberties are enough": (
            "success = left > 2 or (left == 2 and not caught(game, prey))",
            "success = left >= 2",
        ),
        "three are needed": ("success = left > 2 or (left == 2 and not caught(game, prey))", "success = left > 2"),
        "one is enough": ("success = left > 2 or", "success = left != 2 or"),
        "caught is saved": ("left == 2 and not caught(game, prey)", "left == 2 and caught(game, prey)"),
        "atari is enough": (
            "len(game.liberties(prey)) == 1 and not saved(game, prey)",
            "len(game.liberties(prey)) == 1",
        ),
        "saved is caught": ("== 1 and not saved(game, prey)", "== 1 and saved(game, prey)"),
        "the first liberty only": (
            "for move in game.liberties(prey):",
            "for move in sorted(game.liberties(prey))[:1]:",
        ),
        "the last liberty only": (
            "for move in game.liberties(prey):",
            "for move in sorted(game.liberties(prey))[-1:]:",
        ),
        "the first answer only": ("for move in answers:", "for move in sorted(answers)[:1]:"),
        "the last answer only": ("for move in answers:", "for move in sorted(answers)[-1:]:"),
        "not taken back": (
            "            success = len(game.liberties(prey)) == 1 and not saved(game, prey)\n            game.undo()\n",
            "            success = len(game.liberties(prey)) == 1 and not saved(game, prey)\n",
        ),
        "on the caller's board": "def is_captured(game, prey):\n    if game.board[prey] == game.player:\n        return not saved(game, prey)\n    for move in sorted(game.liberties(prey)):\n        if game.why_illegal(move) is None:\n            game.apply(move)\n            if len(game.liberties(prey)) == 1 and not saved(game, prey):\n                return True\n            game.undo()\n    return False",
        "illegal ones crash": (
            "        if game.why_illegal(move) is None:\n            game.apply(move)\n            success",
            "        if True:\n            game.apply(move)\n            success",
        ),
        "an illegal answer saves": (
            "        if game.why_illegal(move) is None:\n            game.apply(move)\n            left",
            "        if game.why_illegal(move) is not None:\n            return True\n        if True:\n            game.apply(move)\n            left",
        ),
        "one step deep": "def is_captured(game, prey):\n    game = game.copy()\n    if game.board[prey] != game.player:\n        return True\n    for move in game.liberties(prey):\n        if game.why_illegal(move) is None:\n            game.apply(move)\n            left = len(game.liberties(prey))\n            game.undo()\n            return left < 2\n    return True",
        "twenty plies deep": "def _read(game, prey, left):\n    if left == 0:\n        return False\n    mine = game.board[prey] == game.player\n    moves = set(game.liberties(prey))\n    if mine:\n        for stone in game.group(prey):\n            for b in game.neighbours(stone):\n                if game.board[b] == 3 - game.player and len(game.liberties(b)) == 1:\n                    moves |= game.liberties(b)\n    for move in moves:\n        if game.why_illegal(move) is None:\n            game.apply(move)\n            n = len(game.liberties(prey))\n            if mine:\n                good = n > 2 or (n == 2 and not _read(game, prey, left - 1))\n            else:\n                good = n == 1 and _read(game, prey, left - 1)\n            game.undo()\n            if good:\n                return not mine\n    return mine\ndef is_captured(game, prey):\n    return _read(game.copy(), prey, 20)",
        "six plies deep": "def _read(game, prey, left):\n    if left == 0:\n        return True\n    mine = game.board[prey] == game.player\n    moves = set(game.liberties(prey))\n    if mine:\n        for stone in game.group(prey):\n            for b in game.neighbours(stone):\n                if game.board[b] == 3 - game.player and len(game.liberties(b)) == 1:\n                    moves |= game.liberties(b)\n    for move in moves:\n        if game.why_illegal(move) is None:\n            game.apply(move)\n            n = len(game.liberties(prey))\n            if mine:\n                good = n > 2 or (n == 2 and not _read(game, prey, left - 1))\n            else:\n                good = n == 1 and _read(game, prey, left - 1)\n            game.undo()\n            if good:\n                return not mine\n    return mine\ndef is_captured(game, prey):\n    return _read(game.copy(), prey, 6)",
        "hunters near the stone alone": ("for stone in game.group(prey):", "for stone in [prey]:"),
        "hunter's atari is not looked at": (
            "left == 2 and not caught(game, prey)",
            "left == 2 and not any(len(game.liberties(m)) == 1 for m in game.group(prey))",
        ),
        "the bold diagonal": "def is_captured(game, prey):\n    row, col = divmod(prey, game.size)\n    return min(row, col, game.size - 1 - row, game.size - 1 - col) < 2",
        "text": (
            "return caught(game, prey)\n    # END",
            'return "captured" if caught(game, prey) else "escapes"\n    # END',
        ),
        "endless": (
            "    game = game.copy()\n",
            "    game = game.copy()\n    while game.liberties(prey):\n        pass\n",
        ),
        "hunter never looks at the answer": (
            "success = len(game.liberties(prey)) == 1 and not saved(game, prey)",
            "success = len(game.liberties(prey)) == 1 and not any(game.why_illegal(m) is None for m in game.liberties(prey))",
        ),
        "ko is forgotten at the start": (
            "    game = game.copy()\n",
            "    game = Go(game.size, board=game.board, player=game.player)\n",
        ),
        "ko is forgotten when the owner is to move": (
            "    if game.board[prey] == game.player:\n        return not saved(game, prey)",
            "    if game.board[prey] == game.player:\n        return not saved(Go(game.size, board=game.board, player=game.player), prey)",
        ),
        "the owner's moves on fresh boards": (
            "            game.apply(move)\n            left = len(game.liberties(prey))\n            success = left > 2 or (left == 2 and not caught(game, prey))\n            game.undo()\n",
            "            fresh = Go(game.size, board=game.board, player=game.player)\n            fresh.apply(move)\n            left = len(fresh.liberties(prey))\n            success = left > 2 or (left == 2 and not caught(fresh, prey))\n",
        ),
        "remembered by stones alone": "MEMO, CAUGHT = {}, caught\ndef caught(game, prey):\n    key = (bytes(game.board), prey)\n    if key not in MEMO:\n        MEMO[key] = CAUGHT(game, prey)\n    return MEMO[key]",
        "black is always the prey": ("    if game.board[prey] == game.player:", "    if game.player == 1:"),
        "white is always the hunter": (
            "hunter = game.board[beside] == 3 - game.player",
            "hunter = game.board[beside] == 2",
        ),
        "success is not taken back": (
            "            game.undo()\n            if success:\n                return True\n    return False\n\n\ndef saved",
            "            if success:\n                return True\n            game.undo()\n    return False\n\n\ndef saved",
        ),
    },
}
