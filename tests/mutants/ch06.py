"""Wrong solutions of the exercises of chapter 6 that their checks must reject (form: tools/gate.py)."""

MUTANTS = {
    "alphazero": {
        # one net
        "each value meets every outcome": ("(outcomes - values) ** 2", "(outcomes[:, None] - values) ** 2"),
        "the value is cut off": ("(outcomes - values) ** 2", "(outcomes - values.detach()) ** 2"),
        "the best move of the policy": (
            "loss = -(policies * log_priors).sum(dim=1).mean()",
            "loss = nn.functional.nll_loss(log_priors, policies.argmax(dim=1))",
        ),
        "the policy's loss has the wrong sign": ("loss = -(policies * log_priors)", "loss = (policies * log_priors)"),
        "no value in the loss": (" + ((outcomes - values) ** 2).mean()", " + 0 * values.mean()"),
        "gradients pile up": ("        self.optimizer.zero_grad()\n", ""),
        "no step": ("        self.optimizer.step()\n", ""),
        "the seed is not used": ("torch.manual_seed(seed)", "torch.manual_seed(0)"),
        "values in a column": ("torch.tanh(self.value(pooled)).squeeze(1)", "torch.tanh(self.value(pooled))"),
        "dropout in the answers": (
            "        x = self.trunk(planes)",
            "        x = nn.functional.dropout(self.trunk(planes), 0.1, training=True)",
        ),
        "probabilities": (
            "return log_priors.numpy(), values.numpy()",
            "return log_priors.exp().numpy(), values.numpy()",
        ),
        # the loop
        "never learns": ("            learner.learn(turned", "            (turned"),
        "boards are turned, policies are not": ("turned(policies, turns, mirror)", "policies"),
        "forgets the ring": ("            ring.add(*example)\n", "            pass\n"),
        "another result each time": (
            "Ring(20_000), np.random.default_rng(seed)\n",
            "Ring(20_000), np.random.default_rng()\n",
        ),
        "one round": ("    while True:\n        new = ", "    for _ in range(1):\n        new = "),
        "the list of experts": ("        yield learner.expert", "        return [learner.expert]"),
        "yields the learner": ("        yield learner.expert", "        yield learner"),
        "yields the net": ("        yield learner.expert", "        yield learner.net"),
    }
}
