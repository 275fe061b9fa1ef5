"""Python in the page: open settings, fields, own matrices, changes on the way, Stop."""

import nbformat
import pytest
from playwright.sync_api import Page, expect

from tests.browser.host import Host, stalled
from tests.browser.widget import WidgetOnPage


def test_nothing_of_python_is_fetched_before_it_is_needed(dot: WidgetOnPage, host: Host) -> None:
    dot.press("next")
    dot.run(n="8")
    dot.position_is("step 1 of 8")
    assert host.asked_for("pyodide") == []
    assert host.asked_for("runtime") == []


def test_open_size_and_tile_are_computed_and_step(walk: WidgetOnPage, chapter: Page, host: Host) -> None:
    walk.run(n="5", tile="3", i="1", j="1")
    walk.is_live()
    walk.position_is("step 1 of 2")
    walk.press("next")
    walk.position_is("step 2 of 2")
    expect(chapter).to_have_url(
        host.address + "reuse.html?tile-walk.n=5&tile-walk.tile=3&tile-walk.i=1&tile-walk.j=1&tile-walk.step=2"
    )
    assert host.missing == []


def test_largest_size_steps_to_its_end(dot: WidgetOnPage) -> None:
    dot.run(n="64", row="63", column="63")
    dot.is_live()
    dot.press("last")
    dot.position_is("step 64 of 64")
    dot.press("previous", "previous")
    dot.position_is("step 62 of 64")


def test_own_matrices_give_the_known_product(dot: WidgetOnPage) -> None:
    dot.run(a="1 2 3\n4 5 6", b="[[7, 8], [9, 10], [11, 12]]")
    dot.is_live()
    dot.root.locator('details[data-panel="inputs"] summary').click()
    rows = dot.root.locator('details[data-panel="inputs"] table.matrix.c tbody tr')
    expect(rows).to_have_count(2)
    assert [row.locator("td").all_inner_texts() for row in rows.all()] == [["58", "64"], ["139", "154"]]
    expect(dot.field("a")).to_have_value("1 2 3\n4 5 6")


def test_own_text_that_is_no_matrix_keeps_everything(dot: WidgetOnPage) -> None:
    dot.press("next")
    dot.run(a="1 2\n3", b="1")
    expect(dot.slot("notice")).to_contain_text("your A", ignore_case=True, timeout=120_000)
    expect(dot.field("a")).to_have_value("1 2\n3")
    expect(dot.field("a")).to_have_attribute("aria-invalid", "true")
    dot.position_is("step 2 of 4")


@pytest.mark.parametrize(
    ("typed", "given"),
    [
        ("−4", "“−4”"),
        ("0", "“0”"),
        ("65", "“65”"),
        ("3.5", "“3.5”"),
        ("1e9", "“1e9”"),
        ("four", "“four”"),
        ("", "nothing"),
    ],
)
def test_bad_number_gets_a_sentence_and_keeps_the_picture(
    dot: WidgetOnPage, host: Host, typed: str, given: str
) -> None:
    dot.press("next")
    dot.run(n=typed)
    dot.notice_is(f"matrix size: given {given}; allowed: a whole number from 1 to 64")
    expect(dot.field("n")).to_be_focused()
    expect(dot.field("n")).to_have_attribute("aria-invalid", "true")
    expect(dot.field("n")).to_have_attribute("aria-describedby", "dot-product-notice")
    expect(dot.field("n")).to_have_value(typed)
    dot.position_is("step 2 of 4")
    assert host.asked_for("pyodide") == []
    dot.run(n="8")
    expect(dot.slot("notice")).to_be_hidden()
    assert dot.field("n").get_attribute("aria-invalid") is None


def test_number_that_only_python_can_refuse(walk: WidgetOnPage) -> None:
    walk.run(n="5", tile="6")
    expect(walk.slot("notice")).to_have_text(
        "tile width: given 6; allowed: a whole number from 1 to 5 (1 to the largest side, 5)", timeout=120_000
    )
    expect(walk.field("tile")).to_be_focused()


def test_shared_link_with_an_open_setting_starts_python_by_itself(page: Page, host: Host) -> None:
    page.goto(host.address + "reuse.html?dot-product.n=6&dot-product.step=4")
    dot = WidgetOnPage(page, "dot-product")
    dot.is_live()
    dot.position_is("step 4 of 6")
    assert page.evaluate("history.length") <= 2


def test_shared_link_with_a_setting_that_python_refuses_falls_back(page: Page, host: Host) -> None:
    page.goto(host.address + "reuse.html?tile-walk.n=6&tile-walk.tile=7")
    walk = WidgetOnPage(page, "tile-walk")
    walk.is_live()
    expect(walk.slot("notice")).to_contain_text("tile width: given 7")
    expect(walk.field("n")).to_have_value("6")
    expect(walk.field("tile")).to_have_value("2")


def test_after_a_crash_python_does_not_start_by_itself(page: Page, host: Host) -> None:
    page.add_init_script("sessionStorage.setItem('gpu-lab-start-unfinished', '1')")
    page.goto(host.address + "reuse.html?dot-product.n=6")
    dot = WidgetOnPage(page, "dot-product")
    dot.state_has("does not start by itself")
    assert host.asked_for("pyodide") == []
    dot.press("again")
    dot.is_live()
    dot.position_is("step 1 of 6")


