"""Browsers, a host, and a page that notices every script error and every request to another origin."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, Request, expect, sync_playwright

from builder import browsers
from tests.browser.host import Host, hosted
from tests.browser.widget import LONG_MS, WidgetOnPage

CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--no-first-run",
    "--disable-quic",
    "--disable-sync",
    "--disable-background-networking",
]
expect.set_options(timeout=LONG_MS)  # a test waits for events, never for a time; machines do other work too


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run a browser test that failed once more: a driver on a busy machine can lose what the page is not to blame for.

    What passed only then is named at the end, so that it is looked into.
    """
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="session")
def chromium(playwright: Playwright, chromium_path: str) -> Iterator[Browser]:
    browser = playwright.chromium.launch(executable_path=chromium_path, args=CHROMIUM_FLAGS)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def firefox(playwright: Playwright) -> Iterator[Browser]:
    path = browsers.firefox()
    if path is None:
        pytest.skip("no Firefox: neither the system's nor Playwright's own could be installed")
    browser = playwright.firefox.launch(
        executable_path=path,
        channel=None if browsers.is_playwright_s_own(path) else "moz-firefox",
        # Back then loads the page anew, which is when Firefox restores fields; the driver loses a page that is kept.
        firefox_user_prefs={"browser.sessionhistory.max_total_viewers": 0},
    )
    yield browser
    browser.close()


@pytest.fixture(params=["chromium", "firefox"])
def any_browser(request: pytest.FixtureRequest) -> Browser:
    """Each engine in turn."""
    browser: Browser = request.getfixturevalue(request.param)
    return browser


@pytest.fixture
def host(site_folder: Path) -> Iterator[Host]:
    """A host of this test's own, well behaved until told otherwise."""
    with hosted(site_folder) as server:
        yield server


@pytest.fixture
def open_page(host: Host) -> Iterator[Callable[..., Page]]:
    """Makes a page in a context of its own; afterwards no script error and no foreign request may have been seen."""
    contexts: list[BrowserContext] = []
    troubles: list[str] = []

    def look(request: Request) -> None:
        if not request.url.startswith((host.address, host.elsewhere, "data:", "blob:", "file:")):
            troubles.append(f"asked another origin: {request.url}")

    def make(browser: Browser, **options: object) -> Page:
        context = browser.new_context(**options)  # type: ignore[arg-type]
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(LONG_MS)
        page.on("pageerror", lambda error: troubles.append(f"script error: {error.stack or error}"))
        page.on("request", look)
        return page

    yield make
    for context in contexts:
        context.close()
    assert troubles == []


@pytest.fixture
def page(open_page: Callable[..., Page], chromium: Browser) -> Page:
    """A page in Chromium, still empty."""
    return open_page(chromium, viewport={"width": 1280, "height": 900})


@pytest.fixture
def chapter(page: Page, host: Host) -> Page:
    """Chapter 1 in Chromium."""
    page.goto(host.address + "reuse.html")
    return page


@pytest.fixture
def dot(chapter: Page) -> WidgetOnPage:
    """The first widget of chapter 1."""
    return WidgetOnPage(chapter, "dot-product")


@pytest.fixture
def walk(chapter: Page) -> WidgetOnPage:
    """The second widget of chapter 1."""
    return WidgetOnPage(chapter, "tile-walk")
