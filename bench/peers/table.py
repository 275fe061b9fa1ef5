"""The table: every goal beside its figure, then what was measured of each page."""

from collections.abc import Callable, Sequence
from functools import partial

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
    megabytes,
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
from bench.peers.pages import BARE, LIVE, NAMES, PYSCRIPT, READ

MEASURES: tuple[tuple[str, str, Callable[[float], str]], ...] = (
    ("wire_bytes", "on the wire", size),
    ("requests", "requests", requests),
    ("fcp_ms", "first contentful paint", seconds),
    ("steppable_ms", "first steppable frame", seconds),
    ("live_ms", "first live result", seconds),
    ("interaction_ms", "interaction", milliseconds),
    ("longest_ms", "longest task of the page's own thread", milliseconds),
    ("shift", "layout shift", plain),
)


def goal_rows(visits: Sequence[Visit], scores: dict[str, list[float]], engines: Sequence[str]) -> list[Row]:
    """A row for each goal and engine. `scores` are Lighthouse's, by category; empty when it was not asked."""
    rows = [row for engine in engines for row in _times(visits, engine)]
    if "chromium" in engines:
        rows += _bytes(visits) + _calm(visits)
    for category in ("performance", "accessibility"):
        rows.append(at_least(f"Lighthouse, {category}", scores.get(category, []), 99, plain))
    return rows


def _times(visits: Sequence[Visit], engine: str) -> list[Row]:
    of = partial(values, visits, engine)
    first = of(FREE, READ, COLD, "steppable_ms")
    rows = [
        at_most(f"{engine}: first steppable frame, cold", first, 300, seconds),
        times_sooner(f"{engine}: sooner than the bare page's result, cold", first, of(FREE, BARE, COLD, "live_ms"), 20),
        sooner(f"{engine}: against PyScript on MicroPython, cold", first, of(FREE, PYSCRIPT, COLD, "live_ms")),
    ]
    for temper, limit in ((COLD, 0.35), (WARM, 0.5)):
        for speed in (FREE, THROTTLED):
            ours, theirs = of(speed, LIVE, temper, "live_ms"), of(speed, BARE, temper, "live_ms")
            if speed == FREE or ours:
                slow = ", throttled" if speed == THROTTLED else ""
                what = f"{engine}: first live result / bare page's, {temper}{slow}"
                rows.append(share(what, ours, theirs, limit))
    return rows


def _bytes(visits: Sequence[Visit]) -> list[Row]:
    page = partial(values, visits, "chromium", FREE, READ)
    whole = partial(values, visits, "chromium", FREE, LIVE)
    more = [after - before for after, before in zip(whole(COLD, "requests"), page(COLD, "requests"), strict=False)]
    return [
        at_most("page, on the wire", page(COLD, "wire_bytes"), 100_000, kilobytes),
        at_most("page, requests", page(COLD, "requests"), 12, requests),
        at_most("page with live Python, on the wire", whole(COLD, "wire_bytes"), 4_500_000, megabytes),
        at_most("page with live Python, more requests", more, 10, requests),
        at_most("second visit with live Python, bodies", whole(WARM, "body_bytes"), 0, kilobytes),
    ]


def _calm(visits: Sequence[Visit]) -> list[Row]:
    rows = []
    for speed in (FREE, THROTTLED):
        for page in (READ, LIVE):
            found = values(visits, "chromium", speed, page, COLD, "longest_ms")
            if speed == FREE or found:
                slow = ", throttled" if speed == THROTTLED else ""
                rows.append(at_most(f"longest task of {NAMES[page]}, cold{slow}", found, 100, milliseconds))
    for page in (READ, LIVE):
        found = [
            shift
            for speed in (FREE, THROTTLED)
            for temper in (COLD, WARM)
            for shift in values(visits, "chromium", speed, page, temper, "shift")
        ]
        rows.append(never_more(f"layout shift of {NAMES[page]}", found, 0, plain))
    return rows


def page_rows(visits: Sequence[Visit], engine: str, speed: str) -> list[Row]:
    """What was measured of each page by one engine at one speed, cold and warm."""
    rows = []
    for page, name in NAMES.items():
        for temper in (COLD, WARM):
            for key, what, unit in MEASURES:
                found = values(visits, engine, speed, page, temper, key)
                if found:
                    rows.append(Row(f"{name}, {temper}: {what}", shown(found, unit)))
    return rows


def lines(rows: Sequence[Row]) -> list[str]:
    """Rows in columns."""
    cells = [(row.what, row.figure, row.goal, row.verdict) for row in rows]
    widths = [max(len(cell[at]) for cell in cells) for at in range(3)]
    return ["  ".join([*(f"{cell[at]:<{widths[at]}}" for at in range(3)), cell[3]]).rstrip() for cell in cells]
