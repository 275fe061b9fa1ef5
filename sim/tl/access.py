"""tl.load, and what every access does: addresses become elements, and what is wrong with them is told."""

from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from sim.tl.dtypes import DType, PointerType, int1
from sim.tl.errors import KernelError
from sim.tl.lanes import Lanes, common_shape
from sim.tl.machine import Machine
from sim.tl.memory import Array
from sim.tl.rounding import bitcast
from sim.tl.tile import UNDEFINED, WRAPPED, Tile, cast, constant, retyped, spread, tile

EVICTION = ("evict_last", "evict_first")


@dataclass(frozen=True)
class Reach:
    """Which lanes of an access reach memory, and where: lane ``lanes[i]`` is element ``elements[i]``.

    All are elements of ``array``; where lanes reach several arrays it is None and lane i is one of ``arrays[i]``.
    ``outside`` are the lanes whose mask is on and whose address lies outside of their array.
    """

    lanes: list[int]
    elements: list[int]
    array: Array | None = None
    arrays: tuple[Array, ...] = ()
    outside: tuple[int, ...] = ()

    def array_of(self, place: int) -> Array:
        """The array of lane ``lanes[place]``."""
        return self.arrays[place] if self.array is None else self.array


def element_type(pointer: Tile, what: str) -> DType:
    """The type that ``pointer`` points to. Raises KernelError when it is no pointer."""
    if not isinstance(pointer.dtype, PointerType):
        raise KernelError(f"tl.{what} needs pointers, not {pointer.dtype}", kind="refused")
    dtype: DType = pointer.dtype.element_ty
    return dtype


def prepared(machine: Machine, pointer: Any, mask: Any, what: str) -> tuple[Tile, Tile | None]:
    """Pointer and mask as tiles of one shape."""
    address = tile(pointer)
    element_type(address, what)
    if mask is None:
        return address, None
    wanted = tile(mask)
    if wanted.dtype.family != "b":
        machine.rule("boolean mask", f"the mask of a {what} must be int1, not {wanted.dtype}", "mask != 0")
        wanted = retyped(wanted, int1)
    if wanted.shape != address.shape:
        if not address.shape:
            raise KernelError("the mask is a tile but the pointer is a scalar", kind="refused")
        shape = common_shape(address.shape, wanted.shape)
        address, wanted = spread(address, shape), spread(wanted, shape)
    return address, wanted


def option(name: str, given: Any, allowed: tuple[str, ...]) -> None:
    """An option in text that changes no value here. Raises KernelError for one that the compiler does not have."""
    if given and given not in allowed:
        raise KernelError(f"{name} is {given!r}; allowed: {', '.join(allowed)}", kind="refused")


