"""When things go wrong: the last true frame stays, a sentence says what happened, prepared steps and Retry work."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser import host as faults
from tests.browser.host import Fault, Host
from tests.browser.widget import WidgetOnPage


def fails_then_works(dot: WidgetOnPage, host: Host, sentence: str) -> None:
    """Run fails with the sentence; what was shown and typed is still there; Retry brings what Run asked for."""
    dot.press("next")
    dot.run(n="6")
    dot.state_has(sentence)
    assert "failed" == dot.page.evaluate("gpuLab.state")
    dot.position_is("step 2 of 4")
    dot.says("k = 1")
    expect(dot.field("n")).to_have_value("6")
    dot.press("next")
    dot.position_is("step 3 of 4")
    host.faults.clear()
    dot.press("again")
    dot.is_live()
    dot.position_is("step 1 of 6")


@pytest.mark.parametrize(
    ("part", "fault", "sentence"),
    [
        ("runtime.", faults.blocked, "the network, or a filter on it, did not let “runtime."),
        ("runtime.", faults.missing, "is no longer where this page expects it; the site may have been updated."),
        ("runtime.", faults.short, "Python could not be started: “runtime.json” arrived damaged"),
        ("worker.", faults.as_text, "The worker that hosts Python could not be loaded"),
        ("worker.", faults.no_wasm, "the site's security policy forbids WebAssembly"),
        ("pyodide.mjs", faults.as_text, "the server sends “pyodide.mjs” as text/plain"),
        ("pyodide.asm.mjs", faults.blocked, "did not let “pyodide.asm.mjs” through."),
        ("pyodide.asm.mjs", faults.missing, "“pyodide.asm.mjs” is no longer where this page expects it"),
        ("pyodide.asm.wasm", faults.blocked, "did not let “pyodide.asm.wasm” through."),
        ("pyodide.asm.wasm", faults.cut_off, "“pyodide.asm.wasm” arrived incomplete: the connection was cut"),
        ("pyodide.asm.wasm", faults.short, "“pyodide.asm.wasm” arrived incomplete: the connection was cut"),
        ("pyodide.asm.wasm", faults.damaged, "“pyodide.asm.wasm” arrived damaged"),
        ("python_stdlib.zip", faults.cut_off, "“python_stdlib.zip” arrived incomplete"),
        ("python_stdlib.zip", faults.short, "“python_stdlib.zip” arrived incomplete"),
        ("python_stdlib.zip", faults.damaged, "“python_stdlib.zip” arrived damaged"),
        (r"/lab\.\w+\.zip", faults.missing, "is no longer where this page expects it"),
        (r"/lab\.\w+\.zip", faults.damaged, "zip” arrived damaged"),
    ],
)  # fmt: skip
def test_broken_start(dot: WidgetOnPage, host: Host, part: str, fault: Fault, sentence: str) -> None:
    if part.endswith("zip"):
        host.faults["/memory."] = faults.missing  # else these two are not even asked for
    host.faults[part] = fault
    fails_then_works(dot, host, sentence)


@pytest.mark.parametrize("fault", [
    faults.blocked, faults.missing, faults.cut_off, faults.short, faults.damaged, faults.stalled,
])  # fmt: skip
def test_without_the_memory_python_starts_the_plain_way(dot: WidgetOnPage, host: Host, fault: Fault) -> None:
    host.faults["/memory."] = fault
    dot.run(n="6")
    dot.is_live()
    assert dot.page.evaluate("gpuLab.way") == "plain"
    dot.position_is("step 1 of 6")


def test_a_memory_of_another_python_is_done_without(dot: WidgetOnPage, host: Host) -> None:
    """It arrives whole, and fits its checksum, but not the memory that this WebAssembly starts with."""
    host.faults["/memory."] = faults.other_byte
    host.faults["runtime."] = faults.any_content
    dot.run(n="6")
    dot.is_live()
    assert dot.page.evaluate("gpuLab.way") == "plain"


def test_what_the_memory_lacks_is_read_from_the_library_when_it_is_wanted(dot: WidgetOnPage, host: Host) -> None:
    dot.run(n="6")
    dot.is_live()
    assert dot.page.evaluate("gpuLab.way") == "memory"
    assert host.asked_for(".zip") == []
    answer = dot.page.evaluate("gpuLab.ask({op: 'view', widget: 'program-order', settings: {}})")
    assert "problem" not in answer and host.asked_for(".zip") != []


def test_wrong_type_of_the_wasm_file_is_put_right(dot: WidgetOnPage, host: Host) -> None:
    host.faults["pyodide.asm.wasm"] = faults.as_text
    dot.run(n="6")
    dot.is_live()


def test_start_without_news_is_given_up(page: Page, host: Host) -> None:
    host.faults["pyodide.asm.wasm"] = faults.stalled
    page.clock.install()
    page.goto(host.address + "reuse.html")
    dot = WidgetOnPage(page, "dot-product")
    dot.run(n="6")
    dot.state_has(" MB")
    page.clock.fast_forward(21_000)
    dot.state_has("Python could not be started: nothing has arrived for 20 seconds.")
    host.gate.set()
    host.faults.clear()
    dot.press("again")
    dot.is_live()


def test_worker_that_was_killed_is_noticed(page: Page, host: Host) -> None:
    page.clock.install()
    page.goto(host.address + "reuse.html")
    dot = WidgetOnPage(page, "dot-product")
    dot.run(n="6")
    dot.is_live()
    page.workers[0].evaluate("close()")
    dot.run(n="7")
    dot.state_has("Computing")
    page.clock.fast_forward(11_000)
    dot.state_has("Python did not answer within 10 seconds and was stopped.")
    dot.position_is("step 1 of 6")
    dot.press("again")
    dot.is_live()
    dot.position_is("step 1 of 7")


def test_listed_setting_is_shown_although_python_died(page: Page, host: Host) -> None:
    page.clock.install()
    page.goto(host.address + "reuse.html")
    dot = WidgetOnPage(page, "dot-product")
    dot.run(n="6")
    dot.is_live()
    page.workers[0].evaluate("close()")
    dot.run(n="8")
    dot.state_has("Computing")
    page.clock.fast_forward(11_000)
    dot.position_is("step 1 of 8")
    dot.state_has("Python did not answer within 10 seconds and was stopped.")


def test_browser_without_webassembly(page: Page, host: Host) -> None:
    page.goto(host.address + "reuse.html")
    dot = WidgetOnPage(page, "dot-product")
    page.route("**/worker.*.js", lambda route: route.fulfill(
        body="delete self.WebAssembly;\n" + route.fetch().text(), content_type="text/javascript"))  # fmt: skip
    dot.run(n="6")
    dot.state_has("WebAssembly is switched off in this browser")


def test_without_a_network(dot: WidgetOnPage, chapter: Page) -> None:
    chapter.context.set_offline(True)
    dot.press("next")
    dot.run(n="6")
    dot.state_has("this device is offline")
    dot.press("next")
    dot.position_is("step 3 of 4")
    chapter.context.set_offline(False)
    dot.press("again")
    dot.is_live()


def test_storage_that_is_refused_changes_nothing(page: Page, host: Host) -> None:
    page.add_init_script(
        "Object.defineProperty(window, 'sessionStorage', {get() { throw new DOMException('no', 'SecurityError'); }})"
    )
    page.goto(host.address + "reuse.html")
    dot = WidgetOnPage(page, "dot-product")
    dot.run(n="6")
    dot.is_live()


def test_page_opened_from_a_file_steps_and_says_how_to_serve_it(page: Page, site_folder: Path) -> None:
    page.goto((site_folder / "reuse.html").as_uri())
    dot = WidgetOnPage(page, "dot-product")
    dot.press("next")
    dot.position_is("step 2 of 4")
    dot.shortcut("8 × 8")
    dot.position_is("step 1 of 8")
    dot.run(n="6")
    dot.state_has("run “python3 -m http.server” (Windows: “py -m http.server”) and open http://localhost:8000.")
    dot.position_is("step 1 of 8")


def test_missing_frames_file_leaves_the_page_whole_and_python_steps(page: Page, host: Host) -> None:
    host.faults["frames."] = faults.blocked
    page.goto(host.address + "reuse.html")
    dot = WidgetOnPage(page, "dot-product")
    dot.says("k = 0")
    dot.press("next")
    page.wait_for_function("() => gpuLab.state === 'live'", timeout=120_000)
    dot.position_is("step 2 of 4")
    dot.says("The running sum of C[0,0] is 2.")
