"""The teaching kernel, as it stands in gpu/, gives the lesson's numbers and agrees with the model and with torch."""

import json

import pytest
import torch

from sim.inputs import distinct_a, distinct_b, formula_a, formula_b
from sim.matmul import matmul
from sim.order import program_tile
from sim.tiling import Tiling
from sim.tl.api import Run
from sim.tl.cli import main
from sim.tl.matmul import run_matmul, wrong_outputs
from sim.trace import partial_tiles
from tests.tl.kernels import TEACHING

SOURCE = TEACHING.read_text(encoding="utf-8")
LESSON = Tiling(5, 7, 5, 2, 3, 2)


def lesson(program: int | None = None, group_m: int = 1) -> Run:
    a, b = formula_a(5, 5), formula_b(5, 7)
    return run_matmul(SOURCE, a, b, LESSON, group_m=group_m, program=program, mode="lesson")


def accumulators(done: Run) -> list[list[float]]:
    """The lanes of `acc` after each K phase."""
    changes = [step.changed["acc"]["values"] for step in done.steps if step.loops and "acc" in step.changed]
    assert done.failure is None
    return changes


def test_lesson_loads_75_of_a_105_of_b_and_stores_35() -> None:
    done = lesson()
    assert done.counts.loads == {"A": 75, "B": 105}
    assert done.counts.stores == {"C": 35}
    assert len(done.by_program) == 9
    assert done.reports == ()


def test_last_phase_of_the_first_tile_leaves_the_lesson_numbers() -> None:
    assert accumulators(lesson(0))[-1] == [1, 1, -2, 0, -3, 3]
    assert len(accumulators(lesson(0))) == 3


def test_first_row_and_last_row_of_c() -> None:
    c = lesson().arrays["C"]
    assert c[0] == [1, 1, -2, 1, 1, -2, 1]
    assert c[4] == [-3, 0, 3, -3, 0, 3, -3]


def test_lesson_mode_says_which_rules_are_bent_and_what_would_be_legal() -> None:
    bent = {(rule.rule, rule.legal) for rule in lesson().bent}
    assert ("power of two", "4, with masks for the 1 more lane") in bent
    assert ("dot needs K", "BK = 16, with masks") in bent


def test_strict_mode_refuses_the_lesson_tile_at_its_line() -> None:
    done = run_matmul(SOURCE, formula_a(5, 5), formula_b(5, 7), LESSON, mode="strict")
    assert done.failure is not None and done.failure.kind == "refused"
    assert "tl.arange(0, BN)" in SOURCE.splitlines()[done.failure.line - 1]
    assert done.arrays["C"] == [[None] * 7] * 5


@pytest.mark.parametrize("program", range(9))
@pytest.mark.parametrize("group_m", [1, 2])
def test_every_phase_of_every_program_equals_the_model(program: int, group_m: int) -> None:
    a, b = distinct_a(5, 5), distinct_b(5, 7)
    done = run_matmul(SOURCE, a, b, LESSON, group_m=group_m, program=program, mode="lesson")
    row_tile, col_tile = program_tile(program, LESSON, group_m)
    rows, columns = LESSON.tile_rows(row_tile), LESSON.tile_cols(col_tile)
    live = [r * 3 + c for r in range(rows[1] - rows[0]) for c in range(columns[1] - columns[0])]
    model = [[v for row in tile for v in row] for tile in partial_tiles(a, b, LESSON, row_tile, col_tile)]
    assert [[acc[lane] for lane in live] for acc in accumulators(done)] == model


@pytest.mark.parametrize("shape", [(1, 1, 64), (1, 16, 1), (2, 2, 3), (3, 3, 3), (17, 33, 50), (33, 17, 16)])
@pytest.mark.parametrize("dtype", ["fp16", "bf16", "fp32"])
def test_strict_mode_computes_ragged_shapes_exactly(shape: tuple[int, int, int], dtype: str) -> None:
    m, n, k = shape
    a, b = formula_a(m, k), formula_b(k, n)
    done = run_matmul(SOURCE, a, b, Tiling(m, n, k, 16, 16, 16), group_m=2, dtype=dtype, mode="strict")
    assert done.failure is None
    assert done.reports == () and done.bent == ()
    assert wrong_outputs(done, a, b) == ()


def test_empty_k_stores_zeros_and_empty_m_stores_nothing() -> None:
    done = run_matmul(SOURCE, [[], []], [], Tiling(2, 3, 0, 16, 16, 16), mode="strict")
    assert done.arrays["C"] == [[0, 0, 0], [0, 0, 0]]
    assert done.counts.loads == {}
    assert run_matmul(SOURCE, [], [[1]], Tiling(0, 1, 1, 16, 16, 16), mode="strict").counts.stores == {}


def test_fp16_output_is_rounded_once_as_torch_rounds() -> None:
    torch.manual_seed(1)
    a, b = torch.randn(16, 32).half(), torch.randn(32, 16).half()
    tiling = Tiling(16, 16, 32, 16, 16, 32)
    done = run_matmul(SOURCE, a.tolist(), b.tolist(), tiling, out_dtype="fp16", mode="strict")
    want = (a.double() @ b.double()).float().half()
    assert torch.equal(torch.tensor(done.arrays["C"]).half(), want)


def test_tf32_damages_the_odd_numbers_above_2048_and_ieee_does_not() -> None:
    eye = [[int(r == c) for c in range(46)] for r in range(46)]
    b = [[46 * r + c for c in range(46)] for r in range(46)]
    tiling = Tiling(46, 46, 46, 16, 16, 16)
    exact = run_matmul(SOURCE, eye, b, tiling, dtype="fp32", mode="strict")
    tf32 = run_matmul(SOURCE, eye, b, tiling, dtype="fp32", mode="strict", extra={"INPUT_PRECISION": "tf32"})
    assert wrong_outputs(exact, eye, b) == ()
    assert len(wrong_outputs(tf32, eye, b)) == 34
    assert {wrong.got for wrong in wrong_outputs(tf32, eye, b)} == {float(v - 1) for v in range(2049, 2116, 2)}


def test_a_run_is_the_same_bytes_every_time() -> None:
    assert json.dumps(lesson(4).json()) == json.dumps(lesson(4).json())


def test_terminal_prints_the_last_phase_and_the_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(TEACHING)]) == 0
    out = capsys.readouterr().out
    assert "acc = fp32 [2, 3]: 1 1 -2 | 0 -3 3" in out
    assert "loads of A: 75 elements" in out
    assert out.endswith("C is right\n")


def test_terminal_refuses_a_missing_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["no-such-kernel.py"]) == 2
    assert "no-such-kernel.py" in capsys.readouterr().err


def test_product_agrees_with_the_model_on_asymmetric_inputs() -> None:
    a, b = distinct_a(6, 9), distinct_b(9, 4)
    done = run_matmul(SOURCE, a, b, Tiling(6, 4, 9, 4, 3, 2), mode="lesson", dtype="fp32")
    assert [tuple(row) for row in done.arrays["C"]] == [tuple(map(float, row)) for row in matmul(a, b)]
