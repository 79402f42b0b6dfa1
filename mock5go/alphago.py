"""What AlphaGo's nets, search and training must know of Go, see `mock5lib.alphago.kit`."""

from __future__ import annotations

import numpy as np

from mock5go.board import Go
from mock5go.groups_compiled import PASSES
from mock5go.planes import planes48, planes49
from mock5go.planes_compiled import SENSIBLE
from mock5go.rollout_policy import GoFastPlanes, GoFastPolicy
from mock5lib.alphago.kit import Kit
from mock5lib.game.points import BLACK

PASS_PRIOR = 1e-3  # of a pass, beside the policy's probabilities of the points
LAST_PASS_PRIOR = 0.1  # of one that answers a pass: the game would be over, and its exact value is worth a look


class GoKit(Kit):
    """That of Go. Its policies know no pass, so that it is added here."""

    game, name = "Go", "Go"
    planes48, planes49 = planes48, planes49
    fast_net = "mock5go.nets:fast_policy"

    def start(self, height: int, width: int) -> Go:
        return Go(height)

    def refuses(self, game) -> str:
        return ""

    def fast_planes(self, net) -> GoFastPlanes:
        return GoFastPlanes()

    def fast_policy(self, net, name: str) -> GoFastPolicy:
        patterns, features = (net.get_layer(part).get_weights()[0].reshape(-1) for part in ("patterns", "features"))
        return GoFastPolicy(patterns, features, name)

    def answers(self, games, points) -> list[int]:
        """A pass where no sensible point is left, or where it answers a pass and wins by the board as it stands."""
        wins = [game.passes == 1 and game.lead() * (1 if game.player == BLACK else -1) > 0 for game in games]
        return [game.pass_move if won else int(point) for point, game, won in zip(points, games, wins)]

    def log_priors(self, positions, planes: np.ndarray, log_policy: np.ndarray) -> np.ndarray:
        """A pass gets `PASS_PRIOR`, or `LAST_PASS_PRIOR`; moves that are not sensible get none."""
        sensible = planes[:, SENSIBLE].reshape(len(planes), -1) > 0
        passes = np.log(np.where(positions.counts[:, PASSES] > 0, LAST_PASS_PRIOR, PASS_PRIOR))
        return np.hstack([np.where(sensible, log_policy, -np.inf), passes[:, None]]).astype(np.float32)


KIT = GoKit()
