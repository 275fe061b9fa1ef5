"""`exit-check`: draw C and its tiles, and answer for programs, K phases and masks; then fresh cases."""

from lab.controls import Integer
from lab.figures import Grid, matrix, numbers
from lab.markup import Html, join, some, tag
from lab.widget import Frame, Scene, Shortcut, Widget
from lab.widgets.tile_masks import ask_of
from sim.masks import mask_needs
from sim.quiz import exit_check, fresh_tiling
from sim.tiling import Tiling

LISTED, MOST = 8, 10_000


def scene(settings: dict[str, str]) -> Scene:
    """The bare question; C cut into tiles; and which masks are needed."""
    number = int(settings["case"])
    tiling = fresh_tiling(1, number)
    return Scene(
        settings=settings,
        count=3,
        frame=lambda step: _frame(tiling, step),
        asks=tuple(ask_of(question) for question in exit_check(tiling)),
        shortcuts=(
            (
                "Cases",
                (
                    Shortcut("New case", {"case": str(number + 1 if number < MOST else 0)}),
                    Shortcut("First case", {"case": "0"}, number == 0),
                ),
            ),
        ),
    )


def _frame(t: Tiling, step: int) -> Frame:
    given = numbers(("C", f"{t.M} × {t.N}"), ("K", str(t.K)), ("BM", str(t.BM)), ("BN", str(t.BN)), ("BK", str(t.BK)))
    if step == 0:
        return Frame(
            given,
            f"C is {t.M} × {t.N}, K = {t.K}; tiles of BM = {t.BM}, BN = {t.BN}, BK = {t.BK}. Draw C and its tiles.",
        )
    says = (
        f"{some(t.tiles_m, 'row')} and {some(t.tiles_n, 'column')} of tiles make {some(t.programs, 'program')}, "
        f"each of {some(t.k_phases, 'K phase')}."
    )
    if step == 1:
        return Frame(join(given, _drawn(t)), says)
    ragged = ", ".join(t.ragged) or "none"
    needs = tag("ul", *(tag("li", need.sentence) for need in mask_needs(t)), class_="needs")
    return Frame(join(given, _drawn(t), needs), f"Dimensions that need a mask: {ragged}.")


def _drawn(t: Tiling) -> Html:
    """C at the size that whole tiles cover; neighbouring tiles alternate, and what lies outside is hatched."""

    def classes(row: int, column: int) -> str:
        if row >= t.M or column >= t.N:
            return "pad"
        return "tile" if (row // t.BM + column // t.BN) % 2 == 0 else "out"

    def value(row: int, column: int) -> str:
        first = row % t.BM == 0 and column % t.BN == 0
        return str(row // t.BM * t.tiles_n + column // t.BN) if first else ""

    grid = Grid("C", (t.M, t.N), value, classes, "cut into tiles; each program's number stands in its first place")
    return tag(
        "div", matrix(grid, tuple(range(t.tiles_m * t.BM)), tuple(range(t.tiles_n * t.BN))), class_="programs-grid"
    )


WIDGET = Widget(
    name="exit-check",
    title="Exit check",
    question="Draw C and its tiles. How many programs, how many K phases each, and which dimensions need masks?",
    controls=(Integer("case", "case number", 0, 0, MOST),),
    assumptions=("Any tile width is allowed here. Triton takes powers of two.",),
    scene=scene,
    listed=tuple({"case": str(index)} for index in range(LISTED)),
)
