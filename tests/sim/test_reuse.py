"""One tile's reuse and storage, with numbers worked out by hand."""

from fractions import Fraction

import pytest

from sim.gpus import CAPABILITIES, GPUS
from sim.reuse import ITEM_BYTES, Tile, residency, roofline

CHAPTER = Tile(32, 64, 32, 2)


def test_the_tile_of_the_chapter():
    assert CHAPTER.elements == 1024 + 2048
    assert CHAPTER.input_bytes == 6144
    assert CHAPTER.flops == 131_072
    assert CHAPTER.intensity == Fraction(64, 3)  # 21.33


@pytest.mark.parametrize("bk", [1, 16, 100])
def test_bk_changes_storage_but_not_intensity(bk):
    assert Tile(32, 64, bk).intensity == Fraction(64, 3)
    assert Tile(32, 64, bk).input_bytes == 192 * bk


def test_wider_elements_halve_the_intensity():
    assert Tile(32, 64, 32, ITEM_BYTES["float32"]).intensity == Fraction(32, 3)


def test_one_output_reuses_nothing():
    assert Tile(1, 1, 1, 4).intensity == Fraction(1, 4)


def test_stages_hold_that_many_pairs_of_tiles():
    assert CHAPTER.shared_bytes() == 6144
    assert CHAPTER.shared_bytes(3) == 18_432
    assert Tile(128, 256, 64).shared_bytes(4) == 196_608


@pytest.mark.parametrize(
    ("tile", "warps", "registers"), [(CHAPTER, 4, 16), (Tile(128, 256, 64), 8, 128), (Tile(5, 7, 1), 1, 2)]
)
def test_sums_are_shared_out_among_the_threads(tile, warps, registers):
    assert tile.accumulator_registers(warps) == registers


def test_large_tiles_leave_room_for_one_block():
    # 196,608 + 1,024 bytes go once into 233,472 of an H200, and not at all into 102,400 of an RTX 4090.
    large = Tile(128, 256, 64)
    assert residency(large, GPUS["H200 SXM"], 8, 4).blocks == 1
    assert residency(large, GPUS["H200 SXM"], 8, 4).limiting == ("shared memory",)
    assert residency(large, GPUS["RTX 4090"], 8, 4).blocks == 0


def test_compiled_registers_take_the_place_of_the_model():
    assert residency(CHAPTER, GPUS["A100 SXM 80 GB"], 4, 1).blocks == 16
    assert residency(CHAPTER, GPUS["A100 SXM 80 GB"], 4, 1, registers_per_thread=128).blocks == 4


def test_the_roof_left_of_the_ridge_is_the_memory():
    # 64/3 FLOPs a byte × 4.8 TB/s = 102.4 TFLOP/s; the ridge of 989.5 TFLOP/s is at 206.1.
    found = roofline(CHAPTER.intensity, GPUS["H200 SXM"])
    assert found.memory_tflops == Fraction(1024, 10)
    assert found.bound_tflops == found.memory_tflops
    assert found.ridge == Fraction(98_950, 480)
    assert found.bound_by == "memory"


def test_the_roof_right_of_the_ridge_is_the_peak():
    found = roofline(Fraction(512), GPUS["T4"])
    assert (found.bound_tflops, found.bound_by) == (Fraction(65), "compute")
    assert roofline(found.ridge, GPUS["T4"]).bound_by == "compute"


def test_gpus_have_their_capability_and_a_source():
    named = {name: gpu.capability.name for name, gpu in GPUS.items()}
    assert named == {
        "V100 SXM2": "7.0",
        "T4": "7.5",
        "A100 SXM 80 GB": "8.0",
        "A10": "8.6",
        "RTX 3090": "8.6",
        "L4": "8.9",
        "RTX 4090": "8.9",
        "H100 SXM": "9.0",
        "H200 SXM": "9.0",
        "B200": "10.0",
    }
    assert all("NVIDIA" in gpu.peak_source for gpu in GPUS.values())


@pytest.mark.parametrize(
    ("name", "shared", "block"),
    [("7.0", 98_304, 98_304), ("8.0", 167_936, 166_912), ("8.9", 102_400, 101_376), ("9.0", 233_472, 232_448)],
)
def test_shared_memory_of_a_multiprocessor_and_of_a_block(name, shared, block):
    assert (CAPABILITIES[name].shared_bytes, CAPABILITIES[name].block_shared_bytes) == (shared, block)


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: Tile(0, 1, 1), "BM: given 0; allowed: 1 or more"),
        (lambda: Tile(1, 1, 1, 0), "item_bytes: given 0"),
        (lambda: CHAPTER.shared_bytes(0), "num_stages: given 0; allowed: 1 or more"),
        (lambda: CHAPTER.accumulator_registers(0), "num_warps: given 0; allowed: 1 or more"),
    ],
)
def test_impossible_sizes_are_refused_in_words(ask, words):
    with pytest.raises(ValueError, match=words):
        ask()
