"""The tiled product with its masks broken on purpose, in row-major memory, and what it leaves in C.

Addresses are those of the kernel: row * K + inner in A, inner * N + column in B, row * N + column in C.
What is read behind the end of a matrix is whatever lies there; this model puts the same number in every
such place and marks each output that it reached. Programs run one after the other in program order
and the last one to write wins; on a GPU the order is not known, so entries with two writers are marked.
"""

from collections.abc import Callable
from dataclasses import dataclass

from sim.cost import tiled_loads
from sim.masks import whole_tiles
from sim.matmul import Matrix, Rows, matmul, shape
from sim.order import programs
from sim.tiling import Tiling

NONE = "none"
NO_K_MASK = "no-k-mask"
FILL_ONE = "fill-one"
WRAP = "wrap"
GRID_DOWN = "grid-down"
JOINED_GUARD = "joined-guard"
NO_STORE_MASK = "no-store-mask"
RESET = "reset"
FAULTS = (NONE, NO_K_MASK, FILL_ONE, WRAP, GRID_DOWN, JOINED_GUARD, NO_STORE_MASK, RESET)

MEANINGS = {
    NONE: "all masks are in place",
    NO_K_MASK: "K is not masked: behind a row of A stands the next row, behind the last row of B nobody knows what",
    FILL_ONE: "masked lanes hold 1 instead of 0, so that a pair of them adds 1 to every sum",
    WRAP: "rows wrap round with % M and columns with % N instead of being masked: loaded again, but not stored",
    GRID_DOWN: "the grid is rounded down, M // BM by N // BN, so that shorter last tiles have no program",
    JOINED_GUARD: "a thread steps aside only if row and column are both outside, and loads are not guarded",
    NO_STORE_MASK: "every lane of the C tile is stored, also those outside",
    RESET: "the accumulator is set to zero in every K phase, so that only what the last one added is left",
}

Place = tuple[int, int]
Outcome = tuple[tuple[int | None, ...], ...]


@dataclass(frozen=True)
class Broken:
    """What a faulty kernel leaves.

    ``rows`` is C [M, N], None where nobody wrote; ``expected`` the right product. ``stray`` lists entries
    (row, column) whose sum contains memory behind a matrix, so that their value is only an example;
    ``contested`` those written more than once; ``outside`` the C addresses that were written though C ends
    before them. ``loads`` counts loaded elements of A and B, wherever they came from.
    """

    fault: str
    rows: Outcome
    expected: Rows
    stray: tuple[Place, ...]
    contested: tuple[Place, ...]
    outside: tuple[int, ...]
    loads: int

    @property
    def wrong(self) -> tuple[Place, ...]:
        """Entries that were written with a wrong number."""
        return tuple(place for place, value, right in self._entries() if value is not None and value != right)

    @property
    def unwritten(self) -> tuple[Place, ...]:
        """Entries that nobody wrote."""
        return tuple(place for place, value, _ in self._entries() if value is None)

    @property
    def right(self) -> bool:
        """Whether C is right here, nothing was written outside it, and no entry hung on chance."""
        return not (self.wrong or self.unwritten or self.stray or self.contested or self.outside)

    def _entries(self) -> tuple[tuple[Place, int | None, int], ...]:
        return tuple(
            ((r, c), value, self.expected[r][c]) for r, row in enumerate(self.rows) for c, value in enumerate(row)
        )


def run_broken(a: Matrix, b: Matrix, tiling: Tiling, fault: str, behind: int = 1) -> Broken:
    """Run every program of the faulty kernel on A [M, K] and B [K, N].

    ``behind`` is the number that stands in every place behind the end of A and of B. Raises ValueError for
    an unknown fault, or matrices that do not have the tiling's shapes.
    """
    _check(a, b, tiling, fault)
    run = _Run(a, b, tiling, fault, behind)
    for i, j in whole_tiles(tiling) if fault == GRID_DOWN else programs(tiling):
        run.program(i, j)
    return run.left(matmul(a, b))


@dataclass(frozen=True)
class Lane:
    """One lane of an input tile: its value, whether it was loaded, and whether that came from behind a matrix."""

    value: int
    loaded: bool
    stray: bool


