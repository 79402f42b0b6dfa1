"""Wrong solutions of the exercises of chapter 4 that their checks must reject (form: tools/gate.py)."""

MUTANTS = {
    "night": {
        "the size of an array of boards": (
            "        total += loss_of(planes[batch], results[batch]) * len(results[batch])",
            "        total += loss_of(planes[batch], results[batch]) * planes[batch].size",
        ),
        "other results in a batch": (
            "    total = 0.0\n",
            "    results = np.random.default_rng(0).permutation(results)\n    total = 0.0\n",
        ),
        "a draw is a full board": (
            "    if game.winner is not None:\n        return None\n    board",
            "    if game.winner or 0 not in list(game.board):\n        return None\n    board",
        ),
        "a slice of the board": ("board, player = list(game.board)", "board, player = game.board[:]"),
        "a hundred moves at most": (
            "    while game.winner is None:\n        game.apply(policy(game))\n    return board",
            "    for _ in range(100):\n        if game.winner is None:\n            game.apply(policy(game))\n    return board",
        ),
        "swaps with any place": (
            "    order = rng.permutation(len(results))\n",
            "    order = np.arange(len(results))\n    for i in range(len(order)):\n        j = rng.integers(len(order))\n        order[i], order[j] = order[j], order[i]\n",
        ),
        "the remainder of a hundred": (
            "    return pool[rng.integers(len(pool))]",
            "    return pool[rng.integers(100) % len(pool)]",
        ),
        "whoever moved last has won": ("1 if game.winner == player else -1", "-1 if game.player == player else 1"),
        "until the game goes on": (
            "    if game.winner is None:\n        game.apply(int(rng.choice(game.legal_moves())))\n",
            "    start = game\n    while start.winner is None:\n        game = start.copy()\n        game.apply(int(rng.choice(game.legal_moves())))\n        if game.winner is None:\n            break\n",
        ),
        "one set of arrays for all versions": (
            "    pool.append({name: array.copy() for name, array in weights.items()})",
            "    own = remember.__dict__\n    for name, array in weights.items():\n        own.setdefault(name, array.copy())[...] = array\n    pool.append({name: own[name] for name in weights})",
        ),
        "whole sums": (
            "        total += loss_of(planes[batch], results[batch]) * len(results[batch])",
            "        total += int(loss_of(planes[batch], results[batch]) * len(results[batch]))",
        ),
        "player 1 begins": (
            "    board, player = list(game.board), game.player",
            "    board, player = list(game.board), 1 + sum(map(bool, game.board)) % 2",
        ),
        "the first moves more often": (
            "int(rng.choice(game.legal_moves()))",
            "game.legal_moves()[int(rng.random() ** 2 * len(game.legal_moves()))]",
        ),
        "the lower of two": (
            "int(rng.choice(game.legal_moves()))",
            "game.legal_moves()[min(rng.integers(len(game.legal_moves()), size=2))]",
        ),
        "modulo sixteen": (
            "int(rng.choice(game.legal_moves()))",
            "game.legal_moves()[rng.integers(16) % len(game.legal_moves())]",
        ),
        "the last ten versions": (
            "pool[rng.integers(len(pool))]",
            "pool[rng.integers(max(0, len(pool) - 10), len(pool))]",
        ),
        "a draw goes on": (
            "    if game.winner is not None:\n        return None\n    board, player",
            "    if game.winner:\n        return None\n    board, player",
        ),
        "a drawn game is played on": (
            "        if game.winner is None:\n            game.apply(policy(game))\n    if",
            "        if not game.winner:\n            game.apply(policy(game))\n    if",
        ),
        "a random move after a draw": (
            "    if game.winner is None:\n        game.apply(int(rng",
            "    if not game.winner:\n        game.apply(int(rng",
        ),
        "any empty point": (
            "rng.choice(game.legal_moves())",
            "rng.choice([i for i, stone in enumerate(game.board) if not stone])",
        ),
        "plays on after the end": (
            "        if game.winner is None:\n            game.apply(policy(game))\n    if game.winner is None:",
            "        game.apply(policy(game))\n    if game.winner is None:",
        ),
        "the global numbers for the random move": (
            "int(rng.choice(game.legal_moves()))",
            "int(np.random.choice(game.legal_moves()))",
        ),
        "Python's numbers for the random move": (
            "int(rng.choice(game.legal_moves()))",
            "__import__('random').choice(list(game.legal_moves()))",
        ),
        "single precision": ("array.copy() for", "array.astype(np.float32) for"),
        "all as floats": ("array.copy() for", "array.astype(float) for"),
        "the newest 20": (
            "    pool.append({name: array.copy() for name, array in weights.items()})",
            "    pool.append({name: array.copy() for name, array in weights.items()})\n    if len(pool) > 20:\n        pool.pop(0)",
        ),
        "two arrays copied": (
            "{name: array.copy() for name, array in weights.items()}",
            "{name: array.copy() if n < 2 else array for n, (name, array) in enumerate(weights.items())}",
        ),
        "returns the pool": (
            "    pool.append({name: array.copy() for name, array in weights.items()})",
            "    pool.append({name: array.copy() for name, array in weights.items()})\n    return pool",
        ),
        "flat": ("array.copy() for", "array.flatten() for"),
        "a list of arrays": (
            "{name: array.copy() for name, array in weights.items()}",
            "[array.copy() for array in weights.values()]",
        ),
        "results cut off": ("return planes[order], results[order]", "return planes[order], results[order].astype(int)"),
        "never below a millionth": (
            "return first * 0.5 ** (step // halve_every)",
            "return max(first * 0.5 ** (step // halve_every), 1e-6)",
        ),
        "seed 0 for the order": (
            "order = rng.permutation(len(results))",
            "order = np.random.default_rng(0).permutation(len(results))",
        ),
        "the arrays are shared": ("{name: array.copy() for name, array in weights.items()}", "dict(weights)"),
        "the dict itself": ("{name: array.copy() for name, array in weights.items()}", "weights"),
        "views": ("array.copy() for", "array[:] for"),
        "lists": ("array.copy() for", "array.tolist() for"),
        "in front": ("pool.append(", "pool.insert(0, "),
        "the newest never plays": ("rng.integers(len(pool))", "rng.integers(max(1, len(pool) - 1))"),
        "the newest only": ("rng.integers(len(pool))", "-1"),
        "the first never plays": ("rng.integers(len(pool))", "rng.integers(len(pool) > 1, len(pool))"),
        "a generator of its own": ("rng.integers(len(pool))", "np.random.default_rng().integers(len(pool))"),
        "a copy of the version": (
            "    return pool[rng.integers(len(pool))]",
            "    return dict(pool[rng.integers(len(pool))])",
        ),
        "the position before the random move": (
            "    if game.winner is None:\n        game.apply(int(rng.choice(game.legal_moves())))\n    if game.winner is not None:\n        return None\n    board, player = list(game.board), game.player\n",
            "    if game.winner is not None:\n        return None\n    board, player = list(game.board), game.player\n    game.apply(int(rng.choice(game.legal_moves())))\n",
        ),
        "a game that the random move ended": ("    if game.winner is not None:\n        return None\n", ""),
        "the board goes on": ("board, player = list(game.board)", "board, player = game.board"),
        "the result for player 1": ("1 if game.winner == player else -1", "1 if game.winner == 1 else -1"),
        "the result for who moved": ("1 if game.winner == player else -1", "-1 if game.winner == player else 1"),
        "a draw is a loss": ("0 if game.winner == 0 else 1 if", "1 if"),
        "no random move": ("int(rng.choice(game.legal_moves()))", "policy(game)"),
        "two random moves": (
            "        game.apply(int(rng.choice(game.legal_moves())))\n",
            "        game.apply(int(rng.choice(game.legal_moves())))\n    if game.winner is None:\n        game.apply(int(rng.choice(game.legal_moves())))\n",
        ),
        "one move too few": ("in range(turn)", "in range(turn - 1)"),
        "random to the end": (
            "    while game.winner is None:\n        game.apply(policy(game))",
            "    while game.winner is None:\n        game.apply(int(rng.choice(game.legal_moves())))",
        ),
        "two orders": (
            "return planes[order], results[order]",
            "return planes[order], results[rng.permutation(len(results))]",
        ),
        "the planes keep their order": ("return planes[order], results[order]", "return planes.copy(), results[order]"),
        "drawn with repeats": ("rng.permutation(len(results))", "rng.integers(0, len(results), len(results))"),
        "shuffles what it was given": (
            "    order = rng.permutation(len(results))\n",
            "    order = rng.permutation(len(results))\n    results[:] = results[order]\n    planes[:] = planes[order]\n    return planes, results\n",
        ),
        "only rolled": (
            "order = rng.permutation(len(results))",
            "order = np.roll(np.arange(len(results)), rng.integers(len(results)))",
        ),
        "a mean of means": (
            "* len(results[batch])\n    return total / len(results)",
            "\n    return total / len(range(0, len(results), size))",
        ),
        "all at once": ("range(0, len(results), size)", "range(0, len(results), len(results))"),
        "the rest counts as a whole batch": ("* len(results[batch])", "* size"),
        "halves all the time": ("step // halve_every", "step / halve_every"),
        "global random numbers": (
            "order = rng.permutation(len(results))",
            "order = np.random.permutation(len(results))",
        ),
        "halved once": ("0.5 ** (step // halve_every)", "(0.5 if step >= halve_every else 1)"),
        "never ends": (
            "    while game.winner is None:\n        game.apply(policy(game))",
            "    while game.winner is None:\n        policy(game)",
        ),
    },
    "train": {
        "set back only where it stops early": (
            '    stop = keras.callbacks.EarlyStopping(monitor="val_loss", patience=3, restore_best_weights=True)\n',
            '    class Own(keras.callbacks.Callback):\n        def __init__(self):\n            super().__init__()\n            self.best, self.bad, self.last = 1e9, 0, 1e9\n        def on_epoch_end(self, epoch, logs=None):\n            now = logs["val_loss"]\n            if now < self.best:\n                self.best, self.kept = now, self.model.get_weights()\n                self.bad = 0\n            else:\n                self.bad += 1\n            self.last = now\n            if self.bad >= 3:\n                self.model.stop_training = True\n                self.model.set_weights(self.kept)\n        def on_train_end(self, logs=None):\n            pass\n'
            + "    stop = Own()\n",
        ),
        "no smaller than the epoch before": (
            '    stop = keras.callbacks.EarlyStopping(monitor="val_loss", patience=3, restore_best_weights=True)\n',
            '    class Own(keras.callbacks.Callback):\n        def __init__(self):\n            super().__init__()\n            self.best, self.bad, self.last = 1e9, 0, 1e9\n        def on_epoch_end(self, epoch, logs=None):\n            now = logs["val_loss"]\n            if now < self.best:\n                self.best, self.kept = now, self.model.get_weights()\n                self.bad = 0\n            else:\n                self.bad = 0 if now < self.last else self.bad + 1\n            self.last = now\n            if self.bad >= 3:\n                self.model.stop_training = True\n                pass\n        def on_train_end(self, logs=None):\n            self.model.set_weights(self.kept)\n'
            + "    stop = Own()\n",
        ),
        "a bias from all moves": (
            "    stop = keras",
            "    model.layers[-1].bias.assign(np.log(np.bincount(moves, minlength=25) / len(moves) + 1e-3))\n"
            "    stop = keras",
        ),
        "weights of the classes": (
            "        verbose=0,\n",
            "        verbose=0,\n        class_weight={i: 25 * float((moves == i).mean()) + 0.1 for i in range(25)},\n",
        ),
        "held out by a weight of 0": (
            "        planes[~held_out],\n        moves[~held_out],",
            "        planes,\n        moves,\n        sample_weight=(~held_out).astype(float),",
        ),
        "games by their positions": (
            "held_out = np.isin(games, names[: round(len(names) / 5)])",
            "held_out = np.isin(games, np.random.default_rng(seed).choice(games, round(len(names) / 5), replace=False))",
        ),
        "games in a row": (
            "held_out = np.isin(games, names[: round(len(names) / 5)])",
            "found, sizes = np.unique(games, return_counts=True)\n"
            "    held_out = np.repeat(np.isin(found, names[: round(len(names) / 5)]), sizes)",
        ),
        "games sorted": (
            "held_out = np.isin(games, names[: round(len(names) / 5)])",
            "held_out = np.isin(np.sort(games), names[: round(len(names) / 5)])",
        ),
        "a file of the best accuracy": (
            "    fitted = model.fit(",
            "    best = keras.callbacks.ModelCheckpoint(path, monitor='val_accuracy', mode='max', save_best_only=True)\n"
            "    stop = keras.callbacks.CallbackList([stop, best], model=model)\n"
            "    path = path.replace('.keras', '_last.keras')\n"
            "    fitted = model.fit(",
        ),
        "right among the best five": (
            'metrics=["accuracy"]',
            'metrics=[keras.metrics.SparseTopKCategoricalAccuracy(k=5, name="accuracy")]',
        ),
        "a fifth rounded up": ("round(len(names) / 5)", "-(-len(names) // 5)"),
        "a coin for each game": (
            "held_out = np.isin(games, names[: round(len(names) / 5)])",
            "held_out = np.isin(games, names[np.random.default_rng(seed).random(len(names)) < 0.2])",
        ),
        "numbers from a range": (
            "names = np.random.default_rng(seed).permutation(np.unique(games))",
            "names = np.random.default_rng(seed).permutation(np.arange(games.max() + 1))",
        ),
        "rounded down": ("names[: round(len(names) / 5)]", "names[: len(names) // 5]"),
        "a fifth of the positions": (
            "held_out = np.isin(games, names[: round(len(names) / 5)])",
            "sizes = np.cumsum([(games == name).sum() for name in names])\n    held_out = np.isin(games, names[: 1 + int((sizes < len(games) / 5).sum())])",
        ),
        "steps of 1e-4": ('monitor="val_loss", patience=3', 'monitor="val_loss", min_delta=1e-4, patience=3'),
        "steps of 1e-5": ('monitor="val_loss", patience=3', 'monitor="val_loss", min_delta=1e-5, patience=3'),
        "steps of 1e-6": ('monitor="val_loss", patience=3', 'monitor="val_loss", min_delta=1e-6, patience=3'),
        "an epoch too few": ("epochs=epochs", "epochs=max(1, epochs - 1)"),
        "always seed 0": (
            "    keras.utils.set_random_seed(seed)\n",
            "    seed = 0\n    keras.utils.set_random_seed(seed)\n",
        ),
        "the same games for all seeds": ("np.random.default_rng(seed)", "np.random.default_rng(0)"),
        "a file that is not compiled": ("model.save(path)", "keras.Sequential(model.layers).save(path)"),
        "the last epoch's weights": ("patience=3, restore_best_weights=True", "patience=3"),
        "never stops": ("callbacks=[stop]", "callbacks=[]"),
        "positions, not games": (
            "held_out = np.isin(games, names[: round(len(names) / 5)])",
            "held_out = np.random.default_rng(seed).random(len(games)) < 0.2",
        ),
        "validated on the training data": (
            "validation_data=(planes[held_out], moves[held_out])",
            "validation_data=(planes[~held_out], moves[~held_out])",
        ),
        "stops by the accuracy, keeps by the loss": (
            "    fitted = model.fit(",
            '    stop = keras.callbacks.EarlyStopping(monitor="val_accuracy", patience=3)\n'
            "    best = []\n"
            "    keep = keras.callbacks.LambdaCallback(\n"
            '        on_epoch_end=lambda epoch, logs: best.append((logs["val_loss"], epoch, model.get_weights()))\n'
            "    )\n"
            "    restore = keras.callbacks.LambdaCallback(\n"
            "        on_train_end=lambda logs: model.set_weights(min(best, key=lambda kept: kept[:2])[2])\n"
            "    )\n"
            "    stop = keras.callbacks.CallbackList([stop, keep, restore], model=model)\n"
            "    fitted = model.fit(",
        ),
        "steps of some size": ('monitor="val_loss", patience=3', 'monitor="val_loss", min_delta=0.05, patience=3'),
        "steps of a small size": ('monitor="val_loss", patience=3', 'monitor="val_loss", min_delta=0.01, patience=3'),
        "stops by the training loss": ('monitor="val_loss", patience=3', 'monitor="loss", patience=3'),
        "no seed": ("    keras.utils.set_random_seed(seed)\n", ""),
        "logits": ('keras.layers.Dense(25, activation="softmax")', "keras.layers.Dense(25)"),
        "another loss": (
            'loss="sparse_categorical_crossentropy"',
            "loss=lambda y, p: keras.losses.sparse_categorical_crossentropy(y, p, from_logits=True)",
        ),
        "a step size of 1": ("Adam(0.01)", "Adam(1.0)"),
        "nothing hidden, one point": ('keras.layers.Dense(64, activation="relu")', "keras.layers.Dense(1)"),
        "no file": ("    model.save(path)\n", ""),
        "a file of weights": ("model.save(path)", "model.save_weights(str(path).replace('.keras', '.weights.h5'))"),
        "the object, not the dict": ("fitted.history, held_out", "fitted, held_out"),
        "what is trained on": ("fitted.history, held_out", "fitted.history, ~held_out"),
        "it prints": ("        verbose=0,\n", "        verbose=2,\n"),
    },
    "my_search": {
        "no score is below −1, or it is the last move": (
            "            move = max(place.children, key=score)\n",
            "            move, most = list(place.children)[-1], -1\n"
            "            for one in place.children:\n"
            "                if score(one) > most:\n                    move, most = one, score(one)\n",
        ),
        "a worth for a board, whoever is to move": (
            "    return (1 - lam) * value(game) + lam * rollout(game)",
            "    known = vars(policy.__self__).setdefault('worths', {})\n"
            "    return known.setdefault(tuple(game.board), (1 - lam) * value(game) + lam * rollout(game))",
        ),
        "six digits": (
            "    return {move: (child.visits, mean_of(child)) for",
            "    return {move: (child.visits, round(mean_of(child), 6)) for",
        ),
        "no score is below −1": (
            "            move = max(place.children, key=score)\n",
            "            move, most = None, -1\n"
            "            for one in place.children:\n"
            "                if score(one) > most:\n                    move, most = one, score(one)\n",
        ),
        "the policy in single precision": ("policy(game)\n", "np.asarray(policy(game), np.float32)\n"),
        "of equals the less visited": (
            "move = max(place.children, key=score)",
            "move = max(place.children, key=lambda m: (score(m), -place.children[m].visits))",
        ),
        "of equals the more visited": (
            "move = max(place.children, key=score)",
            "move = max(place.children, key=lambda m: (score(m), place.children[m].visits))",
        ),
        "a little in the mean's denominator": (
            "return mean_of(child) + curious",
            "return mean_of(child) * child.visits / (child.visits + 1e-8) + curious",
        ),
        "player 1 begins": (
            "1.0 if game.winner == game.player else -1.0",
            "1.0 if game.winner == 1 + sum(map(bool, game.board)) % 2 else -1.0",
        ),
        "a single move needs no search": (
            "    root = Place()\n",
            "    if len(game.legal_moves()) == 1:\n        return {game.legal_moves()[0]: (simulations, 0.0)}\n    root = Place()\n",
        ),
        "one worth for a board": (
            "    return (1 - lam) * value(game) + lam * rollout(game)",
            "    known, key = vars(policy.__self__).setdefault('worths', {}), tuple(game.board)\n"
            "    if key not in known:\n        known[key] = (1 - lam) * value(game) + lam * rollout(game)\n    return known[key]",
        ),
        "a little in the denominator": ("scores[move] / whole if whole", "scores[move] / (whole + 1e-8) if whole"),
        "moves in the order of their numbers": (
            "legal, scores = game.legal_moves(), policy(game)",
            "legal, scores = sorted(game.legal_moves()), policy(game)",
        ),
        "nine points": (
            "legal, scores = game.legal_moves(), policy(game)",
            "legal, scores = game.legal_moves(), list(policy(game))[:9]",
        ),
        "one simulation at least": ("range(1 + simulations if", "range(1 + max(simulations, 1) if"),
        "writes into the policy's array": (
            "    whole = sum(",
            "    scores[[p for p in range(len(scores)) if p not in legal]] = 0\n    whole = sum(",
        ),
        "remembers what it answered": "SEEN = {}\nsearch = my_search\ndef my_search(game, policy, value, rollout, simulations, lam, c):\n    key = tuple(game.board), game.player, simulations, lam, c\n    if key not in SEEN:\n        SEEN[key] = search(game, policy, value, rollout, simulations, lam, c)\n    return SEEN[key]",
        "v for the other player": ("(1 - lam) * value(game)", "-(1 - lam) * value(game)"),
        "no change of sign on the way up": ("worth = -simulate(", "worth = simulate("),
        "λ on the other term": (
            "(1 - lam) * value(game) + lam * rollout(game)",
            "lam * value(game) + (1 - lam) * rollout(game)",
        ),
        "value only": ("return (1 - lam) * value(game) + lam * rollout(game)", "return value(game)"),
        "a sum of both": ("return (1 - lam) * value(game) + lam * rollout(game)", "return value(game) + rollout(game)"),
        "priors of all points": ("whole = sum(scores[move] for move in legal)", "whole = scores.sum()"),
        "equal priors": ("scores[move] / whole if whole else 1 / len(legal)", "1 / len(legal)"),
        "a policy of zeros": ("scores[move] / whole if whole else 1 / len(legal)", "scores[move] / max(whole, 1e-9)"),
        "the children's visits": ("c * np.sqrt(place.visits)", "c * np.sqrt(place.visits - 1)"),
        "without the 1": ("(1 + child.visits)", "max(1, child.visits)"),
        "c is always 5": ("c * np.sqrt", "5 * np.sqrt"),
        "each move once first": ("if child.visits else 0.0", "if child.visits else 10.0"),
        "the mean over one visit more": ("-child.total / child.visits", "-child.total / (1 + child.visits)"),
        "the last of equals": ("max(place.children, key=score)", "max(reversed(list(place.children)), key=score)"),
        "who moves next has always lost": ("1.0 if game.winner == game.player else -1.0", "-1.0"),
        "who moves next has always won": ("1.0 if game.winner == game.player else -1.0", "1.0"),
        "a draw is a loss": ("0.0 if game.winner == 0 else 1.0", "1.0"),
        "nets are asked about finished games": (
            "    if game.winner is not None:\n        return",
            "    if game.winner is not None:\n        value(game)\n        return",
        ),
        "the root is not evaluated first": ("1 + simulations if", "simulations if"),
        "one simulation too many": ("1 + simulations if", "2 + simulations if"),
        "evaluates on the way down": (
            "        if not place.children:\n",
            "        if place.children:\n            value(here)\n        if not place.children:\n",
        ),
        "searches the game itself": ("game.copy())", "game)"),
        "visits only": ("{move: (child.visits, mean_of(child)) for", "{move: child.visits for"),
        "the opponent's mean": ("(child.visits, mean_of(child))", "(child.visits, -mean_of(child))"),
        "the best move": (
            "    return {move: (child.visits",
            "    return max(root.children, key=lambda m: root.children[m].visits)\n    return {move: (child.visits",
        ),
        "never ends": (
            "        place.visits += 1\n",
            "        place.visits += 1\n        while place.children and len(place.children) < 0 or place.visits > 3:\n            pass\n",
        ),
    },
}

# Wrong solutions that an earlier edition of the checks accepted, or that made them crash or hang.
EDGE = {}
