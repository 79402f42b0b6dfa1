"""An expert that replays its net from a recording, so that a GPU need not wait for Python to launch each step of it.

A small net is a hundred short steps on a GPU, and launching them one by one takes longer than the steps. A CUDA graph
is recorded once and then launched as a whole. It repeats the very same steps on the very same memory, so all that it
reads and writes must stay where it is:

    planes → pinned memory → the GPU's planes → (recording) → the GPU's answers → pinned memory → arrays

There is one recording for each of a few batch sizes, and a batch is padded up to the next of them. The weights are read
where they are: training that changes them in place is seen by the next replay.

Rules of CUDA graphs: PyTorch's notes on CUDA semantics, section "CUDA Graphs". On other devices a "recording" is the
work itself, done on the same memory; so all but the three calls to CUDA is tested without a GPU.
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
from mock5lib.nets.blocks import EMPTY_PLANE
from mock5lib.nets.nets import convolutions, heads, working_copy

LEAST, WARM_UP = 8, 3  # boards of the smallest recording; runs before a recording, in which libraries choose their ways


def padded(batch: int) -> int:
    """The batch size to record for: the next of 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, …; less than a quarter more."""
    step = max((1 << (batch - 1).bit_length()) // 8, 1)
    return max(-(-batch // step) * step, LEAST)


class CapturedExpert:
    """An expert for the searches: numpy planes (B, C, H, W) → numpy log-priors (B, H * W), values (B,), float32.

    Any thread may call it; calls take turns. `mock5lib.nets.nets.expert_of` is its plain twin.

    Args:
        net, device, half, encoder: as for `expert_of`.
        recorder: what records and runs the work. Default: `Graphs` on CUDA, else `Direct`.

    Attributes:
        recordings: by (batch size, C, H, W); dropped when a weight's tensor is replaced by another.
        seconds: that the device has worked so far.
    """

    def __init__(
        self,
        net: nn.Module,
        device: str | torch.device | None = None,
        half: bool | None = None,
        recorder: Direct | Graphs | None = None,
        encoder: Encoder = three_planes,
    ):
        self.net, self.encoder = net, encoder
        self.device, self.used, self.dtype = working_copy(net, device, half)
        self.recorder = recorder or (Graphs(self.device) if self.device.type == "cuda" else Direct(self.device))
        self.recordings: dict[tuple[int, ...], Recording] = {}
        self._lock, self._places = threading.Lock(), self._addresses()

    @property
    def seconds(self) -> float:
        return self.recorder.watch.wait()

    def refresh(self) -> None:
        """Take the net's newest weights. Needed only where `used` is a copy (half precision, another device)."""
        if self.used is self.net:
            return
        fresh = working_copy(self.net, self.device, self.dtype != torch.float32)[1]
        with self._lock, torch.no_grad():
            for mine, newest in zip(self.used.state_dict().values(), fresh.state_dict().values(), strict=True):
                mine.copy_(newest)

    @torch.inference_mode()
    def __call__(self, planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        batch, *shape = planes.shape
        if batch == 0:
            return np.zeros((0, shape[1] * shape[2]), np.float32), np.zeros(0, np.float32)
        with self._lock:
            self.used.eval()
            return self._recording(padded(batch), *shape).answer(planes)

    def _recording(self, *shape: int) -> Recording:
        """The recording for planes of this shape (B, C, H, W), made when it is first asked for."""
        places = self._addresses()
        if places != self._places:  # a recording would still read the old ones
            self._places = places
            self.recordings.clear()
        if shape not in self.recordings:
            self.recordings[shape] = Recording(self.used, shape, self.dtype, self.recorder)
        return self.recordings[shape]

    def _addresses(self) -> list[int]:
        """Where the weights lie in the device's memory."""
        return [tensor.data_ptr() for part in (self.used.parameters(), self.used.buffers()) for tensor in part]


class Metered:
    """Any expert, with the `seconds` that its calls took so far."""

    def __init__(self, expert: Callable):
        self.expert, self.seconds = expert, 0.0
        self.encoder = getattr(expert, "encoder", three_planes)

    def __call__(self, planes: np.ndarray):
        start = time.perf_counter()
        try:
            return self.expert(planes)
        finally:
            self.seconds += time.perf_counter() - start


class Recording:
    """A net's forward pass for one shape of planes (B, C, H, W), with the memory it reads and writes."""

    def __init__(self, net: nn.Module, shape: tuple[int, ...], dtype: torch.dtype, recorder: Direct | Graphs):
        batch, points = shape[0], shape[2] * shape[3]
        device, pinned = recorder.device, recorder.pinned
        self.recorder, self.points = recorder, points
        self.planes = torch.zeros(shape, pin_memory=pinned)  # rows that pad a batch: empty boards, or boards of before
        self.planes[:, EMPTY_PLANE] = 1
        self.answers = torch.empty((batch, points + 1), pin_memory=pinned)  # log-priors and, in the last column, values
        self.device_planes = self.planes.to(device, copy=True)
        self.device_answers = torch.zeros((batch, points + 1), device=device)

        def work() -> None:
            with convolutions(net):
                log_priors, values = heads(net, self.device_planes.to(dtype))
            self.device_answers[:, :points] = log_priors
            if values is not None:
                self.device_answers[:, points] = values

        self.replay = recorder.record(work)

    def answer(self, planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Log-priors (B, H * W) and values (B,) of planes (B, C, H, W), B at most that of the recording."""
        batch = len(planes)
        self.planes[:batch].numpy()[:] = planes

        def steps() -> None:
            self.device_planes[:batch].copy_(self.planes[:batch], non_blocking=True)
            self.replay()
            self.answers[:batch].copy_(self.device_answers[:batch], non_blocking=True)

        self.recorder.run(steps)
        answers = self.answers[:batch].numpy()
        return answers[:, : self.points].copy(), answers[:, self.points].copy()


# What records ---------------------------------------------------------------------------------------------------


class Direct:
    """Does the work at each replay. For a CPU."""

    pinned = False

    def __init__(self, device: torch.device):
        self.device, self.watch = device, Stopwatch(device)

    def record(self, work: Callable[[], None]) -> Callable[[], None]:
        return work

    def run(self, steps: Callable[[], None]) -> None:
        with self.watch:
            steps()
        self.watch.wait()


class Graphs:
    """Records work as CUDA graphs, and runs it on a stream of its own. Where that fails: plain launches, a warning."""

    pinned = True

    def __init__(self, device: torch.device):
        self.device, self.watch = device, Stopwatch(device)
        self.stream = torch.cuda.Stream(device)
        self.pool = torch.cuda.graph_pool_handle()  # shared: recordings are replayed one at a time
        self.failed = False

    def record(self, work: Callable[[], None]) -> Callable[[], None]:
        self.stream.wait_stream(torch.cuda.current_stream(self.device))
        with torch.cuda.stream(self.stream):
            for _ in range(WARM_UP):
                work()
        if self.failed:
            return work
        graph, before = torch.cuda.CUDAGraph(), torch.cuda.current_stream(self.device)
        try:
            # thread_local: the other thread walks trees, and may use CUDA for something else.
            with torch.cuda.graph(graph, pool=self.pool, stream=self.stream, capture_error_mode="thread_local"):
                work()
        except RuntimeError as problem:
            self.failed = True
            torch.cuda.set_stream(before)  # the other may be left in the middle of a recording, and current
            self.stream = torch.cuda.Stream(self.device)
            warnings.warn(
                f"The net could not be captured as a CUDA graph ({problem}); its steps are launched one by "
                "one, which is slower.",
                RuntimeWarning,
                stacklevel=2,
            )
            return work
        return graph.replay

    def run(self, steps: Callable[[], None]) -> None:
        """Run the steps after all that the calling thread has launched, and wait for their end."""
        self.stream.wait_stream(torch.cuda.current_stream(self.device))
        with torch.cuda.stream(self.stream), self.watch:
            steps()
        self.watch.wait()


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
