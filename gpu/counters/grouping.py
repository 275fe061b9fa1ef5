"""The `grouping` study: the teaching Triton kernel over GROUP_M and shapes, its L2 and DRAM counters and its time."""

import json
import statistics
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from gpu.counters.profiler import Launch, Unmeasured, profile, run

GROUPS = (1, 2, 4, 8, 16, 32, 64)

# M, N, K. What each is here for: 1024³ is one wave of programs and 2048³ fits in the L2 cache, so that grouping has
# nothing to do; the cubes above do not fit; a tall C has few columns of tiles, so that row-major order walks down by
# itself; a wide C has few rows of tiles; the last has a short K, so that storing C weighs more than loading.
SHAPES = (
    (1024, 1024, 1024),
    (2048, 2048, 2048),
    (4096, 4096, 4096),
    (8192, 8192, 8192),
    (16384, 16384, 16384),
    (16384, 1024, 8192),
    (1024, 16384, 8192),
    (16384, 16384, 512),
)

TILE = {"BM": 128, "BN": 128, "BK": 64, "num_warps": 8, "num_stages": 3}
ITEM_BYTES = 2  # float16
SEED = 0
REPEATS = 30  # timed launches
COUNTED = 3  # launches under the profiler; an odd number, so that a median is one of them

READ = "lts__t_sectors_srcunit_tex_op_read.sum"
READ_HIT = "lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum"
READ_MISS = "lts__t_sectors_srcunit_tex_op_read_lookup_miss.sum"
DRAM_READ = "dram__bytes_read.sum"
DRAM_WRITE = "dram__bytes_write.sum"
TIME = "gpu__time_duration.sum"
METRICS = (READ, READ_HIT, READ_MISS, DRAM_READ, DRAM_WRITE, TIME)


def measure(reports: Path) -> Iterator[dict[str, Any]]:
    """One record for each shape and GROUP_M. The kernel's C is compared with torch's, exactly, before it is timed."""
    driver = [sys.executable, "-m", "gpu.counters.grouping_driver"]
    times = json.loads(run([*driver, "time"], "timing the teaching kernel"))
    launches = profile([*driver, "count"], METRICS, reports / "grouping.ncu-rep")
    wanted = [(shape, group_m) for shape in SHAPES for group_m in GROUPS]
    if len(launches) != COUNTED * len(wanted) or len(times) != len(wanted):
        raise Unmeasured(
            f"grouping: {len(launches)} launches profiled and {len(times)} timed; "
            f"expected {COUNTED * len(wanted)} and {len(wanted)}"
        )
    for index, ((shape, group_m), timing) in enumerate(zip(wanted, times, strict=True)):
        yield record(shape, group_m, launches[COUNTED * index : COUNTED * (index + 1)], timing)


def programs(shape: tuple[int, int, int]) -> int:
    """The grid's size: one program for each tile of C."""
    return -(-shape[0] // TILE["BM"]) * -(-shape[1] // TILE["BN"])


def model_loads(shape: tuple[int, int, int]) -> int:
    """Elements that the programs load: each of A once for each column of tiles, each of B once for each row."""
    m, n, k = shape
    return m * k * -(-n // TILE["BN"]) + k * n * -(-m // TILE["BM"])


def hit_rate(launch: Launch) -> float:
    """Of the sectors that the SMs asked the L2 cache for, the part that it had: hits / (hits + misses).

    Two limits. The profiler counts hits and misses in different passes, and how many sectors the SMs ask for differs
    from pass to pass, so hits + misses is only about the sectors read and the rate is good to a few hundredths. And a
    miss need not go to DRAM: the cache has two halves, and what one misses the other may have. `dram_read_bytes` is
    the firmer number.
    """
    hits, misses = launch.count(READ_HIT), launch.count(READ_MISS)
    return hits / (hits + misses)


def record(
    shape: tuple[int, int, int], group_m: int, launches: Sequence[Launch], timing: dict[str, Any]
) -> dict[str, Any]:
    """What is stored for one shape and GROUP_M. Loads are elements, sectors are 32 bytes, times are milliseconds.

    Counters are medians of the launches; for the hit rate and the DRAM bytes the least and the most stand beside.
    `profiled_ms` is of a launch alone. `time_ms` is of launches back to back, where a large product may run at the
    card's power limit and a GROUP_M that saves DRAM reads may save no time.
    """
    for launch in launches:
        if launch.blocks != programs(shape):
            raise Unmeasured(f"grouping: {shape} was launched with {launch.blocks} programs; not {programs(shape)}")
    rates = sorted(hit_rate(launch) for launch in launches)
    from_dram = sorted(launch.count(DRAM_READ) for launch in launches)
    m, n, k = shape
    return {
        "m": m,
        "n": n,
        "k": k,
        "group_m": group_m,
        "programs": programs(shape),
        "model_loads": model_loads(shape),
        "input_bytes": (m * k + k * n) * ITEM_BYTES,
        "counted_launches": len(launches),
        "l2_read_sectors": statistics.median(launch.count(READ) for launch in launches),
        "l2_read_hit_sectors": statistics.median(launch.count(READ_HIT) for launch in launches),
        "l2_read_miss_sectors": statistics.median(launch.count(READ_MISS) for launch in launches),
        "l2_hit_rate": statistics.median(rates),
        "l2_hit_rate_range": [rates[0], rates[-1]],
        "dram_read_bytes": statistics.median(from_dram),
        "dram_read_bytes_range": [from_dram[0], from_dram[-1]],
        "dram_write_bytes": statistics.median(launch.count(DRAM_WRITE) for launch in launches),
        "profiled_ms": statistics.median(launch.values[TIME] for launch in launches) / 1e6,
        "time_ms": timing,
    }
