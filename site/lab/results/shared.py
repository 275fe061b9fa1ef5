"""What the plots of measured results share: settings, provenance, and the table of a party's rows."""

from collections.abc import Sequence
from fractions import Fraction

from lab.controls import Choice, ShapeText
from lab.figures import facts
from lab.markup import Html, join, some, tag
from lab.problem import Problem
from lab.results.own_files import OwnFiles
from lab.widget import Shortcut
from sim.measured import words
from sim.measured.ladder import LADDER
from sim.measured.party import Party, published, shapes_of
from sim.measured.records import FORMATS, SUSPECT, WAYS, Counters, Row, Run, Shape, Spread

OWN = OwnFiles()
FORMAT = Choice("format", "number format", "float16", tuple((each, words.label(each)) for each in FORMATS))
WAY = Choice("way", "timed as", "replay", (("replay", "graph replay"), ("call", "call from Python")))
SHAPE = ShapeText("shape", "shape M N K", "4096 4096 4096")
WAY_WORDS = {"replay": "by graph replay", "call": "as called from Python"}
HEADS = ("kernel", "replay, µs", "call, µs", "TFLOP/s", "× torch, replay", "× torch, call", "error", "remark")


def shape_of(text: str) -> Shape:
    """M, N and K of a canonical shape setting."""
    m, n, k = (int(part) for part in text.split())
    return m, n, k


def shape_text(shape: Shape) -> str:
    """The canonical setting of a shape."""
    return " ".join(str(size) for size in shape)


def checked_shape(parties: Sequence[Party], settings: dict[str, str]) -> Shape:
    """The shape of the settings. Raises Problem when nobody measured it in that number format."""
    shape, known = shape_of(settings["shape"]), shapes_of(parties, settings["format"])
    if shape not in known:
        listed = "; ".join(shape_text(each) for each in known) or "none in this number format"
        raise Problem(
            f"shape: given {shape_text(shape)}; measured in {words.label(settings['format'])}: {listed}", "shape"
        )
    return shape


def format_buttons(settings: dict[str, str]) -> tuple[str, tuple[Shortcut, ...]]:
    """A button for each number format."""
    made = (Shortcut(words.label(each), {"format": each}, settings["format"] == each) for each in FORMATS)
    return "Number format", tuple(made)


def way_buttons(settings: dict[str, str]) -> tuple[str, tuple[Shortcut, ...]]:
    """A button for each way of calling."""
    made = (Shortcut(label, {"way": way}, settings["way"] == way) for way, label in WAY.options)
    return "Timed as", tuple(made)


def shape_buttons(parties: Sequence[Party], settings: dict[str, str]) -> tuple[str, tuple[Shortcut, ...]]:
    """A button for each shape that was measured in the number format of the settings."""
    made = (
        Shortcut(words.shape(each), {"shape": shape_text(each)}, settings["shape"] == shape_text(each))
        for each in shapes_of(parties, settings["format"])
    )
    return "Shape M × N × K", tuple(made)


def own_note(parties: Sequence[Party], number_format: str, shape: Shape | None = None) -> str:
    """What a reader's files have nothing of, so that a plot without their marks is no riddle."""
    notes = []
    for party in parties[1:]:
        shapes = party.shapes(number_format)
        if not party.runs:
            notes.append(f"{party.label}: your file has load counts and no times of kernel-bench.")
        elif not shapes:
            have = ", ".join(words.label(each) for each in party.formats())
            notes.append(f"{party.label}: nothing in {words.label(number_format)}; your file has {have}.")
        elif shape and shape not in shapes:
            have = ", ".join(words.shape(each) for each in shapes[:8])
            notes.append(f"{party.label}: nothing at {words.shape(shape)}; your file has {have}.")
    return " ".join(notes)


def frame_of(chart: Html, tables: Sequence[Html], source: Html) -> Html:
    """A plot, the tables of what it shows, and who measured it, one under the other."""
    return tag("div", chart, tag("div", *tables, class_="tables"), source, class_="across measured-plot")


