"""The page's Python: Pyodide's files, the library, the model, a page's memory, and the file that says where they are.

The model, `sim` and `lab`, is compiled as the library is: its source is a third as long, but compiling it in the page
takes a tenth of a start. A page whose memory comes ready (`snapshot.py`) starts from that and the WebAssembly alone;
library and model are fetched when something is still to be read from them, or when the memory cannot be used.
"""

import io
import json
import zipfile
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from builder import snapshot
from builder.assets import FOLDERS_OF, Assets, content_hash, model_sources, python_sources, worker_script, zip_of
from builder.compiling import Sources, compiled
from builder.languages import Tongue
from builder.stdlib import ARCHIVE, compiled_stdlib

LOADED = ("pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide.mjs")
MODEL = ("lab/", "sim/")
AT_ONCE = 2  # processes that make memories


@dataclass(frozen=True)
class Need:
    """What a page's Python needs: parts of the model (see `python_sources`), and the names of the page's widgets."""

    parts: frozenset[str]
    widgets: frozenset[str]


@dataclass(frozen=True)
class Start:
    """What a page names to start its Python: the places of its worker, and of the file that tells what to fetch."""

    worker: str
    config: str


@dataclass(frozen=True)
class Runtime:
    """`files` by their place in the site; how each need of a page starts; `version` is Pyodide's."""

    files: dict[str, bytes]
    starts: dict[Need, Start]
    version: str


def make_runtime(
    root: Path, assets: Assets, wanted: Iterable[Need], tongues: Mapping[str, Tongue], memories: bool
) -> Runtime:
    """Gather everything that the worker fetches, an archive for the parts of each of the `wanted` needs.

    The hashed small files go to `assets`, the worker in the language that the parts name. With `memories` each need
    gets its memory.
    """
    package = root / "site" / "node_modules" / "pyodide"
    version = json.loads((package / "package.json").read_text(encoding="utf-8"))["version"]
    files = {name: (package / name).read_bytes() for name in LOADED}
    files[ARCHIVE] = compiled_stdlib(root, package, version)
    hashes = "".join(content_hash(data) for _, data in sorted(files.items()))
    folder = f"pyodide-{version}-{content_hash(hashes.encode())}"
    needs = sorted(set(wanted), key=lambda need: (sorted(need.parts), sorted(need.widgets)))
    labs = {parts: lab_archive(root, package, version, parts) for parts in {need.parts for need in needs}}

    def memory(need: Need) -> bytes:
        tags = [tongues[part].tag for part in need.parts if part in tongues]
        return snapshot.snapshot(root, package, files[ARCHIVE], labs[need.parts], need.widgets, tags)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        kept = dict(zip(needs, pool.map(memory, needs), strict=True)) if memories else {}
    worker = worker_script(root / "site" / "static")
    starts = {}
    for need in needs:
        tongue = next((tongues[part] for part in need.parts if part in tongues), tongues[""])
        lab = labs[need.parts]
        names = {_base(assets.add("lab.zip", lab)): lab}
        if need in kept:
            names[_base(assets.add(snapshot.NAME, kept[need]))] = kept[need]
        loads = [_entry(name, data) for name, data in [*sorted(files.items()), *names.items()]]
        config = {
            "version": version,
            "pyodide": f"../{folder}/",
            "stdlib": ARCHIVE,
            "lab": next(iter(names)),
            "memory": [*names][1] if need in kept else "",
            "reads": _reads(lab),
            "files": loads,
            "lock": _empty_lock(package),
        }
        place = assets.add("runtime.json", json.dumps(config, indent=1, sort_keys=True).encode())
        starts[need] = Start(assets.add("worker.js", tongue.script(worker)), place)
    return Runtime({f"{folder}/{name}": data for name, data in files.items()}, starts, version)


def _reads(lab: bytes) -> bool:
    """Whether the model reads files of its archive while it runs, other than its code and a language's catalogue."""
    with zipfile.ZipFile(io.BytesIO(lab)) as archive:
        return not all(name.endswith((".pyc", ".po")) for name in archive.namelist())


def lab_archive(root: Path, package: Path, version: str, parts: frozenset[str]) -> bytes:
    """What the page's Python imports: `sim` and `lab` compiled, and what they read as it is."""
    files = python_sources(root, parts)
    with zipfile.ZipFile(io.BytesIO(compiled_model(root, package, version))) as made:
        model = {f"{name}c": made.read(f"{name}c") for name in files if _of_model(name)}
    return zip_of(model | {name: data for name, data in files.items() if not _of_model(name)})


def compiled_model(root: Path, package: Path, version: str) -> bytes:
    """`sim` and `lab` whole, compiled in one go for the archives of all pages."""
    model = model_sources(root, FOLDERS_OF)
    names = tuple(sorted(model))
    # An error inside Triton's language is told by the line of the language that found it.
    sources = Sources(zip_of(model), names, "/lab.zip/", 0, "the model for the page", "model", True, "sim/tl/")
    return compiled(root, package, version, sources)


def _of_model(name: str) -> bool:
    return name.startswith(MODEL) and name.endswith(".py")


def _empty_lock(package: Path) -> dict[str, object]:
    """A lock file of no packages, so that Pyodide fetches none."""
    info = json.loads((package / "pyodide-lock.json").read_text(encoding="utf-8"))["info"]
    return {"info": info, "packages": {}}


def _entry(name: str, data: bytes) -> dict[str, str | int]:
    """What the worker needs to tell whether a file arrived whole: its length, and the start of its SHA-256."""
    return {"name": name, "bytes": len(data), "sha256": content_hash(data)}


def _base(place: str) -> str:
    return place.rpartition("/")[2]
