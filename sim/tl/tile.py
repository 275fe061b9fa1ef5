"""The tile: a dtype, a shape, flat lanes, and what is known against some of them."""

import math
from operator import or_
from typing import Any

from sim.tl.dtypes import BlockType, DType, PointerType, int_range, literal_type, pointer_to
from sim.tl.errors import KernelError, UnknownName
from sim.tl.lanes import Lanes, Shape, broadcast, nested
from sim.tl.operators import Operators
from sim.tl.rounding import bitcast, near_double, rounded, truncated, wrapped

UNDEFINED = 1  # the lane's value is whatever the hardware left there: a masked load without `other`
WRAPPED = 2  # the lane went past the end of its integer type on the way
MOST_LANES = 1_048_576  # Triton's own limit for one tile


class Tile(Operators):
    """A value inside a kernel; a scalar has shape ().

    ``data`` holds prod(shape) lanes, row-major, already rounded to ``dtype``. ``marks`` is None, or UNDEFINED and
    WRAPPED bits for every lane.
    """

    __slots__ = ("data", "dtype", "marks", "shape")

    def __init__(self, data: Lanes, shape: Shape, dtype: DType, marks: list[int] | None = None) -> None:
        self.data, self.shape, self.dtype, self.marks = data, shape, dtype, marks

    @property
    def type(self) -> Any:
        """A block type, or the element type of a scalar."""
        return BlockType(self.dtype, self.shape) if self.shape else self.dtype

    @property
    def numel(self) -> int:
        """Lanes."""
        return len(self.data)

    @property
    def T(self) -> "Tile":
        """The tile with its last two axes swapped."""
        from sim.tl.shapes import trans

        return trans(self)

    def to(self, dtype: Any, fp_downcast_rounding: str | None = None, bitcast: bool = False) -> "Tile":
        """Cast; see ``cast``."""
        return cast(self, dtype, bitcast=bitcast, fp_downcast_rounding=fp_downcast_rounding)

    def item(self) -> "Tile":
        """The only lane, as a scalar."""
        self.scalar()
        return Tile(self.data, (), self.dtype, self.marks)

    def scalar(self) -> Any:
        """The only lane as a Python number. Raises KernelError when there are more."""
        if len(self.data) != 1:
            raise KernelError(
                f"a tile of shape {list(self.shape)} is used where one value is needed (if, while, range, an index)",
                kind="refused",
            )
        return self.data[0]

    def nested(self) -> Any:
        """Lists within lists, or the bare number of a scalar."""
        return nested(self.data, self.shape)

    def __bool__(self) -> bool:
        return bool(self.scalar())

    def __index__(self) -> int:
        return int(self.scalar())

    __int__ = __index__

    def __float__(self) -> float:
        return float(self.scalar())

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        return f"{self.dtype}{list(self.shape)} {self.nested()}"

    def __getitem__(self, index: Any) -> "Tile":
        parts = index if isinstance(index, tuple) else (index,)
        shape: list[int] = []
        axis = 0
        for part in parts:
            if part is None:
                shape.append(1)
            elif part == slice(None) and axis < len(self.shape):
                shape.append(self.shape[axis])
                axis += 1
            else:
                raise KernelError("only None and ':' may index a tile", kind="refused")
        return Tile(self.data, (*shape, *self.shape[axis:]), self.dtype, self.marks)

    def __getattr__(self, name: str) -> Any:
        from sim.tl.members import MEMBERS

        if name not in MEMBERS:
            raise UnknownName(name, "a tile")
        function = MEMBERS[name]
        return lambda *args, **kwargs: function(self, *args, **kwargs)


def tile(value: Any, dtype: DType | None = None) -> Tile:
    """``value`` as a tile; a Python number becomes a scalar of ``dtype`` or of the type that Triton gives it."""
    if isinstance(value, Tile):
        return value
    if not isinstance(value, (bool, int, float)):
        raise KernelError(f"{_named(value)} is not a tile or a number", kind="refused")
    return constant(value, dtype or literal_type(value))


def constant(value: Any, dtype: DType) -> Tile:
    """A scalar of ``dtype``, rounded or wrapped."""
    if dtype.family == "f":
        return Tile(rounded([float(value)], dtype), (), dtype)
    if dtype.family == "b":
        return Tile([bool(value)], (), dtype)
    if dtype.family == "p":
        return Tile([int(value)], (), dtype)
    return Tile(wrapped([int(value)], dtype)[0], (), dtype)


def fitted(value: Any, dtype: DType) -> Tile:
    """A Python number next to a tile: like ``constant``, but a whole number has to fit. Raises KernelError."""
    if dtype.family in "iu" and isinstance(value, int):
        low, high = int_range(dtype)
        if not low <= value <= high:
            raise KernelError(f"{value} does not fit into {dtype}; allowed: {low} to {high}", kind="refused")
    return constant(value, dtype)


