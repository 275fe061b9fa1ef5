"""The stepper of chapter 3: lines, K phases, programs, lanes, faults, by hand."""

import re

import pytest

from lab.controls import read_settings
from lab.kernel_launch import launch, tiling_of
from lab.kernel_outcome import where_wrong
from lab.kernels import teaching_source
from lab.registry import WIDGETS
from lab.views import open_scene
from sim.inputs import formula_a, formula_b
from sim.tl.faults import FAULTS
from sim.tl.matmul import run_matmul, wrong_outputs


def scene(**settings):
    return open_scene(WIDGETS["kernel-stepper"], settings)


def frames(**settings):
    opened = scene(**settings)
    return [opened.frame(step) for step in range(opened.count)]


def figure(frame, label):
    [found] = re.findall(rf"<dt>{re.escape(label)}</dt><dd>(.*?)</dd>", frame.html)
    return found


def cells(frame, matrix):
    """(class, text) of every cell of a matrix, row by row."""
    table = frame.html.split(f'class="matrix {matrix}"')[1].split("</table>")[0]
    rows = re.findall(r"<tr><th.*?</th>(.*?)</tr>", table.split("<tbody>")[1])
    return [
        [(cell[0], cell[1]) for cell in re.findall(r'<td(?: class="([^"]*)")?[^>]*>(.*?)</td>', row)] for row in rows
    ]


def stride(opened, label):
    return next(each for each in opened.strides if each.label == label)


def test_the_file_of_the_gpu_runs_line_by_line():
    steps = frames()
    assert len(steps) == 41
    assert steps[1].say == "Line 35: program = tl.program_id(0) — program is 0."
    assert steps[22].say.startswith("Line 64, K phase 0: acc = tl.dot(a, b, acc")
    assert steps[20].say.endswith("4 of 4 lanes of A are loaded.")
    assert steps[37].say.endswith("the loop is over.")
    assert [figure(steps[-1], f"elements of {what}") for what in ("A loaded", "B loaded", "C stored")] == [
        "75", "105", "35",
    ]  # fmt: skip


def test_a_k_phase_ends_with_its_dot():
    opened = scene()
    assert stride(opened, "K phase").stops == (22, 29, 36)
    for phase, stop in enumerate((22, 29, 36)):
        assert opened.frame(stop).say.startswith(f"Line 64, K phase {phase}: acc = tl.dot")


def test_the_last_phase_of_tile_0_0_leaves_the_known_sums():
    table = scene().frame(36).html.split("<code>acc</code>")[1].split("</table>")[0]
    assert re.findall(r"<td>(-?\d+)</td>", table) == ["1", "1", "-2", "0", "-3", "3"]


@pytest.mark.parametrize(
    ("program", "before", "after"),
    [("0", None, {"program": "1"}), ("4", {"program": "3"}, {"program": "5"}), ("8", {"program": "7"}, None)],
)
def test_programs_have_neighbours_except_at_both_ends(program, before, after):
    found = stride(scene(program=program), "program")
    assert (found.before, found.after) == (before, after)


def test_a_single_program_has_no_neighbours():
    assert [each.label for each in scene(m="2", n="3").strides] == ["K phase"]


def test_lanes_beyond_an_edge_are_hatched_where_they_would_lie():
    last_load_of_a = frames(program="8")[34]
    assert last_load_of_a.say.endswith("1 of 4 lanes of A is loaded, 3 are masked.")
    a = cells(last_load_of_a, "a")
    assert [len(row) for row in a] == [6] * 6
    assert a[4] == [
        ("line done", "2"),
        ("line done", "-2"),
        ("line done", "-1"),
        ("line done", "0"),
        ("tile", "1"),
        ("pad", ""),
    ]
    assert [kind for kind, _ in a[5]] == ["beyond"] * 4 + ["pad"] * 2
    c = cells(last_load_of_a, "c")
    assert [kind for kind, _ in c[4]] == ["blank"] * 6 + ["line", "pad", "pad"]
    assert [kind for kind, _ in c[5]] == ["beyond"] * 6 + ["pad"] * 3


