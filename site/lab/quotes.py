"""Numbers that a page quotes: each is an expression that ``sim`` computes again when the site is built.

``tiled_loads?n=4&tile=2`` is 64. A page that says otherwise does not build.
"""

from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import parse_qsl

from lab.markup import decimal, number
from lab.problem import Problem, given
from sim import broken, cache, cost, inputs, matmul, order, trace, waits
from sim.gpus import GPUS
from sim.reuse import Tile
from sim.tiling import Tiling, square, tile_ranges
from sim.words import later, say

MODEL = later("the model, and an independent count")
CROSS = later("the model, NumPy and PyTorch")
HARDWARE = later("the model, Triton's interpreter and an H200")
KERNEL = later("the model, and the kernel’s own text run in Python")
BY_HAND = later("the model, and values worked out by hand")
PUBLISHED = later("NVIDIA’s figure, read at second hand; not measured")
MODEL_CACHE = later("the model only: no GPU's cache is as simple")

SIZES = ("m", "n", "k", "bm", "bn", "bk")
TILE = ("bm", "bn", "bk", "item")
GRID = ("rows", "columns", "phases", "group_m")
TOY = ((1, 2, 3), (4, 5, 6)), ((7, 8), (9, 10), (11, 12))


@dataclass(frozen=True)
class Quote:
    """How to compute a quoted text from whole numbers, and what else checked it."""

    names: tuple[str, ...]
    make: Callable[..., str]
    checked_by: str


def quote(expression: str) -> str:
    """The text that ``sim`` gives for an expression. Raises Problem for an unknown one."""
    found, arguments = _parse(expression)
    try:
        return found.make(**arguments)
    except (ValueError, IndexError) as error:
        raise Problem(f"quoted number {expression}: {error}") from None


def checked_by(expression: str) -> str:
    """Who checked that kind of number, in a few words."""
    return say(_parse(expression)[0].checked_by)


def _parse(expression: str) -> tuple[Quote, dict[str, int]]:
    name, _, query = expression.partition("?")
    if name not in QUOTES:
        raise given("quoted number", name, ", ".join(sorted(QUOTES)))
    found = QUOTES[name]
    pairs = parse_qsl(query, keep_blank_values=True)
    if sorted(key for key, _ in pairs) != sorted(found.names) or not all(value.isdigit() for _, value in pairs):
        raise given(f"quoted number {name}", query, " and ".join(f"{key}=whole number" for key in found.names))
    return found, {key: int(value) for key, value in pairs}


def _vector(values: tuple[int, ...]) -> str:
    return f"[{', '.join(str(value) for value in values)}]"


def _rows(rows: matmul.Rows) -> str:
    return f"[{', '.join(_vector(row) for row in rows)}]"


def _formula(n: int) -> tuple[matmul.Rows, matmul.Rows]:
    return inputs.formula_a(n, n), inputs.formula_b(n, n)


def _partial(n: int, tile: int, i: int, j: int, phase: int) -> str:
    return _rows(trace.partial_tiles(*_formula(n), square(n, tile), i, j)[phase])


def _tiling(sizes: dict[str, int]) -> Tiling:
    return Tiling(*(sizes[name] for name in SIZES))


def _named(dimensions: tuple[str, ...]) -> str:
    """`none`, `N`, `M and N` or `M, N and K`."""
    if not dimensions:
        return say("none")
    *before, last = dimensions
    return say("{some} and {last}", some=", ".join(before), last=last) if before else last


def _loads_of(tiling: Tiling) -> tuple[int, int]:
    """(A, B) elements that all programs load."""
    pairs = [cost.program_loads(tiling, i, j) for i in range(tiling.tiles_m) for j in range(tiling.tiles_n)]
    return sum(a for a, _ in pairs), sum(b for _, b in pairs)


def _toy_phase(phase: int) -> int:
    """What a phase of BK = 2 adds to C[0,0] of the toy product."""
    sums = [0, *(partial[0][0] for partial in trace.partial_tiles(*TOY, Tiling(2, 2, 3, 2, 2, 2), 0, 0))]
    return sums[phase + 1] - sums[phase]


def _owned(rows: int, columns: int, group_m: int, pid: int, older: int) -> str:
    """The tile of a program; ``older`` is 1 for the older formula."""
    found = order.place(pid, Tiling(rows, columns, 1, 1, 1, 1), group_m, bool(older))
    return f"({found.row},{found.column})"


def _shared(rows: int, columns: int, phases: int, group_m: int, w: int) -> str:
    tiling = Tiling(rows, columns, phases, 1, 1, 1)
    return number(order.shared_tile_loads(order.programs(tiling, group_m)[:w], tiling))


def _cached(rows: int, columns: int, phases: int, group_m: int, in_flight: int, capacity: int) -> cache.CacheRun:
    return cache.run_cache(Tiling(rows, columns, phases, 1, 1, 1), group_m, in_flight, capacity)


def _worst(n: int, tile: int, order: str) -> str:
    return _rows(waits.worst_order(*_formula(n), square(n, tile), 0, 0, order)[-1].partial)


