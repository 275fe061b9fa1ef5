"""Rung 1, separate outputs: one program computes one element of C.

A program reads a whole row of A and a whole column of B and uses each element once, so nothing is reused inside a
program: 2 * K loads for one output, 2 * M * N * K for all.  The caches hide part of that, which is why it is slow
rather than hopeless.

Next: let one program own a tile of C, so that what it loads serves several outputs.
"""

import torch
import triton
import triton.language as tl

from gpu.ladder.plan import Config, Launch, Plan, Rung

MOST_PRODUCTS = 2**31  # beyond this a run takes tens of milliseconds or more and teaches nothing new


@triton.jit
def separate_kernel(a_ptr, b_ptr, c_ptr, M, N, K, BK: tl.constexpr):
    """C[r, c] for one r and c: BK products at a time, added up at the end."""
    program = tl.program_id(0).to(tl.int64)
    row = program // N
    col = program % N
    inner = tl.arange(0, BK).to(tl.int64)
    acc = tl.zeros((BK,), dtype=tl.float32)
    for phase in range(tl.cdiv(K, BK)):
        k = phase * BK + inner
        a = tl.load(a_ptr + row * K + k, mask=k < K, other=0.0)
        b = tl.load(b_ptr + k * N + col, mask=k < K, other=0.0)
        acc += a.to(tl.float32) * b.to(tl.float32)
    tl.store(c_ptr + program, tl.sum(acc).to(c_ptr.dtype.element_ty))


def prepare(a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, config: Config, precision: str) -> Plan:
    """One program an output; `precision` changes nothing, because no matrix instruction is used."""
    (M, K), N = a.shape, b.shape[1]
    return Plan((Launch(separate_kernel, M * N, (a, b, c, M, N, K), dict(config)),))


def refuses(M: int, N: int, K: int, itemsize: int) -> str:
    """Too many products are left out."""
    if M * N * K > MOST_PRODUCTS:
        return f"{M * N * K} products; this rung is run up to {MOST_PRODUCTS}"
    return ""


RUNG = Rung("separate", "one program, one output", prepare, {"BK": 128, "num_warps": 1, "num_stages": 1}, refuses)
