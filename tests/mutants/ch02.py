"""Wrong solutions of the exercises of chapter 2 that their checks must reject (form: tools/gate.py)."""

MUTANTS = {
    "train_policy": {
        "no step": ("        optimizer.step()\n", ""),
        "no gradient": ("        loss.backward()\n", ""),
        "a step size of 10": ("STEP_SIZE = 128, 0.01", "STEP_SIZE = 128, 10.0"),
        "a tiny step size": ("STEP_SIZE = 128, 0.01", "STEP_SIZE = 128, 1e-6"),
        "filters of 1 × 1": ("nn.Conv2d(3, 64, 3, padding=1)", "nn.Conv2d(3, 64, 1)"),
        "boards and moves of different rows": ("answers[rows]", "answers[rows.roll(1)]"),
        "moves in another order": ("torch.from_numpy(moves)", "torch.from_numpy(rng.permutation(moves))"),
        "always the first batch": ("rng.integers(0, len(moves), BATCH)", "np.arange(BATCH) % len(moves)"),
        "the mask the wrong way round": ("planes[:, 2].flatten(1) == 0", "planes[:, 2].flatten(1) == 1"),
        "masked with 0": ("masked_fill(taken, -1e9)", "masked_fill(taken, 0)"),
        "softmax over the batch": (".softmax(dim=1).numpy()", ".softmax(dim=0).numpy()"),
        "logits instead of probabilities": (".softmax(dim=1).numpy()", ".numpy()"),
        "logarithms of probabilities": (".softmax(dim=1).numpy()", ".log_softmax(dim=1).numpy()"),
        "a tensor": (".softmax(dim=1).numpy()", ".softmax(dim=1)"),
        "one plane": ("[grid == 1, grid == -1, grid == 0]", "[grid != 0, grid != 0, grid == 0]"),
        "the board lies on its side": (
            "    planes, answers",
            "    boards = boards.reshape(-1, 7, 7).transpose(0, 2, 1).reshape(-1, 49).copy()\n    planes, answers",
        ),
        "always the same seed": (
            "    torch.manual_seed(seed)\n    rng, net",
            "    torch.manual_seed(0)\n    seed = 0\n    rng, net",
        ),
        "one net for all": (
            "rng, net, steps = np.random.default_rng(seed), PolicyNet(), examples // BATCH",
            "net = train_policy.__dict__.setdefault('net', PolicyNet())\n    rng, steps = np.random.default_rng(seed), examples // BATCH",
        ),
        "the net, not a policy": ("    return policy\n", "    return net.layers[0].weight\n"),
        "moves, not probabilities": (".softmax(dim=1).numpy()", ".argmax(dim=1).numpy()"),
        "changes the boards": ("    planes, answers", "    boards[boards == -1] = 2\n    planes, answers"),
        "no examples crashes": ("1 - step / (steps + 1)", "1 - step / steps"),
        "the batch's own mean": (
            "        taken = planes[:, 2]",
            "        planes = planes - planes.mean(dim=0) + 1e-3\n        taken = planes[:, 2]",
        ),
        "an untrained copy": ("    def policy(boards):", "    net = PolicyNet()\n\n    def policy(boards):"),
        "evenly over the empty points": "def train_policy(boards, moves, examples, seed):\n    return lambda b: (b == 0) / (b == 0).sum(axis=1, keepdims=True)",
        "a constant after the softmax": (
            "            return net(planes_of(boards)).softmax(dim=1).numpy()",
            "            p = net(planes_of(boards)).softmax(dim=1).numpy() + 1e-3\n            return p / p.sum(axis=1, keepdims=True)",
        ),
        "once through the boards": ("examples // BATCH", "len(moves) // BATCH"),
        "one move has all": (
            "            return net(planes_of(boards)).softmax(dim=1).numpy()",
            "            return np.eye(49)[net(planes_of(boards)).argmax(dim=1).numpy()]",
        ),
        "one array for all answers": (
            "    def policy(boards):",
            "    held = np.zeros((4000, 49), np.float32)\n\n    def policy(boards):\n        held[: len(boards)] = answer(boards)\n        return held[: len(boards)]\n\n    def answer(boards):",
        ),
        "gradients not cleared": ("        optimizer.zero_grad()\n", ""),
        "dropout that goes on": ("nn.Conv2d(64, 32, 1), nn.ReLU()", "nn.Conv2d(64, 32, 1), nn.Dropout(0.2), nn.ReLU()"),
        "softmax before the loss": (
            "loss = F.cross_entropy(net(planes[rows]), answers[rows])",
            "loss = F.cross_entropy(net(planes[rows]).softmax(dim=1), answers[rows])",
        ),
    }
}
