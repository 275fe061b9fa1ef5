"""Rung 7, specialised: one warp only loads, eight warps only multiply.

Written in Gluon, the layer of Triton in which shared memory, barriers and warps are named.  A ring of STAGES buffers holds tiles of
A and B.  The loading warp waits until a buffer is empty, then asks the copy engine to fill it; two groups of four warps wait until
it is full, multiply one half of the tile's rows each, and hand it back one product later, when the matrix instruction that
reads it is known to have finished.  The loader never waits for a tile of C to be stored: while the multipliers store, the ring fills
with the next tile.

    empty --loader asks--> filling --bytes arrive--> full --both halves multiplied--> empty

Triton's own `tl.range(..., warp_specialize=True)` is documented for Blackwell; on this chip its pass refuses 128-row tiles
(3.6.0), so the roles are written out.

Next: shapes with too few tiles for the chip; `split_k` makes more programs out of K.
"""

from typing import Any

import torch
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import (
    fence_async_shared,
    mbarrier,
    tma,
    warpgroup_mma,
    warpgroup_mma_wait,
)
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor

from gpu.ladder.persistent import multiprocessors
from gpu.ladder.plan import Config, Launch, Plan, Rung

MULTIPLIERS = 2  # groups of four warps, each with half of the tile's rows


@gluon.jit
def tile_of(place, tiles_m, tiles_n, GROUP_M: gl.constexpr):
    """(row tile, column tile) of the place-th tile, as in order.py."""
    tiles_in_group = GROUP_M * tiles_n
    first_row_tile = (place // tiles_in_group) * GROUP_M
    group_rows = min(tiles_m - first_row_tile, GROUP_M)
    rest = place % tiles_in_group
    return first_row_tile + rest % group_rows, rest // group_rows


@gluon.jit
def load_tiles(
    a_desc, b_desc, a_ring, b_ring, full, empty, M, N, K,
    BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, GROUP_M: gl.constexpr,
    STAGES: gl.constexpr, PROGRAMS: gl.constexpr,
):  # fmt: skip
    """The loader: fill the ring, phase after phase and tile after tile."""
    HALF: gl.constexpr = BM // 2
    tiles_m = gl.cdiv(M, BM)
    tiles_n = gl.cdiv(N, BN)
    step = 0
    for place in range(gl.program_id(0), tiles_m * tiles_n, PROGRAMS):
        row_tile, col_tile = tile_of(place, tiles_m, tiles_n, GROUP_M)
        for phase in range(0, gl.cdiv(K, BK)):
            stage = step % STAGES
            mbarrier.wait(empty.index(stage), ((step // STAGES) & 1) ^ 1)
            filled = full.index(stage)
            mbarrier.expect(filled, 2 * a_desc.block_type.nbytes + b_desc.block_type.nbytes)
            tma.async_copy_global_to_shared(a_desc, [row_tile * BM, phase * BK], filled, a_ring.index(2 * stage))
            tma.async_copy_global_to_shared(
                a_desc, [row_tile * BM + HALF, phase * BK], filled, a_ring.index(2 * stage + 1)
            )
            tma.async_copy_global_to_shared(b_desc, [phase * BK, col_tile * BN], filled, b_ring.index(stage))
            step += 1


@gluon.jit
def multiply_tiles(
    half, c_desc, a_ring, b_ring, c_pieces, full, empty, M, N, K,
    BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, GROUP_M: gl.constexpr,
    STAGES: gl.constexpr, PROGRAMS: gl.constexpr, SUBTILES: gl.constexpr,
):  # fmt: skip
    """A multiplier: rows half * BM/2 ... of every tile; releases a buffer one product after it was read."""
    HALF: gl.constexpr = BM // 2
    layout: gl.constexpr = gl.NVMMADistributedLayout(version=[3, 0], warps_per_cta=[4, 1], instr_shape=[16, BN, 16])
    tiles_m = gl.cdiv(M, BM)
    tiles_n = gl.cdiv(N, BN)
    c_piece = c_pieces.index(half)
    step = 0
    for place in range(gl.program_id(0), tiles_m * tiles_n, PROGRAMS):
        row_tile, col_tile = tile_of(place, tiles_m, tiles_n, GROUP_M)
        acc = gl.zeros((HALF, BN), gl.float32, layout)
        for phase in range(0, gl.cdiv(K, BK)):
            stage = step % STAGES
            mbarrier.wait(full.index(stage), (step // STAGES) & 1)
            acc = warpgroup_mma(a_ring.index(2 * stage + half), b_ring.index(stage), acc, is_async=True)
            acc = warpgroup_mma_wait(1, deps=(acc,))
            mbarrier.arrive(empty.index((step + STAGES - 1) % STAGES), count=1, pred=phase > 0)
            step += 1
        acc = warpgroup_mma_wait(0, deps=(acc,))
        mbarrier.arrive(empty.index((step + STAGES - 1) % STAGES), count=1)
        row = row_tile * BM + half * HALF
        col = col_tile * BN
        if SUBTILES == 1:
            store_piece(c_desc, row, col, acc, c_piece)
        else:
            left, right = acc.reshape([HALF, 2, BN // 2]).permute(0, 2, 1).split()
            store_piece(c_desc, row, col, left, c_piece)
            store_piece(c_desc, row, col + BN // 2, right, c_piece)
    tma.store_wait(0)


@gluon.jit
def store_piece(c_desc, row, col, piece, buffer):
    """Round a piece of the accumulator, put it into shared memory once that is free, and let the copy engine store it."""
    rounded = piece.to(c_desc.dtype)
    tma.store_wait(0)
    buffer.store(rounded)
    fence_async_shared()
    tma.async_copy_shared_to_global(c_desc, [row, col], buffer)


@gluon.jit
def specialised_kernel(
    a_desc, b_desc, c_desc, M, N, K,
    BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, GROUP_M: gl.constexpr,
    STAGES: gl.constexpr, PROGRAMS: gl.constexpr, SUBTILES: gl.constexpr,
):  # fmt: skip
    """Set up the ring and its barriers, then give the warps their roles."""
    HALF: gl.constexpr = BM // 2
    a_ring = gl.allocate_shared_memory(a_desc.dtype, [2 * STAGES, HALF, BK], a_desc.layout)
    b_ring = gl.allocate_shared_memory(b_desc.dtype, [STAGES, BK, BN], b_desc.layout)
    c_pieces = gl.allocate_shared_memory(c_desc.dtype, [2, HALF, BN // SUBTILES], c_desc.layout)
    full = gl.allocate_shared_memory(gl.int64, [STAGES, 1], mbarrier.MBarrierLayout())
    empty = gl.allocate_shared_memory(gl.int64, [STAGES, 1], mbarrier.MBarrierLayout())
    for stage in gl.static_range(STAGES):
        mbarrier.init(full.index(stage), count=1)
        mbarrier.init(empty.index(stage), count=2)
    gl.warp_specialize(
        [
            (
                multiply_tiles,
                (0, c_desc, a_ring, b_ring, c_pieces, full, empty, M, N, K, BM, BN, BK, GROUP_M, STAGES, PROGRAMS, SUBTILES),
            ),
            (
                multiply_tiles,
                (1, c_desc, a_ring, b_ring, c_pieces, full, empty, M, N, K, BM, BN, BK, GROUP_M, STAGES, PROGRAMS, SUBTILES),
            ),
            (
                load_tiles,
                (a_desc, b_desc, a_ring, b_ring, full, empty, M, N, K, BM, BN, BK, GROUP_M, STAGES, PROGRAMS),
            ),
        ],
        worker_num_warps=[4, 1],
        worker_num_regs=[232, 40],
    )


def descriptor(matrix: torch.Tensor, block: list[int]) -> Any:
    """A Gluon tensor descriptor with the shared-memory layout that the matrix instruction reads."""
    element = gl.float16 if matrix.dtype == torch.float16 else gl.bfloat16
    return TensorDescriptor.from_tensor(matrix, block, gl.NVMMASharedLayout.get_default_for(block, element))


def prepare(a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, config: Config, precision: str) -> Plan:
    """Descriptors for half row tiles of A and C and for tiles of B; at most one program for each multiprocessor."""
    (M, K), N = a.shape, b.shape[1]
    BM, BN, BK = config["BM"], config["BN"], config["BK"]
    args = (
        descriptor(a, [BM // 2, BK]),
        descriptor(b, [BK, BN]),
        descriptor(c, [BM // 2, BN // config["SUBTILES"]]),
        M, N, K,
    )  # fmt: skip
    most = multiprocessors(a.device)
    programs = min(most, triton.cdiv(M, BM) * triton.cdiv(N, BN))
    return Plan((Launch(specialised_kernel, programs, args, {**config, "PROGRAMS": most, "num_warps": 4}),))


def refuses(M: int, N: int, K: int, itemsize: int) -> str:
    """Only two-byte types, and only rows that a descriptor can read and write."""
    if itemsize != 2:
        return "float32; this rung is written for two-byte types"
    if K % 8 or N % 8:
        return f"rows of {K} and {N} elements; a tensor descriptor needs multiples of 8 two-byte elements"
    return ""


DEFAULT: Config = {"BM": 128, "BN": 256, "BK": 64, "GROUP_M": 8, "STAGES": 4, "SUBTILES": 2}
RUNG = Rung("specialised", "one warp loads, eight multiply", prepare, DEFAULT, refuses)
