"""Measure and store: `python -m gpu.counters --output gpu/results/h200-counters.json`, from the repository's folder."""

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gpu.counters import grouping, loads
from gpu.counters.profiler import Unmeasured
from gpu.counters.provenance import clocks_mhz, provenance

SOURCE = Path("downloads/tiled_matmul.cu")
SCHEMA = "gpu/counters/schema.json"


def main(arguments: Sequence[str]) -> int:
    """Exit status: 0 measured and stored, 1 nothing stored and one sentence why, 2 bad arguments."""
    parser = argparse.ArgumentParser(
        prog="python -m gpu.counters",
        description="Count with Nsight Compute what downloads/tiled_matmul.cu and the teaching kernel load.",
    )
    parser.add_argument("--output", type=Path, required=True, help="the JSON file to write")
    parser.add_argument("--reports", type=Path, help="a folder that keeps Nsight Compute's own reports")
    parser.add_argument("--only", choices=("loads", "grouping"), help="one study; the other's list stays empty")
    options = parser.parse_args(arguments)
    if not SOURCE.is_file():
        parser.error(f"{SOURCE} is not here; run this from the repository's folder")
    try:
        with tempfile.TemporaryDirectory() as folder:
            reports = options.reports or Path(folder)
            reports.mkdir(parents=True, exist_ok=True)
            result = measure(options.only, Path(folder), reports, ["python", "-m", "gpu.counters", *arguments])
    except Unmeasured as error:
        print(f"gpu.counters: {error}", file=sys.stderr)
        return 1
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(f"stored {options.output}")
    return 0


def measure(only: str | None, folder: Path, reports: Path, command: Sequence[str]) -> dict[str, Any]:
    """The whole result, with a line on the terminal for each record."""
    result: dict[str, Any] = {"schema": SCHEMA, "provenance": provenance(command, SOURCE), "loads": [], "grouping": []}
    if only != "grouping":
        program = loads.build(SOURCE, folder, result["provenance"]["compute_capability"])
        for row in loads.measure(program, reports):
            result["loads"].append(row)
            print(loads_line(row), flush=True)
    if only != "loads":
        result["kernel"] = {**grouping.TILE, "dtype": "float16", "seed": grouping.SEED}
        for row in grouping.measure(reports):
            result["grouping"].append(row)
            print(grouping_line(row), flush=True)
    result["provenance"]["clocks_mhz"]["end"] = clocks_mhz()
    return result


def loads_line(row: dict[str, Any]) -> str:
    """One row of the table on the terminal."""
    return (f"N {row['n']:4} T {row['tile']:2} {row['kernel']:8} loads: model {row['model_loads']:11,} "
            f"counted {row['counted_loads']:11,}  sectors: L1 {row['l1_sectors']:11,} L2 {row['l2_sectors']:11,}  "
            f"DRAM bytes read {row['dram_read_bytes']:10,}  {row['time_ms']['median']:9.4f} ms")


def grouping_line(row: dict[str, Any]) -> str:
    """One row of the table on the terminal."""
    return (f"M {row['m']:5} N {row['n']:5} K {row['k']:5} GROUP_M {row['group_m']:2}  "
            f"L2 hits {row['l2_hit_rate']:6.1%}  DRAM bytes read {row['dram_read_bytes']:14,}  "
            f"{row['time_ms']['median']:9.4f} ms")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
