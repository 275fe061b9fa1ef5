"""tl.store: writes lanes, and tells what they rely on and who else writes there."""

from typing import Any

from sim.tl.access import EVICTION, Reach, element_type, lanes_text, option, prepared, reach, report_race, viewed
from sim.tl.dtypes import DType
from sim.tl.errors import KernelError
from sim.tl.lanes import Lanes, common_shape
from sim.tl.machine import Machine
from sim.tl.memory import Array
from sim.tl.tile import UNDEFINED, WRAPPED, Tile, cast, spread, tile


def store(
    machine: Machine, pointer: Any, value: Any, mask: Any = None, boundary_check: Any = (), cache_modifier: str = "",
    eviction_policy: str = "",
) -> None:  # fmt: skip
    """tl.store: casts ``value`` to the element type and writes the lanes whose mask is on."""
    option("cache_modifier", cache_modifier, (".wb", ".cg", ".cs", ".wt"))
    option("eviction_policy", eviction_policy, EVICTION)
    if type(pointer) is not Tile and hasattr(pointer, "block_shape"):
        if mask is not None:
            raise KernelError("a block pointer takes boundary_check, not mask", kind="refused")
        pointer.store(value, boundary_check)
        return
    if boundary_check:
        raise KernelError("boundary_check needs a block pointer", kind="refused")
    given = tile(pointer)
    dtype = element_type(given, "store")
    new = cast(value, dtype)
    if not given.shape and new.shape:
        raise KernelError(f"a tile of shape {list(new.shape)} is stored to a single pointer", kind="refused")
    address, wanted = prepared(machine, given, mask, "store")
    shape = common_shape(address.shape, new.shape)
    if shape != given.shape:
        machine.rule(
            "store shape",
            f"the pointer has shape {list(given.shape)}, but what is stored has {list(shape)}",
            "broadcast the pointer",
        )
        address, wanted = spread(address, shape), None if wanted is None else spread(wanted, shape)
    put(machine, address, wanted, spread(new, shape))


def put(machine: Machine, pointer: Tile, mask: Tile | None, value: Tile) -> None:
    """The store itself, for a pointer, a mask and a value of one shape."""
    found = reach(machine, pointer, mask, "store")
    if value.marks is not None:
        tell(machine, found, value.marks, value.dtype)
    values = value.data if len(found.lanes) == len(value.data) else [value.data[i] for i in found.lanes]
    if found.array is not None:
        _write(machine, found.array, found.elements, values, value.dtype, found.lanes)
    else:
        for one, element, new, lane in zip(found.arrays, found.elements, values, found.lanes, strict=True):
            _write(machine, one, [element], [new], value.dtype, [lane])
    if machine.recorder is not None:
        machine.recorder.access("store", pointer, found, value.data)


def tell(machine: Machine, found: Reach, marks: list[int], dtype: DType) -> None:
    """Report stored lanes that rely on undefined ones; note signed whole numbers that went past their end."""
    undefined = [i for i in found.lanes if marks[i] & UNDEFINED]
    if undefined:
        first = found.lanes.index(undefined[0])
        array = found.array_of(first)
        machine.report(
            "relies on undefined lanes",
            f"{lanes_text(len(undefined))} stored to {array.name} relying on undefined lanes, which no load filled "
            f"(a mask without `other`, or memory that nobody wrote); first: lane {undefined[0]}, "
            f"{array.name}{list(array.index(found.elements[first]))}",
            undefined,
            array.name,
            array.index(found.elements[first]),
        )
    past = [i for i in found.lanes if marks[i] & WRAPPED]
    if past and dtype.family == "i":
        name = found.array_of(found.lanes.index(past[0])).name
        told = f"line {machine.line()} stores to {name}, as {dtype}, what went past the end of its type and wrapped"
        machine.note(told)


def _write(machine: Machine, array: Array, elements: list[int], values: Lanes, dtype: DType, lanes: list[int]) -> None:
    machine.count("stores", array, len(elements))
    values = viewed(values, dtype, array.dtype)
    if machine.checks:
        _check_write(machine, array, elements, values, lanes)
    data = array.data
    for element, value in zip(elements, values, strict=True):
        data[element] = value
    if array.unwritten:
        array.unwritten.difference_update(elements)


def _check_write(machine: Machine, array: Array, elements: list[int], values: Lanes, lanes: list[int]) -> None:
    new = dict(zip(elements, values, strict=True))
    if len(new) != len(elements):
        benign = all(new[element] == value for element, value in zip(elements, values, strict=True))
        seen: set[int] = set()
        twice = next(element for element in elements if element in seen or seen.add(element))  # type: ignore[func-returns-value]
        machine.report(
            "benign race" if benign else "race",
            f"lanes of one store write {array.name}{list(array.index(twice))} twice",
            [lane for lane, element in zip(lanes, elements, strict=True) if element == twice],
            array=array.name,
            element=array.index(twice),
        )
    traffic = machine.traffic_of(array)
    writer = traffic.writer
    before = {} if writer.keys().isdisjoint(elements) else {e: writer[e] for e in elements if e in writer}
    clash = traffic.write(elements, machine.program, machine.known)
    if clash is not None:
        element, other = clash
        benign = before.get(element) == other and _same_values(array, before, new, machine)
        report_race(machine, "store", array, element, other, benign, lane=lanes[elements.index(element)])


def _same_values(array: Array, before: dict[int, Any], new: dict[int, Any], machine: Machine) -> bool:
    """Whether every element that another program has written gets the value that it already has."""
    return all(
        array.data[element] == value
        for element, value in new.items()
        if before.get(element, machine.program) != machine.program
    )
