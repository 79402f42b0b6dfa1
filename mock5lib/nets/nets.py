"""Nets in PyTorch: from planes to log-priors over the points, and, with a second head, to the outcome.

A net is a *trunk* (planes → features, same height and width) and one or two *heads*; see `blocks.py`. All but "flat"
are fully convolutional: one net plays boards of any size, and its moves are the points. Planes are those of
`game.encoders`: own stones, other's stones, empty points. A point off the board is 0 in all three, so zero padding
shows a filter where the board ends.

Make one by name: `make_net("patterns", value=True)`. The net remembers name and arguments for its checkpoint.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from contextlib import nullcontext

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from mock5lib.base import arguments
from mock5lib.base.arguments import generator_of
from mock5lib.base.contract import Named
from mock5lib.game.encoders import Encoder, not_learned, three_planes
from mock5lib.game.lockstep_compiled import OCCUPIED, sample_moves
from mock5lib.game.points import MAX_SIDE
from mock5lib.nets.blocks import (
    BoardHead,
    ComparingHead,
    ConvTrunk,
    PatternTrunk,
    PlainHead,
    ResidualTrunk,
    ValueHead,
    empty_points,
    fuse_norms,
    mask_occupied,
    point_head,
)


class PolicyNet(nn.Module):
    """planes (B, C, H, W) → log-priors (B, H * W): log-probabilities of the moves, `OCCUPIED` on stones.

    With a value head → (log-priors, values (B,) for the player to move, in [−1, 1]).

    Args:
        trunk: planes → features. policy: features and which points are empty → scores (B, 1, H, W), or (B, moves).
        temperature: of the softmax. value: features and which points are empty → values (B,).
        moves: None if the moves are the empty points; else how many there are, and the net can't know which are legal.
    """

    normalized = True  # `heads` need not mask and normalize once more

    def __init__(
        self,
        trunk: nn.Module,
        policy: nn.Module,
        temperature: float,
        value: nn.Module | None = None,
        moves: int | None = None,
    ):
        super().__init__()
        self.trunk, self.policy, self.temperature, self.value, self.moves = trunk, policy, temperature, value, moves

    def forward(self, planes: torch.Tensor):
        features, empty = self.trunk(planes), empty_points(planes)
        scores = self.policy(features, empty).flatten(1)
        scores = mask_occupied(scores, planes) if self.moves is None else scores.float()
        log_priors = functional.log_softmax(scores / self.temperature, -1)
        return log_priors if self.value is None else (log_priors, self.value(features, empty))


# By name --------------------------------------------------------------------------------------------------------
# Each maker takes the sizes of a net and gives its trunk, its policy head and its value head.


def linear(planes: int = 3, size: int = 9):
    """No trunk but the planes: the policy is one linear filter, `size` points wide."""
    return nn.Identity(), PlainHead(nn.Conv2d(planes, 1, size, padding=size // 2)), ValueHead(planes)


def hidden(planes: int = 3, channels: int = 32, first: int = 9):
    """One hidden convolution, `first` points wide."""
    return stack(planes, channels, 1, first)


def stack(planes: int = 3, channels: int = 32, layers: int = 4, first: int = 5):
    """A small stack of convolutions."""
    return ConvTrunk(planes, channels, layers, first), point_head(channels), ValueHead(channels)


def patterns(planes: int = 3, width: int = 16, reach: int = 5, layers: int = 0, head: int = 32, compare: int = 8):
    """A table of lines, and a head that compares the points: the net that learns most in a minute on a CPU."""
    trunk = PatternTrunk(planes, width, reach, layers)
    return trunk, ComparingHead(trunk.channels, head, compare), ValueHead(trunk.channels)


def residual(planes: int = 3, channels: int = 32, blocks: int = 3, first: int = 5):
    """Residual blocks: 3 × 32 trains on a CPU, 6 × 64 wants a GPU."""
    return ResidualTrunk(planes, channels, blocks, first), point_head(channels, channels), ValueHead(channels)


def expert(planes: int = 3):
    """The net of lumiknit's notebook "18. 8th Attempt: MCTS with Networks" (2022), layer by layer; it has two heads.

    His planes come in another order (empty, own, other) and his priors are not masked; neither changes a shape.
    His value is the mean over all points, which suits any board.
    """

    def head() -> list[nn.Module]:
        return [nn.Conv2d(64, 16, 3, padding="same"), nn.GELU(), nn.Conv2d(16, 1, 1)]

    trunk = [nn.Conv2d(planes, 256, 5, padding="same"), nn.GELU()]
    for channels in (256, 64, 64, 64, 64):
        trunk += [nn.Conv2d(channels, 64, 3, padding="same"), nn.GELU()]
    value = PlainHead(*head(), nn.AdaptiveAvgPool2d(1), nn.Flatten(0), nn.Tanh())
    return nn.Sequential(*trunk), PlainHead(*head()), value


def flat(
    planes: int = 3,
    channels: int = 32,
    blocks: int = 3,
    first: int = 3,
    height: int = 6,
    width: int = 6,
    moves: int = 36,
):
    """Residual blocks, and heads that know each place of one board: for games whose moves are not just empty points."""
    points = height * width
    value = PlainHead(*BoardHead(channels, points, 32), nn.ReLU(), nn.Linear(32, 1), nn.Flatten(0), nn.Tanh())
    return ResidualTrunk(planes, channels, blocks, first), BoardHead(channels, points, moves), value


MAKERS = {maker.__name__: maker for maker in (linear, hidden, stack, patterns, residual, expert)}
NAMES = tuple(MAKERS)  # of nets for any board
MAKERS["flat"] = flat
MOST_OF = {"blocks": 200, "layers": 200, "reach": 7, "height": MAX_SIDE, "width": MAX_SIDE}
MOST_SIZE = 4096  # of any other size: more than any net of a board needs


def make_net(
    name: str, *, value: bool = False, temperature: float = 1.0, seed: int | None = None, **sizes
) -> PolicyNet:
    """A fresh net by name: "linear", "hidden", "stack", "patterns", "residual", "expert" or "flat".

    Args:
        value: give it a second head, for the outcome. The expert always has one.
        temperature: of the softmax, above 0.
        seed: for its first weights; None takes torch's global state.
        sizes: channels, layers, … of its parts, see the functions of these names above.

    Returns:
        The net, with `.made` = its name and arguments, in channels-last order (measured 1.1 to 2.3 times as fast in
        training on a CPU).
    """
    arguments.one_of("A net", name, MAKERS)
    if not isinstance(value, bool):
        raise ValueError(f"value is true or false, got {value!r}.")
    if not (isinstance(temperature, (int, float)) and 0 < temperature < np.inf):
        raise ValueError(f"A temperature is a number above 0, got {temperature!r}.")
    for key, size in sizes.items():
        most = MOST_OF.get(key, MOST_SIZE)
        if isinstance(size, bool) or not isinstance(size, int) or not 0 <= size <= most:
            raise ValueError(f"{key} of a net must be a whole number from 0 to {most}, got {size!r}.")
    with torch.random.fork_rng(devices=[], enabled=seed is not None):
        if seed is not None:
            torch.manual_seed(seed)
        try:
            trunk, policy, value_head = MAKERS[name](**sizes)
        except TypeError as problem:
            raise ValueError(f"Net {name!r}: {problem}") from None
    value = value or name == "expert"
    moves = policy[-1].out_features if name == "flat" else None
    net = PolicyNet(trunk, policy, temperature, value_head if value else None, moves)
    net.wants_float32 = name == "patterns"  # it compares sums that may differ by little
    net.made = {"net": name, "value": value, "temperature": temperature, **sizes}
    return net.to(memory_format=torch.channels_last)


def parameters_of(net: nn.Module) -> int:
    """Number of weights."""
    return sum(weights.numel() for weights in net.parameters())


# From a net to a policy, an agent, an expert ----------------------------------------------------------------------


def heads(net: nn.Module, planes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor | None]:
    """(log-priors (B, H * W), values (B,) or None) of any net.

    A net of one's own may return plain scores of H · W points a board, alone or with values: they are masked and
    normalized here.
    """
    with convolutions(net):
        answer = net(planes)
    scores, values = answer if isinstance(answer, tuple) else (answer, None)
    if not getattr(net, "normalized", False):
        scores = functional.log_softmax(mask_occupied(scores.flatten(1), planes), dim=-1)
    return scores, None if values is None else values.flatten()


def has_value(net: nn.Module, height: int, width: int, encoder: Encoder = three_planes) -> bool:
    """Whether the net answers with values."""
    with torch.inference_mode():
        return heads(net, torch.zeros(1, encoder.channels, height, width, device=device_of(net)))[1] is not None


def device_of(net: nn.Module) -> torch.device:
    """Where the net's weights are; the CPU for a net without weights."""
    return next((weights.device for weights in net.parameters()), torch.device("cpu"))


