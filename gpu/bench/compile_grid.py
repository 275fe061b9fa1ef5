"""What the compiler makes of the teaching kernel for a grid of tiles: registers, spills, shared memory.

python -m gpu.bench.compile_grid --output DIR/h200-compiled.json
"""

import argparse
import sys
from itertools import product
from pathlib import Path
from typing import Any

import torch
import triton

from gpu.bench import environment, ptx, store
from gpu.bench.compiling import plan_for, workers_pool
from gpu.ladder.plan import Config

FORMAT = "gpu-lab compiled 1"
SHAPE = (4096, 4096, 4096)  # only that the sizes are multiples of 16 matters to the compiler
TILES = (32, 64, 128, 256)
WIDTHS = (16, 32, 64, 128)
STAGES = (2, 3, 4)
WARPS = (4, 8)
REGISTERS_EACH = 255  # the most that one thread can have
MOST_IN_ACCUMULATOR = (
    256  # float32 lanes a thread; above that a configuration spills for certain and compiles for minutes
)


def configs() -> list[Config]:
    """Every combination whose accumulator could fit in registers."""
    return [
        {"BM": BM, "BN": BN, "BK": BK, "GROUP_M": 8, "num_stages": stages, "num_warps": warps}
        for BM, BN, BK, stages, warps in product(TILES, TILES, WIDTHS, STAGES, WARPS)
        if MOST_IN_ACCUMULATOR * 32 * warps >= BM * BN
    ]


def one(config: Config) -> dict[str, Any]:
    """Compile and load one configuration; a kernel that asks for too much shared memory does not load, and says so."""
    compiled = plan_for(SHAPE, ("float16", "ieee"), "tiled", config).compile()[0]
    numbers = {key: config[key] for key in ("BM", "BN", "BK", "num_stages", "num_warps")}
    row = {**numbers, "shared_bytes": compiled.metadata.shared, "instructions": ptx.counts(compiled.asm["ptx"])}
    try:
        found = ptx.resources(compiled)
    except triton.runtime.errors.OutOfResources as problem:
        return {**row, "fits": False, "registers": None, "spills": None, "needs": str(problem)}
    return {**row, "fits": True, "registers": found["registers"], "spills": found["spills"], "needs": ""}


def grid(workers: int, command: str) -> dict[str, Any]:
    """The whole grid with its provenance."""
    wanted = configs()
    with workers_pool(workers) as pool:
        rows = pool.map(one, wanted, chunksize=4)
    properties = torch.cuda.get_device_properties(0)
    return {
        "format": FORMAT,
        **environment.provenance(command, 0),
        "kernel": "matmul_kernel of gpu/teaching.py, float16, sizes multiples of 16, GROUP_M = 8",
        "shared_bytes_limit": getattr(properties, "shared_memory_per_block_optin", None),
        "registers_limit": REGISTERS_EACH,
        "rows": rows,
    }


def main(arguments: list[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m gpu.bench.compile_grid", description=__doc__)
    parser.add_argument("--output", type=Path, required=True, help="the JSON file to write")
    parser.add_argument("--workers", type=int, default=16, help="processes that compile")
    options = parser.parse_args(arguments)
    if not torch.cuda.is_available():
        print("no NVIDIA GPU here: registers are counted when a kernel is loaded on one", file=sys.stderr)
        return 1
    store.write(
        options.output, grid(options.workers, f"python -m gpu.bench.compile_grid --output {options.output.name}")
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
