"""kernel-bench --interpret: are the kernels right?  On Triton's CPU interpreter, with no times."""

import argparse
import sys

from gpu import checks, matmul
from gpu.bench.shapes import Shape
from gpu.bench.verify import Checker
from gpu.tuning.table import INTERPRETER

MOST_STEPS = 40_000  # programs times K phases; the interpreter takes some milliseconds for each


def run(options: argparse.Namespace, kernels: tuple[str, ...]) -> int:
    """Verify each kernel on each shape; prints one line each."""
    print("Triton's CPU interpreter: correctness only. Times here would say nothing about a GPU, so none are given.")
    verdicts = []
    for numbers in options.shape:
        for dtype in options.dtype:
            for kernel in kernels:
                line, passed = one(Shape(*numbers), dtype, options.precision, kernel, options.seed)
                print(f"{Shape(*numbers)}  {dtype}  {kernel}: {line}", flush=True)
                verdicts.append(passed)
    if options.output:
        print(
            "--output is for measurements; with --interpret nothing is measured, so nothing was written",
            file=sys.stderr,
        )
    return 0 if False not in verdicts and True in verdicts else 1


def one(shape: Shape, dtype: str, precision: str, kernel: str, seed: int) -> tuple[str, bool | None]:
    """(what to print, whether it is right); None when it was refused, so that nothing was verified."""
    rung = "tiled" if kernel == "best" else kernel
    width = INTERPRETER["BM"]
    steps = -(-shape.M // width) * -(-shape.N // width) * -(-shape.K // width)
    if steps > MOST_STEPS:
        return (
            f"not run: {steps} steps of the interpreter; allowed here: at most {MOST_STEPS}; use a smaller shape",
            None,
        )
    config = dict(INTERPRETER) if rung != "separate" else None
    if rung == "grouped" and config:
        config["GROUP_M"] = 8
    try:
        checker = Checker(shape, dtype, precision, "cpu", seed)
        found = checker.check(
            lambda a, b, c: matmul.run(
                matmul.plan(a, b, c, rung=rung, config=config, precision=precision), a.element_size()
            )
        )
    except checks.Refused as refusal:
        return f"refused: {refusal}", None
    random = found["random"]
    words = "right" if found["passed"] else "WRONG"
    exact = "exact" if found["formula"]["passed"] and found["integers"]["passed"] else "NOT exact"
    return (
        f"{words} ({exact} on whole numbers; random error {random['error']}, tolerance {random['tolerance']})",
        found["passed"],
    )
