"""Every file under gpu/results fits its schema; what `sim` can say about it, it says too."""

import hashlib
import json
import statistics
from pathlib import Path
from typing import Any

import pytest

from sim.cost import flops, separate_loads, square_loads, tiled_loads
from sim.measured.records import Row, Spread
from sim.tiling import Tiling, square
from tests.crosscheck.cases import GPU_CASES, Case

jsonschema = pytest.importorskip("jsonschema")

ROOT = Path(__file__).resolve().parents[2]
BENCH_SCHEMA = "gpu/bench/schema.json"
STORED = sorted((ROOT / "gpu" / "results").glob("*.json"))


def read(path: Path) -> Any:
    """A JSON file that must not hold NaN or Infinity."""

    def refuse(constant: str) -> None:
        raise ValueError(f"{path.name} holds {constant}")

    return json.loads(path.read_text(encoding="utf-8"), parse_constant=refuse)


def schema_of(result: Any) -> Any:
    """The schema's path: the result names it, or its format is one that gpu/bench writes."""
    return result.get("schema", BENCH_SCHEMA)


def results(schema: str, form: str | None = None) -> list[Any]:
    """The stored results of a schema (and of one format in it), each with its file's name as its id."""
    found = [(path, read(path)) for path in STORED]
    fitting = [(path, result) for path, result in found if schema_of(result) == schema]
    return [pytest.param(result, id=path.name) for path, result in fitting if form in (None, result.get("format"))]


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.name)
def test_a_result_fits_its_schema(path: Path):
    result = read(path)
    schema = read(ROOT / schema_of(result))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(result, schema)


@pytest.mark.parametrize("result", results("gpu/counters/schema.json"))
class TestCounters:
    """gpu/counters/schema.json: what one GPU loaded."""

    def test_counted_loads_are_what_sim_says(self, result: Any):
        for row in result["loads"]:
            n, tile = row["n"], row["tile"]
            expected = separate_loads(n, n, n) if row["kernel"] == "separate" else square_loads(n, tile)
            assert (row["model_loads"], row["counted_loads"]) == (expected, expected), row

    def test_warps_times_active_threads_are_the_loads_where_every_thread_has_an_output(self, result: Any):
        for row in result["loads"]:
            if row["n"] % row["tile"] == 0:
                active = min(row["tile"] ** 2, 32)
                assert row["warp_loads"] * active == row["counted_loads"], row

    def test_blocks_are_the_output_tiles(self, result: Any):
        for row in result["loads"]:
            assert row["blocks"] == square(row["n"], row["tile"]).programs

    def test_grouping_loads_and_programs_are_what_sim_says(self, result: Any):
        widths = [result["kernel"][name] for name in ("BM", "BN", "BK")]
        for row in result["grouping"]:
            tiling = Tiling(row["m"], row["n"], row["k"], *widths)
            assert (row["programs"], row["model_loads"]) == (tiling.programs, tiled_loads(tiling))

    def test_hits_and_misses_are_about_all_reads_of_the_l2_cache(self, result: Any):
        # They are counted in different passes, in which the number of reads differs: hence the fifth.
        for row in result["grouping"]:
            seen = row["l2_read_hit_sectors"] + row["l2_read_miss_sectors"]
            assert abs(seen - row["l2_read_sectors"]) <= row["l2_read_sectors"] / 5, row

    def test_a_median_lies_in_its_range(self, result: Any):
        for row in result["grouping"]:
            for name in ("l2_hit_rate", "dram_read_bytes"):
                least, most = row[f"{name}_range"]
                assert least <= row[name] <= most

    def test_every_input_comes_from_dram_at_least_once(self, result: Any):
        # The caches are flushed before a profiled launch.
        for row in result["grouping"]:
            assert row["dram_read_bytes_range"][0] >= row["input_bytes"]
        for row in result["loads"]:
            assert row["dram_read_bytes"] >= 2 * 4 * row["n"] ** 2

    def test_no_rate_is_above_what_dram_can_do(self, result: Any):
        # 4.8 TB/s, an H200's by its datasheet; bytes and time come from the same profiled launch.
        for row in (*result["loads"], *result["grouping"]):
            assert row["dram_read_bytes"] + row["dram_write_bytes"] <= 4.8e9 * row["profiled_ms"], row

    def test_times_are_in_order(self, result: Any):
        for row in (*result["loads"], *result["grouping"]):
            times = row["time_ms"]
            assert times["min"] <= times["first_quartile"] <= times["median"] <= times["third_quartile"]

    def test_the_program_is_still_the_one_that_was_measured(self, result: Any):
        source = result["provenance"]["source"]
        assert hashlib.sha256((ROOT / source["file"]).read_bytes()).hexdigest() == source["sha256"]


