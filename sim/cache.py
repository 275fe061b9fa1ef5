"""A small cache of input tiles in front of programs that run side by side: a model, far simpler than a GPU's L2.

It holds ``capacity`` tiles of A and B, all of one size, and when it is full it drops the one that was used longest
ago (LRU). Programs run in order, ``in_flight`` of them at a time, and walk through their K phases in step: in every
phase each asks for its tile of A, then for its tile of B. A real GPU keeps no such step, its cache has sets, sectors
and two halves, and C passes through it as well. A miss here is a tile, not a transaction and not a time.
"""

from collections import OrderedDict
from dataclasses import dataclass
from fractions import Fraction

from sim.order import programs
from sim.tiling import Tiling


@dataclass(frozen=True)
class CacheRun:
    """Tile accesses of all programs, parted into those that the cache served and those that it did not."""

    hits: int
    misses: int

    @property
    def accesses(self) -> int:
        """Two for each program and K phase."""
        return self.hits + self.misses

    @property
    def miss_rate(self) -> Fraction:
        """Misses for each access, exact; 0 when nothing was asked for."""
        return Fraction(self.misses, self.accesses) if self.accesses else Fraction(0)


def run_cache(tiling: Tiling, group_m: int, in_flight: int, capacity: int) -> CacheRun:
    """Run all programs in the order of ``group_m``. Raises ValueError for a number below 1."""
    _at_least_one("programs in flight", in_flight)
    _at_least_one("capacity", capacity)
    order = programs(tiling, group_m)
    cache: OrderedDict[tuple[str, int, int], None] = OrderedDict()
    misses = 0
    for start in range(0, len(order), in_flight):
        wave = order[start : start + in_flight]
        for phase in range(tiling.k_phases):
            for row, column in wave:
                for tile in (("A", row, phase), ("B", phase, column)):
                    if tile in cache:
                        cache.move_to_end(tile)
                        continue
                    misses += 1
                    cache[tile] = None
                    if len(cache) > capacity:
                        cache.popitem(last=False)
    return CacheRun(accesses(tiling) - misses, misses)


def accesses(tiling: Tiling) -> int:
    """Tile accesses of all programs: one of A and one of B in each K phase."""
    return 2 * tiling.programs * tiling.k_phases


def different_tiles(tiling: Tiling) -> int:
    """Different input tiles there are: no cache, however large, has fewer misses than one for each."""
    return (tiling.tiles_m + tiling.tiles_n) * tiling.k_phases


def _at_least_one(what: str, value: int) -> None:
    if value < 1:
        raise ValueError(f"{what}: given {value}; allowed: 1 or more")
