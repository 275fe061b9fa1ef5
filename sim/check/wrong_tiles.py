"""Well-known mistakes in ``tile_ranges(size, width)`` and ``tiled_matmul(a, b, BM, BN, BK)``, as models."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sim.check.records import Case, Rows, Wrong, shown

Grid = list[list[Any]]


def _says(sentence: str) -> Callable[[Case, Rows | None], str]:
    return lambda case, got: sentence


def wrong_ranges() -> tuple[Wrong, ...]:
    """Mistakes in tile_ranges."""

    def inclusive(size: int, width: int) -> list[tuple[int, int]]:
        return [(start, min(start + width, size) - 1) for start in range(0, size, width)]

    def equal(size: int, width: int) -> list[tuple[int, int]]:
        part = size // width
        return [(start * part, (start + 1) * part) for start in range(width)]

    return (
        Wrong(
            "last range not clipped",
            _says("the last range runs past the end; it stops at the size, min(start + width, size)"),
            lambda size, width: [(start, start + width) for start in range(0, size, width)],
        ),
        Wrong(
            "shorter last range left out",
            _says("size // width counts full ranges only; what is left over needs a range of its own"),
            lambda size, width: [(index * width, (index + 1) * width) for index in range(size // width)],
        ),
        Wrong(
            "stop counted as inside",
            _says(
                "the second number is the last index; ranges here are half-open, so it is the first index after them"
            ),
            inclusive,
        ),
        Wrong(
            "width and number of ranges exchanged",
            _says("the size is cut into that many parts; the width is how long a range is"),
            equal,
        ),
        Wrong(
            "one range too many",
            _says("size // width + 1 gives an empty range where the width divides the size"),
            lambda size, width: [(index * width, min((index + 1) * width, size)) for index in range(size // width + 1)],
        ),
        Wrong(
            "size and width exchanged",
            _says("the two arguments are exchanged"),
            lambda size, width: [(start, min(start + size, width)) for start in range(0, width, size)],
        ),
        Wrong(
            "length instead of stop",
            _says("the second number is the length of the range; it has to be where the range stops"),
            lambda size, width: [(start, min(width, size - start)) for start in range(0, size, width)],
        ),
        Wrong(
            "only the first range",
            _says("the function returns after the first range; return belongs behind the loop"),
            lambda size, width: [(0, min(width, size))],
        ),
        Wrong(
            "counted from 1",
            _says("the ranges start at 1; indices start at 0"),
            lambda size, width: [(start, min(start + width, size + 1)) for start in range(1, size + 1, width)],
        ),
    )


@dataclass(frozen=True)
class _How:
    """One way to run the tiled product; the defaults are right. ``reset`` is phase, never or tile."""

    reset: str = "tile"
    phases: Callable[[int, int], range] = lambda k, width: range(0, k, width)
    whole_grid: bool = True
    clipped: bool = True
    overwrite: bool = False


def _tiled(a: Grid, b: Grid, bm: int, bn: int, bk: int, how: _How) -> Grid:
    m, n, k = len(a), len(b[0]), len(b)
    result: Grid = [[0] * n for _ in range(m)]
    carried = 0
    last_row, last_column = (m, n) if how.whole_grid else (m // bm * bm, n // bn * bn)
    for i in range(0, last_row, bm):
        for j in range(0, last_column, bn):
            for row in range(i, min(i + bm, m)):
                for column in range(j, min(j + bn, n)):
                    total = carried if how.reset == "never" else 0
                    for start in how.phases(k, bk):
                        total = 0 if how.reset == "phase" else total
                        stop = min(start + bk, k) if how.clipped else start + bk
                        for x in range(start, stop):
                            product = a[row][x] * b[x][column]
                            total = product if how.overwrite else total + product
                    result[row][column] = total
                    carried = total
    return result


def _missing(what: str) -> Callable[[Case, Rows | None], str]:
    def sentence(case: Case, got: Rows | None) -> str:
        same = got and [len(row) for row in got] == [len(row) for row in case.expected]
        if not got or not same:
            return what
        gap = tuple(
            tuple(right - value for right, value in zip(wanted, row, strict=True))
            for wanted, row in zip(case.expected, got, strict=True)
        )
        return f"{what}; missing is {shown(gap)}"

    return sentence


def wrong_tiled() -> tuple[Wrong, ...]:
    """Mistakes in tiled_matmul."""

    def model(how: _How) -> Callable[..., Grid]:
        return lambda a, b, bm, bn, bk: _tiled(a, b, bm, bn, bk, how)

    reset = "the accumulator is set to zero inside the loop over K phases, so that only the last phase is left"
    return (
        Wrong("accumulator reset in each K phase", _missing(reset), model(_How(reset="phase"))),
        Wrong(
            "accumulator replaced by each K phase",
            _missing("each phase replaces the sum of the phases before it (=); it has to be added (+=)"),
            model(_How(reset="phase")),
        ),
        Wrong(
            "only the first K phase",
            _missing("the loop over K phases stops after its first turn"),
            model(_How(phases=lambda k, width: range(0, min(k, width), width))),
        ),
        Wrong(
            "shorter last K phase left out",
            _missing("K // BK counts full phases only; what is left over needs a phase of its own"),
            model(_How(phases=lambda k, width: range(0, k // width * width, width))),
        ),
        Wrong(
            "last K phase left out",
            _missing("the loop over K phases ends one turn early"),
            model(_How(phases=lambda k, width: range(0, max(k - width, 0), width))),
        ),
        Wrong(
            "last K phase not clipped",
            _says("the last phase runs past the end of K; it stops at min(start + BK, K)"),
            model(_How(clipped=False)),
        ),
        Wrong(
            "grid rounded down",
            _says("M // BM and N // BN count full tiles only; the shorter last tiles of C are never computed"),
            model(_How(whole_grid=False)),
        ),
        Wrong(
            "accumulator never reset",
            _says("the sum is set to zero once, before all tiles, so that it goes on from one output to the next"),
            model(_How(reset="never")),
        ),
        Wrong(
            "result overwritten instead of added",
            _missing("each product replaces the one before it (=); it has to be added (+=)"),
            model(_How(overwrite=True)),
        ),
        Wrong(
            "all zeros",
            _says("the accumulator is never stored in C"),
            lambda a, b, bm, bn, bk: [[0] * len(b[0]) for _ in a],
        ),
    )
