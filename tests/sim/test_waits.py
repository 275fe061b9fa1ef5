"""The unluckiest order, with and without the two waits."""

import pytest

from sim.inputs import distinct_a, distinct_b, formula_a, formula_b
from sim.tiling import Tiling, square
from sim.trace import partial_tiles
from sim.waits import BOTH, NO_WAIT_AFTER_LOADING, NO_WAIT_AFTER_USING, worst_order

INPUTS = formula_a(4, 4), formula_b(4, 4)


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        (BOTH, ((1, -1), (0, -1))),
        (NO_WAIT_AFTER_USING, ((-2, 0), (-2, -2))),
        (NO_WAIT_AFTER_LOADING, ((2, -1), (1, 0))),
    ],
)
def test_final_sums_of_each_order(order, expected):
    assert worst_order(*INPUTS, square(4, 2), 0, 0, order)[-1].partial == expected


def test_which_tiles_each_phase_really_multiplied():
    turns = worst_order(formula_a(8, 8), formula_b(8, 8), square(8, 2), 0, 0, NO_WAIT_AFTER_LOADING)
    assert [turn.used for turn in turns] == [None, 0, 1, 2]
    turns = worst_order(formula_a(8, 8), formula_b(8, 8), square(8, 2), 0, 0, NO_WAIT_AFTER_USING)
    assert [turn.used for turn in turns] == [1, 2, 3, 3]


def test_with_both_waits_it_is_the_tiled_product_on_ragged_asymmetric_inputs():
    tiling, a, b = Tiling(5, 7, 5, 2, 3, 2), distinct_a(5, 5), distinct_b(5, 7)
    turns = worst_order(a, b, tiling, 2, 1, BOTH)
    assert tuple(turn.partial for turn in turns) == partial_tiles(a, b, tiling, 2, 1)


def test_an_unknown_order_is_refused_in_words():
    with pytest.raises(ValueError, match="order: given lucky; allowed: both, no-wait-after-loading"):
        worst_order(*INPUTS, square(4, 2), 0, 0, "lucky")
