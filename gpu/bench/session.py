"""kernel-bench on a GPU: measure every shape and type, report, and store."""

import argparse
import math
import sys
from typing import Any

import torch

from gpu import checks
from gpu.bench import ceilings, environment, inputs, plot, report, store, timing
from gpu.bench.rows import Request, Row, base_row, measure
from gpu.bench.shapes import KNOWN, Shape
from gpu.ladder import RUNGS

FORMAT = "gpu-lab kernel-bench 1"
NO_GPU = "no NVIDIA GPU here (torch.cuda.is_available() is false); --interpret verifies on the CPU without times"


def run(options: argparse.Namespace, kernels: tuple[str, ...], command: str) -> int:
    """The command after its arguments: returns the exit status."""
    if not torch.cuda.is_available():
        print(NO_GPU, file=sys.stderr)
        return 1
    shapes = [Shape(*numbers) for numbers in options.shape]
    request = Request(
        kernels=kernels, config=options.config or "autotuned", precision=options.precision, repeats=options.repeats,
        seed=options.seed, flush=not options.no_flush, ptx_folder=options.save_ptx,
        limits=KNOWN.get(torch.cuda.get_device_name(0)),
    )  # fmt: skip
    result = bench(shapes, options.dtype, request, command)
    print(report.table(result))
    if options.output:
        store.write(options.output, result)
    if options.plot:
        options.plot.parent.mkdir(parents=True, exist_ok=True)
        options.plot.write_text(plot.svg(result), encoding="utf-8")
    return 0 if all(right(row) for row in result["rows"]) else 1


def right(row: Row) -> bool:
    """Whether a row's result was right, or not asked for."""
    return bool(row["skipped"]) or row.get("verify", {"passed": True})["passed"]


def refusal(rung: str, shape: Shape, itemsize: int) -> str:
    """Why a rung does not run a shape, or ""."""
    return RUNGS[rung].refuses(shape.M, shape.N, shape.K, itemsize)


def say(line: str) -> None:
    """Progress, apart from the report."""
    print(f"  {line}", file=sys.stderr, flush=True)


def bench(shapes: list[Shape], dtypes: list[str], request: Request, command: str) -> dict[str, Any]:
    """Measure, with torch's float32 mode set to the one asked for, and put it back."""
    before = torch.backends.cuda.matmul.allow_tf32
    torch.backends.cuda.matmul.allow_tf32 = request.precision == "tf32"
    try:
        started = environment.clocks()
        rows = [row for dtype in dtypes for shape in shapes for row in rows_of(shape, dtype, request)]
        highest = seen_at_best(dtypes, request)
        ended = environment.clocks()
        reduced = {
            "float16": bool(torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction),
            "bfloat16": bool(torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction),
        }
    finally:
        torch.backends.cuda.matmul.allow_tf32 = before
    return {
        "format": FORMAT,
        **environment.provenance(command, request.seed),
        "op": "matmul",
        "order": "M N K: A is M x K, B is K x N, C is M x N; all contiguous, row by row",
        "method": {
            "replay": timing.METHOD,
            "call": timing.CALL_METHOD,
            "cache": timing.FLUSHED if request.flush else timing.WARM,
            "output": "C is allocated before timing, for ours and torch.mm(out=) alike",
            "torch_may_sum_in_half_precision": reduced,
        },
        "limits": limits(request),
        **({"ceilings": highest} if highest else {}),
        "clocks": {"start": started, "end": ended},
        "rows": rows,
        "summary": summary(rows),
    }


def rows_of(shape: Shape, dtype: str, request: Request) -> list[Row]:
    """A shape's rows; where memory is too short for it rows that say so, and what is measured already is kept."""
    try:
        return measure(shape, dtype, request, say)
    except torch.cuda.OutOfMemoryError:
        reason = "the GPU has too little free memory for A, B, C and the right answers in float64"
    torch.cuda.empty_cache()
    say(f"{shape} {dtype}: not run: {reason}")
    precision = checks.precision(inputs.DTYPES[dtype], request.precision)
    rows = [base_row(kernel, shape, dtype, precision) for kernel in ("torch", *request.kernels)]
    return [{**row, "skipped": f"{shape}: {reason}"} for row in rows]


def seen_at_best(dtypes: list[str], request: Request) -> dict[str, Any] | None:
    """The GPU's ceilings; None, and a line that says so, where memory is too short: the rows are not lost for it."""
    say("ceilings: a copy, and a large product of torch's in each number format")
    formats = [(dtype, checks.precision(inputs.DTYPES[dtype], request.precision)) for dtype in dtypes]
    try:
        return ceilings.measure(formats, request.seed)
    except torch.cuda.OutOfMemoryError:
        say("ceilings: not measured, as the GPU has too little free memory")
        return None


def limits(request: Request) -> dict[str, Any] | None:
    """The chip's vendor figures, when they are known here."""
    if request.limits is None:
        return None
    return {
        "tflops": request.limits.tflops, "memory_tb_s": request.limits.memory_tb_s, "source": request.limits.source
    }  # fmt: skip


def summary(rows: list[Row]) -> list[dict[str, Any]]:
    """For each kernel and type: geometric mean and least of torch time / kernel time over its timed shapes."""
    found = []
    names = list(dict.fromkeys((row["kernel"], row["dtype"], row["precision"]) for row in rows if "ratio" in row))
    for kernel, dtype, precision in names:
        mine = [row for row in rows if "ratio" in row and (row["kernel"], row["dtype"]) == (kernel, dtype)]
        if kernel == "torch":
            continue
        found.append({
            "kernel": kernel, "dtype": dtype, "precision": precision, "shapes": len(mine),
            "geometric_mean_ratio": geometric_mean([row["ratio"] for row in mine]),
            "least_ratio": min(row["ratio"] for row in mine),
            "geometric_mean_call_ratio": geometric_mean([row["call_ratio"] for row in mine]),
        })  # fmt: skip
    return found


def geometric_mean(values: list[float]) -> float:
    """The n-th root of the product of n positive values."""
    return math.exp(math.fsum(math.log(value) for value in values) / len(values))
