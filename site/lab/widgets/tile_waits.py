"""`tile-waits`: two waits in every K phase, and the wrong sums of an unlucky order without them."""

from lab.controls import Choice, Integer
from lab.figures import Grid, facts, matrix, numbers
from lab.markup import Html, join, tag
from lab.operands import PATTERNS, SIZE, pattern_inputs
from lab.programs import tiled_program
from lab.widget import Ask, Frame, Scene, Shortcut, Widget, bounded
from sim.matmul import Rows
from sim.mistakes import Mistake
from sim.tiling import square
from sim.waits import BOTH, NO_WAIT_AFTER_LOADING, NO_WAIT_AFTER_USING, Turn, worst_order
from sim.words import later, say

ORDER = Choice(
    "order",
    later("waits kept"),
    BOTH,
    (
        (BOTH, later("both waits")),
        (NO_WAIT_AFTER_LOADING, later("no wait after loading")),
        (NO_WAIT_AFTER_USING, later("no wait after using")),
    ),
)
LISTED = ((4, 2), (8, 2))
MOST_BESIDE = 6  # a wider tile is drawn in part


def scene(settings: dict[str, str]) -> Scene:
    """One frame for each K phase of tile (0,0), in the worst order that the kept waits permit."""
    n = int(settings["n"])
    tile = bounded(settings, "tile", say("tile width"), n, say("1 to the matrix size, {n}", n=n), low=1)
    tiling = square(n, tile)
    inputs = pattern_inputs(settings["inputs"], n)
    a, b = inputs.a.rows, inputs.b.rows
    right = worst_order(a, b, tiling, 0, 0)
    turns = worst_order(a, b, tiling, 0, 0, settings["order"])
    return Scene(
        settings=settings,
        count=len(turns),
        frame=lambda step: _frame(turns, right, step),
        asks=(_ask(settings["order"], a, b, turns, right, n, tile),),
        program=tiled_program(inputs, tile, (0, tile), (0, tile)),
        shortcuts=(
            (
                say("Waits kept"),
                tuple(
                    Shortcut(say(label), {"order": value}, value == settings["order"]) for value, label in ORDER.options
                ),
            ),
        ),
    )


def _frame(turns: tuple[Turn, ...], right: tuple[Turn, ...], step: int) -> Frame:
    now = turns[step]
    tiles = tag(
        "div",
        _sums(say("partial C, this order"), now.partial),
        _sums(say("partial C, both waits kept"), right[step].partial),
        class_="wholes",
    )
    rows = [
        (
            "now" if turn is now else "done" if turn.phase < step else "todo",
            (say("phase {phase}", phase=turn.phase), _tiles_of(turn.phase), _used(turn) if turn.phase <= step else ""),
        )
        for turn in turns
    ]
    heads = (say("K phase"), say("should multiply"), say("really multiplied"))
    table = facts(say("What each phase multiplied"), heads, rows)
    figures = numbers(
        (say("C[0,0] so far, this order"), str(now.partial[0][0])),
        (say("both waits kept"), str(right[step].partial[0][0])),
    )
    body = join(tiles, figures, tag("div", table, class_="across"))
    return Frame(body, _say(now, right[step], step == len(turns) - 1))


def _sums(what: str, partial: Rows) -> Html:
    """The sums of the tile; of a large one its corner and its last row and column."""
    size = len(partial)
    grid = Grid("C", (size, size), lambda row, column: str(partial[row][column]), lambda row, column: "", what)
    drawn: tuple[int | None, ...] = (*range(4), None, size - 1) if size > MOST_BESIDE else tuple(range(size))
    return matrix(grid, drawn, drawn)


def _tiles_of(phase: int) -> str:
    return say("tiles of phase {phase}", phase=phase)


def _used(turn: Turn) -> str:
    return say("memory nobody had written yet") if turn.used is None else _tiles_of(turn.used)


def _say(now: Turn, right: Turn, last: bool) -> str:
    told = _told(now, right)
    return say("{told} That was the last phase.", told=told) if last else told


def _told(now: Turn, right: Turn) -> str:
    if now.partial == right.partial:
        if now.used == now.phase:
            return say("Phase {phase} multiplies the tiles of phase {phase}, as it should.", phase=now.phase)
        return say(
            "Phase {phase} multiplies {used}, though the sums happen to agree.", phase=now.phase, used=_used(now)
        )
    size = range(len(now.partial))
    row, column = next((r, c) for r in size for c in size if now.partial[r][c] != right.partial[r][c])
    return say(
        "Phase {phase} multiplies {used}, and the sums are wrong: {output} is {value}, not {right}.",
        phase=now.phase,
        used=_used(now),
        output=f"C[{row},{column}]",
        value=now.partial[row][column],
        right=right.partial[row][column],
    )


def _ask(order: str, a: Rows, b: Rows, turns: tuple[Turn, ...], right: tuple[Turn, ...], n: int, tile: int) -> Ask:
    names = dict(ORDER.options)
    others = (
        (str(worst_order(a, b, square(n, tile), 0, 0, other)[-1].partial[0][0]), other) for other, _ in ORDER.options
    )
    mistakes = tuple(
        (value, Mistake(other, int(value), say("that is what comes out with {waits}", waits=say(names[other]))))
        for value, other in others
        if other != order
    )
    why = {
        BOTH: say("Each phase multiplies its own tiles."),
        NO_WAIT_AFTER_LOADING: say(
            "Each phase multiplies what the tiles held before it; the last phase is never used."
        ),
        NO_WAIT_AFTER_USING: say("Each phase finds the next phase's tiles already there; phase 0 is never used."),
    }[order]
    question = say("what is C[0,0] at the end, in the worst order?")
    return Ask("final", question, str(turns[-1].partial[0][0]), why, mistakes)


WIDGET = Widget(
    name="tile-waits",
    title=later("Two waits in every phase"),
    question=later(
        "Before you step: what does C[0,0] become when one of the waits is missing and the order is unlucky?"
    ),
    controls=(SIZE, Integer("tile", later("tile width"), 2, 1, 64), ORDER, PATTERNS),
    assumptions=(
        later(
            "This is the worst order that the kept waits permit, the same for all threads. Real threads may be lucky."
        ),
        later("Memory that nobody has written is shown as zero; on hardware it can hold anything."),
        later("One run with the right result proves nothing about the waits. A race checker or a proof does."),
    ),
    scene=scene,
    listed=tuple({"n": str(n), "tile": str(tile), "order": order} for n, tile in LISTED for order, _ in ORDER.options),
)
