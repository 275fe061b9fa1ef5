"""The teaching kernel: tiled matrix multiplication, written to be read.

A has shape (M, K), B has shape (K, N), C has shape (M, N), all contiguous, row by row.  One program owns one BM x BN
tile of C.  It walks K in phases of BK: each phase loads a BM x BK tile of A and a BK x BN tile of B, and adds their
product to a float32 accumulator.  Every loaded element is used again by the whole tile: an element of A serves BN
outputs, an element of B serves BM outputs.

The grid is one-dimensional.  Which tile a program owns follows from its number and GROUP_M alone: GROUP_M = 1 is plain
row-major order, a larger GROUP_M walks down GROUP_M row tiles before it moves to the next column tile, so that programs
that run at the same time share more of A and B in the L2 cache.

M, N and K need not be multiples of the tile: masks keep loads and stores inside the matrices, and what is not loaded
counts as zero.  Triton's own tutorials wrap around with `% M` instead, which loads more elements than the matrices
have.

Triton calls BM, BN, BK `BLOCK_SIZE_M`, `BLOCK_SIZE_N`, `BLOCK_SIZE_K`, and the program's number `pid`.
"""

import triton
import triton.language as tl


@triton.jit
def matmul_kernel(
    a_ptr, b_ptr, c_ptr, M, N, K,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP_M: tl.constexpr,
    INPUT_PRECISION: tl.constexpr = "ieee", WIDE_OFFSETS: tl.constexpr = False,
):  # fmt: skip
    """C[M, N] = A[M, K] @ B[K, N]; one program, one BM x BN tile of C.

    INPUT_PRECISION ("ieee" or "tf32") matters for float32 inputs only.  WIDE_OFFSETS makes offsets 64 bits wide; the
    caller asks for it when a matrix has 2^31 elements or more, where 32 bits would turn negative.
    """
    # region order
    program = tl.program_id(0)
    tiles_m = tl.cdiv(M, BM)
    tiles_n = tl.cdiv(N, BN)
    programs_in_group = GROUP_M * tiles_n
    group = program // programs_in_group
    first_row_tile = group * GROUP_M
    group_rows = min(tiles_m - first_row_tile, GROUP_M)  # the last group may have fewer row tiles
    place = program % programs_in_group
    row_tile = first_row_tile + place % group_rows
    col_tile = place // group_rows
    # endregion order

    # region tile
    rows = row_tile * BM + tl.arange(0, BM)
    cols = col_tile * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    if WIDE_OFFSETS:
        rows = rows.to(tl.int64)
        inner = inner.to(tl.int64)
    # endregion tile

    # region phases
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for phase in range(tl.cdiv(K, BK)):
        k = phase * BK + inner
        a_mask = (rows[:, None] < M) & (k[None, :] < K)
        b_mask = (k[:, None] < K) & (cols[None, :] < N)
        a = tl.load(a_ptr + rows[:, None] * K + k[None, :], mask=a_mask, other=0.0)
        b = tl.load(b_ptr + k[:, None] * N + cols[None, :], mask=b_mask, other=0.0)
        acc = tl.dot(a, b, acc, input_precision=INPUT_PRECISION)
    # endregion phases

    # region store
    c_mask = (rows[:, None] < M) & (cols[None, :] < N)
    tl.store(c_ptr + rows[:, None] * N + cols[None, :], acc.to(c_ptr.dtype.element_ty), mask=c_mask)
    # endregion store