@pytest.mark.parametrize("result", results("tests/crosscheck/record.schema.json"))
class TestCrosscheck:
    """tests/crosscheck/record.schema.json: sim and one GPU, fact by fact."""

    def test_the_cases_are_the_tests_own(self, result: Any):
        fields = ("M", "N", "K", "BM", "BN", "BK", "group_m", "dtype")
        assert [Case(**{name: row[name] for name in fields}) for row in result["cases"]] == list(GPU_CASES)

    def test_the_loads_that_the_device_counted_are_what_sim_says(self, result: Any):
        for row, case in zip(result["cases"], GPU_CASES, strict=True):
            assert (row["programs"], row["loads"]) == (case.tiling.programs, tiled_loads(case.tiling))


def place(row: Any) -> tuple[Any, ...]:
    """Shape and number format."""
    return row["M"], row["N"], row["K"], row["dtype"], row["precision"]


def whose(row: Any) -> tuple[str, str, str]:
    """Kernel and number format."""
    return row["kernel"], row["dtype"], row["precision"]


def as_sim_has_it(row: Any) -> Row:
    """The row with its times in picoseconds and nothing that the bench has worked out."""
    shape, timed = (row["M"], row["N"], row["K"]), "replay" in row
    median = round(row["replay"]["median_ms"] * 1e9) if timed else 0
    return Row(
        row["kernel"], shape, row["dtype"], row["precision"],
        replay=Spread(median, median, median, 1) if timed else None,
        empty=round(row["empty_replay_ms"] * 1e9) if timed else None,
    )  # fmt: skip


@pytest.mark.parametrize("result", results(BENCH_SCHEMA, "gpu-lab kernel-bench 1"))
class TestBench:
    """gpu/bench/schema.json: what kernel-bench measured."""

    def test_operations_are_what_sim_says(self, result: Any):
        for row in result["rows"]:
            assert row["flops"] == flops(Tiling(row["M"], row["N"], row["K"], 1, 1, 1)), row

    def test_what_follows_from_a_row_is_what_sim_says(self, result: Any):
        for row in result["rows"]:
            mine = as_sim_has_it(row)
            assert row["bytes"] == mine.least_bytes, row
            assert row["intensity"] == pytest.approx(float(mine.intensity)), row
            if "replay" in row:
                assert row["launch_bound"] == mine.launch_bound, row
                assert row["tflops"] == (mine.tflops and pytest.approx(float(mine.tflops))), row

    def test_ratios_are_of_torch_s_time_on_the_same_shape_in_the_same_format(self, result: Any):
        timed = [row for row in result["rows"] if "replay" in row]
        torch = {place(row): row for row in timed if row["kernel"] == "torch"}
        for row in timed:
            other = torch[place(row)]
            assert row["ratio"] == pytest.approx(other["replay"]["median_ms"] / row["replay"]["median_ms"])
            assert row["call_ratio"] == pytest.approx(other["call"]["median_ms"] / row["call"]["median_ms"])

    def test_the_summary_is_of_the_rows(self, result: Any):
        seen = set()
        for total in result["summary"]:
            mine = [row for row in result["rows"] if "ratio" in row and whose(row) == whose(total)]
            seen.add(whose(total))
            assert total["shapes"] == len(mine)
            assert total["least_ratio"] == min(row["ratio"] for row in mine)
            for name in ("ratio", "call_ratio"):
                mean = statistics.geometric_mean(row[name] for row in mine)
                assert total[f"geometric_mean_{name}"] == pytest.approx(mean)
        assert seen == {whose(row) for row in result["rows"] if "ratio" in row and row["kernel"] != "torch"}

    def test_a_median_lies_in_its_spread(self, result: Any):
        for row in result["rows"]:
            for way in ("replay", "call"):
                if way in row:
                    assert row[way]["low_ms"] <= row[way]["median_ms"] <= row[way]["high_ms"], row

    def test_every_row_that_was_run_was_right(self, result: Any):
        for row in result["rows"]:
            assert row["skipped"] or row.get("verify", {"passed": True})["passed"], row


@pytest.mark.parametrize("result", results(BENCH_SCHEMA, "gpu-lab group-m 1"))
def test_rates_of_the_sweep_are_operations_over_time(result: Any):
    for row in result["rows"]:
        operations = flops(Tiling(row["M"], row["N"], row["K"], 1, 1, 1))
        assert row["tflops"] == pytest.approx(operations / row["replay"]["median_ms"] / 1e9), row


@pytest.mark.parametrize("result", results(BENCH_SCHEMA, "gpu-lab group-m 1"))
def test_every_order_gave_the_right_product(result: Any):
    assert all(row["exact"] for row in result["rows"])
