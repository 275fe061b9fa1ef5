"""A tab of some engine, as the shared tests see it: few verbs, so that Playwright and WebDriver can both offer them."""

import json
import re
import time
from typing import Any, Protocol

LONG_S = 240.0  # a test waits for events, never for a time; this is for machines that do other work too

# Finds an element also inside open shadow roots, as the editor's.
FIND = """const find = (css, under = document) => {
  const here = under.querySelector(css);
  if (here) return here;
  for (const node of under.querySelectorAll('*')) {
    const inside = node.shadowRoot && find(css, node.shadowRoot);
    if (inside) return inside;
  }
  return null;
};"""


class Tab(Protocol):
    """One tab with a profile of its own. A selector is CSS and means the first that fits, in shadow roots too."""

    keeps_pages: bool
    """Whether Back brings back a page as it was left: drivers switch that off in Chromium and Firefox."""

    def goto(self, address: str) -> None:
        """Open an address and wait for its load event."""

    def reload(self) -> None:
        """As the reader's reload button."""

    def back(self) -> None:
        """As the reader's Back button."""

    def address(self) -> str:
        """What the address bar holds."""

    def js(self, body: str, *arguments: object) -> Any:
        """Run a function's body in the page, `find` and `arguments` at hand; what it returns, as JSON holds it."""

    def click(self, selector: str) -> None:
        """A real click in the middle of the element, scrolled into view."""

    def write(self, selector: str, text: str) -> None:
        """Replace what a field holds."""

    def keys(self, *names: str) -> None:
        """Real key presses where the focus is: a character each, or a key's name, as ArrowRight."""

    def complaints(self) -> list[str]:
        """Script errors, errors on the console, and requests to another origin, so far."""

    def close(self) -> None:
        """End the tab and all it keeps."""


def until(tab: Tab, wanted: object, body: str, *arguments: object, seconds: float = LONG_S) -> None:
    """Wait until what a function's body returns is `wanted`, or a text that the pattern `wanted` finds something in."""
    ends, seen = time.monotonic() + seconds, None
    while time.monotonic() < ends:
        seen = tab.js(body, *arguments)
        if seen == wanted or (isinstance(wanted, re.Pattern) and wanted.search(str(seen))):
            return
        time.sleep(0.1)
    raise AssertionError(f"after {seconds:.0f} s: {json.dumps(seen)[:600]}; wanted: {wanted!r}")


class Figure:
    """The widget with this id in a tab: what can be pressed and what can be read."""

    def __init__(self, tab: Tab, name: str) -> None:
        self.tab, self.name = tab, name

    def part(self, selector: str) -> str:
        """The selector of something in the widget."""
        return f"#{self.name} {selector}"

    def slot(self, name: str) -> str:
        """The selector of a part whose content changes."""
        return self.part(f'[data-slot="{name}"]')

    def press(self, *names: str) -> None:
        """Click buttons by what they do."""
        for name in names:
            self.tab.click(self.part(f'[data-act="{name}"]'))

    def write(self, **fields: str) -> None:
        """Open the fold of the fields and fill some."""
        if not self.tab.js("return find(arguments[0]).open", self.part("details.w-more")):
            self.tab.click(self.part("details.w-more > summary"))
        for name, text in fields.items():
            self.tab.write(self.part(f'details.w-more [name="{name}"]'), text)

    def run(self, **fields: str) -> None:
        """Fill some fields and press Run."""
        if fields:
            self.write(**fields)
        self.tab.click(self.part(".w-run"))

    def check(self, text: str) -> None:
        """Have a program checked. As a paste would, it comes into the field that the editor stands for."""
        self.tab.js(
            "const field = find(arguments[0]); field.value = arguments[1];"
            " field.dispatchEvent(new CustomEvent('gpu-lab-text', {bubbles: true}));"
            " field.dispatchEvent(new Event('input', {bubbles: true}));",
            self.part("textarea"),
            text,
        )
        self.tab.click(self.part(".w-run"))

    def predict(self, text: str) -> None:
        """Fill in the first prediction."""
        self.tab.write(self.part("[data-ask]"), text)

    def shortcut(self, label: str) -> None:
        """Press one of the buttons that set something."""
        find_value = (
            "return [...find(arguments[0]).querySelectorAll('button')]"
            ".find(one => one.textContent.trim() === arguments[1]).dataset.set"
        )
        box = self.part('[data-part="shortcuts"]')
        self.tab.click(f'{box} [data-set="{self.tab.js(find_value, box, label)}"]')

    def field(self, name: str) -> str:
        """What a field holds."""
        value: str = self.tab.js("return find(arguments[0]).value", self.part(f'[name="{name}"]'))
        return value

    def holds(self, name: str, text: str) -> None:
        """Wait for what a field holds."""
        until(self.tab, text, "return find(arguments[0])?.value", self.part(f'[name="{name}"]'))

    def focus(self, selector: str) -> None:
        """Put the focus on something in the widget."""
        self.tab.js("find(arguments[0]).focus()", self.part(selector))

    def shows(self, slot: str, text: str | re.Pattern[str]) -> None:
        """Wait until a slot's words hold a text (white space counts once)."""
        wanted = text if isinstance(text, re.Pattern) else re.compile(re.escape(text))
        until(self.tab, wanted, "return find(arguments[0])?.innerText.replace(/\\s+/g, ' ').trim()", self.slot(slot))

    def says(self, text: str) -> None:
        """Wait for a step's sentence."""
        self.shows("say", text)

    def at(self, step: int, count: int) -> None:
        """Wait for a position."""
        self.shows("position", f"step {step} of {count}")

    def is_live(self) -> None:
        """Wait for what this page's Python computed."""
        self.shows("state", "Computed in this page by Python 3.14.2")

    def matrix(self, selector: str) -> list[list[str]]:
        """The values of a table in the widget."""
        body = (
            "return [...find(arguments[0]).tBodies[0].rows].map(row =>"
            " [...row.querySelectorAll('td')].map(cell => cell.textContent.trim()))"
        )
        rows: list[list[str]] = self.tab.js(body, self.part(selector))
        return rows
