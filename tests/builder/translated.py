"""What a translation may not change: numbers, tags and links. Differences between two pages, one sentence each."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

NUMBER = re.compile(r"(?:(?<![\w.)\]])[-−])?\d+(?:,\d{3})*(?:\.\d+)?")
WORDS = ("alt", "aria-label", "content", "data-allowed", "data-label", "data-notnumber", "placeholder", "title")
BLOCKS = ("p", "li", "h1", "h2", "h3", "h4", "td", "th", "dt", "dd", "summary", "figcaption", "pre", "caption")
Piece = tuple[str, Any]


def numbers(text: str) -> Counter[str]:
    """Every number of a text, and how often."""
    return Counter(NUMBER.findall(text))


class Pieces(HTMLParser):
    """The tags of a piece of HTML with what a translation leaves alone, and the numbers of each text between them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[Piece] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        kept = {name: numbers(value or "") if name in WORDS else value for name, value in attributes if name != "lang"}
        self.found.append((tag, kept))

    def handle_endtag(self, tag: str) -> None:
        self.found.append((f"/{tag}", None))

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.found.append(("text", numbers(data)))


class Blocks(HTMLParser):
    """The numbers, and the links out of their place, of each block of an article's own text; widgets are left out."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, Counter[str], list[str]]] = []
        self.inside = 0
        self.feed(html[html.index("</header>", html.index("<article")) : html.index("</article>")])

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.inside += tag == "gpu-lab-widget"
        if self.inside:
            return
        if tag in BLOCKS:
            self.found.append((tag, Counter(), []))
        if tag == "a" and self.found:
            self.found[-1][2].append((dict(attributes)["href"] or "").removeprefix("../"))
            self.found[-1][2].sort()

    def handle_endtag(self, tag: str) -> None:
        self.inside -= tag == "gpu-lab-widget"

    def handle_data(self, data: str) -> None:
        if self.found and not self.inside:
            self.found[-1][1].update(numbers(data))


def frames_of(page: Path) -> Any:
    """The prepared frames that a page loads."""
    place = re.findall(r'src="([^"]*frames\.[^"]+)"', page.read_text(encoding="utf-8"))[0]
    text = (page.parent / place).read_text(encoding="utf-8")
    return json.loads(text[text.index("(") + 1 : text.rindex(")")])


def unequal_frames(english: Any, other: Any, where: str = "") -> Iterator[str]:
    """Where two views differ in more than words: in tags, settings, steps, or in the numbers of one text."""
    if isinstance(english, dict) and isinstance(other, dict) and list(english) == list(other):
        for name in english:
            yield from unequal_frames(english[name], other[name], f"{where}/{name}")
    elif isinstance(english, list) and isinstance(other, list) and len(english) == len(other):
        for at, pair in enumerate(zip(english, other, strict=True), 1):
            yield from unequal_frames(*pair, f"{where}/{at}")
    elif isinstance(english, str) and isinstance(other, str):
        yield from _unequal(Pieces(english).found, Pieces(other).found, where)
    elif english != other:
        yield f"{where}: {english!r} became {other!r}"


def unequal_text(english: str, other: str) -> Iterator[str]:
    """Where the text of two pages differs in the numbers or the links of one block."""
    yield from _unequal(Blocks(english).found, Blocks(other).found, "text")


def _unequal(english: list[Any], other: list[Any], where: str) -> Iterator[str]:
    if len(english) != len(other):
        yield f"{where}: {len(english)} parts became {len(other)}"
    for at, (one, two) in enumerate(zip(english, other, strict=False), 1):
        if one != two:
            yield f"{where}, part {at}: {one} became {two}"
