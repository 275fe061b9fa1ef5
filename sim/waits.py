"""Two waits in every K phase of a shared tile, and what an unlucky order does without them.

A block of threads keeps one A tile and one B tile in shared memory and replaces them in every
phase. *Wait after loading*: nobody multiplies before everybody's elements have arrived. *Wait
after using*: nobody replaces a tile before everybody has finished with it. In CUDA C++ both are
``__syncthreads()``. Without one of them the result depends on which thread is faster; this module
runs the worst order on purpose. A right result on one machine proves nothing about the next run.
"""

from dataclasses import dataclass

from sim.matmul import Matrix, Rows
from sim.tiling import Tiling
from sim.trace import phases

BOTH, NO_WAIT_AFTER_LOADING, NO_WAIT_AFTER_USING = "both", "no-wait-after-loading", "no-wait-after-using"
ORDERS = (BOTH, NO_WAIT_AFTER_LOADING, NO_WAIT_AFTER_USING)


@dataclass(frozen=True)
class Turn:
    """One K phase: the phase whose tiles were really multiplied (None: not yet any), and the sum after it."""

    phase: int
    used: int | None
    partial: Rows


def worst_order(a: Matrix, b: Matrix, tiling: Tiling, i: int, j: int, order: str = BOTH) -> tuple[Turn, ...]:
    """The phases of tile (i, j) when every thread is as unlucky as ``order`` permits.

    Without the wait after loading, the multipliers run ahead and see what the tile held before:
    in phase 0 that is memory nobody wrote, taken as zero here. Without the wait after using,
    the loaders run ahead and the multipliers find the next phase's tile already there.
    Raises ValueError for an unknown order.
    """
    if order not in ORDERS:
        raise ValueError(f"order: given {order}; allowed: {', '.join(ORDERS)}")
    steps = phases(a, b, tiling, i, j)
    zero: Rows = tuple((0,) * len(row) for row in steps[0].partial) if steps else ()
    sums = [_difference(step.partial, steps[index - 1].partial if index else zero) for index, step in enumerate(steps)]
    turns = []
    partial = zero
    for phase in range(len(steps)):
        used = _used(phase, len(steps), order)
        partial = partial if used is None else _added(partial, sums[used])
        turns.append(Turn(phase, used, partial))
    return tuple(turns)


def _used(phase: int, count: int, order: str) -> int | None:
    if order == NO_WAIT_AFTER_LOADING:
        return phase - 1 if phase else None
    if order == NO_WAIT_AFTER_USING:
        return min(phase + 1, count - 1)
    return phase


def _added(left: Rows, right: Rows) -> Rows:
    return tuple(tuple(x + y for x, y in zip(p, q, strict=True)) for p, q in zip(left, right, strict=True))


def _difference(left: Rows, right: Rows) -> Rows:
    return tuple(tuple(x - y for x, y in zip(p, q, strict=True)) for p, q in zip(left, right, strict=True))