def reach(machine: Machine, pointer: Tile, mask: Tile | None, what: str) -> Reach:
    """Where the active lanes go; lanes outside of their array are reported and left out."""
    addresses = pointer.data
    everywhere = mask is None or all(mask.data)
    lanes = list(range(len(addresses))) if everywhere else [i for i, on in enumerate(mask.data) if on]  # type: ignore[union-attr]
    if pointer.marks is not None:
        _report_marks(machine, pointer, lanes, what)
    if not lanes:
        return Reach([], [])
    size = pointer.dtype.element_ty.itemsize
    origin = pointer.dtype.origin
    array = origin if origin is not None else machine.space.find(addresses[lanes[0]])
    if array is not None:
        base = array.base
        reached = addresses if everywhere else [addresses[i] for i in lanes]
        elements = [(address - base) // size for address in reached]
        if min(elements) >= 0 and max(elements) < len(array.data):
            return Reach(lanes, elements, array)
    return _stray(machine, pointer, lanes, size, what)


def _stray(machine: Machine, pointer: Tile, lanes: list[int], size: int, what: str) -> Reach:
    origin = pointer.dtype.origin
    good: list[tuple[int, int, Array]] = []
    bad: list[tuple[int, Array | None, int]] = []
    for i in lanes:
        array = origin if origin is not None else machine.space.find(pointer.data[i])
        element = -1 if array is None else (pointer.data[i] - array.base) // size
        if array is None or not 0 <= element < len(array.data):
            bad.append((i, array, element))
        else:
            good.append((i, element, array))
    if bad:
        lane, array, element = bad[0]
        name = "any array" if array is None else array.name
        place = "" if array is None else f", element {element} of {len(array.data)}"
        text = f"{what}: {lanes_text(len(bad))} outside of {name}; first: lane {lane}{place}"
        machine.report("out of bounds", text, [i for i, _, _ in bad], "" if array is None else array.name, (element,))
    kept, elements, arrays = [i for i, _, _ in good], [e for _, e, _ in good], tuple(a for _, _, a in good)
    outside = tuple(i for i, _, _ in bad)
    if all(array is arrays[0] for array in arrays):
        return Reach(kept, elements, arrays[0] if arrays else None, (), outside)
    return Reach(kept, elements, None, arrays, outside)


def lanes_text(count: int) -> str:
    return "1 lane" if count == 1 else f"{count} lanes"


def _report_marks(machine: Machine, pointer: Tile, lanes: list[int], what: str) -> None:
    marks = pointer.marks or []
    for bit, kind, text in (
        (WRAPPED, "int32 overflow", "comes from a whole number that went past the end of its type"),
        (UNDEFINED, "relies on undefined lanes", "comes from lanes that no load filled"),
    ):
        found = [i for i in lanes if marks[i] & bit]
        if found:
            told = f"{what}: the address of {lanes_text(len(found))} {text}; first: lane {found[0]}"
            machine.report(kind, told, found)


def load(
    machine: Machine, pointer: Any, mask: Any = None, other: Any = None, boundary_check: Any = (),
    padding_option: str = "", cache_modifier: str = "", eviction_policy: str = "", volatile: bool = False,
) -> Tile:  # fmt: skip
    """tl.load: lanes whose mask is off are ``other``, or undefined when that is not given."""
    option("cache_modifier", cache_modifier, (".ca", ".cg", ".cv"))
    option("eviction_policy", eviction_policy, EVICTION)
    if type(pointer) is not Tile and hasattr(pointer, "block_shape"):
        if mask is not None or other is not None:
            raise KernelError("a block pointer takes boundary_check, not mask and other", kind="refused")
        return pointer.load(boundary_check, padding_option)  # type: ignore[no-any-return]
    if boundary_check or padding_option:
        raise KernelError("boundary_check and padding_option need a block pointer", kind="refused")
    if mask is None and other is not None:
        machine.rule("other needs mask", "tl.load has `other` without `mask`", "mask=..., other=...")
    address, wanted = prepared(machine, pointer, mask, "load")
    dtype = element_type(address, "load")
    filling = None if other is None else cast(other, dtype)
    if filling is not None and filling.shape and common_shape(address.shape, filling.shape) != address.shape:
        text = f"`other` has shape {list(filling.shape)}, the pointer {list(address.shape)}"
        machine.rule("shape of other", text, "broadcast the pointer")
        shape = common_shape(address.shape, filling.shape)
        address, wanted = spread(address, shape), None if wanted is None else spread(wanted, shape)
    return fetch(machine, address, wanted, filling)


def fetch(machine: Machine, pointer: Tile, mask: Tile | None, other: Tile | None) -> Tile:
    """The load itself, for a pointer and a mask of one shape and an ``other`` of the element type."""
    dtype = element_type(pointer, "load")
    found = reach(machine, pointer, mask, "load")
    values, undefined = _read(machine, found, dtype)
    count = len(pointer.data)
    if len(found.lanes) == count:
        data, marks = values, [UNDEFINED if on else 0 for on in undefined] if undefined else None
    else:
        nothing = constant(machine.undefined, dtype).data[0]
        data = [nothing] * count if other is None else list(spread(other, pointer.shape).data)
        marks = [UNDEFINED if other is None else 0] * count
        if other is not None and mask is not None and len(found.lanes) < sum(mask.data):
            # A lane that is on but outside of its array is undefined, whatever `other` says.
            for i, on in enumerate(mask.data):
                if on:
                    data[i], marks[i] = nothing, UNDEFINED
        for place, (i, value) in enumerate(zip(found.lanes, values, strict=True)):
            data[i], marks[i] = value, UNDEFINED if undefined and undefined[place] else 0
    result = Tile(data, pointer.shape, dtype, marks if marks and any(marks) else None)
    if machine.recorder is not None:
        machine.recorder.access("load", pointer, found, data)
    return result


def _read(machine: Machine, found: Reach, dtype: DType) -> tuple[Lanes, list[bool] | None]:
    """Values of the lanes, and which of them nobody has written yet (None: no such lane)."""
    if found.array is None:
        each = zip(found.arrays, found.elements, found.lanes, strict=True)
        parts = [_read_one(machine, array, [element], dtype, [lane]) for array, element, lane in each]
        flags = [bool(undefined and undefined[0]) for _, undefined in parts]
        return [values[0] for values, _ in parts], flags if any(flags) else None
    return _read_one(machine, found.array, found.elements, dtype, found.lanes)


def _read_one(
    machine: Machine, array: Array, elements: list[int], dtype: DType, lanes: list[int]
) -> tuple[Lanes, list[bool] | None]:
    machine.count("loads", array, len(elements))
    if machine.checks:
        clash = machine.traffic_of(array).read(elements, machine.program, machine.known)
        if clash is not None:
            report_race(machine, "load", array, *clash, lane=lanes[elements.index(clash[0])])
    data = array.data
    picked = itemgetter(*elements)(data) if len(elements) > 1 else (data[elements[0]],) if elements else ()
    values = viewed(list(picked), array.dtype, dtype)
    if not array.unwritten or array.unwritten.isdisjoint(elements):
        return values, None
    return values, [element in array.unwritten for element in elements]


def viewed(values: Lanes, stored: DType, wanted: DType) -> Lanes:
    """Elements read through a pointer of another type of the same width."""
    if stored is wanted or not values:
        return values
    if stored.itemsize != wanted.itemsize:
        raise KernelError(f"reading {stored} memory through a {wanted} pointer is not simulated", kind="unknown name")
    return bitcast(values, stored, wanted)


def report_race(
    machine: Machine, what: str, array: Array, element: int, other: Any, benign: bool = False, *, lane: int
) -> None:
    """Two programs touch ``element``, here in lane ``lane``."""
    place = f"{array.name}{list(array.index(element))}"
    with_equal = "; both store the same value" if benign else ""
    machine.report(
        "benign race" if benign else "race",
        f"{what} of {place}: program {_short(other)} touches it too, and nothing orders the two{with_equal}",
        [lane],
        array=array.name,
        element=array.index(element),
    )


def _short(program: Any) -> str:
    return str(program[0]) if tuple(program[1:]) == (0, 0) else str(tuple(program))
