"""Wrong solutions of the exercises of chapter 3 that their checks must reject (form: tools/gate.py)."""

MUTANTS = {
    "returns": {
        "from the start": ("discount ** (moves - 1 - t)", "discount**t"),
        "no discount": ("z * discount ** (moves - 1 - t)", "z"),
        "off by one": ("(moves - 1 - t)", "(moves - t)"),
        "product instead of power": ("discount ** (moves", "discount * (moves"),
        "result forgotten": ("z * discount", "discount"),
        "only the last move": (
            "return [z * discount ** (moves - 1 - t) for t in range(moves)]",
            "return [0.0] * (moves - 1) + [z] * (moves > 0)",
        ),
        "wins only": ("z * discount", "max(z, 0) * discount"),
        "one number": (
            "return [z * discount ** (moves - 1 - t) for t in range(moves)]",
            "return z * discount ** (moves - 1)",
        ),
        "summed up": (
            "[z * discount ** (moves - 1 - t) for t in range(moves)]",
            "[sum(z * discount**i for i in range(moves - t)) for t in range(moves)]",
        ),
    },
    "own_moves": {
        "both players": ("ply >= opening and ply % 2 == colour - 1", "ply >= opening"),
        "the opponent's": ("ply % 2 == colour - 1", "ply % 2 == 2 - colour"),
        "opening included": ("ply >= opening and ply", "ply"),
        "one too few": ("ply >= opening", "ply > opening"),
        "always black": ("ply % 2 == colour - 1", "ply % 2 == 0"),
        "colours count from the opening": (
            "enumerate(history) if ply >= opening and",
            "enumerate(history[opening:]) if",
        ),
        "draw is a loss": ("0.0 if winner == 0 else 1.0 if winner == colour", "1.0 if winner == colour"),
        "draw is half a point": ("0.0 if winner == 0", "0.5 if winner == 0"),
        "losses ignored": ("else -1.0", "else 0.0"),
        "sign": ("1.0 if winner == colour else -1.0", "-1.0 if winner == colour else 1.0"),
        "black's result": ("1.0 if winner == colour", "1.0 if winner == 1"),
        "winner's moves": ("ply % 2 == colour - 1", "ply % 2 == winner - 1"),
        "moves only": ("[(move, z) for", "[move for"),
        "plies, not moves": ("[(move, z) for", "[(ply, z) for"),
    },
    "push": {
        "sign": ("return advantage * gradient", "return -advantage * gradient"),
        "advantage forgotten": ("return advantage * gradient", "return gradient"),
        "mask forgotten": ("np.where(empty, logits, -np.inf)", "np.asarray(logits, float)"),
        "masked with 0": ("-np.inf)", "0.0)"),
        "overflows": ("masked - masked.max()", "masked"),
        "shifted by an occupied point": ("masked.max()", "logits.max()"),
        "changes what is given": (
            "masked = np.where(empty, logits, -np.inf)",
            "logits[~empty] = -np.inf\n    masked = logits",
        ),
        "played move only": ("gradient = -weights / weights.sum()", "gradient = np.zeros(len(logits))"),
        "no one for the move": ("gradient[move] += 1", "pass"),
        "one replaces": ("gradient[move] += 1", "gradient[move] = 1"),
        "derivative of the chance": (
            "return advantage * gradient",
            "return advantage * gradient * weights[move] / weights.sum()",
        ),
        "sign of the advantage only": ("return advantage * gradient", "return np.sign(advantage) * gradient"),
        "no-op": "def push(logits, empty, move, advantage): return np.zeros(len(logits))",
    },
    "running_baseline": {
        "this batch is in it": (
            "used.append(b)\n        b += rate * (mean - b)",
            "b += rate * (mean - b)\n        used.append(b)",
        ),
        "own mean": ("used.append(b)", "used.append(mean)"),
        "rate and memory swapped": ("rate * (mean - b)", "(1 - rate) * (mean - b)"),
        "never moves": ("b += rate * (mean - b)", "pass"),
        "grows for ever": ("rate * (mean - b)", "rate * mean"),
        "away from the mean": ("rate * (mean - b)", "rate * (b - mean)"),
        "starts at the first mean": ("used, b = [], 0.0", "used, b = [], means[0]"),
        "last value only": ("return used", "return b"),
        "plain mean of the past": ("b += rate * (mean - b)", "b = sum(means[: len(used)]) / len(used)"),
    },
    "others_mean": {
        "own game included": (
            "(results.sum() - results) / (len(results) - 1)",
            "np.full(len(results), results.mean())",
        ),
        "divided by n": ("(len(results) - 1)", "len(results)"),
        "not left out": ("(results.sum() - results)", "np.full(len(results), results.sum())"),
        "added instead": ("results.sum() - results", "results.sum() + results"),
        "advantages": (
            "return (results.sum() - results) / (len(results) - 1)",
            "return results - (results.sum() - results) / (len(results) - 1)",
        ),
        "one number": ("return (results.sum() - results) / (len(results) - 1)", "return results.mean()"),
        "the neighbour": ("return (results.sum() - results) / (len(results) - 1)", "return np.roll(results, 1)"),
        "no baseline": "def others_mean(results): return np.zeros(len(results))",
    },
    "normalised": {
        "mean kept": ("advantages - advantages.mean()", "advantages"),
        "not divided": ("centred / spread if", "centred if"),
        "variance": ("centred.std()", "centred.var()"),
        "n - 1": ("centred.std()", "centred.std(ddof=1) if len(centred) > 1 else 0.0"),
        "largest": ("centred.std()", "abs(centred).max()"),
        "equal ones divide by zero": (
            "return centred / spread if spread > 1e-12 else np.zeros(len(advantages))",
            "return centred / spread",
        ),
        "divides by rounding": (
            "def normalised(advantages):\n    return (advantages - advantages.mean()) / (advantages.std() or 1.0)"
        ),
        "multiplied": ("centred / spread", "centred * spread"),
        "added a lot": ("centred / spread", "centred / (spread + 0.01)"),
        "equal ones stay": ("np.zeros(len(advantages))", "advantages"),
        "no-op": "def normalised(advantages): return advantages",
    },
    "mean_entropy": {
        "NaN for impossible moves": ("np.where(np.isfinite(log_chances), log_chances, 0.0)", "log_chances"),
        "sign": ("return -(", "return ("),
        "sum over rows": (".sum(axis=1).mean()", ".sum()"),
        "mean over moves": (".sum(axis=1).mean()", ".mean()"),
        "bits": (".sum(axis=1).mean()", ".sum(axis=1).mean() / np.log(2)"),
        "one per row": (".sum(axis=1).mean()", ".sum(axis=1)"),
        "not weighted": ("(chances * finite)", "finite"),
        "first row": (".sum(axis=1).mean()", ".sum(axis=1)[0]"),
        "wrong axis": (".sum(axis=1).mean()", ".sum(axis=0).mean()"),
        "uniform": "def mean_entropy(log_chances): return float(np.log(np.isfinite(log_chances).sum(axis=1)).mean())",
    },
    "loss": {
        "sign of the policy's part": ("return -(advantages * played)", "return (advantages * played)"),
        "sign of the bonus": ("- beta * entropy.mean()", "+ beta * entropy.mean()"),
        "sign of the entropy": ("entropy = -(", "entropy = ("),
        "bonus forgotten": (" - beta * entropy.mean()", ""),
        "values pushed too": ("values.detach()", "values"),
        "baseline forgotten": ("returns - values.detach()", "returns"),
        "advantage turned round": ("returns - values.detach()", "values.detach() - returns"),
        "advantages to scale": (
            "returns - values.detach()",
            "(returns - values.detach()) / (1e-9 + (returns - values.detach()).std(correction=0))",
        ),
        "sum of the policy's part": ("(advantages * played).mean()", "(advantages * played).sum()"),
        "sum of the entropies": ("entropy.mean()", "entropy.sum()"),
        "chance instead of logarithm": (
            "played = log_priors.gather(1, moves[:, None])[:, 0]",
            "played = log_priors.gather(1, moves[:, None])[:, 0].exp()",
        ),
        "all moves": ("log_priors.gather(1, moves[:, None])[:, 0]", "log_priors.sum(dim=1)"),
        "policy detached": (
            "played = log_priors.gather",
            "log_priors = log_priors.detach()\n    played = log_priors.gather",
        ),
        "entropy detached": ("beta * entropy.mean()", "beta * entropy.mean().detach()"),
        "wrong mean of products": ("(advantages * played).mean()", "(advantages.mean() * played.mean())"),
    },
}

