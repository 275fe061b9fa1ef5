"""Chapter 3 by keyboard alone: step, pick a program, break it, edit a kernel. No mouse, no touch."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.host import Host
from tests.browser.widget import LONG_MS, WidgetOnPage

MOST_TABS = 120
HAS_FOCUS = "node => node.getRootNode().activeElement === node"


def tab_to(page: Page, wanted: Locator, key: str = "Tab") -> None:
    """Press Tab, or Shift+Tab, until the wanted thing has the focus; its ring must be there."""
    for _ in range(MOST_TABS):
        page.keyboard.press(key)
        if wanted.evaluate(HAS_FOCUS):
            break
    assert wanted.evaluate(HAS_FOCUS), f"{MOST_TABS} times {key} did not reach it"
    ring = wanted.evaluate(
        "node => { const s = getComputedStyle(node); return [s.outlineStyle, parseFloat(s.outlineWidth)]; }"
    )
    assert ring[0] != "none" and ring[1] >= 2, ring


@pytest.fixture
def stepper(page: Page, host: Host) -> WidgetOnPage:
    """The stepper, the page's only line chosen so far being the first; the focus is nowhere."""
    page.goto(host.address + "kernel.html")
    page.wait_for_selector("#kernel-editor .w-editor", state="attached")
    return WidgetOnPage(page, "kernel-stepper")


def button(stepper: WidgetOnPage, label: str) -> Locator:
    return stepper.root.get_by_role("button", name=label, exact=True)


def test_lines_phases_and_programs_by_keyboard(stepper: WidgetOnPage, page: Page, host: Host) -> None:
    tab_to(page, stepper.act("next"))
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    stepper.position_is("step 3 of 41")
    stepper.says("Line 36: tiles_m = tl.cdiv(M, BM) — tiles_m is 3.")
    tab_to(page, button(stepper, "Next K phase"))
    for phase, position in ((0, 23), (1, 30), (2, 37)):
        page.keyboard.press("Enter")
        stepper.position_is(f"step {position} of 41")
        stepper.says(f"Line 64, K phase {phase}")
    page.keyboard.press("Space")
    stepper.position_is("step 37 of 41")
    expect(button(stepper, "Next K phase")).to_have_attribute("aria-disabled", "true")
    tab_to(page, button(stepper, "Previous K phase"), "Shift+Tab")
    page.keyboard.press("Enter")
    stepper.position_is("step 30 of 41")
    tab_to(page, button(stepper, "Next program"))
    page.keyboard.press("Enter")
    stepper.position_is("step 30 of 41")
    expect(stepper.slot("frame").locator("table.matrix.c td.line").first).to_have_text("p1")
    assert button(stepper, "Next program").evaluate(HAS_FOCUS)
    assert "kernel-stepper.program=1" in page.url and "kernel-stepper.step=30" in page.url
    assert host.asked_for("pyodide") == []  # all of this was prepared


def test_a_fault_and_its_report_by_keyboard(stepper: WidgetOnPage, page: Page) -> None:
    tab_to(page, button(stepper, "no store mask"))
    page.keyboard.press("Enter")
    stepper.is_live()
    expect(button(stepper, "no store mask")).to_have_attribute("aria-pressed", "true")
    tab_to(page, stepper.root.locator('[data-ask="where"]'))
    page.keyboard.type("only tiles that no")
    tab_to(page, stepper.root.locator(".w-run"))
    page.keyboard.press("Enter")
    expect(stepper.slot("verdict").locator(".verdict-right")).to_contain_text("only tiles that no edge cuts")
    tab_to(page, stepper.act("last"))
    page.keyboard.press("Enter")
    stepper.says("3 of 35 outputs are wrong or missing; 7 reports.")
    expect(stepper.slot("frame")).to_contain_text("race")
    tab_to(page, button(stepper, "Next program"))
    page.keyboard.press("Enter")
    expect(stepper.slot("frame")).to_contain_text("the tile of program 1 has the strong outline")


def test_a_kernel_is_edited_and_checked_by_keyboard(stepper: WidgetOnPage, page: Page) -> None:
    editor = WidgetOnPage(page, "kernel-editor")
    tab_to_editor(page, editor)
    page.keyboard.press("Control+End")
    page.keyboard.type("    tl.stor(c_ptr, acc)")
    page.keyboard.press("Tab")
    assert editor.root.locator(".w-run").evaluate(HAS_FOCUS)
    page.keyboard.press("Enter")
    expect(editor.slot("say")).to_contain_text("triton.language has no stor here", timeout=LONG_MS)
    expect(editor.root.locator(".cm-blamed")).to_contain_text("tl.stor(c_ptr, acc)")


def tab_to_editor(page: Page, editor: WidgetOnPage) -> None:
    """The editor's own text lies in a shadow root, whose host is what the document calls active."""
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        if editor.root.locator(".cm-content").evaluate(HAS_FOCUS):
            return
    raise AssertionError("Tab did not reach the editor")
