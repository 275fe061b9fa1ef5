"""`load-count`: input loads against tile width, as a chart and a table, and the reuse of one element."""

from lab.charts import Series, load_chart
from lab.controls import Choice, Integer
from lab.figures import facts, numbers
from lab.markup import Html, join, number, some, tag
from lab.widget import Ask, Frame, Scene, Shortcut, Widget, bounded
from sim.cost import (
    a_loads_of_element,
    b_loads_of_element,
    padded_slots,
    separate_loads,
    square_loads,
    tiled_loads,
    undivided_formula,
)
from sim.mistakes import load_mistakes
from sim.tiling import Tiling, square
from sim.words import later, say

MOST_WIDTHS = 64
LARGEST = 1_048_576
OTHERS = Choice(
    "compare",
    later("compare with"),
    "half",
    (
        ("none", later("no other size")),
        ("half", later("half and twice the size")),
        ("all", later("4, 8, 16, 32 and 64")),
    ),
)
SIDE = Choice("side", later("element of"), "a", (("a", later("A")), ("b", later("B"))))


def widths_of(n: int) -> tuple[int, ...]:
    """The tile widths drawn for a size: all of them for a small one, powers of two and n itself for a large one."""
    if n <= MOST_WIDTHS:
        return tuple(range(1, n + 1))
    powers = tuple(2**power for power in range(n.bit_length()) if 2**power <= n)
    return powers if powers[-1] == n else (*powers, n)


def scene(settings: dict[str, str]) -> Scene:
    """One frame for each tile width of an n × n product."""
    n = int(settings["n"])
    widths = widths_of(n)
    rows = say("the matrix has {rows}, counted from 0", rows=some(n, "row"))
    columns = say("the matrix has {columns}, counted from 0", columns=some(n, "column"))
    row = bounded(settings, "row", say("element row"), n - 1, rows)
    column = bounded(settings, "column", say("element column"), n - 1, columns)
    reason = say("1 to the matrix size, {n}", n=number(n))
    tile = bounded(settings, "tile", say("tile width to predict"), n, reason, low=1)
    return Scene(
        settings=settings,
        count=len(widths),
        frame=lambda step: _frame(settings, n, widths, step, row, column),
        asks=(_ask(n, tile),),
        shortcuts=_shortcuts(settings),
    )


def _frame(settings: dict[str, str], n: int, widths: tuple[int, ...], step: int, row: int, column: int) -> Frame:
    width = widths[step]
    tiling = square(n, width)
    body = join(
        _chart(n, settings["compare"], widths, step),
        _figures(tiling),
        _reuse(tiling, settings["side"], row, column),
        _table(n, widths, step),
    )
    return Frame(body, _say(tiling))


