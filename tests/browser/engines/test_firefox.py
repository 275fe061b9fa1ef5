"""Firefox does all of `core.Core`."""

import pytest
from playwright.sync_api import Browser

from tests.browser.engines.conftest import OpenTab
from tests.browser.engines.core import Core
from tests.browser.engines.with_playwright import PlaywrightTab


@pytest.fixture(scope="module")
def engine(firefox: Browser) -> OpenTab:
    """Opens tabs of Firefox."""
    return lambda host: PlaywrightTab(firefox, host.address)


class TestFirefox(Core):
    """See `Core`."""
