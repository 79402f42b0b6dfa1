"""Wrong solutions of the exercises of chapter 3 that their checks must reject (form: tools/gate.py)."""

MUTANTS = {
    "reinforce": {
        "the rest of a batch of 10 forgotten": "def learn(start, opponent, games, rng):\n    logits, mean, todo = {}, 0.0, []\n    def chances(game):\n        x = np.where(np.array(game.board) == 0, logits.get(name_of(game), np.zeros(len(game.board))), -np.inf)\n        w = np.exp(x - x.max())\n        return w / w.sum()\n    for number in range(games):\n        todo.append(play(start(), chances, opponent, 1 + number % 2, rng))\n        mean += 0.01 * (todo[-1][1] - mean)\n        if len(todo) == 10:\n            for steps, z in todo:\n                for seen, pi, move in steps:\n                    logits[seen] = logits.get(seen, np.zeros(len(pi))) + 0.5 * (z - mean) * (np.eye(len(pi))[move] - pi)\n            todo = []\n    return chances",
        "the rest of a batch of 64 forgotten": "def learn(start, opponent, games, rng):\n    logits, mean, todo = {}, 0.0, []\n    def chances(game):\n        x = np.where(np.array(game.board) == 0, logits.get(name_of(game), np.zeros(len(game.board))), -np.inf)\n        w = np.exp(x - x.max())\n        return w / w.sum()\n    for number in range(games):\n        todo.append(play(start(), chances, opponent, 1 + number % 2, rng))\n        mean += 0.01 * (todo[-1][1] - mean)\n        if len(todo) == 64:\n            for steps, z in todo:\n                for seen, pi, move in steps:\n                    logits[seen] = logits.get(seen, np.zeros(len(pi))) + 0.5 * (z - mean) * (np.eye(len(pi))[move] - pi)\n            todo = []\n    return chances",
        "the colour of the last game in the name": (
            "    logits, mean = {}, 0.0          # (board, player) → the logits of the points\n\n    def chances(game):\n        legal = game.legal_moves()\n        numbers = logits.get(name_of(game), np",
            "    colour, logits, mean = 1, {}, 0.0          # (board, player) → the logits of the points\n\n    def chances(game):\n        legal = game.legal_moves()\n        numbers = logits.get((tuple(game.board), colour), np",
        ),
        "the number of games is ignored": ("in range(games):", "in range(3000 if games else 0):"),
        "the baseline moves with each step": (
            "+ 0.5 * (z - mean) * push\n        mean += 0.01 * (z - mean)",
            "+ 0.5 * (z - mean) * push\n            mean += 0.05 * (z - mean)",
        ),
        "the result of the game before": (
            "        steps, z = play(start(), chances, opponent, colour, rng)",
            "        z, last = locals().get('last', 0.0), None\n        steps, last = play(start(), chances, opponent, colour, rng)",
        ),
        "a position is named after the move": (
            "            steps.append((name_of(game), pi, move))",
            "            after = list(game.board)\n            after[move] = colour\n            steps.append(((tuple(after), colour), pi, move))",
        ),
        "changes the floats after in place": (
            "    rise = after.mean() - before.mean()",
            "    rise = after.mean() - before.mean()\n    centred = np.asarray(after, dtype=float)\n    centred -= before.mean()",
        ),
        "a discount of a hundredth": (
            "        for seen, pi, move in steps:\n",
            "        for back, (seen, pi, move) in enumerate(reversed(steps)):\n            z = z * 0.99 if back else z\n",
        ),
        "a discount of a half": (
            "        for seen, pi, move in steps:\n",
            "        for back, (seen, pi, move) in enumerate(reversed(steps)):\n            z = z * 0.5 if back else z\n",
        ),
        "a discount of a tenth": (
            "        for seen, pi, move in steps:\n",
            "        for back, (seen, pi, move) in enumerate(reversed(steps)):\n            z = z * 0.9 if back else z\n",
        ),
        "the slope of the chance itself": ("0.5 * (z - mean) * push", "2.0 * pi[move] * (z - mean) * push"),
        "names are sums of powers of 2": (
            "    return tuple(game.board), game.player",
            "    return sum(stone << point for point, stone in enumerate(game.board)), game.player",
        ),
        "names are sums of points": (
            "    return tuple(game.board), game.player",
            "    return sum(point * stone for point, stone in enumerate(game.board)), game.player",
        ),
        "names are sets of products": (
            "    return tuple(game.board), game.player",
            "    return frozenset((point + 1) * stone for point, stone in enumerate(game.board)), game.player",
        ),
        "a mirror image has the same name": (
            "    return tuple(game.board), game.player",
            "    return tuple(min(game.board, game.board[::-1])), game.player",
        ),
        "rows may be exchanged": (
            "    return tuple(game.board), game.player",
            "    return tuple(sorted(tuple(game.board[row : row + 3]) for row in (0, 3, 6))), game.player",
        ),
        "names with the sign of the player": (
            "    return tuple(game.board), game.player",
            "    return sum({0: 0, 1: 1, 2: -1}[stone] * 2**point for point, stone in enumerate(game.board)), game.player",
        ),
        "player 2 takes a draw for half a win": (
            "0.0 if game.winner == 0 else",
            "(colour - 1) / 2 if game.winner == 0 else",
        ),
        "player 2 takes a draw for half a loss": (
            "0.0 if game.winner == 0 else",
            "(1 - colour) / 2 if game.winner == 0 else",
        ),
        "player 2's draws are losses": (
            "z = 0.0 if game.winner == 0 else 1.0 if game.winner == colour else -1.0",
            "z = 1.0 if game.winner == colour else 0.0 if game.winner == 0 and colour == 1 else -1.0",
        ),
        "player 2's draws are wins": (
            "z = 0.0 if game.winner == 0 else 1.0 if game.winner == colour else -1.0",
            "z = 1.0 if game.winner == colour else -1.0 if game.winner or colour == 2 and game.winner else float(colour == 2)",
        ),
        "the last answer is kept": (
            "        pi = np.zeros(len(game.board))\n        pi[legal] = weights / weights.sum()\n        return pi\n",
            "        kept = chances.__dict__.setdefault('kept', [])\n        pi = np.zeros(len(game.board))\n        pi[legal] = weights / weights.sum()\n        if kept and kept[0] == name_of(game) and np.array_equal(kept[1], pi):\n            return kept[1]\n        kept[:] = name_of(game), pi\n        return pi\n",
        ),
        "one side of the interval": (
            "return rise - 1.96 * error, rise, rise + 1.96 * error",
            "return rise - 1.96 * error, rise, rise + 1.645 * error",
        ),
        "sums in bytes": (
            "    rise = after.mean() - before.mean()",
            "    rise = sum(after) / len(after) - sum(before) / len(before)",
        ),
        "a draw is half a loss": ("z = 0.0 if game.winner == 0", "z = -0.5 if game.winner == 0"),
        "a loss is half a loss": ("else -1.0\n    return steps, z", "else -0.5\n    return steps, z"),
        "a win counts twice": ("else 1.0 if game.winner == colour", "else 2.0 if game.winner == colour"),
        "sign flipped": ("+ 0.5 * (z", "- 0.5 * (z"),
        "no step": ("0.5 * (z - mean)", "0.0 * (z - mean)"),
        "tiny steps": ("0.5 * (z - mean)", "0.001 * (z - mean)"),
        "the result is missing": ("(z - mean) * push", "push"),
        "z is always player 1's": ("1.0 if game.winner == colour", "1.0 if game.winner == 1"),
        "z is the opponent's": ("1.0 if game.winner == colour", "1.0 if game.winner == 3 - colour"),
        "always player 1": ("colour = 1 + number % 2", "colour = 1"),
        "player 2 three times of four": ("colour = 1 + number % 2", "colour = 1 + (number % 4 > 0)"),
        "does not learn as player 2": (
            "        for seen, pi, move in steps:",
            "        for seen, pi, move in steps * (colour == 1):",
        ),
        "learns from the opponent's moves": (
            "            move = opponent(game)\n",
            "            move = opponent(game)\n            steps = steps and [(name_of(game), chances(game), move)]\n",
        ),
        "plays the best move only": ("int(rng.choice(len(pi), p=pi))", "int(pi.argmax())"),
        "plays at random": ("int(rng.choice(len(pi), p=pi))", "int(rng.choice(game.legal_moves()))"),
        "a generator of its own": ("int(rng.choice(len(pi), p=pi))", "int(np.random.choice(len(pi), p=pi))"),
        "softmax over all points": (
            "    legal = game.legal_moves()\n        numbers",
            "    legal = list(range(len(game.board)))\n        numbers",
        ),
        "logits, not probabilities": ("        return pi\n", "        return np.log(pi)\n"),
        "a list": ("        return pi\n", "        return pi.tolist()\n"),
        "one table for all": ("    logits, mean = {}, 0.0 ", "    logits, mean = learn.__dict__, 0.0 "),
        "twice the games": ("in range(games):", "in range(2 * games):"),
        "ten games only": ("in range(games):", "in range(min(games, 10)):"),
        "a table of points, not of positions": ("return tuple(game.board), game.player", "return 0"),
        "positions without the board": (
            "return tuple(game.board), game.player",
            "return len([p for p in game.board if p])",
        ),
        "a search instead of a policy": (
            "        pi[legal] = weights / weights.sum()",
            "        for move in legal:\n            after = game.copy()\n            after.apply(move)\n"
            "            weights = weights + (after.winner == game.player)\n        pi[legal] = weights / weights.sum()",
        ),
        "the policy changes the game": (
            "        legal = game.legal_moves()\n        numbers",
            "        legal = game.legal_moves()\n        game.board[legal[0]] = 0 * game.board[legal[0]] or (game.player if len(legal) == 3 else 0)\n        numbers",
        ),
        "never ends": (
            "            move = opponent(game)\n        game.apply(move)",
            "            move = opponent(game)\n        game.copy().apply(move)",
        ),
        "the seed is ignored": (
            "    logits, mean = {}, 0.0 ",
            "    rng = np.random.default_rng(0)\n    logits, mean = {}, 0.0 ",
        ),
        "named by the empty points": ("return tuple(game.board), game.player", "return tuple(game.legal_moves())"),
        "named by whether a stone lies there": (
            "return tuple(game.board), game.player",
            "return tuple(c == 0 for c in game.board)",
        ),
        "named by its own stones": (
            "return tuple(game.board), game.player",
            "return tuple(c == game.player for c in game.board)",
        ),
        "a draw is a loss": ("z = 0.0 if game.winner == 0 else 1.0 if", "z = 1.0 if"),
        "a draw is a win": (
            "z = 0.0 if game.winner == 0 else 1.0 if game.winner == colour else -1.0",
            "z = -1.0 if game.winner == 3 - colour else 1.0",
        ),
        "wins only": ("        for seen, pi, move in steps:", "        for seen, pi, move in steps if z > 0 else []:"),
        "plays with 0 games": ("in range(games):", "in range(max(games, 1)):"),
        "one array for all answers": (
            "    return chances\n",
            "    held = {}\n    def policy(game):\n        out = held.setdefault(len(game.board), np.zeros(len(game.board)))\n"
            "        out[:] = chances(game)\n        return out\n    return policy\n",
        ),
        "answers kept": (
            "    return chances\n",
            "    kept = {}\n    def policy(game):\n        if name_of(game) not in kept:\n            kept[name_of(game)] = chances(game)\n"
            "        return kept[name_of(game)]\n    return policy\n",
        ),
        "another move than the opponent's": (
            "            move = opponent(game)\n        game",
            "            opponent(game)\n            move = int(rng.choice(game.legal_moves()))\n        game",
        ),
        "low and high swapped": (
            "return rise - 1.96 * error, rise, rise + 1.96 * error",
            "return rise + 1.96 * error, rise, rise - 1.96 * error",
        ),
        "a 99 % interval": (
            "return rise - 1.96 * error, rise, rise + 1.96 * error",
            "return rise - 2.58 * error, rise, rise + 2.58 * error",
        ),
        "the spread of the results": (
            "error = np.sqrt(before.var(ddof=1) / len(before) + after.var(ddof=1) / len(after))",
            "error = np.sqrt(before.var() + after.var())",
        ),
        "errors added, not variances": (
            "error = np.sqrt(before.var(ddof=1) / len(before) + after.var(ddof=1) / len(after))",
            "error = before.std() / len(before) ** 0.5 + after.std() / len(after) ** 0.5",
        ),
        "the deviation, not the variance": ("after.var(ddof=1) / len(after)", "after.std(ddof=1) / len(after)"),
        "before less after": ("rise = after.mean() - before.mean()", "rise = before.mean() - after.mean()"),
    }
}

# Wrong solutions that an earlier edition of the checks accepted, or that made them crash or hang.
EDGE = {}
