"""What the `grouping` study runs: `python -m gpu.counters.grouping_driver count|time`.

`count` launches the teaching kernel a few times for each shape and GROUP_M, in the study's order, under the profiler.
`time` compares each C with torch's and prints the times as JSON, in the same order.
"""

import json
import statistics
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import torch

from gpu.counters.grouping import COUNTED, GROUPS, REPEATS, SEED, SHAPES, TILE, programs
from gpu.teaching import matmul_kernel

FLUSH_BYTES = 256 * 2**20
WARM_UP_ROUNDS = 3

Launcher = Callable[[], None]


def main() -> int:
    """Run one of the two modes; C that differs from torch's ends with an error."""
    torch.manual_seed(SEED)
    torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False
    if sys.argv[1:] == ["count"]:
        for shape in SHAPES:
            a, b, c = random_normal(shape)
            for launch in launchers(shape, a, b, c):
                for _ in range(COUNTED):
                    launch()
        torch.cuda.synchronize()
        return 0
    if sys.argv[1:] == ["time"]:
        print(json.dumps([timing for shape in SHAPES for timing in times(shape)]))
        return 0
    print("usage: python -m gpu.counters.grouping_driver count|time", file=sys.stderr)
    return 2


def random_normal(shape: tuple[int, int, int]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """A (M, K) and B (K, N) of normal random numbers and an empty C (M, N), float16, on the GPU."""
    m, n, k = shape
    half: dict[str, Any] = {"device": "cuda", "dtype": torch.float16}
    return torch.randn(m, k, **half), torch.randn(k, n, **half), torch.empty(m, n, **half)


def launchers(shape: tuple[int, int, int], a: torch.Tensor, b: torch.Tensor, c: torch.Tensor) -> Iterator[Launcher]:
    """One function for each GROUP_M that launches the kernel."""
    m, n, k = shape

    def launch(group_m: int) -> None:
        matmul_kernel[(programs(shape),)](a, b, c, m, n, k, GROUP_M=group_m, **TILE)

    for group_m in GROUPS:
        yield partial(launch, group_m)


def check(shape: tuple[int, int, int]) -> None:
    """Compare C with torch's for every GROUP_M. Exact: whole numbers from -4 to 4, whose sums float32 holds."""
    a, b, c = (matrix.random_(-4, 5) for matrix in random_normal(shape))
    right = torch.mm(a, b)
    for group_m, launch in zip(GROUPS, launchers(shape, a, b, c), strict=True):
        c.fill_(float("nan"))
        launch()
        if not torch.equal(c, right):
            raise SystemExit(f"{shape}, GROUP_M = {group_m}: C differs from torch's")


def times(shape: tuple[int, int, int]) -> list[dict[str, float]]:
    """Milliseconds for each GROUP_M; the L2 cache is flushed before every launch.

    The GROUP_M take turns, each round begins with the next one, and the host waits after the last round only. On an
    H200 a large product took longer when it was the first after a wait, whichever GROUP_M it had; waiting after every
    round charged that to the first of the list.
    """
    check(shape)
    runs = list(launchers(shape, *random_normal(shape)))
    flush = torch.empty(FLUSH_BYTES, dtype=torch.int8, device="cuda")
    events: list[list[tuple[torch.cuda.Event, torch.cuda.Event]]] = [[] for _ in runs]
    for turn in range(WARM_UP_ROUNDS + REPEATS):
        for index in places(turn, len(runs)):
            events[index].append(timed(runs[index], flush))
    torch.cuda.synchronize()
    return [summary([start.elapsed_time(stop) for start, stop in pairs[WARM_UP_ROUNDS:]]) for pairs in events]


def places(turn: int, count: int) -> list[int]:
    """Who comes when in a round: round 0 from place 0 on, round 1 from place 1 on and place 0 last, and so forth."""
    return [(turn + step) % count for step in range(count)]


def timed(run: Launcher, flush: torch.Tensor) -> tuple[torch.cuda.Event, torch.cuda.Event]:
    """Queue a flush and a launch between two events."""
    start, stop = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    flush.zero_()
    start.record()
    run()
    stop.record()
    return start, stop


def summary(found: list[float]) -> dict[str, float]:
    """Minimum, quartiles and median of the times, and how many launches they are of."""
    first, middle, third = statistics.quantiles(found, n=4, method="inclusive")
    quartiles = {"first_quartile": first, "median": middle, "third_quartile": third}
    return {"min": min(found), **quartiles, "launches": len(found)}


if __name__ == "__main__":
    sys.exit(main())
