"""`python -m sim kernel`: the same trace and reports as the page, as text; statuses; never a traceback."""

import json
from pathlib import Path
from typing import Any

import pytest

import sim.__main__ as program
from sim.inputs import formula_a, formula_b
from sim.tiling import Tiling
from sim.tl.faults import fault
from sim.tl.matmul import run_matmul
from tests.tl.kernels import TEACHING

LESSON = ["--shape", "5", "7", "5", "--tile", "2", "3", "2"]


def kernel(*arguments: str) -> int:
    return program.main(["kernel", *arguments])


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def written(text: str) -> str:
        path = tmp_path / "mine.py"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return written


def test_the_trace_of_the_lesson(capsys: pytest.CaptureFixture[str]) -> None:
    assert kernel(str(TEACHING), *LESSON) == 0
    lines = capsys.readouterr().out.splitlines()
    start = lines.index("  35  program = tl.program_id(0)")
    assert lines[start + 1] == "        program = 0  (int32)"
    start = lines.index("  64  acc = tl.dot(a, b, acc, input_precision=INPUT_PRECISION) [pass 2 of line 58]")
    assert lines[start + 1 : start + 3] == [
        "        acc = fp32 [2, 3]: 1 1 -2 | 0 -3 3",
        "        dot 2 x 3 x 2, fp16 to fp32, 24 FLOPs",
    ]
    assert lines[-4:] == [
        "loads of A: 75 elements", "loads of B: 105 elements", "stores of C: 35 elements", "C is right",
    ]  # fmt: skip


def test_a_broken_kernel_is_reported_with_program_line_lane_and_element(
    write: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert kernel(write(fault("no-other").apply(TEACHING.read_text(encoding="utf-8"))), *LESSON) == 1
    out = capsys.readouterr().out
    assert "relies on undefined lanes: program 0, line 69: 6 lanes stored to C relying on undefined lanes" in out
    assert "first: lane 0, C[0, 0]" in out
    assert out.endswith("C is right\n")


def test_wrong_outputs_are_told(write: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert kernel(write(fault("zeroed-in-loop").apply(TEACHING.read_text(encoding="utf-8"))), *LESSON) == 1
    out = capsys.readouterr().out
    assert "C[0,0] is 0; it should be 1\n" in out
    assert out.endswith("30 outputs of C are wrong\n")


def test_an_output_that_is_no_number_is_told(write: Any, capsys: pytest.CaptureFixture[str]) -> None:
    zeros = "dtype=tl.float32)\n    for"
    text = TEACHING.read_text(encoding="utf-8").replace(zeros, zeros.replace(")", ") / 0.0"))
    assert kernel(write(text), *LESSON) == 1
    assert "C[0,0] is nan; it should be 1\n" in capsys.readouterr().out


def test_what_ends_a_launch_is_told_with_its_line(write: Any, capsys: pytest.CaptureFixture[str]) -> None:
    text = TEACHING.read_text(encoding="utf-8").replace("tl.zeros((BM, BN)", "tl.zeroes((BM, BN)")
    assert kernel(write(text), *LESSON) == 1
    assert "unknown name: line 57, program 0: triton.language has no zeroes here" in capsys.readouterr().out


def test_a_file_may_import_what_is_installed_and_a_name_that_is_not_is_told(
    write: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    text = TEACHING.read_text(encoding="utf-8")
    host = "import torch\n\n\ndef product(a, b):\n    return torch.mm(a, b)\n\n\n"
    assert kernel(write(host + text.partition('"""\n\n')[2]), *LESSON) == 0
    assert capsys.readouterr().out.endswith("C is right\n")
    assert kernel(write("import no_such_module\n" + text), *LESSON) == 1
    assert "unknown name: line 1, program 0: no module no_such_module here" in capsys.readouterr().out


def test_one_element_is_singular(capsys: pytest.CaptureFixture[str]) -> None:
    assert kernel(str(TEACHING), "--shape", "1", "2", "1", "--tile", "1", "1", "1") == 0
    assert capsys.readouterr().out.splitlines()[-4:-1] == [
        "loads of A: 2 elements", "loads of B: 2 elements", "stores of C: 2 elements",
    ]  # fmt: skip
    assert kernel(str(TEACHING), "--shape", "1", "1", "1", "--tile", "1", "1", "1") == 0
    assert "loads of A: 1 element\n" in capsys.readouterr().out


def test_a_file_without_an_end_is_stopped(write: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert kernel(write("import triton\n\nwhile True:\n    pass\n"), "--steps", "1000") == 1
    assert "step limit: line 3, program 0: stopped after 1000 steps" in capsys.readouterr().out


def test_json_is_the_run_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert kernel(str(TEACHING), *LESSON, "--program", "8", "--json") == 0
    source = TEACHING.read_text(encoding="utf-8")
    tiling = Tiling(5, 7, 5, 2, 3, 2)
    done = run_matmul(
        source, formula_a(5, 5), formula_b(5, 7), tiling, program=8, mode="lesson", filename=str(TEACHING)
    )
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(done.json()))


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["no such file.py"], "no such file.py: No such file or directory; allowed: a Python file"),
        ([str(TEACHING), "--shape", "0", "7", "5"], "given 0; allowed: a whole number from 1 to 999999999"),
        ([str(TEACHING), "--tile", "2", "x", "5"], "given x; allowed: a whole number from 1 to 999999999"),
        ([str(TEACHING), *LESSON, "--program", "9"], "--program: given 9; allowed: a whole number from 0 to 8"),
        ([str(TEACHING), *LESSON, "--program", "-1"], "--program: given -1; allowed: a whole number from 0 to 8"),
        (
            [str(TEACHING), "--shape", "100000", "3", "100000"],
            "--shape: A has 10000000000 elements; allowed: at most 1000000",
        ),
        ([str(TEACHING), "--kernel", "other"], "kernel: given 'other'; the file has: matmul_kernel"),
        ([str(TEACHING), "--mode", "loose"], "invalid choice: 'loose'"),
    ],
)
def test_a_wrong_command_gets_a_sentence_and_status_2(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert kernel(*arguments) == 2
    error = capsys.readouterr().err
    assert told in error
    assert "Traceback" not in error


def test_a_file_in_another_encoding_is_refused_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.py"
    path.write_bytes(b"# caf\xe9\n")
    assert kernel(str(path)) == 2
    assert f"{path}: byte 5 is not UTF-8; allowed: a Python file in UTF-8" in capsys.readouterr().err
