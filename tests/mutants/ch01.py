"""Wrong solutions of the exercises of chapter 1 that their checks must reject (form: tools/gate.py)."""

MUTANTS = {
    "reroot": {
        "the very object": ("child.move == move", "child.move is move"),
        "anywhere below": (
            "        node = next((child for child in node.children if child.move == move), None)",
            "        below = list(node.children)\n        for child in below:\n            below += child.children\n        node = next((child for child in below if child.move == move), None)",
        ),
        "parent kept": ("    node.parent = None\n", ""),
        "child by its place": (
            "next((child for child in node.children if child.move == move), None)",
            "node.children[move] if 0 <= move < len(node.children) else None",
        ),
        "unknown move raises": ("child.move == move), None)", "child.move == move))"),
        "unknown move stays where it is": ("            return None", "            return root"),
        "unknown move is skipped": (", None)\n        if node is None:\n            return None", ", node)"),
        "first move only": ("in moves:", "in moves[:1]:"),
        "last move only": ("in moves:", "in moves[-1:]:"),
        "most visited child": (
            "next((child for child in node.children if child.move == move), None)",
            "max(node.children, key=lambda child: child.visits, default=None)",
        ),
        "children dropped": ("    node.parent = None\n", "    node.parent = None\n    node.children = []\n"),
        "side turned": (
            "    node.parent = None\n",
            "    node.parent = None\n    node.wins = node.visits - node.wins\n",
        ),
        "a copy": ("return node\n", "import copy\n    return copy.copy(node)\n"),
        "no return": ("    return node\n", ""),
    },
    "virtual_loss": {
        "no virtual loss": ("node.visits += loss", "pass"),
        "always one": ("node.visits += loss", "node.visits += 1"),
        "at the leaf only": (
            "            node.visits += loss\n            node = node.parent",
            "            node.visits += loss\n            break",
        ),
        "root forgotten": (
            "        while node is not None:\n            node.visits += loss",
            "        while node is not root:\n            node.visits += loss",
        ),
        "points taken away": ("node.visits += loss", "node.visits += loss\n            node.wins -= loss"),
        "game not put back": ("        take_back(leaf, root, game)\n", ""),
        "one leaf short": ("range(batch)", "range(batch - 1)"),
        "leaf not expanded": ("expand(select(root, game), game, None)", "select(root, game)"),
        "always the same leaf": ("    return leaves", "    return leaves[:1] * batch"),
        "in the wrong order": ("return leaves", "return leaves[::-1]"),
        "visit not entered": ("node.visits += 1 - loss", "node.visits -= loss"),
        "points of the leaf all the way up": ("points_for(node, winner)", "points_for(leaf, winner)"),
    },
    "connect_four": {
        "a copy of a draw goes on": "class ConnectFour(ConnectFour):\n    def copy(self):\n        other = super().copy()\n        other.winner = self.winner or None\n        return other",
        "column 0 is not looked at": ("        elif len(self.history) == 42:", "        elif all(self.board[1:7]):"),
        "five needed": ("count >= 4", "count >= 5"),
        "exactly four": ("count >= 4", "count == 4"),
        "upright forgotten": ("(0, 1), (1, 0), (1, 1)", "(0, 1), (1, 1)"),
        "falling diagonal forgotten": ("(1, 0), (1, 1), (1, -1)", "(1, 0), (1, -1)"),
        "rising diagonal forgotten": (", (1, -1)]", "]"),
        "one way only": ("for sign in (1, -1):", "for sign in (1,):"),
        "edge forgotten at the sides": ("0 <= r < 6 and 0 <= c < 7 and", "0 <= r < 6 and 0 <= r * 7 + c < 42 and"),
        "draw never seen": (
            "elif len(self.history) == 42:\n            self.winner = 0",
            "elif len(self.history) == 43:\n            self.winner = 0",
        ),
        "draw too early": ("len(self.history) == 42", "len(self.history) == 41"),
        "winner 0 while running": (
            "self.player = 1\n        self.winner = None",
            "self.player = 1\n        self.winner = 0",
        ),
        "winner is who moves next": (
            "self.winner = self.player\n        elif",
            "self.winner = 3 - self.player\n        elif",
        ),
        "player does not change": (
            "            self.winner = 0\n        self.player = 3 - self.player",
            "            self.winner = 0",
        ),
        "six columns": ("for column in range(7) if", "for column in range(6) if"),
        "goes on after the end": ("        if self.winner is not None:\n            return []\n", ""),
        "illegal move ignored": (
            'raise ValueError(f"column {column} is not legal, only {self.legal_moves()}")',
            "return",
        ),
        "column −1 accepted": (
            "if column not in self.legal_moves():",
            "if column not in [*self.legal_moves(), *(c - 7 for c in self.legal_moves())]:",
        ),
        "falls up": ("row = max(row for row in range(6)", "row = min(row for row in range(6)"),
        "refused move ends the turn": (
            "            raise ValueError(",
            "            self.player = 3 - self.player\n            raise ValueError(",
        ),
        "undo forgets the winner": ("        self.winner = None     # before its last move the game was running\n", ""),
        "undo forgets the player": (
            "        self.board[row * 7 + column] = 0\n        self.player = 3 - self.player\n",
            "        self.board[row * 7 + column] = 0\n",
        ),
        "undo forgets the stone": (
            "        self.board[row * 7 + column] = 0\n        self.player",
            "        self.player",
        ),
        "undo takes the lowest stone": ("row = min(row for row in range(6)", "row = max(row for row in range(6)"),
        "undo forgets the history": ("self.history.pop()", "self.history[-1]"),
        "copy shares the board": ("self.board.copy()", "self.board"),
        "copy shares the history": ("self.history.copy()", "self.history"),
        "copy forgets the winner": ("        other.winner = self.winner\n", ""),
        "copy is the game itself": ("        return other", "        return self"),
        "winner is a method": "class ConnectFour(ConnectFour):\n    def __init__(self): pass\n"
        "    def winner(self): return None",
        "no class": "ConnectFour = ConnectFour()",
        "a generator of moves": (
            "return [column for column in range(7) if self.board[column] == 0]",
            "return (column for column in range(7) if self.board[column] == 0)",
        ),
        "never ends": (
            "                    r, c = r + sign * down, c + sign * right\n            if",
            "                    pass\n            if",
        ),
    },
    "my_uct": {
        "the tree of the last search": (
            "    root = Place(game)\n",
            "    kept = globals().setdefault('KEPT', {})\n    root = kept.setdefault(id(game), Place(game))\n",
        ),
        "one number for a whole playout": (
            "    while game.winner is None:\n        moves = game.legal_moves()\n        game.apply(moves[int(rng.integers(len(moves)))])\n",
            "    share = rng.random()\n    while game.winner is None:\n        moves = game.legal_moves()\n        game.apply(moves[int(share * len(moves))])\n",
        ),
        "the remainder of ten": ("moves[int(rng.integers(len(moves)))]", "moves[int(rng.integers(10)) % len(moves)]"),
        "one seed for all simulations": (
            "        one_simulation(root, game.copy(), rng)",
            "        root.seed = getattr(root, 'seed', None) or int(rng.integers(1, 2**31))\n        one_simulation(root, game.copy(), np.random.default_rng(root.seed))",
        ),
        "no exploration": ("math.sqrt(2) * math.sqrt(log_visits / child.visits)", "0"),
        "c is 1": ("math.sqrt(2) * math.sqrt", "math.sqrt"),
        "c is 2": ("math.sqrt(2) * math.sqrt", "2 * math.sqrt"),
        "no logarithm": ("math.log(node.visits)", "node.visits"),
        "least score": ("return max(node", "return min(node"),
        "sum instead of average": ("return child.wins / child.visits +", "return child.wins +"),
        "a draw earns nothing": ("0.5 if game.winner == 0", "0.0 if game.winner == 0"),
        "a draw is a win": ("0.5 if game.winner == 0", "1.0 if game.winner == 0"),
        "points for the player at the root": ("(game.winner == mover)", "(game.winner == path[0][0])"),
        "players in turn": (
            "    for mover, node in path:",
            "    for mover, node in [(path[0][0] if i % 2 == 0 else 3 - path[0][0], n) for i, (_, n) in enumerate(path)]:",
        ),
        "asks who moved after the move": (
            "mover, new = game.player, move not in node.children\n        game.apply(move)",
            "new = move not in node.children\n        game.apply(move)\n        mover = 3 - game.player",
        ),
        "the root has no visits": ("    root.visits += 1\n", "    root.visits = 1\n"),
        "the leaf has no visit of its own": (
            "        node.visits += 1\n        node.wins",
            "        node.visits += node is not path[-1][1] or not node.untried\n        node.wins",
        ),
        "only the leaf is backed up": ("in path:\n", "in path[-1:]:\n"),
        "nothing below the first move": ("        if new:\n            break\n", "        break\n"),
        "the whole playout stays in the tree": ("        if new:\n            break\n", ""),
        "a move is tried twice": (
            "node.untried.pop(int(rng.integers(len(node.untried))))",
            "node.untried[int(rng.integers(len(node.untried)))]",
        ),
        "the playout takes the first move": ("moves[int(rng.integers(len(moves)))]", "moves[0]"),
        "no playout": ("    while game.winner is None:\n        moves =", "    while False:\n        moves ="),
        "searches the game itself": ("game.copy(), rng", "game, rng"),
        "one simulation too few": ("range(simulations if", "range(simulations - 1 if"),
        "the first simulation stays at the root": ("range(simulations if", "range(simulations and simulations - 1 if"),
        "untried moves are left out": (
            "    return {move: tried.get(move, (0, 0.0)) for move in game.legal_moves()}",
            "    return tried",
        ),
        "averages instead of points": ("(child.visits, child.wins)", "(child.visits, child.wins / child.visits)"),
        "the pair the wrong way round": ("(child.visits, child.wins)", "(child.wins, child.visits)"),
        "visits as shares": ("(child.visits, child.wins)", "(child.visits / simulations, child.wins)"),
        "a generator of its own": (
            "one_simulation(root, game.copy(), rng)",
            "one_simulation(root, game.copy(), np.random.default_rng())",
        ),
        "always the same generator": (
            "    root = Place(game)\n",
            "    root, rng = Place(game), np.random.default_rng(0)\n",
        ),
        "ten playouts a simulation, the last counts": (
            "        one_simulation(root",
            "        for _ in range(9):\n            copied = game.copy()\n            while copied.winner is None:\n"
            "                copied.apply(copied.legal_moves()[0])\n        one_simulation(root",
        ),
        "a tree that is kept from search to search": "kept = {}\ndef my_uct(game, simulations, rng):\n"
        "    root = kept.setdefault(str(game), Place(game))\n    for _ in range(simulations if game.winner is None else 0):\n"
        "        one_simulation(root, game.copy(), rng)\n    tried = {m: (c.visits, c.wins) for m, c in root.children.items()}\n"
        "    return {m: tried.get(m, (0, 0.0)) for m in game.legal_moves()}",
        "keys are texts": ("{move: tried.get(move, (0, 0.0)) for", "{str(move): tried.get(move, (0, 0.0)) for"),
        "only the best move": (
            "    return {move: tried.get",
            "    return max(tried, key=tried.get)\n    return {move: tried.get",
        ),
        "never ends": ("    root.visits += 1\n", "    root.visits += 1\n    while root:\n        pass\n"),
        "needs whole numbers for moves": ("node.children[move] = Place(game)", "node.children[move + 0] = Place(game)"),
    },
}

