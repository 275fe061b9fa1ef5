"""Run every download and every notebook, and write down what was run, where and when.

    python -m tests.downloads.record

writes downloads/checked.json, which the page *All examples* quotes. It stops at the first one that does not do what it
should. A test fails when a program has changed since; then this is to be run again. It is for a machine without a GPU.
"""

import datetime
import importlib.metadata
import json
import platform
import shutil
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from builder.bundle import NAME, bundle
from builder.downloads import Downloads
from builder.evidence import Evidence
from builder.manifest import read_downloads
from builder.mistakes import Mistakes
from builder.record import FILE, sha256
from tests.downloads.offered import status_without_gpu, unpacked
from tests.downloads.tools import ROOT

COMMAND = "python -m tests.downloads.record"


def offered(root: Path = ROOT) -> Downloads:
    """What the manifest offers, with its zip, notebooks made for this Python. Raises BuildError."""
    mistakes = Mistakes()
    downloads = read_downloads(root, Evidence(root), mistakes, python=platform.python_version())
    mistakes.stop_if_any()
    return replace(downloads, bundle={NAME: bundle(root, downloads)})


def main() -> int:
    """Run all and write the record; 1 when something did not do what it should."""
    if shutil.which("nvidia-smi"):
        print("There is a GPU here; this record is for a machine without one.", file=sys.stderr)
        return 1
    downloads = offered()
    with tempfile.TemporaryDirectory() as folder:
        place = unpacked(downloads, Path(folder))
        for entry in downloads.by_name.values():
            for line in entry.run.strip().splitlines():
                done = place.run(line)
                print(f"{line}: status {done.returncode}")
                if done.returncode != status_without_gpu(line):
                    print(done.stdout + done.stderr, file=sys.stderr)
                    return 1
            if entry.notebook:
                place.execute(entry)
                print(f"{entry.notebook_name}: every cell ran")
    text = json.dumps(record(downloads), indent=1, sort_keys=True) + "\n"
    (ROOT / FILE).write_text(text, encoding="utf-8")
    print(f"{FILE} written")
    return 0


def record(downloads: Downloads) -> dict[str, Any]:
    """What `builder.record` reads."""
    packages = sorted({package for entry in downloads.by_name.values() for package in entry.packages})
    files = {entry.name: entry.data for entry in downloads.by_name.values()} | downloads.notebooks
    return {
        "command": COMMAND,
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "device": f"CPU ({platform.system()}, {platform.machine()})",
        "python": platform.python_version(),
        "versions": {package: importlib.metadata.version(package) for package in packages},
        "files": {name: sha256(data) for name, data in sorted(files.items())},
    }


if __name__ == "__main__":
    sys.exit(main())
