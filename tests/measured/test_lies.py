"""Spoiled reports: each shows its own fault and an honest one none; the numbers of each, by hand."""

import json
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest

from lab.results.stored import falling_clocks, ours
from sim.lies.cases import RECIPES, case, claim
from sim.lies.diagnose import FAULTS, NONE, diagnose, explain, findings, label
from sim.lies.doctor import SIMPLE, doctored
from sim.lies.report import EMPTIED, IN_TURNS, RANDOM, Line, Report, Setting, line_of
from sim.measured.records import FORMATS
from tests.measured.files import stored

SETTING = Setting(
    repeats=30, cache=EMPTIED, inputs=RANDOM, turns=IN_TURNS, clocks_mhz=(Fraction(1980), Fraction(1980)),
    empty=4_000_000, l2_bytes=60_000_000, peak_tb_s=Fraction(48, 10),
    peaks=(("float16", Fraction(1000)), ("float32 ieee", Fraction(67)), ("float32 tf32", Fraction(495))),
)  # fmt: skip
TORCH = Line("torch", (4096, 4096, 4096), "float16", 190_000_000, 200_000_000, 210_000_000, Fraction(687), None, None)
OURS = replace(TORCH, kernel="best", ratio=Fraction(1), error=Fraction(2, 10_000))
HONEST = Report((TORCH, OURS), SETTING)
# 2 * 4096 cubed operations in 200 microseconds; the rate is printed rounded, well within one percent.
CLOCKS = (Fraction(1905), Fraction(1815))


def times(number_format, shape, kernel):
    """The stored times of a row: (replay, call)."""
    row = ours().row(number_format, shape, kernel)
    assert row and row.replay and row.call
    return row.replay, row.call


def number_of(fault):
    return next(at for at, recipe in enumerate(RECIPES, 1) if recipe.fault == fault)


def made(number):
    return case(number, ours(), falling_clocks())


def test_the_clocks_are_those_that_were_stored():
    clocks = json.loads(stored("h200-group-m.json"))["clocks"]
    assert falling_clocks() == (clocks["start"]["sm_mhz"], clocks["end"]["sm_mhz"]) == CLOCKS


@pytest.mark.parametrize("number", range(1, len(RECIPES) + 1))
def test_a_spoiled_report_shows_its_fault_and_the_honest_one_none(number):
    found = made(number)
    assert diagnose(found.published) == found.fault == RECIPES[number - 1].fault
    assert diagnose(found.honest) == NONE


def test_every_fault_has_two_cases_and_so_has_honesty():
    counts = {fault: sum(recipe.fault == fault for recipe in RECIPES) for fault in (*FAULTS, NONE)}
    assert set(counts.values()) == {2}
    assert len(FAULTS) == 10


def test_no_two_neighbours_show_the_same_fault():
    faults = [recipe.fault for recipe in RECIPES]
    assert all(one != two for one, two in pairwise(faults))


def test_no_stored_row_is_taken_for_a_lie():
    """Every timed row of every file, alone and beside torch: a diagnosis that sees faults in honest rows is no good."""
    party, seen = ours(), 0
    setting = made(1).honest.setting
    for number_format in FORMATS:
        for row in party.rows(number_format):
            torch = party.row(number_format, row.shape, "torch")
            if row.replay and row.empty and torch:
                honest = replace(setting, empty=row.empty)
                beside = () if row is torch else (line_of(row, torch),)
                report = Report((line_of(torch, None), *beside), honest)
                assert diagnose(report) == NONE, (row.kernel, row.shape, number_format)
                seen += 1
    assert seen == 144 + 144 + 115 + 126


@pytest.mark.parametrize("number", range(1, len(RECIPES) + 1))
def test_only_the_named_way_changes_the_report(number):
    found = made(number)
    same = found.published == found.honest
    assert same == (found.fault == NONE)


@pytest.mark.parametrize("number", range(1, len(RECIPES) + 1))
def test_every_choice_gets_a_sentence_of_its_own(number):
    report = made(number).published
    told = {name: explain(report, name) for name in (*FAULTS, NONE)}
    assert all(sentence and not sentence.endswith(".") for sentence in told.values())
    assert len(set(told.values())) == len(told)
    seen = {name for name, finding in findings(report).items() if finding.seen}
    assert {name for name in told if "so far right" in told[name]} == seen - {diagnose(report)}


def test_no_synchronisation_gives_every_size_the_time_of_a_tiny_call():
    report = made(number_of("no-sync")).published
    calls = [times("float16", shape, "torch")[1] for shape in ((127, 255, 65), (512,) * 3, (1024,) * 3)]
    assert [line.time for line in report.lines] == [call.median for call in calls]
    assert "the operations grow 64-fold and the time 1.7-fold" in explain(report, "no-sync")
    assert explain(report, "peak").endswith("so far right, but the rows also show why")


def test_no_warm_up_puts_the_search_for_a_tile_into_the_mean():
    found = made(number_of("no-warm-up"))
    row = next(
        row for row in json.loads(stored("h200-matmul-half.json"))["rows"]
        if (row["kernel"], row["M"], row["N"], row["K"], row["dtype"]) == ("autotuned", 4096, 4096, 4096, "float16")
    )  # fmt: skip
    mean = (29 * row["replay"]["median_ms"] + row["tune_ms"]) / 30
    assert found.published.lines[1].time == pytest.approx(mean * 1e9, rel=1e-9)
    assert found.published.lines[1].high == pytest.approx(row["tune_ms"] * 1e9, rel=1e-9)
    assert found.published.lines[0] == found.honest.lines[0]


