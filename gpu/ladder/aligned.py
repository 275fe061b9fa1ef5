"""Rung 14, aligned: a program takes rows of A that all start at the same place within a 128-byte line.

Rows of 1000 halves are 2000 bytes apart, so row r starts 2000 * r % 128 bytes into a line of the L2 cache, and a
piece of 64 halves (128 bytes) touches two lines, for half of the rows in the middle of a 32-byte sector at that.  But
rows r, r + 8, r + 16, ... are 16000 bytes apart, a multiple of 128: they form one class, and all start at the same
place.  Here A is seen as (M / CLASSES, CLASSES, K); a program owns rows of one class, and begins its K phases up to
63 elements before the row, so that every piece it reads is exactly one line.  What lies before the row is zero, as
TMA fills it in.

B has no such freedom: the columns of C that a program owns fix where its pieces start.

On the stored H200 run this takes about a sixth off the time of `descriptors` at 1000 cubed and reaches torch.  At 1024
cubed, where rows start at lines anyway, there are no classes and nothing to gain.

Next: float32 in TF32, where the matrix instruction is choosy about B; see `transposed`.
"""

import math

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

from gpu.ladder.plan import Config, Launch, Plan, Rung
from gpu.ladder.ring import barrier
from gpu.ladder.ring import descriptor as ring_descriptor
from gpu.ladder.ring import refuses as ring_refuses

LINE_BYTES = 128


@gluon.jit
def load_phase(
    a_desc, b_desc, a_ring, b_ring, full, phase, phases, first_row, row_class, lead, col, STAGES: gl.constexpr
):
    """Ask TMA for the tiles of a K phase, unless it is past the last."""
    BK: gl.constexpr = b_desc.block_shape[0]
    stage = phase % STAGES
    k = phase * BK - lead
    wanted = phase < phases
    filled = full.index(stage)
    mbarrier.expect(filled, a_desc.block_type.nbytes + b_desc.block_type.nbytes, pred=wanted)
    tma.async_copy_global_to_shared(a_desc, [first_row, row_class, k], filled, a_ring.index(stage), pred=wanted)
    tma.async_copy_global_to_shared(b_desc, [k, col], filled, b_ring.index(stage), pred=wanted)


@gluon.jit
def aligned_kernel(
    a_desc, b_desc, c_desc, M, N, K,
    BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, STAGES: gl.constexpr, CLASSES: gl.constexpr,
    LINE: gl.constexpr, WARPS: gl.constexpr,
):  # fmt: skip
    """One program, BM rows of one class and BN columns; LINE is the number of elements in 128 bytes."""
    tiles_n = gl.cdiv(N, BN)
    row_tile = gl.program_id(0) // tiles_n
    col = (gl.program_id(0) % tiles_n) * BN
    row_class = row_tile % CLASSES
    first_row = (row_tile // CLASSES) * BM
    lead = (row_class * K) % LINE  # elements by which a row of this class starts after the start of a line
    phases = gl.cdiv(K + lead, BK)

    a_ring = gl.allocate_shared_memory(a_desc.dtype, [STAGES, BM, 1, BK], a_desc.layout)
    b_ring = gl.allocate_shared_memory(b_desc.dtype, [STAGES, BK, BN], b_desc.layout)
    full = gl.allocate_shared_memory(gl.int64, [STAGES, 1], mbarrier.MBarrierLayout())
    for buffer in gl.static_range(STAGES):
        mbarrier.init(full.index(buffer), count=1)
    for ahead in gl.static_range(STAGES - 1):
        load_phase(a_desc, b_desc, a_ring, b_ring, full, ahead, phases, first_row, row_class, lead, col, STAGES)

    layout: gl.constexpr = gl.NVMMADistributedLayout(version=[3, 0], warps_per_cta=[WARPS, 1], instr_shape=[16, BN, 16])
    acc = gl.zeros((BM, BN), gl.float32, layout)
    for phase in range(phases):
        stage = phase % STAGES
        mbarrier.wait(full.index(stage), (phase // STAGES) & 1)
        acc = warpgroup_mma(a_ring.index(stage).reshape([BM, BK]), b_ring.index(stage), acc, is_async=True)
        acc = warpgroup_mma_wait(1, deps=(acc,))
        barrier()  # all warps have done with the stage before this one: it can be filled again
        load_phase(
            a_desc, b_desc, a_ring, b_ring, full, phase + STAGES - 1, phases, first_row, row_class, lead, col, STAGES
        )
    acc = warpgroup_mma_wait(0, deps=(acc,))
    c_tile = gl.allocate_shared_memory(c_desc.dtype, [BM, 1, BN], c_desc.layout)
    c_tile.reshape([BM, BN]).store(acc.to(c_desc.dtype))
    fence_async_shared()
    tma.async_copy_shared_to_global(c_desc, [first_row, row_class, col], c_tile)
    tma.store_wait(0)


def classes(width: int, itemsize: int) -> int:
    """How many different places rows of `width` elements start at within a line."""
    return LINE_BYTES // math.gcd(width * itemsize, LINE_BYTES)


def descriptor(matrix: torch.Tensor, count: int, rows: int, cols: int) -> TensorDescriptor:
    """A descriptor of (height, width) seen as (height / count, count, width), in tiles of `rows` rows of one class."""
    height, width = matrix.shape
    element = gl.float16 if matrix.dtype == torch.float16 else gl.bfloat16
    layout = gl.NVMMASharedLayout.get_default_for([rows, 1, cols], element)
    return TensorDescriptor(matrix, [height // count, count, width], [count * width, width, 1], [rows, 1, cols], layout)


def prepare(a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, config: Config, precision: str) -> Plan:
    """Three-dimensional descriptors for A and C, and a program for each tile of each class."""
    (M, K), N = a.shape, b.shape[1]
    BM, BN, BK = config["BM"], config["BN"], config["BK"]
    count = classes(K, a.element_size())
    args = (descriptor(a, count, BM, BK), ring_descriptor(b, [BK, BN]), descriptor(c, count, BM, BN), M, N, K)
    programs = count * triton.cdiv(M // count, BM) * triton.cdiv(N, BN)
    constants = {
        **config, "WARPS": config["num_warps"], "CLASSES": count, "LINE": LINE_BYTES // a.element_size()
    }  # fmt: skip
    return Plan((Launch(aligned_kernel, programs, args, constants),))


def refuses(M: int, N: int, K: int, itemsize: int) -> str:
    """Rows that a descriptor cannot read, start at lines already, or do not fall into whole classes."""
    count = classes(K, itemsize)
    if count == 1:
        return f"rows of A start at multiples of {LINE_BYTES} bytes already; there are no classes"
    if M % count:
        return f"M = {M} is not a multiple of {count}, the number of places at which rows of {K} elements start"
    return ring_refuses(M, N, K, itemsize)


DEFAULT: Config = {"BM": 128, "BN": 64, "BK": 128, "STAGES": 4, "num_warps": 4}
ADDS = "rows that start alike share a program, so pieces are whole lines"
RUNG = Rung("aligned", ADDS, prepare, DEFAULT, refuses, "ABC")
