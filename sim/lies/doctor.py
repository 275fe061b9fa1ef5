"""Ten ways to spoil a report of real rows. Each takes an honest report and returns the spoiled one."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

from sim.lies.report import Line, Report
from sim.measured.records import Row, Spread

ABOVE = Fraction(6, 5)  # how far above a peak a spoiled rate lies
Clocks = tuple[Fraction, Fraction]


def no_synchronisation(report: Report, launches: Sequence[Spread]) -> Report:
    """The clock stops when the launch has been sent off: the sizes get the times of calls that hardly compute."""
    lines = (
        replace(line, low=time.low, time=time.median, high=time.high, rate=Fraction(line.flops, time.median))
        for line, time in zip(report.lines, launches, strict=True)
    )
    return replace(report, lines=tuple(lines))


def no_warm_up(report: Report, first_call: int) -> Report:
    """The first of the repeats searched for the fastest tile, and the mean of all is reported."""
    ours, repeats = report.lines[1], report.setting.repeats
    time = ((repeats - 1) * ours.time + first_call) // repeats
    return _retimed(report, replace(ours, time=time, high=first_call))


def hot_cache(report: Report) -> Report:
    """Repeats on the same small inputs, which stay in the L2: bytes come faster than the memory has them."""
    (line,) = report.lines
    time = int(line.least_bytes / (report.setting.peak_tb_s * ABOVE))
    spoiled = _scaled(line, Fraction(time, line.time))
    setting = replace(report.setting, cache="as the repeat before left it")
    return Report((replace(spoiled, rate=spoiled.true_rate),), setting)


def zeros(report: Report) -> Report:
    """The inputs were never filled: fresh memory is zeros, and so is C. Times are left as they were."""
    lines = tuple(line if line.error is None else replace(line, error=Fraction(0)) for line in report.lines)
    return Report(lines, replace(report.setting, inputs="torch.empty, as allocated"))


def unlike_arithmetic(report: Report) -> Report:
    """Ours in TF32, torch in IEEE, and both called float32."""
    return replace(report, lines=tuple(replace(line, format="float32") for line in report.lines))


def wrong_formula(report: Report) -> Report:
    """2 M K K where 2 M N K is meant: right for cubes only."""
    lines = (replace(line, rate=Fraction(2 * line.shape[0] * line.shape[2] ** 2, line.time)) for line in report.lines)
    return replace(report, lines=tuple(lines))


def wrong_unit(report: Report) -> Report:
    """Operations divided by 2**40, which is no tera."""
    lines = (replace(line, rate=line.true_rate * 10**12 / 2**40) for line in report.lines)
    return replace(report, lines=tuple(lines))


def best_of_n(report: Report) -> Report:
    """Our fastest repeat against torch's median."""
    _, ours = report.lines
    return _retimed(report, replace(ours, time=ours.low))


def order_effects(report: Report, clocks: Clocks) -> Report:
    """All repeats of one kernel, then all of the other: by then the chip is warm and its clock lower."""
    torch, ours = report.lines
    slower = clocks[0] / clocks[1]
    first = _pair(_scaled(torch, slower), ours)
    second = _pair(torch, _scaled(ours, slower))
    turns = f"one after the other: all repeats of {ours.kernel}, then all of torch"
    return Report(first, replace(report.setting, turns=turns, clocks_mhz=clocks), second)


def above_the_peak(report: Report) -> Report:
    """A time so short that the chip cannot have done the work, and nothing that says why."""
    (line,) = report.lines
    time = int(line.flops / (report.setting.peak(line.peak_format) * ABOVE))
    spoiled = _scaled(line, Fraction(time, line.time))
    return replace(report, lines=(replace(spoiled, rate=spoiled.true_rate),))


def launch_bound(report: Report) -> Report:
    """A rate and a ratio for a size at which launching takes most of the time. The times are real."""
    return replace(report, lines=tuple(replace(line, rate=line.true_rate) for line in report.lines))


def untouched(report: Report) -> Report:
    """An honest report, for readers who see a fault in everything."""
    return report


def _scaled(line: Line, factor: Fraction) -> Line:
    low, time, high = (int(each * factor) for each in (line.low, line.time, line.high))
    return replace(line, low=low, time=time, high=high, rate=Fraction(line.flops, time))


def _pair(torch: Line, ours: Line) -> tuple[Line, Line]:
    return torch, replace(ours, ratio=Fraction(torch.time, ours.time))


def _retimed(report: Report, ours: Line) -> Report:
    """The report with another line of ours, its rate and ratio worked out anew."""
    torch = report.lines[0]
    return replace(report, lines=_pair(torch, replace(ours, rate=ours.true_rate)))


Simple = Callable[[Report], Report]
SIMPLE: dict[str, Simple] = {
    "hot-cache": hot_cache,
    "zeros": zeros,
    "unlike": unlike_arithmetic,
    "formula": wrong_formula,
    "unit": wrong_unit,
    "best-of-n": best_of_n,
    "peak": above_the_peak,
    "launch-bound": launch_bound,
    "none": untouched,
}


def doctored(how: str, report: Report, tiny: Sequence[Row], ours: Row, clocks: Clocks) -> Report:
    """The report spoiled one way. ``tiny`` are rows whose calls hardly compute, ``ours`` is the row of the report.

    Raises ValueError for an unknown way, and for rows that lack a time that is needed.
    """
    if how == "no-sync":
        return no_synchronisation(report, [row.call for row in tiny if row.call])
    if how == "no-warm-up" and ours.tune:
        return no_warm_up(report, ours.tune)
    if how == "order":
        return order_effects(report, clocks)
    if how not in SIMPLE:
        allowed = ", ".join((*SIMPLE, "no-sync", "order, and no-warm-up for a row with a tuning time"))
        raise ValueError(f"way to spoil a report: given {how}; allowed: {allowed}")
    return SIMPLE[how](report)
