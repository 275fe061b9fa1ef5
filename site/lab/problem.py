"""A mistake of a reader or an author, told in one sentence."""

from sim.words import say


class Problem(Exception):
    """Says where, what was given and what is allowed. ``field`` names the control it belongs to, if one."""

    def __init__(self, sentence: str, field: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.field = field


def given(what: str, value: str, allowed: str, field: str = "") -> Problem:
    """The house's form of such a sentence: ``matrix size: given “3.5”; allowed: a whole number from 1 to 64``."""
    shown = f"“{value[:40]}”" if value.strip() else say("nothing")
    return Problem(say("{what}: given {shown}; allowed: {allowed}", what=what, shown=shown, allowed=allowed), field)
