"""The `grouping` study: the teaching Triton kernel over GROUP_M and shapes, its L2 and DRAM counters and its time."""

import json
import sys
from collections.abc import Iterator
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
REPEATS = 30

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
    launches = profile([*driver, "once"], METRICS, reports / "grouping.ncu-rep")
    wanted = [(shape, group_m) for shape in SHAPES for group_m in GROUPS]
    if len(launches) != len(wanted) or len(times) != len(wanted):
        raise Unmeasured(f"grouping: {len(launches)} launches profiled and {len(times)} timed; expected {len(wanted)}")
    for (shape, group_m), launch, timing in zip(wanted, launches, times, strict=True):
        yield record(shape, group_m, launch, timing)


def programs(shape: tuple[int, int, int]) -> int:
    """The grid's size: one program for each tile of C."""
    return -(-shape[0] // TILE["BM"]) * -(-shape[1] // TILE["BN"])


def model_loads(shape: tuple[int, int, int]) -> int:
    """Elements that the programs load: each of A once for each column of tiles, each of B once for each row."""
    m, n, k = shape
    return m * k * -(-n // TILE["BN"]) + k * n * -(-m // TILE["BM"])


def record(shape: tuple[int, int, int], group_m: int, launch: Launch, timing: dict[str, Any]) -> dict[str, Any]:
    """What is stored for one shape and GROUP_M. Loads are elements, sectors are 32 bytes, times are milliseconds.

    The hit rate is of reads that the SMs sent to the L2 cache: hits / (hits + misses).
    """
    if launch.blocks != programs(shape):
        raise Unmeasured(f"grouping: {shape} was launched with {launch.blocks} programs; expected {programs(shape)}")
    hits, misses = launch.count(READ_HIT), launch.count(READ_MISS)
    m, n, k = shape
    return {
        "m": m,
        "n": n,
        "k": k,
        "group_m": group_m,
        "programs": launch.blocks,
        "model_loads": model_loads(shape),
        "input_bytes": (m * k + k * n) * ITEM_BYTES,
        "l2_read_sectors": launch.count(READ),
        "l2_read_hit_sectors": hits,
        "l2_read_miss_sectors": misses,
        "l2_hit_rate": hits / (hits + misses),
        "dram_read_bytes": launch.count(DRAM_READ),
        "dram_write_bytes": launch.count(DRAM_WRITE),
        "profiled_ms": launch.values[TIME] / 1e6,
        "time_ms": timing,
    }
