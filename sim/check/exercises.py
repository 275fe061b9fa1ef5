"""The exercises as data: what the reader sees, and the calls that decide."""

from typing import Any

from sim import trace
from sim.check import texts
from sim.check.records import Case, Exercise
from sim.check.wrong_matmul import wrong_matmuls
from sim.check.wrong_tiles import wrong_ranges, wrong_tiled
from sim.inputs import distinct_a, distinct_b, formula_a, formula_b
from sim.matmul import matmul
from sim.tiling import Tiling, tile_ranges

TOY_A, TOY_B = ((1, 2, 3), (4, 5, 6)), ((7, 8), (9, 10), (11, 12))


def matmul_cases() -> tuple[Case, ...]:
    """Calls of matmul(a, b). The toy product is the first with two rows, as shared rows show there.

    Square and rectangular, every order of M, N and K, negative, zero and half elements, K = 1; no two
    well-known mistakes but those that must agree survive all of them. Sizes are at least 1, since
    a list without rows cannot say how many columns it has.
    """
    inputs: tuple[tuple[Any, Any], ...] = (
        (((3,),), ((5,),)),
        (((2, 3),), ((5,), (7,))),
        (((1, 2),), ((3, 4), (5, 6))),
        (TOY_A, TOY_B),
        (((0, -2), (3, 1)), ((4, -1), (-5, 2))),
        (((2,), (-3,), (4,)), ((5, 7),)),
        (((0.5, -1.5), (2.5, 1)), ((0.5, 3), (1, -0.5))),
        (((1, 4), (2, 5), (3, 6)), ((7, 9, 11), (8, 10, 12))),
        (((1, 2), (0, 1), (4, -2), (3, 5)), ((2,), (-7,))),
        (((1, 2, -3), (4, 0, 6), (7, -8, 5)), ((2, -1, 4), (3, 5, -6), (1, 0, 7))),
        (distinct_a(2, 4), distinct_b(4, 3)),
        (distinct_a(4, 3), distinct_b(3, 2)),
        (formula_a(3, 3), formula_b(3, 3)),
        (formula_a(5, 5), formula_b(5, 7)),
    )
    return tuple(Case((a, b), matmul(a, b)) for a, b in inputs)


def range_cases() -> tuple[Case, ...]:
    """Calls of tile_ranges(size, width): empty, exact, ragged, and a width above the size."""
    calls = ((1, 1), (0, 3), (3, 3), (6, 3), (7, 3), (2, 5), (10, 4), (5, 1))
    return tuple(Case((size, width), tile_ranges(size, width)) for size, width in calls)


def tiled_cases() -> tuple[Case, ...]:
    """Calls of tiled_matmul(a, b, BM, BN, BK): one tile, several phases, and three ragged dimensions."""
    inputs: tuple[tuple[Any, Any, int, int, int], ...] = (
        (((3,),), ((5,),), 1, 1, 1),
        (TOY_A, TOY_B, 2, 2, 3),
        (TOY_A, TOY_B, 2, 2, 2),
        (TOY_A, TOY_B, 1, 2, 1),
        (distinct_a(3, 2), distinct_b(2, 4), 2, 2, 2),
        (formula_a(4, 4), formula_b(4, 4), 2, 2, 2),
        (distinct_a(3, 5), distinct_b(5, 4), 2, 3, 2),
        (((1, 2), (-3, 4)), ((5, -6), (7, 8)), 4, 4, 4),
        (formula_a(5, 5), formula_b(5, 7), 2, 3, 2),
    )
    return tuple(
        Case((a, b, bm, bn, bk), trace.tiled_matmul(a, b, Tiling(len(a), len(b[0]), len(b), bm, bn, bk)))
        for a, b, bm, bn, bk in inputs
    )


EXERCISES = {
    "matmul": Exercise(
        name="matmul",
        title="Three loops",
        parameters=("a", "b"),
        task=texts.MATMUL_TASK,
        starter=texts.MATMUL_STARTER,
        hints=texts.MATMUL_HINTS,
        solution=texts.MATMUL_SOLUTION,
        result="C",
        pairs=False,
        cases=matmul_cases,
        wrongs=wrong_matmuls,
    ),
    "tile_ranges": Exercise(
        name="tile_ranges",
        title="Cut a size into ranges",
        parameters=("size", "width"),
        task=texts.RANGES_TASK,
        starter=texts.RANGES_STARTER,
        hints=texts.RANGES_HINTS,
        solution=texts.RANGES_SOLUTION,
        result="ranges",
        pairs=True,
        cases=range_cases,
        wrongs=wrong_ranges,
    ),
    "tiled_matmul": Exercise(
        name="tiled_matmul",
        title="The product in tiles",
        parameters=("a", "b", "BM", "BN", "BK"),
        task=texts.TILED_TASK,
        starter=texts.TILED_STARTER,
        hints=texts.TILED_HINTS,
        solution=texts.TILED_SOLUTION,
        result="C",
        pairs=False,
        cases=tiled_cases,
        wrongs=wrong_tiled,
    ),
}
