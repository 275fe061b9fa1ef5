"""sim.tl stands in for Triton only where it is asked to."""

import subprocess
import sys

import pytest

from sim.tl.api import load_kernel
from sim.tl.errors import KernelError
from tests.tl.kernels import ROOT, TEACHING
from tests.tl.processes import needs_triton


def test_loading_a_kernel_leaves_sys_modules_alone() -> None:
    before = set(sys.modules)
    load_kernel(TEACHING.read_text(encoding="utf-8"))
    assert {name for name in set(sys.modules) - before if name.startswith("triton")} == set()


def test_a_real_triton_in_the_same_process_stays_what_it_is() -> None:
    needs_triton()
    import triton

    file = load_kernel(TEACHING.read_text(encoding="utf-8"))
    assert type(file.kernels["matmul_kernel"]).__module__ == "sim.tl.jit"
    assert sys.modules["triton"] is triton
    assert not triton.__name__.startswith("sim")


def test_two_files_have_nothing_in_common() -> None:
    source = TEACHING.read_text(encoding="utf-8")
    first, second = load_kernel(source), load_kernel(source)
    assert first.machine is not second.machine
    assert first.module.tl is not second.module.tl


def test_import_needs_no_package_and_starts_no_thread() -> None:
    code = (
        "import sys, threading; sys.path.insert(0, '.'); import sim.tl.cli\n"
        "foreign = {'numpy', 'torch', 'triton', 'subprocess', 'multiprocessing'} & set(sys.modules)\n"
        "print(sorted(foreign), threading.active_count())"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert done.stdout == "[] 1\n"


def test_a_kernel_cannot_be_called_outside_of_a_launch() -> None:
    file = load_kernel("import triton\n\n@triton.jit\ndef kernel(x):\n    pass\n")
    with pytest.raises(KernelError, match=r"launch it as kernel\[grid\]"):
        file.kernels["kernel"](1)
