"""The Markdown of the chapters: CommonMark with tables, less everything that would alter technical text.

Left out: raw HTML, reference links and definitions, setext headings, typographic replacements, automatic links, `_`
emphasis. Changed: `*` emphasis (see `emphasis`). The text never passes through a template engine.
"""

from collections.abc import Iterator

from markdown_it import MarkdownIt
from markdown_it.token import Token

from builder.emphasis import use_word_emphasis

LEFT_OUT = ("reference", "lheading", "html_block", "html_inline")


class ChapterMarkdown(MarkdownIt):
    """A parser that accepts every link target, so that `links` can judge it and name its line."""

    def validateLink(self, url: str) -> bool:
        """Accept the target as written."""
        return True

    def normalizeLink(self, url: str) -> str:
        """Keep the target as written."""
        return url


def make_parser() -> ChapterMarkdown:
    """A fresh parser with the rules of the chapters."""
    parser = ChapterMarkdown("commonmark", {"html": False, "xhtmlOut": False, "typographer": False, "linkify": False})
    parser.enable("table").disable(LEFT_OUT)
    use_word_emphasis(parser)
    return parser


def with_lines(tokens: list[Token], first_line: int) -> Iterator[tuple[Token, int]]:
    """Each block token with its line in the file, where the parsed text began at `first_line`.

    Table cells carry no place of their own: they get their row's.
    """
    line = first_line
    for token in tokens:
        if token.map:
            line = first_line + token.map[0]
        yield token, line


def children_with_lines(inline: Token, line: int) -> Iterator[tuple[int, Token, int]]:
    """Each child of an inline token with its index and its line, where the inline text began at `line`."""
    for index, child in enumerate(inline.children or []):
        yield index, child, line
        if child.type in ("softbreak", "hardbreak"):
            line += 1


def plain_text(tokens: list[Token]) -> str:
    """The words of inline tokens, without their markup."""
    parts = {"softbreak": " ", "hardbreak": " "}
    return "".join(
        plain_text(token.children) if token.type == "image" and token.children else parts.get(token.type, token.content)
        for token in tokens
    )
