"""Tags that escape, and numbers as text."""

import pytest

from lab.markup import Html, number, plain, some, tag


def test_text_is_escaped_once():
    assert tag("p", "if row < M & col > N") == "<p>if row &lt; M &amp; col &gt; N</p>"
    assert tag("p", tag("b", "A & B")) == "<p><b>A &amp; B</b></p>"


def test_attributes_are_escaped_and_renamed():
    made = tag("button", "4", class_="big", data_set='n=4&t="2"', hidden=True, title=None)
    assert made == '<button class="big" data-set="n=4&amp;t=&quot;2&quot;" hidden>4</button>'


def test_void_elements_have_no_end():
    assert tag("input", name="n") == '<input name="n">'


def test_html_is_not_escaped_again():
    assert tag("p", Html("<br>")) == "<p><br></p>"


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [
        (1024, 0, "1024"),
        (-9999, 0, "-9999"),
        (10_000, 0, "10,000"),
        (137_438_953_472, 0, "137,438,953,472"),
        (2_305_843_009_213_693_952, 0, "2,305,843,009,213,693,952"),
        (15, 1, "1.5"),
        (-20, 1, "-2"),
        (-5, 3, "-0.005"),
        (12_345_678, 2, "123,456.78"),
        (0, 4, "0"),
    ],
)
def test_numbers_keep_every_digit(value, places, text):
    assert number(value, places) == text
    assert plain(value, places) == text.replace(",", "")


def test_one_and_many():
    assert (some(1, "output"), some(2, "output"), some(10_000, "row")) == ("1 output", "2 outputs", "10,000 rows")
