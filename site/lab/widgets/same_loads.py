"""`same-loads`: launches that load equally often by the model, and how unlike they are in everything else."""

from fractions import Fraction

from lab.controls import Integer, capital
from lab.figures import facts
from lab.markup import Html, number
from lab.problem import Problem
from lab.results import shared
from lab.results.bars import Bar, bar_chart
from lab.results.counted import (
    COUNTED,
    DRAM,
    L1,
    L2,
    MODEL,
    TIME,
    WARPS,
    Measure,
    launches,
    name_of,
    no_counters_note,
    sizes,
)
from lab.results.own_files import parties as all_parties
from lab.widget import Ask, Frame, Scene, Shortcut, Widget
from sim.cost import separate_loads
from sim.measured import words
from sim.measured.party import Party
from sim.measured.records import Launch
from sim.mistakes import Mistake

STEPS = (MODEL, COUNTED, WARPS, L1, L2, DRAM, TIME)
WHY = {
    "model_loads": "every output loads its own row and column",
    "counted_loads": "the model is right for all of them",
    "warp_loads": "one instruction loads for up to 32 threads of a warp; a block of one thread uses one of the 32",
    "l1_sectors": "threads side by side find their elements in the same sector of 32 bytes",
    "l2_sectors": "what neighbours in a block have loaded is still in L1",
    "dram_bytes": "A and B fit in L2, so each byte comes from DRAM about once",
    "time": "a count of loads does not say how long they take",
}


def scene(settings: dict[str, str]) -> Scene:
    """A step for each measure, one set of bars at a time."""
    parties = all_parties(settings["own"])
    n = int(settings["n"])
    known = tuple(each for each in sizes(parties, 0) if any(len(_same(party, each)) > 1 for party in parties))
    if n not in known:
        raise Problem(f"N: given {n}; counted: {', '.join(number(each) for each in known)}", "n")
    rows = _same(next(party for party in parties if len(_same(party, n)) > 1), n)
    return Scene(
        settings=settings,
        count=len(STEPS),
        frame=lambda step: _frame(parties, n, rows, step),
        asks=_asks(rows),
        shortcuts=(("Size", tuple(Shortcut(f"N = {each}", {"n": str(each)}, each == n) for each in known)),),
        note=no_counters_note(parties),
        unlinked=(shared.OWN.name,),
    )


def _same(party: Party, n: int) -> list[Launch]:
    """The launches in which every output loads its own row and column, slowest first."""
    found = [row for row in launches(party, n) if row.model_loads == separate_loads(n, n, n)]
    return sorted(found, key=lambda row: -row.time.median)


def _frame(parties: tuple[Party, ...], n: int, rows: list[Launch], step: int) -> Frame:
    measure = STEPS[step]
    by_name = [{name_of(row): row for row in _same(party, n)} for party in parties]
    names = list(dict.fromkeys(name for found in by_name for name in found))
    bars = [[_bar(measure, found.get(name)) for found in by_name] for name in names]
    have = [at for at, found in enumerate(by_name) if found]
    shown = [[each[at] for at in have] for each in bars]
    caption = f"N = {n}, launches of equal loads by the model: {measure.unit}. Bars start at 0."
    chart = bar_chart(names, shown, [parties[at].label for at in have], caption)
    tables = [_table(party, n, step) for party in parties if _same(party, n)]
    html = shared.frame_of(chart, tables, shared.provenance(parties, rows=False, counters=True))
    return Frame(html, _say(rows, measure))


def _bar(measure: Measure, row: Launch | None) -> Bar | None:
    return Bar(measure.of(row), measure.text(row)) if row else None


def _table(party: Party, n: int, step: int) -> Html:
    rows = []
    for launch in _same(party, n):
        shown = (_cell(measure, launch) if at <= step else "" for at, measure in enumerate(STEPS))
        rows.append(("", (name_of(launch), *shown)))
    title = f"{party.label}: N = {n}, launches of equal loads; the time with its middle half"
    return facts(title, ("launch", *(measure.head for measure in STEPS)), rows)


def _cell(measure: Measure, launch: Launch) -> str:
    return shared.spread_cell(launch.time) if measure is TIME else measure.text(launch)


def _say(rows: list[Launch], measure: Measure) -> str:
    head, why = capital(measure.head), WHY[measure.name]
    most, least = max(rows, key=measure.of), min(rows, key=measure.of)
    factor = Fraction(measure.of(most), measure.of(least))
    if factor == 1:
        return f"{head}: {measure.text(most)} in all of {len(rows)}, for {why}."
    ends = f"{measure.text(most)} ({name_of(most)}) to {measure.text(least)} ({name_of(least)})"
    return f"{head}: from {ends}, {_factor(factor)}: {why}."


def _factor(factor: Fraction) -> str:
    """How far apart two values are."""
    if factor < Fraction(101, 100):
        return "less than 1 % apart"
    return f"{words.places(factor, 0 if factor >= 10 else 2)} to 1"


def _asks(rows: list[Launch]) -> tuple[Ask, ...]:
    """How much longer does one thread a block take than 8 × 8?"""
    found = {row.tile: row for row in rows if row.kernel == "separate"}
    if 1 not in found or 8 not in found:
        return ()
    one, eight = found[1], found[8]
    factor = Fraction(one.time.median, eight.time.median)
    right = "same" if factor < Fraction(3, 2) else "few" if factor < 8 else "many"
    choices = (("same", "about as long"), ("few", "a few times as long"), ("many", "more than eight times as long"))
    told = f"it takes {words.places(factor, 1)} times as long"
    wrong = tuple((name, Mistake(name, 0, told)) for name, _ in choices if name != right)
    return (
        Ask(
            "slower",
            "equal loads: blocks of 1 thread against 8 × 8 threads take …",
            right,
            f"{words.us(one.time.median)} against {words.us(eight.time.median)}.",
            wrong,
            choices,
        ),
    )


WIDGET = Widget(
    name="same-loads",
    title="Equal loads, unequal times",
    question="These launches load an element equally often. Blocks of one thread, or of 8 × 8: does it matter?",
    controls=(Integer("n", "size N", 512, 1, 65_536), shared.OWN),
    assumptions=(
        "The tiled kernel with T = 1 waits twice in each of N phases; the separate one never does.",
        "Counters are of profiled launches with emptied caches, times of unprofiled launches with warm caches.",
        "Nothing here is a fast kernel. What is compared is what a count of loads can and cannot tell.",
    ),
    scene=scene,
    listed=({}, {"n": "64"}),
    fixed=(shared.OWN.name,),
    limits_title="What these numbers leave out",
)
