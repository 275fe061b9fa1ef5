"""What the two kinds of exercise share: a text that is checked on request, staged hints and a solution, all folded."""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from lab.markup import Html, join, tag
from lab.widget import Frame, Scene

Verdict = TypeVar("Verdict")


class Task(Protocol):
    """What an exercise gives: a text to begin with, hints from gentle to plain, and a solution."""

    @property
    def starter(self) -> str: ...
    @property
    def hints(self) -> Sequence[str]: ...
    @property
    def solution(self) -> str: ...


def exercise_scene(
    settings: dict[str, str],
    task: Task,
    check: Callable[[str], Verdict],
    frame: Callable[[Verdict | None, str], Frame],
) -> Scene:
    """One frame: what the checker says of the reader's text. The starter as it stands is not checked."""
    source = settings["source"] or task.starter
    verdict = None if source.strip() == task.starter.strip() else check(source)
    return Scene(
        settings={**settings, "source": source},
        count=1,
        frame=lambda step: frame(verdict, source),
        panels={"hints": lambda: hints_panel(task.hints, task.solution)},
        unlinked=("name", "source"),
    )


def hints_panel(hints: Sequence[str], solution: str) -> Html:
    """Each hint in a fold of its own, the solution in the last."""
    folds = (tag("details", tag("summary", f"Hint {number}"), tag("p", hint)) for number, hint in enumerate(hints, 1))
    code = tag("code", solution)
    listing = tag("pre", code, class_="highlight", tabindex="0", role="group", aria_label="A solution")
    return join(*folds, tag("details", tag("summary", "A solution"), tag("div", listing, class_="code")))
