"""What the checker talks about: a case, a wrong model, an exercise, a verdict. Frozen, without the reader's objects."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Rows = tuple[tuple[Any, ...], ...]


@dataclass(frozen=True)
class Case:
    """One call: the arguments in the order of the parameters (matrices as tuples of rows) and the right result."""

    arguments: tuple[Any, ...]
    expected: Rows


@dataclass(frozen=True)
class Named:
    """A mistake that was recognised: its short name and the sentence that says what happened."""

    name: str
    sentence: str


@dataclass(frozen=True)
class Wrong:
    """A well-known mistake as a model.

    ``run`` takes the arguments (matrices as lists) and answers, or raises, as the mistake would.
    ``sentence`` gets the case and the mistaken rows (None where there are none) and says what happened.
    """

    name: str
    sentence: Callable[[Case, Rows | None], str]
    run: Callable[..., Any]


@dataclass(frozen=True)
class Exercise:
    """One exercise: what the reader sees (``starter``, ``hints``, ``solution`` are texts) and how it is judged.

    ``name`` is also the name of the function and ``result`` the name of what it returns. ``pairs`` says that a
    row of the result is a (start, stop) pair, which may be a tuple. ``cases`` gives the calls, the smallest
    first, ``wrongs`` the models of well-known mistakes.
    """

    name: str
    title: str
    parameters: tuple[str, ...]
    task: str
    starter: str
    hints: tuple[str, ...]
    solution: str
    result: str
    pairs: bool
    cases: Callable[[], tuple[Case, ...]]
    wrongs: Callable[[], tuple[Wrong, ...]]

    @property
    def signature(self) -> str:
        """``matmul(a, b)``."""
        return f"{self.name}({', '.join(self.parameters)})"


@dataclass(frozen=True)
class Verdict:
    """What the checker found.

    ``kind`` is one of: passed, syntax, name, error, steps, type, changed, shape, value. ``sentence`` says
    what happened; ``case`` is the smallest failing case and ``number`` its place from 1 among ``total``
    (None and 0 when no case was run). ``expected`` and ``got`` are the results as text, ``got_rows`` is the
    reader's as tuples where it is rows of numbers. ``mistakes`` are the known mistakes that give this answer:
    more than one are not told apart. ``sure`` says that they agree with the reader's answers in every case,
    not in this one only. ``line`` counts from 1 in the reader's text (None when no line is to blame).
    ``printed`` is what the code printed while it was loaded and in this case (in all cases when it passed),
    each cut off after 2,000 characters.
    """

    exercise: str
    passed: bool
    kind: str
    sentence: str
    total: int
    number: int = 0
    parameters: tuple[str, ...] = ()
    case: Case | None = None
    expected: str = ""
    got: str = ""
    got_rows: Rows | None = None
    mistakes: tuple[Named, ...] = ()
    sure: bool = False
    line: int | None = None
    line_text: str = ""
    printed: str = ""

    @property
    def naming(self) -> str:
        """One sentence on the mistake; empty where the verdict needs none."""
        if self.kind not in ("value", "shape", "error") or not self.case:
            return ""
        if len(self.mistakes) == 1 and self.mistakes[0].sentence in self.sentence:
            return ""
        return naming(self.mistakes, self.sure, quiet=self.kind == "error")

    def words(self) -> str:
        """The whole verdict as lines of text, for a terminal."""
        lines = [self.sentence]
        if self.case and not self.passed:
            given = zip(self.parameters, self.case.arguments, strict=True)
            lines.append(f"Case {self.number} of {self.total}, the smallest that fails:")
            lines += [f"  {name} = {shown(value)}" for name, value in given]
            lines.append(f"  expected: {self.expected}")
            lines += [f"  got:      {self.got}"] if self.got else []
        lines += [self.naming] if self.naming else []
        if self.printed:
            lines += ["Your code printed:", *(f"  {line}" for line in self.printed.splitlines())]
        return "\n".join(lines)


def naming(mistakes: tuple[Named, ...], sure: bool, quiet: bool = False) -> str:
    """One sentence on the mistakes that give the reader's answers; with ``quiet`` none when there are none."""
    if not mistakes:
        return "" if quiet else "No mistake that this checker knows gives this answer."
    told = [f"“{mistake.name}”: {mistake.sentence}" for mistake in mistakes]
    agree = "gives exactly these answers" if sure else "gives this answer here, though not in every case"
    if len(told) == 1:
        return f"A known mistake {agree}, {told[0]}."
    return f"{len(told)} known mistakes cannot be told apart by these answers: {'; or '.join(told)}."


LONGEST = 400
ADDRESS = re.compile(r" at 0x[0-9A-Fa-f]+")


def shown(value: object, depth: int = 2) -> str:
    """A value as the reader would type it, tuples down to ``depth`` as lists; no addresses, at most 400 characters."""
    try:
        text = _text(value, depth)
    except BaseException:  # a value of the reader's, with a text of its own that fails or never ends
        text = f"a value of type {type(value).__name__} that cannot be shown"
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _text(value: object, depth: int) -> str:
    if depth and isinstance(value, tuple):
        return "[" + ", ".join(_text(item, depth - 1) for item in value) + "]"
    return ADDRESS.sub("", repr(value))
