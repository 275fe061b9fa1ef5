"""The Markdown of the chapters, as pairs of text and HTML in fixtures/*.txt.

A case is a title, a dot, the text, a dot, the HTML, a dot, each dot on a line of its own.
"""

import re
from pathlib import Path

import pytest

from builder.downloads import Downloads
from builder.evidence import Evidence
from builder.examples import Examples
from builder.links import Links
from builder.mistakes import Mistakes
from builder.model import Model
from builder.page import article, read_page
from builder.source import Source

CASE = re.compile(r"^(?P<title>[^\n]+)\n\.\n(?P<text>.*?)^\.\n(?P<html>.*?)^\.\n", re.MULTILINE | re.DOTALL)
MODEL = Model(
    element=lambda name, settings, id: f'<gpu-lab-widget id="{id}"></gpu-lab-widget>\n',
    listed=lambda name, settings: {},
    wrong_answers=lambda name, settings: "",
    quote=lambda expression: "64",
    checked_by=lambda expression: "a count",
)


def cases() -> list[object]:
    """Every case of every fixture file, named by its file and title."""
    files = sorted((Path(__file__).parent / "fixtures").glob("*.txt"))
    return [
        pytest.param(case["text"], case["html"], id=f"{file.stem}: {case['title']}")
        for file in files
        for case in CASE.finditer(file.read_text(encoding="utf-8"))
    ]


def render(text: str) -> str:
    """The HTML of a page's text, which must hold no mistake."""
    mistakes = Mistakes()
    source = Source("chapters/x.md", "x", "X", "An x.", "X", None, text, 1)
    downloads, evidence = Downloads({}), Evidence(Path("no-results"))
    page = read_page(source, MODEL, downloads, evidence, Examples(downloads, evidence, {}), mistakes)
    links = Links(
        "chapters/x.md",
        "x.html",
        {"x.md": "x.html"},
        {"x.html": page.anchors},
        Downloads({}),
        MODEL,
        Evidence(Path()),
        mistakes,
        image=lambda name: f"static/{name}",
    )
    html = article(page, links)
    mistakes.stop_if_any()
    return html


@pytest.mark.parametrize(("text", "html"), cases())
def test_text_becomes_html(text: str, html: str) -> None:
    assert render(text) == html
