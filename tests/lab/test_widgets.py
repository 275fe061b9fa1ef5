"""Each widget's numbers, by hand; its frames, asks and limits."""

import re

import pytest

from lab.problem import Problem
from lab.registry import WIDGETS, widget_named
from lab.views import full_view, open_scene, view

TOY = {"a": "1 2 3\n4 5 6", "b": "7 8\n9 10\n11 12"}


def frames(name, /, **settings):
    scene = open_scene(WIDGETS[name], settings)
    return [scene.frame(step) for step in range(scene.count)]


def figure(frame, label):
    """The value that stands beside a label among a frame's key figures."""
    found = re.search(rf"<dt>{re.escape(label)}</dt><dd>(.*?)</dd>", frame.html)
    assert found, f"no figure {label!r}"
    return found.group(1)


def answers(name, /, **settings):
    return {ask.name: ask.answer for ask in open_scene(WIDGETS[name], settings).asks}


def replies(name, ask, /, **settings):
    return view(open_scene(WIDGETS[name], settings))["replies"][ask]


def test_dot_product_of_four():
    steps = frames("dot-product", n="4")
    assert [figure(step, "product") for step in steps] == ["2", "0", "0", "-1"]
    assert [figure(step, "partial C") for step in steps] == ["2", "2", "2", "1"]
    assert [figure(step, "final C") for step in steps] == [*["after the last product"] * 3, "1"]
    assert steps[0].say == "k = 0: A[0,0] × B[0,0] = (-2) × (-1) = 2. The running sum of C[0,0] is 2."
    assert steps[3].say == "k = 3, the last: A[0,3] × B[3,0] = 1 × (-1) = -1. C[0,0] is complete: 1."


def test_dot_product_marks_row_column_and_pair():
    html = frames("dot-product", n="4", row="1", column="2")[2].html
    a, b, c = (html.split(f'class="matrix {name}"')[1].split("</table>")[0] for name in "abc")
    assert a.count('class="line now"') == b.count('class="line now"') == 1
    assert a.count('class="line done"') == b.count('class="line done"') == 2
    assert c.count('class="out now"') == 1
    assert 'data-set="row=3&amp;column=0"' in c


def test_dot_product_of_own_rectangles():
    steps = frames("dot-product", **TOY, row="1", column="0")
    assert [figure(step, "partial C") for step in steps] == ["28", "73", "139"]


def test_dot_product_of_own_decimals_is_exact():
    steps = frames("dot-product", a="0.1 0.2", b="3\n-0.1")
    assert [figure(step, "partial C") for step in steps] == ["0.3", "0.28"]


def test_inner_lists_typed_as_columns_give_their_own_product():
    panel = open_scene(WIDGETS["dot-product"], {"a": "1 4;2 5;3 6", "b": "7 9 11;8 10 12"}).panels["inputs"]()
    assert re.findall(r"<td>(\d+)</td>", panel.split('class="matrix c"')[1]) == [
        "39",
        "49",
        "59",
        "54",
        "68",
        "82",
        "69",
        "87",
        "105",
    ]


def test_matrices_that_fit_only_when_turned_get_a_hint_about_rows():
    with pytest.raises(Problem, match="were the inner lists meant as columns"):
        open_scene(WIDGETS["dot-product"], {"a": "1 4;2 5;3 6", "b": "7 8 9;1 2 3;4 5 6"})


def test_the_complete_inputs_can_be_opened():
    panel = open_scene(WIDGETS["dot-product"], {"n": "4"}).panels["inputs"]()
    assert re.findall(r"<td>(-?\d+)</td>", panel.split('class="matrix c"')[1]) == (
        ["1", "-1", "0", "1", "0", "-1", "1", "0", "4", "-1", "-3", "4", "-2", "4", "-2", "-2"]
    )


