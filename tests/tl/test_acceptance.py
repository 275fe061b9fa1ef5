"""The committed acceptance table keeps the goal, and is what its generator writes."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.tl.acceptance import generate

FOLDER = Path(__file__).resolve().parent / "acceptance"


@pytest.fixture(scope="module")
def table() -> dict[str, Any]:
    """table.json."""
    document: dict[str, Any] = json.loads((FOLDER / "table.json").read_text(encoding="utf-8"))
    return document


def test_at_least_95_percent_of_what_the_interpreter_runs_agrees(table: dict[str, Any]) -> None:
    counts = table["summary"]["all"]
    assert counts["agree_or_explained"] >= 0.95 * counts["interpreter_ran"]
    assert counts["different_unexplained"] == 0


def test_more_kernels_run_than_on_the_interpreter(table: dict[str, Any]) -> None:
    counts = table["summary"]["all"]
    assert counts["sim_ran"] > counts["interpreter_ran"] > 250


def test_summary_is_that_of_the_rows(table: dict[str, Any]) -> None:
    assert generate.summary(table["rows"]) == table["summary"]["all"]


def test_markdown_is_made_from_the_json(table: dict[str, Any]) -> None:
    assert (FOLDER / "table.md").read_text(encoding="utf-8") == generate.markdown(table)
