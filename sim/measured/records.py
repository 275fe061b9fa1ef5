"""Rows and runs of kernel-bench, and launches of the load counters, with what follows from them exactly."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from sim.cost import separate_loads, tiled_loads
from sim.tiling import Tiling

Shape = tuple[int, int, int]
ITEM_BYTES = {"float16": 2, "bfloat16": 2, "float32": 4}
FORMATS = ("float16", "bfloat16", "float32 ieee", "float32 tf32")
WAYS = ("replay", "call")
SUSPECT = 3  # a ratio above this wants another look: do both compute the same thing?
# Kernels that load each tile of A and B once for each tile of C, and nothing besides.
PLAIN_TILES = frozenset({"tiled", "grouped", "autotuned", "hinted", "descriptors", "persistent", "specialised",
                         "split_k", "split_specialised"})  # fmt: skip


@dataclass(frozen=True)
class Spread:
    """Repeats of one time in picoseconds: their median, and the values a tenth of the way in from either end."""

    low: int
    median: int
    high: int
    repeats: int


@dataclass(frozen=True)
class Row:
    """One kernel on one shape in one number format. C [M, N] = A [M, K] × B [K, N].

    ``rung`` is the kernel that ran when ``kernel`` is only a name for the choice (``best``). ``tile`` is (BM, BN, BK),
    when the row has all three. Times are None where the kernel was refused (``skipped`` says why) or was wrong.
    ``tune`` is what the search for the fastest tile took, apart from the times.
    ``error`` is that on random inputs, relative to the size of the right answer.
    """

    kernel: str
    shape: Shape
    dtype: str
    precision: str
    skipped: str = ""
    rung: str = ""
    tile: tuple[int, int, int] | None = None
    replay: Spread | None = None
    call: Spread | None = None
    empty: int | None = None
    tune: int | None = None
    error: Fraction | None = None
    right: bool = True

    @property
    def format(self) -> str:
        """The number format: float32 comes with its precision, as its two precisions are not the same arithmetic."""
        return f"{self.dtype} {self.precision}" if self.dtype == "float32" else self.dtype

    @property
    def flops(self) -> int:
        """2 M N K: a multiplication and an addition for each product."""
        m, n, k = self.shape
        return 2 * m * n * k

    @property
    def least_bytes(self) -> int:
        """A and B read once and C written once: the least that must pass, not what a kernel moves."""
        m, n, k = self.shape
        return ITEM_BYTES[self.dtype] * (m * k + k * n + m * n)

    @property
    def intensity(self) -> Fraction:
        """Operations for each of those bytes."""
        return Fraction(self.flops, self.least_bytes)

    @property
    def launch_bound(self) -> bool:
        """True when an empty launch takes more than half of the replay: then a rate would be one of launching."""
        return self.replay is not None and self.empty is not None and 2 * self.empty > self.replay.median

    @property
    def tflops(self) -> Fraction | None:
        """Rate by graph replay; None without a time, and for a launch-bound row."""
        return None if self.replay is None or self.launch_bound else Fraction(self.flops, self.replay.median)

    @property
    def loads(self) -> int | None:
        """Input loads by the model, in elements; None for kernels that load otherwise than tile by tile."""
        name = self.rung or self.kernel
        if name == "separate":
            return separate_loads(*self.shape)
        return tiled_loads(Tiling(*self.shape, *self.tile)) if name in PLAIN_TILES and self.tile else None

    def time(self, way: str) -> Spread | None:
        """The time of one way of calling: ``replay`` or ``call``."""
        return self.replay if way == "replay" else self.call


@dataclass(frozen=True)
class Copy:
    """A measured copy in the GPU's memory: bytes read plus bytes written, and its time in picoseconds."""

    moved_bytes: int
    time: Spread

    @property
    def tb_s(self) -> Fraction:
        """Bytes for each picosecond."""
        return Fraction(self.moved_bytes, self.time.median)


@dataclass(frozen=True)
class Product:
    """A large product of the vendor's library, timed to see how fast arithmetic can go in one number format."""

    format: str
    shape: Shape
    time: Spread

    @property
    def tflops(self) -> Fraction:
        """Operations for each picosecond."""
        m, n, k = self.shape
        return Fraction(2 * m * n * k, self.time.median)

    @property
    def intensity(self) -> Fraction:
        """Operations for each byte of A, B and C."""
        m, n, k = self.shape
        return Fraction(2 * m * n * k, ITEM_BYTES[self.format.split()[0]] * (m * k + k * n + m * n))


@dataclass(frozen=True)
class Run:
    """A file of kernel-bench. ``peaks`` are the vendor's TFLOP/s by number format, as the bench has them."""

    name: str
    device: str
    date: str
    driver: str
    command: str
    torch: str
    triton: str
    l2_bytes: int
    flushed: bool
    clocks_mhz: tuple[Fraction | None, Fraction | None]
    rows: tuple[Row, ...]
    peaks: Mapping[str, Fraction] = field(default_factory=dict)
    peak_tb_s: Fraction | None = None
    peak_source: str = ""
    copy: Copy | None = None
    products: tuple[Product, ...] = ()


@dataclass(frozen=True)
class Launch:
    """One launch under the profiler. Loads are elements, sectors are 32 bytes, times picoseconds.

    ``kernel`` is tiled or separate; blocks are ``tile`` × ``tile`` threads. ``time`` is without the profiler, from
    quartile to quartile; ``profiled`` is the time under it.
    """

    n: int
    tile: int
    kernel: str
    threads: int
    model_loads: int
    counted_loads: int
    warp_loads: int
    l1_sectors: int
    l2_sectors: int
    dram_bytes: int
    profiled: int
    time: Spread


@dataclass(frozen=True)
class Counted:
    """A launch of the teaching kernel in float16 whose DRAM bytes were counted; ``profiled`` is its time, ``time``
    the median without the profiler, in picoseconds. ``dram_bytes`` are read and written."""

    shape: Shape
    group_m: int
    dram_bytes: int
    profiled: int
    time: int

    @property
    def intensity(self) -> Fraction:
        """Operations for each byte that passed between DRAM and the L2 cache."""
        m, n, k = self.shape
        return Fraction(2 * m * n * k, self.dram_bytes)

    @property
    def tflops(self) -> Fraction:
        """Operations for each picosecond, without the profiler."""
        m, n, k = self.shape
        return Fraction(2 * m * n * k, self.time)


@dataclass(frozen=True)
class Counters:
    """A file of the load counters. ``tile`` is that of the teaching kernel in ``counted``."""

    name: str
    device: str
    date: str
    driver: str
    command: str
    launches: tuple[Launch, ...]
    counted: tuple[Counted, ...]
    tile: tuple[int, int, int] | None
