"""Making tiles and changing their shape. Functions that take a machine check the compiler's rules on shapes."""

import math
from typing import Any

from sim.tl import lanes
from sim.tl.arithmetic import choose
from sim.tl.dtypes import DType, int32
from sim.tl.errors import KernelError
from sim.tl.machine import Machine
from sim.tl.tile import MOST_LANES, Tile, cast, constant, spread, tile


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
    if first < 0:
        shifted = f"tl.arange(0, {last - first}) - {-first}"
        machine.rule("arange from 0", f"tl.arange: start {first} is below 0", shifted)
    size = last - first
    if size > MOST_LANES:
        raise KernelError(f"tl.arange: {size} lanes; allowed: {MOST_LANES} at most", kind="refused")
    if size & (size - 1):
        legal = power_of_two(size)
        text = f"tl.arange: the length {size} is not a power of two"
        more = "1 more lane" if legal - size == 1 else f"{legal - size} more lanes"
        machine.rule("power of two", text, f"{legal}, with masks for the {more}")
    return Tile(list(range(first, last)), (size,), int32)


def checked_shape(machine: Machine, shape: Any) -> tuple[int, ...]:
    """A block shape: whole numbers known when compiling, powers of two, not too many lanes."""
    if not isinstance(shape, (tuple, list)):
        machine.rule("shape in brackets", f"the shape {shape} of a tile is no tuple", f"({shape},)")
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
    if not isinstance(value, Tile):
        _fits(machine, value, dtype)
    filled = cast(value, dtype) if isinstance(value, Tile) else constant(value, dtype)
    if filled.shape:
        raise KernelError("tl.full needs one value", kind="refused")
    return spread(filled, checked_shape(machine, shape))


def _fits(machine: Machine, value: Any, dtype: DType) -> None:
    """The compiler makes the constant itself: a float is none of a whole type, a negative number none of uint."""
    if dtype.family in "iu" and isinstance(value, float) and value != 0:
        machine.rule("constant of its type", f"{value} as {dtype}", f"a whole number, or .to(tl.{dtype})")
    elif dtype.family == "u" and value < 0:
        machine.rule("constant of its type", f"{value} as {dtype}", f"a number from 0, or .to(tl.{dtype})")


def zeros(machine: Machine, shape: Any, dtype: Any) -> Tile:
    """A tile of zeros."""
    return full(machine, shape, 0, dtype)


def zeros_like(input: Tile) -> Tile:
    """Zeros in the shape and type of ``input``."""
    return spread(constant(0, input.dtype), input.shape)


def sizes_of(given: tuple[Any, ...]) -> tuple[int, ...]:
    """``(2, 3)``, ``([2, 3],)`` and the like as a tuple of ints."""
    flat = given[0] if len(given) == 1 and isinstance(given[0], (tuple, list)) else given
    return tuple(int(size) for size in flat)


def broadcast_to(input: Any, *shape: Any) -> Tile:
    """``input`` repeated to ``shape``: a scalar, or a tile with as many axes, each of that size or of 1."""
    old, sizes = tile(input), sizes_of(shape)
    fits = len(old.shape) == len(sizes) and all(have in (1, want) for have, want in zip(old.shape, sizes, strict=True))
    if old.shape and not fits:
        raise KernelError(f"a tile of shape {list(old.shape)} cannot be broadcast to {list(sizes)}", kind="refused")
    return spread(old, sizes)


def broadcast(input: Any, other: Any) -> tuple[Tile, Tile]:
    """Both in their common shape."""
    x, y = tile(input), tile(other)
    shape = lanes.common_shape(x.shape, y.shape)
    return spread(x, shape), spread(y, shape)


def reshape(input: Any, *shape: Any, can_reorder: bool = False) -> Tile:
    """The same lanes in another shape."""
    old, sizes = tile(input), sizes_of(shape)
    if math.prod(sizes) != len(old.data):
        raise KernelError(f"a tile of shape {list(old.shape)} cannot be reshaped to {list(sizes)}", kind="refused")
    return Tile(old.data, sizes, old.dtype, old.marks)


def view(input: Any, *shape: Any) -> Tile:
    """tl.view: the older name of reshape."""
    return reshape(input, *shape)


def ravel(x: Tile, can_reorder: bool = False) -> Tile:
    """One axis."""
    return reshape(x, (len(x.data),))


def expand_dims(input: Any, axis: Any) -> Tile:
    """New axes of size 1."""
    old = tile(input)
    axes = list(axis) if isinstance(axis, (tuple, list)) else [axis]
    shape = list(old.shape)
    rank = len(shape) + len(axes)
    for place in axes:
        if not -rank <= int(place) < rank:
            raise KernelError(f"axis {int(place)}; allowed: {-rank} to {rank - 1}", kind="refused")
    for place in sorted(int(a) % rank for a in axes):
        shape.insert(place, 1)
    return reshape(old, tuple(shape))


def squeeze(x: Tile, dim: int) -> Tile:
    """Without the axis ``dim`` of size 1."""
    if x.shape[dim] != 1:
        raise KernelError(f"squeeze: axis {dim} has size {x.shape[dim]}, not 1", kind="refused")
    place = dim % len(x.shape)
    return reshape(x, x.shape[:place] + x.shape[place + 1 :])


def unsqueeze(x: Any, dim: int) -> Tile:
    """With a new axis ``dim`` of size 1."""
    return expand_dims(x, dim)


def trans(input: Any, *dims: Any) -> Tile:
    """Axes in the order ``dims``; the last two swapped when none are given."""
    old = tile(input)
    rank = len(old.shape)
    if dims and dims != ((),):
        order = tuple(d % rank for d in sizes_of(dims))
    elif rank < 2:
        raise KernelError("tl.trans needs two axes", kind="refused")
    else:
        order = (*range(rank - 2), rank - 1, rank - 2)
    return permute(old, order)


def permute(input: Any, *dims: Any) -> Tile:
    """Axes in the order ``dims``."""
    old, order = tile(input), sizes_of(dims)
    if sorted(order) != list(range(len(old.shape))):
        raise KernelError(f"permute: {list(order)} is no order of {len(old.shape)} axes", kind="refused")
    shape = tuple(old.shape[axis] for axis in order)
    marks = None if old.marks is None else lanes.permute(old.marks, old.shape, order)
    return Tile(lanes.permute(old.data, old.shape, order), shape, old.dtype, marks)


where = choose
