"""Global memory: arrays in one address space, with a gap between them so that a stray pointer is seen."""

import bisect
import math
from collections.abc import Sequence
from typing import Any

from sim.tl.dtypes import BY_NAME, DType
from sim.tl.lanes import Lanes, nested, strides
from sim.tl.rounding import rounded, wrapped

GAP_BYTES = 1 << 20
FIRST_ADDRESS = 1 << 24


class Array:
    """A contiguous array that a kernel is given a pointer to.

    ``name`` is used in reports, ``data`` holds the elements row by row, already rounded to ``dtype``. ``unwritten``
    is the set of element numbers that nobody has written yet (only for arrays made by ``empty``). ``base`` is the
    address in bytes, 0 before the array is placed.
    """

    def __init__(self, name: str, dtype: DType | str, shape: Sequence[int], values: Any) -> None:
        self.name = name
        self.dtype = BY_NAME[dtype] if isinstance(dtype, str) else dtype
        self.shape = tuple(shape)
        flat = _flat(values)
        if len(flat) != math.prod(self.shape):
            raise ValueError(
                f"{name}: given {len(flat)} values; allowed: {math.prod(self.shape)}, for shape {list(shape)}"
            )
        self.data: Lanes = _typed(flat, self.dtype)
        self.unwritten: set[int] = set()
        self.base = 0

    @classmethod
    def empty(cls, name: str, dtype: DType | str, shape: Sequence[int]) -> "Array":
        """An array with undefined content: a kernel should write it before anybody reads it."""
        array = cls(name, dtype, shape, [0] * math.prod(shape))
        array.unwritten = set(range(len(array.data)))
        return array

    @property
    def bytes(self) -> int:
        """Size in memory."""
        return len(self.data) * self.dtype.itemsize

    def index(self, element: int) -> tuple[int, ...]:
        """The indices of flat element number ``element``."""
        sizes = zip(strides(self.shape), self.shape, strict=True)
        return tuple(element // step % size for step, size in sizes)

    def tolist(self) -> Any:
        """Nested lists of the elements."""
        return nested(self.data, self.shape) if self.data or not self.shape else []


def _flat(values: Any) -> Lanes:
    if not isinstance(values, Sequence):
        return [values]
    if values and isinstance(values[0], Sequence):
        return [lane for row in values for lane in _flat(row)]
    return list(values)


def _typed(flat: Lanes, dtype: DType) -> Lanes:
    if dtype.family == "f":
        return rounded([float(value) for value in flat], dtype)
    if dtype.family == "b":
        return [bool(value) for value in flat]
    return wrapped([int(value) for value in flat], dtype)[0]


class AddressSpace:
    """Where arrays lie; addresses are bytes, arrays start at multiples of 256."""

    def __init__(self) -> None:
        self.bases: list[int] = []
        self.arrays: list[Array] = []
        self.top = FIRST_ADDRESS

    def place(self, array: Array) -> None:
        """Give ``array`` its address, once."""
        if array in self.arrays:
            return
        array.base = self.top
        self.bases.append(array.base)
        self.arrays.append(array)
        self.top = (array.base + array.bytes + GAP_BYTES + 255) // 256 * 256

    def find(self, address: int) -> Array | None:
        """The array that holds ``address`` or lies nearest to it within half a gap."""
        place = bisect.bisect(self.bases, address + GAP_BYTES // 2) - 1
        if place < 0:
            return None
        array = self.arrays[place]
        return array if address < array.base + array.bytes + GAP_BYTES // 2 else None
