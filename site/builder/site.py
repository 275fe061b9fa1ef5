"""The whole build: every source in, every file of the site out, as a mapping from place to bytes."""

import base64
import json
import unicodedata
from dataclasses import dataclass, replace
from pathlib import Path

import jinja2
from markupsafe import Markup

from builder.address import Address
from builder.assets import Assets, normal_bytes, page_script, python_sources, sources_hash, style_sheet
from builder.bundle import NAME as BUNDLE
from builder.bundle import bundle
from builder.cache import cached
from builder.card import SIZE, social_card
from builder.downloads import Downloads
from builder.editor import editor_place
from builder.evidence import Evidence
from builder.examples import Examples
from builder.hosts import host_files
from builder.links import Links
from builder.manifest import read_downloads
from builder.mistakes import Mistakes
from builder.model import Model
from builder.offline import FOLDER, WORKER, with_offline
from builder.page import Page, article, read_page
from builder.policy import with_policy
from builder.runtime import Runtime, make_runtime
from builder.source import SPECIAL_PAGES, Source, read_source
from lab.registry import NEEDS

SITE_NAME = "GPU Lab"
IMAGES = (".avif", ".png", ".svg", ".webp")
TEMPLATES = {"index.html": "landing.html", "404.html": "404.html"}


@dataclass(frozen=True)
class Shared:
    """What every page is rendered with."""

    pages: dict[str, Page]
    assets: Assets
    runtime: Runtime
    address: Address
    model: Model
    evidence: Evidence
    downloads: Downloads
    mistakes: Mistakes
    style: bytes
    static: dict[str, str]
    templates: jinja2.Environment


def build_site(root: Path, model: Model, address: Address) -> dict[str, bytes]:
    """Every file of the site by its place. Raises BuildError with all authors' mistakes that were found."""
    mistakes = Mistakes()
    evidence = Evidence(root)
    downloads = read_downloads(root, evidence, mistakes)
    if downloads.by_name:
        downloads = replace(downloads, bundle={BUNDLE: bundle(root, downloads)})
    sources = read_sources(root / "chapters", mistakes)
    chapters = {source.file.rpartition("/")[2]: source for source in sources}
    examples = Examples(downloads, evidence, chapters, address.repository)
    pages = {source.output: read_page(source, model, downloads, evidence, examples, mistakes) for source in sources}
    assets = Assets()
    runtime = make_runtime(root, assets, (parts_of(page) for page in pages.values() if page.widgets))
    style = style_sheet(root / "site" / "static", assets, mistakes)
    shared = Shared(
        pages=pages,
        assets=assets,
        runtime=runtime,
        address=address,
        model=model,
        evidence=evidence,
        downloads=downloads,
        mistakes=mistakes,
        style=style,
        static=static_places(root / "site" / "static", style, assets),
        templates=template_engine(root / "site" / "templates"),
    )
    shared.templates.globals.update(site_globals(root, shared))
    files = {place: with_policy(render(root, page, shared).encode()) for place, page in pages.items()}
    mistakes.stop_if_any()
    offered = {f"downloads/{name}": data for name, data in downloads.files.items()}
    files = with_offline(root, files | assets.files | runtime.files | offered)
    return files | host_files(files, address.base)


def read_sources(folder: Path, mistakes: Mistakes) -> list[Source]:
    """Every chapter, in the order of the navigation: the landing page, numbered chapters, then the others by name."""
    if not any(folder.glob("*.md")):
        mistakes.add("chapters", 1, "a folder without chapters given; required: at least one file that ends in .md")
        mistakes.stop_if_any()
    paths = sorted(folder.glob("*.md"), key=lambda path: unicodedata.normalize("NFC", path.name))
    read = [read_source(path, f"chapters/{unicodedata.normalize('NFC', path.name)}", mistakes) for path in paths]
    sources = [source for source in read if source]
    for attribute, what in (("name", "page name"), ("order", "order")):
        taken: dict[object, str] = {}
        for source in sources:
            value = getattr(source, attribute)
            if value is not None and value in taken:
                mistakes.add(source.file, 1, f"{what} {value!r} given, which {taken[value]} has; allowed: each once")
            taken.setdefault(value, source.file)
    if len(sources) < len(read):
        mistakes.stop_if_any()
    return sorted(sources, key=lambda s: (s.name != "index", s.order is None, s.order or 0, s.name))


def static_places(static: Path, style: bytes, assets: Assets) -> dict[str, str]:
    """The places of the files that every page loads."""
    return {
        "style": assets.add("lab.css", style),
        "script": assets.add("lab.js", page_script(static)),
        "icon": assets.add("favicon.svg", normal_bytes(static / "favicon.svg")),
    }


