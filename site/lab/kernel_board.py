"""A, B and C at one executed line of the teaching kernel: the tile's live and masked lanes, and who owns which tile."""

from collections.abc import Mapping, Sequence
from typing import Any

from lab.figures import Grid, Index, board, visible
from lab.kernel_launch import Launch
from lab.kernel_trace import LIVE, MASKED, OUTSIDE, OWNED, PLANNED, Lane, Seen, places
from lab.kernel_view import plain_number
from lab.markup import Html, some

Place = tuple[int, int]
# How a lane looks: inside of the matrix, and beyond an edge, where a live or planned one is in doubt.
INSIDE = {LIVE: "tile", PLANNED: "line", OWNED: "line", MASKED: "pad", OUTSIDE: "wrong"}
BEYOND = {**INSIDE, LIVE: "doubt", PLANNED: "doubt", OWNED: "pad"}


def lanes_board(launch: Launch, seen: Seen) -> Html:
    """The three matrices with the room that full tiles take: lanes beyond an edge are drawn where they would lie."""
    t = launch.tiling
    sizes = {"A": (t.M, t.K), "B": (t.K, t.N), "C": (t.M, t.N)}
    values = {"A": launch.a, "B": launch.b}
    owned = _owned(seen, (t.BM, t.BN))
    grids = [
        _grid(launch, name, sizes[name], seen.tiles.get(name, owned if name == "C" else ()), seen, values.get(name))
        for name in ("A", "B", "C")
    ]
    drawn = [
        _drawn(count * width, seen.names.get(axis, {}).get("values", []))
        for count, width, axis in ((t.tiles_m, t.BM, "rows"), (t.tiles_n, t.BN, "cols"), (t.k_phases, t.BK, "k"))
    ]
    return board(grids[0], grids[1], grids[2], (drawn[0], drawn[1], drawn[2]))


def _drawn(size: int, indices: Sequence[Any]) -> tuple[Index, ...]:
    """Which indices of one dimension to draw: all of a few, else those around the tile."""
    inside = [int(index) for index in indices if 0 <= index < size]
    return visible(size, (min(inside), max(inside) + 1) if inside else (0, 1))


def _owned(seen: Seen, shape: Sequence[int]) -> tuple[Lane, ...]:
    """The program's tile of C as soon as it knows its rows and columns."""
    return tuple(Lane(place, OWNED) for place in places("C", seen.names, shape))


def _grid(
    launch: Launch, name: str, size: Place, lanes: Sequence[Lane], seen: Seen, values: Sequence[Sequence[Any]] | None
) -> Grid:
    by_place = {lane.place: lane for lane in lanes}
    now = {lane.element for lane in lanes if lane.element is not None}

    def classes(row: int, column: int) -> str:
        lane, inside = by_place.get((row, column)), row < size[0] and column < size[1]
        if not inside:
            return "beyond" if lane is None else BEYOND[lane.kind]
        element = row * size[1] + column
        if element in now:
            return "tile"
        if lane is not None and lane.element is None:
            return INSIDE[lane.kind]
        return "line done" if element in seen.touched[name] else "blank" if name == "C" else ""

    def value(row: int, column: int) -> str:
        lane = by_place.get((row, column))
        if row >= size[0] or column >= size[1]:
            return "" if lane is None else {LIVE: "?", OUTSIDE: "✗"}.get(lane.kind, "")
        if values is not None:
            return plain_number(values[row][column])
        element = row * size[1] + column
        return plain_number(seen.stored[element]) if element in seen.stored else launch.label(row, column)

    pick = (lambda row, column: f"program={launch.owner(row, column)}") if name == "C" else None
    return Grid(name, size, value, classes, _what(name, lanes, size), pick, keep=True)


def _what(name: str, lanes: Sequence[Lane], size: Place) -> str:
    """The caption: how many of the tile's lanes do what."""
    if not lanes:
        return "p0, p1, …: who owns the tile" if name == "C" else ""
    counts: Mapping[str, int] = {kind: sum(lane.kind == kind for lane in lanes) for kind in INSIDE}
    beyond = [lane for lane in lanes if lane.place[0] >= size[0] or lane.place[1] >= size[1]]
    if counts[OWNED]:
        return some(len(lanes), "lane") + (f", {len(beyond)} beyond the edge" if beyond else "")
    on = PLANNED if counts[PLANNED] or not counts[LIVE] + counts[OUTSIDE] else LIVE
    told = [f"{counts[on]} of {some(len(lanes), 'lane')} {'on' if on == PLANNED else 'live'}"]
    told += [f"{counts[MASKED]} masked"] if counts[MASKED] else []
    told += [f"{counts[OUTSIDE]} outside of {name}"] if counts[OUTSIDE] else []
    stray = sum(lane.kind == LIVE for lane in beyond)
    told += [f"{stray} of them beyond the edge, reaching other elements"] if stray else []
    return ", ".join(told)
