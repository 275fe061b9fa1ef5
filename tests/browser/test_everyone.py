"""Everyone: axe, narrow and zoomed screens, no scripts, reduced motion, forced colours, targets, paper."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.host import Host, blocked
from tests.browser.pages import DESK, PAGES, PHONE, ZOOMED, figures, places, unfolded
from tests.browser.widget import WidgetOnPage

LOOKS: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light", "viewport": DESK},
    "dark": {"color_scheme": "dark", "viewport": DESK},
    "light-320": {"color_scheme": "light", "viewport": PHONE},
    "zoom-400": {"color_scheme": "light", "viewport": ZOOMED},
    "forced-colours": {"forced_colors": "active", "viewport": DESK},
}


def violations(page: Page, root: Path) -> list[str]:
    """What axe finds, one line each, once all motion is over: it would measure a colour on its way."""
    page.evaluate((root / "site/node_modules/axe-core/axe.min.js").read_text(encoding="utf-8"))
    page.evaluate("() => Promise.all(document.getAnimations().map(motion => motion.finished.catch(() => {})))")
    found = page.evaluate("() => axe.run({resultTypes: ['violations']})")
    return [f"{each['id']}: {node['html'][:160]}" for each in found["violations"] for node in each["nodes"]]


@pytest.fixture(params=LOOKS)
def look(request: pytest.FixtureRequest, open_page: Callable[..., Page], chromium: Browser) -> Page:
    """A page in each look."""
    return open_page(chromium, **LOOKS[request.param])


def test_axe_finds_nothing_on_any_page(look: Page, host: Host, site_folder: Path, root: Path) -> None:
    for place in places(site_folder):
        look.goto(host.address + place)
        assert violations(look, root) == [], place


def test_axe_finds_nothing_in_the_states_of_any_widget(look: Page, host: Host, site_folder: Path, root: Path) -> None:
    """Every fold open, every prediction answered, the last step, a refused setting, and Python out of reach."""
    host.faults["pyodide-"] = host.faults["runtime."] = blocked
    for place in places(site_folder):
        look.goto(host.address + place)
        for name in look.locator("gpu-lab-widget").evaluate_all("all => all.map((one) => one.id)"):
            exercise_widget(WidgetOnPage(look, name))
        look.evaluate("() => document.querySelectorAll('details').forEach(fold => fold.open = true)")
        assert violations(look, root) == [], place


def exercise_widget(figure: WidgetOnPage) -> None:
    """Answers what is asked, goes to the last step, and gives a setting that is refused."""
    for field in figure.root.locator("[data-ask]").all():
        if field.evaluate("node => node.matches('select')"):
            field.select_option(index=1)
        else:
            field.fill("1")
    if figure.root.locator("[data-ask]").count():
        figure.run()
        expect(figure.slot("verdict")).not_to_be_empty()
    if figure.act("last").is_visible():
        figure.press("last")
    numbers = figure.root.locator('details.w-more [data-kind="integer"]')
    if numbers.count():
        figure.field(str(numbers.first.get_attribute("name"))).fill("many")
        figure.root.locator("details.w-more > button").click()
        expect(figure.slot("notice")).to_contain_text(re.compile("allowed|允许"))
    elif figure.root.locator('[data-kind="code"]').count():
        figure.root.locator('textarea[data-kind="code"]').evaluate("node => (node.value += '# mine')")
        figure.run()
        expect(figure.act("again")).to_be_visible()


def test_axe_finds_nothing_in_what_python_computes(look: Page, host: Host, root: Path) -> None:
    look.goto(host.address + "programs.html")
    exercise, dot = WidgetOnPage(look, "exercise"), WidgetOnPage(look, "toy")
    exercise.root.locator('textarea[data-kind="code"]').evaluate(
        "node => (node.value = 'def matmul(a, b):\\n    print(a)\\n    return [[0] * len(b)] * len(a)\\n')"
    )
    exercise.run()
    exercise.is_live()
    dot.run(n="14", a="", b="")
    dot.is_live()
    assert violations(look, root) == []


def test_axe_finds_nothing_in_the_states_of_the_kernel_s_page(look: Page, host: Host, root: Path) -> None:
    """A masked load, a fault's reports, a matrix instruction, a failing exercise with a hint and the solution open."""
    look.goto(host.address + "kernel.html?kernel-stepper.program=8&kernel-stepper.step=35&kernel-lines.step=25")
    look.wait_for_selector("#vector-add .w-editor", state="attached")
    stepper, lines, vectors = (WidgetOnPage(look, name) for name in ("kernel-stepper", "kernel-lines", "vector-add"))
    stepper.says("1 of 4 lanes of A is loaded, 3 are masked.")
    lines.says("2 of them are matrix instructions, wgmma.mma_async.")
    for summary in ("Hints, and a solution", "Hint 1", "A solution"):
        vectors.root.get_by_text(summary, exact=True).click()
    assert violations(look, root) == []
    stepper.shortcut("no K mask")
    stepper.is_live()
    stepper.press("last")
    stepper.says("21 reports.")
    field = vectors.root.locator("textarea")
    field.evaluate("field => { field.value += '    tl.store(out_ptr + tl.arange(0, BLOCK), 0.0)'; }")
    vectors.root.locator(".w-run").click()
    vectors.says("out[0] is 0; it should be 101.")
    assert violations(look, root) == []


