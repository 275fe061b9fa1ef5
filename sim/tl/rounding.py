"""Round or wrap the lanes of a tile to their type, exactly.

Lanes are Python numbers that are already values of their type. Computing + - * / and sqrt in double and rounding once
gives the correctly rounded result for fp32, fp16 and bf16, because double has more than twice their bits.
"""

import math
import struct
from array import array
from collections.abc import Callable, Iterable
from typing import Any

from sim.tl.dtypes import DType, float16, float32, float64, int_range
from sim.tl.dtypes import bfloat16 as bf16
from sim.tl.errors import KernelError

Lanes = list[Any]

_CODES = {
    "fp16": "e", "fp32": "f", "fp64": "d", "int8": "b", "int16": "h", "int32": "i", "int64": "q",
    "uint8": "B", "uint16": "H", "uint32": "I", "uint64": "Q", "int1": "B",
}  # fmt: skip


def rounded(lanes: Lanes, dtype: DType) -> Lanes:
    """Float lanes as values of the float type ``dtype``, to nearest, ties to even, overflow to infinity."""
    if dtype is float32:
        return array("f", lanes).tolist()
    if dtype is float16:
        return _fp16(lanes)
    if dtype is bf16:
        return _bf16(lanes)
    if dtype is float64:
        return list(map(float, lanes))
    if dtype.mantissa == 0:
        raise KernelError(f"tiles of {dtype} are not simulated", kind="unknown name")
    return [small_float(float(value), dtype) for value in lanes]


def once(sums: Lanes, dtype: DType, terms: Callable[[int], Iterable[float]]) -> Lanes:
    """Sums of doubles as values of ``dtype``, rounded once and not twice.

    ``sums`` are the exact sums rounded to double. Where one lies just between two values of ``dtype``, what the first
    rounding took away decides: ``terms`` gives the addends of sum number i again.
    """
    near = rounded(sums, dtype)
    doubtful = [i for i, (total, value) in enumerate(zip(sums, near, strict=True)) if total != value]
    if not doubtful:
        return near
    across = [2 * sums[i] - near[i] for i in doubtful]  # the value on the other side, if the sum lies in the middle
    for i, other, value in zip(doubtful, across, rounded(across, dtype), strict=True):
        if other == value and math.isfinite(other):
            rest = math.fsum((*terms(i), -sums[i]))
            if rest:
                near[i] = max(near[i], other) if rest > 0 else min(near[i], other)
    return near


def near_double(whole: int) -> float:
    """A whole number as a double to round further: past 53 bits the last bit says whether something was cut off."""
    cut = abs(whole).bit_length() - 53
    if cut <= 0:
        return float(whole)
    kept = abs(whole) >> cut
    kept |= kept << cut != abs(whole)
    return math.copysign(float(kept << cut), whole)


def wrapped(lanes: Lanes, dtype: DType) -> tuple[Lanes, Lanes | None]:
    """Integer lanes taken modulo 2**bits, and which of them that changed (None: none of them)."""
    if dtype.family == "b":
        return [bool(value & 1) for value in lanes], None
    low, high = int_range(dtype)
    if not lanes or (min(lanes) >= low and max(lanes) <= high):
        return lanes, None
    span = high - low + 1
    return [(value - low) % span + low for value in lanes], [not low <= value <= high for value in lanes]


def truncated(value: float, dtype: DType) -> int:
    """A float as an integer, towards zero; out of range it stops at the nearest end, and NaN gives 0 (PTX cvt)."""
    if value != value:
        return 0
    low, high = int_range(dtype)
    if math.isinf(value):
        return high if value > 0 else low
    return min(max(int(value), low), high)


def tf32(lanes: Lanes) -> Lanes:
    """fp32 lanes as a TF32 matrix instruction reads them: the 13 low fraction bits are ignored.

    Triton 3.7 emits no rounding conversion before the instruction (read off its PTX), so they are cut, not rounded; the
    errors that gpu/results keeps of an H200 are those of cut factors as well (tests/tl/test_stored_results.py), and its
    products of chosen factors are equal to these, bit for bit (tests/tl/test_gpu.py).
    """
    bits = array("I", array("f", lanes).tobytes())
    return array("f", array("I", [word & 0xFFFFE000 for word in bits]).tobytes()).tolist()


