"""Settings: read strictly, refused in one sentence."""

import pytest

from lab.controls import Choice, Integer, MatrixText, read_settings
from lab.problem import Problem

SIZE = Integer("n", "matrix size", 4, 1, 64)
CONTROLS = (SIZE, Choice("side", "element of", "a", (("a", "A"), ("b", "B"))), MatrixText("a", "your A"))


@pytest.mark.parametrize("raw", ["-4", "0", "3.5", "1e9", "", " ", "text", "65", "٣", "4 4", "0x4", "1" * 30, "１"])
def test_a_size_that_is_none_is_refused_with_what_is_allowed(raw):
    with pytest.raises(Problem) as caught:
        read_settings(CONTROLS, {"n": raw})
    shown = f"“{raw}”" if raw.strip() else "nothing"
    assert caught.value.sentence == f"matrix size: given {shown}; allowed: a whole number from 1 to 64"
    assert caught.value.field == "n"


@pytest.mark.parametrize(("raw", "read"), [("4", "4"), (" 08 ", "8"), ("64", "64")])
def test_a_size_is_read_in_its_shortest_form(raw, read):
    assert SIZE.read(raw) == read


def test_a_typographic_minus_is_a_minus():
    assert Integer("x", "x", 0, -9, 9).read("\u22124") == "-4"


def test_missing_settings_take_their_defaults_in_the_order_of_the_controls():
    assert list(read_settings(CONTROLS, {"side": "b"}).items()) == [("n", "4"), ("side", "b"), ("a", "")]


def test_an_unknown_setting_is_refused_with_those_there_are():
    with pytest.raises(Problem, match="setting: given “m”; allowed: n, side, a"):
        read_settings(CONTROLS, {"m": "4"})


def test_an_unknown_choice_is_refused_with_those_there_are():
    with pytest.raises(Problem, match="element of: given “c”; allowed: a, b"):
        read_settings(CONTROLS, {"side": "c"})


def test_pasted_rows_are_kept_one_a_line():
    assert CONTROLS[2].read("  1   2\r\n\r\n 3\t4 \n") == "1 2\n3\t4"


def test_a_text_that_is_far_too_long_is_refused():
    with pytest.raises(Problem, match="at most 60,000 characters"):
        CONTROLS[2].read("1 " * 40_000)


def test_fields_carry_their_rule_and_their_value():
    assert 'data-min="1"' in SIZE.field("8")
    assert 'value="8"' in SIZE.field("8")
    assert "1 &lt; 2" in CONTROLS[2].field("1 < 2")
