"""Time launches on a GPU: recorded as CUDA graphs, replayed in turns, with the L2 cache flushed before each replay.

Everything runs on the current stream and is timed with CUDA events, so a time is what the GPU took between two points
of its own queue; the host waits only after the last repeat.  The host must also be ahead of the GPU, or the time
would be that of launching: flushing takes the GPU long enough, and without it the GPU is told to idle a little.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

import torch
import triton

FLUSH_BYTES = 256 * 2**20  # several times any L2 cache of today
METHOD = (
    "CUDA graph of one call, replayed, between two CUDA events on the same stream; "
    "entries take turns within each repeat; "
    "warm-up rounds are not counted"
)
CALL_METHOD = (
    "host clock around one call and torch.cuda.synchronize(), so Python, launch and waiting count, and the look-up that"
    " `best` makes; entries take turns"
)
FLUSHED = f"{FLUSH_BYTES // 2**20} MiB are overwritten before each repeat, for every entry alike, to empty the L2 cache"
HEAD_START_CYCLES = 200_000  # the GPU idles about 0.1 ms, so that the host has queued what is timed
WARM = "the L2 cache is not emptied between repeats, for any entry: small shapes are timed from cache"

Call = Callable[[], object]


@triton.jit
def empty_kernel(c_ptr):
    """Nothing: what remains is the cost of a launch."""


def empty_launch(c: torch.Tensor) -> None:
    """Launch a kernel of one program that does nothing."""
    empty_kernel[(1,)](c)


@dataclass(frozen=True)
class Recording:
    """A recorded call.  It keeps the call too, and with it the buffers whose addresses the graph holds."""

    graph: torch.cuda.CUDAGraph
    call: Call


def capture(call: Call, warm_ups: int = 2) -> Recording:
    """Record one call as a graph, after running it `warm_ups` times so that nothing is compiled meanwhile."""
    for _ in range(warm_ups):
        call()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        call()
    return Recording(graph, call)


def replays_ms(
    graphs: dict[str, Recording], repeats: int, warm_ups: int = 2, flush: bool = True
) -> dict[str, list[float]]:
    """Milliseconds of each replay, entries in turns; the first `warm_ups` rounds are not counted."""
    scratch = torch.empty(FLUSH_BYTES, dtype=torch.int8, device="cuda")
    events: dict[str, list[tuple[torch.cuda.Event, torch.cuda.Event]]] = {name: [] for name in graphs}
    for _ in range(warm_ups + repeats):
        for name, recording in graphs.items():
            if flush:
                scratch.zero_()
            else:
                torch.cuda._sleep(HEAD_START_CYCLES)
            start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            start.record()
            recording.graph.replay()
            end.record()
            events[name].append((start, end))
    torch.cuda.synchronize()
    return {name: [start.elapsed_time(end) for start, end in pairs[warm_ups:]] for name, pairs in events.items()}


def calls_ms(calls: dict[str, Call], repeats: int, warm_ups: int = 2, flush: bool = True) -> dict[str, list[float]]:
    """Milliseconds of a whole call as a person makes it, entries in turns."""
    scratch = torch.empty(FLUSH_BYTES, dtype=torch.int8, device="cuda")
    times: dict[str, list[float]] = {name: [] for name in calls}
    for turn in range(warm_ups + repeats):
        for name, call in calls.items():
            if flush:
                scratch.zero_()
            torch.cuda.synchronize()
            begun = time.perf_counter()
            call()
            torch.cuda.synchronize()
            if turn >= warm_ups:
                times[name].append((time.perf_counter() - begun) * 1e3)
    return times


def median(values: list[float]) -> float:
    """The middle value, or the mean of the two middle ones."""
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def spread(values: list[float]) -> tuple[float, float]:
    """The values a tenth of the way in from either end."""
    ordered = sorted(values)
    tenth = len(ordered) // 10
    return ordered[tenth], ordered[-1 - tenth]


def summary(values: list[float]) -> dict[str, float | int]:
    """Median and spread of repeats, in milliseconds."""
    low, high = spread(values)
    return {"median_ms": median(values), "low_ms": low, "high_ms": high, "repeats": len(values)}
