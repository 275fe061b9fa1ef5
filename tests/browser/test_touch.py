"""By finger: a swipe over the picture steps, one in a box that scrolls does not; nothing is for a mouse only."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, CDPSession, Page, expect

from tests.browser.host import Host
from tests.browser.pages import PAGES, PHONE, figures, unfolded
from tests.browser.widget import WidgetOnPage


@pytest.fixture
def phone(open_page: Callable[..., Page], chromium: Browser) -> Page:
    """A page on a touch screen."""
    return open_page(chromium, viewport=PHONE, has_touch=True, is_mobile=True)


@pytest.fixture
def finger(phone: Page) -> Iterator[CDPSession]:
    """The browser's own way to touch: its gestures may scroll, as a real finger's would."""
    session = phone.context.new_cdp_session(phone)
    yield session
    session.detach()


def swipe(finger: CDPSession, x: float, y: float, across: float, down: float = 0, fingers: int = 1) -> None:
    """Fingers come down at (x, y), move in eight steps, and are lifted."""
    for part in range(9):
        at = {"x": x + across * part / 8, "y": y + down * part / 8}
        points = [{"x": at["x"], "y": at["y"] + 40 * each, "id": each} for each in range(fingers)]
        finger.send("Input.dispatchTouchEvent", {"type": "touchMove" if part else "touchStart", "touchPoints": points})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def place(figure: WidgetOnPage, selector: str) -> tuple[float, float]:
    """The middle of a part of the picture, brought into the middle of the screen."""
    part = figure.slot("frame").locator(selector).first
    part.evaluate("node => node.scrollIntoView({block: 'center'})")
    box = part.bounding_box()
    assert box
    return box["x"] + min(box["width"], 280) / 2, box["y"] + box["height"] / 2


def test_swipe_steps_forth_and_back(phone: Page, finger: CDPSession, host: Host) -> None:
    phone.goto(host.address + "reuse.html")
    dot = WidgetOnPage(phone, "dot-product")
    x, y = place(dot, "dl.numbers")
    swipe(finger, x + 60, y, -120)
    dot.position_is("step 2 of 4")
    swipe(finger, x + 60, y, -120)
    dot.position_is("step 3 of 4")
    swipe(finger, x - 60, y, 120)
    dot.position_is("step 2 of 4")
    expect(dot.root.locator(".w-how .w-touch")).to_be_visible()


def test_swipe_over_a_matrix_that_fits_steps(phone: Page, finger: CDPSession, host: Host) -> None:
    phone.goto(host.address + "reuse.html")
    dot = WidgetOnPage(phone, "dot-product")
    x, y = place(dot, "table.matrix.c")
    swipe(finger, x + 40, y, -80)
    dot.position_is("step 2 of 4")


@pytest.mark.parametrize(
    ("across", "down", "fingers"),
    [(-20, 0, 1), (-60, 90, 1), (0, -120, 1), (-120, 0, 2)],
    ids=["short", "slanted", "upward", "two fingers"],
)
def test_other_gestures_do_not_step(
    phone: Page, finger: CDPSession, host: Host, across: int, down: int, fingers: int
) -> None:
    phone.goto(host.address + "reuse.html")
    dot = WidgetOnPage(phone, "dot-product")
    x, y = place(dot, "dl.numbers")
    swipe(finger, x + 60, y, across, down, fingers)
    swipe_after(phone, finger, dot)


def swipe_after(phone: Page, finger: CDPSession, dot: WidgetOnPage) -> None:
    """A swipe that does step comes later and is the only one that counted."""
    phone.evaluate("scrollTo(0, scrollY)")
    x, y = place(dot, "dl.numbers")
    swipe(finger, x + 60, y, -120)
    dot.position_is("step 2 of 4")


def test_swipe_in_a_box_that_scrolls_scrolls_it(phone: Page, finger: CDPSession, host: Host) -> None:
    phone.goto(host.address + "reuse.html?load-count.n=4096")
    count = WidgetOnPage(phone, "load-count")
    x, y = place(count, ".chart-box .scroll")
    swipe(finger, x + 60, y, -120)
    phone.wait_for_function("document.querySelector('#load-count .chart-box .scroll').scrollLeft > 0")
    expect(count.slot("position")).to_contain_text("step 1 of")


def test_swipe_at_the_edge_is_the_phones_own(phone: Page, finger: CDPSession, host: Host) -> None:
    phone.goto(host.address + "reuse.html")
    dot = WidgetOnPage(phone, "dot-product")
    _, y = place(dot, "dl.numbers")
    swipe(finger, 310, y, -120)
    swipe_after(phone, finger, dot)


def test_tap_on_a_place_in_c_chooses_it(phone: Page, host: Host) -> None:
    phone.goto(host.address + "reuse.html")
    walk = WidgetOnPage(phone, "tile-walk")
    walk.slot("frame").locator("table.matrix.c tbody tr").nth(3).locator("td").nth(1).tap()
    walk.says("Phase 0 of tile (1,0)")


@pytest.mark.parametrize("name", PAGES)
def test_what_a_click_into_c_chooses_has_a_field_that_the_page_names(page: Page, host: Host, name: str) -> None:
    """The cells are for a pointer; the fields of the form are for everybody."""
    unfolded(page, host, name)
    for id_ in figures(page):
        figure = WidgetOnPage(page, id_)
        chosen = (
            figure.slot("frame")
            .locator("td[data-set]")
            .evaluate_all(
                "all => [...new Set(all.flatMap((cell) => [...new URLSearchParams(cell.dataset.set).keys()]))]"
            )
        )
        how = figure.root.locator(".w-how").text_content() if figure.root.locator(".w-how").count() else ""
        labels = [figure.root.locator(f'[name="{each}"]').get_attribute("data-label") for each in chosen]
        assert all(f"{label}" in f"{how}" for label in labels), id_
        assert bool(chosen) == ("click or tap" in f"{how}" or "单击或点按" in f"{how}"), id_


@pytest.mark.parametrize("name", PAGES)
def test_who_checked_a_number_is_listed_for_everybody(page: Page, host: Host, name: str) -> None:
    """No fact is for a mouse that rests: what a title says, the list at the end of the page says as well."""
    unfolded(page, host, name)
    titles = page.locator("main [title]").evaluate_all("all => all.map((one) => [one.title, one.textContent])")
    listed = page.locator("#quoted dl").inner_text() if titles else ""
    for title, number in titles:
        assert title[1:] in listed and number in listed, number


def test_tap_on_a_number_shows_who_checked_it_and_another_hides_it(phone: Page, host: Host) -> None:
    phone.goto(host.address + "reuse.html")
    number = phone.locator(".checked").first
    number.tap()
    expect(phone.locator(".checked-note")).to_have_text("(checked by: the model, NumPy and PyTorch)")
    number.tap()
    expect(phone.locator(".checked-note")).to_have_count(0)
