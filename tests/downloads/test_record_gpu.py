"""What the downloads print on a GPU: how it is recorded, and that no page offers another text than the one that ran."""

import json
import shutil
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from builder.evidence import Evidence
from builder.manifest import MANIFEST, read_downloads
from builder.mistakes import Mistakes
from builder.record import sha256
from gpu.counters.profiler import Unmeasured
from tests.downloads import record_gpu
from tests.downloads.offered import Unpacked
from tests.downloads.tools import ROOT

SCHEMA = json.loads((ROOT / record_gpu.SCHEMA).read_text(encoding="utf-8"))
L4 = {"device": "NVIDIA L4", "compute_capability": "8.9", "driver": "580.95.05"}


@pytest.fixture
def pretended(place: Unpacked, monkeypatch: pytest.MonkeyPatch) -> Unpacked:
    """A GPU that is only pretended, and the zip that is unpacked already."""
    monkeypatch.setattr(record_gpu, "device", lambda: L4)
    monkeypatch.setattr(record_gpu, "offered", lambda: place.downloads)
    monkeypatch.setattr(record_gpu, "unpacked", lambda downloads, folder: place)
    return place


def recorded(monkeypatch: pytest.MonkeyPatch, path: Path, *commands: str) -> int:
    """Record these commands; the exit status."""
    monkeypatch.setattr(record_gpu, "COMMANDS", commands)
    return record_gpu.main(["--output", str(path)])


def test_what_a_command_prints_is_stored_with_the_checksums_of_the_programs(
    pretended: Unpacked, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    says = "import sys; print(sys.executable); print('two'); print('so', file=sys.stderr)"
    path = tmp_path / "new" / "l4-programs.json"
    assert recorded(monkeypatch, path, f'python -c "{says}"', "echo three") == 0
    made = json.loads(path.read_text(encoding="utf-8"))
    jsonschema.validate(made, SCHEMA)
    heard = [(one["printed"], one["complained"]) for one in made["runs"]]
    assert heard == [(["python", "two"], ["so"]), (["three"], [])]
    assert made["provenance"]["device"] == "NVIDIA L4"
    assert made["provenance"]["command"] == f"python -m tests.downloads.record_gpu --output {path}"
    assert sorted(made["files"]) == [f"downloads/{name}" for name in sorted(record_gpu.PROGRAMS)]


def test_when_one_command_fails_its_words_are_shown_and_nothing_is_stored(
    pretended: Unpacked, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    path = tmp_path / "l4-programs.json"
    assert recorded(monkeypatch, path, "echo one", "echo out of memory >&2; exit 3") == 1
    assert not path.exists()
    assert "out of memory\nstatus 3\n" in capsys.readouterr().out


def test_without_a_gpu_it_says_so_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    def none() -> Any:
        raise Unmeasured("nvidia-smi is not here")

    monkeypatch.setattr(record_gpu, "device", none)
    assert recorded(monkeypatch, tmp_path / "none.json", "echo one") == 1
    assert capsys.readouterr().err == "tests.downloads.record_gpu: nvidia-smi is not here\n"


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The part of the repository that the manifest reads, to be spoiled."""
    root = tmp_path_factory.mktemp("repository")
    for name in ("chapters", "downloads", "gpu", "sim"):
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", root)
    made = {"files": {"downloads/opening.py": sha256((ROOT / "downloads/opening.py").read_bytes())}}
    (root / "gpu/results/l4-programs.json").write_text(json.dumps(made), encoding="utf-8")
    path = root / MANIFEST
    head, named, tail = path.read_text(encoding="utf-8").partition('file = "downloads/opening.py"\n')
    card, following, rest = tail.partition("[[download]]")
    kept = [line for line in card.splitlines() if not line.startswith(("result", "measured"))]
    card = "\n".join([*kept, 'result = "l4-programs.json"', 'measured = "run"', "", ""])
    path.write_text(head + named + card + following + rest, encoding="utf-8")
    return root


def complaints(root: Path) -> list[str]:
    """What the build says of the manifest."""
    mistakes = Mistakes()
    read_downloads(root, Evidence(root), mistakes)
    return [str(each) for each in mistakes.found]


def test_a_program_that_was_changed_since_is_refused_by_the_build(copied: Path):
    assert complaints(copied) == []
    program = copied / "downloads/opening.py"
    program.write_text(program.read_text(encoding="utf-8") + "# later\n", encoding="utf-8")
    (told,) = complaints(copied)
    assert "downloads/opening.py given, which l4-programs.json did not measure" in told
