"""The checks of an NVIDIA GPU: PyTorch, Triton, nvcc and Nsight Compute, each after the driver."""

from __future__ import annotations

from pathlib import Path

from gpu.doctor.asking import Reply, in_words
from gpu.doctor.driver import UPDATE, driver
from gpu.doctor.machine import NCU_METRIC, Machine
from gpu.doctor.record import COUNTERS_PAGE, CUDA_PAGE, NCU_PAGE, NVCC, TORCH_PAGE, TRITON, Verdict, needs, no, pip, yes
from gpu.doctor.without_gpu import LINUX_STEP, torch_cpu, triton_unsupported


def torch_cuda(machine: Machine) -> Verdict:
    """Whether PyTorch multiplies on the GPU."""
    first = driver(machine)
    if not first.can:
        return needs("driver", first)
    torch = machine["torch_cpu"]
    if torch["state"] != "answered":
        return needs("torch-cpu", torch_cpu(machine))
    version, step = torch["version"], f"install the build for CUDA: its command stands at {TORCH_PAGE}"
    if torch["hip"]:
        return no(f"torch {version} is a build for AMD GPUs", step)
    if not torch["cuda"]:
        return no(f"torch {version} is a build for the CPU only, beside an NVIDIA GPU", step)
    hidden = machine["system"]["hidden"]
    if hidden is not None and hidden.strip() in ("", "-1"):
        return no(f"CUDA_VISIBLE_DEVICES is {hidden!r}, which hides the GPU", "unset CUDA_VISIBLE_DEVICES")
    reply, library = machine["torch_gpu"], machine["libcuda"]
    if reply["state"] == "answered" and reply["right"]:
        return yes(f"torch {version} multiplies two 8 x 8 matrices on {reply['name']}")
    if reply["state"] == "answered":
        return no(f"torch {version} computed a wrong 8 x 8 product on {reply['name']}", UPDATE)
    if "driver on your system is too old" in reply.get("error", "") or is_older(library, torch["cuda"]):
        upto = f" (CUDA up to {library['cuda']})" if library.get("library") else ""
        return no(f"the driver is too old{upto} for torch {version}, which was built for CUDA {torch['cuda']}", UPDATE)
    return no(f"torch {version} does not use the GPU: {in_words(reply)}", mend_torch_gpu(reply))


def mend_torch_gpu(reply: Reply) -> str:
    """The next step for a PyTorch for CUDA that fails on a GPU."""
    error = reply.get("error", "").lower()
    if "no kernel image" in error:
        return f"install a build for an older CUDA, which still has code for this GPU: {TORCH_PAGE}"
    if "out of memory" in error:
        return "end what fills the GPU's memory; nvidia-smi lists it"
    return "restart the computer, then run this again"


def is_older(library: Reply, cuda: str) -> bool:
    """Whether the driver's CUDA is of an earlier major version; within one, older drivers run newer builds."""
    numbers = [text.split(".")[0] for text in (library.get("cuda", ""), cuda)]
    return all(number.isdigit() for number in numbers) and 0 < int(numbers[0]) < int(numbers[1])


def triton_compiled(machine: Machine) -> Verdict:
    """Whether Triton compiles a kernel for the GPU and runs it."""
    first, system = torch_cuda(machine), machine["system"]
    if not first.can:
        return needs("torch-cuda", first)
    if system["interpret"] == "1":
        found = "TRITON_INTERPRET=1 is set in this shell, so kernels would run on the CPU"
        return no(found, "unset TRITON_INTERPRET")
    reply = machine["triton_gpu"]
    if reply["state"] == "answered" and reply["right"]:
        return yes(f"triton {reply['version']} compiles a small kernel and runs it on the GPU")
    reinstall = pip(system, f"--force-reinstall {TRITON}")
    if reply["state"] == "answered":
        return no(f"triton {reply['version']} computed wrong values on the GPU", reinstall)
    if reply["state"] == "missing" and reply["module"] == "triton":
        missing = no("Triton is not installed in this Python", pip(system, TRITON))
        return triton_unsupported(system) or missing
    heard = reply.get("error", "") + reply.get("heard", "")
    if "Failed to find C compiler" in heard:
        return no("Triton needs a C compiler, and there is none", "install gcc (Debian and Ubuntu: apt install gcc)")
    if "Python.h" in heard:
        step = "install Python's headers (Debian and Ubuntu: apt install python3-dev)"
        return no("Triton needs Python's C headers, and Python.h is missing", step)
    return no(f"Triton does not run on the GPU: {in_words(reply)}", reinstall)


