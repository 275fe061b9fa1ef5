"""A widget as a test sees it: what can be pressed and what can be read."""

import re

from playwright.sync_api import Locator, Page, expect

LONG_MS = 120_000


class WidgetOnPage:
    """The widget with this id on a page."""

    def __init__(self, page: Page, name: str) -> None:
        self.page, self.name, self.root = page, name, page.locator(f"#{name}")

    def act(self, name: str) -> Locator:
        """A button or the slider by what it does."""
        return self.root.locator(f'[data-act="{name}"]')

    def slot(self, name: str) -> Locator:
        """A part whose content changes."""
        return self.root.locator(f'[data-slot="{name}"]').first

    def field(self, name: str) -> Locator:
        """A field of the form, its fold opened."""
        fold = self.root.locator("details.w-more")
        if fold.get_attribute("open") is None:
            fold.locator("summary").first.click()
        return fold.locator(f'[name="{name}"]')

    def press(self, *names: str) -> None:
        """Click buttons of the player, one after another."""
        for name in names:
            self.act(name).click()

    def run(self, **fields: str) -> None:
        """Fill fields and press Run."""
        for name, text in fields.items():
            self.field(name).fill(text)
        self.root.locator(".w-run").click()

    def write(self, text: str) -> None:
        """Put a text into the editor, as a paste would: into the field that the editor stands for."""
        self.root.locator("textarea").evaluate(
            "(field, text) => { field.value = text;"
            " field.dispatchEvent(new CustomEvent('gpu-lab-text', {bubbles: true}));"
            " field.dispatchEvent(new Event('input', {bubbles: true})); }",
            text,
        )

    def check(self, text: str) -> None:
        """Put a text into the editor and have it checked."""
        self.write(text)
        self.root.locator(".w-run").click()

    def answers(self, text: str) -> None:
        """Waits for the sentence of a check, which may have to start Python."""
        expect(self.slot("say")).to_contain_text(text, timeout=LONG_MS)

    def shortcut(self, label: str) -> None:
        """Press one of the buttons that set something."""
        self.root.locator('[data-part="shortcuts"] button').get_by_text(label, exact=True).click()

    def position_is(self, text: str) -> None:
        expect(self.slot("position")).to_have_text(text)

    def is_at(self, step: int, count: int | str = r"\d+") -> None:
        """The position, in any language."""
        expect(self.slot("position")).to_have_text(re.compile(rf"^\D*\b{step}\b\D+{count}\D*$"))

    def says(self, text: str) -> None:
        expect(self.slot("say")).to_contain_text(text)

    def notice_is(self, text: str) -> None:
        expect(self.slot("notice")).to_have_text(text)

    def state_has(self, text: str) -> None:
        """Waits for the state line, which follows Python's start."""
        expect(self.slot("state")).to_contain_text(text, timeout=LONG_MS)

    def is_live(self) -> None:
        """What is shown was computed in this page."""
        self.state_has("Computed in this page by Python 3.14.2")

    def matrix(self, name: str) -> list[list[str]]:
        """The values of A, B or C as drawn in the frame."""
        rows = self.slot("frame").locator(f"table.matrix.{name.lower()} tbody tr")
        return [row.locator("td").all_inner_texts() for row in rows.all()]
