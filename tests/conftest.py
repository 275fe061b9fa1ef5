"""What all tests share: the site, built once a run and served as a good host would; and a list of every skip."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [path for path in (str(ROOT), str(ROOT / "site")) if path not in sys.path]


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository's folder."""
    return ROOT


@pytest.fixture(scope="session")
def site_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole site, built once."""
    from builder.address import Address
    from builder.model import lab_model
    from builder.output import write_site
    from builder.site import build_site

    folder = tmp_path_factory.mktemp("built") / "site"
    write_site(folder, build_site(ROOT, lab_model(), Address()))
    return folder


@pytest.fixture(scope="session")
def site_address(site_folder: Path) -> Iterator[str]:
    """The address, on loopback, of the built site with its real headers; ends in a slash."""
    from tests.serving import served

    with served(site_folder) as server:
        yield server.address


def found(chromium: str | None) -> str:
    """The path, or the test is skipped."""
    if chromium is None:
        pytest.skip("no Chromium: neither the system's nor Playwright's own could be installed")
    return chromium


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """The path of a Chromium that Playwright can start (`executable_path`), the one without windows if there is one."""
    from builder.browsers import headless_chromium

    return found(headless_chromium())


@pytest.fixture(scope="session")
def whole_chromium_path() -> str:
    """The path of a Chromium that can have windows, and keeps pages for Back."""
    from builder.browsers import chromium

    return found(chromium())


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name every skipped test with its reason."""
    skipped = terminalreporter.stats.get("skipped", [])
    if skipped:
        terminalreporter.section(f"skipped: {len(skipped)}")
    for report in skipped:
        where = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        terminalreporter.write_line(f"{report.nodeid}: {where.removeprefix('Skipped: ')}")
