"""`sim` and Triton agree on C, loads, order and partial sums: on the CPU interpreter, and with `-m gpu` on a GPU."""

import pytest

from tests.crosscheck.ask import Answers
from tests.crosscheck.cases import ALL_CASES, GPU_CASES, Case
from tests.crosscheck.compare import MODEL, disagreements

RAGGED = Case(5, 7, 5, 2, 4, 2)


@pytest.mark.parametrize("witness", ["debug build", "plain kernel"])
@pytest.mark.parametrize("case", ALL_CASES, ids=str)
def test_sim_agrees_with_the_interpreter(interpreter: Answers, case: Case, witness: str):
    assert disagreements(case, interpreter.facts[case][witness]) == {}


@pytest.mark.gpu
@pytest.mark.parametrize("witness", ["debug build", "plain kernel"])
@pytest.mark.parametrize("case", GPU_CASES, ids=str)
def test_sim_agrees_with_the_gpu(gpu: Answers, case: Case, witness: str):
    assert disagreements(case, gpu.facts[case][witness]) == {}


def test_the_plain_kernel_is_watched_on_every_fact_of_the_model(interpreter: Answers):
    watched = interpreter.facts[RAGGED]["plain kernel"]
    assert {key for key, _ in MODEL.values()} == set(watched)


def test_ragged_example_loads_155_elements(interpreter: Answers):
    loads = interpreter.facts[RAGGED]["debug build"]["loads"]
    assert sum(a + b for program in loads for a, b in program) == 155


def test_ragged_example_has_six_programs_in_row_major_order(interpreter: Answers):
    order = interpreter.facts[RAGGED]["plain kernel"]["programs"]
    assert order == [[0, 0], [0, 1], [1, 0], [1, 1], [2, 0], [2, 1]]


def test_last_group_is_shorter_when_the_rows_of_tiles_do_not_divide(interpreter: Answers):
    order = interpreter.facts[Case(13, 11, 6, 2, 4, 4, group_m=4)]["plain kernel"]["programs"]
    assert order[12:] == [[4, 0], [5, 0], [6, 0], [4, 1], [5, 1], [6, 1], [4, 2], [5, 2], [6, 2]]


def test_only_the_phases_that_exist_add_to_the_accumulator(interpreter: Answers):
    partials = interpreter.facts[Case(2, 2, 3, 2, 2, 2)]["debug build"]["partials"]
    # A = [[1, 2, 3], [4, 5, 6]], B = [[6, 5], [4, 3], [2, 1]]: k = 0 and 1 first, then k = 2.
    assert partials == [[[[14, 11], [44, 35]], [[20, 14], [56, 41]]]]


def test_inputs_are_asymmetric_and_all_different():
    a, b = Case(5, 5, 5, 2, 2, 2).inputs()
    assert len({*a[0], *a[1], *a[2], *a[3], *a[4]}) == 25
    assert b != [list(column) for column in zip(*b, strict=True)]
