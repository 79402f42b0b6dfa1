"""Wrong solutions of the exercises of chapter 3 that their checks must reject (form: tools/gate.py)."""

MUTANTS = {
    "reinforce": {
        "a position is named after the move": (
            "            steps.append((name_of(game), pi, move))",
            "            after = list(game.board)\n            after[move] = color\n            steps.append(((tuple(after), color), pi, move))",
        ),
        "the number of games is ignored": ("in range(games):", "in range(3000 if games else 0):"),
        "sign flipped": ("+ 0.5 * (z", "- 0.5 * (z"),
        "no step": ("0.5 * (z - mean)", "0.0 * (z - mean)"),
        "tiny steps": ("0.5 * (z - mean)", "0.001 * (z - mean)"),
        "the result is missing": ("(z - mean) * push", "push"),
        "z is always player 1's": ("1.0 if game.winner == color", "1.0 if game.winner == 1"),
        "z is the opponent's": ("1.0 if game.winner == color", "1.0 if game.winner == 3 - color"),
        "always player 1": ("color = 1 + number % 2", "color = 1"),
        "does not learn as player 2": (
            "        for seen, pi, move in steps:",
            "        for seen, pi, move in steps * (color == 1):",
        ),
        "plays the best move only": ("int(rng.choice(len(pi), p=pi))", "int(pi.argmax())"),
        "a generator of its own": ("int(rng.choice(len(pi), p=pi))", "int(np.random.choice(len(pi), p=pi))"),
        "softmax over all points": (
            "    legal = game.legal_moves()\n        numbers",
            "    legal = list(range(len(game.board)))\n        numbers",
        ),
        "logits, not probabilities": ("        return pi\n", "        return np.log(pi)\n"),
        "a list": ("        return pi\n", "        return pi.tolist()\n"),
        "one table for all": ("    logits, mean = {}, 0.0 ", "    logits, mean = learn.__dict__, 0.0 "),
        "twice the games": ("in range(games):", "in range(2 * games):"),
        "a table of points, not of positions": ("return tuple(game.board), game.player", "return 0"),
        "positions without the board": (
            "return tuple(game.board), game.player",
            "return len([p for p in game.board if p])",
        ),
        "named by the empty points": ("return tuple(game.board), game.player", "return tuple(game.legal_moves())"),
        "named by whether a stone lies there": (
            "return tuple(game.board), game.player",
            "return tuple(c == 0 for c in game.board)",
        ),
        "a draw is a loss": ("z = 0.0 if game.winner == 0 else 1.0 if", "z = 1.0 if"),
        "a draw is a win": (
            "z = 0.0 if game.winner == 0 else 1.0 if game.winner == color else -1.0",
            "z = -1.0 if game.winner == 3 - color else 1.0",
        ),
        "wins only": ("        for seen, pi, move in steps:", "        for seen, pi, move in steps if z > 0 else []:"),
        "one array for all answers": (
            "    return chances\n",
            "    held = {}\n    def policy(game):\n        out = held.setdefault(len(game.board), np.zeros(len(game.board)))\n        out[:] = chances(game)\n        return out\n    return policy\n",
        ),
        "never ends": (
            "            move = opponent(game)\n        game.apply(move)",
            "            move = opponent(game)\n        game.copy().apply(move)",
        ),
        "plays at random": ("int(rng.choice(len(pi), p=pi))", "int(rng.choice(game.legal_moves()))"),
        "player 2's draws are losses": (
            "z = 0.0 if game.winner == 0 else 1.0 if game.winner == color else -1.0",
            "z = 1.0 if game.winner == color else 0.0 if game.winner == 0 and color == 1 else -1.0",
        ),
        "ten games only": ("in range(games):", "in range(min(games, 10)):"),
        "named by its own stones": (
            "return tuple(game.board), game.player",
            "return tuple(c == game.player for c in game.board)",
        ),
        "the slope of the chance itself": ("0.5 * (z - mean) * push", "2.0 * pi[move] * (z - mean) * push"),
        "learns from the opponent's moves, too": (
            "            move = opponent(game)\n",
            "            move = opponent(game)\n            steps.append((name_of(game), chances(game), move))\n",
        ),
        "the move is not in the push": ("            push[move] += 1\n", ""),
        "returns nothing": ("    return chances\n", ""),
        "names are sums of powers of 2": (
            "    return tuple(game.board), game.player",
            "    return sum(stone << point for point, stone in enumerate(game.board)), game.player",
        ),
        "another move than the opponent's": (
            "            move = opponent(game)\n        game",
            "            opponent(game)\n            move = int(rng.choice(game.legal_moves()))\n        game",
        ),
        "answers kept": (
            "    return chances\n",
            "    kept = {}\n    def policy(game):\n        if name_of(game) not in kept:\n            kept[name_of(game)] = chances(game)\n        return kept[name_of(game)]\n    return policy\n",
        ),
        "the seed is ignored": (
            "    logits, mean = {}, 0.0 ",
            "    rng = np.random.default_rng(0)\n    logits, mean = {}, 0.0 ",
        ),
        "each call empties the one table": (
            "    logits, mean = {}, 0.0 ",
            "    logits, mean = learn.__dict__.setdefault('logits', {}), 0.0\n    logits.clear() ",
        ),
    }
}
