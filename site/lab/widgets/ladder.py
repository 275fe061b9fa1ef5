"""`ladder`: every kernel of the ladder on one shape, as torch's time over its own."""

from fractions import Fraction

from lab.markup import some
from lab.results import shared
from lab.results.own_files import parties as all_parties
from lab.results.scales import powers
from lab.results.tracks import Along, Track, Value, track_chart
from lab.widget import Ask, Frame, Scene, Widget
from sim.measured import words
from sim.measured.party import Party
from sim.measured.records import Row, Shape
from sim.mistakes import Mistake

LEAST, MOST = Fraction(1, 8), Fraction(4)  # beyond these a mark is an arrow at the axis' end


def scene(settings: dict[str, str]) -> Scene:
    """One frame: the plot, a table of each party's rows, and the shared.provenance."""
    parties = all_parties(settings["own"])
    shape = shared.checked_shape(parties, settings)
    return Scene(
        settings=settings,
        count=1,
        frame=lambda step: _frame(parties, settings, shape),
        asks=_asks(parties, settings, shape),
        shortcuts=(
            shared.format_buttons(settings),
            shared.way_buttons(settings),
            shared.shape_buttons(parties, settings),
        ),
        note=shared.own_note(parties, settings["format"], shape),
        unlinked=(shared.OWN.name,),
    )


def _frame(parties: tuple[Party, ...], settings: dict[str, str], shape: Shape) -> Frame:
    number_format, way = settings["format"], settings["way"]
    kernels = [name for name in shared.kernels_of(parties, number_format, shape) if name != "torch"]
    tracks = [
        Track(name, tuple(ratio_value(party, party.row(number_format, shape, name), way) for party in parties))
        for name in kernels
    ]
    caption = (
        f"Times as fast as torch.mm on the same GPU, {words.label(number_format)}, {words.shape(shape)}, "
        f"{shared.WAY_WORDS[way]}. Marks are medians, lines the middle four fifths of the kernel’s repeats; further "
        "right is faster."
    )
    chart = track_chart(tracks, [party.label for party in parties], axis_of(tracks), caption)
    tables = [shared.row_table(party, number_format, shape) for party in parties if party.runs]
    html = shared.frame_of(chart, tables, shared.provenance(parties))
    return Frame(html, _say(parties, settings, shape))


def ratio_value(party: Party, row: Row | None, way: str) -> Value | None:
    """Torch's median over a row's times."""
    ratio = party.ratio(row, way) if row else None
    time = row.time(way) if row else None
    if ratio is None or time is None:
        return None
    torch = ratio * time.median
    return Value(torch / time.high, ratio, torch / time.low, words.ratio(ratio))


def axis_of(tracks: list[Track]) -> Along:
    """From the slowest to the fastest, in powers of two, but no wider than LEAST to MOST."""
    values = [value.middle for track in tracks for value in track.values if value]
    low = max(min((*values, Fraction(1, 2))), LEAST)
    high = min(max((*values, Fraction(2))), MOST)
    return Along(powers(low, high, 2), "times as fast as torch.mm", Fraction(1), "1 = torch.mm")


def _say(parties: tuple[Party, ...], settings: dict[str, str], shape: Shape) -> str:
    told = []
    for party in parties:
        rows = _timed(party, settings["format"], shape, settings["way"])
        faster = sum(1 for _, ratio in rows if ratio >= 1)
        best = next(((row, ratio) for row, ratio in rows if row.kernel == "best"), None)
        if not rows:
            continue
        keep = "none keeps" if not faster else "1 keeps" if faster == 1 else f"{faster} keep"
        least = f"of {some(len(rows), 'kernel')} {keep} up with torch.mm"
        time = best[0].time(settings["way"]) if best else None
        tail = f"; best takes {words.us(time.median)}, {words.ratio(best[1])} times as fast" if best and time else ""
        told.append(f"{party.label}, {words.shape(shape)}: {least}{tail}.")
    return " ".join(told)


def _timed(party: Party, number_format: str, shape: Shape, way: str) -> list[tuple[Row, Fraction]]:
    rows = (row for row in party.rows(number_format) if row.shape == shape and row.kernel != "torch")
    return [(row, ratio) for row in rows if (ratio := party.ratio(row, way)) is not None]


def _asks(parties: tuple[Party, ...], settings: dict[str, str], shape: Shape) -> tuple[Ask, ...]:
    party = next(party for party in parties if shape in party.shapes(settings["format"]))
    times = {
        row.kernel: time.median
        for row in party.rows(settings["format"])
        if row.shape == shape and (time := row.time(settings["way"]))
    }
    fastest = min(times, key=lambda name: times[name])
    wrong = []
    for name, taken in times.items():
        longer = f"it takes {words.us(taken)}, {words.ratio(Fraction(taken, times[fastest]))} times as long"
        if name != fastest:
            wrong.append((name, Mistake(name, 0, longer)))
    return (
        Ask(
            "fastest",
            f"which is fastest here, {shared.WAY_WORDS[settings['way']]}?",
            fastest,
            f"It takes {words.us(times[fastest])}.",
            tuple(wrong),
            tuple((name, name) for name in shared.kernels_of((party,), settings["format"], shape)),
        ),
    )


WIDGET = Widget(
    name="ladder",
    title="The ladder on one shape",
    question="Each kernel adds one idea. Which of them helps at this size, and which loses to torch.mm?",
    controls=(shared.FORMAT, shared.WAY, shared.SHAPE, shared.OWN),
    assumptions=(
        "The numbers are measured, not modelled: what is shown is one run on one GPU, with its spread.",
        "A ratio compares medians of kernels that took turns. Both compute the same product in the same number format.",
        "By graph replay only the GPU’s time counts. A call from Python adds Python, the launch and the waiting.",
        "In our stored run the call of best leaves out the look-up of its kernel in a table.",
        "The roof in a remark is the lower one over the shape, as published. It is no reason for being far below it.",
    ),
    scene=scene,
    listed=(
        {},
        {"way": "call"},
        *({"format": each} for each in ("bfloat16", "float32 ieee", "float32 tf32")),
        *({"shape": each} for each in (
            "127 255 65", "512 512 512", "1000 1000 1000", "8192 8192 8192", "16 4096 4096", "1 4096 4096",
            "1024 1024 65536", "4095 4097 4099",
        )),
    ),
    fixed=(shared.OWN.name,),
    steps=False,
    limits_title="What these numbers leave out",
)  # fmt: skip
