"""The tiled product of one program, a frozen record for each K phase."""

from dataclasses import dataclass
from operator import mul

from sim.matmul import Matrix, Rows, check_inner, shape, transpose
from sim.tiling import Range, Tiling


@dataclass(frozen=True)
class Phase:
    """One K phase of the program that owns output tile (i, j).

    ``a_tile`` is [live rows, live k], ``b_tile`` [live k, live columns], ``partial`` the
    accumulator [live rows, live columns] after this phase. Only live elements: what a mask
    would cut off is not here. ``loads`` counts elements, not bytes.
    """

    phase: int
    rows: Range
    columns: Range
    inner: Range
    a_tile: Rows
    b_tile: Rows
    partial: Rows

    @property
    def loads_a(self) -> int:
        """Elements of A loaded in this phase."""
        return (self.rows[1] - self.rows[0]) * (self.inner[1] - self.inner[0])

    @property
    def loads_b(self) -> int:
        """Elements of B loaded in this phase."""
        return (self.inner[1] - self.inner[0]) * (self.columns[1] - self.columns[0])

    @property
    def loads(self) -> int:
        """Input elements loaded in this phase, A and B together."""
        return self.loads_a + self.loads_b


def phases(a: Matrix, b: Matrix, tiling: Tiling, i: int, j: int) -> tuple[Phase, ...]:
    """Every K phase of the program of tile (i, j), for A [M, K] and B [K, N].

    Raises ValueError when the matrices do not have the tiling's M, N and K or there is no such tile.
    """
    _check_shapes(a, b, tiling)
    rows, columns = tiling.tile_rows(i), tiling.tile_cols(j)
    partial: Rows = tuple((0,) * (columns[1] - columns[0]) for _ in range(*rows))
    steps = []
    for phase in range(tiling.k_phases):
        inner = tiling.phase_range(phase)
        a_tile, b_tile = cut(a, rows, inner), cut(b, inner, columns)
        partial = _accumulate(partial, a_tile, b_tile)
        steps.append(Phase(phase, rows, columns, inner, a_tile, b_tile, partial))
    return tuple(steps)


def partial_tiles(a: Matrix, b: Matrix, tiling: Tiling, i: int, j: int) -> tuple[Rows, ...]:
    """The accumulator of tile (i, j) after each K phase, [live rows, live columns] each."""
    return tuple(step.partial for step in phases(a, b, tiling, i, j))


def tiled_matmul(a: Matrix, b: Matrix, tiling: Tiling) -> Rows:
    """C [M, N], put together from every program's last accumulator (zeros when K is 0)."""
    _check_shapes(a, b, tiling)
    result: list[list[int]] = [[0] * tiling.N for _ in range(tiling.M)]
    for i in range(tiling.tiles_m):
        for j in range(tiling.tiles_n):
            _store(result, phases(a, b, tiling, i, j))
    return tuple(tuple(row) for row in result)


def cut(matrix: Matrix, rows: Range, columns: Range) -> Rows:
    """The elements of ``matrix`` in two half-open ranges."""
    return tuple(tuple(matrix[row][columns[0] : columns[1]]) for row in range(*rows))


def _accumulate(partial: Rows, a_tile: Rows, b_tile: Rows) -> Rows:
    """The accumulator after one more phase: each output adds its products of this phase."""
    columns = transpose(b_tile)
    return tuple(
        tuple(total + _dot(a_row, column) for total, column in zip(row, columns, strict=True))
        for row, a_row in zip(partial, a_tile, strict=True)
    )


def _dot(left: tuple[int, ...], right: tuple[int, ...]) -> int:
    """Exact: the elements are integers, so the order of adding does not matter."""
    return sum(map(mul, left, right))


def _store(result: list[list[int]], steps: tuple[Phase, ...]) -> None:
    if steps:
        last = steps[-1]
        for row, values in zip(range(*last.rows), last.partial, strict=True):
            result[row][last.columns[0] : last.columns[1]] = values


def _check_shapes(a: Matrix, b: Matrix, tiling: Tiling) -> None:
    check_inner(a, b)
    for name, matrix, wanted in (("A", a, (tiling.M, tiling.K)), ("B", b, (tiling.K, tiling.N))):
        if 0 not in wanted and shape(matrix) != wanted:
            rows, columns = shape(matrix)
            raise ValueError(f"{name} has shape [{rows}, {columns}]; this tiling needs [{wanted[0]}, {wanted[1]}]")
