"""Rung 5, hinted: tell the compiler what it cannot see.

Triton looks at each whole-number argument and notes whether it is a multiple of 16.  1000 is not, so it must assume
that a row of 1000 halves may start anywhere, and loads two bytes at a time.  In fact 1000 is a multiple of 8 and
every row starts at a multiple of 16 bytes.  Here the caller passes M, N and K counted in eights and the kernel
multiplies by 8 again: the same numbers, and now loads of 16 bytes.  Everything else is the teaching kernel.

Where a size is a multiple of 16 this adds nothing.

Next: the loads still pass through the threads, with an address and a mask for each element; see `descriptors`.
"""

import torch
import triton
import triton.language as tl

from gpu import checks
from gpu.ladder.order import tile_of
from gpu.ladder.plan import Config, Launch, Plan, Rung

EIGHT = 8  # elements; 16 bytes of a two-byte type, 32 of float32


@triton.jit
def hinted_kernel(
    a_ptr, b_ptr, c_ptr, M, N_eighths, K_eighths,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP_M: tl.constexpr, INPUT_PRECISION: tl.constexpr,
    WIDE_OFFSETS: tl.constexpr,
):  # fmt: skip
    """The teaching kernel for N = 8 * N_eighths and K = 8 * K_eighths."""
    N = N_eighths * 8
    K = K_eighths * 8
    row_tile, col_tile = tile_of(tl.program_id(0), tl.cdiv(M, BM), tl.cdiv(N, BN), GROUP_M)
    rows = row_tile * BM + tl.arange(0, BM)
    cols = col_tile * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    if WIDE_OFFSETS:
        rows = rows.to(tl.int64)
        inner = inner.to(tl.int64)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for phase in range(tl.cdiv(K, BK)):
        k = phase * BK + inner
        a_mask = (rows[:, None] < M) & (k[None, :] < K)
        b_mask = (k[:, None] < K) & (cols[None, :] < N)
        a = tl.load(a_ptr + rows[:, None] * K + k[None, :], mask=a_mask, other=0.0)
        b = tl.load(b_ptr + k[:, None] * N + cols[None, :], mask=b_mask, other=0.0)
        acc = tl.dot(a, b, acc, input_precision=INPUT_PRECISION)
    c_mask = (rows[:, None] < M) & (cols[None, :] < N)
    tl.store(c_ptr + rows[:, None] * N + cols[None, :], acc.to(c_ptr.dtype.element_ty), mask=c_mask)


def prepare(a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, config: Config, precision: str) -> Plan:
    """The teaching kernel's launch, with N and K counted in eights."""
    (M, K), N = a.shape, b.shape[1]
    programs = triton.cdiv(M, config["BM"]) * triton.cdiv(N, config["BN"])
    constants = {**config, "INPUT_PRECISION": precision, "WIDE_OFFSETS": checks.wide_offsets(M, N, K)}
    return Plan((Launch(hinted_kernel, programs, (a, b, c, M, N // EIGHT, K // EIGHT), constants),))


def refuses(M: int, N: int, K: int, itemsize: int) -> str:
    """Sizes that are not multiples of 8."""
    if N % EIGHT or K % EIGHT:
        return f"N = {N} and K = {K}; this rung is for multiples of {EIGHT}"
    return ""


DEFAULT: Config = {"BM": 128, "BN": 128, "BK": 64, "GROUP_M": 8, "num_warps": 8, "num_stages": 3}
RUNG = Rung("hinted", "sizes counted in eights, so that loads are 16 bytes wide", prepare, DEFAULT, refuses)
