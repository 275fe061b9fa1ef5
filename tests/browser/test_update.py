"""An update that is published in the middle of a visit: offered, never forced, whole or not at all."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from builder.live import Live, News
from tests.browser import host as faults
from tests.browser.host import Host
from tests.browser.test_everyone import violations
from tests.browser.test_offline import WHOLE, cut, line
from tests.browser.widget import LONG_MS, WidgetOnPage

OLD = "How can matrix multiplication reuse its inputs?"
NEW = "The newer chapter"
OFFER = "A newer version of the lab is here."
LINKED = (".venv", ".cache", "site/node_modules")


@pytest.fixture(scope="session")
def newer_folder(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The next version of the site: a chapter and the scripts of every page have changed, Pyodide has not."""
    from builder.address import Address
    from builder.model import lab_model
    from builder.output import write_site
    from builder.site import build_site

    source = tmp_path_factory.mktemp("newer") / "source"
    unwanted = shutil.ignore_patterns(".*", "_site", "tests", "node_modules", "__pycache__", "*.egg-info")
    shutil.copytree(root, source, ignore=unwanted)
    for name in LINKED:
        (source / name).symlink_to((root / name).resolve())
    chapter = source / "chapters" / "01-reuse.md"
    chapter.write_text(chapter.read_text(encoding="utf-8").replace(OLD, NEW, 1), encoding="utf-8")
    for script in ("worker.js", "page.js"):
        with (source / "site" / "static" / script).open("a", encoding="utf-8") as file:
            file.write("/* newer */\n")
    write_site(source / "out", build_site(source, lab_model(), Address()))
    return source / "out"


def title(page: Page) -> str:
    """The heading of chapter 1, which tells its version."""
    return page.locator("h1").inner_text()


def look_for_update(page: Page) -> None:
    """As the browser does at a navigation, and the page after a while."""
    page.evaluate("async () => { await (await navigator.serviceWorker.ready).update(); }")


@pytest.fixture
def kept(page: Page, host: Host) -> Page:
    """Chapter 1, at step 3, in a browser that keeps the whole lab."""
    page.goto(host.elsewhere + "reuse.html")
    line(page, WHOLE)
    WidgetOnPage(page, "dot-product").press("next", "next")
    WidgetOnPage(page, "dot-product").position_is("step 3 of 4")
    return page


def test_update_is_offered_and_taking_it_keeps_the_step(
    kept: Page, host: Host, newer_folder: Path, root: Path
) -> None:
    host.folder = newer_folder
    look_for_update(kept)
    expect(kept.locator(".newer")).to_contain_text(OFFER, timeout=LONG_MS)
    assert violations(kept, root) == []
    dot = WidgetOnPage(kept, "dot-product")
    dot.position_is("step 3 of 4")
    dot.run(n="6")
    dot.is_live()
    assert title(kept) == OLD
    dot.press("next")
    dot.position_is("step 2 of 6")
    kept.get_by_role("button", name="Take it").click()
    expect(kept.locator("h1")).to_have_text(NEW)
    WidgetOnPage(kept, "dot-product").is_live()
    WidgetOnPage(kept, "dot-product").position_is("step 2 of 6")
    line(kept, WHOLE)
    assert host.missing == []


def test_without_an_answer_the_version_before_goes_on_whole(kept: Page, host: Host, newer_folder: Path) -> None:
    """Pages, scripts and worker are the old ones, although the host has only the new ones."""
    host.folder = newer_folder
    look_for_update(kept)
    kept.get_by_role("button", name="Later").click()
    expect(kept.locator(".newer")).to_be_hidden()
    kept.goto(host.elsewhere + "glossary.html")
    kept.goto(host.elsewhere + "reuse.html?dot-product.n=6")
    assert title(kept) == OLD
    WidgetOnPage(kept, "dot-product").is_live()
    assert "newer */" not in kept.evaluate("async () => (await fetch(document.querySelector('script').src)).text()")
    expect(kept.locator(".newer")).to_contain_text(OFFER)  # once on every page, until it is taken
    assert host.missing == []


def shared_files(page: Page) -> set[str]:
    """The kept files whose names change with their content."""
    urls = page.evaluate(
        """async () => {
          const names = (await caches.keys()).filter((name) => name.endsWith(" files"));
          return (await (await caches.open(names[0])).keys()).map((request) => request.url);
        }"""
    )
    return {"/".join(url.split("/")[3:]) for url in urls}


