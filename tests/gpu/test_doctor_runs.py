"""gpu.doctor in real processes: with nothing installed, with broken installations, and on this machine as it is."""

import ast
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from gpu.doctor import asking, machine, record
from gpu.doctor.checks import CHECKS
from tests.gpu.helpers import ROOT
from tests.test_imports import imported

DOCTOR = ROOT / "gpu" / "doctor"
POSIX = pytest.mark.skipif(os.name == "nt", reason="the stand-ins for the driver's tools are shell scripts")


def doctor(
    *arguments: str, python: str = sys.executable, cwd: Path = ROOT, **changes: str
) -> subprocess.CompletedProcess[str]:
    """Run it by its folder's path, with the environment changed."""
    return subprocess.run(
        [python, str(DOCTOR), *arguments], cwd=cwd, env={**os.environ, **changes}, capture_output=True, text=True,
        encoding="utf-8", stdin=subprocess.DEVNULL, timeout=600,
    )  # fmt: skip


def program(folder: Path, name: str, text: str) -> None:
    """A shell script that stands in for a tool."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)


def versioned(version: str, error: str) -> str:
    """The text of a tool that says its version and fails at everything else."""
    return f'[ "$1" = --version ] && echo "{version}" || {{ echo "{error}" >&2; exit 1; }}'


def path_with(folder: Path) -> str:
    """PATH with a folder before all others."""
    return os.pathsep.join([str(folder), os.environ["PATH"]])


@pytest.fixture(scope="module")
def bare_python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A Python of a virtual environment that holds nothing, not even pip."""
    folder = tmp_path_factory.mktemp("bare")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    return str(folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))


def test_with_the_standard_library_alone_and_from_any_folder(bare_python: str, tmp_path: Path) -> None:
    done = doctor(python=bare_python, cwd=tmp_path, PYTHONPATH="")

    assert (done.returncode, done.stderr) == (0, "")
    assert "yes  Python: version" in done.stdout
    assert "no   PyTorch on the CPU: PyTorch is not installed in this Python.\n        next: " in done.stdout
    assert f"of {len(CHECKS)} can run here." in done.stdout


def test_on_this_machine_every_check_that_fails_has_a_step(tmp_path: Path) -> None:
    done = doctor("--json", cwd=tmp_path)

    told = json.loads(done.stdout)
    can = {one["name"] for one in told["checks"] if one["can"]}
    assert (done.returncode, done.stderr) == (0, "")
    assert {"python", "torch-cpu"} <= can
    assert {"triton-interpreter", "bench-verify"} <= can or told["system"]["os"] != "Linux"
    assert [one for one in told["checks"] if bool(one["next"]) == one["can"]] == []
    assert not [one for one in told["checks"] if "went wrong" in one["found"] or "Traceback" in one["found"]]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("raise ImportError('libcudart.so.13: cannot open shared object file')",
         "does not start: ImportError: libcudart.so.13: cannot open shared object file."),
        ("import typing_extensions_of_nobody", "does not start: typing_extensions_of_nobody is missing."),
        ("import os; os._exit(7)", "does not start: the process ended with status 7: no message."),
        ("import sys; sys.exit('this torch is for another computer')",
         "does not start: the process ended with status 1: this torch is for another computer."),
        ("size = 8", "does not start: AttributeError: module 'torch' has no attribute 'tensor'."),
        ("raise OSError('first line\\nsecond line')", "does not start: OSError: first line."),
        ("def", "does not start: SyntaxError: invalid syntax (torch.py, line 1)."),
    ],
)  # fmt: skip
def test_a_broken_torch_is_told_in_one_line(body: str, found: str, tmp_path: Path) -> None:
    (tmp_path / "torch.py").write_text(body, encoding="utf-8")

    done = doctor("torch-cpu", cwd=tmp_path)

    assert (done.returncode, done.stderr) == (1, "")
    assert f"PyTorch is installed but {found}\n        next: " in done.stdout
    assert "Traceback" not in done.stdout


