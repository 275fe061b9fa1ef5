"""What the bench says about numbers that cannot be, or that need a reason (cases E01, E06, E09)."""

from typing import Any

import pytest

from gpu.bench import timing
from gpu.bench.judge import judge
from gpu.bench.rows import base_row
from gpu.bench.shapes import KNOWN, Shape

LIMITS = KNOWN["NVIDIA H200"]


def judged(
    shape: Shape, torch_ms: float, ours_ms: float, *, empty_ms: float = 0.004, dtype: str = "float16"
) -> dict[str, Any]:
    """Our row, beside torch's, with those medians."""
    rows = []
    for kernel, ms in (("torch", torch_ms), ("best", ours_ms)):
        timed = {"replay": timing.summary([ms]), "call": timing.summary([ms + 0.02]), "empty_replay_ms": empty_ms}
        rows.append({**base_row(kernel, shape, dtype, "ieee"), **timed})
    judge(rows, shape, 4 if dtype == "float32" else 2, LIMITS, flushed=True)
    return rows[1]


def test_a_rate_above_the_peak_is_a_measuring_fault() -> None:
    row = judged(Shape(4096, 4096, 4096), 0.2, 0.0231)

    assert row["warnings"][0] == "5950 TFLOP/s is above the chip's peak of 989.4: a measuring fault"


def test_reading_b_faster_than_memory_can_is_a_measuring_fault() -> None:
    row = judged(Shape(1, 4096, 4096), 0.02, 0.006, empty_ms=0.001)

    assert row["warnings"][0] == "faster than the floor of 7.0 us that memory and arithmetic set: a measuring fault"


def test_a_five_fold_speed_up_is_suspect() -> None:
    row = judged(Shape(2048, 2048, 2048), 2.5, 0.5, dtype="float32")

    assert row["warnings"] == ["suspect: 5.00 times as fast as torch; check that both compute the same thing"]


def test_a_slower_row_says_why() -> None:
    row = judged(Shape(1, 4096, 4096), 0.019, 0.02)

    assert row["warnings"] == [
        "slower than torch (0.950); roof: memory, which allows 6.99 us "
        "(33554432 operations on 33570816 bytes, 1.0 a byte; the chip can do 206); "
        "the rung's docstring says what it lacks"
    ]


def test_a_row_far_from_its_roof_is_not_said_to_be_held_back_by_it() -> None:
    row = judged(Shape(127, 255, 65), 0.0075, 0.0155)

    assert row["warnings"][0].startswith("slower than torch (0.484); roof: memory, which allows 0.02 us (4210050 ")
    assert "bound by" not in row["warnings"][0]


@pytest.mark.parametrize(("ours_ms", "bound"), [(0.0079, True), (0.0081, False)])
def test_a_launch_bound_row_has_no_rate(ours_ms: float, bound: bool) -> None:
    row = judged(Shape(512, 512, 512), 0.008, ours_ms, empty_ms=0.004)

    assert row["launch_bound"] is bound
    assert (row["tflops"] is None) is bound


def test_ratio_is_torch_time_over_ours() -> None:
    assert judged(Shape(4096, 4096, 4096), 0.3, 0.2)["ratio"] == pytest.approx(1.5)
