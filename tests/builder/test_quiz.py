"""The quiz fence: answers with their reasons, and an author's mistakes."""

import re
from pathlib import Path

import pytest

from builder.mistakes import Mistakes
from builder.model import lab_model
from builder.quiz import quiz_html
from lab.page import wrong_answers

GOOD = "How many?\n+ sim:tiled_loads?n=4&tile=2 | Two & two.\n- 32 | Half.\n"


def quiz(body: str) -> tuple[str, Mistakes]:
    mistakes = Mistakes()
    return quiz_html(body, lab_model(), mistakes, "chapters/x.md", 7), mistakes


def test_answers_are_computed_and_escaped():
    html, mistakes = quiz(GOOD)
    assert not mistakes.found
    assert "<summary>64</summary>" in html
    assert '<p class="verdict-right"><strong>Right.</strong> Two &amp; two.</p>' in html
    assert '<p class="verdict-wrong"><strong>Not yet.</strong> Half.</p>' in html


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("+ 1 | yes\n- 2 | no\n", "quiz without a question given; allowed: a question line, then answers as"),
        ("How many?\n+ 1 | yes\n", "quiz without a wrong answer given"),
        ("How many?\n- 1 | no\n- 2 | no\n", "quiz without a right answer given"),
        ("How many?\n", "quiz without a right answer given"),
        ("How many?\n+ 1\n- 2 | no\n", "quiz answer '+ 1' given"),
        ("How many?\n+ 1\n- 2 | no\n", "chapters/x.md:7: "),
        ("How many?\n+ 1 | \n- 2 | no\n", "quiz answer '+ 1 |' given"),
        ("How many?\n+ 1 | yes\n- 1 | no\n", "quiz with the answer '1' twice given"),
        ("How many?\n+ sim:tile_flops?bm=32&bn=64&bk=32 | yes\n- 131072 | no\n", "the answer '131072' twice"),
        ("How many?\n+ sim:tiled_loads?n=4&tile=2 | yes\n- 64 | no\n", "with the answer '64' twice given"),
        ("How many?\n+ sim:nope?n=1 | yes\n- 2 | no\n", "quoted number: given “nope”"),
    ],
)
def test_an_authors_mistake_is_told_with_its_line(body, sentence):
    html, mistakes = quiz(body)
    assert html == ""
    assert any(sentence in str(found) for found in mistakes.found)


def test_what_follows_a_teacher_fence_is_folded(author):
    author.chapter(
        "Before.\n\n```teacher\n```\n\nNotes with [64](sim:tiled_loads?n=4&tile=2).\n\n"
        "```wrong-answers tile-walk n=4 tile=2\n```\n"
    )
    html = author.page("one.html")
    before, notes = html.split('<details class="notes teacher">')
    assert "Before." in before
    assert "Teacher’s notes" in notes
    assert "not divided" not in notes
    assert '<th scope="row">128</th><td>that is 2 · n³ undivided' in notes


def test_wrong_answers_stand_under_their_question_once_each() -> None:
    """Of the exit check: 6 is tiles of M rounded down, of N, rows and columns added, and outputs divided."""
    html = str(wrong_answers("exit-check", {}))
    captions = re.findall(r"<caption>(.*?) Likely wrong answers", html)
    assert captions == ["How many programs are there?", "How many K phases has each?", "Which dimensions need masks?"]
    programs = html.split("</table>")[0]
    assert re.findall(r'<th scope="row">(\d+)</th>', programs) == ["4", "6", "3", "35", "27", "8"]
    (six,) = re.findall(r'<th scope="row">6</th><td>(.*?)</td>', programs)
    assert [part.partition(" ")[0] for part in six.split("; or ")] == ["M", "N", "rows", "outputs"]
    assert six.endswith(".")


def chapters(root: Path) -> list[Path]:
    """The numbered chapters."""
    return sorted((root / "chapters").glob("[0-9][0-9]-*.md"))


def test_every_chapter_ends_with_a_teacher_s_notes_and_computed_wrong_answers(site_folder: Path, root: Path) -> None:
    for chapter in chapters(root):
        page = (site_folder / f"{chapter.stem[3:]}.html").read_text(encoding="utf-8")
        _, notes = page.split('<details class="notes teacher">')
        notes = notes[: notes.index("</article>")].partition('<details class="notes quoted"')[0]
        parts = ("Time", "On the board", "Where people trip")
        assert [part for part in parts if f"<strong>{part}.</strong>" not in notes] == [], chapter.name
        assert "Likely wrong answers, and what each means</caption>" in notes and notes.count("<td>") >= 4, chapter.name
        assert "<h2" not in notes and "<gpu-lab-widget" not in notes


def test_the_minutes_of_the_notes_add_up_to_those_that_the_chapter_names(root: Path) -> None:
    for chapter in chapters(root):
        text = chapter.read_text(encoding="utf-8")
        (told,) = re.findall(r"\bAbout (\d+) minutes", text)
        (total, parts) = re.findall(r"^\*\*Time\.\*\* (\d+) minutes[^:]*:(.*)$", text, re.MULTILINE)[0]
        minutes = [int(each) for each in re.findall(r"\b\d+\b", parts)]
        assert int(told) == int(total) == sum(minutes), chapter.name