def test_update_is_there_by_itself_once_every_page_was_closed(kept: Page, host: Host, newer_folder: Path) -> None:
    """And what only the version before needed is gone."""
    host.folder = newer_folder
    look_for_update(kept)
    expect(kept.locator(".newer")).to_be_visible(timeout=LONG_MS)
    page = kept.context.new_page()
    page.set_default_timeout(LONG_MS)
    kept.close()
    for _ in range(100):  # the browser notices a closed page a little later
        page.goto(host.elsewhere + "reuse.html")
        if title(page) == NEW:
            break
        page.goto("about:blank")
        page.wait_for_timeout(100)
    line(page, WHOLE)
    page.goto("about:blank")
    page.goto(host.elsewhere + "reuse.html")
    page.wait_for_function("async () => (await caches.keys()).length === 2")
    new = {path.relative_to(newer_folder).as_posix() for path in newer_folder.glob("*/*")}
    left_out = re.compile(r"/(card|memory)\.")
    assert shared_files(page) == {
        place for place in new if place.startswith(("static/", "pyodide-")) and not left_out.search(place)
    }


def test_other_tab_goes_on_with_its_own_version(kept: Page, host: Host, newer_folder: Path) -> None:
    other = kept.context.new_page()
    other.set_default_timeout(LONG_MS)
    other.goto(host.elsewhere + "reuse.html")
    host.folder = newer_folder
    look_for_update(kept)
    kept.get_by_role("button", name="Take it").click()
    expect(kept.locator("h1")).to_have_text(NEW)
    expect(other.locator(".newer")).to_contain_text("The lab was updated in another tab.")
    assert title(other) == OLD
    dot = WidgetOnPage(other, "dot-product")
    dot.run(n="6")
    dot.is_live()
    other.get_by_role("button", name="Reload this page").click()
    expect(other.locator("h1")).to_have_text(NEW)
    WidgetOnPage(other, "dot-product").is_live()
    assert host.missing == []


@pytest.mark.parametrize("fault", [faults.damaged, faults.missing, faults.blocked, faults.cut_off])
def test_half_published_update_changes_nothing(kept: Page, host: Host, newer_folder: Path, fault: faults.Fault) -> None:
    host.folder = newer_folder
    host.faults["reuse.html"] = fault
    look_for_update(kept)
    kept.wait_for_function(
        "async () => { const r = await navigator.serviceWorker.ready; return !r.installing && !r.waiting; }"
    )
    assert host.asked_for("reuse.html")[1:]  # it was tried
    expect(kept.locator(".newer")).to_be_hidden()
    line(kept, WHOLE)
    cut(host)
    kept.reload()
    assert title(kept) == OLD
    WidgetOnPage(kept, "dot-product").run(n="6")
    WidgetOnPage(kept, "dot-product").is_live()


def test_publishing_during_a_first_visit_says_so_and_a_reload_is_whole(
    page: Page, host: Host, newer_folder: Path
) -> None:
    """Nothing is kept here; the files that the page names are gone from the host."""
    page.goto(host.address + "reuse.html")
    dot = WidgetOnPage(page, "dot-product")
    dot.press("next")
    host.folder = newer_folder
    dot.run(n="6")
    dot.state_has("is no longer where this page expects it; the site may have been updated. Reload the page")
    dot.position_is("step 2 of 4")
    expect(dot.field("n")).to_have_value("6")
    page.reload()
    assert title(page) == NEW
    WidgetOnPage(page, "dot-product").position_is("step 2 of 4")
    WidgetOnPage(page, "dot-product").run(n="6")
    WidgetOnPage(page, "dot-product").is_live()


def test_development_server_shows_the_newest_also_where_a_lab_was_kept(
    open_page: Callable[..., Page], chromium: Browser, host: Host, newer_folder: Path
) -> None:
    page = open_page(chromium)
    page.goto(host.address + "reuse.html")
    page.get_by_role("button", name="Keep the lab").click()
    line(page, WHOLE)
    host.folder, host.live = newer_folder, Live(News("1"))
    look_for_update(page)
    expect(page.locator("h1")).to_have_text(NEW, timeout=LONG_MS)
    page.reload()
    expect(page.locator("#kept")).to_be_hidden()
    assert page.evaluate("caches.keys()") == []
    host.live.stop()
