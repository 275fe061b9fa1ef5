"""The one command that measures everything: what it runs, in which order, and what a failing part costs."""

import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from gpu import matmul, run_all
from gpu.bench import rows


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files in the order in which they were made, on a GPU that is only pretended."""
    made: list[str] = []
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda index: "NVIDIA L4")
    monkeypatch.setattr(run_all, "tasks", list)
    monkeypatch.setattr(run_all, "compiled", lambda found, pool: None)
    monkeypatch.setattr(run_all, "timed", lambda what, make, path: made.append(path.name))
    return made


def answering(monkeypatch: pytest.MonkeyPatch, made: list[str], failing: str = "") -> None:
    """Let the commands of their own succeed, but the one that stores `failing`."""

    def run(command: list[str], **options: Any) -> SimpleNamespace:
        made.append(Path(command[-1]).name)
        return SimpleNamespace(returncode=int(made[-1] == failing))

    monkeypatch.setattr(subprocess, "run", run)


ALL = [
    "l4-crosscheck.json",
    "l4-matmul-half.json",
    "l4-matmul-float32-ieee.json",
    "l4-matmul-float32-tf32.json",
    "l4-group-m.json",
    "l4-compiled.json",
    "l4-counters.json",
    "l4-programs.json",
]


def test_one_command_verifies_times_counts_and_stores(steps: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch, steps)
    assert run_all.main(["--output", "results/local", "--workers", "1"]) == 0
    assert steps == ALL


@pytest.mark.parametrize(
    ("failing", "word"),
    [("l4-crosscheck.json", "crosscheck"), ("l4-counters.json", "counters"), ("l4-programs.json", "programs")],
)
def test_a_part_that_fails_is_named_and_the_rest_is_stored(
    steps: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], failing: str, word: str
) -> None:
    answering(monkeypatch, steps, failing)
    assert run_all.main(["--output", "results/local", "--workers", "1"]) == 1
    assert steps == ALL
    assert capsys.readouterr().err == f"not stored: {word}; the reason is above\n"


def test_the_commands_that_it_runs_say_why_they_store_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    if torch.cuda.is_available():
        pytest.skip("there is an NVIDIA GPU here")
    for module in ("tests.crosscheck.record", "gpu.counters", "tests.downloads.record_gpu"):
        assert not run_all.companion(module, Path("no-gpu-here.json"))
    assert not Path("no-gpu-here.json").exists()
    assert "Traceback" not in capfd.readouterr().err


def test_without_a_gpu_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    if torch.cuda.is_available():
        pytest.skip("there is an NVIDIA GPU here")
    assert run_all.main(["--output", "results/local"]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_the_timed_call_of_best_makes_its_look_up(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[object, ...]] = []
    monkeypatch.setattr(matmul, "best", lambda *given, **named: asked.append((*given, named)))
    entry = rows.Entry({"kernel": "best"}, "persistent", {}, None)
    rows.call_of(entry, "A", "B", "C", "ieee")()  # type: ignore[arg-type]
    assert asked == [("A", "B", "C", {"precision": "ieee"})]