def _sizes(n: int, compare: str) -> tuple[int, ...]:
    if compare == "all":
        return tuple(sorted({4, 8, 16, 32, 64, n}))
    if compare == "half":
        return tuple(size for size in (n // 2, n, n * 2) if size)
    return (n,)


def _chart(n: int, compare: str, widths: tuple[int, ...], step: int) -> Html:
    """Other sizes stand there whole; this one appears as far as the reader has stepped."""
    lines = tuple(
        Series(
            f"n = {number(size)}",
            tuple((width, square_loads(size, width)) for width in widths_of(size)),
            shown=step + 1 if size == n else None,
        )
        for size in _sizes(n, compare)
    )
    caption = say(
        "Input loads for all of C against tile width, n = {n} up to T = {width}.",
        n=number(n),
        width=number(widths[step]),
    )
    return load_chart(lines, widths[step], caption)


def _figures(tiling: Tiling) -> Html:
    n, width = tiling.N, tiling.BN
    quotient, remainder = undivided_formula(n, width)
    formula = number(quotient) + (f" + {remainder}/{width}" if remainder else "")
    if n % width:
        formula = say("{formula} (does not hold: T does not divide n)", formula=formula)
    return numbers(
        (say("input loads for all of C"), number(tiled_loads(tiling))),
        ("2 · n³ / T", formula),
        (say("separate-output loads"), number(separate_loads(n, n, n))),
        (say("slots with padding"), number(padded_slots(tiling))),
    )


def _reuse(tiling: Tiling, side: str, row: int, column: int) -> Html:
    name = f"{side.upper()}[{row},{column}]"
    n = tiling.N
    outputs = some(n, "output")
    if side == "a":
        times = say("{n} (one for each column of tiles)", n=number(a_loads_of_element(tiling)))
        serves = say("row {row} of C: {outputs}", row=row, outputs=outputs)
    else:
        times = say("{n} (one for each row of tiles)", n=number(b_loads_of_element(tiling)))
        serves = say("column {column} of C: {outputs}", column=column, outputs=outputs)
    return tag(
        "div",
        tag("h4", say("The reuse of {name}", name=name)),
        numbers(
            (say("times it is loaded"), times),
            (say("products it serves"), number(n)),
            (say("products for each load"), _shares(n, tiling.BN)),
            (say("outputs it serves"), serves),
        ),
        class_="reuse",
    )


def _shares(n: int, width: int) -> str:
    """How many products each load of an element serves."""
    if n % width == 0:
        return say("{n} each", n=width)
    return say("{n} each, {rest} the last time", n=width, rest=n % width) if n > width else str(n)


def _table(n: int, widths: tuple[int, ...], step: int) -> Html:
    def row(index: int) -> tuple[str, tuple[str, ...]]:
        width = widths[index]
        kind = "now" if index == step else "done" if index < step else "todo"
        divides = say("yes") if n % width == 0 else say("no")
        counts = (number(square_loads(n, width)), divides, number(padded_slots(square(n, width))))
        return kind, (number(width), *(counts if index <= step else ("", divides, "")))

    table = facts(
        say("Input loads for all of C, n = {n}", n=number(n)),
        ("T", say("input loads"), say("T divides n"), say("slots with padding")),
        [row(index) for index in range(len(widths))],
    )
    if len(widths) <= 16:
        return table
    return tag("details", tag("summary", say("All {n} tile widths as a table", n=len(widths))), table)


def _say(tiling: Tiling) -> str:
    n, width = tiling.N, tiling.BN
    told = {"n": number(n), "width": number(width), "loads": number(tiled_loads(tiling))}
    if width == 1:
        return say("T = {width}: {loads} input loads. Every output loads its own row and column.", **told)
    if n % width == 0:
        return say("T = {width}: {loads} input loads, 1/{width} of the separate-output loads.", **told)
    return say(
        "T = {width} does not divide {n}: {loads} input loads, counted tile by tile; "
        "with padding there are {slots} slots.",
        slots=number(padded_slots(tiling)),
        **told,
    )


def _ask(n: int, tile: int) -> Ask:
    tiling = square(n, tile)
    right = tiled_loads(tiling)
    if n % tile == 0:
        why = say("2 · {n}³ / {width} = {loads}.", n=number(n), width=number(tile), loads=number(right))
    else:
        why = say(
            "{n}² elements of A, each loaded {times} times, and as many of B: 2 · {elements} · {times} = {loads}.",
            n=number(n),
            times=number(tiling.tiles_n),
            elements=number(n * n),
            loads=number(right),
        )
    mistakes = tuple((str(mistake.value), mistake) for mistake in load_mistakes(tiling))
    question = say("how many input loads for n = {n}, T = {width}?", n=number(n), width=number(tile))
    return Ask("loads", question, str(right), why, mistakes)


def _shortcuts(settings: dict[str, str]) -> tuple[tuple[str, tuple[Shortcut, ...]], ...]:
    sizes = tuple(
        Shortcut(number(n), {"n": str(n), "tile": tile, "row": "0", "column": "0"}, settings["n"] == str(n))
        for n, tile in ((5, "2"), (8, "2"), (16, "4"), (4096, "16"))
    )
    return ((say("Matrix size"), sizes),)


WIDGET = Widget(
    name="load-count",
    title=later("Loads against tile width"),
    question=later("Before you look: how many inputs are loaded at the tile width in question?"),
    controls=(
        Integer("n", later("matrix size"), 8, 1, LARGEST),
        Integer("tile", later("tile width to predict"), 2, 1, LARGEST),
        OTHERS,
        SIDE,
        Integer("row", later("element row"), 0, 0, LARGEST - 1),
        Integer("column", later("element column"), 0, 0, LARGEST - 1),
    ),
    assumptions=(
        later(
            "Counted are explicit input loads, as the program asks for them: not memory transactions, caches or time."
        ),
        later(
            "A tile at the edge loads only what is there. Slots with padding are what full-size tiles have room for."
        ),
        later("Above a size of 64 only widths that are powers of two, and the size itself, are drawn."),
    ),
    scene=scene,
    listed=({"n": "8", "tile": "2"}, {"n": "5", "tile": "2"}, {"n": "16", "tile": "4"}, {"n": "4096", "tile": "16"}),
)
