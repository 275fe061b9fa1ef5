"""Making tiles and changing their shape. Functions that take a machine check the compiler's rules on shapes."""

import math
from collections.abc import Callable, Iterable
from typing import Any

from sim.tl import lanes
from sim.tl.arithmetic import choose, matched
from sim.tl.dtypes import DType, int32
from sim.tl.errors import KernelError
from sim.tl.machine import Machine
from sim.tl.tile import MOST_LANES, Tile, cast, constant, joint, spread, tile


def power_of_two(number: int) -> int:
    """The next power of two that is not below ``number``."""
    return 1 << max(number - 1, 0).bit_length()


def arange(machine: Machine, start: Any, end: Any) -> Tile:
    """[start, end) as int32."""
    for value in (start, end):
        if isinstance(value, Tile):
            raise KernelError("tl.arange needs numbers that are known when compiling (tl.constexpr)", kind="refused")
    first, last = int(start), int(end)
    if last <= first:
        raise KernelError(f"tl.arange: end {last} must be larger than start {first}", kind="refused")
    size = last - first
    if size & (size - 1):
        legal = power_of_two(size)
        text = f"tl.arange: the length {size} is not a power of two"
        more = "1 more lane" if legal - size == 1 else f"{legal - size} more lanes"
        machine.rule("power of two", text, f"{legal}, with masks for the {more}")
    return Tile(list(range(first, last)), (size,), int32)


def checked_shape(machine: Machine, shape: Any) -> tuple[int, ...]:
    """A block shape: whole numbers known when compiling, powers of two, not too many lanes."""
    sizes = shape if isinstance(shape, (tuple, list)) else (shape,)
    for size in sizes:
        if isinstance(size, Tile):
            raise KernelError("a shape needs numbers that are known when compiling (tl.constexpr)", kind="refused")
    out = tuple(int(size) for size in sizes)
    for size in out:
        if size < 1 or size & (size - 1):
            legal = power_of_two(size)
            text = f"a tile of shape {list(out)}: {size} is not a power of two"
            machine.rule("power of two", text, f"{legal}, with masks for the rest")
    if math.prod(out) > MOST_LANES:
        raise KernelError(f"a tile of shape {list(out)} has more than {MOST_LANES} lanes", kind="refused")
    return out


def full(machine: Machine, shape: Any, value: Any, dtype: Any) -> Tile:
    """A tile of one value."""
    if not isinstance(dtype, DType):
        raise KernelError(f"{dtype!r} is not a type", kind="refused")
    filled = cast(value, dtype) if isinstance(value, Tile) else constant(value, dtype)
    if filled.shape:
        raise KernelError("tl.full needs one value", kind="refused")
    return spread(filled, checked_shape(machine, shape))


def zeros(machine: Machine, shape: Any, dtype: Any) -> Tile:
    """A tile of zeros."""
    return full(machine, shape, 0, dtype)


def zeros_like(value: Tile) -> Tile:
    """Zeros in the shape and type of ``value``."""
    return spread(constant(0, value.dtype), value.shape)


def sizes_of(given: tuple[Any, ...]) -> tuple[int, ...]:
    """``(2, 3)``, ``([2, 3],)`` and the like as a tuple of ints."""
    flat = given[0] if len(given) == 1 and isinstance(given[0], (tuple, list)) else given
    return tuple(int(size) for size in flat)


def broadcast_to(value: Any, *shape: Any) -> Tile:
    """``value`` repeated to ``shape``."""
    return spread(tile(value), sizes_of(shape))


def broadcast(a: Any, b: Any) -> tuple[Tile, Tile]:
    """Both in their common shape."""
    x, y = tile(a), tile(b)
    shape = lanes.common_shape(x.shape, y.shape)
    return spread(x, shape), spread(y, shape)


def reshape(value: Any, *shape: Any, can_reorder: bool = False) -> Tile:
    """The same lanes in another shape."""
    old, sizes = tile(value), sizes_of(shape)
    if math.prod(sizes) != len(old.data):
        raise KernelError(f"a tile of shape {list(old.shape)} cannot be reshaped to {list(sizes)}", kind="refused")
    return Tile(old.data, sizes, old.dtype, old.marks)


def ravel(value: Tile, can_reorder: bool = False) -> Tile:
    """One axis."""
    return reshape(value, (len(value.data),))


def expand_dims(value: Any, axis: Any) -> Tile:
    """New axes of size 1."""
    old = tile(value)
    axes = list(axis) if isinstance(axis, (tuple, list)) else [axis]
    shape = list(old.shape)
    rank = len(shape) + len(axes)
    for place in sorted(int(a) % rank for a in axes):
        shape.insert(place, 1)
    return reshape(old, tuple(shape))


