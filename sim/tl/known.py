"""Small names of `triton` and `tl`: what the host computes, hints to the compiler, what is known when compiling."""

import inspect
from collections.abc import Callable
from typing import Any

from sim.tl import dtypes, shapes
from sim.tl.errors import KernelError
from sim.tl.machine import Machine
from sim.tl.tile import Tile, tile


def cdiv(x: int, y: int) -> int:
    """triton.cdiv."""
    return -(-x // y)


def next_power_of_2(n: int) -> int:
    """triton.next_power_of_2."""
    return shapes.power_of_two(int(n))


def hinted(input: Any, values: Any) -> Any:
    """tl.multiple_of and the like: hints to the compiler, which change no value and are not checked."""
    return input


def of_numbers(name: str, function: Callable[..., Any], instead: str) -> Callable[..., Any]:
    """A function of the host, which a kernel may call with numbers that are known when compiling only."""

    def called(*numbers: Any) -> Any:
        if any(isinstance(number, Tile) for number in numbers):
            text = f"triton.{name} in a kernel is for numbers that are known when compiling; {instead}"
            raise KernelError(text, kind="refused")
        return function(*numbers)

    called.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    return called


def program(machine: Machine, field: str, axis: Any) -> Tile:
    place = int(axis)
    if not 0 <= place <= 2:
        raise KernelError(f"axis {place}; allowed: 0, 1, 2", kind="refused")
    return Tile([getattr(machine, field)[place]], (), dtypes.int32)


def static_assert(cond: Any, msg: Any = "", /) -> None:
    if isinstance(cond, Tile):
        raise KernelError("static_assert needs what is known when compiling; use tl.device_assert", kind="refused")
    if not cond:
        raise KernelError(f"static_assert does not hold: {msg}", kind="refused")


def static_range(arg1: Any, arg2: Any = None, step: Any = None) -> range:
    bounds = [bound for bound in (arg1, arg2, step) if bound is not None]
    for bound in bounds:
        if isinstance(bound, Tile):
            raise KernelError("tl.static_range needs numbers that are known when compiling", kind="refused")
    first, last = (0, arg1) if arg2 is None else (arg1, arg2)
    return range(int(first), int(last), 1 if step is None else int(step))


def to_tensor(x: Any) -> Tile:
    return tile(x)


def pointer_type(element_ty: Any, address_space: int = 1, const: bool = False) -> Any:
    return dtypes.pointer_to(element_ty)


def nothing() -> None:
    """Barriers and hints about the launch: programs run one after another here."""


def set_allocator(allocator: Any) -> None:
    """triton.set_allocator: descriptors made in a kernel need no memory here."""


def known(fn: Any) -> Any:
    """triton.constexpr_function: runs when compiling, which is now."""
    fn.__sim_tl__ = True
    return fn


def log2(number: Any) -> int:
    return int(number).bit_length() - 1


class Target:
    backend, arch, warp_size = "cuda", 80, 32


class Driver:
    """What host code asks about the GPU: there is none; it looks like an sm_80 with 108 multiprocessors."""

    @property
    def active(self) -> "Driver":
        return self

    @property
    def utils(self) -> "Driver":
        return self

    def get_current_target(self) -> type[Target]:
        return Target

    def get_current_device(self) -> int:
        return 0

    def get_device_properties(self, device: int) -> dict[str, int]:
        return {"multiprocessor_count": 108, "max_shared_mem": 166912}
