"""Wrong solutions of the exercises of chapter 4 that their checks must reject (form: tools/gate.py)."""

MUTANTS = {
    "train": {
        "trained on all positions": (
            "        planes[~held_out],\n        moves[~held_out],\n",
            "        planes,\n        moves,\n",
        ),
        "positions, not games": (
            "held_out = np.isin(games, names[: round(len(names) / 5)])",
            "held_out = np.random.default_rng(seed).random(len(games)) < 0.2",
        ),
        "half of the games": ("names[: round(len(names) / 5)]", "names[: len(names) // 2]"),
        "the first games": (
            "names = np.random.default_rng(seed).permutation(np.unique(games))",
            "names = np.unique(games)",
        ),
        "always seed 0": (
            "    keras.utils.set_random_seed(seed)\n",
            "    seed = 0\n    keras.utils.set_random_seed(seed)\n",
        ),
        "the same games for all seeds": ("np.random.default_rng(seed)", "np.random.default_rng(0)"),
        "no seed": ("    keras.utils.set_random_seed(seed)\n", ""),
        "validated on the training data": (
            "validation_data=(planes[held_out], moves[held_out])",
            "validation_data=(planes[~held_out], moves[~held_out])",
        ),
        "validated on a split": ("validation_data=(planes[held_out], moves[held_out])", "validation_split=0.2"),
        "not validated": ("        validation_data=(planes[held_out], moves[held_out]),\n", ""),
        "what is trained on": ("fitted.history, held_out", "fitted.history, ~held_out"),
        "the last epoch's weights": ("patience=3, restore_best_weights=True", "patience=3"),
        "more patience": ("patience=3", "patience=6"),
        "stops by the training loss": ('monitor="val_loss", patience=3', 'monitor="loss", patience=3'),
        "never stops": ("callbacks=[stop]", "callbacks=[]"),
        "logits": ('keras.layers.Dense(25, activation="softmax")', "keras.layers.Dense(25)"),
        "a step size of 1": ("Adam(0.01)", "Adam(1.0)"),
        "nothing hidden, one point": ('keras.layers.Dense(64, activation="relu")', "keras.layers.Dense(1)"),
        "no file": ("    model.save(path)\n", ""),
        "saved before it is trained": (
            "    fitted = model.fit(",
            "    model.save(path)\n    path = path.replace('.', '_.')\n    fitted = model.fit(",
        ),
        "a file of weights": ("model.save(path)", "model.save_weights(str(path).replace('.keras', '.weights.h5'))"),
        "a file that is not compiled": ("model.save(path)", "keras.Sequential(model.layers).save(path)"),
        "the object, not the dict": ("fitted.history, held_out", "fitted, held_out"),
        "it prints": ("        verbose=0,\n", "        verbose=2,\n"),
    }
}
