"""`tile-reuse`: what a tile reuses, what it has to keep, and how many of its blocks fit on a multiprocessor."""

from fractions import Fraction

from lab.charts import Series, load_chart
from lab.controls import Choice, Integer
from lab.figures import facts, numbers
from lab.markup import Html, decimal, fixed, join, number, tag
from lab.widget import Ask, Frame, Scene, Shortcut, Widget
from sim.gpus import GPUS, Gpu
from sim.mistakes import Mistake
from sim.reuse import Tile, residency, roofline

DTYPES = Choice(
    "dtype",
    "input type",
    "float16",
    (("float16", "float16 or bfloat16, 2 bytes"), ("float32", "float32, 4 bytes"), ("fp8", "fp8, 1 byte")),
)
BYTES = {"float16": 2, "float32": 4, "fp8": 1}
LISTED = ((32, 64, 32), (64, 64, 32), (128, 128, 64), (128, 256, 64))


def scene(settings: dict[str, str]) -> Scene:
    """One frame for each GPU of the list."""
    tile = Tile(int(settings["bm"]), int(settings["bn"]), int(settings["bk"]), BYTES[settings["dtype"]])
    warps, stages = int(settings["warps"]), int(settings["stages"])
    registers = settings["registers"]
    gpus = tuple(GPUS.values())
    return Scene(
        settings=settings,
        count=len(gpus),
        frame=lambda step: _frame(tile, gpus, step, warps, stages, int(registers) or None),
        asks=_asks(tile),
        shortcuts=_shortcuts(settings),
    )


def _frame(tile: Tile, gpus: tuple[Gpu, ...], step: int, warps: int, stages: int, registers: int | None) -> Frame:
    gpu = gpus[step]
    found = residency(tile, gpu, warps, stages, registers)
    roof = roofline(tile.intensity, gpu)
    figures = numbers(
        (
            "elements of one A and one B tile",
            f"{number(tile.BM * tile.BK)} + {number(tile.BK * tile.BN)} = {number(tile.elements)}",
        ),
        ("input bytes of a phase", number(tile.input_bytes)),
        ("FLOPs of a phase", number(tile.flops)),
        ("FLOPs for each input byte", decimal(tile.intensity)),
        ("outputs that share an element of A, of B", f"{tile.BN}, {tile.BM}"),
        ("shared bytes", f"{stages} × {number(tile.input_bytes)} = {number(tile.shared_bytes(stages))}"),
        ("accumulator registers of a thread", number(tile.accumulator_registers(warps))),
        (f"blocks on one multiprocessor of {gpu.name}", f"{found.blocks}, limited by {' and '.join(found.limiting)}"),
    )
    rows = [_row(tile, each, index == step, warps, stages, registers) for index, each in enumerate(gpus)]
    table = facts("Published limits and peaks; no measurement", HEADS, rows)
    source = tag(
        "p",
        f"{gpu.name}: {gpu.peak_source}. The bound is where this tile's intensity meets the published roof, "
        f"if every input byte came from the GPU's memory. It is not a measured point.",
        class_="meaning",
    )
    picture = join(_roof_chart(tile, gpu), figures, source, tag("div", table, class_="across"))
    return Frame(picture, _say(tile, gpu, found.blocks, found.limiting, roof.bound_by))


HEADS = (
    "GPU",
    "blocks on a multiprocessor",
    "limited by",
    "peak, TFLOP/s",
    "memory, GB/s",
    "roof here, TFLOP/s",
    "bound by",
)


def _row(
    tile: Tile, gpu: Gpu, now: bool, warps: int, stages: int, registers: int | None
) -> tuple[str, tuple[str, ...]]:
    found, roof = residency(tile, gpu, warps, stages, registers), roofline(tile.intensity, gpu)
    return "now" if now else "", (
        gpu.name,
        str(found.blocks),
        ", ".join(found.limiting),
        fixed(gpu.peak_tflops),
        number(gpu.bandwidth_gb_s),
        fixed(roof.bound_tflops) if found.blocks else "–",
        roof.bound_by if found.blocks else "no block can start",
    )


