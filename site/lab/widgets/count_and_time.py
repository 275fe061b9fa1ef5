"""`count-and-time`: the model's loads against measured time, for CUDA launches and for kernels of the ladder."""

from dataclasses import replace
from fractions import Fraction

from lab.figures import facts
from lab.markup import Html, number
from lab.problem import Problem
from lab.results import shared
from lab.results.counted import launches, name_of
from lab.results.marks import kind_of
from lab.results.own_files import parties as all_parties
from lab.results.scales import powers, si_label
from lab.results.scatter import Axes, Points, scatter
from lab.widget import Ask, Frame, Scene, Widget
from sim.measured import words
from sim.measured.party import Party
from sim.measured.records import Launch, Row, Shape
from sim.mistakes import Mistake

HEADS = ("kernel", "loads by the model", "time, µs", "loads per ns")


def scene(settings: dict[str, str]) -> Scene:
    """One frame: a point for each kernel whose loads the model knows."""
    parties = all_parties(settings["own"])
    shape = shared.checked_shape(parties, settings)
    if not any(_rows(party, settings["format"], shape) for party in parties):
        raise Problem(f"shape: given {settings['shape']}; allowed: one with a kernel whose tile is known", "shape")
    return Scene(
        settings=settings,
        count=1,
        frame=lambda step: _frame(parties, settings["format"], shape),
        asks=_asks(parties, settings["format"], shape),
        shortcuts=(shared.format_buttons(settings), shared.shape_buttons(parties, settings)),
        note=shared.own_note(parties, settings["format"], shape),
        unlinked=(shared.OWN.name,),
    )


def _rows(party: Party, number_format: str, shape: Shape) -> list[Row]:
    rows = party.rows(number_format)
    return [row for row in rows if row.shape == shape and row.loads and row.replay and row.kernel != "best"]


def _launches(party: Party, number_format: str, shape: Shape) -> tuple[Launch, ...]:
    """The CUDA program is in float32 without TF32, and square."""
    square = shape[0] == shape[1] == shape[2]
    return launches(party, shape[0]) if square and number_format == "float32 ieee" else ()


def _frame(parties: tuple[Party, ...], number_format: str, shape: Shape) -> Frame:
    groups = []
    for at, party in enumerate(parties):
        rows, cuda = _rows(party, number_format, shape), _launches(party, number_format, shape)
        from_bench = tuple((Fraction(row.loads), _us(row.replay.median)) for row in rows if row.loads and row.replay)
        from_cuda = tuple((Fraction(row.model_loads), _us(row.time.median)) for row in cuda)
        groups += [
            Points(f"{party.label}: kernels of the ladder", f"s{at}", "circle", kind_of(at), from_bench, 5),
            Points(f"{party.label}: the CUDA program", f"s{at}", "square", kind_of(at), from_cuda, 5),
        ]
    groups = [points for points in groups if points.places]
    loads, times = zip(*(place for points in groups for place in points.places), strict=True)
    x_ticks, y_ticks = powers(min(loads), max(loads), 10, 6), powers(min(times), max(times), 10)
    axes = Axes(x_ticks, y_ticks, "input loads by the model", "time, µs", si_label)
    caption = (
        f"Time over the model’s loads, {words.label(number_format)}, {words.shape(shape)}. Kernels of the ladder: by "
        "graph replay, the L2 emptied. CUDA program: caches warm."
    )
    tables = [_table(party, number_format, shape) for party in parties if _rows(party, number_format, shape)]
    source = shared.provenance(parties, counters=True)
    html = shared.frame_of(scatter(groups, (), axes, caption), tables, source)
    return Frame(html, _say(parties, number_format, shape))


def _us(picoseconds: int) -> Fraction:
    return Fraction(picoseconds, 10**6)


def _table(party: Party, number_format: str, shape: Shape) -> Html:
    rungs = [row for row in _rows(party, number_format, shape) if row.replay]
    found = [(row.kernel, row.loads or 0, row.replay.median) for row in rungs if row.replay]
    cuda = _launches(party, number_format, shape)
    found += [(f"CUDA: {name_of(row)}", row.model_loads, row.time.median) for row in cuda]
    rows = [
        ("", (name, number(loads), words.microseconds(time), words.figures(Fraction(1000 * loads, time))))
        for name, loads, time in sorted(found, key=lambda each: (-each[1], -each[2]))
    ]
    return facts(f"{party.label}: {words.label(number_format)}, {words.shape(shape)}, most loads first", HEADS, rows)


def _say(parties: tuple[Party, ...], number_format: str, shape: Shape) -> str:
    party = next(party for party in parties if _rows(party, number_format, shape))
    rows = [(row.loads or 0, row.replay.median, row.kernel) for row in _rows(party, number_format, shape) if row.replay]
    fewest, fastest = min(rows), min(rows, key=lambda row: row[1])
    if fewest[1] == fastest[1]:
        return f"{party.label}: {fewest[2]} loads least, {number(fewest[0])} elements, and is the fastest of these."
    told = f"{fewest[2]} loads least, {number(fewest[0])} elements, in {words.us(fewest[1])}"
    return f"{party.label}: {told}; {fastest[2]} loads {number(fastest[0])} and takes {words.us(fastest[1])}."


def _asks(parties: tuple[Party, ...], number_format: str, shape: Shape) -> tuple[Ask, ...]:
    """Is the kernel with the fewest loads the fastest?"""
    party = next(party for party in parties if _rows(party, number_format, shape))
    rows = [(row.loads or 0, row.replay.median, row.kernel) for row in _rows(party, number_format, shape) if row.replay]
    fewest = min(row[0] for row in rows)
    fastest = min(rows, key=lambda row: row[1])
    right = "yes" if fastest[0] == fewest else "no"
    why = f"The fewest loads are {number(fewest)}; the fastest, {fastest[2]}, has {number(fastest[0])}."
    wrong = {"yes": "fewer loads need not be less time", "no": "here they go together"}
    other = "no" if right == "yes" else "yes"
    choices = (("yes", "yes"), ("no", "no"))
    asked = "is the fastest of the ladder’s kernels one with the fewest loads?"
    return (Ask("fewest", asked, right, why, ((other, Mistake(other, 0, wrong[other])),), choices),)


WIDGET = Widget(
    name="count-and-time",
    title="A count is not a time",
    question="The model counts loads, and tiles were made to need fewer. Do kernels with fewer loads take less time?",
    controls=(
        replace(shared.FORMAT, default="float32 ieee"),
        replace(shared.SHAPE, default="512 512 512"),
        shared.OWN,
    ),
    assumptions=(
        "Loads are the model’s, from M, N, K and the tile of each kernel.",
        "Kernels that copy their inputs first, or load otherwise than tile by tile, are left out.",
        "The ladder is timed with an emptied L2, the CUDA program with warm caches: compare within one of them.",
    ),
    scene=scene,
    listed=({}, {"format": "float16"}, {"format": "float16", "shape": "4096 4096 4096"}, {"shape": "1024 1024 1024"}),
    fixed=(shared.OWN.name,),
    steps=False,
    limits_title="What these numbers leave out",
)
