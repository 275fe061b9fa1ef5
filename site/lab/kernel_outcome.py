"""C after all programs of one launch of the teaching kernel: what went wrong, where, and what the reports say."""

from lab.figures import Grid, matrix, numbers
from lab.kernel_launch import NONE, Launch
from lab.kernel_view import plain_number, told_report
from lab.markup import Html, join, number, some, tag
from lab.widget import Frame
from sim.tl.api import Run
from sim.tl.faults import Fault

MOST_REPORTS = 8
# Which tiles of C hold wrong outputs: value, label.
WHERE = (
    ("none", "none"),
    ("all", "every tile"),
    ("edge", "only tiles that an edge of C cuts"),
    ("whole", "only tiles that no edge cuts"),
    ("both", "some of both kinds, not all"),
)


def outcome(launch: Launch) -> Frame:
    """The last frame: C, with what is wrong marked, figures, the edit and the reports."""
    counts, t = launch.run.counts, launch.tiling
    bad = len(launch.wrong)
    figures = numbers(
        ("programs launched", number(launch.launched)),
        ("elements of A loaded", number(counts.loads.get("A", 0))),
        ("elements of B loaded", number(counts.loads.get("B", 0))),
        ("elements of C stored", number(counts.stores.get("C", 0))),
        ("outputs wrong or missing", f"{bad} of {t.M * t.N}"),
    )
    return Frame(join(_drawn(launch), figures, edit(launch.fault), _reports(launch.run)), _summary(launch, bad))


def _drawn(launch: Launch) -> Html:
    t = launch.tiling
    bad = {(each.row, each.column) for each in launch.wrong}
    c = launch.run.arrays.get("C") or []

    def value(row: int, column: int) -> str:
        found = c[row][column] if c else None
        shown = "∅" if found is None else plain_number(found)
        return f"{shown} ✗" if (row, column) in bad else shown

    def classes(row: int, column: int) -> str:
        if (row, column) in bad:
            return "wrong"
        return "tile" if launch.owner(row, column) == launch.program else "out"

    what = "after all programs"
    if launch.program is not None:
        what += f"; the tile of program {launch.program} has the strong outline"
    grid = Grid("C", (t.M, t.N), value, classes, what, lambda row, column: f"program={launch.owner(row, column)}")
    return matrix(grid, tuple(range(t.M)), tuple(range(t.N)))


def _summary(launch: Launch, bad: int) -> str:
    if launch.run.failure:
        return f"The launch ended early: {launch.run.failure.text}."
    reports = len(launch.run.reports) + launch.run.reports_left_out
    found = f"{some(reports, 'report')}." if reports else "nothing to report."
    if launch.fault is not NONE and not bad:
        luck = launch.fault.lucky or "with these numbers"
        return f"All programs are done and every output is right, by luck: {luck}. {found[:1].upper()}{found[1:]}"
    done = "All programs are done" if launch.launched else "No program was launched"
    return f"{done}: {bad} of {some(launch.tiling.M * launch.tiling.N, 'output')} {_are(bad)} wrong or missing; {found}"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def edit(fault: Fault) -> Html:
    """The edit that breaks the kernel, as before and after; nothing where nothing is broken."""
    lines = []
    for before, after in fault.edits:
        old, new = before.strip("\n").split("\n"), after.strip("\n").split("\n")
        lines += [f"- {line.strip()}" for line in old if line not in new]
        lines += [f"+ {line.strip()}" for line in new if line not in old]
    if fault.floor_grid:
        lines = ["- grid = cdiv(M, BM) * cdiv(N, BN)", "+ grid = (M // BM) * (N // BN)"]
    if not lines:
        return Html("")
    return tag("pre", "\n".join(lines), class_="printed", tabindex="0", role="group", aria_label="The edit")


def edited_lines(launch: Launch) -> set[int]:
    """The lines of the broken kernel that the edit made or changed, counted from 1."""
    found = set()
    for before, after in launch.fault.edits:
        start = launch.source.index(after)
        first = launch.source.count("\n", 0, start) + 1
        old = before.split("\n")
        found |= {first + place for place, line in enumerate(after.split("\n")) if line and line not in old}
    return found


def _reports(run: Run) -> Html:
    if not run.reports:
        return Html("")
    more = len(run.reports) - MOST_REPORTS + run.reports_left_out
    items = [told_report(report) for report in run.reports[:MOST_REPORTS]]
    return tag("ul", *items, tag("li", f"and {number(more)} more") if more > 0 else None, class_="needs")


def where_wrong(launch: Launch) -> str:
    """Which kind of tiles hold wrong outputs: a value of WHERE."""
    t = launch.tiling
    tiles = {(row, column) for row in range(t.tiles_m) for column in range(t.tiles_n)}
    cut = {(i, j) for i, j in tiles if (i + 1) * t.BM > t.M or (j + 1) * t.BN > t.N}
    bad = {(each.row // t.BM, each.column // t.BN) for each in launch.wrong}
    if not bad:
        return "none"
    if bad == tiles:
        return "all"
    return "edge" if bad <= cut else "both" if bad & cut else "whole"
