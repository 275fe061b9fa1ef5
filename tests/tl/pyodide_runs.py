"""Runs whose JSON must be the same bytes in every Python; imported by tests and, in Pyodide, by itself."""

import json

from sim.inputs import distinct_a, distinct_b, formula_a, formula_b
from sim.tiling import Tiling
from sim.tl.faults import FAULTS
from sim.tl.matmul import run_matmul


def runs(source: str) -> dict[str, str]:
    """Name -> JSON: every program of the lesson, every fault, and floats in three types."""
    lesson = Tiling(5, 7, 5, 2, 3, 2)
    a, b = formula_a(5, 5), formula_b(5, 7)
    out = {
        f"program {program}": run_matmul(source, a, b, lesson, program=program, mode="lesson") for program in range(9)
    }
    for fault in FAULTS:
        broken, grid = fault.apply(source), fault.grid(lesson)
        made = distinct_a(5, 5), distinct_b(5, 7)
        out[fault.name] = run_matmul(broken, *made, lesson, group_m=2, grid=grid, program=2, mode="lesson")
    wide = Tiling(9, 10, 33, 16, 16, 16)
    thirds = (
        [[(r * 33 + k) / 3 for k in range(33)] for r in range(9)],
        [[k / 7 - c for c in range(10)] for k in range(33)],
    )
    for dtype in ("fp16", "bf16", "fp32"):
        out[dtype] = run_matmul(source, *thirds, wide, dtype=dtype, program=0)  # type: ignore[arg-type]
    return {name: json.dumps(done.json()) for name, done in out.items()}
