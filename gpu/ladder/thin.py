"""Rung 11, thin: few rows of A, so the time is that of reading B once.

With M = 16 each element of B is used 16 times and the chip can do some 200 products in the time it takes to read one
element from memory: what counts is bytes in flight.  Small tiles of columns times SPLIT_K ranges of K give enough
programs; deep staging keeps loads outstanding; partial sums are added as in `split_k`.

The product is taken the other way round, C^T = B^T A^T: the matrix instruction takes at least 64 rows but as few as 8
columns, so the many columns of B become its rows and the few rows of A its columns (SWAP = 1).

Next: with M = 1 even that wastes the instruction; see `row`.
"""

import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

from gpu import checks
from gpu.ladder.plan import Config, Launch, Plan, Rung, needs_aligned_rows
from gpu.ladder.split_k import add_partials, workspace

MOST_ROWS = 64


@triton.jit
def thin_kernel(
    a_desc, b_desc, c_ptr, partials_ptr, arrivals_ptr, M, N, K,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, INPUT_PRECISION: tl.constexpr,
    SPLIT_K: tl.constexpr, SWAP: tl.constexpr,
):  # fmt: skip
    """Program p owns the BN columns p % tiles_n and one of SPLIT_K ranges of K phases; BM covers all rows."""
    tiles_n = tl.cdiv(N, BN)
    col_tile = tl.program_id(0) % tiles_n
    split = tl.program_id(0) // tiles_n
    phases = tl.cdiv(K, BK)
    rows = tl.arange(0, BM)
    cols = tl.arange(0, BN)
    if SWAP:
        acc = tl.zeros((BN, BM), dtype=tl.float32)
        row = rows[None, :]
        col = cols[:, None]
    else:
        acc = tl.zeros((BM, BN), dtype=tl.float32)
        row = rows[:, None]
        col = cols[None, :]
    for phase in range(split * phases // SPLIT_K, (split + 1) * phases // SPLIT_K):
        a = a_desc.load([0, phase * BK])
        b = b_desc.load([phase * BK, col_tile * BN])
        if SWAP:
            acc = tl.dot(tl.trans(b), tl.trans(a), acc, input_precision=INPUT_PRECISION)
        else:
            acc = tl.dot(a, b, acc, input_precision=INPUT_PRECISION)
    last = True
    if SPLIT_K > 1:
        acc, last = add_partials(acc, partials_ptr, arrivals_ptr, col_tile, split, row * BN + col, SPLIT_K, BM * BN)
    if last:
        c_mask = (row < M) & (col_tile * BN + col < N)
        tl.store(c_ptr + row * N + col_tile * BN + col, acc.to(c_ptr.dtype.element_ty), mask=c_mask)


def prepare(a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, config: Config, precision: str) -> Plan:
    """Descriptors for A and B, a workspace, and SPLIT_K programs for each BN columns."""
    (M, K), N = a.shape, b.shape[1]
    BM, BN, BK = config["BM"], config["BN"], config["BK"]
    if M > BM:
        raise checks.Refused(
            f"BM is {BM} and M is {M}; allowed: a BM that holds all rows, from {triton.next_power_of_2(M)}"
        )
    tiles = triton.cdiv(N, BN)
    partials, arrivals = workspace(a, tiles, config["SPLIT_K"], BM * BN)
    args = (
        TensorDescriptor.from_tensor(a, [BM, BK]),
        TensorDescriptor.from_tensor(b, [BK, BN]),
        c, partials, arrivals, M, N, K,
    )  # fmt: skip
    constants = {**config, "INPUT_PRECISION": precision}
    return Plan((Launch(thin_kernel, tiles * config["SPLIT_K"], args, constants),))


def refuses(M: int, N: int, K: int, itemsize: int) -> str:
    """More rows than one tile holds, or rows that a descriptor cannot read."""
    if M > MOST_ROWS:
        return f"M is {M}; this rung holds all rows in one tile, at most {MOST_ROWS}"
    return needs_aligned_rows(M, N, K, itemsize)


DEFAULT: Config = {"BM": 16, "BN": 64, "BK": 128, "SPLIT_K": 4, "SWAP": 1, "num_warps": 4, "num_stages": 4}
RUNG = Rung("thin", "few rows: many loads of B in flight, K split", prepare, DEFAULT, refuses, "AB")
