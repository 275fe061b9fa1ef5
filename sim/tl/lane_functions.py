"""What happens to single lanes: functions of Python numbers that behave as the hardware's instructions do."""

import math
from collections.abc import Callable
from typing import Any


def int_div(a: int, b: int) -> int:
    """C's division: towards zero; by zero (undefined there) it gives 0 here."""
    if b == 0:
        return 0
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def int_mod(a: int, b: int) -> int:
    """C's remainder: it has the sign of ``a``."""
    return a - b * int_div(a, b)


def float_div(a: float, b: float) -> float:
    """IEEE division: by zero gives an infinity or NaN."""
    if b:
        try:
            return a / b
        except OverflowError:
            return math.copysign(math.inf, a) * math.copysign(1.0, b)
    if a == 0 or a != a:
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1.0, b)


def float_mod(a: float, b: float) -> float:
    """C's fmod; NaN where it has no value."""
    try:
        return math.fmod(a, b)
    except ValueError:
        return math.nan


def shift_left(a: int, b: int) -> int:
    """Left shift; by 64 or more it gives 0."""
    return a << b if 0 <= b < 64 else 0


def shift_right(a: int, b: int) -> int:
    """Right shift, arithmetic for negative numbers."""
    return a >> b if 0 <= b < 64 else (-1 if a < 0 else 0)


def larger(a: Any, b: Any) -> Any:
    """The larger one; a NaN gives way to the other (PTX max)."""
    if a != a:
        return b
    if b != b:
        return a
    return b if b > a else a


def smaller(a: Any, b: Any) -> Any:
    """The smaller one; a NaN gives way to the other (PTX min)."""
    if a != a:
        return b
    if b != b:
        return a
    return b if b < a else a


def larger_or_nan(a: Any, b: Any) -> Any:
    """The larger one; NaN when either is."""
    return a if a != a else b if b != b else larger(a, b)


def smaller_or_nan(a: Any, b: Any) -> Any:
    """The smaller one; NaN when either is."""
    return a if a != a else b if b != b else smaller(a, b)


def total(function: Callable[..., float]) -> Callable[..., float]:
    """``function`` made total: overflow gives infinity, anything outside of its domain NaN."""

    def guarded(*values: float) -> float:
        try:
            return function(*values)
        except OverflowError:
            return math.inf
        except (ValueError, ZeroDivisionError):
            return math.nan

    return guarded


def with_pole(function: Callable[[float], float]) -> Callable[[float], float]:
    """A logarithm: minus infinity at 0."""
    return lambda value: function(value) if value else -math.inf


log, log2 = with_pole(math.log), with_pole(math.log2)


def reciprocal_root(value: float) -> float:
    """1 / sqrt(value); infinity at zero, with its sign."""
    return 1.0 / math.sqrt(value) if value else math.copysign(math.inf, value)


def hyperbolic_sine(value: float) -> float:
    """sinh; infinity of its sign on overflow."""
    try:
        return math.sinh(value)
    except OverflowError:
        return math.copysign(math.inf, value)


def inverse_hyperbolic_tangent(value: float) -> float:
    """atanh; infinity of its sign at 1 and -1."""
    return math.copysign(math.inf, value) if abs(value) == 1 else math.atanh(value)


def log_of_more(value: float) -> float:
    """log(1 + value); minus infinity at -1."""
    return -math.inf if value == -1 else math.log1p(value)


def gamma(value: float) -> float:
    """The gamma function; infinity of its sign at 0, NaN at whole numbers below."""
    return math.gamma(value) if value else math.copysign(math.inf, value)


def log_gamma(value: float) -> float:
    """log |gamma|; infinity at 0 and at whole numbers below."""
    try:
        return math.lgamma(value)
    except ValueError:
        return math.inf


def power(base: float, exponent: float) -> float:
    """base ** exponent; infinities of C's pow at 0 and on overflow, NaN for a root of a negative number."""
    try:
        return math.pow(base, exponent)
    except (OverflowError, ValueError) as error:
        if base != 0 and isinstance(error, ValueError):
            return math.nan
        odd = float(exponent).is_integer() and int(exponent) % 2 == 1
        return math.copysign(math.inf, base) if odd else math.inf


def power_of_two(value: float) -> float:
    """2 ** value; infinity on overflow."""
    return math.inf if value >= 1024 else 2.0**value


def floor(value: float) -> float:
    """Floor as a float; infinities, NaN and the sign of zero stay."""
    return math.copysign(math.floor(value), value) if math.isfinite(value) else value


def ceil(value: float) -> float:
    """Ceiling as a float; infinities, NaN and the sign stay."""
    return math.copysign(math.ceil(value), value) if math.isfinite(value) else value
