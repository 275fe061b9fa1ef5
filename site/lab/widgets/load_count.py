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

MOST_WIDTHS = 64
LARGEST = 1_048_576
OTHERS = Choice(
    "compare",
    "compare with",
    "half",
    (("none", "no other size"), ("half", "half and twice the size"), ("all", "4, 8, 16, 32 and 64")),
)
SIDE = Choice("side", "element of", "a", (("a", "A"), ("b", "B")))


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
    row = bounded(settings, "row", "element row", n - 1, f"the matrix has {some(n, 'row')}, counted from 0")
    column = bounded(settings, "column", "element column", n - 1, f"the matrix has {some(n, 'column')}, counted from 0")
    tile = bounded(settings, "tile", "tile width to predict", n, f"1 to the matrix size, {number(n)}", low=1)
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
    now = number(widths[step])
    return load_chart(
        lines, widths[step], f"Input loads for all of C against tile width, n = {number(n)} up to T = {now}."
    )


def _figures(tiling: Tiling) -> Html:
    n, width = tiling.N, tiling.BN
    quotient, remainder = undivided_formula(n, width)
    formula = number(quotient) + (f" + {remainder}/{width}" if remainder else "")
    holds = "" if n % width == 0 else " (does not hold: T does not divide n)"
    return numbers(
        ("input loads for all of C", number(tiled_loads(tiling))),
        ("2 · n³ / T", formula + holds),
        ("separate-output loads", number(separate_loads(n, n, n))),
        ("slots with padding", number(padded_slots(tiling))),
    )


def _reuse(tiling: Tiling, side: str, row: int, column: int) -> Html:
    name = f"{side.upper()}[{row},{column}]"
    if side == "a":
        times, outputs, tiles = a_loads_of_element(tiling), f"row {row} of C", "one for each column of tiles"
    else:
        times, outputs, tiles = b_loads_of_element(tiling), f"column {column} of C", "one for each row of tiles"
    n, width = tiling.N, tiling.BN
    shares = f"{width} each" if n % width == 0 else f"{width} each, {n % width} the last time" if n > width else str(n)
    heading = tag("h4", f"The reuse of {name}")
    return tag(
        "div",
        heading,
        numbers(
            ("times it is loaded", f"{number(times)} ({tiles})"),
            ("products it serves", number(n)),
            ("products for each load", shares),
            ("outputs it serves", f"{outputs}: {some(n, 'output')}"),
        ),
        class_="reuse",
    )


def _table(n: int, widths: tuple[int, ...], step: int) -> Html:
    def row(index: int) -> tuple[str, tuple[str, ...]]:
        width = widths[index]
        kind = "now" if index == step else "done" if index < step else "todo"
        divides = "yes" if n % width == 0 else "no"
        counts = (number(square_loads(n, width)), divides, number(padded_slots(square(n, width))))
        return kind, (number(width), *(counts if index <= step else ("", divides, "")))

    table = facts(
        f"Input loads for all of C, n = {number(n)}",
        ("T", "input loads", "T divides n", "slots with padding"),
        [row(index) for index in range(len(widths))],
    )
    if len(widths) <= 16:
        return table
    return tag("details", tag("summary", f"All {len(widths)} tile widths as a table"), table)


def _say(tiling: Tiling) -> str:
    n, width = tiling.N, tiling.BN
    loads = number(tiled_loads(tiling))
    if width == 1:
        return f"T = 1: {loads} input loads. Every output loads its own row and column."
    if n % width == 0:
        return f"T = {number(width)}: {loads} input loads, 1/{number(width)} of the separate-output loads."
    return (
        f"T = {number(width)} does not divide {number(n)}: {loads} input loads, "
        f"counted tile by tile; with padding there are {number(padded_slots(tiling))} slots."
    )


def _ask(n: int, tile: int) -> Ask:
    tiling = square(n, tile)
    right = tiled_loads(tiling)
    if n % tile == 0:
        why = f"2 · {number(n)}³ / {number(tile)} = {number(right)}."
    else:
        why = (
            f"{number(n)}² elements of A, each loaded {number(tiling.tiles_n)} times, and as many of B: "
            f"2 · {number(n * n)} · {number(tiling.tiles_n)} = {number(right)}."
        )
    mistakes = tuple((str(mistake.value), mistake) for mistake in load_mistakes(tiling))
    return Ask("loads", f"how many input loads for n = {number(n)}, T = {number(tile)}?", str(right), why, mistakes)


def _shortcuts(settings: dict[str, str]) -> tuple[tuple[str, tuple[Shortcut, ...]], ...]:
    sizes = tuple(
        Shortcut(number(n), {"n": str(n), "tile": tile, "row": "0", "column": "0"}, settings["n"] == str(n))
        for n, tile in ((5, "2"), (8, "2"), (16, "4"), (4096, "16"))
    )
    return (("Matrix size", sizes),)


WIDGET = Widget(
    name="load-count",
    title="Loads against tile width",
    question="Before you look: how many inputs are loaded at the tile width in question?",
    controls=(
        Integer("n", "matrix size", 8, 1, LARGEST),
        Integer("tile", "tile width to predict", 2, 1, LARGEST),
        OTHERS,
        SIDE,
        Integer("row", "element row", 0, 0, LARGEST - 1),
        Integer("column", "element column", 0, 0, LARGEST - 1),
    ),
    assumptions=(
        "Counted are explicit input loads, as the program asks for them: not memory transactions, caches or time.",
        "A tile at the edge loads only what is there. Slots with padding are what full-size tiles have room for.",
        "Above a size of 64 only widths that are powers of two, and the size itself, are drawn.",
    ),
    scene=scene,
    listed=({"n": "8", "tile": "2"}, {"n": "5", "tile": "2"}, {"n": "16", "tile": "4"}, {"n": "4096", "tile": "16"}),
)
