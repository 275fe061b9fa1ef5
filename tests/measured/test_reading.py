"""Reading result files: every field that counts, and a sentence for every way in which a file is wrong."""

import copy
import json
from fractions import Fraction

import pytest

from sim.measured.fields import Unreadable
from sim.measured.reading import MOST_CHARACTERS, read, slim
from sim.measured.records import Counters, Run, Spread
from tests.measured.files import BENCH, COUNTERS, STORED, bench, row, spread, stored, text


def run_of(file) -> Run:
    found = read(text(file), "my.json")
    assert isinstance(found, Run)
    return found


def test_a_run_has_the_files_fields_and_times_in_picoseconds():
    run = run_of(BENCH)
    assert (run.device, run.date, run.driver) == ("NVIDIA L4", "2026-01-02", "550.54")
    assert (run.torch, run.triton) == ("2.9", "3.5")
    assert (run.l2_bytes, run.flushed, run.clocks_mhz) == (50_331_648, True, (Fraction(2040), None))
    tiled = run.rows[1]
    assert (tiled.kernel, tiled.shape, tiled.format, tiled.tile) == ("tiled", (512, 256, 1024), "float16", (64, 32, 16))
    assert tiled.replay == Spread(24_000_000, 25_000_000, 26_000_000, 30)
    assert tiled.call == Spread(35_000_000, 45_000_000, 75_000_000, 30)
    assert (tiled.empty, tiled.right, tiled.error) == (4_000_000, True, Fraction(0.0002))


def test_a_refused_row_keeps_its_reason_and_has_no_times():
    thin = run_of(BENCH).rows[2]
    assert (thin.skipped, thin.replay, thin.call) == ("no: M is 512", None, None)


def test_a_run_without_an_emptied_cache_says_so():
    assert not run_of(bench(method={"cache": "the L2 cache is not emptied between repeats"})).flushed


def test_ceilings_and_limits_are_read_as_they_are_written():
    product = {"kernel": "torch", "dtype": "float32", "precision": "tf32", "M": 8192, "N": 8192, "K": 8192}
    run = run_of(
        bench(
            limits={"tflops": {"float16": 121.0, "fp8": 242}, "memory_tb_s": 0.3, "source": "data sheet"},
            ceilings={
                "what": "", "copy": {"moved_bytes": 2**31, "replay": spread(8.0, 7.9, 8.2)},
                "products": [product | {"replay": spread(20.0, 19.0, 21.0)}],
            },
        )
    )  # fmt: skip
    assert (run.peaks, run.peak_tb_s, run.peak_source) == ({"float16": Fraction(121)}, Fraction(3, 10), "data sheet")
    assert run.copy and run.copy.tb_s == Fraction(2**31, 8 * 10**9)
    (found,) = run.products
    assert (found.format, found.tflops) == ("float32 tf32", Fraction(2 * 8192**3, 20 * 10**9))


def test_counters_are_read():
    found = read(text(COUNTERS), "counters.json")
    assert isinstance(found, Counters)
    (launch,) = found.launches
    assert (launch.counted_loads, launch.dram_bytes, launch.time.median) == (65536, 39000, 8_600_000)
    (counted,) = found.counted
    assert (counted.shape, counted.dram_bytes, counted.profiled, counted.time) == (
        (1024, 512, 256), 1_500_000, 10_000_000, 20_000_000
    )  # fmt: skip
    assert (counted.intensity, counted.tflops) == (Fraction(2**28, 1_500_000), Fraction(2**28, 20_000_000))


@pytest.mark.parametrize("name", STORED)
def test_a_slim_file_reads_the_same_and_cannot_be_made_slimmer(name):
    whole = stored(name)
    once = slim(whole, name)
    assert read(once, name) == read(whole, name)
    assert slim(once, name) == once
    assert len(once) < len(whole) / 2.5


