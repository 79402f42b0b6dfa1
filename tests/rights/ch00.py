"""Unusual right solutions of what the reader of chapter 0 types; see tests/test_gate.py."""

BLANKS = {
    "wins_at_once": {
        "on a copy": "def wins_at_once(game):\n    for move in game.legal_moves():\n        after = game.copy()\n        after.apply(move)\n"
        "        if after.winner == game.player:\n            return move\n    return first_empty(game)",
        "the last win of all": "def wins_at_once(game):\n    me, found = game.player, first_empty(game)\n"
        "    for move in list(game.legal_moves()):\n        game.apply(move)\n        if game.winner == me:\n            found = move\n"
        "        game.undo()\n    return found",
        "a pair": "def wins_at_once(game):\n    def wins(move):\n        game.apply(move)\n        over = game.winner in (1, 2)\n"
        "        game.undo()\n        return over\n\n    winning = [move for move in game.legal_moves() if wins(move)]\n"
        "    return divmod((winning or game.legal_moves())[0], game.width)",
    },
    "score": {
        "term by term": "def score(wins, draws, losses):\n    games = wins + draws + losses\n    return wins / games + draws / games / 2",
        "by a list": "def score(wins, draws, losses):\n    scores = [1.0] * wins + [0.5] * draws + [0.0] * losses\n    return sum(scores) / len(scores)",
    },
}
