"""An expert that replays its net from a recording, so that a GPU need not wait for Python to launch each step of it.

A small net is a hundred short steps on a GPU, and launching them one by one takes longer than the steps. A CUDA graph
is recorded once and then launched as a whole; it repeats the very same steps on the very same memory. There is one
recording for each of a few batch sizes, and a batch is padded up to the next of them. The weights are read where they
are: training that changes them in place is seen by the next replay.

Rules of CUDA graphs: PyTorch's notes on CUDA semantics, section "CUDA Graphs". On other devices nothing is recorded.
"""

from __future__ import annotations

import threading
import time
import warnings
from collections.abc import Callable

import numpy as np
import torch
from torch import nn

from mock5lib.game.encoders import Encoder, three_planes
from mock5lib.nets.nets import device_of, heads, working_copy

LEAST = 8  # boards of the smallest recording


def padded(batch: int) -> int:
    """The batch size to record for: the next of 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, …; less than a quarter more."""
    step = max((1 << (batch - 1).bit_length()) // 8, 1)
    return max(-(-batch // step) * step, LEAST)


class CapturedExpert:
    """An expert for the searches: numpy planes (B, C, H, W) → numpy log-priors (B, H * W), values (B,), float32.

    Any thread may call it; calls take turns. `mock5lib.nets.nets.expert_of` is its plain twin.

    Args:
        net, device, encoder: as for `expert_of`.
        half: weights of 16 bits, see `half_type`. Default: on CUDA only, and not for the "patterns" net.

    Attributes:
        recordings: by (batch size, C, H, W).
        graphs: whether the net is recorded: on CUDA, unless that has failed.
        seconds: that the device has worked so far.
    """

    def __init__(
        self,
        net: nn.Module,
        device: str | torch.device | None = None,
        half: bool | None = None,
        encoder: Encoder = three_planes,
    ):
        if half is None:
            cuda = torch.device(device or device_of(net)).type == "cuda"
            half = cuda and not getattr(net, "wants_float32", False)
        self.net, self.encoder, self.half = net, encoder, half
        self.device, self.used, self.dtype = working_copy(net, device, half)
        self.recordings: dict[tuple[int, ...], Callable] = {}
        self._memory: dict[tuple[int, ...], tuple[torch.Tensor, torch.Tensor]] = {}
        self.graphs, self._pool, self._places = self.device.type == "cuda", None, self._addresses()
        self._watch, self._lock = Stopwatch(self.device), threading.Lock()

    @property
    def seconds(self) -> float:
        return self._watch.wait()

    def refresh(self) -> None:
        """Take the net's newest weights. Needed where `used` is a copy (half precision, another device), or where a
        weight's tensor was replaced by another, not changed in place: recordings would still read the old one.
        """
        with self._lock, torch.no_grad():
            if self.used is not self.net:
                _, fresh, _ = working_copy(self.net, self.device, self.half)
                for mine, newest in zip(self.used.state_dict().values(), fresh.state_dict().values(), strict=True):
                    mine.copy_(newest)
            elif self._places != (places := self._addresses()):
                self._places = places
                self.recordings.clear()

    @torch.inference_mode()
    def __call__(self, planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        batch, channels, height, width = planes.shape
        if batch == 0:
            return np.zeros((0, self.moves(height, width)), np.float32), np.zeros(0, np.float32)
        shape = (padded(batch), channels, height, width)
        with self._lock:  # all of it: while one thread records, no other may use CUDA
            given, answers = self._pinned(shape)
            given.numpy()[:batch] = planes  # the boards behind them are of an earlier batch: nobody reads their answers
            sent = given.to(self.device, non_blocking=True)
            with torch.cuda.device_of(sent):
                replay = self._recording(shape)
                with self._watch:
                    answers.copy_(replay(sent), non_blocking=True)
                self._watch.wait()
            found = answers[:batch].numpy()
            return found[:, :-1].copy(), found[:, -1].copy()

    def moves(self, height: int, width: int) -> int:
        """How many log-priors the net gives for a board."""
        return getattr(self.net, "moves", None) or height * width

    def work(self, planes: torch.Tensor) -> torch.Tensor:
        """What is recorded: planes (B, C, H, W) → log-priors and, in the last column, values (B, H * W + 1)."""
        log_priors, values = heads(self.used.eval(), planes.to(self.dtype))
        values = torch.zeros_like(log_priors[:, 0]) if values is None else values
        return torch.cat([log_priors.float(), values.float()[:, None]], dim=1)

    def _pinned(self, shape: tuple[int, ...]) -> tuple[torch.Tensor, torch.Tensor]:
        """Where planes (B, C, H, W) and answers (B, H * W + 1) lie in main memory, for copies that don't wait.

        Kept, since on an H200 new memory for each batch took as long as the net's answers.
        """
        if shape not in self._memory:
            batch, _, height, width = shape
            pin = self.device.type == "cuda"
            sizes = (shape, (batch, self.moves(height, width) + 1))
            self._memory[shape] = tuple(torch.zeros(size, pin_memory=pin) for size in sizes)
        return self._memory[shape]

    def _recording(self, shape: tuple[int, ...]) -> Callable:
        """The recording for planes of this shape (B, C, H, W), made when it is first asked for."""
        if shape not in self.recordings:
            self.recordings[shape] = self._capture(shape) if self.graphs else self.work
        return self.recordings[shape]

    def _capture(self, shape: tuple[int, ...]) -> Callable:
        """`work` as a CUDA graph; where that fails, `work` itself and a warning."""
        before = torch.cuda.current_stream(self.device)
        self._pool = self._pool or torch.cuda.graph_pool_handle()  # shared: one recording runs at a time
        try:
            given = (torch.zeros(shape, device=self.device),)
            return torch.cuda.make_graphed_callables(self.work, given, pool=self._pool)
        except RuntimeError as problem:
            torch.cuda.set_stream(before)  # the other may be left in the middle of a recording, and current
            for cause in (problem, problem.__context__):  # the end of a broken recording fails, too
                if isinstance(cause, torch.OutOfMemoryError):
                    raise cause from None
            self.graphs = False
            warnings.warn(
                f"The net could not be captured as a CUDA graph ({problem}); its steps are launched one by "
                "one, which is slower.",
                RuntimeWarning,
                stacklevel=2,
            )
            return self.work

    def _addresses(self) -> list[int]:
        """Where the weights lie in the device's memory."""
        return [tensor.data_ptr() for part in (self.used.parameters(), self.used.buffers()) for tensor in part]


class Metered:
    """Any expert, with the `seconds` that its calls took so far on this device."""

    def __init__(self, expert: Callable, device: str | torch.device = "cpu"):
        self.expert, self._watch = expert, Stopwatch(torch.device(device))
        self.encoder = getattr(expert, "encoder", three_planes)

    @property
    def seconds(self) -> float:
        return self._watch.wait()

    def __call__(self, planes: np.ndarray):
        with self._watch:
            return self.expert(planes)


class Stopwatch:
    """`with watch:` around launches notes how long a device works on them, without waiting for it.

    On CUDA by events on the current stream; elsewhere by the clock.
    """

    def __init__(self, device: torch.device):
        self.cuda = device.type == "cuda"
        self._total, self._laps = 0.0, []

    def __enter__(self) -> Stopwatch:
        self._start = self._mark()
        return self

    def __exit__(self, *_) -> None:
        self._laps.append((self._start, self._mark()))

    def _mark(self):
        if not self.cuda:
            return time.perf_counter()
        event = torch.cuda.Event(enable_timing=True, blocking=True)
        event.record()
        return event

    def wait(self) -> float:
        """Wait for the end of the work, without using a core; returns the seconds of all of it so far."""
        laps, self._laps = self._laps, []
        for start, end in laps:
            if self.cuda:
                end.synchronize()
            self._total += start.elapsed_time(end) / 1000 if self.cuda else end - start
        return self._total
