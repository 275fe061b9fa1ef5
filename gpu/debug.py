"""The debug build of the teaching kernel: it also writes down what it did.

`traced_kernel` is `matmul_kernel` of teaching.py plus the lines marked `# trace`; a test takes those lines away and
compares the rest, so the two cannot drift apart.  It stores, for every program, the (row tile, column tile) it owns;
for every program and K phase, how many elements of A and of B the masks let through; and the accumulator after each
phase.
"""

from typing import TypedDict

import torch
import triton
import triton.language as tl

from gpu import checks


@triton.jit
def traced_kernel(
    a_ptr, b_ptr, c_ptr, M, N, K,
    programs_ptr, loads_ptr, partials_ptr,  # trace
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP_M: tl.constexpr,
    INPUT_PRECISION: tl.constexpr = "ieee", WIDE_OFFSETS: tl.constexpr = False,
):  # fmt: skip
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
    tl.store(programs_ptr + 2 * program, row_tile)  # trace
    tl.store(programs_ptr + 2 * program + 1, col_tile)  # trace

    rows = row_tile * BM + tl.arange(0, BM)
    cols = col_tile * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    if WIDE_OFFSETS:
        rows = rows.to(tl.int64)
        inner = inner.to(tl.int64)

    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for phase in range(tl.cdiv(K, BK)):
        k = phase * BK + inner
        a_mask = (rows[:, None] < M) & (k[None, :] < K)
        b_mask = (k[:, None] < K) & (cols[None, :] < N)
        a = tl.load(a_ptr + rows[:, None] * K + k[None, :], mask=a_mask, other=0.0)
        b = tl.load(b_ptr + k[:, None] * N + cols[None, :], mask=b_mask, other=0.0)
        acc = tl.dot(a, b, acc, input_precision=INPUT_PRECISION)
        step = program * tl.cdiv(K, BK) + phase  # trace
        tl.store(loads_ptr + 2 * step, tl.sum(a_mask.to(tl.int32)))  # trace
        tl.store(loads_ptr + 2 * step + 1, tl.sum(b_mask.to(tl.int32)))  # trace
        lane = tl.arange(0, BM)[:, None] * BN + tl.arange(0, BN)[None, :]  # trace
        tl.store(partials_ptr + step * (BM * BN) + lane, acc)  # trace

    c_mask = (rows[:, None] < M) & (cols[None, :] < N)
    tl.store(c_ptr + rows[:, None] * N + cols[None, :], acc.to(c_ptr.dtype.element_ty), mask=c_mask)


class Trace(TypedDict):
    """What `run_traced` returns; P programs in launch order, `phases` K phases.

    c         (M, N), the inputs' type
    programs  (P, 2) int32: row tile, column tile
    loads     (P, phases, 2) int32: elements of A and of B that the masks let through (elements, not bytes)
    partials  (P, phases, BM, BN) float32: the accumulator after each phase, lanes outside C included (they are 0)
    """

    c: torch.Tensor
    programs: torch.Tensor
    loads: torch.Tensor
    partials: torch.Tensor


def run_traced(
    a: torch.Tensor, b: torch.Tensor, BM: int, BN: int, BK: int, group_m: int = 1, *, precision: str = "ieee"
) -> Trace:
    """Run the debug build on A (M, K) and B (K, N); raises checks.Refused for inputs or tiles that cannot run.

    Everything that is stored is filled with NaN or -1 first, so that what no program wrote shows.  Meant for small
    shapes: the partial tiles take P * phases * BM * BN * 4 bytes, and more than 2^31 elements of them are refused.
    """
    M, N, K = checks.inputs(a, b)
    checks.tile(BM, BN, BK, group_m)
    programs = triton.cdiv(M, BM) * triton.cdiv(N, BN)
    phases = triton.cdiv(K, BK)
    checks.trace_size(programs * phases * BM * BN)
    trace: Trace = {
        "c": torch.full((M, N), float("nan"), dtype=a.dtype, device=a.device),
        "programs": torch.full((programs, 2), -1, dtype=torch.int32, device=a.device),
        "loads": torch.full((programs, phases, 2), -1, dtype=torch.int32, device=a.device),
        "partials": torch.full((programs, phases, BM, BN), float("nan"), dtype=torch.float32, device=a.device),
    }
    if programs:
        traced_kernel[(programs,)](
            a, b, trace["c"], M, N, K, trace["programs"], trace["loads"], trace["partials"],
            BM=BM, BN=BN, BK=BK, GROUP_M=group_m, INPUT_PRECISION=checks.precision(a.dtype, precision),
            WIDE_OFFSETS=checks.wide_offsets(M, N, K),
        )  # fmt: skip
    return trace
