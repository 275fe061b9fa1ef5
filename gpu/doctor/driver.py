"""The check that all others of a GPU wait for: an NVIDIA GPU, and a driver that answers."""

from __future__ import annotations

from gpu.doctor.asking import Reply, in_words
from gpu.doctor.machine import Machine
from gpu.doctor.record import DRIVER_PAGE, WSL_PAGE, Verdict, no, yes

NO_GPU = "go on with the ways that need no GPU, or use a computer, a notebook service or a rented machine with one"
UPDATE = f"update the NVIDIA driver ({DRIVER_PAGE})"
NO_DEVICE, MISMATCH = 100, 803  # CUDA's own numbers for the two


def driver(machine: Machine) -> Verdict:
    """Whether there is an NVIDIA GPU with a driver that answers."""
    system, smi, library = machine["system"], machine["smi"], machine["libcuda"]
    if smi.get("gpus"):
        first = smi["gpus"][0]
        more = f", and {len(smi['gpus']) - 1} more" if len(smi["gpus"]) > 1 else ""
        upto = f" (CUDA up to {library['cuda']})" if library.get("library") else ""
        return yes(f"driver {first['driver']}{upto}; {first['name']}, compute capability {first['capability']}{more}")
    if library.get("gpus"):
        return yes(f"a driver for CUDA up to {library['cuda']}; its own library finds a GPU, nvidia-smi does not")
    if system["os"] == "macOS":
        return no("macOS has no NVIDIA driver and no CUDA", NO_GPU)
    if smi["state"] == "missing" and not library.get("library"):
        return no_driver(system)
    return broken(smi, library)


def broken(smi: Reply, library: Reply) -> Verdict:
    """What to do about a driver that is installed and shows no GPU."""
    heard, code = smi.get("heard", ""), library.get("error")
    if "version mismatch" in heard or code == MISMATCH:
        return no("the driver's library and its kernel module are of two versions", "restart the computer")
    answered = smi["state"] == "ended" and smi["status"] == 0
    if answered or "No devices were found" in heard or code == NO_DEVICE:
        return no("the driver is installed and finds no NVIDIA GPU", NO_GPU)
    words = f"CUDA error {code}" if smi["state"] == "missing" else in_words(smi)
    return no(f"the NVIDIA driver does not answer: {words}", f"install the NVIDIA driver anew ({DRIVER_PAGE})")


def no_driver(system: Reply) -> Verdict:
    """What to do where nothing of a driver is installed."""
    if system["wsl"]:
        step = f"in Windows, not in WSL, install NVIDIA's driver; then wsl --update and wsl --shutdown ({WSL_PAGE})"
        return no("WSL shows no NVIDIA GPU", step)
    if system["container"]:
        step = "start the container with the GPU (docker run --gpus all), on a computer that has one"
        return no("no NVIDIA GPU is visible in this container", step)
    if system["hardware"]:
        return no("there is an NVIDIA GPU, and no driver for it", f"install the NVIDIA driver ({DRIVER_PAGE})")
    return no("no NVIDIA GPU and no driver is visible here", NO_GPU)
