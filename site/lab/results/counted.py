"""What the plots of load counters share: the launches of a size, and how each measure is named and written."""

from collections.abc import Sequence
from dataclasses import dataclass

from lab.markup import number
from sim.measured import words
from sim.measured.party import Party
from sim.measured.records import Launch

SECTOR = 32  # bytes


@dataclass(frozen=True)
class Measure:
    """One column: its name in the record, its head, its unit in a sentence."""

    name: str
    head: str
    unit: str

    def of(self, launch: Launch) -> int:
        """The value; of the time its median, in picoseconds."""
        return launch.time.median if self.name == "time" else int(getattr(launch, self.name))

    def text(self, launch: Launch) -> str:
        """The value as a table has it."""
        return words.microseconds(launch.time.median) if self.name == "time" else number(self.of(launch))


MODEL = Measure("model_loads", "model loads", "loads by the model")
COUNTED = Measure("counted_loads", "counted loads", "loads counted")
WARPS = Measure("warp_loads", "load instructions", "load instructions of warps")
L1 = Measure("l1_sectors", "L1 sectors", "sectors of 32 bytes asked of L1")
L2 = Measure("l2_sectors", "L2 sectors", "sectors of 32 bytes asked of L2")
DRAM = Measure("dram_bytes", "DRAM bytes", "bytes between DRAM and L2")
TIME = Measure("time", "time, µs", "µs")


def launches(party: Party, n: int, kernel: str | None = None) -> tuple[Launch, ...]:
    """A party's launches of one size, of one kernel or of both, by tile."""
    found = [launch for file in party.counters for launch in file.launches if launch.n == n]
    return tuple(sorted((each for each in found if kernel in (None, each.kernel)), key=lambda each: each.tile))


def sizes(parties: Sequence[Party], least: int) -> tuple[int, ...]:
    """The N for which some party has at least so many launches of the tiled kernel."""
    found = {launch.n for party in parties for file in party.counters for launch in file.launches}
    return tuple(sorted(n for n in found if any(len(launches(party, n, "tiled")) >= least for party in parties)))


def name_of(launch: Launch) -> str:
    """A launch as a plot names it: tiled, T = 8."""
    return f"tiled, T = {launch.tile}" if launch.kernel == "tiled" else f"separate, {launch.tile} × {launch.tile}"


def no_counters_note(parties: Sequence[Party]) -> str:
    """Why a reader's file is not in this plot."""
    missing = [party.label for party in parties[1:] if not party.counters]
    if not missing:
        return ""
    return (
        f"{', '.join(missing)}: kernel-bench counts no loads, so there is nothing of your file here. "
        "python -m gpu.counters counts them; drop its file as well."
    )
