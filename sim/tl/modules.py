"""The modules that a kernel file sees as `triton` and `triton.language`, bound to one machine."""

import functools
import types
from collections.abc import Callable
from typing import Any

from sim.tl import access, blocks, dtypes, elementwise, jit, product, shapes, stores, tuning
from sim.tl.constexpr import constexpr, plain
from sim.tl.errors import KernelError, UnknownName
from sim.tl.helper import Helper, Range
from sim.tl.machine import Machine
from sim.tl.tile import MOST_LANES, Tile, cast, tile

VERSION = "3.7.1"  # whose behaviour is followed


class Namespace(types.ModuleType):
    """A module that names what it does not have."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        late = self.__dict__.pop("__late__", None)
        if late is not None:
            self.__dict__.update(late())
            return getattr(self, name)
        raise UnknownName(name, self.__name__)


def namespace(name: str, late: Callable[[], dict[str, Any]] | None = None, **content: Any) -> Namespace:
    """A module called ``name``; ``late`` gives the rest of its content when a name is not there yet."""
    module = Namespace(name)
    module.__dict__.update(content)
    module.__dict__.setdefault("__path__", [])
    if late is not None:
        module.__dict__["__late__"] = late
    return module


def rare(machine: Machine) -> dict[str, Any]:
    """See ``sim.tl.rare``."""
    from sim.tl.rare import rare_names

    return rare_names(machine)


def device_functions() -> dict[str, Any]:
    """See ``sim.tl.libdevice``."""
    from sim.tl.libdevice import functions

    return functions()


class Const:
    """tl.const: annotates a pointer that nothing is stored through; not checked here."""


class PropagateNan:
    """What tl.maximum and tl.minimum do with NaN."""

    NONE = 0
    ALL = 1


def cdiv(x: Any, y: Any) -> Any:
    """triton.cdiv on the host and in kernels."""
    return -(-x // y) if not isinstance(x, Tile) and not isinstance(y, Tile) else elementwise.cdiv(x, y)


def next_power_of_2(n: Any) -> int:
    """triton.next_power_of_2."""
    return shapes.power_of_two(int(n))


def _same(value: Any, *hints: Any) -> Any:
    """Hints to the compiler change no value."""
    return value


def _program(machine: Machine, field: str, axis: Any) -> Tile:
    place = int(axis)
    if not 0 <= place <= 2:
        raise KernelError(f"axis {place}; allowed: 0, 1, 2", kind="refused")
    return Tile([getattr(machine, field)[place]], (), dtypes.int32)


def _static_assert(condition: Any, message: Any = "") -> None:
    if not condition:
        raise KernelError(f"static_assert does not hold: {message}", kind="refused")


def _static_range(*bounds: Any, **hints: Any) -> range:
    for bound in bounds:
        if isinstance(bound, Tile):
            raise KernelError("tl.static_range needs numbers that are known when compiling", kind="refused")
    return range(*(int(bound) for bound in bounds))


def _to_tensor(value: Any) -> Tile:
    return tile(value)


def _nothing(*values: Any, **options: Any) -> None:
    return None


def language(machine: Machine) -> Namespace:
    """`triton.language`."""
    helper = Helper(machine)
    taking_machine: dict[str, Callable[..., Any]] = {
        "load": access.load, "store": stores.store, "dot": product.dot, "arange": shapes.arange, "full": shapes.full,
        "zeros": shapes.zeros, "make_block_ptr": blocks.make_block_ptr,
        "make_tensor_descriptor": blocks.make_tensor_descriptor,
    }  # fmt: skip
    bound = {name: functools.partial(function, machine) for name, function in taking_machine.items()}

    def program_id(axis: Any = 0) -> Tile:
        return _program(machine, "program", axis)

    def num_programs(axis: Any = 0) -> Tile:
        return _program(machine, "grid", axis)

    shared = {
        "program_id": program_id, "num_programs": num_programs, "range": functools.partial(Range, machine),
        "static_range": _static_range, "static_assert": _static_assert, "static_print": helper.print_,
        "device_print": helper.print_, "device_assert": helper.check, "debug_barrier": _nothing, "assume": _nothing,
        "multiple_of": _same, "max_contiguous": _same, "max_constancy": _same, "to_tensor": _to_tensor,
        "constexpr": constexpr, "const": Const, "tensor": Tile, "dtype": dtypes.DType,
        "pointer_type": dtypes.pointer_to,
        "block_type": dtypes.BlockType, "PropagateNan": PropagateNan, "TRITON_MAX_TENSOR_NUMEL": MOST_LANES,
        "tensor_descriptor": blocks.Descriptor, "void": dtypes.void, "tuple": tuple,
        "advance": blocks.advance, "cast": cast, "where": shapes.where, "broadcast": shapes.broadcast,
        "broadcast_to": shapes.broadcast_to, "zeros_like": shapes.zeros_like, "reshape": shapes.reshape,
        "view": shapes.reshape, "ravel": shapes.ravel, "expand_dims": shapes.expand_dims, "trans": shapes.trans,
        "unsqueeze": shapes.expand_dims, "squeeze": shapes.squeeze,
        "permute": shapes.permute, "join": shapes.join, "interleave": shapes.interleave, "split": shapes.split,
        "cat": shapes.cat, "flip": shapes.flip, "gather": shapes.gather,
        "cdiv": elementwise.cdiv, "add": elementwise.add, "sub": elementwise.sub,
        "mul": elementwise.mul, "maximum": elementwise.maximum, "minimum": elementwise.minimum,
        "clamp": elementwise.clamp,
        "load_tensor_descriptor": lambda descriptor, offsets: descriptor.load(offsets),
        "store_tensor_descriptor": lambda descriptor, offsets, value: descriptor.store(offsets, value),
        **dtypes_by_triton_name(), **mathematics(),
    }  # fmt: skip
    return namespace("triton.language", functools.partial(rare, machine), **bound, **shared)


def dtypes_by_triton_name() -> dict[str, Any]:
    """int1 … float64, float8e5, float8e4nv."""
    spelled = {"fp16": "float16", "bf16": "bfloat16", "fp32": "float32", "fp64": "float64"}
    return {spelled.get(name, name.replace("fp8", "float8")): dtype for name, dtype in dtypes.BY_NAME.items()}


def int_dtype(bitwidth: int, signed: bool) -> dtypes.DType:
    """The integer type of that width."""
    return dtypes.BY_NAME[f"{'' if signed or bitwidth == 1 else 'u'}int{bitwidth}"]


def mathematics() -> dict[str, Any]:
    """What `tl` and `tl.math` share."""
    names = (
        "exp", "exp2", "log", "log2", "sqrt", "rsqrt", "sin", "cos", "erf", "floor", "ceil", "sigmoid", "fma", "fdiv",
        "div_rn", "sqrt_rn", "umulhi",
    )  # fmt: skip
    return {**{name: getattr(elementwise, name) for name in names}, "abs": abs_}


def abs_(x: Any) -> Any:
    """tl.abs."""
    return abs(tile(x) if not isinstance(x, Tile) else x)


def modules(machine: Machine) -> dict[str, Namespace]:
    """Every module by its dotted name, for ``source.executed``."""
    tl = language(machine)
    common = {name: value for name, value in vars(tl).items() if not name.startswith("__")}

    def core() -> dict[str, Any]:
        own = {"CONSTEXPR_0": constexpr(0), "_unwrap_if_constexpr": plain, "get_int_dtype": int_dtype, "_log2": _log2}
        return {**common, **rare(machine), **own}

    device = namespace("triton.language.extra.libdevice", device_functions)
    cuda = namespace(
        "triton.language.extra.cuda", libdevice=device, gdc_wait=_nothing, gdc_launch_dependents=_nothing
    )  # fmt: skip
    extra = namespace("triton.language.extra", libdevice=device, cuda=cuda)
    math = namespace("triton.language.math", lambda: {**device_functions(), **mathematics()}, **mathematics())
    parts = {name: namespace(f"triton.language.{name}", core) for name in ("core", "standard", "random")}
    tl.__dict__.update(math=math, extra=extra, **parts)
    runtime = namespace("triton.runtime", JITFunction=jit.Kernel, driver=_Driver(), Autotuner=tuning.Wrapped)
    descriptor = namespace("triton.tools.tensor_descriptor", TensorDescriptor=jit.HostDescriptor)
    tools = namespace("triton.tools", tensor_descriptor=descriptor)
    top = namespace(
        "triton", __version__=VERSION, language=tl, runtime=runtime, tools=tools, jit=functools.partial(_jit, machine),
        autotune=functools.partial(tuning.autotune, machine), heuristics=tuning.heuristics, Config=tuning.Config,
        cdiv=cdiv, next_power_of_2=next_power_of_2, JITFunction=jit.Kernel, constexpr_function=_known,
        set_allocator=_nothing, KernelInterface=jit.Kernel,
    )  # fmt: skip
    found = [tl, device, cuda, extra, math, *parts.values(), runtime, descriptor, tools, top]
    return {module.__name__: module for module in found}


def _jit(machine: Machine, function: Any = None, **options: Any) -> Any:
    if function is None:
        return functools.partial(_jit, machine)
    return jit.Kernel(machine, function)


def _known(function: Any) -> Any:
    """triton.constexpr_function: runs when compiling, which is now."""
    function.__sim_tl__ = True
    return function


def _log2(number: Any) -> int:
    return int(number).bit_length() - 1


class _Target:
    backend, arch, warp_size = "cuda", 80, 32


class _Driver:
    """What host code asks about the GPU: there is none; it looks like an sm_80 with 108 multiprocessors."""

    @property
    def active(self) -> "_Driver":
        return self

    @property
    def utils(self) -> "_Driver":
        return self

    def get_current_target(self) -> type[_Target]:
        return _Target

    def get_current_device(self) -> int:
        return 0

    def get_device_properties(self, device: int) -> dict[str, int]:
        return {"multiprocessor_count": 108, "max_shared_mem": 166912}
