"""gpu/results/gpgpusim-loads.json: what GPGPU-Sim counted is what sim says, and the program is still the one it ran."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from sim.cost import separate_loads, square_loads

ROOT = Path(__file__).resolve().parents[2]
RESULT: dict[str, Any] = json.loads((ROOT / "gpu/results/gpgpusim-loads.json").read_text(encoding="utf-8"))
EVERY = [*RESULT["rows"], *RESULT["ragged"]]
TILED = [row for row in RESULT["rows"] if row["kernel"] == "tiled"]


def model_loads(row: dict[str, Any]) -> int:
    """Input loads of a row, by sim."""
    n = row["n"]
    return square_loads(n, row["tile"]) if row["kernel"] == "tiled" else separate_loads(n, n, n)


def test_it_holds_every_size_with_both_kernels():
    seen = {(row["n"], row["kernel"], row["tile"]) for row in RESULT["rows"]}
    assert len(seen) == len(RESULT["rows"]) == 24
    assert {(n, "separate", min(n, 8)) for n in (4, 8, 16, 32, 64)} <= seen
    assert {(n, "tiled", tile) for n in (4, 8, 16, 32, 64) for tile in (1, 2, 4, 8) if tile <= n} <= seen


@pytest.mark.parametrize("row", EVERY, ids=lambda row: f"{row['n']}-{row['kernel']}-{row['tile']}")
def test_counted_loads_are_what_sim_says(row: dict[str, Any]):
    assert row["loads"] == model_loads(row)


def test_known_counts():
    loads = {(row["n"], row["kernel"], row["tile"]): row["loads"] for row in EVERY}
    assert [loads[8, "tiled", tile] for tile in (1, 2, 4, 8)] == [1024, 512, 256, 128]
    assert (loads[64, "separate", 8], loads[64, "tiled", 8]) == (524288, 65536)
    assert (loads[5, "separate", 5], loads[12, "tiled", 4]) == (250, 864)


def test_tiling_moves_reads_into_shared_memory_and_each_output_is_stored_once():
    for row in RESULT["rows"]:
        assert row["stores"] == row["n"] ** 2
        used = 2 * row["n"] ** 3  # every product reads two inputs, from the tiles
        assert row["shared_accesses"] == (used + row["loads"] if row["kernel"] == "tiled" else 0), row


def test_cache_accesses_are_not_the_loads():
    by_key = {(row["n"], row["kernel"], row["tile"]): row for row in RESULT["rows"]}
    alone, shared = by_key[16, "separate", 8], by_key[16, "tiled", 2]
    assert shared["loads"] * 2 == alone["loads"]
    assert shared["l1_reads"] > 3 * alone["l1_reads"]
    assert shared["cycles"] > alone["cycles"]
    for row in TILED:
        if row["n"] >= 8:  # a tile's row lies in one sector here, so that it is one access
            assert row["l1_reads"] * row["tile"] == row["loads"], row


def test_the_program_is_still_the_one_that_was_simulated():
    source = RESULT["provenance"]["source"]
    assert hashlib.sha256((ROOT / source["file"]).read_bytes()).hexdigest() == source["sha256"]


def test_the_lab_s_cuda_download_is_another_text_and_said_not_to_have_been_run():
    source, other = RESULT["provenance"]["source"], RESULT["provenance"]["not_run"]["file"]
    assert hashlib.sha256((ROOT / other).read_bytes()).hexdigest() != source["sha256"]
