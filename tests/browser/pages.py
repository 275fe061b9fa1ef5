"""Every page by name, and what tests ask of each of them."""

import re
from pathlib import Path

from playwright.sync_api import Page

from tests.browser.host import Host

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = ROOT / "chapters"
PAGES = sorted(re.sub(r"\b\d\d-|\.md$", "", path.relative_to(CHAPTERS).as_posix()) for path in CHAPTERS.rglob("*.md"))
PHONE, ZOOMED, DESK = {"width": 320, "height": 640}, {"width": 320, "height": 256}, {"width": 1280, "height": 900}


def places(site_folder: Path) -> list[str]:
    """Every page's place in a built site."""
    return sorted(path.relative_to(site_folder).as_posix() for path in site_folder.rglob("*.html"))


def unfolded(page: Page, host: Host, name: str) -> Page:
    """A page at its address, its scripts done, with everything open."""
    page.goto(f"{host.address}{name}.html")
    page.wait_for_load_state("networkidle")
    page.evaluate("() => document.querySelectorAll('details').forEach(fold => fold.open = true)")
    return page


def figures(page: Page) -> list[str]:
    """The ids of the page's widgets that have steps."""
    found: list[str] = page.locator("gpu-lab-widget").evaluate_all(
        "all => all.filter((one) => one.dataset.count > 1).map((one) => one.id)"
    )
    return found
