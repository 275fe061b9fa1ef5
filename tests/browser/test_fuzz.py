"""Ten thousand hostile addresses: each is read without a script error, and nothing of it becomes markup."""

from urllib.parse import quote

from hypothesis import HealthCheck, given
from hypothesis import settings as how
from hypothesis import strategies as st
from playwright.sync_api import Page

from tests.hostile import MARK, hostile_texts

AT_ONCE = 200
NAMES = ("n", "tile", "i", "j", "inputs", "a", "b", "step", "source", "__proto__", "")

# The address itself cannot be written so often: browsers limit that. Python is not asked here: see tests/lab.
READ_JS = """(queries) => {
  gpuLabPython.ask = () => new Promise(() => {});
  const read = gpuLabAddress.read;
  const widgets = [...document.querySelectorAll("gpu-lab-widget")];
  const troubles = [];
  for (const query of queries) {
    gpuLabAddress.read = (id) => read(id, query);
    for (const widget of widgets) {
      try {
        widget.fromAddress();
      } catch (error) {
        troubles.push([query, String(error)]);
      }
      const { count } = widget.view;
      if (!(widget.at >= 0 && widget.at < count)) troubles.push([query, `at step ${widget.at} of ${count}`]);
    }
    const found = document.querySelector("MARK, [onerror], [MARK], gpu-lab-widget img, gpu-lab-widget script");
    if (found) troubles.push([query, found.outerHTML]);
  }
  gpuLabAddress.read = read;
  return troubles;
}""".replace("MARK", MARK)


def raw_or_quoted(text: str) -> st.SearchStrategy[str]:
    """As a link would hold it, or as somebody typed it."""
    return st.sampled_from([quote(text, errors="replace"), text])


def queries() -> st.SearchStrategy[str]:
    """Addresses' queries with names that there are and are not, doubled, half, or not at all."""
    widget = st.sampled_from(["dot-product", "tile-walk", "load-count", MARK, ""])
    value = st.one_of(hostile_texts(), st.sampled_from(["4", "5", "8", "64", "65"])).flatmap(raw_or_quoted)
    pair = st.tuples(widget, st.sampled_from(NAMES), value).map(lambda part: f"{part[0]}.{part[1]}={part[2]}")
    return st.lists(st.one_of(pair, pair, hostile_texts()), max_size=4).map(lambda parts: "?" + "&".join(parts))


def test_ten_thousand_hostile_addresses(chapter: Page) -> None:
    asked = 0

    @how(max_examples=10_000 // AT_ONCE, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(queries(), min_size=AT_ONCE, max_size=AT_ONCE))
    def read(some: list[str]) -> None:
        nonlocal asked
        asked += len(some)
        assert chapter.evaluate(READ_JS, some) == []

    read()
    assert asked >= 10_000
    assert chapter.title().startswith("How can")
