"""Rendering: a page between its passes becomes a file of the site, in its own language."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup, escape

from builder.address import Address
from builder.assets import Assets, normal_bytes
from builder.cache import cached
from builder.card import social_card
from builder.downloads import Downloads
from builder.editor import editor_place
from builder.evidence import Evidence
from builder.languages import IN_ENGLISH, Tongue
from builder.links import Links
from builder.mistakes import Mistakes
from builder.model import Model
from builder.page import Page, article
from builder.runtime import Need, Runtime, Start
from builder.source import SPECIAL_PAGES, Source
from lab.registry import NEEDS
from sim.words import ENGLISH, PLACE, speaking, worded

SITE_NAME = "GPU Lab"
IMAGES = (".avif", ".png", ".svg", ".webp")
TEMPLATES = {"index.html": "landing.html", "404.html": "404.html"}


@dataclass(frozen=True)
class Shared:
    """What every page is rendered with. `scripts` has the page's script of each language, by its folder."""

    pages: dict[str, Page]
    assets: Assets
    runtime: Runtime
    address: Address
    model: Model
    evidence: Evidence
    downloads: Downloads
    mistakes: Mistakes
    style: str
    icon: str
    scripts: dict[str, str]
    templates: jinja2.Environment


@dataclass(frozen=True)
class Edition:
    """A page in one of its languages, with its address from another page and for machines."""

    source: Source
    tongue: Tongue
    href: str
    address: str


def said(text: str, context: str = "", **values: str) -> Markup:
    """`say` for templates: text and values are escaped, unless a value is HTML already."""
    words = escape(worded(text, context))
    return Markup(PLACE.sub(lambda place: escape(values[place[1]]), words))


def render(root: Path, page: Page, shared: Shared) -> str:
    """A page's whole HTML. The article passes through the template as a value, never as a template."""
    source, tongue = page.source, page.tongue
    prefix = shared.address.base if source.name == "404" else tongue.root
    links = links_of(root, page, shared, prefix)
    before, after = neighbours(source, shared.pages)
    title = original_of(source, shared.pages).title  # the card's own letters are Latin
    card = shared.assets.add("card.png", social_card(root / ".cache", SITE_NAME, title))
    template = shared.templates.get_template(TEMPLATES.get(source.output, "page.html"))
    with speaking(tongue.language):
        text = article(page, links)
        return template.render(
            page=source,
            tongue=tongue,
            root=prefix,
            article=Markup(text),
            quoted=links.quoted,
            editor=editor_place(root, text, shared.assets),
            headings=[heading for heading in page.headings if heading.level == 2],
            own_title=any(heading.level == 1 for heading in page.headings),
            navigation=[
                local(other, tongue, shared.pages) for other in numbered(shared.pages) + unnumbered(shared.pages)
            ],
            editions=editions(source, shared, prefix),
            editions_of=lambda other: editions(other, shared, prefix),
            previous=before,
            next=after,
            script=shared.scripts[tongue.folder],
            frames=frames_place(root, page, shared),
            runtime=runtime_of(page, shared),
            canonical=shared.address.of(source.output, prefix),
            card=shared.address.of(card, prefix),
        )


def links_of(root: Path, page: Page, shared: Shared, prefix: str) -> Links:
    """What the page's links may name: the pages of its own language before those in English."""
    named = {
        name: place
        for folder in ("", page.tongue.folder)
        for place, other in shared.pages.items()
        for name in other.source.link_names
        if other.source.folder == folder
    }
    return Links(
        file=page.source.file,
        page=page.source.output,
        pages=named,
        anchors={place: other.anchors for place, other in shared.pages.items()},
        downloads=shared.downloads,
        model=shared.model,
        evidence=shared.evidence,
        mistakes=shared.mistakes,
        image=lambda name: image_place(root / "chapters", name, shared.assets),
        prefix=prefix,
    )


def numbered(pages: Mapping[str, Page]) -> list[Source]:
    """The chapters in their order, in English."""
    return [page.source for page in pages.values() if page.source.order is not None and not page.source.folder]


def unnumbered(pages: Mapping[str, Page]) -> list[Source]:
    """The other pages that are led to, in English."""
    sources = (page.source for page in pages.values() if page.source.order is None and not page.source.folder)
    return [source for source in sources if source.name not in SPECIAL_PAGES]


def local(source: Source, tongue: Tongue, pages: Mapping[str, Page]) -> Source:
    """A page in a language, where there is one in it; else in English."""
    own = pages.get(f"{tongue.folder}/{source.output}")
    return own.source if own else source


def original_of(source: Source, pages: Mapping[str, Page]) -> Source:
    """The page in English that a page is a translation of, or the page itself."""
    page = pages.get(f"{source.name}.html")
    return page.source if page else source


def editions(source: Source, shared: Shared, prefix: str) -> list[Edition]:
    """The page in each of its languages, English first; nothing for a page in one language."""
    found = [page for page in shared.pages.values() if page.source.name == source.name]
    if len(found) < 2:
        return []
    return [
        Edition(
            page.source,
            page.tongue,
            prefix + page.source.output,
            shared.address.of(page.source.output, prefix),
        )
        for page in sorted(found, key=lambda page: page.tongue.folder)
    ]


def neighbours(source: Source, pages: Mapping[str, Page]) -> tuple[Source | None, Source | None]:
    """The chapters before and after this one, in its language where they are; the landing page leads to the first."""
    tongue = pages[source.output].tongue
    path = [local(each, tongue, pages) for each in numbered(pages)]
    if source.name == "index":
        return None, path[0] if path else None
    if source not in path:
        return None, None
    at = path.index(source)
    return path[at - 1] if at else None, path[at + 1] if at + 1 < len(path) else None


def need_of(page: Page) -> Need:
    """What the page's Python needs besides the core of the model: other rooms, its language's catalogue, widgets."""
    widgets = frozenset(name for name, _ in page.widgets)
    parts = (part for name in widgets for part in NEEDS.get(name, ()))
    return Need(frozenset((*parts, page.tongue.folder)) - {""}, widgets)


def runtime_of(page: Page, shared: Shared) -> Start | None:
    """How the page starts its Python; nothing on a page without widgets."""
    return shared.runtime.starts[need_of(page)] if page.widgets else None


def frames_place(root: Path, page: Page, shared: Shared) -> str:
    """The place of the page's prepared frames, a script so that a page opened from a file can read it; or nothing."""
    if not page.widgets:
        return ""
    opened: dict[str, list[dict[str, str]]] = {}
    for name, settings in page.widgets:
        opened.setdefault(name, []).append(settings)

    def view(name: str) -> Mapping[str, Any]:
        with speaking(ENGLISH if name in page.left_english else page.tongue.language):
            return shared.model.listed(name, opened[name])

    def make() -> bytes:
        views = {name: view(name) for name in sorted(opened)}
        text = json.dumps(views, ensure_ascii=False, separators=(",", ":"))
        return f"gpuLabFrames({text});\n".encode()

    version = shared.model.version
    told = (page.tongue.version, *sorted(page.left_english)) if page.tongue is not IN_ENGLISH else ()
    parts = [version.encode(), json.dumps(opened, sort_keys=True).encode(), *(each.encode() for each in told)]
    return shared.assets.add("frames.js", cached(root / ".cache", "frames.js", parts, make) if version else make())


def image_place(chapters: Path, name: str, assets: Assets) -> str | None:
    """The place of an image that lies beside the chapters, or None."""
    path = chapters / name
    if path.parent != chapters or path.suffix not in IMAGES or not path.is_file():
        return None
    return assets.add(name, normal_bytes(path))
