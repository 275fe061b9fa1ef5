"""Python's memory as it is once a page's modules are imported, so that a start need not import them.

It is made by Pyodide under Node, once for each content, and holds the difference from the memory that WebAssembly
starts with. The worker starts without it where it cannot be had or does not fit.
"""

import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

from builder.cache import cached
from builder.environment import node_programs

KEPT = 20  # in the cache, where every change of the model makes one for each page
SCRIPT = Path(__file__).with_name("make_snapshot.mjs")
# Hosts compress by type, and this is one that all of them know.
NAME = "memory.wasm"
# Whatever a page's first request, or a reader's own code, would import is imported here.
IMPORTS = """\
import gc
import sys

sys.path.insert(0, "/lab.zip")
import lab.bridge
from lab.catalogue import language_named
from lab.registry import widget_named

for name in {widgets}:
    widget_named(name)
if "sim.check.surroundings" in sys.modules:
    for name in sys.modules["sim.check.surroundings"].MODULES:
        __import__(name)
for tag in {languages}:
    language_named(tag)
gc.collect()
"""


def snapshot(
    root: Path, package: Path, stdlib: bytes, lab: bytes, widgets: Iterable[str], languages: Iterable[str]
) -> bytes:
    """The memory for a page with these widgets, in these languages (their tags).

    `package` is Pyodide's folder, `stdlib` and `lab` are the archives that a plain start of the page would load.
    """
    given = {"widgets": repr(sorted(widgets)), "languages": repr(sorted(languages))}
    code = IMPORTS.format(**given).encode()
    version = (package / "package.json").read_bytes()
    parts = [version, stdlib, lab, code, SCRIPT.read_bytes()]
    return cached(root / ".cache", "memory.bin", parts, lambda: _make(root, package, stdlib, lab, code))


def _make_room(cache: Path) -> None:
    """The oldest go."""
    there = sorted(cache.glob("memory-*.bin"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in there[KEPT:]:
        path.unlink(missing_ok=True)


def _make(root: Path, package: Path, stdlib: bytes, lab: bytes, code: bytes) -> bytes:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "stdlib.zip").write_bytes(stdlib)
        (folder / "lab.zip").write_bytes(lab)
        output = folder / "memory.bin"
        places = [node_programs(root)[0], SCRIPT, package, folder / "stdlib.zip", folder / "lab.zip", output]
        done = subprocess.run([str(place) for place in places], input=code, capture_output=True)
        _make_room(root / ".cache")
        if done.returncode:
            words = done.stderr.decode("utf-8", "replace")
            raise RuntimeError(f"Pyodide under Node could not keep its memory: {words}")
        return output.read_bytes()
