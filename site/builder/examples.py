"""The parts of the page *All examples*: a card for each file, the zip of them all, and how to open a notebook."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import quote

from builder.downloads import Download, Downloads
from builder.evidence import Evidence
from builder.headings import slug
from builder.highlight import BY_SUFFIX, code_html
from builder.mistakes import listed
from builder.record import sha256
from builder.source import Source
from lab.controls import capital
from lab.markup import Html, join, number, tag
from lab.problem import given

COLAB = "https://colab.research.google.com/"
PARTS = ("model", "notebooks", "program", "zip")
UPLOAD = (
    "Each program is also a notebook, made from the same file. On your own computer: ",
    ", then open the file in the page that appears. In Colab, which runs notebooks on Google’s computers: ",
)


@dataclass(frozen=True)
class Examples:
    """Writes the parts. `chapters` are the pages by their file's name; `repository` is where Colab finds notebooks.

    `repository` is `owner/name/blob/branch`, of a GitHub repository with the notebooks in downloads/, or empty.
    """

    downloads: Downloads
    evidence: Evidence
    chapters: Mapping[str, Source]
    repository: str = ""

    def part(self, name: str) -> str:
        """The HTML of one part. Raises Problem for a part that there is not."""
        if name not in PARTS:
            raise given("part of the examples", name, listed(PARTS))
        if name == "zip":
            return self._zip()
        if name == "notebooks":
            return self._notebooks()
        entries = [entry for entry in self.downloads.by_name.values() if entry.kind == name]
        links = (tag("a", entry.name, href=f"#{slug(entry.name)}") for entry in entries)
        return join(tag("p", _parted(links, Html(" · "))), *map(self._card, entries))

    def _zip(self) -> Html:
        lines = (
            tag("p", _download(name, f"Download {name}"), ", ", _size(data))
            for name, data in self.downloads.bundle.items()
        )
        return join(*lines)

    def _notebooks(self) -> Html:
        own = tag("code", "pip install notebook")
        start = tag("code", "jupyter notebook")
        if self.repository:
            colab = join("press ", tag("em", "Open in Colab"), " at a program below.")
        else:
            upload = tag("em", "Upload")
            colab = join("download the notebook, open ", tag("a", "Colab", href=COLAB), " and choose ", upload, ".")
        gpu = " For a GPU choose one there under Runtime, Change runtime type, before the first cell runs."
        return tag("p", UPLOAD[0], own, " and ", start, UPLOAD[1], colab, gpu)

    def _card(self, entry: Download) -> Html:
        name = slug(entry.name)
        facts = [
            ("Chapter", _parted((self._chapter(file) for file in entry.shown), Html("; "))),
            ("Needs", entry.needs),
            ("Run", _parted((tag("code", line) for line in entry.run.splitlines()), tag("br"))),
            ("Last checked", join(*(tag("p", line) for line in self._checked(entry)))),
            ("Download", join(*(self._file(*each) for each in _files(entry)))),
        ]
        pairs = (tag("div", tag("dt", term), tag("dd", words)) for term, words in facts)
        return tag(
            "section",
            tag("h3", tag("code", entry.name), id=name),
            tag("p", entry.what),
            tag("dl", *pairs),
            _code(entry),
            class_="example",
            aria_labelledby=name,
        )

    def _chapter(self, file: str) -> Html:
        source = self.chapters[file]
        words = f"{source.order}. {source.title}" if source.order is not None else source.title
        return tag("a", words, href=quote(source.output))

    def _checked(self, entry: Download) -> list[str]:
        record = self.downloads.record
        versions = [f"{package} {record.versions[package]}" for package in entry.packages if package in record.versions]
        lines = [f"{capital(entry.checked)}."]
        if record.holds(entry.name, entry.data):
            when = ", ".join([record.date, record.device, f"Python {record.python}", *versions])
            lines = [f"{when}: {entry.checked}."]
        elif record.date:
            lines = [f"{capital(entry.checked)}; this text is newer than the last record, of {record.date}."]
        if entry.result:
            lines.append(f"{self.evidence.circumstances(entry.result)}: {entry.measured}.")
        return lines

    def _file(self, name: str, data: bytes) -> Html:
        colab = None
        if self.repository and name.endswith(".ipynb"):
            address = f"{COLAB}github/{self.repository}/downloads/{quote(name)}"
            words = ("Open in Colab", tag("span", f" {name}", class_="visually-hidden"))
            colab = join(" or ", tag("a", *words, href=address))
        return tag("p", _download(name, name), colab, ", ", _size(data))


def _files(entry: Download) -> list[tuple[str, bytes]]:
    own = [(entry.name, entry.data)]
    return [*own, (entry.notebook_name, entry.notebook)] if entry.notebook else own


def _download(name: str, words: str) -> Html:
    return tag("a", words, href=f"downloads/{quote(name)}", download=True)


def _size(data: bytes) -> Html:
    return join(f"{number(len(data))} bytes, SHA-256 ", tag("code", sha256(data), class_="checksum"))


def _code(entry: Download) -> Html:
    """The whole text, folded, to look at and to copy."""
    language = BY_SUFFIX.get(PurePosixPath(entry.file).suffix, "text")
    copy = tag("button", "Copy", type="button", data_act="copy", aria_label=f"Copy {entry.name}")
    fold = tag("details", tag("summary", f"View {entry.name}"), Html(code_html(entry.text, language)))
    return tag("div", copy, fold, class_="code")


def _parted(parts: Iterable[Html], between: Html) -> Html:
    return Html(between.join(parts))
