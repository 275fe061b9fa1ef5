"""Small kernels and helpers for the tests."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sim.tl.api import Run, run
from sim.tl.memory import Array

ROOT = Path(__file__).resolve().parent.parent.parent
TEACHING = ROOT / "gpu" / "teaching.py"
HEAD = "import triton\nimport triton.language as tl\n\n\n@triton.jit\n"


def kernel(parameters: str, body: str) -> str:
    """A kernel file: the body's first line is line 7."""
    lines = "".join(f"    {line}\n" for line in body.strip("\n").split("\n"))
    return f"{HEAD}def kernel({parameters}):\n{lines}"


def launched(source: str, arguments: Mapping[str, Any], grid: Any = 1, **options: Any) -> Run:
    """Run it in strict mode, which must succeed."""
    done = run(source, arguments, grid, **options)
    assert done.failure is None, done.failure
    return done


def mapped(expression: str, dtype: str, values: list[Any], out: str | None = None) -> list[Any]:
    """``expression`` of x, lane by lane, as the lanes of dtype ``out``; a power of two of them."""
    source = kernel(
        "x_ptr, out_ptr, N: tl.constexpr",
        f"i = tl.arange(0, N)\nx = tl.load(x_ptr + i)\ntl.store(out_ptr + i, {expression})",
    )
    size = len(values)
    arguments = {
        "x_ptr": Array("x_ptr", dtype, (size,), values),
        "out_ptr": Array.empty("out_ptr", out or dtype, (size,)),
        "N": size,
    }
    lanes: list[Any] = launched(source, arguments).arrays["out_ptr"]
    return lanes


def kinds(done: Run) -> set[str]:
    """The kinds of its reports."""
    return {report.kind for report in done.reports}
