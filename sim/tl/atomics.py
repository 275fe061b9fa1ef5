"""Atomic operations: indivisible, and they order the programs that meet at one element."""

import operator
from collections.abc import Callable
from typing import Any

from sim.tl.access import element_type, option, prepared, reach, report_race
from sim.tl.dtypes import DType
from sim.tl.errors import KernelError
from sim.tl.lane_functions import larger, smaller
from sim.tl.lanes import common_shape
from sim.tl.machine import Machine
from sim.tl.memory import Array
from sim.tl.rounding import rounded, wrapped
from sim.tl.stores import tell
from sim.tl.tile import UNDEFINED, Tile, cast, spread, tile

ORDERS = ("relaxed", "acquire", "release", "acq_rel")
SCOPES = ("gpu", "cta", "sys")
WHOLE_ONLY = ("atomic_and", "atomic_or", "atomic_xor")


def _updatable(name: str, dtype: DType) -> None:
    """Raises KernelError for element types that the compiler has no such operation for."""
    small = dtype.bits < 32 and not (dtype.bits == 16 and dtype.family == "f" and name == "atomic_add")
    if small or (dtype.family == "f" and name in WHOLE_ONLY):
        raise KernelError(f"{name} does not exist for {dtype}", kind="refused")


def _update(
    machine: Machine, pointer: Any, value: Any, mask: Any, sem: Any, scope: Any, name: str,
    combine: Callable[[Any, Any], Any],
) -> Tile:  # fmt: skip
    option(f"{name}: sem", sem, ORDERS)
    option(f"{name}: scope", scope, SCOPES)
    dtype = element_type(tile(pointer), name)
    new = cast(value, dtype)
    address, wanted = prepared(machine, pointer, mask, name)
    shape = common_shape(address.shape, new.shape)
    if shape != address.shape:
        text = f"the pointer has shape {list(address.shape)}, but what is combined has {list(new.shape)}"
        machine.rule("store shape", text, "broadcast the pointer")
    address, new = spread(address, shape), spread(new, shape)
    wanted = None if wanted is None else spread(wanted, shape)
    found = reach(machine, address, wanted, name)
    if new.marks is not None:
        tell(machine, found, new.marks, dtype)
    old: list[Any] = [0.0 if dtype.family == "f" else 0] * len(address.data)
    marks = [UNDEFINED] * len(old)
    clashed = False  # told once an operation
    for place, (lane, element) in enumerate(zip(found.lanes, found.elements, strict=True)):
        array = found.array_of(place)
        if array.dtype is not dtype:
            raise KernelError(f"{name} on {array.dtype} memory through a {dtype} pointer is not simulated")
        old[lane], marks[lane] = array.data[element], UNDEFINED if element in array.unwritten else 0
        result = combine(array.data[element], new.data[lane])
        array.data[element] = rounded([result], dtype)[0] if dtype.family == "f" else wrapped([result], dtype)[0][0]
        array.unwritten.discard(element)
        machine.count("atomics", array, 1)
        _order(machine, array, element, sem)
        other = machine.traffic_of(array).update(element, machine.program, machine.known) if machine.checks else None
        if other is not None and not clashed:
            clashed = True
            report_race(machine, name, array, element, other, lane=lane)
    if machine.recorder is not None:
        machine.recorder.access(name, address, found, old)
    return Tile(old, shape, dtype, marks if any(marks) else None)


def _order(machine: Machine, array: Array, element: int, sem: Any) -> None:
    """Whoever released this element before is known to this program from now on, with all that it knew."""
    if sem == "relaxed":
        return
    released = machine.released.setdefault((id(array), element), set())
    if sem != "release":
        machine.known |= released
    if sem != "acquire":
        released |= machine.known | {machine.program}


def _atomic(name: str, combine: Callable[[Any, Any], Any]) -> Callable[..., Tile]:
    def function(
        machine: Machine, pointer: Any, val: Any, mask: Any = None, sem: Any = None, scope: Any = None
    ) -> Tile:
        _updatable(name, element_type(tile(pointer), name))
        return _update(machine, pointer, val, mask, sem, scope, name, combine)

    function.__name__ = name
    return function


atomic_add = _atomic("atomic_add", operator.add)
atomic_max = _atomic("atomic_max", larger)
atomic_min = _atomic("atomic_min", smaller)
atomic_and = _atomic("atomic_and", operator.and_)
atomic_or = _atomic("atomic_or", operator.or_)
atomic_xor = _atomic("atomic_xor", operator.xor)
atomic_xchg = _atomic("atomic_xchg", lambda old, new: new)


def atomic_cas(machine: Machine, pointer: Any, cmp: Any, val: Any, sem: Any = None, scope: Any = None) -> Tile:
    """Write ``val`` where memory equals ``cmp``; returns what was there."""
    dtype = element_type(tile(pointer), "atomic_cas")
    if dtype.bits < 16:
        raise KernelError(f"atomic_cas does not exist for {dtype}", kind="refused")
    for part in (tile(cmp), tile(val)):
        if part.dtype != dtype:
            raise KernelError(f"atomic_cas of {dtype} takes {dtype}, not {part.dtype}; cast it", kind="refused")
    expected = spread(cast(cmp, dtype), tile(pointer).shape)
    wanted = iter(expected.data)

    def swapped(old: Any, new: Any) -> Any:
        return new if old == next(wanted) else old

    return _update(machine, pointer, val, None, sem, scope, "atomic_cas", swapped)
