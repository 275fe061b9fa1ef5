"""Copying a command of the set-up page copies what is typed, without prompts and output."""

from collections.abc import Callable

from playwright.sync_api import Browser, Page, expect

from tests.browser.host import Host


def test_the_button_copies_what_is_typed(chromium: Browser, open_page: Callable[..., Page], host: Host) -> None:
    page = open_page(chromium, permissions=["clipboard-read", "clipboard-write"])
    page.goto(f"{host.address}/setup.html")
    figure = page.locator("figure.session", has_text="python3 -m venv lab")
    button = figure.get_by_role("button")

    button.click()

    expect(button).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == "python3 -m venv lab\n. lab/bin/activate\npython -m pip install torch==2.13.0 numpy==2.4.6"


def test_without_a_clipboard_it_is_selected(chromium: Browser, open_page: Callable[..., Page], host: Host) -> None:
    page = open_page(chromium)
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.goto(f"{host.address}/setup.html")

    page.locator("figure.session", has_text="Running on cpu").get_by_role("button").click()

    assert "python opening.py" in str(page.evaluate("getSelection().toString()"))
