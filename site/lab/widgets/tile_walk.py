"""`tile-walk`: one output tile collects its sums, one K phase a step."""

from lab.controls import Integer
from lab.figures import MOST_DRAWN, Box, Grid, board, map_of_tiles, numbers, visible
from lab.markup import Html, join, number, some
from lab.operands import OWN, OWN_NAMES, PATTERNS, SIZE, Inputs, inputs_panel, note, read_inputs
from lab.programs import tiled_program
from lab.widget import Ask, Frame, Scene, Shortcut, Widget, bounded
from sim.cost import separate_loads, shared_bytes, tiled_loads
from sim.mistakes import load_mistakes, tile_mistakes
from sim.tiling import Tiling
from sim.trace import Phase, phases

LISTED = {4: (1, 2, 4), 8: (1, 2, 4, 8), 5: (2,)}


def scene(settings: dict[str, str]) -> Scene:
    """One frame for each K phase of the tile in tile row i, tile column j."""
    inputs = read_inputs(settings)
    widest = max(inputs.m, inputs.n, inputs.k)
    tile = bounded(settings, "tile", "tile width", widest, f"1 to the largest side, {widest}", low=1)
    tiling = Tiling(inputs.m, inputs.n, inputs.k, tile, tile, tile)
    i = bounded(
        settings, "i", "tile row", tiling.tiles_m - 1, f"C has {some(tiling.tiles_m, 'row')} of tiles, counted from 0"
    )
    j = bounded(
        settings,
        "j",
        "tile column",
        tiling.tiles_n - 1,
        f"C has {some(tiling.tiles_n, 'column')} of tiles, counted from 0",
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

    a = Grid("A", (inputs.m, inputs.k), inputs.a_text, a_class, f"rows {_span(now.rows)}, k {_span(now.inner)}")
    b = Grid("B", (inputs.k, inputs.n), inputs.b_text, b_class, f"k {_span(now.inner)}, columns {_span(now.columns)}")
    c = Grid(
        "C",
        (inputs.m, inputs.n),
        c_value,
        lambda row, column: "out tile" if in_tile(row, column) else "blank",
        "partial sums of this tile",
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


def _map(inputs: Inputs, now: Phase) -> Html:
    k = (0, inputs.k)
    return map_of_tiles(
        inputs.m,
        inputs.n,
        inputs.k,
        (Box(now.rows, k, "m-line"), Box(now.rows, now.inner, "m-tile")),
        (Box(k, now.columns, "m-line"), Box(now.inner, now.columns, "m-tile")),
        (Box(now.rows, now.columns, "m-tile"),),
        f"The tiles of phase {now.phase} in the whole matrices: rows {_span(now.rows)}, columns {_span(now.columns)}, "
        f"k {_span(now.inner)}.",
    )


def _figures(tiling: Tiling, now: Phase, last: bool) -> Html:
    height, width = now.rows[1] - now.rows[0], now.columns[1] - now.columns[0]
    return numbers(
        ("inputs loaded in this phase", f"{now.loads_a} of A + {now.loads_b} of B = {number(now.loads)}"),
        ("outputs that share each loaded input", str(width) if width == height else f"{width} for A, {height} for B"),
        ("input loads for all of C", number(tiled_loads(tiling)) if last else "after the last phase"),
        ("separate-output loads", number(separate_loads(tiling.M, tiling.N, tiling.K))),
        ("shared bytes for one block", f"{number(shared_bytes(tiling))} (float32)"),
    )


def _say(inputs: Inputs, tiling: Tiling, now: Phase, count: int) -> str:
    name = f"tile ({now.rows[0] // tiling.BM},{now.columns[0] // tiling.BN})"
    loaded = f"Phase {now.phase} of {name} loads {some(now.loads, 'input')} with k {_span(now.inner)}"
    corner = f"C[{now.rows[0]},{now.columns[0]}]"
    value = inputs.c_text(now.partial[0][0])
    if now.phase == count - 1:
        return f"{loaded}. It is the last phase: the tile is complete, {corner} is {value}."
    return f"{loaded}. The partial sum of {corner} is {value}."


def _loads_ask(tiling: Tiling) -> Ask:
    right = tiled_loads(tiling)
    mistakes = tuple((str(mistake.value), mistake) for mistake in load_mistakes(tiling))
    a, b = tiling.M * tiling.K, tiling.K * tiling.N
    why = (
        f"Every element of A is loaded once for each of {some(tiling.tiles_n, 'column')} of tiles, "
        f"every element of B once for each of {some(tiling.tiles_m, 'row')} of tiles: "
        f"{number(a)} × {tiling.tiles_n} + {number(b)} × {tiling.tiles_m} = {number(right)}."
    )
    return Ask("loads", "how many input loads for all of C?", str(right), why, mistakes)


def _final_ask(inputs: Inputs, tiling: Tiling, steps: tuple[Phase, ...], i: int, j: int) -> Ask:
    row, column = steps[0].rows[0], steps[0].columns[0]
    mistakes = tuple(
        (inputs.c_plain(mistake.value), mistake)
        for mistake in tile_mistakes(inputs.a.rows, inputs.b.rows, tiling, i, j)
    )
    sums = ", then ".join(inputs.c_text(step.partial[0][0]) for step in steps[:6])
    more = ", and so on" if len(steps) > 6 else ""
    return Ask(
        "final",
        f"what is C[{row},{column}] after the last phase?",
        inputs.c_plain(steps[-1].partial[0][0]),
        f"Its partial sum is {sums}{more}.",
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
    return (("Matrix size", sizes), *((("Tile width", tiles),) if tiles else ()))


WIDGET = Widget(
    name="tile-walk",
    title="One tile of outputs, phase by phase",
    question="Before you step: how many inputs are loaded in total, and what will the tile's first output be?",
    controls=(
        SIZE,
        Integer("tile", "tile width", 2, 1, 64),
        Integer("i", "tile row", 0, 0, 63),
        Integer("j", "tile column", 0, 0, 63),
        PATTERNS,
        *OWN,
    ),
    assumptions=(
        "Counted are explicit input loads: each element of an A tile and a B tile, once for each phase that needs it.",
        "A tile at the edge is as small as what is left; nothing is loaded for the places outside.",
        "Stores of C, caches, memory transactions and time are not in the count.",
        "Shared bytes: one A tile and one B tile of float32 at full size. The partial sums are kept in registers.",
        "With T = 1 every output loads its own row and column: that is the separate-output algorithm.",
    ),
    scene=scene,
    listed=(
        *({"n": str(n), "tile": str(tile)} for n, widths in LISTED.items() for tile in widths),
        {"n": "4", "tile": "2", "i": "1", "j": "0"},
        {"n": "5", "tile": "2", "i": "2", "j": "1"},
        {"n": "4", "tile": "2", "inputs": "distinct"},
    ),
    panel_titles={"inputs": "The complete A, B and C"},
    own_inputs=OWN_NAMES,
    picks=("i", "j"),
)
