"""Program order: which program of a one-dimensional grid owns which output tile, and what neighbours share.

The lines are those of the teaching kernel and of Triton's matrix multiplication tutorial, which calls a program's
number ``pid``.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from sim.tiling import Tiling

Tile = tuple[int, int]


@dataclass(frozen=True)
class Place:
    """Every line of the mapping for one program. ``group_rows`` is shorter in a ragged last group.

    ``local`` is the program's number inside its group, ``row`` and ``column`` its tile of C.
    """

    in_group: int
    group: int
    first_row: int
    group_rows: int
    local: int
    row: int
    column: int


def place(pid: int, tiling: Tiling, group_m: int = 1, older: bool = False) -> Place:
    """How program ``pid`` comes to its tile.

    With ``group_m`` = 1 the order is row-major: (pid // tiles_n, pid % tiles_n). A larger value
    walks down ``group_m`` rows of tiles before it moves right; the last group is shorter when
    the rows of tiles do not divide. ``older`` takes ``pid % group_rows`` for the row, as earlier versions of the
    tutorial did: another order in a ragged group. Raises ValueError when there is no such program.
    """
    if group_m < 1:
        raise ValueError(f"GROUP_M: given {group_m}; allowed: 1 or more")
    if not 0 <= pid < tiling.programs:
        raise ValueError(f"program: given {pid}; allowed: 0 to {tiling.programs - 1}")
    in_group = group_m * tiling.tiles_n
    group = pid // in_group
    first_row = group * group_m
    rows = min(tiling.tiles_m - first_row, group_m)
    local = pid % in_group
    down = (pid if older else local) % rows
    return Place(in_group, group, first_row, rows, local, first_row + down, local // rows)


def program_tile(pid: int, tiling: Tiling, group_m: int = 1) -> Tile:
    """(tile row, tile column) that program ``pid`` owns. Raises ValueError as ``place`` does."""
    found = place(pid, tiling, group_m)
    return found.row, found.column


def older_program_tile(pid: int, tiling: Tiling, group_m: int = 1) -> Tile:
    """The same by the older formula: one-to-one as well, in another order where a group is ragged."""
    found = place(pid, tiling, group_m, older=True)
    return found.row, found.column


def programs(tiling: Tiling, group_m: int = 1) -> tuple[Tile, ...]:
    """The tile of every program, in program order."""
    return tuple(program_tile(pid, tiling, group_m) for pid in range(tiling.programs))


def older_programs(tiling: Tiling, group_m: int = 1) -> tuple[Tile, ...]:
    """The tile of every program by the older formula, in program order."""
    return tuple(older_program_tile(pid, tiling, group_m) for pid in range(tiling.programs))


def touched(owned: Iterable[Tile]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The row tiles of A and the column tiles of B that the owners of these tiles of C need, each once, sorted."""
    tiles = tuple(owned)
    return tuple(sorted({row for row, _ in tiles})), tuple(sorted({column for _, column in tiles}))


def shared_tile_loads(owned: Iterable[Tile], tiling: Tiling) -> int:
    """Input tiles that the owners of these tiles of C need, each counted once.

    The distinct row tiles of A and column tiles of B, times the K phases. That is what is loaded when whatever one
    of these programs has loaded is still at hand for the others: tiles, not elements, bytes or time.
    """
    rows, columns = touched(owned)
    return (len(rows) + len(columns)) * tiling.k_phases
