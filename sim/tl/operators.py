"""The operators that a tile understands; each hands over to ``sim.tl.arithmetic``."""

from typing import TYPE_CHECKING, Any, cast

from sim.tl.errors import KernelError

if TYPE_CHECKING:
    from sim.tl.tile import Tile


class Operators:
    """Mixed into Tile; the operands may be tiles or Python numbers."""

    __slots__ = ()

    def __add__(self, other: Any) -> Any:
        return arithmetic.binary(arithmetic.ADD, self, other)

    def __radd__(self, other: Any) -> Any:
        return arithmetic.binary(arithmetic.ADD, other, self)

    def __sub__(self, other: Any) -> Any:
        return arithmetic.binary(arithmetic.SUB, self, other)

    def __rsub__(self, other: Any) -> Any:
        return arithmetic.binary(arithmetic.SUB, other, self)

    def __mul__(self, other: Any) -> Any:
        return arithmetic.binary(arithmetic.MUL, self, other)

    def __rmul__(self, other: Any) -> Any:
        return arithmetic.binary(arithmetic.MUL, other, self)

    def __truediv__(self, other: Any) -> Any:
        return arithmetic.divide(self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return arithmetic.divide(other, self)

    def __floordiv__(self, other: Any) -> Any:
        return arithmetic.binary(arithmetic.FLOORDIV, self, other)

    def __rfloordiv__(self, other: Any) -> Any:
        return arithmetic.binary(arithmetic.FLOORDIV, other, self)

    def __mod__(self, other: Any) -> Any:
        return arithmetic.binary(arithmetic.MOD, self, other)

    def __rmod__(self, other: Any) -> Any:
        return arithmetic.binary(arithmetic.MOD, other, self)

    def __lshift__(self, other: Any) -> Any:
        return arithmetic.binary(arithmetic.LSHIFT, self, other)

    def __rlshift__(self, other: Any) -> Any:
        return arithmetic.binary(arithmetic.LSHIFT, other, self)

    def __rshift__(self, other: Any) -> Any:
        return arithmetic.binary(arithmetic.RSHIFT, self, other)

    def __rrshift__(self, other: Any) -> Any:
        return arithmetic.binary(arithmetic.RSHIFT, other, self)

    def __and__(self, other: Any) -> Any:
        return arithmetic.binary(arithmetic.AND, self, other)

    def __rand__(self, other: Any) -> Any:
        return arithmetic.binary(arithmetic.AND, other, self)

    def __or__(self, other: Any) -> Any:
        return arithmetic.binary(arithmetic.OR, self, other)

    def __ror__(self, other: Any) -> Any:
        return arithmetic.binary(arithmetic.OR, other, self)

    def __xor__(self, other: Any) -> Any:
        return arithmetic.binary(arithmetic.XOR, self, other)

    def __rxor__(self, other: Any) -> Any:
        return arithmetic.binary(arithmetic.XOR, other, self)

    def __lt__(self, other: Any) -> Any:
        return arithmetic.binary(arithmetic.LT, self, other)

    def __le__(self, other: Any) -> Any:
        return arithmetic.binary(arithmetic.LE, self, other)

    def __gt__(self, other: Any) -> Any:
        return arithmetic.binary(arithmetic.GT, self, other)

    def __ge__(self, other: Any) -> Any:
        return arithmetic.binary(arithmetic.GE, self, other)

    def __eq__(self, other: Any) -> Any:
        return arithmetic.binary(arithmetic.EQ, self, other)

    def __ne__(self, other: Any) -> Any:
        return arithmetic.binary(arithmetic.NE, self, other)

    def __hash__(self) -> int:
        return id(self)

    def __neg__(self) -> Any:
        return arithmetic.negative(cast("Tile", self))

    def __pos__(self) -> Any:
        raise KernelError("tiles have no sign + before them; leave it out", kind="refused")

    def __invert__(self) -> Any:
        return arithmetic.inverse(cast("Tile", self))

    def __pow__(self, other: Any) -> Any:
        raise KernelError("tiles have no **; use a product, or libdevice.pow", kind="refused")

    __rpow__ = __pow__

    def __matmul__(self, other: Any) -> Any:
        raise KernelError("tiles have no @; use tl.dot", kind="refused")

    def __abs__(self) -> Any:
        return arithmetic.absolute(self)

    def logical_and(self, other: Any) -> Any:
        """Both not zero, lane by lane."""
        return arithmetic.logical(arithmetic.AND, self, other)

    def logical_or(self, other: Any) -> Any:
        """Either not zero, lane by lane."""
        return arithmetic.logical(arithmetic.OR, self, other)


from sim.tl import arithmetic  # noqa: E402  (it makes tiles, and tiles have these operators: see __init__)
