"""Rung 3, grouped: the same kernel and tile as `tiled`, with GROUP_M = 8.

The number of loads does not change.  What changes is which programs run at the same time: a block of 8 row tiles
shares its column tiles, so more of the loads hit in the L2 cache.  Where A and B fit in L2, or where there are fewer
than a few hundred programs, this does nothing, and that stays in the table.

Next: 128 x 128 x 32 is one guess; let the machine try others.
"""

from gpu.ladder.plan import Rung, never
from gpu.ladder.tiled import FIXED, prepare

RUNG = Rung(
    "grouped", "GROUP_M = 8: programs that run together share column tiles", prepare, {**FIXED, "GROUP_M": 8}, never
)
