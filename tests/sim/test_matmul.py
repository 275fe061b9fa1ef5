"""Three loops, against numbers worked out by hand, NumPy and torch."""

import numpy
import pytest
import torch

from sim.inputs import distinct_a, distinct_b, formula_a, formula_b
from sim.matmul import matmul, products, transpose

A, B = ((1, 2, 3), (4, 5, 6)), ((7, 8), (9, 10), (11, 12))
SHAPES = [(1, 1, 1), (2, 3, 4), (5, 7, 5), (3, 8, 2), (1, 6, 9), (7, 1, 3), (13, 11, 17)]


def test_rectangular_product_by_hand():
    assert matmul(A, B) == ((58, 64), (139, 154))


def test_the_published_four_by_four():
    assert matmul(formula_a(4, 4), formula_b(4, 4)) == ((1, -1, 0, 1), (0, -1, 1, 0), (4, -1, -3, 4), (-2, 4, -2, -2))


def test_the_ragged_five_by_seven():
    c = matmul(formula_a(5, 5), formula_b(5, 7))
    assert c[0] == (1, 1, -2, 1, 1, -2, 1)
    assert c[4] == (-3, 0, 3, -3, 0, 3, -3)


def test_first_row_at_eight():
    assert matmul(formula_a(8, 8), formula_b(8, 8))[0] == (0, 3, -3, 0, 3, -3, 0, 3)


@pytest.mark.parametrize(("m", "n", "k"), SHAPES)
def test_numpy_agrees_on_asymmetric_inputs(m, n, k):
    a, b = distinct_a(m, k), distinct_b(k, n)
    assert matmul(a, b) == tuple(map(tuple, (numpy.array(a) @ numpy.array(b)).tolist()))


@pytest.mark.parametrize(("m", "n", "k"), SHAPES)
def test_torch_agrees_on_asymmetric_inputs(m, n, k):
    a, b = distinct_a(m, k), distinct_b(k, n)
    expected = torch.tensor(a, dtype=torch.float64) @ torch.tensor(b, dtype=torch.float64)
    assert [list(map(float, row)) for row in matmul(a, b)] == expected.tolist()


def test_products_of_the_first_output():
    steps = products(formula_a(4, 4), formula_b(4, 4), 0, 0)
    assert [step.product for step in steps] == [2, 0, 0, -1]
    assert [step.partial for step in steps] == [2, 2, 2, 1]


def test_products_meet_a_row_of_a_and_a_column_of_b():
    steps = products(A, B, 1, 0)
    assert [(step.a, step.b) for step in steps] == [(4, 7), (5, 9), (6, 11)]
    assert steps[-1].partial == 139


def test_matrices_that_do_not_fit_are_refused_in_words():
    with pytest.raises(ValueError, match=r"A has shape \[2, 3\] and B has shape \[2, 3\]; B needs as many rows"):
        matmul(A, A)


def test_sums_keep_every_digit():
    assert matmul(((2**60, 1),), ((2**60,), (1,))) == ((2**120 + 1,),)


def test_transpose_turns_a_rectangle():
    assert transpose(A) == ((1, 4), (2, 5), (3, 6))
