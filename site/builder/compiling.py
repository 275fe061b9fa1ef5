"""Python for the page, compiled ahead by Pyodide itself under Node, once for each content, and kept in the cache."""

import json
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from builder.cache import cached
from builder.environment import node_programs

SCRIPT = Path(__file__).with_name("compile_python.mjs")


@dataclass(frozen=True)
class Sources:
    """What is compiled: the files `names` of the zip `archive`.

    `prefix` stands before a file's name in tracebacks; `optimize` is Python's level: 2 leaves out assertions and
    docstrings. With `bare`, docstrings and the types of functions are left out at any level. Only files under the
    folder `lined` know their lines. `what` is a name for people, `stem` one for the cache.
    """

    archive: bytes
    names: tuple[str, ...]
    prefix: str
    optimize: int
    what: str
    stem: str
    bare: bool = False
    lined: str = ""


def compiled(root: Path, package: Path, version: str, sources: Sources) -> bytes:
    """A zip, stored, that holds NAME.pyc for each NAME.py. `package` is Pyodide's folder, `version` its version."""
    names = "\n".join(sources.names).encode()
    how = json.dumps(_how(sources)).encode()
    parts = [version.encode(), sources.archive, names, how, SCRIPT.read_bytes()]
    return cached(root / ".cache", f"{sources.stem}.zip", parts, lambda: _compile(root, package, sources, names))


def _how(sources: Sources) -> list[str]:
    return [sources.prefix, str(sources.optimize), str(int(sources.bare)), sources.lined]


def _compile(root: Path, package: Path, sources: Sources, names: bytes) -> bytes:
    print(f"Compiling {sources.what}, once …")
    with tempfile.TemporaryDirectory() as folder:
        given, output = Path(folder) / "given.zip", Path(folder) / "compiled.zip"
        given.write_bytes(sources.archive)
        places = [str(path) for path in (node_programs(root)[0], SCRIPT, package, given, output)]
        done = subprocess.run([*places, *_how(sources)], input=names, capture_output=True)
        if done.returncode:
            raise RuntimeError("Pyodide under Node could not compile it: " + done.stderr.decode("utf-8", "replace"))
        return output.read_bytes()
