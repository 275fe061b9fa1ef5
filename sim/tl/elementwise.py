"""Mathematical functions of single lanes: computed in double, rounded once (a GPU may differ in the last place)."""

import math
from collections.abc import Callable
from typing import Any

from sim.tl import lane_functions
from sim.tl.arithmetic import elementwise, matched, unary
from sim.tl.dtypes import float32, int32, uint32
from sim.tl.errors import KernelError
from sim.tl.rounding import once
from sim.tl.tile import UNDEFINED, Tile, joint, kept, retyped, spread, tile

WIDE = ("fp32", "fp64")


def of_type(name: str, value: Tile, allowed: tuple[str, ...] = WIDE) -> Tile:
    """``value`` itself. Raises KernelError when its type is none of those that the compiler has ``name`` for."""
    if value.dtype.name not in allowed:
        cast = f"; cast it, as in x.to(tl.float{allowed[0][2:]})" if value.dtype.family == "f" else ""
        raise KernelError(f"{name} needs {' or '.join(allowed)}, not {value.dtype}{cast}", kind="refused")
    return value


def floating(name: str, lane: Callable[[float], float], allowed: tuple[str, ...] = WIDE) -> Callable[[Any], Tile]:
    """A function of one float tile; 16-bit floats have to be cast, as the compiler wants it."""
    guarded = lane_functions.total(lane)

    def function(x: Any) -> Tile:
        return unary(guarded, of_type(name, tile(x), allowed))

    function.__name__ = name
    return function


exp = floating("exp", math.exp)
exp2 = floating("exp2", lane_functions.power_of_two)
log = floating("log", lane_functions.log)
log2 = floating("log2", lane_functions.log2)
sqrt = floating("sqrt", math.sqrt)
rsqrt = floating("rsqrt", lane_functions.reciprocal_root)
sin = floating("sin", math.sin)
cos = floating("cos", math.cos)
erf = floating("erf", math.erf)
floor = floating("floor", lane_functions.floor)
ceil = floating("ceil", lane_functions.ceil)


def sigmoid(x: Any) -> Tile:
    """1 / (1 + exp(-x))."""
    out: Tile = 1 / (1 + exp(-x))
    return out


def fma(x: Any, y: Any, z: Any) -> Tile:
    """x * y + z, rounded once (fp64: the product and the sum)."""
    a, b, _ = matched(x, y)
    a, c, _ = matched(a, z)
    b, c, dtype = matched(b, c)
    if dtype.family != "f":
        raise KernelError(f"tl.fma needs floats, not {dtype}", kind="refused")
    shape = (a.data, b.data, c.data)
    if len({len(data) for data in shape}) > 1:
        wide = max((a, b, c), key=lambda part: len(part.data)).shape
        a, b, c = spread(a, wide), spread(b, wide), spread(c, wide)
    products = [p * q for p, q in zip(a.data, b.data, strict=True)]
    sums = [product + r for product, r in zip(products, c.data, strict=True)]
    marks = joint(a, Tile(b.data, a.shape, dtype, joint(b, c, a.shape)), a.shape, UNDEFINED)
    data = sums if dtype.bits == 64 else once(sums, dtype, lambda i: (products[i], c.data[i]))
    return Tile(data, a.shape, dtype, marks)


def cdiv(x: Any, div: Any) -> Any:
    """x / div rounded up, for numbers and tiles."""
    return (x + (div - 1)) // div


def fdiv(x: Any, y: Any, ieee_rounding: bool = False) -> Any:
    """x / y."""
    return tile(x) / y


def div_rn(x: Any, y: Any) -> Any:
    """x / y in fp32, correctly rounded (as / is here)."""
    a, b, _ = matched(tile(x), y)
    return of_type("div_rn", a, ("fp32",)) / b


def sqrt_rn(x: Any) -> Tile:
    """The square root of fp32, correctly rounded (as sqrt is here)."""
    return sqrt(of_type("sqrt_rn", tile(x), ("fp32",)))


def add(x: Any, y: Any, sanitize_overflow: bool = True) -> Any:
    """x + y."""
    return x + y


def sub(x: Any, y: Any, sanitize_overflow: bool = True) -> Any:
    """x - y."""
    return x - y


def mul(x: Any, y: Any, sanitize_overflow: bool = True) -> Any:
    """x * y."""
    return x * y


def _pick(numbers: Callable[[Any, Any], Any], nans: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    def function(x: Any, y: Any, propagate_nan: Any = 0) -> Any:
        if not isinstance(x, Tile) and not isinstance(y, Tile):
            return numbers(x, y)
        a, b, dtype = matched(x, y)
        return elementwise(nans if propagate_nan else numbers, a, b, dtype)

    return function


maximum = _pick(lane_functions.larger, lane_functions.larger_or_nan)
minimum = _pick(lane_functions.smaller, lane_functions.smaller_or_nan)


def clamp(x: Any, min: Any, max: Any, propagate_nan: Any = 0) -> Any:
    """x, but at least ``min`` and at most ``max``; of floats."""
    if tile(x).dtype.family != "f":
        raise KernelError(f"tl.clamp needs floats, not {tile(x).dtype}; use tl.minimum and tl.maximum", kind="refused")
    return minimum(maximum(x, min, propagate_nan), max, propagate_nan)


def umulhi(x: Any, y: Any) -> Tile:
    """The upper half of the product of two whole numbers."""
    a, b, dtype = matched(x, y)
    if dtype.bits < 32 or dtype.family not in "iu":
        raise KernelError(f"umulhi needs 32- or 64-bit whole numbers, not {dtype}", kind="refused")
    mask = (1 << dtype.bits) - 1
    a, b = retyped(a, dtype), retyped(b, dtype)
    out = elementwise(lambda p, q: ((p & mask) * (q & mask)) >> dtype.bits, a, b, dtype, UNDEFINED)
    out.marks = kept(out.marks, UNDEFINED)
    return out


def popc(x: Any) -> Tile:
    """How many bits are set."""
    value = tile(x)
    mask = (1 << value.dtype.bits) - 1
    return unary(lambda lane: (lane & mask).bit_count(), value, int32)


def clz(x: Any) -> Tile:
    """How many leading bits are zero."""
    value = tile(x)
    bits = value.dtype.bits
    return unary(lambda lane: bits - (lane & ((1 << bits) - 1)).bit_length(), value, int32)


def to_unsigned(x: Tile) -> Tile:
    """int32 lanes as uint32."""
    return retyped(x, uint32)


def as_float(x: Any) -> Tile:
    """Whole numbers as fp32, floats as they are."""
    value = tile(x)
    return value if value.dtype.family == "f" else retyped(value, float32)
