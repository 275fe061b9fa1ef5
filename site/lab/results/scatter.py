"""A plot of points over two logarithmic axes, with lines for bounds."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from lab.charts import chart_figure
from lab.markup import Html, join, tag
from lab.results.marks import ROW, legend, mark
from lab.results.scales import LogAxis, power_label

WIDTH, HEIGHT = 400, 320  # of the plot without its legend
LEFT, RIGHT, FOOT = 46, 22, 42
MARGIN = 10  # left of all that, for long numbers in large text


@dataclass(frozen=True)
class Points:
    """Points of one kind. ``group`` is their colour's class, ``shape`` and ``kind`` those of the mark.

    ``joined`` draws a line through them, in the order given.
    """

    name: str
    group: str
    shape: str
    kind: str
    places: tuple[tuple[Fraction, Fraction], ...]
    size: int = 4
    joined: bool = False


@dataclass(frozen=True)
class Bound:
    """A line through some places, with words at its first place (``start``) or its last (``end``), or none."""

    places: tuple[tuple[Fraction, Fraction], ...]
    kind: str
    words: str = ""
    anchor: str = "start"


@dataclass(frozen=True)
class Axes:
    """Ticks and labels of both axes; the first and the last tick are their ends."""

    x_ticks: tuple[Fraction, ...]
    y_ticks: tuple[Fraction, ...]
    x_label: str
    y_label: str
    text: Callable[[Fraction], str] = power_label


def scatter(points: Sequence[Points], bounds: Sequence[Bound], axes: Axes, caption: str) -> Html:
    """The plot as a figure. What lies beyond the axes is not drawn: choose ticks that hold everything."""
    top = ROW * len(points) + 30
    x = LogAxis(axes.x_ticks[0], axes.x_ticks[-1], LEFT, WIDTH - RIGHT)
    y = LogAxis(axes.y_ticks[0], axes.y_ticks[-1], top + HEIGHT, top)
    named = [(each.group, each.shape, each.kind, each.name) for each in points]
    drawn = join(
        legend(named, 0, 10),
        _grid(axes, x, y),
        *(_bound(bound, x, y) for bound in bounds),
        *(_points(each, x, y) for each in points),
    )
    svg = tag(
        "svg",
        tag("title", caption),
        drawn,
        class_="chart plot",
        viewBox=f"{-MARGIN} 0 {MARGIN + WIDTH} {top + HEIGHT + FOOT}",
        role="img",
        aria_label=caption,
    )
    return chart_figure(svg, caption)


def _grid(axes: Axes, x: LogAxis, y: LogAxis) -> Html:
    columns = (
        join(
            tag("line", x1=x(value), x2=x(value), y1=y.stop, y2=y.start, class_="grid"),
            tag("text", axes.text(value), x=x(value), y=y.start + 16, class_="label", text_anchor="middle"),
        )
        for value in axes.x_ticks
    )
    rows = (
        join(
            tag("line", x1=x.start, x2=x.stop, y1=y(value), y2=y(value), class_="grid"),
            tag("text", axes.text(value), x=x.start - 6, y=y(value) + 5 * bool(at), class_="label", text_anchor="end"),
        )
        for at, value in enumerate(axes.y_ticks)
    )
    below = tag("text", axes.x_label, x=(x.start + x.stop) // 2, y=y.start + 34, class_="label", text_anchor="middle")
    return join(*columns, *rows, below, tag("text", axes.y_label, x=0, y=y.stop - 14, class_="label"))


def _bound(bound: Bound, x: LogAxis, y: LogAxis) -> Html:
    places = [(x(across), y(up)) for across, up in bound.places]
    path = "M" + "L".join(f"{px} {py}" for px, py in places)
    line = tag("path", d=path, class_=f"bound {bound.kind}")
    if not bound.words:
        return line
    at_x, at_y = places[0] if bound.anchor == "start" else places[-1]
    shift = 6 if bound.anchor == "start" else -2
    words = tag("text", bound.words, x=at_x + shift, y=at_y - 6, class_="label", text_anchor=bound.anchor)
    return join(line, words)


def _points(points: Points, x: LogAxis, y: LogAxis) -> Html:
    places = [(x(across), y(up)) for across, up in points.places if x.holds(across) and y.holds(up)]
    line = "M" + "L".join(f"{px} {py}" for px, py in places)
    joined = tag("path", d=line, class_="series") if points.joined and places else None
    drawn = (mark(points.shape, px, py, points.size, points.kind) for px, py in places)
    return tag("g", joined, *drawn, class_=points.group)
