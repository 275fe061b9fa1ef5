"""downloads/tiled_matmul_opencl.py on a simulated device: the model's counts, and a missing barrier's races."""

import re
from pathlib import Path

import pytest

from sim.cost import square_loads
from tests.downloads.tools import DOWNLOADS, oclgrind, run_program

PROGRAM = DOWNLOADS / "tiled_matmul_opencl.py"
BARRIERS = {"after loading": "protects the reads below", "after using": "protects the next phase's stores"}


def without_barrier(which: str, folder: Path) -> Path:
    """The program with one of its two barriers taken out."""
    lines = PROGRAM.read_text(encoding="utf-8").splitlines(keepends=True)
    (line,) = [line for line in lines if "barrier(" in line and BARRIERS[which] in line]
    path = folder / PROGRAM.name
    path.write_text("".join(each for each in lines if each != line), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("n", "tile", "kernel", "loads"),
    [
        (8, 1, "tiled", 1024),
        (8, 2, "tiled", 512),
        (8, 4, "tiled", 256),
        (8, 8, "tiled", 128),
        (8, 4, "separate", 1024),
        (5, 2, "tiled", 150),  # 3 tiles across and down, and every element is loaded 3 times: 2 * 25 * 3
        (5, 2, "separate", 250),
        (7, 3, "tiled", 294),
    ],
)
def test_the_simulator_counts_the_loads_of_the_model(n: int, tile: int, kernel: str, loads: int):
    before, variables = oclgrind(counts=True)
    done = run_program(PROGRAM, str(n), str(tile), kernel, before=before, variables=variables)
    assert done.returncode == 0, done.stderr
    counted = re.findall(r"(\d+) - load global", done.stdout + done.stderr)
    printed = re.findall(r"model_input_loads=(\d+)", done.stdout)
    assert counted == printed == [str(loads)]
    assert loads == square_loads(n, tile if kernel == "tiled" else 1)
    assert f"RESULT wrong=0 of {n * n}: OK" in done.stdout


@pytest.mark.parametrize("kernel", ["tiled", "separate"])
def test_the_simulator_sees_no_race(kernel: str):
    before, variables = oclgrind(races=True)
    done = run_program(PROGRAM, "8", "4", kernel, before=before, variables=variables)
    assert done.returncode == 0
    assert "race" not in done.stdout + done.stderr


@pytest.mark.parametrize("which", BARRIERS)
@pytest.mark.parametrize(("n", "tile"), [(8, 4), (5, 2)])
def test_a_missing_barrier_is_reported(which: str, n: int, tile: int, tmp_path: Path):
    before, variables = oclgrind(races=True)
    program = without_barrier(which, tmp_path)
    done = run_program(program, str(n), str(tile), before=before, variables=variables)
    assert "data race at local memory address" in done.stdout + done.stderr
    assert "Kernel: matmul_tiled" in done.stdout + done.stderr


def test_nothing_runs_without_a_device():
    oclgrind()
    done = run_program(PROGRAM, "8", "4", variables={"OCL_ICD_VENDORS": "/nowhere"})
    assert done.returncode == 3
    assert done.stderr.startswith("tiled_matmul_opencl: there is no OpenCL device here.")
    assert "Traceback" not in done.stderr


def test_a_device_that_nobody_has_gets_a_sentence():
    oclgrind()
    done = run_program(PROGRAM, "8", "4", variables={"PYOPENCL_CTX": "no such device"})
    assert done.returncode == 3
    assert done.stderr.startswith("tiled_matmul_opencl: the OpenCL device could not be opened: ")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["8"], "usage: python tiled_matmul_opencl.py N T [separate|tiled]"),
        (["0", "4"], "N: given '0'; allowed: a whole number from 1 to 2048"),
        (["8", "33"], "T: given '33'; allowed: a whole number from 1 to 32"),
        (["8", "4.0"], "T: given '4.0'; allowed: a whole number from 1 to 32"),
        (["8", "٤"], "T: given '٤'; allowed: a whole number from 1 to 32"),
        (["8", "4", "naive"], "kernel: given 'naive'; allowed: separate, tiled"),
    ],
)
def test_bad_arguments_end_with_status_2_and_a_sentence(arguments: list[str], sentence: str):
    done = run_program(PROGRAM, *arguments)
    assert done.returncode == 2
    assert done.stderr.startswith(f"tiled_matmul_opencl: {sentence}")
    assert done.stdout == ""
