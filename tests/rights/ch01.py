"""Unusual right solutions of the exercises of chapter 1 that their checks must accept (form: tools/gate.py)."""

RIGHT = {
    "uct_value": {
        "with infinity first": "def uct_value(w, v, n, c):\n    return float('inf') if not v else w / v + c * (math.log(n) / v) ** 0.5",
        "in NumPy": "def uct_value(w, v, n, c):\n    return np.inf if v == 0 else np.float64(w) / v + c * np.sqrt(np.log(n) / v)",
        "by a caught error": "def uct_value(w, v, n, c):\n    try:\n        return w / v + c * math.sqrt(math.log(n) / v)\n    except ZeroDivisionError:\n        return math.inf",
        "roots apart": "def uct_value(w, v, n, c):\n    return w / v + c * math.sqrt(math.log(n)) / math.sqrt(v) if v else math.inf",
    },
    "points_and_visits": {
        "one by one": "def points_and_visits(winners, player):\n    w = 0\n    for winner in winners:\n        w += 1 if winner == player else 0.5 if winner == 0 else 0\n    return w, len(winners)",
        "in NumPy": "def points_and_visits(winners, player):\n    a = np.array(winners)\n    return (a == player).sum() + (a == 0).sum() / 2, a.size",
        "a list": "def points_and_visits(winners, player):\n    return [sum({player: 1.0, 0: 0.5}.get(x, 0.0) for x in winners), len(winners)]",
    },
    "final_move": {
        "by sorting": "def final_move(children):\n    return sorted(children, key=lambda c: (-c.visits, -c.wins / c.visits))[0].move",
        "in a loop": "def final_move(children):\n    best = None\n    for c in children:\n        if best is None or c.visits > best.visits or (c.visits == best.visits and c.wins > best.wins):\n            best = c\n    return best.move",
        "in two steps": "def final_move(children):\n    most = max(c.visits for c in children)\n    return max([c for c in children if c.visits == most], key=lambda c: c.wins / c.visits).move",
    },
    "backup": {
        "by recursion": "def backup(node, winner):\n    if node is None:\n        return\n    mover = node.parent.player if node.parent else 3 - node.player\n    node.visits += 1\n    node.wins += {0: 0.5, mover: 1}.get(winner, 0)\n    backup(node.parent, winner)",
        "players in turn": "def backup(node, winner):\n    mover = node.parent.player if node.parent else 3 - node.player\n    while node:\n        node.visits += 1\n        node.wins += 0.5 if winner == 0 else float(winner == mover)\n        mover, node = 3 - mover, node.parent",
        "path first": "def backup(node, winner):\n    path = []\n    while node is not None:\n        path.append(node)\n        node = node.parent\n    for n in path:\n        n.visits += 1\n        n.wins += 0.5 * (winner == 0) + (winner == 3 - n.player)",
    },
    "search_for": {
        "one before the loop": "def search_for(simulate, seconds, clock):\n    end = clock() + seconds\n    simulate()\n    count = 1\n    while clock() < end:\n        simulate()\n        count += 1\n    return count",
        "endless with a break": "def search_for(simulate, seconds, clock):\n    start, count = clock(), 0\n    while True:\n        simulate()\n        count += 1\n        if clock() - start >= seconds:\n            return count",
        "by itertools": "import itertools\ndef search_for(simulate, seconds, clock):\n    end = clock() + seconds\n    for count in itertools.count(1):\n        simulate()\n        if not clock() < end:\n            return count",
    },
    "reroot": {
        "by recursion": "def reroot(root, moves):\n    def find(node, rest):\n        if not rest:\n            return node\n        for child in node.children:\n            if child.move == rest[0]:\n                return find(child, rest[1:])\n    node = find(root, list(moves))\n    if node is not None:\n        node.parent = None\n    return node",
        "by dicts": "def reroot(root, moves):\n    node = root\n    for move in moves:\n        node = {child.move: child for child in node.children}.get(move)\n        if node is None:\n            return None\n    node.parent = None\n    return node",
        "by for and else": "def reroot(root, moves):\n    node = root\n    for move in moves:\n        for child in node.children:\n            if child.move == move:\n                node = child\n                break\n        else:\n            return None\n    node.parent = None\n    return node",
    },
    "virtual_loss": {
        "visits in two steps": ("node.visits += 1 - loss", "node.visits -= loss\n        node.visits += 1"),
        "by recursion": "def pay(node, visits):\n    if node is not None:\n        node.visits += visits\n        pay(node.parent, visits)\n\ndef select_leaves(root, game, batch, loss):\n    leaves = []\n    while len(leaves) < batch:\n        leaves.append(expand(select(root, game), game, None))\n        pay(leaves[-1], loss)\n        take_back(leaves[-1], root, game)\n    return leaves",
        "a tuple of leaves": ("    return leaves", "    return tuple(leaves)"),
    },
    "connect_four": {
        "columns as lists": "class ConnectFour:\n    height, width, k = 6, 7, 4\n    def __init__(self, history=()):\n        self.columns, self.history = [[] for _ in range(7)], []\n        for c in history: self.apply(c)\n"
        "    @property\n    def player(self): return 1 + len(self.history) % 2\n"
        "    @property\n    def winner(self):\n        if self.history:\n            c = self.history[-1]; r = len(self.columns[c]) - 1; p = self.columns[c][r]\n"
        "            for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):\n                n = 1\n                for s in (1, -1):\n                    y, x = r + s * dr, c + s * dc\n"
        "                    while 0 <= x < 7 and 0 <= y < len(self.columns[x]) and self.columns[x][y] == p:\n                        n += 1; y += s * dr; x += s * dc\n"
        "                if n >= 4: return p\n        return 0 if len(self.history) == 42 else None\n"
        "    def legal_moves(self): return [] if self.winner is not None else [c for c in range(7) if len(self.columns[c]) < 6]\n"
        "    def apply(self, c):\n        if c not in self.legal_moves(): raise ValueError(c)\n        self.columns[c].append(self.player); self.history.append(c)\n"
        "    def undo(self): self.columns[self.history.pop()].pop()\n    def copy(self): return ConnectFour(self.history)",
        "copied by copy": (
            "        other = ConnectFour()\n        other.board = self.board.copy()\n        other.history = self.history.copy()\n        other.player = self.player\n        other.winner = self.winner\n        return other",
            "        import copy\n        return copy.deepcopy(self)",
        ),
        "winners remembered": (
            "        self.winner = None     # before its last move the game was running\n",
            "        self.winner = None\n        assert len(self.history) < 42\n",
        ),
        "a tuple of moves": (
            "return [column for column in range(7) if self.board[column] == 0]",
            "return tuple(column for column in range(7) if self.board[column] == 0)",
        ),
    },
}
