"""Rung 8, specialised: one warp only loads, eight warps only multiply.

Written in Gluon, the layer of Triton in which shared memory, barriers and warps are named; ring.py says how tiles are
handed over.  The loader never waits for a tile of C to be stored: while the multipliers store, the ring fills with
the next tile.

Triton's own `tl.range(..., warp_specialize=True)` is documented for Blackwell; on Hopper its pass refuses 128-row tiles
(3.6.0), so the roles are written out.

Next: shapes with too few tiles for the chip; `split_k` makes more programs out of K.
"""

import torch
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import fence_async_shared, tma

from gpu.ladder import ring
from gpu.ladder.persistent import multiprocessors
from gpu.ladder.plan import Config, Launch, Plan, Rung
from gpu.ladder.ring import load_tiles, make_ring, multiply_phases, tile_of


@gluon.jit
def store_piece(c_desc, row, col, piece, buffer):
    """Round a piece of the accumulator, put it into shared memory once that is free, let TMA store it."""
    rounded = piece.to(c_desc.dtype)
    tma.store_wait(0)
    buffer.store(rounded)
    fence_async_shared()
    tma.async_copy_shared_to_global(c_desc, [row, col], buffer)


@gluon.jit
def store_half_tile(c_desc, row, col, acc, buffer, SUBTILES: gl.constexpr):
    """Store half of a tile of C, whole or as two column pieces (which need half the shared memory)."""
    if SUBTILES == 1:
        store_piece(c_desc, row, col, acc, buffer)
    else:
        HALF: gl.constexpr = acc.shape[0]
        BN: gl.constexpr = acc.shape[1]
        left, right = acc.reshape([HALF, 2, BN // 2]).permute(0, 2, 1).split()
        store_piece(c_desc, row, col, left, buffer)
        store_piece(c_desc, row, col + BN // 2, right, buffer)


@gluon.jit
def multiply_tiles(
    half, c_desc, a_ring, b_ring, c_pieces, full, empty, M, N, K,
    BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, GROUP_M: gl.constexpr,
    STAGES: gl.constexpr, PROGRAMS: gl.constexpr, SUBTILES: gl.constexpr,
):  # fmt: skip
    """A multiplier: rows half * BM/2 ... of every tile of this program."""
    layout: gl.constexpr = gl.NVMMADistributedLayout(version=[3, 0], warps_per_cta=[4, 1], instr_shape=[16, BN, 16])
    tiles_m = gl.cdiv(M, BM)
    tiles_n = gl.cdiv(N, BN)
    step = 0
    for place in range(gl.program_id(0), tiles_m * tiles_n, PROGRAMS):
        row_tile, col_tile = tile_of(place, tiles_m, tiles_n, GROUP_M)
        acc = gl.zeros((BM // 2, BN), gl.float32, layout)
        acc, step = multiply_phases(acc, half, a_ring, b_ring, full, empty, step, gl.cdiv(K, BK), STAGES)
        store_half_tile(c_desc, row_tile * BM + half * (BM // 2), col_tile * BN, acc, c_pieces.index(half), SUBTILES)
    tma.store_wait(0)


@gluon.jit
def specialised_kernel(
    a_desc, b_desc, c_desc, M, N, K,
    BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, GROUP_M: gl.constexpr,
    STAGES: gl.constexpr, PROGRAMS: gl.constexpr, SUBTILES: gl.constexpr,
):  # fmt: skip
    """Set up the ring, then give the warps their roles; program p owns the tiles p, p + PROGRAMS, ..."""
    a_ring, b_ring, full, empty = make_ring(a_desc, b_desc, STAGES)
    c_pieces = gl.allocate_shared_memory(c_desc.dtype, [2, BM // 2, BN // SUBTILES], c_desc.layout)
    gl.warp_specialize(
        [
            (multiply_tiles, (
                0, c_desc, a_ring, b_ring, c_pieces, full, empty, M, N, K,
                BM, BN, BK, GROUP_M, STAGES, PROGRAMS, SUBTILES,
            )),
            (multiply_tiles, (
                1, c_desc, a_ring, b_ring, c_pieces, full, empty, M, N, K,
                BM, BN, BK, GROUP_M, STAGES, PROGRAMS, SUBTILES,
            )),
            (load_tiles, (
                a_desc, b_desc, a_ring, b_ring, full, empty, M, N, K, BM, BN, BK, GROUP_M, STAGES, PROGRAMS, 1,
            )),
        ],
        worker_num_warps=[4, 1],
        worker_num_regs=[232, 40],
    )  # fmt: skip


def prepare(a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, config: Config, precision: str) -> Plan:
    """At most one program for each multiprocessor."""
    (M, K), N = a.shape, b.shape[1]
    most = multiprocessors(a.device)
    programs = min(most, triton.cdiv(M, config["BM"]) * triton.cdiv(N, config["BN"]))
    args = (*ring.descriptors(a, b, c, config), M, N, K)
    return Plan((Launch(specialised_kernel, programs, args, {**config, "PROGRAMS": most, "num_warps": 4}),))


DEFAULT: Config = {"BM": 128, "BN": 256, "BK": 64, "GROUP_M": 8, "STAGES": 4, "SUBTILES": 2}
RUNG = Rung("specialised", "one warp loads, eight multiply", prepare, DEFAULT, ring.refuses, "ABC")