def spread(value: Tile, shape: Shape) -> Tile:
    """``value`` broadcast to ``shape``."""
    if value.shape == shape:
        return value
    if math.prod(shape) > MOST_LANES:
        raise KernelError(f"a tile of shape {list(shape)} has more than {MOST_LANES} lanes", kind="refused")
    marks = None if value.marks is None else broadcast(value.marks, value.shape, shape)
    return Tile(broadcast(value.data, value.shape, shape), shape, value.dtype, marks)


def joint(a: Tile, b: Tile, shape: Shape, keep: int = UNDEFINED | WRAPPED) -> list[int] | None:
    """Marks of an elementwise result of ``shape``; only the bits in ``keep`` pass."""
    if a.marks is None and b.marks is None:
        return None
    both = [broadcast(part.marks, part.shape, shape) for part in (a, b) if part.marks is not None]
    marks = both[0] if len(both) == 1 else list(map(or_, *both))
    return marks if keep == UNDEFINED | WRAPPED else kept(marks, keep)


def kept(marks: list[int] | None, keep: int) -> list[int] | None:
    """Marks reduced to the bits in ``keep``; None when nothing is left."""
    if marks is None:
        return None
    left = [mark & keep for mark in marks]
    return left if any(left) else None


def retyped(value: Tile, dtype: DType) -> Tile:
    """A cast between numbers, in the middle of an operation."""
    source = value.dtype
    if source is dtype or source == dtype:
        return value
    data, marks = value.data, value.marks
    if dtype.family == "f":
        if source.bits == 64 and source.family in "iu" and dtype.bits < 64:
            data = list(map(near_double, data))
        return Tile(rounded(data, dtype), value.shape, dtype, kept(marks, UNDEFINED))
    if dtype.family == "b":
        return Tile([lane != 0 for lane in data], value.shape, dtype, kept(marks, UNDEFINED))
    if source.family == "f":
        return Tile([truncated(lane, dtype) for lane in data], value.shape, dtype, marks)
    if source.family == "b":
        data = list(map(int, data))
    out, _ = wrapped(data, dtype)
    return Tile(out, value.shape, dtype, marks if dtype.bits >= source.bits else kept(marks, UNDEFINED))


def cast(input: Any, dtype: Any, fp_downcast_rounding: str | None = None, bitcast: bool = False) -> Tile:
    """``input`` as ``dtype``: rounded to nearest even, integers wrap, floats to integers are cut towards zero.

    With ``bitcast`` the bits stay. Raises KernelError for casts that Triton does not have.
    """
    out = tile(input)
    target = getattr(dtype, "scalar", dtype)
    if not isinstance(target, DType):
        raise KernelError(f"{_named(dtype)} is not a type to cast to", kind="refused")
    if out.dtype == target:
        return out
    if "p" in (out.dtype.family, target.family):
        return _pointer_cast(out, target)
    if bitcast:
        return _bitcast(out, target)
    if fp_downcast_rounding is not None:
        _rounds(fp_downcast_rounding, out.dtype, target)
    return retyped(out, target)


def _rounds(asked: str, source: DType, target: DType) -> None:
    if asked not in ("rtne", "rtz"):
        raise KernelError(f"fp_downcast_rounding is {asked!r}; allowed: 'rtne', 'rtz'", kind="refused")
    if not source.family == target.family == "f" or target.bits >= source.bits:
        text = f"fp_downcast_rounding is for casts to a narrower float, not from {source} to {target}"
        raise KernelError(text, kind="refused")
    if asked == "rtz":
        raise KernelError("fp_downcast_rounding='rtz' is not simulated; allowed: 'rtne'", kind="unknown name")


def _bitcast(value: Tile, target: DType) -> Tile:
    if value.dtype.bits != target.bits:
        raise KernelError(f"a bitcast needs equal widths, not {value.dtype} and {target}", kind="refused")
    return Tile(bitcast(value.data, value.dtype, target), value.shape, target, kept(value.marks, UNDEFINED))


def _pointer_cast(value: Tile, target: DType) -> Tile:
    if isinstance(target, PointerType) and isinstance(value.dtype, PointerType):
        target = pointer_to(target.element_ty, value.dtype.origin)
        return Tile(value.data, value.shape, target, value.marks)
    if target.family == "b":
        return Tile([lane != 0 for lane in value.data], value.shape, target, value.marks)
    if (target.family == "p" and value.dtype.family in "iu" and value.dtype.bits == 64) or target.bits == 64:
        return Tile(value.data, value.shape, target, value.marks)
    raise KernelError(f"{value.dtype} cannot be cast to {target}", kind="refused")


def _named(value: Any) -> str:
    name = getattr(value, "__name__", None)
    return f"{type(value).__name__} {name or value!r}"
