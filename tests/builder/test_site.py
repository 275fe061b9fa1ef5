"""The built site: equal bytes, one build for every sub-path, metadata, navigation, and text from anywhere."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest

from builder.address import Address, parse_base, parse_repository, parse_url
from builder.model import lab_model
from builder.site import build_site
from tests.serving import served

NAMED_FILE = r'(?:href|src|content)="([^"\s]+\.[a-z0-9]+|[^"\s]+\.html#[^"]+)"'
WIDGET = "## A tile\n\n```widget tile-walk n=4 tile=2\n```\n"


def test_two_builds_are_equal_bytes(author) -> None:
    author.chapter(WIDGET)
    assert author.build() == author.build()


def test_every_page_says_where_the_repository_is_when_the_build_is_told(author) -> None:
    author.chapter("Text.\n")
    address = Address(repository=parse_repository("owner/gpu-lab@notebooks"))
    files = build_site(author.folder, lab_model(), address, memories=False)
    link = '<a href="https://github.com/owner/gpu-lab">https://github.com/owner/gpu-lab</a>'
    assert all(f"Source: {link}." in files[place].decode() for place in ("index.html", "one.html", "404.html"))
    assert "Source:" not in author.page("one.html")


def test_line_ends_and_bom_change_nothing(author) -> None:
    author.chapter("Equal: × ² ³ ≈ −.\n\n```text\na\n\n  b\n```\n")
    unix = author.build()
    path = author.folder / "chapters" / "01-one.md"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert author.build() == unix


def test_folder_with_a_space_changes_nothing(new_author) -> None:
    plain, spaced = new_author("plain"), new_author("with a space é")
    plain.chapter(WIDGET)
    spaced.chapter(WIDGET)
    assert plain.build() == spaced.build()


def test_page_with_a_name_in_another_alphabet(author, tmp_path) -> None:
    author.write("chapters/détails.md", "---\ntitle: Détails ²\ndescription: x\n---\n\n## Où\n\n[là](détails.md#ou)\n")
    files = author.build()
    assert '<a href="d%C3%A9tails.html#ou">là</a>' in files["détails.html"].decode()
    assert '<li><a href="d%C3%A9tails.html">Détails ²</a></li>' in files["index.html"].decode()


def test_title_is_escaped_once(author) -> None:
    author.write("chapters/01-one.md", "---\ntitle: 'A & B <T>'\ndescription: 'x > y'\norder: 1\n---\n")
    page = author.page("one.html")
    assert "<title>A &amp; B &lt;T&gt; · GPU Lab</title>" in page
    assert "<h1>A &amp; B &lt;T&gt;</h1>" in page


def test_template_signs_in_a_chapter_reach_the_page(author) -> None:
    author.chapter("{{ 7 * 7 }} {% include 'x' %} {# gone? #}\n")
    assert "<p>{{ 7 * 7 }} {% include 'x' %} {# gone? #}</p>" in author.page("one.html")


def test_page_that_begins_with_a_heading_has_only_that_one_at_its_head(author) -> None:
    author.chapter("# My own words\n")
    assert re.findall("<h1.*</h1>", author.page("one.html")) == ['<h1 id="my-own-words">My own words</h1>']


def test_title_of_a_widget_leaves_no_level_of_headings_out(author) -> None:
    author.chapter("```widget tile-walk id=first\n```\n\n## Then\n\n```widget tile-walk id=second\n```\n")
    page = author.page("one.html")
    assert re.findall(r'<(h\d) class="w-title" id="(\w+)-title"', page) == [("h2", "first"), ("h3", "second")]


def test_listing_shows_its_region_and_offers_the_whole_file(author) -> None:
    source = b"# region greet\nif True:\n    print('a < b')\n# endregion greet\nprint('more')\n"
    author.write("downloads/hello.py", source)
    author.write(
        "downloads/manifest.toml",
        '[[download]]\nfile = "downloads/hello.py"\nkind = "program"\nrun = "python hello.py"\n'
        'what = "Says."\nneeds = "Python"\nshown = ["01-one.md"]\n'
        'checked = "x"\n',
    )
    author.chapter("```listing downloads/hello.py greet\n```\n\n[all of it](download:hello.py)\n")
    files = author.build()
    page = files["one.html"].decode()
    assert files["downloads/hello.py"] == source
    (shown,) = re.findall('<code class="language-python">.*?</code>', page, re.DOTALL)
    assert re.sub("<[^>]+>", "", shown) == "if True:\n    print('a &lt; b')\n"
    assert '<a href="downloads/hello.py" download="">all of it</a>' in page


def test_chapters_lead_to_each_other_in_their_order(author) -> None:
    for number, name in ((2, "two"), (1, "three"), (3, "one")):
        author.write(f"chapters/0{number}-{name}.md", f"---\ntitle: T{number}\ndescription: x\norder: {number}\n---\n")
    page = author.page("two.html")
    assert re.findall(r'rel="(prev|next)" href="([^"]+)"', page) == [("prev", "three.html"), ("next", "one.html")]
    assert '<li><a href="two.html" aria-current="page">T2</a></li>' in page
    assert re.findall(r'<li><a href="(\w+)\.html"', page) == ["three", "two", "one"]


def test_contents_lead_to_every_part(author) -> None:
    author.chapter("## First\n\n### Inner\n\n## Second {#two}\n")
    page = author.page("one.html")
    assert re.findall(r'<li><a href="(#[^"]+)">', page) == ["#first", "#two"]


def test_metadata_is_absolute_when_the_host_is_known(author) -> None:
    author.chapter("x\n")
    page = author.build(base="/lab/", url="https://example.org")["one.html"].decode()
    assert '<link rel="canonical" href="https://example.org/lab/one.html">' in page
    assert re.search(r'property="og:image" content="https://example\.org/lab/static/card\.[0-9a-f]{10}\.png"', page)


def test_card_has_the_size_that_the_page_says(author) -> None:
    author.chapter("x\n")
    files = author.build()
    (place,) = re.findall(r'og:image" content="([^"]+)"', files["one.html"].decode())
    width, height = (int.from_bytes(files[place][at : at + 4], "big") for at in (16, 20))
    assert files[place].startswith(b"\x89PNG") and (width, height) == (1200, 630)


def test_card_and_pages_agree_on_colours(root) -> None:
    from builder.card import HUES, INK, PAPER

    style = (root / "site" / "static" / "lab.css").read_text(encoding="utf-8")
    frame = (root / "site" / "templates" / "base.html").read_text(encoding="utf-8")
    papers = re.findall(r"--paper: (#[0-9a-f]{6});", style)
    assert re.findall(r'name="theme-color".* content="(#[0-9a-f]{6})"', frame) == papers[:2]
    assert papers[0] == PAPER and f"--ink: {INK};" in style
    assert [f"--{name.lower()}-strong: {hue};" in style for name, hue in HUES.items()] == [True] * 3


def test_page_names_pyodide_and_the_model(author) -> None:
    page = author.page("index.html")
    assert 'Pyodide <span class="pyodide-version">314.0.7</span>' in page
    assert re.search(r"<code>sim [0-9a-f]{10}</code>", page)


def test_not_found_page_asks_for_nothing_and_links_by_the_base(author) -> None:
    page = author.build(base="/lab/")["404.html"].decode()
    assert not re.search(r'<(script|img|iframe)|rel="stylesheet"|url\((?!data:)', page)
    assert re.findall(r'rel="icon"[^>]* href="(.{10})', page) == ["data:image"]
    assert set(re.findall(r'<a [^>]*href="([^"]+)"', page)) == {"#main", "/lab/index.html"}


def test_page_without_widget_loads_no_frames(author) -> None:
    author.chapter("Words only.\n")
    page = author.page("one.html")
    assert "frames." not in page and "gpu-lab-runtime" not in page


def test_page_holds_its_style_sheet_and_no_other_inline_style_or_script(site_folder) -> None:
    for path in site_folder.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert (text.count("<style>"), text.count('rel="stylesheet"')) == (1, 0), path.name
        assert not re.search(r"<[a-z][^>]*\s(style|on[a-z]+)=", text), path.name
        assert not re.search(r"<script(?![^>]* src=)", text), path.name


@pytest.mark.parametrize("base", ["/", "/gpu-lab/", "/a/b/"])
def test_one_build_works_under_every_path(site_folder, base: str) -> None:
    """Follow every link and every file that a page names, as a browser would, and see no 404."""
    from urllib.parse import urldefrag, urljoin
    from urllib.request import urlopen

    with served(site_folder, base) as server:
        waiting, seen = [server.address, server.address + "reuse.html"], set()
        while waiting:
            address = urldefrag(waiting.pop()).url
            if address in seen or not address.startswith(server.address):
                continue
            seen.add(address)
            with urlopen(address) as answer:
                kind, text = answer.headers["Content-Type"], answer.read().decode("utf-8", "replace")
            names = re.findall(NAMED_FILE, text) if "html" in kind else []
            waiting += [urljoin(address, name) for name in names]
        assert server.missing == []
        assert len(seen) >= 10


def test_runtime_names_only_files_that_are_there(site_folder) -> None:
    import json
    import posixpath

    paths = sorted((site_folder / "static").glob("runtime.*.json"))
    assert len(paths) == 7  # each page with widgets has its own
    for path in paths:
        config = json.loads(path.read_text(encoding="utf-8"))
        folder = posixpath.normpath("static/" + config["pyodide"])
        sizes = {file["name"]: file["bytes"] for file in config["files"]}
        real = {file.name: file.stat().st_size for file in (site_folder / folder).iterdir()}
        real |= {config[part]: (site_folder / "static" / config[part]).stat().st_size for part in ("lab", "memory")}
        assert sizes == real
        assert config["version"] == "314.0.7" and config["lock"]["packages"] == {}


def test_each_page_names_its_worker_and_what_that_fetches(site_folder) -> None:
    named = re.compile(r'<meta name="gpu-lab-runtime" content="(.*)" data-worker="(.*)">')
    pages = {path: named.findall(path.read_text(encoding="utf-8")) for path in site_folder.rglob("*.html")}
    with_figures = [path for path in pages if "<gpu-lab-widget" in path.read_text(encoding="utf-8")]
    assert len(with_figures) > 5 and {path for path, found in pages.items() if found} == set(with_figures)
    for path in with_figures:
        ((config, worker),) = pages[path]
        assert (path.parent / config).is_file() and (path.parent / worker).is_file()
        assert ("zh" in path.parts) == ("字节" in (path.parent / worker).read_text(encoding="utf-8"))


@pytest.mark.parametrize(("given", "base"), [("lab", "/lab/"), ("/lab", "/lab/"), ("/a/b/", "/a/b/"), ("/", "/")])
def test_base_is_given_with_or_without_slashes(given: str, base: str) -> None:
    assert parse_base(given) == base


@pytest.mark.parametrize("given", ["/../x/", "/a b/", "https://x/", '/"/'])
def test_base_that_is_no_path_is_refused(given: str) -> None:
    with pytest.raises(ValueError, match="allowed: a path such as /lab/"):
        parse_base(given)


@pytest.mark.parametrize("given", ["example.org", "https://example.org/lab", "ftp://example.org", "https://"])
def test_url_that_is_no_host_is_refused(given: str) -> None:
    with pytest.raises(ValueError, match="allowed: a scheme and a host"):
        parse_url(given)


def test_prepared_frames_are_kept_between_builds_and_made_anew_for_another_model(author) -> None:
    author.chapter(WIDGET)
    asked: list[str] = []

    def build(version: str) -> bytes:
        def listed(name: str, settings: Sequence[dict[str, str]]) -> Mapping[str, Any]:
            asked.append(version)
            return {"made by": version}

        model = replace(lab_model(), listed=listed, version=version)
        files = build_site(author.folder, model, Address(), memories=False)
        return next(data for place, data in files.items() if place.startswith("static/frames."))

    one, two = uuid4().hex, uuid4().hex
    assert build(one) == build(one) == f'gpuLabFrames({{"tile-walk":{{"made by":"{one}"}}}});\n'.encode()
    assert two.encode() in build(two)
    build("")
    build("")
    assert asked == [one, two, "", ""]


def test_what_is_kept_is_what_would_be_made(author) -> None:
    author.chapter(WIDGET)
    anew = build_site(author.folder, replace(lab_model(), version=""), Address(), memories=False)
    assert author.build() == anew
