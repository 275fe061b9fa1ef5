"""Helpers for cases: host functions on small tensors, both ways. Nothing here knows whose `triton` it is."""

import contextlib
import inspect
import os
import sys
import textwrap
import types
from collections.abc import Callable
from importlib import import_module
from typing import Any

import torch

Case = Callable[[], Any]
Cases = dict[str, Case]


def real(*shape: int, dtype: torch.dtype = torch.float32, grad: bool = False) -> torch.Tensor:
    """Normal numbers."""
    return torch.randn(*shape).to(dtype).requires_grad_(grad)


def both_ways(function: Any, *arguments: Any) -> None:
    """Forward and backward of an autograd function."""
    out = function(*arguments)
    first = out[0] if isinstance(out, tuple) else out
    first.backward(torch.randn_like(first))


def got(module: str, name: str) -> Any:
    """An attribute of a module of the package."""
    return getattr(import_module(module), name)


def prepare(package: str) -> None:
    """What a package's host code wants of its machine, by name; nothing below `triton` is stood in for here."""
    if package != "flag_gems":
        return
    os.environ["GEMS_VENDOR"] = "nvidia"
    properties = types.SimpleNamespace(multi_processor_count=4, major=8, minor=0, shared_memory_per_block=49152)
    cuda: Any = torch.cuda
    cuda.device = lambda index: contextlib.nullcontext()
    cuda.current_device = lambda: 0
    cuda.get_device_capability = lambda index=None: (8, 0)
    cuda.get_device_properties = lambda index=None: properties
    cuda.get_device_name = lambda index=None: "none"
    entry: Any = types.ModuleType("flag_gems.utils.libentry")  # the real one keeps tuning results in a database
    entry.libentry = lambda *args, **options: lambda kernel: kernel
    entry.libtuner = lambda configs, key, **options: import_module("triton").autotune(configs=configs, key=key)
    entry.LibEntry = type("LibEntry", (), {})
    sys.modules[entry.__name__] = entry


def own_source(kernel: Any) -> str:
    """The text of a kernel from its `def` on, as Triton keeps it."""
    text = textwrap.dedent(inspect.getsource(kernel.fn))
    return text[text.index("def ") :]
