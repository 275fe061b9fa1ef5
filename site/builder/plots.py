"""The measured fence: a stored result as a plot and as a table, made anew by every build.

    ```measured grouping-bytes
    ```

Each plot has its spread, a table of all that it shows, and a line that says who measured it, when and how. Colours
come from the style sheet's classes, and every line carries its name, so that no colour says anything alone.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from builder.evidence import Evidence
from lab.charts import log2_16
from lab.figures import facts
from lab.markup import Html, decimal, join, number, tag
from lab.problem import given

WIDTH, HEIGHT = 640, 320
LEFT, RIGHT, TOP, BOTTOM = 64, 176, 36, 44
APART = 15  # pixels between the names of two lines
Shape = tuple[int, int, int]


@dataclass(frozen=True)
class Point:
    """A measured value with its spread, exact: the value lies between ``low`` and ``high``."""

    along: int
    low: Fraction
    value: Fraction
    high: Fraction


@dataclass(frozen=True)
class Line:
    """One line of a plot: its name, its points, and how its values stand in the table."""

    name: str
    points: tuple[Point, ...]
    cells: tuple[str, ...]


@dataclass(frozen=True)
class Axis:
    """The upright axis: ``ticks`` are drawn and labelled, the first and the last are its ends."""

    label: str
    ticks: tuple[tuple[Fraction, str], ...]
    logarithmic: bool

    def height(self, value: Fraction) -> int:
        """The pixel row of a value, by whole-number arithmetic. Raises Problem for one beyond the axis."""
        low, high = (self._place(tick) for tick in (self.ticks[0][0], self.ticks[-1][0]))
        at = self._place(value)
        if not low <= at <= high:
            allowed = f"{self.ticks[0][1]} to {self.ticks[-1][1]}, which is what the axis shows"
            raise given(self.label, decimal(value), allowed)
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * (at - low) // (high - low)

    def _place(self, value: Fraction) -> int:
        return log2_16(max(int(value * 1024), 1)) if self.logarithmic else int(value * 1000)


@dataclass(frozen=True)
class Plot:
    """One plot: the result it draws from, its lines, its axis, and the sentence beneath it."""

    file: str
    lines: Callable[[Any], tuple[Line, ...]]
    axis: Axis
    caption: str
    table: str


def measured_html(name: str, evidence: Evidence) -> Html:
    """The plot and the table of a name. Raises Problem for an unknown one, and when its result is not stored."""
    if name not in PLOTS:
        raise given("measured", name, ", ".join(sorted(PLOTS)))
    plot = PLOTS[name]
    whole = evidence.file(plot.file)
    lines = plot.lines(whole)
    source = tag("small", evidence.provenance(plot.file), class_="provenance")
    picture = tag("figure", _picture(lines, plot), tag("figcaption", plot.caption, " ", source), class_="chart-box")
    heads = ("M × N × K", *(str(point.along) for point in lines[0].points))
    table = facts(plot.table, heads, [("", (line.name, *line.cells)) for line in lines])
    return tag("div", picture, table, class_="measured-plot")


def _picture(lines: tuple[Line, ...], plot: Plot) -> Html:
    groups = [point.along for point in lines[0].points]
    names = _apart([plot.axis.height(line.points[-1].value) for line in lines])
    drawn = (_line(line, index, plot.axis, at) for index, (line, at) in enumerate(zip(lines, names, strict=True)))
    return tag(
        "svg",
        tag("title", plot.caption),
        _axes(groups, plot.axis),
        *drawn,
        class_="chart",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        role="img",
        aria_label=plot.caption,
    )


def _across(index_16: int, last_16: int) -> int:
    return LEFT + 12 + (WIDTH - LEFT - RIGHT - 24) * index_16 // max(last_16, 1)


def _columns(groups: Iterable[int]) -> dict[int, int]:
    """The pixel column of each GROUP_M, in powers of two."""
    values = list(groups)
    return {value: _across(log2_16(value), log2_16(values[-1])) for value in values}


def _axes(groups: list[int], axis: Axis) -> Html:
    columns = (
        tag("text", number(value), x=x, y=HEIGHT - BOTTOM + 18, class_="label", text_anchor="middle")
        for value, x in _columns(groups).items()
    )
    rows = (
        join(
            tag("line", x1=LEFT, x2=WIDTH - RIGHT, y1=axis.height(value), y2=axis.height(value), class_="grid"),
            tag("text", label, x=LEFT - 8, y=axis.height(value) + 4, class_="label", text_anchor="end"),
        )
        for value, label in axis.ticks
    )
    frame = tag("path", d=f"M{LEFT} {TOP}V{HEIGHT - BOTTOM}H{WIDTH - RIGHT}", class_="axis")
    middle = (LEFT + WIDTH - RIGHT) // 2
    along = tag("text", "GROUP_M", x=middle, y=HEIGHT - 6, class_="label", text_anchor="middle")
    return join(*rows, *columns, frame, along, tag("text", axis.label, x=LEFT, y=TOP - 18, class_="label"))


def _line(line: Line, index: int, axis: Axis, name_at: int) -> Html:
    columns = _columns(point.along for point in line.points)
    places = [(columns[point.along] + 2 * index - 4, point) for point in line.points]
    path = "M" + "L".join(f"{x} {axis.height(point.value)}" for x, point in places)
    spreads = "".join(f"M{x} {axis.height(point.low)}V{axis.height(point.high)}" for x, point in places)
    dots = (tag("circle", cx=x, cy=axis.height(point.value), r=3, class_="dot") for x, point in places)
    name = tag("text", line.name, x=WIDTH - RIGHT + 8, y=name_at + 4, class_="label name")
    return tag(
        "g", tag("path", d=path, class_="series"), tag("path", d=spreads, class_="spread"), *dots, name,
        class_=f"s{index % 5}",
    )  # fmt: skip


def _apart(heights: list[int]) -> list[int]:
    """Pixel rows for names: in the order of the lines' ends, moved down where two would overlap."""
    placed, last = dict[int, int](), TOP - APART
    for index in sorted(range(len(heights)), key=lambda at: (heights[at], at)):
        last = placed[index] = max(heights[index], last + APART)
    over = max(0, last - (HEIGHT - BOTTOM))
    return [placed[index] - over for index in range(len(heights))]


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


def _milliseconds(value: float) -> str:
    return f"{value:.4f}" if value < 0.1 else f"{value:.3f}" if value < 10 else f"{value:.2f}"


QUARTILES = ("first_quartile", "median", "third_quartile")
CUBES = tuple((size, size, size) for size in (1024, 2048, 4096, 8192, 16384))
OTHERS = ((16384, 1024, 8192), (1024, 16384, 8192), (16384, 16384, 512))
GROUPING = "h200-counters.json"
TIMES_INPUTS = Axis("DRAM bytes read, in times the inputs", tuple((Fraction(2**p), str(2**p)) for p in range(7)), True)
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
        Axis("time, in % of GROUP_M = 1", tuple((Fraction(p), f"{p} %") for p in range(85, 111, 5)), False),
        "Time against GROUP_M, each size in percent of its own median at GROUP_M = 1; the axis begins at 85 %. Dots "
        "are the median of 30 launches, the L2 emptied before each, upright lines their middle half.",
        "Time in milliseconds, by GROUP_M: median, and middle half of 30 launches",
    ),
}
