"""What the site offers for download: `downloads/manifest.toml`, checked against the files."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from builder.mistakes import Mistakes, listed

MANIFEST = "downloads/manifest.toml"
REQUIRED = ("file", "what", "needs", "shown", "checked")
OPTIONAL = ("name",)


@dataclass(frozen=True)
class Download:
    """One offered file.

    `file` is its place in the repository, `name` its name in the site, `what` and `needs` one short sentence each,
    `shown` the chapters' files that offer it, `checked` how it was last checked.
    """

    name: str
    file: str
    what: str
    needs: str
    shown: tuple[str, ...]
    checked: str
    data: bytes


@dataclass(frozen=True)
class Downloads:
    """Everything offered, by its name in the site."""

    by_name: dict[str, Download]

    def of_file(self, file: str) -> Download | None:
        """The download whose source is `file`, a path relative to the repository."""
        return next((entry for entry in self.by_name.values() if entry.file == file), None)


def read_downloads(root: Path, mistakes: Mistakes) -> Downloads:
    """Read the manifest; a repository without one offers nothing."""
    path = root / MANIFEST
    if not path.is_file():
        return Downloads({})
    try:
        text = path.read_bytes().decode("utf-8-sig")
        entries = tomllib.loads(text).get("download", [])
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        found = re.search(r"at line (\d+)", str(error))
        mistakes.add(MANIFEST, int(found.group(1)) if found else 1, f"{error} given; allowed: TOML in UTF-8")
        return Downloads({})
    lines = [text.count("\n", 0, match.start()) + 1 for match in re.finditer(r"^\[\[download\]\]", text, re.MULTILINE)]
    found_entries: dict[str, Download] = {}
    for entry, line in zip(entries, lines, strict=False):
        download = _entry(root, entry, line, mistakes)
        if download and download.name in found_entries:
            mistakes.add(MANIFEST, line, f"name {download.name!r} given twice; allowed: one entry for each name")
        elif download:
            found_entries[download.name] = download
    return Downloads(found_entries)


def _entry(root: Path, entry: dict[str, object], line: int, mistakes: Mistakes) -> Download | None:
    before = len(mistakes.found)
    for key in entry:
        if key not in REQUIRED + OPTIONAL:
            mistakes.add(MANIFEST, line, f"key {key!r} given; allowed: {listed(REQUIRED + OPTIONAL)}")
    for key in REQUIRED:
        if not entry.get(key):
            mistakes.add(MANIFEST, line, f"an entry without {key} given; required: {listed(REQUIRED)}")
    shown = entry.get("shown")
    if shown and not (isinstance(shown, list) and all((root / "chapters" / str(name)).is_file() for name in shown)):
        mistakes.add(MANIFEST, line, f"shown = {shown!r} given; allowed: a list of names of files in chapters/")
    file = PurePosixPath(str(entry.get("file", "")))
    data = read_inside(root, str(file))
    if data is None and entry.get("file"):
        mistakes.add(MANIFEST, line, f"file {str(file)!r} given; allowed: a file of the repository")
    if len(mistakes.found) > before or data is None or not isinstance(shown, list):
        return None
    name = str(entry.get("name", file.name))
    words = {key: str(entry[key]) for key in ("what", "needs", "checked")}
    return Download(name=name, file=str(file), shown=tuple(map(str, shown)), data=data, **words)


def read_inside(root: Path, file: str) -> bytes | None:
    """The bytes of a file of the repository, or None when there is none or the path leads out of it."""
    path = (root / file).resolve()
    return path.read_bytes() if path.is_relative_to(root.resolve()) and path.is_file() else None
