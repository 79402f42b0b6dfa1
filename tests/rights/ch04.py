"""Unusual right solutions of the exercises of chapter 4 that their checks must accept (form: tools/gate.py)."""

RIGHT = {
    "board_softmax": {
        "board by board": "def board_softmax(scores):\n    rows = []\n    for s in scores:\n        w = np.exp(s - s.max())\n        rows.append((w / w.sum()).ravel())\n    return np.array(rows)",
        "over two axes": "def board_softmax(scores):\n    w = np.exp(scores - scores.max(axis=(1, 2), keepdims=True))\n    return (w / w.sum(axis=(1, 2), keepdims=True)).reshape(len(w), -1)",
        "by scipy": "from scipy.special import softmax\ndef board_softmax(scores):\n    return softmax(scores.reshape(len(scores), -1), axis=1)",
    },
    "night": {
        "a power of a whole number": (
            "    return first * 0.5 ** (step // halve_every)",
            "    return first / 2 ** (step // halve_every)",
        ),
        "by deepcopy": (
            "{name: array.copy() for name, array in weights.items()}",
            "__import__('copy').deepcopy(weights)",
        ),
        "by rng.choice": ("pool[rng.integers(len(pool))]", "pool[int(rng.choice(np.arange(len(pool))))]"),
        "the random move by an index": (
            "int(rng.choice(game.legal_moves()))",
            "game.legal_moves()[int(rng.random() * len(game.legal_moves()))]",
        ),
        "losses one by one": "def mean_loss(loss_of, planes, results, size):\n    return sum(loss_of(planes[i : i + 1], results[i : i + 1]) for i in range(len(results))) / len(results)",
        "an array for the board": ("board, player = list(game.board)", "board, player = np.array(game.board)"),
    },
    "train": {
        "epoch by epoch": (
            "    fitted = model.fit(",
            """    history, best = {}, None
    for epoch in range(epochs):
        fitted = model.fit(planes[~held_out], moves[~held_out], validation_data=(planes[held_out], moves[held_out]), verbose=0)
        for name, said in fitted.history.items():
            history.setdefault(name, []).extend(said)
        if best is None or history["val_loss"][-1] < best[0]:
            best = history["val_loss"][-1], epoch, model.get_weights()
        if epoch - best[1] == 3:
            break
    model.set_weights(best[2])
    model.save(path)
    return model, history, held_out
    fitted = model.fit(""",
        ),
        "labels as rows of ones": (
            'loss="sparse_categorical_crossentropy", metrics=["accuracy"]',
            'loss=keras.losses.SparseCategoricalCrossentropy(), metrics=[keras.metrics.SparseCategoricalAccuracy(name="accuracy")]',
        ),
        "the functional interface": (
            "    model.compile(",
            '    inputs = keras.Input((5, 5, 3))\n    hidden = keras.layers.Dense(96, activation="gelu")(keras.layers.Reshape((75,))(inputs))\n'
            "    model = keras.Model(inputs, keras.layers.Softmax()(keras.layers.Dense(25)(hidden)))\n    model.compile(",
        ),
        "ModelCheckpoint": (
            "        callbacks=[stop],\n        verbose=0,\n    )\n    model.save(path)\n",
            "        callbacks=[keras.callbacks.EarlyStopping(patience=3), keras.callbacks.ModelCheckpoint(path, save_best_only=True)],\n"
            "        verbose=0,\n    )\n    model = keras.models.load_model(path)\n",
        ),
    },
    "my_search": {
        "a loop, totals for the player who chose": "def my_search(game, policy, value, rollout, simulations, lam, c):\n    tree = {}\n"
        "    if game.winner is not None:\n        return {}\n    for _ in range(simulations + 1):\n        g, line, path = game.copy(), (), []\n"
        "        while line in tree:\n            node = tree[line]\n            n = sum(node['n']) + 1\n"
        "            u = [q_of(w, v) + c * p * n**0.5 / (1 + v) for w, v, p in zip(node['w'], node['n'], node['p'])]\n"
        "            i = int(np.argmax(u))\n            path.append((node, i))\n            line = (*line, node['m'][i])\n            g.apply(node['m'][i])\n"
        "        if g.winner is None:\n            moves, raw = g.legal_moves(), policy(g)\n            p = np.array([raw[m] for m in moves])\n"
        "            p = p / p.sum() if p.sum() > 0 else np.ones(len(moves)) / len(moves)\n"
        "            tree[line] = {'m': moves, 'p': p, 'n': [0] * len(moves), 'w': [0.0] * len(moves)}\n            x = value(g)\n            x += lam * (rollout(g) - x)\n"
        "        else:\n            x = (g.winner == g.player) - (g.winner == 3 - g.player)\n        for node, i in reversed(path):\n            x = -x\n"
        "            node['n'][i] += 1\n            node['w'][i] += x\n    top = tree[()]\n"
        "    return {m: (v, q_of(w, v)) for m, v, w in zip(top['m'], top['n'], top['w'])}\n"
        "def q_of(w, v):\n    return w / v if v else 0.0",
        "a running mean": (
            "        place.total += worth\n",
            "        place.total = place.visits * ((place.total / (place.visits - 1) if place.visits > 1 else 0.0) + (worth - (place.total / (place.visits - 1) if place.visits > 1 else 0.0)) / place.visits)\n",
        ),
        "a net is asked only if it counts": (
            "    return (1 - lam) * value(game) + lam * rollout(game)",
            "    return (value(game) if lam == 0 else rollout(game) if lam == 1 else (1 - lam) * value(game) + lam * rollout(game))",
        ),
    },
}