def squeeze(value: Tile, dim: int) -> Tile:
    """Without the axis ``dim`` of size 1."""
    if value.shape[dim] != 1:
        raise KernelError(f"squeeze: axis {dim} has size {value.shape[dim]}, not 1", kind="refused")
    place = dim % len(value.shape)
    return reshape(value, value.shape[:place] + value.shape[place + 1 :])


def trans(value: Any, *dims: Any) -> Tile:
    """Axes in the order ``dims``; the last two swapped when none are given."""
    old = tile(value)
    rank = len(old.shape)
    if dims and dims != ((),):
        order = tuple(d % rank for d in sizes_of(dims))
    elif rank < 2:
        raise KernelError("tl.trans needs two axes", kind="refused")
    else:
        order = (*range(rank - 2), rank - 1, rank - 2)
    return permute(old, order)


def permute(value: Any, *dims: Any) -> Tile:
    """Axes in the order ``dims``."""
    old, order = tile(value), sizes_of(dims)
    if sorted(order) != list(range(len(old.shape))):
        raise KernelError(f"permute: {list(order)} is no order of {len(old.shape)} axes", kind="refused")
    shape = tuple(old.shape[axis] for axis in order)
    marks = None if old.marks is None else lanes.permute(old.marks, old.shape, order)
    return Tile(lanes.permute(old.data, old.shape, order), shape, old.dtype, marks)


def join(a: Any, b: Any) -> Tile:
    """Both in a new last axis of size 2."""
    x, y = broadcast(a, b)
    x, y, dtype = matched(x, y)
    data = [lane for pair in zip(x.data, y.data, strict=True) for lane in pair]
    both = joint(x, y, x.shape)
    marks = None if both is None else [mark for mark in both for _ in range(2)]
    return Tile(data, (*x.shape, 2), dtype, marks)


def interleave(a: Any, b: Any) -> Tile:
    """Lanes of ``a`` and ``b`` in turn along the last axis."""
    joined = join(a, b)
    return reshape(joined, (*joined.shape[:-2], 2 * joined.shape[-2]))


def split(value: Tile) -> tuple[Tile, Tile]:
    """The two halves of a last axis of size 2."""
    if not value.shape or value.shape[-1] != 2:
        raise KernelError(f"tl.split needs a last axis of size 2, not {list(value.shape)}", kind="refused")
    marks = value.marks
    first, second = (
        Tile(value.data[i::2], value.shape[:-1], value.dtype, None if marks is None else marks[i::2]) for i in (0, 1)
    )
    return first, second


def cat(a: Any, b: Any, can_reorder: bool = False, dim: int = 0) -> Tile:
    """``b`` behind ``a`` along ``dim``; the order of lanes is not promised by Triton when can_reorder is set."""
    x, y = tile(a), tile(b)
    axis = dim % len(x.shape)
    shape = (*x.shape[:axis], x.shape[axis] + y.shape[axis], *x.shape[axis + 1 :])
    rows = zip(lanes.lines(x.data, x.shape, axis), lanes.lines(y.data, y.shape, axis), strict=True)
    return Tile(lanes.from_lines([p + q for p, q in rows], shape, axis), shape, x.dtype)


def along(value: Tile, axis: int, function: Callable[[list[Any]], list[Any]]) -> Tile:
    """``function`` of every line along ``axis``; lines keep their length, marks spread over the line."""
    place = axis % len(value.shape)
    rows: Iterable[list[Any]] = map(function, lanes.lines(value.data, value.shape, place))
    marks = None
    if value.marks is not None:
        spread_marks = [[max(line)] * len(line) for line in lanes.lines(value.marks, value.shape, place)]
        marks = lanes.from_lines(spread_marks, value.shape, place)
    return Tile(lanes.from_lines(rows, value.shape, place), value.shape, value.dtype, marks)


def flip(value: Tile, dim: int | None = None) -> Tile:
    """Lanes in reverse order along ``dim``."""
    return along(value, -1 if dim is None else dim, lambda line: line[::-1])


def gather(value: Tile, index: Tile, axis: int) -> Tile:
    """Lanes of ``value`` picked along ``axis``."""
    place = axis % len(value.shape)
    pairs = zip(lanes.lines(value.data, value.shape, place), lanes.lines(index.data, index.shape, place), strict=True)
    picked = [[line[i] for i in wanted] for line, wanted in pairs]
    return Tile(lanes.from_lines(picked, index.shape, place), index.shape, value.dtype)


where = choose
