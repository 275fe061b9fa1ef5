"""A plot with a line for each name and a mark for each party on it, along a logarithmic axis."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from lab.charts import chart_figure
from lab.markup import Html, join, tag
from lab.results.marks import ROW, SHAPES, kind_of, legend, mark
from lab.results.scales import LogAxis, power_label

WIDTH, RIGHT, FOOT = 400, 54, 42
LETTER = 8  # pixels that a letter of a name takes, about
LINE, GAP = 17, 9


@dataclass(frozen=True)
class Value:
    """A measured value with its spread, and how it is written."""

    low: Fraction
    middle: Fraction
    high: Fraction
    text: str


@dataclass(frozen=True)
class Track:
    """A name with a value of each party, None where a party has none."""

    name: str
    values: tuple[Value | None, ...]


@dataclass(frozen=True)
class Along:
    """The axis: its ticks, the first and last of which are its ends, what it shows, and a value to compare with."""

    ticks: tuple[Fraction, ...]
    label: str
    mark_at: Fraction
    mark_label: str


def track_chart(tracks: Sequence[Track], parties: Sequence[str], along: Along, caption: str) -> Html:
    """The plot as a figure. A value beyond the axis is an arrow at its end; its text stands at the right like any."""
    left = 12 + LETTER * max((len(track.name) for track in tracks), default=1)
    top = ROW * len(parties) + 26
    height = GAP + LINE * len(parties)
    foot = top + height * len(tracks)
    axis = LogAxis(along.ticks[0], along.ticks[-1], left, WIDTH - RIGHT)
    drawn = join(
        legend([(f"s{at}", SHAPES[at], kind_of(at), name) for at, name in enumerate(parties)], 0, 10),
        _axis(along, axis, top, foot),
        *(_track(track, axis, top + height * at, height) for at, track in enumerate(tracks)),
    )
    svg = tag(
        "svg",
        tag("title", caption),
        drawn,
        class_="chart plot",
        viewBox=f"0 0 {WIDTH} {foot + FOOT}",
        role="img",
        aria_label=caption,
    )
    return chart_figure(svg, caption)


def _axis(along: Along, axis: LogAxis, top: int, foot: int) -> Html:
    ticks = (
        join(
            tag("line", x1=axis(value), x2=axis(value), y1=top, y2=foot, class_="grid"),
            tag("text", power_label(value), x=axis(value), y=foot + 16, class_="label", text_anchor="middle"),
        )
        for value in along.ticks
    )
    at = axis(along.mark_at)
    return join(
        *ticks,
        tag("line", x1=at, x2=at, y1=top - 6, y2=foot, class_="reference"),
        tag("text", along.mark_label, x=at, y=top - 10, class_="label", text_anchor="middle"),
        tag("text", along.label, x=(axis.start + axis.stop) // 2, y=foot + 34, class_="label", text_anchor="middle"),
    )


def _track(track: Track, axis: LogAxis, top: int, height: int) -> Html:
    middle = top + height // 2
    name = tag("text", track.name, x=axis.start - 8, y=middle + 5, class_="label", text_anchor="end")
    values = (
        _value(value, party, axis, top + GAP // 2 + LINE * party + LINE // 2) if value else None
        for party, value in enumerate(track.values)
    )
    rule = tag("line", x1=0, x2=WIDTH, y1=top + height, y2=top + height, class_="grid")
    return join(rule, name, *values)


def _value(value: Value, party: int, axis: LogAxis, y: int) -> Html:
    text = tag("text", value.text, x=WIDTH, y=y + 5, class_="label", text_anchor="end")
    if not axis.holds(value.middle):
        way = "left" if value.middle < axis.low else "right"
        x = axis.start + 6 if way == "left" else axis.stop - 6
        return tag("g", mark(way, x, y, 5, kind_of(party)), text, class_=f"s{party}")
    spread = tag("path", d=f"M{axis(value.low)} {y}H{axis(value.high)}", class_="spread")
    return tag("g", spread, mark(SHAPES[party], axis(value.middle), y, 5, kind_of(party)), text, class_=f"s{party}")
