"""Writes gumbel_vectors.json: what mctx, the library of the paper's authors, answers to the Gumbel root's formulas.

The course does not need mctx; the test only reads the file. It was made with mctx 0.0.71 by

    python -m venv mctx && mctx/bin/pip install mctx && mctx/bin/python tests/gumbel_vectors.py
"""

import json
from dataclasses import fields
from importlib.metadata import version
from pathlib import Path

VALUE_SCALE, MAX_VISIT_INIT = 0.1, 50


def considered() -> list[dict]:
    """Sequential halving as a sequence of visit counts."""
    from mctx._src.seq_halving import get_sequence_of_considered_visits

    pairs = [(1, 4), (2, 5), (3, 7), (4, 8), (5, 40), (7, 50), (16, 10), (16, 16), (16, 64), (16, 200), (32, 100)]
    return [
        {"considered": most, "simulations": n, "visits": [int(v) for v in get_sequence_of_considered_visits(most, n)]}
        for most, n in pairs
    ]


def policies() -> list[dict]:
    """Random roots with some moves tried: the transformed completed Q, and the softmax it improves the prior to."""
    import jax
    import jax.numpy as jnp
    import numpy as np
    from mctx import Tree, qtransform_completed_by_mix_value

    jax.config.update("jax_enable_x64", True)
    rng, cases = np.random.default_rng(0), []
    for moves, tried in ((1, 1), (2, 1), (4, 0), (5, 5), (9, 3), (9, 8), (25, 16), (81, 16)):
        logits, value = np.log(rng.dirichlet(np.ones(moves))), rng.uniform(-1, 1)
        visits, q = np.zeros(moves, dtype=np.int32), np.zeros(moves)
        chosen = rng.choice(moves, tried, replace=False)
        visits[chosen], q[chosen] = rng.integers(1, 40, tried), rng.uniform(-1, 1, tried)
        # A tree of one node, whose children are known by their edges
        root = dict.fromkeys(field.name for field in fields(Tree) if field.init)
        root |= {
            "children_prior_logits": jnp.array(logits[None]),
            "children_visits": jnp.array(visits[None]),
            "children_rewards": jnp.array(q[None]),
            "children_discounts": jnp.ones((1, moves)),
            "children_values": jnp.zeros((1, moves)),
            "raw_values": jnp.array([value]),
        }
        scaled = qtransform_completed_by_mix_value(
            Tree(**root), 0, value_scale=VALUE_SCALE, maxvisit_init=MAX_VISIT_INIT
        )
        case = {"priors": np.exp(logits), "value": value, "visits": visits, "q": q}
        case |= {"scaled_completed_q": np.array(scaled), "policy": np.array(jax.nn.softmax(logits + scaled))}
        cases.append({name: np.asarray(numbers).tolist() for name, numbers in case.items()})
    return cases


if __name__ == "__main__":
    found = {"mctx": version("mctx"), "value_scale": VALUE_SCALE, "max_visit_init": MAX_VISIT_INIT}
    found |= {"considered": considered(), "policies": policies()}
    path = Path(__file__).with_suffix(".json")
    path.write_text(json.dumps(found) + "\n")
    print(
        f"{path}: {len(found['considered'])} sequences and {len(found['policies'])} policies of mctx {found['mctx']}."
    )
