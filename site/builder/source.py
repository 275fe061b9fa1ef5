"""Reading an author's file: UTF-8, with or without a BOM, lines ended in any way, front matter between `---` lines."""

import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from builder.mistakes import Mistakes, listed

REQUIRED = {"title": str, "description": str}
OPTIONAL = {"nav": str, "order": int}
SPECIAL_PAGES = ("index", "404")


@dataclass(frozen=True)
class Source:
    """One chapter's file. `body_line` is the line on which the Markdown begins, counted from 1.

    `folder` is the folder of its language, in `chapters` as in the site; empty for English.
    """

    file: str
    name: str
    title: str
    description: str
    nav: str
    order: int | None
    body: str
    body_line: int
    folder: str = ""

    @property
    def output(self) -> str:
        """The place of the page's file in the site: flat within its language."""
        return f"{self.folder}/{self.name}.html" if self.folder else f"{self.name}.html"

    @property
    def link_names(self) -> tuple[str, ...]:
        """What a link may call this page: its file's name, with or without the number."""
        return tuple(sorted({self.file.rpartition("/")[2], f"{self.name}.md"}))


def read_text(path: Path, file: str, mistakes: Mistakes) -> str | None:
    """The text of a UTF-8 file without BOM, lines ended by one newline; None after a mistake."""
    data = path.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        mistakes.add(file, line, f"byte {data[error.start]:#04x} given; allowed: text in UTF-8")
        return None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_source(path: Path, file: str, mistakes: Mistakes) -> Source | None:
    """Read a chapter's file and check its front matter; None after a mistake."""
    text = read_text(path, file, mistakes)
    if text is None:
        return None
    parts = re.match(r"---[ \t]*\n(.*?\n)??---[ \t]*(?:\n|\Z)", text, re.DOTALL)
    if not parts:
        first = text.split("\n", 1)[0]
        mistakes.add(file, 1, f"first line {first[:40]!r} given; allowed: front matter between two lines of ---")
        return None
    stem = unicodedata.normalize("NFC", path.stem)
    numbered = re.fullmatch(r"\d+-(.+)", stem)
    matter = _front_matter(parts.group(1) or "", file, bool(numbered), mistakes)
    if matter is None:
        return None
    return Source(
        file=file,
        name=numbered.group(1) if numbered else stem,
        title=matter["title"],
        description=matter["description"],
        nav=matter.get("nav", matter["title"]),
        order=matter.get("order"),
        body=text[parts.end() :],
        body_line=text.count("\n", 0, parts.end()) + 1,
        folder=file.removeprefix("chapters/").rpartition("/")[0],
    )


def _front_matter(text: str, file: str, numbered: bool, mistakes: Mistakes) -> dict[str, Any] | None:
    try:
        matter = yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "unreadable text"
        line = mark.line + 2 if mark else 1
        mistakes.add(file, line, f"front matter that is not YAML given ({problem}); allowed: lines of key: value")
        return None
    if not isinstance(matter, dict):
        mistakes.add(file, 1, f"front matter without keys given; allowed: {listed(REQUIRED | OPTIONAL)}")
        return None
    before = len(mistakes.found)
    _check_keys(matter, text, file, numbered, mistakes)
    return matter if len(mistakes.found) == before else None


def _check_keys(matter: dict[Any, Any], text: str, file: str, numbered: bool, mistakes: Mistakes) -> None:
    kinds = REQUIRED | OPTIONAL
    written = re.findall(r"^(\w+)[ \t]*:", text, re.MULTILINE)
    for key in sorted(key for key in set(written) if written.count(key) > 1):
        mistakes.add(file, _line_of(key, text), f"front matter key {key!r} given twice; allowed: each once")
    for key, value in matter.items():
        line = _line_of(key, text)
        if key not in kinds:
            mistakes.add(file, line, f"front matter key {key!r} given; allowed: {listed(kinds)}")
        elif type(value) is not kinds[key] or (isinstance(value, str) and (not value.strip() or "\n" in value.strip())):
            what = "a whole number" if kinds[key] is int else "text on one line, in quotes if YAML takes it otherwise"
            mistakes.add(file, line, f"front matter {key}: {value!r} given; allowed: {what}")
    for key in REQUIRED:
        if key not in matter:
            mistakes.add(file, 1, f"front matter without {key} given; required: {listed(REQUIRED)}")
    if numbered and "order" not in matter:
        mistakes.add(file, 1, "a numbered chapter without order given; required: order: a whole number")
    if not numbered and "order" in matter:
        wanted = "order in files named like 01-name.md only"
        mistakes.add(file, _line_of("order", text), f"order in a page without number given; allowed: {wanted}")


def _line_of(key: object, text: str) -> int:
    found = re.search(rf"^[ \t]*['\"]?{re.escape(str(key))}['\"]?[ \t]*:", text, re.MULTILINE)
    return text.count("\n", 0, found.start()) + 2 if found else 1
