"""The widget of the kernel exercises: what it runs, and what it draws of a verdict."""

import re

import pytest

from lab.registry import WIDGETS
from lab.views import open_scene, view
from sim.tl.exercises import KERNEL_EXERCISES


def scene(name, source=""):
    return open_scene(WIDGETS["kernel-exercise"], {"name": name, "source": source})


@pytest.mark.parametrize("name", KERNEL_EXERCISES)
def test_nothing_is_run_before_the_reader_has_written(name):
    frame = scene(name).frame(0)
    kernel = KERNEL_EXERCISES[name].kernel
    assert frame.say == f"Nothing has been checked yet: this is the starter. Write {kernel}, then press Check."
    assert KERNEL_EXERCISES[name].title in frame.html


def test_a_failing_launch_is_drawn_with_what_was_due_and_what_came():
    html = scene("tile_load", KERNEL_EXERCISES["tile_load"].solution.replace("other=0.0", "other=1.0")).frame(0).html
    assert "Launch 2 of 7, the smallest that fails: M = 2, N = 3, BM = 2, BN = 2; 1 × 2 programs" in html
    assert re.findall(r"<b>(\w+) \[", html) == ["A", "out", "out"]
    assert re.findall(r'<td class="wrong">(.*?)</td>', html) == ["1 ✗", "1 ✗"]
    assert "<summary>Load a masked tile: the task</summary>" in html


def test_what_nobody_wrote_is_marked_as_missing():
    html = scene("vector_add", KERNEL_EXERCISES["vector_add"].solution.replace("i < N", "i < N - 1")).frame(0).html
    assert re.findall(r'<td class="wrong">(.*?)</td>', html) == ["∅ ✗"]


def test_a_line_to_blame_is_shown_with_its_text():
    source = KERNEL_EXERCISES["k_loop"].solution.replace("range(tl.cdiv(K, BK))", "range(K < BK < 2)")
    html = scene("k_loop", source).frame(0).html
    assert 'data-line="11">Line 11: <code>for phase in range(K &lt; BK &lt; 2):</code>' in html


def test_a_readers_kernel_never_stands_in_an_address():
    assert view(scene("vector_add", "x = 1"))["key"] == ""


@pytest.mark.parametrize("name", KERNEL_EXERCISES)
def test_hints_and_solution_are_folded(name):
    html = scene(name).panels["hints"]()
    assert re.findall(r"<summary>(.*?)</summary>", html) == ["Hint 1", "Hint 2", "Hint 3", "Hint 4", "A solution"]
    assert "open" not in re.findall(r"<details([^>]*)>", html)
