"""What the compiled code shows: which matrix instruction is there, registers, spills and shared memory."""

import re
from pathlib import Path
from typing import Any

INSTRUCTIONS = ("wgmma.mma_async", "mma.sync", "tcgen05.mma", "fma.rn.f32", "cp.async.bulk.tensor")
MEANING = (
    "the instruction is in the compiled code, so this path is taken; "
    "it does not show that the chip's matrix units are busy"
)


def counts(ptx: str) -> dict[str, int]:
    """How often each instruction of interest stands in the PTX (not how often it runs); absent ones are left out."""
    found = {name: len(re.findall(rf"(?<![\w.]){re.escape(name)}\b", ptx)) for name in INSTRUCTIONS}
    return {name: count for name, count in found.items() if count}


def sentence(found: dict[str, int]) -> str:
    """The report's sentence about the matrix instruction."""
    matrix = [f"{name} ({found[name]} in the code)" for name in INSTRUCTIONS[:3] if name in found]
    if matrix:
        return f"matrix instruction: {' and '.join(matrix)}; {MEANING}"
    return "no matrix instruction (mma.sync, wgmma) in the code: the products are ordinary multiply-adds"


def resources(compiled: Any) -> dict[str, Any]:
    """Registers a thread, spilled registers, shared bytes and threads of one compiled kernel."""
    compiled._init_handles()
    return {
        "kernel": compiled.metadata.name,
        "registers": compiled.n_regs,
        "spills": compiled.n_spills,
        "shared_bytes": compiled.metadata.shared,
        "threads": 32 * compiled.metadata.num_warps,
        "instructions": counts(compiled.asm["ptx"]),
    }


def save(compiled: list[Any], folder: Path, stem: str) -> list[str]:
    """Write each kernel's PTX as STEM-KERNEL.ptx into the folder; returns the file names."""
    folder.mkdir(parents=True, exist_ok=True)
    names = []
    for kernel in compiled:
        name = f"{stem}-{kernel.metadata.name}.ptx"
        (folder / name).write_text(kernel.asm["ptx"], encoding="utf-8")
        names.append(name)
    return names
