"""The focus is always to be seen: a ring around it, never beneath the player that stays in view, never lost."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.host import Host
from tests.browser.pages import DESK, PAGES, PHONE, figures, unfolded
from tests.browser.widget import WidgetOnPage

MOST_TABS = 1_500

# What is wrong with the place of the focus: no ring, off the screen, or beneath a player. Empty when nothing is.
SEEN = """() => {
  const host = document.activeElement;
  if (host === document.body) return {body: true, wrong: ''};
  let node = host;
  while (node.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  const ringed = [node, node.closest('.cm-focused')].some((each) => {
    const style = each && getComputedStyle(each);
    return style && style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
  });
  const box = host.getBoundingClientRect();
  const high = innerHeight, wide = innerWidth;
  const inside = box.bottom > 1 && box.top < high - 1 && box.right > 1 && box.left < wide - 1;
  const player = host.closest('gpu-lab-widget')?.querySelector('.w-player');
  const over = player && !player.contains(host) ? player.getBoundingClientRect() : null;
  // Of what is taller than the screen a part is enough.
  const room = !over ? 0 : box.height <= high - over.bottom ? box.height : 60;
  const covered = over && box.top < over.bottom - 1 && box.bottom > over.top + 1
    && box.bottom - over.bottom < room - 1;
  const found = [ringed ? '' : 'no ring', inside ? '' : 'off the screen', covered ? 'beneath the player' : ''];
  const wrong = found.join(' ').trim();
  return {body: false, wrong: wrong && `${wrong}: ${host.outerHTML.slice(0, 120)}`};
}"""


def settled(page: Page) -> dict[str, str]:
    """What SEEN finds once an editor has marked itself and the page has scrolled: a frame or two after the key."""
    now: dict[str, str] = page.evaluate(SEEN)
    for _ in range(50):
        if not now["wrong"]:
            break
        page.wait_for_timeout(100)
        now = page.evaluate(SEEN)
    return now


@pytest.mark.parametrize(
    ("viewport", "keys"), [(DESK, ["Shift+Tab"]), (PHONE, ["Tab", "Shift+Tab"])], ids=["desk", "phone"]
)
@pytest.mark.parametrize("name", PAGES)
def test_focus_has_a_ring_and_is_never_covered_forth_or_back(
    page: Page, host: Host, name: str, viewport: dict[str, int], keys: list[str]
) -> None:
    page.set_viewport_size(viewport)  # type: ignore[arg-type]
    unfolded(page, host, name)
    for key in keys:
        for _ in range(MOST_TABS):
            page.keyboard.press(key)
            now = settled(page)
            assert not now["wrong"]
            if now["body"]:
                break
        else:
            raise AssertionError(f"{key} did not leave {name}.html after {MOST_TABS} times")


@pytest.mark.parametrize("name", PAGES)
def test_focus_stays_where_a_shortcut_was_pressed(page: Page, host: Host, name: str) -> None:
    """The buttons are drawn anew for every setting; the reader must not be thrown to the top of the page."""
    page.goto(f"{host.address}{name}.html")
    for id_ in page.locator("gpu-lab-widget").evaluate_all("all => all.map((one) => one.id)"):
        buttons = page.locator(f'#{id_} [data-part="shortcuts"] button')
        for at in range(buttons.count()):
            label = buttons.nth(at).text_content()
            buttons.nth(at).focus()
            page.keyboard.press("Enter")
            expect(buttons.nth(at)).to_be_focused()
            assert buttons.nth(at).text_content() == label


@pytest.mark.parametrize("name", PAGES)
def test_every_figure_says_one_thing_a_step(page: Page, host: Host, name: str) -> None:
    page.goto(f"{host.address}{name}.html")
    page.evaluate("""() => {
        window.heard = [];
        const live = '[aria-live="polite"], [aria-live="assertive"], [role="status"], [role="alert"], '
            + 'output:not([aria-live="off"])';
        for (const region of document.querySelectorAll(live)) {
            new MutationObserver(() => window.heard.push(region.dataset.slot ?? region.tagName))
                .observe(region, {childList: true, characterData: true, subtree: true});
        }
    }""")
    for id_ in figures(page):
        figure = WidgetOnPage(page, id_)
        figure.press("next")
        figure.is_at(2)
        assert page.evaluate("heard.splice(0)") == ["say"], id_
        assert len(f"{figure.slot('say').text_content()}") <= 250, id_
