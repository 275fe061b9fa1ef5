"""Planted faults in the teaching kernel: what goes wrong, what is reported, and which inputs kill the lucky ones."""

import pytest

from sim.inputs import distinct_a, distinct_b
from sim.tiling import Tiling
from sim.tl.api import Run
from sim.tl.faults import FAULTS, fault
from sim.tl.matmul import run_matmul, wrong_outputs
from tests.tl.kernels import TEACHING, kinds

SOURCE = TEACHING.read_text(encoding="utf-8")
RAGGED = Tiling(5, 7, 5, 2, 3, 2)
EVEN = Tiling(4, 6, 4, 2, 3, 2)


def broken(name: str, tiling: Tiling = RAGGED, group_m: int = 1, undefined: float = 0.0) -> tuple[Run, int]:
    """The run of a broken kernel on all-different inputs, and how many outputs are wrong."""
    a, b = distinct_a(tiling.M, tiling.K), distinct_b(tiling.K, tiling.N)
    chosen = fault(name)
    done = run_matmul(
        chosen.apply(SOURCE),
        a,
        b,
        tiling,
        group_m=group_m,
        grid=chosen.grid(tiling),
        mode="lesson",
        undefined=undefined,
    )
    assert done.failure is None
    return done, len(wrong_outputs(done, a, b))


def line_of(name: str, text: str) -> int:
    lines = fault(name).apply(SOURCE).splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


def test_missing_k_mask_is_right_by_luck_and_reported_out_of_bounds() -> None:
    done, wrong = broken("no-k-mask")
    assert wrong == 0
    assert {"out of bounds", "relies on undefined lanes"} <= kinds(done)
    first = next(report for report in done.reports if report.kind == "out of bounds")
    assert first.line == line_of("no-k-mask", "b = tl.load")
    assert first.array == "B" and first.element == (35,)


def test_missing_k_mask_is_killed_by_memory_that_is_not_zero() -> None:
    assert broken("no-k-mask", undefined=1000.0)[1] == 35


def test_missing_other_is_right_by_luck_and_reported() -> None:
    done, wrong = broken("no-other")
    assert wrong == 0
    assert kinds(done) == {"relies on undefined lanes"}
    assert {report.line for report in done.reports} == {line_of("no-other", "tl.store")}


def test_missing_other_is_killed_by_memory_that_is_not_zero() -> None:
    assert broken("no-other", undefined=1000.0)[1] == 35


def test_missing_store_mask_is_a_race_and_out_of_bounds() -> None:
    done, wrong = broken("no-store-mask")
    assert wrong > 0
    assert kinds(done) == {"race", "out of bounds"}


def test_zeroing_in_the_loop_changes_values_and_breaks_no_rule() -> None:
    done, wrong = broken("zeroed-in-loop")
    assert wrong == 35
    assert done.reports == ()


def test_zeroing_in_the_loop_is_right_by_luck_with_one_phase() -> None:
    assert broken("zeroed-in-loop", Tiling(5, 7, 2, 2, 3, 2))[1] == 0


def test_wrong_row_stride_is_right_by_luck_where_n_equals_k() -> None:
    assert broken("wrong-row-stride")[1] == 35
    assert broken("wrong-row-stride", Tiling(5, 5, 5, 2, 3, 2))[1] == 0


def test_overlapping_tiles_race_with_equal_values_and_leave_outputs_unwritten() -> None:
    done, wrong = broken("overlapping-tiles")
    assert wrong == 7
    assert kinds(done) == {"benign race", "never written"}


def test_floor_grid_leaves_outputs_unwritten_and_is_right_where_tiles_divide() -> None:
    done, wrong = broken("floor-grid")
    assert wrong == 15
    assert kinds(done) == {"never written"}
    assert done.reports[0].text.startswith("15 elements of C")
    assert broken("floor-grid", EVEN)[1] == 0


def test_group_formula_not_made_local_is_killed_by_a_second_group() -> None:
    assert broken("group-not-local", group_m=8)[1] == 0
    done, wrong = broken("group-not-local", group_m=2)
    assert wrong == 7
    assert "never written" in kinds(done)


@pytest.mark.parametrize("planted", FAULTS, ids=lambda planted: planted.name)
def test_some_input_kills_every_fault(planted: object) -> None:
    name = planted.name  # type: ignore[attr-defined]
    assert broken(name, group_m=2, undefined=1000.0)[1] > 0


def test_a_fault_that_does_not_fit_the_source_is_refused() -> None:
    with pytest.raises(ValueError, match="stands 0 times"):
        fault("no-other").apply("import triton\n")