@POSIX
def test_a_torch_that_is_killed_is_told_by_its_signal(tmp_path: Path) -> None:
    (tmp_path / "torch.py").write_text("import os, signal; os.kill(os.getpid(), signal.SIGILL)", encoding="utf-8")

    assert "does not start: the process was ended by signal 4.\n" in doctor("torch-cpu", cwd=tmp_path).stdout


@POSIX
def test_a_build_for_the_cpu_beside_a_gpu(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    if torch.version.cuda:
        pytest.skip("this PyTorch is a build for CUDA")
    program(tmp_path, "nvidia-smi", "echo 'NVIDIA GeForce RTX 3060, 8.6, 550.54.14'")

    done = doctor("driver", "torch-cuda", "bench", PATH=path_with(tmp_path))

    assert "yes  NVIDIA driver and GPU: driver 550.54.14; NVIDIA GeForce RTX 3060, compute cap" in done.stdout
    assert f"no   PyTorch on the GPU: torch {torch.__version__} is a build for the CPU only" in done.stdout
    assert "no   kernel-bench, measuring: needs PyTorch on the GPU first (see above)." in done.stdout


@POSIX
def test_a_driver_of_two_versions(tmp_path: Path) -> None:
    program(tmp_path, "nvidia-smi", "echo 'Failed to initialize NVML: Driver/library version mismatch'; exit 18")

    done = doctor("driver", PATH=path_with(tmp_path))

    assert (done.returncode, done.stderr) == (1, "")
    assert "are of two versions.\n        next: restart the computer\n" in done.stdout


@POSIX
def test_an_nvcc_without_a_host_compiler(tmp_path: Path) -> None:
    program(tmp_path, "nvcc", versioned("release 13.0, V13.0.88", "sh: 1: gcc: not found"))

    done = doctor("nvcc", PATH=path_with(tmp_path))

    assert "no   nvcc: nvcc 13.0 does not build a program: the process ended with status 1" in done.stdout
    assert "next: install g++ (Debian and Ubuntu: apt install g++)\n" in done.stdout


@POSIX
def test_what_nsight_compute_says_is_heard_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path, "ncu", versioned("Version 2025.3.1.0", "==ERROR== ERR_NVGPUCTRPERM - no"))
    monkeypatch.setenv("PATH", path_with(tmp_path))

    assert machine.ncu()["version"] == "2025.3.1.0"
    assert "ERR_NVGPUCTRPERM" in machine.ncu_counts()["heard"]


@POSIX
def test_a_process_that_hangs_is_ended_with_all_that_it_started() -> None:
    reply = asking.run(["sh", "-c", "sleep 60 & sleep 60"], 0.5)

    assert reply == {"state": "silent", "seconds": 0.5}
    assert asking.in_words(reply) == "no answer within 0.5 s"


@POSIX
def test_a_reader_who_stops_reading_is_no_error() -> None:
    command = f"'{sys.executable}' '{DOCTOR}' python driver | true"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, cwd=ROOT)

    assert done.stderr == ""


def test_help_says_what_the_exit_status_means() -> None:
    text = doctor("--help").stdout

    assert "Exit status: 0 the report was made, and every check that was named can run; 1 a named check" in text
    assert ", ".join(CHECKS) in text


def test_the_steps_name_the_versions_that_are_tested() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    pins = {pin.partition(";")[0].strip() for pin in project["project"]["optional-dependencies"]["test"]}

    assert {*record.TORCH.split(), record.TRITON, record.NUMPY, *record.OCLGRIND.split()} <= pins


def test_every_file_can_be_read_by_old_pythons_and_needs_no_package() -> None:
    for path in DOCTOR.glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 7))
        assert tree.body, path.name
        assert imported(path) - {"gpu"} <= sys.stdlib_module_names, path.name
