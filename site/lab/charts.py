"""A chart of counts against tile width, both axes in powers of two, drawn with whole numbers only."""

from collections.abc import Sequence
from dataclasses import dataclass

from lab.markup import Html, join, number, tag
from sim.words import later, say

WIDTH, HEIGHT = 560, 300
LEFT, RIGHT, TOP, BOTTOM = 96, 88, 16, 44
ALONG = later("tile width T")


@dataclass(frozen=True)
class Series:
    """Points (tile width, loads) of one matrix size, ``shown`` of them drawn (None: all), with a ``name``."""

    name: str
    points: tuple[tuple[int, int], ...]
    shown: int | None = None


def log2_16(value: int) -> int:
    """16 · log2(value), rounded down: whole-number arithmetic, so that every Python draws the same point."""
    return (value**16).bit_length() - 1


def load_chart(series: Sequence[Series], now: int, caption: str, along: str = ALONG) -> Html:
    """Lines of ``series``; the points at tile width ``now`` are marked. Values must be 1 or more."""
    widths = sorted({width for line in series for width, _ in line.points})
    loads = [value for line in series for _, value in line.points]
    x = _Scale(1, max(widths[-1], 2), LEFT, WIDTH - RIGHT)
    y = _Scale(min(loads), max(loads), HEIGHT - BOTTOM, TOP)
    drawn = join(_axes(x, y, along), *(_line(line, x, y, now, index) for index, line in enumerate(series)))
    svg = tag(
        "svg",
        tag("title", caption),
        drawn,
        class_="chart",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        role="img",
        aria_label=caption,
    )
    return chart_figure(svg, caption)


def chart_figure(svg: Html, *caption: Html | str) -> Html:
    """A chart and the words beneath it. On a narrow screen it keeps a size that can be read, in a box that scrolls."""
    box = tag("div", svg, class_="scroll", tabindex="0", role="group", aria_label=say("Chart"))
    return tag("figure", box, tag("figcaption", *caption), class_="chart-box")


class _Scale:
    """Powers of two from ``low`` to ``high`` laid out between two pixel positions."""

    def __init__(self, low: int, high: int, start: int, stop: int) -> None:
        self.low, self.high = low.bit_length() - 1, max((high - 1).bit_length(), low.bit_length())
        self.start, self.stop = start, stop

    def __call__(self, value: int) -> int:
        span = 16 * (self.high - self.low)
        return self.start + (self.stop - self.start) * (log2_16(value) - 16 * self.low) // span

    def ticks(self, most: int) -> tuple[int, ...]:
        """Powers of two to label, at most about ``most`` of them."""
        stride = max(1, -(-(self.high - self.low) // most))
        return tuple(2**power for power in range(self.low, self.high + 1, stride))


def _axes(x: _Scale, y: _Scale, along: str) -> Html:
    columns = (
        join(
            tag("line", x1=x(value), x2=x(value), y1=TOP, y2=HEIGHT - BOTTOM, class_="grid"),
            tag("text", number(value), x=x(value), y=HEIGHT - BOTTOM + 18, class_="label", text_anchor="middle"),
        )
        for value in x.ticks(10)
    )
    rows = (
        join(
            tag("line", x1=LEFT, x2=WIDTH - RIGHT, y1=y(value), y2=y(value), class_="grid"),
            tag("text", _short(value), x=LEFT - 8, y=y(value) + 4, class_="label", text_anchor="end"),
        )
        for value in y.ticks(7)
    )
    frame = tag("path", d=f"M{LEFT} {TOP}V{HEIGHT - BOTTOM}H{WIDTH - RIGHT}", class_="axis")
    below = tag("text", say(along), x=(LEFT + WIDTH - RIGHT) // 2, y=HEIGHT - 6, class_="label", text_anchor="middle")
    return join(*columns, *rows, frame, below)


def _short(value: int) -> str:
    """An axis label: whole below 2**20, as a power of two above."""
    return number(value) if value < 2**20 else f"2^{value.bit_length() - 1}"


def _line(series: Series, x: _Scale, y: _Scale, now: int, index: int) -> Html:
    places = [(x(width), y(value), width) for width, value in series.points]
    drawn = places[: series.shown]
    path = "M" + "L".join(f"{px} {py}" for px, py, _ in drawn)
    dots = (
        tag("circle", cx=px, cy=py, r=6 if width == now else 3, class_="dot now" if width == now else "dot")
        for px, py, width in drawn
    )
    end_x, end_y, _ = places[-1]
    name = tag("text", series.name, x=end_x + 10, y=end_y + 4, class_="label name")
    return tag("g", tag("path", d=path, class_="series"), *dots, name, class_=f"s{index % 4}")
