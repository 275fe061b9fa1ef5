"""Watching the sources: one save is one build, and neither the output nor an editor's own files start any."""

import hashlib
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from watchfiles import Change, watch

SOURCES = (
    "chapters",
    "downloads",
    "gpu",
    "sim",
    "site/builder",
    "site/lab",
    "site/static",
    "site/templates",
)


def is_source(path: Path, root: Path, output: Path) -> bool:
    """True for a file that an author writes: not the output, not hidden, not left by an editor or by Python."""
    if path.is_relative_to(output):
        return False
    parts = path.relative_to(root).parts
    skip = any(part.startswith(".") or part == "__pycache__" or part.endswith(".egg-info") for part in parts)
    return not skip and not path.name.endswith(("~", ".swp", ".tmp", ".part", ".pyc")) and path.name != "4913"


def source_files(root: Path, output: Path) -> Iterator[Path]:
    """Every source file there is now."""
    for name in SOURCES:
        for path in sorted((root / name).rglob("*")):
            if is_source(path, root, output) and path.is_file():
                yield path


def fingerprint(root: Path, output: Path) -> str:
    """A hash of the sources' names and contents: equal before and after means nothing to build."""
    digest = hashlib.sha256()
    for path in source_files(root, output):
        try:
            data = path.read_bytes()
        except OSError:
            continue
        digest.update(f"{path.relative_to(root).as_posix()}\0{len(data)}\0".encode() + data)
    return digest.hexdigest()


def build_on_change(
    root: Path,
    output: Path,
    build: Callable[[], None],
    stop: threading.Event,
    ready: Callable[[], None] = lambda: None,
) -> None:
    """Call `build` now and whenever the sources' content has changed, until `stop`. `ready` is called when watching.

    A change that comes while a build runs is met by the next one; the saves of one moment are met together.
    """
    root, output = root.resolve(), output.resolve()
    built = fingerprint(root, output)
    build()
    folders = [root / name for name in SOURCES if (root / name).is_dir()]

    def wanted(_: Change, path: str) -> bool:
        return is_source(Path(path), root, output)

    first = True
    for changes in watch(
        *folders, watch_filter=wanted, stop_event=stop, debounce=800, step=100, rust_timeout=200, yield_on_timeout=True
    ):
        if first:
            ready()
        if changes or first:
            now = fingerprint(root, output)
            if now != built:
                built = now
                build()
        first = False
