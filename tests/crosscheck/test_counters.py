"""gpu.counters: reading Nsight Compute's CSV, the closed form, and its words where nothing can be measured."""

import subprocess
import sys

import pytest

from gpu.counters import grouping, loads
from gpu.counters.__main__ import SCHEMA
from gpu.counters.loads import METRICS, THREADS_BY_OPCODE, Case
from gpu.counters.profiler import Launch, Unmeasured, launches_of
from tests.crosscheck.ask import ROOT
from tests.results.test_stored import read

jsonschema = pytest.importorskip("jsonschema")

NAMES = ",".join(f'"{name}"' for name in ("ID", "Kernel Name", "Grid Size", *METRICS))
UNITS = '"","","","","inst","sector","sector","byte","byte","ns"'
ROW = (
    '"0","matmul_tiled(const float *, const float *, float *, int)","(2, 2, 1)",'
    '"1,000 (FFMA: 512; LDG: 256; LDS: 216; STG: 16)","16","128","32","4096","0","2304"'
)
REPORT = f"==PROF== Disconnected\n{NAMES}\n{UNITS}\n{ROW}\n"
# What Nsight Compute 2025.3.1 printed on an H200 for N = 64 with T = 1 and T = 2, cut to the columns that are read.
CAPTURED = (ROOT / "tests" / "crosscheck" / "ncu_raw.csv").read_text(encoding="utf-8")
TIMES = "RESULT launches=50 min_ms=0.002000 first_quartile_ms=0.002100 median_ms=0.002200 third_quartile_ms=0.002300\n"


def test_a_launch_has_its_kernel_blocks_counts_and_opcodes():
    (launch,) = launches_of(REPORT, METRICS)
    assert (launch.kernel, launch.blocks) == ("matmul_tiled", 4)
    assert launch.count("dram__bytes_read.sum") == 4096
    assert launch.instances[THREADS_BY_OPCODE] == {"FFMA": 512, "LDG": 256, "LDS": 216, "STG": 16}


def test_a_captured_report_gives_the_loads_of_both_launches():
    first, second = launches_of(CAPTURED, METRICS)
    assert (first.blocks, second.blocks) == (4096, 1024)
    assert [launch.instances[THREADS_BY_OPCODE]["LDG"] for launch in (first, second)] == [524288, 262144]
    assert [launch.count("smsp__inst_executed_op_global_ld.sum") for launch in (first, second)] == [524288, 65536]
    assert first.values["gpu__time_duration.sum"] == 30656


def test_a_record_fits_the_schema_and_counts_the_global_loads_only():
    (launch,) = launches_of(REPORT, METRICS)
    row = loads.record(Case(8, 4, "tiled"), launch, loads.printed_times(TIMES))
    assert (row["counted_loads"], row["warp_loads"], row["profiled_ms"]) == (256, 16, 0.002304)
    assert row["time_ms"] == {
        "min": 0.002, "first_quartile": 0.0021, "median": 0.0022, "third_quartile": 0.0023, "launches": 50
    }  # fmt: skip
    schema = read(ROOT / SCHEMA)
    jsonschema.validate([row], schema["properties"]["loads"] | {"$defs": schema["$defs"]})


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("LDG: 256", "LDG: 255", "its instances add up to 999; expected 1000"),
        ('"4096"', '"n/a"', "metric dram__bytes_read.sum: given 'n/a'; expected a number"),
        ('"ns"', '"us"', "metric gpu__time_duration.sum: given in us; expected a base unit"),
        ('"gpu__time_duration.sum"', '"x"', "metric gpu__time_duration.sum is not in the report"),
    ],
)
def test_a_report_that_is_not_understood_is_refused(old: str, new: str, sentence: str):
    with pytest.raises(Unmeasured, match=sentence):
        launches_of(REPORT.replace(old, new), METRICS)


def launched(programs: int, hits: int, misses: int, dram_bytes: int) -> Launch:
    """A launch of the teaching kernel as the profiler would report it."""
    counted = {grouping.READ: 1000, grouping.READ_HIT: hits, grouping.READ_MISS: misses}
    values = {**counted, grouping.DRAM_READ: dram_bytes, grouping.DRAM_WRITE: 0, grouping.TIME: 5000}
    return Launch("matmul_kernel", programs, {name: float(value) for name, value in values.items()}, {})


def test_a_grouping_record_is_the_median_of_its_launches():
    launches = [launched(64, 600, 400, 9000), launched(64, 900, 100, 5000), launched(64, 800, 200, 4500)]
    row = grouping.record((1024, 1024, 1024), 8, launches, loads.printed_times(TIMES))
    assert (row["programs"], row["model_loads"], row["input_bytes"]) == (64, 16777216, 4194304)
    assert (row["l2_hit_rate"], row["l2_hit_rate_range"]) == (0.8, [0.6, 0.9])
    assert (row["dram_read_bytes"], row["dram_read_bytes_range"]) == (5000, [4500, 9000])
    schema = read(ROOT / SCHEMA)
    jsonschema.validate([row], schema["properties"]["grouping"] | {"$defs": schema["$defs"]})


def test_a_launch_of_another_grid_is_refused():
    with pytest.raises(Unmeasured, match="was launched with 63 programs; not 64"):
        grouping.record((1024, 1024, 1024), 8, [launched(63, 1, 1, 1)], {})


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        (Case(8, 4, "tiled"), 256),
        (Case(8, 4, "separate"), 1024),
        (Case(512, 32, "tiled"), 8388608),
        (Case(100, 16, "tiled"), 140000),
        (Case(65, 32, "tiled"), 25350),
    ],
)
def test_the_closed_form(case: Case, expected: int):
    assert case.model_loads == expected


def test_without_a_gpu_it_says_so_in_one_sentence_and_stores_nothing(tmp_path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    command = [sys.executable, "-m", "gpu.counters", "--output", str(tmp_path / "x.json")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("gpu.counters: no NVIDIA GPU can be used here")
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "x.json").exists()
