"""All files of one GPU together, and its ceilings: how fast it was seen to go, and what is published."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from sim.gpus import GPUS, Gpu
from sim.measured import words
from sim.measured.records import FORMATS, Counters, Row, Run, Shape

LARGE = 2 * 4096**3  # operations of a product that is called large
FEW = 32  # operations a byte below which a product surely waits for memory
# How torch names a device, and the entry of sim.gpus that it is.
NAMES = (
    (r"H200$", "H200 SXM"),
    (r"H100.*HBM3", "H100 SXM"),
    (r"A100-SXM.*80GB", "A100 SXM 80 GB"),
    (r"B200", "B200"),
    (r"V100-SXM2", "V100 SXM2"),
    (r"T4", "T4"),
    (r"A10", "A10"),
    (r"L4", "L4"),
    (r"RTX 3090", "RTX 3090"),
    (r"RTX 4090", "RTX 4090"),
)
Key = tuple[str, Shape, str]


@dataclass(frozen=True)
class Ceiling:
    """A rate, what it was seen at, and whether that is a ceiling (True) or only the most that was seen (False).

    ``intensity`` is that of the product it was seen at, in operations a byte; 0 for a copy.
    """

    rate: Fraction
    what: str
    true_ceiling: bool
    intensity: Fraction = Fraction(0)


@dataclass(frozen=True)
class Published:
    """The vendor's peaks for one number format; None for a figure that is not known here. Never measured."""

    tflops: Fraction | None
    tb_s: Fraction | None
    source: str


@dataclass(frozen=True)
class Party:
    """What was measured on one GPU. ``label`` names it beside others; ``index`` finds rows by format, shape, kernel."""

    label: str
    device: str
    runs: tuple[Run, ...]
    counters: tuple[Counters, ...]
    index: Mapping[Key, Row]

    def shapes(self, number_format: str) -> tuple[Shape, ...]:
        """The shapes with at least one time in a number format, in the order of the files."""
        return tuple(dict.fromkeys(row.shape for row in self.rows(number_format) if row.replay))

    def rows(self, number_format: str) -> tuple[Row, ...]:
        """Every row in a number format."""
        return tuple(row for row in self.index.values() if row.format == number_format)

    def formats(self) -> tuple[str, ...]:
        """The number formats that were timed."""
        timed = {row.format for row in self.index.values() if row.replay}
        return tuple(each for each in FORMATS if each in timed)

    def row(self, number_format: str, shape: Shape, kernel: str) -> Row | None:
        """One row, if there is one."""
        return self.index.get((number_format, shape, kernel))

    def ratio(self, row: Row, way: str) -> Fraction | None:
        """Torch's time over this row's, by one way of calling; None when either is missing."""
        mine, torch = row.time(way), self.row(row.format, row.shape, "torch")
        theirs = torch.time(way) if torch else None
        return Fraction(theirs.median, mine.median) if mine and theirs else None


def gather(files: Iterable[Run | Counters], whose: str) -> tuple[Party, ...]:
    """Files put together by GPU. A file with a row that another file of that GPU has makes a party of its own."""
    parties: list[Party] = []
    for file in files:
        at = next((at for at, each in enumerate(parties) if _joins(file, each)), None)
        if at is None:
            again = any(each.device == file.device for each in parties)
            parties.append(_join(file, Party(_label(file, whose, again), file.device, (), (), {})))
        else:
            parties[at] = _join(file, parties[at])
    return tuple(parties)


def _joins(file: Run | Counters, party: Party) -> bool:
    if file.device != party.device:
        return False
    return not party.counters if isinstance(file, Counters) else not _index(file).keys() & party.index.keys()


def _join(file: Run | Counters, party: Party) -> Party:
    if isinstance(file, Counters):
        return Party(party.label, party.device, party.runs, (*party.counters, file), party.index)
    return Party(party.label, party.device, (*party.runs, file), party.counters, {**party.index, **_index(file)})


def _index(run: Run) -> dict[Key, Row]:
    return {(row.format, row.shape, row.kernel): row for row in run.rows}


def _label(file: Run | Counters, whose: str, again: bool) -> str:
    device = re.sub(r"^NVIDIA |GeForce ", "", file.device)[:24]
    return f"{device} ({whose}, {file.name[:24]})" if again else f"{device} ({whose})"


def memory_ceiling(party: Party) -> Ceiling | None:
    """TB/s: of the fastest timed copy, if there is one; else the most that any launch is known to have moved.

    Counted DRAM bytes come first, then the least bytes of a product that has few operations for each, timed with an
    emptied L2 cache. Both are only what a launch happened to reach: the memory may be faster.
    """
    copies = [run.copy for run in party.runs if run.copy]
    if copies:
        best = max(copies, key=lambda each: each.tb_s)
        return Ceiling(best.tb_s, f"a copy that moves {words.megabytes(best.moved_bytes)}", True)
    counted = [(Fraction(each.dram_bytes, each.profiled), each) for file in party.counters for each in file.counted]
    if counted:
        rate, launch = max(counted, key=lambda pair: pair[0])
        what = f"the teaching kernel at {words.shape(launch.shape)}, GROUP_M = {launch.group_m}, DRAM bytes counted"
        return Ceiling(rate, what, False)
    least = [
        (Fraction(row.least_bytes, row.replay.median), row)
        for run in party.runs
        if run.flushed
        for row in run.rows
        if row.replay and not row.launch_bound and row.intensity < FEW
    ]
    if not least:
        return None
    rate, row = max(least, key=lambda pair: pair[0])
    what = f"{row.kernel} at {words.shape(row.shape)} in {words.label(row.format)}, its least bytes over its time"
    return Ceiling(rate, what, False)


def product_ceiling(party: Party, number_format: str) -> Ceiling | None:
    """TFLOP/s of the fastest large product in a number format: torch's own, timed for this, or any row's."""
    timed = [product for run in party.runs for product in run.products if product.format == number_format]
    found = [Ceiling(each.tflops, f"torch.mm at {words.shape(each.shape)}", True, each.intensity) for each in timed]
    rows = [row for row in party.rows(number_format) if row.tflops]
    large = [row for row in rows if row.flops >= LARGE]
    for row in large or rows:
        if row.tflops:
            what = f"{row.kernel} at {words.shape(row.shape)}"
            found.append(Ceiling(row.tflops, what, bool(large or timed), row.intensity))
    return max(found, key=lambda each: each.rate, default=None)


def published(party: Party, number_format: str) -> Published:
    """The vendor's peaks: those of ``sim.gpus`` for two-byte types, of the party's own files for the others."""
    gpu = _known(party.device)
    run = next((run for run in party.runs if run.peaks), None)
    tflops = run.peaks.get(number_format) if run else None
    tb_s = run.peak_tb_s if run else None
    source = run.peak_source if run else ""
    if gpu and number_format in ("float16", "bfloat16"):
        tflops, tb_s, source = gpu.peak_tflops, Fraction(gpu.bandwidth_gb_s, 1000), gpu.peak_source
    return Published(tflops, tb_s, source)


def _known(device: str) -> Gpu | None:
    return next((GPUS[name] for pattern, name in NAMES if re.search(rf"\b{pattern}\b", device)), None)


def shapes_of(parties: Sequence[Party], number_format: str) -> tuple[Shape, ...]:
    """Every shape that any party timed, ours first."""
    return tuple(dict.fromkeys(shape for party in parties for shape in party.shapes(number_format)))
