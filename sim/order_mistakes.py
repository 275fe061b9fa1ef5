"""Named wrong answers about program order: the tile that a slip gives, and wrong counts of tile loads."""

from collections.abc import Sequence

from sim.mistakes import Mistake
from sim.order import Tile, place, programs, shared_tile_loads, touched
from sim.tiling import Tiling
from sim.words import counted


def row_mistakes(pid: int, tiling: Tiling, group_m: int, older: bool = False) -> tuple[Mistake, ...]:
    """Wrong tile rows of program ``pid``."""
    now = place(pid, tiling, group_m, older)
    other = place(pid, tiling, group_m, not older)
    found = [
        Mistake(
            "row-major", pid // tiling.tiles_n, "that is the row in row-major order, program // tiles_n: GROUP_M = 1"
        ),
        Mistake("group for row", now.group, "that is the number of the group; a group has several rows of tiles"),
        Mistake("first row only", now.first_row, "that is the first row of the group; the place in the group is added"),
        Mistake(
            "row inside the group",
            now.row - now.first_row,
            "that is the row inside the group; the group's first row is added",
        ),
        Mistake(
            "last group not shortened",
            now.first_row + now.local % group_m,
            f"that takes GROUP_M, {counted(group_m, 'row')}, in every group; the last group has only {now.group_rows}",
        ),
        Mistake(
            "row and column exchanged",
            now.column,
            "that is its tile column; inside a group the programs go down first, then right",
        ),
        Mistake(
            "other formula",
            other.row,
            "that is what the newer formula gives, which makes the number local first"
            if older
            else "that takes program % group_rows; the number is made local to the group first",
        ),
    ]
    return _told(found, now.row)


def column_mistakes(pid: int, tiling: Tiling, group_m: int, older: bool = False) -> tuple[Mistake, ...]:
    """Wrong tile columns of program ``pid``; both formulas have the same right one."""
    now = place(pid, tiling, group_m, older)
    found = [
        Mistake(
            "row-major", pid % tiling.tiles_n, "that is the column in row-major order, program % tiles_n: GROUP_M = 1"
        ),
        Mistake(
            "not local",
            pid // now.group_rows,
            "that divides the program's number; the number inside its group is divided",
        ),
        Mistake(
            "last group not shortened",
            now.local // group_m,
            f"that divides by GROUP_M = {group_m}; the last group has only {counted(now.group_rows, 'row')}",
        ),
        Mistake(
            "row and column exchanged",
            now.row,
            "that is its tile row; inside a group the programs go down first, then right",
        ),
        Mistake("place for column", now.local, "that is its place in the group; it is divided by the group's rows"),
    ]
    return _told(found, now.column)


def window_mistakes(owned: Sequence[Tile], tiling: Tiling) -> tuple[Mistake, ...]:
    """Wrong counts of the different input tiles that the owners of these tiles of C need."""
    rows, columns = touched(owned)
    count, phases = len(owned), tiling.k_phases
    found = [
        Mistake(
            "nothing shared",
            2 * count * phases,
            "that loads two tiles for each program and phase; tiles that programs share are counted once",
        ),
        Mistake(
            "one phase",
            len(rows) + len(columns),
            f"that is one K phase; every program walks through {phases}",
        ),
        Mistake("A only", len(rows) * phases, "that counts the tiles of A only"),
        Mistake("B only", len(columns) * phases, "that counts the tiles of B only"),
        Mistake("outputs", count, "that is the number of programs, each with its own tile of C"),
        Mistake(
            "rows times columns",
            len(rows) * len(columns) * phases,
            "rows and columns of tiles are added, not multiplied: a tile of A belongs to a row, one of B to a column",
        ),
        Mistake(
            "row-major",
            shared_tile_loads(programs(tiling)[:count], tiling),
            "that is what GROUP_M = 1 needs, the row-major order",
        ),
        Mistake("all tiles", (tiling.tiles_m + tiling.tiles_n) * phases, "that is every tile of A and of B"),
    ]
    return _told(found, shared_tile_loads(owned, tiling))


def _told(found: list[Mistake], right: int) -> tuple[Mistake, ...]:
    return tuple(mistake for mistake in found if mistake.value != right)