# Wrong solutions that an earlier edition of the checks accepted, or that made them crash or hang.
EDGE = {
    "returns": {
        "no whole result at 0": ("return [z", "if discount == 0: return [0.0] * moves\n    return [z"),
        "logarithms": (
            "discount ** (moves - 1 - t)",
            "np.exp((moves - 1 - t) * np.log(max(discount, 1e-12))) if t < moves - 1 or discount else 0.0",
        ),
        "a generator": (
            "return [z * discount ** (moves - 1 - t) for t in range(moves)]",
            "return (z * discount ** (moves - 1 - t) for t in range(moves))",
        ),
        "a shared list": "answer = []\ndef returns(z, moves, discount):\n    answer[:] = [z * discount ** (moves - 1 - t) for t in range(moves)]\n    return answer",
        "at least one": ("for t in range(moves)]", "for t in range(max(moves, 1))]"),
        "never ends": "def returns(z, moves, discount):\n    out = []\n    while len(out) != moves or moves == 0:\n        out.insert(0, z)\n        z *= discount\n    return out",
    },
    "own_moves": {
        "eats the history": (
            "    z = 0.0",
            "    history.reverse(); history.reverse(); history.append(history.pop(0)) if history else None\n    z = 0.0",
        ),
        "cuts the opening off": "def own_moves(history, opening, colour, winner):\n    z = 0.0 if winner == 0 else 1.0 if winner == colour else -1.0\n"
        "    start = opening\n    while opening and history:\n        history.pop(0); opening -= 1\n    return [(m, z) for i, m in enumerate(history) if (i + start) % 2 == colour - 1]",
        "texts": ("[(move, z) for", "[(str(move), z) for"),
        "never ends": ("    z = 0.0", "    while not history: pass\n    z = 0.0"),
        "a dict": (
            "return [(move, z) for ply, move in enumerate(history) if ply >= opening and ply % 2 == colour - 1]",
            "return {move: z for ply, move in enumerate(history) if ply >= opening and ply % 2 == colour - 1}",
        ),
    },
    "push": {
        "masked with −1000": ("-np.inf)", "-1000.0)"),
        "logits clipped": ("np.where(empty, logits, -np.inf)", "np.where(empty, np.clip(logits, -30, 30), -np.inf)"),
        "chances kept off zero": ("weights / weights.sum()\n", "np.maximum(weights / weights.sum(), 1e-4) * empty\n"),
        "advantage clipped": ("return advantage", "return max(-3.0, min(3.0, advantage))"),
        "a list": ("return advantage * gradient", "return (advantage * gradient).tolist()"),
        "a shared buffer": (
            "    return advantage * gradient",
            "    global held\n    held = np.zeros(99) if 'held' not in globals() else held\n    held[: len(gradient)] = advantage * gradient\n    return held[: len(gradient)]",
        ),
    },
    "running_baseline": {
        "eats the means": ("    for mean in means:", "    while means:\n        mean = means.pop(0)"),
        "shifts the means": ("    return used", "    means[:] = used\n    return means"),
        "starts at 0 only for floats": (
            "used, b = [], 0.0",
            "used, b = [], 0.0 if len(means) > 1 else (means or [0.0])[0]",
        ),
        "an array of whole numbers": ("    return used", "    return np.array(used).astype(np.array(means).dtype)"),
        "rounded": ("used.append(b)", "used.append(round(b, 3))"),
        "texts": ("used.append(b)", "used.append(str(b))"),
    },
    "others_mean": {
        "whole numbers": (
            "return (results.sum() - results) / (len(results) - 1)",
            "out = np.zeros_like(results)\n    for i in range(len(results)):\n        out[i] = np.delete(results, i).mean()\n    return out",
        ),
        "divided with //": (") / (len", ") // (len"),
        "in place": (
            "return (results.sum() - results) / (len(results) - 1)",
            "total = results.sum()\n    results *= -1\n    results += total\n    return results / (len(results) - 1)",
        ),
        "a list": (
            "return (results.sum() - results) / (len(results) - 1)",
            "return [float((results.sum() - r) / (len(results) - 1)) for r in results]",
        ),
        "a shared buffer": "buffer = np.zeros(64)\ndef others_mean(results):\n    out = buffer[: len(results)]\n    out[:] = (results.sum() - results) / (len(results) - 1)\n    return out",
        "by value": "def others_mean(results):\n    return np.array([results[results != r].mean() if (results != r).any() else r for r in results], float)",
    },
    "normalised": {
        "a small spread is none": ("spread > 1e-12", "spread > 1e-5"),
        "something added": ("centred / spread if", "centred / (spread + 1e-8) if"),
        "whole numbers": (
            "    centred = advantages - advantages.mean()",
            "    centred = np.zeros_like(advantages)\n    centred[:] = advantages - advantages.mean()",
        ),
        "in place": (
            "    centred = advantages - advantages.mean()",
            "    advantages -= advantages.mean().astype(advantages.dtype)\n    centred = advantages - advantages.mean()",
        ),
        "all close is equal": ("if spread > 1e-12", "if not np.allclose(advantages, advantages[0])"),
        "a list": ("return centred / spread if", "return list(centred / spread) if"),
    },
    "mean_entropy": {
        "in place": (
            "    chances = np.exp",
            "    log_chances[~np.isfinite(log_chances)] = 0.0 if not np.isfinite(log_chances).all() else 0\n    chances = np.exp",
        ),
        "rare moves left out": ("np.isfinite(log_chances)", "log_chances > -9"),
        "clipped": (
            "    chances = np.exp(log_chances)",
            "    log_chances = np.maximum(log_chances, -6.0)\n    chances = np.exp(log_chances)",
        ),
        "array of one": (
            "return -(chances * finite).sum(axis=1).mean()",
            "return -(chances * finite).sum(axis=1).mean(keepdims=True)",
        ),
        "nan left out": (
            "return -(chances * finite).sum(axis=1).mean()",
            "return np.nanmean(-(chances * log_chances).sum(axis=1))",
        ),
        "text": ("return -(chances * finite).sum(axis=1).mean()", "return str(-(chances * finite).sum(axis=1).mean())"),
    },
    "loss": {
        "a float": (
            "return -(advantages * played).mean() - beta * entropy.mean()",
            "return (-(advantages * played).mean() - beta * entropy.mean()).item()",
        ),
        "values detached in place": ("values.detach()", "values.detach_()"),
        "array": (
            "return -(advantages * played).mean() - beta * entropy.mean()",
            "return (-(advantages * played).mean() - beta * entropy.mean()).detach().numpy()",
        ),
        "one per row": (
            "return -(advantages * played).mean() - beta * entropy.mean()",
            "return -(advantages * played) - beta * entropy",
        ),
        "without gradient": (
            "    played =",
            "    torch.set_grad_enabled(True)\n    log_priors = torch.tensor(log_priors.tolist(), dtype=torch.float64)\n    played =",
        ),
        "changes the returns": (
            "advantages = returns - values.detach()",
            "returns -= values.detach()\n    advantages = returns",
        ),
        "nothing returned": ("return -(adv", "-(adv"),
    },
}
