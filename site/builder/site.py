"""The whole build: every source in, every file of the site out, as a mapping from place to bytes."""

import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import jinja2
from markupsafe import Markup

from builder.address import Address
from builder.assets import Assets, data_address, normal_bytes, page_script, python_sources, sources_hash, style_sheet
from builder.bundle import NAME as BUNDLE
from builder.bundle import bundle
from builder.card import SIZE
from builder.evidence import Evidence
from builder.examples import Examples
from builder.hosts import host_files
from builder.languages import Languages, Tongue, check_whole, read_languages
from builder.manifest import read_downloads
from builder.mistakes import Mistakes
from builder.model import Model
from builder.offline import FOLDER, WORKER, with_offline
from builder.page import Page, read_page
from builder.policy import with_policy
from builder.rendering import SITE_NAME, Shared, need_of, numbered, render, said
from builder.runtime import make_runtime
from builder.source import Source, read_source


def build_site(root: Path, model: Model, address: Address, *, memories: bool = True) -> dict[str, bytes]:
    """Every file of the site by its place. Raises BuildError with all authors' mistakes that were found.

    Without `memories` Python starts the plain way on every page.
    """
    mistakes = Mistakes()
    evidence = Evidence(root)
    downloads = read_downloads(root, evidence, mistakes)
    if downloads.by_name:
        downloads = replace(downloads, bundle={BUNDLE: bundle(root, downloads)})
    languages = read_languages(root, mistakes)
    sources = [*read_sources(root / "chapters", "", mistakes)]
    for folder in languages.translations:
        sources += read_translations(root / "chapters" / folder, sources, mistakes)
    chapters = {source.file.rpartition("/")[2]: source for source in sources if not source.folder}
    examples = Examples(downloads, evidence, chapters, address.repository)
    pages = {
        source.output: read_page(
            source, model, downloads, evidence, examples, mistakes, languages.tongues[source.folder]
        )
        for source in sources
    }
    check_translations(root, languages, pages, mistakes)
    assets = Assets()
    wanted = (need_of(page) for page in pages.values() if page.widgets)
    runtime = make_runtime(root, assets, wanted, languages.tongues, memories)
    shared = Shared(
        pages=pages,
        assets=assets,
        runtime=runtime,
        address=address,
        model=model,
        evidence=evidence,
        downloads=downloads,
        mistakes=mistakes,
        style=style_sheet(root / "site" / "static", mistakes),
        icon=assets.add("favicon.svg", normal_bytes(root / "site" / "static" / "favicon.svg")),
        scripts=script_places(root / "site" / "static", languages.tongues, assets),
        templates=template_engine(root / "site" / "templates"),
    )
    shared.templates.globals.update(site_globals(root, shared))
    files = {place: with_policy(render(root, page, shared).encode()) for place, page in pages.items()}
    mistakes.stop_if_any()
    offered = {f"downloads/{name}": data for name, data in downloads.files.items()}
    files = with_offline(root, files | assets.files | runtime.files | offered)
    return files | host_files(files, address.base)


def read_sources(folder: Path, language: str, mistakes: Mistakes) -> list[Source]:
    """Every chapter of a folder, in the navigation's order: the landing page, numbered chapters, the others by name."""
    if not any(folder.glob("*.md")):
        mistakes.add("chapters", 1, "a folder without chapters given; required: at least one file that ends in .md")
        mistakes.stop_if_any()
    paths = sorted(folder.glob("*.md"), key=lambda path: unicodedata.normalize("NFC", path.name))
    place = f"chapters/{language}/" if language else "chapters/"
    read = [read_source(path, place + unicodedata.normalize("NFC", path.name), mistakes) for path in paths]
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


def read_translations(folder: Path, originals: list[Source], mistakes: Mistakes) -> list[Source]:
    """The chapters of a language. Each is a translation: it has the name and the order of one in English."""
    translated = read_sources(folder, folder.name, mistakes)
    known = {source.name: source.order for source in originals if not source.folder}
    for source in translated:
        if known.get(source.name, -1) != source.order:
            given = f"a translation named {source.name!r} of order {source.order} given"
            mistakes.add(source.file, 1, f"{given}; allowed: the name and the order of a chapter in English")
    return translated


def check_translations(root: Path, languages: Languages, pages: Mapping[str, Page], mistakes: Mistakes) -> None:
    """A page in another language has every text that can stand on it."""
    for folder in languages.translations:
        own = [page for page in pages.values() if page.source.folder == folder]
        widgets = {name for page in own for name, _ in page.widgets if name not in page.left_english}
        check_whole(root, languages.tongues[folder], languages.said, sorted(widgets), mistakes)


def script_places(static: Path, tongues: Mapping[str, Tongue], assets: Assets) -> dict[str, str]:
    """The place of the page's script in each language, by the language's folder."""
    script = page_script(static)
    return {folder: assets.add("lab.js", tongue.script(script)) for folder, tongue in tongues.items()}


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
    return {
        "say": said,
        "site_name": SITE_NAME,
        "source": shared.address.source,
        "chapters": numbered(shared.pages),
        "pyodide_version": shared.runtime.version,
        "sim_hash": sources_hash(python_sources(root), "sim"),
        "style": Markup(shared.style),
        "icon": shared.icon,
        "inlined_icon": data_address(root / "site" / "static" / "favicon.svg"),
        "service_worker": WORKER,
        "folder": FOLDER,
        "offline_page": next((place for place in shared.pages if place == "offline.html"), ""),
        "card_size": SIZE,
    }
