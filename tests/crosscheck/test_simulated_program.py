"""gpu/counters/gpgpusim_matmul.cu: built with the nvcc that PyPI brings, and what it says where nothing can run it."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.crosscheck.ask import ROOT
from tests.downloads.tools import nvcc


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program; skipped where there is no nvcc."""
    path = tmp_path_factory.mktemp("simulated") / "tiled_matmul"
    source = ROOT / "gpu" / "counters" / "gpgpusim_matmul.cu"
    subprocess.run([*nvcc(), "-o", str(path), str(source)], check=True, capture_output=True)
    return path


def run(program: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run it; the status and what it printed."""
    return subprocess.run([str(program), *arguments], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("arguments", [(), ("8",), ("8", "3"), ("7", "2"), ("0", "naive"), ("257", "1")])
def test_bad_arguments_end_with_status_2(program: Path, arguments: tuple[str, ...]):
    done = run(program, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(("usage: ", "N must be 1..256 and a multiple of the tile width"))


def test_without_a_gpu_and_without_the_simulator_it_ends_with_status_3(program: Path):
    if shutil.which("nvidia-smi"):
        pytest.skip("there is a GPU here")
    done = run(program, "8", "4")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("cudaMalloc(")


@pytest.mark.gpu
@pytest.mark.parametrize(("n", "tile"), [("5", "naive"), ("8", "4"), ("64", "1"), ("64", "8")])
def test_on_a_gpu_it_is_right(program: Path, n: str, tile: str):
    if not shutil.which("nvidia-smi"):
        pytest.skip("there is no NVIDIA GPU here")
    done = run(program, n, tile)
    assert done.returncode == 0, done.stderr
    assert "wrong=0" in done.stdout
