"""Cases of TorchInductor: the Python that it wrote is executed as it stands, its kernels launched with small blocks."""

import functools
import importlib
import os
import re
import sys
from pathlib import Path
from typing import Any

import torch

from tests.tl.acceptance.hosts import Case, Cases

BLOCKS = {"XBLOCK": 32, "YBLOCK": 16, "ZBLOCK": 4, "R0_BLOCK": 64, "R1_BLOCK": 16}
KERNELS: list[str] = []


class Kernel:
    """What async_compile.triton gives the wrapper: ``run`` launches with the blocks of BLOCKS."""

    def __init__(self, name: str, text: str) -> None:
        found = re.search(r"'grid_type': '(\w+)'", text)
        self.grid_type = found.group(1) if found else "Grid1D"
        start = text.index("@triton_heuristics")
        stop = text.index("@triton.jit", start)
        text = text[:start].replace("triton_helpers.set_driver_to_cpu()", "") + text[stop:]
        folder = Path(os.environ["INDUCTOR_FOLDER"])
        module = f"inductor_{len(KERNELS)}"
        KERNELS.append(name)
        (folder / f"{module}.py").write_text(text, encoding="utf-8")
        importlib.invalidate_caches()
        self.kernel = getattr(importlib.import_module(module), name)

    def run(self, *arguments: Any, **options: Any) -> None:
        """One launch."""
        if self.grid_type not in ("Grid1D", "Grid2D"):
            raise NotImplementedError(f"grid of type {self.grid_type}")
        names = self.kernel.arg_names
        given = dict(zip(names, arguments, strict=False))
        blocks = {name: size for name, size in BLOCKS.items() if name in names}
        sizes = [-(-given["xnumel"] // blocks.get("XBLOCK", 1))]
        if self.grid_type == "Grid2D":
            sizes.append(-(-given["ynumel"] // blocks.get("YBLOCK", 1)))
        self.kernel[tuple(sizes)](**given, **blocks)


class Compile:
    """Stands in for torch._inductor.async_compile.AsyncCompile."""

    process_pool = functools.lru_cache(lambda: None)

    def triton(self, name: str, text: str, device_str: str = "cpu") -> Kernel:
        """A kernel."""
        return Kernel(name, text)

    def wait(self, scope: Any) -> None:
        """Nothing is compiled in the background."""


def case(kept: dict[str, Any]) -> Case:
    """Execute the wrapper and compare with torch."""

    def run() -> None:
        if not kept["text"]:
            raise RuntimeError("Inductor wrote no text for it")
        for name in ("triton_compat", "triton_helpers"):
            importlib.reload(importlib.import_module(f"torch._inductor.runtime.{name}"))
        compiler: Any = importlib.import_module("torch._inductor.async_compile")
        compiler.AsyncCompile = Compile
        scope: dict[str, Any] = {"__name__": "inductor_wrapper", "__file__": "inductor_wrapper"}
        exec(compile(kept["text"], "inductor_wrapper", "exec"), scope)
        out = scope["call"](list(kept["inputs"]))[0]
        near = 2e-3 if out.dtype == torch.half else 1e-4  # Inductor keeps halves in fp32 between operations
        torch.testing.assert_close(out, kept["want"], rtol=near, atol=near)

    return run


def cases() -> Cases:
    """One for every text."""
    folder = Path(os.environ["INDUCTOR_FOLDER"])
    sys.path.insert(0, str(folder))
    return {kept["name"]: case(kept) for kept in torch.load(folder / "inductor_texts.pt", weights_only=False)}