def provenance(parties: Sequence[Party], *, rows: bool = True, counters: bool = False) -> Html:
    """Who measured what on which GPU, when, with what, by which command: a line for each run of files alike."""
    lines: dict[str, list[str]] = {}
    for party in parties:
        files: list[Run | Counters] = [*(party.runs if rows else ()), *(party.counters if counters else ())]
        for file in files:
            lines.setdefault(f"{party.label}: {_source(file)}", []).append(file.name)
    return tag("ul", *(tag("li", f"{line}; {', '.join(names)}") for line, names in lines.items()), class_="provenance")


def _source(file: Run | Counters) -> str:
    parts = [f"measured on {file.device}", file.date]
    parts += [f"driver {file.driver}"] if file.driver else []
    if isinstance(file, Run):
        parts += [f"torch {file.torch}"] if file.torch else []
        parts += [f"triton {file.triton}"] if file.triton else []
        parts += [] if file.flushed else ["L2 not emptied between repeats"]
    return ", ".join((*parts, file.command) if file.command else parts)


def kernels_of(parties: Sequence[Party], number_format: str, shape: Shape) -> tuple[str, ...]:
    """The kernels that anybody timed on a shape: torch, the ladder in its order, then others."""
    timed = {
        row.kernel: None for party in parties for row in party.rows(number_format) if row.shape == shape and row.replay
    }
    known = [name for name in ("torch", *LADDER) if name in timed]
    return (*known, *(name for name in timed if name not in known))


def row_table(party: Party, number_format: str, shape: Shape) -> Html:
    """Every row of a party at one shape, losing ones included; beneath it those that were not run, with the reason."""
    rows = [row for row in party.rows(number_format) if row.shape == shape]
    table = facts(
        f"{party.label}: {words.label(number_format)}, {words.shape(shape)}; times with their middle four fifths",
        HEADS,
        [("", row_cells(party, row)) for row in rows if not row.skipped],
    )
    refused = [tag("li", tag("b", row.kernel), f": {_refusal(row)}") for row in rows if row.skipped]
    listed = tag("ul", *refused, class_="refused") if refused else None
    fold = tag("details", tag("summary", f"{some(len(refused), 'kernel')} not run here, and why"), listed)
    return join(table, fold if refused else None)


def _refusal(row: Row) -> str:
    return row.skipped.partition(": ")[2] or row.skipped


def row_cells(party: Party, row: Row) -> tuple[str, ...]:
    """One row of the table, in the order of HEADS."""
    times = tuple(spread_cell(row.time(way)) for way in WAYS)
    rate = words.figures(row.tflops) if row.tflops else "–"
    ratios = (party.ratio(row, way) for way in WAYS)
    shown = tuple(words.ratio(each) if each else "–" for each in ratios)
    error = words.scientific(row.error) if row.error is not None else "–"
    return row.kernel, *times, rate, *shown, error, remark_cell(party, row)


def spread_cell(time: Spread | None) -> Html | str:
    """A median in microseconds, and beneath it its spread."""
    if time is None:
        return "–"
    spread = f"{words.microseconds(time.low)}–{words.microseconds(time.high)}"
    return join(words.microseconds(time.median), tag("br"), tag("small", spread))


def remark_cell(party: Party, row: Row) -> Html:
    """The remark, in words rather than figures."""
    return tag("span", remark(party, row), class_="remark")


def remark(party: Party, row: Row) -> str:
    """Why a row has no time, why it is slower than torch, or why it should be looked at twice."""
    if row.replay is None:
        return "not timed: its result was wrong"
    ratio = party.ratio(row, "replay")
    if row.kernel == "torch" or ratio is None:
        return "launch-bound" if row.launch_bound else ""
    if ratio > SUSPECT:
        return f"suspect: more than {some(SUSPECT, 'time')} as fast; do both compute the same?"
    bound = "launch-bound" if row.launch_bound else ""
    return f"slower; {reason(party, row)}" if ratio < 1 else bound


def reason(party: Party, row: Row) -> str:
    """The lower roof over a shape, by the published peaks. That a kernel is far below it, the roof does not explain."""
    if row.launch_bound:
        return "launch-bound"
    peaks = published(party, row.format)
    if peaks.tflops is None or peaks.tb_s is None:
        return "roof: not known, as no peaks of this GPU are"
    ridge: Fraction = peaks.tflops / peaks.tb_s
    return "roof: memory" if row.intensity < ridge else "roof: arithmetic"
