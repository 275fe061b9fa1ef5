"""A benchmark's report as somebody publishes it: a few lines, and what is said about how they came about."""

from dataclasses import dataclass
from fractions import Fraction

from sim.measured.records import FORMATS, ITEM_BYTES, Row, Shape

# The tolerances of the bench for random inputs, by number format: what rounding alone may leave.
TOLERANCE = {
    "float16": Fraction(1, 1000),
    "bfloat16": Fraction(6, 1000),
    "float32 tf32": Fraction(2, 1000),
    "float32 ieee": Fraction(2, 100_000),
}
EMPTIED = "emptied before every repeat"
IN_TURNS = "in turns: one repeat of each, then the next"
RANDOM = "random numbers, normally distributed"


@dataclass(frozen=True)
class Line:
    """One kernel at one shape. Times are picoseconds: the reported one, and the lowest and highest of the repeats.

    ``format`` is what the line calls its numbers: a number format, or plain ``float32``. ``rate`` is the printed
    TFLOP/s, ``ratio`` the printed times as fast as torch; None where nothing is printed.
    """

    kernel: str
    shape: Shape
    format: str
    low: int
    time: int
    high: int
    rate: Fraction | None
    ratio: Fraction | None
    error: Fraction | None

    @property
    def flops(self) -> int:
        """2 M N K."""
        m, n, k = self.shape
        return 2 * m * n * k

    @property
    def least_bytes(self) -> int:
        """A and B read once, C written once."""
        m, n, k = self.shape
        return ITEM_BYTES[self.format.split()[0]] * (m * k + k * n + m * n)

    @property
    def true_rate(self) -> Fraction:
        """TFLOP/s of the reported time, by the right formula."""
        return Fraction(self.flops, self.time)

    @property
    def peak_format(self) -> str:
        """The number format whose peak counts: plain float32 promises IEEE arithmetic."""
        return self.format if self.format in FORMATS else "float32 ieee"


@dataclass(frozen=True)
class Setting:
    """How a report says that it was measured, and on what. ``clocks_mhz`` are those before and after."""

    repeats: int
    cache: str
    inputs: str
    turns: str
    clocks_mhz: tuple[Fraction | None, Fraction | None]
    empty: int
    l2_bytes: int
    peak_tb_s: Fraction
    peaks: tuple[tuple[str, Fraction], ...]

    def peak(self, number_format: str) -> Fraction:
        """The published TFLOP/s of a number format."""
        return dict(self.peaks)[number_format]


@dataclass(frozen=True)
class Report:
    """``lines`` as published; ``again`` is a second run in the other order, where somebody made one."""

    lines: tuple[Line, ...]
    setting: Setting
    again: tuple[Line, ...] = ()


def line_of(row: Row, torch: Row | None) -> Line:
    """An honest line of a timed row. Raises ValueError for a row without a time."""
    if row.replay is None:
        raise ValueError(f"{row.kernel}: given a row without a time; allowed: a timed one")
    ratio = Fraction(torch.replay.median, row.replay.median) if torch and torch.replay and torch is not row else None
    time = row.replay
    return Line(row.kernel, row.shape, row.format, time.low, time.median, time.high, row.tflops, ratio, row.error)