def template_engine(folder: Path) -> jinja2.Environment:
    """Templates that escape everything by default and refuse a name that nobody gave."""
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder, encoding="utf-8"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def site_globals(root: Path, shared: Shared) -> dict[str, object]:
    """What the frame of every page says: names, versions, and the pages there are."""
    sources = [page.source for page in shared.pages.values() if page.source.name not in SPECIAL_PAGES]
    icon = base64.b64encode(shared.assets.files[shared.static["icon"]]).decode()
    return {
        "site_name": SITE_NAME,
        "source": shared.address.source,
        "chapters": [source for source in sources if source.order is not None],
        "appendices": [source for source in sources if source.order is None],
        "pyodide_version": shared.runtime.version,
        "sim_hash": sources_hash(python_sources(root), "sim"),
        "inlined_style": Markup(shared.style.decode()),
        "inlined_icon": f"data:image/svg+xml;base64,{icon}",
        "static": shared.static,
        "service_worker": WORKER,
        "folder": FOLDER,
        "offline_page": next((source.output for source in sources if source.name == "offline"), ""),
        "card_size": SIZE,
    }


def render(root: Path, page: Page, shared: Shared) -> str:
    """A page's whole HTML. The article passes through the template as a value, never as a template."""
    source = page.source
    prefix = shared.address.base if source.name == "404" else ""
    links = Links(
        file=source.file,
        page=source.output,
        pages={name: place for place, other in shared.pages.items() for name in other.source.link_names},
        anchors={place: other.anchors for place, other in shared.pages.items()},
        downloads=shared.downloads,
        model=shared.model,
        evidence=shared.evidence,
        mistakes=shared.mistakes,
        image=lambda name: image_place(root / "chapters", name, shared.assets),
        prefix=prefix,
    )
    before, after = neighbours(source, shared.pages)
    card = shared.assets.add("card.png", social_card(root / ".cache", SITE_NAME, source.title))
    template = shared.templates.get_template(TEMPLATES.get(source.output, "page.html"))
    text = article(page, links)
    return template.render(
        page=source,
        root=prefix,
        article=Markup(text),
        quoted=links.quoted,
        editor=editor_place(root, text, shared.assets),
        headings=[heading for heading in page.headings if heading.level == 2],
        own_title=any(heading.level == 1 for heading in page.headings),
        previous=before,
        next=after,
        frames=frames_place(root, page, shared),
        runtime=runtime_place(page, shared),
        canonical=shared.address.of(source.output),
        card=shared.address.of(card),
    )


def neighbours(source: Source, pages: dict[str, Page]) -> tuple[Source | None, Source | None]:
    """The chapters before and after this one; the landing page leads to the first."""
    path = [page.source for page in pages.values() if page.source.order is not None]
    if source.name == "index":
        return None, path[0] if path else None
    if source not in path:
        return None, None
    at = path.index(source)
    return path[at - 1] if at else None, path[at + 1] if at + 1 < len(path) else None


def parts_of(page: Page) -> frozenset[str]:
    """What the page's Python needs besides the core of `sim` and `lab`."""
    return frozenset(part for name, _ in page.widgets for part in NEEDS.get(name, ()))


def runtime_place(page: Page, shared: Shared) -> str:
    """The file that tells the page's worker what to fetch; nothing on a page without widgets."""
    return shared.runtime.configs[parts_of(page)] if page.widgets else ""


def frames_place(root: Path, page: Page, shared: Shared) -> str:
    """The place of the page's prepared frames, a script so that a page opened from a file can read it; or nothing."""
    if not page.widgets:
        return ""
    opened: dict[str, list[dict[str, str]]] = {}
    for name, settings in page.widgets:
        opened.setdefault(name, []).append(settings)

    def make() -> bytes:
        views = {name: shared.model.listed(name, opened[name]) for name in sorted(opened)}
        text = json.dumps(views, ensure_ascii=False, separators=(",", ":"))
        return f"gpuLabFrames({text});\n".encode()

    version = shared.model.version
    parts = [version.encode(), json.dumps(opened, sort_keys=True).encode()]
    return shared.assets.add("frames.js", cached(root / ".cache", "frames.js", parts, make) if version else make())


def image_place(chapters: Path, name: str, assets: Assets) -> str | None:
    """The place of an image that lies beside the chapters, or None."""
    path = chapters / name
    if path.parent != chapters or path.suffix not in IMAGES or not path.is_file():
        return None
    return assets.add(name, normal_bytes(path))