def nvcc(machine: Machine) -> Verdict:
    """Whether nvcc builds a program, which needs no GPU."""
    reply, system = machine["nvcc"], machine["system"]
    if reply["state"] == "missing" and "path" not in reply:
        if system["os"] == "macOS":
            return no("NVIDIA's compiler does not exist for macOS", LINUX_STEP)
        wheels = system["os"] == "Linux" and system["machine"] == "x86_64"
        return no("nvcc is not installed", pip(system, NVCC) if wheels else f"install the CUDA toolkit ({CUDA_PAGE})")
    if reply["state"] == "ended" and reply["status"] == 0:
        library = machine["libcuda"]
        old = f"; to run, it needs a newer driver than this one (CUDA up to {library.get('cuda')})"
        return yes(f"nvcc {reply['version']} builds a program{old if is_older(library, reply['version']) else ''}")
    return no(f"nvcc {reply['version']} does not build a program: {in_words(reply)}", mend_nvcc(reply, system))


def mend_nvcc(reply: Reply, system: Reply) -> str:
    """The next step for an nvcc that builds nothing."""
    heard = reply.get("heard", "")
    if system["os"] == "Windows":
        return "install the C++ tools of Visual Studio, and run this in their own command prompt"
    if "unsupported GNU version" in heard or "unsupported clang version" in heard:
        return "install an older g++ beside this one, and name it: nvcc -ccbin g++-VERSION"
    if any(name in heard for name in ("g++", "gcc", "cc1plus")):
        return "install g++ (Debian and Ubuntu: apt install g++)"
    if "nvidia" in Path(reply["path"]).parts:
        return pip(system, f"--force-reinstall {NVCC}")
    return f"install the CUDA toolkit anew ({CUDA_PAGE})"


def ncu(machine: Machine) -> Verdict:
    """Whether Nsight Compute may count on this GPU; it is tried on a kernel of PyTorch's."""
    first = driver(machine)
    if not first.can:
        return needs("driver", first)
    reply = machine["ncu"]
    if reply["state"] == "missing":
        return no("Nsight Compute (ncu) is not installed", f"install it, alone or with the CUDA toolkit ({NCU_PAGE})")
    torch = torch_cuda(machine)
    if not torch.can:
        return needs("torch-cuda", torch)
    counted = machine["ncu_counts"]
    heard = counted.get("heard", "")
    if "ERR_NVGPUCTRPERM" in heard:
        found = "the driver keeps the GPU's counters from this user (ERR_NVGPUCTRPERM)"
        return no(found, permission(machine["system"]))
    if NCU_METRIC in heard and "==ERROR==" not in heard:
        return yes(f"Nsight Compute {reply['version']} counts instructions on the GPU")
    return no(f"Nsight Compute {reply['version']} counts nothing: {in_words(counted)}", f"update it ({NCU_PAGE})")


def permission(system: Reply) -> str:
    """The next step where the counters are forbidden."""
    if system["os"] == "Windows" or system["wsl"]:
        return f"in Windows, let the NVIDIA Control Panel give all users access to the counters ({COUNTERS_PAGE})"
    if system["container"]:
        return f"start the container with --cap-add=SYS_ADMIN ({COUNTERS_PAGE})"
    return f"run it as root, or have the administrator allow it ({COUNTERS_PAGE})"
