"""Planted faults: each must make a named test fail, or the tests prove nothing.

``sim`` and its tests are copied into an empty folder, one line is changed, and the named test is run there.
"""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Mutant:
    """One fault: a text of a file of ``sim``, what stands there instead, and the test that must notice."""

    name: str
    file: str
    old: str
    new: str
    test: str


MUTANTS = (
    Mutant(
        "indices swapped",
        "matmul.py",
        "a[row][inner] * b[inner][column]",
        "a[inner][row] * b[inner][column]",
        "test_matmul.py::test_rectangular_product_by_hand",
    ),
    Mutant(
        "products of the wrong column",
        "matmul.py",
        "Product(k, a[row][k], b[k][column]",
        "Product(k, a[row][k], b[k][row]",
        "test_matmul.py::test_products_meet_a_row_of_a_and_a_column_of_b",
    ),
    Mutant(
        "last product left out",
        "matmul.py",
        "for inner in range(k):",
        "for inner in range(k - 1):",
        "test_matmul.py::test_the_published_four_by_four",
    ),
    Mutant(
        "accumulator reset in each phase",
        "trace.py",
        "partial = _accumulate(partial, a_tile, b_tile)",
        "partial = _accumulate(tuple((0,) * len(row) for row in partial), a_tile, b_tile)",
        "test_trace.py::test_the_toy_product_collects_25_then_58",
    ),
    Mutant(
        "last ragged phase dropped",
        "trace.py",
        "for phase in range(tiling.k_phases):",
        "for phase in range(tiling.K // tiling.BK):",
        "test_trace.py::test_last_phase_of_a_ragged_tile",
    ),
    Mutant(
        "transposed load",
        "trace.py",
        "cut(a, rows, inner), cut(b, inner, columns)",
        "cut(a, inner, rows), cut(b, inner, columns)",
        "test_trace.py::test_a_phase_holds_the_tiles_it_loads",
    ),
    Mutant(
        "rows and columns of a stored tile exchanged",
        "trace.py",
        "zip(range(*last.rows), last.partial, strict=True)",
        "zip(range(*last.columns), last.partial, strict=False)",
        "test_trace.py::test_tiles_put_together_are_the_product",
    ),
    Mutant(
        "floor for ceil",
        "tiling.py",
        "return -(-size // width)",
        "return size // width",
        "test_tiling.py::test_three_ragged_dimensions_make_nine_programs_of_three_phases",
    ),
    Mutant(
        "edge not clipped",
        "tiling.py",
        "index * width, min((index + 1) * width, size)",
        "index * width, (index + 1) * width",
        "test_tiling.py::test_edges_are_clipped",
    ),
    Mutant(
        "ranges not clipped",
        "tiling.py",
        "(start, min(start + width, size))",
        "(start, start + width)",
        "test_tiling.py::test_last_range_is_shorter_when_the_size_is_ragged",
    ),
    Mutant(
        "loads of A counted for rows of tiles",
        "cost.py",
        "tiling.M * tiling.K * tiling.tiles_n",
        "tiling.M * tiling.K * tiling.tiles_m",
        "test_cost.py::test_ragged_count_in_three_dimensions",
    ),
    Mutant(
        "group not made local",
        "order.py",
        "local = pid % in_group",
        "local = pid",
        "test_order.py::test_groups_walk_down_before_they_move_right",
    ),
    Mutant(
        "last group not shortened",
        "order.py",
        "min(tiling.tiles_m - first_row, group_m)",
        "group_m",
        "test_order.py::test_every_tile_has_exactly_one_program",
    ),
    Mutant(
        "older formula made local as well",
        "order.py",
        "(pid if older else local) % rows",
        "local % rows",
        "test_order.py::test_the_older_formula_is_another_order_in_the_ragged_group",
    ),
    Mutant(
        "shared tiles counted for every program",
        "order.py",
        "sorted({row for row, _ in tiles})",
        "sorted([row for row, _ in tiles])",
        "test_order.py::test_tile_loads_of_the_first_nine_outputs",
    ),
    Mutant(
        "first in, first out",
        "cache.py",
        "cache.move_to_end(tile)",
        "pass",
        "test_cache.py::test_a_tile_that_was_just_used_is_kept",
    ),
    Mutant(
        "last used is dropped",
        "cache.py",
        "cache.popitem(last=False)",
        "cache.popitem()",
        "test_cache.py::test_a_cache_too_small_for_the_inputs_gains_most_from_groups_of_eight",
    ),
    Mutant(
        "one tile more than fits",
        "cache.py",
        "if len(cache) > capacity",
        "if len(cache) > capacity + 1",
        "test_cache.py::test_programs_in_flight_share_a_phase_before_the_next_begins",
    ),
    Mutant(
        "programs do not step together",
        "cache.py",
        "wave = order[start : start + in_flight]",
        "wave = order[start : start + 1]",
        "test_cache.py::test_programs_in_flight_share_a_phase_before_the_next_begins",
    ),
    Mutant(
        "sign lost while reading",
        "inputs.py",
        '(-value if sign == "-" else value)',
        "value",
        "test_inputs.py::test_decimals_stay_exact",
    ),
)


def run_tests(folder: Path, *names: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-x",
        "-p",
        "no:cacheprovider",
        *(f"tests/sim/{name}" for name in names),
    ]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "sim", tmp_path / "sim", ignore=ignore)
    shutil.copytree(ROOT / "tests" / "sim", tmp_path / "tests" / "sim", ignore=ignore)
    (tmp_path / "tests" / "__init__.py").touch()
    (tmp_path / "pyproject.toml").write_text(
        '[tool.pytest.ini_options]\naddopts = "--import-mode=importlib"\n', encoding="utf-8"
    )
    return tmp_path


def test_without_a_fault_the_named_tests_pass(copy: Path):
    run = run_tests(copy, *sorted({mutant.test for mutant in MUTANTS}))
    assert run.returncode == 0, run.stdout


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_planted_fault_is_caught(mutant: Mutant, copy: Path):
    path = copy / "sim" / mutant.file
    source = path.read_text(encoding="utf-8")
    assert source.count(mutant.old) == 1, "the line to change is not there exactly once"
    path.write_text(source.replace(mutant.old, mutant.new), encoding="utf-8")
    run = run_tests(copy, mutant.test)
    assert run.returncode == 1, f"{mutant.test} did not notice: {run.stdout}"
    assert "1 failed" in run.stdout, run.stdout
