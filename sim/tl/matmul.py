"""Matrix products: bind a reader's or the teaching kernel's parameters by name, run it, compare with the model."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sim.matmul import matmul
from sim.tiling import Tiling
from sim.tl.api import Run, run
from sim.tl.memory import Array

Rows = Sequence[Sequence[int]]


@dataclass(frozen=True)
class Wrong:
    """An output that is not what the product says: ``got`` is None when nobody wrote it."""

    row: int
    column: int
    got: Any
    want: Any


def matmul_arguments(
    a: Rows, b: Rows, tiling: Tiling, group_m: int = 1, dtype: str = "fp16", out_dtype: str = "fp32"
) -> dict[str, Any]:
    """What kernels call the parameters of C [M, N] = A [M, K] @ B [K, N]: arrays, sizes, strides, tile sizes.

    C is undefined before the launch.
    """
    m, n, k = tiling.M, tiling.N, tiling.K
    arrays = {
        "a": Array("A", dtype, (m, k), [list(row) for row in a]),
        "b": Array("B", dtype, (k, n), [list(row) for row in b]),
        "c": Array.empty("C", out_dtype, (m, n)),
    }
    sizes = {"BM": tiling.BM, "BN": tiling.BN, "BK": tiling.BK, "GROUP_M": group_m, "GROUP_SIZE_M": group_m}
    for axis in "MNK":
        sizes[f"BLOCK_SIZE_{axis}"] = sizes[f"BLOCK_{axis}"] = sizes[f"B{axis}"]
    strides = {"am": k, "ak": 1, "bk": n, "bn": 1, "cm": n, "cn": 1}
    return {
        **arrays, **{f"{name}_ptr": array for name, array in arrays.items()}, "M": m, "N": n, "K": k, **sizes,
        **{f"stride_{name}": step for name, step in strides.items()},
    }  # fmt: skip


def run_matmul(
    source: str,
    a: Rows,
    b: Rows,
    tiling: Tiling,
    *,
    group_m: int = 1,
    dtype: str = "fp16",
    out_dtype: str = "fp32",
    grid: int | Sequence[int] | None = None,
    extra: Mapping[str, Any] | None = None,
    **options: Any,
) -> Run:
    """Run the matrix product of ``source`` on A [M, K] and B [K, N]; ``options`` are those of ``sim.tl.api.run``.

    ``grid`` is one program for each tile of C unless it is given. ``extra`` sets other parameters. The arrays are
    called A, B and C in counts, reports and ``Run.arrays``. Raises ValueError for a parameter without a value.
    """
    arguments = {**matmul_arguments(a, b, tiling, group_m, dtype, out_dtype), **(extra or {})}
    done = run(source, arguments, tiling.programs if grid is None else grid, spare=True, **options)
    return _named(done)


def _named(done: Run) -> Run:
    kept = {"a": "A", "b": "B", "c": "C"}
    arrays = {kept.get(name, name): value for name, value in done.arrays.items() if not name.endswith("_ptr")}
    values = {field: getattr(done, field) for field in done.__dataclass_fields__}
    return Run(**{**values, "arrays": arrays})


def wrong_outputs(done: Run, a: Rows, b: Rows) -> tuple[Wrong, ...]:
    """Outputs of a run that differ from A @ B of whole numbers, row by row."""
    want = matmul(a, b)
    got = done.arrays["C"]
    return tuple(
        Wrong(r, c, got[r][c], value)
        for r, row in enumerate(want)
        for c, value in enumerate(row)
        if got[r][c] is None or got[r][c] != value
    )
