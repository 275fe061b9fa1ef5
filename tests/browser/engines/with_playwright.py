"""A tab of Chromium, Firefox or Playwright's own WebKit."""

from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Locator, Request

from tests.browser.engines.tab import FIND, LONG_S


class PlaywrightTab:
    """See `tab.Tab`."""

    keeps_pages = False

    def __init__(self, browser: Browser, home: str) -> None:
        self.home, self.noted = home, list[str]()
        self.context = browser.new_context(viewport={"width": 1280, "height": 900})
        self.page = self.context.new_page()
        self.page.set_default_timeout(1_000 * LONG_S)
        self.page.on("pageerror", lambda error: self.noted.append(f"script error: {error.stack or error}"))
        self.page.on("console", self._hear)
        self.context.on("request", self._look)

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.noted.append(f"console: {message.text} ({message.location['url']})")

    def _look(self, request: Request) -> None:
        if not request.url.startswith((self.home, "data:", "blob:", "about:")):
            self.noted.append(f"asked another origin: {request.url}")

    def goto(self, address: str) -> None:
        self.page.goto(address)

    def reload(self) -> None:
        self.page.reload()

    def back(self) -> None:
        self.page.go_back()

    def address(self) -> str:
        return self.page.url

    def js(self, body: str, *arguments: object) -> Any:
        return self.page.evaluate(f"(given) => (function () {{ {FIND} {body} }})(...given)", list(arguments))

    def _first(self, selector: str) -> Locator:
        return self.page.locator(selector).first

    def click(self, selector: str) -> None:
        self._first(selector).click()

    def write(self, selector: str, text: str) -> None:
        self._first(selector).fill(text)

    def keys(self, *names: str) -> None:
        for name in names:
            self.page.keyboard.press("Enter" if name == "\n" else name)

    def complaints(self) -> list[str]:
        return self.noted

    def close(self) -> None:
        self.context.close()
