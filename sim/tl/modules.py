"""The modules that a kernel file sees as `triton` and `triton.language`, bound to one machine."""

import functools
import types
from collections.abc import Callable
from typing import Any

from sim.tl import access, blocks, dtypes, elementwise, jit, known, product, rearrange, shapes, stores, tuning
from sim.tl.constexpr import constexpr, plain
from sim.tl.errors import UnknownName
from sim.tl.helper import Helper, Range
from sim.tl.machine import Machine
from sim.tl.tile import MOST_LANES, Tile, cast, tile

VERSION = "3.7.1"  # whose behaviour is followed
# Which names of `tl` are defined in these modules of it; most others in triton.language.core.
STANDARD = (
    "argmax", "argmin", "cdiv", "cumprod", "cumsum", "flip", "interleave", "max", "min", "ravel", "reduce_or",
    "sigmoid", "softmax", "sort", "squeeze", "sum", "swizzle2d", "topk", "unsqueeze", "xor_sum", "zeros", "zeros_like",
    "_log2",
)  # fmt: skip
RANDOM = (
    "pair_uniform_to_normal", "philox", "rand", "rand4x", "randint", "randint4x", "randn", "randn4x",
    "uint_to_uniform_float",
)  # fmt: skip


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


def language(machine: Machine) -> Namespace:
    """`triton.language`."""
    helper = Helper(machine)
    taking_machine: dict[str, Callable[..., Any]] = {
        "load": access.load, "store": stores.store, "dot": product.dot, "arange": shapes.arange, "full": shapes.full,
        "zeros": shapes.zeros, "make_block_ptr": blocks.make_block_ptr,
        "make_tensor_descriptor": blocks.make_tensor_descriptor,
    }  # fmt: skip
    bound = {name: functools.partial(function, machine) for name, function in taking_machine.items()}

    def program_id(axis: Any) -> Tile:
        return known.program(machine, "program", axis)

    def num_programs(axis: Any) -> Tile:
        return known.program(machine, "grid", axis)

    shared = {
        "program_id": program_id, "num_programs": num_programs, "range": functools.partial(Range, machine),
        "static_range": known.static_range, "static_assert": known.static_assert, "static_print": helper.static_print,
        "device_print": helper.print_, "device_assert": helper.check, "debug_barrier": known.nothing,
        "assume": helper.assume,
        **dict.fromkeys(("multiple_of", "max_contiguous", "max_constancy"), known.hinted), "to_tensor": known.to_tensor,
        "constexpr": constexpr, "const": Const, "tensor": Tile, "dtype": dtypes.DType,
        "pointer_type": known.pointer_type,
        "block_type": dtypes.BlockType, "PropagateNan": PropagateNan, "TRITON_MAX_TENSOR_NUMEL": MOST_LANES,
        "tensor_descriptor": blocks.Descriptor, "void": dtypes.void, "tuple": tuple,
        "advance": blocks.advance, "cast": cast, "where": shapes.where, "broadcast": shapes.broadcast,
        "broadcast_to": shapes.broadcast_to, "zeros_like": shapes.zeros_like, "reshape": shapes.reshape,
        "view": shapes.view, "ravel": shapes.ravel, "expand_dims": shapes.expand_dims, "trans": shapes.trans,
        "unsqueeze": shapes.unsqueeze, "squeeze": shapes.squeeze,
        "permute": shapes.permute, "join": rearrange.join, "interleave": rearrange.interleave, "split": rearrange.split,
        "cat": rearrange.cat, "flip": rearrange.flip, "gather": rearrange.gather,
        "cdiv": elementwise.cdiv, "add": elementwise.add, "sub": elementwise.sub,
        "mul": elementwise.mul, "maximum": elementwise.maximum, "minimum": elementwise.minimum,
        "clamp": elementwise.clamp,
        "load_tensor_descriptor": lambda desc, offsets: desc.load(offsets),
        "store_tensor_descriptor": lambda desc, offsets, value: desc.store(offsets, value),
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
        own = {"CONSTEXPR_0": constexpr(0), "_unwrap_if_constexpr": plain, "get_int_dtype": int_dtype}
        return {**common, **rare(machine), **own, "_log2": known.log2}

    device = namespace("triton.language.extra.libdevice", device_functions)
    cuda = namespace(
        "triton.language.extra.cuda", libdevice=device, gdc_wait=known.nothing, gdc_launch_dependents=known.nothing
    )  # fmt: skip
    extra = namespace("triton.language.extra", libdevice=device, cuda=cuda)
    math = namespace("triton.language.math", **_but(mathematics(), "sigmoid"))
    parts = {"core": namespace("triton.language.core", lambda: _but(core(), *STANDARD, *RANDOM, *vars(math)))}
    parts["standard"] = namespace("triton.language.standard", lambda: _only(core(), STANDARD))
    parts["random"] = namespace("triton.language.random", lambda: _only(core(), RANDOM))
    tl.__dict__.update(math=math, extra=extra, **parts)
    runtime = namespace("triton.runtime", JITFunction=jit.Kernel, driver=known.Driver(), Autotuner=tuning.Wrapped)
    descriptor = namespace("triton.tools.tensor_descriptor", TensorDescriptor=jit.HostDescriptor)
    tools = namespace("triton.tools", tensor_descriptor=descriptor)
    top = namespace(
        "triton", __version__=VERSION, language=tl, runtime=runtime, tools=tools, jit=functools.partial(_jit, machine),
        autotune=functools.partial(tuning.autotune, machine), heuristics=tuning.heuristics, Config=tuning.Config,
        cdiv=known.of_numbers("cdiv", known.cdiv, "use tl.cdiv"),
        next_power_of_2=known.of_numbers("next_power_of_2", known.next_power_of_2, "make it a tl.constexpr parameter"),
        constexpr_function=known.known, set_allocator=known.set_allocator, JITFunction=jit.Kernel,
        KernelInterface=jit.Kernel,
    )  # fmt: skip
    found = [tl, device, cuda, extra, math, *parts.values(), runtime, descriptor, tools, top]
    return {module.__name__: module for module in found}


def _jit(
    machine: Machine, fn: Any = None, *, version: Any = None, repr: Any = None, launch_metadata: Any = None,
    do_not_specialize: Any = None, do_not_specialize_on_alignment: Any = None, debug: Any = None, noinline: Any = None,
) -> Any:  # fmt: skip
    """triton.jit; the options change nothing that is simulated."""
    return functools.partial(_jit, machine) if fn is None else jit.Kernel(machine, fn)


def _only(names: dict[str, Any], wanted: tuple[str, ...]) -> dict[str, Any]:
    return {name: names[name] for name in wanted}


def _but(names: dict[str, Any], *unwanted: str) -> dict[str, Any]:
    return {name: value for name, value in names.items() if name not in unwanted}
