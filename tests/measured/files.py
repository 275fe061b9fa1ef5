"""Small result files, written by hand, for tests that read them."""

import copy
import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("matmul-half", "matmul-float32-ieee", "matmul-float32-tf32", "counters")
STORED = tuple(f"h200-{part}.json" for part in PARTS)


def stored(name: str) -> str:
    """The text of a stored result."""
    return (ROOT / "gpu" / "results" / name).read_text(encoding="utf-8")


def spread(median: Any, low: Any, high: Any) -> dict[str, Any]:
    """A time in milliseconds as a file has it."""
    return {"median_ms": median, "low_ms": low, "high_ms": high, "repeats": 30}


def row(kernel: str, ms: float, **more: Any) -> dict[str, Any]:
    """A timed row of 512 × 256 × 1024 in float16; a call takes 0.02 ms more."""
    return {
        "kernel": kernel, "M": 512, "N": 256, "K": 1024, "dtype": "float16", "precision": "ieee", "skipped": "",
        "config": {"BM": 64, "BN": 32, "BK": 16, "num_warps": 4}, "replay": spread(ms, ms - 0.001, ms + 0.001),
        "call": spread(ms + 0.02, ms + 0.01, ms + 0.05), "empty_replay_ms": 0.004,
        "verify": {"passed": True, "random": {"error": 0.0002}}, "warnings": [], "flops": 1,
    } | more  # fmt: skip


BENCH: dict[str, Any] = {
    "format": "gpu-lab kernel-bench 1",
    "device": {"name": "NVIDIA L4", "capability": "8.9", "l2_bytes": 50_331_648},
    "driver": "550.54", "versions": {"torch": "2.9", "triton": "3.5", "python": "3.12"}, "date": "2026-01-02",
    "command": "kernel-bench --shape 512 256 1024", "seed": 0, "op": "matmul",
    "method": {"cache": "256 MiB are overwritten before each repeat, for every entry alike, to empty the L2 cache"},
    "limits": None, "clocks": {"start": {"sm_mhz": 2040.0}, "end": {"sm_mhz": None}},
    "rows": [row("torch", 0.02), row("tiled", 0.025, rung="tiled"), row("thin", 0.03, skipped="no: M is 512")],
}  # fmt: skip
for name in ("replay", "call", "empty_replay_ms", "verify"):
    del BENCH["rows"][2][name]

LAUNCH = {
    "n": 64, "tile": 8, "kernel": "tiled", "threads_per_block": 64, "model_loads": 65536, "counted_loads": 65536,
    "warp_loads": 2048, "l1_sectors": 8192, "l2_sectors": 5397, "dram_read_bytes": 38912, "dram_write_bytes": 88,
    "profiled_ms": 0.006, "blocks": 64,
    "time_ms": {"min": 0.0078, "first_quartile": 0.0081, "median": 0.0086, "third_quartile": 0.0099, "launches": 50},
}  # fmt: skip
COUNTERS: dict[str, Any] = {
    "schema": "gpu/counters/schema.json",
    "provenance": {"device": "NVIDIA L4", "date": "2026-01-02T03:04:05+00:00", "driver": "550.54", "command": "python"},
    "kernel": {"BM": 128, "BN": 128, "BK": 64, "seed": 0},
    "loads": [LAUNCH],
    "grouping": [
        {
            "m": 1024, "n": 512, "k": 256, "group_m": 8, "dram_read_bytes": 1_000_000, "dram_write_bytes": 500_000,
            "profiled_ms": 0.01, "time_ms": {"median": 0.02}, "l2_hit_rate": 0.5,
        }
    ],
}  # fmt: skip


def bench(**changes: Any) -> dict[str, Any]:
    """A fresh copy of BENCH with some top fields changed."""
    return copy.deepcopy(BENCH) | changes


def text(file: dict[str, Any]) -> str:
    """A file as text."""
    return json.dumps(file)
