"""What the kernels accept, checked before a launch, with a sentence that says what was given and what is allowed.

A has shape (M, K), B has shape (K, N), C has shape (M, N).  Everything here raises `Refused` and launches nothing.
"""

from collections.abc import Iterable, Mapping

import torch
import triton

DTYPES = (torch.float16, torch.bfloat16, torch.float32)
PRECISIONS = ("ieee", "tf32")
LARGEST_TILE = 2**20  # elements; Triton's limit for one block
LARGEST_SIZE = 2**31 - LARGEST_TILE  # M, N and K are 32-bit integers in the kernels, also rounded up to whole tiles
MOST_PROGRAMS = 2**31 - 1  # CUDA's limit for a one-dimensional grid
WIDE_FROM = 2**31  # elements; from here on an offset does not fit in 32 bits
DESCRIPTOR_BYTES = 16  # what a tensor descriptor reads and writes starts at multiples of this
WARPS = (1, 2, 4, 8, 16, 32)  # of one program; 32 are the 1024 threads that a block may have
DOT_MINIMUM_BK = 16  # Triton 3.6 and 3.7 on NVIDIA, 16- and 32-bit inputs; BM and BN may be 1


class Refused(ValueError):
    """The inputs or the tile cannot run; the message is one sentence for the person who called."""


def interpreting() -> bool:
    """Whether Triton's CPU interpreter runs the kernels (TRITON_INTERPRET=1 when they were imported)."""
    return bool(triton.knobs.runtime.interpret)


def inputs(a: torch.Tensor, b: torch.Tensor, out: torch.Tensor | None = None) -> tuple[int, int, int]:
    """M, N, K of A (M, K) and B (K, N), and of C (M, N) when given."""
    for name, matrix in (("A", a), ("B", b), ("C", out)):
        if matrix is not None:
            _one_matrix(name, matrix)
    if a.dtype != b.dtype:
        raise Refused(f"A is {_dtype(a)} and B is {_dtype(b)}; allowed: the same type for both")
    if a.device != b.device:
        raise Refused(f"A is on {a.device} and B is on {b.device}; allowed: both on the same device")
    (M, K), (K_of_b, N) = a.shape, b.shape
    if K_of_b != K:
        raise Refused(
            f"A has shape {tuple(a.shape)} and B has shape {tuple(b.shape)}; "
            f"allowed: as many rows in B as columns in A ({K})"
        )
    if out is not None:
        _output(out, a, M, N)
        _apart(out, "A", a)
        _apart(out, "B", b)
    return M, N, K


def _one_matrix(name: str, matrix: torch.Tensor) -> None:
    if not isinstance(matrix, torch.Tensor) or matrix.layout != torch.strided:
        given = matrix.layout if isinstance(matrix, torch.Tensor) else type(matrix).__name__
        raise Refused(f"{name} is {given}; allowed: a dense torch.Tensor")
    if matrix.dim() != 2:
        raise Refused(f"{name} has shape {tuple(matrix.shape)}; allowed: a matrix, with two dimensions")
    if matrix.dtype not in DTYPES:
        raise Refused(f"{name} is {_dtype(matrix)}; allowed: float16, bfloat16 or float32")
    if max(matrix.shape) > LARGEST_SIZE:
        raise Refused(f"{name} has shape {tuple(matrix.shape)}; allowed: at most {LARGEST_SIZE} rows or columns")
    if not matrix.is_contiguous():
        raise Refused(
            f"{name} has shape {tuple(matrix.shape)} and strides {matrix.stride()}, so it is not contiguous "
            f"(transposed, sliced or padded); allowed: rows one after another; {name}.contiguous() makes such a copy"
        )
    _place(name, matrix)


def _place(name: str, matrix: torch.Tensor) -> None:
    if interpreting():
        if matrix.device.type != "cpu":
            raise Refused(f"{name} is on {matrix.device}; allowed under TRITON_INTERPRET=1: the CPU")
        if matrix.dtype == torch.bfloat16:
            raise Refused(
                f"{name} is bfloat16; allowed under TRITON_INTERPRET=1: float16 or float32 "
                "(the interpreter computes with the raw bits of bfloat16, so its results are wrong)"
            )
    elif matrix.device.type != "cuda":
        raise Refused(
            f"{name} is on {matrix.device}; allowed: an NVIDIA GPU, or the CPU with TRITON_INTERPRET=1 set "
            "before gpu is imported"
        )


def _output(out: torch.Tensor, a: torch.Tensor, M: int, N: int) -> None:
    if tuple(out.shape) != (M, N):
        raise Refused(f"C has shape {tuple(out.shape)}; allowed: {(M, N)}, the rows of A and the columns of B")
    if out.dtype != a.dtype or out.device != a.device:
        raise Refused(f"C is {_dtype(out)} on {out.device}; allowed: {_dtype(a)} on {a.device}, as A")


def _apart(out: torch.Tensor, name: str, matrix: torch.Tensor) -> None:
    """Refuse a C that is written where another program still reads an input; both are contiguous."""
    first, second = (each.data_ptr() for each in (out, matrix))
    if first < second + matrix.nbytes and second < first + out.nbytes:
        raise Refused(f"C shares memory with {name}; allowed: memory of its own, as {name} is read while C is written")


