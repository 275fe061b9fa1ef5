"""A plan is what a rung will launch: kernels with their grids and arguments, ready to run, compile or capture."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

Config = dict[str, int]  # BM, BN, BK, GROUP_M, num_warps, num_stages and whatever else the rung's kernel has
OPTIONS = ("num_warps", "num_stages")  # Triton's own names; all other keys of a Config are the kernel's constants


@dataclass(frozen=True)
class Launch:
    """One kernel launch: `programs` is the size of the one-dimensional grid."""

    kernel: Any
    programs: int
    args: tuple[Any, ...]
    constants: dict[str, Any]

    def run(self) -> None:
        """Launch it, compiling first when needed."""
        if self.programs:
            self.kernel[(self.programs,)](*self.args, **self.constants)

    def compile(self) -> Any:
        """Compile it without launching; returns Triton's compiled kernel (metadata.shared, n_regs, n_spills, asm)."""
        return self.kernel.warmup(*self.args, grid=(max(self.programs, 1),), **self.constants)


@dataclass(frozen=True)
class Plan:
    """Launches that make C out of A and B, in order, on the current stream."""

    launches: tuple[Launch, ...]

    def run(self) -> None:
        """Launch everything; asynchronous on a GPU."""
        for launch in self.launches:
            launch.run()

    def compile(self) -> list[Any]:
        """Compile everything, launching nothing."""
        return [launch.compile() for launch in self.launches]


@dataclass(frozen=True)
class Rung:
    """One rung of the ladder.

    prepare(a, b, c, config, precision) -> Plan; A (M, K), B (K, N), C (M, N).  `refuses(M, N, K, itemsize)` is a
    sentence when this rung cannot or should not run that shape, else "".  `described` names those of A, B and C that
    tensor descriptors describe where they lie, so that they must start and step as TMA needs.
    """

    name: str
    adds: str
    prepare: Callable[[torch.Tensor, torch.Tensor, torch.Tensor, Config, str], Plan]
    default: Config
    refuses: Callable[[int, int, int, int], str]
    described: str = ""


def never(M: int, N: int, K: int, itemsize: int) -> str:
    """For rungs that run every shape."""
    return ""


def needs_aligned_rows(M: int, N: int, K: int, itemsize: int) -> str:
    """For rungs that read A and B through tensor descriptors: rows must start at multiples of 16 bytes."""
    for name, width in (("A", K), ("B", N)):
        if width * itemsize % 16:
            return f"a row of {name} has {width * itemsize} bytes; a tensor descriptor needs a multiple of 16"
    return ""
