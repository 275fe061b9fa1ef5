"""The cases of the page: which stored rows each starts from, and how it is spoiled."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from sim.lies.diagnose import NONE
from sim.lies.doctor import Clocks, doctored
from sim.lies.report import EMPTIED, IN_TURNS, RANDOM, Line, Report, Setting, line_of
from sim.measured import words
from sim.measured.party import Party, published
from sim.measured.records import FORMATS, Row, Run, Shape

TINY: tuple[Shape, ...] = ((127, 255, 65), (512, 512, 512), (1024, 1024, 1024))  # calls that hardly compute


@dataclass(frozen=True)
class Recipe:
    """What a case starts from: a kernel in one format at some shapes, beside torch or alone. ``how``: see doctor."""

    how: str
    format: str
    kernel: str
    shapes: tuple[Shape, ...]
    beside_torch: bool = True

    @property
    def fault(self) -> str:
        """The fault that the case is to show."""
        return {"unit": "formula"}.get(self.how, self.how)


@dataclass(frozen=True)
class Case:
    """A report as published, the honest one that it was made from, and the fault between them."""

    fault: str
    published: Report
    honest: Report


def _cube(size: int) -> tuple[Shape, ...]:
    return ((size, size, size),)


_GROWING = (*_cube(2048), *_cube(4096), *_cube(8192))
_LONG: tuple[Shape, ...] = ((4096, 11008, 4096),)
_SHORT: tuple[Shape, ...] = ((8192, 8192, 1024),)
RECIPES = (
    Recipe("no-warm-up", "float16", "autotuned", _cube(4096)),
    Recipe("best-of-n", "float16", "autotuned", _LONG),
    Recipe("no-sync", "float16", "torch", _GROWING, False),
    Recipe("launch-bound", "bfloat16", "best", TINY[:1]),
    Recipe("unlike", "float32 tf32", "best", _cube(8192)),
    Recipe("formula", "float16", "best", _LONG),
    Recipe("hot-cache", "float16", "best", ((1, 4096, 4096),), False),
    Recipe("order", "float16", "best", _cube(4096)),
    Recipe(NONE, "float16", "best", _SHORT),
    Recipe("zeros", "float16", "specialised", _cube(4096)),
    Recipe("peak", "float16", "specialised", _cube(8192), False),
    Recipe("unit", "bfloat16", "best", _cube(8192)),
    Recipe("no-sync", "bfloat16", "best", _GROWING, False),
    Recipe("order", "bfloat16", "persistent", _SHORT),
    Recipe("hot-cache", "bfloat16", "thin", ((16, 4096, 4096),), False),
    Recipe("zeros", "float32 ieee", "split_k", _cube(1000)),
    Recipe("best-of-n", "float16", "descriptors", _cube(8192)),
    Recipe(NONE, "float32 ieee", "best", _LONG),
    Recipe("unlike", "float32 tf32", "transposed", _cube(4096)),
    Recipe("no-warm-up", "float32 ieee", "autotuned", _cube(2048)),
    Recipe("peak", "float32 ieee", "best", _cube(8192), False),
    Recipe("launch-bound", "float16", "best", TINY[:1]),
)


def case(number: int, party: Party, clocks: Clocks) -> Case:
    """Case ``number`` from 1, made from a party's rows; ``clocks`` are the MHz of a chip before and after lasting work.

    Raises ValueError when there is no such case, or no such row.
    """
    if not 1 <= number <= len(RECIPES):
        raise ValueError(f"case: given {number}; allowed: 1 to {len(RECIPES)}")
    recipe = RECIPES[number - 1]
    rows = [_need(party, recipe.format, shape, recipe.kernel) for shape in recipe.shapes]
    honest = Report(_lines(party, recipe, rows), _setting(party, rows[-1]))
    tiny = [_need(party, recipe.format, shape, recipe.kernel) for shape in TINY] if recipe.how == "no-sync" else []
    return Case(recipe.fault, doctored(recipe.how, honest, tiny, rows[0], clocks), honest)


def claim(report: Report) -> str:
    """What the report is published to say."""
    line = report.lines[-1]
    where = f"at {words.shape(line.shape)} in {words.label(line.format)}"
    if line.ratio:
        return f"“{line.kernel} is {words.ratio(line.ratio)} times as fast as torch.mm {where}.”"
    rate = f", {words.figures(line.rate)} TFLOP/s" if line.rate else ""
    return f"“{line.kernel} takes {words.us(line.time)}{rate}, {where}.”"


def _lines(party: Party, recipe: Recipe, rows: list[Row]) -> tuple[Line, ...]:
    if not recipe.beside_torch:
        return tuple(line_of(row, None) for row in rows)
    their_format = "float32 ieee" if recipe.how == "unlike" else recipe.format
    torch = _need(party, their_format, recipe.shapes[0], "torch")
    return line_of(torch, None), line_of(rows[0], torch)


def _need(party: Party, number_format: str, shape: Shape, kernel: str) -> Row:
    row = party.row(number_format, shape, kernel)
    if row is None:
        raise ValueError(f"row: given {kernel} at {shape} in {number_format}; allowed: one that is stored")
    return row


def _setting(party: Party, row: Row) -> Setting:
    run = next(run for run in party.runs if row in run.rows)
    peaks: Mapping[str, Fraction | None] = {each: published(party, each).tflops for each in FORMATS}
    if row.replay is None or row.empty is None or run.peak_tb_s is None or not all(peaks.values()):
        raise ValueError(f"{row.kernel} of {run.name}: given no time or no peaks; allowed: a timed row of a known GPU")
    return Setting(
        repeats=row.replay.repeats,
        cache=EMPTIED,
        inputs=RANDOM,
        turns=IN_TURNS,
        clocks_mhz=run.clocks_mhz,
        empty=row.empty,
        l2_bytes=run.l2_bytes,
        peak_tb_s=run.peak_tb_s,
        peaks=tuple((each, peak) for each, peak in peaks.items() if peak),
    )


def source(party: Party, number: int) -> Run:
    """The file that the rows of a case are from."""
    recipe = RECIPES[number - 1]
    row = _need(party, recipe.format, recipe.shapes[0], recipe.kernel)
    return next(run for run in party.runs if row in run.rows)
