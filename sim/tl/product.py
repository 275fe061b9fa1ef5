"""tl.dot: exact products, added exactly, rounded once."""

import math
from operator import mul
from typing import Any

from sim.tl.dtypes import DType, float16, float32, float64, int8, int32, uint8
from sim.tl.dtypes import bfloat16 as bf16
from sim.tl.errors import KernelError
from sim.tl.lanes import Lanes
from sim.tl.machine import Machine
from sim.tl.rounding import once, rounded, tf32, wrapped
from sim.tl.tile import UNDEFINED, Tile

OPERANDS = (int8, uint8, float16, bf16, float32, float64)
PRECISIONS = ("tf32", "tf32x3", "ieee", "bf16x3", "bf16x6")


def dot(
    machine: Machine, input: Any, other: Any, acc: Any = None, input_precision: Any = None, allow_tf32: Any = None,
    max_num_imprecise_acc: Any = None, out_dtype: Any = float32,
) -> Tile:  # fmt: skip
    """[M, K] times [K, N] (or a batch of them), plus ``acc``.

    The products are exact (those of fp64 are rounded to double), their sum (``acc`` included) is exact and rounded once
    to the accumulator's type; a GPU adds in pieces of the instruction's K and may differ in the last places. fp32
    operands are cut to TF32 unless ``input_precision`` is "ieee", or one of the modes of several instructions, which
    are taken as exact. What stored results of a GPU say about both: tests/tl/test_stored_results.py; what an H200
    itself was asked: tests/tl/test_gpu.py.
    """
    a, b = input, other
    for part in (a, b):
        if not isinstance(part, Tile) or len(part.shape) not in (2, 3):
            raise KernelError("tl.dot needs two tiles of 2 or 3 axes", kind="refused")
    _check(machine, a, b)
    dtype = _result_type(machine, a.dtype, out_dtype)
    shape = (*a.shape[:-1], b.shape[-1])
    if acc is not None and (not isinstance(acc, Tile) or acc.shape != shape or acc.dtype is not dtype):
        given = f"{acc.dtype} {list(acc.shape)}" if isinstance(acc, Tile) else repr(acc)
        raise KernelError(f"tl.dot: acc is {given}; it must be {dtype} {list(shape)}", kind="refused")
    precision = _precision(machine, a.dtype, input_precision, allow_tf32)
    x, y = (tf32(a.data), tf32(b.data)) if precision == "tf32" and a.dtype is float32 else (a.data, b.data)
    data = _product(x, y, a.shape, b.shape[-1], None if acc is None else acc.data, dtype)
    flops = 2 * math.prod(shape) * a.shape[-1]
    for counts in (machine.counts, machine.by_program[machine.program]):
        counts.dots, counts.flops = counts.dots + 1, counts.flops + flops
    result = Tile(data, shape, dtype, _marks(a, b, acc, shape))
    if machine.recorder is not None:
        machine.recorder.dot((*shape[-2:], a.shape[-1]), str(a.dtype), str(dtype), precision, flops)
    return result


def _check(machine: Machine, a: Tile, b: Tile) -> None:
    if len(a.shape) != len(b.shape) or a.shape[-1] != b.shape[-2] or a.shape[:-2] != b.shape[:-2]:
        raise KernelError(f"tl.dot: [M, K] is {list(a.shape)} but [K, N] is {list(b.shape)}", kind="refused")
    small = a.dtype.bits == 8 and a.dtype.family == "f"
    if not (small and b.dtype.bits == 8 and b.dtype.family == "f"):
        if a.dtype not in OPERANDS or a.dtype is not b.dtype:
            allowed = ", ".join(map(str, OPERANDS))
            raise KernelError(
                f"tl.dot: operands are {a.dtype} and {b.dtype}; they must be equal, one of {allowed}, or fp8",
                kind="refused",
            )
        if a.dtype is uint8:
            machine.rule("dot of int8", "tl.dot takes int8 as its only whole numbers, not uint8", "cast to tl.int8")
    need = 32 if a.dtype.bits == 8 else 16
    if a.shape[-1] < need:
        machine.rule(
            "dot needs K",
            f"tl.dot with K = {a.shape[-1]}: the matrix instruction needs K >= {need} for {a.dtype}",
            f"BK = {need}, with masks",
        )


