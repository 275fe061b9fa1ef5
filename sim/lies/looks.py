"""What a report shows of each fault, by its own numbers alone: seen or not, and the sentence that says so."""

from dataclasses import dataclass
from fractions import Fraction

from sim.lies.report import EMPTIED, IN_TURNS, TOLERANCE, Line, Report
from sim.measured import words


@dataclass(frozen=True)
class Finding:
    """Whether a report shows a fault, and by what. The sentence has no full stop."""

    seen: bool
    sentence: str


def synchronised(report: Report) -> Finding:
    """Does time grow with work?"""
    first, last = report.lines[0], report.lines[-1]
    work, time = Fraction(last.flops, first.flops), Fraction(last.time, first.time)
    if work < 8:
        return Finding(False, "a clock that stops too early shows when work grows and time does not; here is one size")
    sizes = f"from {words.shape(first.shape)} to {words.shape(last.shape)}"
    grown = f"{sizes} the operations grow {words.fold(work)} and the time {words.fold(time)}"
    if work > 4 * time:
        return Finding(True, f"{grown}; what was timed is sending the launch off, not the product")
    return Finding(False, f"{grown}: it grows as the work does")


def in_turns(report: Report) -> Finding:
    """Did one kernel have the chip at another clock than the other?"""
    if report.setting.turns == IN_TURNS:
        return Finding(False, "the kernels took turns, so a chip that grows warm slows them all alike")
    before, after = ("?" if clock is None else str(int(clock)) for clock in report.setting.clocks_mhz)
    told = f"all repeats of one kernel ran before all of the other, and the clock fell from {before} to {after} MHz"
    if report.again:
        once, again = (next(line.ratio for line in lines if line.ratio) for lines in (report.lines, report.again))
        told += f"; in the other order the ratio is {words.ratio(again)}, not {words.ratio(once)}: who ran first won"
    return Finding(True, told)


def like_statistics(report: Report) -> Finding:
    """Is every time the same kind of figure?"""
    for line in report.lines:
        others = [each for each in report.lines if each is not line and each.low < each.time]
        if line.time == line.low < line.high and others:
            best = f"the time of {line.kernel}, {words.us(line.time)}, is the lowest of its own repeats"
            usual = f"that of {others[0].kernel}, {words.us(others[0].time)}, lies inside its range"
            return Finding(True, f"{best}, and {usual}: a best case is compared with a usual one")
    return Finding(False, "no reported time is the lowest of its repeats")


def warmed_up(report: Report) -> Finding:
    """Do the repeats agree?"""
    for line in report.lines:
        if line.high > 10 * line.low and line.time > 2 * line.low:
            times = words.places(Fraction(line.high, line.low), 0)
            slowest = f"the slowest repeat of {line.kernel} took {times} times as long as the fastest"
            return Finding(True, f"{slowest}, and the reported time is neither: the first call compiled or tuned")
    widest = max(Fraction(line.high - line.low, line.low) for line in report.lines)
    agree = f"the repeats lie within {words.places(widest * 100, 0)}\u00a0% of each other"
    return Finding(False, f"{agree}; a first call, which compiles or tunes, would stand far out")


def like_arithmetic(report: Report) -> Finding:
    """Does float32 mean the same in every line?"""
    limit = TOLERANCE["float32 ieee"]
    for line in report.lines:
        if line.format == "float32" and line.error and line.error > limit:
            told = f"an error of {words.scientific(line.error)} in float32 is that of factors with 10 bits"
            ieee = f"IEEE leaves less than {words.scientific(limit)}, and torch’s rate is one of IEEE"
            return Finding(True, f"{told}, so {line.kernel} ran in TF32; {ieee}")
    if all(line.format.startswith("float32") for line in report.lines):
        return Finding(False, "the name of the number format and the error agree")
    return Finding(False, f"TF32 is a way to multiply float32, and these rows are in {report.lines[0].format}")


def filled(report: Report) -> Finding:
    """Was there anything to multiply?"""
    errors = [line.error for line in report.lines if line.error is not None]
    if 0 in errors:
        told = "the error is exactly 0, and rounding C alone leaves more with random numbers"
        fresh = f"the inputs are {report.setting.inputs}, and fresh memory is mostly zeros, so C is all zeros"
        return Finding(True, f"{told}: {fresh}; a kernel that only writes zeros would pass, and zeros may run faster")
    if not errors:
        return Finding(False, f"the inputs are {report.setting.inputs}")
    return Finding(
        False, f"an error of {words.scientific(errors[0])} is left by rounding random numbers; of zeros it is exactly 0"
    )


def formula(report: Report) -> Finding:
    """Do the printed rates follow from M, N, K and the times?"""
    for line in report.lines:
        if line.rate and abs(line.rate / line.true_rate - 1) > Fraction(1, 100):
            m, n, k = line.shape
            right = f"2 × {m} × {n} × {k} operations in {words.us(line.time)}"
            rates = f"are {words.figures(line.true_rate)} TFLOP/s, and {words.figures(line.rate)} is printed"
            return Finding(True, f"{right} {rates}: {_slip(line, line.rate)}")
    return Finding(False, "2 M N K over the time gives the rates that are printed")


def _slip(line: Line, rate: Fraction) -> str:
    """The likely slip behind a wrong rate."""
    m, _, k = line.shape
    if abs(rate * line.time / (2 * m * k * k) - 1) < Fraction(1, 1000):
        return "that is 2 M K K, right for cubes only"
    if abs(rate * 2**40 / (line.true_rate * 10**12) - 1) < Fraction(1, 1000):
        return "that divides by 2⁴⁰, and tera means 10¹²"
    return f"that is {words.ratio(rate / line.true_rate)} of it"


def cold(report: Report) -> Finding:
    """Did bytes come faster than the memory has them?"""
    peak, l2 = report.setting.peak_tb_s, report.setting.l2_bytes
    line = max(report.lines, key=lambda line: Fraction(line.least_bytes, line.time))
    rate, size = Fraction(line.least_bytes, line.time), words.megabytes(line.least_bytes)
    told = f"{size} in {words.us(line.time)} are {words.figures(rate)} TB/s, and the memory has {words.peak(peak)}"
    if line.least_bytes > l2:
        return Finding(False, f"A, B and C are {size} and do not fit in the L2 cache of {words.megabytes(l2)}")
    if rate > peak:
        return Finding(True, f"{told}; A, B and C fit in the L2 cache of {words.megabytes(l2)} and still lay there")
    return Finding(False, told + (f"; the L2 cache was {EMPTIED}" if report.setting.cache == EMPTIED else ""))


def large_enough(report: Report) -> Finding:
    """Is most of the time work?"""
    line = min(report.lines, key=lambda line: line.time)
    empty = f"an empty launch takes {words.us(report.setting.empty)}, and {line.kernel} {words.us(line.time)} in all"
    if line.rate and 2 * report.setting.empty > line.time:
        return Finding(True, f"{empty}: a rate or a ratio of such times is one of launching")
    return Finding(False, f"{empty}: most of it is work")


def below_the_peak(report: Report) -> Finding:
    """Can the chip compute that fast?"""
    line = max(report.lines, key=lambda line: line.true_rate / report.setting.peak(line.peak_format))
    peak = report.setting.peak(line.peak_format)
    rate = f"{words.figures(line.true_rate)} TFLOP/s in {words.label(line.peak_format)}"
    told = f"{rate}, where the published peak is {words.peak(peak)}"
    if line.true_rate > peak:
        return Finding(True, f"{told}: nothing is that fast, and whatever the cause, this is no result")
    return Finding(False, told)
