"""triton.jit: calling a kernel function, and launching a grid of programs."""

import inspect
import itertools
from collections.abc import Callable, Mapping
from typing import Any

from sim.tl.blocks import Descriptor, View
from sim.tl.branches import Names
from sim.tl.constexpr import is_constexpr_annotation, plain
from sim.tl.dtypes import float32, float64, int1, int32, int64, literal_type, pointer_to, uint64
from sim.tl.errors import KernelError
from sim.tl.helper import Helper
from sim.tl.machine import Machine
from sim.tl.memory import Array
from sim.tl.merging import kind, specialised
from sim.tl.reports import Program
from sim.tl.rules import check_function
from sim.tl.source import definition, place, runnable
from sim.tl.tile import Tile, constant

OPTIONS = {
    "num_warps", "num_stages", "num_ctas", "maxnreg", "warmup", "launch_cooperative_grid", "debug", "enable_fp_fusion",
    "sanitize_overflow", "allow_flush_denorm", "launch_pdl", "waves_per_eu", "matrix_instr_nonkdim",
}  # fmt: skip


class Kernel:
    """A @triton.jit function: called from kernels, or launched as ``kernel[grid](...)``."""

    def __init__(self, machine: Machine, function: Callable[..., Any]) -> None:
        self.machine, self.fn = machine, function
        self.__name__, self.__doc__ = function.__name__, function.__doc__
        self.__module__ = function.__module__
        self.signature = inspect.signature(function)
        self.arg_names = list(self.signature.parameters)
        self.constexprs = {
            name
            for name, parameter in self.signature.parameters.items()
            if is_constexpr_annotation(parameter.annotation)
        }
        self._built: dict[bool, Any] = {}
        self._checked: set[Any] = set()
        self._names_read: Names | None = None

    @property
    def first_line(self) -> int:
        """The line of the file where the function (or its first decorator) begins."""
        return self.fn.__code__.co_firstlineno

    def _names(self) -> Names:
        if self._names_read is None:
            self._names_read = Names(definition(self.machine, self.fn))
        return self._names_read

    def built(self, traced: bool) -> Any:
        """The function as the compiler means it, and its statements."""
        if traced not in self._built:
            self._built[traced] = runnable(self.machine, self.fn, self._names(), Helper(self.machine), traced)
        return self._built[traced]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        machine = self.machine
        if machine.program_runs is False:
            raise KernelError(f"{self.__name__} is a kernel function: launch it as {self.__name__}[grid](...)")
        machine.step()
        bound = self.signature.bind(*args, **kwargs)
        bound.apply_defaults()
        if any(kernel is self for kernel, _ in machine.calls):
            machine.rule("recursion", f"{self.__name__} calls itself", "a loop")
        values = {name: plain(value) for name, value in bound.arguments.items()}
        returned = self.run_body(values)
        other = machine.merges.other(("return", self, specialised(values)), as_tile(returned))
        if other:
            text = f"{self.__name__} returns {other} on one way and {kind(as_tile(returned))} on another"
            machine.rule("equal returns", text, "one type at every return")
        return returned

    def run_body(self, values: Mapping[str, Any]) -> Any:
        """One call, with a value for every parameter."""
        machine = self.machine
        self._check(values)
        recorder = machine.recorder
        function, statements = self.built(recorder is not None)
        arguments = self._arguments(values)
        machine.calls.append((self, values))
        if recorder is not None:
            recorder.enter(self.__name__, function.__code__.co_firstlineno, statements)
        try:
            return function(*arguments[0], **arguments[1])
        finally:
            machine.calls.pop()
            if recorder is not None:
                recorder.leave()

    def _arguments(self, values: Mapping[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        positional: list[Any] = []
        keyword: dict[str, Any] = {}
        for name, parameter in self.signature.parameters.items():
            if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
                positional += values[name]
            elif parameter.kind is inspect.Parameter.VAR_KEYWORD:
                keyword.update(values[name])
            elif parameter.kind is inspect.Parameter.KEYWORD_ONLY:
                keyword[name] = values[name]
            else:
                positional.append(values[name])
        return positional, keyword

    def _check(self, values: Mapping[str, Any]) -> None:
        """The rules on how a kernel is written, once for every set of values known when compiling."""
        known = {name: value for name, value in values.items() if not _holds_tile(value)}
        key = tuple(sorted((name, repr(value)) for name, value in known.items()))
        if key not in self._checked:
            self._checked.add(key)
            check_function(self.machine, self.fn, self._names(), known)

    def __getitem__(self, grid: Any) -> Callable[..., None]:
        return lambda *args, **kwargs: self.launch(grid, args, kwargs)

    def launch(self, grid: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
        """Run every program of the grid, the first axis fastest. Raises KernelError with the line."""
        options = {name for name in kwargs if name in OPTIONS and name not in self.arg_names}
        try:
            bound = self.signature.bind(*args, **{name: v for name, v in kwargs.items() if name not in options})
        except TypeError as error:
            raise KernelError(f"{self.__name__}: {error}", line=self.first_line) from None
        bound.apply_defaults()
        given = {name: plain(value) for name, value in bound.arguments.items()}
        sizes = grid(given) if callable(grid) else grid
        axes = tuple(int(size) for size in (sizes if isinstance(sizes, (tuple, list)) else (sizes,)))
        whole: Program = (*axes, 1, 1, 1)[:3]  # type: ignore[assignment]
        values = {
            name: value if name in self.constexprs else argument(self.machine, value) for name, value in given.items()
        }
        self.run_grid(whole, values)

    def run_grid(self, grid: Program, values: Mapping[str, Any]) -> None:
        """Every program in turn, with the kernel's parameters as ``values``."""
        machine = self.machine
        machine.grid = grid
        recorder = machine.recorder
        machine.program_runs = True
        try:
            for z, y, x in itertools.product(*(range(size) for size in reversed(grid))):
                machine.enter((x, y, z))
                machine.recorder = recorder if recorder is not None and recorder.program == (x, y, z) else None
                self.run_body(values)
                machine.leave()
        except KernelError as error:
            error.line = place(machine, error) if error.line is None else error.line
            raise
        except RecursionError:
            raise KernelError("a kernel function calls itself without an end") from None
        except (Exception, SystemExit) as error:
            raise KernelError(f"{type(error).__name__}: {error}", line=place(machine, error)) from error
        finally:
            machine.recorder = recorder
            machine.program_runs = False


def _holds_tile(value: Any) -> bool:
    if isinstance(value, tuple):
        return any(map(_holds_tile, value))
    return isinstance(value, (Tile, Descriptor)) or hasattr(value, "block_shape")


def as_tile(value: Any) -> Any:
    """A returned number as the scalar tile that it becomes; anything else as it is."""
    if isinstance(value, tuple):
        return tuple(map(as_tile, value))
    return constant(value, literal_type(value)) if isinstance(value, (bool, int, float)) else value


def argument(machine: Machine, value: Any) -> Any:
    """A launch argument as kernels see it: arrays as pointers, numbers as scalars."""
    value = machine.adopt(value)
    if isinstance(value, Array):
        machine.space.place(value)
        return Tile([value.base], (), pointer_to(value.dtype, value))
    if isinstance(value, bool):
        return constant(value, int1)
    if isinstance(value, int):
        small = -(2**31) <= value < 2**31
        return constant(value, int32 if small else int64 if value < 2**63 else uint64)
    if isinstance(value, float):
        return constant(value, float32 if abs(value) <= 3.4028235677973366e38 or value != value else float64)
    if isinstance(value, HostDescriptor):
        base = argument(machine, value.base)
        view = View(machine, base, tuple(value.shape), tuple(value.strides), tuple(value.block_shape))
        return Descriptor(view, value.padding)
    if isinstance(value, tuple):
        return tuple(argument(machine, part) for part in value)
    return value


class HostDescriptor:
    """triton.tools.tensor_descriptor.TensorDescriptor: made on the host, read by the kernel."""

    def __init__(self, base: Any, shape: Any, strides: Any, block_shape: Any, padding: str = "zero") -> None:
        self.base, self.shape, self.strides = base, list(shape), list(strides)
        self.block_shape, self.padding = list(block_shape), padding

    @classmethod
    def from_tensor(cls, tensor: Any, block_shape: Any, padding: str = "zero") -> "HostDescriptor":
        """The whole of an array, row by row."""
        shape = tuple(tensor.shape)
        if hasattr(tensor, "stride"):
            steps = tuple(tensor.stride())
        else:
            from sim.tl.lanes import strides

            steps = strides(shape)
        return cls(tensor, shape, steps, block_shape, padding)