def test_a_mask_draws_the_lanes_that_it_will_leave_on():
    mask = frames(program="8")[32]
    assert "a_mask" in mask.say
    assert [kind for kind, _ in cells(mask, "a")[4]][4:] == ["line", "pad"]


def test_a_dot_marks_the_tiles_that_it_multiplies():
    a, b = (cells(frames()[29], name) for name in "ab")
    assert [(row, column) for row in range(6) for column in range(6) if a[row][column][0] == "tile"] == (
        [(0, 2), (0, 3), (1, 2), (1, 3)]
    )
    assert [(row, column) for row in range(6) for column in range(9) if b[row][column][0] == "tile"] == (
        [(2, 0), (2, 1), (2, 2), (3, 0), (3, 1), (3, 2)]
    )


def test_a_store_shows_its_values_in_c():
    assert cells(frames()[39], "c")[:2] == [
        [
            ("tile", "1"),
            ("tile", "1"),
            ("tile", "-2"),
            *[("blank", text) for text in ("p1", "", "", "p2")],
            *[("beyond", "")] * 2,
        ],
        [("tile", "0"), ("tile", "-3"), ("tile", "3"), *[("blank", "")] * 4, *[("beyond", "")] * 2],
    ]


def test_the_names_of_a_line_are_those_it_sets_and_those_it_reads():
    html = frames()[17].html  # k = phase * BK + inner
    sets, reads = html.split("It reads")
    assert re.findall(r"<code>(\w+)</code>", sets.split("This line sets")[1]) == ["k"]
    assert [name for name in ("phase", "BK", "inner") if f"<code>{name}</code>" in reads.split("board")[0]] == (
        ["phase", "BK", "inner"]
    )


def test_every_lane_has_its_address():
    html = frames()[27].html  # the second load of A
    table = html.split("load A: element of each lane")[2].split("</table>")[0]
    assert re.findall(r"<td>(\d+)</td>", table) == ["2", "3", "7", "8"]


def test_a_click_in_c_chooses_the_owner_also_in_grouped_order():
    def owners(frame):
        return re.findall(r'data-set="program=(\d+)"', frame.html.split('class="matrix c"')[1])[::9]

    assert owners(frames()[0]) == ["0", "0", "3", "3", "6", "6"]
    assert owners(frames(group_m="2")[0]) == ["0", "0", "1", "1", "6", "6"]


def test_a_fault_marks_what_it_breaks_and_shows_the_edit():
    last = frames(fault="zeroed-in-loop")[-1]
    assert figure(last, "outputs wrong or missing") == "30 of 35"
    assert last.html.count("✗") == 30
    assert "+ acc = tl.zeros((BM, BN), dtype=tl.float32)" in last.html


def test_the_edit_stands_beside_the_source_and_its_lines_are_marked():
    step = frames(fault="no-k-mask")[20]
    assert "- a_mask = (rows[:, None] &lt; M) &amp; (k[None, :] &lt; K)\n+ a_mask = rows[:, None] &lt; M" in step.html
    assert re.findall(r"<ins>(.*?)</ins>", step.html) == [
        "a_mask = rows[:, None] &lt; M",
        "b_mask = cols[None, :] &lt; N",
    ]


def test_lanes_that_no_mask_stops_are_told_from_masked_ones():
    steps = frames(fault="no-k-mask")
    assert steps[34].say.endswith("4 of 4 lanes of A are loaded.")
    assert cells(steps[34], "a")[0][5] == ("doubt", "?")
    assert steps[35].say.endswith("3 of 6 lanes of B are loaded, 3 reach outside of it.")
    assert cells(steps[35], "b")[5][:3] == [("wrong", "✗")] * 3


