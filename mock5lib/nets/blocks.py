"""The parts that nets are made of: trunks (planes → features of every point) and heads (features → scores or value).

All work on boards of any size. A head takes the features (B, channels, H, W) and which points are empty, (B, 1, H, W)
bool. The planes are those of `game.encoders`: own stones, other's stones, empty points, and perhaps more.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import nn
from torch.nn import functional
from torch.nn.utils.fusion import fuse_conv_bn_eval

from mock5lib.base.compiled import compiled
from mock5lib.game.lockstep_compiled import OCCUPIED

EMPTY_PLANE = 2


def mask_occupied(scores: torch.Tensor, planes: torch.Tensor) -> torch.Tensor:
    """Scores (B, H * W) in float32, `OCCUPIED` where the empty plane of (B, C, H, W) is 0."""
    return scores.float().masked_fill(planes[:, EMPTY_PLANE].flatten(1) == 0, OCCUPIED)


def empty_points(planes: torch.Tensor) -> torch.Tensor:
    """Which points are empty: planes (B, C, H, W) → (B, 1, H, W) bool."""
    return planes[:, EMPTY_PLANE : EMPTY_PLANE + 1] > 0


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


def fuse_norms(net: nn.Module) -> nn.Module:
    """Fold each batch norm of the residual trunks in `net` into the convolution before it. Changes the net in place.

    In evaluation mode the answers stay the same, up to rounding, and need one pass over the features less: measured
    1.1 times as fast on a CPU in float32, 1.35 times in bfloat16. The net can't be trained any more.
    """
    net.eval()
    for part in net.modules():
        if isinstance(part, ResidualTrunk):
            part[0], part[1] = fuse_conv_bn_eval(part[0], part[1]), nn.Identity()
        elif isinstance(part, ResidualBlock):
            part.one, part.norm_one = fuse_conv_bn_eval(part.one, part.norm_one), nn.Identity()
            part.two, part.norm_two = fuse_conv_bn_eval(part.two, part.norm_two), nn.Identity()
    return net


RAYS = ((0, 1), (1, 0), (1, 1), (1, -1), (0, -1), (-1, 0), (-1, -1), (-1, 1))  # ray d + 4 is opposite to ray d
EMPTY, OWN, BLOCKED = 0, 1, 2  # what a player sees on a line: the other's stones and the edge both block


class PatternTrunk(nn.Module):
    """Features from the four lines through each point: planes (B, 3, H, W) → (B, 2 * width + 1, H, W).

    For one player nothing counts on a ray beyond the first stone of the other, or the edge. So the `reach` points of
    a ray have 2^(reach + 1) − 1 states, 63 of them for 5, and two opposite rays make a line. A learned table gives each
    kind of line a vector of `width` numbers, and those of a point's four lines are summed: an n-tuple network (Lucas
    2008), and the way in which strong Gomoku engines begin (Rapfi's pattern tables, Jin et al. 2025). Both players'
    lines go through the same table, in either sense, so the trunk has the board's eight symmetries built in. The last
    channel is the distance from the center, in points. `layers` convolutions may follow, of `2 * width + 1` channels.

    Some lines never occur on a small board: none of 9 × 9 is empty for five points both ways. So a line's vector is
    that of its two rays, which do occur, plus a correction of its own, which starts at 0 and stays there until it has
    something to learn from. Without this a net from 9 × 9 plays nonsense on 15 × 15.
    """

    def __init__(self, planes: int = 3, width: int = 16, reach: int = 5, layers: int = 0):
        super().__init__()
        if planes != 3:
            raise ValueError(f"A pattern trunk reads the three planes own, other and empty, got {planes} planes.")
        self.channels, self.reach, self.states = 2 * width + 1, reach, 2 ** (reach + 1) - 1
        self.rays = nn.Parameter(torch.randn(self.states, width) * 0.1)
        self.table = nn.Parameter(torch.zeros(self.states**2, width))
        self.register_buffer("state_of_code", ray_states(reach), persistent=False)
        self.after = nn.Sequential(
            *[
                step
                for _ in range(layers)
                for step in (nn.Conv2d(self.channels, self.channels, 3, padding=1), nn.ReLU())
            ]
        )

    def line_kinds(self, planes: torch.Tensor) -> torch.Tensor:
        """Which row of the table each line has: (4, B, H, W, 2) int64, the last axis own and other player."""
        if planes.device.type == "cpu":
            whole = planes.detach().float().contiguous().numpy()
            return torch.from_numpy(line_kinds_on_cpu(whole, self.state_of_code.numpy(), self.reach, self.states))
        return self.line_kinds_in_torch(planes)

    def line_kinds_in_torch(self, planes: torch.Tensor) -> torch.Tensor:
        """The same in torch, for other devices: each ray as a number in base 3, looked up in a table of states."""
        height, width, reach = planes.shape[2], planes.shape[3], self.reach
        free = 2 * planes[:, EMPTY_PLANE]
        seen = torch.stack([2 - free - planes[:, 0], 2 - free - planes[:, 1]], dim=-1).to(torch.int32)
        seen = functional.pad(seen, (0, 0, reach, reach, reach, reach), value=BLOCKED)

        def shifted(d_row: int, d_col: int) -> torch.Tensor:
            return seen[:, reach + d_row : reach + d_row + height, reach + d_col : reach + d_col + width]

        codes = []
        for d_row, d_col in RAYS:
            code = shifted(reach * d_row, reach * d_col)
            for step in range(reach - 1, 0, -1):
                code = code * 3 + shifted(step * d_row, step * d_col)
            codes.append(code)
        states = self.state_of_code[torch.stack(codes).long()]
        one_way, other_way = states[:4], states[4:]
        return torch.maximum(one_way, other_way) * self.states + torch.minimum(one_way, other_way)

    def forward(self, planes: torch.Tensor) -> torch.Tensor:
        batch, _, height, width = planes.shape
        kinds = self.line_kinds(planes).reshape(4, -1)
        table = self.table + (self.rays[:, None] + self.rays[None, :]).flatten(0, 1)
        # index_select and in-place sums: 1.5 times as fast in training as `embedding` and copies, on a CPU.
        lines = table.index_select(0, kinds[0])
        for direction in (1, 2, 3):
            lines += table.index_select(0, kinds[direction])
        lines = lines.view(batch, height, width, -1).permute(0, 3, 1, 2)
        return self.after(torch.cat([lines, center_distance(planes)], dim=1))


@compiled(nogil=True)
def line_kinds_on_cpu(planes, state_of_code, reach, states):
    """`PatternTrunk.line_kinds` of planes (B, C, H, W) float32, several times as fast as in torch.

    state_of_code: (3^reach,) the state of a ray by its points in base 3, the nearest last; see `ray_states`.
    """
    batch, _, height, width = planes.shape
    span = width + 2 * reach
    kinds = np.empty((4, batch, height, width, 2), np.int64)
    seen = np.full(((height + 2 * reach) * span, 2), BLOCKED, np.int64)  # of one board with a rim, by each player
    for b in range(batch):
        for row in range(height):
            for col in range(width):
                stones, empty = planes[b, :2, row, col], planes[b, EMPTY_PLANE, row, col] != 0
                for player in range(2):
                    place = (row + reach) * span + col + reach
                    seen[place, player] = EMPTY if empty else OWN if stones[player] != 0 else BLOCKED
        for direction in range(4):
            step = RAYS[direction][0] * span + RAYS[direction][1]
            for row in range(height):
                for col in range(width):
                    place = (row + reach) * span + col + reach
                    for player in range(2):
                        one, other = 0, 0
                        for distance in range(reach, 0, -1):
                            one = 3 * one + seen[place + distance * step, player]
                            other = 3 * other + seen[place - distance * step, player]
                        one, other = state_of_code[one], state_of_code[other]
                        kinds[direction, b, row, col, player] = max(one, other) * states + min(one, other)
    return kinds


def ray_states(reach: int) -> torch.Tensor:
    """The state of each code of a ray, (3^reach,) int64: points before the block, and which of them are own stones."""
    states = []
    for code in range(3**reach):
        points = [code // 3**step % 3 for step in range(reach)]  # from the nearest outwards
        before = points.index(BLOCKED) if BLOCKED in points else reach
        own = sum(1 << step for step in range(before) if points[step] == OWN)
        states.append((1 << before) - 1 + own)
    return torch.tensor(states)


def center_distance(planes: torch.Tensor) -> torch.Tensor:
    """Each point's distance from the board's center, in points: (B, 1, H, W) for planes (B, C, H, W)."""
    batch, _, height, width = planes.shape
    rows = torch.arange(height, device=planes.device, dtype=planes.dtype) - (height - 1) / 2
    cols = torch.arange(width, device=planes.device, dtype=planes.dtype) - (width - 1) / 2
    return torch.hypot(rows[:, None], cols[None, :]).expand(batch, 1, height, width)


# Heads ----------------------------------------------------------------------------------------------------------


class PlainHead(nn.Sequential):
    """A stack of layers as a head: it does not ask which points are empty."""

    def forward(self, features: torch.Tensor, empty: torch.Tensor) -> torch.Tensor:
        return super().forward(features)


class BoardHead(PlainHead):
    """`answers` numbers from all points of one board together (Silver et al. 2017): moves need not be points."""

    def __init__(self, channels: int, points: int, answers: int, few: int = 4):
        super().__init__(nn.Conv2d(channels, few, 1), nn.ReLU(), nn.Flatten(), nn.Linear(few * points, answers))


def point_head(channels: int, hidden: int = 0) -> PlainHead:
    """Scores (B, 1, H, W), each point for itself, with a hidden layer if wanted."""
    if not hidden:
        return PlainHead(nn.Conv2d(channels, 1, 1))
    return PlainHead(nn.Conv2d(channels, hidden, 1), nn.ReLU(), nn.Conv2d(hidden, 1, 1))


class ComparingHead(nn.Module):
    """Scores (B, 1, H, W) that know what the other points offer.

    A point that is good by itself may still not be the best on the board, and a head that sees each point alone cannot
    know. Here `compare` numbers of each point have the largest of all empty points subtracted, and a second layer sees
    the differences (global pooling; Wu 2019).
    """

    def __init__(self, channels: int, hidden: int = 32, compare: int = 8):
        super().__init__()
        self.hidden = nn.Conv2d(channels, hidden, 1)
        self.compared = nn.Conv2d(hidden, compare, 1)
        self.second = nn.Conv2d(hidden + compare, hidden, 1)
        self.out = nn.Conv2d(hidden, 1, 1)

    def forward(self, features: torch.Tensor, empty: torch.Tensor) -> torch.Tensor:
        features = functional.relu(self.hidden(features))
        numbers = self.compared(features)
        lowest = torch.finfo(numbers.dtype).min  # `OCCUPIED` is no number of 16 bits
        largest = numbers.masked_fill(~empty, lowest).amax(dim=(2, 3), keepdim=True)
        return self.out(functional.relu(self.second(torch.cat([features, numbers - largest], dim=1))))


class ValueHead(nn.Module):
    """Features (B, channels, H, W), empty (B, 1, H, W) bool → the outcome for the player to move, (B,) in [−1, 1].

    Mean and maximum over the empty points make it independent of the board's size (global pooling; Wu 2019).
    """

    def __init__(self, channels: int, hidden: int = 32):
        super().__init__()
        self.points = nn.Conv2d(channels, hidden, 1)
        self.board = nn.Linear(2 * hidden, hidden)
        self.out = nn.Linear(hidden, 1)

    def forward(self, features: torch.Tensor, empty: torch.Tensor) -> torch.Tensor:
        points = functional.relu(self.points(features)) * empty
        count = empty.sum(dim=(2, 3)).clamp(min=1)
        pooled = torch.cat([points.sum(dim=(2, 3)) / count, points.amax(dim=(2, 3))], dim=1)
        return torch.tanh(self.out(functional.relu(self.board(pooled)))).squeeze(1)
