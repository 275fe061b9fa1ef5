"""By keyboard alone, on every page: Tab reaches every control and leaves again; arrow keys step every figure."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.host import Host
from tests.browser.pages import PAGES
from tests.browser.widget import LONG_MS, WidgetOnPage

MOST_TABS = 1_000

# Everything that a keyboard should reach: seen, not switched off, not taken out of the order of Tab.
REACHABLE = """() => {
  const all = document.querySelectorAll(
    'a[href], button, input, select, textarea, summary, [tabindex="0"], [contenteditable="true"]');
  const wanted = [...all].filter((node) => node.checkVisibility({visibilityProperty: true}) && !node.disabled
    && node.tabIndex >= 0 && !(node.type === 'radio' && !node.checked));
  window.unreached = new Set(wanted);
  window.reached = () => {
    let node = document.activeElement;
    while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
    const host = document.activeElement;
    unreached.delete(host);
    const box = host.getBoundingClientRect();
    return {body: host === document.body, seen: host === document.body || box.width * box.height > 0};
  };
  return wanted.length;
}"""
NAMES = "() => [...unreached].map((node) => node.outerHTML.slice(0, 120))"


@pytest.mark.parametrize("name", PAGES)
def test_tab_reaches_every_control_and_leaves_the_page_again(page: Page, host: Host, name: str) -> None:
    page.goto(host.address + f"{name}.html")
    page.wait_for_load_state("networkidle")
    programs = page.locator('textarea[data-kind="code"]').count()  # each becomes an editor, when there is time
    expect(page.locator(".cm-editor")).to_have_count(programs, timeout=LONG_MS)
    assert page.evaluate(REACHABLE) > 5
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        now = page.evaluate("reached()")
        assert now["seen"], page.evaluate("document.activeElement.outerHTML.slice(0, 200)")
        if now["body"]:
            break
    else:
        raise AssertionError(f"Tab did not leave {name}.html after {MOST_TABS} times")
    assert page.evaluate(NAMES) == []


@pytest.mark.parametrize("name", PAGES)
def test_arrow_keys_step_every_figure_and_focus_stays(page: Page, host: Host, name: str) -> None:
    page.goto(host.address + f"{name}.html")
    found = page.locator("gpu-lab-widget").evaluate_all(
        "all => all.filter((one) => one.dataset.count > 1).map((one) => [one.id, Number(one.dataset.count)])"
    )
    for id_, count in found:
        figure = WidgetOnPage(page, id_)
        figure.act("next").focus()
        for key, step in (("ArrowRight", 2), ("End", count), ("Home", 1), ("ArrowRight", 2), ("ArrowLeft", 1)):
            page.keyboard.press(key)
            figure.is_at(step, count)
            expect(figure.act("next")).to_be_focused()
