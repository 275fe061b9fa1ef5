"""gpu.doctor with faked probes: what runs, and how the report, its JSON and its exit status say so."""

import json
from typing import Any

import pytest

from gpu.doctor.checks import CHECKS, WAYS, check
from gpu.doctor.cli import main
from gpu.doctor.machine import Machine
from tests.gpu.doctor_facts import (
    BARE,
    H200,
    INSTALL_TORCH,
    LIBRARY,
    LINUX,
    NO_LIBRARY,
    SMI,
    SMI_MISSING,
    TORCH,
    WITH_GPU,
    Facts,
    fake,
)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("python", "version 3.11.7"),
        ("torch-cpu", "torch 2.13.0 multiplies two 8 x 8 matrices"),
        ("triton-interpreter", "triton 3.7.1 runs a small kernel on the CPU"),
        ("bench-verify", "the tiled kernel is right on the CPU"),
        ("opencl", "pyopencl 2026.1.4 runs a small kernel on Oclgrind Simulator"),
        ("oclgrind", "pyopencl finds the simulator"),
        ("driver", "driver 580.159.04 (CUDA up to 13.0); NVIDIA H200, compute capability 9.0"),
        ("torch-cuda", "torch 2.13.0 multiplies two 8 x 8 matrices on NVIDIA H200"),
        ("triton-compiled", "triton 3.7.1 compiles a small kernel and runs it on the GPU"),
        ("nvcc", "nvcc 13.0 builds a program"),
        ("bench", "the tiled kernel is right on the GPU, and was timed"),
        ("ncu", "Nsight Compute 2025.3.1.0 counts instructions on the GPU"),
    ],
)
def test_where_everything_is_installed_everything_can_run(name: str, found: str) -> None:
    one = check(name, fake(WITH_GPU))

    assert (one.can, one.found, one.next, one.after) == (True, found, "", "")


@pytest.mark.parametrize(
    ("name", "changes", "found"),
    [
        ("torch-cpu", {"torch_cpu": {**TORCH, "numpy": False}},
         "torch 2.13.0 multiplies two 8 x 8 matrices; it warns that NumPy is missing"),
        ("driver", {"smi": {**SMI, "gpus": [H200, H200, H200]}},
         "driver 580.159.04 (CUDA up to 13.0); NVIDIA H200, compute capability 9.0, and 2 more"),
        ("driver", {"libcuda": {"state": "ended", "status": -11, "words": "", "heard": ""}},
         "driver 580.159.04; NVIDIA H200, compute capability 9.0"),
        ("driver", {"smi": SMI_MISSING},
         "a driver for CUDA up to 13.0; its own library finds a GPU, nvidia-smi does not"),
        ("oclgrind", {"opencl": {"state": "missing", "module": "pyopencl"}}, "the oclgrind program starts"),
        ("nvcc", {"libcuda": {**LIBRARY, "cuda": "12.4"}},
         "nvcc 13.0 builds a program; to run, it needs a newer driver than this one (CUDA up to 12.4)"),
        ("nvcc", {"libcuda": NO_LIBRARY}, "nvcc 13.0 builds a program"),
        ("torch-cuda", {"system": {**LINUX, "hidden": "0"}},
         "torch 2.13.0 multiplies two 8 x 8 matrices on NVIDIA H200"),
    ],
)  # fmt: skip
def test_what_runs_all_the_same_says_what_is_odd(name: str, changes: Facts, found: str) -> None:
    one = check(name, fake(WITH_GPU, **changes))

    assert (one.can, one.found) == (True, found)


def test_the_report_names_a_next_step_once(capsys: pytest.CaptureFixture[str]) -> None:
    status = main([], fake(BARE))

    out = capsys.readouterr().out
    assert status == 0
    assert out.startswith("Linux on x86_64, Python 3.11.7 at /lab/bin/python\n\n1. PyTorch on the CPU\n")
    assert "   yes  Python: version 3.11.7.\n" in out
    assert "   no   PyTorch on the CPU: PyTorch is not installed in this Python.\n" in out
    assert f"        next: {INSTALL_TORCH}\n" in out
    assert "   no   Triton's interpreter: needs PyTorch on the CPU first (see above).\n" in out
    assert out.count("next: go on with the ways that need no GPU") == 1
    assert out.endswith("\n1 of 12 can run here.\n")


def test_named_checks_are_made_alone_and_give_the_exit_status(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["python"], fake({"system": LINUX})) == 0
    assert main(["torch-cpu", "python"], fake(BARE)) == 1
    assert main(["bench"], fake(BARE)) == 1

    out = capsys.readouterr().out
    assert "   no   kernel-bench, measuring: no NVIDIA GPU and no driver is visible here.\n        next: go on" in out


def test_json_holds_every_check_with_its_step(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--json"], fake(BARE))

    told = json.loads(capsys.readouterr().out)
    assert told["format"] == "gpu-lab doctor 1"
    assert told["system"]["os"] == "Linux"
    assert [one["name"] for one in told["checks"]] == list(CHECKS)
    assert told["checks"][1] == {
        "name": "torch-cpu", "title": "PyTorch on the CPU", "can": False, "after": "",
        "found": "PyTorch is not installed in this Python", "next": INSTALL_TORCH,
    }  # fmt: skip
    assert all(one["next"] for one in told["checks"] if not one["can"])


def test_an_unknown_check_is_refused_with_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["cuda"], fake(BARE))

    assert stop.value.code == 2
    assert "no check named 'cuda'; there are: python, torch-cpu, triton-interpreter," in capsys.readouterr().err


def test_the_four_ways_hold_every_check_once() -> None:
    assert [name for members in WAYS.values() for name in members] == list(CHECKS)


def test_ctrl_c_is_told_in_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    def stop() -> dict[str, Any]:
        raise KeyboardInterrupt

    assert main([], Machine({"system": lambda: LINUX, "torch_cpu": stop})) == 130
    assert capsys.readouterr().err == "gpu.doctor: stopped at your request\n"
