"""Asked by the doctor with TRITON_INTERPRET unset: the same kernel, compiled for the GPU."""

import runpy
from pathlib import Path


def answer():
    """A dict for the doctor; raises whatever Triton raises."""
    return runpy.run_path(str(Path(__file__).with_name("triton_cpu.py")))["answer"]("cuda")
