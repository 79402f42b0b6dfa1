"""Wrong solutions of the exercises of chapter 2 that their checks must reject (form: tools/gate.py)."""

MUTANTS = {
    "train_policy": {
        "no step": ("        optimizer.step()\n", ""),
        "no gradient": ("        loss.backward()\n", ""),
        "a step size of 10": ("STEP_SIZE = 128, 0.01", "STEP_SIZE = 128, 10.0"),
        "a tiny step size": ("STEP_SIZE = 128, 0.01", "STEP_SIZE = 128, 1e-6"),
        "boards and moves of different rows": ("answers[rows]", "answers[rows.roll(1)]"),
        "always the first batch": ("rng.integers(0, len(moves), BATCH)", "np.arange(BATCH) % len(moves)"),
        "the mask the wrong way round": ("planes[:, 2].flatten(1) == 0", "planes[:, 2].flatten(1) == 1"),
        "masked with 0": ("masked_fill(taken, -1e9)", "masked_fill(taken, 0)"),
        "softmax over the batch": (".softmax(dim=1).numpy()", ".softmax(dim=0).numpy()"),
        "logits instead of probabilities": (".softmax(dim=1).numpy()", ".numpy()"),
        "logarithms of probabilities": (".softmax(dim=1).numpy()", ".log_softmax(dim=1).numpy()"),
        "a tensor": (".softmax(dim=1).numpy()", ".softmax(dim=1)"),
        "one plane": ("[grid == 1, grid == -1, grid == 0]", "[grid != 0, grid != 0, grid == 0]"),
        "always the same seed": (
            "    torch.manual_seed(seed)\n    rng, net",
            "    torch.manual_seed(0)\n    seed = 0\n    rng, net",
        ),
        "moves, not probabilities": (".softmax(dim=1).numpy()", ".argmax(dim=1).numpy()"),
        "changes the boards": ("    planes, answers", "    boards[boards == -1] = 2\n    planes, answers"),
        "no examples crashes": ("1 - step / (steps + 1)", "1 - step / steps"),
        "evenly over the empty points": "def train_policy(boards, moves, examples, seed):\n    return lambda b: (b == 0) / (b == 0).sum(axis=1, keepdims=True)",
        "once through the boards": ("examples // BATCH", "len(moves) // BATCH"),
        "gradients not cleared": ("        optimizer.zero_grad()\n", ""),
        "dropout that goes on": ("nn.Conv2d(64, 32, 1), nn.ReLU()", "nn.Conv2d(64, 32, 1), nn.Dropout(0.2), nn.ReLU()"),
        "softmax before the loss": (
            "loss = F.cross_entropy(net(planes[rows]), answers[rows])",
            "loss = F.cross_entropy(net(planes[rows]).softmax(dim=1), answers[rows])",
        ),
    }
}
