"""Reading `downloads/manifest.toml`: everything that the site offers, checked against the files."""

import re
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from builder.downloads import Download, Downloads
from builder.evidence import Evidence
from builder.inlining import InliningError, inlined
from builder.mistakes import Mistakes, listed
from builder.notebooks import notebook_of, read_pins
from builder.record import read_record, sha256
from lab.problem import Problem

MANIFEST = "downloads/manifest.toml"
REQUIRED = ("checked", "file", "kind", "needs", "run", "shown", "what")
OPTIONAL = ("inlines", "measured", "name", "packages", "result")
KINDS = ("model", "program")


def read_downloads(root: Path, evidence: Evidence, mistakes: Mistakes, *, python: str = "") -> Downloads:
    """Read the manifest; a repository without one offers nothing.

    `python` is the version that the notebooks name, that of the stored record when it is left out.
    """
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
    record = read_record(root)
    reader = Reader(root, evidence, read_pins(root), python or record.python, mistakes)
    found_entries: dict[str, Download] = {}
    for entry, line in zip(entries, lines, strict=False):
        download = reader.read(entry, line)
        if download is None:
            continue
        taken = Downloads(found_entries).files
        if download.name in taken:
            mistakes.add(MANIFEST, line, f"name {download.name!r} given twice; allowed: one entry for each name")
        elif download.notebook and download.notebook_name in taken:
            given = f"{download.name}, whose notebook would be {download.notebook_name!r} like another's, given"
            mistakes.add(MANIFEST, line, f"{given}; allowed: a name that no other program has before its dot")
        else:
            found_entries[download.name] = download
    return Downloads(found_entries, record)


@dataclass(frozen=True)
class Reader:
    """Reads one entry of the manifest after another."""

    root: Path
    evidence: Evidence
    pins: dict[str, str]
    python: str
    mistakes: Mistakes

    def read(self, entry: dict[str, object], line: int) -> Download | None:
        """The download of an entry; None after a mistake."""
        before = len(self.mistakes.found)
        self._check_keys(entry, line)
        file = str(PurePosixPath(str(entry.get("file", ""))))
        data = read_inside(self.root, file)
        if data is None and entry.get("file"):
            self._wrong(line, f"file {file!r} given; allowed: a file of the repository")
        if data is not None and (bad := _not_text(data)):
            self._wrong(line, f"{file} with byte {bad} given; allowed: text in UTF-8")
            return None
        if data is not None and entry.get("inlines"):
            data = self._inlined(data, str(entry["inlines"]), line)
        if data is not None and entry.get("result"):
            self._check_result(str(entry["result"]), file, data, line)
        if len(self.mistakes.found) > before or data is None:
            return None
        words = {key: str(entry.get(key, "")).strip() for key in REQUIRED + OPTIONAL}
        lists = {key: tuple(map(str, self._list(entry, key))) for key in ("packages", "shown")}
        made = Download(
            kind=words["kind"],
            name=words["name"] or PurePosixPath(file).name,
            file=file,
            what=words["what"],
            needs=words["needs"],
            run=words["run"],
            shown=lists["shown"],
            checked=words["checked"],
            data=data,
            packages=lists["packages"],
            result=words["result"],
            measured=words["measured"],
        )
        return self._with_notebook(made, line) if made.kind == "program" else made

    def _check_keys(self, entry: dict[str, object], line: int) -> None:
        for key in entry:
            if key not in REQUIRED + OPTIONAL:
                self._wrong(line, f"key {key!r} given; allowed: {listed(REQUIRED + OPTIONAL)}")
        for key in REQUIRED:
            if not entry.get(key):
                self._wrong(line, f"an entry without {key} given; required: {listed(REQUIRED)}")
        if entry.get("kind") and entry["kind"] not in KINDS:
            self._wrong(line, f"kind {entry['kind']!r} given; allowed: {listed(KINDS)}")
        if bool(entry.get("result")) != bool(entry.get("measured")):
            self._wrong(line, "result or measured alone given; allowed: both, the stored result and what was done")
        shown, packages = entry.get("shown"), entry.get("packages", [])
        if shown and not (isinstance(shown, list) and all(self._is_chapter(str(name)) for name in shown)):
            self._wrong(line, f"shown = {shown!r} given; allowed: a list of names of files in chapters/")
        if not (isinstance(packages, list) and all(name in self.pins for name in packages)):
            self._wrong(line, f"packages = {packages!r} given; allowed: a list of packages that pyproject.toml pins")

    def _is_chapter(self, name: str) -> bool:
        return (self.root / "chapters" / name).is_file()

    @staticmethod
    def _list(entry: dict[str, object], key: str) -> list[object]:
        found = entry.get(key, [])
        return found if isinstance(found, list) else []

    def _inlined(self, data: bytes, file: str, line: int) -> bytes:
        """The program with what it imports from `file` put in the place of that import."""
        source = read_inside(self.root, file)
        if source is None:
            self._wrong(line, f"inlines = {file!r} given; allowed: a Python file of the repository")
            return data
        try:
            return inlined(data.decode("utf-8-sig"), source.decode("utf-8-sig"), file).encode()
        except (InliningError, SyntaxError, UnicodeDecodeError) as error:
            self._wrong(line, f"inlines = {file!r} given: {error}")
            return data

    def _check_result(self, name: str, file: str, data: bytes, line: int) -> None:
        """A stored result must be there, and one that says which text it ran must have run this one."""
        try:
            measured = self.evidence.checksum(name, file)
        except Problem as problem:
            self._wrong(line, str(problem))
            return
        if measured and measured != sha256(data):
            self._wrong(line, f"{file} given, which {name} did not measure: allowed: the text of its checksum")

    def _with_notebook(self, made: Download, line: int) -> Download:
        checked = {package: self.pins[package] for package in made.packages}
        try:
            notebook = notebook_of(made.name, made.text, made.run, self.python, checked)
        except SyntaxError as error:
            self._wrong(line, f"{made.file} given, which Python cannot read ({error}); allowed: a program")
            return made
        return replace(made, notebook=notebook)

    def _wrong(self, line: int, sentence: str) -> None:
        self.mistakes.add(MANIFEST, line, sentence)


def _not_text(data: bytes) -> str:
    try:
        data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return f"{data[error.start]:#04x}"
    return ""


def read_inside(root: Path, file: str) -> bytes | None:
    """The bytes of a file of the repository, or None when there is none or the path leads out of it."""
    path = (root / file).resolve()
    return path.read_bytes() if path.is_relative_to(root.resolve()) and path.is_file() else None
