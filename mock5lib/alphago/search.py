"""AlphaGo's search: a policy's priors, and leaves valued by a value net and by rollouts, mixed.

    V(leaf) = (1 − λ) · v(leaf) + λ · z(leaf)                    (Silver et al. 2016, Methods, "Evaluation")
    the move of the highest Q + u,  u = c · P · √N_parent / (1 + N)            ("Selection")

v is the value net's answer, z the outcome of a rollout by the fast policy; both belong to the player to move at the
leaf, and flip once per ply on the way up. Q is the running mean of what was backed up. A simulation adds one leaf; a
finished game is backed up with its exact value and sees no net.

    `AlphaGo(policy, fast_policy, value)`   the agent: a `SearchAgent`, many trees in flat arrays, leaves in batches
    `MixedEvaluator`                        its expert: positions → log-priors and mixed values

`SearchTree(game, evaluator, c=5.0, max_depth=50)` is the same search in one tree of readable objects.

Nets come as functions of planes (see `alphago.planes`), so nothing here needs TensorFlow.
"""

from __future__ import annotations

import numpy as np

from mock5lib.alphago.kit import kit_of, refusal
from mock5lib.alphago.rollout_policy import FastPolicy
from mock5lib.base import arguments
from mock5lib.game.position_compiled import stack
from mock5lib.search.agent import SearchAgent
from mock5lib.search.forest_compiled import ForestResult


class MixedEvaluator:
    """The `Expert` that values positions by λ and gives their priors.

    Args:
        policy: the strong policy: planes (B, 48, H, W) → log-probabilities (B, H * W); occupied points don't matter.
        fast_policy: plays the rollouts. May be None if λ is 0.
        value: planes (B, 49, H, W) → values (B,) in [−1, 1] for the player to move. May be None if λ is 1.
        lambda_value: λ, from 0, the value net alone, to 1, rollouts alone.
        rollout_limit: a rollout still running after so many moves counts as a draw. rollouts: how many a leaf.
        seed: of the rollouts: a whole number, a numpy Generator, or None.

    A policy or value function may say what it takes by an attribute `shape`, (C, H, W), as those of
    `alphago.nets` do; it then may take 48 or 49 planes, and another board is refused before a search begins.
    """

    def __init__(
        self,
        policy,
        fast_policy: FastPolicy | None,
        value,
        *,
        lambda_value: float = 0.5,
        rollout_limit: int = 100,
        rollouts: int = 1,
        seed=None,
    ):
        arguments.share(**{"lambda_value (λ)": lambda_value})
        arguments.at_least(1, rollouts=rollouts)
        arguments.at_least(0, rollout_limit=rollout_limit)
        if fast_policy is None and lambda_value > 0:
            raise ValueError(f"λ = {lambda_value} needs a fast policy for its rollouts; None is for λ = 0.")
        if value is None and lambda_value < 1:
            raise ValueError(f"λ = {lambda_value} needs a value net; None is for λ = 1.")
        self.policy, self.fast_policy, self.value = policy, fast_policy, value
        self.lambda_value, self.rollout_limit, self.rollouts = float(lambda_value), rollout_limit, rollouts
        self.rng = arguments.generator_of(seed)

    def refuses(self, game) -> str:
        """Why it can't play a game, as the end of a sentence, or ""."""
        shape = getattr(self.policy, "shape", None)
        return refusal(game, getattr(self.policy, "kit", None), shape and shape[1:])

    def of_positions(self, games) -> tuple[np.ndarray, np.ndarray]:
        """Log-priors (B, A) and mixed values (B,), float32, of games or stacked positions, see `Expert`.

        A ValueError for a game that AlphaGo's nets don't know, see `alphago.kit`, or on another board than the nets.
        """
        positions = stack(games)
        kit = kit_of(positions)
        if kit is None:
            raise ValueError("AlphaGo's nets play five in a row, or a game that brings what `alphago.kit` asks for.")
        planes = kit.planes49.encode(positions)
        for name, net in (("policy", self.policy), ("value net", self.value)):
            (_, *board), here = getattr(net, "shape", planes.shape[1:]), planes.shape[2:]
            if board != [*here]:
                raise ValueError(
                    f"The {name} is for {board[0]}×{board[1]} boards, this game is on {here[0]}×{here[1]}."
                )
        values = np.zeros(len(planes), dtype=np.float32)
        if self.lambda_value < 1:
            values += np.float32(1 - self.lambda_value) * np.asarray(self.value(shown_to(self.value, planes, 49)))
        if self.lambda_value > 0:
            outcomes = self.fast_policy.rollouts(positions, self.rollouts, self.rollout_limit, seed=self.rng)
            values += np.float32(self.lambda_value) * outcomes
        return kit.log_priors(positions, planes, self.policy(shown_to(self.policy, planes, 48))), values


def shown_to(net, planes: np.ndarray, usual: int) -> np.ndarray:
    """The planes (B, 49, H, W) that a net takes: as many as its `shape` says, else the usual number."""
    return planes[:, : getattr(net, "shape", (usual,))[0]]


# The fast one ---------------------------------------------------------------------------------------------------


class AlphaGo(SearchAgent):
    """Plays the most visited move of AlphaGo's search, and keeps its trees between moves.

    Args:
        policy, fast_policy, value, lambda_value, rollout_limit, rollouts: see `MixedEvaluator`.
        simulations: a move, in addition to what the kept tree knows.
        depth: `max_depth` of the tree, in plies.
        c: weight of u.
        resign: give up where the best Q of all moves that were tried is below this; AlphaGo took −0.8. None: never.
        leaves: leaves a tree gathers for one batch, each counting as lost until its answer comes.
        options: further ones of `SearchAgent` and of `search.trees_compiled.Options`, such as keep_tree or noise.

    Defaults of λ, simulations, depth, rollout limit and c are those of the slides after Pumperla and Ferguson (2019),
    there `lambda_value`, `num_simulations`, `depth`, `rollout_limit` and the 5 in `u_value`.
    """

    def __init__(
        self,
        policy,
        fast_policy,
        value,
        *,
        lambda_value=0.5,
        simulations=1000,
        depth=50,
        rollout_limit=100,
        c=5.0,
        rollouts=1,
        resign=None,
        leaves=8,
        seed=None,
        name=None,
        **options,
    ):
        rng = arguments.generator_of(seed)
        played = dict(rollout_limit=rollout_limit, rollouts=rollouts, seed=rng)
        self.evaluator = MixedEvaluator(policy, fast_policy, value, lambda_value=lambda_value, **played)
        name = name or f"alphago:{simulations},λ={lambda_value:g}"
        options |= dict(c=c, max_depth=depth, leaves=leaves, seed=rng, name=name)
        super().__init__(self.evaluator, simulations, **options)
        if resign is not None:
            arguments.at_least(-1, resign=resign)
        self.resign = resign

    def _pick(self, result: ForestResult, game) -> int | None:
        if self.resign is not None and result.q[result.visits > 0].max() < self.resign:
            return None
        return super()._pick(result, game)
