"""The quiz fence: a question, its answers, and a sentence for each of them. Readable and answerable without a script.

    ```quiz
    How many inputs does one phase load for n = 4 and T = 2?
    + sim:phase_loads?n=4&tile=2 | Two tiles of four elements.
    - 4 | That is one tile; A and B are both loaded.
    ```

Lines that start with + are right, with - wrong. An answer that starts with ``sim:`` is computed by the model.
"""

from dataclasses import dataclass

from markupsafe import Markup

from builder.mistakes import Mistakes
from builder.model import Model
from lab.problem import Problem
from sim.words import say

ALLOWED = "a question line, then answers as + RIGHT | WHY and - WRONG | WHY, at least one of each"


@dataclass(frozen=True)
class Answer:
    """One answer: its text, whether it is right, and why or why not."""

    text: str
    right: bool
    why: str


def quiz_html(body: str, model: Model, mistakes: Mistakes, file: str, line: int) -> str:
    """The quiz of a fence's body, or nothing and a note of what is wrong with it."""
    lines = [text.strip() for text in body.splitlines() if text.strip()]
    question = " ".join(text for text in lines if text[0] not in "+-")
    answers = [_answer(text, model, mistakes, file, line) for text in lines if text[0] in "+-"]
    found = [answer for answer in answers if answer]
    if len(found) < len(answers):
        return ""
    wrong = _wrong_with(question, found)
    if wrong:
        mistakes.add(file, line, f"quiz {wrong} given; allowed: {ALLOWED}, all different")
        return ""
    shown = Markup("").join(_answer_html(answer) for answer in found)
    return Markup('<div class="quiz" role="group" aria-label="{}"><p class="quiz-question">{}</p>{}</div>').format(
        say("Question"), question, shown
    )


def _wrong_with(question: str, answers: list[Answer]) -> str:
    """What a quiz lacks, in words, or nothing. 131072 and 131,072 are one answer."""
    if not question:
        return "without a question"
    for right, kind in ((True, "right"), (False, "wrong")):
        if not [answer for answer in answers if answer.right == right]:
            return f"without a {kind} answer"
    texts = [answer.text.replace(",", "") for answer in answers]
    twice = [answer.text for answer, text in zip(answers, texts, strict=True) if texts.count(text) > 1]
    return f"with the answer {twice[-1]!r} twice" if twice else ""


def _answer(text: str, model: Model, mistakes: Mistakes, file: str, line: int) -> Answer | None:
    answer, bar, why = text[1:].partition("|")
    answer, why = answer.strip(), why.strip()
    if not (answer and bar and why):
        mistakes.add(file, line, f"quiz answer {text!r} given; allowed: {ALLOWED}")
        return None
    if answer.startswith("sim:"):
        try:
            answer = model.quote(answer.removeprefix("sim:"))
        except Problem as problem:
            mistakes.add(file, line, problem.sentence)
            return None
    return Answer(answer, text[0] == "+", why)


def _answer_html(answer: Answer) -> Markup:
    word, kind = (say("Right."), "right") if answer.right else (say("Not yet."), "wrong")
    return Markup(
        '<details class="quiz-answer"><summary>{}</summary><p class="verdict-{}"><strong>{}</strong> {}</p></details>'
    ).format(answer.text, kind, word, answer.why)
