"""Where a measurement comes from: the device, the versions, the date and the command."""

import hashlib
import importlib.metadata
import platform
import re
import shlex
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from gpu.counters.profiler import Unmeasured, run, tool

FIELDS = ("name", "compute_cap", "driver_version")


def device() -> dict[str, str]:
    """The first GPU's name, compute capability and driver version; Unmeasured when there is none."""
    try:
        text = query(*FIELDS)
    except Unmeasured as error:
        raise Unmeasured(f"no NVIDIA GPU can be used here: {error}") from error
    name, capability, driver = (field.strip() for field in text.splitlines()[0].split(","))
    return {"device": name, "compute_capability": capability, "driver": driver}


def clocks_mhz() -> dict[str, int]:
    """The clocks as they are now; they are read, never set."""
    sm, memory = query("clocks.sm", "clocks.mem").splitlines()[0].split(",")
    return {"sm": int(sm), "memory": int(memory)}


def query(*fields: str) -> str:
    """What the driver's own tool says, a line for each GPU; it is only asked, nothing is set."""
    return run(["nvidia-smi", f"--query-gpu={','.join(fields)}", "--format=csv,noheader,nounits"], "asking the driver")


def versions() -> dict[str, str | None]:
    """Of everything that has a say in the numbers; None for a Python package that is not installed."""
    return {
        "cuda_toolkit": _version(run([tool("nvcc"), "--version"], "asking nvcc"), r"release ([\d.]+)"),
        "nsight_compute": _version(run([tool("ncu"), "--version"], "asking ncu"), r"Version ([\d.]+)"),
        "python": platform.python_version(),
        "torch": _package("torch"),
        "triton": _package("triton"),
    }


def provenance(command: Sequence[str], source: Path) -> dict[str, object]:
    """Everything above, the UTC time, the command and the program's checksum."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": shlex.join(command),
        **device(),
        "versions": versions(),
        "source": {"file": source.as_posix(), "sha256": hashlib.sha256(source.read_bytes()).hexdigest()},
        "clock_control": "none",
        "cache_control": "flushed before every profiled pass",
        "clocks_mhz": {"start": clocks_mhz()},
    }


def _version(text: str, pattern: str) -> str:
    found = re.search(pattern, text)
    return found[1] if found else text.strip().splitlines()[-1]


def _package(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None