def _result_type(machine: Machine, operand: DType, out_dtype: Any) -> DType:
    if operand.family in "iu":
        return int32
    if out_dtype is bf16:
        machine.refuse("tl.dot: out_dtype=bfloat16 does not exist; use float32 and cast")
    if out_dtype not in (float16, float32, float64):
        machine.refuse(f"tl.dot: out_dtype={out_dtype} of {operand}; allowed: float16, float32")
    if operand in (float32, bf16):
        return float32
    if operand is float64:
        return float64
    return float16 if out_dtype is float16 else float32


def _precision(machine: Machine, operand: DType, asked: Any, allow_tf32: Any) -> str:
    if asked is not None and asked not in PRECISIONS:
        machine.refuse(f"tl.dot: input_precision is {asked!r}; allowed: {', '.join(PRECISIONS)}")
    if operand is not float32:
        return "exact"
    if asked is None:
        return machine.fp32_dot if allow_tf32 is None else "tf32" if allow_tf32 else "ieee"
    return str(asked)


def _product(x: Lanes, y: Lanes, a_shape: tuple[int, ...], n: int, acc: Lanes | None, dtype: DType) -> Lanes:
    m, k = a_shape[-2:]
    out: Lanes = []
    for batch in range(math.prod(a_shape[:-2])):
        rows = [x[start : start + k] for start in range(batch * m * k, (batch + 1) * m * k, k)]
        block = y[batch * k * n : (batch + 1) * k * n]
        columns = [block[j::n] for j in range(n)]
        first = batch * m * n
        old = None if acc is None else acc[first : first + m * n]
        try:
            out += _whole(rows, columns, old, dtype) if dtype.family == "i" else _exact(rows, columns, old, dtype)
        except (OverflowError, ValueError):  # infinities or NaN among the lanes
            out += rounded(_plain(rows, columns, old), dtype)
    return out


def _whole(rows: list[Lanes], columns: list[Lanes], old: Lanes | None, dtype: DType) -> Lanes:
    totals = [sum(map(mul, row, column)) for row in rows for column in columns]
    totals = totals if old is None else [total + more for total, more in zip(totals, old, strict=True)]
    return wrapped(totals, dtype)[0]


def _exact(rows: list[Lanes], columns: list[Lanes], old: Lanes | None, dtype: DType) -> Lanes:
    fsum, width = math.fsum, len(columns)
    if old is None:
        totals = [fsum(map(mul, row, column)) for row in rows for column in columns]
    else:
        totals = []
        for i, row in enumerate(rows):
            before = old[i * width : (i + 1) * width]
            totals += [fsum([more, *map(mul, row, column)]) for more, column in zip(before, columns, strict=True)]

    def terms(place: int) -> Lanes:
        row, column = divmod(place, width)
        return [*map(mul, rows[row], columns[column]), *(() if old is None else (old[place],))]

    return totals if dtype is float64 else once(totals, dtype, terms)


def _plain(rows: list[Lanes], columns: list[Lanes], old: Lanes | None) -> Lanes:
    out = []
    for i, row in enumerate(rows):
        for j, column in enumerate(columns):
            total = 0.0 if old is None else old[i * len(columns) + j]
            for left, right in zip(row, column, strict=True):
                total += left * right
            out.append(total)
    return out


def _marks(a: Tile, b: Tile, acc: Any, shape: tuple[int, ...]) -> list[int] | None:
    """An output is undefined when any lane of its row of A or its column of B is."""
    if a.marks is None and b.marks is None and (acc is None or acc.marks is None):
        return None
    (m, k), n = a.shape[-2:], b.shape[-1]
    marks = list(acc.marks) if acc is not None and acc.marks is not None else [0] * math.prod(shape)
    for batch in range(math.prod(shape[:-2])):
        rows = [bool(a.marks and any(a.marks[(batch * m + i) * k : (batch * m + i + 1) * k])) for i in range(m)]
        block = b.marks[batch * k * n : (batch + 1) * k * n] if b.marks else []
        columns = [bool(block and any(block[j::n])) for j in range(n)]
        for i in range(m):
            for j in range(n):
                if rows[i] or columns[j]:
                    marks[(batch * m + i) * n + j] |= UNDEFINED
    return marks
