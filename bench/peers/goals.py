"""The goals and the arithmetic of the table: medians of runs, their spread, and whether a goal is met."""

import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

COLD, WARM = "cold", "warm"
FREE, THROTTLED = "free", "throttled"


@dataclass(frozen=True)
class Visit:
    """One visit: to which `page` (a key of `pages.NAMES`), by which engine, how, and its `figures` by name.

    Names end in their unit. A figure that the engine cannot tell is left out.
    """

    engine: str
    speed: str
    page: str
    temper: str
    figures: dict[str, float]


@dataclass(frozen=True)
class Row:
    """A line of the table. `met` is None where there is no goal, or no figure to hold against it."""

    what: str
    figure: str
    goal: str = ""
    met: bool | None = None

    @property
    def verdict(self) -> str:
        """The last column."""
        return {True: "met", False: "not met", None: "not measured" if self.goal else ""}[self.met]


def values(visits: Iterable[Visit], engine: str, speed: str, page: str, temper: str, name: str) -> list[float]:
    """One figure of all the runs that have it, in their order."""
    wanted = (engine, speed, page, temper)
    return [
        visit.figures[name]
        for visit in visits
        if (visit.engine, visit.speed, visit.page, visit.temper) == wanted and name in visit.figures
    ]


def shown(found: Sequence[float], unit: Callable[[float], str]) -> str:
    """The median, and from the least to the largest value where there are several: `1.2 s (1.0 to 1.9, 5 runs)`."""
    if not found:
        return "–"
    middle = unit(statistics.median(found))
    if len(found) == 1:
        return f"{middle} (1 run)"
    return f"{middle} ({unit(min(found))} to {unit(max(found))}, {len(found)} runs)"


def at_most(what: str, found: Sequence[float], limit: float, unit: Callable[[float], str]) -> Row:
    """The median is at most `limit`."""
    met = statistics.median(found) <= limit if found else None
    return Row(what, shown(found, unit), f"at most {unit(limit)}" if limit else unit(0), met)


def at_least(what: str, found: Sequence[float], limit: float, unit: Callable[[float], str]) -> Row:
    """The median is at least `limit`."""
    met = statistics.median(found) >= limit if found else None
    return Row(what, shown(found, unit), f"at least {unit(limit)}", met)


def never_more(what: str, found: Sequence[float], limit: float, unit: Callable[[float], str]) -> Row:
    """Not one value is above `limit`."""
    met = max(found) <= limit if found else None
    return Row(what, shown(found, unit), f"never above {unit(limit)}", met)


def share(what: str, ours: Sequence[float], theirs: Sequence[float], limit: float) -> Row:
    """Our median is at most `limit` of theirs."""
    if not (ours and theirs):
        return Row(what, "–", f"at most {limit:g}")
    ratio = statistics.median(ours) / statistics.median(theirs)
    return Row(what, f"{ratio:.3f}", f"at most {limit:g}", ratio <= limit)


def times_sooner(what: str, ours: Sequence[float], theirs: Sequence[float], limit: float) -> Row:
    """Their median is at least `limit` times ours."""
    if not (ours and theirs):
        return Row(what, "–", f"at least {limit:g} times")
    factor = statistics.median(theirs) / statistics.median(ours)
    return Row(what, f"{factor:.1f} times", f"at least {limit:g} times", factor >= limit)


def sooner(what: str, ours: Sequence[float], theirs: Sequence[float]) -> Row:
    """Our median is less than theirs."""
    if not (ours and theirs):
        return Row(what, "–", "sooner")
    mine, other = statistics.median(ours), statistics.median(theirs)
    return Row(what, f"{seconds(mine)} against {seconds(other)}", "sooner", mine < other)


def seconds(ms: float) -> str:
    """`1.23 s`."""
    return f"{ms / 1000:.2f} s"


def milliseconds(ms: float) -> str:
    """`12.3 ms`."""
    return f"{ms:.1f} ms"


def kilobytes(count: float) -> str:
    """`12.3 kB` of 1,000 bytes, and `0 bytes`."""
    return f"{count / 1000:.1f} kB" if count else "0 bytes"


def megabytes(count: float) -> str:
    """`4.12 MB` of 10^6 bytes."""
    return f"{count / 1e6:.2f} MB"


def size(count: float) -> str:
    """In MB from one on, else in kB."""
    return megabytes(count) if count >= 1e6 else kilobytes(count)


def requests(count: float) -> str:
    """`1 request`, `12 requests`."""
    return f"{count:.0f} request{'' if count == 1 else 's'}"


def plain(number: float) -> str:
    """A bare number: `0.001`, `99`."""
    return f"{number:.4g}"
