"""Run on this machine's GPU what the set-up page tells a reader with one to run, and store what was printed.

    python -m tests.downloads.record_gpu --output gpu/results/h200-programs.json

Each command runs in the folder that the zip makes. The file is written when all of them end with status 0; else the
one that did not is named with its words, nothing is written and the exit status is 1.
"""

import argparse
import json
import platform
import shlex
import sys
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from builder.record import sha256
from gpu.counters.profiler import Unmeasured
from gpu.counters.provenance import device
from tests.downloads.offered import Unpacked, unpacked
from tests.downloads.record import offered

SCHEMA = "tests/downloads/record_gpu.schema.json"
COMMANDS = (
    "python opening.py",
    "python tiled_matmul_triton.py",
    "nvcc -o tiled_matmul tiled_matmul.cu && ./tiled_matmul 8 4",
    "python -m gpu.doctor",
)
PROGRAMS = ("opening.py", "tiled_matmul_triton.py", "tiled_matmul.cu")


def main(arguments: Sequence[str]) -> int:
    """Exit status: 0 all ran and stored, 1 something did not or there is no GPU, 2 bad arguments."""
    parser = argparse.ArgumentParser(prog="python -m tests.downloads.record_gpu", description="Run the downloads here.")
    parser.add_argument("--output", type=Path, required=True, help="the JSON file to write")
    options = parser.parse_args(arguments)
    try:
        where = device()
    except Unmeasured as error:
        print(f"tests.downloads.record_gpu: {error}", file=sys.stderr)
        return 1
    downloads = offered()
    with tempfile.TemporaryDirectory() as folder:
        place = unpacked(downloads, Path(folder))
        runs = [run(place, command) for command in COMMANDS]
    for one in runs:
        print("\n".join([f"$ {one['command']}", *one["printed"], *one["complained"], f"status {one['status']}", ""]))
    if any(one["status"] for one in runs):
        return 1
    provenance = {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": shlex.join(["python", "-m", "tests.downloads.record_gpu", *arguments]),
        **where,
        "versions": {"python": platform.python_version(), "torch": version("torch"), "triton": version("triton")},
    }
    programs = [downloads.by_name[name] for name in PROGRAMS]
    files = {program.file: sha256(program.data) for program in programs}
    text = json.dumps({"schema": SCHEMA, "provenance": provenance, "files": files, "runs": runs}, indent=1) + "\n"
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(text, encoding="utf-8")
    print(f"stored {options.output}")
    return 0


def run(place: Unpacked, command: str) -> dict[str, Any]:
    """One command: what is stored of it. Where this machine keeps its Python is nobody's business."""
    done = place.run(command)
    return {
        "command": command,
        "status": done.returncode,
        "printed": lines(done.stdout),
        "complained": lines(done.stderr),
    }


def lines(text: str) -> list[str]:
    """The lines of a text, with this Python as a reader has it."""
    return text.replace(sys.executable, "python").splitlines()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
