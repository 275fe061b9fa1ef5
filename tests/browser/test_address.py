"""The address is the state: links, reload, Back and Forward, in two engines; bad and hostile addresses."""

from collections.abc import Callable
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.host import Host, stalled
from tests.browser.widget import WidgetOnPage


@pytest.fixture
def page(open_page: Callable[..., Page], any_browser: Browser) -> Page:
    """The same tests in each engine."""
    return open_page(any_browser)


def at(page: Page, host: Host, query: str) -> WidgetOnPage:
    page.goto(f"{host.address}reuse.html{query}")
    return WidgetOnPage(page, "tile-walk")


def test_steps_replace_and_settings_push(walk: WidgetOnPage, chapter: Page, host: Host) -> None:
    entries = chapter.evaluate("history.length")
    walk.press("next")
    expect(chapter).to_have_url(host.address + "reuse.html?tile-walk.step=2")
    assert chapter.evaluate("history.length") == entries
    walk.shortcut("8 × 8")
    expect(chapter).to_have_url(host.address + "reuse.html?tile-walk.n=8")
    assert chapter.evaluate("history.length") == entries + 1


def test_back_and_forward_agree_with_the_display(walk: WidgetOnPage, chapter: Page, host: Host) -> None:
    walk.press("next")
    walk.shortcut("8 × 8")
    walk.press("next", "next")
    expect(chapter).to_have_url(host.address + "reuse.html?tile-walk.n=8&tile-walk.step=3")  # once it is painted
    chapter.go_back()
    walk.position_is("step 2 of 2")
    expect(walk.field("n")).to_have_value("4")
    chapter.go_forward()
    walk.position_is("step 3 of 4")
    expect(walk.field("n")).to_have_value("8")


def test_reload_shows_the_same_state(walk: WidgetOnPage, chapter: Page, host: Host) -> None:
    walk.shortcut("8 × 8")
    walk.press("next", "next")
    expect(chapter).to_have_url(host.address + "reuse.html?tile-walk.n=8&tile-walk.step=3")  # once it is painted
    chapter.reload()
    walk.position_is("step 3 of 4")
    expect(walk.field("n")).to_have_value("8")
    expect(walk.act("slider")).to_have_value("2")


def test_reload_forgets_what_was_typed_and_not_run(walk: WidgetOnPage, chapter: Page, host: Host) -> None:
    walk.field("n").fill("7")
    walk.press("next")
    walk.act("slider").focus()
    expect(chapter).to_have_url(host.address + "reuse.html?tile-walk.step=2")
    chapter.reload()
    expect(walk.field("n")).to_have_value("4")
    walk.position_is("step 2 of 2")
    expect(walk.act("slider")).to_have_value("1")


def test_link_opens_the_same_state_and_leaves_other_widgets_alone(page: Page, host: Host) -> None:
    walk = at(page, host, "?tile-walk.n=8&tile-walk.tile=4&tile-walk.step=2&dot-product.step=3&from=mail#tile")
    walk.position_is("step 2 of 2")
    expect(walk.field("tile")).to_have_value("4")
    WidgetOnPage(page, "dot-product").position_is("step 3 of 4")
    walk.press("previous")
    expect(page).to_have_url(
        host.address + "reuse.html?dot-product.step=3&from=mail&tile-walk.n=8&tile-walk.tile=4#tile"
    )


def test_coming_back_from_another_page_agrees_with_the_address(walk: WidgetOnPage, chapter: Page, host: Host) -> None:
    walk.shortcut("8 × 8")
    walk.press("next")
    expect(chapter).to_have_url(host.address + "reuse.html?tile-walk.n=8&tile-walk.step=2")
    chapter.goto(host.address + "glossary.html")
    chapter.go_back()
    walk.position_is("step 2 of 4")
    expect(walk.field("n")).to_have_value("8")


def test_link_to_an_open_setting_is_computed_in_each_engine(page: Page, host: Host) -> None:
    walk = at(page, host, "?tile-walk.n=5&tile-walk.tile=3&tile-walk.i=1&tile-walk.step=2")
    walk.is_live()
    walk.position_is("step 2 of 2")
    page.reload()
    walk.is_live()
    walk.position_is("step 2 of 2")
    expect(walk.field("i")).to_have_value("1")


@pytest.mark.parametrize(
    ("query", "notice"),
    [
        ("n=-4", "matrix size: given “-4”; allowed: a whole number from 1 to 64"),
        ("n=0", "matrix size: given “0”; allowed: a whole number from 1 to 64"),
        ("n=3.5", "matrix size: given “3.5”; allowed: a whole number from 1 to 64"),
        ("n=1e9", "matrix size: given “1e9”; allowed: a whole number from 1 to 64"),
        ("n=", "matrix size: given nothing; allowed: a whole number from 1 to 64"),
        ("n=four", "matrix size: given “four”; allowed: a whole number from 1 to 64"),
        ("step=0", "step: given “0”; allowed: a whole number from 1 to 2"),
        ("step=3", "step: given “3”; allowed: a whole number from 1 to 2"),
        ("inputs=x", "inputs: given “x”; allowed: formula, distinct"),
        ("size=8", "setting: given “size”; allowed: n, tile, i, j, inputs, a, b"),
        ("__proto__=1", "setting: given “__proto__”; allowed: n, tile, i, j, inputs, a, b"),
    ],
)
def test_bad_value_falls_back_with_a_notice(page: Page, host: Host, query: str, notice: str) -> None:
    walk = at(page, host, f"?tile-walk.{query}")
    walk.notice_is(notice)
    walk.position_is("step 1 of 2")
    expect(walk.field("n")).to_have_value("4")


def test_one_bad_value_does_not_spoil_the_others(page: Page, host: Host) -> None:
    walk = at(page, host, "?tile-walk.n=8&tile-walk.tile=x&tile-walk.step=2")
    walk.notice_is("tile width: given “x”; allowed: a whole number from 1 to 64")
    walk.position_is("step 2 of 4")


def test_hostile_address_is_shown_as_text_only(page: Page, host: Host) -> None:
    hostile = "<img src=x onerror=document.title=1><script>document.title=2</script>"
    walk = at(page, host, f"?tile-walk.n={quote(hostile)}&{quote('tile-walk.' + hostile)}=1&%=%&tile-walk")
    expect(walk.slot("notice")).to_contain_text("given “<img src=x onerror=document.title=1>")
    assert page.locator("gpu-lab-widget img, gpu-lab-widget script").count() == 0
    assert page.title().startswith("How can")


def test_link_to_an_open_setting_says_what_is_shown_until_python_is_there(page: Page, host: Host) -> None:
    host.faults["runtime."] = stalled
    walk = at(page, host, "?tile-walk.n=5&tile-walk.tile=3")
    walk.notice_is(
        "The link asks for matrix size 5, tile width 3. Until Python has computed that, the figure shows "
        "matrix size 4, tile width 2."
    )
    expect(walk.field("n")).to_have_value("5")
    host.gate.set()
    walk.is_live()
    expect(walk.slot("notice")).to_be_hidden()
