"""What each well-known mistake would answer."""

from sim.inputs import distinct_a, distinct_b, formula_a, formula_b
from sim.mistakes import load_mistakes, output_mistakes, tile_mistakes
from sim.tiling import square


def named(mistakes):
    return {mistake.name: mistake.value for mistake in mistakes}


def test_mistakes_about_one_output():
    found = named(output_mistakes(((1, 2), (3, 4)), ((5, 6), (7, 8)), 0, 1))  # C = [[19, 22], [43, 50]]
    assert found == {
        "last product left out": 6,
        "first product left out": 16,
        "only the last product kept": 16,
        "only the first product": 6,
        "added, not multiplied": 17,
        "row and column swapped": 43,
        "one pair only": 12,
        "row of B": 23,
    }


def test_a_mistake_that_gives_the_right_number_is_left_out():
    assert "row and column swapped" not in named(output_mistakes(formula_a(4, 4), formula_b(4, 4), 0, 0))


def test_signs_lost():
    assert named(output_mistakes(formula_a(4, 4), formula_b(4, 4), 0, 0))["signs lost"] == 3


def test_mistakes_about_all_loads():
    found = named(load_mistakes(square(8, 4)))  # 256 loads
    assert found["one tile instead of all"] == 64
    assert found["one phase of one tile"] == 32
    assert found["one phase of every tile"] == 128
    assert found["not divided"] == 1024
    assert found["T squared for T"] == 64
    assert found["A only"] == 128
    assert found["doubled"] == 512
    assert "ragged tile dropped" not in found


def test_mistakes_about_ragged_loads():
    found = named(load_mistakes(square(5, 2)))  # 150 loads
    assert found["formula on a ragged size"] == 125
    assert found["masked slots counted"] == 216
    assert found["ragged tile dropped"] == 64


def test_mistakes_about_a_tile():
    found = named(tile_mistakes(formula_a(4, 4), formula_b(4, 4), square(4, 2), 0, 0))  # 2, then 1
    assert found["only the last phase kept"] == -1
    assert found["last phase left out"] == 2
    assert found["last phase counted twice"] == 0


def test_tile_mistakes_on_a_ragged_last_tile():
    # C[2, 2] of 3 × 3 all-different matrices in tiles of 2 is 7·7 + 8·4 + 9·1 = 90, after 81 in phase 0.
    found = named(tile_mistakes(distinct_a(3, 3), distinct_b(3, 3), square(3, 2), 1, 1))
    assert found["only the last phase kept"] == 9
    assert found["only the first phase"] == 81
