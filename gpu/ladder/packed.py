"""Rung 13, packed: rows that start at awkward places are first copied to rows that do not.

A row of 4099 halves has 8198 bytes, so most rows start where neither 16-byte loads nor a tensor descriptor can read.
A row of 1000 halves has 2000: a descriptor can read it, but every other row starts in the middle of a 32-byte sector,
the unit in which the L2 cache answers, so pieces of 128 bytes cost five sectors and not four.  This rung spends a
pass over A and B, inside the timed region, to copy them into buffers whose rows are multiples of 128 bytes, and then
multiplies with a kernel of another rung: `specialised` when the config names STAGES, `persistent` when it names
FLATTEN, else `descriptors`.  When C's rows do not start at multiples of 16 bytes, C is made in a padded buffer too and
copied out last.

At 1000 cubed that is a loss on the stored H200 run: the copies take longer than straight rows save (see `aligned`).  At
4095 x 4097 x 4099 it is far ahead of torch, whose library falls back to a kernel for unaligned rows there.

The copies move up to 2 * (M * K + K * N + M * N) elements; the product is M * N * K, so for large sizes the copies
are the small part.  With OVERLAP = 1 the product's launch begins while the copy still runs and waits inside, which
hides most of a second launch.

Next: `aligned` gets straight pieces of A without a copy.
"""

import torch
import triton
import triton.language as tl
from triton.language.extra.cuda import gdc_launch_dependents

from gpu import checks
from gpu.ladder import descriptors, persistent, specialised
from gpu.ladder.plan import Config, Launch, Plan, Rung

ROW_BYTES = 128  # padded rows are a multiple of this
SECTOR_BYTES = 32
COPY_KEYS = ("PR", "PC", "OVERLAP")  # rows and columns that one program copies; the rest of the config is the product's


@triton.jit
def copy_block(
    from_ptr, from_width, to_ptr, to_width, height, width, block,
    PR: tl.constexpr, PC: tl.constexpr, EIGHTS: tl.constexpr, WIDE_OFFSETS: tl.constexpr,
):  # fmt: skip
    """Copy the block-th PR x PC block of a (height, width) matrix between buffers with rows of different widths.

    What is stored ends at the end of the target's row: zeros go into its padding, so that stores need no odd mask.
    EIGHTS says that the source's rows are multiples of 8 elements, so that loads can be wide (see `hinted`).
    """
    if EIGHTS:
        from_width = from_width // 8 * 8
        width = width // 8 * 8
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
    PR: tl.constexpr, PC: tl.constexpr, EIGHTS: tl.constexpr, WIDE_OFFSETS: tl.constexpr, OVERLAP: tl.constexpr,
):  # fmt: skip
    """Copy A (M, K) to rows of a_width elements and B (K, N) to rows of b_width, one block a program."""
    if OVERLAP:
        gdc_launch_dependents()
    program = tl.program_id(0)
    a_blocks = tl.cdiv(M, PR) * tl.cdiv(K, PC)
    if program < a_blocks:
        copy_block(a_ptr, K, a_packed_ptr, a_width, M, K, program, PR, PC, EIGHTS, WIDE_OFFSETS)
    else:
        copy_block(b_ptr, N, b_packed_ptr, b_width, K, N, program - a_blocks, PR, PC, EIGHTS, WIDE_OFFSETS)


@triton.jit
def unpack_kernel(c_packed_ptr, c_ptr, M, N, c_width, PR: tl.constexpr, PC: tl.constexpr, WIDE_OFFSETS: tl.constexpr):
    """Copy C (M, N) from rows of c_width elements to its own rows."""
    copy_block(c_packed_ptr, c_width, c_ptr, N, M, N, tl.program_id(0), PR, PC, False, WIDE_OFFSETS)


def padded(like: torch.Tensor) -> torch.Tensor:
    """An empty (rows, cols) matrix whose rows are multiples of ROW_BYTES apart."""
    step = ROW_BYTES // like.element_size()
    rows, cols = like.shape
    return torch.empty((rows, triton.cdiv(cols, step) * step), dtype=like.dtype, device=like.device)


def blocks(rows: int, cols: int, config: Config) -> int:
    """How many programs copy a (rows, cols) matrix."""
    count: int = triton.cdiv(rows, config["PR"]) * triton.cdiv(cols, config["PC"])
    return count


def prepare(a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, config: Config, precision: str) -> Plan:
    """Launches: A and B into padded buffers, the product, and C out of its padded buffer when it needs one."""
    (M, K), N = a.shape, b.shape[1]
    a_packed, b_packed = padded(a), padded(b)
    a_width, b_width = a_packed.shape[1], b_packed.shape[1]
    overlap = bool(config.get("OVERLAP", 0))
    copying = {"PR": config["PR"], "PC": config["PC"], "WIDE_OFFSETS": wide(M, N, K, a.element_size()), "num_warps": 4}
    pack = Launch(
        pack_kernel, blocks(M, K, config) + blocks(K, N, config),
        (a, b, a_packed, b_packed, M, N, K, a_width, b_width),
        {**copying, "EIGHTS": K % 8 == 0 and N % 8 == 0, "OVERLAP": overlap},
    )  # fmt: skip
    c_packed = padded(c) if checks.no_descriptor(C=c) else c
    rest = {key: value for key, value in config.items() if key not in COPY_KEYS}
    rung = specialised if "STAGES" in rest else persistent if "FLATTEN" in rest else descriptors
    product = rung.prepare(a_packed[:, :K], b_packed[:, :N], c_packed[:, :N], rest, precision)
    launches = [pack, *(after_copy(launch) if overlap else launch for launch in product.launches)]
    if c_packed is not c:
        unpack_args = (c_packed, c, M, N, c_packed.shape[1])
        launches.append(Launch(unpack_kernel, blocks(M, N, config), unpack_args, copying))
    return Plan(tuple(launches))


def after_copy(launch: Launch) -> Launch:
    """The same launch, allowed to begin before the copy ahead of it has ended; its kernel waits."""
    constants = {**launch.constants, "AFTER_COPY": True, "launch_pdl": True}
    return Launch(launch.kernel, launch.programs, launch.args, constants)


def wide(M: int, N: int, K: int, itemsize: int) -> bool:
    """Whether a padded buffer may need 64-bit offsets."""
    step = ROW_BYTES // itemsize
    return any(checks.wide_offsets(rows, width + step, width + step) for rows, width in ((M, K), (K, N), (M, N)))


def refuses(M: int, N: int, K: int, itemsize: int) -> str:
    """Rows that are aligned already gain nothing."""
    if K * itemsize % SECTOR_BYTES == 0 and N * itemsize % SECTOR_BYTES == 0:
        return f"rows of A and B start at multiples of {SECTOR_BYTES} bytes already; there is nothing to pack"
    return ""


DEFAULT: Config = {
    "BM": 128, "BN": 128, "BK": 32, "GROUP_M": 8, "FLATTEN": 1, "SUBTILES": 2, "PR": 8, "PC": 512,
    "num_warps": 4, "num_stages": 4,
}  # fmt: skip
RUNG = Rung("packed", "awkward rows copied to aligned rows first", prepare, DEFAULT, refuses)