QUOTES = {
    "a_row": Quote(("n", "row"), lambda n, row: _vector(inputs.formula_a(n, n)[row]), CROSS),
    "b_column": Quote(
        ("n", "column"), lambda n, column: _vector(matmul.transpose(inputs.formula_b(n, n))[column]), CROSS
    ),
    "products": Quote(
        ("n", "row", "column"),
        lambda n, row, column: ", ".join(str(step.product) for step in matmul.products(*_formula(n), row, column)),
        CROSS,
    ),
    "partials": Quote(
        ("n", "row", "column"),
        lambda n, row, column: ", ".join(str(step.partial) for step in matmul.products(*_formula(n), row, column)),
        CROSS,
    ),
    "output": Quote(
        ("n", "row", "column"), lambda n, row, column: str(matmul.matmul(*_formula(n))[row][column]), CROSS
    ),
    "c_row": Quote(("n", "row"), lambda n, row: _vector(matmul.matmul(*_formula(n))[row]), CROSS),
    "c": Quote(("n",), lambda n: _rows(matmul.matmul(*_formula(n))), CROSS),
    "tiled_loads": Quote(("n", "tile"), lambda n, tile: number(cost.square_loads(n, tile)), MODEL),
    "separate_loads": Quote(("n",), lambda n: number(cost.separate_loads(n, n, n)), MODEL),
    "padded_slots": Quote(("n", "tile"), lambda n, tile: number(cost.padded_slots(square(n, tile))), MODEL),
    "formula": Quote(("n", "tile"), lambda n, tile: number(cost.undivided_formula(n, tile)[0]), MODEL),
    "phase_loads": Quote(("n", "tile"), lambda n, tile: number(sum(cost.phase_loads(square(n, tile), 0, 0, 0))), MODEL),
    "tiles": Quote(("n", "tile"), lambda n, tile: number(square(n, tile).programs), MODEL),
    "k_phases": Quote(("n", "tile"), lambda n, tile: number(square(n, tile).k_phases), MODEL),
    "shared_bytes": Quote(("tile",), lambda tile: number(cost.shared_bytes(square(tile, tile))), MODEL),
    "input_elements": Quote(("n",), lambda n: number(2 * n * n), BY_HAND),
    "ragged": Quote(SIZES, lambda **sizes: _named(_tiling(sizes).ragged), BY_HAND),
    "tile_outputs": Quote(("tile",), lambda tile: number(tile * tile), MODEL),
    "partial": Quote(("n", "tile", "i", "j", "phase"), _partial, CROSS),
    "toy_c": Quote((), lambda: _rows(matmul.matmul(*TOY)), CROSS),
    "toy_output": Quote(("row", "column"), lambda row, column: str(matmul.matmul(*TOY)[row][column]), CROSS),
    "toy_phase": Quote(("phase",), lambda phase: str(_toy_phase(phase)), CROSS),
    "tile_ranges": Quote(
        ("size", "width"),
        lambda size, width: ", ".join(f"({start},{stop})" for start, stop in tile_ranges(size, width)),
        MODEL,
    ),
    "masked_loads": Quote(SIZES, lambda **sizes: number(cost.tiled_loads(_tiling(sizes))), HARDWARE),
    "kernel_loads": Quote(
        (*SIZES, "matrix"),
        lambda matrix, **sizes: number(_loads_of(_tiling(sizes))[matrix]),
        KERNEL,
    ),
    "wrapped_loads": Quote(SIZES, lambda **sizes: number(broken.wrapped_loads(_tiling(sizes))), MODEL),
    "tile_elements": Quote(("bm", "bn", "bk"), lambda bm, bn, bk: number(Tile(bm, bn, bk).elements), MODEL),
    "tile_bytes": Quote((*TILE,), lambda bm, bn, bk, item: number(Tile(bm, bn, bk, item).input_bytes), MODEL),
    "tile_flops": Quote(("bm", "bn", "bk"), lambda bm, bn, bk: number(Tile(bm, bn, bk).flops), MODEL),
    "tile_intensity": Quote((*TILE,), lambda bm, bn, bk, item: decimal(Tile(bm, bn, bk, item).intensity), MODEL),
    "owned_tile": Quote(("rows", "columns", "group_m", "pid", "older"), _owned, BY_HAND),
    "shared_tile_loads": Quote((*GRID, "w"), _shared, BY_HAND),
    "cache_misses": Quote(
        (*GRID, "in_flight", "capacity"), lambda **sizes: number(_cached(**sizes).misses), MODEL_CACHE
    ),
    "cache_miss_rate": Quote(
        (*GRID, "in_flight", "capacity"), lambda **sizes: decimal(_cached(**sizes).miss_rate, 3), MODEL_CACHE
    ),
    "h200_tflops": Quote((), lambda: decimal(GPUS["H200 SXM"].peak_tflops), PUBLISHED),
    "no_wait_after_loading": Quote(("n", "tile"), lambda n, tile: _worst(n, tile, waits.NO_WAIT_AFTER_LOADING), MODEL),
    "no_wait_after_using": Quote(("n", "tile"), lambda n, tile: _worst(n, tile, waits.NO_WAIT_AFTER_USING), MODEL),
}
