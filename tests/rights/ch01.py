"""Unusual right solutions of the exercises of chapter 1 that their checks must accept (form: tools/gate.py)."""

RIGHT = {
    "final_move": {
        "by sorting": "def final_move(children):\n    return sorted(children, key=lambda c: (-c.visits, -c.wins / c.visits))[0].move",
        "in a loop": "def final_move(children):\n    best = None\n    for c in children:\n        if best is None or c.visits > best.visits or (c.visits == best.visits and c.wins > best.wins):\n            best = c\n    return best.move",
        "in two steps": "def final_move(children):\n    most = max(c.visits for c in children)\n    return max([c for c in children if c.visits == most], key=lambda c: c.wins / c.visits).move",
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
            "        self.winner = None  # before its last move the game was running\n",
            "        self.winner = None\n        assert len(self.history) < 42\n",
        ),
        "a tuple of moves": (
            "return [column for column in range(7) if self.board[column] == 0]",
            "return tuple(column for column in range(7) if self.board[column] == 0)",
        ),
    },
    "my_uct": {
        "by recursion, with undo": "def descend(node, game, rng, new=True):\n    if game.winner is not None:\n        return game.winner\n"
        "    if node[0] is None:\n        node[0] = {}\n    untried = [m for m in game.legal_moves() if m not in node[0]]\n"
        "    mover = game.player\n    move = untried[0] if untried else max(node[0], key=lambda m: value(node, node[0][m]))\n"
        "    game.apply(move)\n    if untried:\n        child = node[0][move] = [None, 0, 0.0]\n        played = 0\n"
        "        while game.winner is None:\n            game.apply(game.legal_moves()[rng.choice(len(game.legal_moves()))])\n            played += 1\n"
        "        winner = game.winner\n        for _ in range(played):\n            game.undo()\n    else:\n        child = node[0][move]\n"
        "        winner = descend(child, game, rng)\n    game.undo()\n    child[1] += 1\n    child[2] += {0: 0.5, mover: 1.0}.get(winner, 0.0)\n    return winner\n"
        "def value(node, child):\n    total = node[1]\n    return child[2] / child[1] + (2 * np.log(total) / child[1]) ** 0.5\n"
        "def my_uct(game, simulations, rng):\n    root, mine = [None, 0, 0.0], game.copy()\n    if game.winner is not None:\n        return {}\n"
        "    for _ in range(simulations):\n        descend(root, mine, rng)\n        root[1] += 1\n"
        "    return {m: tuple(root[0][m][1:]) if m in root[0] else (0, 0) for m in game.legal_moves()}",
        "statistics by the moves that led there": "def my_uct(game, simulations, rng):\n    n, w = {}, {}\n"
        "    for _ in range(simulations if game.winner is None else 0):\n        g, line, path = game.copy(), (), []\n"
        "        while g.winner is None:\n            moves = g.legal_moves()\n            fresh = [m for m in moves if (*line, m) not in n]\n"
        "            if fresh:\n                m = fresh[rng.integers(len(fresh))]\n            else:\n                total = n.get(line, 0)\n"
        "                ucb = [w[*line, m] / n[*line, m] + math.sqrt(2 * math.log(total) / n[*line, m]) for m in moves]\n"
        "                m = moves[int(np.argmax(ucb))]\n            path.append((line := (*line, m), g.player))\n            g.apply(m)\n"
        "            if fresh:\n                break\n        while g.winner is None:\n            moves = g.legal_moves()\n"
        "            g.apply(moves[rng.integers(len(moves))])\n        n[()] = n.get((), 0) + 1\n        for key, mover in path:\n"
        "            n[key] = n.get(key, 0) + 1\n            w[key] = w.get(key, 0.0) + (0.5 if g.winner == 0 else 1.0 * (g.winner == mover))\n"
        "    return {m: (n.get((m,), 0), w.get((m,), 0.0)) for m in game.legal_moves()}",
        "infinity for an unvisited child": (
            "    if node.untried:\n        return node.untried.pop(int(rng.integers(len(node.untried))))\n",
            "    if node.untried:\n        return max(node.untried, key=lambda m: (math.inf, node.untried.remove(m) or 0)[0]) if len(node.untried) == 1 else node.untried.pop()\n",
        ),
        "wins as running means": (
            "        node.wins += 0.5 if game.winner == 0 else float(game.winner == mover)",
            "        score = 0.5 if game.winner == 0 else float(game.winner == mover)\n"
            "        mean = node.wins / (node.visits - 1) if node.visits > 1 else 0.0\n"
            "        node.wins = (mean + (score - mean) / node.visits) * node.visits",
        ),
        "wins counted as half points": (
            "        node.wins += 0.5 if game.winner == 0 else float(game.winner == mover)",
            "        node.wins += (1 + (game.winner == mover) - (game.winner == 3 - mover)) / 2",
        ),
    },
}

