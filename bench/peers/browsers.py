"""Three engines that open an address with a profile folder of its own, and give back what the probe has seen there."""

import os
import platform
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, BrowserType, Page, sync_playwright

from bench.peers.host import REPORT_PATH, START_PATH, STARTED_S, Host
from builder.browsers import chromium, firefox, is_playwright_s_own, webkit
from tests.browser.engines.webkit import screen

PATIENCE_S = 120
SETTLE_S = 2.0  # what a browser keeps of a first visit reaches the disk
THROTTLE = {"latency": 60, "downloadThroughput": 9e6 / 8, "uploadThroughput": 1.5e6 / 8, "offline": False}
SLOWER = 4  # the page's own thread; DevTools slows no worker
FLAGS = ["--no-sandbox", "--no-first-run", "--disable-quic", "--disable-sync", "--disable-background-networking",
         "--disable-component-update"]  # fmt: skip

Result = dict[str, Any]
# (host, path, profile folder, throttled?) -> what the probe has seen
Open = Callable[[Host, str, Path, bool], Result]


class NotHere(Exception):
    """One sentence: which engine cannot be measured on this machine, and why."""


def probe() -> str:
    """The script that runs in every measured page."""
    return Path(__file__).with_name("probe.js").read_text(encoding="utf-8")


@contextmanager
def engine(name: str) -> Iterator[tuple[str, Open]]:
    """The engine's version and what opens an address in it. Raises NotHere."""
    with ExitStack() as stack:
        if name == "webkit":
            yield stack.enter_context(_webkit())
        else:
            driver = stack.enter_context(sync_playwright())
            kind, options = (driver.chromium, _chromium()) if name == "chromium" else (driver.firefox, _firefox())
            browser = kind.launch(**options)
            version = browser.version
            browser.close()
            yield version, lambda *given: _visit(kind, options, *given)


def _chromium() -> dict[str, Any]:
    path = chromium()
    if path is None:
        raise NotHere("Chromium: not installed; python3 -m tests installs one")
    return {"executable_path": path, "args": FLAGS}


def _firefox() -> dict[str, Any]:
    path = firefox()
    if path is None:
        raise NotHere("Firefox: neither firefox-esr nor firefox is installed")
    return {"executable_path": path, "channel": None if is_playwright_s_own(path) else "moz-firefox"}


def _visit(kind: BrowserType, options: dict[str, Any], host: Host, path: str, profile: Path, throttled: bool) -> Result:
    context = kind.launch_persistent_context(str(profile), viewport={"width": 1280, "height": 900}, **options)
    try:
        context.add_init_script(probe())
        page = context.new_page()
        page.set_default_timeout(PATIENCE_S * 1000)
        if throttled:
            _throttle(context, page)
        time.sleep(STARTED_S)
        page.goto(host.address + path, wait_until="commit")
        ends = time.monotonic() + PATIENCE_S
        while not page.evaluate("window.gpuLabBench?.done"):  # wait_for_function is against the site's policy
            if time.monotonic() > ends:
                raise TimeoutError(f"{path}: no result within {PATIENCE_S} s")
            page.wait_for_timeout(200)
        result: Result = page.evaluate("gpuLabBench.result")
        time.sleep(SETTLE_S)
        return result
    finally:
        context.close()


def _throttle(context: BrowserContext, page: Page) -> None:
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", THROTTLE)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})


@contextmanager
def _webkit() -> Iterator[tuple[str, Open]]:
    """WebKitGTK's own small browser, on a screen that nobody sees.

    Not by its driver, whose sessions keep nothing on the disk: there would be no second visit. The page reports to the
    host.
    """
    programs = webkit()
    if programs is None:
        raise NotHere("WebKit: WebKitWebDriver's package, MiniBrowser, and Xvfb are wanted")
    with screen(programs.screen) as display:
        yield _webkit_version(programs.browser, display), lambda *given: _report(programs.browser, display, *given)


def _webkit_version(program: str, display: str) -> str:
    environment = {**os.environ, "DISPLAY": display}
    told = subprocess.run([program, "--version"], env=environment, capture_output=True, text=True).stdout
    return told.split("\n")[0] or "unknown"


def _report(program: str, display: str, host: Host, path: str, profile: Path, throttled: bool) -> Result:
    if throttled:
        raise NotHere("WebKit: its browser cannot be slowed down")
    folders = {f"XDG_{name}_HOME": str(profile / name.lower()) for name in ("CACHE", "DATA", "CONFIG")}
    host.reported.clear()
    command = [program, "--geometry=1280x1000", f"{host.address}{START_PATH}?{path}"]
    environment = {**os.environ, **folders, "DISPLAY": display}
    browser = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        if not host.reported.wait(PATIENCE_S):
            raise TimeoutError(f"WebKit: no report of {path} within {PATIENCE_S} s")
        time.sleep(SETTLE_S)
        result = host.report
        assert isinstance(result, dict)
        return result
    finally:
        browser.terminate()
        with suppress(subprocess.TimeoutExpired):
            browser.wait(10)
        browser.kill()


def reporting_probe() -> str:
    """The probe for a page that no driver asks: it sends what it has seen."""
    return f'window.gpuLabBenchReports = "{REPORT_PATH}";\n{probe()}'


def machine() -> dict[str, object]:
    """What the figures were measured on."""
    return {"system": platform.platform(), "cores": os.cpu_count(), "python": platform.python_version()}
