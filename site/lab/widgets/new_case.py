"""`new-case`: two tile widths for one product; predict the loads of both, and whether C changes."""

from lab.controls import Integer
from lab.figures import facts, numbers
from lab.markup import Html, join, number, some, tag
from lab.operands import pattern_inputs
from lab.programs import product_program
from lab.widget import Ask, Frame, Scene, Shortcut, Widget
from sim.cost import square_loads
from sim.inputs import distinct_a, distinct_b, fresh_case
from sim.matmul import Rows
from sim.mistakes import Mistake, load_mistakes
from sim.tiling import square
from sim.trace import tiled_matmul

LISTED = 8
MOST = 100_000


def scene(settings: dict[str, str]) -> Scene:
    """Four frames: the question, the first count, the second, and the comparison of both results."""
    index = int(settings["case"])
    n, first, second = fresh_case(index)
    following = index + 1 if index < MOST else 0
    return Scene(
        settings=settings,
        count=4,
        frame=lambda step: _frame(n, first, second, step),
        asks=(_loads(n, first, "first"), _loads(n, second, "second"), _changes(n, first, second)),
        program=product_program(pattern_inputs("distinct", n)),
        shortcuts=(
            (
                "Cases",
                (Shortcut("New case", {"case": str(following)}), Shortcut("First case", {"case": "0"}, index == 0)),
            ),
        ),
    )


def _frame(n: int, first: int, second: int, step: int) -> Frame:
    rows = [
        (
            "now" if step == order else "",
            (
                f"T = {width}",
                number(square_loads(n, width)) if step >= order else "?",
                some(square(n, width).k_phases, "phase") if step >= order else "?",
            ),
        )
        for order, width in ((1, first), (2, second))
    ]
    table = facts(
        f"{n} × {n} matrices in tiles of two widths",
        ("tile width", "input loads for all of C", "K phases of a tile"),
        rows,
    )
    return Frame(join(table, _comparison(n, first, second) if step == 3 else None), _say(n, first, second, step))


def _say(n: int, first: int, second: int, step: int) -> str:
    loads = square_loads(n, first), square_loads(n, second)
    if step == 0:
        return f"{n} × {n} matrices: T = {first} against T = {second}. Predict, then step."
    if step < 3:
        width = (first, second)[step - 1]
        return f"T = {width} loads {number(loads[step - 1])} inputs for all of C."
    return (
        f"{number(loads[0])} loads against {number(loads[1])}, and C is the same: every output adds "
        f"the same {n} products, in the same order of k."
    )


def _comparison(n: int, first: int, second: int) -> Html:
    results = _results(n, first, second)
    same = _differences(*results)
    return tag(
        "div",
        numbers(
            ("outputs of C that differ", f"{same} of {n * n}"),
            ("first row of C, T = " + str(first), _row(results[0])),
            ("first row of C, T = " + str(second), _row(results[1])),
        ),
    )


def _results(n: int, first: int, second: int) -> tuple[Rows, Rows]:
    a, b = distinct_a(n, n), distinct_b(n, n)
    return tiled_matmul(a, b, square(n, first)), tiled_matmul(a, b, square(n, second))


def _differences(left: Rows, right: Rows) -> int:
    return len([1 for p, q in zip(left, right, strict=True) for x, y in zip(p, q, strict=True) if x != y])


def _row(rows: Rows) -> str:
    shown = ", ".join(str(value) for value in rows[0][:4])
    return f"{shown}, …" if len(rows[0]) > 4 else shown


def _loads(n: int, width: int, name: str) -> Ask:
    tiling = square(n, width)
    right = square_loads(n, width)
    why = (
        f"2 · {n}³ / {width} = {number(right)}."
        if n % width == 0
        else f"{width} does not divide {n}: every element is loaded {some(tiling.tiles_n, 'time')}, "
        f"2 · {n * n} · {tiling.tiles_n} = {number(right)}."
    )
    mistakes = tuple((str(mistake.value), mistake) for mistake in load_mistakes(tiling))
    return Ask(name, f"input loads with T = {width}?", str(right), why, mistakes)


def _changes(n: int, first: int, second: int) -> Ask:
    differ = _differences(*_results(n, first, second))
    belief = Mistake(
        "tile width changes C", 1, "the width of a tile decides who loads an input, not which products an output adds"
    )
    return Ask(
        "changes",
        "does C change?",
        "yes" if differ else "no",
        f"{differ} of {n * n} outputs differ between T = {first} and T = {second}.",
        (("yes", belief),),
        (("yes", "yes"), ("no", "no")),
    )


WIDGET = Widget(
    name="new-case",
    title="A case you have not seen",
    question="Predict the loads for both tile widths, and whether C changes. Then run it.",
    controls=(Integer("case", "case number", 0, 0, MOST),),
    assumptions=(
        "The matrices hold all different integers, so that a wrong order or a lost product would show.",
        "Integers add up to the same sum in any order. Floating-point sums can differ in the last digits.",
        "Counted are explicit input loads; not memory transactions and not time.",
    ),
    scene=scene,
    listed=tuple({"case": str(index)} for index in range(LISTED)),
)
