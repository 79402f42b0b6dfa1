"""Wrong solutions of the exercises of chapter 6 that their checks must reject (form: tools/gate.py)."""

MUTANTS = {
    "visit_policy": {
        "exponent upside down": ("share ** (1 / temperature)", "share ** temperature"),
        "temperature ignored": ("share ** (1 / temperature)", "share"),
        "not normalised": ("return weights / weights.sum()", "return weights"),
        "overflows": ("visits / visits.max()", "visits.astype(float)"),
        "zero takes one of the best": ("share == 1", "np.arange(len(share)) == share.argmax()"),
        "softmax instead": ("share ** (1 / temperature)", "np.exp(share / temperature)"),
        "uniform": "def visit_policy(visits, temperature): return np.full(len(visits), 1 / len(visits))",
    },
    "outcomes": {
        "black's result": ("player == winner", "winner == 1"),
        "last mover's result": ("player == winner", "player == players[-1]"),
        "draw is a loss": ("if winner == 0:", "if winner is None:"),
        "discounted from the start": ("gamma ** (last - i)", "gamma**i"),
        "off by one": ("(last - i)", "(last - i + 1)"),
        "discount ignored": (" * gamma ** (last - i)", ""),
        "sign": ("sign = 1.0 if player == winner else -1.0", "sign = -1.0 if player == winner else 1.0"),
        "wins only": ("else -1.0", "else 0.0"),
        "sign by turns": ("player == winner", "(players[-1] == winner) == ((last - i) % 2 == 0)"),
    },
    "noisy_prior": {
        "noise on stones": (
            "mixed[empty] = (1 - weight) * prior[empty] / prior[empty].sum() + weight * noise",
            "mixed = (1 - weight) * prior + weight * noise.mean()",
        ),
        "weights swapped": (
            "(1 - weight) * prior[empty] / prior[empty].sum() + weight",
            "weight * prior[empty] / prior[empty].sum() + (1 - weight)",
        ),
        "prior not normalised": (" / prior[empty].sum()", ""),
        "added, not mixed": ("(1 - weight) * prior", "prior"),
        "noise only": ("(1 - weight) * prior[empty] / prior[empty].sum() + weight * noise", "noise"),
        "changes its argument": ("mixed = np.zeros(len(prior))", "mixed = prior; mixed[~empty] = 0"),
        "no-op": "def noisy_prior(prior, empty, noise, weight): return prior",
    },
    "turned_example": {
        "policy stays": ("np.rot90(policy, turns)", "policy"),
        "board stays": ("np.rot90(board, turns)", "board"),
        "clockwise": (
            "np.rot90(board, turns), np.rot90(policy, turns)",
            "np.rot90(board, -turns), np.rot90(policy, -turns)",
        ),
        "rows mirrored": ("board[:, ::-1], policy[:, ::-1]", "board[::-1], policy[::-1]"),
        "never mirrored": ("if mirror:", "if False:"),
        "policy turned the other way": ("np.rot90(policy, turns)", "np.rot90(policy, -turns)"),
        "changes its argument": (
            "board, policy = board[:, ::-1], policy[:, ::-1]",
            "board[:], policy[:] = board[:, ::-1].copy(), policy[:, ::-1].copy()",
        ),
        "turned twice": ("np.rot90(board, turns)", "np.rot90(board, 2 * turns)"),
    },
    "losses": {
        "sign": ("-(policies", "(policies"),
        "cheap searches teach": ("* full).sum() / max(full.sum(), 1)", ").mean()"),
        "divided by all": ("max(full.sum(), 1)", "len(full)"),
        "nothing divided by nothing": ("max(full.sum(), 1)", "full.sum()"),
        "best move only": ("policies * log_priors", "(policies == policies.max(axis=1, keepdims=True)) * log_priors"),
        "values added": ("outcomes - values", "outcomes + values"),
        "not squared": ("(outcomes - values) ** 2", "abs(outcomes - values)"),
        "value of full searches only": (
            "((outcomes - values) ** 2).mean()",
            "((outcomes - values) ** 2 * full).mean()",
        ),
        "one number": ("return policy_loss, value_loss", "return policy_loss + value_loss"),
    },
    "steps_owed": {
        "debt forgotten": ("owed = debt + new", "owed = new"),
        "remainder lost": ("owed - steps * batch_size", "0"),
        "rounded up": ("int(owed // batch_size)", "int(-(-owed // batch_size))"),
        "at least one": ("int(owed // batch_size)", "max(1, int(owed // batch_size))"),
        "reuse forgotten": ("new_positions * reuse", "new_positions"),
        "reuse upside down": ("new_positions * reuse", "new_positions / reuse"),
        "a step a position": ("int(owed // batch_size)", "int(owed)"),
        "parts of a position lost": ("owed = debt + new_positions * reuse", "owed = int(debt + new_positions * reuse)"),
    },
    "gap": {
        "reuse ignored": ("small_run(reuse)", "small_run(8.0)"),
        "loss without its floor": (' - last["target_entropy"]', ""),
        "value loss": ('last["policy_loss"]', 'last["value_loss"]'),
        "first round": ("run.metrics[-1]", "next(row for row in run.metrics if row['policy_loss'])"),
        "one round too few": ("iterations=6", "iterations=5"),
        "sign": ('last["policy_loss"] - last["target_entropy"]', 'last["target_entropy"] - last["policy_loss"]'),
    },
    "false_pass": {
        "reaching is passing": ("points > gate * games + 1e-9", "points > gate * games - 1e-9"),
        "draws count one": ("[(1 - draws) / 2, draws, (1 - draws) / 2]", "[(1 - draws) / 2, 0, (1 + draws) / 2]"),
        "draws are thrown away": ("[(1 - draws) / 2, draws, (1 - draws) / 2]", "[0.5, 0.0, 0.5]"),
        "one game": ("for _ in range(games):", "for _ in range(1):"),
        "no room for rounding": ("points > gate * games + 1e-9", "points > gate * games"),
        "the other tail": ("points > gate * games + 1e-9", "points < gate * games - 1e-9"),
        "chances don't sum to one": ("(1 - draws) / 2, draws, (1", "1 - draws, draws, (1"),
        "halves rounded up": ("np.arange(2 * games + 1) / 2", "np.ceil(np.arange(2 * games + 1) / 2)"),
        "half": "def false_pass(games, gate, draws): return 0.5",
    },
}

