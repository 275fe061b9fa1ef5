"""The page of all examples: what each card says, what Colab is given, and what stands in for a stored record."""

import hashlib
import json
import re

import pytest

from builder.address import Address, parse_repository
from builder.cli import build_command, parse
from builder.model import lab_model
from builder.site import build_site

ENTRY = """\
[[download]]
kind = "program"
file = "downloads/hello.py"
what = "Says <hello> & more."
needs = "Python"
run = "python hello.py"
shown = ["01-one.md"]
checked = "run by a test"
packages = ["numpy"]
"""
PAGE = "## Programs\n\n```examples zip\n```\n\n```examples notebooks\n```\n\n```examples program\n```\n"
TEXT = b'"""Hello."""\nprint("hello < world")\n'


@pytest.fixture
def examples(author):
    """An author of one program, with a page of all examples."""
    author.write("downloads/hello.py", TEXT)
    author.write("downloads/manifest.toml", ENTRY)
    author.chapter(PAGE)
    return author


def record(author, text: bytes) -> None:
    sums = {"hello.py": hashlib.sha256(text).hexdigest()}
    where = {"date": "2026-11-30", "device": "CPU (Linux)", "python": "3.11.7", "versions": {"numpy": "2.4.6"}}
    author.write("downloads/checked.json", json.dumps({**where, "files": sums}))


def words(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", html))


def test_card_says_what_a_reader_asks(examples) -> None:
    record(examples, TEXT)
    page = examples.page("one.html")
    card = page[page.index('<section class="example"') :]
    told = words(card)
    assert "Says &lt;hello&gt; &amp; more." in told
    assert '<a href="one.html">1. One</a>' in card
    assert "Run python hello.py" in told and "Needs Python" in told
    assert "2026-11-30, CPU (Linux), Python 3.11.7, numpy 2.4.6: run by a test." in told
    assert f"{len(TEXT)} bytes, SHA-256 {hashlib.sha256(TEXT).hexdigest()}" in told
    assert '<a href="downloads/hello.py" download>hello.py</a>' in card
    assert 'data-act="copy" aria-label="Copy hello.py"' in card and "View hello.py" in told


def test_text_newer_than_its_record_is_called_that(examples) -> None:
    record(examples, b"print('older')\n")
    told = words(examples.page("one.html"))
    assert "Run by a test; this text is newer than the last record, of 2026-11-30." in told


def test_without_a_record_no_day_is_named(examples) -> None:
    told = words(examples.page("one.html"))
    assert "Last checked Run by a test." in told


def test_sizes_and_checksums_are_those_of_the_files(site_folder) -> None:
    page = (site_folder / "examples.html").read_text(encoding="utf-8")
    stated = r'<a href="downloads/([\w.-]+)" download>[^<]*</a>, ([\d,]+) bytes, SHA-256 <code[^>]*>(\w+)<'
    found = re.findall(stated, page)
    assert len(found) >= 25
    for name, size, checksum in found:
        data = (site_folder / "downloads" / name).read_bytes()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (int(size.replace(",", "")), checksum), name
    assert {name for name, _, _ in found} == {path.name for path in (site_folder / "downloads").iterdir()}


def test_every_card_of_the_lab_names_a_day_a_device_and_versions(site_folder) -> None:
    page = (site_folder / "examples.html").read_text(encoding="utf-8")
    cards = [words(card) for card in page.split('<section class="example"')[1:]]
    assert len(cards) >= 15
    for card in cards:
        if " Run python -" not in card:  # a part of the model may be newer than the last record
            assert re.search(r"Last checked \d{4}-\d\d-\d\d, CPU \(.*?\), Python 3\.[\d.]+", card), card[:80]
    (cuda,) = [card for card in cards if "tiled_matmul.cu" in card[:120]]
    assert re.search(r"\d{4}-\d\d-\d\d, NVIDIA H200, driver [\d.]+, CUDA toolkit 13\.0", cuda)


def test_chapters_offer_what_the_manifest_says(site_folder, root) -> None:
    import tomllib

    for entry in tomllib.loads((root / "downloads" / "manifest.toml").read_text(encoding="utf-8"))["download"]:
        name = entry["file"].rpartition("/")[2]
        for chapter in entry["shown"]:
            page = (site_folder / re.sub(r"^\d+-|\.md$", "", chapter)).with_suffix(".html").read_text(encoding="utf-8")
            assert f'href="downloads/{name}"' in page, (chapter, name)


def test_without_a_repository_the_page_says_how_to_upload(examples) -> None:
    page = examples.page("one.html")
    assert "and choose <em>Upload</em>" in page
    assert "Open in Colab" not in page and "colab.research.google.com/github" not in page


def test_with_a_repository_every_notebook_opens_in_colab(examples) -> None:
    files = build_site(examples.folder, lab_model(), Address(repository="owner/name/blob/notebooks"), memories=False)
    page = files["one.html"].decode()
    link = "https://colab.research.google.com/github/owner/name/blob/notebooks/downloads/hello.ipynb"
    assert f'<a href="{link}">Open in Colab<' in page
    assert "choose <em>Upload</em>" not in page
    assert files["downloads/hello.ipynb"] == examples.build()["downloads/hello.ipynb"]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("owner/name", "owner/name/blob/notebooks"),
        ("owner/na.me@main", "owner/na.me/blob/main"),
        ("owner/name@a/branch", "owner/name/blob/a/branch"),
    ],
)
def test_repository_is_given_with_or_without_branch(text: str, place: str, root) -> None:
    assert parse_repository(text) == place
    options = parse(root, ["--repository", text])
    again = build_command(root, options)
    assert parse(root, again[again.index("--out") :]).repository == place


@pytest.mark.parametrize("text", ["name", "https://host/owner/name", "owner/name@", "owner/..", "o/n@a/../b", "o w/n"])
def test_repository_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="allowed: owner/name or owner/name@branch"):
        parse_repository(text)
