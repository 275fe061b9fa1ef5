"""The shapes and tiles on which `sim` and Triton are compared, and their inputs."""

from dataclasses import asdict, dataclass
from typing import Any

from sim.inputs import distinct_a, distinct_b
from sim.tiling import Tiling

Matrix = list[list[int]]

EXACT_FLOAT32 = 2**24
EXACT_FLOAT16 = 2**11


@dataclass(frozen=True)
class Case:
    """C [M, N] = A [M, K] @ B [K, N] in tiles BM × BN × BK, in the order that group_m gives."""

    M: int
    N: int
    K: int
    BM: int
    BN: int
    BK: int
    group_m: int = 1
    dtype: str = "float32"

    @property
    def tiling(self) -> Tiling:
        """The same as `sim` says it."""
        return Tiling(self.M, self.N, self.K, self.BM, self.BN, self.BK)

    def inputs(self) -> tuple[Matrix, Matrix]:
        """A [M, K] and B [K, N]: no symmetry, so that a swapped index shows, and every sum exact in the case's type.

        All elements different where float32 can still hold every sum; else small signed numbers.
        """
        a, b = distinct_a(self.M, self.K), distinct_b(self.K, self.N)
        largest = self.K * (self.M * self.K) * (self.K * self.N)
        if self.dtype == "float16" or largest >= EXACT_FLOAT32:
            a = tuple(tuple((3 * r + 5 * k + r * k) % 11 - 5 for k in range(self.K)) for r in range(self.M))
            b = tuple(tuple((7 * k + 2 * c + k * c) % 13 - 6 for c in range(self.N)) for k in range(self.K))
        return [list(row) for row in a], [list(row) for row in b]

    def request(self) -> dict[str, Any]:
        """What the worker is sent: plain numbers, nothing that `sim` has worked out."""
        a, b = self.inputs()
        return {**asdict(self), "a": a, "b": b}

    def __str__(self) -> str:
        group = f" group {self.group_m}" if self.group_m > 1 else ""
        return f"{self.M}x{self.N}x{self.K} tiles {self.BM}x{self.BN}x{self.BK}{group} {self.dtype}"


# Tiles that the matrix instruction of a GPU can do: K in phases of 16 or more.
GPU_CASES = (
    Case(16, 16, 16, 16, 16, 16),
    Case(32, 48, 64, 16, 16, 16),
    # One dimension ragged, then two, then all three.
    Case(20, 32, 32, 16, 16, 16),
    Case(32, 19, 32, 16, 16, 16),
    Case(32, 32, 33, 16, 16, 16),
    Case(20, 19, 32, 16, 16, 16),
    Case(20, 32, 33, 16, 16, 16),
    Case(32, 19, 33, 16, 16, 16),
    Case(20, 19, 33, 16, 16, 16),
    Case(20, 19, 33, 16, 16, 16, dtype="float16"),
    Case(37, 70, 50, 16, 32, 16, dtype="float16"),
    # Smaller than one tile, and tiles narrower than the matrix instruction.
    Case(3, 5, 2, 16, 16, 16),
    Case(1, 1, 1, 16, 16, 16),
    Case(1, 40, 70, 1, 16, 32),
    Case(5, 7, 5, 2, 4, 16),
    # Seven rows of tiles: the last group has all of them, three, one, or is the only one.
    Case(100, 90, 40, 16, 32, 16, group_m=1),
    Case(100, 90, 40, 16, 32, 16, group_m=2),
    Case(100, 90, 40, 16, 32, 16, group_m=4),
    Case(100, 90, 40, 16, 32, 16, group_m=7, dtype="float16"),
    Case(100, 90, 40, 16, 32, 16, group_m=64),
    # K of zero: nothing is loaded and C is zero. No rows, no columns: no program at all.
    Case(20, 19, 0, 16, 16, 16),
    Case(0, 19, 33, 16, 16, 16),
    Case(20, 0, 33, 16, 16, 16),
)

# The pages' small tiles, which only the interpreter can run.
SMALL_CASES = (
    Case(4, 4, 4, 1, 1, 1),
    Case(4, 4, 4, 2, 2, 2),
    Case(8, 8, 8, 4, 4, 4),
    Case(2, 2, 3, 2, 2, 2),
    Case(5, 7, 5, 2, 4, 2),
    Case(5, 7, 5, 2, 4, 2, dtype="float16"),
    Case(5, 6, 4, 2, 2, 2),
    Case(4, 7, 4, 2, 4, 2),
    Case(4, 6, 5, 2, 2, 2),
    Case(5, 7, 4, 2, 2, 2),
    Case(5, 6, 5, 2, 2, 2),
    Case(4, 7, 5, 2, 2, 2),
    Case(1, 9, 7, 1, 4, 2),
    Case(9, 1, 7, 4, 1, 2),
    Case(3, 5, 2, 8, 4, 4),
    Case(13, 11, 6, 2, 4, 4, group_m=3),
    Case(13, 11, 6, 2, 4, 4, group_m=4),
    Case(13, 11, 6, 2, 4, 4, group_m=6),
    Case(13, 11, 6, 2, 4, 4, group_m=8),
    Case(33, 47, 29, 8, 16, 4, group_m=2),
)

ALL_CASES = (*SMALL_CASES, *GPU_CASES)
