"""`model-and-counters`: the model's loads beside what the profiler counted, one measure a step."""

from fractions import Fraction

from lab.controls import Integer
from lab.figures import facts
from lab.markup import Html, join, number, some
from lab.problem import Problem
from lab.results import shared
from lab.results.counted import COUNTED, DRAM, L1, L2, MODEL, SECTOR, TIME, Measure, launches, no_counters_note, sizes
from lab.results.marks import kind_of
from lab.results.own_files import parties as all_parties
from lab.results.scales import powers, si_label
from lab.results.scatter import Axes, Points, scatter
from lab.widget import Ask, Frame, Scene, Shortcut, Widget
from sim.measured import words
from sim.measured.party import Party
from sim.measured.records import Launch
from sim.mistakes import Mistake

STEPS = (MODEL, COUNTED, L1, L2, DRAM, TIME)
COUNTS = STEPS[:-1]
MARKS = {"model_loads": "diamond", "counted_loads": "cross", "l1_sectors": "square", "l2_sectors": "triangle"}
ALONG = "T: blocks of T × T threads"
LEAST = 3  # launches that make a line


def scene(settings: dict[str, str]) -> Scene:
    """A step for each measure; what has been shown stays."""
    parties = all_parties(settings["own"])
    n = int(settings["n"])
    known = sizes(parties, LEAST)
    if n not in known:
        raise Problem(f"N: given {n}; counted: {', '.join(number(each) for each in known)}", "n")
    tiles = _tiles(parties, n)
    buttons = tuple(Shortcut(f"N = {each}", {"n": str(each)}, each == n) for each in known)
    return Scene(
        settings=settings,
        count=len(STEPS),
        frame=lambda step: _frame(parties, n, step),
        asks=_asks(parties, n, tiles),
        shortcuts=(("Size", buttons),),
        note=no_counters_note(parties),
        unlinked=(shared.OWN.name,),
    )


def _tiles(parties: tuple[Party, ...], n: int) -> list[Launch]:
    return list(next(found for party in parties if (found := launches(party, n, "tiled"))))


def _frame(parties: tuple[Party, ...], n: int, step: int) -> Frame:
    chart = _counts_chart(parties, n, min(step, len(COUNTS) - 1))
    if STEPS[step] is TIME:
        chart = join(chart, _time_chart(parties, n))
    tables = [_table(party, n, step) for party in parties if launches(party, n, "tiled")]
    html = shared.frame_of(chart, tables, shared.provenance(parties, rows=False, counters=True))
    return Frame(html, _say(_tiles(parties, n), n, STEPS[step]))


def _counts_chart(parties: tuple[Party, ...], n: int, step: int) -> Html:
    """Counts over T, both axes logarithmic. Readers' own have hollow marks and no lines."""
    groups = []
    for at, party in enumerate(parties):
        rows = launches(party, n, "tiled")
        for index, measure in enumerate(COUNTS[: step + 1] if rows else ()):
            places = tuple((Fraction(row.tile), _in_chart(measure, row)) for row in rows)
            name = f"{party.label}: {_chart_name(measure)}"
            shape = MARKS.get(measure.name, "circle")
            size = 7 if measure is MODEL else 5 if measure is COUNTED else 4
            kind = "dot full" if at == 0 and measure not in (MODEL, COUNTED) else "dot"
            groups.append(Points(name, f"s{index}", shape, kind, places, size + at, joined=at == 0))
    values = [place[1] for points in groups for place in points.places]
    axes = Axes(_tile_ticks(parties, n), powers(min(values), max(values), 10), ALONG, "count", si_label)
    shown = ", ".join(_chart_name(measure) for measure in COUNTS[: step + 1])
    return scatter(groups, (), axes, f"N = {n}, the tiled CUDA kernel over T: {shown}.")


def _chart_name(measure: Measure) -> str:
    return "DRAM bytes / 32" if measure is DRAM else measure.head


def _in_chart(measure: Measure, row: Launch) -> Fraction:
    """Bytes are drawn as sectors, so that they compare."""
    return Fraction(measure.of(row), SECTOR if measure is DRAM else 1)


def _tile_ticks(parties: tuple[Party, ...], n: int) -> tuple[Fraction, ...]:
    tiles = [Fraction(row.tile) for party in parties for row in launches(party, n, "tiled")]
    return powers(min(tiles), max(tiles), 2)


