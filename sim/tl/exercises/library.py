"""The kernel exercises as data: what the reader sees, and the launches that decide."""

from sim.inputs import distinct_a, distinct_b
from sim.matmul import matmul
from sim.order import programs
from sim.tiling import Tiling
from sim.tl.exercises import slips, texts
from sim.tl.exercises.records import KernelExercise, Launch, Rows


def add_launches() -> tuple[Launch, ...]:
    """One full block, a short one, two, and several of which the last is short; no two elements alike."""
    return tuple(_added(n, block) for n, block in ((4, 4), (3, 4), (8, 4), (10, 4), (1, 8), (37, 16)))


def _added(n: int, block: int) -> Launch:
    x, y = tuple(3 * i + 1 for i in range(n)), tuple(100 - 7 * i for i in range(n))
    total = tuple(a + b for a, b in zip(x, y, strict=True))
    return Launch({"x_ptr": (x,), "y_ptr": (y,)}, {"N": n, "BLOCK": block}, (-(-n // block),), (total,))


def tile_launches() -> tuple[Launch, ...]:
    """Whole tiles, one ragged dimension at a time, both; never a square A with a square tile twice."""
    sizes = ((2, 2, 2, 2), (2, 3, 2, 2), (3, 2, 2, 2), (2, 4, 2, 2), (3, 5, 2, 4), (5, 3, 4, 2), (5, 7, 2, 4))
    return tuple(_filled_up(*each) for each in sizes)


def _filled_up(m: int, n: int, bm: int, bn: int) -> Launch:
    a = distinct_a(m, n)
    grid = -(-m // bm), -(-n // bn)
    padding = (0,) * (grid[1] * bn - n)
    rows = (*((*row, *padding) for row in a), *(((0,) * (grid[1] * bn),) * (grid[0] * bm - m)))
    return Launch({"a_ptr": a}, {"M": m, "N": n, "BM": bm, "BN": bn}, grid, rows)


def loop_launches() -> tuple[Launch, ...]:
    """One phase, a short one, two, and three of which the last is short; all dimensions different."""
    sizes = ((2, 2, 16, 2, 2), (2, 2, 5, 2, 2), (2, 2, 32, 2, 2), (3, 2, 20, 2, 2), (2, 3, 20, 2, 2), (3, 5, 37, 2, 4))
    return tuple(_product(*each) for each in sizes)


def _product(m: int, n: int, k: int, bm: int, bn: int) -> Launch:
    """Numbers small enough that float16 holds them and float32 every sum."""
    a = tuple(tuple(value % 23 - 11 for value in row) for row in distinct_a(m, k))
    b = tuple(tuple(value % 19 - 9 for value in row) for row in distinct_b(k, n))
    numbers = {"M": m, "N": n, "K": k, "BM": bm, "BN": bn, "BK": 16}
    return Launch({"a_ptr": a, "b_ptr": b}, numbers, (-(-m // bm), -(-n // bn)), matmul(a, b))


def order_launches() -> tuple[Launch, ...]:
    """Row-major, one group, whole groups, a short last group; more columns than rows and the other way round."""
    sizes = ((4, 4, 2, 2, 1), (4, 4, 2, 2, 2), (4, 6, 2, 2, 2), (8, 5, 2, 2, 2), (5, 4, 2, 2, 2), (9, 13, 2, 2, 3))
    return tuple(_owners(*each) for each in sizes)


def _owners(m: int, n: int, bm: int, bn: int, group_m: int) -> Launch:
    tiling = Tiling(m, n, 1, bm, bn, 1)
    numbers = {tile: number for number, tile in enumerate(programs(tiling, group_m))}
    rows: Rows = tuple(tuple(numbers[i, j] for j in range(tiling.tiles_n)) for i in range(tiling.tiles_m))
    return Launch({}, {"M": m, "N": n, "BM": bm, "BN": bn, "GROUP_M": group_m}, (tiling.programs,), rows)


KERNEL_EXERCISES = {
    "vector_add": KernelExercise(
        name="vector_add",
        title="Add two vectors",
        kernel="add_kernel",
        parameters=("x_ptr", "y_ptr", "out_ptr", "N", "BLOCK"),
        constants=("BLOCK",),
        arrays={"x_ptr": "fp32", "y_ptr": "fp32", "out_ptr": "fp32"},
        output="out_ptr",
        task=texts.ADD_TASK,
        starter=texts.ADD_STARTER,
        hints=texts.ADD_HINTS,
        solution=texts.ADD_SOLUTION,
        launches=add_launches,
        slips=slips.ADD,
    ),
    "tile_load": KernelExercise(
        name="tile_load",
        title="Load a masked tile",
        kernel="tile_kernel",
        parameters=("a_ptr", "out_ptr", "M", "N", "BM", "BN"),
        constants=("BM", "BN"),
        arrays={"a_ptr": "fp32", "out_ptr": "fp32"},
        output="out_ptr",
        task=texts.TILE_TASK,
        starter=texts.TILE_STARTER,
        hints=texts.TILE_HINTS,
        solution=texts.TILE_SOLUTION,
        launches=tile_launches,
        slips=slips.TILE,
    ),
    "k_loop": KernelExercise(
        name="k_loop",
        title="Walk through K",
        kernel="loop_kernel",
        parameters=("a_ptr", "b_ptr", "c_ptr", "M", "N", "K", "BM", "BN", "BK"),
        constants=("BM", "BN", "BK"),
        arrays={"a_ptr": "fp16", "b_ptr": "fp16", "c_ptr": "fp32"},
        output="c_ptr",
        task=texts.LOOP_TASK,
        starter=texts.LOOP_STARTER,
        hints=texts.LOOP_HINTS,
        solution=texts.LOOP_SOLUTION,
        launches=loop_launches,
        slips=slips.LOOP,
    ),
    "grouped_order": KernelExercise(
        name="grouped_order",
        title="Order the programs in groups",
        kernel="order_kernel",
        parameters=("owner_ptr", "M", "N", "BM", "BN", "GROUP_M"),
        constants=("BM", "BN", "GROUP_M"),
        arrays={"owner_ptr": "int32"},
        output="owner_ptr",
        task=texts.ORDER_TASK,
        starter=texts.ORDER_STARTER,
        hints=texts.ORDER_HINTS,
        solution=texts.ORDER_SOLUTION,
        launches=order_launches,
        slips=slips.ORDER,
    ),
}
