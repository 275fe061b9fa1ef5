"""More that goes wrong: a Python that hangs, dies or is full, two tabs, Back and Forward from memory, and long use."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Playwright, expect

from tests.browser.conftest import CHROMIUM_FLAGS
from tests.browser.host import FaultyHandler, Headers, Host, stalled_then_lost
from tests.browser.test_exercise import RIGHT, SHARED_ROWS, opened
from tests.browser.widget import LONG_MS, WidgetOnPage

# Takes all the memory that this Python may have, and keeps it.
HOARDER = """
import collections

def matmul(a, b):
    collections.hoard = hoard = []
    for size in (10 ** 6, 10 ** 5, 10 ** 4, 10 ** 3):
        try:
            while True:
                hoard.append(bytes(size))
        except MemoryError:
            pass
    raise ValueError("full")
"""


def edited(old: str, new: str) -> Callable[[FaultyHandler, int, Headers, bytes], tuple[int, Headers, bytes]]:
    """A worker whose text has been changed."""

    def fault(handler: FaultyHandler, status: int, headers: Headers, data: bytes) -> tuple[int, Headers, bytes]:
        assert old.encode() in data
        return status, headers, data.replace(old.encode(), new.encode(), 1)

    return fault


def test_start_that_hangs_without_a_word_is_given_up(page: Page, host: Host) -> None:
    """Everything has arrived, and then Pyodide neither resolves nor rejects."""
    hanging = "await ((options) => { loadPyodide(options); return new Promise(() => {}); })("
    host.faults[r"/worker\."] = edited("await loadPyodide(", hanging)
    page.clock.install()
    page.goto(host.address + "reuse.html")
    dot = WidgetOnPage(page, "dot-product")
    dot.press("next")
    dot.run(n="6")
    dot.state_has("now unpacking")
    page.clock.fast_forward(59_000)
    dot.state_has("now unpacking")
    page.clock.fast_forward(2_000)
    dot.state_has("everything has arrived, but it gave no sign of life for 60 seconds.")
    dot.position_is("step 2 of 4")
    expect(dot.field("n")).to_have_value("6")
    host.faults.clear()
    dot.press("again")
    dot.is_live()
    dot.position_is("step 1 of 6")


@pytest.mark.parametrize("end", ["self.close()", "setTimeout(() => { throw new Error('a bug'); })"])
def test_worker_that_ends_while_it_runs_is_noticed(page: Page, host: Host, end: str) -> None:
    ended = f"else if (/\"7\"/.test(data.request)) {end}; else answer(data);"
    host.faults[r"/worker\."] = edited("else answer(data);", ended)
    page.clock.install()
    page.goto(host.address + "reuse.html")
    dot = WidgetOnPage(page, "dot-product")
    dot.run(n="6")
    dot.is_live()
    dot.press("next")
    dot.run(n="7")
    if "close" in end:
        dot.state_has("Computing")
        page.clock.fast_forward(11_000)
        dot.state_has("Python did not answer within 10 seconds and was stopped.")
    else:
        dot.state_has("Python stopped unexpectedly")
    dot.position_is("step 2 of 6")
    expect(dot.field("n")).to_have_value("7")
    host.faults.clear()
    dot.press("again")
    dot.is_live()
    dot.position_is("step 1 of 7")


def test_python_that_is_full_is_replaced(page: Page, host: Host) -> None:
    """A device that gives no more memory: first the reader's program hears of it, then the model finds no room."""
    exercise = opened(page, host)
    exercise.check(SHARED_ROWS)
    exercise.answers("C[0][0] is 197")
    page.workers[0].evaluate(
        "() => { WebAssembly.Memory.prototype.grow = () => { throw new RangeError('no more'); }; }"
    )
    exercise.check(HOARDER)
    exercise.state_has("Python ran out of memory and was stopped.")
    exercise.answers("C[0][0] is 197")
    assert exercise.root.locator("textarea").input_value() == HOARDER
    assert page.evaluate("gpuLab.state") == "failed"
    exercise.check(RIGHT)
    exercise.answers("14")


def test_program_that_asks_for_too_much_memory_gets_a_sentence(page: Page, host: Host) -> None:
    exercise = opened(page, host)
    exercise.check("def matmul(a, b):\n    return [0] * 10 ** 9\n")
    exercise.answers("Line 2, `return [0] * 10 ** 9`: MemoryError")
    exercise.check(RIGHT)
    exercise.answers("14")


def test_ten_runs_of_the_same_are_one_entry_of_history(dot: WidgetOnPage, chapter: Page) -> None:
    dot.run(n="6")
    dot.is_live()
    entries = chapter.evaluate("history.length")
    for _ in range(10):
        dot.root.locator(".w-run").click()
    dot.is_live()
    dot.position_is("step 1 of 6")
    assert chapter.evaluate("history.length") == entries
    assert len(chapter.workers) == 1


