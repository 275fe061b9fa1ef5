"""Rung 7, persistent: as many programs as the chip has multiprocessors, each walking over many tiles.

With `FLATTEN` the compiler makes one loop out of "for each tile, for each K phase", so the loads of the next tile are
already under way while the last tile is written.  C leaves through a descriptor too, in SUBTILES column pieces, which
need less shared memory than the whole tile and so leave room for more stages.

It gains where there are several tiles for each multiprocessor.  With fewer tiles than multiprocessors it is
`descriptors` with a longer way in.

Next: loads and matrix instructions are still issued by the same warps; `specialised` gives them to different ones.
"""

import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

from gpu.ladder.order import tile_of
from gpu.ladder.plan import Config, Launch, Plan, Rung, needs_aligned_rows


@triton.jit
def persistent_kernel(
    a_desc, b_desc, c_desc, M, N, K,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP_M: tl.constexpr, INPUT_PRECISION: tl.constexpr,
    PROGRAMS: tl.constexpr, FLATTEN: tl.constexpr, SUBTILES: tl.constexpr,
):  # fmt: skip
    """Program p owns the tiles p, p + PROGRAMS, p + 2 * PROGRAMS, ... in GROUP_M order."""
    tiles_m = tl.cdiv(M, BM)
    tiles_n = tl.cdiv(N, BN)
    phases = tl.cdiv(K, BK)
    for place in tl.range(tl.program_id(0), tiles_m * tiles_n, PROGRAMS, flatten=FLATTEN):
        row_tile, col_tile = tile_of(place, tiles_m, tiles_n, GROUP_M)
        acc = tl.zeros((BM, BN), dtype=tl.float32)
        for phase in range(phases):
            a = a_desc.load([row_tile * BM, phase * BK])
            b = b_desc.load([phase * BK, col_tile * BN])
            acc = tl.dot(a, b, acc, input_precision=INPUT_PRECISION)
        if SUBTILES == 1:
            c_desc.store([row_tile * BM, col_tile * BN], acc.to(c_desc.dtype))
        else:
            halves = tl.permute(tl.reshape(acc, (BM, 2, BN // 2)), (0, 2, 1))
            left, right = tl.split(halves)
            c_desc.store([row_tile * BM, col_tile * BN], left.to(c_desc.dtype))
            c_desc.store([row_tile * BM, col_tile * BN + BN // 2], right.to(c_desc.dtype))


def multiprocessors(device: torch.device) -> int:
    """How many multiprocessors the GPU has (132 on an H200)."""
    index = device.index if device.type == "cuda" else None
    return torch.cuda.get_device_properties(
        torch.cuda.current_device() if index is None else index
    ).multi_processor_count


def prepare(a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, config: Config, precision: str) -> Plan:
    """Descriptors for A, B and C; at most one program for each multiprocessor."""
    (M, K), N = a.shape, b.shape[1]
    BM, BN, BK = config["BM"], config["BN"], config["BK"]
    a_desc = TensorDescriptor.from_tensor(a, [BM, BK])
    b_desc = TensorDescriptor.from_tensor(b, [BK, BN])
    c_desc = TensorDescriptor.from_tensor(c, [BM, BN // config["SUBTILES"]])
    most = multiprocessors(a.device)
    programs = min(most, triton.cdiv(M, BM) * triton.cdiv(N, BN))
    constants = {**config, "INPUT_PRECISION": precision, "PROGRAMS": most}
    return Plan((Launch(persistent_kernel, programs, (a_desc, b_desc, c_desc, M, N, K), constants),))


DEFAULT: Config = {
    "BM": 128, "BN": 256, "BK": 64, "GROUP_M": 8, "FLATTEN": 1, "SUBTILES": 2, "num_warps": 8, "num_stages": 3
}  # fmt: skip
ADDS = "one program a multiprocessor, walking over tiles"
RUNG = Rung("persistent", ADDS, prepare, DEFAULT, needs_aligned_rows, "ABC")
