"""Chapter 3 in a browser: a fault is computed here, a reader's kernel is checked, other pages fetch nothing of it."""

from playwright.sync_api import Page, expect

from tests.browser.host import Host
from tests.browser.widget import WidgetOnPage


def test_the_first_program_steps_without_python(page: Page, host: Host):
    page.goto(host.address + "kernel.html")
    stepper = WidgetOnPage(page, "kernel-stepper")
    stepper.press("next", "next")
    expect(stepper.root.locator(".source-line.now")).to_contain_text("tiles_m = tl.cdiv(M, BM)")
    stepper.press("last")
    stepper.says("0 of 35 outputs are wrong")
    assert host.asked_for("pyodide") == []


def test_a_fault_is_run_here_and_its_outputs_are_marked(page: Page, host: Host):
    page.goto(host.address + "kernel.html")
    stepper = WidgetOnPage(page, "kernel-stepper")
    stepper.shortcut("accumulator zeroed in the loop")
    stepper.is_live()
    stepper.press("last")
    stepper.says("30 of 35 outputs are wrong or missing")
    expect(stepper.root.locator("td.wrong")).to_have_count(30)


def test_a_readers_kernel_is_checked_and_blamed_by_line(page: Page, host: Host):
    page.goto(host.address + "kernel.html")
    page.wait_for_selector("#kernel-editor .w-editor", state="attached")
    editor = WidgetOnPage(page, "kernel-editor")
    text = editor.root.locator("textarea").input_value()
    editor.check(text.replace("tl.zeros((BM, BN)", "tl.zeroes((BM, BN)"))
    editor.answers("Line 57: triton.language has no zeroes here.")
    expect(editor.root.locator(".cm-blamed")).to_contain_text("tl.zeroes")


def test_stop_ends_a_readers_kernel_at_once_and_keeps_its_text(page: Page, host: Host):
    page.goto(host.address + "kernel.html")
    page.wait_for_selector("#kernel-editor .w-editor", state="attached")
    editor = WidgetOnPage(page, "kernel-editor")
    field = editor.root.locator("textarea")
    deaf = field.input_value() + "\nx = sum(range(10 ** 12))\n"
    editor.check(deaf)
    editor.act("stop").click()
    editor.state_has("Stopped.")
    assert field.input_value() == deaf
    page.reload()
    page.wait_for_selector("#kernel-editor .w-editor", state="attached")
    assert editor.root.locator("textarea").input_value() == deaf


def test_only_this_page_fetches_tritons_language(page: Page, host: Host):
    sizes = {}
    for name in ("reuse", "kernel"):
        page.goto(f"{host.address}{name}.html")
        page.evaluate("gpuLab.start()")
        sizes[name] = page.evaluate("gpuLab.ask({op: 'view', widget: 'kernel-editor', settings: {}})")
    assert "sim.tl" in sizes["reuse"]["problem"] or "teaching" in sizes["reuse"]["problem"]
    assert sizes["kernel"]["view"]["count"] == 1
