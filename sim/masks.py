"""Which lanes of a program's tiles are live, which are masked, and why.

A block on a GPU keeps its full shape: A tile [BM, BK], B tile [BK, BN], C tile [BM, BN]. At the edges a
part of it lies outside the matrices. A mask keeps those *lanes* from being loaded or stored; a masked
lane of A or B holds 0 instead, which adds nothing to a dot product.
"""

from dataclasses import dataclass

from sim.cost import padded_slots, tiled_loads
from sim.tiling import Tiling

Live = tuple[tuple[bool, ...], ...]


@dataclass(frozen=True)
class TileLanes:
    """One tile at full size. Lane [r][c] stands for element [first_row + r][first_column + c] of matrix ``name``."""

    name: str
    first_row: int
    first_column: int
    live: Live

    @property
    def slots(self) -> int:
        """Lanes of the tile, masked ones included."""
        return len(self.live) * len(self.live[0])

    @property
    def live_count(self) -> int:
        """Lanes that lie inside the matrix."""
        return len([lane for row in self.live for lane in row if lane])

    @property
    def masked_count(self) -> int:
        """Lanes that lie outside."""
        return self.slots - self.live_count


@dataclass(frozen=True)
class ProgramLanes:
    """The three tiles of program (i, j) in one K phase."""

    a: TileLanes
    b: TileLanes
    c: TileLanes


def program_lanes(tiling: Tiling, i: int, j: int, phase: int) -> ProgramLanes:
    """The A [BM, BK], B [BK, BN] and C [BM, BN] lanes of program (i, j) in K phase ``phase``.

    Raises ValueError when there is no such program or phase.
    """
    row, column = tiling.tile_rows(i)[0], tiling.tile_cols(j)[0]
    inner = tiling.phase_range(phase)[0]
    rows = _inside(row, tiling.BM, tiling.M)
    columns = _inside(column, tiling.BN, tiling.N)
    inners = _inside(inner, tiling.BK, tiling.K)
    return ProgramLanes(
        TileLanes("A", row, inner, _both(rows, inners)),
        TileLanes("B", inner, column, _both(inners, columns)),
        TileLanes("C", row, column, _both(rows, columns)),
    )


@dataclass(frozen=True)
class MaskNeed:
    """Whether one dimension needs a mask, and why. ``outside`` counts indices past the end in its last tile."""

    dimension: str
    needed: bool
    outside: int
    sentence: str


def mask_needs(tiling: Tiling) -> tuple[MaskNeed, ...]:
    """M, N and K, in this order: does the dimension need a mask, with one sentence."""
    table = (
        ("M", tiling.M, "BM", tiling.BM, "rows of the A tile and the C tile"),
        ("N", tiling.N, "BN", tiling.BN, "columns of the B tile and the C tile"),
        ("K", tiling.K, "BK", tiling.BK, "columns of the A tile and rows of the B tile"),
    )
    return tuple(_need(*row) for row in table)


def _need(dimension: str, size: int, width_name: str, width: int, what: str) -> MaskNeed:
    outside = -size % width
    if not outside:
        whole = f"{width_name} = {width} divides {dimension} = {size}: no lane lies outside, so no mask is needed."
        return MaskNeed(dimension, False, 0, whole)
    count = -(-size // width)
    kind = f"the {'only' if count == 1 else 'last'} {'phase' if dimension == 'K' else 'tile'}"
    sentence = (
        f"{width_name} = {width} does not divide {dimension} = {size}: {kind} covers {dimension} indices "
        f"{(count - 1) * width} to {count * width - 1}, of which {outside} {'is' if outside == 1 else 'are'} outside; "
        f"mask {what}."
    )
    return MaskNeed(dimension, True, outside, sentence)


def wasted_loads(tiling: Tiling) -> int:
    """Slots of A and B tiles that are masked, over all programs and K phases."""
    return padded_slots(tiling) - tiled_loads(tiling)


def wasted_outputs(tiling: Tiling) -> int:
    """Slots of C tiles that are masked, over all programs."""
    return tiling.programs * tiling.BM * tiling.BN - tiling.M * tiling.N


def owners(tiling: Tiling, tiles: tuple[tuple[int, int], ...]) -> tuple[tuple[int, ...], ...]:
    """For each entry of C [M, N], how many of the programs ``tiles`` (tile row, tile column) own it.

    1 is right; 0 says that nobody writes the entry, 2 that two programs do. Raises ValueError for a tile
    that the tiling does not have.
    """
    counts = [[0] * tiling.N for _ in range(tiling.M)]
    for i, j in tiles:
        for row in range(*tiling.tile_rows(i)):
            for column in range(*tiling.tile_cols(j)):
                counts[row][column] += 1
    return tuple(tuple(row) for row in counts)


def unowned(tiling: Tiling, tiles: tuple[tuple[int, int], ...]) -> int:
    """Entries of C that none of the programs ``tiles`` owns; counted by tiles, so that large sizes are quick."""
    owned = 0
    for i, j in dict.fromkeys(tiles):
        (top, bottom), (left, right) = tiling.tile_rows(i), tiling.tile_cols(j)
        owned += (bottom - top) * (right - left)
    return tiling.M * tiling.N - owned


def whole_tiles(tiling: Tiling) -> tuple[tuple[int, int], ...]:
    """The programs of a grid that was rounded down: M // BM rows and N // BN columns of tiles."""
    return tuple((i, j) for i in range(tiling.M // tiling.BM) for j in range(tiling.N // tiling.BN))


def _inside(start: int, width: int, size: int) -> tuple[bool, ...]:
    return tuple(index < size for index in range(start, start + width))


def _both(rows: tuple[bool, ...], columns: tuple[bool, ...]) -> Live:
    return tuple(tuple(row and column for column in columns) for row in rows)
