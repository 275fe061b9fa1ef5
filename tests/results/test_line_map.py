"""The stored line map of the teaching kernel: from today's file, and what the real compiler makes of it today."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from gpu.bench.line_map import instructions
from tests.tl.processes import needs_triton

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "gpu" / "compiled"
MATRIX = ("mma.sync.", "wgmma.mma_async.")
PTX = """
.visible .entry kernel(
)
{
	.reg .b32 	%r<9>;
	.loc	1 2 0                           // kernel.py:2:0
// %bb.0:
	ld.param.b32 	%r1, [kernel_param_0];
$L__tmp0:
	.loc	2 43 17                         // standard.py:43:17 @[ kernel.py:3:25 ]
	add.s32 	%r2, %r1, 15;
	.loc	2 43 17                         // standard.py:43:17 @[ other.py:9:1 @[ kernel.py:4:25 ] ]
	add.s32 	%r3, %r1, 15;
	@%p1 bra 	$L__BB0_2;
$L__BB0_1:                              // =>This Inner Loop Header: Depth=1
	.loc	1 6 9                           // kernel.py:6:9
	// begin inline asm
	mma.sync.aligned.m16n8k16.row { %r1, %r2 },   { %r3 };
	// end inline asm
	.loc	1 0 0                           // kernel.py:0
	mov.b32 	%r4, 0;
	@%p2 bra 	$L__BB0_1;
$L__BB0_2:
	.loc	1 7 1                           // kernel.py:7:1
	ret;
}
	.file	1 "kernel.py"
"""


@pytest.fixture(scope="module")
def stored() -> Any:
    return json.loads((FOLDER / "teaching-lines.json").read_text(encoding="utf-8"))


def test_it_fits_its_schema(stored: Any):
    schema = json.loads((FOLDER / "schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(stored, schema)


def test_it_was_made_from_todays_kernel(stored: Any):
    source = stored["source"]
    assert hashlib.sha256((ROOT / source["file"]).read_bytes()).hexdigest() == source["sha256"]


def test_the_compiler_makes_the_same_of_it_today(stored: Any, tmp_path: Path):
    needs_triton()
    output = tmp_path / "teaching-lines.json"
    environment = {name: value for name, value in os.environ.items() if name != "TRITON_INTERPRET"}
    environment |= {"TRITON_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, "-m", "gpu.bench.line_map", "--output", str(output)]
    subprocess.run(command, cwd=ROOT, env=environment, check=True, timeout=600)
    fresh = json.loads(output.read_text(encoding="utf-8"))
    varying = ("date", "command")
    assert fresh["versions"] | {"python": ""} == stored["versions"] | {"python": ""}
    assert {**fresh, "versions": {}} | dict.fromkeys(varying) == {**stored, "versions": {}} | dict.fromkeys(varying)


def test_the_matrix_instruction_stands_in_the_line_of_tl_dot_and_in_the_loop(stored: Any):
    lines = (ROOT / "gpu" / "teaching.py").read_text(encoding="utf-8").splitlines()
    for row in stored["rows"]:
        found = {(line, place) for line, place, text in row["instructions"] if text.startswith((*MATRIX, "fma."))}
        assert len(found) == 1
        [(line, place)] = found
        assert "tl.dot(" in lines[line - 1] and place == "loop"


def test_there_are_as_many_matrix_instructions_as_the_tile_has_parts_for_a_warp(stored: Any):
    """m16n8k16 by one warp of four: 4 · 8 · 2 / 4 = 16 of 64 × 64 × 32; m16n8k8: 32; m64n64k16 by all four: 2."""
    counted = [sum(text.startswith(MATRIX) for _, _, text in row["instructions"]) for row in stored["rows"]]
    assert counted == [1, 16, 32, 1, 2, 2, 0]


def test_registers_and_shared_memory_are_what_a_gpu_found_of_the_same_configuration(stored: Any):
    """The H200's driver counted them when it loaded the kernel; nothing was loaded for the line map."""
    measured = json.loads((ROOT / "gpu" / "results" / "h200-compiled.json").read_text(encoding="utf-8"))["rows"]
    same = {"BM": 64, "BN": 64, "BK": 32, "num_stages": 3, "num_warps": 4}
    [loaded] = [row for row in measured if row.items() >= same.items()]
    [mapped] = [row for row in stored["rows"] if (row["arch"], row["BM"], row["multiples_of_16"]) == (90, 64, True)]
    assert (mapped["registers"], mapped["shared_bytes"]) == (loaded["registers"], loaded["shared_bytes"]) == (60, 24576)


def test_copies_without_waiting_need_sizes_that_are_multiples_of_16(stored: Any):
    for row in stored["rows"]:
        copies = [place for _, place, text in row["instructions"] if text.startswith(("cp.async.ca", "cp.async.cg"))]
        assert set(copies) == ({"before", "loop"} if row["multiples_of_16"] else set())


def test_a_line_is_the_kernels_own_also_for_what_was_inlined():
    assert instructions(PTX, "kernel.py") == [
        (2, "before", "ld.param.b32 %r1, [kernel_param_0]"),
        (3, "before", "add.s32 %r2, %r1, 15"),
        (4, "before", "add.s32 %r3, %r1, 15"),
        (4, "before", "@%p1 bra $L__BB0_2"),
        (6, "loop", "mma.sync.aligned.m16n8k16.row { %r1, %r2 }, { %r3 }"),
        (0, "loop", "mov.b32 %r4, 0"),
        (0, "loop", "@%p2 bra $L__BB0_1"),
        (7, "after", "ret"),
    ]


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("bra \t$L__BB0_1", "bra \t$L__BB0_2", "there is no loop"),
        ("// kernel.py:6:9", "// another.py:6:9", "names no line of kernel.py"),
        ("\t.loc\t1 2 0                           // kernel.py:2:0\n", "", "no .loc before 'ld.param"),
    ],
)
def test_code_that_cannot_be_mapped_is_refused_in_words(before: str, after: str, told: str):
    assert PTX.count(before) == 1
    with pytest.raises(ValueError, match=told):
        instructions(PTX.replace(before, after), "kernel.py")
