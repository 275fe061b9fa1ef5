"""How a stored result is drawn: lines over GROUP_M with their spread, a table of all that they show, and the source.

Colours come from the style sheet's classes, and every line carries its name, so that no colour says anything alone.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from lab.charts import chart_figure, log2_16
from lab.figures import facts
from lab.markup import Html, decimal, join, number, tag
from lab.problem import given

WIDTH, HEIGHT = 672, 320
LEFT, RIGHT, TOP, BOTTOM = 64, 208, 36, 44
APART = 15  # pixels between the names of two lines


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


def plot_html(plot: Plot, whole: Any, source: str) -> Html:
    """The plot of a result and its table; ``source`` says who measured it. Raises Problem for a value off the axis."""
    lines = plot.lines(whole)
    provenance = tag("small", source, class_="provenance")
    picture = chart_figure(_picture(lines, plot), plot.caption, " ", provenance)
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
        class_="chart wide",
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
