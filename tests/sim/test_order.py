"""Program order: row-major, and in groups of tile rows."""

import pytest

from sim.order import program_tile, programs
from sim.tiling import Tiling


def test_row_major_order():
    assert programs(Tiling(4, 6, 4, 2, 2, 2)) == ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2))


def test_groups_walk_down_before_they_move_right():
    tiling = Tiling(10, 4, 4, 2, 2, 2)  # 5 rows and 2 columns of tiles, the last group has 2 rows
    assert programs(tiling, 3) == (
        (0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1), (3, 0), (4, 0), (3, 1), (4, 1),
    )  # fmt: skip


@pytest.mark.parametrize("group_m", [1, 2, 3, 5, 8, 64])
def test_every_tile_has_exactly_one_program(group_m):
    tiling = Tiling(10, 14, 4, 2, 2, 2)
    expected = [(i, j) for i in range(5) for j in range(7)]
    assert sorted(programs(tiling, group_m)) == expected


@pytest.mark.parametrize(
    ("pid", "group_m", "word"), [(35, 1, "program: given 35; allowed: 0 to 34"), (0, 0, "GROUP_M: given 0")]
)
def test_a_program_that_is_not_there_is_refused_in_words(pid, group_m, word):
    with pytest.raises(ValueError, match=word):
        program_tile(pid, Tiling(10, 14, 4, 2, 2, 2), group_m)
