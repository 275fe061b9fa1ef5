"""Rung 13, packed: rows that start at odd places are first copied to rows that do not.

A row of 4099 halves has 8198 bytes, so most rows start where neither 16-byte loads nor a tensor descriptor can read.  This rung
spends a pass over A and B, inside the timed region, to copy them into buffers whose rows are multiples of 128 bytes.  It then
multiplies with a kernel of another rung: `specialised` when the config names STAGES, else `persistent`.  Both write a C with padded
rows, which a last pass copies to its place.  The copies move 2 * (M * K + K * N + M * N) elements; the product is M * N * K, so for
large sizes the copies are the small part.  For small ones they are not, and the plain kernel wins.
"""

import torch
import triton
import triton.language as tl

from gpu import checks
from gpu.ladder import persistent, specialised
from gpu.ladder.plan import Config, Launch, Plan, Rung

ROW_BYTES = 128  # padded rows are a multiple of this
COPY_KEYS = ("PR", "PC")  # rows and columns that one program copies; the rest of the config is the product's


@triton.jit
def copy_block(
    from_ptr, from_width, to_ptr, to_width, height, width, block,
    PR: tl.constexpr, PC: tl.constexpr, WIDE_OFFSETS: tl.constexpr,
):  # fmt: skip
    """Copy the block-th PR x PC block of a (height, width) matrix between buffers with rows of different widths.

    What is stored ends at the end of the target's row: zeros go into its padding, so that stores need no odd mask.
    """
    blocks_across = tl.cdiv(width, PC)
    rows = (block // blocks_across) * PR + tl.arange(0, PR)
    cols = (block % blocks_across) * PC + tl.arange(0, PC)
    if WIDE_OFFSETS:
        rows = rows.to(tl.int64)
    read = (rows[:, None] < height) & (cols[None, :] < width)
    piece = tl.load(from_ptr + rows[:, None] * from_width + cols[None, :], mask=read, other=0.0)
    write = (rows[:, None] < height) & (cols[None, :] < to_width)
    tl.store(to_ptr + rows[:, None] * to_width + cols[None, :], piece, mask=write)


@triton.jit
def pack_kernel(
    a_ptr, b_ptr, a_packed_ptr, b_packed_ptr, M, N, K, a_width, b_width,
    PR: tl.constexpr, PC: tl.constexpr, WIDE_OFFSETS: tl.constexpr,
):  # fmt: skip
    """Copy A (M, K) to rows of a_width elements and B (K, N) to rows of b_width, one block a program."""
    program = tl.program_id(0)
    a_blocks = tl.cdiv(M, PR) * tl.cdiv(K, PC)
    if program < a_blocks:
        copy_block(a_ptr, K, a_packed_ptr, a_width, M, K, program, PR, PC, WIDE_OFFSETS)
    else:
        copy_block(b_ptr, N, b_packed_ptr, b_width, K, N, program - a_blocks, PR, PC, WIDE_OFFSETS)


@triton.jit
def unpack_kernel(
    c_packed_ptr, c_ptr, M, N, c_width, PR: tl.constexpr, PC: tl.constexpr, WIDE_OFFSETS: tl.constexpr
):
    """Copy C (M, N) from rows of c_width elements to its own rows."""
    copy_block(c_packed_ptr, c_width, c_ptr, N, M, N, tl.program_id(0), PR, PC, WIDE_OFFSETS)


def padded(like: torch.Tensor) -> torch.Tensor:
    """An empty (rows, cols) matrix whose rows are multiples of ROW_BYTES apart."""
    step = ROW_BYTES // like.element_size()
    rows, cols = like.shape
    return torch.empty((rows, triton.cdiv(cols, step) * step), dtype=like.dtype, device=like.device)


def prepare(a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, config: Config, precision: str) -> Plan:
    """Three launches: A and B into padded buffers, the product, C out of its padded buffer."""
    (M, K), N = a.shape, b.shape[1]
    buffers = a_packed, b_packed, c_packed = padded(a), padded(b), padded(c)
    a_width, b_width, c_width = (buffer.shape[1] for buffer in buffers)
    PR, PC = config["PR"], config["PC"]
    wide = any(checks.wide_offsets(rows, width, width) for rows, width in ((M, a_width), (K, b_width), (M, c_width)))
    copying = {"PR": PR, "PC": PC, "WIDE_OFFSETS": wide, "num_warps": 4}
    a_blocks, b_blocks, c_blocks = (
        triton.cdiv(rows, PR) * triton.cdiv(cols, PC) for rows, cols in ((M, K), (K, N), (M, N))
    )
    pack_args = (a, b, a_packed, b_packed, M, N, K, a_width, b_width)
    rest = {key: value for key, value in config.items() if key not in COPY_KEYS}
    rung = specialised if "STAGES" in rest else persistent
    product = rung.prepare(a_packed[:, :K], b_packed[:, :N], c_packed[:, :N], rest, precision)
    return Plan((
        Launch(pack_kernel, a_blocks + b_blocks, pack_args, copying),
        *product.launches,
        Launch(unpack_kernel, c_blocks, (c_packed, c, M, N, c_width), copying),
    ))  # fmt: skip


def refuses(M: int, N: int, K: int, itemsize: int) -> str:
    """Rows that are aligned already gain nothing."""
    if K * itemsize % 16 == 0 and N * itemsize % 16 == 0:
        return "rows of A and B start at multiples of 16 bytes already; there is nothing to pack"
    return ""


DEFAULT: Config = {
    "BM": 128, "BN": 128, "BK": 32, "GROUP_M": 8, "FLATTEN": 1, "SUBTILES": 2, "PR": 8, "PC": 512,
    "num_warps": 4, "num_stages": 4,
}  # fmt: skip
RUNG = Rung("packed", "odd rows copied to aligned rows first", prepare, DEFAULT, refuses)
