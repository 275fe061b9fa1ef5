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
from sim.words import later, say

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
                say("Cases"),
                (
                    Shortcut(say("New case"), {"case": str(following)}),
                    Shortcut(say("First case"), {"case": "0"}, index == 0),
                ),
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
        say("{n} × {n} matrices in tiles of two widths", n=n),
        (say("tile width"), say("input loads for all of C"), say("K phases of a tile")),
        rows,
    )
    return Frame(join(table, _comparison(n, first, second) if step == 3 else None), _say(n, first, second, step))


def _say(n: int, first: int, second: int, step: int) -> str:
    loads = square_loads(n, first), square_loads(n, second)
    if step == 0:
        return say(
            "{n} × {n} matrices: T = {first} against T = {second}. Predict, then step.", n=n, first=first, second=second
        )
    if step < 3:
        width = (first, second)[step - 1]
        return say("T = {width} loads {loads} inputs for all of C.", width=width, loads=number(loads[step - 1]))
    return say(
        "{first} loads against {second}, and C is the same: "
        "every output adds the same {n} products, in the same order of k.",
        first=number(loads[0]),
        second=number(loads[1]),
        n=n,
    )


def _comparison(n: int, first: int, second: int) -> Html:
    results = _results(n, first, second)
    same = _differences(*results)
    return tag(
        "div",
        numbers(
            (say("outputs of C that differ"), say("{some} of {all}", some=same, all=n * n)),
            (say("first row of C, T = {width}", width=first), _row(results[0])),
            (say("first row of C, T = {width}", width=second), _row(results[1])),
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
    if n % width == 0:
        why = say("2 · {n}³ / {width} = {loads}.", n=n, width=width, loads=number(right))
    else:
        why = say(
            "{width} does not divide {n}: every element is loaded {times}, {sum}.",
            width=width,
            n=n,
            times=some(tiling.tiles_n, "time"),
            sum=f"2 · {n * n} · {tiling.tiles_n} = {number(right)}",
        )
    mistakes = tuple((str(mistake.value), mistake) for mistake in load_mistakes(tiling))
    return Ask(name, say("input loads with T = {width}?", width=width), str(right), why, mistakes)


def _changes(n: int, first: int, second: int) -> Ask:
    differ = _differences(*_results(n, first, second))
    belief = Mistake(
        "tile width changes C",
        1,
        say("the width of a tile decides who loads an input, not which products an output adds"),
    )
    why = say(
        "{some} of {all} outputs differ between T = {first} and T = {second}.",
        some=differ,
        all=n * n,
        first=first,
        second=second,
    )
    return Ask(
        "changes",
        say("does C change?"),
        "yes" if differ else "no",
        why,
        (("yes", belief),),
        (("yes", say("yes")), ("no", say("no"))),
    )


WIDGET = Widget(
    name="new-case",
    title=later("A case you have not seen"),
    question=later("Predict the loads for both tile widths, and whether C changes. Then run it."),
    controls=(Integer("case", later("case number"), 0, 0, MOST),),
    assumptions=(
        later("The matrices hold all different integers, so that a wrong order or a lost product would show."),
        later("Integers add up to the same sum in any order. Floating-point sums can differ in the last digits."),
        later("Counted are explicit input loads; not memory transactions and not time."),
    ),
    scene=scene,
    listed=tuple({"case": str(index)} for index in range(LISTED)),
)
