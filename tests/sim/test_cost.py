"""Load counts: literal values, and the closed form against the long way."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim import cost
from sim.tiling import Tiling, square

sides, widths = st.integers(1, 12), st.integers(1, 14)


@pytest.mark.parametrize(
    ("n", "tile", "loads"),
    [(4, 1, 128), (4, 2, 64), (4, 4, 32), (8, 1, 1024), (8, 2, 512), (8, 4, 256), (8, 8, 128), (5, 2, 150)],
)
def test_known_counts(n, tile, loads):
    assert cost.square_loads(n, tile) == loads


def test_ragged_count_in_three_dimensions():
    assert cost.tiled_loads(Tiling(5, 7, 5, 2, 4, 2)) == 155
    assert cost.tiled_loads(Tiling(5, 7, 5, 2, 3, 2)) == 75 + 105


def test_padding_has_room_for_more_than_is_loaded():
    assert cost.padded_slots(square(5, 2)) == 216


@pytest.mark.parametrize(("tile", "loads"), [(1, 137_438_953_472), (16, 8_589_934_592)])
def test_large_sizes_are_counted_at_once(tile, loads):
    assert cost.square_loads(4096, tile) == loads


def test_counts_above_two_to_the_53_keep_every_digit():
    assert cost.square_loads(1_048_575, 2) == 2 * 1_048_575**2 * 524_288
    assert cost.separate_loads(10**6, 10**6, 10**6 + 1) == 2_000_002_000_000_000_000


@given(sides, sides, sides, widths, widths, widths)
def test_closed_form_equals_adding_up_every_phase(m, n, k, bm, bn, bk):
    tiling = Tiling(m, n, k, bm, bn, bk)
    assert cost.tiled_loads(tiling) == cost.counted_loads(tiling)


@given(sides, sides, sides, widths, widths, widths)
def test_programs_load_what_their_phases_load(m, n, k, bm, bn, bk):
    tiling = Tiling(m, n, k, bm, bn, bk)
    loads = [cost.phase_loads(tiling, 0, 0, phase) for phase in range(tiling.k_phases)]
    assert cost.program_loads(tiling, 0, 0) == (sum(a for a, _ in loads), sum(b for _, b in loads))


def test_width_one_is_separate_outputs():
    assert cost.tiled_loads(square(7, 1)) == cost.separate_loads(7, 7, 7) == 686


def test_one_phase_of_the_middle_and_of_the_edge():
    tiling = Tiling(5, 7, 5, 2, 3, 2)
    assert cost.phase_loads(tiling, 0, 0, 0) == (4, 6)
    assert cost.phase_loads(tiling, 2, 2, 2) == (1, 1)


@pytest.mark.parametrize(("m", "n", "k", "loads"), [(0, 255, 65, 0), (127, 0, 65, 0), (127, 255, 0, 0)])
def test_an_empty_product_loads_nothing(m, n, k, loads):
    assert cost.tiled_loads(Tiling(m, n, k, 16, 16, 16)) == loads


def test_elements_are_loaded_once_for_each_tile_across():
    tiling = Tiling(5, 7, 5, 2, 3, 2)
    assert (cost.a_loads_of_element(tiling), cost.b_loads_of_element(tiling)) == (3, 3)
    assert cost.a_loads_of_element(Tiling(5, 8, 5, 2, 4, 2)) == 2


def test_shared_bytes_of_two_float32_tiles():
    assert cost.shared_bytes(square(4, 2)) == 32
    assert cost.shared_bytes(Tiling(64, 64, 64, 32, 64, 32), item_bytes=2) == 6144


@pytest.mark.parametrize(("m", "n", "k", "flops"), [(25, 9, 16, 7200), (127, 255, 65, 4_210_050)])
def test_flops_use_the_right_dimensions(m, n, k, flops):
    assert cost.flops(Tiling(m, n, k, 16, 16, 16)) == flops


def test_formula_where_the_width_does_not_divide():
    assert cost.undivided_formula(5, 2) == (125, 0)
    assert cost.undivided_formula(5, 4) == (62, 2)