def test_tile_walk_of_four_by_two():
    steps = frames("tile-walk", n="4", tile="2")
    assert figure(steps[0], "inputs loaded in this phase") == "4 of A + 4 of B = 8"
    assert figure(steps[0], "outputs that share each loaded input") == "2"
    assert [figure(step, "input loads for all of C") for step in steps] == ["after the last phase", "64"]
    assert figure(steps[0], "separate-output loads") == "128"
    assert figure(steps[0], "shared bytes for one block") == "32 (float32)"
    tiles = [re.findall(r'<td class="out tile"[^>]*>(-?\d+)</td>', step.html) for step in steps]
    assert tiles == [["2", "-1", "1", "0"], ["1", "-1", "0", "-1"]]


def test_tile_walk_of_a_ragged_last_tile():
    steps = frames("tile-walk", n="5", tile="2", i="2", j="1")
    assert len(steps) == 3
    assert figure(steps[0], "inputs loaded in this phase") == "2 of A + 4 of B = 6"
    assert figure(steps[0], "outputs that share each loaded input") == "2 for A, 1 for B"
    assert figure(steps[2], "inputs loaded in this phase") == "1 of A + 2 of B = 3"
    assert figure(steps[2], "input loads for all of C") == "150"


def test_tile_walk_with_one_wide_tiles_is_separate_outputs():
    step = frames("tile-walk", n="8", tile="1")[-1]
    assert figure(step, "input loads for all of C") == figure(step, "separate-output loads") == "1024"


def test_tile_waits_in_the_worst_order():
    steps = frames("tile-waits", n="4", tile="2", order="no-wait-after-using")
    assert re.findall(r"<td>(-?\d+)</td>", steps[-1].html)[:8] == ["-2", "0", "-2", "-2", "1", "-1", "0", "-1"]
    assert "phase 0 is never used" in replies("tile-waits", "final", order="no-wait-after-using")["right"]


def test_load_count_of_eight():
    steps = frames("load-count", n="8")
    loads = [figure(step, "input loads for all of C") for step in steps]
    assert [loads[width - 1] for width in (1, 2, 4, 8)] == ["1024", "512", "256", "128"]


def test_load_count_shows_a_width_when_the_reader_has_come_to_it():
    steps = frames("load-count", n="8", compare="none")
    assert [step.html.count('class="dot') for step in steps] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert "<td>512</td>" not in steps[0].html
    assert "<td>512</td>" in steps[1].html


def test_load_count_of_a_ragged_size():
    step = frames("load-count", n="5")[1]
    assert figure(step, "input loads for all of C") == "150"
    assert figure(step, "slots with padding") == "216"
    assert figure(step, "2 · n³ / T") == "125 (does not hold: T does not divide n)"


def test_load_count_of_a_large_size_is_made_at_once():
    scene = open_scene(WIDGETS["load-count"], {"n": "4096", "tile": "16"})
    assert scene.count == 13
    assert figure(scene.frame(0), "input loads for all of C") == "137,438,953,472"
    assert figure(scene.frame(4), "input loads for all of C") == "8,589,934,592"


def test_reuse_of_an_element_counts_its_loads_and_products():
    step = frames("load-count", n="5", side="b", row="1", column="3")[1]
    assert "The reuse of B[1,3]" in step.html
    assert figure(step, "times it is loaded") == "3 (one for each row of tiles)"
    assert figure(step, "products it serves") == "5"
    assert figure(step, "products for each load") == "2 each, 1 the last time"
    assert figure(step, "outputs it serves") == "column 3 of C: 5 outputs"


def test_new_case_starts_with_the_chapters_own():
    assert answers("new-case", case="0") == {"first": "1024", "second": "256", "changes": "no"}
    assert "and C is the same" in frames("new-case", case="0")[3].say
    assert figure(frames("new-case", case="3")[3], "outputs of C that differ") == "0 of 144"


def test_new_case_button_leads_to_another_case():
    scene = open_scene(WIDGETS["new-case"], {"case": "3"})
    assert scene.shortcuts[0][1][0].set == {"case": "4"}


def test_a_wrong_prediction_is_met_with_its_mistake():
    known = replies("tile-walk", "loads", n="4", tile="2")["known"]
    assert "undivided" in known["128"]
    assert "one output tile" in known["16"]


