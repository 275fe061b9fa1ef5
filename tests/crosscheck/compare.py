"""Where `sim` and what a worker saw disagree, fact by fact."""

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from sim.cost import phase_loads, tiled_loads
from sim.matmul import matmul
from sim.order import programs
from sim.trace import partial_tiles, tiled_matmul
from tests.crosscheck.cases import Case

Facts = Mapping[str, Any]


def disagreements(case: Case, facts: Facts) -> dict[str, str]:
    """A sentence for each fact on which `sim` and the kernel differ; empty when they agree on all that was seen."""
    found = {}
    for name, (key, expected) in MODEL.items():
        if key in facts:
            said, seen = _said(case, expected), facts[key]
            if name == "total loads":
                seen = sum(from_a + from_b for program in seen for from_a, from_b in program)
            if said != seen:
                found[name] = f"{case}, {name}: sim says {_short(said)}; the kernel's is {_short(seen)}"
    return found


def _said(case: Case, expected: Callable[[Case], Any]) -> Any:
    try:
        return expected(case)
    except (ArithmeticError, LookupError, ValueError) as error:
        return f"{type(error).__name__}: {error}"


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 200 else f"{text[:200]}…"


def _product(case: Case) -> list[list[int]]:
    if 0 in (case.M, case.K):  # rows of Python numbers cannot say that they would have been 33 long
        return [[0] * case.N for _ in range(case.M)]
    return _lists(matmul(*case.inputs()))


def _product_in_tiles(case: Case) -> list[list[int]]:
    return _lists(tiled_matmul(*case.inputs(), case.tiling) if case.M else ())


def _order(case: Case) -> list[list[int]]:
    return [list(tile) for tile in programs(case.tiling, case.group_m)]


def _loads(case: Case) -> list[list[list[int]]]:
    """[A, B] elements for each program and phase."""
    phases = range(case.tiling.k_phases)
    return [[list(phase_loads(case.tiling, i, j, phase)) for phase in phases] for i, j in _order(case)]


def _total(case: Case) -> int:
    return tiled_loads(case.tiling)


def _partials(case: Case) -> list[list[list[list[int]]]]:
    """The accumulator after each phase, for each program; lanes outside C are zero, as the kernel has them."""
    a, b = case.inputs()
    return [[_padded(tile, case) for tile in partial_tiles(a, b, case.tiling, i, j)] for i, j in _order(case)]


def _padded(tile: Any, case: Case) -> list[list[int]]:
    rows = [list(row) + [0] * (case.BN - len(row)) for row in tile]
    return rows + [[0] * case.BN for _ in range(case.BM - len(rows))]


def _a_elements(case: Case) -> list[list[list[int]]]:
    tiling = case.tiling
    phases = [tiling.phase_range(phase) for phase in range(tiling.k_phases)]
    return [[_block(tiling.tile_rows(i), inner, case.K) for inner in phases] for i, _ in _order(case)]


def _b_elements(case: Case) -> list[list[list[int]]]:
    tiling = case.tiling
    phases = [tiling.phase_range(phase) for phase in range(tiling.k_phases)]
    return [[_block(inner, tiling.tile_cols(j), case.N) for inner in phases] for _, j in _order(case)]


def _c_elements(case: Case) -> list[list[int]]:
    return [_block(case.tiling.tile_rows(i), case.tiling.tile_cols(j), case.N) for i, j in _order(case)]


def _block(rows: tuple[int, int], columns: tuple[int, int], width: int) -> list[int]:
    """Offsets of the elements in two half-open ranges of a row-major matrix."""
    return [row * width + column for row in range(*rows) for column in range(*columns)]


def _lists(rows: Any) -> list[list[int]]:
    return [list(row) for row in rows]


# Fact: which of the worker's facts it is about, and what `sim` says.
MODEL: dict[str, tuple[str, Callable[[Case], Any]]] = {
    "C": ("c", _product),
    "C from tiles": ("c", _product_in_tiles),
    "order": ("programs", _order),
    "loads": ("loads", _loads),
    "total loads": ("loads", _total),
    "partial sums": ("partials", _partials),
    "elements of A": ("a_elements", _a_elements),
    "elements of B": ("b_elements", _b_elements),
    "elements of C": ("c_elements", _c_elements),
}


def main(path: str) -> None:
    """Print the facts on which `sim` disagrees with stored answers: [{"case": …, "facts": …}, …]."""
    found: dict[str, str] = {}
    for stored in json.loads(Path(path).read_text(encoding="utf-8")):
        found |= disagreements(Case(**stored["case"]), stored["facts"])
    json.dump(found, sys.stdout)
