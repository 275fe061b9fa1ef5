"""The stored table of winners, and a rule for shapes that are not in it."""

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from gpu.ladder.plan import Config

STORED = Path(__file__).with_name("h200.json")
KEY = ("M", "N", "K", "dtype", "precision")
Table = dict[tuple[Any, ...], dict[str, Any]]
INTERPRETER: Config = {"BM": 32, "BN": 32, "BK": 32, "GROUP_M": 1, "num_warps": 4, "num_stages": 1}


@lru_cache(maxsize=4)  # read once a process: `best` looks a shape up at every call
def load(path: Path = STORED) -> Table:
    """The table's entries by shape, type and precision; none when there is no table."""
    if not path.exists():
        return {}
    entries: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["entries"]
    return {tuple(entry[name] for name in KEY): entry for entry in entries}


def listed(
    entries: Table, M: int, N: int, K: int, dtype: str, precision: str, rung: str | None = None
) -> tuple[str, Config] | None:
    """(rung, config) of the fastest entry for exactly this shape, or of the fastest on one rung; None if not listed."""
    entry = entries.get((M, N, K, dtype, precision))
    for tried in [entry, *entry["others"]] if entry else []:
        if rung is None or tried["rung"] == rung:
            return tried["rung"], tried["config"]
    return None


def rule(M: int, N: int, K: int, itemsize: int, hopper: bool, precision: str = "ieee") -> tuple[str, Config]:
    """A sound choice for an unlisted shape: what won for the nearest kind of shape in the table."""
    aligned = K * itemsize % 16 == 0 and N * itemsize % 16 == 0
    tiles = -(-M // 128) * -(-N // 256)
    if M == 1:
        return "row", {"BN": 128, "BK": 64, "SPLIT_K": 16, "num_warps": 2, "num_stages": 1}
    if not aligned and M * N * K >= 2**31 and itemsize == 2 and hopper:
        ring = {"BM": 256, "BN": 128, "BK": 64, "GROUP_M": 8, "STAGES": 4, "SUBTILES": 2}
        return "packed", {**ring, "PR": 16, "PC": 256}
    if precision == "tf32" and aligned and hopper and M * N * K >= 2**32:
        return "transposed", {**large_tile(), "FLATTEN": 1, "num_stages": 5}
    if not aligned or itemsize == 4 or not hopper:
        return plain(M, N)
    if M <= 64:
        rows = max(16, 1 << (M - 1).bit_length())
        if 2 * rows * N >= 2**30:  # partial sums of 4 GB and more; their 32-bit offsets would soon overflow
            return plain(M, N)
        thin = {"BM": rows, "BN": 64, "BK": 128, "SPLIT_K": 2, "SWAP": 1, "num_warps": 4, "num_stages": 4}
        return "thin", thin
    if tiles >= 100:
        return "specialised", {"BM": 128, "BN": 256, "BK": 64, "GROUP_M": 8, "STAGES": 4, "SUBTILES": 2}
    if 16 * max(M, N) <= K:
        ring = {"BM": 128, "BN": 256, "BK": 64, "GROUP_M": 8, "STAGES": 4, "SUBTILES": 2}
        return "split_specialised", {**ring, "SPLIT_K": 4}
    return "descriptors", {"BM": 64, "BN": 64, "BK": 128, "GROUP_M": 8, "num_warps": 4, "num_stages": 4}


def plain(M: int, N: int) -> tuple[str, Config]:
    """The choice that runs any shape, wherever its matrices lie in memory, on any GPU."""
    return "grouped", small_tile() if M * N < 2**18 else large_tile()


def small_tile() -> Config:
    """For few outputs: many programs."""
    return {"BM": 32, "BN": 32, "BK": 64, "GROUP_M": 8, "num_warps": 4, "num_stages": 3}


def large_tile() -> Config:
    """For many outputs: much reuse, and no more shared memory than any recent chip has for float32 too."""
    return {"BM": 128, "BN": 128, "BK": 32, "GROUP_M": 8, "num_warps": 8, "num_stages": 3}
