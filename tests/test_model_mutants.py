"""Faults planted into masks, storage, quiz and checker: each must make a named test fail."""

from pathlib import Path

import pytest

from tests.test_mutants import Mutant, copy, run_tests

__all__ = ["copy"]

MUTANTS = (
    Mutant(
        "lanes live at the edge",
        "masks.py",
        "tuple(index < size for index",
        "tuple(index <= size for index",
        "test_masks.py::test_the_last_program_keeps_its_full_shape_and_masks_three_sides",
    ),
    Mutant(
        "grid rounded up for whole tiles",
        "masks.py",
        "for i in range(tiling.M // tiling.BM)",
        "for i in range(tiling.tiles_m)",
        "test_masks.py::test_rounding_the_grid_down_reaches_24_of_35_entries",
    ),
    Mutant(
        "address of A with the width of B",
        "broken.py",
        "row * t.K + k, self._loads",
        "row * t.N + k, self._loads",
        "test_broken.py::test_nothing_broken_gives_the_published_rows",
    ),
    Mutant(
        "stray entries forgotten",
        "broken.py",
        "self.stray[address] = None",
        "pass",
        "test_broken.py::test_without_k_mask_a_reads_its_next_row_and_b_what_lies_behind",
    ),
    Mutant(
        "guard joined the right way",
        "broken.py",
        "return in_row or in_column",
        "return in_row and in_column",
        "test_broken.py::test_a_joined_guard_fails_wherever_one_dimension_is_ragged",
    ),
    Mutant(
        "driver's shared memory forgotten",
        "occupancy.py",
        "shared_bytes + capability.reserved_bytes",
        "shared_bytes",
        "test_occupancy.py::test_resident_blocks_by_hand",
    ),
    Mutant(
        "registers not parted into quarters",
        "occupancy.py",
        "capability.registers // partitions // for_warp * partitions // warps",
        "capability.registers // for_warp // warps",
        "test_occupancy.py::test_nvidias_own_header_agrees",
    ),
    Mutant(
        "one FLOP for each product",
        "reuse.py",
        "return 2 * self.BM * self.BN * self.BK",
        "return self.BM * self.BN * self.BK",
        "test_reuse.py::test_the_tile_of_the_chapter",
    ),
    Mutant(
        "ridge upside down",
        "reuse.py",
        '"memory" if self.intensity < self.ridge',
        '"memory" if self.intensity > self.ridge',
        "test_reuse.py::test_the_roof_left_of_the_ridge_is_the_memory",
    ),
    Mutant(
        "fresh tilings stand still",
        "quiz.py",
        "number * _STRIDE",
        "number // 2 * _STRIDE",
        "test_quiz.py::test_fresh_tilings_never_repeat_in_a_row_and_come_back_late",
    ),
    Mutant(
        "handlers not counted",
        "counted.py",
        "    def visit_ExceptHandler(",
        "    def visit_NoHandler(",
        "test_check.py::test_what_never_ends_is_stopped",
    ),
    Mutant(
        "comprehensions not counted",
        "counted.py",
        "        node.ifs.insert(0, _tick(node.target))\n",
        "",
        "test_check.py::test_turns_inside_one_line_are_steps",
    ),
    Mutant(
        "inputs not looked at afterwards",
        "check/judge.py",
        "        if changed:\n",
        "        if False:\n",
        "test_check.py::test_inputs_that_change_are_told_though_the_result_is_right",
    ),
)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_planted_fault_is_caught(mutant: Mutant, copy: Path):
    path = copy / "sim" / mutant.file
    source = path.read_text(encoding="utf-8")
    assert source.count(mutant.old) == 1, "the line to change is not there exactly once"
    path.write_text(source.replace(mutant.old, mutant.new), encoding="utf-8")
    run = run_tests(copy, mutant.test)
    assert run.returncode == 1, f"{mutant.test} did not notice: {run.stdout}"
    assert "failed" in run.stdout, run.stdout
