"""What the machine itself says. Each fact is asked for once, when a check wants it; tests put in their own."""

from __future__ import annotations

import os
import platform
import re
import shutil
import struct
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from gpu.doctor.asking import ROOT, Reply, ask, run

SMI_FIELDS = "name,compute_cap,driver_version"
NCU_METRIC = "smsp__inst_executed.sum"
TOOLKIT = (Path("/usr/local/cuda"), "bin")
GPU_SUM = "import torch; torch.ones(64, 64, device='cuda').sum().item()"
CUDA_PROGRAM = """#include <cuda_runtime.h>
__global__ void nothing() {}
int main() { nothing<<<1, 1>>>(); return cudaDeviceSynchronize() == cudaSuccess ? 0 : 3; }
"""


class Machine:
    """Facts by name, each asked for at most once."""

    def __init__(self, probes: Mapping[str, Callable[[], Reply]]) -> None:
        self._probes = probes
        self._known: dict[str, Reply] = {}

    def __getitem__(self, name: str) -> Reply:
        """The reply to the probe of that name."""
        if name not in self._known:
            self._known[name] = self._probes[name]()
        return self._known[name]


def this_machine() -> Machine:
    """The machine that the doctor runs on."""
    return Machine({
        "system": system,
        "smi": smi,
        "libcuda": lambda: ask("libcuda", 60),
        "torch_cpu": lambda: ask("torch_cpu"),
        "torch_gpu": lambda: ask("torch_gpu"),
        "triton_cpu": lambda: ask("triton_cpu", TRITON_INTERPRET="1"),
        "triton_gpu": lambda: ask("triton_gpu", TRITON_INTERPRET=None),
        "opencl": lambda: ask("opencl"),
        "oclgrind": oclgrind,
        "nvcc": nvcc,
        "ncu": ncu,
        "ncu_counts": ncu_counts,
        "bench_cpu": lambda: bench("--shape", "5", "7", "5", "--interpret"),
        "bench_gpu": lambda: bench("--shape", "64", "64", "64", "--repeats", "3"),
    })  # fmt: skip


def system() -> dict[str, Any]:
    """The system, the Python, and what the shell has set."""
    release = platform.release().lower()
    name = {"Darwin": "macOS"}.get(platform.system(), platform.system())
    return {
        "os": name,
        "machine": platform.machine(),
        "wsl": name == "Linux" and ("microsoft" in release or "WSL_DISTRO_NAME" in os.environ),
        "python": platform.python_version(),
        "bits": 8 * struct.calcsize("P"),
        "executable": sys.executable,
        "hidden": os.environ.get("CUDA_VISIBLE_DEVICES"),
        "interpret": os.environ.get("TRITON_INTERPRET", ""),
        "hardware": nvidia_hardware(),
        "managed": sys.prefix == sys.base_prefix
        and Path(sysconfig.get_path("stdlib"), "EXTERNALLY-MANAGED").exists(),  # pip refuses to install here
        "container": any(Path(mark).exists() for mark in ("/.dockerenv", "/run/.containerenv")),
    }


def nvidia_hardware() -> bool:
    """Whether a graphics device of NVIDIA's is on the PCI bus; only Linux shows it, and a container may hide it."""
    for device in Path("/sys/bus/pci/devices").glob("*"):
        try:
            vendor, kind = ((device / name).read_text().strip() for name in ("vendor", "class"))
        except OSError:
            continue
        if vendor == "0x10de" and kind.startswith("0x03"):
            return True
    return False


def smi() -> Reply:
    """The driver's own tool: the GPUs, or its own words when it fails."""
    windows = Path(os.environ.get("SYSTEMROOT", "/Windows"), "System32")
    path = find("nvidia-smi", (Path("/usr/lib/wsl/lib"), "."), (windows, "."))
    if path is None:
        return {"state": "missing", "module": "nvidia-smi"}
    done = run([path, f"--query-gpu={SMI_FIELDS}", "--format=csv,noheader"], 60)
    if done["state"] != "ended" or done["status"] != 0:
        return done
    rows = [[field.strip() for field in line.split(",")] for line in done["out"].splitlines() if line.count(",") == 2]
    gpus = [{"name": name, "capability": capability, "driver": driver} for name, capability, driver in rows]
    return {**done, "gpus": gpus}


def oclgrind() -> Reply:
    """The oclgrind program of a Linux distribution."""
    return run(["oclgrind", "--version"], 60)


def nvcc() -> Reply:
    """Where nvcc is, its version, and whether it builds a small program."""
    homes = [(Path(os.environ[name]), "bin") for name in ("CUDA_HOME", "CUDA_PATH") if os.environ.get(name)]
    wheels = (Path(sysconfig.get_paths()["platlib"], "nvidia"), "cu*/bin")
    path = find("nvcc", *homes, TOOLKIT, wheels)
    if path is None:
        return {"state": "missing", "module": "nvcc"}
    told = run([path, "--version"], 60)
    found = re.search(r"release (\d+\.\d+)", told.get("out", ""))
    library = Path(path).parent.parent / "lib"  # where the wheels have it; nvcc itself looks in lib64 only
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "nothing.cu")
        source.write_text(CUDA_PROGRAM, encoding="utf-8")
        built = run([path, "-L", str(library), "-o", str(Path(folder, "nothing")), str(source)])
    return {**built, "path": path, "version": found.group(1) if found else "of unknown version"}


def ncu() -> Reply:
    """Where Nsight Compute is, and its version."""
    path = find("ncu", TOOLKIT, (Path("/opt/nvidia/nsight-compute"), "*"))
    if path is None:
        return {"state": "missing", "module": "ncu"}
    told = run([path, "--version"], 60)
    found = re.search(r"Version ([\d.]+)", told.get("out", ""))
    return {**told, "path": path, "version": found.group(1) if found else "of unknown version"}


def ncu_counts() -> Reply:
    """What Nsight Compute says when it is to count the instructions of one kernel of PyTorch's."""
    path = ncu()["path"]
    return run([path, "--metrics", NCU_METRIC, "--launch-count", "1", sys.executable, "-c", GPU_SUM])


def bench(*arguments: str) -> Reply:
    """kernel-bench on a small shape, from this folder's own repository."""
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    command = [sys.executable, "-m", "gpu.bench.cli", "--dtype", "float16", "--kernel", "tiled", *arguments]
    return run(command, PYTHONPATH=path, TRITON_INTERPRET=None)


def find(name: str, *places: tuple[Path, str]) -> str | None:
    """A program's path: what the shell would start, else the last match in folders given as (start, wildcard)."""
    found = shutil.which(name)
    if found:
        return found
    file = f"{name}.exe" if os.name == "nt" else name
    for start, wildcard in places:
        folders = sorted(start.glob(wildcard)) if "*" in wildcard else [start / wildcard]
        for folder in reversed(folders):
            if os.access(folder / file, os.X_OK):
                return str(folder / file)
    return None
