"""The page of all examples in a browser: view, copy and download give the file, letter for letter."""

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page

from tests.browser.host import Host


def test_copy_gives_the_file_while_it_is_folded(
    open_page: Callable[..., Page], chromium: Browser, host: Host, site_folder: Path
) -> None:
    page = open_page(chromium, permissions=["clipboard-read", "clipboard-write"])
    page.goto(host.address + "examples.html")
    page.get_by_role("button", name="Copy tiled_matmul_triton.py").click()
    page.get_by_text("Copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == (site_folder / "downloads" / "tiled_matmul_triton.py").read_text(encoding="utf-8")


def test_every_text_on_the_page_is_that_of_its_file(page: Page, host: Host, site_folder: Path) -> None:
    page.goto(host.address + "examples.html")
    cards = page.locator("section.example")
    assert cards.count() >= 15
    for card in cards.all():
        name = card.locator("h3").inner_text()
        text = (site_folder / "downloads" / name).read_text(encoding="utf-8")
        assert card.locator("pre").text_content() == text, name


def test_links_download_the_file_the_notebook_and_the_zip(page: Page, host: Host, site_folder: Path) -> None:
    page.goto(host.address + "examples.html")
    for name in ("opening.py", "opening.ipynb", "gpu-lab-examples.zip"):
        with page.expect_download() as downloading:
            page.locator(f'a[href="downloads/{name}"]').click()
        assert downloading.value.suggested_filename == name
        assert downloading.value.path().read_bytes() == (site_folder / "downloads" / name).read_bytes()


def test_view_opens_the_text_without_scripts(open_page: Callable[..., Page], chromium: Browser, host: Host) -> None:
    page = open_page(chromium, java_script_enabled=False)
    page.goto(host.address + "examples.html")
    page.get_by_text("View opening.py").click()
    assert page.locator("#opening-py ~ .code pre").is_visible()