@pytest.mark.parametrize("viewport", [PHONE, ZOOMED], ids=["phone", "zoom-400"])
def test_no_page_scrolls_sideways(page: Page, host: Host, site_folder: Path, viewport: dict[str, int]) -> None:
    page.set_viewport_size(viewport)  # type: ignore[arg-type]
    for place in places(site_folder):
        page.goto(host.address + place)
        page.evaluate("() => document.querySelectorAll('details').forEach(fold => fold.open = true)")
        assert page.evaluate("document.documentElement.scrollWidth") == 320, place


@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("name", PAGES)
def test_what_is_wide_scrolls_in_a_labelled_box(page: Page, host: Host, name: str, viewport: dict[str, int]) -> None:
    page.set_viewport_size(viewport)  # type: ignore[arg-type]
    unfolded(page, host, name)
    unlabelled = page.evaluate("""() => [...document.querySelectorAll('main *')]
        .filter(node => /auto|scroll/.test(getComputedStyle(node).overflowX))
        .filter(node => node.checkVisibility() && !node.matches('textarea, input, select'))
        .filter(node => node.tabIndex !== 0 || !node.getAttribute('role') || !node.getAttribute('aria-label'))
        .map(node => node.outerHTML.slice(0, 100))""")
    assert unlabelled == []


@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
def test_labels_of_a_plot_are_large_enough_to_read(page: Page, host: Host, viewport: dict[str, int]) -> None:
    """In pixels of the screen, as a drawing is scaled with its place."""
    page.set_viewport_size({"width": viewport["width"], "height": viewport["height"]})
    for name in ("programs", "order", "measure"):
        page.goto(f"{host.address}{name}.html")
        expect(page.locator("svg.chart .label").first).to_be_attached()
        sizes = page.locator("svg.chart .label").evaluate_all(
            "all => all.map(text => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a)"
        )
        assert min(sizes) > 10, name


@pytest.mark.parametrize("name", PAGES)
def test_every_table_has_a_caption_and_heads(page: Page, host: Host, name: str) -> None:
    unfolded(page, host, name)
    bare = page.evaluate("""() => [...document.querySelectorAll('table')]
        .filter(table => !table.caption?.textContent.trim() || !table.querySelector('th[scope]')
          || [...table.querySelectorAll('th')].some(head => !head.scope))
        .map(table => table.outerHTML.slice(0, 100))""")
    assert bare == []


@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("name", PAGES)
def test_targets_are_large_enough(page: Page, host: Host, name: str, viewport: dict[str, int]) -> None:
    """24 px each way; links within a sentence are the exception that WCAG 2.5.8 makes."""
    page.set_viewport_size(viewport)  # type: ignore[arg-type]
    unfolded(page, host, name)
    small = page.evaluate("""() =>
        [...document.querySelectorAll('button, input, select, textarea, summary, nav a, figcaption a, td[data-set]')]
        .filter(node => node.checkVisibility())
        .map(node => [node.outerHTML.slice(0, 80), node.getBoundingClientRect()])
        .filter(([, box]) => box.width < 24 || box.height < 24).map(([html]) => html)""")
    assert small == []


def test_player_stays_in_view_while_the_picture_is_read(page: Page, host: Host) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto(host.address + "reuse.html")
    dot = WidgetOnPage(page, "dot-product")
    dot.slot("frame").locator("table.facts").scroll_into_view_if_needed()
    expect(dot.act("next")).to_be_in_viewport()


def test_controls_stay_where_they_are_while_frames_change(walk: WidgetOnPage) -> None:
    walk.act("next").scroll_into_view_if_needed()
    place = walk.act("next").bounding_box()
    walk.press("next")
    walk.position_is("step 2 of 2")
    assert walk.act("next").bounding_box() == place


