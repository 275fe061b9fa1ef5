"""Elementwise operations on tiles: types meet, shapes broadcast, lanes are computed and rounded once."""

import operator
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import product, repeat, starmap
from typing import Any

from sim.tl import dtypes, lane_functions
from sim.tl.dtypes import DType, float32, int1, literal_type, promote
from sim.tl.errors import KernelError
from sim.tl.lanes import Lanes, Shape, broadcast, common_shape
from sim.tl.rounding import rounded, wrapped
from sim.tl.tile import UNDEFINED, WRAPPED, Tile, fitted, joint, kept, retyped, spread, tile


@dataclass(frozen=True)
class Operation:
    """``kind``: value, compare, bits, shift, division (types as for / // %). ``keep``: the marks that pass."""

    sign: str
    lane: Callable[[Any, Any], Any]
    kind: str = "value"
    keep: int = UNDEFINED | WRAPPED
    float_lane: Callable[[Any, Any], Any] | None = None


ADD = Operation("+", operator.add)
SUB = Operation("-", operator.sub)
MUL = Operation("*", operator.mul)
FLOORDIV = Operation("//", lane_functions.int_div, "division")
MOD = Operation("%", lane_functions.int_mod, "division", UNDEFINED, lane_functions.float_mod)
LSHIFT = Operation("<<", lane_functions.shift_left, "bits", UNDEFINED)
RSHIFT = Operation(">>", lane_functions.shift_right, "bits", UNDEFINED)
AND = Operation("&", operator.and_, "bits", UNDEFINED)
OR = Operation("|", operator.or_, "bits", UNDEFINED)
XOR = Operation("^", operator.xor, "bits", UNDEFINED)
LT = Operation("<", operator.lt, "compare", UNDEFINED)
LE = Operation("<=", operator.le, "compare", UNDEFINED)
GT = Operation(">", operator.gt, "compare", UNDEFINED)
GE = Operation(">=", operator.ge, "compare", UNDEFINED)
EQ = Operation("==", operator.eq, "compare", UNDEFINED)
NE = Operation("!=", operator.ne, "compare", UNDEFINED)


def binary(operation: Operation, a: Any, b: Any) -> Any:
    """``a`` operation ``b`` for tiles and Python numbers, at least one of them a tile."""
    if type(a) is Tile and type(b) is Tile:
        if a.dtype.family == "p" or b.dtype.family == "p":
            return _pointer(operation, a, b)
    else:
        for value in (a, b):
            if not isinstance(value, (Tile, bool, int, float)):
                if operation.kind != "compare":
                    return NotImplemented
                text = f"a tile is compared by {operation.sign} with {value!r}, which is no tile or number"
                raise KernelError(text, kind="refused")
        if operation.kind != "division" and "p" in (getattr(a, "dtype", int1).family, getattr(b, "dtype", int1).family):
            return _pointer(operation, tile(a), tile(b))
    if operation.kind == "compare":
        a, b = _comparable(a, b)
    a, b, dtype = matched(a, b, operation.kind == "division")
    if operation.kind == "compare":
        shape = a.shape if a.shape == b.shape else common_shape(a.shape, b.shape)
        return Tile(pairwise(operation.lane, a, b, shape), shape, int1, joint(a, b, shape, UNDEFINED))
    if dtype.family == "f" and operation.kind in ("bits", "division"):
        if operation.float_lane is None:
            raise KernelError(f"{operation.sign} needs whole numbers, not {dtype}", kind="refused")
        return elementwise(operation.float_lane, a, b, dtype)
    return elementwise(operation.lane, a, b, dtype, operation.keep)


def _comparable(a: Any, b: Any) -> tuple[Any, Any]:
    """A negative number may be compared with unsigned lanes, as whose bits it then counts."""
    for value, other in ((a, b), (b, a)):
        if isinstance(value, int) and value < 0 and isinstance(other, Tile) and other.dtype.family == "u":
            number = retyped(tile(value), other.dtype)
            return (number, other) if value is a else (other, number)
    return a, b


def matched(a: Any, b: Any, division: bool = False) -> tuple[Tile, Tile, DType]:
    """Both operands in their common type, and that type."""
    if isinstance(a, Tile) and isinstance(b, Tile):
        if a.dtype is b.dtype and not (division and a.dtype.bits == 16 and a.dtype.family == "f"):
            return a, b, a.dtype
        dtype = promote(a.dtype, b.dtype, division)
        return retyped(a, dtype), retyped(b, dtype), dtype
    a_literal, b_literal = not isinstance(a, Tile), not isinstance(b, Tile)
    a_type = literal_type(a) if a_literal else a.dtype
    b_type = literal_type(b) if b_literal else b.dtype
    dtype = promote(a_type, b_type, division, a_literal, b_literal)
    if dtype.family == "u" and ((a_literal and a < 0) or (b_literal and b < 0)):
        raise KernelError(f"a negative number meets {dtype}; cast one of them", kind="refused")
    return (
        fitted(a, dtype) if a_literal else retyped(a, dtype),
        fitted(b, dtype) if b_literal else retyped(b, dtype),
        dtype,
    )


def pairwise(lane: Callable[[Any, Any], Any], a: Tile, b: Tile, shape: Shape) -> Lanes:
    """``lane`` of every pair of lanes after broadcasting to ``shape``."""
    if a.shape == b.shape:
        return list(map(lane, a.data, b.data))
    if len(shape) == 2 and a.shape[1:] == (1,) and b.shape[:1] == (1,) and len(b.shape) == 2:
        return list(starmap(lane, product(a.data, b.data)))
    return list(map(lane, _stretched(a, shape), _stretched(b, shape)))