def test_a_slim_file_has_nothing_that_is_not_read():
    kept = json.loads(slim(text(BENCH), "my.json"))
    assert "seed" not in kept
    assert set(kept["rows"][0]) == {
        "kernel", "M", "N", "K", "dtype", "precision", "skipped", "config", "verify", "replay", "call",
        "empty_replay_ms",
    }  # fmt: skip
    assert kept["rows"][0]["config"] == {"BM": 64, "BN": 32, "BK": 16}


def test_a_byte_order_mark_and_unknown_fields_do_no_harm():
    assert read("\ufeff" + text(bench(new_field={"a": [1]})), "my.json") == read(text(BENCH), "my.json")


WHOLE = text(BENCH)
BY_BENCH = "a file that kernel-bench wrote with --output (format “gpu-lab kernel-bench 1”)"
KIND = f"{BY_BENCH}, or one of python -m gpu.counters"
NOT_JSON = "my.json: given text that is not JSON (it breaks off or goes wrong at line"
NOT_BENCH = [
    ("", f"my.json: given an empty file; allowed: {KIND}"),
    (" \n\t", "my.json: given an empty file"),
    ("kernel,ms\nbest,3\n", f"{NOT_JSON} 1, column 1); allowed: {KIND}"),
    (WHOLE[: len(WHOLE) // 2], f"{NOT_JSON} 1, column"),
    ("<html>", f"{NOT_JSON} 1, column 1)"),
    ("[1, 2]", f"my.json: given JSON, but a list of 2; allowed: {KIND}"),
    ('"best"', "my.json: given JSON, but “best”"),
    ("3", "my.json: given JSON, but 3;"),
    ("null", "my.json: given JSON, but null;"),
    ("[" * 100_000, "my.json: given JSON that is nested too deeply or has a number too long"),
    ('{"n": ' + "9" * 5000 + "}", "my.json: given JSON that is nested too deeply or has a number too long"),
    ("{}", f"my.json: given JSON without a format; allowed: {KIND}"),
    ('{"format": 1}', "my.json: format: given 1; allowed:"),
    ('{"format": "nvbench"}', "my.json: format: given “nvbench”; allowed:"),
    ('{"format": "gpu-lab compiled 1"}', "my.json: given what the compile grid wrote: registers and shared memory"),
    ('{"format": "gpu-lab group-m 1"}', "my.json: given the GROUP_M sweep: one kernel's times"),
    ('{"format": "gpu-lab kernel-bench 2"}', "my.json: given version 2 of kernel-bench’s format; allowed: version 1"),
    ("x" * (MOST_CHARACTERS + 1), "my.json: given 8,000,001 characters; allowed: at most 8,000,000"),
    (WHOLE.replace("0.025", "NaN"), "my.json: rows: 2: replay: median_ms: given NaN; allowed: a finite number"),
    (WHOLE.replace("0.0002", "-Infinity", 1), "my.json: rows: 1: verify: random: error: given -Infinity"),
]


@pytest.mark.parametrize(("given", "sentence"), NOT_BENCH)
def test_a_file_that_is_none_is_told_what_it_is(given, sentence):
    with pytest.raises(Unreadable) as caught:
        read(given, "my.json")
    assert str(caught.value).startswith(sentence)
    assert "\n" not in str(caught.value)


def without(key, at=1):
    rows = copy.deepcopy(BENCH["rows"])
    del rows[at][key]
    return bench(rows=rows)


def changed(at=1, **fields):
    rows = copy.deepcopy(BENCH["rows"])
    rows[at] |= fields
    return bench(rows=rows)


WRONG = [
    ({**bench(), "device": {}}, "my.json: device: name is missing"),
    ({**bench(), "device": "L4"}, "my.json: device: given “L4”; allowed: an object with fields"),
    (bench(date=20260102), "my.json: date: given 20260102; allowed: a text"),
    ({key: value for key, value in BENCH.items() if key != "rows"}, "my.json: rows is missing"),
    (bench(rows=[]), "my.json: rows: given a list of 0; allowed: a list of 1 to 5000"),
    (bench(rows={}), "my.json: rows: given an object; allowed: a list"),
    (bench(rows=[1]), "my.json: row 1: given 1; allowed: an object with fields"),
    (bench(rows=[row("best", 0.02)] * 2), "my.json: row 2 (best): given the kernel, shape and number format of row 1"),
    (bench(rows=[BENCH["rows"][2]]), "my.json: given 1 row, and it is not timed; allowed: at least one row with"),
    (bench(rows=[BENCH["rows"][2], {**BENCH["rows"][2], "K": 5}]), "my.json: given 2 rows, none of them timed"),
    (without("kernel"), "my.json: row 2: kernel is missing"),
    (without("K"), "my.json: row 2 (tiled): K is missing"),
    (without("skipped"), "my.json: row 2 (tiled): skipped is missing"),
    (without("call"), "my.json: row 2 (tiled): call is missing"),
    (without("empty_replay_ms"), "my.json: row 2 (tiled): empty_replay_ms is missing"),
    (changed(M=0), "my.json: row 2 (tiled): M: given 0; allowed: a whole number from 1 to 2147483647"),
    (changed(N=2.5), "my.json: row 2 (tiled): N: given 2.5; allowed: a whole number"),
    (changed(M=True), "my.json: row 2 (tiled): M: given true; allowed: a whole number"),
    (changed(dtype="fp16"), "my.json: row 2 (tiled): dtype: given “fp16”; allowed: float16, bfloat16, float32"),
    (changed(precision="TF32"), "my.json: row 2 (tiled): precision: given “TF32”; allowed: ieee, tf32"),
    (changed(replay=0.02), "my.json: row 2 (tiled): replay: given 0.02; allowed: an object with fields"),
    (changed(replay=spread(-1, -2, 3)), "my.json: row 2 (tiled): replay: low_ms: given -2; allowed: a number above 0"),
    (changed(replay=spread(1, 2, 3)), "my.json: row 2 (tiled): replay: given low_ms, median_ms and high_ms out"),
    (changed(replay=spread(1, "1", 3)), "my.json: row 2 (tiled): replay: low_ms: given “1”; allowed: a number above 0"),
    (changed(replay=spread(1e-12, 1e-12, 1)), "my.json: row 2 (tiled): replay: low_ms: given 1e-12; allowed: millisec"),
    (changed(config={"BM": 0, "BN": 1, "BK": 1}), "my.json: row 2 (tiled): config: BM: given 0; allowed: a whole"),
    (changed(verify={"passed": "yes"}), "my.json: row 2 (tiled): verify: passed: given “yes”; allowed: true or false"),
    (bench(ceilings={"copy": {}}), "my.json: ceilings: copy: moved_bytes is missing"),
    (bench(ceilings={"products": 3}), "my.json: ceilings: products: given 3; allowed: a list"),
    (bench(limits={"tflops": {"float16": 0}}), "my.json: limits: tflops: float16: given 0; allowed: a number above 0"),
]  # fmt: skip


@pytest.mark.parametrize(("file", "sentence"), WRONG)
def test_a_wrong_field_is_named_with_its_row(file, sentence):
    with pytest.raises(Unreadable) as caught:
        read(text(file), "my.json")
    assert str(caught.value).startswith(sentence)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"loads": [], "grouping": []}, "c.json: loads: given a list of 0; allowed: at least one launch"),
        ({"loads": 3}, "c.json: loads: given 3; allowed: a list"),
        ({"loads": [{}]}, "c.json: loads 1: time_ms is missing"),
        ({"provenance": {}}, "c.json: provenance: device is missing"),
    ],
)
def test_a_wrong_file_of_counters_is_told_what_is_wrong(change, sentence):
    with pytest.raises(Unreadable) as caught:
        read(text(copy.deepcopy(COUNTERS) | change), "c.json")
    assert str(caught.value).startswith(sentence)


def test_a_wrong_result_is_read_as_not_timed():
    rows = [row("torch", 0.02), {**BENCH["rows"][2], "kernel": "best", "skipped": "", "verify": {"passed": False}}]
    best = run_of(bench(rows=rows)).rows[1]
    assert (best.right, best.replay) == (False, None)
