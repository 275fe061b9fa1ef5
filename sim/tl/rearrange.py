"""Tiles put together, taken apart and turned: join, split, cat, flip, gather."""

from collections.abc import Callable, Iterable
from typing import Any

from sim.tl import lanes
from sim.tl.dtypes import int32
from sim.tl.errors import KernelError
from sim.tl.shapes import broadcast, reshape
from sim.tl.tile import Tile, joint, tile


def join(a: Any, b: Any) -> Tile:
    """Both in a new last axis of size 2."""
    x, y = broadcast(a, b)
    if x.dtype != y.dtype:
        raise KernelError(f"tl.join needs one type, not {x.dtype} and {y.dtype}", kind="refused")
    dtype = x.dtype
    data = [lane for pair in zip(x.data, y.data, strict=True) for lane in pair]
    both = joint(x, y, x.shape)
    marks = None if both is None else [mark for mark in both for _ in range(2)]
    return Tile(data, (*x.shape, 2), dtype, marks)


def interleave(a: Any, b: Any) -> Tile:
    """Lanes of ``a`` and ``b`` in turn along the last axis."""
    joined = join(a, b)
    return reshape(joined, (*joined.shape[:-2], 2 * joined.shape[-2]))


def split(a: Tile) -> tuple[Tile, Tile]:
    """The two halves of a last axis of size 2."""
    if not a.shape or a.shape[-1] != 2:
        raise KernelError(f"tl.split needs a last axis of size 2, not {list(a.shape)}", kind="refused")
    marks = a.marks
    first, second = (Tile(a.data[i::2], a.shape[:-1], a.dtype, None if marks is None else marks[i::2]) for i in (0, 1))
    return first, second


def cat(input: Any, other: Any, can_reorder: bool = False, dim: int = 0) -> Tile:
    """``other`` behind ``input`` along ``dim``; with can_reorder Triton does not promise the order of lanes."""
    return stacked(tile(input), tile(other), dim % len(tile(input).shape))


def stacked(first: Tile, second: Tile, axis: int) -> Tile:
    """``second`` behind ``first`` along ``axis``."""
    shape = (*first.shape[:axis], first.shape[axis] + second.shape[axis], *first.shape[axis + 1 :])
    pairs = zip(lanes.lines(first.data, first.shape, axis), lanes.lines(second.data, second.shape, axis), strict=True)
    marks = None
    if first.marks is not None or second.marks is not None:
        left, right = first.marks or [0] * len(first.data), second.marks or [0] * len(second.data)
        both = zip(lanes.lines(left, first.shape, axis), lanes.lines(right, second.shape, axis), strict=True)
        marks = lanes.from_lines([p + q for p, q in both], shape, axis)
    return Tile(lanes.from_lines([p + q for p, q in pairs], shape, axis), shape, first.dtype, marks)


def along(value: Tile, axis: int, function: Callable[[list[Any]], list[Any]]) -> Tile:
    """``function`` of every line along ``axis``; lines keep their length, marks spread over the line."""
    place = axis % len(value.shape)
    rows: Iterable[list[Any]] = map(function, lanes.lines(value.data, value.shape, place))
    marks = None
    if value.marks is not None:
        spread_marks = [[max(line)] * len(line) for line in lanes.lines(value.marks, value.shape, place)]
        marks = lanes.from_lines(spread_marks, value.shape, place)
    return Tile(lanes.from_lines(rows, value.shape, place), value.shape, value.dtype, marks)


def flip(x: Tile, dim: int | None = None) -> Tile:
    """Lanes in reverse order along ``dim``, each with its own marks."""
    place = (-1 if dim is None else dim) % len(x.shape)
    return _picked(x, [list(range(x.shape[place] - 1, -1, -1))] * (len(x.data) // x.shape[place]), x.shape, place)


def gather(src: Tile, index: Tile, axis: int) -> Tile:
    """Lanes of ``src`` picked along ``axis``. Raises KernelError for an index outside of it."""
    place = axis % len(src.shape)
    wanted = lanes.lines(index.data, index.shape, place)
    for i in index.data:
        if not 0 <= i < src.shape[place]:
            raise KernelError(f"tl.gather: index {i}; allowed: 0 to {src.shape[place] - 1}")
    out = _picked(src, wanted, index.shape, place)
    out.marks = joint(out, Tile([], index.shape, int32, index.marks), index.shape)
    return out


def _picked(src: Tile, wanted: list[list[int]], shape: tuple[int, ...], axis: int) -> Tile:
    """For each line of ``src`` along ``axis`` the lanes at ``wanted``, with their marks, as a tile of ``shape``."""

    def pick(data: list[Any]) -> list[Any]:
        pairs = zip(lanes.lines(data, src.shape, axis), wanted, strict=True)
        return lanes.from_lines([[line[i] for i in places] for line, places in pairs], shape, axis)

    return Tile(pick(src.data), shape, src.dtype, None if src.marks is None else pick(src.marks))
