"""Bars of one measure, each with its value: a line for each name, one bar for each party, from zero."""

from collections.abc import Sequence
from dataclasses import dataclass

from lab.charts import chart_figure
from lab.markup import Html, join, tag
from lab.results.marks import ROW, legend

WIDTH, RIGHT = 400, 104
LETTER, BAR, GAP = 8, 16, 10


@dataclass(frozen=True)
class Bar:
    """A value of 0 or more, and how it is written."""

    value: int
    text: str


def bar_chart(names: Sequence[str], bars: Sequence[Sequence[Bar | None]], parties: Sequence[str], caption: str) -> Html:
    """``bars`` has for each name a bar of each party. The longest bar has the whole width."""
    left = 12 + LETTER * max((len(name) for name in names), default=1)
    top = ROW * len(parties)
    height = GAP + BAR * len(parties)
    most = max((bar.value for each in bars for bar in each if bar), default=1) or 1
    span = WIDTH - RIGHT - left
    drawn = []
    for at, (name, each) in enumerate(zip(names, bars, strict=True)):
        y = top + height * at
        drawn.append(tag("text", name, x=left - 8, y=y + height // 2 + 5, class_="label", text_anchor="end"))
        for party, bar in enumerate(each):
            if bar:
                drawn.append(_bar(bar, party, left, y + GAP // 2 + BAR * party, span * bar.value // most))
    entries = [(f"s{at}", "square", "dot full" if at == 0 else "dot", name) for at, name in enumerate(parties)]
    foot = top + height * len(names)
    axis = tag("line", x1=left, x2=left, y1=top, y2=foot, class_="axis")
    svg = tag(
        "svg",
        tag("title", caption),
        legend(entries, 0, 10),
        join(*drawn),
        axis,
        class_="chart plot",
        viewBox=f"0 0 {WIDTH} {foot + 4}",
        role="img",
        aria_label=caption,
    )
    return chart_figure(svg, caption)


def _bar(bar: Bar, party: int, x: int, y: int, width: int) -> Html:
    return tag(
        "g",
        tag("rect", x=x, y=y + 2, width=max(width, 1), height=BAR - 4, class_="bar" if party else "bar full"),
        tag("text", bar.text, x=x + max(width, 1) + 6, y=y + 13, class_="label"),
        class_=f"s{party}",
    )
