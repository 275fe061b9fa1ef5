"""Which rows and columns are drawn, and how a cell is marked."""

import pytest

from lab.charts import Series, load_chart, log2_16
from lab.figures import Grid, matrix, visible


@pytest.mark.parametrize(
    ("size", "focus", "drawn"),
    [
        (4, (1, 2), (0, 1, 2, 3)),
        (12, (0, 1), tuple(range(12))),
        (64, (0, 1), (0, 1, 2, 3, 4, 5, None, 63)),
        (64, (30, 31), (0, None, 28, 29, 30, 31, 32, 33, None, 63)),
        (64, (63, 64), (0, None, 58, 59, 60, 61, 62, 63)),
        (64, (0, 64), (0, 1, 2, None, 61, 62, 63)),
    ],
)
def test_large_matrices_are_drawn_around_the_focus(size, focus, drawn):
    assert visible(size, focus) == drawn


def test_the_focus_is_always_drawn():
    for index in range(64):
        assert index in visible(64, (index, index + 1))
        assert len(visible(64, (index, index + 1))) <= 10


def test_cells_carry_value_class_and_what_a_click_chooses():
    grid = Grid(
        "C", (1, 2), lambda r, c: f"{r}{c}", lambda r, c: "out now" if c else "", "partial", lambda r, c: f"c={c}"
    )
    html = matrix(grid, (0,), (0, None, 1))
    assert "<b>C [1 × 2]</b> partial" in html
    assert '<td data-set="c=0">00</td>' in html
    assert '<td class="out now" aria-current="true" data-set="c=1">01</td>' in html
    assert html.count('class="gap"') == 1


@pytest.mark.parametrize(("value", "expected"), [(1, 0), (2, 16), (3, 25), (1024, 160), (2**61, 976)])
def test_logarithms_are_whole_numbers(value, expected):
    assert log2_16(value) == expected


def test_a_chart_marks_the_width_in_question():
    svg = load_chart((Series("n = 8", ((1, 1024), (2, 512), (4, 256), (8, 128))),), 2, "loads")
    assert svg.count('class="dot now"') == 1
    assert svg.count('class="dot"') == 3
    assert 'aria-label="loads"' in svg


def test_a_chart_of_one_point_can_be_drawn():
    assert 'class="dot now"' in load_chart((Series("n = 1", ((1, 2),)),), 1, "loads")
