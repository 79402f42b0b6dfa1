"""Unusual right solutions of the exercises of chapter 9 that their checks must accept (form: tools/gate.py)."""

RIGHT = {
    "KoMemory": {
        "a set and two boards": "class KoMemory:\n    def __init__(self, board, rule):\n        self.now, self.before, self.rule = tuple(board), None, rule\n        self.seen = frozenset([self.now])\n    def allows(self, after):\n        after = tuple(after)\n        return after != self.before if self.rule == 'simple' else after not in self.seen\n    def add(self, board):\n        self.before, self.now = self.now, tuple(board)\n        self.seen |= {self.now}\n    def copy(self):\n        other = KoMemory(self.now, self.rule)\n        other.before, other.seen = self.before, self.seen\n        return other",
        "by deepcopy": "import copy as copying\nclass KoMemory:\n    def __init__(self, board, rule):\n        self.all, self.rule = [list(board)], rule\n    def allows(self, after):\n        forbidden = self.all[-2:-1] if self.rule == 'simple' else self.all\n        return list(after) not in forbidden\n    def add(self, board):\n        self.all = self.all + [board[:]]\n    def copy(self):\n        return copying.deepcopy(self)",
        "a chain": "class KoMemory:\n    def __init__(self, board, rule, chain=None):\n        self.rule, self.chain = rule, chain or (bytes(board), None)\n    def allows(self, after):\n        link = self.chain\n        if self.rule == 'simple':\n            return link[1] is None or link[1][0] != bytes(after)\n        while link:\n            if link[0] == bytes(after):\n                return False\n            link = link[1]\n        return True\n    def add(self, board):\n        self.chain = (bytes(board), self.chain)\n    def copy(self):\n        return KoMemory((), self.rule, self.chain)",
    },
    "lead": {
        "by reach": "def lead(board, size, komi):\n    def reach(color):\n        got = {p for p, s in enumerate(board) if s == color}\n        todo = list(got)\n        while todo:\n            r, c = divmod(todo.pop(), size)\n            for a, b in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):\n                p = a * size + b\n                if 0 <= a < size and 0 <= b < size and board[p] == 0 and p not in got:\n                    got.add(p)\n                    todo.append(p)\n        return got\n    black, white = reach(1), reach(2)\n    return float(len(black - white) - len(white - black)) - komi",
        "neutral counts for both": "def lead(board, size, komi):\n    game, total = Go(size, 0, board=board), -komi\n    for p, s in enumerate(board):\n        if s:\n            total += 3 - 2 * s\n            continue\n        touch = {board[b] for q in game.group(p) for b in game.neighbors(q)}\n        total += (1 in touch) - (2 in touch)\n    return total",
        "by the package": "def lead(board, size, komi):\n    return Go(size, komi, board=board).lead()",
    },
    "playout_moves": {
        "in another order, a tuple": "def playout_moves(game):\n    n, me = game.size, game.player\n    def eye(p):\n        if any(game.board[b] != me for b in game.neighbors(p)):\n            return False\n        r, c = divmod(p, n)\n        across = [game.board[a * n + b] for a in (r - 1, r + 1) for b in (c - 1, c + 1) if 0 <= a < n and 0 <= b < n]\n        enemies = sum(s not in (0, me) for s in across)\n        return enemies == 0 or (enemies == 1 and len(across) == 4)\n    points = [m for m in reversed(game.legal_moves()) if m != game.pass_move and not eye(m)]\n    if points or game.winner is not None:\n        return tuple(points)\n    return (game.pass_move,)",
        "in numpy": "def playout_moves(game):\n    n = game.size\n    wide = np.full((n + 2, n + 2), 9)\n    wide[1:-1, 1:-1] = np.reshape(list(game.board), (n, n))\n    found = []\n    for move in game.legal_moves()[:-1]:\n        r, c = move // n + 1, move % n + 1\n        cross = np.array([wide[r - 1, c], wide[r + 1, c], wide[r, c - 1], wide[r, c + 1]])\n        corner = np.array([wide[r - 1, c - 1], wide[r + 1, c + 1], wide[r + 1, c - 1], wide[r - 1, c + 1]])\n        bad = (corner == 3 - game.player).sum() + (9 in corner)\n        if not (np.isin(cross, (9, game.player)).all() and bad < 2):\n            found.append(np.int64(move))\n    if not found and not game.over:\n        found = [game.pass_move]\n    return found",
        "by taking eyes away": "def playout_moves(game):\n    moves = set(game.legal_moves())\n    for p in list(moves - {game.pass_move}):\n        r, c = divmod(p, game.size)\n        if {game.board[b] for b in game.neighbors(p)} == {game.player}:\n            diag = [(r + i, c + j) for i in (-1, 1) for j in (-1, 1)]\n            on = [game.board[i * game.size + j] for i, j in diag if min(i, j) >= 0 and max(i, j) < game.size]\n            if on.count(3 - game.player) < (2 if len(on) == 4 else 1):\n                moves.discard(p)\n    return sorted(moves - {game.pass_move}) or sorted(moves)",
    },
    "liberties_after": {
        "on copies, whole numbers": "def liberties_after(game):\n    planes = np.zeros((8, game.size**2), int)\n    for move in game.legal_moves()[:-1]:\n        after = game.copy()\n        after.apply(move)\n        planes[min(7, len(after.liberties(move)) - 1)][move] = 1\n    return planes.reshape(8, game.size, -1)",
        "one number at a time": "def liberties_after(game):\n    counts = np.zeros((game.size, game.size))\n    for move in game.legal_moves():\n        if move < game.size**2:\n            game.apply(move)\n            counts[divmod(move, game.size)] = len(game.liberties(move))\n            game.undo()\n    counts = np.minimum(counts, 8)\n    return np.stack([counts == n for n in range(1, 9)]).astype(float)",
        "by hand": "from mock5check.ch09.blanks import group_of\ngroup_of = group_of.solution\ndef liberties_after(game):\n    planes, n = np.zeros((8, game.size, game.size), np.uint8), game.size\n    for move in game.legal_moves()[:-1]:\n        board = list(game.board)\n        for s in game.captures(move):\n            board[s] = 0\n        board[move] = game.player\n        stones, free = group_of(board, n, move)\n        planes[min(len(free), 8) - 1, move // n, move % n] = 1\n    return planes",
    },
    "safe_stones": {
        "a sorted list": ("return set().union(*kept)", "return sorted(set().union(*kept))"),
        "by the package's groups, one drop at a time": "def safe_stones(board, size, color):\n"
        "    game = Go(size, board=list(board))\n"
        "    chains = {frozenset(game.group(p)) for p, s in enumerate(board) if s == color}\n"
        "    other = Go(size, board=[3 - color if s != color else 0 for s in board]) if color in board else None\n"
        "    if other is None:\n        return set()\n"
        "    regions = {frozenset(other.group(p)) for p, s in enumerate(board) if s != color}\n"
        "    near = lambda p: set(game.neighbors(p))\n"
        "    while True:\n"
        "        for chain in chains:\n"
        "            if sum(all(board[p] or near(p) & chain for p in r) for r in regions) < 2:\n"
        "                break\n"
        "        else:\n            return {p for chain in chains for p in chain}\n"
        "        chains = chains - {chain}\n"
        "        regions = {r for r in regions if not any(near(p) & chain for p in r)}",
        "on labels in numpy": "def safe_stones(board, size, color):\n"
        "    board = np.reshape(board, (size, size))\n"
        "    def labels(mask):\n"
        "        marks = np.where(mask, np.arange(1, size * size + 1).reshape(size, size), 0)\n"
        "        while True:\n"
        "            wide = np.pad(marks, 1)\n"
        "            new = np.maximum.reduce([marks, wide[:-2, 1:-1], wide[2:, 1:-1], wide[1:-1, :-2], wide[1:-1, 2:]]) * mask\n"
        "            if (new == marks).all():\n                return marks\n"
        "            marks = new\n"
        "    def touches(where):\n"
        "        wide = np.pad(where, 1)\n"
        "        return wide[:-2, 1:-1] | wide[2:, 1:-1] | wide[1:-1, :-2] | wide[1:-1, 2:]\n"
        "    chains, regions = labels(board == color), labels(board != color)\n"
        "    while True:\n"
        "        alive = {c for c in np.unique(chains) if c and sum(\n"
        "            not ((regions == r) & (board == 0) & ~touches(chains == c)).any() for r in np.unique(regions) if r) > 1}\n"
        "        gone = (chains > 0) & ~np.isin(chains, list(alive))\n"
        "        if not gone.any():\n"
        "            return set(np.flatnonzero(chains).tolist())\n"
        "        for r in np.unique(regions[touches(gone) & (regions > 0)]):\n"
        "            regions[regions == r] = 0\n"
        "        chains[gone] = 0",
    },
}

