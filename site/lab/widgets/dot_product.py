"""`dot-product`: a row of A meets a column of B, one product a step."""

from lab.controls import Integer
from lab.figures import MOST_DRAWN, Box, Grid, board, facts, map_of_tiles, numbers, visible
from lab.markup import Html, join, some
from lab.operands import OWN, OWN_NAMES, PATTERNS, SIZE, Inputs, inputs_panel, note, read_inputs
from lab.programs import product_program
from lab.widget import Ask, Frame, Scene, Shortcut, Widget, bounded
from sim.matmul import Product, products
from sim.mistakes import output_mistakes
from sim.words import later, say

LISTED_SIZES = (2, 4, 8)


def scene(settings: dict[str, str]) -> Scene:
    """One frame for each K index of C[row, column]."""
    inputs = read_inputs(settings)
    rows = say("C has {rows}, counted from 0", rows=some(inputs.m, "row"))
    columns = say("C has {columns}, counted from 0", columns=some(inputs.n, "column"))
    row = bounded(settings, "row", say("output row"), inputs.m - 1, rows)
    column = bounded(settings, "column", say("output column"), inputs.n - 1, columns)
    steps = products(inputs.a.rows, inputs.b.rows, row, column)
    return Scene(
        settings=settings,
        count=len(steps),
        frame=lambda step: _frame(inputs, row, column, steps, step),
        asks=(_ask(inputs, row, column, steps),),
        shortcuts=_shortcuts(settings, inputs),
        panels={"inputs": lambda: inputs_panel(inputs)},
        program=product_program(inputs),
        note=note(inputs),
    )


def _frame(inputs: Inputs, row: int, column: int, steps: tuple[Product, ...], step: int) -> Frame:
    now = steps[step]
    picture = _board(inputs, row, column, now)
    return Frame(
        join(picture, _figures(inputs, now, steps[-1]), _table(inputs, steps, step)),
        _say(inputs, row, column, now, steps),
    )


def _board(inputs: Inputs, row: int, column: int, now: Product) -> Html:
    name = f"{row},{column}"

    def a_class(r: int, k: int) -> str:
        return _mark(r == row, k, now.k)

    def b_class(k: int, c: int) -> str:
        return _mark(c == column, k, now.k)

    def c_value(r: int, c: int) -> str:
        return inputs.c_text(now.partial) if (r, c) == (row, column) else ""

    a = Grid("A", (inputs.m, inputs.k), inputs.a_text, a_class, say("row {row}", row=row))
    b = Grid("B", (inputs.k, inputs.n), inputs.b_text, b_class, say("column {column}", column=column))
    c = Grid(
        "C",
        (inputs.m, inputs.n),
        c_value,
        lambda r, c: "out now" if (r, c) == (row, column) else "blank",
        say("partial C[{name}]", name=name),
        lambda r, c: f"row={r}&column={c}",
    )
    drawn = (
        visible(inputs.m, (row, row + 1)),
        visible(inputs.n, (column, column + 1)),
        visible(inputs.k, (now.k, now.k + 1)),
    )
    large = max(inputs.m, inputs.n, inputs.k) > MOST_DRAWN
    return board(a, b, c, drawn, _map(inputs, row, column, now.k) if large else None)


def _mark(in_line: bool, k: int, now: int) -> str:
    if not in_line:
        return ""
    return "line now" if k == now else "line done" if k < now else "line"


def _map(inputs: Inputs, row: int, column: int, k: int) -> Html:
    rows, columns, inner = (row, row + 1), (column, column + 1), (k, k + 1)
    return map_of_tiles(
        inputs.m,
        inputs.n,
        inputs.k,
        (Box(rows, (0, inputs.k), "m-line"), Box(rows, inner, "m-now")),
        (Box((0, inputs.k), columns, "m-line"), Box(inner, columns, "m-now")),
        (Box(rows, columns, "m-now"),),
        say(
            "Row {row} of A and column {column} of B in the whole matrices; the pair at k = {k} is marked.",
            row=row,
            column=column,
            k=k,
        ),
    )


def _figures(inputs: Inputs, now: Product, last: Product) -> Html:
    return numbers(
        (say("selected A"), inputs.a_text_of(now.a)),
        (say("selected B"), inputs.b_text_of(now.b)),
        (say("product"), inputs.c_text(now.product)),
        (say("partial C"), inputs.c_text(now.partial)),
        (say("final C"), inputs.c_text(last.partial) if now is last else say("after the last product")),
    )


