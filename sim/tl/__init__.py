"""Triton's language in plain Python: runs the text of a kernel file as it stands, and tells what each line did.

``run_matmul`` runs a matrix product, ``run`` any kernel; both give a ``Run``: the steps of one program, reports, counts
for all programs, and the arrays afterwards. ``sim.tl.schema`` describes its JSON, ``sim.tl.faults`` breaks the teaching
kernel on purpose, ``sim.tl.cli`` is `python -m sim kernel`. Standard library only; Triton 3.7's behaviour.
"""

import sim.tl.arithmetic  # isort: skip  # noqa: F401  (first: tiles and their operators need each other)
from sim.tl.api import KernelFile, Run, load_kernel, run
from sim.tl.matmul import run_matmul, wrong_outputs
from sim.tl.memory import Array

__all__ = ["Array", "KernelFile", "Run", "load_kernel", "run", "run_matmul", "wrong_outputs"]
