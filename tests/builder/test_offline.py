"""What the service worker is told to keep, and the lab in a folder."""

import hashlib
import io
import json
import re
import shutil
import subprocess
import zipfile
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin

import pytest

from builder.offline import FOLDER, online_page
from builder.zips import Packer

MARKS = re.compile(rb"@[a-z]+-MB@|<!--/?(online|folder)|/folder-->")
NAMED = re.compile(r'(?:href|src|content)="([^"\s:]+\.[a-z0-9]+(?:#[^"]*)?)"')


@pytest.fixture(scope="session")
def folder(site_folder: Path) -> dict[str, bytes]:
    """The files of the zip, by their path in its folder."""
    with zipfile.ZipFile(site_folder / FOLDER) as archive:
        assert archive.testzip() is None
        assert all(name.startswith("gpu-lab/") for name in archive.namelist())
        return {name.removeprefix("gpu-lab/"): archive.read(name) for name in archive.namelist()}


def kept_by(site_folder: Path) -> dict[str, dict[str, str]]:
    """The list at the head of the service worker."""
    text = (site_folder / "sw.js").read_text(encoding="utf-8")
    found: dict[str, dict[str, str]] = json.JSONDecoder().raw_decode(text.removeprefix("const LAB = "))[0]
    return found


def test_every_file_that_a_reader_may_want_is_kept_under_its_hash(site_folder: Path) -> None:
    lab = kept_by(site_folder)
    offered = {path.relative_to(site_folder).as_posix(): path for path in site_folder.rglob("*") if path.is_file()}
    left_out = ("static/card.", "static/memory.")
    not_kept = {"_headers", ".htaccess", ".gpu-lab-files", "sw.js", FOLDER}
    wanted = {place for place in offered if place not in not_kept and not place.startswith(left_out)}
    assert lab["pages"].keys() | lab["python"].keys() == wanted
    for place, start in (lab["pages"] | lab["python"]).items():
        assert hashlib.sha256(offered[place].read_bytes()).hexdigest().startswith(start) and len(start) == 10, place


def test_what_only_python_needs_is_kept_apart(site_folder: Path) -> None:
    lab = kept_by(site_folder)
    pyodide = ("pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide.mjs", "python_stdlib.zip")
    names = sorted(re.sub(r"-[0-9a-f]{10}/|\.[0-9a-f]{10}", "*", place) for place in lab["python"])
    assert names == [
        *(f"pyodide-314.0.7*{name}" for name in pyodide),
        *("static/lab*.zip",) * 4,
        *("static/runtime*.json",) * 7,
        *("static/worker*.js",) * 2,  # the second one speaks Chinese
    ]
    assert not any("wasm-unsafe-eval" in policy for place, policy in lab["security"].items() if "worker" not in place)


def test_sizes_on_a_page_are_megabytes() -> None:
    page = b'<!--online-->\n<i data-all="@all-MB@">@python-MB@</i>\n<!--/online-->\n<!--folder\nx\n/folder-->\n.'
    assert online_page(page, {"all": 6_149_999, "python": 5_000_000}) == b'\n<i data-all="6.1">5.0</i>\n.'


def test_no_mark_of_the_templates_reaches_a_page(site_folder: Path, folder: dict[str, bytes]) -> None:
    served = {path.relative_to(site_folder).as_posix(): path.read_bytes() for path in site_folder.rglob("*.html")}
    for pages in (served, folder):
        assert not [place for place, data in pages.items() if place.endswith(".html") and MARKS.search(data)]
    assert b"opens with a double-click" in served["reuse.html"] and b"http.server" not in served["reuse.html"]


def test_folder_is_the_site_without_what_needs_a_host(site_folder: Path, folder: dict[str, bytes]) -> None:
    assert not folder.keys() & {"sw.js", "_headers", ".htaccess", FOLDER, "404.html"}
    for place, data in folder.items():
        if place.endswith(".html"):
            text = data.decode()
            assert "python3 -m http.server" in text and FOLDER not in text and "gpu-lab-offline" not in text
            assert 'rel="canonical"' not in text and "og:" not in text
        elif place != "READ-ME.txt":
            assert data == (site_folder / place).read_bytes(), place
    assert b"py -m http.server" in folder["READ-ME.txt"]


def test_everything_that_a_page_of_the_folder_names_is_in_it(folder: dict[str, bytes]) -> None:
    for place, data in folder.items():
        for name in NAMED.findall(data.decode()) if place.endswith(".html") else ():
            target = urldefrag(urljoin(f"http://x/{place}", unquote(name))).url.removeprefix("http://x/")
            assert target in folder, f"{place} names {name}"


def test_zip_is_equal_for_equal_files_and_read_by_others(tmp_path: Path) -> None:
    files = {"b/\u00e9 x.txt": b"hello " * 9, "a.bin": bytes(range(256)) * 500, "empty": b""}
    data = Packer(tmp_path).zip_of(files)
    assert data == Packer(tmp_path).zip_of(dict(reversed(files.items())))
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == files
        assert archive.infolist()[0].date_time == (1980, 1, 1, 0, 0, 0)
        assert archive.infolist()[0].external_attr >> 16 == 0o100644
    if unzip := shutil.which("unzip"):
        (tmp_path / "x.zip").write_bytes(data)
        assert subprocess.run([unzip, "-tq", tmp_path / "x.zip"], capture_output=True).returncode == 0
