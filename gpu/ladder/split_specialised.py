"""Rung 10, split-specialised: `specialised`'s warps and `split_k`'s programs together.

Each program multiplies one range of K phases of a tile through the ring.  Each half tile is then added up on its own:
its four warps write their float32 partial sums, in 8 x 8 blocks so that a warp writes 256 bytes in a row, and count
themselves in; the last of the SPLIT_K arrivals adds the partial sums in a fixed order, so two runs give the same
bits, and stores.

With SPLIT_K = 4 and tiles of 128 x 256, 1024 x 1024 outputs make 128 programs for 132 multiprocessors.  On the stored
H200 run that is two or three hundredths short of torch at 1024 x 1024 x 65536.  Likely reasons, not measured one by
one: four multiprocessors idle, the partial tiles pass through memory once, and the vendor's library loads a tile once
for a cluster of programs (multicast), which Triton 3.6 does not reach.  With few K phases, as in the square shapes,
adding the partial tiles costs more than splitting gains.

Next: with 16 rows or one there is almost nothing to reuse; `thin` and `row` are about bytes in flight.
"""

import torch
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import tma

from gpu.ladder import ring, split_k
from gpu.ladder.plan import Config, Launch, Plan, Rung
from gpu.ladder.ring import barrier, load_tiles, make_ring, multiply_phases, tile_of
from gpu.ladder.specialised import store_half_tile


@gluon.jit
def add_half_tiles(acc, partials_ptr, arrivals_ptr, half_tile, split, SPLIT_K: gl.constexpr, layout: gl.constexpr):
    """Store this group's partial half tile; returns (sum of all, True) to the last group of the half tile to arrive."""
    HALF: gl.constexpr = acc.shape[0]
    BN: gl.constexpr = acc.shape[1]
    row = gl.arange(0, HALF, layout=gl.SliceLayout(1, layout))[:, None]
    col = gl.arange(0, BN, layout=gl.SliceLayout(0, layout))[None, :]
    lane = ((row // 8) * (BN // 8) + col // 8) * 64 + (row % 8) * 8 + col % 8
    first = partials_ptr + half_tile * (SPLIT_K * HALF * BN)
    gl.store(first + split * (HALF * BN) + lane, acc)
    barrier()  # every thread's part is stored before one thread counts the group in
    last = gl.atomic_add(arrivals_ptr + half_tile, 1, sem="acq_rel") == SPLIT_K - 1
    if last:
        total = gl.zeros((HALF, BN), gl.float32, layout)
        for other in range(SPLIT_K):
            total += gl.load(first + other * (HALF * BN) + lane, cache_modifier=".cg")
        acc = total
        gl.store(arrivals_ptr + half_tile, 0)
    return acc, last


@gluon.jit
def multiply_range(
    half, c_desc, partials_ptr, arrivals_ptr, a_ring, b_ring, c_pieces, full, empty, M, N, K,
    BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, GROUP_M: gl.constexpr,
    STAGES: gl.constexpr, SPLIT_K: gl.constexpr, SUBTILES: gl.constexpr,
):  # fmt: skip
    """A multiplier: rows half * BM/2 ... of this program's tile, for its range of K phases."""
    layout: gl.constexpr = gl.NVMMADistributedLayout(version=[3, 0], warps_per_cta=[4, 1], instr_shape=[16, BN, 16])
    tiles_m = gl.cdiv(M, BM)
    tiles_n = gl.cdiv(N, BN)
    phases = gl.cdiv(K, BK)
    tile = gl.program_id(0) % (tiles_m * tiles_n)
    split = gl.program_id(0) // (tiles_m * tiles_n)
    row_tile, col_tile = tile_of(tile, tiles_m, tiles_n, GROUP_M)
    mine = (split + 1) * phases // SPLIT_K - split * phases // SPLIT_K
    acc = gl.zeros((BM // 2, BN), gl.float32, layout)
    acc, _ = multiply_phases(acc, half, a_ring, b_ring, full, empty, gl.to_tensor(0), mine, STAGES)
    acc, last = add_half_tiles(acc, partials_ptr, arrivals_ptr, 2 * tile + half, split, SPLIT_K, layout)
    if last:
        store_half_tile(c_desc, row_tile * BM + half * (BM // 2), col_tile * BN, acc, c_pieces.index(half), SUBTILES)
        tma.store_wait(0)


@gluon.jit
def split_specialised_kernel(
    a_desc, b_desc, c_desc, partials_ptr, arrivals_ptr, M, N, K,
    BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, GROUP_M: gl.constexpr,
    STAGES: gl.constexpr, SPLIT_K: gl.constexpr, SUBTILES: gl.constexpr, PROGRAMS: gl.constexpr,
):  # fmt: skip
    """Program p works on tile p % tiles, in the (p // tiles)-th of SPLIT_K ranges of K phases."""
    a_ring, b_ring, full, empty = make_ring(a_desc, b_desc, STAGES)
    c_pieces = gl.allocate_shared_memory(c_desc.dtype, [2, BM // 2, BN // SUBTILES], c_desc.layout)
    gl.warp_specialize(
        [
            (multiply_range, (
                0, c_desc, partials_ptr, arrivals_ptr, a_ring, b_ring, c_pieces, full, empty, M, N, K,
                BM, BN, BK, GROUP_M, STAGES, SPLIT_K, SUBTILES,
            )),
            (multiply_range, (
                1, c_desc, partials_ptr, arrivals_ptr, a_ring, b_ring, c_pieces, full, empty, M, N, K,
                BM, BN, BK, GROUP_M, STAGES, SPLIT_K, SUBTILES,
            )),
            (load_tiles, (
                a_desc, b_desc, a_ring, b_ring, full, empty, M, N, K,
                BM, BN, BK, GROUP_M, STAGES, PROGRAMS, SPLIT_K,
            )),
        ],
        worker_num_warps=[4, 1],
        worker_num_regs=[232, 40],
    )  # fmt: skip


def prepare(a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, config: Config, precision: str) -> Plan:
    """A workspace, and SPLIT_K programs for each tile of C."""
    (M, K), N = a.shape, b.shape[1]
    BM, BN, split = config["BM"], config["BN"], config["SPLIT_K"]
    tiles = triton.cdiv(M, BM) * triton.cdiv(N, BN)
    workspace = split_k.workspace(a, 2 * tiles, split, BM // 2 * BN)
    args = (*ring.descriptors(a, b, c, config), *workspace, M, N, K)
    constants = {
        **config,
        "PROGRAMS": 2**30,
        "num_warps": 4,
    }  # a program has one piece of work; the next is out of range
    return Plan((Launch(split_specialised_kernel, tiles * split, args, constants),))


def refuses(M: int, N: int, K: int, itemsize: int) -> str:
    """As the ring and as split_k."""
    return ring.refuses(M, N, K, itemsize) or split_k.refuses(M, N, K, itemsize)


DEFAULT: Config = {"BM": 128, "BN": 256, "BK": 64, "GROUP_M": 8, "STAGES": 4, "SPLIT_K": 4, "SUBTILES": 2}
RUNG = Rung("split_specialised", "one warp loads, eight multiply, and K is split", prepare, DEFAULT, refuses, "ABC")
