"""Every stored result follows its schema, agrees with sim's counts, and keeps what the pages promise."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from gpu.ladder import RUNGS
from sim.cost import flops
from sim.tiling import Tiling
from tests.gpu.helpers import ROOT

SCHEMA = json.loads((ROOT / "gpu/bench/schema.json").read_text(encoding="utf-8"))
FILES = [
    path
    for path in sorted((ROOT / "gpu/results").glob("*.json"))
    if '"format"' in path.read_text(encoding="utf-8")[:200]
]
GOAL = {(M, N, K) for M, N, K in (
    (127, 255, 65), (512, 512, 512), (1000, 1000, 1000), (1024, 1024, 1024), (2048, 2048, 2048), (4096, 4096, 4096),
    (8192, 8192, 8192), (4096, 11008, 4096), (16, 4096, 4096), (1, 4096, 4096), (8192, 8192, 1024), (1024, 1024, 65536),
    (4095, 4097, 4099),
)}  # fmt: skip


def load(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def measured(name: str) -> list[dict[str, Any]]:
    return [row for row in load(ROOT / "gpu/results" / name)["rows"] if "replay" in row]


def test_the_results_of_one_run_of_run_all_are_here() -> None:
    assert {path.name for path in FILES} >= {
        "h200-compiled.json", "h200-group-m.json", "h200-matmul-float32-ieee.json", "h200-matmul-float32-tf32.json",
        "h200-matmul-half.json",
    }  # fmt: skip


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_stored_result_follows_the_schema(path: Path) -> None:
    jsonschema.validate(load(path), SCHEMA)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_stored_result_names_the_gpu_that_its_file_is_named_after(path: Path) -> None:
    assert load(path)["device"]["name"].lower().removeprefix("nvidia ") == path.name.split("-")[0]


@pytest.mark.parametrize(
    "name", ["h200-matmul-half.json", "h200-matmul-float32-ieee.json", "h200-matmul-float32-tf32.json"]
)
def test_every_row_counts_as_sim_counts_and_passed_its_checks(name: str) -> None:
    for row in load(ROOT / "gpu/results" / name)["rows"]:
        assert row["flops"] == flops(Tiling(row["M"], row["N"], row["K"], 16, 16, 16))
        assert row.get("verify", {"passed": True})["passed"]


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_best_was_measured_on_every_shape_of_the_goal(dtype: str) -> None:
    rows = [row for row in measured("h200-matmul-half.json") if row["kernel"] == "best" and row["dtype"] == dtype]

    assert {(row["M"], row["N"], row["K"]) for row in rows} == GOAL


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_best_keeps_up_with_torch_on_average(dtype: str) -> None:
    totals = load(ROOT / "gpu/results/h200-matmul-half.json")["summary"]
    best = [one for one in totals if (one["kernel"], one["dtype"]) == ("best", dtype)]

    assert best[0]["shapes"] == len(GOAL)
    assert best[0]["geometric_mean_ratio"] >= 1.0


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_no_shape_of_the_goal_falls_far_behind_torch(dtype: str) -> None:
    rows = [row for row in measured("h200-matmul-half.json") if row["kernel"] == "best" and row["dtype"] == dtype]

    assert min(row["ratio"] for row in rows) >= 0.9


def test_shapes_where_torch_wins_stay_in_the_table_with_a_reason() -> None:
    slower = [row for row in measured("h200-matmul-half.json") if row["kernel"] == "best" and row["ratio"] < 1]

    assert slower
    assert all(any(words.startswith("slower than torch") for words in row["warnings"]) for row in slower)


def test_every_rung_was_measured_somewhere() -> None:
    names = {
        row["kernel"]
        for name in ("half", "float32-ieee", "float32-tf32")
        for row in measured(f"h200-matmul-{name}.json")
    }

    assert names == {*RUNGS, "best", "torch"}


def test_no_stored_number_is_a_measuring_fault() -> None:
    for name in ("half", "float32-ieee", "float32-tf32"):
        for row in measured(f"h200-matmul-{name}.json"):
            assert not [words for words in row["warnings"] if "measuring fault" in words]
