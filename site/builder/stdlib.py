"""Python's standard library for the page: trimmed, compiled ahead, and without what the page never does.

npm's own library is source, and compiling it takes most of a start. Here the modules of `stdlib_core.txt` are compiled
once, by Pyodide under Node, into a zip that holds them uncompressed (HTTP compresses better than the zip would).
"""

import io
import zipfile
from pathlib import Path

from builder.assets import zip_of
from builder.compiling import Sources, compiled

ARCHIVE = "python_stdlib.zip"
LIST = Path(__file__).with_name("stdlib_core.txt")
# The page's Python awaits nothing and installs no packages. Pyodide imports what it would need for either in every
# start, and with it ssl, subprocess, logging, zipfile … These stand in their place. Pyodide's own memory snapshots
# count on the two objects of JavaScript that are imported here, in this order.
REPLACED = {
    "asyncio/__init__.py": "",
    "pyodide/webloop.py": """\
from pyodide_js._api import scheduleCallback


def _initialize_event_loop():
    pass
""",
    "pyodide/_package_loader.py": """\
from pathlib import PurePosixPath

from pyodide_js import loadedPackages

SITE_PACKAGES = PurePosixPath("/lib/python3.14/site-packages")
DSO_DIR = PurePosixPath("/usr/lib")


def init_loaded_packages():
    pass
""",
}


def compiled_stdlib(root: Path, package: Path, version: str) -> bytes:
    """The compiled library, made once for each Pyodide and module list. `package` is Pyodide's folder."""
    names = core_modules()
    with zipfile.ZipFile(io.BytesIO((package / ARCHIVE).read_bytes())) as whole:
        source = zip_of({name: whole.read(name) for name in names} | {k: v.encode() for k, v in REPLACED.items()})
    sources = Sources(source, names, "<stdlib>/", 2, "the page's Python library", "stdlib")
    return compiled(root, package, version, sources)


def core_modules() -> tuple[str, ...]:
    """The files of the library that the page's Python gets."""
    lines = LIST.read_text(encoding="utf-8").splitlines()
    return tuple(line for line in lines if line and not line.startswith("#"))
