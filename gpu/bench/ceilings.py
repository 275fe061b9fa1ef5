"""How fast this GPU goes at best: large copies for its memory, a large product of torch's for its arithmetic.

Rows are held against these and not only against the vendor's figures, which are for a clock that lasting work need not
hold.  Both are timed as every row is: recorded as a graph, replayed in turns, the L2 cache emptied before.

A copy has two ways: the driver's own, which `Tensor.copy_` asks for and which a graph replays as a copy, and a kernel
that reads each number and writes another.  On an H200 the first is much the slower, so both are timed, both are stored,
and the faster is the ceiling.
"""

from collections.abc import Iterable
from typing import Any

import torch

from gpu.bench import inputs, timing
from gpu.bench.shapes import Shape, tflops

COPY_BYTES = 2**30  # read, and as many written: many times any L2 cache
PART_OF_FREE = 8  # no more than this part of the free memory for one buffer
LARGE = Shape(8192, 8192, 8192)
REPEATS = 15
WARM_UPS = 3
WHAT = (
    "from one buffer to another, every byte read once and written once, in two ways in turns, the faster counts; "
    "torch.mm of a large product in each number format; both as graph replays, the median of the repeats"
)


def measure(formats: Iterable[tuple[str, str]], seed: int) -> dict[str, Any]:
    """The ceilings as a result stores them; ``formats`` are pairs of a type and a precision, each measured once."""
    return {
        "what": WHAT,
        "copy": copy(),
        "products": [product(dtype, precision, seed) for dtype, precision in dict.fromkeys(formats)],
    }


def copy_bytes(free_bytes: int) -> int:
    """How large a buffer to copy: COPY_BYTES, less where memory is short, a whole number of mebibytes."""
    return max(min(COPY_BYTES, free_bytes // PART_OF_FREE) // 2**20, 1) * 2**20


def copy() -> dict[str, Any]:
    """Bytes moved by a copy, read and written, its times in each way, and the TB/s of the faster."""
    size = copy_bytes(torch.cuda.mem_get_info()[0])
    source = torch.ones(size // 4, dtype=torch.int32, device="cuda")
    target = torch.empty_like(source)
    ways = {
        "Tensor.copy_": timing.capture(lambda: target.copy_(source)),
        "torch.neg of int32": timing.capture(lambda: torch.neg(source, out=target)),
    }
    return copy_record(2 * size, replayed(ways))


def copy_record(moved_bytes: int, ways_ms: dict[str, list[float]]) -> dict[str, Any]:
    """What is stored of a copy, by way: 2 GiB in 0.5 ms are 4.29 TB/s."""
    way, times_ms = min(ways_ms.items(), key=lambda one: timing.median(one[1]))
    return {
        "moved_bytes": moved_bytes,
        "way": way,
        "replay": timing.summary(times_ms),
        "tb_s": moved_bytes / timing.median(times_ms) / 1e9,
        "ways": {name: timing.summary(times) for name, times in ways_ms.items()},
    }


def product(dtype: str, precision: str, seed: int) -> dict[str, Any]:
    """A large product of random numbers by torch, with float32 in the precision that torch is set to."""
    a, b = inputs.normal(LARGE.M, LARGE.N, LARGE.K, inputs.DTYPES[dtype], "cuda", seed)
    c = torch.empty((LARGE.M, LARGE.N), dtype=a.dtype, device=a.device)
    times = replayed({"torch": timing.capture(lambda: torch.mm(a, b, out=c))})["torch"]
    return product_record(dtype, precision, times)


def product_record(dtype: str, precision: str, times_ms: list[float]) -> dict[str, Any]:
    """What is stored of a product: 8192 cubed in 1.6 ms is 687 TFLOP/s."""
    return {
        "kernel": "torch", "dtype": dtype, "precision": precision, "M": LARGE.M, "N": LARGE.N, "K": LARGE.K,
        "replay": timing.summary(times_ms), "tflops": tflops(LARGE, timing.median(times_ms)),
    }  # fmt: skip


def replayed(graphs: dict[str, timing.Recording]) -> dict[str, list[float]]:
    """Milliseconds of each repeat."""
    return timing.replays_ms(graphs, REPEATS, warm_ups=WARM_UPS)

