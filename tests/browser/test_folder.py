"""The lab in a folder: by double-click in each engine, and with Python's own little server."""

import re
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Download, Page, expect

from builder.offline import FOLDER
from tests.browser.widget import WidgetOnPage


@pytest.fixture(scope="session")
def unpacked(site_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder, in a place with a space and a letter of another alphabet in its name."""
    target = tmp_path_factory.mktemp("my folder \u00e9")
    with zipfile.ZipFile(site_folder / FOLDER) as archive:
        archive.extractall(target)
    return target / "gpu-lab"


@pytest.fixture
def page(open_page: Callable[..., Page], any_browser: Browser) -> Page:
    """The same tests in each engine."""
    return open_page(any_browser)


def test_chapters_and_listed_settings_work_by_double_click(page: Page, unpacked: Path) -> None:
    for path in sorted(unpacked.rglob("*.html")):
        page.goto(path.as_uri())
        expect(page.locator("h1").first).to_be_visible()
        for widget in page.locator("gpu-lab-widget").all():
            name = widget.get_attribute("id") or ""
            count = int(widget.get_attribute("data-count") or 1)
            if count > 1:
                WidgetOnPage(page, name).press("next")
                WidgetOnPage(page, name).is_at(2, count)
    page.goto((unpacked / "reuse.html").as_uri())
    walk = WidgetOnPage(page, "tile-walk")
    walk.shortcut("8 \u00d7 8")
    walk.position_is("step 1 of 4")
    walk.press("last")
    walk.position_is("step 4 of 4")
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Glossary").click()
    expect(page.locator("h1")).to_have_text("Glossary")


def test_what_needs_python_says_so_and_how_to_get_it(page: Page, unpacked: Path) -> None:
    page.goto((unpacked / "reuse.html").as_uri())
    dot = WidgetOnPage(page, "dot-product")
    dot.press("next")
    dot.run(n="6")
    dot.state_has("opened from a file, where browsers do not run Python")
    dot.state_has("run \u201cpython3 -m http.server\u201d")
    dot.position_is("step 2 of 4")
    expect(dot.field("n")).to_have_value("6")
    expect(page.locator(".offline")).to_contain_text("open a terminal in this folder, run python3 -m http.server")


def test_downloads_are_there_by_double_click(open_page: Callable[..., Page], chromium: Browser, unpacked: Path) -> None:
    """The browser saves the file, or shows it because it is text. (Firefox's driver tells of neither.)"""
    page = open_page(chromium)
    page.goto((unpacked / "programs.html").as_uri())
    saved: list[Download] = []
    page.on("download", lambda download: saved.append(download))
    page.locator('a[href="downloads/matmul_exercise.py"]').first.click()
    for _ in range(300):
        if saved or page.url.endswith("downloads/matmul_exercise.py"):
            break
        page.wait_for_timeout(100)
    text = saved[0].path().read_text(encoding="utf-8") if saved else page.locator("pre").inner_text()
    assert text.strip() == (unpacked / "downloads" / "matmul_exercise.py").read_text(encoding="utf-8").strip()


@pytest.fixture
def little_server(unpacked: Path) -> Iterator[str]:
    """`python -m http.server` in the folder, as the page says; the address that it prints."""
    command = [sys.executable, "-u", "-m", "http.server", "--bind", "127.0.0.1", "0"]
    server = subprocess.Popen(command, cwd=unpacked, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert server.stdout
    found = re.search(r"port (\d+)", server.stdout.readline())
    assert found
    yield f"http://127.0.0.1:{found.group(1)}/"
    server.terminate()
    server.wait()


def test_with_pythons_little_server_everything_works(any_browser: Browser, little_server: str) -> None:
    with any_browser.new_context() as context:
        page = context.new_page()
        failed: list[str] = []
        page.on("response", lambda answer: failed.append(answer.url) if answer.status >= 400 else None)
        page.goto(little_server + "reuse.html?dot-product.n=6&dot-product.step=4")
        WidgetOnPage(page, "dot-product").is_live()
        WidgetOnPage(page, "dot-product").position_is("step 4 of 6")
        page.goto(little_server + "kernel.html")
        stepper = WidgetOnPage(page, "kernel-stepper")
        stepper.shortcut("accumulator zeroed in the loop")
        stepper.is_live()
        memories = [url for url in failed if "/static/memory." in url]  # they are for a host, and not in the folder
        assert failed == memories and page.evaluate("gpuLab.way") == "plain"
        assert page.evaluate("async () => !(await navigator.serviceWorker.getRegistration())")