BLANKS = {
    "turns_since": {
        "stone by stone": "def turns_since(game):\n    planes, last = np.zeros((8, game.height, game.width), np.float32), len(game.history) - 1\n"
        "    for ply, move in enumerate(game.history):\n        row, col = divmod(move, game.width)\n        planes[min(last - ply, 7)][row][col] = 1\n    return planes",
        "by comparing": "def turns_since(game):\n    ago = np.full(game.height * game.width, -1)\n    for number, move in enumerate(game.history[::-1]):\n"
        "        ago[move] = number if number < 7 else 7\n    return (ago == np.arange(8)[:, None]).reshape(8, game.height, game.width)",
        "old ones first": "def turns_since(game):\n    planes = np.zeros((8, game.height * game.width), dtype=int)\n    *old, = game.history\n"
        "    for plane in range(7):\n        if old:\n            planes[plane, old.pop()] = 1\n    planes[7, old] = 1\n    return planes.reshape(8, game.height, -1)",
    },
    "add_stone": {
        "point by point": "def add_stone(logits, row, col, weights):\n    new, reach = logits.copy(), len(weights) // 2\n    for r in range(len(new)):\n"
        "        for c in range(len(new[0])):\n            if abs(row - r) <= reach and abs(col - c) <= reach:\n                new[r, c] += weights[reach + row - r, reach + col - c]\n    return new",
        "by scipy": "def add_stone(logits, row, col, weights):\n    from scipy.signal import convolve2d\n\n    stone = np.zeros(logits.shape)\n    stone[row, col] = 1\n"
        "    reach = len(weights) // 2\n    full = convolve2d(stone, weights[::-1, ::-1])\n    return logits + full[reach : reach + len(logits), reach : reach + len(logits[0])]",
        "by slices": "def add_stone(logits, row, col, weights):\n    new, reach, w = np.array(logits), len(weights) // 2, np.rot90(weights, 2)\n    h, k = new.shape\n"
        "    top, left = max(0, row - reach), max(0, col - reach)\n    low, right = min(h, row + reach + 1), min(k, col + reach + 1)\n"
        "    new[top:low, left:right] += w[top - row + reach : low - row + reach, left - col + reach : right - col + reach]\n    return new",
    },
    "one_per_game": {
        "by a shuffle": "def one_per_game(games, rng):\n    order = rng.permutation(len(games))\n    _, first = np.unique(games[order], return_index=True)\n    return np.sort(order[first])",
        "by integers": "def one_per_game(games, rng):\n    out = []\n    for g in sorted(set(games.tolist())):\n        where = [i for i, x in enumerate(games) if x == g]\n"
        "        out.append(where[int(rng.integers(len(where)))])\n    return np.array(sorted(out))",
        "by the greatest random number": "def one_per_game(games, rng):\n    r = rng.random(len(games))\n"
        "    return np.array(sorted(max(np.flatnonzero(games == g), key=lambda i: r[i]) for g in np.unique(games)))",
    },
    "terms": {
        "NumPy's numbers": "def terms(child, parent_visits, c):\n    n = np.float64(child.visits)\n    q = 0.0 if n == 0 else np.divide(-child.total, n)\n"
        "    return q, c * np.sqrt(parent_visits) * child.prior / (n + 1)",
        "a list": "def terms(child, parent_visits, c):\n    u = c * child.prior * parent_visits**0.5 / (1 + child.visits)\n    return [-child.total / max(child.visits, 1), u]",
        "with an if": "def terms(child, parent_visits, c):\n    n, q = child.visits, 0\n    if n > 0:\n        q = -(child.total / n)\n    u = c * child.prior / (1 + n)\n    u *= parent_visits**0.5\n    return q, u",
    },
    "leaf_value": {
        "the difference": "def leaf_value(game, nets, lam, rng):\n    if game.winner in (1, 2):\n        return -1\n    if game.winner == 0:\n        return 0\n"
        "    v, z = judge_leaf(game, nets, rng)\n    return v + lam * (z - v)",
        "by a dot product": "def leaf_value(game, nets, lam, rng):\n    if game.winner is None:\n        return np.dot([1 - lam, lam], judge_leaf(game, nets, rng))\n"
        "    return -float(bool(game.winner))",
        "by who has won": "def leaf_value(game, nets, lam, rng):\n    over = game.winner is not None\n    if over:\n"
        "        return float(game.winner == game.player) - float(game.winner == 3 - game.player)\n    judged = judge_leaf(game, nets, rng)\n"
        "    return sum(weight * value for weight, value in zip((1 - lam, lam), judged))",
    },
}
