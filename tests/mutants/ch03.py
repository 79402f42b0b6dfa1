"""Wrong solutions of the exercises of chapter 3 that their checks must reject (form: tools/gate.py)."""

MUTANTS = {
    "reinforce": {
        "a position is named after the move": (
            "            steps.append((name_of(game), pi, move))",
            "            after = list(game.board)\n            after[move] = color\n            steps.append(((tuple(after), color), pi, move))",
        ),
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
        "a table of points, not of positions": ("return tuple(game.board), game.player", "return 0"),
        "positions without the board": (
            "return tuple(game.board), game.player",
            "return len([p for p in game.board if p])",
        ),
        "a draw is a loss": ("z = 0.0 if game.winner == 0 else 1.0 if", "z = 1.0 if"),
        "a draw is a win": (
            "z = 0.0 if game.winner == 0 else 1.0 if game.winner == color else -1.0",
            "z = -1.0 if game.winner == 3 - color else 1.0",
        ),
        "wins only": ("        for seen, pi, move in steps:", "        for seen, pi, move in steps if z > 0 else []:"),
        "never ends": (
            "            move = opponent(game)\n        game.apply(move)",
            "            move = opponent(game)\n        game.copy().apply(move)",
        ),
        "plays at random": ("int(rng.choice(len(pi), p=pi))", "int(rng.choice(game.legal_moves()))"),
        "the slope of the chance itself": ("0.5 * (z - mean) * push", "2.0 * pi[move] * (z - mean) * push"),
        "learns from the opponent's moves, too": (
            "            move = opponent(game)\n",
            "            move = opponent(game)\n            steps.append((name_of(game), chances(game), move))\n",
        ),
        "the move is not in the push": ("            push[move] += 1\n", ""),
        "returns nothing": ("    return chances\n", ""),
        "another move than the opponent's": (
            "            move = opponent(game)\n        game",
            "            opponent(game)\n            move = int(rng.choice(game.legal_moves()))\n        game",
        ),
        "the seed is ignored": (
            "    logits, mean = {}, 0.0 ",
            "    rng = np.random.default_rng(0)\n    logits, mean = {}, 0.0 ",
        ),
    }
}
