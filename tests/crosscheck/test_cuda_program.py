"""downloads/tiled_matmul.cu: what it says to bad arguments, what it computes where there is a GPU."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sim.cost import square_loads
from tests.crosscheck.ask import ROOT
from tests.downloads.tools import nvcc

SOURCE = ROOT / "downloads" / "tiled_matmul.cu"


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program, built as its head comment says, with the nvcc that PyPI brings; skipped where there is none."""
    path = tmp_path_factory.mktemp("cuda") / "tiled_matmul"
    subprocess.run([*nvcc(), "-o", str(path), str(SOURCE)], check=True, capture_output=True)
    return path


@pytest.fixture(scope="module")
def program_on_gpu(program: Path) -> Path:
    """The program; skipped where there is no NVIDIA driver."""
    if not shutil.which("nvidia-smi"):
        pytest.skip("there is no NVIDIA GPU here")
    return program


def run(program: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run it; the status and what it printed."""
    return subprocess.run([str(program), *arguments], capture_output=True, text=True, check=False)


def test_head_comment_gives_the_command_that_builds_and_runs_it():
    assert "nvcc -o tiled_matmul tiled_matmul.cu && ./tiled_matmul 8 4" in SOURCE.read_text(encoding="utf-8")


def test_both_barriers_say_what_they_protect():
    barriers = [line for line in SOURCE.read_text(encoding="utf-8").splitlines() if "__syncthreads();" in line]
    assert len(barriers) == 2
    assert all("// protects" in line for line in barriers)


def test_it_is_written_in_the_oldest_dialect_that_nvcc_knows(tmp_path: Path):
    """So that an old toolkit reads it too: it was built with those of 11.2, 11.8 and 13.0."""
    compiling = [*nvcc(), "-std=c++03", "-c", "-o", str(tmp_path / "tiled_matmul.o"), str(SOURCE)]
    done = subprocess.run(compiling, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="PyPI has nvcc's wheels for Linux")
def test_nvcc_is_the_pinned_one_and_not_this_machine_s():
    command = nvcc()
    assert Path(command[0]).is_relative_to(sys.prefix)
    told = subprocess.run([command[0], "--version"], capture_output=True, text=True, check=True).stdout
    assert "release 13.0, V13.0.88" in told


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "usage: tiled_matmul N T [separate|tiled] [REPEATS]"),
        (["8"], "usage: tiled_matmul N T [separate|tiled] [REPEATS]"),
        (["0", "4"], "tiled_matmul: N: given '0'; allowed: a whole number from 1 to 2048"),
        (["-8", "4"], "tiled_matmul: N: given '-8'; allowed: a whole number from 1 to 2048"),
        (["8", "33"], "tiled_matmul: T: given '33'; allowed: a whole number from 1 to 32"),
        (["8", "4.0"], "tiled_matmul: T: given '4.0'; allowed: a whole number from 1 to 32"),
        (["8", ""], "tiled_matmul: T: given ''; allowed: a whole number from 1 to 32"),
        (["8", "4", "naive"], "tiled_matmul: kernel: given 'naive'; allowed: separate, tiled"),
        (["99999999999999999999", "4"], "tiled_matmul: N: given '99999999999999999999'; allowed: a whole number"),
    ],
)
def test_bad_arguments_end_with_status_2_and_a_sentence(program: Path, arguments: list[str], sentence: str):
    done = run(program, *arguments)
    assert done.returncode == 2
    assert done.stderr.startswith(sentence)
    assert done.stdout == ""


def test_without_a_gpu_it_ends_with_status_3_and_a_sentence(program: Path):
    if shutil.which("nvidia-smi"):
        pytest.skip("there is a GPU here")
    done = run(program, "8", "4")
    assert done.returncode == 3
    assert done.stderr.startswith("tiled_matmul: this program needs an NVIDIA GPU and its driver")


@pytest.mark.gpu
@pytest.mark.parametrize("tile", [1, 2, 3, 4, 7, 8, 16, 31, 32])
@pytest.mark.parametrize("n", [8, 65])
def test_both_kernels_are_right_for_ragged_and_even_tiles(program_on_gpu: Path, n: int, tile: int):
    for kernel in ("tiled", "separate"):
        done = run(program_on_gpu, str(n), str(tile), kernel)
        assert done.returncode == 0, done.stderr
        assert f"RESULT wrong=0 of {n * n}: OK" in done.stdout


@pytest.mark.gpu
@pytest.mark.parametrize(("n", "tile"), [(8, 4), (100, 16), (65, 32), (512, 32)])
def test_the_loads_that_it_prints_are_what_sim_says(program_on_gpu: Path, n: int, tile: int):
    done = run(program_on_gpu, str(n), str(tile))
    printed = re.search(r"model_input_loads=(\d+) separate_input_loads=(\d+)", done.stdout)
    assert printed is not None
    assert (int(printed[1]), int(printed[2])) == (square_loads(n, tile), square_loads(n, 1))