def _table(inputs: Inputs, steps: tuple[Product, ...], step: int) -> Html:
    around = visible(len(steps), (step, step + 1))
    rows = [
        ("gap", ("…", "", "", "", "")) if index is None else _row(inputs, steps[index], index, step) for index in around
    ]
    heads = ("k", say("A value"), say("B value"), say("product"), say("running sum"))
    return facts(say("The products of this output, in the order of k"), heads, rows)


def _row(inputs: Inputs, item: Product, index: int, step: int) -> tuple[str, tuple[str, ...]]:
    kind = "now" if index == step else "done" if index < step else "todo"
    reached = index <= step
    return kind, (
        str(item.k),
        inputs.a_text_of(item.a),
        inputs.b_text_of(item.b),
        inputs.c_text(item.product) if reached else "",
        inputs.c_text(item.partial) if reached else "",
    )


def _say(inputs: Inputs, row: int, column: int, now: Product, steps: tuple[Product, ...]) -> str:
    a, b = _factor(inputs.a_text_of(now.a)), _factor(inputs.b_text_of(now.b))
    pair = f"A[{row},{now.k}] × B[{now.k},{column}] = {a} × {b} = {inputs.c_text(now.product)}"
    told = {"k": str(now.k), "pair": pair, "output": f"C[{row},{column}]", "value": inputs.c_text(now.partial)}
    if now.k == len(steps) - 1:
        return say("k = {k}, the last: {pair}. {output} is complete: {value}.", **told)
    return say("k = {k}: {pair}. The running sum of {output} is {value}.", **told)


def _factor(shown: str) -> str:
    return f"({shown})" if shown.startswith("-") else shown


def _ask(inputs: Inputs, row: int, column: int, steps: tuple[Product, ...]) -> Ask:
    answer = inputs.c_plain(steps[-1].partial)
    if len(steps) <= 8:
        terms = " + ".join(_factor(inputs.c_text(step.product)) for step in steps)
        why = say("The products are {terms} = {total}.", terms=terms, total=inputs.c_text(steps[-1].partial))
    else:
        why = say("It is the sum of {n} products; step through them below.", n=len(steps))
    mistakes = tuple(
        (inputs.c_plain(mistake.value), mistake)
        for mistake in output_mistakes(inputs.a.rows, inputs.b.rows, row, column)
        if mistake.name != "added, not multiplied" or inputs.a.places == inputs.b.places == 0
    )
    return Ask("final", say("what is {output}?", output=f"C[{row},{column}]"), answer, why, mistakes)


def _shortcuts(settings: dict[str, str], inputs: Inputs) -> tuple[tuple[str, tuple[Shortcut, ...]], ...]:
    own = inputs.pattern == "own"
    sizes = tuple(
        Shortcut(
            f"{n} × {n}",
            {"n": str(n), "row": "0", "column": "0", "a": "", "b": ""},
            not own and settings["n"] == str(n),
        )
        for n in LISTED_SIZES
    )
    return ((say("Matrix size"), sizes),)


WIDGET = Widget(
    name="dot-product",
    title=later("One output: a row meets a column"),
    question=later("Before you step: which number will end up in the marked place of C?"),
    controls=(
        SIZE,
        Integer("row", later("output row"), 0, 0, 63),
        Integer("column", later("output column"), 0, 0, 63),
        PATTERNS,
        *OWN,
    ),
    assumptions=(
        later("All numbers are exact: small integers or short decimals, never rounded."),
        later("Every output loads its own row of A and its own column of B; nothing is kept for a neighbour."),
        later("There are no caches here, nothing happens at the same time as anything else, and no time passes."),
        later(
            "The order in which Next walks is for looking. A GPU works on many outputs at once, in an order of its own."
        ),
    ),
    scene=scene,
    listed=(
        *({"n": str(n), "inputs": pattern} for n in LISTED_SIZES for pattern in ("formula", "distinct")),
        {"n": "4", "row": "2", "column": "0"},
        {"n": "4", "row": "1", "column": "3", "inputs": "distinct"},
    ),
    panel_titles={"inputs": later("The complete A, B and C")},
    own_inputs=OWN_NAMES,
    picks=("row", "column"),
)