def test_mistakes_with_the_same_number_are_not_told_apart():
    known = replies("tile-walk", "loads", n="4", tile="2")["known"]["32"]
    assert "different mistakes give, so it is one of these:" in known
    assert known.count("<li>") == 5


def test_the_right_answer_is_never_among_the_mistakes():
    for name, widget in WIDGETS.items():
        for settings in widget.listed:
            for reply in view(open_scene(widget, settings))["replies"].values():
                assert reply["answer"] not in reply["known"], (name, settings)


@pytest.mark.parametrize(
    ("name", "settings", "sentence"),
    [
        (
            "dot-product",
            {"n": "4", "row": "4"},
            "output row: given 4; allowed: a whole number from 0 to 3 (C has 4 rows",
        ),
        ("tile-walk", {"n": "4", "tile": "5"}, "tile width: given 5; allowed: a whole number from 1 to 4"),
        ("tile-walk", {"n": "4", "tile": "4", "j": "1"}, "tile column: given 1; allowed: 0 (C has 1 column of tiles"),
        ("tile-waits", {"n": "4", "tile": "5"}, "tile width: given 5; allowed: a whole number from 1 to 4"),
        ("load-count", {"n": "8", "tile": "9"}, "tile width to predict: given 9; allowed: a whole number from 1 to 8"),
        ("dot-product", {"a": "1 2"}, "your B: given nothing beside your A; allowed: both matrices, or neither"),
        ("dot-product", {"a": "1 x", "b": "1"}, "your A, row 0, column 1: given “x”"),
        ("dot-product", {"a": "1 2", "b": "1 2"}, "your B: given 1 row; allowed: 2"),
    ],
)
def test_settings_that_do_not_fit_together_get_a_sentence(name, settings, sentence):
    with pytest.raises(Problem) as caught:
        open_scene(WIDGETS[name], settings)
    assert sentence in caught.value.sentence


def test_an_unknown_widget_is_refused_with_those_there_are():
    with pytest.raises(
        Problem, match="widget: given “tile-wlk”; allowed: against-torch, bench-lies, count-and-time, dot-product"
    ):
        widget_named("tile-wlk")


@pytest.mark.parametrize("name", WIDGETS)
def test_every_listed_setting_has_a_sentence_for_every_step(name):
    for settings in WIDGETS[name].listed:
        whole = full_view(open_scene(WIDGETS[name], settings))
        assert len(whole["frames"]) == whole["count"] >= 1
        assert all(frame["say"].endswith(".") and frame["html"] for frame in whole["frames"])


@pytest.mark.parametrize("name", WIDGETS)
def test_every_shortcut_leads_to_a_setting_that_opens(name):
    for settings in WIDGETS[name].listed:
        scene = open_scene(WIDGETS[name], settings)
        for _, buttons in scene.shortcuts:
            for button in buttons:
                assert open_scene(WIDGETS[name], {**scene.settings, **button.set}).count >= 1


def test_tile_masks_shows_what_a_lane_really_holds():
    right, broken = frames("tile-masks")[2], frames("tile-masks", fault="fill-one")[2]
    assert figure(right, "lanes masked in this phase") == "5"
    assert right.say.endswith("k 4, 5 lanes loaded, 5 masked. C[0,0] has 1.")
    assert broken.say.endswith("k 4, 5 lanes loaded, 5 masked. C[0,0] has 2.")


def test_tile_masks_counts_programs_phases_and_wasted_slots():
    step = frames("tile-masks")[0]
    assert figure(step, "programs") == "3 × 3 = 9"
    assert figure(step, "K phases") == "3"
    assert figure(step, "masked slots, all programs and phases") == "90 of A and B, 19 of C"


@pytest.mark.parametrize(
    ("fault", "wrong", "unwritten"),
    [("none", "0", "0"), ("grid-down", "0", "11"), ("wrap", "0", "0"), ("fill-one", "35", "0")],
)
def test_tile_masks_marks_the_outputs_that_go_wrong(fault, wrong, unwritten):
    last = frames("tile-masks", fault=fault)[-1]
    assert (figure(last, "wrong"), figure(last, "never written")) == (wrong, unwritten)
    assert last.html.count("✗") == int(wrong) + int(unwritten)


