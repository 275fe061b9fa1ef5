"""The measured fence: values, spread, provenance, and an author's mistakes."""

import json
import re
from fractions import Fraction

import pytest

from builder.bench_row import FIELDS, ROW
from builder.evidence import Evidence
from builder.measured import PLOTS, bytes_lines, hit_lines, measured_html, time_lines
from builder.plots import Axis
from lab.problem import Problem


def row(size, group_m, dram, milliseconds):
    low, middle, high = milliseconds
    return {
        "m": size, "n": size, "k": size, "group_m": group_m, "input_bytes": 1000,
        "dram_read_bytes": dram, "dram_read_bytes_range": [dram - 100, dram + 100],
        "l2_hit_rate": 0.6757, "l2_hit_rate_range": [0.6564, 0.67594],
        "time_ms": {"min": low, "first_quartile": low, "median": middle, "third_quartile": high},
    }  # fmt: skip


STORED = {
    "provenance": {"device": "NVIDIA H200", "driver": "580", "date": "2026-11-30T04:11:43"},
    "grouping": [
        row(4096, 1, 8000, (1.9375, 2.0, 2.0625)), row(4096, 8, 2345, (1.875, 1.9375, 1.96875)),
        row(512, 1, 2000, (1.0, 1.0, 1.0)),
    ],
}  # fmt: skip


@pytest.fixture
def stored(author):
    author.write("gpu/results/h200-counters.json", json.dumps(STORED))
    return author


def test_bytes_are_told_in_times_the_inputs_with_their_range():
    (line,) = bytes_lines(STORED, [(4096, 4096, 4096)])
    assert (line.name, line.cells[1]) == ("4096³", "2.35<br><small>2.25–2.45</small>")
    last = line.points[1]
    assert (last.along, last.low, last.value, last.high) == (
        8, Fraction(2245, 1000), Fraction(2345, 1000), Fraction(2445, 1000)
    )  # fmt: skip


def test_hits_are_told_in_percent_of_hits_and_misses_with_their_range():
    (line,) = hit_lines(STORED, [(4096, 4096, 4096)])
    assert line.cells[0] == "67.6<br><small>65.6–67.6</small>"
    assert round(line.points[0].low, 2) == Fraction("65.64")


def test_times_are_drawn_in_percent_of_row_major_order_and_told_in_milliseconds():
    (line,) = time_lines(STORED, [(4096, 4096, 4096)])
    assert line.cells[1] == "1.938<br><small>1.875–1.969</small>"
    assert [(point.low, point.value, point.high) for point in line.points] == [
        (Fraction("96.875"), 100, Fraction("103.125")),
        (Fraction("93.75"), Fraction("96.875"), Fraction("98.4375")),
    ]


def test_an_axis_lays_a_value_between_its_ends():
    straight = Axis("time", ((Fraction(80), "80"), (Fraction(120), "120")), logarithmic=False)
    assert [straight.height(Fraction(value)) for value in (80, 100, 120)] == [276, 156, 36]
    doubling = Axis("bytes", ((Fraction(1), "1"), (Fraction(16), "16")), logarithmic=True)
    assert [doubling.height(Fraction(value)) for value in (1, 4, 16)] == [276, 156, 36]


def test_a_value_beyond_the_axis_is_refused_and_not_drawn_at_its_edge():
    axis = Axis("time", ((Fraction(80), "80 %"), (Fraction(120), "120 %")), logarithmic=False)
    with pytest.raises(Problem, match="time: given “130”; allowed: 80 % to 120 %"):
        axis.height(Fraction(130))


def test_a_page_shows_plot_table_and_who_measured_it(stored):
    stored.chapter("```measured grouping-bytes\n```\n")
    html = stored.page("one.html")
    assert "measured: NVIDIA H200, driver 580, 2026-11-30; h200-counters.json" in html
    assert '<th scope="row">4096³</th><td>8.00<br><small>7.90–8.10</small></td><td>2.35<br>' in html
    figure = html.split('class="chart-box"')[1].split("</figure>")[0]
    assert len(re.findall("<circle", figure)) == 2
    assert "style=" not in figure


@pytest.mark.parametrize(
    ("fence", "sentence"),
    [
        (
            "```measured grouping\n```",
            "measured: given “grouping”; allowed: bench-row, grouping-bytes, grouping-hits, grouping-shapes, "
            "grouping-shapes-time, grouping-time",
        ),
        ("```measured\n```", "```measured  given; allowed: ```measured NAME, and no text"),
        ("```measured grouping-bytes\nx\n```", "with text in the fence given; allowed: ```measured NAME"),
    ],
)
def test_an_authors_mistake_is_told_with_its_line(stored, fence, sentence):
    stored.chapter(fence + "\n")
    (found,) = stored.mistakes()
    assert found.startswith("chapters/01-one.md:7: ")
    assert sentence in found


def test_a_result_that_is_not_stored_stops_the_build(author):
    author.chapter("```measured grouping-time\n```\n")
    assert author.mistakes() == [
        "chapters/01-one.md:7: result: given “h200-counters.json”; allowed: none is stored yet"
    ]


@pytest.mark.parametrize(
    ("name", "points"),
    [
        ("grouping-bytes", 35),
        ("grouping-shapes", 21),
        ("grouping-hits", 35),
        ("grouping-time", 35),
        ("grouping-shapes-time", 21),
    ],
)
def test_every_plot_draws_and_tells_each_stored_point(name, points, root):
    html = measured_html(name, Evidence(root))
    assert html.count("<circle") == html.count("<td>") == points


def test_every_plot_is_tested_above():
    tested = {case[0] for case in test_every_plot_draws_and_tells_each_stored_point.pytestmark[0].args[1]}
    assert tested == set(PLOTS)


def test_a_row_of_the_bench_is_told_field_by_field(root):
    html = measured_html("bench-row", Evidence(root))
    meaning = '<span class="remark">operations over the median of replay</span>'
    assert f'<th scope="row">tflops</th><td>715.9{meaning}' in html
    assert "median_ms 0.192, low_ms 0.1848, high_ms 0.1956, repeats 30" in html
    assert "<td>slower than torch (0.987); roof: arithmetic" in html
    assert "measured: NVIDIA H200, driver 580.159.04, 2026-11-30; h200-matmul-half.json" in html


def test_every_field_of_the_bench_that_is_told_is_in_its_schema(root):
    schema = json.loads((root / "gpu/bench/schema.json").read_text(encoding="utf-8"))
    assert {name for name, _ in FIELDS} <= set(schema["$defs"]["measured"]["properties"])


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([], "h200-matmul-half.json: 0 rows given with"),
        ([ROW], "h200-matmul-half.json: a row without rung given; required: kernel, rung"),
    ],
)
def test_a_row_of_the_bench_that_is_not_there_stops_the_build(author, rows, sentence):
    author.write("gpu/results/h200-matmul-half.json", json.dumps({"rows": rows}))
    author.chapter("```measured bench-row\n```\n")
    (found,) = author.mistakes()
    assert sentence in found
