"""Program order: row-major, and in groups of tile rows."""

import pytest

from sim.order import Place, older_programs, place, program_tile, programs, shared_tile_loads, touched
from sim.order_mistakes import column_mistakes, row_mistakes, window_mistakes
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


RAGGED = Tiling(10, 14, 4, 2, 2, 2)  # 5 × 7 tiles: with GROUP_M = 3 the last group has 2 rows


def test_every_line_of_the_mapping_in_a_ragged_last_group():
    assert place(24, RAGGED, 3) == Place(in_group=21, group=1, first_row=3, group_rows=2, local=3, row=4, column=1)


def test_the_older_formula_is_another_order_in_the_ragged_group():
    assert programs(RAGGED, 3)[21:25] == ((3, 0), (4, 0), (3, 1), (4, 1))
    assert older_programs(RAGGED, 3)[21:25] == ((4, 0), (3, 0), (4, 1), (3, 1))
    assert older_programs(RAGGED, 3)[:21] == programs(RAGGED, 3)[:21]


@pytest.mark.parametrize("group_m", [1, 2, 3, 4, 5, 8])
def test_the_older_formula_is_one_to_one_as_well(group_m):
    assert sorted(older_programs(RAGGED, group_m)) == [(i, j) for i in range(5) for j in range(7)]


@pytest.mark.parametrize(("group_m", "loads"), [(1, 90), (3, 54), (9, 90)])
def test_tile_loads_of_the_first_nine_outputs(group_m, loads):
    tiling = Tiling(9, 9, 9, 1, 1, 1)
    assert shared_tile_loads(programs(tiling, group_m)[:9], tiling) == loads


def test_rows_of_a_and_columns_of_b_that_are_touched():
    assert touched([(4, 0), (3, 0), (4, 2)]) == ((3, 4), (0, 2))
    assert shared_tile_loads([(4, 0), (3, 0), (4, 2)], RAGGED) == 8  # (2 + 2) tiles × 2 phases


def test_slips_in_the_mapping_give_their_tiles():
    rows = {mistake.name: mistake.value for mistake in row_mistakes(24, RAGGED, 3)}
    assert rows == {
        "row-major": 3,
        "group for row": 1,
        "first row only": 3,
        "row inside the group": 1,
        "last group not shortened": 3,
        "row and column exchanged": 1,
        "other formula": 3,
    }
    columns = {mistake.name: mistake.value for mistake in column_mistakes(26, RAGGED, 3)}
    assert columns == {
        "row-major": 5,
        "not local": 13,
        "last group not shortened": 1,
        "row and column exchanged": 4,
        "place for column": 5,
    }


def test_wrong_counts_of_tile_loads():
    tiling = Tiling(9, 9, 9, 1, 1, 1)
    found = {mistake.name: mistake.value for mistake in window_mistakes(programs(tiling, 3)[:9], tiling)}
    assert found == {
        "nothing shared": 162,
        "one phase": 6,
        "A only": 27,
        "B only": 27,
        "outputs": 9,
        "rows times columns": 81,
        "row-major": 90,
        "all tiles": 162,
    }
