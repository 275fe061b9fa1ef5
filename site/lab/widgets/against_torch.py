"""`against-torch`: one kernel on every shape, as torch's time over its own."""

from fractions import Fraction

from lab.controls import Choice
from lab.figures import facts
from lab.markup import Html, join, number, some, tag
from lab.results import shared
from lab.results.own_files import parties as all_parties
from lab.results.tracks import Track, track_chart
from lab.widget import Ask, Frame, Scene, Widget
from lab.widgets.ladder import axis_of, ratio_value
from sim.measured import words
from sim.measured.ladder import LADDER
from sim.measured.party import Party, shapes_of
from sim.measured.records import WAYS, Row
from sim.mistakes import Mistake

KERNEL = Choice("kernel", "kernel", "best", tuple((name, name) for name in LADDER))
HEADS = ("M × N × K, remark", "replay, µs", "torch", "× torch, replay", "call, µs", "torch", "× torch, call")


def scene(settings: dict[str, str]) -> Scene:
    """One frame: the plot, a table of each party's rows, and the provenance."""
    parties = all_parties(settings["own"])
    return Scene(
        settings=settings,
        count=1,
        frame=lambda step: _frame(parties, settings),
        asks=_asks(parties[0], settings),
        shortcuts=(shared.format_buttons(settings), shared.way_buttons(settings)),
        note=shared.own_note(parties, settings["format"]),
        unlinked=(shared.OWN.name,),
    )


def _frame(parties: tuple[Party, ...], settings: dict[str, str]) -> Frame:
    number_format, kernel, way = settings["format"], settings["kernel"], settings["way"]
    tracks = []
    for shape in shapes_of(parties, number_format):
        values = tuple(ratio_value(party, party.row(number_format, shape, kernel), way) for party in parties)
        if any(values):
            tracks.append(Track(words.shape(shape), values))
    caption = (
        f"{kernel}: times as fast as torch.mm on the same GPU, {words.label(number_format)}, "
        f"{shared.WAY_WORDS[way]}. Marks are medians, lines the middle four fifths of the kernel’s repeats; further "
        "right is faster."
    )
    chart = track_chart(tracks, [party.label for party in parties], axis_of(tracks), caption)
    tables = [_table(party, number_format, kernel) for party in parties if party.runs]
    html = shared.frame_of(chart, tables, shared.provenance(parties))
    return Frame(html, _say(parties, settings))


def _table(party: Party, number_format: str, kernel: str) -> Html:
    rows = [row for row in party.rows(number_format) if row.kernel == kernel and row.replay]
    title = f"{party.label}: {kernel} in {words.label(number_format)}; times with their middle four fifths"
    return facts(title, HEADS, [("", _cells(party, row)) for row in rows])


def _cells(party: Party, row: Row) -> tuple[Html | str, ...]:
    """One row of the table. A remark stands beneath its shape, as a last column would lie off the page."""
    torch = party.row(row.format, row.shape, "torch")
    remark = shared.remark_cell(party, row) if shared.remark(party, row) else None
    cells: list[Html | str] = [join(words.shape(row.shape), tag("br"), remark) if remark else words.shape(row.shape)]
    for way in WAYS:
        ratio = party.ratio(row, way)
        cells += [shared.spread_cell(row.time(way)), shared.spread_cell(torch.time(way) if torch else None)]
        cells.append(words.ratio(ratio) if ratio else "–")
    return tuple(cells)


def _ratios(party: Party, settings: dict[str, str], way: str) -> list[Fraction]:
    rows = (row for row in party.rows(settings["format"]) if row.kernel == settings["kernel"])
    return [ratio for row in rows if (ratio := party.ratio(row, way)) is not None]


def _say(parties: tuple[Party, ...], settings: dict[str, str]) -> str:
    told = []
    for party in parties:
        ratios = _ratios(party, settings, settings["way"])
        slower = sum(1 for ratio in ratios if ratio < 1)
        if ratios:
            where = f"{settings['kernel']} is slower than torch.mm at {slower} of {some(len(ratios), 'shape')}"
            told.append(f"{party.label}: {where}; the least ratio is {words.ratio(min(ratios))}.")
    return " ".join(told) or f"Nobody ran {settings['kernel']} in {words.label(settings['format'])}."


def _asks(party: Party, settings: dict[str, str]) -> tuple[Ask, ...]:
    """At how many of our shapes does the kernel lose? Nothing where it was not run."""
    by_way = {way: _ratios(party, settings, way) for way in WAYS}
    way = settings["way"]
    count = len(by_way[way])
    if not count:
        return ()
    slower = {each: sum(1 for ratio in ratios if ratio < 1) for each, ratios in by_way.items()}
    other = next(each for each in WAYS if each != way)
    found = (
        Mistake("faster", count - slower[way], "that is at how many it is at least as fast"),
        Mistake("other way", slower[other], f"that is at how many it is slower {shared.WAY_WORDS[other]}"),
        Mistake("all", count, "that is every shape there is"),
    )
    return (
        Ask(
            "slower",
            f"at how many of {some(count, 'shape')} is {settings['kernel']} slower than torch.mm?",
            str(slower[way]),
            f"{number(slower[way])} of {number(count)} ratios {shared.WAY_WORDS[way]} are below 1.",
            tuple((str(each.value), each) for each in found if each.value != slower[way]),
        ),
    )


WIDGET = Widget(
    name="against-torch",
    title="One kernel on every shape",
    question="The library’s kernels are hard to beat. At which shapes does a kernel keep up with them, and where not?",
    controls=(shared.FORMAT, shared.WAY, KERNEL, shared.OWN),
    assumptions=(
        "Both sides compute in the same number format: float32 IEEE against IEEE, TF32 against TF32.",
        "C is allocated before the clock starts, for both. The L2 cache is emptied before every repeat, for both.",
        "The table in which best looks its kernel up was written for these very shapes, on this very GPU.",
        "In our stored run the look-up itself was not in the time of a call.",
        "The roof in a remark is the lower one over the shape, as published. It is no reason for being far below it.",
    ),
    scene=scene,
    listed=(
        *({"format": each, "way": way} for each, _ in shared.FORMAT.options for way in WAYS),
        {"kernel": "tiled"},
        {"kernel": "autotuned"},
    ),
    fixed=(shared.OWN.name,),
    steps=False,
    limits_title="What these numbers leave out",
)
