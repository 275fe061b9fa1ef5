"""`bench-lies`: a report of real rows that was spoiled on purpose; the reader says how."""

from fractions import Fraction

from lab.controls import Integer
from lab.figures import facts
from lab.markup import Html, join, tag
from lab.results.shared import provenance
from lab.results.stored import falling_clocks, ours
from lab.widget import Ask, Frame, Scene, Shortcut, Widget
from sim.lies.cases import RECIPES, Case, case, claim
from sim.lies.diagnose import FAULTS, NONE, diagnose, explain, label
from sim.lies.report import Line, Report
from sim.measured import words
from sim.mistakes import Mistake

HEADS = ("kernel", "M × N × K", "number format", "time, µs", "lowest to highest", "TFLOP/s", "× torch", "error")


def scene(settings: dict[str, str]) -> Scene:
    """The report as published; then what was measured, with every difference marked."""
    number = int(settings["case"])
    found = case(number, ours(), falling_clocks())
    return Scene(
        settings=settings,
        count=2,
        frame=lambda step: _frame(found, step),
        asks=(_ask(found.published),),
        shortcuts=(("Report", tuple(_button(each, number) for each in range(1, len(RECIPES) + 1))),),
    )


def _button(number: int, now: int) -> Shortcut:
    return Shortcut(str(number), {"case": str(number)}, number == now)


def _frame(found: Case, step: int) -> Frame:
    """Step 0 has the report and what is said about it; step 1 the honest one beside it."""
    published = _block("As published", found.published, None)
    html = tag("div", published, _honest(found) if step else None, provenance((ours(),)), class_="across measured-plot")
    if not step:
        return Frame(html, f"{claim(found.published)} Find the fault, if there is one.")
    fault = diagnose(found.published)
    if fault == NONE:
        return Frame(html, "Nothing was changed: this is what was measured.")
    return Frame(html, f"{label(fault)[:1].upper()}{label(fault)[1:]}. Marked is what was changed.")


def _honest(found: Case) -> Html:
    fault = diagnose(found.published)
    told = f"{explain(found.published, fault)}."
    guard = FAULTS[fault].guard if fault in FAULTS else ""
    reason = tag("p", f"{told[:1].upper()}{told[1:]} {guard}".strip(), class_="argument")
    return join(_block("As measured", found.honest, found.published), reason)


def _block(title: str, report: Report, other: Report | None) -> Html:
    """A report: its lines, a second run if there is one, and how it was measured."""
    blocks = [_lines(title, report.lines, other.lines if other else None)]
    if report.again:
        blocks.append(_lines(f"{title}: a second run, in the other order", report.again, None))
    return join(*blocks, _setting(report, other))


def _lines(title: str, lines: tuple[Line, ...], others: tuple[Line, ...] | None) -> Html:
    rows = []
    for at, line in enumerate(lines):
        cells = _cells(line)
        before = _cells(others[at]) if others else cells
        marked = (tag("mark", cell) if cell != old else cell for cell, old in zip(cells, before, strict=True))
        rows.append(("", tuple(marked)))
    return facts(title, HEADS, rows)


def _cells(line: Line) -> tuple[str, ...]:
    rate = words.figures(line.rate) if line.rate else "–"
    ratio = words.ratio(line.ratio) if line.ratio else "–"
    error = words.scientific(line.error) if line.error is not None else "–"
    spread = f"{words.microseconds(line.low)}–{words.microseconds(line.high)}"
    time = words.microseconds(line.time)
    return line.kernel, words.shape(line.shape), words.label(line.format), time, spread, rate, ratio, error


def _setting(report: Report, other: Report | None) -> Html:
    """What the report says about itself, and published figures to hold it against."""
    told, before = _told(report), _told(other) if other else _told(report)
    rows = (
        tag("div", tag("dt", name), tag("dd", tag("mark", value) if value != old else value))
        for (name, value), (_, old) in zip(told, before, strict=True)
    )
    return tag("dl", *rows, class_="told")


def _told(report: Report) -> list[tuple[str, str]]:
    setting = report.setting
    largest = max(line.least_bytes for line in report.lines)
    formats = dict.fromkeys(line.peak_format for line in report.lines)
    peaks = ", ".join(f"{words.peak(setting.peak(each))} in {words.label(each)}" for each in formats)
    return [
        ("repeats", str(setting.repeats)),
        ("order", setting.turns),
        ("inputs", setting.inputs),
        ("L2 cache between repeats", setting.cache),
        ("A, B and C; L2 cache", f"{words.megabytes(largest)}; {words.megabytes(setting.l2_bytes)}"),
        ("clock before and after", " and ".join(_mhz(each) for each in setting.clocks_mhz)),
        ("an empty launch", words.us(setting.empty)),
        ("published peaks", f"{words.peak(setting.peak_tb_s)} TB/s; TFLOP/s: {peaks}"),
    ]


def _mhz(clock: Fraction | None) -> str:
    return "not told" if clock is None else f"{int(clock)} MHz"


def _ask(report: Report) -> Ask:
    """The fault, with an answer for every other choice too."""
    right = diagnose(report)
    names = (*FAULTS, NONE)
    wrong = ((name, Mistake(name, 0, explain(report, name))) for name in names if name != right)
    told = explain(report, right)
    return Ask(
        "fault",
        "what is wrong with this report?",
        right,
        f"{told[:1].upper()}{told[1:]}.",
        tuple(wrong),
        tuple((name, label(name)) for name in names),
    )


WIDGET = Widget(
    name="bench-lies",
    title="Find the fault",
    question="Each report is made of real rows, and most were spoiled on purpose in one way. Find out how.",
    controls=(Integer("case", "report", 1, 1, len(RECIPES)),),
    assumptions=(
        "The rows under As measured are stored results. What is marked there was changed, by code, to make the report.",
        "A changed time is no measurement: a warm cache, zeros or another order may gain more or less than is made up.",
        "The falling clock in reports on order is a stored one, of another lasting run: h200-group-m.json.",
        "In practice faults come together, and some leave no trace in a report: then ask how it was measured.",
    ),
    scene=scene,
    listed=tuple({"case": str(number)} for number in range(1, len(RECIPES) + 1)),
    run_label="Check",
    limits_title="What is real here, and what is made up",
)
