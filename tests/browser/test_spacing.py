"""Text spacing that a reader sets (WCAG 1.4.12) cuts no text, on any page, on a desk and on a phone."""

import pytest
from playwright.sync_api import Page

from tests.browser.host import Host
from tests.browser.pages import DESK, PAGES, PHONE, unfolded

SPACE = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    * { letter-spacing: 0.12em !important; line-height: 1.5 !important; word-spacing: 0.16em !important; }
    p { margin-block-end: 2em !important; }`);
  document.adoptedStyleSheets = [sheet];
}"""

# Text that lies outside its cell, button, fold or chart, or outside a box that hides what overflows.
CUT = """() => {
  const out = [];
  const UNSEEN = '.visually-hidden, .word, .sign, .skip-link, script, style, noscript, textarea, option';
  const off = (text, box) => text.left < box.left - 1.5 || text.right > box.right + 1.5
    || text.top < box.top - 1.5 || text.bottom > box.bottom + 1.5;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text; (text = walker.nextNode()); ) {
    const holder = text.parentElement;
    if (!text.data.trim() || !holder.checkVisibility({visibilityProperty: true})) continue;
    if (holder.closest(UNSEEN)) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const chart = holder.closest('svg')?.closest('.scroll');
    const tight = chart ?? holder.closest('td, th, button, summary, label, output');
    for (const box of range.getClientRects()) {
      if (!box.width) continue;
      let wrong = tight && (tight.matches('.scroll') ? scrolled(tight, box) : off(box, tight.getBoundingClientRect()));
      for (let node = holder; !wrong && node && node !== document.body; node = node.parentElement) {
        const style = getComputedStyle(node);
        if (/auto|scroll/.test(style.overflowX)) break;
        wrong = /hidden|clip/.test(style.overflowX + style.overflowY) && off(box, node.getBoundingClientRect());
      }
      if (!wrong) continue;
      const name = `${holder.tagName}.${holder.className?.baseVal ?? holder.className}`;
      out.push(`${name}: ${text.data.trim().slice(0, 40)}`);
      break;
    }
  }
  /* What lies to the left of where a box begins cannot be scrolled to. */
  function scrolled(box, text) {
    const place = box.getBoundingClientRect();
    const left = text.left - place.left + box.scrollLeft, right = text.right - place.left + box.scrollLeft;
    return left < -1 || right > Math.max(box.scrollWidth, box.clientWidth) + 1;
  }
  return out;
}"""


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("name", PAGES)
def test_wider_text_spacing_cuts_nothing(page: Page, host: Host, name: str, viewport: dict[str, int]) -> None:
    page.set_viewport_size(viewport)  # type: ignore[arg-type]
    unfolded(page, host, name)
    page.evaluate(SPACE)
    assert page.evaluate(CUT) == []
    assert page.evaluate("document.documentElement.scrollWidth") == viewport["width"]


def test_text_that_is_cut_is_found(page: Page, host: Host) -> None:
    page.goto(host.address + "reuse.html")
    page.evaluate("""() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('.w-try button { max-width: 3rem; overflow: hidden; white-space: nowrap; }');
      document.adoptedStyleSheets = [sheet];
      document.querySelector('#dot-product .w-run').textContent = 'Run everything';
    }""")
    assert page.evaluate(CUT) == ["BUTTON.w-run: Run everything"]


@pytest.mark.parametrize("name", PAGES)
def test_text_of_twice_the_size_cuts_nothing(page: Page, host: Host, name: str) -> None:
    unfolded(page, host, name)
    page.evaluate("() => (document.documentElement.style.fontSize = '200%')")
    assert page.evaluate(CUT) == []
    assert page.evaluate("document.documentElement.scrollWidth") == 1280
