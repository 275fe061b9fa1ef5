"""The commands check, explain and kernel: words, exit statuses, and never a traceback."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import sim.__main__ as program
from sim.check import EXERCISES

ROOT = Path(program.__file__).resolve().parents[1]
TOY_IN_TWO_PHASES = """\
Program 0, tile (0, 0): rows 0 to 1, columns 0 to 1 of C; loads 12 elements.
  K phase 0, k 0 to 1: loads 4 of A and 4 of B
    A tile [[1, 2], [4, 5]]   B tile [[7, 8], [9, 10]]
    accumulator [[25, 28], [73, 82]]
  K phase 1, k 2: loads 2 of A and 2 of B
    A tile [[3], [6]]   B tile [[11, 12]]
    accumulator [[58, 64], [139, 154]]
"""


@pytest.fixture
def write(tmp_path: Path):
    def written(text: str) -> str:
        path = tmp_path / "mine.py"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return written


def test_a_right_file_passes(write, capsys):
    assert program.main(["check", "matmul", write(EXERCISES["matmul"].solution)]) == 0
    assert capsys.readouterr().out == "Passed: matmul(a, b) is right in all 14 cases.\n"


def test_a_wrong_file_is_told_with_the_case_and_the_mistake(write, capsys):
    assert (
        program.main(["check", "matmul", write(EXERCISES["matmul"].solution.replace("range(K)", "range(K - 1)"))]) == 1
    )
    assert capsys.readouterr().out.splitlines() == [
        "C[0][0] is 0; it should be 15.",
        "Case 1 of 14, the smallest that fails:",
        "  a = [[3]]",
        "  b = [[5]]",
        "  expected: [[15]]",
        "  got:      [[0]]",
        "A known mistake gives exactly these answers, “last K left out”: "
        "the loop over K ends one turn early; range(K) already ends at K - 1.",
    ]


def test_an_endless_file_is_stopped(write, capsys):
    assert program.main(["check", "matmul", write("while True: pass"), "--steps", "50"]) == 1
    assert "stopped after 50 steps" in capsys.readouterr().out


def test_other_exercises_are_checked(write):
    assert program.main(["check", "tiled_matmul", write(EXERCISES["tiled_matmul"].solution)]) == 0


def test_a_byte_order_mark_is_no_trouble(tmp_path: Path):
    path = tmp_path / "mine.py"
    path.write_bytes(b"\xef\xbb\xbf" + EXERCISES["matmul"].solution.encode())
    assert program.main(["check", "matmul", str(path)]) == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "usage: python -m sim"),
        (["check"], "usage: python -m sim check"),
        (["check", "sort", "x.py"], "invalid choice: 'sort'"),
        (["check", "matmul", "no such file.py"], "no such file.py: No such file or directory; allowed: a Python file"),
        (["check", "matmul", "x.py", "--steps", "0"], "given 0; allowed: a whole number from 1"),
        (["explain"], "usage: python -m sim explain"),
        (["explain", "matmul", "--shape", "2", "3"], "expected 3 arguments"),
        (["explain", "matmul", "--shape", "0", "3", "2"], "given 0; allowed: a whole number from 1 to 16"),
        (["explain", "matmul", "--shape", "2", "3", "-1"], "usage: python -m sim explain"),
        (["explain", "matmul", "--tile", "2", "2", "17"], "given 17; allowed: a whole number from 1 to 16"),
        (["explain", "matmul", "--shape", "2", "3", "9" * 5000], "allowed: a whole number from 1 to 16"),
        (["dance"], "invalid choice"),
    ],
)
def test_what_is_not_understood_gets_a_usage_or_a_sentence_and_status_2(arguments, words, capsys):
    assert program.main(arguments) == 2
    said = capsys.readouterr()
    assert words in said.err
    assert said.out == ""


def test_a_file_that_is_not_text_is_refused_in_words(tmp_path: Path, capsys):
    path = tmp_path / "mine.py"
    path.write_bytes(b"x = '\xff'")
    assert program.main(["check", "matmul", str(path)]) == 2
    assert "byte 5 is not UTF-8" in capsys.readouterr().err


def test_a_folder_is_refused_in_words(tmp_path: Path, capsys):
    assert program.main(["check", "matmul", str(tmp_path)]) == 2
    assert "allowed: a Python file" in capsys.readouterr().err


def test_help_names_the_commands(capsys):
    assert program.main(["--help"]) == 0
    assert {"check", "explain", "kernel"} <= set(capsys.readouterr().out.split())


def test_three_loops_are_explained(capsys):
    assert program.main(["explain", "matmul"]) == 0
    said = capsys.readouterr().out
    assert "  k = 1: A[0,1] * B[1,0] = 2 * 9 = 18; sum 25\n" in said
    assert "  k = 2: A[0,2] * B[2,0] = 3 * 11 = 33; sum 58\n" in said


def test_tiles_are_explained(capsys):
    assert program.main(["explain", "matmul", "--tile", "2", "2", "2"]) == 0
    said = capsys.readouterr().out
    assert TOY_IN_TWO_PHASES in said
    assert "1 program (1 row of 1 tile), 2 K phases each.\n" in said


def test_the_command_of_chapter_2_prints_the_chapter_s_example(capsys):
    text = (ROOT / "chapters" / "02-programs.md").read_text(encoding="utf-8")
    (arguments,) = re.findall(r"`python -m sim (explain [^`]*)` prints the trace of this chapter's example", text)
    assert program.main(arguments.split()) == 0
    assert TOY_IN_TWO_PHASES in capsys.readouterr().out


def test_ragged_tiles_are_explained(capsys):
    assert program.main(["explain", "matmul", "--shape", "5", "7", "5", "--tile", "2", "3", "2"]) == 0
    said = capsys.readouterr().out
    assert "9 programs (3 rows of 3 tiles), 3 K phases each.\n" in said
    assert "Program 8, tile (2, 2): row 4, column 6 of C; loads 10 elements.\n" in said
    assert "All programs together load 180 elements of A and B.\n" in said


def test_all_different_inputs_may_be_asked_for(capsys):
    assert program.main(["explain", "matmul", "--shape", "1", "1", "2", "--inputs", "distinct"]) == 0
    assert "sum 4\n" in capsys.readouterr().out


def test_a_copy_without_kernel_runner_says_so(monkeypatch, capsys):
    monkeypatch.setattr(program, "KERNEL", "sim.no_such_part.cli")
    assert program.main(["kernel", "x.py"]) == 2
    assert "this copy of sim has no kernel runner" in capsys.readouterr().err


def test_the_command_runs_as_a_module_and_its_status_is_the_answer(write):
    command = [sys.executable, "-m", "sim", "check", "matmul", write("def matmul(a, b): return a / b")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", env=_plain(), check=False)
    assert done.returncode == 1
    assert done.stdout.startswith("Line 1, `def matmul(a, b): return a / b`: TypeError: unsupported operand")
    assert done.stderr == ""


def test_a_console_of_an_old_code_page_does_not_crash(write):
    command = [sys.executable, "-m", "sim", "check", "matmul", write("def matmul(a, b): return '\u2192 \u00e9'")]
    environment = {**_plain(), "PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"}
    done = subprocess.run(command, cwd=ROOT, capture_output=True, env=environment, check=False)
    assert (done.returncode, done.stderr) == (1, b"")


def _plain() -> dict[str, str]:
    return {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONIOENCODING": "utf-8"}
