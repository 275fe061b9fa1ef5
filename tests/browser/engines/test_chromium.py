"""Chromium does all of `core.Core`."""

import pytest
from playwright.sync_api import Browser

from tests.browser.engines.conftest import OpenTab
from tests.browser.engines.core import Core
from tests.browser.engines.with_playwright import PlaywrightTab


@pytest.fixture(scope="module")
def engine(chromium: Browser) -> OpenTab:
    """Opens tabs of Chromium."""
    return lambda host: PlaywrightTab(chromium, host.address)


class TestChromium(Core):
    """See `Core`."""
