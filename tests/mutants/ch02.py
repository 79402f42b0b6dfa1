"""Wrong solutions of the exercises of chapter 2 that their checks must reject (form: tools/gate.py)."""

MUTANTS = {
    "train_policy": {
        "a mask of -100": ("masked_fill(taken, -1e9)", "masked_fill(taken, -100.0)"),
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
        "twice the examples": ("examples // BATCH", "2 * (examples // BATCH)"),
        "an eighth of the examples": ("examples // BATCH", "examples // BATCH // 8"),
        "the net, not a policy": ("    return policy\n", "    return net.layers[0].weight\n"),
        "moves, not probabilities": (".softmax(dim=1).numpy()", ".argmax(dim=1).numpy()"),
        "changes the boards": ("    planes, answers", "    boards[boards == -1] = 2\n    planes, answers"),
        "no examples crashes": ("1 - step / (steps + 1)", "1 - step / steps"),
        "the batch's own mean": (
            "        taken = planes[:, 2]",
            "        planes = planes - planes.mean(dim=0) + 1e-3\n        taken = planes[:, 2]",
        ),
        "an untrained copy": ("    def policy(boards):", "    net = PolicyNet()\n\n    def policy(boards):"),
        "evenly over the empty points": ".".join(
            [
                "def train_policy(boards, moves, examples, seed):\n    return lambda b: (b == 0) / (b == 0)",
                "sum(axis=1, keepdims=True)",
            ]
        ),
        "the teacher, guessed": "def train_policy(boards, moves, examples, seed):\n    def policy(b):\n        g = np.pad((b == 1).reshape(-1, 7, 7), ((0, 0), (1, 1), (1, 1)))\n"
        "        n = sum(g[:, i : i + 7, j : j + 7] for i in range(3) for j in range(3)).reshape(-1, 49) * 1.0\n"
        "        e = np.exp(9 * n) * (b == 0)\n        return e / e.sum(axis=1, keepdims=True)\n    return policy",
    }
}

# Wrong solutions that an earlier edition of the checks accepted, or that made them crash or hang.
EDGE = {
    "train_policy": {
        "a step size that ends at 0": ("lambda step: 1 - step / (steps + 1)", "lambda step: 1 - step / (steps - 1)"),
        "one batch too many": (
            "    for _ in range(steps):\n",
            "    shown = 0\n    while examples and shown <= examples:\n        shown += BATCH\n",
        ),
        "a batch's own mean where nothing was trained": "class Normed(PolicyNet):\n    def __init__(self):\n        super().__init__()\n"
        "        self.layers.insert(1, nn.BatchNorm2d(64))\n        self.learnt = False\n\n    def forward(self, planes):\n"
        "        self.learnt |= torch.is_grad_enabled()\n        self.train(torch.is_grad_enabled() or not self.learnt)\n"
        "        return super().forward(planes)\n\n\nPolicyNet = Normed",
        "epochs of all boards": ("examples // BATCH", "examples // len(moves) * len(moves) // BATCH"),
        "a constant after the softmax": (
            "            return net(planes_of(boards)).softmax(dim=1).numpy()",
            "            p = net(planes_of(boards)).softmax(dim=1).numpy() + 1e-3\n            return p / p.sum(axis=1, keepdims=True)",
        ),
        "ten steps at least": ("examples // BATCH", "(max(10, examples // BATCH) if examples else 0)"),
        "nine of ten examples": ("examples // BATCH", "examples * 9 // 10 // BATCH"),
        "one step fewer": ("examples // BATCH", "max(examples // BATCH - 1, 0)"),
        "a larger batch counted than drawn": (
            "rng.integers(0, len(moves), BATCH)",
            "rng.integers(0, len(moves), BATCH - 8)",
        ),
        "a net kept for each seed": (
            "    rng, net, steps = np.random.default_rng(seed), PolicyNet(), examples // BATCH",
            "    kept = train_policy.__dict__\n    net = kept.setdefault(str(seed), PolicyNet())\n    rng, steps = np.random.default_rng(seed), examples // BATCH",
        ),
        "the data of the notebook": (
            "    planes, answers = planes_of(boards), torch.from_numpy(moves)\n",
            "    from mock5check import ch02\n\n    boards, moves = ch02.records(30_000, 0)\n    planes, answers = planes_of(boards), torch.from_numpy(moves)\n",
        ),
        "each board once at most": ("examples // BATCH", "min(examples, len(moves)) // BATCH"),
        "a fifth held out": ("examples // BATCH", "examples * 4 // 5 // BATCH"),
        "as many boards as a batch": (
            "rng.integers(0, len(moves), BATCH)",
            "rng.choice(len(moves), BATCH, replace=False)",
        ),
        "the last board never": ("rng.integers(0, len(moves), BATCH)", "rng.integers(0, len(moves) - 1, BATCH)"),
        "at least one step": ("examples // BATCH", "max(1, examples // BATCH)"),
        "once through the boards": ("examples // BATCH", "len(moves) // BATCH"),
        "the first weights are always the same": ("torch.manual_seed(seed)", "torch.manual_seed(0)"),
        "one move has all": (
            "            return net(planes_of(boards)).softmax(dim=1).numpy()",
            "            return np.eye(49)[net(planes_of(boards)).argmax(dim=1).numpy()]",
        ),
        "one array for all answers": (
            "    def policy(boards):",
            "    held = np.zeros((4000, 49), np.float32)\n\n    def policy(boards):\n        held[: len(boards)] = answer(boards)\n"
            "        return held[: len(boards)]\n\n    def answer(boards):",
        ),
        "half precision": (".softmax(dim=1).numpy()", ".softmax(dim=1).half().numpy()"),
    }
}
