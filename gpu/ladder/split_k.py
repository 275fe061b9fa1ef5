"""Rung 9, split-K: several programs share one tile of C, each with its own range of K phases.

1024 x 1024 outputs are 32 tiles of 128 x 256, and the chip has 132 multiprocessors: without more programs three
quarters of it idle, however long K is.  Here SPLIT_K programs own one tile; each writes its float32 partial tile to a
workspace and counts itself in, and the last one to arrive adds the partial tiles, always in the same order, and
stores C.  No result is rounded before that, and two runs give the same bits.

The price is SPLIT_K * M * N * 4 bytes written and read back, and a wait for the last arrival: worth it for small M *
N and large K only.

Next: `split_specialised` does the same with warps that only load; with one row of A there is nothing to reuse at all;
`thin` and `row` are about bytes in flight.
"""

import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

from gpu import checks
from gpu.ladder.order import tile_of
from gpu.ladder.plan import Config, Launch, Plan, Rung, needs_aligned_rows


@triton.jit
def add_partials(acc, partials_ptr, arrivals_ptr, tile, split, lane, SPLIT_K: tl.constexpr, LANES: tl.constexpr):
    """Store this program's partial tile; returns (sum of all, True) to the last program of the tile to arrive.

    `lane` numbers the LANES elements of the tile.  The counter goes back to 0, ready for the next launch.
    """
    mine = partials_ptr + (tile * SPLIT_K + split) * LANES
    tl.store(mine + lane, acc)
    tl.debug_barrier()  # every thread's part is stored before one thread counts the program in
    last = tl.atomic_add(arrivals_ptr + tile, 1, sem="acq_rel") == SPLIT_K - 1
    if last:
        total = tl.zeros_like(acc)
        for other in range(SPLIT_K):
            total += tl.load(partials_ptr + (tile * SPLIT_K + other) * LANES + lane, cache_modifier=".cg")
        acc = total
        tl.store(arrivals_ptr + tile, 0)
    return acc, last


@triton.jit
def split_k_kernel(
    a_desc, b_desc, c_desc, partials_ptr, arrivals_ptr, M, N, K,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP_M: tl.constexpr, INPUT_PRECISION: tl.constexpr,
    SPLIT_K: tl.constexpr,
):  # fmt: skip
    """Program p works on tile p % tiles, in the (p // tiles)-th of SPLIT_K ranges of K phases."""
    tiles_m = tl.cdiv(M, BM)
    tiles_n = tl.cdiv(N, BN)
    tile = tl.program_id(0) % (tiles_m * tiles_n)
    split = tl.program_id(0) // (tiles_m * tiles_n)
    row_tile, col_tile = tile_of(tile, tiles_m, tiles_n, GROUP_M)
    phases = tl.cdiv(K, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for phase in range(split * phases // SPLIT_K, (split + 1) * phases // SPLIT_K):
        a = a_desc.load([row_tile * BM, phase * BK])
        b = b_desc.load([phase * BK, col_tile * BN])
        acc = tl.dot(a, b, acc, input_precision=INPUT_PRECISION)
    lane = tl.arange(0, BM)[:, None] * BN + tl.arange(0, BN)[None, :]
    acc, last = add_partials(acc, partials_ptr, arrivals_ptr, tile, split, lane, SPLIT_K, BM * BN)
    if last:
        c_desc.store([row_tile * BM, col_tile * BN], acc.to(c_desc.dtype))


def workspace(a: torch.Tensor, tiles: int, split_k: int, lanes: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Partial tiles (float32, any content) and arrival counters (zero) for `tiles` tiles of `lanes` elements.

    Refuses 2^31 elements and more: the kernels' offsets into it are 32 bits wide.
    """
    checks.partial_tiles(tiles * split_k * lanes)
    partials = torch.empty(tiles * split_k * lanes, dtype=torch.float32, device=a.device)
    return partials, torch.zeros(tiles, dtype=torch.int32, device=a.device)


def prepare(a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, config: Config, precision: str) -> Plan:
    """Descriptors, a workspace, and SPLIT_K programs for each tile of C."""
    (M, K), N = a.shape, b.shape[1]
    BM, BN, BK = config["BM"], config["BN"], config["BK"]
    tiles = triton.cdiv(M, BM) * triton.cdiv(N, BN)
    partials, arrivals = workspace(a, tiles, config["SPLIT_K"], BM * BN)
    args = (
        TensorDescriptor.from_tensor(a, [BM, BK]),
        TensorDescriptor.from_tensor(b, [BK, BN]),
        TensorDescriptor.from_tensor(c, [BM, BN]),
        partials, arrivals, M, N, K,
    )  # fmt: skip
    constants = {**config, "INPUT_PRECISION": precision}
    return Plan((Launch(split_k_kernel, tiles * config["SPLIT_K"], args, constants),))


def refuses(M: int, N: int, K: int, itemsize: int) -> str:
    """Rows that a descriptor cannot read, or a workspace of 2^31 elements and more."""
    if M * N * 4 >= 2**31:
        return f"C has {M * N} elements; its partial tiles would need offsets past 32 bits"
    return needs_aligned_rows(M, N, K, itemsize)


DEFAULT: Config = {
    "BM": 128, "BN": 256, "BK": 64, "GROUP_M": 8, "SPLIT_K": 4, "num_warps": 8, "num_stages": 4
}  # fmt: skip
RUNG = Rung("split_k", "several programs share one tile and split K", prepare, DEFAULT, refuses, "ABC")
