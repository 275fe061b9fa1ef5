"""Links: to other pages, places on a page, downloads and the outside; and quoted numbers, which are checked."""

import posixpath
import unicodedata
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, field
from urllib.parse import quote, unquote

from markdown_it.token import Token

from builder.downloads import Downloads
from builder.evidence import Evidence
from builder.markdown import children_with_lines, plain_text, with_lines
from builder.mistakes import Mistakes, listed
from builder.model import Model
from builder.offline import FOLDER
from lab.problem import Problem
from sim.words import ENGLISH, say, spoken

OUTSIDE = ("https://", "http://", "mailto:")
FORMS = "page.md, page.md#place, #place, download:name, folder:, sim:number, result:file/path, https://…"


@dataclass
class Links:
    """Resolves the links of one page.

    `pages` maps a chapter's file name to its page's name, `anchors` a page's name to its ids, `image` a file name to
    its place in the site (None when there is no such file). `prefix` goes before every link inside the site. A link
    from a page in another language to one in English says so.
    """

    file: str
    page: str
    pages: Mapping[str, str]
    anchors: Mapping[str, Set[str]]
    downloads: Downloads
    model: Model
    evidence: Evidence
    mistakes: Mistakes
    image: Callable[[str], str | None]
    prefix: str = ""
    quoted: dict[str, list[str]] = field(default_factory=dict)  # who checked -> the numbers, for the list at the end

    def resolve(self, tokens: list[Token], first_line: int) -> None:
        """Point every link and image of the page at its place in the site, or note what is wrong with it."""
        for inline, block_line in with_lines(tokens, first_line):
            children = inline.children or []
            for index, child, line in children_with_lines(inline, block_line):
                if child.type == "link_open":
                    self._link(children, index, line)
                elif child.type == "image":
                    self._image(child, line)

    def _link(self, children: list[Token], index: int, line: int) -> None:
        opening, end = children[index], _closing(children, index)
        target = str(opening.attrGet("href") or "")
        if target.startswith("sim:"):
            self._number(opening, children[end], plain_text(children[index + 1 : end]), target, line)
            return
        if target.startswith("result:"):
            self._measured(opening, children[end], plain_text(children[index + 1 : end]), target, line)
            return
        if not plain_text(children[index + 1 : end]).strip():
            self._wrong(line, f"link to {target!r} without words", "words that say where it leads")
        if target.startswith("download:"):
            self._download(opening, target, line)
        elif target == "folder:":
            opening.attrSet("href", f"{self.prefix}{FOLDER}")
            opening.attrSet("download", "")
        elif not target.startswith(OUTSIDE):
            address = self._inside(target, line)
            opening.attrSet("href", address)
            if spoken() is not ENGLISH and "/" not in address.removeprefix(self.prefix) and not address.startswith("#"):
                opening.attrSet("hreflang", ENGLISH.tag)

    def _number(self, opening: Token, closing: Token, text: str, target: str, line: int) -> None:
        expression = target.removeprefix("sim:")
        try:
            value, checked_by = self.model.quote(expression), self.model.checked_by(expression)
        except Problem as problem:
            self.mistakes.add(self.file, line, f"quoted number {target}: {problem}")
            return
        if text != value:
            self._wrong(line, f"{text!r} as {target}", f"{value}, which is what sim says")
        self._mark(opening, closing, "checked", say("checked by: {who}", who=checked_by), text)

    def _measured(self, opening: Token, closing: Token, text: str, target: str, line: int) -> None:
        try:
            found = self.evidence.look_up(unquote(target.removeprefix("result:")), text)
        except Problem as problem:
            self.mistakes.add(self.file, line, f"quoted result {target}: {problem}")
            return
        if text != found.text:
            self._wrong(line, f"{text!r} as {target}", f"{found.text}, which is what was measured")
        self._mark(opening, closing, "checked measured", found.provenance, text)

    def _mark(self, opening: Token, closing: Token, kind: str, title: str, text: str) -> None:
        """Underlined with dots; what a mouse learns by resting there, a tap shows and the page's end lists."""
        opening.type, closing.type = "checked_open", "checked_close"
        opening.tag = closing.tag = "span"
        opening.attrs = {"class": kind, "title": title}
        numbers = self.quoted.setdefault(title, [])
        if text not in numbers:
            numbers.append(text)

    def _download(self, opening: Token, target: str, line: int) -> None:
        name = unquote(target.removeprefix("download:"))
        if name not in self.downloads.files:
            self._wrong(line, f"download {name!r}", f"{listed(self.downloads.files)} (downloads/manifest.toml)")
        opening.attrSet("href", f"{self.prefix}downloads/{quote(name)}")
        opening.attrSet("download", "")

    def _inside(self, target: str, line: int) -> str:
        file, hash_sign, place = target.partition("#")
        name = unicodedata.normalize("NFC", posixpath.normpath(unquote(file))) if file else ""
        if file and not file.endswith(".md"):
            self._wrong(line, f"link to {target!r}", FORMS)
            return target
        if file and name not in self.pages:
            self._wrong(line, f"link to {file!r}", listed(self.pages))
            return target
        page = self.pages[name] if file else self.page
        if hash_sign and unquote(place) not in self.anchors[page]:
            where = file or "this page"
            self._wrong(line, f"place {place!r} of {where}", listed(self.anchors[page]))
        return (self.prefix + quote(page) if file else "") + (f"#{place}" if hash_sign else "")

    def _image(self, token: Token, line: int) -> None:
        source = unquote(str(token.attrGet("src") or ""))
        place = self.image(source)
        if place is None:
            self._wrong(line, f"image {source!r}", "the name of a file beside the chapter: .avif, .png, .svg or .webp")
        if not token.content.strip():
            self._wrong(line, f"image {source!r} without a description", "![what it shows](file)")
        token.attrSet("src", self.prefix + (place or source))

    def _wrong(self, line: int, given: str, allowed: str) -> None:
        self.mistakes.add(self.file, line, f"{given} given; allowed: {allowed}")


def _closing(children: list[Token], index: int) -> int:
    return next(at for at in range(index, len(children)) if children[at].type == "link_close")
