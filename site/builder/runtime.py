"""The page's Python: Pyodide's files, a trimmed and compiled standard library, and the file that says where they are.

npm's own library is source, and compiling it takes most of a start. Here the modules of `stdlib_core.txt` are compiled
once, by Pyodide under Node, into a zip that holds them uncompressed (HTTP compresses better than the zip would).
The model, `sim` and `lab`, is compiled the same way: its source is a third as long, but compiling it in the page takes
a tenth of a start.
"""

import io
import json
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from builder.assets import FOLDERS_OF, Assets, content_hash, model_sources, normal_bytes, python_sources, zip_of
from builder.compiling import Sources, compiled
from builder.languages import Tongue

LOADED = ("pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide.mjs")
STDLIB = "python_stdlib.zip"
MODEL = ("lab/", "sim/")
HERE = Path(__file__).parent
Parts = frozenset[str]


@dataclass(frozen=True)
class Runtime:
    """`files` by their place in the site; `version` is Pyodide's.

    `configs` has, for the parts that a page needs, the place of the file that tells the worker what to fetch.
    """

    files: dict[str, bytes]
    configs: dict[Parts, str]
    version: str


def make_runtime(root: Path, assets: Assets, wanted: Iterable[Parts], tongues: Mapping[str, Tongue]) -> Runtime:
    """Gather everything that the worker fetches, an archive for each of the `wanted` parts (see `python_sources`).

    The hashed small files go to `assets`, the worker in the language that the parts name.
    """
    package = root / "site" / "node_modules" / "pyodide"
    version = json.loads((package / "package.json").read_text(encoding="utf-8"))["version"]
    files = {name: (package / name).read_bytes() for name in LOADED}
    files[STDLIB] = compiled_stdlib(root, package, version)
    hashes = "".join(content_hash(data) for _, data in sorted(files.items()))
    folder = f"pyodide-{version}-{content_hash(hashes.encode())}"
    places = {}
    worker = normal_bytes(root / "site" / "static" / "worker.js")
    for parts in sorted(set(wanted), key=sorted):
        tongue = next((tongues[part] for part in parts if part in tongues), tongues[""])
        lab = lab_archive(root, package, version, parts)
        lab_name = _base(assets.add("lab.zip", lab))
        loads = [_entry(name, data) for name, data in [*sorted(files.items()), (lab_name, lab)]]
        config = {
            "version": version,
            "worker": _base(assets.add("worker.js", tongue.script(worker))),
            "pyodide": f"../{folder}/",
            "stdlib": STDLIB,
            "lab": lab_name,
            "files": loads,
            "bytes": sum(int(str(entry["bytes"])) for entry in loads),
            "lock": _empty_lock(package),
        }
        places[parts] = assets.add("runtime.json", json.dumps(config, indent=1, sort_keys=True).encode())
    return Runtime({f"{folder}/{name}": data for name, data in files.items()}, places, version)


def lab_archive(root: Path, package: Path, version: str, parts: Parts) -> bytes:
    """What the page's Python imports: `sim` and `lab` compiled, and what they read as it is."""
    files = python_sources(root, parts)
    with zipfile.ZipFile(io.BytesIO(compiled_model(root, package, version))) as made:
        model = {f"{name}c": made.read(f"{name}c") for name in files if _of_model(name)}
    return zip_of(model | {name: data for name, data in files.items() if not _of_model(name)})


def compiled_model(root: Path, package: Path, version: str) -> bytes:
    """`sim` and `lab` whole, compiled in one go for the archives of all pages."""
    model = model_sources(root, FOLDERS_OF)
    sources = Sources(zip_of(model), tuple(sorted(model)), "/lab.zip/", 0, "the model for the page", "model")
    return compiled(root, package, version, sources)


def _of_model(name: str) -> bool:
    return name.startswith(MODEL) and name.endswith(".py")


def compiled_stdlib(root: Path, package: Path, version: str) -> bytes:
    """The compiled library, made once for each Pyodide and module list."""
    names = tuple(core_modules().decode().split("\n"))
    source, what = (package / STDLIB).read_bytes(), "the page's Python library"
    return compiled(root, package, version, Sources(source, names, "<stdlib>/", 2, what, "stdlib"))


def core_modules() -> bytes:
    """The files of the library that the page's Python gets, one a line."""
    lines = (HERE / "stdlib_core.txt").read_text(encoding="utf-8").splitlines()
    return "\n".join(line for line in lines if line and not line.startswith("#")).encode()


def _empty_lock(package: Path) -> dict[str, object]:
    """A lock file of no packages, so that Pyodide fetches none."""
    info = json.loads((package / "pyodide-lock.json").read_text(encoding="utf-8"))["info"]
    return {"info": info, "packages": {}}


def _entry(name: str, data: bytes) -> dict[str, str | int]:
    """What the worker needs to tell whether a file arrived whole: its length, and the start of its SHA-256."""
    return {"name": name, "bytes": len(data), "sha256": content_hash(data)}


def _base(place: str) -> str:
    return place.rpartition("/")[2]