def test_reduced_motion_has_none(open_page: Callable[..., Page], chromium: Browser, host: Host) -> None:
    page = open_page(chromium, reduced_motion="reduce")
    for name in PAGES:
        page.goto(f"{host.address}{name}.html")
        for id_ in figures(page):
            figure = WidgetOnPage(page, id_)
            figure.press("next")
            assert page.evaluate("document.getAnimations().length") == 0, id_
            figure.is_at(2)
        moving = page.evaluate("""() => [...document.querySelectorAll('*')].filter((node) => {
            const style = getComputedStyle(node);
            return parseFloat(style.transitionDuration) > 0 || style.animationName !== 'none'
                || style.scrollBehavior === 'smooth';
        }).map((node) => node.outerHTML.slice(0, 80))""")
        assert moving == []


def test_theme_may_change_in_the_middle_of_a_trace(dot: WidgetOnPage, chapter: Page) -> None:
    dot.press("next")
    light = chapter.evaluate("getComputedStyle(document.body).backgroundColor")
    chapter.emulate_media(color_scheme="dark")
    assert chapter.evaluate("getComputedStyle(document.body).backgroundColor") != light
    dot.position_is("step 2 of 4")


def test_page_without_scripts_is_whole(open_page: Callable[..., Page], chromium: Browser, host: Host) -> None:
    page = open_page(chromium, java_script_enabled=False)
    page.goto(host.address + "reuse.html")
    dot = WidgetOnPage(page, "dot-product")
    dot.says("The running sum of C[0,0] is 2.")
    expect(dot.slot("frame").locator("table.matrix.a td.now")).to_have_text("-2")
    for dead in (dot.act("next"), dot.root.locator(".w-run"), dot.root.get_by_text("8 × 8", exact=True)):
        expect(dead).to_be_hidden()
    expect(dot.root.locator("noscript p")).to_be_visible()
    dot.root.locator('details[data-panel="inputs"] summary').click()
    expect(dot.root.locator('details[data-panel="inputs"] table.matrix.c')).to_be_visible()
    dot.root.locator('details[data-panel="code"] summary').click()
    expect(dot.root.locator('details[data-panel="code"] code')).to_contain_text("import torch")


def test_paper_has_everything_unfolded_and_afterwards_the_folds_are_as_before(dot: WidgetOnPage, chapter: Page) -> None:
    dot.root.locator('details[data-panel="code"] summary').click()
    folds = "[...document.querySelectorAll('details:not(.teacher)')].map(fold => fold.open)"
    before = chapter.evaluate(folds)
    chapter.evaluate(f"() => addEventListener('beforeprint', () => {{ window.onPaper = {folds}; }})")
    chapter.pdf(format="A4")
    assert set(chapter.evaluate("onPaper")) == {True}
    assert chapter.evaluate(folds) == before


def test_teachers_notes_are_printed_on_request_alone(page: Page, host: Host) -> None:
    page.add_init_script("window.prints = 0; window.print = () => { window.prints += 1; };")
    page.goto(host.address + "reuse.html")
    notes, paper = page.locator("details.teacher"), "() => dispatchEvent(new Event('beforeprint'))"
    page.emulate_media(media="print")
    page.evaluate(paper)
    expect(notes).to_be_hidden()
    expect(page.locator(".on-paper")).to_contain_text("Teacher’s notes are there only if they were unfolded.")
    page.evaluate("() => dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")
    notes.locator("summary").click()
    notes.get_by_role("button", name="Print the page with its notes").click()
    assert page.evaluate("window.prints") == 1
    page.emulate_media(media="print")
    page.evaluate(paper)
    expect(notes.locator("table").first).to_be_visible()
    expect(notes.get_by_role("button")).to_have_count(0)


def test_paper_shows_the_step_and_no_controls_and_cuts_nothing(page: Page, host: Host) -> None:
    """A4 with 15 mm margins is 680 px wide."""
    page.set_viewport_size({"width": 680, "height": 960})
    page.goto(host.address + "reuse.html?dot-product.n=8&tile-walk.n=8&dot-product.step=3")
    page.emulate_media(media="print")
    page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
    expect(WidgetOnPage(page, "dot-product").slot("position")).to_be_visible()
    assert page.locator("button:visible").count() == 0
    cut = page.evaluate("""() => [...document.querySelectorAll('main .scroll, main pre, main .table')]
        .filter(node => node.scrollWidth > node.clientWidth + 1).map(node => node.outerHTML.slice(0, 120))""")
    assert cut == []
    link = page.locator('.text a[href^="https://"]').first
    assert "https://" in link.evaluate("node => getComputedStyle(node, '::after').content")


def test_paper_says_that_answers_follow(page: Page, host: Host) -> None:
    page.goto(host.address + "reuse.html")
    expect(page.locator(".on-paper")).to_be_hidden()
    page.emulate_media(media="print")
    expect(page.locator(".on-paper")).to_contain_text("the answers to a question, and its hints, stand right below it")
    told = page.locator(".quiz-question").first.evaluate("node => getComputedStyle(node, '::after').content")
    assert "The answers follow" in told
