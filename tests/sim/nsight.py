"""Nsight Compute's occupancy calculator beside `sim.occupancy`: where it is, and where the two disagree."""

import itertools
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sim.gpus import CAPABILITIES, Capability
from sim.occupancy import resident_blocks

Answers = dict[str, dict[str, Any] | None]

# The calculator's name of a limit, and ours.
LIMITS = {
    "threads_per_warp": "warp",
    "max_threads_per_sm": "threads",
    "max_thread_blocks_per_sm": "blocks",
    "smem_per_sm": "shared_bytes",
    "shared_mem_allocation_unit_size": "shared_unit",
    "registers_per_sm": "registers",
    "max_regs_per_thread": "thread_registers",
    "reg_allocation_unit_size": "register_unit",
    "max_thread_block_size": "block_threads",
}
PLACES = (
    "/opt/nvidia/nsight-compute/*/extras/python",
    "/usr/local/cuda*/nsight-compute-*/extras/python",
    "/usr/lib/nsight-compute/extras/python",
)


def calculator_folder() -> Path | None:
    """The folder of NVIDIA's module `ncu_occupancy`: of the Nsight Compute that a shell finds, else of the newest."""
    return next((folder for folder in _folders() if list(folder.glob("ncu_occupancy.*"))), None)


def _folders() -> Iterator[Path]:
    program = shutil.which("ncu")
    if program:  # the program itself, or a script in the toolkit's or the environment's bin
        for parent in Path(program).resolve().parents:
            yield parent / "extras" / "python"
            yield from sorted(parent.glob("nsight-compute-*/extras/python"), reverse=True)
    for place in PLACES:
        yield from sorted(Path("/").glob(place.lstrip("/")), reverse=True)


def launches(capability: Capability) -> list[tuple[int, int, int]]:
    """(threads, registers of each, shared bytes) that a block may ask for, many with room for none."""
    threads = (32, 64, 96, 128, 160, 256, 384, 512, 1024)
    registers = (16, 33, 40, 64, 65, 96, 128, 168, 255)
    shared = (0, 1, 1024, 6144, 18_432, 32_768, 49_152, 65_536, 98_304, 101_376, 166_912, 232_448)
    fitting = [amount for amount in shared if amount <= capability.block_shared_bytes]
    return list(itertools.product(threads, registers, fitting))


def ask_calculator(folder: Path) -> Answers:
    """What the calculator in a folder says of every capability; a fault of it comes with its own words."""
    asked = {"launches": {name: launches(capability) for name, capability in CAPABILITIES.items()}}
    path = os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")]))
    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("nsight_referee.py"))],
        input=json.dumps(asked), capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip
    assert done.returncode == 0, f"Nsight Compute's calculator in {folder} failed: {done.stderr}"
    told: Answers = json.loads(done.stdout)
    return told


def disagreements(capability: Capability, told: dict[str, Any]) -> list[str]:
    """Where it and `sim` differ, one sentence each."""
    found = [
        f"{name}: sim has {getattr(capability, ours)}, Nsight Compute {told['limits'][name]}"
        for name, ours in LIMITS.items()
        if told["limits"][name] != getattr(capability, ours)
    ]
    asked = launches(capability)
    for launch, blocks in zip(asked, told["blocks"], strict=True):
        ours = resident_blocks(capability, *launch).blocks
        if blocks != ours:
            found.append(f"{launch}: sim has {ours}, Nsight Compute {blocks}")
    return found
