"""Verify, time, count and store everything on the GPU of this machine, in one go.

    python -m gpu.run_all --output gpu/results

Writes DIR/NAME-*.json, NAME being the GPU's short name, in this order: crosscheck (the teaching kernel against sim,
fact for fact), matmul-half (float16 and bfloat16), matmul-float32-ieee, matmul-float32-tf32, group-m (the sweep of
program orders), compiled (registers, spills, shared memory), counters (loads and cache hits, which need Nsight Compute
and nvcc) and programs (what the downloads and the doctor print).  The first and the last two are commands of their own;
when one of them fails the rest is stored all the same, and the exit status is 1.
"""

import argparse
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import torch

from gpu.bench import compile_grid, group_sweep, report, session, store
from gpu.bench.cli import RUNG_NAMES
from gpu.bench.compiling import Kind, Task, compiled, workers_pool
from gpu.bench.rows import Request, configure
from gpu.bench.shapes import KNOWN, Shape
from gpu.ladder import autotuned
from gpu.tuning.search import SHAPES

RUNS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("matmul-half", ("float16", "bfloat16"), "ieee"),
    ("matmul-float32-ieee", ("float32",), "ieee"),
    ("matmul-float32-tf32", ("float32",), "tf32"),
)
KERNELS = (*RUNG_NAMES, "best")


def short_name(device: str) -> str:
    """ "NVIDIA H200" is "h200"."""
    return re.sub(r"[^a-z0-9]+", "-", device.lower().removeprefix("nvidia")).strip("-")


def tasks() -> list[Task]:
    """Everything that the runs will compile."""
    found: list[Task] = []
    for _, dtypes, precision in RUNS:
        for dtype in dtypes:
            kind: Kind = (dtype, precision)
            for shape in SHAPES:
                for kernel in KERNELS:
                    rung, config = configure(kernel, "autotuned", Shape(*shape), dtype, precision)
                    itemsize = 4 if dtype == "float32" else 2
                    if config is None:
                        found += [(shape, kind, "tiled", tried) for tried in autotuned.configs(itemsize)]
                    elif not session.refusal(rung, Shape(*shape), itemsize):
                        found.append((shape, kind, rung, config))
    return found


def matmul_run(dtypes: tuple[str, ...], precision: str, repeats: int, seed: int, command: str) -> dict[str, Any]:
    """Every rung and "best" on every shape, beside torch."""
    request = Request(
        kernels=KERNELS, config="autotuned", precision=precision, repeats=repeats, seed=seed, flush=True,
        ptx_folder=None, limits=KNOWN.get(torch.cuda.get_device_name(0)),
    )  # fmt: skip
    result = session.bench([Shape(*shape) for shape in SHAPES], list(dtypes), request, command)
    print(report.table(result), flush=True)
    return result


def timed(what: str, make: Callable[[], dict[str, Any]], path: Path) -> None:
    """Make a result, store it at once, say how long it took."""
    begun = time.perf_counter()
    store.write(path, make())
    print(f"{path.name}: {what}, {time.perf_counter() - begun:.0f} s", flush=True)


def companion(module: str, path: Path) -> bool:
    """Run a command of its own that stores a file; True when it did. Its words go to the terminal."""
    command = ["python", "-m", module, "--output", path.as_posix()]
    print(f"{path.name}: {shlex.join(command)}", flush=True)
    return subprocess.run([sys.executable, *command[1:]], stdin=subprocess.DEVNULL).returncode == 0


def main(arguments: list[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m gpu.run_all", description=__doc__)
    parser.add_argument("--output", type=Path, required=True, metavar="DIR", help="folder for the JSON files")
    parser.add_argument("--repeats", type=int, default=30, help="timed repeats; default 30")
    parser.add_argument("--seed", type=int, default=0, help="of the random inputs; default 0")
    parser.add_argument("--workers", type=int, default=16, help="processes that compile; default 16")
    options = parser.parse_args(arguments)
    if not torch.cuda.is_available():
        print(session.NO_GPU, file=sys.stderr)
        return 1
    command = f"python -m gpu.run_all --output gpu/results --repeats {options.repeats} --seed {options.seed}"
    stem = options.output / short_name(torch.cuda.get_device_name(0))
    stored = {"crosscheck": companion("tests.crosscheck.record", Path(f"{stem}-crosscheck.json"))}
    with workers_pool(options.workers) as pool:
        compiled(tasks(), pool)
    for name, dtypes, precision in RUNS:
        make = partial(matmul_run, dtypes, precision, options.repeats, options.seed, command)
        timed("every rung on every shape", make, Path(f"{stem}-{name}.json"))
    timed("GROUP_M by size", lambda: group_sweep.sweep(15, options.seed, command), Path(f"{stem}-group-m.json"))
    timed("what the compiler made", lambda: compile_grid.grid(options.workers, command), Path(f"{stem}-compiled.json"))
    stored["counters"] = companion("gpu.counters", Path(f"{stem}-counters.json"))
    stored["programs"] = companion("tests.downloads.record_gpu", Path(f"{stem}-programs.json"))
    missing = [name for name, there in stored.items() if not there]
    if missing:
        print(f"not stored: {' and '.join(missing)}; the reason is above", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    raise SystemExit(main())
