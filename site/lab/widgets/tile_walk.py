"""`tile-walk`: one output tile collects its sums, one K phase a step."""

from lab.controls import Integer
from lab.figures import MOST_DRAWN, Box, Grid, board, map_of_tiles, numbers, visible
from lab.markup import Html, join, number, some
from lab.operands import OWN, OWN_NAMES, PATTERNS, SIZE, Inputs, inputs_panel, note, read_inputs
from lab.programs import tiled_program
from lab.widget import Ask, Frame, Scene, Shortcut, Widget, bounded
from sim.cost import separate_loads, shared_bytes, tiled_loads
from sim.mistakes import load_mistakes, tile_mistakes
from sim.tiling import Range, Tiling
from sim.trace import Phase, phases
from sim.words import later, say

LISTED = {4: (1, 2, 4), 8: (1, 2, 4, 8), 5: (2,)}


def scene(settings: dict[str, str]) -> Scene:
    """One frame for each K phase of the tile in tile row i, tile column j."""
    inputs = read_inputs(settings)
    widest = max(inputs.m, inputs.n, inputs.k)
    reason = say("1 to the largest side, {side}", side=widest)
    tile = bounded(settings, "tile", say("tile width"), widest, reason, low=1)
    tiling = Tiling(inputs.m, inputs.n, inputs.k, tile, tile, tile)
    rows = say("C has {rows}, counted from 0", rows=some(tiling.tiles_m, "row of tiles", "rows of tiles"))
    columns = some(tiling.tiles_n, "column of tiles", "columns of tiles")
    i = bounded(settings, "i", say("tile row"), tiling.tiles_m - 1, rows)
    j = bounded(
        settings, "j", say("tile column"), tiling.tiles_n - 1, say("C has {columns}, counted from 0", columns=columns)
    )
    steps = phases(inputs.a.rows, inputs.b.rows, tiling, i, j)
    return Scene(
        settings=settings,
        count=len(steps),
        frame=lambda step: _frame(inputs, tiling, steps, step),
        asks=(_loads_ask(tiling), _final_ask(inputs, tiling, steps, i, j)),
        shortcuts=_shortcuts(settings, inputs),
        panels={"inputs": lambda: inputs_panel(inputs)},
        program=tiled_program(inputs, tile, steps[0].rows, steps[0].columns),
        note=note(inputs),
    )


def _frame(inputs: Inputs, tiling: Tiling, steps: tuple[Phase, ...], step: int) -> Frame:
    now = steps[step]
    picture = _board(inputs, tiling, now)
    return Frame(join(picture, _figures(tiling, now, step == len(steps) - 1)), _say(inputs, tiling, now, len(steps)))


def _inside(index: int, span: tuple[int, int]) -> bool:
    return span[0] <= index < span[1]


def _board(inputs: Inputs, tiling: Tiling, now: Phase) -> Html:
    def a_class(row: int, k: int) -> str:
        return _mark(_inside(row, now.rows), k, now)

    def b_class(k: int, column: int) -> str:
        return _mark(_inside(column, now.columns), k, now)

    def in_tile(row: int, column: int) -> bool:
        return _inside(row, now.rows) and _inside(column, now.columns)

    def c_value(row: int, column: int) -> str:
        return inputs.c_text(now.partial[row - now.rows[0]][column - now.columns[0]]) if in_tile(row, column) else ""

    def pick(row: int, column: int) -> str:
        return f"i={row // tiling.BM}&j={column // tiling.BN}"

    a = Grid("A", (inputs.m, inputs.k), inputs.a_text, a_class, _place(rows=now.rows, k=now.inner))
    b = Grid("B", (inputs.k, inputs.n), inputs.b_text, b_class, _place(k=now.inner, columns=now.columns))
    c = Grid(
        "C",
        (inputs.m, inputs.n),
        c_value,
        lambda row, column: "out tile" if in_tile(row, column) else "blank",
        say("partial sums of this tile"),
        pick,
    )
    drawn = visible(inputs.m, now.rows), visible(inputs.n, now.columns), visible(inputs.k, now.inner)
    return board(a, b, c, drawn, _map(inputs, now) if max(inputs.m, inputs.n, inputs.k) > MOST_DRAWN else None)


def _mark(in_band: bool, k: int, now: Phase) -> str:
    if not in_band:
        return ""
    return "tile" if _inside(k, now.inner) else "line done" if k < now.inner[0] else "line"


def _span(span: tuple[int, int]) -> str:
    """The indices of a half-open range, as a person says them."""
    return str(span[0]) if span[1] - span[0] == 1 else f"{span[0]}–{span[1] - 1}"


def _place(*, k: Range, rows: Range | None = None, columns: Range | None = None) -> str:
    """Which part of A (its rows) or of B (its columns) a phase loads."""
    if rows:
        return say("rows {rows}, k {k}", rows=_span(rows), k=_span(k))
    return say("k {k}, columns {columns}", k=_span(k), columns=_span(columns or (0, 0)))


def _map(inputs: Inputs, now: Phase) -> Html:
    k = (0, inputs.k)
    return map_of_tiles(
        inputs.m,
        inputs.n,
        inputs.k,
        (Box(now.rows, k, "m-line"), Box(now.rows, now.inner, "m-tile")),
        (Box(k, now.columns, "m-line"), Box(now.inner, now.columns, "m-tile")),
        (Box(now.rows, now.columns, "m-tile"),),
        say(
            "The tiles of phase {phase} in the whole matrices: rows {rows}, columns {columns}, k {k}.",
            phase=now.phase,
            rows=_span(now.rows),
            columns=_span(now.columns),
            k=_span(now.inner),
        ),
    )


