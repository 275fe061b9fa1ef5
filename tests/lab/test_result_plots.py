"""Axes, marks and plots of measured results: pixels by hand."""

import re
from fractions import Fraction

import pytest

from lab.results.bars import Bar, bar_chart
from lab.results.scales import LogAxis, log2_64, power_label, powers, si_label
from lab.results.scatter import Axes, Bound, Points, scatter
from lab.results.tracks import Along, Track, Value, track_chart


@pytest.mark.parametrize(
    ("value", "logarithm"),
    [(1, 0), (2, 64), (1024, 640), ("1/2", -64), ("1/1024", -640), (3, 101), ("3/4", -27), ("181/128", 31)],
)
def test_a_logarithm_in_parts_of_an_octave_is_rounded_down(value, logarithm):
    """64 log2(3) is 101.4, 64 log2(3/4) is -26.6, and 181/128 is a little less than the root of 2."""
    assert log2_64(Fraction(value)) == logarithm


def test_an_axis_lays_powers_out_evenly_and_either_way():
    right, up = (LogAxis(Fraction(1, 4), Fraction(4), *ends) for ends in ((100, 500), (300, 100)))
    assert [right(Fraction(value)) for value in ("1/4", "1/2", 1, 2, 4)] == [100, 200, 300, 400, 500]
    assert [up(Fraction(value)) for value in ("1/4", 1, 4)] == [300, 200, 100]
    assert right(Fraction(100)) == 500
    assert not right.holds(Fraction(100))


@pytest.mark.parametrize(
    ("low", "high", "base", "ticks"),
    [
        ("0.446", "1.01", 2, ["1/4", "1/2", "1", "2"]),
        ("1/4", "4", 2, ["1/4", "1/2", "1", "2", "4"]),
        ("16.4", "8567.6", 10, ["10", "100", "1000", "10,000"]),
        ("1", "2730", 2, ["1", "4", "16", "64", "256", "1024", "4096"]),
        ("7", "8", 10, ["1", "10"]),
    ],
)
def test_ticks_enclose_what_is_drawn(low, high, base, ticks):
    found = powers(Fraction(low), Fraction(high), base)
    assert [power_label(value) for value in found] == ticks
    assert found[0] <= Fraction(low) <= Fraction(high) <= found[-1]


def test_counts_have_letters_for_thousands():
    told = [si_label(Fraction(10**power)) for power in (0, 2, 4, 6, 9)]
    assert told == ["1", "100", "10\u00a0k", "1\u00a0M", "1\u00a0G"]


ALONG = Along((Fraction(1, 2), Fraction(1), Fraction(2)), "times as fast", Fraction(1), "1 = torch")


def value(middle, low=None, high=None):
    return Value(Fraction(low or middle), Fraction(middle), Fraction(high or middle), str(middle))


def test_a_track_has_a_mark_and_a_spread_for_each_party():
    """The name takes 12 + 8 × 2 pixels, so the axis goes from 28 to 346: 318 for two octaves."""
    html = track_chart([Track("ab", (value(1, "0.5", 2), value(2)))], ["ours", "yours"], ALONG, "A caption")
    assert '<circle cx="187" cy="78" r="5" class="dot full">' in html
    assert 'class="spread"' in html
    assert 'd="M28 78H346"' in html
    assert '<path d="M341 90h10v10h-10z" class="dot">' in html  # yours is a hollow square
    assert html.count(">ours</text>") == html.count(">yours</text>") == 1


def test_a_value_off_the_axis_is_an_arrow_and_is_told_all_the_same():
    html = track_chart([Track("ab", (value("0.002"),))], ["ours"], ALONG, "A caption")
    assert "<circle" not in html.split('class="reference"')[1]
    assert ">0.002</text>" in html
    assert '<path d="M29 ' in html


def test_a_party_without_a_value_has_no_mark():
    html = track_chart([Track("ab", (None, value(1)))], ["ours", "yours"], ALONG, "A caption")
    assert "<circle" not in html.split('class="reference"')[1]


def test_a_caption_is_the_title_the_label_and_the_text():
    html = track_chart([], ["ours"], ALONG, "Less & <more>")
    assert html.count("Less &amp; &lt;more&gt;") == 3


AXES = Axes((Fraction(1), Fraction(4)), (Fraction(1), Fraction(4), Fraction(16)), "along", "up")


def test_points_lie_where_the_axes_say():
    """One legend line: the plot goes from y = 50 down to 370, and from x = 46 to 378."""
    points = Points("ours", "s0", "circle", "dot full", ((Fraction(2), Fraction(4)), (Fraction(4), Fraction(16))))
    html = scatter([points], (), AXES, "A caption")
    assert re.findall(r'<circle cx="(\d+)" cy="(\d+)" r="4"', html) == [("212", "210"), ("378", "50")]


def test_joined_points_have_a_line_and_a_point_beyond_the_axes_is_not_drawn():
    places = ((Fraction(1), Fraction(1)), (Fraction(4), Fraction(16)), (Fraction(8), Fraction(1)))
    html = scatter([Points("ours", "s0", "circle", "dot", places, joined=True)], (), AXES, "A caption")
    assert '<path d="M46 370L378 50" class="series">' in html
    assert len(re.findall(r"<circle", html.split("</g>", 1)[1])) == 2


def test_a_bound_goes_through_its_corners_and_is_named_at_its_end():
    corners = ((Fraction(1), Fraction(1)), (Fraction(2), Fraction(4)), (Fraction(4), Fraction(4)))
    html = scatter([], (Bound(corners, "thin s0", "published", "end"),), AXES, "A caption")
    assert '<path d="M46 350L212 190L378 190" class="bound thin s0">' in html
    assert '<text x="376" y="184" class="label" text-anchor="end">published</text>' in html


def test_bars_are_as_long_as_their_values_from_zero():
    """The name takes 12 + 8 × 3 pixels: 400 - 104 - 36 = 260 for the longest."""
    html = bar_chart(["one", "two"], [[Bar(100, "100"), None], [Bar(25, "25"), Bar(50, "50")]], ["ours", "yours"], "x")
    assert re.findall(r'<rect x="36" y="\d+" width="(\d+)"', html) == ["260", "65", "130"]
    assert html.count('class="bar full"') == 2
    assert html.count('class="bar"') == 1


def test_a_bar_of_nothing_can_still_be_seen():
    assert 'width="1"' in bar_chart(["one"], [[Bar(0, "0")]], ["ours"], "x")
