"""Running sums, sorting, counting and soft-max along an axis."""

from collections.abc import Callable
from typing import Any

from sim.tl import elementwise
from sim.tl.dtypes import DType, float32, int32, uint32
from sim.tl.dtypes import bfloat16 as bf16
from sim.tl.errors import KernelError
from sim.tl.lanes import Lanes, lines
from sim.tl.rearrange import along
from sim.tl.reductions import max_, sum_
from sim.tl.rounding import rounded, wrapped
from sim.tl.tile import Tile, retyped, spread, tile


def _running(value: Tile, axis: Any, reverse: Any, step: Callable[[Any, Any], Any]) -> Tile:
    rank = len(value.shape)
    if not -rank <= int(axis) < rank:
        raise KernelError(
            f"axis {int(axis)} of a tile with {rank} axes; allowed: {-rank} to {rank - 1}", kind="refused"
        )

    def scan(line: Lanes) -> Lanes:
        out: Lanes = []
        for lane in reversed(line) if reverse else line:
            out.append(_single(step(out[-1], lane), value.dtype) if out else lane)
        return out[::-1] if reverse else out

    return along(value, int(axis), scan)


def _single(lane: Any, dtype: DType) -> Any:
    return rounded([lane], dtype)[0] if dtype.family == "f" else wrapped([lane], dtype)[0][0]


def cumsum(input: Any, axis: Any = 0, reverse: Any = False, dtype: Any = None) -> Tile:
    """Running sum, rounded at every step; bf16 is added as fp32, small whole numbers as 32-bit ones."""
    value = tile(input)
    if value.dtype is bf16:
        value = retyped(value, float32)
    if dtype is not None:
        value = retyped(value, dtype)
    elif value.dtype.family in "iub" and value.dtype.bits < 32:
        value = retyped(value, int32 if value.dtype.family == "i" else uint32)
    return _running(value, axis, reverse, lambda total, lane: total + lane)


def cumprod(input: Any, axis: Any = 0, reverse: Any = False) -> Tile:
    """Running product, rounded at every step; bf16 as fp32."""
    value = tile(input)
    if value.dtype is bf16:
        value = retyped(value, float32)
    return _running(value, axis, reverse, lambda total, lane: total * lane)


def sort(x: Tile, dim: Any = None, descending: Any = False) -> Tile:
    """Lanes in order along the last axis."""
    _last(x, dim, "sort")
    return along(x, -1, lambda line: sorted(line, reverse=bool(descending)))


def topk(x: Tile, k: Any, dim: Any = None) -> Tile:
    """The ``k`` largest lanes of the last axis, largest first."""
    _last(x, dim, "topk")
    axis, many = len(x.shape) - 1, int(k)
    best = [lane for line in lines(x.data, x.shape, axis) for lane in sorted(line, reverse=True)[:many]]
    marks = None
    if x.marks is not None:
        marks = [max(line) for line in lines(x.marks, x.shape, axis) for _ in range(many)]
    return Tile(best, (*x.shape[:-1], many), x.dtype, marks)


def _last(x: Tile, dim: Any, name: str) -> None:
    if dim is not None and int(dim) not in (-1, len(x.shape) - 1):
        raise KernelError(f"{name} works along the last axis only", kind="refused")


def histogram(input: Tile, num_bins: Any, mask: Any = None) -> Tile:
    """How many lanes have each value 0 … num_bins − 1."""
    counts = [0] * int(num_bins)
    if len(counts) & (len(counts) - 1) or not counts:
        raise KernelError(f"tl.histogram: {len(counts)} bins; allowed: a power of two", kind="refused")
    wanted = None if mask is None else spread(tile(mask), input.shape).data
    for place, lane in enumerate(input.data):
        if 0 <= lane < len(counts) and (wanted is None or wanted[place]):
            counts[lane] += 1
    doubt = [mark for place, mark in enumerate(input.marks or []) if wanted is None or wanted[place]]
    marks = [max(doubt)] * len(counts) if doubt and any(doubt) else None
    return Tile(counts, (len(counts),), int32, marks)


def softmax(x: Any, dim: Any = None, keep_dims: Any = False, ieee_rounding: Any = False) -> Tile:
    """exp(x − max) / sum, along the first axis unless ``dim`` says otherwise."""
    axis = 0 if dim is None else dim
    shifted = elementwise.exp(x - max_(x, axis, keep_dims=True))
    out: Tile = shifted / sum_(shifted, axis, keep_dims=True)
    return out


def swizzle2d(i: Any, j: Any, size_i: Any, size_j: Any, size_g: Any) -> tuple[Any, Any]:
    """Row-major (i, j) of a size_i × size_j grid, walked in groups of size_g rows."""
    place = i * size_j + j
    group = place // (size_g * size_j)
    first = group * size_g
    rows = elementwise.minimum(size_i - first, size_g)
    rest = place % (size_g * size_j)
    return first + rest % rows, rest // rows
