"""Nets in PyTorch: from planes to log-priors over the points, and, with a second head, to the outcome.

A net is a *trunk* (planes → features, same height and width) and one or two *heads*. All are fully convolutional:
one net plays boards of any size. Planes are those of `game.encoders`: own stones, other's stones, empty points.
A point off the board is 0 in all three, so zero padding shows a filter where the board ends.

Make one by name: `make_net("lines", value=True)`. The net remembers name and arguments for its checkpoint.
"""

from __future__ import annotations

import copy
from collections.abc import Callable

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from mock5lib.agents.heuristics import generator_of
from mock5lib.game.encoders import Encoder, three_planes

# What an occupied point gets before normalising. exp() of it is exactly 0; unlike −inf it leaves 0 · log 0 = 0.
OCCUPIED = -1e9
EMPTY_PLANE = 2


# Temperature and masking ----------------------------------------------------------------------------------------


class FixedTempSoftmax(nn.Module):
    """Log-probabilities of scores at a fixed temperature exp(tau), along one dimension (lumiknit 2022)."""

    def __init__(self, dim: int, tau: float = 0.0):
        super().__init__()
        self.dim = dim
        self.temperature = float(np.exp(tau))

    def forward(self, scores: torch.Tensor) -> torch.Tensor:
        return functional.log_softmax(scores / self.temperature, self.dim)


class TempSoftmax(nn.Module):
    """Log-probabilities of scores at a learnt temperature exp(tau); `tau` is where it starts (lumiknit 2022)."""

    def __init__(self, dim: int, tau: float = 0.0):
        super().__init__()
        self.dim = dim
        self.tau = nn.Parameter(torch.tensor([float(tau)]))

    def forward(self, scores: torch.Tensor) -> torch.Tensor:
        return functional.log_softmax(scores / torch.exp(self.tau), self.dim)


def mask_occupied(scores: torch.Tensor, planes: torch.Tensor) -> torch.Tensor:
    """Scores (B, H * W) in float32, `OCCUPIED` where the empty plane of (B, C, H, W) is 0."""
    return scores.float().masked_fill(planes[:, EMPTY_PLANE].flatten(1) == 0, OCCUPIED)


# Trunks ---------------------------------------------------------------------------------------------------------


