"""Stepping: buttons, keys, ends, play. With Python's files out of reach, because it needs none of them."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.host import Host, blocked
from tests.browser.widget import WidgetOnPage


@pytest.fixture(autouse=True)
def without_python(host: Host) -> None:
    host.faults["pyodide-"] = blocked
    host.faults["runtime."] = blocked


def test_products_and_running_sums_of_the_first_output(dot: WidgetOnPage) -> None:
    seen = []
    for step in range(4):
        dot.act("slider").fill(str(step))
        seen.append(dot.slot("frame").locator("table.facts tr.now").locator("th, td").all_inner_texts())
    assert [(cells[0], cells[3], cells[4]) for cells in seen] == [
        ("0", "2", "2"), ("1", "0", "2"), ("2", "0", "2"), ("3", "-1", "1"),
    ]  # fmt: skip


def test_three_steps_forth_and_two_back(dot: WidgetOnPage) -> None:
    dot.press("next", "next", "next", "previous", "previous")
    dot.position_is("step 2 of 4")
    dot.says("k = 1")
    dot.says("The running sum of C[0,0] is 2.")


def test_last_and_first(dot: WidgetOnPage) -> None:
    dot.press("last")
    dot.position_is("step 4 of 4")
    dot.says("k = 3")
    expect(dot.slot("frame").locator("table.matrix.c td.now")).to_have_text("1")
    dot.press("first")
    dot.position_is("step 1 of 4")


def test_tiles_after_each_phase(walk: WidgetOnPage) -> None:
    assert [row[:2] for row in walk.matrix("C")[:2]] == [["2", "-1"], ["1", "0"]]
    walk.press("next")
    assert [row[:2] for row in walk.matrix("C")[:2]] == [["1", "-1"], ["0", "-1"]]


def test_slider_steps(dot: WidgetOnPage) -> None:
    dot.act("slider").fill("2")
    dot.position_is("step 3 of 4")
    expect(dot.act("slider")).to_have_attribute("aria-valuetext", "step 3 of 4")


def test_listed_size_needs_no_python(dot: WidgetOnPage, host: Host) -> None:
    dot.shortcut("8 × 8")
    dot.position_is("step 1 of 8")
    expect(dot.field("n")).to_have_value("8")
    assert host.asked_for("pyodide-") == []


def test_arrow_keys_home_and_end_step_without_scrolling(dot: WidgetOnPage, chapter: Page) -> None:
    dot.act("next").focus()
    before = chapter.evaluate("scrollY")
    for key, position in (("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2), ("End", 4), ("Home", 1)):
        chapter.keyboard.press(key)
        dot.position_is(f"step {position} of 4")
    assert chapter.evaluate("scrollY") == before


def test_keys_elsewhere_on_the_page_do_not_step(dot: WidgetOnPage, chapter: Page) -> None:
    chapter.locator(".site-name").focus()
    chapter.keyboard.press("ArrowRight")
    dot.position_is("step 1 of 4")


def test_keys_in_a_text_field_edit(dot: WidgetOnPage, chapter: Page) -> None:
    dot.field("n").focus()
    chapter.keyboard.press("End")
    chapter.keyboard.press("ArrowLeft")
    chapter.keyboard.type("1")
    expect(dot.field("n")).to_have_value("14")
    dot.position_is("step 1 of 4")


def test_keys_in_a_box_that_scrolls_scroll(dot: WidgetOnPage, chapter: Page) -> None:
    chapter.set_viewport_size({"width": 320, "height": 640})
    dot.root.locator('details[data-panel="code"] summary').click()
    box = dot.root.locator('details[data-panel="code"] pre').first
    assert box.evaluate("box => box.scrollWidth > box.clientWidth")
    box.focus()
    chapter.keyboard.press("ArrowRight")
    chapter.wait_for_function("box => box.scrollLeft > 0", arg=box.element_handle())
    dot.position_is("step 1 of 4")


def test_alt_left_is_history_and_does_not_step(dot: WidgetOnPage, chapter: Page, host: Host) -> None:
    chapter.goto(host.address + "glossary.html")
    chapter.goto(host.address + "reuse.html?dot-product.step=3")
    dot.act("next").focus()
    dot.act("next").evaluate(
        "button => button.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowLeft', altKey: true, bubbles: true}))"
    )
    dot.position_is("step 3 of 4")


def test_focus_stays_on_the_button_at_both_ends(dot: WidgetOnPage, chapter: Page) -> None:
    for act, presses in (("next", 5), ("previous", 5), ("last", 2), ("first", 2)):
        dot.act(act).focus()
        for _ in range(presses):
            chapter.keyboard.press("Enter")
        expect(dot.act(act)).to_be_focused()
        expect(dot.act(act)).to_have_attribute("aria-disabled", "true")


def test_one_polite_sentence_a_step(dot: WidgetOnPage, chapter: Page) -> None:
    """Changes are counted in every live region of the widget while one step is made."""
    dot.root.evaluate("""widget => {
        window.heard = [];
        const live = '[aria-live=polite], [role=status], [role=alert], output:not([aria-live=off])';
        for (const region of widget.querySelectorAll(live)) {
            new MutationObserver(() => window.heard.push(region.dataset.slot ?? region.tagName))
                .observe(region, {childList: true, characterData: true, subtree: true});
        }
    }""")
    dot.press("next")
    dot.position_is("step 2 of 4")
    assert chapter.evaluate("heard") == ["say"]


def test_play_starts_on_request_steps_and_stops_at_the_end(page: Page, host: Host) -> None:
    page.clock.install()
    page.goto(host.address + "reuse.html")
    dot = WidgetOnPage(page, "dot-product")
    page.clock.run_for(10_000)
    dot.position_is("step 1 of 4")
    dot.press("play")
    expect(dot.act("play").locator(".word")).to_have_text("Pause")
    page.clock.run_for(10_000)
    dot.position_is("step 4 of 4")
    expect(dot.act("play").locator(".word")).to_have_text("Play")


def test_step_by_hand_pauses(page: Page, host: Host) -> None:
    page.clock.install()
    page.goto(host.address + "reuse.html")
    dot = WidgetOnPage(page, "dot-product")
    dot.press("play", "next")
    expect(dot.act("play").locator(".word")).to_have_text("Play")
    page.clock.run_for(10_000)
    dot.position_is("step 2 of 4")


UNSEEN = """window.requestAnimationFrame = () => 0;
window.requestIdleCallback = (work, options) => options?.timeout ? setTimeout(work, options.timeout) : 0;"""


def test_page_that_draws_no_frame_and_is_never_idle_keeps_up(page: Page, host: Host) -> None:
    """As a tab that nobody sees may be: no frame is announced, and no moment without work."""
    page.add_init_script(UNSEEN)
    page.goto(host.address + "reuse.html")
    dot = WidgetOnPage(page, "dot-product")
    dot.press("next", "next", "next")
    dot.position_is("step 4 of 4")
    expect(dot.act("slider")).to_have_value("3")
    expect(dot.act("next")).to_have_attribute("aria-disabled", "true")
    expect(page).to_have_url(host.address + "reuse.html?dot-product.step=4")
    page.goto(host.address + "programs.html")
    expect(page.locator("#exercise .w-editor")).to_be_attached()


def test_open_panel_and_scroll_position_survive_a_step(dot: WidgetOnPage) -> None:
    inputs = dot.root.locator('details[data-panel="inputs"]')
    inputs.locator("summary").click()
    dot.press("next")
    expect(inputs).to_have_attribute("open", "")
    expect(inputs.locator("table.matrix.c")).to_contain_text("4")


def test_cell_of_c_picks_its_tile(walk: WidgetOnPage) -> None:
    walk.slot("frame").locator("table.matrix.c tbody tr").nth(3).locator("td").nth(1).click()
    walk.says("Phase 0 of tile (1,0)")
    expect(walk.field("i")).to_have_value("1")


def test_right_prediction(dot: WidgetOnPage) -> None:
    dot.root.locator('[data-ask="c"], [data-ask]').first.fill(" +1.0 ")
    dot.run()
    expect(dot.slot("verdict").locator(".verdict-right")).to_contain_text("Right")


def test_wrong_prediction_is_met_with_its_mistake(walk: WidgetOnPage) -> None:
    walk.root.locator('[data-ask="loads"]').fill("128")
    walk.run()
    expect(walk.slot("verdict").locator(".verdict-wrong")).to_have_text(re.compile("Not yet.*128.*The model says 64"))


def test_prediction_with_separators_is_understood(chapter: Page) -> None:
    count = WidgetOnPage(chapter, "load-count")
    count.root.locator("[data-ask]").first.fill("1,0 24")
    count.run()
    expect(count.slot("verdict")).to_contain_text("1024")


def test_prediction_that_is_no_number_and_none_at_all(dot: WidgetOnPage) -> None:
    dot.root.locator("[data-ask]").first.fill("many")
    dot.run()
    expect(dot.slot("verdict")).to_have_text("This is not a number, so there is nothing to compare.")
    dot.root.locator("[data-ask]").first.fill("")
    dot.run()
    expect(dot.slot("verdict")).to_be_empty()


def test_change_of_settings_clears_the_verdict_and_keeps_the_prediction(dot: WidgetOnPage) -> None:
    dot.root.locator("[data-ask]").first.fill("7")
    dot.run()
    expect(dot.slot("verdict")).not_to_be_empty()
    dot.shortcut("8 × 8")
    expect(dot.slot("verdict")).to_be_empty()
    expect(dot.root.locator("[data-ask]").first).to_have_value("7")


def test_a_drawing_keeps_its_width_whatever_stands_beneath_it(page: Page, host: Host) -> None:
    """The names of the GPUs differ in length, and with them the words beneath the chart."""
    page.goto(host.address + "programs.html")
    reuse, widths = WidgetOnPage(page, "tile-reuse"), set()
    for step in range(10):
        reuse.act("slider").fill(str(step))
        reuse.position_is(f"step {step + 1} of 10")
        widths.add(reuse.slot("frame").locator("figure").evaluate("figure => figure.offsetWidth"))
    assert widths == {480}
