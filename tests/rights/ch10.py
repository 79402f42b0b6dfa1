"""Unusual right solutions of the exercises of chapter 10 that their checks must accept (form: tools/gate.py)."""

RIGHT = {
    "four_in_a_row": {
        "all windows of four": """def four_in_a_row(board, cell):
    row, col = divmod(cell, 7)
    for down, right in ((0, 1), (1, 0), (1, 1), (-1, 1)):
        for start in range(-3, 1):
            places = [(row + step * down, col + step * right) for step in range(start, start + 4)]
            inside = all(0 <= r < 6 and 0 <= c < 7 for r, c in places)
            if inside and all(board[7 * r + c] == board[cell] for r, c in places):
                return True
    return False""",
        "as text, padded": """def four_in_a_row(board, cell):
    wide = "".join("".join(".12"[s] for s in board[7 * r : 7 * r + 7]) + "|" for r in range(6))
    place, mine = cell // 7 * 8 + cell % 7, ".12"[board[cell]]
    for step in (1, 7, 8, 9):
        low = high = place
        while low - step >= 0 and wide[low - step] == mine:
            low -= step
        while high + step < len(wide) and wide[high + step] == mine:
            high += step
        if (high - low) // step > 2:
            return True
    return False""",
        "by recursion": """def four_in_a_row(board, cell):
    def run(r, c, down, right):
        if not (0 <= r < 6 and 0 <= c < 7) or board[7 * r + c] != board[cell]:
            return 0
        return 1 + run(r + down, c + right, down, right)
    row, col = divmod(cell, 7)
    lines = [(0, 1), (1, 0), (1, 1), (1, -1)]
    return any(run(row, col, d, r) + run(row, col, -d, -r) > 4 for d, r in lines)""",
    },
    "ConnectFour": {
        "from the bottom up": (
            "cell = max(c for c in range(column, 42, 7) if self.board[c] == 0)",
            "cell = 35 + column\n        while self.board[cell]:\n            cell -= 7",
        ),
        "a full board seen by its cells": ("elif len(self.history) == 42:", "elif 0 not in self.board:"),
        "deepcopy": (
            "        other = type(self)()\n        other.board, other.history = self.board.copy(), self.history.copy()\n"
            "        other.player, other.winner = self.player, self.winner\n        return other",
            "        from copy import deepcopy\n        return deepcopy(self)",
        ),
    },
    "Four": {
        "a static method": (
            "    def turned_move(self, move, angle, flip):",
            "    @staticmethod\n    def turned_move(move, angle, flip):",
        ),
        "a tuple of pairs": ("[(0, 0), (0, 1)]", "((0, 0), (0, 1))"),
        "by a list": ("6 - move if flip else move", "[0, 1, 2, 3, 4, 5, 6][:: -1 if flip else 1][move]"),
    },
}

BLANKS = {
    "chance_to_see": {
        "experiment by experiment": "def chance_to_see(effect, scatter, draws):\n    seen = 0\n    for one, other in draws:\n"
        "        seen += all(scatter * a - effect < scatter * b for a in one for b in other)\n    return seen / len(draws)",
        "by the gap": "def chance_to_see(effect, scatter, draws):\n"
        "    gap = draws[:, 1].min(axis=1) - draws[:, 0].max(axis=1)\n    return (scatter * gap > -effect).mean()",
        "by sorting": "def chance_to_see(effect, scatter, draws):\n    n = draws.shape[2]\n"
        "    moved = scatter * draws - np.array([effect, 0])[:, None]\n    moved = np.sort(moved, axis=2)\n"
        "    return np.count_nonzero(moved[:, 0, n - 1] < moved[:, 1, 0]) / draws.shape[0]",
    },
    "by_luck": {
        "by numbers of the nets": "def by_luck(weaker, stronger):\n    both, n = weaker + stronger, len(weaker)\n    hits = ways = 0\n"
        "    for chosen in combinations(range(len(both)), n):\n        ways += 1\n"
        "        hits += sum(both[i] for i in chosen) <= sum(weaker)\n    return hits / ways",
        "by means": "def by_luck(weaker, stronger):\n    both = np.array([*weaker, *stronger])\n    found = []\n"
        "    for deal in combinations(range(len(both)), len(weaker)):\n"
        "        found.append(both[list(deal)].mean() <= np.mean(weaker) + 1e-9)\n    return np.mean(found)",
        "by bits": "def by_luck(weaker, stronger):\n    both, n = [*weaker, *stronger], len(weaker)\n    hits = ways = 0\n"
        "    for bits in range(2 ** len(both)):\n        deal = [x for i, x in enumerate(both) if bits >> i & 1]\n"
        "        if len(deal) == n:\n            ways, hits = ways + 1, hits + (sum(deal) <= sum(weaker))\n    return float(hits) / ways",
    },
}