def no_descriptor(**matrices: torch.Tensor) -> str:
    """Why a tensor descriptor cannot describe one of the matrices where it lies in memory, or "".

    A contiguous matrix may still start anywhere: a slice of a larger one does.  A matrix of one row may keep the
    stride of the matrix that it was cut from.  The plain kernels do not mind either.
    """
    for name, matrix in matrices.items():
        step = matrix.element_size()
        if matrix.data_ptr() % DESCRIPTOR_BYTES:
            return f"{name} starts {matrix.data_ptr() % DESCRIPTOR_BYTES} bytes past a multiple of {DESCRIPTOR_BYTES}"
        if matrix.stride(0) * step % DESCRIPTOR_BYTES:
            return f"rows of {name} are {matrix.stride(0) * step} bytes apart"
    return ""


def precision(dtype: torch.dtype, name: str) -> str:
    """The name for tl.dot's input_precision: "ieee" for float16 and bfloat16, whose products are exact in float32."""
    if name not in PRECISIONS:
        raise Refused(f"precision {name!r} is not known; allowed: {' or '.join(PRECISIONS)}")
    return name if dtype == torch.float32 else "ieee"


def wide_offsets(M: int, N: int, K: int) -> bool:
    """Whether an element's offset in A, B or C, or in a ragged tile past its end, may not fit in 32 bits."""
    overhang = 1024  # lanes of the last tile past the matrix are addressed, though never loaded
    rows_and_widths = ((M, K), (K, N), (M, N))
    return max((rows + overhang) * (width + 1) for rows, width in rows_and_widths) >= WIDE_FROM


def tile(BM: int, BN: int, BK: int, group_m: int = 1) -> None:
    """The rules that Triton has for a tile, before it is compiled."""
    for name, width, least in (("BM", BM, 1), ("BN", BN, 1), ("BK", BK, 1 if interpreting() else DOT_MINIMUM_BK)):
        _width(name, width, least)
    for names, elements in (("BM x BK", BM * BK), ("BK x BN", BK * BN), ("BM x BN", BM * BN)):
        if elements > LARGEST_TILE:
            raise Refused(f"{names} is {elements} elements; allowed: at most {LARGEST_TILE} in one tile of Triton's")
    if not _whole(group_m) or group_m < 1:
        raise Refused(f"GROUP_M is {group_m!r}; allowed: a whole number from 1 (1 is plain row-major order)")


def config(given: Mapping[str, int], needed: Iterable[str]) -> None:
    """The rules for a config beside its tile: what the kernel cannot do without, and Triton's rule for warps."""
    missing = [name for name in needed if name not in given]
    if missing:
        raise Refused(f"the config has no {', '.join(missing)}; needed: {', '.join(needed)}")
    warps = given.get("num_warps", 4)
    if not _whole(warps) or warps not in WARPS:
        listed = ", ".join(map(str, WARPS))
        raise Refused(f"num_warps is {warps!r}; allowed: a power of two up to {WARPS[-1]}: {listed}")
    stages = given.get("num_stages", 1)
    if not _whole(stages) or stages < 1:
        raise Refused(f"num_stages is {stages!r}; allowed: a whole number from 1")


def _width(name: str, width: int, least: int) -> None:
    if not _whole(width):
        raise Refused(f"{name} is {width!r}; allowed: a whole number that is a power of two")
    if width < least:
        rule = ", the matrix instruction's minimum" if least > 1 else ""
        raise Refused(f"{name} is {width}; allowed: a power of two from {least}{rule}; the nearest is {least}")
    if width & (width - 1):
        below = 1 << (width.bit_length() - 1)
        nearest = f"{2 * below}" if below < least else f"{below} or {2 * below}"
        raise Refused(f"{name} is {width}; allowed: a power of two, as tl.arange needs; the nearest is {nearest}")


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def shared_memory(needed_bytes: int, limit_bytes: int, BM: int, BN: int, BK: int, stages: int, itemsize: int) -> None:
    """Refuse a compiled kernel that needs more shared memory than one program may have on this chip.

    The nearest legal choice assumes that need grows with stages * (BM + BN) * BK, as the loop's buffers do.
    """
    if needed_bytes <= limit_bytes:
        return
    for fewer in range(stages - 1, 0, -1):
        if fewer * (BM + BN) * BK * itemsize <= limit_bytes:
            nearest = f"num_stages = {fewer} with the same tile"
            break
    else:
        smaller = BK
        while smaller > DOT_MINIMUM_BK and (BM + BN) * smaller * itemsize > limit_bytes:
            smaller //= 2
        nearest = f"BK = {smaller} with num_stages = 1"
    raise Refused(
        f"BM = {BM}, BN = {BN}, BK = {BK} with num_stages = {stages} needs {needed_bytes} bytes of shared memory; "
        f"allowed on this GPU: at most {limit_bytes} for one program; try {nearest}"
    )


def partial_tiles(elements: int) -> None:
    """Refuse partial sums that could not be addressed with the 32-bit offsets of the kernels that split K."""
    if elements >= WIDE_FROM:
        raise Refused(
            f"the partial tiles have {elements} elements; allowed: fewer than {WIDE_FROM}; use a rung that does not "
            "split K"
        )


def trace_size(elements: int) -> None:
    """Refuse a debug run whose partial tiles would not be addressable with 32-bit offsets."""
    if elements >= WIDE_FROM:
        raise Refused(
            f"the partial tiles have {elements} elements; allowed: fewer than {WIDE_FROM}; use a smaller shape"
        )


def programs(count: int) -> None:
    """Refuse a one-dimensional grid that CUDA cannot launch."""
    if count > MOST_PROGRAMS:
        raise Refused(f"the grid has {count} programs; allowed: at most {MOST_PROGRAMS}; use a larger BM or BN")


def _dtype(matrix: torch.Tensor) -> str:
    return str(matrix.dtype).removeprefix("torch.")
