"""The editor of chapter 3: launches that no known fault survives, and the first that goes wrong."""

import pytest

from lab.kernels import teaching_source
from lab.registry import WIDGETS
from lab.views import open_scene
from sim.tl.faults import FAULTS


def answer(source=""):
    return open_scene(WIDGETS["kernel-editor"], {"source": source}).frame(0)


def test_kernel_editor_runs_nothing_before_the_reader_has_written():
    assert answer().say.startswith("This is the kernel of gpu/, unchanged.")


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("# region store", "# region  store", "All 7 launches are right, and there is nothing to report."),
        ("acc.to(c_ptr.dtype.element_ty), mask=c_mask)", "acc.to(c_ptr.dtype.element_ty))", "Launch 3 of 7"),
        ("rows = row_tile * BM +", "rows = row_tile +", "Launch 6 of 7"),
        ("tl.dot(a, b, acc", "tl.dott(a, b, acc", "Line 64: triton.language has no dott here."),
        ("for phase in range(tl.cdiv(K, BK)):", "while True:", "Line 59"),
    ],
)
def test_kernel_editor_shows_the_first_launch_that_goes_wrong(before, after, told):
    source = teaching_source()
    assert source.count(before) == 1
    assert told in answer(source.replace(before, after)).say


@pytest.mark.parametrize("fault", [fault for fault in FAULTS if fault.edits], ids=lambda fault: fault.name)
def test_no_fault_of_the_chapter_survives_the_editors_launches(fault):
    found = answer(fault.apply(teaching_source()))
    assert found.say.startswith("Launch ")
    assert "every output is right, by luck" in found.say or "outputs are wrong" in found.say
