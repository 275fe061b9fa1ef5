"""Where the browsers that the tests drive are: the system's, else Playwright's own. Standard library only."""

import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FIREFOX_NAMES = ("firefox-esr", "firefox")
LIBRARIES = ("/usr/lib", "/usr/libexec")
MINI_BROWSERS = ("webkitgtk-6.*", "*/webkitgtk-6.*", "webkit2gtk-4.*", "*/webkit2gtk-4.*")  # the last found is taken


@dataclass(frozen=True)
class WebKitPrograms:
    """The paths of WebKit's driver, of its browser, and of Xvfb, the screen that nobody sees."""

    driver: str
    browser: str
    screen: str


def chromium() -> str | None:
    """The path of a Chromium: the system's, else Playwright's own, else None."""
    names = ("chrome", "chrome.exe", "Chromium", "Google Chrome for Testing")
    return _on_path(CHROMIUM_NAMES) or _playwright_s_own("chromium", names)


def headless_chromium() -> str | None:
    """The path of a Chromium for tests: Debian's without windows, where a page starts in half the time; else any."""
    return shutil.which("chromium-headless-shell") or chromium()


def firefox() -> str | None:
    """The path of a Firefox: the system's with its links followed, else Playwright's own, else None."""
    system = _on_path(FIREFOX_NAMES)
    return os.path.realpath(system) if system else _playwright_s_own("firefox", ("firefox", "firefox.exe"))


def is_playwright_s_own(path: str) -> bool:
    """True for a browser that Playwright fetched, which it drives in another way than the system's."""
    return Path(path).is_relative_to(playwright_folder())


def webkit() -> WebKitPrograms | None:
    """WebKitGTK's programs, where the system has all three."""
    driver, screen = shutil.which("WebKitWebDriver"), shutil.which("Xvfb")
    places = [(lib, place) for place in MINI_BROWSERS for lib in LIBRARIES]
    browsers = [path for lib, place in places for path in sorted(Path(lib).glob(f"{place}/MiniBrowser"))]
    if not (driver and screen and browsers):
        return None
    return WebKitPrograms(driver, str(browsers[-1]), screen)


def playwright_s_webkit() -> str | None:
    """The path of the WebKit that Playwright fetched, else None."""
    return _playwright_s_own("webkit", ("pw_run.sh", "Playwright.exe"))


def playwright_folder() -> Path:
    """Where Playwright keeps the browsers that it fetches."""
    home = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    caches = {"darwin": "Library/Caches", "win32": "AppData/Local"}
    return Path(home) if home else Path.home() / caches.get(sys.platform, ".cache") / "ms-playwright"


def _on_path(names: tuple[str, ...]) -> str | None:
    return next((path for name in names if (path := shutil.which(name))), None)


def _playwright_s_own(browser: str, names: tuple[str, ...]) -> str | None:
    folder = playwright_folder()
    found = [path for name in names for path in folder.glob(f"{browser}-*/**/{name}") if path.is_file()]
    return str(max(found)) if found else None
