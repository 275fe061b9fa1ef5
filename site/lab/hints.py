"""What an exercise gives away, one step at a time: hints from gentle to plain, and a solution, all folded."""

from collections.abc import Sequence

from lab.markup import Html, join, tag


def hints_panel(hints: Sequence[str], solution: str) -> Html:
    """Each hint in a fold of its own, the solution in the last."""
    folds = (tag("details", tag("summary", f"Hint {number}"), tag("p", hint)) for number, hint in enumerate(hints, 1))
    code = tag("code", solution)
    listing = tag("pre", code, class_="highlight", tabindex="0", role="group", aria_label="A solution")
    return join(*folds, tag("details", tag("summary", "A solution"), tag("div", listing, class_="code")))
