"""Counts for a product's shape, and the limits of a chip: operations, bytes, intensity, floors."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Shape:
    """C (M, N) = A (M, K) @ B (K, N)."""

    M: int
    N: int
    K: int

    def __str__(self) -> str:
        return f"M={self.M} N={self.N} K={self.K}"

    @property
    def flops(self) -> int:
        """2 * M * N * K: a multiplication and an addition for each product."""
        return 2 * self.M * self.N * self.K

    def bytes(self, itemsize: int) -> int:
        """A and B read once and C written once: the least that must pass through memory, not what a kernel moves."""
        return itemsize * (self.M * self.K + self.K * self.N + self.M * self.N)

    def intensity(self, itemsize: int) -> float:
        """Operations for each of those bytes."""
        return self.flops / self.bytes(itemsize)


@dataclass(frozen=True)
class Limits:
    """A chip's vendor figures: dense matrix rates in TFLOP/s by number format, memory in TB/s."""

    tflops: dict[str, float]
    memory_tb_s: float
    source: str


# float32 in IEEE precision has no matrix instruction; the figure is that of ordinary multiply-adds.
KNOWN = {
    "NVIDIA H200": Limits(
        {"float16": 989.4, "bfloat16": 989.4, "float32 tf32": 494.7, "float32 ieee": 66.9},
        4.8,
        "vendor's datasheet, SXM",
    ),
    "NVIDIA H100 80GB HBM3": Limits(
        {"float16": 989.4, "bfloat16": 989.4, "float32 tf32": 494.7, "float32 ieee": 66.9},
        3.35,
        "vendor's datasheet, SXM",
    ),
}


def tile_intensity(BM: int, BN: int, BK: int, itemsize: int) -> float:
    """Operations for each input byte of one K phase: 21.33 for 32 x 64 x 32 in two-byte types."""
    return 2 * BM * BN * BK / (itemsize * (BM * BK + BK * BN))


def number_format(dtype: str, precision: str) -> str:
    """The key of a rate: float32 is named with its precision."""
    return f"{dtype} {precision}" if dtype == "float32" else dtype


def ratio_text(ratio: float) -> str:
    """1.02, and 0.0019 for a small one, so that none is printed as nothing."""
    return f"{ratio:.2f}" if ratio >= 0.095 else f"{ratio:.2g}"


def tflops(shape: Shape, time_ms: float) -> float:
    """Rate in TFLOP/s: 4096 cubed in 0.5 ms is 274.88."""
    return shape.flops / time_ms / 1e9


def floor_ms(shape: Shape, itemsize: int, rate_tflops: float, memory_tb_s: float) -> float:
    """No correct kernel that starts with cold caches can be faster: the larger of arithmetic and memory time."""
    return max(shape.flops / rate_tflops / 1e9, shape.bytes(itemsize) / memory_tb_s / 1e9)