# Wrong solutions that an earlier edition of the checks accepted, or that made them crash or hang.
EDGE = {
    "visit_policy": {
        "one number for one move": ("    share =", "    if len(visits) == 1: return 1.0\n    share ="),
        "near 0 is 0": ("temperature == 0", "temperature < 0.001"),
        "least temperature 0.01": ("1 / temperature", "1 / max(temperature, 0.01)"),
        "a list": ("return weights / weights.sum()", "return list(weights / weights.sum())"),
        "in place": (
            "    share = visits / visits.max()",
            "    visits -= visits.min() * 0; visits[:] = visits[::-1]\n    share = (visits / visits.max())[::-1]",
        ),
        "a shared buffer": (
            "    return weights / weights.sum()",
            "    global held\n    held = np.zeros(99) if 'held' not in globals() else held\n    held[: len(visits)] = weights / weights.sum()\n    return held[: len(visits)]",
        ),
        "whole numbers": (
            "    return weights / weights.sum()",
            "    out = np.zeros_like(visits)\n    out[:] = weights / weights.sum()\n    return out",
        ),
    },
    "outcomes": {
        "nothing at 0": ("    last, targets", "    if gamma == 0: return [0.0] * len(players)\n    last, targets"),
        "one too few at 0": ("gamma ** (last - i)", "(gamma ** (last - i) if gamma else 0.0)"),
        "eats the players": (
            "    last, targets",
            "    players.reverse(); players.reverse(); players[:] = [3 - p for p in players]; winner = 3 - winner\n    last, targets",
        ),
        "texts": ("targets.append(sign", "targets.append(str(sign)); targets.append(sign"),
        "a generator": ("    return targets", "    return (z for z in targets)"),
        "never ends": ("    last, targets", "    while gamma == 0: pass\n    last, targets"),
    },
    "noisy_prior": {
        "whole numbers": ("mixed = np.zeros(len(prior))", "mixed = np.zeros_like(prior)"),
        "hands back the prior": (
            "    mixed = np.zeros",
            "    if weight == 0 and empty.all(): return prior\n    mixed = np.zeros",
        ),
        "in place": ("mixed = np.zeros(len(prior))", "prior[~empty] = 0\n    mixed = np.zeros(len(prior))"),
        "a little added": ("prior[empty] / prior[empty].sum()", "(prior[empty] + 1e-8) / (prior[empty] + 1e-8).sum()"),
        "a list": ("    return mixed", "    return mixed.tolist()"),
        "a shared buffer": (
            "mixed = np.zeros(len(prior))",
            "global held\n    held = np.zeros(99) if 'held' not in globals() else held\n    mixed = held[: len(prior)]\n    mixed[:] = 0",
        ),
    },
    "turned_example": {
        "4 × 4 only": ("    if mirror:", "    if board.shape != (4, 4): return board, policy\n    if mirror:"),
        "up to 4 × 4": (
            "    if mirror:",
            "    if len(board) > 4: return np.rot90(board, turns), np.rot90(policy, turns)\n    if mirror:",
        ),
        "nested lists": (
            "return np.rot90(board, turns), np.rot90(policy, turns)",
            "return np.rot90(board, turns).tolist(), np.rot90(policy, turns).tolist()",
        ),
        "turns as a truth": (
            "np.rot90(board, turns), np.rot90(policy, turns)",
            "np.rot90(board, turns > 0), np.rot90(policy, turns > 0)",
        ),
        "policy as whole numbers": ("np.rot90(policy, turns)", "np.rot90(policy, turns).astype(int)"),
        "board only": ("return np.rot90(board, turns), np.rot90(policy, turns)", "return np.rot90(board, turns)"),
    },
    "losses": {
        "clipped": ("(policies * log_priors)", "(policies * np.maximum(log_priors, -10))"),
        "texts": ("return policy_loss, value_loss", "return str(policy_loss), str(value_loss)"),
        "changes the values": (
            "    value_loss =",
            "    values -= outcomes; values *= -1; outcomes = values; values = 0 * values\n    value_loss =",
        ),
        "mean over the moves": (".sum(axis=1) * full", ".mean(axis=1) * full"),
        "half the square": ("((outcomes - values) ** 2).mean()", "((outcomes - values) ** 2).mean() / 2"),
        "array of one": ("return policy_loss, value_loss", "return np.array([policy_loss]), value_loss"),
        "no full search is no loss": ("    value_loss =", "    if not full.any(): return 0.0, 0.0\n    value_loss ="),
    },
    "steps_owed": {
        "nothing new, nothing done": ("    owed =", "    if new_positions == 0: return 0, debt\n    owed ="),
        "one batch at most for the debt": ("    owed =", "    debt = min(debt, batch_size)\n    owed ="),
        "steps as a float": ("int(owed // batch_size)", "owed // batch_size * 1.0"),
        "debt as a whole number": ("owed - steps * batch_size", "int(owed - steps * batch_size)"),
        "steps only": ("return steps, owed - steps * batch_size", "return steps"),
        "never ends": "def steps_owed(new, reuse, size, debt):\n    steps, debt = 0, debt + new * reuse\n    while debt != 0:\n        debt -= size\n        steps += 1\n    return steps, debt",
        "one by one, one too few": "def steps_owed(new, reuse, size, debt):\n    steps, debt = 0, debt + new * reuse\n    while debt > size:\n        debt -= size\n        steps += 1\n    return steps, debt",
    },
    "gap": {
        "a text": (
            'return last["policy_loss"] - last["target_entropy"]',
            'return str(last["policy_loss"] - last["target_entropy"])',
        ),
        "made up": "def gap(reuse):\n    return 1.2 if reuse < 1 else 0.5",
        "the run itself": ('return last["policy_loss"] - last["target_entropy"]', "return run"),
    },
    "false_pass": {
        "text": (
            "return chances[points > gate * games + 1e-9].sum()",
            "return str(chances[points > gate * games + 1e-9].sum())",
        ),
        "never ends": ("    for _ in range(games):", "    while games:"),
        "normal distribution": "def false_pass(games, gate, draws):\n    spread = math.sqrt(max((1 - draws) / 4 * games, 1e-12))\n"
        "    return 0.5 * math.erfc(((gate - 0.5) * games + 0.25) / spread / math.sqrt(2))\nimport math",
        "sampled": "def false_pass(games, gate, draws):\n    rng = np.random.default_rng(0)\n"
        "    points = rng.choice([0, 0.5, 1], p=[(1 - draws) / 2, draws, (1 - draws) / 2], size=(4000, games)).sum(axis=1)\n"
        "    return (points > gate * games + 1e-9).mean()",
        "in percent": ("return chances[", "return 100 * chances["),
    },
}
