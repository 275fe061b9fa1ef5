"""The pictures of `tile-masks`: lanes of full-size tiles, the grid of programs over C, and what all programs left."""

from collections.abc import Set
from dataclasses import dataclass

from lab.figures import Grid, board, matrix
from lab.markup import Html, tag
from sim.broken import Broken, Lane, LanePhase
from sim.masks import ProgramLanes, TileLanes, mask_needs
from sim.matmul import Rows
from sim.tiling import Tiling


@dataclass(frozen=True)
class Setup:
    """What all frames share: the matrices, the tiling, the program (i, j) and what all programs together leave."""

    a: Rows
    b: Rows
    tiling: Tiling
    i: int
    j: int
    fault: str
    outcome: Broken
    phases: tuple[LanePhase, ...]


def lanes_board(setup: Setup, lanes: ProgramLanes, now: LanePhase) -> Html:
    """The A, B and C tiles of one phase with every lane: live, masked or stray."""
    a, b = _lane_grid(lanes.a, now.a), _lane_grid(lanes.b, now.b)
    c = Grid(
        "C",
        (setup.tiling.BM, setup.tiling.BN),
        lambda row, column: str(now.partial[row][column]),
        lambda row, column: "tile" if lanes.c.live[row][column] else "pad",
        _where(lanes.c),
    )
    t = setup.tiling
    return board(a, b, c, (tuple(range(t.BM)), tuple(range(t.BN)), tuple(range(t.BK))))


def _lane_grid(lanes: TileLanes, values: tuple[tuple[Lane, ...], ...]) -> Grid:
    """A lane shows what the kernel really holds: masked ones their fill, stray ones with a question mark."""

    def classes(row: int, column: int) -> str:
        lane = values[row][column]
        return "pad" if not lane.loaded else "tile" if lanes.live[row][column] else "doubt"

    def value(row: int, column: int) -> str:
        lane = values[row][column]
        return f"{lane.value} ?" if lane.stray else str(lane.value)

    return Grid(lanes.name, (len(values), len(values[0])), value, classes, _where(lanes))


def _where(lanes: TileLanes) -> str:
    return f"from [{lanes.first_row},{lanes.first_column}], {lanes.live_count} live, {lanes.masked_count} outside"


def mask_list(tiling: Tiling) -> Html:
    """Which of M, N and K need a mask, and why, as a list."""
    items = (
        tag("li", tag("strong", f"{need.dimension}: {'mask' if need.needed else 'no mask'}. "), need.sentence)
        for need in mask_needs(tiling)
    )
    return tag("ul", *items, class_="needs")


def programs_grid(setup: Setup) -> Html:
    """C with the edge that full tiles have; the current program's tile is marked, and a click chooses another."""
    t = setup.tiling

    def classes(row: int, column: int) -> str:
        inside = row < t.M and column < t.N
        current = (row // t.BM, column // t.BN) == (setup.i, setup.j)
        return ("tile" if current else "blank") if inside else "pad"

    def value(row: int, column: int) -> str:
        first = row % t.BM == 0 and column % t.BN == 0
        return str(row // t.BM * t.tiles_n + column // t.BN) if first else ""

    size = (t.tiles_m * t.BM, t.tiles_n * t.BN)
    grid = Grid(
        "C",
        (t.M, t.N),
        value,
        classes,
        "and its programs, each number in its tile's first place",
        lambda row, column: f"i={row // t.BM}&j={column // t.BN}",
    )
    drawn = tag("div", matrix(grid, tuple(range(size[0])), tuple(range(size[1]))), class_="programs-grid")
    return tag("details", tag("summary", "The grid of programs over C"), drawn) if max(size) > 12 else drawn


def outcome_pictures(t: Tiling, outcome: Broken, bad: Set[tuple[int, int]], doubtful: Set[tuple[int, int]]) -> Html:
    """C after all programs beside C as it should be; outputs that are wrong or missing have a ✗, doubtful ones a ?."""

    def value(row: int, column: int) -> str:
        found = outcome.rows[row][column]
        shown = "∅" if found is None else str(found)
        return f"{shown} ✗" if (row, column) in bad else f"{shown} ?" if (row, column) in doubtful else shown

    def classes(row: int, column: int) -> str:
        return "wrong" if (row, column) in bad else "doubt" if (row, column) in doubtful else "out"

    grid = Grid("C", (t.M, t.N), value, classes, "after all programs")
    expected = Grid("C", (t.M, t.N), lambda r, c: str(outcome.expected[r][c]), lambda r, c: "", "as it should be")
    rows, columns = tuple(range(t.M)), tuple(range(t.N))
    return tag("div", matrix(grid, rows, columns), matrix(expected, rows, columns), class_="wholes")