@pytest.mark.parametrize(
    ("fault", "settings", "wrong", "where"),
    [
        ("no-k-mask", {}, 0, "none"),
        ("no-other", {}, 0, "none"),
        ("no-store-mask", {}, 3, "whole"),
        ("zeroed-in-loop", {}, 30, "all"),
        ("wrong-row-stride", {}, 28, "both"),
        ("overlapping-tiles", {}, 7, "edge"),
        ("floor-grid", {}, 15, "both"),
        ("group-not-local", {}, 21, "both"),
        ("group-not-local", {"group_m": "4"}, 0, "none"),
        ("zeroed-in-loop", {"bk": "5"}, 0, "none"),
        ("wrong-row-stride", {"n": "5"}, 0, "none"),
        ("floor-grid", {"m": "4", "n": "6"}, 0, "none"),
    ],
)
def test_each_fault_breaks_what_it_says(fault, settings, wrong, where):
    done = launch(read_settings(WIDGETS["kernel-stepper"].controls, {"fault": fault, **settings}))
    assert (len(done.wrong), where_wrong(done)) == (wrong, where)
    if not wrong:
        assert f"every output is right, by luck: {done.fault.lucky}" in frames(fault=fault, **settings)[-1].say


def test_three_faults_are_right_by_luck_on_the_chapters_own_launch():
    lucky = [
        fault.name
        for fault in FAULTS
        if figure(frames(fault=fault.name, group_m="4")[-1], "outputs wrong or missing")[0] == "0"
    ]
    assert lucky == ["no-k-mask", "no-other", "group-not-local"]


def test_what_is_asked_depends_on_whether_something_is_broken():
    assert [(ask.name, ask.answer) for ask in scene().asks] == [("loads", "180")]
    assert [(ask.name, ask.answer) for ask in scene(fault="no-store-mask").asks] == [("bad", "3"), ("where", "whole")]


def test_a_program_that_a_broken_grid_does_not_launch_gives_way_to_one_that_it_does():
    opened = scene(program="8", fault="floor-grid")
    assert opened.settings["program"] == "3"
    assert opened.note.startswith("The broken grid launches 4 programs only: program 3 is shown, the last of them.")


def test_a_grid_of_no_programs_says_so_and_shows_what_is_missing():
    opened = scene(m="1", fault="floor-grid")
    assert opened.count == 1
    assert opened.frame(0).say == "No program was launched: 7 of 7 outputs are wrong or missing; 1 report."
    assert opened.note.startswith("The broken grid launches no program at all")


def test_a_report_names_program_line_lane_and_element():
    html = frames(fault="no-other")[-1].html
    assert "program 0, line 69: 6 lanes stored to C relying on undefined lanes" in html
    assert "first: lane 0, C[0, 0]." in html
    assert "<strong>never written: </strong>15 elements of C" in frames(fault="floor-grid")[-1].html


def test_the_legal_version_of_a_tile_is_one_press_away():
    [(_, [button])] = [group for group in scene().shortcuts if group[0] == "Tiles"]
    assert (button.label, dict(button.set)) == (
        "legal, with masks: 2 × 4 × 16", {"bm": "2", "bn": "4", "bk": "16", "program": "0"},
    )  # fmt: skip
    legal = scene(**button.set)
    assert legal.note == ""
    assert [label for label, _ in legal.shortcuts] == ["Program", "Break"]
    last = legal.frame(legal.count - 1)
    assert figure(last, "outputs wrong or missing") == "0 of 35"


@pytest.mark.parametrize("sizes", [{"bm": "3", "bn": "5", "bk": "7"}, {"bm": "1", "bn": "1", "bk": "1"}])
def test_a_legal_version_is_one_that_strict_mode_takes(sizes):
    [(_, [button])] = [group for group in scene(**sizes).shortcuts if group[0] == "Tiles"]
    t = tiling_of({"m": "5", "n": "7", "k": "5", **button.set})
    done = run_matmul(teaching_source(), formula_a(5, 5), formula_b(5, 7), t, mode="strict")
    assert done.failure is None
    assert not wrong_outputs(done, formula_a(5, 5), formula_b(5, 7))
