"""Rung 15, transposed: for float32 in TF32, give the matrix instruction B the way it wants it.

For two-byte types the Hopper matrix instruction (wgmma) reads a tile of B along N or along K.  For TF32 it reads
along K only. B (K, N) lies along N, so the plain rungs fall back to the older mma.sync, at a fraction of the rate.
This rung first copies B to its transpose (N, K), inside the timed region, and then multiplies with wgmma.  The copy
moves 2 * K * N elements, the product is M * N * K: for large M it is the small part.

It stays behind torch on most shapes of the stored H200 run.  The copy is not free, and tiles of float32 fill shared
memory twice as fast, so fewer are on their way.  With few tiles and a long K (1024 x 1024 x 65536) most of the chip
idles, because this rung does not split K.

In IEEE precision there is no matrix instruction to feed, so this rung is for TF32 only.

Next: nothing in these files yet.  K split as in `split_k` would give a small C with a long K more programs, and loading
a tile once for a cluster of programs (multicast) would ask less of the L2 cache.
"""

import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

from gpu import checks
from gpu.ladder.order import tile_of
from gpu.ladder.persistent import multiprocessors
from gpu.ladder.plan import Config, Launch, Plan, Rung, needs_aligned_rows

BLOCK = 64  # rows and columns that one program transposes


@triton.jit
def transpose_kernel(b_ptr, t_ptr, K, N, BLOCK: tl.constexpr, WIDE_OFFSETS: tl.constexpr):
    """T (N, K) = the transpose of B (K, N), one BLOCK x BLOCK block a program."""
    blocks_n = tl.cdiv(N, BLOCK)
    k = (tl.program_id(0) // blocks_n) * BLOCK + tl.arange(0, BLOCK)
    n = (tl.program_id(0) % blocks_n) * BLOCK + tl.arange(0, BLOCK)
    if WIDE_OFFSETS:
        k = k.to(tl.int64)
        n = n.to(tl.int64)
    block = tl.load(b_ptr + k[:, None] * N + n[None, :], mask=(k[:, None] < K) & (n[None, :] < N), other=0.0)
    tl.store(t_ptr + n[:, None] * K + k[None, :], tl.trans(block), mask=(n[:, None] < N) & (k[None, :] < K))


@triton.jit
def transposed_kernel(
    a_desc, t_desc, c_desc, M, N, K,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP_M: tl.constexpr, INPUT_PRECISION: tl.constexpr,
    PROGRAMS: tl.constexpr, FLATTEN: tl.constexpr,
):  # fmt: skip
    """`persistent`, reading tiles of B's transpose; program p owns the tiles p, p + PROGRAMS, ..."""
    tiles_m = tl.cdiv(M, BM)
    tiles_n = tl.cdiv(N, BN)
    phases = tl.cdiv(K, BK)
    for place in tl.range(tl.program_id(0), tiles_m * tiles_n, PROGRAMS, flatten=FLATTEN):
        row_tile, col_tile = tile_of(place, tiles_m, tiles_n, GROUP_M)
        acc = tl.zeros((BM, BN), dtype=tl.float32)
        for phase in range(phases):
            a = a_desc.load([row_tile * BM, phase * BK])
            t = t_desc.load([col_tile * BN, phase * BK])
            acc = tl.dot(a, t.T, acc, input_precision=INPUT_PRECISION)
        c_desc.store([row_tile * BM, col_tile * BN], acc.to(c_desc.dtype))


def prepare(a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, config: Config, precision: str) -> Plan:
    """Two launches: the transpose, then the product."""
    if precision != "tf32":
        raise checks.Refused(f"rung 'transposed' is for TF32; given: {a.dtype} in precision {precision}")
    (M, K), N = a.shape, b.shape[1]
    BM, BN, BK = config["BM"], config["BN"], config["BK"]
    t = torch.empty((N, K), dtype=b.dtype, device=b.device)
    constants = {"BLOCK": BLOCK, "WIDE_OFFSETS": checks.wide_offsets(1, N, K), "num_warps": 8}
    blocks = triton.cdiv(K, BLOCK) * triton.cdiv(N, BLOCK)
    descriptors = (
        TensorDescriptor.from_tensor(a, [BM, BK]),
        TensorDescriptor.from_tensor(t, [BN, BK]),
        TensorDescriptor.from_tensor(c, [BM, BN]),
    )
    most = multiprocessors(a.device)
    programs = min(most, triton.cdiv(M, BM) * triton.cdiv(N, BN))
    settings = {**config, "INPUT_PRECISION": precision, "PROGRAMS": most}
    return Plan((
        Launch(transpose_kernel, blocks, (b, t, K, N), constants),
        Launch(transposed_kernel, programs, (*descriptors, M, N, K), settings),
    ))  # fmt: skip


def refuses(M: int, N: int, K: int, itemsize: int) -> str:
    """Two-byte types have no need of it; rows must be readable by a descriptor."""
    if itemsize != 4:
        return "the matrix instruction reads two-byte types either way; there is nothing to transpose"
    return needs_aligned_rows(M, N, K, itemsize)


DEFAULT: Config = {"BM": 128, "BN": 128, "BK": 32, "GROUP_M": 8, "FLATTEN": 1, "num_warps": 8, "num_stages": 4}
RUNG = Rung("transposed", "TF32: B transposed first, so that wgmma can read it", prepare, DEFAULT, refuses, "AC")
