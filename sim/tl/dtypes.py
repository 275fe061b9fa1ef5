"""Element types and how two of them meet, as Triton 3.7 has it (docs, "Type Promotion")."""

from dataclasses import dataclass, field
from typing import Any

from sim.tl.errors import KernelError

_RANK = {"b": 0, "i": 1, "u": 1, "f": 2}
_QUESTIONS = {
    "is_fp8", "is_fp8e4nv", "is_fp8e4b8", "is_fp8e4b15", "is_fp8e5", "is_fp8e5b16", "is_fp16", "is_bf16", "is_fp32",
    "is_fp64", "is_int1", "is_int8", "is_int16", "is_int32", "is_int64", "is_uint8", "is_uint16", "is_uint32",
    "is_uint64",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class DType:
    """One element type: ``family`` b(ool), i(nt), u(nsigned), f(loat) or p(ointer); ``bits`` wide.

    ``mantissa`` counts the stored fraction bits of a float, ``exponent`` its exponent bits.
    """

    name: str
    family: str
    bits: int
    mantissa: int = 0
    exponent: int = 0

    @property
    def primitive_bitwidth(self) -> int:
        """Bits of one element."""
        return self.bits

    int_bitwidth = primitive_bitwidth

    @property
    def fp_mantissa_width(self) -> int:
        """Stored fraction bits of a float."""
        return self.mantissa

    @property
    def itemsize(self) -> int:
        """Bytes of one element in memory."""
        return max(1, self.bits // 8)

    @property
    def scalar(self) -> "DType":
        """The element type itself (a tile's type answers the same)."""
        return self

    def is_floating(self) -> bool:
        """Any float, fp8 included."""
        return self.family == "f"

    def is_standard_floating(self) -> bool:
        """fp16, bf16, fp32 or fp64."""
        return self.family == "f" and self.bits >= 16

    def is_int(self) -> bool:
        """Signed, unsigned or bool."""
        return self.family in "iub"

    def is_bool(self) -> bool:
        """int1."""
        return self.family == "b"

    def is_int_signed(self) -> bool:
        """int8 to int64."""
        return self.family == "i"

    def is_int_unsigned(self) -> bool:
        """uint8 to uint64, and int1 as Triton counts it."""
        return self.family in "ub"

    def is_ptr(self) -> bool:
        """A pointer."""
        return self.family == "p"

    def is_block(self) -> bool:
        """Never: a tile's type is a block type."""
        return False

    def is_void(self) -> bool:
        """Never."""
        return False

    def __getattr__(self, name: str) -> Any:
        if name not in _QUESTIONS:
            raise AttributeError(f"type {self.name} has no {name}")
        asked = name.removeprefix("is_")
        return lambda: self.name.startswith("fp8") if asked == "fp8" else self.name == asked

    def __call__(self, *values: Any) -> Any:
        """A type is no function. Raises KernelError."""
        raise KernelError(f"{self.name} is a type, not a function; use .to or tl.full", kind="refused")

    def __str__(self) -> str:
        return self.name

    __repr__ = __str__


@dataclass(frozen=True, eq=False, repr=False)
class PointerType(DType):
    """Pointer to ``element_ty``; ``origin`` is the array it was made from, None when that is not known."""

    element_ty: Any = None
    origin: Any = field(default=None, compare=False)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PointerType) and other.element_ty == self.element_ty

    def __hash__(self) -> int:
        return hash(self.name)


def pointer_to(element: DType, origin: Any = None) -> PointerType:
    """The type of pointers to ``element``."""
    return PointerType("pointer<" + element.name + ">", "p", 64, element_ty=element, origin=origin)


@dataclass(frozen=True)
class BlockType:
    """The type of a tile that is not a scalar: element type and shape."""

    element_ty: Any
    shape: tuple[int, ...]

    @property
    def scalar(self) -> Any:
        """The element type."""
        return self.element_ty

    @property
    def numel(self) -> int:
        """Lanes."""
        count = 1
        for size in self.shape:
            count *= size
        return count

    def is_block(self) -> bool:
        """Always."""
        return True

    def is_ptr(self) -> bool:
        """Never: only its elements may be pointers."""
        return False

    def get_block_shapes(self) -> tuple[int, ...]:
        """The shape."""
        return self.shape

    def __str__(self) -> str:
        return f"<{list(self.shape)}, {self.element_ty}>"


int1 = DType("int1", "b", 1)
int8, int16, int32, int64 = (DType(f"int{bits}", "i", bits) for bits in (8, 16, 32, 64))
uint8, uint16, uint32, uint64 = (DType(f"uint{bits}", "u", bits) for bits in (8, 16, 32, 64))
float16, bfloat16 = DType("fp16", "f", 16, 10, 5), DType("bf16", "f", 16, 7, 8)
float32, float64 = DType("fp32", "f", 32, 23, 8), DType("fp64", "f", 64, 52, 11)
float8e5, float8e4nv = DType("fp8e5", "f", 8, 2, 5), DType("fp8e4nv", "f", 8, 3, 4)
# Named so that kernels can compare with them; no tile can have them here.
float8e4b8, float8e5b16, float8e4b15 = (DType(name, "f", 8) for name in ("fp8e4b8", "fp8e5b16", "fp8e4b15"))
void = DType("void", "v", 0)

BY_NAME = {
    dtype.name: dtype
    for dtype in (
        int1, int8, int16, int32, int64, uint8, uint16, uint32, uint64,
        float16, bfloat16, float32, float64, float8e5, float8e4nv, float8e4b8, float8e5b16, float8e4b15,
    )
}  # fmt: skip


def promote(a: DType, b: DType, division: bool = False, a_literal: bool = False, b_literal: bool = False) -> DType:
    """The type in which ``a`` and ``b`` are computed; a Python number (literal) of a lower or equal kind gives way.

    ``division`` is set for / // and %, which Triton does in fp32 for 16-bit floats. Raises KernelError for two
    integers of different signedness under division.
    """
    if a_literal != b_literal:
        literal, other = (a, b) if a_literal else (b, a)
        if _RANK[literal.family] <= _RANK[other.family]:
            return float32 if division and other in (float16, bfloat16) else other
    if "f" in (a.family, b.family):
        return _promote_floats(a, b, division)
    if division and a.family != b.family:
        raise KernelError(f"/, // and % need one signedness, not {a} and {b}; cast one of them", kind="refused")
    return promote_ints(a, b)


def _promote_floats(a: DType, b: DType, division: bool) -> DType:
    pair = (a, b)
    for wide in (float64, float32):
        if wide in pair:
            return wide
    if float16 in pair:
        return float32 if division else float16
    if bfloat16 in pair:
        return bfloat16 if a is b and not division else float32
    if a.bits == b.bits == 8 and a.family == b.family:
        return a if a is b else float16
    raise KernelError(f"{a} and {b} have no common type here; cast one of them", kind="refused")


def promote_ints(a: DType, b: DType) -> DType:
    """The wider type; at equal width the unsigned one."""
    if a.bits != b.bits and "u" not in (a.family, b.family):
        return a if a.bits > b.bits else b
    if a.family == b.family:
        return a if a.bits >= b.bits else b
    unsigned, signed = (a, b) if a.family in "ub" and b.family == "i" else (b, a)
    return unsigned if unsigned.bits >= signed.bits else signed


def literal_type(value: bool | int | float) -> DType:
    """The type that a Python number takes where nothing else decides."""
    if isinstance(value, bool):
        return int1
    if isinstance(value, int):
        for dtype in (int32, uint32, int64, uint64):
            low, high = int_range(dtype)
            if low <= value <= high:
                return dtype
        raise KernelError(f"{value} does not fit into 64 bits", kind="refused")
    size = abs(value)
    fits = size in (0.0, float("inf")) or value != value or 2.0**-126 <= size <= (2 - 2.0**-23) * 2.0**127
    return float32 if fits else float64


def int_range(dtype: DType) -> tuple[int, int]:
    """Smallest and largest value of an integer type."""
    if dtype.family == "i":
        return -(1 << (dtype.bits - 1)), (1 << (dtype.bits - 1)) - 1
    return 0, (1 << dtype.bits) - 1
