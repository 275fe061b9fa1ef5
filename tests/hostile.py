"""Texts that are up to no good: markup, ends of quotes, odd characters, and a mark to search markup for."""

from hypothesis import strategies as st

MARK = "x-evil"
PIECES = (
    f"<{MARK}>",
    f"</{MARK}",
    f"<{MARK} onerror=alert(1)",
    f'"{MARK}=1',
    f"'{MARK}=1",
    f'" {MARK}="',
    f"</textarea><{MARK}>",
    f"</title></script><{MARK}>",
    f"<svg/{MARK}>",
    f"<!--<{MARK}-->",
    f"]]><{MARK}>",
    "<img src=x onerror=document.title=1>",
    "<script>document.title=2</script>",
    "javascript:alert(1)",
    "&lt;",
    "&",
    "%3C",
    "%",
    "\0",
    "\u202e",
    "\u2028",
    "\ufeff",
    "𝟜",
    "4",
    "-1",
    "−4",
    "1e9",
    "9" * 25,
    " ",
    "\n",
    "+",
    "=",
    "__proto__",
    "constructor",
)


def hostile_texts() -> st.SearchStrategy[str]:
    """Such pieces in any order, with anything between them."""
    return st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=4)), max_size=5).map("".join)