@dataclass(frozen=True)
class LanePhase:
    """What program (i, j) really holds in one K phase: A lanes [BM][BK], B lanes [BK][BN], sums [BM][BN] after it."""

    a: tuple[tuple[Lane, ...], ...]
    b: tuple[tuple[Lane, ...], ...]
    partial: Rows


def broken_phases(
    a: Matrix, b: Matrix, tiling: Tiling, i: int, j: int, fault: str, behind: int = 1
) -> tuple[LanePhase, ...]:
    """Every K phase of program (i, j) of the faulty kernel, masked lanes included. Errors as in ``run_broken``."""
    _check(a, b, tiling, fault)
    run = _Run(a, b, tiling, fault, behind)
    rows = range(i * tiling.BM, (i + 1) * tiling.BM)
    columns = range(j * tiling.BN, (j + 1) * tiling.BN)
    partial: Rows = ((0,) * tiling.BN,) * tiling.BM
    steps = []
    for phase in range(tiling.k_phases):
        inners = range(phase * tiling.BK, (phase + 1) * tiling.BK)
        a_lanes = tuple(tuple(run.lane_a(row, k) for k in inners) for row in rows)
        b_lanes = tuple(tuple(run.lane_b(k, column) for column in columns) for k in inners)
        partial = _added(((0,) * tiling.BN,) * tiling.BM if fault == RESET else partial, a_lanes, b_lanes)
        steps.append(LanePhase(a_lanes, b_lanes, partial))
    return tuple(steps)


def _added(sums: Rows, a: tuple[tuple[Lane, ...], ...], b: tuple[tuple[Lane, ...], ...]) -> Rows:
    result = []
    for row, a_row in zip(sums, a, strict=True):
        out = list(row)
        for left, b_row in zip(a_row, b, strict=True):
            for column, right in enumerate(b_row):
                out[column] += left.value * right.value
        result.append(tuple(out))
    return tuple(result)


def _check(a: Matrix, b: Matrix, tiling: Tiling, fault: str) -> None:
    if fault not in FAULTS:
        raise ValueError(f"fault: given {fault}; allowed: {', '.join(FAULTS)}")
    if shape(a) != (tiling.M, tiling.K) or shape(b) != (tiling.K, tiling.N):
        raise ValueError(
            f"A has shape {list(shape(a))} and B {list(shape(b))}; "
            f"this tiling needs {[tiling.M, tiling.K]} and {[tiling.K, tiling.N]}"
        )


