"""What the numbers were measured on: device, driver, versions, clocks."""

import platform
import subprocess
from datetime import UTC, datetime
from typing import Any

import torch
import triton

CLOCK_FIELDS = {
    "clocks.sm": "sm_mhz", "clocks.mem": "memory_mhz", "power.draw": "power_w", "temperature.gpu": "temperature_c"
}  # fmt: skip


def smi(fields: list[str]) -> list[str] | None:
    """Values that nvidia-smi prints for the first GPU; None when it cannot be asked."""
    command = ["nvidia-smi", f"--query-gpu={','.join(fields)}", "--format=csv,noheader,nounits", "--id=0"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=20, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return [value.strip() for value in done.stdout.strip().split(",")]


def clocks() -> dict[str, float | None]:
    """Clocks, power and temperature now; null where the driver does not say."""
    values = smi(list(CLOCK_FIELDS))
    if values is None:
        return dict.fromkeys(CLOCK_FIELDS.values())
    return {name: number(value) for name, value in zip(CLOCK_FIELDS.values(), values, strict=True)}


def number(text: str) -> float | None:
    """A float, or None for words such as [N/A]."""
    try:
        return float(text)
    except ValueError:
        return None


def provenance(command: str, seed: int) -> dict[str, Any]:
    """Everything a stored result must say about where it comes from."""
    properties = torch.cuda.get_device_properties(0)
    driver = smi(["driver_version"])
    return {
        "device": {
            "name": properties.name,
            "capability": f"{properties.major}.{properties.minor}",
            "multiprocessors": properties.multi_processor_count,
            "memory_bytes": properties.total_memory,
            "l2_bytes": properties.L2_cache_size,
        },
        "driver": driver[0] if driver else None,
        "versions": {
            "python": platform.python_version(),
            "torch": torch.__version__,
            "triton": triton.__version__,
            "cuda": torch.version.cuda,
        },
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "command": command,
        "seed": seed,
    }
