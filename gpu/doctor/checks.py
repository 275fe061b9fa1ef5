"""All checks in the order of the page: four ways, each from what it needs first to its last command."""

from __future__ import annotations

from collections.abc import Callable

from gpu.doctor import driver, with_gpu, without_gpu
from gpu.doctor.asking import in_words
from gpu.doctor.machine import Machine
from gpu.doctor.record import NUMPY, Check, Verdict, needs, no, pip, yes

WAYS: dict[str, tuple[str, ...]] = {
    "PyTorch on the CPU": ("python", "torch-cpu"),
    "Triton's interpreter, without a GPU": ("triton-interpreter", "bench-verify"),
    "A simulator of an OpenCL device": ("opencl", "oclgrind"),
    "An NVIDIA GPU": ("driver", "torch-cuda", "triton-compiled", "nvcc", "bench", "ncu"),
}


def bench_verify(machine: Machine) -> Verdict:
    """Whether kernel-bench verifies a kernel on the CPU."""
    first = without_gpu.triton_interpreter(machine)
    if not first.can:
        return needs("triton-interpreter", first)
    return _bench(machine, "bench_cpu", "the tiled kernel is right on the CPU")


def bench(machine: Machine) -> Verdict:
    """Whether kernel-bench measures on the GPU."""
    first = with_gpu.triton_compiled(machine)
    if not first.can:
        return needs("triton-compiled", first)
    return _bench(machine, "bench_gpu", "the tiled kernel is right on the GPU, and was timed")


def _bench(machine: Machine, probe: str, found: str) -> Verdict:
    reply = machine[probe]
    if reply["state"] == "ended" and reply["status"] == 0:
        return yes(found)
    old = without_gpu.python(machine)
    if not old.can:
        return needs("python", old)
    if probe == "bench_cpu" and "only 0-dimensional arrays can be converted" in reply.get("heard", ""):
        found = "NumPy is 2.5 or newer, which the interpreter of this older Triton cannot use for a loop"
        return no(found, pip(machine["system"], NUMPY))
    return no(f"kernel-bench failed: {in_words(reply)}", "run it yourself, and read all that it says")


CHECKS: dict[str, tuple[str, Callable[[Machine], Verdict]]] = {
    "python": ("Python", without_gpu.python),
    "torch-cpu": ("PyTorch on the CPU", without_gpu.torch_cpu),
    "triton-interpreter": ("Triton's interpreter", without_gpu.triton_interpreter),
    "bench-verify": ("kernel-bench, verifying", bench_verify),
    "opencl": ("OpenCL from Python", without_gpu.opencl),
    "oclgrind": ("Oclgrind", without_gpu.oclgrind),
    "driver": ("NVIDIA driver and GPU", driver.driver),
    "torch-cuda": ("PyTorch on the GPU", with_gpu.torch_cuda),
    "triton-compiled": ("Triton, compiled", with_gpu.triton_compiled),
    "nvcc": ("nvcc", with_gpu.nvcc),
    "bench": ("kernel-bench, measuring", bench),
    "ncu": ("Nsight Compute", with_gpu.ncu),
}


def check(name: str, machine: Machine) -> Check:
    """Make one check. Whatever goes wrong in it is told as a finding: a broken machine is what the doctor is for."""
    title, make = CHECKS[name]
    try:
        verdict = make(machine)
    except Exception as error:
        step = "tell the authors of this page, with the output of python -m gpu.doctor --json"
        verdict = no(f"this check itself went wrong: {type(error).__name__}: {error}", step)
    return Check(name, title, verdict.can, verdict.found, verdict.next, verdict.after)
