"""Block pointers and tensor descriptors: a base, a shape, strides, and a block that is cut out of it."""

import math
from dataclasses import dataclass, replace
from typing import Any

from sim.tl.access import fetch
from sim.tl.dtypes import BlockType, DType, PointerType, int1
from sim.tl.errors import KernelError, UnknownName
from sim.tl.lanes import common_shape
from sim.tl.machine import Machine
from sim.tl.shapes import checked_shape
from sim.tl.stores import put
from sim.tl.tile import Tile, cast, constant, spread, tile


@dataclass(frozen=True)
class View:
    """A matrix (or more axes) in memory: pointer to its first element, sizes, strides in elements."""

    machine: Machine
    base: Tile
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    block_shape: tuple[int, ...]

    @property
    def dtype(self) -> DType:
        """The element type."""
        if not isinstance(self.base.dtype, PointerType):
            raise KernelError(f"a pointer is needed, not {self.base.dtype}", kind="refused")
        dtype: DType = self.base.dtype.element_ty
        return dtype

    def window(self, offsets: tuple[int, ...], checked: tuple[int, ...]) -> tuple[Tile, Tile]:
        """Pointers of the block at ``offsets``, and which lanes are inside along the ``checked`` axes."""
        size = self.dtype.itemsize
        addresses, inside = [self.base.scalar()], [True]
        for axis, width in enumerate(self.block_shape):
            places = range(offsets[axis], offsets[axis] + width)
            step, end = self.strides[axis] * size, self.shape[axis]
            addresses = [address + place * step for address in addresses for place in places]
            within = [axis not in checked or 0 <= place < end for place in places]
            inside = [on and good for on in inside for good in within]
        return (
            Tile(addresses, self.block_shape, self.base.dtype),
            Tile(inside, self.block_shape, int1),
        )


@dataclass(frozen=True)
class BlockPointer:
    """What tl.make_block_ptr gives: a view and where the block stands."""

    view: View
    offsets: tuple[int, ...]

    @property
    def block_shape(self) -> tuple[int, ...]:
        """Sizes of the block."""
        return self.view.block_shape

    @property
    def dtype(self) -> PointerType:
        """A pointer to a block."""
        block = BlockType(self.view.dtype, self.view.block_shape)
        return PointerType(f"pointer<{block}>", "p", 64, element_ty=block)

    type = dtype

    def advance(self, offsets: Any) -> "BlockPointer":
        """The block moved by ``offsets``."""
        moved = tuple(place + int(more) for place, more in zip(self.offsets, offsets, strict=True))
        return replace(self, offsets=moved)

    def _checked(self, boundary_check: Any) -> tuple[Tile, Tile, tuple[int, ...]]:
        axes = tuple(int(axis) for axis in _listed(boundary_check))
        for axis in axes:
            if not 0 <= axis < len(self.block_shape):
                raise KernelError(
                    f"boundary_check names axis {axis}; allowed: 0 to {len(self.block_shape) - 1}", kind="refused"
                )
        return *self.view.window(self.offsets, axes), axes

    def load(self, boundary_check: Any, padding_option: str) -> Tile:
        """Lanes outside along the checked axes are 0 or NaN, undefined when no padding is named."""
        pointer, mask, checked = self._checked(boundary_check)
        dtype = self.view.dtype
        paddings: dict[str, Any] = {"": None, "zero": constant(0, dtype)}
        if dtype.family == "f":
            paddings["nan"] = constant(math.nan, dtype)
        if padding_option not in paddings:
            raise KernelError(f"padding_option is {padding_option!r}; allowed: {', '.join(paddings)}", kind="refused")
        return fetch(self.view.machine, pointer, mask if checked else None, paddings[padding_option])

    def store(self, value: Any, boundary_check: Any) -> None:
        """Lanes outside along the checked axes are left out."""
        pointer, mask, checked = self._checked(boundary_check)
        new = tile(value)
        dtype = self.view.dtype
        if new.dtype != dtype:
            raise KernelError(f"{new.dtype} stored through a block pointer to {dtype}; cast it", kind="refused")
        put(self.view.machine, pointer, mask if checked else None, spread(new, self.block_shape))


