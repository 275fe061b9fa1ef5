"""The arithmetic of the benchmark's table, on planted figures."""

import pytest

from bench.peers.goals import (
    COLD,
    FREE,
    THROTTLED,
    WARM,
    Row,
    Visit,
    at_least,
    at_most,
    kilobytes,
    milliseconds,
    never_more,
    plain,
    requests,
    seconds,
    share,
    shown,
    size,
    sooner,
    times_sooner,
    values,
)
from bench.peers.pages import BARE, LIVE, PYSCRIPT, READ
from bench.peers.table import goal_rows, lines, page_rows

SCORES = {"performance": [99.0, 100.0, 98.0], "accessibility": [98.0, 98.0, 100.0]}


def visits(page, temper, speed=FREE, engine="chromium", **figures):
    """Three visits; each figure is given as its three values."""
    runs = zip(*figures.values(), strict=True)
    return [Visit(engine, speed, page, temper, dict(zip(figures, run, strict=True))) for run in runs]


PLANTED = [
    *visits(READ, COLD, steppable_ms=[290, 310, 200], wire_bytes=[62_000] * 3, requests=[5, 5, 13], shift=[0, 0, 0.01]),
    *visits(READ, COLD, longest_ms=[99, 101, 100]),
    *visits(
        LIVE, COLD, live_ms=[2000, 1000, 1400], wire_bytes=[4_100_000, 4_600_000, 4_600_000], requests=[12, 16, 13]
    ),
    *visits(LIVE, COLD, longest_ms=[150, 90, 101], shift=[0, 0, 0]),
    *visits(LIVE, WARM, live_ms=[2600, 2500, 2400], body_bytes=[0, 0, 7]),
    *visits(BARE, COLD, live_ms=[4000, 9000, 4000]),
    *visits(BARE, WARM, live_ms=[5000, 5000, 100]),
    *visits(PYSCRIPT, COLD, live_ms=[280, 290, 900]),
    *visits(LIVE, COLD, THROTTLED, live_ms=[3600, 3600, 3600]),
    *visits(BARE, COLD, THROTTLED, live_ms=[10_000, 10_000, 10_000]),
]


@pytest.mark.parametrize(
    ("what", "figure", "verdict"),
    [
        ("chromium: first steppable frame, cold", "0.29 s (0.20 s to 0.31 s, 3 runs)", "met"),
        ("chromium: sooner than the bare page's result, cold", "13.8 times", "not met"),
        ("chromium: against PyScript on MicroPython, cold", "0.29 s against 0.29 s", "not met"),
        ("chromium: first live result / bare page's, cold", "0.350", "met"),
        ("chromium: first live result / bare page's, cold, throttled", "0.360", "not met"),
        ("chromium: first live result / bare page's, warm", "0.500", "met"),
        ("page, on the wire", "62.0 kB (62.0 kB to 62.0 kB, 3 runs)", "met"),
        ("page, requests", "5 requests (5 requests to 13 requests, 3 runs)", "met"),
        ("page with live Python, on the wire", "4.60 MB (4.10 MB to 4.60 MB, 3 runs)", "not met"),
        ("page with live Python, more requests", "7 requests (0 requests to 11 requests, 3 runs)", "met"),
        ("second visit with live Python, bodies", "0 bytes (0 bytes to 0.0 kB, 3 runs)", "met"),
        ("longest task of the chapter, cold", "100.0 ms (99.0 ms to 101.0 ms, 3 runs)", "met"),
        ("longest task of the chapter, Run at once, cold", "101.0 ms (90.0 ms to 150.0 ms, 3 runs)", "not met"),
        ("layout shift of the chapter", "0 (0 to 0.01, 3 runs)", "not met"),
        ("layout shift of the chapter, Run at once", "0 (0 to 0, 3 runs)", "met"),
        ("Lighthouse, performance", "99 (98 to 100, 3 runs)", "met"),
        ("Lighthouse, accessibility", "98 (98 to 100, 3 runs)", "not met"),
    ],
)
def test_a_goal_stands_beside_its_figure(what, figure, verdict):
    rows = {row.what: row for row in goal_rows(PLANTED, SCORES, ["chromium"])}

    assert (rows[what].figure, rows[what].verdict) == (figure, verdict)


def test_what_was_not_measured_is_never_met():
    rows = goal_rows([], {}, ["chromium", "webkit"])

    assert {(row.figure, row.verdict) for row in rows} == {("–", "not measured")}


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (at_most("x", [1, 3, 2], 2, plain), Row("x", "2 (1 to 3, 3 runs)", "at most 2", True)),
        (at_most("x", [1, 3, 2.1], 2, plain), Row("x", "2.1 (1 to 3, 3 runs)", "at most 2", False)),
        (at_most("x", [1, 4], 2, plain), Row("x", "2.5 (1 to 4, 2 runs)", "at most 2", False)),
        (at_least("x", [98, 99], 99, plain), Row("x", "98.5 (98 to 99, 2 runs)", "at least 99", False)),
        (at_least("x", [99], 99, plain), Row("x", "99 (1 run)", "at least 99", True)),
        (never_more("x", [0, 0, 0.5], 0, plain), Row("x", "0 (0 to 0.5, 3 runs)", "never above 0", False)),
        (share("x", [351], [1000], 0.35), Row("x", "0.351", "at most 0.35", False)),
        (times_sooner("x", [100], [2000], 20), Row("x", "20.0 times", "at least 20 times", True)),
        (times_sooner("x", [100], [1990], 20), Row("x", "19.9 times", "at least 20 times", False)),
        (sooner("x", [100], [200]), Row("x", "0.10 s against 0.20 s", "sooner", True)),
        (share("x", [], [1000], 0.35), Row("x", "–", "at most 0.35", None)),
    ],
)
def test_rules_at_their_limits(row, expected):
    assert row == expected


def test_figures_of_other_engines_speeds_pages_and_tempers_are_kept_apart():
    slow = visits(READ, COLD, THROTTLED, steppable_ms=[9, 9, 9])
    fox = visits(READ, COLD, FREE, "firefox", steppable_ms=[8, 8, 8])
    again = visits(READ, WARM, steppable_ms=[7, 7, 7])
    wanted = visits(READ, COLD, steppable_ms=[1, 2, 3])

    assert values([*slow, *fox, *again, *wanted], "chromium", FREE, READ, COLD, "steppable_ms") == [1, 2, 3]


def test_each_page_has_a_row_for_what_was_seen_of_it():
    rows = page_rows(visits(BARE, WARM, live_ms=[4000, 5000, 9000]), "chromium", FREE)

    assert rows == [Row("bare Pyodide worker page, warm: first live result", "5.00 s (4.00 s to 9.00 s, 3 runs)")]


def test_units_and_columns():
    assert [seconds(1234), milliseconds(1.25), kilobytes(0), requests(1)] == [
        "1.23 s",
        "1.2 ms",
        "0 bytes",
        "1 request",
    ]
    assert [size(999_900), size(4_100_000)] == ["999.9 kB", "4.10 MB"]
    assert shown([], plain) == "–"
    assert lines([Row("a", "12", "at most 2", False), Row("long", "3")]) == ["a     12  at most 2  not met", "long  3"]
