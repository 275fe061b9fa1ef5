"""What one tile reuses and what it must keep: a model of one K phase of one program.

Each element of the A tile [BM, BK] serves BN outputs and each element of the B tile [BK, BN] serves BM. The
model counts inputs once a phase and nothing else: no traffic for C, ideal reuse inside the tile, no caches. So its
intensity is no measured point of a roofline, and no speed-up follows from it.
"""

from dataclasses import dataclass
from fractions import Fraction

from sim.gpus import Gpu
from sim.occupancy import Residency, resident_blocks
from sim.tiling import ceil_div

ITEM_BYTES = {"float16": 2, "bfloat16": 2, "float32": 4, "float8": 1, "int8": 1}
WARP = 32


@dataclass(frozen=True)
class Tile:
    """Sizes of a program's tiles, and the bytes of one input element.

    Raises ValueError for a size below 1.
    """

    BM: int
    BN: int
    BK: int
    item_bytes: int = 2

    def __post_init__(self) -> None:
        for name in ("BM", "BN", "BK", "item_bytes"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name}: given {getattr(self, name)}; allowed: 1 or more")

    @property
    def elements(self) -> int:
        """Input elements of one K phase: BM × BK of A and BK × BN of B."""
        return self.BM * self.BK + self.BK * self.BN

    @property
    def input_bytes(self) -> int:
        """Bytes of these elements."""
        return self.elements * self.item_bytes

    @property
    def flops(self) -> int:
        """Multiplications and additions of one K phase: 2 BM BN BK."""
        return 2 * self.BM * self.BN * self.BK

    @property
    def intensity(self) -> Fraction:
        """FLOPs for each input byte; BK cancels out: 2 BM BN / ((BM + BN) × item_bytes)."""
        return Fraction(self.flops, self.input_bytes)

    @property
    def accumulators(self) -> int:
        """Sums that a program keeps, one 32-bit register each: BM × BN."""
        return self.BM * self.BN

    def shared_bytes(self, num_stages: int = 1) -> int:
        """Bytes of ``num_stages`` pairs of input tiles, held at once so that loading runs ahead.

        A model: the compiler may keep one pair more or fewer, and C may pass through shared memory as well; the
        compiled number is in the stored results. Raises ValueError for fewer than 1 stage.
        """
        _at_least_one("num_stages", num_stages)
        return num_stages * self.input_bytes

    def accumulator_registers(self, num_warps: int = 4) -> int:
        """Registers of each thread that hold sums: BM × BN shared out among 32 × num_warps threads, rounded up.

        Addresses, input fragments and masks come on top. Raises ValueError for fewer than 1 warp.
        """
        _at_least_one("num_warps", num_warps)
        return ceil_div(self.accumulators, WARP * num_warps)


def residency(
    tile: Tile, gpu: Gpu, num_warps: int = 4, num_stages: int = 1, registers_per_thread: int | None = None
) -> Residency:
    """Resident blocks of the tile's program on one multiprocessor of ``gpu``.

    Without ``registers_per_thread`` (a compiled number) only the accumulators count, so that the answer is an
    upper bound: a real kernel needs more registers. Raises ValueError for fewer than 1 warp or stage.
    """
    registers = tile.accumulator_registers(num_warps) if registers_per_thread is None else registers_per_thread
    return resident_blocks(gpu.capability, WARP * num_warps, registers, tile.shared_bytes(num_stages))


@dataclass(frozen=True)
class Roofline:
    """Where a tile's intensity meets the published roof of a GPU. Rates in TFLOP/s, exact.

    ``ridge`` is the intensity (FLOPs a byte) from which on the peak, not the memory, is the bound.
    """

    intensity: Fraction
    memory_tflops: Fraction
    peak_tflops: Fraction
    ridge: Fraction

    @property
    def bound_tflops(self) -> Fraction:
        """The lower of the two roofs: a bound, never a forecast."""
        return min(self.memory_tflops, self.peak_tflops)

    @property
    def bound_by(self) -> str:
        """``memory`` left of the ridge, ``compute`` from the ridge on."""
        return "memory" if self.intensity < self.ridge else "compute"


def roofline(intensity: Fraction, gpu: Gpu) -> Roofline:
    """The bound for an intensity in FLOPs a byte, if every input byte of every tile came from the GPU's memory."""
    memory = intensity * gpu.bandwidth_gb_s / 1000
    return Roofline(intensity, memory, gpu.peak_tflops, gpu.peak_tflops * 1000 / gpu.bandwidth_gb_s)


def _at_least_one(name: str, value: int) -> None:
    if value < 1:
        raise ValueError(f"{name}: given {value}; allowed: 1 or more")
