"""A chapter links each word of the glossary where it first uses it."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("01-reuse.md", "02-programs.md", "03-kernel.md", "04-order.md", "05-measure.md")
CHAPTERS = [ROOT / "chapters" / name for name in NAMES]
# How a word stands in a text, where that is not its heading with or without an s. M, N and K are letters of every line.
WRITTEN = {
    "sizes": None,
    "tile-widths": r"\bBM\b",
    "group-m": r"\bGROUP_M\b",
    "tile": r"\btiles?\b(?! it)",
    "half-open-range": r"\bhalf-open\b",
    "separate-output-algorithm": r"\bseparate outputs?\b",
    "cache-miss": r"\b(?:cache miss|miss(?:es)?\b|miss rate)",
}
OTHERWISE = {("03-kernel", "block")}  # there a block is a piece of a vector


def headings() -> dict[str, str | None]:
    """Every word of the glossary by its place: the regular expression of how it is written."""
    text = (ROOT / "chapters" / "glossary.md").read_text(encoding="utf-8")
    found: dict[str, str | None] = {}
    for words, place in re.findall(r"^## (.*?)(?: \{#([a-z-]+)\})?$", text, re.MULTILINE):
        slug = place or re.sub(r"[^a-z0-9]+", "-", words.lower())
        found[slug] = WRITTEN.get(slug, rf"\b{re.escape(words)}s?\b")
    return found


def prose(chapter: Path) -> str:
    """A chapter's own sentences: no headings, figures, code, exercises, or teacher's notes."""
    text = chapter.read_text(encoding="utf-8").split("---\n", 2)[2].partition("```teacher\n")[0]
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]*`", "", text)


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
def test_the_first_use_of_a_word_is_a_link_to_the_glossary(chapter: Path):
    introduction, _, text = prose(chapter).partition("\n## ")  # which may name what is explained later
    text = re.sub(r"^#.*$", "", text.partition("\n")[2], flags=re.MULTILINE)
    missing = []
    for slug, written in headings().items():
        if f"](glossary.md#{slug})" in introduction or (chapter.stem, slug) in OTHERWISE:
            continue
        link = re.search(rf"\[[^\]]*\]\(glossary\.md#{slug}\)", text)
        before = re.sub(r"\[[^\]]*\]\([^)]*\)", "", text[: link.start()] if link else text)
        used = written and re.search(written, before, re.IGNORECASE)
        if used:
            missing.append(f"{slug}: …{before[max(0, used.start() - 40) : used.end() + 20]}…")
    assert not missing, "\n".join(missing)
