"""Ranges, tiles, phases and masks."""

import pytest

from sim.tiling import Tiling, square, tile_ranges


def test_last_range_is_shorter_when_the_size_is_ragged():
    assert tile_ranges(7, 3) == ((0, 3), (3, 6), (6, 7))


@pytest.mark.parametrize(
    ("size", "width", "expected"),
    [(0, 3, ()), (1, 4, ((0, 1),)), (4, 4, ((0, 4),)), (4, 1, ((0, 1), (1, 2), (2, 3), (3, 4)))],
)
def test_ranges_at_the_edges(size, width, expected):
    assert tile_ranges(size, width) == expected


@pytest.mark.parametrize(("size", "width", "word"), [(-1, 2, "size: given -1"), (3, 0, "width: given 0")])
def test_a_range_that_cannot_be_is_refused_in_words(size, width, word):
    with pytest.raises(ValueError, match=word):
        tile_ranges(size, width)


def test_three_ragged_dimensions_make_nine_programs_of_three_phases():
    tiling = Tiling(5, 7, 5, 2, 3, 2)
    assert (tiling.tiles_m, tiling.tiles_n, tiling.k_phases, tiling.programs) == (3, 3, 3, 9)
    assert tiling.ragged == ("M", "N", "K")


@pytest.mark.parametrize(
    ("m", "n", "k", "ragged"), [(4, 7, 4, ("N",)), (5, 6, 4, ("M",)), (4, 6, 5, ("K",)), (4, 6, 4, ())]
)
def test_only_a_ragged_dimension_needs_a_mask(m, n, k, ragged):
    assert Tiling(m, n, k, 2, 3, 2).ragged == ragged


def test_edges_are_clipped():
    tiling = Tiling(5, 7, 5, 2, 3, 2)
    assert (tiling.tile_rows(2), tiling.tile_cols(2), tiling.phase_range(2)) == ((4, 5), (6, 7), (4, 5))


def test_a_tile_that_is_not_there_is_refused_in_words():
    with pytest.raises(ValueError, match="tile row: given 3; allowed: 0 to 2"):
        Tiling(5, 7, 5, 2, 3, 2).tile_rows(3)


def test_empty_dimensions_have_no_tiles():
    tiling = Tiling(0, 255, 65, 16, 16, 16)
    assert (tiling.tiles_m, tiling.programs) == (0, 0)
    assert Tiling(127, 255, 0, 16, 16, 16).k_phases == 0


@pytest.mark.parametrize("sizes", [(-1, 1, 1, 1, 1, 1), (1, 1, 1, 1, 0, 1)])
def test_impossible_tilings_are_refused(sizes):
    with pytest.raises(ValueError, match="allowed"):
        Tiling(*sizes)


def test_square_uses_one_width_everywhere():
    assert square(5, 2) == Tiling(5, 5, 5, 2, 2, 2)
