"""Everything that is offered, laid out as a reader has it after unpacking the zip, and its commands run there."""

import io
import os
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from builder.bundle import NAME, TOP
from builder.downloads import Download, Downloads
from tests.downloads.tools import package_folder

NO_GPU = 3
UNSOLVED = 1


@dataclass(frozen=True)
class Unpacked:
    """The folder that the zip made, and what is in it."""

    folder: Path
    downloads: Downloads

    def run(self, line: str) -> subprocess.CompletedProcess[str]:
        """A command of the manifest, in a shell, in the folder."""
        return subprocess.run(
            line, shell=True, cwd=self.folder, env=environment(), capture_output=True, encoding="utf-8", check=False
        )

    def execute(self, entry: Download) -> nbformat.NotebookNode:
        """The notebook of an entry with the output of all its cells; raises CellExecutionError."""
        return execute(nbformat.reads(entry.notebook.decode(), as_version=nbformat.NO_CONVERT), self.folder)


def execute(notebook: nbformat.NotebookNode, folder: Path) -> nbformat.NotebookNode:
    """A notebook with the output of all its cells, run in a folder; raises CellExecutionError."""
    resources = {"metadata": {"path": str(folder)}}
    client = NotebookClient(notebook, timeout=300, kernel_name="python3", resources=resources)
    manager = client.create_kernel_manager()
    if os.name != "nt":  # files in place of ports
        manager.transport, manager.ip = "ipc", str(folder / "kernel")
    return client.execute(env={**environment(), "IPYTHONDIR": str(folder / ".ipython")})


def unpacked(downloads: Downloads, folder: Path) -> Unpacked:
    """Unpack the zip into a folder."""
    with zipfile.ZipFile(io.BytesIO(downloads.bundle[NAME])) as archive:
        archive.extractall(folder)
    return Unpacked(folder / TOP, downloads)


def environment() -> dict[str, str]:
    """The variables of this process less the repository's path, with this Python and PyPI's nvcc found by name."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "TRITON_INTERPRET")}
    places = [str(Path(sys.executable).parent)]
    cuda = package_folder("nvidia")
    if cuda and (cuda / "cu13" / "bin" / "nvcc").is_file():
        places.append(str(cuda / "cu13" / "bin"))
        kept["LIBRARY_PATH"] = str(cuda / "cu13" / "lib")
    return {**kept, "PATH": os.pathsep.join([*places, kept.get("PATH", "")]), "PYTHONIOENCODING": "utf-8"}


def status_without_gpu(line: str) -> int:
    """The exit status that a command of the manifest has on a machine without a GPU."""
    if line.endswith("./tiled_matmul 8 4") or line == "python tiled_matmul_triton.py":
        return NO_GPU
    return UNSOLVED if line == "python -m sim check matmul matmul_exercise.py" else 0
