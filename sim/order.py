"""Program order: which program of a one-dimensional grid owns which output tile."""

from sim.tiling import Tiling


def program_tile(pid: int, tiling: Tiling, group_m: int = 1) -> tuple[int, int]:
    """(tile row, tile column) that program ``pid`` owns.

    With ``group_m`` = 1 the order is row-major: (pid // tiles_n, pid % tiles_n). A larger value
    walks down ``group_m`` rows of tiles before it moves right; the last group is shorter when
    the rows of tiles do not divide. Raises ValueError when there is no such program.
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
    return first_row + local % rows, local // rows


def programs(tiling: Tiling, group_m: int = 1) -> tuple[tuple[int, int], ...]:
    """The tile of every program, in program order."""
    return tuple(program_tile(pid, tiling, group_m) for pid in range(tiling.programs))
