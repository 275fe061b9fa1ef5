"""The A and B of a widget: an integer pattern, or what a person typed."""

from dataclasses import dataclass

from lab.controls import Choice, Control, Integer, MatrixText, Settings
from lab.figures import whole
from lab.markup import Html, number, plain, some, tag
from lab.problem import Problem
from sim.inputs import Operand, distinct_a, distinct_b, formula_a, formula_b, parse_matrix
from sim.matmul import Rows, matmul
from sim.words import later, say

PATTERNS = Choice(
    "inputs",
    later("inputs"),
    "formula",
    (
        ("formula", later("small repeating integers")),
        ("distinct", later("all different, not symmetric")),
    ),
)
SIZE = Integer("n", later("matrix size"), 4, 1, 64)
OWN: tuple[Control, ...] = (
    MatrixText("a", later("your A")),
    MatrixText("b", later("your B"), example="7 8\n9 10\n11 12"),
)
NAMES = {control.name: control.label for control in OWN}
OWN_NAMES = ("inputs", "a", "b")


@dataclass(frozen=True)
class Inputs:
    """A [M, K] and B [K, N]. ``pattern`` names where they come from: formula, distinct or own."""

    a: Operand
    b: Operand
    pattern: str

    @property
    def m(self) -> int:
        """Rows of A and of C."""
        return self.a.shape[0]

    @property
    def n(self) -> int:
        """Columns of B and of C."""
        return self.b.shape[1]

    @property
    def k(self) -> int:
        """Columns of A, rows of B."""
        return self.b.shape[0]

    def a_text(self, row: int, column: int) -> str:
        """A[row, column] as a page shows it."""
        return number(self.a.rows[row][column], self.a.places)

    def b_text(self, row: int, column: int) -> str:
        """B[row, column] as a page shows it."""
        return number(self.b.rows[row][column], self.b.places)

    def a_text_of(self, value: int) -> str:
        """A value of A as a page shows it."""
        return number(value, self.a.places)

    def b_text_of(self, value: int) -> str:
        """A value of B as a page shows it."""
        return number(value, self.b.places)

    def c_text(self, value: int) -> str:
        """A product or a sum of products as a page shows it."""
        return number(value, self.a.places + self.b.places)

    def c_plain(self, value: int) -> str:
        """The same without separators, to compare with what was typed."""
        return plain(value, self.a.places + self.b.places)


def read_inputs(settings: Settings) -> Inputs:
    """The matrices that settings ask for. Raises Problem when typed ones do not fit together."""
    if not settings["a"] and not settings["b"]:
        return pattern_inputs(settings["inputs"], int(settings["n"]))
    for name, other in (("a", "b"), ("b", "a")):
        if not settings[name]:
            sentence = say(
                "{what}: given nothing beside {other}; allowed: both matrices, or neither",
                what=say(NAMES[name]),
                other=say(NAMES[other]),
            )
            raise Problem(sentence, name)
    a, b = (_typed(settings[name], name) for name in ("a", "b"))
    if a.shape[1] != b.shape[0]:
        raise Problem(_misfit(a, b), "b")
    return Inputs(a, b, "own")


def pattern_inputs(pattern: str, n: int) -> Inputs:
    """The n × n matrices of an integer pattern, formula or distinct."""
    make_a, make_b = (formula_a, formula_b) if pattern == "formula" else (distinct_a, distinct_b)
    return Inputs(Operand(make_a(n, n)), Operand(make_b(n, n)), pattern)


def _typed(text: str, name: str) -> Operand:
    try:
        return parse_matrix(text, say(NAMES[name]))
    except ValueError as problem:
        raise Problem(str(problem), name) from None


def _misfit(a: Operand, b: Operand) -> str:
    given = some(b.shape[0], "row")
    shapes = say("A is [{m}, {k}], B is [{rows}, {n}]", m=a.shape[0], k=a.shape[1], rows=b.shape[0], n=b.shape[1])
    if a.shape[0] == b.shape[1]:
        hint = say("were the inner lists meant as columns? Each line here is a row")
        shapes = say("{shapes}; {hint}", shapes=shapes, hint=hint)
    return say(
        "your B: given {given}; allowed: {k}, as many as your A has columns ({shapes})",
        given=given,
        k=a.shape[1],
        shapes=shapes,
    )


def note(inputs: Inputs) -> str:
    """What to know about where the numbers come from, or nothing."""
    if inputs.pattern != "own":
        return ""
    return say(
        "Your own matrices: A [{m}, {k}], B [{k}, {n}], each line one row. The matrix size above is not used.",
        m=inputs.m,
        k=inputs.k,
        n=inputs.n,
    )


def inputs_panel(inputs: Inputs) -> Html:
    """The complete A, B and C."""
    c = matmul(inputs.a.rows, inputs.b.rows)
    return tag(
        "div",
        whole("A", _texts(inputs.a.rows, inputs.a.places)),
        whole("B", _texts(inputs.b.rows, inputs.b.places)),
        whole("C", _texts(c, inputs.a.places + inputs.b.places), "= A @ B"),
        class_="wholes",
    )


def _texts(rows: Rows, places: int) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(number(value, places) for value in row) for row in rows)
