"""A model with a fault, or a kernel with one, does not get past the cross-check."""

import json
import shutil
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest

from tests.crosscheck.ask import ROOT, Answers, ask
from tests.crosscheck.cases import Case
from tests.crosscheck.compare import disagreements

CASES = (Case(5, 7, 5, 2, 4, 2), Case(8, 8, 8, 4, 4, 4), Case(13, 11, 6, 2, 4, 4, group_m=4))


@pytest.fixture(scope="module")
def stored(interpreter: Answers, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the plain kernel did, in a file for the model with the fault."""
    path = tmp_path_factory.mktemp("answers") / "answers.json"
    rows = [{"case": asdict(case), "facts": interpreter.facts[case]["plain kernel"]} for case in CASES]
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path


def planted(package: str, module: str, right: str, wrong: str, folder: Path) -> Path:
    """A copy of a package in `folder`, with one line of one module changed."""
    shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    path = folder / package / module
    source = path.read_text(encoding="utf-8")
    assert source.count(right) == 1, f"{path.name} no longer has one {right!r}; plant the fault elsewhere"
    path.write_text(source.replace(right, wrong), encoding="utf-8")
    return folder


def caught(folder: Path, stored: Path) -> set[str]:
    """The facts on which the `sim` in `folder` disagrees with the kernel."""
    start = (
        f"import sys; sys.path[:0] = [{str(folder)!r}, {str(ROOT)!r}]; "
        f"from tests.crosscheck.compare import main; main({str(stored)!r})"
    )
    done = subprocess.run([sys.executable, "-c", start], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout))


def test_the_model_as_it_is_has_no_fault(tmp_path: Path, stored: Path):
    same = "return -(-size // width)"
    assert caught(planted("sim", "tiling.py", same, same, tmp_path), stored) == set()


@pytest.mark.parametrize(
    ("module", "right", "wrong", "facts"),
    [
        ("tiling.py", "return -(-size // width)", "return size // width", {"order", "loads", "total loads"}),
        ("tiling.py", "min((index + 1) * width, size)", "(index + 1) * width", {"loads", "elements of A"}),
        ("trace.py", "cut(b, inner, columns)", "cut(b, columns, inner)", {"C from tiles", "partial sums"}),
        ("trace.py", "_accumulate(partial, a", "_accumulate(((0,) * 4,) * len(partial), a", {"partial sums"}),
        ("matmul.py", "a[row][inner] * b[inner][column]", "a[row][inner] * b[column][inner]", {"C"}),
        ("cost.py", "return rows * inner, inner * columns", "return inner * columns, rows * inner", {"loads"}),
        ("cost.py", "tiling.K * tiling.tiles_n", "tiling.K * tiling.tiles_m", {"total loads"}),
        ("order.py", "min(tiling.tiles_m - first_row, group_m)", "group_m", {"order"}),
        ("order.py", "first_row + down, local // rows", "first_row + local // rows, down", {"order"}),
    ],
    ids=[
        "floor for ceil",
        "dropped mask",
        "transposed tile of B",
        "accumulator reset in every phase",
        "transposed B",
        "A and B counted for each other",
        "rows of tiles for columns of tiles",
        "last group as long as the others",
        "order turned by a quarter",
    ],
)
def test_a_fault_in_the_model_is_caught(
    tmp_path: Path, stored: Path, module: str, right: str, wrong: str, facts: set[str]
):
    assert facts <= caught(planted("sim", module, right, wrong, tmp_path), stored)


@pytest.mark.parametrize(
    ("right", "wrong", "facts"),
    [
        # As Triton's tutorials do it: C comes out right, and more elements are loaded than the matrices need.
        ("rows = row_tile * BM + tl.arange(0, BM)", "rows = (row_tile * BM + tl.arange(0, BM)) % M",
         {"loads", "total loads", "partial sums", "elements of A", "elements of C"}),
        ("acc = tl.dot(a, b, acc,", "acc = tl.dot(a, b, tl.zeros((BM, BN), dtype=tl.float32),",
         {"C", "C from tiles", "partial sums"}),
        ("= first_row_tile + place % group_rows", "= tiles_m - 1 - first_row_tile - place % group_rows",
         {"order", "loads", "partial sums", "elements of A", "elements of C"}),
    ],
    ids=["wrapped rows", "accumulator reset in every phase", "order upside down"],
)  # fmt: skip
def test_a_fault_in_the_kernel_is_caught(tmp_path: Path, right: str, wrong: str, facts: set[str]):
    case = CASES[0]
    answers = ask("cpu", [case], planted("gpu", "teaching.py", right, wrong, tmp_path))
    assert set(disagreements(case, answers.facts[case]["plain kernel"])) == facts
