"""WebKit from Debian: MiniBrowser on a screen that nobody sees, driven by WebKitWebDriver."""

import os
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path

from builder.browsers import WebKitPrograms
from tests.browser.engines.black_hole import BlackHole, black_hole
from tests.browser.engines.tab import LONG_S
from tests.browser.engines.webdriver import Session
from tests.browser.host import FaultyHandler, Headers, Host

STARTS = 5
# WebKit's driver tells nothing of the console, so pages come with a script, before all others, that remembers.
EARS_PATH = "/~ears.js"
EARS = b"""(() => {
  const heard = window.heardByTest = [];
  const note = (kind, what) => heard.push(`${kind}: ${what?.stack ? `${what} ${what.stack}` : what}`);
  const failed = (event) => note("script error", event.error ?? event.message ?? event.target.outerHTML);
  addEventListener("error", failed, true);
  addEventListener("unhandledrejection", (event) => note("script error", event.reason));
  addEventListener("securitypolicyviolation", (event) => note("console", `policy refuses ${event.blockedURI}`));
  const real = console.error;
  console.error = (...words) => { note("console", words.join(" ")); real.apply(console, words); };
})();
"""


def give_ears(host: Host) -> None:
    """Let a host serve its pages with the script that remembers errors; the service worker gets them as they are."""

    def pages(handler: FaultyHandler, status: int, headers: Headers, data: bytes) -> tuple[int, Headers, bytes]:
        if handler.headers.get("Sec-Fetch-Dest", "document") != "document":
            return status, headers, data
        return status, headers, data.replace(b"<head>", b'<head><script src="%s"></script>' % EARS_PATH.encode(), 1)

    def script(*_: object) -> tuple[int, Headers, bytes]:
        return 200, {"Content-Type": "text/javascript"}, EARS

    host.faults |= {r"^/(planted|[\w.-]+\.html)?(\?|$)": pages, f"^{EARS_PATH}$": script}


class WebKitTab(Session):
    """See `tab.Tab`. The browser outlives the tab, as it starts slowly; each host is an origin of its own."""

    keeps_pages = True

    def __init__(self, server: str, programs: WebKitPrograms, hole: BlackHole) -> None:
        self.hole, self.left = hole, list[str]()
        self.before = len(hole.asked)
        proxy = {"proxyType": "manual", "httpProxy": hole.place, "sslProxy": hole.place, "noProxy": ["127.0.0.1"]}
        options = {"binary": programs.browser, "args": ["--automation"]}
        super().__init__(server, {"proxy": proxy, "webkitgtk:browserOptions": options})

    def _keep_heard(self) -> None:
        self.left += self.js("return (window.heardByTest ?? []).splice(0)")

    def goto(self, address: str) -> None:
        self._keep_heard()
        super().goto(address)

    def reload(self) -> None:
        self._keep_heard()
        super().reload()

    def back(self) -> None:
        self._keep_heard()
        super().back()

    def complaints(self) -> list[str]:
        self._keep_heard()
        return self.left + self.hole.asked[self.before :]

    def close(self) -> None:
        super().goto("about:blank")
        self.left, self.before = [], len(self.hole.asked)

    def end(self) -> None:
        """Close the browser."""
        super().close()


@contextmanager
def screen(program: str) -> Iterator[str]:
    """A display that nobody sees; gives its name."""
    told, tells = os.pipe()
    command = [program, "-displayfd", str(tells), "-screen", "0", "1280x1024x24", "-nolisten", "tcp"]
    process = subprocess.Popen(command, pass_fds=[tells], stderr=subprocess.DEVNULL)
    os.close(tells)
    try:
        with os.fdopen(told, encoding="ascii") as words:
            number = words.readline().strip()
        assert number, "Xvfb ended without a display"
        yield f":{number}"
    finally:
        process.terminate()
        process.wait()


@contextmanager
def driver(programs: WebKitPrograms) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """WebKitWebDriver with a screen, on a free port: its process and its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with screen(programs.screen) as display:
        command = [programs.driver, f"--port={port}", "--host=127.0.0.1"]
        process = subprocess.Popen(
            command, env={**os.environ, "DISPLAY": display}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            _wait_for(port, process)
            yield process, f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait()


@contextmanager
def started(programs: WebKitPrograms, hole: BlackHole) -> Iterator[WebKitTab]:
    """A browser with a driver and a screen of its own, until the block ends.

    About one MiniBrowser in twenty crashes as it starts, before it has opened any page, and its driver waits for it for
    ever. Then all three start anew. It is the only thing that is tried again.
    """
    with ExitStack() as stack:
        for _ in range(STARTS):
            process, server = stack.enter_context(driver(programs))
            tab = unless_it_crashes(process, partial(WebKitTab, server, programs, hole))
            if tab:
                stack.callback(tab.end)
                yield tab
                return
            stack.close()
        raise AssertionError(f"MiniBrowser crashed {STARTS} times in a row as it started")


def unless_it_crashes(process: subprocess.Popen[bytes], start: Callable[[], WebKitTab]) -> WebKitTab | None:
    """What `start` gives, or None when the browser of this driver came and went meanwhile."""
    with ThreadPoolExecutor(1) as pool:
        coming, came = pool.submit(start), False
        while not coming.done():
            is_there = _has_child(process.pid)
            if came and not is_there:
                process.terminate()  # so that `start` ends
                return None if coming.exception() else coming.result()
            came |= is_there
            time.sleep(0.1)
        return coming.result()


def _has_child(pid: int) -> bool:
    """Does a process of Linux have one that it started?"""
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):  # a thread that has ended meanwhile
            if path.read_text(encoding="ascii"):
                return True
    return False


@contextmanager
def opening(programs: WebKitPrograms) -> Iterator[Callable[[Host], WebKitTab]]:
    """What opens a tab for a host: the same one each time, emptied."""
    with black_hole() as hole, started(programs, hole) as tab:

        def open_(host: Host) -> WebKitTab:
            give_ears(host)
            return tab

        yield open_


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    ends = time.monotonic() + LONG_S
    while process.poll() is None and time.monotonic() < ends:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise AssertionError("WebKitWebDriver does not listen")
