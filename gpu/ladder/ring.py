"""The ring of shared-memory buffers that `specialised` and `split_specialised` are built on, in Gluon.

One warp loads, two groups of four warps multiply.  A ring of STAGES buffers holds tiles of A and B.  The loading warp
waits until a buffer is empty, then asks TMA to fill it; both multiplying groups wait until it is full,
multiply their half of the tile's rows, and hand it back one product later, when the matrix instruction that reads it
is known to have finished.

    empty --loader asks--> filling --bytes arrive--> full --both halves multiplied--> empty
"""

from typing import Any

import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import mbarrier, tma, warpgroup_mma, warpgroup_mma_wait
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor

from gpu.ladder.plan import Config

barrier = gl.thread_barrier if hasattr(gl, "thread_barrier") else gl.barrier  # its name in Triton 3.6, and since 3.7


@gluon.jit
def tile_of(place, tiles_m, tiles_n, GROUP_M: gl.constexpr):
    """(row tile, column tile) of the place-th tile, as in order.py."""
    tiles_in_group = GROUP_M * tiles_n
    first_row_tile = (place // tiles_in_group) * GROUP_M
    group_rows = min(tiles_m - first_row_tile, GROUP_M)
    rest = place % tiles_in_group
    return first_row_tile + rest % group_rows, rest // group_rows


@gluon.jit
def make_ring(a_desc, b_desc, STAGES: gl.constexpr):
    """Buffers for half row tiles of A (two a stage) and tiles of B, and barriers that count arrivals in each state."""
    HALF: gl.constexpr = a_desc.block_shape[0]
    BK: gl.constexpr = a_desc.block_shape[1]
    BN: gl.constexpr = b_desc.block_shape[1]
    a_ring = gl.allocate_shared_memory(a_desc.dtype, [2 * STAGES, HALF, BK], a_desc.layout)
    b_ring = gl.allocate_shared_memory(b_desc.dtype, [STAGES, BK, BN], b_desc.layout)
    full = gl.allocate_shared_memory(gl.int64, [STAGES, 1], mbarrier.MBarrierLayout())
    empty = gl.allocate_shared_memory(gl.int64, [STAGES, 1], mbarrier.MBarrierLayout())
    for stage in gl.static_range(STAGES):
        mbarrier.init(full.index(stage), count=1)  # the loader
        mbarrier.init(empty.index(stage), count=2)  # the two multiplying groups
    return a_ring, b_ring, full, empty


@gluon.jit
def load_tiles(
    a_desc, b_desc, a_ring, b_ring, full, empty, M, N, K,
    BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, GROUP_M: gl.constexpr,
    STAGES: gl.constexpr, PROGRAMS: gl.constexpr, SPLIT_K: gl.constexpr,
):  # fmt: skip
    """The loader: fill the ring, phase after phase and piece of work after piece of work.

    A piece of work is a tile and one of SPLIT_K ranges of its K phases.
    """
    tiles_m = gl.cdiv(M, BM)
    tiles_n = gl.cdiv(N, BN)
    phases = gl.cdiv(K, BK)
    step = 0
    for work in range(gl.program_id(0), tiles_m * tiles_n * SPLIT_K, PROGRAMS):
        row_tile, col_tile = tile_of(work % (tiles_m * tiles_n), tiles_m, tiles_n, GROUP_M)
        split = work // (tiles_m * tiles_n)
        for phase in range(split * phases // SPLIT_K, (split + 1) * phases // SPLIT_K):
            stage = step % STAGES
            mbarrier.wait(empty.index(stage), ((step // STAGES) & 1) ^ 1)
            filled = full.index(stage)
            mbarrier.expect(filled, 2 * a_desc.block_type.nbytes + b_desc.block_type.nbytes)
            upper = row_tile * BM
            tma.async_copy_global_to_shared(a_desc, [upper, phase * BK], filled, a_ring.index(2 * stage))
            tma.async_copy_global_to_shared(a_desc, [upper + BM // 2, phase * BK], filled, a_ring.index(2 * stage + 1))
            tma.async_copy_global_to_shared(b_desc, [phase * BK, col_tile * BN], filled, b_ring.index(stage))
            step += 1


@gluon.jit
def multiply_phases(acc, half, a_ring, b_ring, full, empty, step, phases, STAGES: gl.constexpr):
    """Add the products of the next `phases` buffers to acc; a buffer is handed back one product after it was read."""
    for phase in range(phases):
        stage = step % STAGES
        mbarrier.wait(full.index(stage), (step // STAGES) & 1)
        acc = warpgroup_mma(a_ring.index(2 * stage + half), b_ring.index(stage), acc, is_async=True)
        acc = warpgroup_mma_wait(1, deps=(acc,))
        mbarrier.arrive(empty.index((step + STAGES - 1) % STAGES), count=1, pred=phase > 0)
        step += 1
    acc = warpgroup_mma_wait(0, deps=(acc,))
    mbarrier.arrive(empty.index((step + STAGES - 1) % STAGES), count=1, pred=phases > 0)
    return acc, step


def descriptor(matrix: torch.Tensor, block: list[int]) -> Any:
    """A Gluon tensor descriptor with the shared-memory layout that the matrix instruction reads."""
    element = gl.float16 if matrix.dtype == torch.float16 else gl.bfloat16
    return TensorDescriptor.from_tensor(matrix, block, gl.NVMMASharedLayout.get_default_for(block, element))


def descriptors(a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, config: Config) -> tuple[Any, Any, Any]:
    """Descriptors for half row tiles of A and of C (in SUBTILES column pieces) and for tiles of B."""
    half, BN, BK = config["BM"] // 2, config["BN"], config["BK"]
    return descriptor(a, [half, BK]), descriptor(b, [BK, BN]), descriptor(c, [half, BN // config["SUBTILES"]])


def refuses(M: int, N: int, K: int, itemsize: int) -> str:
    """Only two-byte types, and only rows that a descriptor can read and write."""
    if itemsize != 2:
        return "float32; the ring is written for two-byte types"
    if K % 8 or N % 8:
        return f"rows of {K} and {N} elements; a tensor descriptor needs multiples of 8 two-byte elements"
    return ""