def _roof_chart(tile: Tile, gpu: Gpu) -> Html:
    """The published roof in GFLOP/s over FLOPs a byte, both in powers of two; this tile's place is marked."""
    at = max(1, int(tile.intensity))
    points = sorted({*(2**power for power in range(11)), at, max(1, int(gpu.peak_tflops * 1000 / gpu.bandwidth_gb_s))})
    roof = tuple((x, int(min(gpu.peak_tflops * 1000, Fraction(x * gpu.bandwidth_gb_s)))) for x in points)
    here = decimal(tile.intensity)
    below = ", left of what is drawn" if tile.intensity < 1 else ""
    caption = f"{gpu.name}, published: GFLOP/s at most, over FLOPs for each byte; this tile stands at {here}{below}."
    return load_chart((Series("", roof),), at, caption, "FLOPs for each input byte")


def _say(tile: Tile, gpu: Gpu, blocks: int, limiting: tuple[str, ...], bound: str) -> str:
    intensity = decimal(tile.intensity)
    if not blocks:
        return f"{gpu.name}: no block of this tile can start, for want of {' and '.join(limiting)}."
    fit = "block fits" if blocks == 1 else "blocks fit"
    fits = f"{blocks} {fit} on a multiprocessor, limited by {' and '.join(limiting)}"
    roof = "memory" if bound == "memory" else "peak"
    return f"{gpu.name}: {fits}. At {intensity} FLOPs a byte the published roof is the {roof}."


def _asks(tile: Tile) -> tuple[Ask, ...]:
    other = Tile(tile.BM, tile.BN, tile.BK, 1)
    table = (
        (decimal(other.intensity), "that is for each element; an element takes more than one byte"),
        (decimal(tile.intensity / 2), "that is half; a multiplication and an addition are two FLOPs"),
        (decimal(tile.intensity * 2), "that is twice as much; A and B are both read"),
        (number(tile.BM * tile.BN // tile.BK), "K cancels out: more of it means more FLOPs and as many more bytes"),
    )
    mistakes = tuple((value.replace(",", ""), Mistake("", 0, sentence)) for value, sentence in table)
    why = f"{number(tile.flops)} FLOPs on {number(tile.input_bytes)} bytes; BK cancels out."
    return (
        Ask(
            "intensity",
            "FLOPs for each input byte, to two places?",
            decimal(tile.intensity).replace(",", ""),
            why,
            mistakes,
        ),
    )


def _shortcuts(settings: dict[str, str]) -> tuple[tuple[str, tuple[Shortcut, ...]], ...]:
    now = tuple(int(settings[name]) for name in ("bm", "bn", "bk"))
    tiles = tuple(
        Shortcut(" × ".join(map(str, sizes)), dict(zip(("bm", "bn", "bk"), map(str, sizes), strict=True)), now == sizes)
        for sizes in LISTED
    )
    return (("BM × BN × BK", tiles),)


WIDGET = Widget(
    name="tile-reuse",
    title="Reuse against storage",
    question="Before you look: how many FLOPs does a tile do for each input byte?",
    controls=(
        Integer("bm", "BM", 32, 1, 512),
        Integer("bn", "BN", 64, 1, 512),
        Integer("bk", "BK", 32, 1, 512),
        DTYPES,
        Integer("stages", "num_stages", 1, 1, 8),
        Integer("warps", "num_warps", 4, 1, 32),
        Integer("registers", "registers of a thread (0: only the sums)", 0, 0, 255),
    ),
    assumptions=(
        "A tile-level model: ideal reuse inside a tile, none between tiles, and no traffic for C.",
        "Intensity is a ratio of counts. It is not a measured point and says nothing about time.",
        "Shared memory: num_stages pairs of input tiles. Of 372 kernels that Triton compiled for an H200, 365 take "
        "just that (one pair fewer with mma.sync); in 7 the tile of C passes through and takes more.",
        "Without a number of registers only the sums are counted, so the blocks are an upper bound.",
        "Peaks are published figures of the makers, dense and without sparsity.",
        "Limits of a multiprocessor are those of NVIDIA's table “Technical Specifications per Compute Capability”, "
        "read in NVIDIA's own headers arch_traits.h and cuda_occupancy.h; the tests compile the second and compare. "
        "Where Nsight Compute is installed, they ask its occupancy calculator too; so far they ran where it is not.",
    ),
    scene=scene,
    listed=tuple({"bm": str(bm), "bn": str(bn), "bk": str(bk)} for bm, bn, bk in LISTED),
)