def small_float(value: float, dtype: DType) -> float:
    """``value`` as an fp8 number, saturating at the largest finite one."""
    if value != value or value == 0:
        return value
    bias = (1 << (dtype.exponent - 1)) - 1
    exponent = max(math.frexp(value)[1] - 1 if math.isfinite(value) else bias, 1 - bias)
    top = 57344.0 if dtype.exponent == 5 else 448.0
    if not math.isfinite(value):
        return math.copysign(top, value)
    quantum = math.ldexp(1.0, exponent - dtype.mantissa)
    return math.copysign(min(abs(round(value / quantum) * quantum), top), value)


def bitcast(lanes: Lanes, source: DType, target: DType) -> Lanes:
    """The same bits read as another type of the same width. Raises ValueError for fp8."""
    raw = struct.pack(f"<{len(lanes)}{_bit_code(source)}", *_to_bits(lanes, source))
    return _from_bits(list(struct.unpack(f"<{len(lanes)}{_bit_code(target)}", raw)), target)


def _bit_code(dtype: DType) -> str:
    if dtype is bf16:
        return "H"
    if dtype.name not in _CODES:
        return "B"
    return _CODES[dtype.name]


def _to_bits(lanes: Lanes, dtype: DType) -> Lanes:
    if dtype is bf16:
        return [word >> 16 for word in array("I", array("f", lanes).tobytes())]
    if dtype.bits == 8 and dtype.family == "f":
        table = {decode_small(code, dtype): code for code in range(255, -1, -1)}
        return [0x80 if value == 0 and math.copysign(1, value) < 0 else table.get(value, 0x7F) for value in lanes]
    return lanes


def _from_bits(lanes: Lanes, dtype: DType) -> Lanes:
    if dtype is bf16:
        return array("f", array("I", [word << 16 for word in lanes]).tobytes()).tolist()
    if dtype.bits == 8 and dtype.family == "f":
        return [decode_small(code, dtype) for code in lanes]
    return [bool(value & 1) for value in lanes] if dtype.family == "b" else lanes


def decode_small(code: int, dtype: DType) -> float:
    """The value of an fp8 bit pattern (e5m2 has infinities, e4m3 has NaN at all ones only)."""
    sign = -1.0 if code & 0x80 else 1.0
    power, fraction = (code & 0x7F) >> dtype.mantissa, code & ((1 << dtype.mantissa) - 1)
    if dtype.exponent == 5 and power == 31:
        return math.nan if fraction else sign * math.inf
    if dtype.exponent == 4 and code & 0x7F == 0x7F:
        return math.nan
    bias = (1 << (dtype.exponent - 1)) - 1
    whole = fraction if power == 0 else fraction + (1 << dtype.mantissa)
    return sign * math.ldexp(whole, max(power, 1) - bias - dtype.mantissa)


def _bf16(lanes: Lanes) -> Lanes:
    """The upper 16 bits of fp32, to nearest, ties to even; a NaN stays one."""
    out = []
    for word in array("I", array("f", lanes).tobytes()):
        if word & 0x7F800000 == 0x7F800000:
            out.append((word & 0xFFFF0000) | (0x400000 if word & 0x7FFFFF else 0))
        else:
            out.append((word + 0x7FFF + ((word >> 16) & 1)) & 0xFFFF0000)
    return array("f", array("I", out).tobytes()).tolist()


def _fp16(lanes: Lanes) -> Lanes:
    form = f"{len(lanes)}e"
    try:
        return list(struct.unpack(form, struct.pack(form, *lanes)))
    except (OverflowError, struct.error):  # of floats and of whole numbers
        return [_fp16([value])[0] if not abs(value) >= 65520 else math.copysign(math.inf, value) for value in lanes]
