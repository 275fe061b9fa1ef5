"""The storage model of a tile against what Triton's compiler took, for every stored configuration."""

import json
from typing import Any

import pytest

from sim.reuse import Tile

ITEM_BYTES = 2  # the grid was compiled for float16 inputs, and C is float16 too


@pytest.fixture(scope="module")
def rows(root):
    text = (root / "gpu" / "results" / "h200-compiled.json").read_text(encoding="utf-8")
    return json.loads(text)["rows"]


def pairs_held(row: dict[str, Any]) -> int:
    """wgmma reads its tiles from shared memory while the next arrive; mma.sync has taken one pair into registers."""
    return int(row["num_stages"]) - ("wgmma.mma_async" not in row["instructions"])


def test_there_are_configurations_to_compare(rows):
    assert len(rows) == 372
    assert {pairs_held(row) for row in rows} == {1, 2, 3, 4}


def test_shared_bytes_are_pairs_of_input_tiles_but_where_c_passes_through(rows):
    larger = []
    for row in rows:
        tile = Tile(row["BM"], row["BN"], row["BK"], ITEM_BYTES)
        pairs = tile.shared_bytes(pairs_held(row))
        if row["shared_bytes"] != pairs:
            assert pairs < row["shared_bytes"] <= tile.accumulators * ITEM_BYTES, row
            larger.append((row["BK"], row["num_warps"]))
    assert larger == [(16, 8)] * 7


def test_no_kernel_takes_fewer_registers_than_its_sums(rows):
    for row in rows:
        sums = Tile(row["BM"], row["BN"], row["BK"], ITEM_BYTES).accumulator_registers(row["num_warps"])
        assert row["spills"] or not row["registers"] or row["registers"] >= sums, row
