"""A small LRU cache of tiles: misses by hand and by the published sweep."""

from fractions import Fraction

import pytest

from sim.cache import CacheRun, accesses, different_tiles, run_cache
from sim.tiling import Tiling

CUBE = Tiling(32, 32, 32, 1, 1, 1)  # 32 × 32 tiles of C, 32 K phases


@pytest.mark.parametrize(
    ("group_m", "misses", "rate"),
    [(1, 17_408, ".266"), (2, 17_408, ".266"), (4, 10_240, ".156"),
     (8, 5120, ".078"), (16, 10_240, ".156"), (32, 17_408, ".266")],
)  # fmt: skip
def test_a_cache_too_small_for_the_inputs_gains_most_from_groups_of_eight(group_m, misses, rate):
    run = run_cache(CUBE, group_m, in_flight=64, capacity=512)
    assert (run.hits, run.misses, run.accesses) == (65_536 - misses, misses, 65_536)
    assert f"{float(run.miss_rate):.3f}".removeprefix("0") == rate


@pytest.mark.parametrize("group_m", [1, 2, 4, 8, 16, 32])
def test_when_all_inputs_fit_the_order_does_not_matter(group_m):
    assert run_cache(CUBE, group_m, in_flight=64, capacity=2048).miss_rate == Fraction(1, 32)


def test_two_by_two_by_hand_with_one_program_at_a_time():
    tiling = Tiling(2, 2, 2, 1, 1, 1)
    # capacity 2: A(i,0) B(0,j) A(i,1) B(1,j) never come back in time
    assert run_cache(tiling, 1, 1, 2) == CacheRun(0, 16)
    # capacity 4: program 1 finds A(0,0), A(0,1) of program 0; program 2 finds B(·,0) gone; program 3 finds A(1,·)
    assert run_cache(tiling, 1, 1, 4) == CacheRun(4, 12)
    # capacity 8: everything is loaded once
    assert run_cache(tiling, 1, 1, 8) == CacheRun(8, 8)


def test_a_tile_that_was_just_used_is_kept():
    # one row of three programs, one phase: A stays, since every program uses it again; B tiles pass through
    assert run_cache(Tiling(1, 3, 1, 1, 1, 1), 1, 1, 2) == CacheRun(2, 4)


def test_programs_in_flight_share_a_phase_before_the_next_begins():
    # two programs of one row, two phases, room for three tiles: in step they share each A tile; alone they do not
    assert run_cache(Tiling(1, 2, 2, 1, 1, 1), 1, 2, 3) == CacheRun(2, 6)
    assert run_cache(Tiling(1, 2, 2, 1, 1, 1), 1, 1, 3) == CacheRun(0, 8)


def test_accesses_and_different_tiles_of_a_rectangle():
    tiling = Tiling(5, 7, 5, 2, 3, 2)  # 3 × 3 tiles, 3 phases
    assert (accesses(tiling), different_tiles(tiling)) == (54, 18)
    assert accesses(Tiling(4, 10, 6, 2, 2, 2)) == 60  # 2 × 5 tiles, 3 phases
    assert different_tiles(Tiling(4, 10, 6, 2, 2, 2)) == 21


def test_no_inner_dimension_asks_for_nothing():
    assert run_cache(Tiling(4, 4, 0, 2, 2, 2), 1, 1, 1).miss_rate == 0


@pytest.mark.parametrize(
    ("in_flight", "capacity", "sentence"),
    [(0, 1, "programs in flight: given 0; allowed: 1 or more"), (1, 0, "capacity: given 0; allowed: 1 or more")],
)
def test_a_number_below_one_is_refused_in_words(in_flight, capacity, sentence):
    with pytest.raises(ValueError, match=sentence):
        run_cache(CUBE, 1, in_flight, capacity)
