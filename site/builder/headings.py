"""Headings: an id for each, given as `## Words {#id}` or made from the words, and the page's contents."""

import re
import unicodedata
from dataclasses import dataclass, field
from html.parser import HTMLParser

from markdown_it.token import Token

from builder.markdown import plain_text, with_lines
from builder.mistakes import Mistakes

EXPLICIT = re.compile(r"[ \t]*\{#([^{}]*)\}[ \t]*$")
ALLOWED_ID = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
WITH_ID = re.compile(r"<[A-Za-z][^<>]*\sid[^<>]*>")  # few of many tags: what the parser need not see costs nothing
TEMPLATE_IDS = ("main", "contents", "contents-title", "chapter-list-title")


@dataclass(frozen=True)
class Heading:
    """A heading as the contents list it: level 1 to 6."""

    level: int
    id: str
    words: str


@dataclass
class PageIds:
    """Every id of one page, with the line that gave it; line 0 is the page's own frame."""

    file: str
    mistakes: Mistakes
    lines: dict[str, int] = field(default_factory=lambda: dict.fromkeys(TEMPLATE_IDS, 0))

    def add(self, name: str, line: int, hint: str) -> None:
        """Take an id, or note that the page has it already. `hint` says what is allowed."""
        if name in self.lines:
            where = f"line {self.lines[name]}" if self.lines[name] else "the page's own frame"
            self.mistakes.add(self.file, line, f"id {name!r} given, which {where} has already; allowed: {hint}")
        else:
            self.lines[name] = line

    def add_all(self, html: str, line: int, hint: str) -> None:
        """Take every id of a piece of HTML."""
        for name in ids_in(html):
            self.add(name, line, hint)


def ids_in(html: str) -> list[str]:
    """The ids of a piece of HTML, in order."""
    found: list[str] = []

    class Collector(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.extend(value for name, value in attrs if name == "id" and value)

    Collector().feed("".join(WITH_ID.findall(html)))
    return found


def slug(words: str) -> str:
    """An id from a heading's words: `C[0,0] & B` gives `c-0-0-b`. Empty when no letter or digit is left."""
    plain = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode("ascii").lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")


def number_headings(tokens: list[Token], first_line: int, ids: PageIds) -> list[Heading]:
    """Give each heading its id, and return them in order.

    A page that begins with a heading of level 1 has that at its head, and any other the title of its front matter.
    """
    headings: list[Heading] = []
    previous = 1
    for (token, line), inline in zip(with_lines(tokens, first_line), tokens[1:], strict=False):
        if token.type != "heading_open":
            continue
        level = int(token.tag[1])
        if level > previous + 1 or (level == 1 and token is not tokens[0]):
            allowed = "level 1 at the very beginning (or the title stands there), then no level left out"
            given = f"heading of level {level} after level {previous}"
            ids.mistakes.add(ids.file, line, f"{given} given; allowed: {allowed}")
        previous = level
        name = _take_explicit_id(inline) or slug(plain_text(inline.children or []))
        _check_id(name, line, ids)
        token.attrSet("id", name)
        headings.append(Heading(level, name, plain_text(inline.children or []).strip()))
    return headings


def _check_id(name: str, line: int, ids: PageIds) -> None:
    if name.startswith("#") or not re.fullmatch(r"[A-Za-z0-9-]+", name):
        allowed = "an id of letters, digits and hyphens after the heading's words, as in {#first-step}"
        ids.mistakes.add(ids.file, line, f"heading id {name!r} given; allowed: {allowed}")
    else:
        ids.add(name, line, "one heading for each id; tell equal headings apart with {#another-id}")


def _take_explicit_id(inline: Token) -> str:
    last = (inline.children or [Token("text", "", 0)])[-1]
    found = EXPLICIT.search(last.content) if last.type == "text" else None
    if not found:
        return ""
    last.content = last.content[: found.start()]
    name = found.group(1).strip()
    return name if ALLOWED_ID.fullmatch(name) else f"#{name}"