def test_progress_is_told_in_words_and_megabytes(dot: WidgetOnPage, host: Host) -> None:
    host.faults["pyodide.asm.wasm"] = stalled
    dot.run(n="6")
    expect(dot.root.locator(".w-state")).to_contain_text("Starting Python: ", timeout=30_000)
    expect(dot.root.locator(".w-state")).to_contain_text(" MB")
    expect(dot.root.locator(".w-state progress")).to_be_visible()
    host.gate.set()
    dot.is_live()
    expect(dot.root.locator(".w-state progress")).to_be_hidden()


def workers_are_gone(page: Page) -> None:
    """The browser tells of a worker's end a little after it was ended."""
    for _ in range(500):
        if not page.workers:
            return
        page.evaluate("new Promise((done) => setTimeout(done, 20))")
    raise AssertionError(f"still there: {page.workers}")


def test_stop_during_the_start_ends_it_and_run_works_again(dot: WidgetOnPage, chapter: Page, host: Host) -> None:
    dot.press("next")
    host.faults["pyodide.asm.wasm"] = stalled
    dot.run(n="6")
    dot.press("stop")
    dot.state_has("Stopped.")
    dot.position_is("step 2 of 4")
    assert chapter.evaluate("gpuLab.state") == "prepared"
    workers_are_gone(chapter)
    host.gate.set()
    dot.run()
    dot.is_live()


def test_stop_ends_a_worker_that_is_busy_for_ever(dot: WidgetOnPage, chapter: Page) -> None:
    dot.run(n="6")
    dot.is_live()
    chapter.workers[0].evaluate("setTimeout(() => { while (true); })")
    dot.run(n="7")
    dot.press("stop")
    dot.state_has("Stopped.")
    dot.position_is("step 1 of 6")
    dot.run()
    dot.is_live()
    dot.position_is("step 1 of 7")


def test_change_of_a_field_drops_the_run_on_its_way(dot: WidgetOnPage, chapter: Page, host: Host) -> None:
    host.faults["pyodide.asm.wasm"] = stalled
    dot.run(n="6")
    dot.state_has("Starting Python")
    dot.field("n").fill("7")
    dot.state_has("The settings were changed")
    host.gate.set()
    chapter.wait_for_function("() => gpuLab.state === 'live'")
    chapter.evaluate("gpuLab.ask({op: 'hello'})")
    dot.position_is("step 1 of 4")
    expect(dot.field("n")).to_have_value("7")


def test_other_settings_drop_the_run_on_its_way(dot: WidgetOnPage, chapter: Page, host: Host) -> None:
    host.faults["pyodide.asm.wasm"] = stalled
    dot.run(n="6")
    dot.state_has("Starting Python")
    dot.shortcut("8 × 8")
    host.gate.set()
    chapter.wait_for_function("() => gpuLab.state === 'live'")
    chapter.evaluate("gpuLab.ask({op: 'hello'})")
    dot.position_is("step 1 of 8")
    expect(dot.field("n")).to_have_value("8")


def test_only_the_last_of_many_runs_is_shown_and_one_worker_serves_all(chapter: Page) -> None:
    dot, walk = WidgetOnPage(chapter, "dot-product"), WidgetOnPage(chapter, "tile-walk")
    for size in range(9, 19):
        dot.run(n=str(size))
    walk.run(n="6", tile="3")
    dot.is_live()
    walk.is_live()
    dot.position_is("step 1 of 18")
    assert len(chapter.workers) == 1


def test_listed_setting_is_computed_live_once_python_runs(walk: WidgetOnPage) -> None:
    walk.run(n="6", tile="3")
    walk.is_live()
    walk.run(n="4", tile="2")
    walk.position_is("step 1 of 2")
    walk.is_live()
    walk.press("next")
    assert [row[:2] for row in walk.matrix("C")[:2]] == [["1", "-1"], ["0", "-1"]]


def test_program_of_open_settings_can_be_downloaded(dot: WidgetOnPage, chapter: Page) -> None:
    dot.run(n="6")
    dot.is_live()
    code = dot.root.locator('details[data-panel="code"]')
    code.locator("summary").click()
    with chapter.expect_download() as downloading:
        code.get_by_role("button", name="Download .py").click()
    assert downloading.value.path().read_text(encoding="utf-8") == code.locator("code").text_content()
    assert downloading.value.suggested_filename == "matmul_6x6x6.py"


def test_program_of_open_settings_can_be_downloaded_as_a_notebook(dot: WidgetOnPage, chapter: Page) -> None:
    dot.run(n="6")
    dot.is_live()
    code = dot.root.locator('details[data-panel="code"]')
    code.locator("summary").click()
    with chapter.expect_download() as downloading:
        code.get_by_role("button", name="Download .ipynb").click()
    notebook = nbformat.reads(downloading.value.path().read_text(encoding="utf-8"), as_version=nbformat.NO_CONVERT)
    nbformat.validate(notebook)
    cells = [f"{cell.source}\n" for cell in notebook.cells if cell.cell_type == "code"]
    assert "\n".join(cells) == code.locator("code").text_content()
    assert downloading.value.suggested_filename == "matmul_6x6x6.ipynb"


def test_focus_goes_from_run_to_stop_to_run(dot: WidgetOnPage, chapter: Page, host: Host) -> None:
    host.faults["pyodide.asm.wasm"] = stalled
    dot.run(n="6")
    dot.act("stop").focus()
    host.gate.set()
    dot.is_live()
    expect(dot.root.locator(".w-run")).to_be_focused()
