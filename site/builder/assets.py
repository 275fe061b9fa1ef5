"""Files that can be cached for ever: each is named by a hash of its content, under `static/`."""

import hashlib
import io
import json
import re
import zipfile
from base64 import b64encode
from collections.abc import Collection
from functools import lru_cache
from pathlib import Path, PurePosixPath

from builder.mistakes import Mistakes, listed
from builder.policy import content_type
from builder.source import read_text
from lab.results.stored import OURS, SWEEP
from sim.measured.reading import slim

FOLDER = "static"
KERNEL_FILES = ("gpu/teaching.py", "gpu/compiled/teaching-lines.json")
SCRIPTS = (
    "tools.js",
    "address.js",
    "drafts.js",
    "python.js",
    "stepping.js",
    "swiping.js",
    "showing.js",
    "telling.js",
    "linking.js",
    "writing.js",
    "files.js",
    "lab.js",
    "offline.js",
    "update.js",
    "page.js",
)
WORKER_SCRIPTS = ("fetching.js", "restoring.js", "worker.js")
# Folders of the rooms that travel to pages that need them, and to no others.
FOLDERS_OF = {"kernels": ("sim/tl",), "results": ("sim/measured", "sim/lies", "lab/results")}
ZIP_DATE = (1980, 1, 1, 0, 0, 0)
STYLE_URL = re.compile(r"""url\(\s*["']?(?!data:|#)([^"')]+)["']?\s*\)""")


def content_hash(data: bytes) -> str:
    """Ten hex digits that name a content."""
    return hashlib.sha256(data).hexdigest()[:10]


def hashed_name(name: str, data: bytes) -> str:
    """`lab.js` becomes `lab.0123456789.js`."""
    path = PurePosixPath(name)
    return f"{path.stem}.{content_hash(data)}{path.suffix}"


class Assets:
    """The hashed files of one build: `files` maps a place in the site to its bytes."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}

    def add(self, name: str, data: bytes) -> str:
        """Take a file and return its place in the site."""
        place = f"{FOLDER}/{hashed_name(name, data)}"
        self.files[place] = data
        return place


def page_script(static: Path) -> bytes:
    """The page's one script: its parts in order."""
    return b"\n".join(normal_bytes(static / name) for name in SCRIPTS)


def worker_script(static: Path) -> bytes:
    """The script of Python's worker: its parts in order."""
    return b"\n".join(normal_bytes(static / name) for name in WORKER_SCRIPTS)


def style_sheet(static: Path, mistakes: Mistakes) -> str:
    """lab.css, with the files that it names written into it. Pages hold it: nothing can be drawn before it is there."""
    file = "site/static/lab.css"
    text = read_text(static / "lab.css", file, mistakes) or ""

    def written_in(match: re.Match[str]) -> str:
        name = match.group(1)
        if not (static / name).is_file():
            names = listed(path.name for path in static.iterdir())
            line = text.count("\n", 0, match.start()) + 1
            mistakes.add(file, line, f"url({name}) given; allowed: a file beside it: {names}")
            return match.group()
        return f"url({data_address(static / name)})"

    return STYLE_URL.sub(written_in, text)


def data_address(path: Path) -> str:
    """An address that holds the file itself, so that nothing is asked for."""
    return f"data:{content_type(path.name)};base64,{b64encode(normal_bytes(path)).decode()}"


def normal_bytes(path: Path) -> bytes:
    """A file's bytes; for text, without BOM and with lines ended by one newline, as on every other machine."""
    data = path.read_bytes()
    if path.suffix in (".css", ".js", ".mjs", ".json", ".po", ".py", ".svg", ".txt"):
        data = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
    return data


def python_sources(root: Path, parts: Collection[str] = ()) -> dict[str, bytes]:
    """The sources of `sim` and `lab`, by their path in the archive, and what the `parts` of a page need besides.

    `kernels` brings Triton's language, `sim/tl`, with the kernel file and what it became; `results` brings what reads
    measured results, with the results, of which only what is read travels; a language's folder brings its catalogue.
    """
    found = model_sources(root, parts)
    for name in (
        *(KERNEL_FILES if "kernels" in parts else ()),
        *(("gpu/__init__.py",) if FOLDERS_OF.keys() & {*parts} else ()),
    ):
        found[name] = normal_bytes(root / name)
    for part in {*parts} - FOLDERS_OF.keys():
        found[f"lab/languages/{part}.po"] = normal_bytes(root / "site" / "lab" / "languages" / f"{part}.po")
    return found | (slim_results(root) if "results" in parts else {})


def model_sources(root: Path, parts: Collection[str]) -> dict[str, bytes]:
    """The sources of `sim` and `lab` alone."""
    left_out = tuple(f"{folder}/" for part, folders in FOLDERS_OF.items() if part not in parts for folder in folders)
    found = {}
    for package, folder in (("lab", root / "site" / "lab"), ("sim", root / "sim")):
        for path in sorted(folder.rglob("*.py")):
            name = f"{package}/{path.relative_to(folder).as_posix()}"
            if not name.startswith(left_out):
                found[name] = normal_bytes(path)
    return found


def slim_results(root: Path) -> dict[str, bytes]:
    """The stored results that a page draws, by their path in the archive: what is never read is left out."""
    found = {}
    for name in OURS:
        found[f"gpu/results/{name}"] = _slimmed(normal_bytes(root / "gpu" / "results" / name), name)
    clocks = json.loads(normal_bytes(root / "gpu" / "results" / SWEEP))["clocks"]
    return found | {f"gpu/results/{SWEEP}": json.dumps({"clocks": clocks}).encode()}


@lru_cache(maxsize=8)
def _slimmed(data: bytes, name: str) -> bytes:
    return slim(data.decode("utf-8"), name).encode()


def sources_hash(sources: dict[str, bytes], package: str) -> str:
    """A hash of one package's sources, names included."""
    digest = hashlib.sha256()
    for name, data in sorted(sources.items()):
        if name.startswith(f"{package}/"):
            digest.update(f"{name}\0{len(data)}\0".encode() + data)
    return digest.hexdigest()[:10]


def zip_of(files: dict[str, bytes]) -> bytes:
    """A zip that is the same bytes for the same files: sorted, one date, stored, for HTTP to compress."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, data in sorted(files.items()):
            entry = zipfile.ZipInfo(name, ZIP_DATE)
            entry.external_attr = 0o644 << 16
            entry.create_system = 3
            archive.writestr(entry, data)
    return buffer.getvalue()