def test_an_accumulator_zeroed_in_the_loop_keeps_only_the_last_phase():
    steps = frames("tile-masks", m="2", n="2", k="3", bm="2", bn="2", bk="2", inputs="counting", fault="reset")
    assert steps[0].say.endswith("C[0,0] has 25.")
    assert steps[1].say.endswith("C[0,0] holds only this phase's 33.")
    assert "36 ✗" in steps[2].html


def test_exit_check_starts_with_the_chapters_own():
    assert answers("exit-check", case="0") == {"programs": "9", "phases": "3", "masks": "M N K"}
    assert "the grid is rounded down" in replies("exit-check", "programs", case="0")["known"]["4"].lower()


def test_tile_reuse_of_a_published_tile():
    step = frames("tile-reuse", bm="32", bn="64", bk="32")[0]
    assert figure(step, "elements of one A and one B tile") == "1024 + 2048 = 3072"
    assert figure(step, "input bytes of a phase") == "6144"
    assert figure(step, "FLOPs of a phase") == "131,072"
    assert figure(step, "FLOPs for each input byte") == "21.33"


def test_tile_reuse_says_when_no_block_can_start():
    assert (
        "no block of this tile can start, for want of registers"
        in frames("tile-reuse", bm="128", bn="256", bk="64")[0].say
    )


def test_exercise_runs_nothing_before_the_reader_has_written():
    assert (
        frames("exercise")[0].say
        == "Nothing has been checked yet: this is the starter. Write matmul(a, b), then press Check."
    )


def test_exercise_names_the_mistake_in_the_smallest_case():
    source = (
        "def matmul(a, b):\n    c = [[0] * len(b[0])] * len(a)\n    for i in range(len(a)):\n"
        "        for j in range(len(b[0])):\n            for k in range(len(b)):\n"
        "                c[i][j] += a[i][k] * b[k][j]\n    return c\n"
    )
    found = frames("exercise", name="matmul", source=source)[0]
    assert found.say == "C[0][0] is 197; it should be 58."
    assert "rows that share one list" in found.html
    assert "Case 4 of 14" in found.html


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("def matmul(a, b):\n    while True:\n        pass\n", "stopped after 100,000 steps"),
        ("def matmul(a, b)\n    return a\n", "Line 1"),
        ("def matmul(a, b):\n    return <script>\n", "Line 2"),
        ("import os\n", "there is no module os here"),
    ],
)
def test_exercise_answers_broken_code_with_a_sentence(source, sentence):
    found = frames("exercise", name="matmul", source=source)[0]
    assert sentence in found.say
    assert "<script>" not in found.html


def test_a_readers_code_never_stands_in_an_address():
    scene = open_scene(WIDGETS["exercise"], {"name": "matmul", "source": "def matmul(a, b): return 1"})
    assert view(scene)["key"] == ""


def test_program_order_puts_the_numbers_into_every_line():
    step = frames("program-order", m="10", n="14", k="4", bm="2", bn="2", bk="2", group_m="3")[24]
    assert re.findall(r"<td>([^<]+)</td><td>(\d+)</td></tr>", step.html) == [
        ("3 × 7", "21"),
        ("24 // 21", "1"),
        ("1 × 3", "3"),
        ("min(5 - 3, 3)", "2"),
        ("24 % 21", "3"),
        ("3 + 3 % 2", "4"),
        ("3 // 2", "1"),
    ]
    assert step.say.startswith("Program 24 owns tile (4,1). Its group is the last and has only 2 rows.")


