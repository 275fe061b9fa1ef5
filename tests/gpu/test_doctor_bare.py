"""gpu.doctor where a GPU or packages are missing: each state's sentence and its one next step, letter for letter."""

import pytest

from gpu.doctor.checks import check
from tests.gpu.doctor_facts import (
    BARE,
    CONTAINER,
    INSTALL_NVCC,
    INSTALL_OCLGRIND,
    INSTALL_TORCH,
    INSTALL_WSL,
    LINUX,
    MAC,
    OPENCL,
    RAN,
    REINSTALL_TORCH,
    TORCH,
    WINDOWS,
    WITHOUT,
    WSL,
    Facts,
    ended,
    fake,
    raised,
)


@pytest.mark.parametrize(
    ("name", "changes", "found", "step"),
    [
        ("python", {"system": {**LINUX, "python": "3.9.18"}},
         "version 3.9.18; the repository needs 3.11 or newer",
         "install Python 3.11 or newer, and run this again with it"),
        ("python", {"system": {**WINDOWS, "bits": 32}},
         "version 3.11.7, a 32-bit program, for which PyTorch has no wheel",
         "install a 64-bit Python, and run this again with it"),
        ("torch-cpu", {}, "PyTorch is not installed in this Python", INSTALL_TORCH),
        ("torch-cpu", {"system": {**LINUX, "managed": True}}, "PyTorch is not installed in this Python",
         "make a virtual environment (python3 -m venv lab), activate it (. lab/bin/activate), then " + INSTALL_TORCH),
        ("torch-cpu", {"system": {**LINUX, "python": "3.15.0"}},
         "PyTorch 2.13.0 is not installed, and has no wheel for Python 3.15.0",
         "run this again with Python 3.11 to 3.14"),
        ("torch-cpu", {"system": {**MAC, "machine": "x86_64"}},
         "PyTorch 2.13.0 is not installed, and has no wheel for a Mac with an Intel processor", CONTAINER),
        ("torch-cpu", {"torch_cpu": {**TORCH, "right": False}},
         "torch 2.13.0 computed a wrong 8 x 8 product", REINSTALL_TORCH),
        ("torch-cpu", {"torch_cpu": raised("ImportError: libtorch_cpu.so: cannot open shared object file")},
         "PyTorch is installed but does not start: ImportError: libtorch_cpu.so: cannot open shared object file",
         REINSTALL_TORCH),
        ("torch-cpu", {"torch_cpu": {"state": "missing", "module": "typing_extensions"}},
         "PyTorch is installed but does not start: typing_extensions is missing", REINSTALL_TORCH),
        ("torch-cpu", {"torch_cpu": raised("AttributeError: module 'torch' has no attribute 'tensor'")},
         "PyTorch is installed but does not start: AttributeError: module 'torch' has no attribute 'tensor'",
         "rename the file or folder named torch that Python finds before PyTorch, often in the current folder"),
        ("torch-cpu", {"system": WINDOWS, "torch_cpu": raised("OSError: [WinError 126] c10.dll could not be loaded")},
         "PyTorch is installed but does not start: OSError: [WinError 126] c10.dll could not be loaded",
         "install Microsoft's Visual C++ Redistributable (x64), then start a new terminal"),
        ("torch-cpu", {"torch_cpu": ended(-4, "Illegal instruction")},
         "PyTorch is installed but does not start: the process was ended by signal 4", REINSTALL_TORCH),
        ("torch-cpu", {"torch_cpu": {"state": "silent", "seconds": 180}},
         "PyTorch is installed but does not start: no answer within 180 s",
         "run this again; a first start from a slow disk can take minutes"),
        ("triton-interpreter", {"system": WINDOWS, "triton_cpu": {"state": "missing", "module": "triton"}},
         "Triton has no wheels for Windows", INSTALL_WSL),
        ("triton-interpreter", {"system": MAC, "triton_cpu": {"state": "missing", "module": "triton"}},
         "Triton has no wheels for macOS", CONTAINER),
        ("triton-interpreter", {"system": {**LINUX, "machine": "riscv64"}},
         "Triton has no wheels for riscv64", "use a computer with an x86-64 or ARM64 processor"),
        ("opencl", {}, "NumPy is not installed in this Python", INSTALL_OCLGRIND),
        ("opencl", {"opencl": {"state": "missing", "module": "pyopencl"}},
         "pyopencl is not installed in this Python", INSTALL_OCLGRIND),
        ("opencl", {"system": WINDOWS}, "NumPy is not installed in this Python", INSTALL_WSL),
        ("opencl", {"system": MAC}, "NumPy is not installed in this Python", CONTAINER),
        ("opencl", {"system": {**LINUX, "machine": "aarch64"}}, "NumPy is not installed in this Python",
         "install your distribution's packages (Debian and Ubuntu: apt install oclgrind python3-pyopencl)"),
        ("opencl", {"opencl": {"state": "answered", "version": "2026.1.4", "platforms": []}},
         "pyopencl 2026.1.4 finds no OpenCL device", INSTALL_OCLGRIND),
        ("opencl", {"opencl": {"state": "answered", "version": "2026.1.4", "platforms": []}, "oclgrind": RAN},
         "pyopencl 2026.1.4 finds no OpenCL device", "put the simulator before the command: oclgrind python PROGRAM"),
        ("opencl", {"opencl": raised("ImportError: libOpenCL.so.1: cannot open shared object file")},
         "OpenCL does not start: ImportError: libOpenCL.so.1: cannot open shared object file",
         "python -m pip install --force-reinstall pyopencl==2026.1.4 numpy==2.4.6"),
        ("opencl", {"opencl": {**OPENCL, "right": False}},
         "Oclgrind Simulator computed wrong values", "name another device in the variable PYOPENCL_CTX"),
        ("oclgrind", {}, "Oclgrind is not installed", INSTALL_OCLGRIND),
        ("driver", {}, "no NVIDIA GPU and no driver is visible here", WITHOUT),
        ("driver", {"system": MAC}, "macOS has no NVIDIA driver and no CUDA", WITHOUT),
        ("driver", {"system": WSL}, "WSL shows no NVIDIA GPU",
         "in Windows, not in WSL, install NVIDIA's driver; then wsl --update and wsl --shutdown "
         "(https://docs.nvidia.com/cuda/wsl-user-guide/)"),
        ("driver", {"system": {**LINUX, "container": True}}, "no NVIDIA GPU is visible in this container",
         "start the container with the GPU (docker run --gpus all), on a computer that has one"),
        ("driver", {"system": {**LINUX, "hardware": True}}, "there is an NVIDIA GPU, and no driver for it",
         "install the NVIDIA driver (https://www.nvidia.com/drivers)"),
        ("nvcc", {}, "nvcc is not installed", INSTALL_NVCC),
        ("nvcc", {"system": MAC}, "NVIDIA's compiler does not exist for macOS", CONTAINER),
        ("nvcc", {"system": WINDOWS}, "nvcc is not installed",
         "install the CUDA toolkit (https://docs.nvidia.com/cuda/)"),
    ],
)  # fmt: skip
def test_without_a_gpu_or_packages_one_next_step(name: str, changes: Facts, found: str, step: str) -> None:
    one = check(name, fake(BARE, **changes))

    assert (one.can, one.found, one.next, one.after) == (False, found, step, "")


@pytest.mark.parametrize(
    ("name", "after"),
    [
        ("triton-interpreter", "torch-cpu"),
        ("bench-verify", "torch-cpu"),
        ("torch-cuda", "driver"),
        ("triton-compiled", "driver"),
        ("bench", "driver"),
        ("ncu", "driver"),
    ],
)
def test_what_waits_for_another_check_has_that_one_s_step(name: str, after: str) -> None:
    machine = fake(BARE)
    one, first = check(name, machine), check(after, machine)

    assert (one.can, one.after) == (False, after)
    assert (one.found, one.next) == (first.found, first.next)


def test_torch_waits_for_a_python_that_it_has_wheels_for() -> None:
    one = check("torch-cpu", fake(BARE, system={**LINUX, "python": "3.9.18"}))

    assert (one.after, one.next) == ("python", "install Python 3.11 or newer, and run this again with it")


def test_a_fault_in_a_check_is_told_as_a_finding() -> None:
    one = check("torch-cpu", fake(BARE, torch_cpu={"state": "answered"}))

    assert not one.can
    assert one.found == "this check itself went wrong: KeyError: 'right'"
