"""One launch of the teaching kernel, broken or not, with all that a page shows of it."""

from collections.abc import Mapping
from dataclasses import dataclass

from lab.kernel_trace import Seen, names_read, seen_at
from lab.kernels import teaching_source
from lab.markup import some
from lab.widget import bounded
from sim.inputs import distinct_a, distinct_b, formula_a, formula_b
from sim.matmul import Rows
from sim.order import programs
from sim.tiling import Tiling
from sim.tl.api import Run
from sim.tl.faults import FAULTS, Fault
from sim.tl.matmul import Wrong, run_matmul, wrong_outputs

NONE = Fault("none", "nothing")
BREAKS = (NONE, *FAULTS)
SIZES = ("m", "n", "k", "bm", "bn", "bk")


@dataclass(frozen=True)
class Launch:
    """The source that ran, the run with the steps of ``program``, and what came out wrong.

    ``launched`` is the number of programs; ``program`` is None when there is none. ``reads`` are the names that a line
    reads. ``owners`` maps a tile of C, (tile row, tile column), to the program that the unbroken kernel gives it.
    """

    source: str
    fault: Fault
    a: Rows
    b: Rows
    tiling: Tiling
    launched: int
    program: int | None
    run: Run
    wrong: tuple[Wrong, ...]
    seen: tuple[Seen, ...]
    reads: Mapping[int, tuple[str, ...]]
    owners: Mapping[tuple[int, int], int]

    def owner(self, row: int, column: int) -> int:
        """The program that owns the tile of C[row, column], lanes beyond the edges included."""
        return self.owners[row // self.tiling.BM, column // self.tiling.BN]

    def label(self, row: int, column: int) -> str:
        """``p4`` in the first place of program 4's tile, nothing elsewhere."""
        first = row % self.tiling.BM == 0 and column % self.tiling.BN == 0
        return f"p{self.owner(row, column)}" if first else ""


def tiling_of(settings: Mapping[str, str]) -> Tiling:
    """The sizes of some settings."""
    return Tiling(*(int(settings[name]) for name in SIZES))


def fault_of(settings: Mapping[str, str]) -> Fault:
    """The fault that some settings name, NONE included."""
    return next(each for each in BREAKS if each.name == settings["fault"])


def launch(settings: Mapping[str, str]) -> Launch:
    """Run it in lesson mode. A program that a broken grid does not launch gives way to the last one that it does.

    Raises Problem when the unbroken kernel has no such program either.
    """
    tiling, fault, group_m = tiling_of(settings), fault_of(settings), int(settings["group_m"])
    reason = f"{tiling.tiles_m} × {tiling.tiles_n} tiles make {some(tiling.programs, 'program')}, counted from 0"
    wanted = bounded(settings, "program", "program", tiling.programs - 1, reason)
    launched = fault.grid(tiling)
    program = min(wanted, launched - 1) if launched else None
    made = (formula_a, formula_b) if settings["inputs"] == "formula" else (distinct_a, distinct_b)
    a, b = made[0](tiling.M, tiling.K), made[1](tiling.K, tiling.N)
    source = fault.apply(teaching_source())
    done = run_matmul(
        source, a, b, tiling, group_m=group_m, dtype=settings["dtype"], grid=launched, program=program, mode="lesson"
    )
    owners = {tile: number for number, tile in enumerate(programs(tiling, group_m))}
    wrong = wrong_outputs(done, a, b)
    seen, reads = seen_at(done.steps), names_read(source)
    return Launch(source, fault, a, b, tiling, launched, program, done, wrong, seen, reads, owners)
