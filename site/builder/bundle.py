"""One zip of everything that is offered, in which every command of the examples works as it stands."""

from pathlib import Path

from builder.assets import normal_bytes, zip_of
from builder.downloads import Downloads

NAME = "gpu-lab-examples.zip"
TOP = "gpu-lab-examples"
README = """\
GPU Lab: all examples

Every program runs by itself: its command stands here and in its first lines. The folder notebooks holds the same
programs as Jupyter notebooks. The folder sim is the model of the lab, in plain Python; the commands that begin with
"python -m sim" and the files of the model run in this folder. The folder gpu holds the Triton kernels and their bench:

    python -m gpu.doctor
    says what this machine can run, and the one next step for what it cannot; needs Python only

    python -m gpu.bench.cli --help
    kernel-bench: verifies the kernels on a CPU, and measures them on an NVIDIA GPU

"""
PACKAGES = ("sim", "gpu")
DATA = ("gpu/tuning/h200.json",)  # what their code reads


def bundle(root: Path, downloads: Downloads) -> bytes:
    """The zip: programs, notebooks, the packages `sim` and `gpu`, and a list of them. Equal for equal files."""
    files = {"LICENSE.txt": normal_bytes(root / "LICENSE")} if (root / "LICENSE").is_file() else {}
    files["README.txt"] = _readme(downloads).encode()
    code = [path for package in PACKAGES for path in sorted((root / package).rglob("*.py"))]
    for path in [*code, *(root / name for name in DATA if (root / name).is_file())]:
        files[path.relative_to(root).as_posix()] = normal_bytes(path)
    for entry in downloads.by_name.values():
        if not entry.file.startswith("sim/"):
            files[entry.name] = entry.data
    for name, data in downloads.notebooks.items():
        files[f"notebooks/{name}"] = data
    return zip_of({f"{TOP}/{name}": data for name, data in files.items()})


def _readme(downloads: Downloads) -> str:
    parts = []
    for entry in downloads.by_name.values():
        place = entry.file if entry.file.startswith("sim/") else entry.name
        run = "\n".join(f"    {line}" for line in entry.run.splitlines())
        parts.append(f"{place}\n    {entry.what}\n    Needs: {entry.needs}.\n\n{run}\n")
    return README + "\n".join(parts)
