"""Cases of triton-kernels."""

import torch

from tests.tl.acceptance.hosts import Cases, got, real


def add(file: str, block: int) -> None:
    """A kernel launched directly: its own host code wants a GPU."""
    x, y = real(100), real(100)
    sizes = {"BLOCK_SIZE": block, **({"BLOCK_SIZE2": block} if file == "add_vectors2" else {})}
    got(f"triton_kernels.{file}", "add_vectors")[(-(-100 // block),)](x, y, torch.empty(100), 100, **sizes)


def cases() -> Cases:
    """Vector addition; the package has little more that runs without a GPU's host code."""
    return {"add vectors": lambda: add("add_vectors", 64), "add vectors 2": lambda: add("add_vectors2", 32)}