@dataclass(frozen=True)
class Descriptor:
    """A tensor descriptor: loads are zero outside of the shape, stores outside of it are left out."""

    view: View
    padding: str = "zero"

    def __getattr__(self, name: str) -> Any:
        raise UnknownName(name, "a tensor descriptor")

    @property
    def dtype(self) -> DType:
        """The element type."""
        return self.view.dtype

    @property
    def shape(self) -> tuple[Any, ...]:
        """Sizes of the whole tensor."""
        return self.view.shape

    @property
    def strides(self) -> tuple[Any, ...]:
        """Strides of the whole tensor, in elements."""
        return self.view.strides

    @property
    def block_type(self) -> Any:
        """Element type and shape of a block."""
        return Tile([], self.view.block_shape, self.dtype).type

    @property
    def block_shapes(self) -> tuple[int, ...]:
        """Sizes of a block."""
        return self.view.block_shape

    def _window(self, offsets: Any) -> tuple[Tile, Tile]:
        places = tuple(int(place) for place in offsets)
        if len(places) != len(self.view.shape):
            raise KernelError(f"{len(places)} offsets for a descriptor of {len(self.view.shape)} axes", kind="refused")
        return self.view.window(places, tuple(range(len(places))))

    def load(self, offsets: Any, cache_modifier: str = "", eviction_policy: str = "") -> Tile:
        """The block at ``offsets``."""
        pointer, mask = self._window(offsets)
        value = math.nan if self.padding == "nan" else 0
        return fetch(self.view.machine, pointer, mask, constant(value, self.dtype))

    def store(self, offsets: Any, value: Any) -> None:
        """Write the block at ``offsets``."""
        pointer, mask = self._window(offsets)
        new = cast(value, self.dtype)
        common_shape(new.shape, self.view.block_shape)
        put(self.view.machine, pointer, mask, spread(new, self.view.block_shape))


def _listed(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def make_block_ptr(
    machine: Machine, base: Any, shape: Any, strides: Any, offsets: Any, block_shape: Any, order: Any
) -> BlockPointer:
    """tl.make_block_ptr; ``order`` says how the block lies in memory and changes no value."""
    sizes, steps, places = (tuple(int(x) for x in _listed(given)) for given in (shape, strides, offsets))
    block = checked_shape(machine, block_shape)
    if sorted(int(x) for x in _listed(order)) != list(range(len(block))):
        raise KernelError(f"order {order} is no order of {len(block)} axes", kind="refused")
    if not len(sizes) == len(steps) == len(places) == len(block):
        raise KernelError("shape, strides, offsets and block_shape must have one length", kind="refused")
    return BlockPointer(View(machine, tile(base), sizes, steps, block), places)


def advance(base: BlockPointer, offsets: Any) -> BlockPointer:
    """tl.advance."""
    return base.advance(offsets)


def make_tensor_descriptor(
    machine: Machine, base: Any, shape: Any, strides: Any, block_shape: Any, padding_option: str = "zero"
) -> Descriptor:
    """tl.make_tensor_descriptor."""
    sizes, steps = (tuple(int(x) for x in _listed(given)) for given in (shape, strides))
    block = checked_shape(machine, block_shape)
    if not len(sizes) == len(steps) == len(block):
        raise KernelError("shape, strides and block_shape must have one length", kind="refused")
    descriptor = Descriptor(View(machine, tile(base), sizes, steps, block), padding_option)
    width = block[-1] * descriptor.dtype.itemsize
    if width < 16:
        machine.rule(
            "descriptor row",
            f"a descriptor's block has rows of {width} bytes; the TMA unit needs 16 or more",
            f"{16 // descriptor.dtype.itemsize} elements or more in the last axis",
        )
    if steps[-1] != 1:
        raise KernelError(f"a descriptor's last stride is {steps[-1]}; it must be 1", kind="refused")
    return descriptor
