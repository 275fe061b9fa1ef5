"""Cases of flag-gems (PyTorch's operators)."""

from typing import Any

import torch

from tests.tl.acceptance.hosts import Case, Cases, got, real


def op(file: str, *arguments: Any, name: str = "", folder: str = "ops", **options: Any) -> Case:
    """One operator; a file mostly has the operator of its name."""
    return lambda: got(f"flag_gems.{folder}.{file}", name or file)(
        *[a() if callable(a) else a for a in arguments], **options
    )


def x(*shape: int) -> Any:
    """A maker of normal numbers."""
    return lambda: real(*shape)


def positive(*shape: int) -> Any:
    """A maker of positive numbers."""
    return lambda: real(*shape).abs()


def whole(*shape: int, most: int = 9) -> Any:
    """A maker of small whole numbers."""
    return lambda: torch.randint(0, most, shape)


def truth(*shape: int) -> Any:
    """A maker of bools."""
    return lambda: torch.rand(*shape) > 0.5


ONE = [
    "abs",
    "ceil",
    "cos",
    "erf",
    "exp",
    "exp2",
    "neg",
    "reciprocal",
    "relu",
    "rsqrt",
    "sigmoid",
    "silu",
    "sin",
    "sqrt",
    "tanh",
    "square",
    "log",
    "isnan",
    "isinf",
    "isfinite",
]
TWO = ["add", "sub", "mul", "div", "eq", "ne", "lt", "le", "gt", "ge", "pow"]
NAMES = {"div": "true_divide", "pow": "pow_tensor_tensor"}


def asks_torch(file: str, name: str, reference: Any, arguments: tuple[Any, ...]) -> None:
    """An operator whose kernel the interpreter gets wrong: torch decides."""
    out = got(f"flag_gems.ops.{file}", name)(*arguments)
    want = reference(*arguments)
    firsts = [part[0] if isinstance(part, tuple) else part for part in (out, want)]
    torch.testing.assert_close(*firsts)


