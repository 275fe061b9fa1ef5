"""Time the teaching kernel for many GROUP_M and sizes, the tile kept: does the order of programs matter?

    python -m gpu.bench.group_sweep --output DIR/h200-group-m.json

The sizes include some where it cannot: one row tile, one column tile, or matrices that fit in the L2 cache many times
over.
"""

import argparse
import sys
from pathlib import Path
from typing import Any

import torch

from gpu import matmul
from gpu.bench import environment, inputs, store, timing, verify
from gpu.bench.shapes import Shape, tflops
from gpu.ladder.plan import Config

FORMAT = "gpu-lab group-m 1"
GROUPS = (1, 2, 4, 8, 16, 32)
TILE: Config = {"BM": 128, "BN": 128, "BK": 64, "num_warps": 8, "num_stages": 3}
SHAPES = (
    Shape(1024, 1024, 1024), Shape(2048, 2048, 2048), Shape(4096, 4096, 4096), Shape(8192, 8192, 8192),
    Shape(16384, 16384, 4096), Shape(4096, 11008, 4096), Shape(128, 16384, 8192), Shape(16384, 128, 8192),
    Shape(8192, 8192, 1024),
)  # fmt: skip


def sweep(repeats: int, seed: int, command: str) -> dict[str, Any]:
    """All sizes, all GROUP_M, in turns within a size."""
    started = environment.clocks()
    rows = [row for shape in SHAPES for row in one_shape(shape, repeats, seed)]
    return {
        "format": FORMAT,
        **environment.provenance(command, seed),
        "kernel": "matmul_kernel of gpu/teaching.py, float16",
        "tile": TILE,
        "method": {"replay": timing.METHOD, "cache": timing.FLUSHED},
        "clocks": {"start": started, "end": environment.clocks()},
        "rows": rows,
    }


def one_shape(shape: Shape, repeats: int, seed: int) -> list[dict[str, Any]]:
    """Verify, then time, every GROUP_M on one shape."""
    print(f"  {shape}: GROUP_M {', '.join(map(str, GROUPS))}", file=sys.stderr, flush=True)
    M, N, K = shape.M, shape.N, shape.K
    whole = inputs.integers(M, N, K, torch.float16, "cuda", seed)
    right = verify.reference(*whole)
    a, b = inputs.normal(M, N, K, torch.float16, "cuda", seed)
    c = torch.empty((M, N), dtype=torch.float16, device="cuda")
    checks, graphs = {}, {}
    for group_m in GROUPS:
        config = {**TILE, "GROUP_M": group_m}

        def product(x: torch.Tensor, y: torch.Tensor, z: torch.Tensor, config: Config = config) -> None:
            matmul.matmul(x, y, z, rung="tiled", config=config)

        checks[group_m] = verify.exact(product, *whole, right)["passed"]
        plan = matmul.plan(a, b, c, rung="tiled", config=config, precision="ieee")
        graphs[str(group_m)] = timing.capture(plan.run)
    times = timing.replays_ms(graphs, repeats)
    return [
        {
            "M": M, "N": N, "K": K, "GROUP_M": group_m, "exact": checks[group_m],
            "replay": timing.summary(times[str(group_m)]),
            "tflops": tflops(shape, timing.median(times[str(group_m)])),
        }
        for group_m in GROUPS
    ]  # fmt: skip


def main(arguments: list[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m gpu.bench.group_sweep", description=__doc__)
    parser.add_argument("--output", type=Path, required=True, help="the JSON file to write")
    parser.add_argument("--repeats", type=int, default=15, help="timed repeats")
    parser.add_argument("--seed", type=int, default=0, help="of the random inputs")
    options = parser.parse_args(arguments)
    if not torch.cuda.is_available():
        print("no NVIDIA GPU here: the sweep times kernels, so it needs one", file=sys.stderr)
        return 1
    command = f"python -m gpu.bench.group_sweep --output {options.output.name} --repeats {options.repeats}"
    result = sweep(options.repeats, options.seed, command)
    store.write(options.output, result)
    return 0 if all(row["exact"] for row in result["rows"]) else 1


if __name__ == "__main__":
    raise SystemExit(main())