class ConvTrunk(nn.Sequential):
    """`layers` convolutions with ReLU, the first one larger: planes (B, C, H, W) → (B, channels, H, W)."""

    def __init__(self, planes: int = 3, channels: int = 32, layers: int = 3, first: int = 5):
        steps = [nn.Conv2d(planes, channels, first, padding=first // 2), nn.ReLU()]
        for _ in range(layers - 1):
            steps += [nn.Conv2d(channels, channels, 3, padding=1), nn.ReLU()]
        super().__init__(*steps)
        self.channels = channels


class ResidualBlock(nn.Module):
    """Two 3 × 3 convolutions with batch norm around a short cut (He et al. 2016; Silver et al. 2017)."""

    def __init__(self, channels: int):
        super().__init__()
        self.one = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.norm_one = nn.BatchNorm2d(channels)
        self.two = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.norm_two = nn.BatchNorm2d(channels)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        change = functional.relu(self.norm_one(self.one(features)))
        return functional.relu(features + self.norm_two(self.two(change)))


class ResidualTrunk(nn.Sequential):
    """A convolution and `blocks` residual blocks: planes (B, C, H, W) → (B, channels, H, W)."""

    def __init__(self, planes: int = 3, channels: int = 32, blocks: int = 3, first: int = 5):
        super().__init__(
            nn.Conv2d(planes, channels, first, padding=first // 2, bias=False),
            nn.BatchNorm2d(channels),
            nn.ReLU(),
            *[ResidualBlock(channels) for _ in range(blocks)],
        )
        self.channels = channels


RAYS = ((0, 1), (1, 0), (1, 1), (1, -1), (0, -1), (-1, 0), (-1, -1), (-1, 1))  # ray d + 4 is opposite to ray d
OFF_BOARD = 3  # own 1, other's 2, empty 0


class LineTrunk(nn.Module):
    """Features from the four lines through each point: planes (B, 3, H, W) → (B, channels, H, W).

    The `reach` points along one ray have 4^reach states (empty, own, other's, off the board). A learnt table gives
    each state a vector: an n-tuple network (Lucas 2008). Opposite rays add up to a line, a small layer shared by all
    four lines follows, and the lines of a point are summed. So what is learnt of one line holds for all, in either
    sense; engines for Gomoku are built this way (Rapfi's pattern tables, Jin et al. 2025). `layers` convolutions may
    follow, to see how neighbouring points work together.
    """

    def __init__(self, planes: int = 3, channels: int = 16, width: int = 32, reach: int = 5, layers: int = 0):
        super().__init__()
        if planes != 3:
            raise ValueError(f"A line trunk reads the three planes own, other and empty, got {planes} planes.")
        self.channels, self.reach = channels, reach
        self.table = nn.Parameter(torch.randn(4**reach, width) * 0.5)
        self.line = nn.Linear(width, channels)
        self.after = nn.Sequential(
            *[step for _ in range(layers) for step in (nn.Conv2d(channels, channels, 3, padding=1), nn.ReLU())]
        )

    def ray_codes(self, planes: torch.Tensor) -> torch.Tensor:
        """The state of each ray as a number in base 4, the nearest point last: (B, 8, H, W) int64."""
        height, width, reach = planes.shape[2], planes.shape[3], self.reach
        stones = (planes[:, 0] + 2 * planes[:, 1]).to(torch.int32)
        stones = functional.pad(stones, (reach, reach, reach, reach), value=OFF_BOARD)

        def shifted(d_row: int, d_col: int) -> torch.Tensor:
            return stones[:, reach + d_row : reach + d_row + height, reach + d_col : reach + d_col + width]

        codes = []
        for d_row, d_col in RAYS:
            code = shifted(reach * d_row, reach * d_col)
            for step in range(reach - 1, 0, -1):
                code = code * 4 + shifted(step * d_row, step * d_col)
            codes.append(code)
        return torch.stack(codes, dim=1).long()

    def forward(self, planes: torch.Tensor) -> torch.Tensor:
        batch, _, height, width = planes.shape
        codes = self.ray_codes(planes)
        # index_select and in-place steps: 1.5 times as fast in training as `embedding` and copies, on a CPU.
        lines = self.table.index_select(0, codes[:, :4].reshape(-1))
        lines += self.table.index_select(0, codes[:, 4:].reshape(-1))
        lines = self.line(lines.relu_()).relu_().view(batch, 4, height, width, self.channels)
        return self.after(lines.sum(dim=1).permute(0, 3, 1, 2))


# Heads and nets -------------------------------------------------------------------------------------------------


class ValueHead(nn.Module):
    """Features (B, C, H, W) → the outcome for the player to move, (B,) in [−1, 1].

    Mean and maximum over all points make it independent of the board's size (global pooling; Wu 2019).
    """

    def __init__(self, channels: int, hidden: int = 32):
        super().__init__()
        self.hidden = nn.Linear(2 * channels, hidden)
        self.out = nn.Linear(hidden, 1)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        pooled = torch.cat([features.mean(dim=(2, 3)), features.amax(dim=(2, 3))], dim=1)
        return torch.tanh(self.out(functional.relu(self.hidden(pooled)))).squeeze(1)


class PolicyNet(nn.Module):
    """planes (B, C, H, W) → log-priors (B, H * W): log-probabilities of the moves, `OCCUPIED` on stones.

    Args:
        trunk: planes → features. policy: features → scores (B, 1, H, W).
        softmax: scores → log-probabilities. Default: temperature 1.
    """

    normalised = True  # `heads` need not mask and normalise once more

    def __init__(self, trunk: nn.Module, policy: nn.Module, softmax: nn.Module | None = None):
        super().__init__()
        self.trunk, self.policy = trunk, policy
        self.softmax = softmax or FixedTempSoftmax(-1)

    def log_priors(self, features: torch.Tensor, planes: torch.Tensor) -> torch.Tensor:
        return self.softmax(mask_occupied(self.policy(features).flatten(1), planes))

    def forward(self, planes: torch.Tensor):
        return self.log_priors(self.trunk(planes), planes)


class TwoHeadedNet(PolicyNet):
    """planes (B, C, H, W) → log-priors (B, H * W) and values (B,) for the player to move, in [−1, 1]."""

    def __init__(self, trunk: nn.Module, policy: nn.Module, value: nn.Module, softmax: nn.Module | None = None):
        super().__init__(trunk, policy, softmax)
        self.value = value

    def forward(self, planes: torch.Tensor):
        features = self.trunk(planes)
        return self.log_priors(features, planes), self.value(features)


class Expert(TwoHeadedNet):
    """The two-headed net of lumiknit's notebook "18. 8th Attempt: MCTS with Networks" (2022), layer by layer.

    His planes come in another order (empty, own, other) and his priors are not masked; neither changes a shape.
    His value is the mean over all points, which suits any board.
    """

    def __init__(self, planes: int = 3):
        def head() -> list[nn.Module]:
            return [nn.Conv2d(64, 16, 3, padding="same"), nn.GELU(), nn.Conv2d(16, 1, 1)]

        trunk = [nn.Conv2d(planes, 256, 5, padding="same"), nn.GELU()]
        for channels in (256, 64, 64, 64, 64):
            trunk += [nn.Conv2d(channels, 64, 3, padding="same"), nn.GELU()]
        value = nn.Sequential(*head(), nn.AdaptiveAvgPool2d(1), nn.Flatten(0), nn.Tanh())
        super().__init__(nn.Sequential(*trunk), nn.Sequential(*head()), value)


def point_head(channels: int, hidden: int = 0) -> nn.Module:
    """Features (B, channels, H, W) → scores (B, 1, H, W), each point for itself, with a hidden layer if wanted."""
    if not hidden:
        return nn.Conv2d(channels, 1, 1)
    return nn.Sequential(nn.Conv2d(channels, hidden, 1), nn.ReLU(), nn.Conv2d(hidden, 1, 1))


# By name --------------------------------------------------------------------------------------------------------


def linear_trunk(planes: int = 3, size: int = 9):
    """No trunk but the planes: the head is one linear filter, `size` points wide."""
    trunk = nn.Identity()
    trunk.channels = planes
    return trunk, nn.Conv2d(planes, 1, size, padding=size // 2)


def hidden_trunk(planes: int = 3, channels: int = 32, first: int = 9):
    """One hidden convolution."""
    return ConvTrunk(planes, channels, 1, first), point_head(channels)


def stack_trunk(planes: int = 3, channels: int = 32, layers: int = 4, first: int = 5):
    """A small stack of convolutions."""
    return ConvTrunk(planes, channels, layers, first), point_head(channels)


def line_trunk(planes: int = 3, channels: int = 16, width: int = 32, reach: int = 5, layers: int = 0, head: int = 32):
    """Tables over lines, then a small layer at each point."""
    return LineTrunk(planes, channels, width, reach, layers), point_head(channels, head)


def residual_trunk(planes: int = 3, channels: int = 32, blocks: int = 3, first: int = 5):
    """Residual blocks: 3 × 32 trains on a CPU, 6 × 64 wants a GPU."""
    return ResidualTrunk(planes, channels, blocks, first), point_head(channels, channels)


PARTS: dict[str, Callable] = {
    "linear": linear_trunk,
    "hidden": hidden_trunk,
    "stack": stack_trunk,
    "lines": line_trunk,
    "residual": residual_trunk,
}
NAMES = (*PARTS, "expert")


def make_net(name: str, *, value: bool = False, temperature: float | str = 1.0, seed: int | None = None,
             **sizes) -> PolicyNet:  # fmt: skip
    """A fresh net by name: "linear", "hidden", "stack", "lines", "residual" or "expert".

    Args:
        value: give it a second head, for the outcome. The expert always has one.
        temperature: of the softmax, above 0; or "learnt", starting at 1.
        seed: for its first weights; None takes torch's global state.
        sizes: channels, layers, … of the trunk; see `linear_trunk`, `hidden_trunk` and so on.

    Returns:
        The net, with `.made` = its name and arguments, in channels-last order (measured 1.1 to 2.3 times as fast in
        training on a CPU).

    Raises:
        ValueError: no such net, or a size that it does not take.
    """
    if name not in NAMES:
        raise ValueError(f"A net is one of {', '.join(NAMES)}, got {name!r}.")
    if temperature != "learnt" and not (isinstance(temperature, (int, float)) and 0 < temperature < np.inf):
        raise ValueError(f"A temperature is a number above 0 or 'learnt', got {temperature!r}.")
    wrong = [f"{key}={size!r}" for key, size in sizes.items() if not (isinstance(size, int) and size >= 0)]
    if wrong:
        raise ValueError(f"A size of a net is a whole number from 0, got {', '.join(wrong)}.")
    with torch.random.fork_rng(devices=[], enabled=seed is not None):
        if seed is not None:
            torch.manual_seed(seed)
        try:
            net = _assemble(name, value, temperature, sizes)
        except TypeError as problem:
            raise ValueError(f"Net {name!r}: {problem}") from None
    net.made = {"net": name, "value": value or name == "expert", "temperature": temperature, **sizes}
    return net.to(memory_format=torch.channels_last)


def _assemble(name: str, value: bool, temperature, sizes: dict) -> PolicyNet:
    softmax = TempSoftmax(-1) if temperature == "learnt" else FixedTempSoftmax(-1, float(np.log(temperature)))
    if name == "expert":
        net = Expert(**sizes)
        net.softmax = softmax
        return net
    trunk, policy = PARTS[name](**sizes)
    if value:
        return TwoHeadedNet(trunk, policy, ValueHead(trunk.channels), softmax)
    return PolicyNet(trunk, policy, softmax)


def parameters_of(net: nn.Module) -> int:
    """Number of weights."""
    return sum(weights.numel() for weights in net.parameters())


# From a net to a policy, an agent, an expert ----------------------------------------------------------------------


def heads(net: nn.Module, planes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor | None]:
    """(log-priors (B, H * W), values (B,) or None) of any net.

    A net of one's own may return plain scores of H · W points a board, alone or with values: they are masked and
    normalised here.
    """
    answer = net(planes)
    scores, values = answer if isinstance(answer, tuple) else (answer, None)
    if not getattr(net, "normalised", False):
        scores = functional.log_softmax(mask_occupied(scores.flatten(1), planes), dim=-1)
    return scores, None if values is None else values.flatten()


def device_of(net: nn.Module) -> torch.device:
    """Where the net's weights are; the CPU for a net without weights."""
    return next((weights.device for weights in net.parameters()), torch.device("cpu"))


def expert_of(net: nn.Module, device: str | torch.device | None = None, half: bool | None = None) -> Callable:
    """An expert for the searches: numpy planes (B, C, H, W) → numpy log-priors (B, H * W), values (B,), float32.

    A net without a value head answers 0 for every value.

    Args:
        device: where to run it. Default: where the net is.
        half: bfloat16 weights. Default: on CUDA only.

    Returns:
        On the net's own device and in its own precision the expert uses the net itself, so it follows later
        training; otherwise a copy: make it anew after training. Evaluation mode either way.
    """
    device = torch.device(device or device_of(net))
    half = device.type == "cuda" if half is None else half
    used = net
    if half or device.type != device_of(net).type:
        used = copy.deepcopy(net).to(device, memory_format=torch.channels_last)
        used = used.to(torch.bfloat16) if half else used
    dtype = torch.bfloat16 if half else torch.float32

    @torch.inference_mode()
    def expert(planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        used.eval()
        given = torch.from_numpy(np.ascontiguousarray(planes, dtype=np.float32)).to(device, dtype)
        log_priors, values = heads(used, given)
        if values is None:
            values = torch.zeros(len(log_priors))
        return log_priors.float().cpu().numpy(), values.float().cpu().numpy()

    return expert


class NetPolicy:
    """A net as a policy: game → probabilities (H * W,); `scores(games)` answers many games on one board size.

    Args:
        net: any net that `heads` understands. encoder: makes its planes. name: shown in matches.
    """

    def __init__(self, net: nn.Module, encoder: Encoder = three_planes, name: str = "net", device=None):
        self.net, self.encoder, self.name = net, encoder, name
        self.expert = expert_of(net, device)

    def __call__(self, game) -> np.ndarray:
        return self.scores([game])[0]

    def scores(self, games) -> np.ndarray:
        """Probabilities (B, H * W), float64, 0 on occupied points."""
        log_priors, _ = self.expert(self.encoder.encode(games))
        return np.exp(log_priors.astype(np.float64))


class NetAgent:
    """A net as an agent without search.

    Args:
        temperature: 0 plays the most probable move; t > 0 draws in proportion to p^(1/t).
        seed: a whole number, a numpy Generator, or None.
    """

    def __init__(self, net: nn.Module, temperature: float = 0.0, encoder: Encoder = three_planes, seed=None,
                 name: str = "net", device=None):  # fmt: skip
        if not 0 <= temperature < np.inf:
            raise ValueError(f"A temperature is at least 0, got {temperature!r}.")
        self.policy = NetPolicy(net, encoder, name, device)
        self.temperature, self.name, self.rng = temperature, name, generator_of(seed)

    def __call__(self, game) -> int | None:
        return self.moves([game])[0]

    def moves(self, games) -> list[int | None]:
        """A move in each game; None where no point is empty. Boards of several sizes are asked in groups."""
        answers: list[int | None] = [None] * len(games)
        sizes = {(game.height, game.width) for game in games}
        for size in sorted(sizes):
            members = [i for i, game in enumerate(games) if (game.height, game.width) == size and 0 in game.board]
            if members:
                log_priors, _ = self.policy.expert(self.policy.encoder.encode([games[i] for i in members]))
                for i, move in zip(members, draw_moves(log_priors, self.temperature, self.rng)):
                    answers[i] = int(move)
        return answers


def draw_moves(log_priors: np.ndarray, temperature: float, rng: np.random.Generator) -> np.ndarray:
    """A move for each row of log-priors (B, H * W): the best at temperature 0, else drawn from p^(1/temperature).

    Adding Gumbel noise and taking the maximum draws from the softmax (Gumbel 1954).
    """
    if temperature > 0:
        log_priors = log_priors / temperature + rng.gumbel(size=log_priors.shape)
    return log_priors.argmax(axis=1)