# Wrong solutions that an earlier edition of the checks accepted, or that made them crash or hang.
EDGE = {
    "reroot": {
        "moves that begin with the root's own": (
            "    for move in moves:\n",
            "    for move in moves[1:] if moves and moves[0] == root.move else moves:\n",
        ),
        "the old root is cut off as well": ("    node = root\n", "    node = root\n    node.parent = None\n"),
        "without moves as it was": ("    node = root\n", "    if not moves:\n        return root\n    node = root\n"),
        "an untried move is struck off": (
            "        node = next((child for child in node.children if child.move == move), None)\n        if node is None:\n",
            "        above, node = node, next((child for child in node.children if child.move == move), None)\n"
            "        if node is None and move in above.untried:\n            above.untried.remove(move)\n        if node is None:\n",
        ),
        "eats the moves": (
            "    for move in moves:\n",
            "    moves.reverse()\n    while moves:\n        move = moves.pop()\n",
        ),
        "sorts the children": (
            "    for move in moves:\n",
            "    root.children.sort(key=lambda child: child.move)\n    for move in moves:\n",
        ),
        "keeps only the path": (
            "    node.parent = None\n",
            "    if node.parent: node.parent.children = []\n    node.parent = None\n",
        ),
        "never ends": ("    for move in moves:\n", "    while moves:\n        move = moves[0]\n"),
        "cuts the root's parent only": ("    node.parent = None\n", "    root.parent = None\n"),
        "untried moves dropped": ("    node.parent = None\n", "    node.parent = None\n    node.untried = []\n"),
    },
    "virtual_loss": {
        "a leaf without visits as it is": (
            "leaf = expand(select(root, game), game, None)",
            "leaf = select(root, game)\n        leaf = expand(leaf, game, None) if leaf.visits else leaf",
        ),
        "one loss for all trees": "kept = {}\n\ndef select_leaves(root, game, batch, loss):\n    kept['loss'] = loss\n    leaves = []\n    for _ in range(batch):\n        leaf = node = expand(select(root, game), game, None)\n        leaves.append(leaf)\n        while node is not None:\n            node.visits += loss\n            node = node.parent\n        take_back(leaf, root, game)\n    return leaves\n\ndef finish(leaf, winner, loss):\n    node = leaf\n    while node is not None:\n        node.visits += 1 - kept['loss']\n        node.wins += points_for(node, winner)\n        node = node.parent",
        "each leaf once only": (
            "    for _ in range(batch):\n        leaf = expand(select(root, game), game, None)\n        leaves.append(leaf)\n",
            "    while len(leaves) < batch:\n        leaf = expand(select(root, game), game, None)\n"
            "        if leaf not in leaves:\n            leaves.append(leaf)\n",
        ),
        "no second loss": (
            "        node = leaf\n        while",
            "        node = leaf if leaves.count(leaf) == 1 else None\n        while",
        ),
        "as many as there are": (
            "    for _ in range(batch):\n        leaf = expand(select(root, game), game, None)\n        leaves.append(leaf)\n",
            "    for _ in range(10 * batch):\n        if len(leaves) == batch:\n            break\n"
            "        leaf = expand(select(root, game), game, None)\n        if leaf not in leaves:\n            leaves.append(leaf)\n",
        ),
        "taken back at the end only": "def select_leaves(root, game, batch, loss):\n    leaves = []\n    for _ in range(batch):\n"
        "        node = leaf = expand(select(root, game), game, None)\n        leaves.append(leaf)\n        while node is not None:\n"
        "            node.visits += loss\n            node = node.parent\n    for leaf in reversed(leaves):\n"
        "        take_back(leaf, root, game)\n    return leaves",
        "a set of leaves": ("    return leaves", "    return sorted(leaves, key=lambda leaf: str(leaf.move))"),
        "a tuple of moves": ("    return leaves", "    return [leaf.move for leaf in leaves]"),
        "nothing returned": ("    return leaves", "    pass"),
    },
    "connect_four": {
        "a history of the class": "class ConnectFour(ConnectFour):\n    moves = []\n    def __init__(self):\n"
        "        super().__init__()\n        self.history = ConnectFour.moves\n"
        "    def apply(self, column):\n        super().apply(column)\n"
        "        self.winner = self.winner if self.winner else None if 0 in self.board else 0\n"
        "    def copy(self):\n        other = super().copy()\n        other.history = self.history[:]\n        return other",
        "its own list of moves": "class ConnectFour(ConnectFour):\n    def __init__(self):\n        super().__init__()\n"
        "        self.open = list(range(7))\n    def legal_moves(self):\n        return self.open\n"
        "    def renew(self):\n        self.open = [c for c in range(7) if self.winner is None and not self.board[c]]\n"
        "    def apply(self, column):\n        super().apply(column)\n        self.renew()\n"
        "    def undo(self):\n        super().undo()\n        self.renew()\n"
        "    def copy(self):\n        other = super().copy()\n        other.open = self.open\n        return other",
        "a counter that is not taken back": (
            "        elif len(self.history) == 42:\n            self.winner = 0",
            "        self.n = getattr(self, 'n', 0) + 1\n        if self.winner is None and (self.n == 42 or len(self.history) == 42):\n"
            "            self.winner = 0",
        ),
        "columns as floats": ("return [column for column in range(7)", "return [float(column) for column in range(7)"),
        "one board for all": (
            "        self.board = [0] * 42       # cell row * 7 + column, row 0 at the top\n",
            "        self.board = self.__class__.__dict__.get('all') or setattr(self.__class__, 'all', [0] * 42) or self.__class__.all\n",
        ),
        "a refused move is remembered": (
            "        if column not in self.legal_moves():\n"
            '            raise ValueError(f"column {column} is not legal, only {self.legal_moves()}")\n'
            "        row = max(row for row in range(6) if self.board[row * 7 + column] == 0)\n"
            "        self.board[row * 7 + column] = self.player\n        self.history.append(column)\n",
            "        self.history.append(column)\n        if column not in self.legal_moves():\n"
            "            raise ValueError(column)\n"
            "        row = max(row for row in range(6) if self.board[row * 7 + column] == 0)\n"
            "        self.board[row * 7 + column] = self.player\n",
        ),
        "falls up on a board of its own": (
            "row = max(row for row in range(6) if self.board[row * 7 + column] == 0)",
            "row = min(row for row in range(6) if self.board[row * 7 + column] == 0)",
        ),
        "index error for column 7": (
            "        if column not in self.legal_moves():\n"
            '            raise ValueError(f"column {column} is not legal, only {self.legal_moves()}")\n',
            "        if column < 0 or self.winner is not None or self.board[column] and column < 7:\n"
            "            raise ValueError(column)\n        [0] * 7 and [0, 1, 2, 3, 4, 5, 6][column]\n",
        ),
        "column 7 accepted": ("if column not in self.legal_moves():", "if column not in [*self.legal_moves(), 7]:"),
        "copies of copies share": (
            "        other.board = self.board.copy()\n",
            "        other.board = self.board if getattr(self, 'copied', 0) else self.board.copy()\n        other.copied = 1\n",
        ),
        "winner is a text": (
            "            self.winner = self.player\n        elif",
            "            self.winner = str(self.player)\n        elif",
        ),
        "legal moves as texts": ("return [column for column in", "return [str(column) for column in"),
        "one list of moves for all": (
            "        return [column for column in range(7) if self.board[column] == 0]",
            "        return [column for column in range(7) if self.board[column] == 0 or len(self.history) > 40]",
        ),
        "undo never ends": (
            "        column = self.history.pop()",
            "        while self.winner is None: pass\n        column = self.history.pop()",
        ),
    },
    "my_uct": {
        "a new node's points to the other player": (
            "        mover, new = game.player, move not in node.children\n        game.apply(move)\n",
            "        mover, new = game.player, move not in node.children\n        game.apply(move)\n"
            "        mover = 3 - game.player if new else mover\n",
        ),
        "the answer by the moves' texts": (
            "    tried = {move: (child.visits, child.wins) for move, child in root.children.items()}\n    return {move: tried.get(move, (0, 0.0))",
            "    tried = {str(move): (child.visits, child.wins) for move, child in root.children.items()}\n    return {move: tried.get(str(move), (0, 0.0))",
        ),
        "the order of a set": (
            "node.untried.pop(int(rng.integers(len(node.untried))))",
            "(left := list(set(node.untried)), move := left[int(rng.integers(len(left)))], node.untried.remove(move))[1]",
        ),
        "a remainder of 100": ("moves[int(rng.integers(len(moves)))]", "moves[int(rng.integers(100)) % len(moves)]"),
        "a remainder of 16": ("moves[int(rng.integers(len(moves)))]", "moves[int(rng.integers(16)) % len(moves)]"),
        "two nodes for a move at the root": (
            "        if new:\n            break\n",
            "        if new and len(path) > 1:\n            break\n",
        ),
        "a rounded place": ("moves[int(rng.integers(len(moves)))]", "moves[round(rng.random() * (len(moves) - 1))]"),
        "a place among seven": ("moves[int(rng.integers(len(moves)))]", "moves[int(rng.integers(7)) % len(moves)]"),
        "playouts by choice": ("moves[int(rng.integers(len(moves)))]", "rng.choice(moves)"),
        "expansion by choice": (
            "        return node.untried.pop(int(rng.integers(len(node.untried))))\n",
            "        move = rng.choice(node.untried)\n        node.untried.remove(move)\n        return move\n",
        ),
        "moves sorted": ("list(game.legal_moves())", "sorted(game.legal_moves())"),
        "a draw goes on": (
            "    while game.winner is None:\n        moves =",
            "    while not game.winner:\n        moves =",
        ),
        "logarithm to base 10": ("math.log(", "math.log10("),
        "N of the root": (
            "    log_visits = math.log(node.visits)\n",
            "    import sys\n    log_visits = math.log(sys._getframe(1).f_locals['root'].visits)\n",
        ),
        "logarithm of the children's visits": (
            "math.log(node.visits)",
            "math.log(sum(child.visits for child in node.children.values()))",
        ),
        "logarithm of one more": ("math.log(node.visits)", "math.log(node.visits + 1)"),
        "logarithm of one less": ("math.log(node.visits)", "math.log(max(1, node.visits - 1))"),
        "a little is added to the visits": (
            "return child.wins / child.visits +",
            "return child.wins / (child.visits + 0.01) +",
        ),
        "c is 1.41": ("math.sqrt(2) * math.sqrt", "1.41 * math.sqrt"),
        "playouts of 20 moves at most": (
            "    while game.winner is None:\n        moves = game.legal_moves()",
            "    for _ in range(20):\n        if game.winner is not None:\n            break\n        moves = game.legal_moves()",
        ),
    },
}