def device_named(name: str, say) -> torch.device:
    """ "cpu", "cuda" or "auto" as a device."""
    if name not in ("cpu", "cuda", "auto"):
        raise ValueError(f"device is 'cpu', 'cuda' or 'auto', got {name!r}.")
    there = torch.cuda.is_available()
    if name == "cuda" and not there:
        raise ValueError("device 'cuda' was asked for, but torch finds no CUDA GPU here; take 'cpu' or 'auto'.")
    if name == "auto" and not there:
        say("No CUDA GPU found: running on the CPU.")
    return torch.device("cuda" if there and name != "cpu" else "cpu")


def convolutions(net: nn.Module, benchmark: bool | None = None):
    """A context for convolutions on CUDA, forward (`heads` opens it) and backward: TF32, unless the net wants float32.

    benchmark: try which algorithm is fastest; for sizes that stay the same. Default: as it is.
    """
    if device_of(net).type != "cuda":
        return nullcontext()
    cudnn, exact = torch.backends.cudnn, getattr(net, "wants_float32", False)
    benchmark = cudnn.benchmark if benchmark is None else benchmark
    return cudnn.flags(enabled=True, benchmark=benchmark, allow_tf32=not exact)


def expert_of(
    net: nn.Module, device: str | torch.device | None = None, half: bool = False, encoder: Encoder = three_planes
) -> Callable:
    """An expert for the searches: numpy planes (B, C, H, W) → numpy log-priors (B, H * W), values (B,), float32.

    A net without a value head answers 0 for every value.

    Args:
        device: where to run it. Default: where the net is.
        half: with weights of 16 bits, see `half_type`.
        encoder: makes the planes that the net was trained on; the searches ask the expert for its `encoder`.

    Returns:
        The expert uses the net itself, so it follows later training; with `half`, or on another device, a copy with its
        norms folded in (`fuse_norms`), which does not: make it anew after training. Evaluation mode either way. For
        many batches on CUDA see `cuda.CapturedExpert`.
    """
    if not isinstance(net, nn.Module):
        of = ", so its `.net`" if hasattr(net, "net") else ""
        raise TypeError(f"expert_of takes a net, a torch.nn.Module{of}; got a {type(net).__name__}.")
    device, used, dtype = working_copy(net, device, half)

    @torch.inference_mode()
    def answer(planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        used.eval()
        given = torch.from_numpy(np.ascontiguousarray(planes, dtype=np.float32)).to(device, dtype)
        log_priors, values = heads(used, given)
        values = torch.zeros(len(log_priors)) if values is None else values
        return log_priors.float().cpu().numpy(), values.float().cpu().numpy()

    answer.encoder = encoder
    return answer


def working_copy(
    net: nn.Module, device: str | torch.device | None, half: bool
) -> tuple[torch.device, nn.Module, torch.dtype]:
    """(device, net, precision) to answer with: the net itself where it fits, else a copy; see `expert_of`."""
    device = device_of(net) if device is None else torch.empty(0, device=device).device  # "cuda" as "cuda:0"
    dtype = half_type(device) if half else torch.float32
    if half or device != device_of(net):
        net = fuse_norms(copy.deepcopy(net)).to(device, dtype, memory_format=torch.channels_last)
    return device, net, dtype


def half_type(device: torch.device) -> torch.dtype:
    """The type of 16 bits in which a device multiplies fast: bfloat16, or float16 on a GPU of before 2020.

    Those, such as Colab's T4 (compute capability 7.5), have no bfloat16 and imitate it, more slowly than float32. Torch
    calls that supported, so the capability is asked for.
    """
    old = device.type == "cuda" and torch.cuda.get_device_capability(device) < (8, 0)
    return torch.float16 if old else torch.bfloat16


class NetPolicy:
    """A net as a policy: game → probabilities (H * W,); `scores(games)` answers many games on one board size.

    Args:
        net: any net that `heads` understands; the policy follows its training. encoder: makes its planes.
        name: shown in matches.
    """

    def __init__(self, net: nn.Module, encoder: Encoder = three_planes, name: str = "net"):
        self.net, self.encoder, self.name = net, encoder, name
        self.expert = expert_of(net)

    def __call__(self, game) -> np.ndarray:
        return self.scores([game])[0]

    def scores(self, games) -> np.ndarray:
        """Probabilities (B, H * W), float64, 0 on occupied points."""
        log_priors, _ = self.expert(self.encoder.encode(games))
        return np.exp(log_priors.astype(np.float64))


class NetAgent(Named):
    """A net as an agent without search. It follows the net's training.

    Args:
        temperature: 0 plays the most probable move; t > 0 draws in proportion to p^(1/t).
        seed: a whole number, a numpy Generator, or None.
    """

    def __init__(
        self, net: nn.Module, temperature: float = 0.0, encoder: Encoder = three_planes, seed=None, name: str = "net"
    ):
        arguments.temperatures(temperature=temperature)
        self.policy = NetPolicy(net, encoder, name)
        self.temperature, self.name, self.rng = temperature, name, generator_of(seed)
        self.learned: dict = {}  # the game that the net has learned, as its card says it

    def __call__(self, game) -> int | None:
        return self.moves([game])[0]

    def refuses(self, game) -> str:
        """Why it can't play a game, as the end of a sentence, or ""."""
        return not_learned(game, self.policy.encoder, self.learned)

    def moves(self, games) -> list[int | None]:
        """A move in each game; None where there is none, or no point is empty."""
        answers: list[int | None] = [None] * len(games)
        knows_moves = getattr(self.policy.net, "moves", None) is None
        members = [i for i, game in enumerate(games) if (0 in game.board if knows_moves else game.legal_moves())]
        if members:
            log_priors, _ = self.policy.expert(self.policy.encoder.encode([games[i] for i in members]))
            if not knows_moves:
                log_priors = only_legal(log_priors, [games[i] for i in members])
            for i, move in zip(members, sample_moves(log_priors, self.temperature, self.rng)):
                answers[i] = int(move)
        return answers


def only_legal(log_priors: np.ndarray, games: list) -> np.ndarray:
    """Log-priors (B, moves) of games, `OCCUPIED` for what is not legal there."""
    masked = np.full_like(log_priors, OCCUPIED)
    for row, found, game in zip(masked, log_priors, games):
        legal = game.legal_moves()
        row[legal] = found[legal]
    return masked
