"""The numbers in the prose of chapters 1 and 2: each is quoted from `sim` or a result, or is given and not derived.

What a build computes again stands in a `sim:` or `result:` link. Left over are sizes that the text chooses, names,
formulas, and the phrases below, none of which is the outcome of a calculation.
"""

import re
from pathlib import Path

import pytest

LINK = re.compile(r"\[(?:[^\[\]]|\[(?:[^\[\]]|\[[^\]]*\])*\])*\]\((?:sim|result):[^)\s]*\)")
GIVEN = (
    r"\b(?:n|T|M|N|K|BM|BN|BK|inner) = \d+(?:, \d+)*\b",  # sizes that are chosen
    r"\[GROUP_M\]\([^)]*\) = 1\b",
    r"\b\d+ × \d+\b",
    r"\b\d+³ product",
    r"\bC\[\d,\d\]|\btile \(\d,\d\)|\b[Rr]ow \d|\bphase \d|\b[Cc]hapter \d",  # places
    r"\bfloat\d+\b|\bH200\b",
    r"\d?n[²³](?:/T)?|\d?T²|\b2n\b|\b1/T\b|\bK - 1\b|% \d - \d",  # formulas
    r"^\d\. ",
    r"About \d+ minutes",
)
PHRASES = {
    "01-reuse.md": ["Idea 1:", "Idea 2:", "each shared by 2 outputs"],
    "02-programs.md": [
        "A = [[1, 2, 3], [4, 5, 6]]",
        "B = [[7, 8], [9, 10], [11, 12]]",
        "a size of 7 into tiles of 3",
        "their lengths add up to 7",
        "holds 0 instead, and 0 adds nothing",
        "must be 0 and not, say, 1",
        "tiles of 2, 4 and 2",
        "a real tile is 2, 4, 8 … wide",
        "both fill with 0",
        "it must hold 0",
    ],
}


def left_over(text: str, phrases: list[str]) -> list[str]:
    """Numbers of a chapter that are neither quoted nor given, with the words around them."""
    text = re.sub(r"^```.*?^```$", "", text.partition("\n---\n")[2], flags=re.MULTILINE | re.DOTALL)
    text = LINK.sub("", re.sub(r"^\*\*Time\.\*\*.*$", "", text, flags=re.MULTILINE))  # test_quiz adds the minutes up
    for phrase in phrases:
        text = text.replace(phrase, "")
    for pattern in GIVEN:
        text = re.sub(pattern, "", text, flags=re.MULTILINE)
    text = re.sub(r"\]\([^)]*\)|\{#[^}]*\}|`[^`]*`", "", text)
    return re.findall(r".{0,30}\d.{0,20}", text)


@pytest.mark.parametrize("name", PHRASES)
def test_every_number_in_the_prose_is_quoted_or_given(root: Path, name: str) -> None:
    assert left_over((root / "chapters" / name).read_text(encoding="utf-8"), PHRASES[name]) == []


@pytest.mark.parametrize("name", PHRASES)
def test_every_phrase_is_still_there(root: Path, name: str) -> None:
    text = (root / "chapters" / name).read_text(encoding="utf-8")
    assert [phrase for phrase in PHRASES[name] if phrase not in text] == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("All of C takes 64 input loads.", True),
        ("All of C takes [64](sim:tiled_loads?n=4&tile=2) input loads.", False),
        ("C is [[[58, 64], [139, 154]]](sim:toy_c?).", False),
        ("With n = 4 and T = 1, 2, 4 it is 32.", True),
        ("With n = 4 and T = 1, 2, 4 it is less.", False),
        ("See [tiles](glossary.md#tile-2), `a[0]` and row 3.", False),
        ("Twice that is 2n³/T, or 250.", True),
    ],
)
def test_a_typed_number_is_found(text: str, found: bool) -> None:
    assert bool(left_over(f"---\ntitle: X\n---\n{text}\n", [])) == found
