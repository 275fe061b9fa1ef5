"""The trace of a product as text: the three loops of one output, or every program and K phase of the tiled product."""

from collections.abc import Iterator

from sim.cost import program_loads, tiled_loads
from sim.masks import mask_needs
from sim.matmul import Matrix, matmul, products, shape
from sim.order import programs
from sim.tiling import Tiling
from sim.trace import Phase, phases


def explain_loops(a: Matrix, b: Matrix) -> Iterator[str]:
    """Lines on A [M, K] @ B [K, N] in three loops: the products of C[0,0] one by one, then C."""
    (m, k), (_, n) = shape(a), shape(b)
    yield f"C [{m}, {n}] = A [{m}, {k}] @ B [{k}, {n}], in three loops."
    yield from _inputs(a, b)
    yield f"C[0,0] is row 0 of A times column 0 of B, {_count(k, 'product')}:"
    for step in products(a, b, 0, 0):
        pair = f"A[0,{step.k}] * B[{step.k},0] = {step.a} * {step.b}"
        yield f"  k = {step.k}: {pair} = {step.product}; sum {step.partial}"
    yield f"All {_count(m * n, 'output')} in the same way:"
    yield from _matrix("C", matmul(a, b))


def explain_tiles(a: Matrix, b: Matrix, tiling: Tiling) -> Iterator[str]:
    """Lines on the tiled product: masks, then each program with its K phases, loads and partial sums."""
    t = tiling
    yield f"C [{t.M}, {t.N}] = A [{t.M}, {t.K}] @ B [{t.K}, {t.N}], tiles BM = {t.BM}, BN = {t.BN}, BK = {t.BK}."
    yield from _inputs(a, b)
    grid = f"{_count(t.tiles_m, 'row')} of {_count(t.tiles_n, 'tile')}"
    yield f"{_count(t.programs, 'program')} ({grid}), {_count(t.k_phases, 'K phase')} each."
    yield from (need.sentence for need in mask_needs(t))
    for pid, (i, j) in enumerate(programs(t)):
        steps = phases(a, b, t, i, j)
        loads = sum(program_loads(t, i, j))
        yield ""
        where = f"{_range('row', steps[0].rows)}, {_range('column', steps[0].columns)}"
        yield f"Program {pid}, tile ({i}, {j}): {where} of C; loads {_count(loads, 'element')}."
        for step in steps:
            yield from _phase(step)
    yield ""
    yield f"All programs together load {_count(tiled_loads(t), 'element')} of A and B."
    yield from _matrix("C", matmul(a, b))


def _phase(step: Phase) -> Iterator[str]:
    loads = f"loads {step.loads_a} of A and {step.loads_b} of B"
    yield f"  K phase {step.phase}, {_range('k', step.inner)}: {loads}"
    yield f"    A tile {_rows(step.a_tile)}   B tile {_rows(step.b_tile)}"
    yield f"    accumulator {_rows(step.partial)}"


def _inputs(a: Matrix, b: Matrix) -> Iterator[str]:
    yield from _matrix("A", a)
    yield from _matrix("B", b)


def _matrix(name: str, rows: Matrix) -> Iterator[str]:
    width = max(len(str(value)) for row in rows for value in row)
    for index, row in enumerate(rows):
        start = f"  {name} = " if index == 0 else " " * (len(name) + 5)
        yield start + "  ".join(str(value).rjust(width) for value in row)


def _rows(rows: Matrix) -> str:
    return str([list(row) for row in rows])


def _range(what: str, half_open: tuple[int, int]) -> str:
    start, stop = half_open
    if stop == start + 1:
        return f"{what} {start}"
    return f"{what}{'' if what == 'k' else 's'} {start} to {stop - 1}"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
