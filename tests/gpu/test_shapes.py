"""Operations, bytes and floors by hand (cases E07, E09)."""

import pytest

from gpu.bench.shapes import KNOWN, Shape, floor_ms, ratio_text, tflops, tile_intensity


@pytest.mark.parametrize(
    ("shape", "flops"),
    [(Shape(25, 9, 16), 7_200), (Shape(127, 255, 65), 4_210_050), (Shape(4096, 4096, 4096), 137_438_953_472)],
)
def test_operations_are_two_for_each_product_in_the_order_m_n_k(shape: Shape, flops: int) -> None:
    assert shape.flops == flops


def test_a_shape_names_its_sizes() -> None:
    assert str(Shape(127, 255, 65)) == "M=127 N=255 K=65"


def test_rate_of_4096_cubed_in_half_a_millisecond() -> None:
    assert tflops(Shape(4096, 4096, 4096), 0.5) == pytest.approx(274.88, abs=0.005)


@pytest.mark.parametrize(
    ("ratio", "text"), [(1.0161, "1.02"), (0.0999, "0.10"), (0.0019006, "0.0019"), (12.0, "12.00")]
)
def test_a_small_ratio_is_not_printed_as_nothing(ratio: float, text: str) -> None:
    assert ratio_text(ratio) == text


def test_one_row_is_about_one_operation_a_byte() -> None:
    shape = Shape(1, 4096, 4096)

    assert (shape.flops, shape.bytes(2)) == (33_554_432, 33_570_816)


def test_one_row_cannot_be_faster_than_memory_gives_b() -> None:
    limits = KNOWN["NVIDIA H200"]
    floor = floor_ms(Shape(1, 4096, 4096), 2, limits.tflops["float16"], limits.memory_tb_s)

    assert floor == pytest.approx(0.0070, abs=0.00005)


def test_tile_intensity_counts_the_phases_input_bytes() -> None:
    assert tile_intensity(32, 64, 32, 2) == pytest.approx(21.33, abs=0.005)
