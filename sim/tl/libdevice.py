"""The part of libdevice that public kernels use, computed in double and rounded once."""

import math
from collections.abc import Callable
from typing import Any

from sim.tl import elementwise, lane_functions
from sim.tl.arithmetic import elementwise as pairwise
from sim.tl.arithmetic import matched, unary
from sim.tl.dtypes import float32, int1, int32, int64
from sim.tl.rounding import bitcast, rounded
from sim.tl.tile import Tile, tile

_ONE: dict[str, Callable[[float], float]] = {
    "acos": math.acos, "acosh": math.acosh, "asin": math.asin, "asinh": math.asinh, "atan": math.atan,
    "atanh": lane_functions.inverse_hyperbolic_tangent, "cosh": math.cosh, "sinh": lane_functions.hyperbolic_sine,
    "tan": math.tan, "tanh": math.tanh, "erfc": math.erfc, "expm1": math.expm1,
    "log10": lane_functions.with_pole(math.log10), "log1p": lane_functions.log_of_more,
    "lgamma": lane_functions.log_gamma, "tgamma": lane_functions.gamma, "exp10": lambda x: 10.0**x,
    "cbrt": lambda x: math.copysign(abs(x) ** (1 / 3), x),
}  # fmt: skip
SINGLE = ("fp32",)
_SAME = ["exp", "exp2", "log", "log2", "sqrt", "rsqrt", "sin", "cos", "erf", "floor", "ceil"]
_FAST = {
    "fast_expf": "exp", "fast_logf": "log", "fast_sinf": "sin", "fast_cosf": "cos", "fast_tanf": "tan",
    "fast_log2f": "log2", "fast_log10f": "log10", "fast_exp10f": "exp10", "fast_tanhf": "tanh",
}  # fmt: skip


def _trunc(value: float) -> float:
    return math.copysign(math.trunc(value), value) if math.isfinite(value) else value


def _nearest(value: float) -> float:
    return math.copysign(round(value), value) if math.isfinite(value) else value


def _away(value: float) -> float:
    return math.copysign(math.floor(abs(value) + 0.5), value) if math.isfinite(value) else value


def _cut(value: float) -> float:
    """A double as fp32, towards zero."""
    if not math.isfinite(value):
        return value
    near: float = rounded([value], float32)[0]
    return near if abs(near) <= abs(value) else _below(near)


def _below(value: float) -> float:
    """The next fp32 number towards zero."""
    word = bitcast([value], float32, int32)[0]
    return float(bitcast([word - 1], int32, float32)[0])


def _quotient_cut(a: float, b: float) -> float:
    """a / b of fp32 numbers, towards zero: their product with an fp32 number is exact in double."""
    near = _cut(lane_functions.float_div(a, b))
    return _below(near) if math.isfinite(near) and abs(near * b) > abs(a) else near


def _root_cut(value: float) -> float:
    """The square root of an fp32 number, towards zero."""
    near = _cut(math.sqrt(value))
    return _below(near) if math.isfinite(near) and near * near > value else near


def _pair(
    name: str, lane: Callable[[float, float], float], allowed: tuple[str, ...] = elementwise.WIDE
) -> Callable[[Any, Any], Tile]:
    guarded = lane_functions.total(lane)

    def function(x: Any, y: Any) -> Tile:
        a, b, dtype = matched(x, y) if isinstance(x, Tile) or isinstance(y, Tile) else matched(tile(x), tile(y))
        return pairwise(guarded, elementwise.of_type(name, a, allowed), b, dtype)

    return function


def _power(x: Any, y: Any) -> Tile:
    """pow: a whole-number exponent is taken in the type of ``x``."""
    base, exponent = tile(x), tile(y)
    a, b, dtype = matched(elementwise.of_type("pow", base), exponent)
    return pairwise(lane_functions.power, a, b, dtype)


def _question(name: str, test: Callable[[float], bool]) -> Callable[[Any], Tile]:
    def function(x: Any) -> Tile:
        value = elementwise.of_type(name, tile(x))
        return Tile(list(map(test, value.data)), value.shape, int1, value.marks)

    return function


def _converted(name: str, rounding: Callable[[float], float], dtype: Any) -> Callable[[Any], Tile]:
    def function(x: Any) -> Tile:
        value = elementwise.of_type(name, tile(x))
        return unary(lambda lane: int(rounding(lane)) if math.isfinite(lane) else 0, value, dtype)

    return function


_PAIRS = {
    "atan2": math.atan2, "hypot": math.hypot, "fmod": lane_functions.float_mod, "copysign": math.copysign,
    "fdim": lambda x, y: max(x - y, 0.0), "div_rn": lane_functions.float_div,
}  # fmt: skip
_QUESTIONS: dict[str, Callable[[float], bool]] = {
    "isnan": math.isnan, "isinf": math.isinf, "finitef": math.isfinite, "isfinited": math.isfinite,
    "signbit": lambda lane: math.copysign(1.0, lane) < 0,
}  # fmt: skip
_CONVERTED = {
    "float2int_rn": (_nearest, int32), "float2int_rz": (_trunc, int32), "llrint": (_nearest, int64),
    "float2int_rd": (lane_functions.floor, int32), "float2int_ru": (lane_functions.ceil, int32),
}  # fmt: skip


def _lane_of(name: str) -> Callable[[float], float]:
    known = {
        **_ONE,
        "exp": math.exp,
        "log": lane_functions.log,
        "sin": math.sin,
        "cos": math.cos,
        "log2": lane_functions.log2,
    }
    return known[name]


def functions() -> dict[str, Callable[..., Any]]:
    """Every function by its name in libdevice."""
    lanes = {**_ONE, "trunc": _trunc, "rint": _nearest, "nearbyint": _nearest, "round": _away}
    out: dict[str, Callable[..., Any]] = {name: elementwise.floating(name, lane) for name, lane in lanes.items()}
    out.update({name: getattr(elementwise, name) for name in _SAME})
    out.update({fast: elementwise.floating(fast, _lane_of(name), SINGLE) for fast, name in _FAST.items()})
    out.update({name: _pair(name, lane) for name, lane in _PAIRS.items()})
    out.update({name: _question(name, test) for name, test in _QUESTIONS.items()})
    out.update({name: _converted(name, rounding, dtype) for name, (rounding, dtype) in _CONVERTED.items()})
    return {
        **out, **dict.fromkeys(("pow", "fast_powf"), _power), "abs": lambda x: abs(tile(x)), "fma": elementwise.fma,
        "div_rz": _pair("div_rz", _quotient_cut, SINGLE), "sqrt_rz": elementwise.floating("sqrt_rz", _root_cut, SINGLE),
        "fast_dividef": _pair("fast_dividef", lane_functions.float_div, SINGLE),
        "sqrt_rn": elementwise.floating("sqrt_rn", math.sqrt),
        "popc": elementwise.popc, "clz": elementwise.clz, "mulhi": elementwise.umulhi,
    }  # fmt: skip
