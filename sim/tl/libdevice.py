"""The part of libdevice that public kernels use, computed in double and rounded once."""

import math
from collections.abc import Callable
from typing import Any

from sim.tl import elementwise, lane_functions
from sim.tl.arithmetic import elementwise as pairwise
from sim.tl.arithmetic import matched, unary
from sim.tl.dtypes import int1, int32, int64
from sim.tl.tile import Tile, tile

_ONE: dict[str, Callable[[float], float]] = {
    "acos": math.acos, "acosh": math.acosh, "asin": math.asin, "asinh": math.asinh, "atan": math.atan,
    "atanh": math.atanh, "cosh": math.cosh, "sinh": math.sinh, "tan": math.tan, "tanh": math.tanh,
    "erfc": math.erfc, "expm1": math.expm1, "log10": math.log10, "log1p": math.log1p, "lgamma": math.lgamma,
    "tgamma": math.gamma, "exp10": lambda x: 10.0**x, "cbrt": lambda x: math.copysign(abs(x) ** (1 / 3), x),
}  # fmt: skip
_SAME = ["exp", "exp2", "log", "log2", "sqrt", "rsqrt", "sin", "cos", "erf", "floor", "ceil"]
_FAST = {
    "fast_expf": "exp", "fast_logf": "log", "fast_sinf": "sin", "fast_cosf": "cos", "fast_tanf": "tan",
    "fast_log2f": "log2", "fast_log10f": "log10", "fast_exp10f": "exp10", "fast_tanhf": "tanh",
    "sqrt_rn": "sqrt", "sqrt_rz": "sqrt",
}  # fmt: skip


def _trunc(value: float) -> float:
    return float(math.trunc(value)) if math.isfinite(value) else value


def _nearest(value: float) -> float:
    return float(round(value)) if math.isfinite(value) else value


def _away(value: float) -> float:
    return math.copysign(math.floor(abs(value) + 0.5), value) if math.isfinite(value) else value


def _pair(lane: Callable[[float, float], float]) -> Callable[[Any, Any], Tile]:
    guarded = lane_functions.total(lane)

    def function(x: Any, y: Any) -> Tile:
        a, b, dtype = matched(x, y)
        return pairwise(guarded, a, b, dtype)

    return function


def _power(x: Any, y: Any) -> Tile:
    """pow: a whole-number exponent is taken in the type of ``x``."""
    base, exponent = tile(x), tile(y)
    a, b, dtype = matched(base, exponent)
    return pairwise(lane_functions.total(math.pow), a, b, dtype)


def _question(test: Callable[[float], bool]) -> Callable[[Any], Tile]:
    return lambda x: Tile(list(map(test, tile(x).data)), tile(x).shape, int1, tile(x).marks)


def _converted(rounding: Callable[[float], float], dtype: Any) -> Callable[[Any], Tile]:
    return lambda x: unary(lambda lane: int(rounding(lane)) if math.isfinite(lane) else 0, tile(x), dtype)


def functions() -> dict[str, Callable[..., Any]]:
    """Every function by its name in libdevice."""
    out: dict[str, Callable[..., Any]] = {name: elementwise.floating(name, lane) for name, lane in _ONE.items()}
    out.update({name: getattr(elementwise, name) for name in _SAME})
    out.update({fast: out[name] for fast, name in _FAST.items()})
    for name, lane in {"trunc": _trunc, "rint": _nearest, "nearbyint": _nearest, "round": _away}.items():
        out[name] = elementwise.floating(name, lane)
    pow_names = dict.fromkeys(("pow", "fast_powf"), _power)
    return {
        **out, **pow_names,
        "abs": lambda x: abs(tile(x)), "fabs": lambda x: abs(tile(x)),
        "fma": elementwise.fma, "div_rn": elementwise.div_rn, "div_rz": elementwise.div_rn,
        "fast_dividef": elementwise.div_rn, "atan2": _pair(math.atan2), "hypot": _pair(math.hypot),
        "fmod": _pair(math.fmod), "copysign": _pair(math.copysign), "fdim": _pair(lambda x, y: max(x - y, 0.0)),
        "max": elementwise.maximum, "min": elementwise.minimum, "fmax": elementwise.maximum,
        "fmin": elementwise.minimum, "isnan": _question(math.isnan), "isinf": _question(math.isinf),
        "finitef": _question(math.isfinite), "isfinited": _question(math.isfinite),
        "signbit": _question(lambda lane: math.copysign(1.0, lane) < 0), "popc": elementwise.popc,
        "clz": elementwise.clz, "mulhi": elementwise.umulhi, "float2int_rn": _converted(_nearest, int32),
        "float2int_rz": _converted(_trunc, int32), "llrint": _converted(_nearest, int64),
        "float2int_rd": _converted(lane_functions.floor, int32), "float2int_ru": _converted(lane_functions.ceil, int32),
    }  # fmt: skip