BLANKS = {
    "group_of": {
        "by recursion": "def group_of(board, size, point):\n    stones, liberties = set(), set()\n    def visit(p):\n        if board[p] == 0:\n            liberties.add(p)\n        elif board[p] == board[point] and p not in stones:\n            stones.add(p)\n            if p >= size:\n                visit(p - size)\n            if p < size * (size - 1):\n                visit(p + size)\n            if p % size:\n                visit(p - 1)\n            if p % size < size - 1:\n                visit(p + 1)\n    visit(point)\n    return stones, liberties",
        "by growing until nothing changes": "def group_of(board, size, point):\n    def near(points):\n        out = set()\n        for p in points:\n            r, c = divmod(p, size)\n            out |= {a * size + b for a, b in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)) if -1 < a < size and -1 < b < size}\n        return out\n    stones = {point}\n    while True:\n        more = stones | {p for p in near(stones) if board[p] == board[point]}\n        if more == stones:\n            return frozenset(stones), frozenset(p for p in near(stones) if board[p] == 0)\n        stones = more",
        "in numpy": "def group_of(board, size, point):\n    wide = np.full((size + 2, size + 2), 3)\n    wide[1:-1, 1:-1] = np.reshape(board, (size, size))\n    mask = np.zeros(wide.shape, bool)\n    mask[point // size + 1, point % size + 1] = True\n    def grown(m):\n        out = m.copy()\n        out[1:] |= m[:-1]\n        out[:-1] |= m[1:]\n        out[:, 1:] |= m[:, :-1]\n        out[:, :-1] |= m[:, 1:]\n        return out\n    while True:\n        new = grown(mask) & (wide == board[point])\n        if (new == mask).all():\n            break\n        mask = new\n    liberties = grown(mask) & (wide == 0)\n    return tuple(set(np.flatnonzero(m[1:-1, 1:-1])) for m in (mask, liberties))",
    },
    "play": {
        "by the package": "def play(board, size, point, player):\n    game = Go(size, board=board, player=player, ko='simple')\n    if game.board[point] or game.why_illegal(point):\n        return None\n    game.apply(point)\n    return list(game.board)",
        "by sweeping the board": "def play(board, size, point, player):\n    if board[point]:\n        return None\n    new = board[:point] + [player] + board[point + 1 :]\n    dead = {p for p, s in enumerate(new) if s == 3 - player and not group_of(new, size, p)[1]}\n    new = [0 if p in dead else s for p, s in enumerate(new)]\n    return new if group_of(new, size, point)[1] else None",
        "a tuple": "def play(board, size, point, player):\n    if board[point] != 0:\n        return None\n    after = np.array(board)\n    after[point] = player\n    def free(p):\n        group, todo, open_ = {p}, [p], False\n        while todo:\n            q = todo.pop()\n            for d in (-size, size, -1 if q % size else 0, 1 if (q + 1) % size else 0):\n                b = q + d\n                if d and 0 <= b < size * size and b not in group:\n                    if after[b] == 0:\n                        open_ = True\n                    elif after[b] == after[p]:\n                        group.add(b)\n                        todo.append(b)\n        return open_, group\n    for p in range(size * size):\n        if after[p] == 3 - player:\n            alive, group = free(p)\n            if not alive:\n                after[list(group)] = 0\n    return tuple(after.tolist()) if free(point)[0] else None",
    },
    "can_be_saved": {
        "by undo": "def can_be_saved(game, prey):\n    saved = False\n    for move in ladders.answers_of(game, prey):\n"
        "        if not saved and move in game.legal_moves():\n            game.apply(move)\n            left = len(game.liberties(prey))\n"
        "            saved = left >= 3 or left == 2 and not can_be_caught(game, prey)\n            game.undo()\n    return saved",
        "by any": "def can_be_saved(game, prey):\n    def saves(move):\n        now = game.copy()\n        now.apply(move)\n"
        "        free = len(now.liberties(prey))\n        return free > 2 if free != 2 else not can_be_caught(now, prey)\n\n"
        "    return any(saves(move) for move in ladders.answers_of(game, prey) if game.why_illegal(move) is None)",
        "both questions in one": "def can_be_saved(game, prey):\n    fleeing = game.board[prey] == game.player\n"
        "    for move in ladders.answers_of(game, prey) if fleeing else game.liberties(prey):\n"
        "        if game.why_illegal(move):\n            continue\n        after = game.copy()\n        after.apply(move)\n"
        "        free = len(after.liberties(prey))\n        if fleeing and (free > 2 or free == 2 and can_be_saved(after, prey)):\n"
        "            return True\n        if not fleeing and free == 1 and not can_be_saved(after, prey):\n            return False\n"
        "    return not fleeing",
    },
}
