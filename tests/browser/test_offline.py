"""The lab without a network: what is kept, unasked and asked, under any path, and what may prevent it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from builder import policy
from tests.browser import host as faults
from tests.browser.host import FaultyHandler, Headers, Host, hosted
from tests.browser.pages import places
from tests.browser.widget import LONG_MS, WidgetOnPage

WHOLE = "The whole lab is kept in this browser and works without a network."
PAGES = "are kept in this browser and work without a network. Python for settings of your own is not kept."
ABLE = "This browser can keep the lab, which then works without a network."


def line(page: Page, text: str) -> None:
    """Waits for the line at the foot of the page."""
    expect(page.locator("#kept")).to_contain_text(text, timeout=LONG_MS)


def cut(host: Host) -> None:
    """From now on nothing that is asked of the host is answered."""
    host.faults["."] = faults.blocked


def from_host(host: Host, since: int) -> list[str]:
    """What was asked of the host since then, but for whether there is an update."""
    return [path for _, path in host.answered[since:] if not path.endswith("/sw.js")]


@pytest.fixture
def visitor(open_page: Callable[..., Page], any_browser: Browser) -> Page:
    """A page in each engine."""
    return open_page(any_browser)


def works_whole(page: Page, address: str, names: list[str]) -> None:
    """Every page opens; prepared steps, Python in both its sizes, and downloads work."""
    for name in names:
        page.goto(address + name)
        expect(page.locator("h1").first).to_be_visible()
    page.goto(address)
    WidgetOnPage(page, "dot-product").press("next")
    WidgetOnPage(page, "dot-product").position_is("step 2 of 4")
    page.goto(address + "reuse.html?dot-product.n=6&dot-product.step=4")
    WidgetOnPage(page, "dot-product").is_live()
    WidgetOnPage(page, "dot-product").position_is("step 4 of 6")
    page.goto(address + "kernel.html")
    stepper = WidgetOnPage(page, "kernel-stepper")
    stepper.shortcut("accumulator zeroed in the loop")
    stepper.is_live()
    page.goto(address + "no/such/page")
    expect(page.locator("h1")).to_have_text("There is no such page")


def test_after_one_visit_the_whole_lab_works_without_a_network(visitor: Page, host: Host, site_folder: Path) -> None:
    visitor.goto(host.elsewhere + "glossary.html")
    line(visitor, WHOLE)
    cut(host)
    visitor.context.set_offline(True)
    works_whole(visitor, host.elsewhere, places(site_folder))


@pytest.mark.parametrize("base", ["/gpu-lab/", "/a/b/"])
def test_it_works_under_a_path_and_keeps_to_it(chromium: Browser, site_folder: Path, base: str) -> None:
    with hosted(site_folder, base) as host, chromium.new_context() as context:
        page = context.new_page()
        page.goto(host.elsewhere)
        line(page, WHOLE)
        assert host.missing == [] and all(path.startswith(base) for _, path in host.answered)
        cut(host)
        works_whole(page, host.elsewhere, ["reuse.html"])
        outside = "async (path) => !(await navigator.serviceWorker.getRegistration(path))"
        assert page.evaluate(outside, "/") and not page.evaluate(outside, base)


def test_second_visit_fetches_nothing_but_the_memory(page: Page, host: Host) -> None:
    page.goto(host.elsewhere + "reuse.html")
    line(page, WHOLE)
    before = len(host.answered)
    page.reload()
    WidgetOnPage(page, "dot-product").run(n="6")
    WidgetOnPage(page, "dot-product").is_live()
    page.goto(host.elsewhere + "order.html")
    line(page, WHOLE)
    # All but the memory, which is for a network: without one Python starts from what is kept.
    assert [path for path in from_host(host, before) if not path.startswith("/static/memory.")] == []


def test_downloads_work_without_a_network(page: Page, host: Host) -> None:
    page.goto(host.elsewhere + "programs.html")
    line(page, WHOLE)
    cut(host)
    page.reload()
    with page.expect_download() as downloading:
        page.locator('a[href="downloads/matmul_exercise.py"]').first.click()
    assert downloading.value.path().read_bytes() == (host.folder / "downloads" / "matmul_exercise.py").read_bytes()


# ---------- what is kept unasked ----------

SAYS = "Object.defineProperty(Navigator.prototype, 'connection', {get: () => (%s)});"


@pytest.mark.parametrize(
    ("connection", "kept"),
    [
        ("{saveData: true, effectiveType: '4g'}", ABLE),
        ("{saveData: false, effectiveType: '3g'}", PAGES),
        ("{saveData: false, effectiveType: '4g', type: 'cellular'}", PAGES),
        ("{saveData: false, effectiveType: '4g', type: 'wifi'}", WHOLE),
        ("undefined", WHOLE),
    ],
)
def test_kept_unasked_is_what_the_connection_can_bear(page: Page, host: Host, connection: str, kept: str) -> None:
    page.add_init_script(SAYS % connection)
    page.goto(host.elsewhere + "reuse.html")
    if kept == ABLE:
        page.wait_for_timeout(4_000)  # longer than it waits before it begins
    line(page, kept)
    assert bool(host.asked_for("pyodide.asm.wasm")) == (kept == WHOLE)
    assert bool(host.asked_for("order.html")) == (kept != ABLE)


def test_phone_that_does_not_say_how_it_is_connected_keeps_the_pages_alone(
    open_page: Callable[..., Page], chromium: Browser, host: Host
) -> None:
    page = open_page(chromium, has_touch=True, is_mobile=True, viewport={"width": 390, "height": 800})
    page.add_init_script(SAYS % "undefined")
    page.goto(host.elsewhere + "reuse.html")
    line(page, PAGES)
    assert host.asked_for("pyodide") == []
    page.get_by_role("button", name="Keep Python too").click()
    line(page, WHOLE)


def test_this_very_machine_is_asked_for_nothing_until_the_reader_asks(page: Page, host: Host) -> None:
    page.goto(host.address + "reuse.html")
    page.wait_for_timeout(4_000)  # longer than it waits before it begins
    line(page, ABLE)
    assert host.asked_for("sw.js") == []
    page.get_by_role("button", name="Keep the lab").click()
    line(page, WHOLE)
    expect(page.get_by_role("button", name="Remove it")).to_be_focused()


def test_python_that_has_run_is_kept_and_not_fetched_twice(page: Page, host: Host) -> None:
    page.add_init_script(SAYS % "{saveData: false, effectiveType: '3g'}")
    page.goto(host.elsewhere + "reuse.html")
    line(page, PAGES)
    WidgetOnPage(page, "dot-product").run(n="6")
    WidgetOnPage(page, "dot-product").is_live()
    line(page, WHOLE)
    assert len(host.asked_for("pyodide.asm.wasm")) == 1


def test_run_while_python_is_on_its_way_shares_the_download(page: Page, host: Host) -> None:
    host.faults["pyodide.asm.wasm"] = faults.stalled
    page.goto(host.elsewhere + "reuse.html")
    line(page, "is on its way")
    WidgetOnPage(page, "dot-product").run(n="6")
    WidgetOnPage(page, "dot-product").state_has("Starting Python")
    host.gate.set()
    WidgetOnPage(page, "dot-product").is_live()
    line(page, WHOLE)
    assert len(host.asked_for("pyodide.asm.wasm")) == 1


def test_removed_lab_stays_removed(page: Page, host: Host) -> None:
    page.goto(host.elsewhere + "reuse.html")
    line(page, WHOLE)
    page.get_by_role("button", name="Remove it").click()
    line(page, ABLE)
    page.wait_for_function("async () => !(await caches.keys()).length")
    page.wait_for_function("async () => !(await navigator.serviceWorker.getRegistration())")
    page.reload()
    page.wait_for_timeout(4_000)  # longer than it waits before it begins
    line(page, ABLE)
    assert page.evaluate("caches.keys()") == []
    page.get_by_role("button", name="Keep the lab").click()
    line(page, WHOLE)


# ---------- trouble ----------


def test_full_storage_is_survived(page: Page, host: Host) -> None:
    session = page.context.new_cdp_session(page)
    origin = host.elsewhere.rstrip("/")
    session.send("Storage.overrideQuotaForOrigin", {"origin": origin, "quotaSize": 200_000})
    page.goto(host.elsewhere + "reuse.html")
    line(page, "This browser has no room to keep the lab")
    WidgetOnPage(page, "dot-product").run(n="6")
    WidgetOnPage(page, "dot-product").is_live()
    assert page.evaluate("caches.keys()") == []
    session.send("Storage.overrideQuotaForOrigin", {"origin": origin})
    page.get_by_role("button", name="Try again").click()
    line(page, WHOLE)


def test_storage_with_room_for_the_pages_only(page: Page, host: Host) -> None:
    session = page.context.new_cdp_session(page)
    origin = host.elsewhere.rstrip("/")
    session.send("Storage.overrideQuotaForOrigin", {"origin": origin, "quotaSize": 14_000_000})
    page.goto(host.elsewhere + "reuse.html")
    line(page, "This browser has no room to keep the lab")
    WidgetOnPage(page, "dot-product").run(n="6")
    WidgetOnPage(page, "dot-product").is_live()
    cut(host)
    page.goto(host.elsewhere + "order.html")
    expect(page.locator("h1")).to_have_text("Which program owns which tile?")


@pytest.mark.parametrize(
    "refused",
    [
        "Object.defineProperty(Navigator.prototype, 'serviceWorker', {get() { throw new DOMException('no'); }});",
        "delete Navigator.prototype.serviceWorker;",
        "navigator.serviceWorker.register = () => Promise.reject(new DOMException('no'));",
    ],
    ids=["throws", "absent", "rejects"],
)
def test_refused_storage_changes_nothing_else(page: Page, host: Host, refused: str) -> None:
    page.add_init_script(refused)
    page.goto(host.elsewhere + "reuse.html")
    if "register" in refused:
        line(page, "This browser has no room to keep the lab, or does not want to.")
    else:
        expect(page.locator("#kept")).to_be_hidden()
    WidgetOnPage(page, "dot-product").run(n="6")
    WidgetOnPage(page, "dot-product").is_live()


@pytest.mark.parametrize("part", ["order.html", r"static/editor\.", "pyodide.asm.wasm"])
def test_network_that_goes_while_the_lab_is_being_kept(page: Page, host: Host, part: str) -> None:
    host.faults[part] = faults.cut_off
    page.goto(host.elsewhere + "index.html")
    line(page, "The lab could not be kept just now")
    WidgetOnPage(page, "dot-product").press("next")
    WidgetOnPage(page, "dot-product").position_is("step 2 of 4")
    host.faults.clear()
    page.evaluate("dispatchEvent(new Event('online'))")
    line(page, WHOLE)


def test_damaged_file_is_never_kept(page: Page, host: Host) -> None:
    host.faults["order.html"] = faults.damaged
    page.goto(host.elsewhere + "reuse.html")
    line(page, "The lab could not be kept just now")
    assert page.evaluate("caches.keys()") == []


def bare(handler: FaultyHandler, status: int, headers: Headers, data: bytes) -> tuple[int, Headers, bytes]:
    """A host that sends no headers of ours, and a type that browsers refuse."""
    return status, {"Content-Type": "text/plain" if "asm" in handler.path else headers["Content-Type"]}, data


def test_kept_files_have_the_headers_of_a_good_host(page: Page, host: Host) -> None:
    host.faults["."] = bare
    page.goto(host.elsewhere + "reuse.html")
    line(page, WHOLE)
    names = [next(host.folder.glob(pattern)) for pattern in ("static/worker.*.js", "pyodide-*/pyodide.asm.wasm")]
    for path in [*names, host.folder / "reuse.html", host.folder / "404.html"]:
        place = path.relative_to(host.folder).as_posix()
        sent = page.evaluate("async (url) => [...(await fetch(url)).headers]", host.elsewhere + place)
        wanted = {name.lower(): value for name, value in policy.headers(place, path.read_bytes()).items()}
        assert dict(sent) == {name: value for name, value in wanted.items() if name != "cache-control"}
