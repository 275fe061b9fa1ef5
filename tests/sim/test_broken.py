"""Kernels whose masks are broken on purpose: what they leave in C."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim import broken
from sim.broken import run_broken
from sim.cost import tiled_loads
from sim.inputs import distinct_a, distinct_b, formula_a, formula_b
from sim.matmul import Rows
from sim.tiling import Tiling

EXIT = Tiling(5, 7, 5, 2, 3, 2)
sides, widths = st.integers(1, 7), st.integers(1, 5)


def formula(tiling: Tiling) -> tuple[Rows, Rows]:
    return formula_a(tiling.M, tiling.K), formula_b(tiling.K, tiling.N)


def run(tiling: Tiling, fault: str):
    return run_broken(*formula(tiling), tiling, fault)


def test_nothing_broken_gives_the_published_rows():
    left = run(EXIT, broken.NONE)
    assert left.right
    assert left.rows[0] == (1, 1, -2, 1, 1, -2, 1)
    assert left.rows[4] == (-3, 0, 3, -3, 0, 3, -3)
    assert left.loads == 180


def test_without_k_mask_a_reads_its_next_row_and_b_what_lies_behind():
    a, b = ((1, 2, 3), (4, 5, 6)), ((9, 8), (6, 5), (3, 2))
    # Row 0 of A reads 4 and row 1 the number behind A; B reads the number behind B: 30 + 4 × 10, 84 + 10 × 10.
    left = run_broken(a, b, Tiling(2, 2, 3, 2, 2, 2), broken.NO_K_MASK, behind=10)
    assert left.expected == ((30, 24), (84, 69))
    assert left.rows == ((70, 64), (184, 169))
    assert left.stray == ((0, 0), (0, 1), (1, 0), (1, 1))
    assert not left.right


def test_filling_with_one_adds_one_for_each_masked_k():
    left = run_broken(distinct_a(2, 3), distinct_b(3, 2), Tiling(2, 2, 3, 2, 2, 5), broken.FILL_ONE)
    assert left.expected == ((20, 14), (56, 41))
    assert left.rows == ((22, 16), (58, 43))


def test_wrapping_round_is_right_and_loads_180_for_155():
    tiling = Tiling(5, 7, 5, 2, 4, 2)
    left = run(tiling, broken.WRAP)
    assert left.right
    assert (left.loads, broken.wrapped_loads(tiling), tiled_loads(tiling)) == (180, 180, 155)
    assert "180 elements are loaded where masks load 155" in broken.luck(tiling, broken.WRAP)


def test_a_grid_rounded_down_leaves_entries_that_nobody_wrote():
    left = run(EXIT, broken.GRID_DOWN)
    assert len(left.unwritten) == 11
    assert left.rows[4] == (None,) * 7
    assert not left.wrong


@pytest.mark.parametrize(
    ("m", "n", "k", "wrong", "outside"), [(4, 7, 4, 3, 2), (5, 6, 4, 0, 6), (4, 6, 5, 18, 0), (4, 6, 4, 0, 0)]
)
def test_a_joined_guard_fails_wherever_one_dimension_is_ragged(m, n, k, wrong, outside):
    left = run(Tiling(m, n, k, 2, 3, 2), broken.JOINED_GUARD)
    assert (len(left.wrong), len(left.outside)) == (wrong, outside)
    assert left.right == ((m, n, k) == (4, 6, 4))


def test_without_store_mask_a_lane_past_the_row_lands_at_the_start_of_the_next():
    # Program (0, 1) stores zeros for columns 3 to 5 of rows 0 and 1: C[1, 0:2] and C[2, 0:2] in memory.
    left = run_broken(distinct_a(2, 1), distinct_b(1, 4), Tiling(2, 4, 1, 2, 3, 1), broken.NO_STORE_MASK)
    assert left.expected == ((4, 3, 2, 1), (8, 6, 4, 2))
    assert left.rows == ((4, 3, 2, 1), (0, 0, 4, 2))
    assert left.contested == ((1, 0), (1, 1))
    assert left.outside == (8, 9)


@given(sides, sides, sides, widths, widths, widths, st.sampled_from(broken.FAULTS))
def test_where_luck_is_promised_nothing_goes_wrong(m, n, k, bm, bn, bk, fault):
    tiling = Tiling(m, n, k, bm, bn, bk)
    left = run_broken(distinct_a(m, k), distinct_b(k, n), tiling, fault)
    assert left.right == bool(broken.luck(tiling, fault))


def test_what_does_not_exist_is_refused_in_words():
    with pytest.raises(ValueError, match="fault: given no-mask; allowed: none, no-k-mask, fill-one"):
        run(EXIT, "no-mask")
    with pytest.raises(ValueError, match="fault: given x"):
        broken.luck(EXIT, "x")
    with pytest.raises(
        ValueError, match=r"A has shape \[1, 1\] and B \[1, 1\]; this tiling needs \[5, 5\] and \[5, 7\]"
    ):
        run_broken(((1,),), ((1,),), EXIT, broken.NONE)


def test_every_fault_has_a_meaning():
    assert tuple(broken.MEANINGS) == broken.FAULTS
