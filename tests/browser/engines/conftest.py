"""A tab of the engine that the test's own module names as `engine`, with faults heard and with patience."""

import re
from collections.abc import Callable, Iterator

import pytest

from tests.browser.engines.tab import Tab
from tests.browser.host import FaultyHandler, Headers, Host

pytest.register_assert_rewrite("tests.browser.engines.core")

OpenTab = Callable[..., Tab]
# How long the page waits for Python before it gives up on it (site/static/python.js), and how long here. The real
# limits are for a reader's machine, and under test elsewhere, with a clock that the test moves.
LIMITS = {
    b"START_SILENCE_MS = 20_000": b"START_SILENCE_MS = 300_000",
    b"BOOT_SILENCE_MS = 60_000": b"BOOT_SILENCE_MS = 300_000",
    b"ANSWER_MS = 10_000": b"ANSWER_MS = 300_000",
    b"INTERRUPT_MS = 9_000": b"INTERRUPT_MS = 299_000",
}


def patient(handler: FaultyHandler, status: int, headers: Headers, data: bytes) -> tuple[int, Headers, bytes]:
    """The page's script, with limits for a machine that does other work too; the service worker gets the real one."""
    if handler.headers.get("Sec-Fetch-Dest", "script") != "script":
        return status, headers, data
    for real, longer in LIMITS.items():
        assert data.count(real) == 1, real
        data = data.replace(real, longer)
    return status, headers | {"Cache-Control": "no-store"}, data


@pytest.fixture
def open_tab(engine: OpenTab, host: Host) -> Iterator[OpenTab]:
    """Opens a tab; afterwards nothing may have been missing or complained of, but for what `forgiven` finds."""
    opened: list[tuple[Tab, str | None]] = []
    host.faults[r"^/static/lab\.\w+\.js"] = patient

    def open_(*, forgiven: str | None = None) -> Tab:
        tab = engine(host)
        opened.append((tab, forgiven))
        return tab

    yield open_
    left = []
    for tab, forgiven in opened:
        try:
            left += [each for each in tab.complaints() if not (forgiven and re.search(forgiven, each))]
        finally:
            tab.close()
    assert left == [] and host.missing == []


@pytest.fixture
def tab(open_tab: OpenTab) -> Tab:
    """One tab, still empty."""
    return open_tab()