BLANKS = {
    "uct_value": {
        "one root after another": "def uct_value(w, v, parent_visits, c=SQRT2):\n"
        "    return float(w) / v + c * (math.log(parent_visits) ** 0.5 / v**0.5)",
        "NumPy's numbers": "def uct_value(w, v, parent_visits, c=SQRT2):\n"
        "    return np.float64(w) / v + c * np.sqrt(np.log(parent_visits) / v)",
        "over one denominator": "def uct_value(w, v, parent_visits, c=SQRT2):\n"
        "    return (w + c * math.sqrt(v * math.log(parent_visits))) / v",
    },
    "select": {
        "by recursion": "def select(node, game, c):\n    if node.untried or not node.children:\n        return node\n"
        "    child = best_child(node, c)\n    game.apply(child.move)\n    return select(child, game, c)",
        "for ever, with a break": "def select(node, game, c):\n    while True:\n        if node.untried or not node.children:\n"
        "            break\n        node = best_child(node, c)\n        game.apply(node.move)\n    return node",
        "by the game's end": "def select(node, game, c):\n    while len(node.untried) == 0 and game.winner is None:\n"
        "        node = best_child(node, c)\n        game.apply(node.move)\n    return node",
    },
    "expand": {
        "an index, then del": "def expand(node, game, rng):\n    if len(node.untried) > 0:\n"
        "        index = rng.integers(0, len(node.untried))\n        move = node.untried[index]\n        del node.untried[index]\n"
        "        game.apply(move)\n        node.children += [Node(game, move, node)]\n        node = node.children[-1]\n    return node",
        "a new list": "def expand(node, game, rng):\n    if node.untried:\n"
        "        move = node.untried[rng.integers(len(node.untried))]\n        node.untried = [m for m in node.untried if m != move]\n"
        "        game.apply(move)\n        node.children.append(Node(game, move=move, parent=node))\n        return node.children[-1]\n    return node",
        "remove": "def expand(node, game, rng):\n    untried = node.untried\n    if not untried:\n        return node\n"
        "    untried.remove(move := untried[int(rng.integers(low=0, high=len(untried)))])\n    game.apply(move)\n"
        "    child = Node(game, move, node)\n    node.children = [*node.children, child]\n    return child",
    },
    "backup": {
        "by recursion": "def backup(node, winner, score=score):\n    if node is None:\n        return\n"
        "    up = node.parent\n    node.visits += 1\n    node.wins += score(winner, 3 - node.player if up is None else up.player)\n"
        "    backup(up, winner, score)",
        "from the root down": "def backup(node, winner, score=score):\n    line = []\n    while node:\n        line.insert(0, node)\n"
        "        node = node.parent\n    moved_into = 3 - line[0].player\n    for node in line:\n        node.visits += 1\n"
        "        node.wins = node.wins + score(winner, moved_into)\n        moved_into = node.player",
        "players alternate": "def backup(node, winner, score=score):\n    while node is not None:\n        node.visits += 1\n"
        "        node.wins += score(winner, 3 - node.player) if not node.parent else score(winner, node.parent.player)\n"
        "        node = node.parent",
    },
}
