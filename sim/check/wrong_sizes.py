"""Every way to take two or all of M, N and K from the wrong dimension: (name, sentence, model) for ``wrong_matmul``."""

from collections.abc import Callable
from functools import partial
from itertools import product

from sim.check.wrong_loops import Grid, sized

_RIGHT_SIZES = "M is len(a), N is len(b[0]) and K is len(b)"


def mixed_sizes() -> tuple[tuple[str, str, Callable[[Grid, Grid], Grid]], ...]:
    """Every way to take two or all of M, N, K from another dimension, but M and N exchanged, which is in the table."""
    ways = [way for way in product("MNK", repeat=3) if _misplaced(way) > 1 and way != ("N", "M", "K")]
    return tuple((*_mixed(way), partial(_with_sizes, way)) for way in ways)


def _misplaced(way: tuple[str, ...]) -> int:
    return sum(size != right for size, right in zip(way, "MNK", strict=True))


def _mixed(way: tuple[str, ...]) -> tuple[str, str]:
    if len(set(way)) == 1:
        used = {"M": "rows of A", "N": "columns of B", "K": "columns of A"}[way[0]]
        return (
            "sizes from the wrong matrix: one size for all three",
            f"the number of {used} is used for all three, as if the matrices were square; {_RIGHT_SIZES}",
        )
    return (
        "sizes from the wrong matrix: more than one",
        f"M, N and K are taken as {way[0]}, {way[1]} and {way[2]}; {_RIGHT_SIZES}",
    )


def _with_sizes(way: tuple[str, ...], a: Grid, b: Grid) -> Grid:
    size = {"M": len(a), "N": len(b[0]), "K": len(b)}
    return sized(size[way[0]], size[way[1]], size[way[2]], a, b)