class _Run:
    """The memory of one run, while it runs."""

    def __init__(self, a: Matrix, b: Matrix, tiling: Tiling, fault: str, behind: int) -> None:
        self.tiling, self.fault, self.behind = tiling, fault, behind
        self.a = [value for row in a for value in row]
        self.b = [value for row in b for value in row]
        self.c: list[int | None] = [None] * (tiling.M * tiling.N)
        self.writes = [0] * len(self.c)
        self.stray: dict[int, None] = {}
        self.outside: dict[int, None] = {}
        self.loads = 0

    def program(self, i: int, j: int) -> None:
        t = self.tiling
        rows = range(i * t.BM, (i + 1) * t.BM)
        columns = range(j * t.BN, (j + 1) * t.BN)
        first = max(t.k_phases - 1, 0) * t.BK if self.fault == RESET else 0
        inners = range(t.k_phases * t.BK)
        a_lanes = {(row, k): self._load_a(row, k) for row in rows for k in inners}
        b_lanes = {(k, column): self._load_b(k, column) for k in inners for column in columns}
        for row in rows:
            for column in columns:
                if self._stores(row, column):
                    pairs = [(a_lanes[row, k], b_lanes[k, column]) for k in inners if k >= first]
                    self._store(row, column, pairs)

    def lane_a(self, row: int, k: int) -> Lane:
        """The lane of A for a row and a K index, which may lie outside."""
        before = self.loads
        value, stray = self._load_a(row, k)
        return Lane(value, self.loads > before, stray)

    def lane_b(self, k: int, column: int) -> Lane:
        """The lane of B for a K index and a column, which may lie outside."""
        before = self.loads
        value, stray = self._load_b(k, column)
        return Lane(value, self.loads > before, stray)

    def _load_a(self, row: int, k: int) -> tuple[int, bool]:
        t = self.tiling
        row = row % t.M if self.fault == WRAP else row
        return self._load(self.a, row * t.K + k, self._loads(row < t.M, k < t.K))

    def _load_b(self, k: int, column: int) -> tuple[int, bool]:
        t = self.tiling
        column = column % t.N if self.fault == WRAP else column
        return self._load(self.b, k * t.N + column, self._loads(column < t.N, k < t.K))

    def _loads(self, in_output: bool, in_k: bool) -> bool:
        if self.fault == JOINED_GUARD:
            return True
        return in_output and (in_k or self.fault == NO_K_MASK)

    def _load(self, memory: list[int], address: int, live: bool) -> tuple[int, bool]:
        """(value, whether it came from behind the end)."""
        if not live:
            return (1 if self.fault == FILL_ONE else 0), False
        self.loads += 1
        return (memory[address], False) if address < len(memory) else (self.behind, True)

    def _stores(self, row: int, column: int) -> bool:
        in_row, in_column = row < self.tiling.M, column < self.tiling.N
        if self.fault == JOINED_GUARD:
            return in_row or in_column
        return self.fault == NO_STORE_MASK or (in_row and in_column)

    def _store(self, row: int, column: int, pairs: list[tuple[tuple[int, bool], tuple[int, bool]]]) -> None:
        address = row * self.tiling.N + column
        if address >= len(self.c):
            self.outside[address] = None
            return
        total = 0
        for (a, _), (b, _) in pairs:
            total += a * b
        self.c[address] = total
        self.writes[address] += 1
        self.stray.pop(address, None)
        if any(from_a or from_b for (_, from_a), (_, from_b) in pairs):
            self.stray[address] = None

    def left(self, expected: Rows) -> Broken:
        n = self.tiling.N

        def places(chosen: Callable[[int], bool]) -> tuple[Place, ...]:
            return tuple(divmod(address, n) for address in range(len(self.c)) if chosen(address))

        return Broken(
            fault=self.fault,
            rows=tuple(tuple(self.c[row * n : (row + 1) * n]) for row in range(self.tiling.M)),
            expected=expected,
            stray=places(lambda address: address in self.stray),
            contested=places(lambda address: self.writes[address] > 1),
            outside=tuple(sorted(self.outside)),
            loads=self.loads,
        )


def luck(tiling: Tiling, fault: str) -> str:
    """One sentence why the fault does no harm at this tiling whatever the inputs; empty when it may do harm.

    Raises ValueError for an unknown fault.
    """
    if fault not in FAULTS:
        raise ValueError(f"fault: given {fault}; allowed: {', '.join(FAULTS)}")
    t, ragged = tiling, tiling.ragged
    if fault == NONE:
        return "Nothing is broken."
    if fault == RESET:
        return f"BK = {t.BK} covers K = {t.K}: there is one phase, so nothing is forgotten." if t.k_phases < 2 else ""
    if fault == WRAP:
        extra = wrapped_loads(t) - tiled_loads(t)
        if not extra:
            return f"BM = {t.BM} divides M = {t.M} and BN = {t.BN} divides N = {t.N}: nothing wraps round."
        return (
            f"C is right, since what wraps round is not stored; but {wrapped_loads(t)} elements are loaded "
            f"where masks load {tiled_loads(t)}."
        )
    if fault in (NO_K_MASK, FILL_ONE):
        return "" if "K" in ragged else f"BK = {t.BK} divides K = {t.K}: no K lane lies outside."
    if fault == JOINED_GUARD and "K" in ragged:
        return ""
    if "M" in ragged or "N" in ragged:
        return ""
    return f"BM = {t.BM} divides M = {t.M} and BN = {t.BN} divides N = {t.N}: no lane of C lies outside."


def wrapped_loads(tiling: Tiling) -> int:
    """Loaded elements of A and B when rows and columns wrap round and only K is masked."""
    full_rows, full_columns = tiling.tiles_m * tiling.BM, tiling.tiles_n * tiling.BN
    return full_rows * tiling.K * tiling.tiles_n + tiling.K * full_columns * tiling.tiles_m
