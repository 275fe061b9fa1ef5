"""The quiz fence: answers with their reasons, and an author's mistakes."""

import pytest

from builder.mistakes import Mistakes
from builder.model import lab_model
from builder.quiz import quiz_html

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
        ("+ 1 | yes\n- 2 | no\n", "quiz with 2 answers given"),
        ("How many?\n+ 1 | yes\n", "quiz with 1 answers given"),
        ("How many?\n+ 1\n- 2 | no\n", "quiz answer '+ 1' given"),
        ("How many?\n+ 1 | yes\n- 1 | no\n", "all different"),
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
    before, notes = html.split('<details class="notes">')
    assert "Before." in before
    assert "Teacher’s notes" in notes
    assert "not divided" not in notes
    assert "<td>128</td><td>that is 2 · n³ undivided" in notes