def test_a_hot_cache_is_a_fifth_faster_than_memory_and_fits():
    line = made(number_of("hot-cache")).published.lines[0]
    assert line.shape == (1, 4096, 4096)
    assert Fraction(line.least_bytes, line.time) == pytest.approx(1.2 * 4.8, rel=1e-6)
    assert line.least_bytes == 33_570_816 < 62_914_560


def test_zeros_leave_the_time_and_an_error_of_exactly_nothing():
    found = made(number_of("zeros"))
    assert found.published.lines[1] == replace(found.honest.lines[1], error=Fraction(0))


def test_unlike_arithmetic_is_two_real_rows_under_one_name():
    found = made(number_of("unlike"))
    torch, best = found.published.lines
    assert (torch.format, best.format) == ("float32", "float32")
    assert torch.time == times("float32 ieee", (8192,) * 3, "torch")[0].median
    assert best.time == times("float32 tf32", (8192,) * 3, "best")[0].median
    assert found.honest.lines[1].format == "float32 tf32"


def test_a_wrong_formula_is_right_for_cubes_only():
    spoiled = SIMPLE["formula"](HONEST)
    assert spoiled.lines[0].rate == pytest.approx(687.19, abs=0.01)
    long = replace(TORCH, shape=(4096, 11008, 4096))
    rate = SIMPLE["formula"](Report((long,), SETTING)).lines[0].rate
    assert rate == Fraction(2 * 4096**3, 200_000_000)
    assert "right for cubes only" in explain(Report((replace(long, rate=rate),), SETTING), "formula")


def test_a_wrong_unit_is_a_tenth_too_low():
    spoiled = SIMPLE["unit"](HONEST)
    assert spoiled.lines[0].rate == pytest.approx(687.19 / 1.0995, abs=0.01)
    assert "divides by 2⁴⁰" in explain(spoiled, "formula")


def test_the_best_of_n_is_the_lowest_repeat_of_ours_alone():
    spoiled = SIMPLE["best-of-n"](HONEST)
    assert [line.time for line in spoiled.lines] == [200_000_000, 190_000_000]
    assert spoiled.lines[1].ratio == Fraction(20, 19)


def test_order_effects_slow_whoever_runs_second():
    spoiled = doctored("order", HONEST, [], ours().rows("float16")[1], CLOCKS)
    assert [line.time for line in spoiled.lines] == [209_917_355, 200_000_000]
    assert [line.time for line in spoiled.again] == [200_000_000, 209_917_355]
    assert "in the other order the ratio is 0.95, not 1.05" in explain(spoiled, "order")


def test_a_rate_above_the_peak_is_a_fifth_above_it():
    spoiled = SIMPLE["peak"](Report((OURS,), SETTING))
    assert spoiled.lines[0].true_rate == pytest.approx(1200, rel=1e-6)
    assert diagnose(spoiled) == "peak"


def test_a_launch_bound_report_has_real_times_and_a_rate():
    found = made(number_of("launch-bound"))
    assert [line.time for line in found.published.lines] == [line.time for line in found.honest.lines]
    assert [line.rate is None for line in found.honest.lines] == [False, True]
    assert all(line.rate for line in found.published.lines)


def test_an_unknown_way_and_a_missing_time_are_refused():
    rows = ours().rows("float16")
    with pytest.raises(ValueError, match="way to spoil a report: given haste; allowed: hot-cache, zeros"):
        doctored("haste", HONEST, [], rows[0], CLOCKS)
    with pytest.raises(ValueError, match="no-warm-up for a row with a tuning time"):
        doctored("no-warm-up", HONEST, [], rows[0], CLOCKS)
    with pytest.raises(ValueError, match="case: given 23; allowed: 1 to 22"):
        made(23)


PLANTED = {
    "a slower clock, in turns": replace(HONEST, setting=replace(SETTING, clocks_mhz=CLOCKS)),
    "time grows as work does": Report(
        (replace(TORCH, shape=(2048,) * 3, time=25_000_000, low=24_000_000, high=26_000_000, rate=None), TORCH), SETTING
    ),
    "bytes above memory that do not fit": Report(
        (replace(OURS, time=20_000_000, low=19_000_000, high=21_000_000, rate=None),),
        replace(SETTING, peaks=(("float16", Fraction(9999)),)),
    ),
    "the lowest repeat is all there is": Report((replace(TORCH, low=200_000_000, high=200_000_000), OURS), SETTING),
}


@pytest.mark.parametrize("name", PLANTED)
def test_what_only_looks_like_a_fault_is_none(name):
    assert diagnose(PLANTED[name]) == NONE


def test_what_is_true_but_no_cause_is_told_so():
    hot = made(number_of("hot-cache")).published
    assert findings(hot)["launch-bound"].seen
    assert explain(hot, "launch-bound").endswith("launching makes a time too long, and this one is too short")


def test_a_claim_is_of_the_last_line():
    assert claim(HONEST) == "“best is 1.00 times as fast as torch.mm at 4096³ in float16.”"
    assert claim(Report((TORCH,), SETTING)) == "“torch takes 200.0\u00a0µs, 687 TFLOP/s, at 4096³ in float16.”"
    assert label(NONE) == "nothing: this report is honest"
