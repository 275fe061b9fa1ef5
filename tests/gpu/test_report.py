"""The table, the plot and the file made from one small result."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest

from gpu.bench import plot, report, session, store, timing
from gpu.bench.judge import judge
from gpu.bench.rows import base_row
from gpu.bench.shapes import KNOWN, Shape
from tests.gpu.helpers import ROOT

EXACT = {"passed": True, "largest_difference": 0.0, "unwritten_or_nan": 0, "matching_overflow": 2, "tolerance": 0}
CLOSE = {"passed": True, "error": 2e-4, "worst_element": 1e-3, "tolerance": 1e-3, "measure": "norm"}
RESOURCES = {
    "kernel": "k", "registers": 128, "spills": 0, "shared_bytes": 1024, "threads": 128, "instructions": {"mma.sync": 8}
}  # fmt: skip


@pytest.fixture
def result() -> dict[str, Any]:
    """torch, a slower kernel and a refused one on one shape."""
    shape = Shape(127, 255, 65)
    rows = [base_row(kernel, shape, "float16", "ieee") for kernel in ("torch", "tiled", "packed")]
    for row, ms in zip(rows[:2], (0.010, 0.020), strict=True):
        row |= {"replay": timing.summary([ms]), "call": timing.summary([2 * ms]), "empty_replay_ms": 0.002}
    rows[1] |= {"rung": "tiled", "config": {"BM": 16, "num_warps": 4}, "compile_ms": 5.0, "resources": [RESOURCES]}
    rows[1] |= {"verify": {"passed": True, "formula": EXACT, "integers": EXACT, "random": CLOSE}, "ptx": ["k.ptx"]}
    rows[2]["skipped"] = "there is nothing to pack"
    judge(rows, shape, 2, KNOWN["NVIDIA H200"], flushed=True)
    limits = KNOWN["NVIDIA H200"]
    return {
        "format": session.FORMAT,
        "device": {
            "name": "NVIDIA H200", "capability": "9.0", "multiprocessors": 132, "memory_bytes": 1, "l2_bytes": 1
        },
        "driver": "580", "versions": {"python": "3", "torch": "2", "triton": "3", "cuda": "13"}, "date": "2026-11-30",
        "command": "kernel-bench", "seed": 0, "op": "matmul", "order": "M N K",
        "method": {"replay": timing.METHOD, "call": timing.CALL_METHOD, "cache": timing.FLUSHED},
        "limits": {"tflops": limits.tflops, "memory_tb_s": limits.memory_tb_s, "source": limits.source},
        "clocks": {"start": {"sm_mhz": 345.0}, "end": {"sm_mhz": None}}, "rows": rows, "summary": session.summary(rows),
    }  # fmt: skip


def test_the_table_echoes_sizes_by_name_and_keeps_every_row(result: dict[str, Any]) -> None:
    text = report.table(result)

    assert "M=127 N=255 K=65 float16: 4210050 operations, 114430 bytes" in text
    assert "slower than torch (0.500)" in text
    assert "packed             not run: there is nothing to pack" in text
    assert "2 elements are infinite in ours and in the reference alike" in text
    assert "k: matrix instruction: mma.sync (8 in the code); the instruction is in the compiled code" in text
    assert "empty the L2 cache" in text
    assert "apart from the times above: compiling, or finding it compiled, 5 ms" in text


def test_the_file_follows_the_schema_and_has_one_row_a_line(result: dict[str, Any], tmp_path: Path) -> None:
    schema = json.loads((ROOT / "gpu/bench/schema.json").read_text(encoding="utf-8"))

    store.write(tmp_path / "new" / "r.json", result)

    text = (tmp_path / "new" / "r.json").read_text(encoding="utf-8")
    assert json.loads(text) == result
    assert len([line for line in text.splitlines() if line.startswith('  {"kernel"')]) == 3
    jsonschema.validate(result, schema)


def test_a_launch_bound_row_with_a_rate_is_against_the_schema(result: dict[str, Any]) -> None:
    schema = json.loads((ROOT / "gpu/bench/schema.json").read_text(encoding="utf-8"))
    result["rows"][1] |= {"launch_bound": True, "tflops": 3.0}

    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(result, schema)


def test_the_plot_is_svg_with_a_bar_for_each_timed_kernel(result: dict[str, Any]) -> None:
    tree = ElementTree.fromstring(plot.svg(result))

    words = [element.text for element in tree.iter("{http://www.w3.org/2000/svg}text")]
    assert "127 x 255 x 65 float16 tiled" in words
    assert "0.50" in words
    assert tree.attrib["aria-label"].startswith("torch time / kernel time")


def test_the_plot_names_the_precision_of_float32(result: dict[str, Any]) -> None:
    row = {**result["rows"][1], "dtype": "float32", "precision": "tf32", "ratio": 0.0019}

    assert "127 x 255 x 65 float32 tf32 tiled" in plot.bar(row, 0)
    assert ">0.0019<" in plot.bar(row, 0)


def test_a_stored_result_is_printed_again(
    result: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store.write(tmp_path / "r.json", result)

    assert report.main([str(tmp_path / "r.json")]) == 0
    assert capsys.readouterr().out == report.table(result) + "\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"format": "other"}', "format 'other'; allowed: a result of kernel-bench"),
        ("[]", "format None; allowed: a result of kernel-bench"),
        ("{", "Expecting property name"),
        ('{"format": "gpu-lab kernel-bench 1"}', "not a whole result: KeyError 'method'"),
        ('{"format": "gpu-lab kernel-bench 1", "method": 1}', "not a whole result: KeyError 'device'"),
    ],
)
def test_another_file_is_not_printed_as_a_result(
    text: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "r.json").write_text(text, encoding="utf-8")

    with pytest.raises(SystemExit) as stop:
        report.main([str(tmp_path / "r.json")])
    assert stop.value.code == 2
    assert words in capsys.readouterr().err


def test_the_summary_is_a_geometric_mean() -> None:
    assert session.geometric_mean([0.5, 2.0, 8.0]) == pytest.approx(2.0)
