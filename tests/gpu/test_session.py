"""kernel-bench on a GPU that is only pretended: what a shape without enough memory costs."""

import json
from pathlib import Path

import jsonschema
import pytest
import torch

from gpu.bench import report, session
from gpu.bench.rows import Request, Row, Say
from gpu.bench.shapes import Shape
from tests.gpu.helpers import ROOT

REQUEST = Request(
    kernels=("tiled", "best"), config="autotuned", precision="tf32", repeats=1, seed=0, flush=True,
    ptx_folder=Path(), limits=None,
)  # fmt: skip


def test_a_shape_without_enough_memory_is_told_and_the_others_are_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def measure(shape: Shape, dtype: str, request: Request, say: Say) -> list[Row]:
        if shape.M > 100:
            raise torch.cuda.OutOfMemoryError("out of memory")
        return [{"kernel": "torch"}]

    monkeypatch.setattr(session, "measure", measure)
    monkeypatch.setattr(torch.cuda, "empty_cache", lambda: None)

    small, large = (session.rows_of(Shape(size, 7, 5), "float32", REQUEST) for size in (5, 200_000))

    assert small == [{"kernel": "torch"}]
    assert [row["kernel"] for row in large] == ["torch", "tiled", "best"]
    assert {row["precision"] for row in large} == {"tf32"}
    assert "M=200000 N=7 K=5 float32: not run: the GPU has too little free memory" in capsys.readouterr().err
    schema = json.loads((ROOT / "gpu/bench/schema.json").read_text(encoding="utf-8"))
    reason = "the GPU has too little free memory for A, B, C and the right answers in float64"
    for row in large:
        jsonschema.validate(row, {**schema["$defs"]["measured"], "$defs": schema["$defs"]})
        assert session.right(row)
        assert report.body(row)[0].endswith(f"not run: M=200000 N=7 K=5: {reason}")

