"""The builder's door to `lab`: the four questions that a build asks it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Model:
    """What `lab` answers. Each call raises lab.problem.Problem for an author's mistake.

    `element(widget, settings, id)` gives a widget's HTML; `listed(widget, settings)` its prepared
    views by key, those of the settings that a page opens with among them;
    `wrong_answers(widget, settings)` a table of likely wrong answers;
    `quote(expression)` a quoted number's text; `checked_by(expression)` what checked it.
    """

    element: Callable[[str, dict[str, str], str], str]
    listed: Callable[[str, Sequence[dict[str, str]]], Mapping[str, Any]]
    wrong_answers: Callable[[str, dict[str, str]], str]
    quote: Callable[[str], str]
    checked_by: Callable[[str], str]


def lab_model() -> Model:
    """The model of the repository's own `lab`."""
    from lab import page, quotes

    return Model(page.element, page.listed, page.wrong_answers, quotes.quote, quotes.checked_by)
