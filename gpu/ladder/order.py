"""Program order for the faster rungs: the teaching kernel's GROUP_M formula as a function."""

import triton
import triton.language as tl


@triton.jit
def tile_of(place, tiles_m, tiles_n, GROUP_M: tl.constexpr):
    """(row tile, column tile) of the place-th tile when GROUP_M row tiles are walked before the next column tile."""
    tiles_in_group = GROUP_M * tiles_n
    first_row_tile = (place // tiles_in_group) * GROUP_M
    group_rows = min(tiles_m - first_row_tile, GROUP_M)  # the last group may have fewer row tiles
    rest = place % tiles_in_group
    return first_row_tile + rest % group_rows, rest // group_rows