def _stretched(part: Tile, shape: Shape) -> Iterable[Any]:
    if len(part.data) == 1:
        count = 1
        for size in shape:
            count *= size
        return repeat(part.data[0], count)
    return broadcast(part.data, part.shape, shape)


def elementwise(
    lane: Callable[[Any, Any], Any], a: Tile, b: Tile, dtype: DType, keep: int = UNDEFINED | WRAPPED
) -> Tile:
    """A new tile of ``dtype`` from two of that type."""
    shape = a.shape if a.shape == b.shape else common_shape(a.shape, b.shape)
    data = pairwise(lane, a, b, shape)
    if dtype.family == "f":
        return Tile(rounded(data, dtype), shape, dtype, joint(a, b, shape, UNDEFINED))
    data, over = wrapped(data, dtype)
    marks = joint(a, b, shape, keep)
    if over is not None and keep & WRAPPED:
        marks = [WRAPPED if past else 0 for past in over] if marks is None else [
            mark | WRAPPED if past else mark for mark, past in zip(marks, over, strict=True)
        ]  # fmt: skip
    return Tile(data, shape, dtype, marks)


def divide(a: Any, b: Any) -> Any:
    """a / b: two whole numbers in fp32, 16-bit floats in fp32, otherwise in the common type."""
    for value in (a, b):
        if not isinstance(value, (Tile, bool, int, float)):
            return NotImplemented
    a, b, dtype = matched(a, b, True)
    if dtype.family == "p":
        raise KernelError("pointers cannot be divided", kind="refused")
    if dtype.family != "f":
        a, b, dtype = retyped(a, float32), retyped(b, float32), float32
    return elementwise(lane_functions.float_div, a, b, dtype)


def _pointer(operation: Operation, a: Tile, b: Tile) -> Tile:
    shape = common_shape(a.shape, b.shape)
    if operation.kind == "compare":
        raise KernelError("pointers cannot be compared; compare .to(tl.int64) of them", kind="refused")
    swapped = b.dtype.family == "p"
    pointer, offset = (b, a) if swapped else (a, b)
    if offset.dtype.family not in "iub" or operation not in (ADD, SUB) or (swapped and operation is SUB):
        raise KernelError(
            f"a pointer only moves by + or - a whole number of elements, not {a.dtype} {operation.sign} {b.dtype}",
            kind="refused",
        )
    size = pointer.dtype.element_ty.itemsize
    steps = Tile([lane * size for lane in offset.data], offset.shape, dtypes.int64)
    return Tile(pairwise(operation.lane, pointer, steps, shape), shape, pointer.dtype, joint(a, b, shape))


def logical(operation: Operation, a: Any, b: Any) -> Any:
    """`and` / `or` of tiles as the compiler means them: lane by lane."""
    return binary(operation, retyped(tile(a), int1), retyped(tile(b), int1))


def negative(value: Tile) -> Tile:
    """−value."""
    if value.dtype.family == "p":
        raise KernelError("a pointer has no negative", kind="refused")
    return unary(operator.neg, value)


def inverse(value: Tile) -> Tile:
    """~value: not, for bools."""
    if value.dtype.family not in "iub":
        raise KernelError(f"~ needs whole numbers, not {value.dtype}", kind="refused")
    return unary(operator.not_ if value.dtype.family == "b" else operator.invert, value)


def absolute(value: Any) -> Tile:
    """abs(value)."""
    return unary(abs, tile(value))


def unary(lane: Callable[[Any], Any], value: Tile, dtype: DType | None = None) -> Tile:
    """``lane`` of every lane, rounded or wrapped to ``dtype`` (by default the same type)."""
    dtype = dtype or value.dtype
    data = list(map(lane, value.data))
    if dtype.family == "f":
        return Tile(rounded(data, dtype), value.shape, dtype, kept(value.marks, UNDEFINED))
    if dtype.family == "b":
        return Tile(data, value.shape, dtype, kept(value.marks, UNDEFINED))
    out, over = wrapped(data, dtype)
    marks = value.marks
    if over is not None:
        marks = [(WRAPPED if past else 0) | (marks[i] if marks else 0) for i, past in enumerate(over)]
    return Tile(out, value.shape, dtype, marks)


def choose(condition: Any, x: Any, y: Any) -> Tile:
    """tl.where: lanes of ``x`` where ``condition`` holds, else of ``y``; only the chosen lane's marks count."""
    wanted, a, b = retyped(tile(condition), int1), x, y
    if isinstance(a, Tile) and isinstance(b, Tile) and "p" in (a.dtype.family, b.dtype.family):
        dtype: DType = _common_pointer(a, b)
    else:
        if not isinstance(a, Tile) and not isinstance(b, Tile):
            a, b = tile(a), tile(b)
        a, b, dtype = matched(a, b)
    shape = common_shape(common_shape(wanted.shape, a.shape), b.shape)
    wanted, a, b = spread(wanted, shape), spread(a, shape), spread(b, shape)
    data = [left if chosen else right for chosen, left, right in zip(wanted.data, a.data, b.data, strict=True)]
    marks = None
    if a.marks is not None or b.marks is not None or wanted.marks is not None:
        none = [0] * len(data)
        picked = zip(wanted.data, a.marks or none, b.marks or none, wanted.marks or none, strict=True)
        marks = [(left if chosen else right) | extra for chosen, left, right, extra in picked]
    return Tile(data, shape, dtype, marks if marks and any(marks) else None)


def _common_pointer(a: Tile, b: Tile) -> DType:
    if a.dtype != b.dtype:
        raise KernelError(f"where cannot choose between {a.dtype} and {b.dtype}", kind="refused")
    same = getattr(a.dtype, "origin", None) is getattr(b.dtype, "origin", None)
    return a.dtype if same else dtypes.pointer_to(a.dtype.element_ty)
