"""Live reload in a real browser, under the real policy."""

from builder.live import Live, News
from tests.serving import served


def test_page_shows_a_failed_build_and_reloads_after_a_good_one(chromium_path, tmp_path) -> None:
    from playwright.sync_api import expect, sync_playwright

    (tmp_path / "index.html").write_text("<!doctype html><title>x</title><body><p>old</p></body>", encoding="utf-8")
    live = Live(News("1"))
    with served(tmp_path, live=live) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path, args=["--no-sandbox", "--disable-quic"])
        page = browser.new_page()
        complaints: list[str] = []
        page.on("console", lambda message: complaints.append(message.text))
        with page.expect_request("**/~gpu-lab/events"):
            page.goto(server.address)
        live.tell(News("1", "chapters/x.md:3: wrong given; allowed: right"))
        expect(page.get_by_role("alert")).to_contain_text("chapters/x.md:3: wrong given; allowed: right")
        live.tell(News("1"))
        expect(page.get_by_role("alert")).to_have_count(0)
        (tmp_path / "index.html").write_text("<!doctype html><title>x</title><body><p>new</p></body>", encoding="utf-8")
        live.tell(News("2"))
        expect(page.get_by_text("new")).to_be_visible()
        browser.close()
    assert not [text for text in complaints if "Content Security Policy" in text]
