"""The widget on what each line became: the stored map, drawn line by line."""

import re

import pytest

from lab.instructions import OTHER, kind
from lab.kernels import compiled_kernels
from lab.registry import WIDGETS
from lab.views import open_scene, view
from lab.widgets.kernel_lines import CONFIGS


def scene(**settings):
    return open_scene(WIDGETS["kernel-lines"], settings)


def frame_of(line, **settings):
    opened = scene(**settings)
    frames = [opened.frame(step) for step in range(opened.count)]
    return next(frame for frame in frames if frame.say.startswith(f"Line {line}:"))


def test_each_choice_is_the_row_of_the_map_that_it_names():
    for (_, label), found in zip(CONFIGS, compiled_kernels(), strict=True):
        s = found.settings
        assert label.startswith(f"sm_{s['arch']}, {s['dtype']}")
        assert f"{s['BM']} × {s['BN']} × {s['BK']}" in label
        assert ("any sizes" in label) == (not s["multiples_of_16"])
        assert ("TF32" in label) == (s["precision"] == "tf32")


def test_every_stored_instruction_is_of_a_known_kind():
    assert {text for found in compiled_kernels() for _, _, text in found.instructions if kind(text) == OTHER} == set()


@pytest.mark.parametrize(
    ("config", "told"),
    [
        ("sm80-float16-64", "16 matrix instructions, mma.sync, in the loop."),
        ("sm90-float16-64", "21 instructions, in the loop; 2 of them are matrix instructions, wgmma.mma_async."),
        ("sm90-float16-16", "1 matrix instruction, mma.sync, in the loop."),
        ("sm90-float32-16", "32 instructions, in the loop."),
    ],
)
def test_the_line_of_the_dot_says_its_matrix_instruction(config, told):
    assert frame_of(64, config=config).say.endswith(told)


def test_the_matrix_instruction_is_marked_in_words():
    html = frame_of(64, config="sm90-float16-16").html
    assert re.findall(r"<strong>▶ matrix instruction: (mma\.sync\.\S+)", html) == (
        ["mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"]
    )
    assert '<th scope="row">matrix instruction</th>' in html


def test_a_line_without_instructions_says_so():
    assert frame_of(52).say == "Line 52: rows = rows.to(tl.int64) — no instruction carries this line."


def test_a_click_on_a_line_leads_to_its_step():
    opened = scene()
    steps = dict(re.findall(r'data-step="(\d+)"><span[^>]*> *(\d+) ', opened.frame(0).html))
    assert all(opened.frame(int(step)).say.startswith(f"Line {line}:") for step, line in steps.items())
    assert len(steps) == opened.count - 1 == 27  # the last step has instructions without a line


def test_resources_and_provenance_stand_beside_the_code():
    html = frame_of(35, config="sm80-float16-64").html
    assert "<dt>registers a thread</dt><dd>95</dd>" in html
    assert "<dt>bytes of shared memory</dt><dd>16,384</dd>" in html
    assert re.search(r"Compiled by Triton 3\.7\.1 and ptxas 12\.8 for sm_80 on \d{4}-\d\d-\d\d; not run\.", html)


@pytest.mark.parametrize(
    ("config", "answer", "guess", "told"),
    [
        ("sm80-float16-64", "16", "64", "for all warps together"),
        ("sm90-float16-64", "2", "1", "one tl.dot stands in the source"),
        ("sm90-float32-16", "0", "32", "that many multiply-adds"),
    ],
)
def test_a_wrong_prediction_is_met_with_its_mistake(config, answer, guess, told):
    reply = view(scene(config=config))["replies"]["matrix"]
    assert reply["answer"] == answer
    assert told in reply["known"][guess]
