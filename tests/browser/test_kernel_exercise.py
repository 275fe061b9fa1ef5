"""The exercises of chapter 3: a reader's own kernels, checked, stopped, kept apart and never in an address."""

import pytest
from playwright.sync_api import Page, expect

from sim.tl.exercises import KERNEL_EXERCISES
from tests.browser.host import Host
from tests.browser.widget import WidgetOnPage

ADD, LOOP = KERNEL_EXERCISES["vector_add"].solution, KERNEL_EXERCISES["k_loop"].solution
DEAF = "import triton\n\nx = sum(range(10 ** 12))\n"


@pytest.fixture
def vectors(page: Page, host: Host) -> WidgetOnPage:
    page.goto(host.address + "kernel.html")
    page.wait_for_selector("#vector-add .w-editor", state="attached")
    return WidgetOnPage(page, "vector-add")


def test_a_mistake_is_named_a_line_blamed_and_a_right_kernel_passes(vectors: WidgetOnPage) -> None:
    vectors.check(ADD.replace("x_ptr + i, mask=mask", "x_ptr + i").replace("y_ptr + i, mask=mask", "y_ptr + i"))
    vectors.answers("Every output is right, by luck: 2 things are reported.")
    expect(vectors.slot("frame")).to_contain_text("“loads without mask”")
    expect(vectors.slot("frame")).to_contain_text("Launch 2 of 6, the smallest that fails: N = 3, BLOCK = 4; 1 program")
    expect(vectors.root.locator(".cm-blamed")).to_contain_text("x = tl.load(x_ptr + i)")
    vectors.check(ADD)
    vectors.answers("Passed: add_kernel is right in all 6 launches, and there is nothing to report.")


def test_wrong_outputs_are_marked(vectors: WidgetOnPage, page: Page) -> None:
    loop = WidgetOnPage(page, "k-loop")
    loop.check(LOOP.replace("k[:, None] * N", "k[:, None] * K"))
    loop.answers("C[0,0] is -103; it should be -69.")
    expect(loop.slot("frame").locator("td.wrong")).to_have_count(4)
    expect(loop.slot("frame").locator("td.wrong").first).to_have_text("-103 ✗")


def test_stop_ends_what_no_limit_reaches_and_the_text_stays(vectors: WidgetOnPage) -> None:
    vectors.check(ADD.replace("x + y", "x - y"))
    vectors.answers("out[0] is -99; it should be 101.")
    vectors.check(DEAF)
    vectors.act("stop").click()
    vectors.state_has("Stopped.")
    vectors.answers("out[0] is -99")
    assert vectors.root.locator("textarea").input_value() == DEAF
    vectors.check(ADD)
    vectors.answers("Passed")


def test_an_endless_loop_is_stopped_by_the_step_limit(vectors: WidgetOnPage) -> None:
    vectors.check("import triton\n\nwhile True:\n    pass\n")
    vectors.answers("Line 3: stopped after 100000 steps")


def test_each_exercise_keeps_its_own_text_over_a_reload(vectors: WidgetOnPage, page: Page) -> None:
    starter = WidgetOnPage(page, "k-loop").root.locator("textarea").input_value()
    vectors.write(DEAF)
    page.reload()
    page.wait_for_selector("#vector-add .w-editor", state="attached")
    assert vectors.root.locator("textarea").input_value() == DEAF
    assert WidgetOnPage(page, "k-loop").root.locator("textarea").input_value() == starter
    vectors.answers("Nothing has been checked yet")
    assert "source" not in page.url


def test_hints_come_one_at_a_time_and_the_solution_on_request(vectors: WidgetOnPage) -> None:
    panel = vectors.root.locator('details[data-panel="hints"]')
    panel.locator("summary").first.click()
    expect(panel.get_by_text("Hint 4")).to_be_visible()
    expect(panel.get_by_text("mask = i < N says which lanes do not")).to_be_hidden()
    panel.get_by_text("Hint 3").click()
    expect(panel.get_by_text("mask = i < N says which lanes do not")).to_be_visible()
    expect(panel.locator("code")).to_be_hidden()
    panel.get_by_text("A solution", exact=True).click()
    expect(panel.locator("code")).to_have_text(ADD)


def test_an_exercise_is_done_by_keyboard_alone(vectors: WidgetOnPage, page: Page) -> None:
    vectors.root.locator(".cm-content").focus()
    page.keyboard.press("Control+End")
    page.keyboard.type("    i = program * BLOCK + tl.arange(0, BLOCK)\n")
    page.keyboard.type("tl.store(out_ptr + i, tl.load(x_ptr + i, i < N) + tl.load(y_ptr + i, i < N), i < N)")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    vectors.answers("Passed")
