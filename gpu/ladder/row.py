"""Rung 12, row: M = 1, a vector times a matrix.

Nothing of B is used twice, so there is nothing to tile for: 33,554,432 operations on 33,570,816 bytes for N = K =
4096 in two-byte types, about one operation a byte.  At 4.8 TB/s those bytes take 7.0 microseconds, and no kernel that
reads B from memory can be faster. Ordinary multiplications are enough.  Each program reads a block of B in 16-byte
pieces, with all of a phase's loads issued before the first is used; SPLIT_K ranges of K give every multiprocessor
several programs; the last to arrive adds the partial rows.

What remains above the floor is the launch, the first loads' latency, and the last program's sum.

Next: rows that start where neither wide loads nor a tensor descriptor can read; see `packed`.
"""

import torch
import triton
import triton.language as tl

from gpu import checks
from gpu.ladder.plan import Config, Launch, Plan, Rung
from gpu.ladder.split_k import workspace


@triton.jit
def row_kernel(
    a_ptr, b_ptr, c_ptr, partials_ptr, arrivals_ptr, N, K,
    BN: tl.constexpr, BK: tl.constexpr, SPLIT_K: tl.constexpr, BS: tl.constexpr, WIDE_OFFSETS: tl.constexpr,
):  # fmt: skip
    """Program p owns the BN columns p % tiles_n and one of SPLIT_K ranges of K phases of BK rows of B."""
    tiles_n = tl.cdiv(N, BN)
    col_tile = tl.program_id(0) % tiles_n
    split = tl.program_id(0) // tiles_n
    phases = tl.cdiv(K, BK)
    cols = col_tile * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    if WIDE_OFFSETS:
        inner = inner.to(tl.int64)
    acc = tl.zeros((BK, BN), dtype=tl.float32)
    for phase in range(split * phases // SPLIT_K, (split + 1) * phases // SPLIT_K):
        k = phase * BK + inner
        a = tl.load(a_ptr + k, mask=k < K, other=0.0)
        b_mask = (k[:, None] < K) & (cols[None, :] < N)
        b = tl.load(b_ptr + k[:, None] * N + cols[None, :], mask=b_mask, other=0.0, eviction_policy="evict_first")
        acc += a.to(tl.float32)[:, None] * b.to(tl.float32)
    part = tl.sum(acc, 0)
    lane = tl.arange(0, BN)
    tl.store(partials_ptr + (col_tile * SPLIT_K + split) * BN + lane, part)
    tl.debug_barrier()  # every thread's part is stored before one thread counts the program in
    if tl.atomic_add(arrivals_ptr + col_tile, 1, sem="acq_rel") == SPLIT_K - 1:
        total = tl.zeros((BS, BN), dtype=tl.float32)
        for first in range(0, SPLIT_K, BS):
            split_lane = (first + tl.arange(0, BS))[:, None] * BN + lane[None, :]
            total += tl.load(partials_ptr + col_tile * SPLIT_K * BN + split_lane, cache_modifier=".cg")
        tl.store(c_ptr + cols, tl.sum(total, 0).to(c_ptr.dtype.element_ty), mask=cols < N)
        tl.store(arrivals_ptr + col_tile, 0)


def prepare(a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, config: Config, precision: str) -> Plan:
    """A workspace and SPLIT_K programs for each BN columns; `precision` changes nothing (no matrix instruction)."""
    K, N = b.shape
    tiles = triton.cdiv(N, config["BN"])
    partials, arrivals = workspace(a, tiles, config["SPLIT_K"], config["BN"])
    constants = {**config, "BS": min(config["SPLIT_K"], 16), "WIDE_OFFSETS": checks.wide_offsets(1, N, K)}
    args = (a, b, c, partials, arrivals, N, K)
    return Plan((Launch(row_kernel, tiles * config["SPLIT_K"], args, constants),))


def refuses(M: int, N: int, K: int, itemsize: int) -> str:
    """More than one row."""
    return "" if M == 1 else f"M is {M}; this rung multiplies one row"


DEFAULT: Config = {"BN": 256, "BK": 32, "SPLIT_K": 32, "num_warps": 4, "num_stages": 1}
RUNG = Rung("row", "one row: no reuse, wide loads of B", prepare, DEFAULT, refuses)
