"""Every kernel that the site shows compiles with the real Triton, to the instruction that the pages name. No GPU.

Registers are those of the machine code, as `cuobjdump` of Triton's wheel reads them; shared bytes are the compiler's.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.tl.kernels import ROOT, TEACHING
from tests.tl.processes import ask, needs_triton

POINTERS = ("a_ptr", "b_ptr", "c_ptr")


def teaching(arch: int, dtype: str, tile: tuple[int, int, int], divisible: bool = True) -> dict[str, Any]:
    constants: dict[str, Any] = {**dict(zip(("BM", "BN", "BK"), tile, strict=True)), "GROUP_M": 8}
    constants |= {"INPUT_PRECISION": "tf32", "WIDE_OFFSETS": False}
    kinds = {"a_ptr": f"*{dtype}", "b_ptr": f"*{dtype}", "c_ptr": "*fp32", "M": "i32", "N": "i32", "K": "i32"}
    return {
        "path": str(TEACHING), "kernel": "matmul_kernel", "arch": arch, "full": True, "constexprs": constants,
        "signature": {**kinds, **dict.fromkeys(constants, "constexpr")},
        "divisible": [*POINTERS, "M", "N", "K"] if divisible else [], "options": {"num_warps": 4, "num_stages": 3},
    }  # fmt: skip


def plain(arch: int, name: str, kernel: str, pointers: dict[str, str], constants: dict[str, Any]) -> dict[str, Any]:
    return {
        "path": str(ROOT / "gpu" / "ladder" / f"{name}.py"), "kernel": kernel, "arch": arch, "full": True,
        "constexprs": constants, "signature": {**pointers, **dict.fromkeys(constants, "constexpr")},
    }  # fmt: skip


SEPARATE = (
    "separate", "separate_kernel",
    {"a_ptr": "*fp16", "b_ptr": "*fp16", "c_ptr": "*fp16", "M": "i32", "N": "i32", "K": "i32"}, {"BK": 128},
)  # fmt: skip
ROW = (
    "row", "row_kernel",
    {
        "a_ptr": "*fp16", "b_ptr": "*fp16", "c_ptr": "*fp16", "partials_ptr": "*fp32", "arrivals_ptr": "*i32",
        "N": "i32", "K": "i32",
    },
    {"BN": 64, "BK": 32, "SPLIT_K": 4, "BS": 4, "WIDE_OFFSETS": False},
)  # fmt: skip


JOBS = {
    "sm_80 fp16 16": teaching(80, "fp16", (16, 16, 16)),
    "sm_80 fp16 64": teaching(80, "fp16", (64, 64, 32)),
    "sm_80 bf16 16": teaching(80, "bf16", (16, 16, 16)),
    "sm_80 fp32 64": teaching(80, "fp32", (64, 64, 32)),
    "sm_80 fp16 64 plain": teaching(80, "fp16", (64, 64, 32), divisible=False),
    "sm_90 fp16 16": teaching(90, "fp16", (16, 16, 16)),
    "sm_90 fp16 64": teaching(90, "fp16", (64, 64, 32)),
    "sm_90 bf16 64": teaching(90, "bf16", (64, 64, 32)),
    "sm_90 fp16 64 plain": teaching(90, "fp16", (64, 64, 32), divisible=False),
    "sm_80 separate": plain(80, *SEPARATE),
    "sm_90 separate": plain(90, *SEPARATE),
    "sm_80 row": plain(80, *ROW),
    "sm_90 row": plain(90, *ROW),
}


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, dict[str, Any]]:
    """What the compiler made of every job."""
    needs_triton()
    folder: Path = tmp_path_factory.mktemp("triton")
    return dict(zip(JOBS, ask("compile_worker.py", list(JOBS.values()), folder), strict=True))


def instructions(compiled: Mapping[str, dict[str, Any]], job: str) -> str:
    result = compiled[job]
    assert result["ok"], result.get("error")
    ptx: str = result["ptx"]
    return ptx


def test_every_kernel_file_that_a_page_lists_is_compiled_for_both_gpus() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "chapters").glob("*.md"))
    listed = {ROOT / file for file in re.findall(r"^```listing (gpu/\S+\.py)", text, re.MULTILINE)}
    kernels = {str(path) for path in listed if "@triton.jit" in path.read_text(encoding="utf-8")}
    compiled = {(job["path"], job["arch"]) for job in JOBS.values()}
    assert kernels
    assert {(path, arch) for path in kernels for arch in (80, 90)} <= compiled


@pytest.mark.parametrize("job", JOBS)
def test_every_shown_kernel_compiles(job: str, compiled: Mapping[str, dict[str, Any]]) -> None:
    assert "ld.global" in instructions(compiled, job) or "cp.async" in instructions(compiled, job)


@pytest.mark.parametrize(
    ("job", "instruction"),
    [
        ("sm_80 fp16 16", r"mma\.sync\.aligned\.m16n8k16\S*\.f32\.f16\.f16\.f32"),
        ("sm_80 fp16 64", r"mma\.sync\.aligned\.m16n8k16\S*\.f32\.f16\.f16\.f32"),
        ("sm_80 bf16 16", r"mma\.sync\.aligned\.m16n8k16\S*\.f32\.bf16\.bf16\.f32"),
        ("sm_80 fp32 64", r"mma\.sync\.aligned\.m16n8k8\S*\.f32\.tf32\.tf32\.f32"),
        ("sm_90 fp16 16", r"mma\.sync\.aligned\.m16n8k16"),
        ("sm_90 fp16 64", r"wgmma\.mma_async\.sync\.aligned\.m64n64k16\.f32\.f16\.f16"),
        ("sm_90 fp16 64 plain", r"wgmma\.mma_async\.sync\.aligned\.m64n64k16"),
    ],
)
def test_the_matrix_instruction_is_the_one_that_pages_name(
    job: str, instruction: str, compiled: Mapping[str, dict[str, Any]]
) -> None:
    assert re.search(instruction, instructions(compiled, job))


@pytest.mark.parametrize("job", ["sm_80 separate", "sm_90 separate", "sm_80 row", "sm_90 row"])
def test_kernels_without_a_dot_have_no_matrix_instruction(job: str, compiled: Mapping[str, dict[str, Any]]) -> None:
    assert "mma" not in instructions(compiled, job)


def test_tf32_operands_are_cut_not_rounded_by_software(compiled: Mapping[str, dict[str, Any]]) -> None:
    assert "cvt.rna.tf32" not in instructions(compiled, "sm_80 fp32 64")


@pytest.mark.parametrize(
    ("job", "registers", "shared_bytes", "matrix_instructions"),
    [
        ("sm_80 fp16 16", 36, 2048, 1),
        ("sm_80 bf16 16", 36, 2048, 1),
        ("sm_80 fp16 64", 94, 16384, 16),
        ("sm_80 fp32 64", 96, 32768, 32),
        ("sm_80 fp16 64 plain", 137, 16384, 16),
        ("sm_90 fp16 16", 29, 2048, 1),
        ("sm_90 fp16 64", 60, 24576, 2),
        ("sm_90 bf16 64", 60, 24576, 2),
        ("sm_90 fp16 64 plain", 128, 16384, 2),
        ("sm_80 separate", 28, 16, 0),
        ("sm_90 separate", 31, 16, 0),
        ("sm_80 row", 80, 512, 0),
        ("sm_90 row", 80, 512, 0),
    ],
)
def test_registers_shared_memory_and_number_of_matrix_instructions(
    job: str, registers: int, shared_bytes: int, matrix_instructions: int, compiled: Mapping[str, dict[str, Any]]
) -> None:
    found = compiled[job]
    assert (found["registers"], found["stack_bytes"], found["shared_bytes"]) == (registers, 0, shared_bytes)
    assert len(re.findall(r"(?:mma\.sync|wgmma\.mma_async)\.", instructions(compiled, job))) == matrix_instructions


def test_arguments_divisible_by_16_are_copied_asynchronously(compiled: Mapping[str, dict[str, Any]]) -> None:
    assert "cp.async" in instructions(compiled, "sm_90 fp16 64")
    assert "cp.async" not in instructions(compiled, "sm_90 fp16 64 plain")
