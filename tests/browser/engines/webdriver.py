"""As much of WebDriver as a tab needs, over the standard library. Source: W3C, WebDriver, sections 8 to 15."""

import json
import time
from typing import Any
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

from tests.browser.engines.tab import FIND, LONG_S

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the name under which an answer refers to an element
KEYS = {"Enter": "\ue007", "\n": "\ue007", "Tab": "\ue004", "Backspace": "\ue003", "Control": "\ue009",
        "End": "\ue010", "Home": "\ue011", "ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014",
        "ArrowDown": "\ue015"}  # fmt: skip

# The element into the middle of the screen, unless all of it is in sight.
SCROLL = """const node = find(arguments[0]); const {top, bottom} = node.getBoundingClientRect();
if (top < 0 || bottom > innerHeight) node.scrollIntoView({block: "center", behavior: "instant"});"""


class WebDriverError(Exception):
    """The driver's own words: which error, and why."""


def command(server: str, method: str, path: str, body: object = None) -> Any:
    """Send one command and return its value; raise WebDriverError when the driver reports one."""
    data = None if body is None else json.dumps(body).encode()
    request = Request(server + path, data, {"Content-Type": "application/json"}, method=method)
    try:
        with build_opener(ProxyHandler({})).open(request, timeout=LONG_S) as answer:
            return json.load(answer)["value"]
    except HTTPError as error:
        value = json.load(error)["value"]
        raise WebDriverError(f"{value['error']}: {value['message']}") from None


class Session:
    """One browser with one tab, started by `capabilities`; the tab's verbs are `tab.Tab`'s."""

    def __init__(self, server: str, capabilities: dict[str, object]) -> None:
        self.server, self.path = server, ""
        wanted = {"capabilities": {"alwaysMatch": capabilities}}
        started = command(server, "POST", "/session", wanted)
        self.path = f"/session/{started['sessionId']}"
        self.version = f"{started['capabilities']['browserName']} {started['capabilities']['browserVersion']}"

    def _send(self, method: str, path: str, body: object = None) -> Any:
        return command(self.server, method, self.path + path, body)

    def goto(self, address: str) -> None:
        self._send("POST", "/url", {"url": address})

    def reload(self) -> None:
        self._send("POST", "/refresh", {})

    def back(self) -> None:
        self._send("POST", "/back", {})

    def address(self) -> str:
        url: str = self._send("GET", "/url")
        return url

    def js(self, body: str, *arguments: object) -> Any:
        return self._send("POST", "/execute/sync", {"script": f"{FIND} {body}", "args": arguments})

    def _element(self, selector: str) -> str:
        found = self.js("return find(arguments[0])", selector)
        assert found, f"nothing fits {selector}"
        reference: str = found[ELEMENT]
        return f"/element/{reference}"

    def _act(self, selector: str, what: str, body: object) -> None:
        """Scrolls there, which WebKit's driver may not do, and waits until it can be done, as Playwright does."""
        ends = time.monotonic() + LONG_S
        while True:
            try:
                self.js(SCROLL, selector)
                self._send("POST", f"{self._element(selector)}/{what}", body)
                return
            except WebDriverError as error:
                if "interactable" not in str(error) or time.monotonic() > ends:
                    raise
                time.sleep(0.1)

    def click(self, selector: str) -> None:
        self._act(selector, "click", {})

    def write(self, selector: str, text: str) -> None:
        """A new line is typed as the key that makes one: WebKit's driver leaves out the character."""
        self._act(selector, "clear", {})
        self._act(selector, "value", {"text": text.replace("\n", KEYS["Enter"])})

    def keys(self, *names: str) -> None:
        """One chord for a name with a plus, as Control+a."""
        actions = []
        for name in names:
            chord = [KEYS.get(key, key) for key in (name.split("+") if len(name) > 1 else [name])]
            actions += [{"type": "keyDown", "value": key} for key in chord]
            actions += [{"type": "keyUp", "value": key} for key in reversed(chord)]
        self._send("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def picture(self) -> str:
        """A screenshot, as base64 of a PNG."""
        png: str = self._send("GET", "/screenshot")
        return png

    def close(self) -> None:
        self._send("DELETE", "")
