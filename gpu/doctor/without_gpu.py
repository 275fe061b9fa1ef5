"""The checks that need no GPU: Python, PyTorch on the CPU, Triton's interpreter, OpenCL and its simulator."""

from __future__ import annotations

from gpu.doctor.asking import Reply, in_words
from gpu.doctor.machine import Machine
from gpu.doctor.record import NUMPY, OCLGRIND, TORCH, TRITON, Verdict, needs, no, pip, yes

OLDEST_PYTHON, NEWEST_WHEELS = (3, 11), (3, 14)  # the repository's, and PyTorch 2.13.0's
WSL_STEP = "install WSL (in PowerShell: wsl --install) and do this inside it"
LINUX_STEP = "do this inside a Linux container or virtual machine"
REDISTRIBUTABLE = "install Microsoft's Visual C++ Redistributable (x64), then start a new terminal"


def python(machine: Machine) -> Verdict:
    """Whether this Python runs the repository."""
    system = machine["system"]
    version = system["python"]
    if release(version) < OLDEST_PYTHON:
        found = f"version {version}; the repository needs 3.11 or newer"
        return no(found, "install Python 3.11 or newer, and run this again with it")
    if system["bits"] != 64:
        found = f"version {version}, a {system['bits']}-bit program, for which PyTorch has no wheel"
        return no(found, "install a 64-bit Python, and run this again with it")
    return yes(f"version {version}")


def release(version: str) -> tuple[int, ...]:
    """(3, 11) of "3.11.7"."""
    return tuple(int(part) for part in version.split(".")[:2])


def torch_cpu(machine: Machine) -> Verdict:
    """Whether PyTorch multiplies on the CPU."""
    reply, system = machine["torch_cpu"], machine["system"]
    if reply["state"] == "answered":
        if not reply["right"]:
            found = f"torch {reply['version']} computed a wrong 8 x 8 product"
            return no(found, pip(system, f"--force-reinstall {TORCH}"))
        warning = "" if reply["numpy"] else "; it warns that NumPy is missing"
        return yes(f"torch {reply['version']} multiplies two 8 x 8 matrices{warning}")
    if reply["state"] == "missing" and reply["module"] == "torch":
        return torch_missing(machine)
    return no(f"PyTorch is installed but does not start: {in_words(reply)}", mend_torch(reply, system))


def torch_missing(machine: Machine) -> Verdict:
    """What to do about a PyTorch that is not installed."""
    system = machine["system"]
    this = python(machine)
    if not this.can:
        return needs("python", this)
    if system["os"] == "macOS" and system["machine"] == "x86_64":
        return no("PyTorch 2.13.0 is not installed, and has no wheel for a Mac with an Intel processor", LINUX_STEP)
    if release(system["python"]) > NEWEST_WHEELS:
        found = f"PyTorch 2.13.0 is not installed, and has no wheel for Python {system['python']}"
        return no(found, "run this again with Python 3.11 to 3.14")
    return no("PyTorch is not installed in this Python", pip(system, TORCH))


def mend_torch(reply: Reply, system: Reply) -> str:
    """The next step for a PyTorch that does not start."""
    error = reply.get("error", "")
    if system["os"] == "Windows" and ("DLL" in error or "WinError 126" in error):
        return REDISTRIBUTABLE
    if error.startswith("AttributeError") and "'torch' has no attribute" in error:
        return "rename the file or folder named torch that Python finds before PyTorch, often in the current folder"
    if reply["state"] == "silent":
        return "run this again; a first start from a slow disk can take minutes"
    return pip(system, f"--force-reinstall {TORCH}")


def triton_interpreter(machine: Machine) -> Verdict:
    """Whether Triton's interpreter runs a kernel on the CPU."""
    reply, system = machine["triton_cpu"], machine["system"]
    if reply["state"] == "answered":
        if reply["right"]:
            return yes(f"triton {reply['version']} runs a small kernel on the CPU")
        return no(f"triton {reply['version']} computed wrong values", pip(system, f"--force-reinstall {TRITON}"))
    lacking = reply["module"] if reply["state"] == "missing" else ""
    unsupported = triton_unsupported(system)
    if lacking in ("triton", "torch") and unsupported:
        return unsupported
    first = torch_cpu(machine)
    if not first.can:
        return needs("torch-cpu", first)
    if lacking == "triton":
        return no("Triton is not installed in this Python", pip(system, TRITON))
    if lacking == "numpy":
        return no("NumPy is not installed, and the interpreter computes with it", pip(system, NUMPY))
    return no(f"Triton does not run on the CPU: {in_words(reply)}", pip(system, f"--force-reinstall {TRITON}"))


def triton_unsupported(system: Reply) -> Verdict | None:
    """What to do where Triton has no wheels; None where it has."""
    if system["os"] == "Windows":
        return no("Triton has no wheels for Windows", WSL_STEP)
    if system["os"] == "macOS":
        return no("Triton has no wheels for macOS", LINUX_STEP)
    if system["machine"] not in ("x86_64", "aarch64"):
        return no(f"Triton has no wheels for {system['machine']}", "use a computer with an x86-64 or ARM64 processor")
    return None


def opencl(machine: Machine) -> Verdict:
    """Whether Python reaches an OpenCL device."""
    reply, system = machine["opencl"], machine["system"]
    if reply["state"] == "missing" and reply["module"] in ("pyopencl", "numpy"):
        name = {"pyopencl": "pyopencl", "numpy": "NumPy"}[reply["module"]]
        return no(f"{name} is not installed in this Python", opencl_step(system))
    if reply["state"] != "answered":
        step = pip(system, f"--force-reinstall {OCLGRIND.split()[0]} {NUMPY}")
        return no(f"OpenCL does not start: {in_words(reply)}", step)
    if "device" not in reply:
        simulator = works(machine["oclgrind"])
        step = "put the simulator before the command: oclgrind python PROGRAM" if simulator else opencl_step(system)
        return no(f"pyopencl {reply['version']} finds no OpenCL device", step)
    if not reply["right"]:
        return no(f"{reply['device']} computed wrong values", "name another device in the variable PYOPENCL_CTX")
    return yes(f"pyopencl {reply['version']} runs a small kernel on {reply['device']}")


def opencl_step(system: Reply) -> str:
    """How to get pyopencl and a device: the simulator where it has a wheel."""
    if system["os"] == "Linux" and system["machine"] == "x86_64":
        return pip(system, f"{OCLGRIND} {NUMPY}")
    if system["os"] == "Linux":
        return "install your distribution's packages (Debian and Ubuntu: apt install oclgrind python3-pyopencl)"
    return WSL_STEP if system["os"] == "Windows" else LINUX_STEP


def oclgrind(machine: Machine) -> Verdict:
    """Whether Oclgrind is there, as a device of pyopencl's or as a program."""
    reply, program = machine["opencl"], machine["oclgrind"]
    names = [one["name"] for one in reply.get("platforms", [])]
    if any("oclgrind" in name.lower() for name in names):
        return yes("pyopencl finds the simulator")
    if works(program):
        return yes("the oclgrind program starts")
    return no("Oclgrind is not installed", opencl_step(machine["system"]))


def works(program: Reply) -> bool:
    """Whether a program ran and said that all was well."""
    return program["state"] == "ended" and bool(program["status"] == 0)
