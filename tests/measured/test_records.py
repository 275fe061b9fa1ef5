"""What follows from a row, by hand."""

from dataclasses import replace
from fractions import Fraction

import pytest

from sim.measured import words
from sim.measured.ladder import LADDER
from sim.measured.records import Row, Spread


def timed(median, **more):
    time = Spread(median, median, median, 30)
    row = Row("tiled", (512, 256, 1024), "float16", "ieee", tile=(64, 32, 16), replay=time, call=time, empty=4_000_000)
    return replace(row, **more)


def test_operations_bytes_and_intensity_of_a_rectangle():
    row = timed(10_000_000)
    assert row.flops == 2 * 512 * 256 * 1024 == 268_435_456
    assert row.least_bytes == 2 * (512 * 1024 + 1024 * 256 + 512 * 256) == 1_835_008
    assert row.intensity == Fraction(268_435_456, 1_835_008)
    assert timed(10_000_000, dtype="float32").least_bytes == 3_670_016


def test_operations_for_each_picosecond_are_teraflops():
    """4096 cubed in 0.5 ms is 274.88 TFLOP/s."""
    row = timed(500_000_000, shape=(4096, 4096, 4096))
    assert row.tflops is not None
    assert words.places(row.tflops, 2) == "274.88"


def test_a_row_of_which_a_launch_takes_more_than_half_has_no_rate():
    assert timed(8_000_001, empty=4_000_000).tflops is not None
    assert timed(7_999_999, empty=4_000_000).tflops is None
    assert timed(8_000_000, empty=4_000_001).launch_bound


def test_loads_are_the_models_and_only_for_kernels_that_load_tile_by_tile():
    assert timed(1, tile=(64, 32, 16)).loads == 512 * 1024 * 8 + 1024 * 256 * 8  # N has 8 tiles, and M has 8
    assert timed(1, kernel="separate", tile=None).loads == 2 * 512 * 256 * 1024
    assert timed(1, kernel="best", rung="split_k").loads == timed(1, kernel="split_k").loads
    assert timed(1, kernel="packed").loads is None
    assert timed(1, kernel="best", rung="row", tile=None).loads is None


def test_float32_is_named_with_its_precision():
    assert timed(1, dtype="float32", precision="tf32").format == "float32 tf32"
    assert timed(1, dtype="bfloat16").format == "bfloat16"


def test_the_ladder_is_the_benchs():
    from gpu.bench.cli import RUNG_NAMES

    assert tuple(LADDER) == (*RUNG_NAMES, "best")


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (words.us(186_687_998), "186.7\u00a0µs"),
        (words.us(1_646_400_000), "1,646.4\u00a0µs"),
        (words.ratio(Fraction(9951, 10000)), "1.00"),
        (words.ratio(Fraction(19, 10000)), "0.002"),
        (words.figures(Fraction(7397, 10)), "740"),
        (words.figures(Fraction(503, 10)), "50.3"),
        (words.figures(Fraction(85, 100)), "0.85"),
        (words.peak(Fraction(1979, 2)), "989.5"),
        (words.scientific(Fraction(2077, 10**7)), "2.1e-4"),
        (words.scientific(Fraction(9996, 10**7)), "1.0e-3"),
        (words.scientific(Fraction(994, 10**6)), "9.9e-4"),
        (words.scientific(Fraction(0)), "0"),
        (words.scientific(Fraction(25)), "2.5e1"),
        (words.fold(Fraction(64)), "64-fold"),
        (words.fold(Fraction(113, 100)), "1.1-fold"),
        (words.megabytes(33_570_816), "33.6\u00a0MB"),
        (words.shape((4096, 4096, 4096)), "4096³"),
        (words.shape((16, 4096, 4096)), "16 × 4096 × 4096"),
    ],
)
def test_numbers_in_words(made, text):
    assert made == text
