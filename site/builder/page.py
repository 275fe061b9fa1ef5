"""One page: from a chapter's text to the HTML of its article, in two passes, as links need every page's ids first."""

from dataclasses import dataclass, field

from markdown_it.token import Token

from builder.downloads import Downloads
from builder.evidence import Evidence
from builder.examples import Examples
from builder.fences import Fences
from builder.headings import Heading, PageIds, number_headings
from builder.languages import IN_ENGLISH, Tongue
from builder.links import Links
from builder.markdown import make_parser
from builder.mistakes import Mistakes
from builder.model import Model
from builder.source import Source
from builder.tables import box_tables
from sim.words import speaking


@dataclass
class Page:
    """A chapter between the passes: its tokens, headings, ids, and the widgets that it uses.

    `tongue` is its language, `left_english` has the names of widgets that are not in it.
    """

    source: Source
    tokens: list[Token]
    headings: list[Heading]
    ids: PageIds
    widgets: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    tongue: Tongue = IN_ENGLISH
    left_english: set[str] = field(default_factory=set)

    @property
    def anchors(self) -> set[str]:
        """Every place of the page that a link may name: what the text gave, not the frame around it."""
        return {name for name, line in self.ids.lines.items() if line}


def read_page(
    source: Source,
    model: Model,
    downloads: Downloads,
    evidence: Evidence,
    examples: Examples,
    mistakes: Mistakes,
    tongue: Tongue = IN_ENGLISH,
) -> Page:
    """First pass: parse, give ids, expand fences."""
    parser = make_parser()
    tokens = parser.parse(source.body)
    ids = PageIds(source.file, mistakes)
    headings = number_headings(tokens, source.body_line, ids)
    fences = Fences(source.file, model, downloads, evidence, examples, ids, mistakes, tongue)
    with speaking(tongue.language):
        fences.expand(tokens, source.body_line)
    return Page(source, tokens, headings, ids, fences.widgets, tongue, fences.left_english)


def article(page: Page, links: Links) -> str:
    """Second pass: resolve links, box tables, and write the HTML."""
    with speaking(page.tongue.language):
        links.resolve(page.tokens, page.source.body_line)
        parser = make_parser()
        return str(parser.renderer.render(box_tables(page.tokens), parser.options, {}))