def test_two_tabs_each_have_their_own_python_settings_and_text(page: Page, host: Host) -> None:
    other = page.context.new_page()
    other.set_default_timeout(LONG_MS)
    tabs = [(page, SHARED_ROWS, "C[0][0] is 197"), (other, RIGHT, "14")]
    for tab, text, _ in tabs:
        opened(tab, host).write(text)
    for tab, text, found in tabs:
        exercise = WidgetOnPage(tab, "exercise")
        exercise.root.locator(".w-run").click()
        exercise.answers(found)
        assert exercise.root.locator("textarea").input_value() == text
    for tab, text, _ in tabs:  # each finds its own text again, whichever was written last
        tab.reload()
        assert WidgetOnPage(tab, "exercise").root.locator("textarea").input_value() == text
    WidgetOnPage(page, "exercise").write(SHARED_ROWS + "# last\n")
    third = page.context.new_page()
    assert opened(third, host).root.locator("textarea").input_value() == SHARED_ROWS + "# last\n"


def test_network_that_goes_after_python_is_up_is_not_missed(dot: WidgetOnPage, chapter: Page) -> None:
    dot.run(n="6")
    dot.is_live()
    chapter.context.set_offline(True)
    dot.run(n="7")
    dot.is_live()
    dot.press("next")
    dot.position_is("step 2 of 7")


def test_network_that_goes_while_python_comes_in(dot: WidgetOnPage, chapter: Page, host: Host) -> None:
    host.faults["pyodide.asm.mjs"] = stalled_then_lost
    dot.press("next")
    dot.run(n="6")
    dot.state_has("Starting Python")
    chapter.context.set_offline(True)
    host.gate.set()
    dot.state_has("The prepared settings still work.")
    dot.position_is("step 2 of 4")
    expect(dot.field("n")).to_have_value("6")


def is_kept(page: Page, dot: WidgetOnPage, address: str) -> bool:
    """Steps and leaves in one moment, comes back, and says whether the browser had kept the page."""
    page.goto(address)
    dot.run(n="6")
    dot.is_live()
    page.evaluate("() => addEventListener('pageshow', (event) => (window.persisted = event.persisted))")
    page.evaluate("""() => {
        document.querySelector('#dot-product [data-act="next"]').click(); // no frame between this and leaving
        location.assign("glossary.html");
    }""")
    page.wait_for_url("**/glossary.html")
    page.evaluate("() => void setTimeout(() => history.back())")
    page.wait_for_url("**/reuse.html?*", wait_until="commit")
    return bool(page.evaluate("() => performance.getEntriesByType('navigation')[0].type === 'navigate'"))


def test_back_from_memory_shows_the_address_and_python_goes_on(
    playwright: Playwright, whole_chromium_path: str, host: Host
) -> None:
    """The driver usually switches the browser's Back/Forward cache off, and one without windows has none.

    Chromium drops a page from it that does anything more, be it only the end of what it was at, and loads it anew; then
    the page is left once more.
    """
    browser = playwright.chromium.launch(
        executable_path=whole_chromium_path, args=CHROMIUM_FLAGS, ignore_default_args=["--disable-back-forward-cache"]
    )
    page = browser.new_page()
    page.set_default_timeout(LONG_MS)
    dot = WidgetOnPage(page, "dot-product")
    assert any(is_kept(page, dot, host.address + "reuse.html") for _ in range(5)), "Chromium kept the page not once"
    page.wait_for_function("() => window.persisted")
    dot.position_is("step 2 of 6")
    expect(dot.act("slider")).to_have_value("1")
    expect(page).to_have_url(host.address + "reuse.html?dot-product.n=6&dot-product.step=2")
    dot.run(n="7")
    dot.is_live()
    dot.position_is("step 1 of 7")
    browser.close()


RUNS_JS = """async (runs) => {
  const widget = document.getElementById("dot-product");
  const field = (name) => widget.querySelector(`[name="${name}"]`);
  const done = () => !widget.busy && !widget.waiting;
  for (let i = 0; i < runs; i++) {
    field("n").value = String(6 + (i % 7));
    field("row").value = String(i % 6);
    widget.querySelector(".w-run").click();
    while (!done()) await new Promise((next) => setTimeout(next, 1));
    widget.querySelector('[data-act="next"]').click();
    while (!done()) await new Promise((next) => setTimeout(next, 1));
  }
}"""


def test_memory_after_five_hundred_runs_grows_by_less_than_a_tenth(page: Page, host: Host) -> None:
    """The page's heap and nodes after a full collection, the worker's WebAssembly memory, and Python's objects."""
    objects = "pyodide.runPython('import gc; gc.collect(); len(gc.get_objects())')"
    told = f"self.used = () => [pyodide._module.HEAPU8.length, {objects}]; const asked = pyodide"
    host.faults[r"/worker\."] = edited("const asked = pyodide", told)
    page.goto(host.address + "reuse.html")
    dot = WidgetOnPage(page, "dot-product")
    dot.run(n="6")
    dot.is_live()
    session = page.context.new_cdp_session(page)

    def used() -> list[int]:
        """The least of a few looks: what is read ahead while nothing is to be done comes and goes."""
        looks = []
        for _ in range(5):
            page.wait_for_timeout(200)
            session.send("HeapProfiler.collectGarbage")
            heap = session.send("Runtime.getHeapUsage")["usedSize"]
            looks.append([heap, session.send("Memory.getDOMCounters")["nodes"]])
        return [*map(min, zip(*looks, strict=True)), *page.workers[0].evaluate("() => used()")]

    page.evaluate(RUNS_JS, 42)  # 6 × 7: both looks find the same settings on the page
    before = used()
    page.evaluate(RUNS_JS, 504)
    after = used()
    assert [new < 1.1 * old for old, new in zip(before, after, strict=True)] == [True] * 4, (before, after)
