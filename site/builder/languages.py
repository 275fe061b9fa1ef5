"""The languages of the chapters: English in `chapters`, another in a folder there with a catalogue of the same name.

`chapters/zh` needs `site/lab/languages/zh.po`. The pages of such a folder claim to be whole, so every text that can
stand on one must be in the catalogue, and a catalogue holds nothing that no code says any more.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from builder.mistakes import Mistakes
from builder.source import read_text
from builder.wording import Wording, imports_of, in_python, in_script, in_template, said_script
from lab.catalogue import Catalogue, Entry, read_catalogue
from lab.problem import Problem
from lab.registry import MODULES
from sim.words import ENGLISH, PLACE, Language, key

FOLDER = "site/lab/languages"
CODE = (
    ("site/builder", "*.py", in_python),
    ("site/static", "*.js", in_script),
    ("site/templates", "*.html", in_template),
)
MODEL = ("sim/", "site/lab/")
EVERY_PAGE = ("lab.bridge", "lab.page", "lab.quotes")
DIGITS = re.compile(r"[0-9]+")


@dataclass(frozen=True)
class Tongue:
    """A language of chapters: `folder` in `chapters` and in the site, empty for English; its own `name`."""

    folder: str
    name: str
    language: Language
    file: str = ""
    version: str = ""

    @property
    def tag(self) -> str:
        """The language as HTML's `lang` says it."""
        return self.language.tag

    @property
    def root(self) -> str:
        """The way from a page of this language to the site's top."""
        return "../" if self.folder else ""

    def script(self, source: bytes) -> bytes:
        """A page's script in this language. A text that is missing stays; the check of the catalogue tells of it."""
        if self.language is ENGLISH:
            return source
        texts = {text: forms[0] for text, forms in self.language.texts.items()}
        return said_script(source.decode(), texts).encode()


IN_ENGLISH = Tongue("", "English", ENGLISH)


@dataclass(frozen=True)
class Languages:
    """English and the language of each folder of chapters, by folder, and every text that the code says."""

    tongues: dict[str, Tongue]
    said: list[Wording]

    @property
    def translations(self) -> list[str]:
        """The folders of the languages besides English."""
        return [folder for folder in self.tongues if folder]


def read_languages(root: Path, mistakes: Mistakes) -> Languages:
    """The languages of the chapters that there are, with their catalogues checked."""
    folders = sorted(path.name for path in (root / "chapters").iterdir() if any(path.glob("*.md")))
    said = said_anywhere(root, mistakes) if folders else []
    tongues = {"": IN_ENGLISH}
    for folder in folders:
        file = f"{FOLDER}/{folder}.po"
        if not (root / file).is_file():
            mistakes.add(f"chapters/{folder}", 1, f"a folder without a catalogue given; required: {file}")
            continue
        text = read_text(root / file, file, mistakes)
        try:
            catalogue = read_catalogue(text or "")
            version = hashlib.sha256((text or "").encode()).hexdigest()
            name = catalogue.header.get("X-Name", folder)
            tongues[folder] = Tongue(folder, name, catalogue.language, file, version)
        except Problem as problem:
            mistakes.add(file, int(problem.field or 1), problem.sentence)
            continue
        check_entries(catalogue, file, said, mistakes)
    return Languages(tongues, said)


def said_anywhere(root: Path, mistakes: Mistakes) -> list[Wording]:
    """Every text that is marked in the code of the site and of the model."""
    places = [*CODE, *((folder, "*.py", in_python) for folder in MODEL)]
    found: list[Wording] = []
    for folder, pattern, texts_of in places:
        for path in sorted((root / folder).rglob(pattern)):
            source = path.read_text(encoding="utf-8-sig")
            if "say" in source or "words" in source or "some(" in source:
                found += texts_of(source, path.relative_to(root).as_posix(), mistakes)
    return found


def check_entries(catalogue: Catalogue, file: str, said: Sequence[Wording], mistakes: Mistakes) -> None:
    """Note every entry that no code says, is there twice, lacks a form, or has other names or numbers than its text."""
    known = {wording.key: wording for wording in said}
    forms = int((re.search(r"nplurals\s*=\s*(\d)", catalogue.header.get("Plural-Forms", "")) or ["", "1"])[1])
    times = Counter(key(entry.one, entry.context) for entry in catalogue.entries)
    for entry in catalogue.entries:
        wanted = known.get(key(entry.one, entry.context))
        if wanted is None or wanted.many != entry.many:
            allowed = "texts that the code says, letter for letter, with their plurals"
            mistakes.add(file, entry.line, f"text {entry.one!r} given; allowed: {allowed}")
        elif times[key(entry.one, entry.context)] > 1:
            mistakes.add(file, entry.line, f"text {entry.one!r} given twice; allowed: each once")
        else:
            for sentence in slips(entry, forms if entry.many else 1):
                mistakes.add(file, entry.line, f"translation of {entry.one!r}: {sentence}")


def slips(entry: Entry, forms: int) -> Iterator[str]:
    """What is wrong with the translations of one text."""
    if len(entry.forms) != forms or not all(entry.forms):
        yield f"{len([form for form in entry.forms if form])} given; required: {forms}, none of them empty"
        return
    allowed = [_filling(text) for text in (entry.one, entry.many) if text]
    for form in entry.forms:
        if _filling(form) not in allowed:
            names, digits = allowed[-1]
            wanted = ", ".join([*(f"{{{name}}}" for name in sorted(names)), *sorted(digits.elements())]) or "none"
            yield f"{form!r} given; allowed: the names and numbers of the English text, which are {wanted}"


def _filling(text: str) -> tuple[frozenset[str], Counter[str]]:
    """The names that are filled in, and how often each number stands there."""
    return frozenset(PLACE.findall(text)), Counter(DIGITS.findall(PLACE.sub("", text)))


def check_whole(
    root: Path, tongue: Tongue, said: Sequence[Wording], widgets: Iterable[str], mistakes: Mistakes
) -> None:
    """Note every text that can stand on a page of this language with these widgets, and has no translation."""
    modules = [*EVERY_PAGE, *(f"lab.widgets.{MODULES[name]}" for name in widgets)]
    model = imports_of(root, modules)
    for wording in said:
        shown = wording.file in model or not wording.file.startswith(MODEL)
        if shown and wording.key not in tongue.language.texts:
            given = f"text {wording.one!r} given, which {tongue.file} does not translate"
            mistakes.add(wording.file, wording.line, f"{given}; required: every text of a page in {tongue.tag}")
