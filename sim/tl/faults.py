"""Break it on purpose: one edit each of the teaching kernel, to predict what goes wrong."""

from dataclasses import dataclass

from sim.tiling import Tiling


@dataclass(frozen=True)
class Fault:
    """``edits`` are (before, after) texts that each stand exactly once in the teaching kernel.

    ``floor_grid`` launches floor(M / BM) * floor(N / BN) programs instead. ``lucky`` says why the result can be right
    all the same, "" when it never is.
    """

    name: str
    title: str
    edits: tuple[tuple[str, str], ...] = ()
    floor_grid: bool = False
    lucky: str = ""

    def apply(self, source: str) -> str:
        """The broken kernel. Raises ValueError when ``source`` does not have the text that is edited exactly once."""
        for before, after in self.edits:
            if source.count(before) != 1:
                raise ValueError(f"{self.name}: {before!r} stands {source.count(before)} times in the kernel, not once")
            source = source.replace(before, after)
        return source

    def grid(self, tiling: Tiling) -> int:
        """How many programs are launched."""
        return (tiling.M // tiling.BM) * (tiling.N // tiling.BN) if self.floor_grid else tiling.programs


FAULTS = (
    Fault(
        "no-k-mask",
        "no K mask",
        (
            ("a_mask = (rows[:, None] < M) & (k[None, :] < K)", "a_mask = rows[:, None] < M"),
            ("b_mask = (k[:, None] < K) & (cols[None, :] < N)", "b_mask = cols[None, :] < N"),
        ),
        lucky="only what lies behind B decides: where that happens to be zero, the extra products are zero",
    ),
    Fault(
        "no-other",
        "`other` left off",
        (("mask=a_mask, other=0.0", "mask=a_mask"), ("mask=b_mask, other=0.0", "mask=b_mask")),
        lucky="today's GPUs fill masked lanes with zero, which nobody promises",
    ),
    Fault("no-store-mask", "no store mask", ((", mask=c_mask)", ")"),)),
    Fault(
        "zeroed-in-loop",
        "accumulator zeroed in the loop",
        (
            (
                "        k = phase * BK + inner\n",
                "        k = phase * BK + inner\n        acc = tl.zeros((BM, BN), dtype=tl.float32)\n",
            ),
        ),
        lucky="with one K phase there is nothing to lose",
    ),
    Fault(
        "wrong-row-stride",
        "wrong row stride",
        (("b_ptr + k[:, None] * N", "b_ptr + k[:, None] * K"),),
        lucky="where N equals K the two strides are the same",
    ),
    Fault(
        "overlapping-tiles",
        "overlapping tiles",
        (("rows = row_tile * BM + tl.arange(0, BM)", "rows = row_tile + tl.arange(0, BM)"),),
        lucky="programs that overlap store equal values; with few rows all of C may still be covered",
    ),
    Fault(
        "floor-grid",
        "floor for ceil in the grid",
        floor_grid=True,
        lucky="where the tile divides both M and N, floor and ceil are the same",
    ),
    Fault(
        "group-not-local",
        "GROUP_M formula not made local",
        (("place = program % programs_in_group", "place = program"),),
        lucky="with one group (GROUP_M at least the number of row tiles) the place is the program",
    ),
)


def fault(name: str) -> Fault:
    """The fault of that name. Raises ValueError."""
    for found in FAULTS:
        if found.name == name:
            return found
    raise ValueError(f"fault: given {name!r}; allowed: {', '.join(found.name for found in FAULTS)}")
