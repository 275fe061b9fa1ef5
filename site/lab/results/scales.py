"""A logarithmic axis drawn with whole numbers only, so that every Python draws the same pixel."""

from dataclasses import dataclass
from fractions import Fraction

FINE = 64  # parts of an octave


def log2_64(value: Fraction) -> int:
    """64 · log2(value), rounded down. The value must be above 0."""
    above: int = value.numerator**FINE
    below: int = value.denominator**FINE
    exponent = above.bit_length() - below.bit_length()
    fits = below << exponent <= above if exponent >= 0 else below <= above << -exponent
    return exponent if fits else exponent - 1


@dataclass(frozen=True)
class LogAxis:
    """Values from ``low`` to ``high`` laid out from pixel ``start`` to pixel ``stop``, which may run either way."""

    low: Fraction
    high: Fraction
    start: int
    stop: int

    def __call__(self, value: Fraction) -> int:
        """The pixel of a value; one beyond the axis gets the pixel of its end."""
        first, last = log2_64(self.low), log2_64(self.high)
        at = min(max(log2_64(value), first), last)
        return self.start + (self.stop - self.start) * (at - first) // max(last - first, 1)

    def holds(self, value: Fraction) -> bool:
        """True for a value that lies on the axis."""
        return self.low <= value <= self.high


def powers(low: Fraction, high: Fraction, base: int, most: int = 8) -> tuple[Fraction, ...]:
    """Powers of ``base`` from the last at or below ``low`` to the first at or above ``high``, at most ``most``.

    Where there would be more, every second, third … is taken, so that the two ends are still enclosed.
    """
    first = last = 0
    while Fraction(base) ** first > low:
        first -= 1
    while Fraction(base) ** (first + 1) <= low:
        first += 1
    last = first + 1
    while Fraction(base) ** last < high:
        last += 1
    stride = max(1, -(-(last - first) // (most - 1)))
    steps = -(-(last - first) // stride)
    return tuple(Fraction(base) ** (first + stride * step) for step in range(steps + 1))


def power_label(value: Fraction) -> str:
    """A power as an axis has it: 64, 1024, 1/16."""
    whole = value.numerator if value.denominator == 1 else None
    if whole is None:
        return f"1/{value.denominator}"
    return str(whole) if whole < 10_000 else f"{whole:,}"


def si_label(value: Fraction) -> str:
    """A power of ten as an axis has it: 100, 10 k, 1 M; below 1 as 1/10."""
    for size, unit in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if value >= size:
            return f"{power_label(value / size)}\u00a0{unit}"
    return power_label(value)
