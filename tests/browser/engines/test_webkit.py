"""WebKit does all of `core.Core`: Debian's WebKitGTK over WebDriver, else Playwright's own."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Error, Playwright

from builder import browsers
from builder.environment import may_install
from tests.browser.engines.conftest import OpenTab
from tests.browser.engines.core import Core
from tests.browser.engines.webkit import opening
from tests.browser.engines.with_playwright import PlaywrightTab


@pytest.fixture(scope="module")
def engine(playwright: Playwright) -> Iterator[OpenTab]:
    """Opens tabs of WebKit."""
    programs, own = browsers.webkit(), browsers.playwright_s_webkit()
    if programs:
        with opening(programs) as open_:
            yield open_
    elif own:
        with playwright_s(playwright, own) as browser:
            yield lambda host: PlaywrightTab(browser, host.address)
    else:
        pytest.skip("no WebKit: neither webkit2gtk-driver with xvfb nor Playwright's own is installed")


def playwright_s(playwright: Playwright, path: str) -> Browser:
    """Playwright's own WebKit. Where its libraries are missing and may not be installed, it is as good as missing."""
    try:
        return playwright.webkit.launch(executable_path=path)
    except Error as error:
        if "missing dependencies" in error.message and not may_install():
            pytest.skip("no WebKit: Playwright's own wants libraries that this system lacks")
        raise


class TestWebKit(Core):
    """See `Core`."""