def cases() -> Cases:
    """Pointwise operators (generated code), reductions, shapes, matrix products, normalization, loss."""
    return {
        **{name: op(name, positive(3, 40) if name in ("log", "sqrt", "rsqrt") else x(3, 40)) for name in ONE},
        **{name: op(name, x(3, 40), x(3, 40), name=NAMES.get(name, name)) for name in TWO},
        "add broadcast": op("add", x(3, 1, 5), x(4, 5)),
        "bitwise and": op("bitwise_and", whole(3, 40), whole(3, 40), name="bitwise_and_tensor"),
        "logical or": op("logical_or", truth(3, 40), truth(3, 40)),
        "clamp": op("clamp", x(3, 40), -0.5, 0.5),
        "gelu": op("gelu", x(3, 40)),
        "lerp": op("lerp", x(3, 40), x(3, 40), 0.3, name="lerp_scalar"),
        "masked fill": op("masked_fill", x(3, 40), truth(3, 40), 1.5),
        "fill": op("fill", x(3, 40), 2.5, name="fill_scalar"),
        "softmax": op("softmax", x(6, 40), 1),
        "softmax of columns": op("softmax", x(6, 40), 0),
        "log softmax": op("log_softmax", x(6, 40), 1),
        "sum": op("sum", x(6, 40)),
        "sum of rows": op("sum", x(6, 40), [1], name="sum_dim"),
        "mean": op("mean", x(6, 40)),
        "mean of rows": op("mean", x(6, 40), [1], name="mean_dim"),
        "max": op("max", x(6, 40)),
        "max of rows": op("max", x(6, 40), 1, name="max_dim"),
        "min of rows": op("min", x(6, 40), 1, name="min_dim"),
        "amax": op("amax", x(6, 40), [1]),
        "argmax": op("argmax", x(6, 40), 1),
        "argmin": op("argmin", x(6, 40), 1),
        "all": op("all", truth(6, 40)),
        "any of rows": lambda: asks_torch("any", "any_dim", torch.any, (torch.rand(6, 40) > 0.98, 1)),
        "prod": op("prod", x(6, 40)),
        "var mean": op("var_mean", x(6, 40), [1]),
        "std": op("std", x(6, 40), [1]),
        "count nonzero": op("count_nonzero", whole(6, 40, most=3)),
        "cumsum": op("cumsum", x(6, 40), 1),
        "cummax": op("cummax", x(6, 40), 1),
        "vector norm": op("vector_norm", x(6, 40)),
        "mm": op("mm", x(20, 40), x(40, 24)),
        "bmm": op("bmm", x(2, 20, 40), x(2, 40, 24)),
        "addmm": op("addmm", x(24), x(20, 40), x(40, 24)),
        "mv": op("mv", x(20, 40), x(40)),
        "dot": op("dot", x(100), x(100)),
        "outer": op("outer", x(20), x(30), folder="fused"),
        "layer norm": op("layernorm", x(6, 40), [40], x(40), x(40), name="layer_norm"),
        "group norm": op("groupnorm", x(2, 6, 10), x(6), x(6), 2, 6, 10, 3, name="group_norm"),
        "rms norm": op("rms_norm", x(6, 40), [40], x(40)),
        "triu": op("triu", x(9, 12), 1),
        "tril": op("tril", x(9, 12)),
        "flip": op("flip", x(3, 40), [1]),
        "cat": op("cat", lambda: [real(3, 40), real(2, 40)], 0),
        "stack": op("stack", lambda: [real(3, 40), real(3, 40)], 0),
        "repeat": op("repeat", x(3, 4), (2, 3)),
        "tile": op("tile", x(3, 4), (2, 3)),
        "pad": op("pad", x(3, 40), (1, 2), "constant", 0.5),
        "embedding": op("embedding", x(10, 40), whole(2, 3)),
        "gather": op("gather", x(6, 40), 1, whole(6, 5)),
        "scatter": op("scatter", x(6, 40), 1, whole(6, 5), x(6, 5)),
        "index select": op("index_select", x(6, 40), 0, whole(4, most=6)),
        "index add": op("index_add", x(6, 40), 0, whole(4, most=6), x(4, 40)),
        "masked select": op("masked_select", x(6, 40), truth(6, 40)),
        "nonzero": op("nonzero", whole(6, 40, most=2)),
        "sort": op("sort", x(3, 32)),
        "topk": op("topk", x(3, 32), 4),
        "isin": lambda: asks_torch(
            "isin", "isin", torch.isin, (torch.randint(0, 9, (3, 40)), torch.randint(0, 9, (4,)))
        ),
        "unique": op("unique", whole(40), name="_unique2"),
        "arange": op("arange", 40, device="cpu"),
        "linspace": op("linspace", 0.0, 1.0, 40, device="cpu"),
        "eye": op("eye", 7, device="cpu"),
        "full": op("full", (3, 40), 2.5, device="cpu"),
        "zeros": op("zeros", (3, 40), device="cpu"),
        "diag": op("diag", x(7)),
        "kron": op("kron", x(3, 4), x(2, 5)),
        "conv1d": op("conv1d", x(1, 4, 20), x(8, 4, 3)),
        "conv2d": op("conv2d", x(1, 4, 8, 8), x(8, 4, 3, 3)),
        "max pool": op("max_pool2d_with_indices", x(1, 4, 8, 8), 2),
        "nll loss": lambda: asks_torch(
            "nllloss",
            "nll_loss_forward",
            torch.nn.functional.nll_loss,
            (real(6, 9).log_softmax(-1), torch.randint(0, 9, (6,))),
        ),
        "mse loss": op("mse_loss", x(3, 40), x(3, 40)),
        "weight norm": lambda: asks_torch(
            "weightnorm", "weight_norm_interface", torch._weight_norm_interface, (real(6, 40), real(6, 1), 0)
        ),
        "silu and mul": op("silu_and_mul", x(3, 40), x(3, 40), folder="fused"),
        "gelu and mul": op("gelu_and_mul", x(3, 40), x(3, 40), folder="fused"),
        "skip layer norm": op(
            "skip_layernorm", x(6, 40), x(6, 40), [40], x(40), x(40), name="skip_layer_norm", folder="fused"
        ),
        "add rms norm": op("fused_add_rms_norm", x(6, 40), x(6, 40), [40], x(40), folder="fused"),
    }
