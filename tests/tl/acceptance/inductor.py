"""Runs in its own process with the real Triton: lets TorchInductor write Triton kernels on a machine without a GPU.

Usage: inductor.py FOLDER. Torch functions are compiled with cpu_backend "triton"; the text that Inductor writes is
caught before anything would be compiled, and kept with the inputs and torch's own results. Private API of torch.
"""

import importlib
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F


def functions() -> dict[str, tuple[Callable[..., Any], tuple[torch.Tensor, ...]]]:
    """What is compiled, and on what; parameters stand in the order in which the function first uses them."""
    torch.manual_seed(3)
    x, y, row, column = torch.randn(20, 33), torch.randn(20, 33), torch.randn(33), torch.randn(20, 1)
    whole = torch.randint(-9, 9, (20, 33))
    return {
        "gelu": (lambda a, b: F.gelu(a) + b, (x, y)),
        "sigmoid": (lambda a, b: torch.sigmoid(a) * b + 1, (x, y)),
        "broadcast": (lambda a, b, c: a * b + c, (x, row, column)),
        "where": (lambda a, b: torch.where(a > b, a, b * 2), (x, y)),
        "whole numbers": (lambda a: a // 4 + a % 3, (whole,)),
        "bits": (lambda a: (a << 2) ^ (a >> 1) & 7, (whole,)),
        "softmax": (lambda a: torch.softmax(a, -1), (x,)),
        "log softmax": (lambda a: torch.log_softmax(a, -1), (x,)),
        "layer norm": (lambda a, b: F.layer_norm(a, (33,), b, b), (x, row)),
        "rms": (lambda a: a * torch.rsqrt((a * a).mean(-1, keepdim=True) + 1e-6), (x,)),
        "sum": (lambda a: a.sum(), (x,)),
        "sum of columns": (lambda a: a.sum(0), (x,)),
        "max": (lambda a: a.max(-1).values, (x,)),
        "argmax": (lambda a: a.argmax(-1), (x,)),
        "argmin": (lambda a: a.argmin(0), (x,)),
        "any": (lambda a: (a > 2).any(-1), (x,)),
        "prod": (lambda a: a.prod(-1), (x,)),
        "var": (lambda a: a.var(-1), (x,)),
        "cumsum": (lambda a: a.cumsum(-1), (x,)),
        "transpose": (lambda a: (a.t() * 2).contiguous(), (x,)),
        "cat": (lambda b, a: torch.cat([a, b * 2], 1), (y, x)),
        "gather": (lambda a, b: a[b], (x, torch.randint(0, 20, (7,)))),
        "embedding": (lambda b, a: F.embedding(b, a), (torch.randint(0, 20, (2, 3)), x)),
        "cross entropy": (lambda a, b: F.cross_entropy(a, b), (x, torch.randint(0, 33, (20,)))),
        "half": (lambda a, b: (a * b + a).relu(), (x.half(), y.half())),
        "clamp": (lambda a: a.clamp(-0.5, 0.5).exp().log1p(), (x,)),
        "long": (lambda a: a.sum(-1), (torch.randn(3, 2000),)),
        "upper triangle": (lambda a: torch.triu(a), (x,)),
    }


class Device:
    """Stands in for Triton's active driver, which is asked about the GPU while code is written."""

    utils = types.SimpleNamespace(get_device_properties=lambda device: {"multiprocessor_count": 4, "warpSize": 32})

    def get_current_target(self) -> Any:
        """An A100."""
        from triton.backends.compiler import GPUTarget

        return GPUTarget("cuda", 80, 32)

    def get_current_device(self) -> int:
        """The first."""
        return 0

    def get_active_torch_device(self) -> torch.device:
        """The tensors' device."""
        return torch.device("cpu")


class CaughtError(Exception):
    """The text is there: nothing more is wanted."""


def written(function: Callable[..., Any], inputs: tuple[torch.Tensor, ...]) -> str:
    """The Python text that Inductor writes for ``function``; "" when it writes none."""
    graph: Any = importlib.import_module("torch._inductor.graph")
    texts: list[str] = []
    own = graph.GraphLowering.codegen

    def codegen(self: Any) -> Any:
        code = own(self)[0]
        texts.append(getattr(code, "value", str(code)))
        raise CaughtError

    graph.GraphLowering.codegen = codegen
    try:
        torch.compile(function)(*inputs)
    except Exception as error:
        if not texts:
            print(f"inductor: {type(error).__name__}: {error}"[:300])
    finally:
        graph.GraphLowering.codegen = own
    return texts[-1] if texts else ""


def main(folder: str) -> None:
    """Write every text."""
    from triton.runtime import driver

    driver.set_active(Device())
    settings: Any = torch._inductor.config
    settings.cpu_backend, settings.compile_threads, settings.fx_graph_cache = "triton", 1, False
    kept = []
    for name, (function, inputs) in functions().items():
        torch._dynamo.reset()
        kept.append({"name": name, "text": written(function, inputs), "inputs": inputs, "want": function(*inputs)})
    torch.save(kept, Path(folder) / "inductor_texts.pt")


if __name__ == "__main__":
    main(*sys.argv[1:])
