"""The exercise of chapter 2: a reader's own code, checked, stopped, kept, and never in an address."""

from playwright.sync_api import Browser, Page, expect

from tests.browser.host import Host
from tests.browser.widget import WidgetOnPage

SHARED_ROWS = """def matmul(a, b):
    c = [[0] * len(b[0])] * len(a)
    for i in range(len(a)):
        for j in range(len(b[0])):
            for k in range(len(b)):
                c[i][j] += a[i][k] * b[k][j]
    return c
"""
RIGHT = SHARED_ROWS.replace("[[0] * len(b[0])] * len(a)", "[[0] * len(b[0]) for _ in a]")
ENDLESS = "def matmul(a, b):\n    while True:\n        pass\n"
DEAF = "def matmul(a, b):\n    return sum(range(10 ** 12))\n"


def opened(page: Page, host: Host) -> WidgetOnPage:
    page.goto(host.address + "programs.html")
    page.wait_for_selector("#exercise .w-editor", state="attached")
    return WidgetOnPage(page, "exercise")


def test_a_mistake_is_named_and_a_right_function_passes(page: Page, host: Host):
    exercise = opened(page, host)
    exercise.check(SHARED_ROWS)
    exercise.answers("C[0][0] is 197; it should be 58.")
    expect(exercise.slot("frame")).to_contain_text("rows that share one list")
    exercise.check(RIGHT)
    exercise.answers("14")
    expect(exercise.slot("frame")).not_to_contain_text("the smallest that fails")


def test_an_endless_loop_is_stopped_and_the_next_check_works(page: Page, host: Host):
    exercise = opened(page, host)
    exercise.check(ENDLESS)
    exercise.answers("stopped after 100,000 steps")
    exercise.check(SHARED_ROWS)
    exercise.answers("C[0][0] is 197")


def test_stop_ends_what_no_limit_reaches_and_the_text_stays(page: Page, host: Host):
    exercise = opened(page, host)
    exercise.check(SHARED_ROWS)
    exercise.answers("C[0][0] is 197")
    exercise.check(DEAF)
    exercise.act("stop").click()
    exercise.state_has("Stopped.")
    exercise.answers("C[0][0] is 197")
    assert exercise.root.locator("textarea").input_value() == DEAF
    exercise.check(RIGHT)
    exercise.answers("14")


def test_typing_in_the_editor_reaches_the_checker_and_tab_moves_on(page: Page, host: Host):
    exercise = opened(page, host)
    exercise.root.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.type("def matmul(a, b):\nreturn [[0] * len(b)\n")
    assert exercise.root.locator("textarea").input_value().startswith("def matmul(a, b):\n    return [[0]")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Check"
    page.keyboard.press("Enter")
    exercise.answers("Line 2")
    expect(exercise.root.locator(".cm-blamed")).to_have_text("    return [[0] * len(b)")


def test_the_keys_that_the_editor_names_do_what_it_says(page: Page, host: Host):
    exercise = opened(page, host)
    text = exercise.root.locator("textarea")
    expect(exercise.root.locator(".w-keys")).to_have_text(
        "Tab leaves the editor. Ctrl+] and Ctrl+[ indent, Ctrl+Z undoes, Ctrl+/ comments lines out."
    )
    exercise.root.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.type("x = 1")
    for keys, expected in (
        ("Control+]", "    x = 1"), ("Control+[", "x = 1"), ("Control+/", "# x = 1"), ("Control+/", "x = 1"),
        ("Control+]", "    x = 1"), ("Control+z", "x = 1"), ("Control+y", "    x = 1"),
    ):  # fmt: skip
        page.keyboard.press(keys)
        expect(text).to_have_value(expected)


def test_the_text_is_kept_over_a_reload_and_start_over_brings_the_starter(page: Page, host: Host):
    exercise = opened(page, host)
    starter = exercise.root.locator("textarea").input_value()
    exercise.write(SHARED_ROWS)
    page.reload()
    page.wait_for_selector("#exercise .w-editor", state="attached")
    assert exercise.root.locator("textarea").input_value() == SHARED_ROWS
    exercise.answers("Nothing has been checked yet")
    exercise.act("fresh").click()
    assert exercise.root.locator("textarea").input_value() == SHARED_ROWS
    expect(exercise.act("fresh")).to_have_text("Press again to lose your text")
    exercise.act("fresh").click()
    assert exercise.root.locator("textarea").input_value() == starter


def test_code_neither_stands_in_an_address_nor_runs_from_one(page: Page, host: Host):
    exercise = opened(page, host)
    exercise.check(SHARED_ROWS)
    exercise.answers("C[0][0] is 197")
    assert "source" not in page.url
    page.goto(host.address + "programs.html?exercise.source=def+matmul(a,b):+return+1")
    exercise.notice_is("setting: given “source”; allowed: none")
    exercise.answers("Nothing has been checked yet")


def test_where_storage_is_refused_the_exercise_works(open_page, chromium: Browser, host: Host):
    page = open_page(chromium)
    refused = "{get() { throw new DOMException('refused', 'SecurityError'); }}"
    for storage in ("localStorage", "sessionStorage"):
        page.add_init_script(f"Object.defineProperty(window, '{storage}', {refused});")
    exercise = opened(page, host)
    exercise.check(SHARED_ROWS)
    exercise.answers("C[0][0] is 197")


def test_without_the_editor_the_text_area_does(open_page, chromium: Browser, host: Host):
    page = open_page(chromium)
    page.route("**/editor.*.js", lambda route: route.abort())
    page.goto(host.address + "programs.html")
    exercise = WidgetOnPage(page, "exercise")
    exercise.root.locator("textarea").fill(SHARED_ROWS)
    exercise.root.locator(".w-run").click()
    exercise.answers("C[0][0] is 197")
