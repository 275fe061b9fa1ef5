"""Other processes that referee: the real compiler and Triton's CPU interpreter, each with its own environment."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parent.parent


def needs_triton() -> None:
    """Skip with a reason where Triton has no wheel."""
    if importlib.util.find_spec("triton") is None:
        pytest.skip("triton is not installed (it has wheels for Linux on x86-64 only)")


def ask(script: str, jobs: list[dict[str, Any]], cache: Path, **variables: str) -> list[dict[str, Any]]:
    """Hand jobs to a worker script of this folder and return its results, in order."""
    environment = {name: value for name, value in os.environ.items() if name != "TRITON_INTERPRET"}
    environment |= {"TRITON_CACHE_DIR": str(cache), "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'site'}", **variables}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(FOLDER / script)],
        input=json.dumps(jobs), capture_output=True, text=True, env=environment, cwd=ROOT, timeout=600,
    )  # fmt: skip
    lines = [line for line in done.stdout.splitlines() if line.startswith("RESULTS")]
    assert done.returncode == 0 and lines, done.stderr[-4000:]
    results: list[dict[str, Any]] = json.loads(lines[-1].removeprefix("RESULTS"))
    return results
