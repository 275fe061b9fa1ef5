"""Measured numbers in words, by whole-number arithmetic, so that every Python writes the same."""

from fractions import Fraction

from sim.measured.records import Shape

LABELS = {"float16": "float16", "bfloat16": "bfloat16", "float32 ieee": "float32 IEEE", "float32 tf32": "float32 TF32"}


def places(value: Fraction, count: int) -> str:
    """A fraction of 0 or more, rounded half up to ``count`` places, all of them shown: 1,674.9."""
    scaled = int(value * 10**count * 2 + 1) // 2
    whole, rest = divmod(scaled, 10**count)
    return f"{whole:,}" + (f".{rest:0{count}d}" if count else "")


def figures(value: Fraction) -> str:
    """About three figures: 745, 50.3, 4.01, 0.85."""
    return places(value, 0 if value >= 100 else 1 if value >= 10 else 2)


def peak(value: Fraction) -> str:
    """A published figure, to its tenth: 989.5, 66.9, 4.8."""
    return places(value, 1)


def microseconds(picoseconds: int) -> str:
    """186.7, without its unit, as a column has it."""
    return places(Fraction(picoseconds, 10**6), 1)


def us(picoseconds: int) -> str:
    """186.7 µs."""
    return f"{microseconds(picoseconds)}\u00a0µs"


def ratio(value: Fraction) -> str:
    """1.02, and 0.015 for a small one: times as fast as the other."""
    return places(value, 2 if value >= Fraction(1, 10) else 3)


def megabytes(count: int) -> str:
    """33.6 MB, of 10**6 bytes."""
    return f"{figures(Fraction(count, 10**6))}\u00a0MB"


def fold(value: Fraction) -> str:
    """64-fold, 1.1-fold."""
    return f"{places(value, 0 if value >= 10 or value.denominator == 1 else 1)}-fold"


def scientific(value: Fraction) -> str:
    """2.1e-4; 0 only for exactly 0."""
    if not value:
        return "0"
    exponent = 0
    while value >= 10:
        value, exponent = value / 10, exponent + 1
    while value < 1:
        value, exponent = value * 10, exponent - 1
    if value >= Fraction(199, 20):  # it would be rounded to 10.0
        value, exponent = Fraction(1), exponent + 1
    return f"{places(value, 1)}e{exponent}"


def shape(given: Shape) -> str:
    """4096³ for a cube, else M × N × K."""
    m, n, k = given
    return f"{m}³" if m == n == k else f"{m} × {n} × {k}"


def label(number_format: str) -> str:
    """A number format as a reader sees it."""
    return LABELS.get(number_format, number_format)