@pytest.mark.parametrize(
    ("group_m", "rows", "loads"), [("1", "1: 0", "(1 + 9) × 9 = 90"), ("3", "3: 0–2", "(3 + 3) × 9 = 54")]
)
def test_program_order_counts_what_the_last_nine_programs_share(group_m, rows, loads):
    step = frames("program-order", group_m=group_m)[8]
    assert figure(step, "row tiles of A they touch") == rows
    assert figure(step, "tile loads, each tile once") == loads
    assert figure(step, "tile loads, nothing shared") == "2 × 9 × 9 = 162"


def test_program_order_marks_the_current_program_and_the_last_nine():
    c = frames("program-order")[12].html.split('class="matrix c"')[1].split("</table>")[0]
    assert re.findall(r'<td class="now" aria-current="true">(\d+)</td>', c) == ["12"]
    assert sorted(map(int, re.findall(r'<td class="out">(\d+)</td>', c))) == [4, 5, 6, 7, 8, 9, 10, 11]
    assert c.count('class="done"') == 4


def test_the_older_formula_differs_in_the_ragged_group_only():
    ragged = {"m": "10", "n": "14", "k": "4", "bm": "2", "bn": "2", "bk": "2"}
    new, old = frames("program-order", **ragged), frames("program-order", **ragged, formula="older")
    assert [step.say for step in new[:21]] == [step.say for step in old[:21]]
    assert "Program 21 owns tile (3,0)" in new[21].say
    assert "Program 21 owns tile (4,0)" in old[21].say


def test_program_order_asks_for_a_tile_and_for_shared_loads():
    assert answers("program-order") == {"row": "1", "column": "3", "loads": "54"}
    assert "GROUP_M = 1 needs" in replies("program-order", "loads")["known"]["90"]


def test_program_order_draws_a_large_grid_around_the_current_program():
    scene = open_scene(WIDGETS["program-order"], {"m": "8192", "n": "8192", "bm": "128", "bn": "128", "k": "8192"})
    assert scene.count == 4096
    assert 40 < scene.frame(4095).html.count("<td") < 160


def test_tile_cache_shows_the_known_sweep():
    steps = frames("tile-cache")
    assert [figure(step, "miss rate") for step in steps] == (
        ["26.6\u00a0%", "26.6\u00a0%", "15.6\u00a0%", "7.8\u00a0%", "15.6\u00a0%", "26.6\u00a0%", "26.6\u00a0%"]
    )
    assert steps[3].say.endswith("5120 of 65,536 tile accesses miss, 7.8\u00a0%. That is less than at GROUP_M = 4.")
    assert steps[5].say.endswith("That is more than at GROUP_M = 16, and as many as in row-major order.")
    assert figure(steps[3], "different tiles, one phase of the first programs") == "8 + 8 of 128 accesses"


def test_tile_cache_shows_a_group_when_the_reader_has_come_to_it():
    steps = frames("tile-cache", rows="4", columns="4", phases="4", in_flight="4", capacity="8")
    assert [step.html.count("<rect") for step in steps] == [1, 2, 3, 4, 5, 6, 7]
    assert [step.html.count("\u00a0%</td>") for step in steps] == [1, 2, 3, 4, 5, 6, 7]


def test_tile_cache_with_room_for_all_misses_each_tile_once():
    assert {figure(step, "misses at this GROUP_M") for step in frames("tile-cache", capacity="2048")} == {"2048"}
    assert answers("tile-cache") == {"phase": "16", "least": "2048"}


@pytest.mark.parametrize(
    ("name", "settings", "sentence"),
    [
        ("program-order", {"m": "65", "w": "1"}, "tile rows: given 65; allowed: at most 64"),
        ("program-order", {"p": "81"}, "program to predict: given 81; allowed: a whole number from 0 to 80"),
        ("program-order", {"w": "82"}, "programs looked back: given 82; allowed: a whole number from 1 to 81"),
        ("tile-cache", {"phases": "65"}, "programs × K phases: given 66,560; allowed: at most 65,536"),
    ],
)
def test_orders_and_caches_too_large_are_refused_in_words(name, settings, sentence):
    with pytest.raises(Problem) as caught:
        open_scene(WIDGETS[name], settings)
    assert sentence in caught.value.sentence