def _time_chart(parties: tuple[Party, ...], n: int) -> Html:
    groups = []
    for at, party in enumerate(parties):
        rows = launches(party, n, "tiled")
        places = tuple((Fraction(row.tile), Fraction(row.time.median, 10**6)) for row in rows)
        if places:
            name, kind = f"{party.label}: time", kind_of(at)
            groups.append(Points(name, f"s{at}", "circle", kind, places, joined=True))
    times = [place[1] for points in groups for place in points.places]
    axes = Axes(_tile_ticks(parties, n), powers(min(times), max(times), 10), ALONG, "time, µs", si_label)
    return scatter(groups, (), axes, f"N = {n}, the same launches: median time without the profiler, caches warm.")


def _table(party: Party, n: int, step: int) -> Html:
    rows = []
    for launch in launches(party, n, "tiled"):
        cells = tuple(_cell(measure, launch) if at <= step else "" for at, measure in enumerate(STEPS))
        rows.append(("", (str(launch.tile), *cells)))
    heads = ("T", *(measure.head for measure in STEPS))
    return facts(f"{party.label}: N = {n}, tiled; the time with its middle half", heads, rows)


def _cell(measure: Measure, launch: Launch) -> str:
    return shared.spread_cell(launch.time) if measure is TIME else measure.text(launch)


def _say(rows: list[Launch], n: int, measure: Measure) -> str:
    """What the step's measure shows, from the smallest T to the largest."""
    first, last = rows[0], rows[-1]
    t, u = f"T = {first.tile}", f"T = {last.tile}"
    if measure is MODEL:
        return f"By the model {t} loads {number(first.model_loads)} elements and {u} {number(last.model_loads)}."
    if measure is COUNTED:
        unequal = sum(1 for row in rows if row.counted_loads != row.model_loads)
        same = f"The profiler counts exactly what the model says, in all of {some(len(rows), 'launch', 'launches')}."
        return f"In {some(unequal, 'launch', 'launches')} the count is not what the model says." if unequal else same
    if measure is L1:
        serves = words.places(Fraction(last.counted_loads, last.l1_sectors), 0)
        each = words.places(Fraction(first.counted_loads, first.l1_sectors), 0)
        asked = "L1 is asked for sectors of 32 bytes, and a sector serves what threads of a warp load side by side"
        return f"{asked}: {each} {'load' if each == '1' else 'loads'} at {t}, {serves} loads at {u}."
    if measure is L2:
        parts = [words.places(Fraction(100 * row.l2_sectors, row.l1_sectors), 0) for row in (first, last)]
        return f"L2 is asked for what L1 did not have: {parts[0]} % of the sectors at {t}, {parts[1]} % at {u}."
    if measure is DRAM:
        moved = f"{number(first.dram_bytes)} at {t}, {number(last.dram_bytes)} at {u}"
        return f"A and B have {number(8 * n * n)} bytes, and DRAM moves about as many whatever T is: {moved}."
    loads, time = Fraction(first.model_loads, last.model_loads), Fraction(first.time.median, last.time.median)
    return f"From {t} to {u} loads fall {words.fold(loads)}, time {words.fold(time)}: it follows none of the counts."


def _asks(parties: tuple[Party, ...], n: int, rows: list[Launch]) -> tuple[Ask, ...]:
    """What will be counted at the middle tile?"""
    launch = next((row for row in rows if row.tile == 8), rows[-1])
    found = (
        Mistake("separate", 2 * n**3, "that is 2 N³, each output loading its own row and column: T = 1"),
        Mistake("A only", launch.model_loads // 2, "that counts the loads of A only"),
        Mistake("L1", launch.l1_sectors, "that many sectors were asked of L1, and each serves several loads"),
        Mistake("once", 2 * n * n, "that loads every element once"),
        Mistake("square", 2 * n**3 // launch.tile**2, "that divides by T², but each loaded element serves T outputs"),
    )
    return (
        Ask(
            "counted",
            f"how many loads will the profiler count for N = {n} and T = {launch.tile}?",
            str(launch.counted_loads),
            f"2 N³ / T is {number(launch.model_loads)}, and that is what was counted.",
            tuple((str(each.value), each) for each in found if each.value != launch.counted_loads),
        ),
    )


WIDGET = Widget(
    name="model-and-counters",
    title="Loads, and what comes after them",
    question="The profiler counts what the CUDA program really loads. Is the model right, and what is it right about?",
    controls=(Integer("n", "size N", 512, 1, 65_536), shared.OWN),
    assumptions=(
        "Counted: executed load instructions times their active threads. A masked thread loads nothing.",
        "The profiler runs a launch several times, with other counters each time, and empties the caches before each.",
        "Times are of other launches, without the profiler, one after the other, so with warm caches.",
        "The CUDA program is written to be read. Faster kernels load in other ways.",
    ),
    scene=scene,
    listed=({}, {"n": "64"}),
    fixed=(shared.OWN.name,),
    limits_title="What these numbers leave out",
)
