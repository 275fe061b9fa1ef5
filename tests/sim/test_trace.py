"""One tile, phase by phase."""

import numpy
import pytest

from sim.inputs import distinct_a, distinct_b, formula_a, formula_b
from sim.matmul import matmul
from sim.tiling import Tiling, square
from sim.trace import partial_tiles, phases, tiled_matmul

TOY = ((1, 2, 3), (4, 5, 6)), ((7, 8), (9, 10), (11, 12))


def test_two_phases_of_the_first_tile():
    sums = partial_tiles(formula_a(4, 4), formula_b(4, 4), square(4, 2), 0, 0)
    assert sums == (((2, -1), (1, 0)), ((1, -1), (0, -1)))


def test_the_toy_product_collects_25_then_58():
    sums = partial_tiles(*TOY, Tiling(2, 2, 3, 2, 2, 2), 0, 0)
    assert sums == (((25, 28), (73, 82)), ((58, 64), (139, 154)))


def test_last_phase_of_a_ragged_tile():
    a, b = formula_a(5, 5), formula_b(5, 7)
    assert partial_tiles(a, b, Tiling(5, 7, 5, 2, 3, 2), 0, 0)[-1] == ((1, 1, -2), (0, -3, 3))


def test_a_phase_holds_the_tiles_it_loads():
    step = phases(*TOY, Tiling(2, 2, 3, 1, 2, 2), 1, 0)[1]
    assert (step.a_tile, step.b_tile) == (((6,),), ((11, 12),))
    assert (step.loads_a, step.loads_b, step.loads) == (1, 2, 3)
    assert (step.rows, step.columns, step.inner) == ((1, 2), (0, 2), (2, 3))


@pytest.mark.parametrize(
    "sizes", [(5, 7, 5, 2, 3, 2), (4, 7, 4, 2, 3, 2), (5, 6, 4, 2, 3, 2), (4, 6, 5, 2, 3, 2), (7, 5, 9, 3, 4, 5)]
)
def test_tiles_put_together_are_the_product(sizes):
    tiling = Tiling(*sizes)
    a, b = distinct_a(tiling.M, tiling.K), distinct_b(tiling.K, tiling.N)
    c = tiled_matmul(a, b, tiling)
    assert c == matmul(a, b)
    assert numpy.array_equal(numpy.array(c), numpy.array(a) @ numpy.array(b))


def test_nothing_to_reduce_gives_zeros():
    a: tuple[tuple[int, ...], ...] = ((), (), ())
    assert tiled_matmul(a, (), Tiling(3, 0, 0, 2, 2, 2)) == ((), (), ())


def test_wrong_shapes_are_refused_in_words():
    with pytest.raises(ValueError, match=r"A has shape \[2, 3\]; this tiling needs \[4, 3\]"):
        phases(*TOY, Tiling(4, 2, 3, 2, 2, 2), 0, 0)
