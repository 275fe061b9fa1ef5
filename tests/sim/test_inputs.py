"""Patterns, fresh cases, and a person's own matrices."""

import itertools
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.inputs import Operand, distinct_a, distinct_b, formula_a, formula_b, fresh_case, parse_matrix


def test_published_patterns():
    assert formula_a(8, 8)[0] == (-2, -1, 0, 1, 2, -2, -1, 0)
    assert tuple(row[0] for row in formula_b(8, 8)) == (-1, 0, 1, -1, 0, 1, -1, 0)


def test_distinct_patterns_are_all_different_and_not_symmetric():
    a, b = distinct_a(3, 4), distinct_b(4, 2)
    assert a == ((1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11, 12))
    assert b == ((8, 7), (6, 5), (4, 3), (2, 1))


@pytest.mark.parametrize(
    "text",
    [
        "1 2 3\n4 5 6",
        "1\t2\t3\r\n4\t5\t6\r\n",
        "1, 2, 3; 4, 5, 6",
        "[[1, 2, 3], [4, 5, 6]]",
        "a = [[1, 2, 3], [4, 5, 6]]",
        "[[1 2 3]\n [4 5 6]]",
        "array([[1, 2, 3],\n       [4, 5, 6]])",
        "np.array([[1, 2, 3],\n       [4, 5, 6]], dtype=int64)",
        "tensor([[1., 2., 3.],\n        [4., 5., 6.]], device='cuda:0')",
        "torch.tensor([[1, 2, 3], [4, 5, 6]], dtype=torch.float32)",
        "1e0 2 3.000\n+4 5 0.6e1",
    ],
)
def test_what_people_paste_is_read(text):
    assert parse_matrix(text, "A") == Operand(((1, 2, 3), (4, 5, 6)), 0)


def test_decimals_stay_exact():
    assert parse_matrix("0.1 -2\n.25 1e-3", "A") == Operand(((100, -2000), (250, 1)), 3)


def test_the_minus_sign_of_typography_is_a_minus():
    assert parse_matrix("\u22121 2", "A").rows == ((-1, 2),)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "A: given nothing; allowed: rows of numbers"),
        ("1 2\n3", "A, row 1: given a row of 1; allowed: 2, as long as row 0"),
        ("1 x", "A, row 0, column 1: given “x”; allowed: a number such as 3, -2 or 0.5"),
        ("1\t\t3", "A, row 0, column 1: given nothing; allowed: a number"),
        ("1,,3", "A, row 0, column 1: given nothing; allowed: a number"),
        ("2 nan", "A, row 0, column 1: given “nan”; allowed: a finite number"),
        ("-inf", "A, row 0, column 0: given “-inf”; allowed: a finite number"),
        ("1e9", "A, row 0, column 0: given “1e9”; allowed: -1,000,000 to 1,000,000"),
        ("1e999", "allowed: -1,000,000 to 1,000,000"),
        ("0.12345678901", "allowed: at most 9 decimal places"),
        ("1,5\t2,5", "A, row 0, column 0: given “1,5”; allowed: a number such as 3, -2 or 0.5"),
        ("1 2 ...\n3 4 5", "A, row 0: given …; a shortened print-out leaves numbers out"),
        ("[[1, 2], [3, 4]", "A: the brackets do not close row by row"),
        ("[[[1]]]", "A: the brackets do not close row by row"),
        ("list([[1]])", "A: given “list(” outside the brackets"),
        ("]1[", "A: a bracket is missing"),
        (" ".join(["1"] * 65), "A: given 1 rows and 65 columns; allowed: at most 64 of each"),
        ("१ २", "A, row 0, column 0: given “१”; allowed: a number"),
    ],
)
def test_what_is_no_matrix_gets_a_sentence_that_names_the_place(text, sentence):
    with pytest.raises(ValueError) as caught:
        parse_matrix(text, "A")
    assert sentence in str(caught.value)


@given(st.text(alphabet="0123456789.,;-+eE[]() \t\n\ranitsorfxyz=_'\u2212\u00a0…", max_size=60))
def test_no_text_breaks_the_reader(text):
    try:
        operand = parse_matrix(text, "A")
    except ValueError as problem:
        assert str(problem).startswith("A")
    else:
        assert all(isinstance(value, int) for row in operand.rows for value in row)


@given(st.lists(st.decimals(-1000, 1000, places=3, allow_nan=False), min_size=1, max_size=6))
def test_any_short_decimal_is_read_exactly(values):
    operand = parse_matrix(" ".join(str(value) for value in values), "A")
    assert [Fraction(value, 10**operand.places) for value in operand.rows[0]] == [Fraction(value) for value in values]


def test_fresh_cases_start_with_the_chapters_own():
    assert fresh_case(0) == (8, 1, 4)


def test_fresh_cases_never_repeat_in_a_row_and_come_back_late():
    cases = [fresh_case(index) for index in range(300)]
    assert all(left != right for left, right in itertools.pairwise(cases))
    assert len(set(cases[1:286])) == 285
    assert all(1 <= first < second <= n for n, first, second in cases)
