"""Live reload of the development server, under its real policy."""

from pathlib import Path

from playwright.sync_api import Browser, expect

from builder.live import Live, News
from tests.serving import served


def write_page(folder: Path, words: str) -> None:
    page = f"<!doctype html><html lang='en'><title>x</title><body><p>{words}</p></body></html>"
    (folder / "index.html").write_text(page, encoding="utf-8")


def test_page_shows_a_failed_build_and_reloads_after_a_good_one(chromium: Browser, tmp_path: Path) -> None:
    write_page(tmp_path, "old")
    live = Live(News("1"))
    complaints: list[str] = []
    with served(tmp_path, live=live) as server, chromium.new_context() as context:
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        with page.expect_request("**/~gpu-lab/events"):
            page.goto(server.address)
        live.tell(News("1", "chapters/x.md:3: wrong given; allowed: right"))
        expect(page.get_by_role("alert")).to_contain_text("chapters/x.md:3: wrong given; allowed: right")
        live.tell(News("1"))
        expect(page.get_by_role("alert")).to_have_count(0)
        write_page(tmp_path, "new")
        live.tell(News("2"))
        expect(page.get_by_text("new")).to_be_visible()
    assert not [text for text in complaints if "Content Security Policy" in text]
