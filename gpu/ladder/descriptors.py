"""Rung 6, descriptors: the chip's tensor memory accelerator (TMA) brings the tiles.

A tensor descriptor holds a matrix's address, shape and strides; one instruction then copies a whole tile into shared
memory, zero-filled where it leaves the matrix, with no address arithmetic and no masks in the threads.  So a K of
1000, which Triton's argument specialisation knows nothing about (it looks for multiples of 16), costs nothing here:
the engine only asks that rows start at multiples of 16 bytes.  A row of 4099 halves does not, which is what `packed`
is for.

Next: a program ends, the next one starts, and for that moment the matrix units idle; `persistent` keeps programs alive.
"""

import torch
import triton
import triton.language as tl
from triton.language.extra.cuda import gdc_wait
from triton.tools.tensor_descriptor import TensorDescriptor

from gpu.ladder.order import tile_of
from gpu.ladder.plan import Config, Launch, Plan, Rung, needs_aligned_rows


@triton.jit
def descriptor_kernel(
    a_desc, b_desc, c_desc, M, N, K,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP_M: tl.constexpr, INPUT_PRECISION: tl.constexpr,
    AFTER_COPY: tl.constexpr = False,
):  # fmt: skip
    """One program, one BM x BN tile; everything comes and goes through descriptors.

    AFTER_COPY is for `packed`: this launch may begin while the copy that makes A and B still runs, and waits for it
    here.
    """
    if AFTER_COPY:
        gdc_wait()
    row_tile, col_tile = tile_of(tl.program_id(0), tl.cdiv(M, BM), tl.cdiv(N, BN), GROUP_M)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for phase in range(tl.cdiv(K, BK)):
        a = a_desc.load([row_tile * BM, phase * BK])
        b = b_desc.load([phase * BK, col_tile * BN])
        acc = tl.dot(a, b, acc, input_precision=INPUT_PRECISION)
    c_desc.store([row_tile * BM, col_tile * BN], acc.to(c_desc.dtype))


def prepare(a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, config: Config, precision: str) -> Plan:
    """Descriptors for A, B and C in tiles of the config, a program for each tile of C."""
    (M, K), N = a.shape, b.shape[1]
    a_desc = TensorDescriptor.from_tensor(a, [config["BM"], config["BK"]])
    b_desc = TensorDescriptor.from_tensor(b, [config["BK"], config["BN"]])
    c_desc = TensorDescriptor.from_tensor(c, [config["BM"], config["BN"]])
    programs = triton.cdiv(M, config["BM"]) * triton.cdiv(N, config["BN"])
    constants = {**config, "INPUT_PRECISION": precision}
    return Plan((Launch(descriptor_kernel, programs, (a_desc, b_desc, c_desc, M, N, K), constants),))


DEFAULT: Config = {"BM": 128, "BN": 128, "BK": 64, "GROUP_M": 8, "num_warps": 8, "num_stages": 4}
RUNG = Rung("descriptors", "tensor descriptors (TMA) bring the tiles", prepare, DEFAULT, needs_aligned_rows, "ABC")
