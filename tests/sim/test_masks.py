"""Live and masked lanes, wasted slots, and owners of entries."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim import masks
from sim.cost import tiled_loads
from sim.order import programs
from sim.tiling import Tiling

EXIT = Tiling(5, 7, 5, 2, 3, 2)
sides, widths = st.integers(1, 7), st.integers(1, 5)


def test_the_middle_program_has_no_masked_lane():
    lanes = masks.program_lanes(EXIT, 0, 0, 0)
    assert (lanes.a.live_count, lanes.b.live_count, lanes.c.live_count) == (4, 6, 6)
    assert (lanes.a.masked_count, lanes.b.masked_count, lanes.c.masked_count) == (0, 0, 0)


def test_the_last_program_keeps_its_full_shape_and_masks_three_sides():
    lanes = masks.program_lanes(EXIT, 2, 2, 2)
    assert lanes.a.live == ((True, False), (False, False))
    assert lanes.b.live == ((True, False, False), (False, False, False))
    assert lanes.c.live == ((True, False, False), (False, False, False))
    assert (lanes.a.first_row, lanes.a.first_column, lanes.b.first_row, lanes.b.first_column) == (4, 4, 4, 6)


def test_there_is_no_such_program():
    with pytest.raises(ValueError, match="tile row: given 3; allowed: 0 to 2"):
        masks.program_lanes(EXIT, 3, 0, 0)


def test_all_three_dimensions_of_the_exit_check_need_masks():
    needs = masks.mask_needs(EXIT)
    assert [(need.dimension, need.needed, need.outside) for need in needs] == [
        ("M", True, 1),
        ("N", True, 2),
        ("K", True, 1),
    ]
    assert needs[1].sentence == (
        "BN = 3 does not divide N = 7: the last tile covers N indices 6 to 8, of which 2 are outside; "
        "mask columns of the B tile and the C tile."
    )


@pytest.mark.parametrize(
    ("m", "n", "k", "needed"), [(4, 7, 4, ["N"]), (5, 6, 4, ["M"]), (4, 6, 5, ["K"]), (4, 6, 4, [])]
)
def test_one_ragged_dimension_needs_one_mask(m, n, k, needed):
    needs = masks.mask_needs(Tiling(m, n, k, 2, 3, 2))
    assert [need.dimension for need in needs if need.needed] == needed


def test_wasted_slots():
    # 9 programs × 3 phases × (4 + 6) slots = 270, of which 180 are loaded; 9 × 6 = 54 outputs for 35 entries.
    assert masks.wasted_loads(EXIT) == 90
    assert masks.wasted_outputs(EXIT) == 19


@given(sides, sides, sides, widths, widths, widths)
def test_live_lanes_add_up_to_the_loads(m, n, k, bm, bn, bk):
    tiling = Tiling(m, n, k, bm, bn, bk)
    total = 0
    for i, j in programs(tiling):
        for phase in range(tiling.k_phases):
            lanes = masks.program_lanes(tiling, i, j, phase)
            total += lanes.a.live_count + lanes.b.live_count
    assert total == tiled_loads(tiling)


def test_rounding_the_grid_down_reaches_24_of_35_entries():
    four = masks.whole_tiles(EXIT)
    assert len(four) == 4
    assert masks.unowned(EXIT, four) == 35 - 24
    assert masks.owners(EXIT, four)[4] == (0,) * 7
    assert masks.owners(EXIT, four)[0] == (1, 1, 1, 1, 1, 1, 0)


def test_the_first_three_programs_of_nine_write_14_of_35_entries():
    assert masks.unowned(EXIT, programs(EXIT)[:3]) == 35 - 14


def test_a_grid_of_961_leaves_15936_entries():
    tiling = Tiling(1000, 1000, 1000, 32, 32, 32)
    assert tiling.programs == 1024
    assert len(masks.whole_tiles(tiling)) == 961
    assert masks.unowned(tiling, masks.whole_tiles(tiling)) == 15_936


def test_an_entry_with_two_owners_is_counted():
    assert masks.owners(Tiling(2, 2, 2, 1, 2, 2), ((0, 0), (0, 0))) == ((2, 2), (0, 0))
