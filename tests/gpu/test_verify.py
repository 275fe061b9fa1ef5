"""The verifier itself: what it must not let pass (case A13). Products here are torch's, spoiled on purpose."""

import pytest
import torch

from gpu.bench import inputs, verify
from gpu.bench.shapes import Shape

Matrix = torch.Tensor


def right(a: Matrix, b: Matrix, c: Matrix) -> None:
    c.copy_((a.double() @ b.double()).to(c.dtype))


def one_unwritten(a: Matrix, b: Matrix, c: Matrix) -> None:
    last = c[-1, -1].clone()
    right(a, b, c)
    c[-1, -1] = last


def one_nan(a: Matrix, b: Matrix, c: Matrix) -> None:
    right(a, b, c)
    c[0, 0] = float("nan")


def one_off_by_one(a: Matrix, b: Matrix, c: Matrix) -> None:
    right(a, b, c)
    c[2, 3] += 1


def last_k_lost(a: Matrix, b: Matrix, c: Matrix) -> None:
    right(a[:, :-1], b[:-1], c)


def swapped(a: Matrix, b: Matrix, c: Matrix) -> None:
    c.copy_((a.double() @ b.double()).t().reshape(c.shape).to(c.dtype))


def all_infinite(a: Matrix, b: Matrix, c: Matrix) -> None:
    c.fill_(float("inf"))


def checker(dtype: str = "float16") -> verify.Checker:
    return verify.Checker(Shape(37, 41, 29), dtype, "ieee", "cpu", seed=1)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
def test_a_right_product_passes(dtype: str) -> None:
    assert checker(dtype).check(right)["passed"]


@pytest.mark.parametrize("spoiled", [one_unwritten, one_nan, one_off_by_one, last_k_lost, swapped])
def test_a_spoiled_product_fails_exactly_and_within_tolerance(spoiled: verify.Product) -> None:
    found = checker().check(spoiled)

    assert not found["passed"]
    assert not found["integers"]["passed"]
    assert not found["random"]["passed"]


def test_an_unwritten_element_is_counted() -> None:
    assert checker().check(one_unwritten)["integers"]["unwritten_or_nan"] == 1


def test_the_difference_is_stated() -> None:
    assert checker().check(one_off_by_one)["integers"]["largest_difference"] == 1.0


def test_overflow_on_both_sides_matches_and_is_counted() -> None:
    a, b = torch.ones(16, 65536).half(), torch.ones(65536, 16).half()

    found = verify.exact(right, a, b, verify.reference(a, b))

    assert found == {
        "passed": True, "largest_difference": 0.0, "unwritten_or_nan": 0, "matching_overflow": 256, "tolerance": 0
    }  # fmt: skip


def test_overflow_on_one_side_only_fails() -> None:
    a, b = torch.ones(4, 16).half(), torch.ones(16, 4).half()

    assert not verify.exact(all_infinite, a, b, verify.reference(a, b))["passed"]


def test_formula_inputs_are_the_pages_inputs() -> None:
    a, b = inputs.formula(2, 4, 3, torch.float32, "cpu")

    assert a.tolist() == [[-2, -1, 0], [-1, 0, 1]]
    assert b.tolist() == [[-1, 0, 1, -1], [0, 1, -1, 0], [1, -1, 0, 1]]
