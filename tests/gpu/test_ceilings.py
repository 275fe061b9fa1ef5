"""The ceilings of kernel-bench: what is stored of a copy and a product, without a GPU."""

import json
from typing import Any

import jsonschema
import pytest
import torch

from gpu.bench import ceilings, inputs, report, session, timing
from gpu.bench.rows import Request
from gpu.bench.shapes import Shape
from tests.gpu.helpers import ROOT

SCHEMA = json.loads((ROOT / "gpu/bench/schema.json").read_text(encoding="utf-8"))
REQUEST = Request(
    kernels=(), config="autotuned", precision="tf32", repeats=1, seed=0, flush=True, ptx_folder=None, limits=None
)


def follows_the_schema(found: dict[str, Any]) -> None:
    jsonschema.validate(found, {**SCHEMA["$defs"]["ceilings"], "$defs": SCHEMA["$defs"]})


@pytest.mark.parametrize(
    ("free", "size"),
    [(100 * 2**30, 2**30), (4 * 2**30, 2**29), (3 * 2**20 + 5, 2**20), (0, 2**20)],
    ids=["plenty", "short", "hardly any", "none"],
)
def test_a_copy_is_large_but_never_more_than_an_eighth_of_what_is_free(free: int, size: int) -> None:
    assert ceilings.copy_bytes(free) == size


def test_a_copy_counts_bytes_read_and_written() -> None:
    found = ceilings.copy_record(2 * 2**30, {"one": [0.4, 0.5, 0.6]})

    assert found["tb_s"] == pytest.approx(4.294967296)
    assert found["replay"]["median_ms"] == 0.5


def test_of_two_ways_to_copy_the_faster_counts_and_both_are_stored() -> None:
    found = ceilings.copy_record(2**30, {"slow": [0.7, 0.1, 0.9], "fast": [0.5, 0.6, 0.4], "slower": [2.0]})

    assert (found["way"], found["replay"]["median_ms"]) == ("fast", 0.5)
    assert {name: one["median_ms"] for name, one in found["ways"].items()} == {"slow": 0.7, "fast": 0.5, "slower": 2.0}


def test_a_product_has_the_rate_of_its_median() -> None:
    found = ceilings.product_record("float32", "tf32", [1.5, 1.6, 1.8])

    assert found["tflops"] == pytest.approx(687.19476736)  # 2 * 8192 cubed in 1.6 ms
    assert (found["M"], found["N"], found["K"], found["precision"]) == (8192, 8192, 8192, "tf32")


def test_every_number_format_is_measured_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ceilings, "copy", lambda: ceilings.copy_record(2**31, {"one": [0.5]}))
    record = ceilings.product_record
    monkeypatch.setattr(ceilings, "product", lambda dtype, precision, seed: record(dtype, precision, [1.0]))

    found = ceilings.measure([("float16", "ieee"), ("bfloat16", "ieee"), ("float16", "ieee")], seed=0)

    follows_the_schema(found)
    assert [one["dtype"] for one in found["products"]] == ["float16", "bfloat16"]


def test_copy_and_product_are_timed_as_rows_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """On the CPU, with a clock of this test's own: what is copied and multiplied is really so."""
    asked = []

    def replays(graphs: dict[str, timing.Recording], repeats: int, **options: object) -> dict[str, list[float]]:
        asked.append((tuple(graphs), repeats, options))
        return {name: [1.0, 2.0, 3.0] for name in graphs}

    copied: list[torch.Tensor] = []

    def capture(call: timing.Call) -> timing.Recording:
        written = call()
        if isinstance(written, torch.Tensor):
            copied.append(written.clone())
        return timing.Recording(None, call)  # type: ignore[arg-type]

    real = {name: getattr(torch, name) for name in ("ones", "empty")}
    for name, make in real.items():
        monkeypatch.setattr(torch, name, lambda *size, make=make, **kind: make(*size, **{**kind, "device": "cpu"}))
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda: (8 * 2**20, 0))
    monkeypatch.setattr(timing, "capture", capture)
    monkeypatch.setattr(timing, "replays_ms", replays)
    monkeypatch.setattr(ceilings, "LARGE", Shape(8, 6, 4))
    monkeypatch.setattr(inputs, "normal", lambda M, N, K, dtype, device, seed: (torch.ones(M, K), torch.ones(K, N)))

    assert ceilings.copy()["moved_bytes"] == 2 * 2**20
    assert ceilings.product("float32", "ieee", 0)["tflops"] == pytest.approx(2 * 8 * 6 * 4 / 2.0 / 1e9)
    ways = ("Tensor.copy_", "torch.neg of int32")
    assert asked == [(ways, 15, {"warm_ups": 3}), (("torch",), 15, {"warm_ups": 3})]
    assert (copied[0] == 1).all() and (copied[1] == -1).all() and len(copied[0]) == 2**18


def test_rows_are_kept_when_memory_is_too_short_for_the_ceilings(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def short(*asked: object) -> dict[str, Any]:
        raise torch.cuda.OutOfMemoryError("out of memory")

    monkeypatch.setattr(ceilings, "measure", short)

    assert session.seen_at_best(["float32"], REQUEST) is None
    assert "ceilings: not measured" in capsys.readouterr().err


def test_float32_is_measured_in_the_precision_of_the_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ceilings, "measure", lambda formats, seed: {"formats": list(formats)})

    found = session.seen_at_best(["float16", "float32"], REQUEST)

    assert found == {"formats": [("float16", "ieee"), ("float32", "tf32")]}


def test_the_report_names_the_ceilings() -> None:
    found = {
        "copy": ceilings.copy_record(2 * 2**30, {"Tensor.copy_": [0.5]}),
        "products": [ceilings.product_record("float32", "tf32", [1.6])],
    }

    assert report.ceiling_lines(found) == [
        "ceiling, memory: 4.29 TB/s, a copy that moves 2147483648 bytes (Tensor.copy_)",
        "ceiling, float32 tf32: 687.2 TFLOP/s, torch.mm of M=8192 N=8192 K=8192",
    ]
