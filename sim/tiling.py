"""Cut M, N and K into tiles: which program owns which outputs, and in which K phases it works."""

from dataclasses import dataclass

Range = tuple[int, int]


def tile_ranges(size: int, width: int) -> tuple[Range, ...]:
    """Half-open ranges that cover ``range(size)`` in steps of ``width``; the last may be shorter.

    ``tile_ranges(7, 3)`` is ``((0, 3), (3, 6), (6, 7))``; a size of 0 gives no range.
    Raises ValueError for a negative size or a width below 1.
    """
    if size < 0:
        raise ValueError(f"size: given {size}; allowed: 0 or more")
    if width < 1:
        raise ValueError(f"width: given {width}; allowed: 1 or more")
    return tuple((start, min(start + width, size)) for start in range(0, size, width))


def ceil_div(size: int, width: int) -> int:
    """How many tiles of ``width`` cover ``size``, counting a shorter last one."""
    return -(-size // width)


@dataclass(frozen=True)
class Tiling:
    """C [M, N] = A [M, K] @ B [K, N] in tiles: a program owns BM × BN outputs and walks K in phases of BK.

    Triton's tutorials call BM, BN, BK ``BLOCK_SIZE_M``, ``BLOCK_SIZE_N``, ``BLOCK_SIZE_K``.
    Raises ValueError for a negative size or a tile width below 1.
    """

    M: int
    N: int
    K: int
    BM: int
    BN: int
    BK: int

    def __post_init__(self) -> None:
        for name in ("M", "N", "K"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name}: given {getattr(self, name)}; allowed: 0 or more")
        for name in ("BM", "BN", "BK"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name}: given {getattr(self, name)}; allowed: 1 or more")

    @property
    def tiles_m(self) -> int:
        """Rows of output tiles."""
        return ceil_div(self.M, self.BM)

    @property
    def tiles_n(self) -> int:
        """Columns of output tiles."""
        return ceil_div(self.N, self.BN)

    @property
    def k_phases(self) -> int:
        """Passes of the reduction loop."""
        return ceil_div(self.K, self.BK)

    @property
    def programs(self) -> int:
        """Programs in the grid: one for each output tile."""
        return self.tiles_m * self.tiles_n

    def tile_rows(self, i: int) -> Range:
        """Half-open rows of C (and of A) that tile row ``i`` covers, cut off at M."""
        return _clipped(i, self.BM, self.M, self.tiles_m, "tile row")

    def tile_cols(self, j: int) -> Range:
        """Half-open columns of C (and of B) that tile column ``j`` covers, cut off at N."""
        return _clipped(j, self.BN, self.N, self.tiles_n, "tile column")

    def phase_range(self, phase: int) -> Range:
        """Half-open K indices that ``phase`` reduces, cut off at K."""
        return _clipped(phase, self.BK, self.K, self.k_phases, "K phase")

    @property
    def ragged(self) -> tuple[str, ...]:
        """The dimensions that need a mask: those that their tile width does not divide."""
        pairs = (("M", self.M, self.BM), ("N", self.N, self.BN), ("K", self.K, self.BK))
        return tuple(name for name, size, width in pairs if size % width)


def square(n: int, tile: int) -> Tiling:
    """An n × n product in square tiles of width ``tile``: the case the first chapter studies."""
    return Tiling(n, n, n, tile, tile, tile)


def _clipped(index: int, width: int, size: int, count: int, what: str) -> Range:
    if not 0 <= index < count:
        raise ValueError(f"{what}: given {index}; allowed: 0 to {count - 1}")
    return index * width, min((index + 1) * width, size)