def _figures(tiling: Tiling, now: Phase, last: bool) -> Html:
    height, width = now.rows[1] - now.rows[0], now.columns[1] - now.columns[0]
    return numbers(
        (
            say("inputs loaded in this phase"),
            say("{a} of A + {b} of B = {total}", a=now.loads_a, b=now.loads_b, total=number(now.loads)),
        ),
        (
            say("outputs that share each loaded input"),
            str(width) if width == height else say("{a} for A, {b} for B", a=width, b=height),
        ),
        (say("input loads for all of C"), number(tiled_loads(tiling)) if last else say("after the last phase")),
        (say("separate-output loads"), number(separate_loads(tiling.M, tiling.N, tiling.K))),
        (say("shared bytes for one block"), f"{number(shared_bytes(tiling))} (float32)"),
    )


def _say(inputs: Inputs, tiling: Tiling, now: Phase, count: int) -> str:
    loaded = say(
        "Phase {phase} of tile ({i},{j}) loads {inputs} with k {k}.",
        phase=now.phase,
        i=now.rows[0] // tiling.BM,
        j=now.columns[0] // tiling.BN,
        inputs=some(now.loads, "input"),
        k=_span(now.inner),
    )
    told = {"loaded": loaded, "output": f"C[{now.rows[0]},{now.columns[0]}]", "value": inputs.c_text(now.partial[0][0])}
    if now.phase == count - 1:
        return say("{loaded} It is the last phase: the tile is complete, {output} is {value}.", **told)
    return say("{loaded} The partial sum of {output} is {value}.", **told)


def _loads_ask(tiling: Tiling) -> Ask:
    right = tiled_loads(tiling)
    mistakes = tuple((str(mistake.value), mistake) for mistake in load_mistakes(tiling))
    a, b = tiling.M * tiling.K, tiling.K * tiling.N
    why = say(
        "Every element of A is loaded once for each of {columns}, every element of B once for each of {rows}: {sum}.",
        columns=some(tiling.tiles_n, "column of tiles", "columns of tiles"),
        rows=some(tiling.tiles_m, "row of tiles", "rows of tiles"),
        sum=f"{number(a)} × {tiling.tiles_n} + {number(b)} × {tiling.tiles_m} = {number(right)}",
    )
    return Ask("loads", say("how many input loads for all of C?"), str(right), why, mistakes)


def _final_ask(inputs: Inputs, tiling: Tiling, steps: tuple[Phase, ...], i: int, j: int) -> Ask:
    row, column = steps[0].rows[0], steps[0].columns[0]
    mistakes = tuple(
        (inputs.c_plain(mistake.value), mistake)
        for mistake in tile_mistakes(inputs.a.rows, inputs.b.rows, tiling, i, j)
    )
    sums = say(", then ").join(inputs.c_text(step.partial[0][0]) for step in steps[:6])
    whole = say("Its partial sum is {sums}.", sums=sums)
    return Ask(
        "final",
        say("what is {output} after the last phase?", output=f"C[{row},{column}]"),
        inputs.c_plain(steps[-1].partial[0][0]),
        say("Its partial sum is {sums}, and so on.", sums=sums) if len(steps) > 6 else whole,
        mistakes,
    )


def _shortcuts(settings: dict[str, str], inputs: Inputs) -> tuple[tuple[str, tuple[Shortcut, ...]], ...]:
    own, n, tile = inputs.pattern == "own", settings["n"], settings["tile"]
    first = {"i": "0", "j": "0", "a": "", "b": ""}
    sizes = tuple(
        Shortcut(
            f"{size} × {size}",
            {"n": str(size), "tile": tile if int(tile) in widths else str(widths[len(widths) // 2]), **first},
            not own and n == str(size),
        )
        for size, widths in sorted(LISTED.items())
    )
    widths = LISTED.get(int(n), ()) if not own else ()
    tiles = tuple(
        Shortcut(f"T = {width}", {"tile": str(width), "i": "0", "j": "0"}, tile == str(width)) for width in widths
    )
    return ((say("Matrix size"), sizes), *(((say("Tile width"), tiles),) if tiles else ()))


WIDGET = Widget(
    name="tile-walk",
    title=later("One tile of outputs, phase by phase"),
    question=later("Before you step: how many inputs are loaded in total, and what will the tile's first output be?"),
    controls=(
        SIZE,
        Integer("tile", later("tile width"), 2, 1, 64),
        Integer("i", later("tile row"), 0, 0, 63),
        Integer("j", later("tile column"), 0, 0, 63),
        PATTERNS,
        *OWN,
    ),
    assumptions=(
        later(
            "Counted are explicit input loads: each element of an A tile and a B tile, "
            "once for each phase that needs it."
        ),
        later("A tile at the edge is as small as what is left; nothing is loaded for the places outside."),
        later("Stores of C, caches, memory transactions and time are not in the count."),
        later(
            "Shared bytes: one A tile and one B tile of float32 at full size. The partial sums are kept in registers."
        ),
        later("With T = 1 every output loads its own row and column: that is the separate-output algorithm."),
    ),
    scene=scene,
    listed=(
        *({"n": str(n), "tile": str(tile)} for n, widths in LISTED.items() for tile in widths),
        {"n": "4", "tile": "2", "i": "1", "j": "0"},
        {"n": "5", "tile": "2", "i": "2", "j": "1"},
        {"n": "4", "tile": "2", "inputs": "distinct"},
    ),
    panel_titles={"inputs": later("The complete A, B and C")},
    own_inputs=OWN_NAMES,
    picks=("i", "j"),
)
