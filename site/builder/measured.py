"""The measured fence: a stored result as a plot and as a table, made anew by every build.

    ```measured grouping-bytes
    ```

Here stands what each plot is made of: DRAM bytes, L2 hits and times of the teaching kernel, by GROUP_M and shape.
`measured bench-row` is a table alone: one row of kernel-bench, explained.
"""

from collections.abc import Callable, Collection, Mapping
from fractions import Fraction
from typing import Any

from builder.bench_row import bench_row_html
from builder.evidence import Evidence
from builder.plots import Axis, Line, Plot, Point, plot_html
from lab.markup import Html, join, tag
from lab.problem import given

Shape = tuple[int, int, int]
BENCH_ROW = "bench-row"


def measured_html(name: str, evidence: Evidence) -> Html:
    """The plot and the table of a name. Raises Problem for an unknown one, and when its result is not stored."""
    if name == BENCH_ROW:
        return bench_row_html(evidence)
    if name not in PLOTS:
        raise given("measured", name, ", ".join(sorted((*PLOTS, BENCH_ROW))))
    plot = PLOTS[name]
    return plot_html(plot, evidence.file(plot.file), evidence.provenance(plot.file))


def _by_shape(whole: Any) -> Mapping[Shape, list[Any]]:
    """The rows of the grouping study by shape, in stored order."""
    found: dict[Shape, list[Any]] = {}
    for row in whole["grouping"]:
        found.setdefault((row["m"], row["n"], row["k"]), []).append(row)
    return found


def _name(shape: Shape) -> str:
    m, n, k = shape
    return f"{m}³" if m == n == k else f"{m} × {n} × {k}"


def bytes_lines(whole: Any, shapes: Collection[Shape]) -> tuple[Line, ...]:
    """DRAM bytes read for each byte of the inputs: the median of the counted launches, and their range."""
    return tuple(
        _line_of(shape, [_bytes_point(row) for row in rows], _hundredths)
        for shape, rows in _by_shape(whole).items()
        if shape in shapes
    )


def _bytes_point(row: Any) -> Point:
    low, high = row["dram_read_bytes_range"]
    return _point(row, (low, row["dram_read_bytes"], high), Fraction(row["input_bytes"]))


def hit_lines(whole: Any, shapes: Collection[Shape]) -> tuple[Line, ...]:
    """Hits of the L2 cache for each hit or miss, in percent: the median of the counted launches, and their range."""
    return tuple(
        _line_of(shape, [_hit_point(row) for row in rows], _tenths)
        for shape, rows in _by_shape(whole).items()
        if shape in shapes
    )


def _hit_point(row: Any) -> Point:
    low, high = row["l2_hit_rate_range"]
    return _point(row, (low, row["l2_hit_rate"], high), Fraction(1, 100))


def time_lines(whole: Any, shapes: Collection[Shape]) -> tuple[Line, ...]:
    """Time for each time at GROUP_M = 1, in percent: the median of the timed launches, and its middle half.

    The table has milliseconds.
    """
    lines = []
    for shape, rows in _by_shape(whole).items():
        if shape in shapes:
            percent = Fraction(rows[0]["time_ms"]["median"]) / 100
            times = [tuple(row["time_ms"][key] for key in QUARTILES) for row in rows]
            points = [_point(row, time, percent) for row, time in zip(rows, times, strict=True)]
            cells = tuple(_cell(*(_milliseconds(value) for value in time)) for time in times)
            lines.append(Line(_name(shape), tuple(points), cells))
    return tuple(lines)


def _point(row: Any, values: tuple[float, ...], unit: Fraction) -> Point:
    low, value, high = (Fraction(value) / unit for value in values)
    return Point(row["group_m"], low, value, high)


def _line_of(shape: Shape, points: list[Point], shown: Callable[[Fraction], str]) -> Line:
    cells = (_cell(*(shown(value) for value in (point.low, point.value, point.high))) for point in points)
    return Line(_name(shape), tuple(points), tuple(cells))


def _cell(low: str, value: str, high: str) -> Html:
    """A value, and beneath it its spread."""
    return join(value, tag("br"), tag("small", f"{low}–{high}"))


def _hundredths(value: Fraction) -> str:
    """Rounded half up to two places, both of them shown."""
    whole, rest = divmod(int(value * 200 + 1) // 2, 100)
    return f"{whole}.{rest:02d}"


def _tenths(value: Fraction) -> str:
    """Rounded half up to one place, the place always shown."""
    whole, rest = divmod(int(value * 20 + 1) // 2, 10)
    return f"{whole}.{rest}"


def _milliseconds(value: float) -> str:
    return f"{value:.4f}" if value < 0.1 else f"{value:.3f}" if value < 10 else f"{value:.2f}"


QUARTILES = ("first_quartile", "median", "third_quartile")
CUBES = tuple((size, size, size) for size in (1024, 2048, 4096, 8192, 16384))
OTHERS = ((16384, 1024, 8192), (1024, 16384, 8192), (16384, 16384, 512))
GROUPING = "h200-counters.json"
TIMES_INPUTS = Axis("DRAM bytes read, in times the inputs", tuple((Fraction(2**p), str(2**p)) for p in range(7)), True)
RELATIVE = Axis("time, in % of GROUP_M = 1", tuple((Fraction(p), f"{p} %") for p in range(80, 111, 5)), False)
HIT_RATE = Axis("L2 hit rate", tuple((Fraction(p), f"{p} %") for p in range(40, 101, 10)), False)
TIME_TABLE = "Time in milliseconds, by GROUP_M: median, and middle half of 30 launches"
BYTES_TABLE = "DRAM bytes read in times the inputs, by GROUP_M: median, and range of three launches"
PLOTS = {
    "grouping-bytes": Plot(
        GROUPING,
        lambda whole: bytes_lines(whole, CUBES),
        TIMES_INPUTS,
        "DRAM bytes read against GROUP_M: 1 is every input byte read once. Dots are the median of three launches "
        "under the profiler, upright lines their range.",
        BYTES_TABLE,
    ),
    "grouping-shapes": Plot(
        GROUPING,
        lambda whole: bytes_lines(whole, OTHERS),
        TIMES_INPUTS,
        "DRAM bytes read against GROUP_M for shapes that are no cubes. Dots are the median of three launches under "
        "the profiler, upright lines their range.",
        BYTES_TABLE,
    ),
    "grouping-time": Plot(
        GROUPING,
        lambda whole: time_lines(whole, CUBES),
        RELATIVE,
        "Time against GROUP_M, each size in percent of its own median at GROUP_M = 1; the axis begins at 80 %. Dots "
        "are the median of 30 launches, the L2 emptied before each, upright lines their middle half.",
        TIME_TABLE,
    ),
    "grouping-shapes-time": Plot(
        GROUPING,
        lambda whole: time_lines(whole, OTHERS),
        RELATIVE,
        "Time against GROUP_M for shapes that are no cubes, each in percent of its own median at GROUP_M = 1; the axis "
        "begins at 80 %. Dots are the median of 30 launches, the L2 emptied before each, upright lines their middle "
        "half.",
        TIME_TABLE,
    ),
    "grouping-hits": Plot(
        GROUPING,
        lambda whole: hit_lines(whole, CUBES),
        HIT_RATE,
        "L2 hit rate against GROUP_M: hits for each hit or miss, the axis from 40 %. Dots are the median of three "
        "launches under the profiler, upright lines their range.",
        "L2 hit rate in percent, by GROUP_M: median, and range of three launches",
    ),
}
