"""The door between page and Python: right answers, and a sentence for everything else."""

import json

import pytest
from hypothesis import given
from hypothesis import settings as allow
from hypothesis import strategies as st

from lab.bridge import Session, handle
from lab.registry import WIDGETS


def ask(**message):
    return json.loads(handle(json.dumps(message)))


def test_a_view_opens_at_the_step_of_the_address():
    answer = ask(op="view", widget="dot-product", settings={"n": "4"}, step="3")
    assert (answer["step"], answer["view"]["count"], answer["notice"]) == (2, 4, "")
    assert answer["frame"]["say"].startswith("k = 2:")
    assert answer["view"]["key"] == "n=4&row=0&column=0&inputs=formula"


@pytest.mark.parametrize("step", ["0", "5", "-1", "1.5", "x", "", "9" * 40])
def test_a_step_that_is_not_there_falls_back_to_the_first_and_says_so(step):
    answer = ask(op="view", widget="dot-product", settings={"n": "4"}, step=step)
    assert answer["step"] == 0
    assert answer["notice"].startswith("step: given")
    assert answer["notice"].endswith("allowed: a whole number from 1 to 4")


@pytest.mark.parametrize(("asked", "shown"), [("3", 2), ("4", 3), ("30", 3), ("9" * 40, 3)])
def test_a_step_that_is_kept_from_a_longer_trace_is_the_last_one(asked, shown):
    answer = ask(op="view", widget="dot-product", settings={"n": "4"}, step=asked, keep=True)
    assert (answer["step"], answer["notice"]) == (shown, "")


def test_own_matrices_travel_in_the_key():
    answer = ask(op="view", widget="dot-product", settings={"a": "1 2\n3 4", "b": "5 6\n7 8"})
    assert answer["view"]["key"].endswith("a=1%202%0A3%204&b=5%206%0A7%208")


def test_frames_and_panels_are_made_on_demand():
    assert ask(op="frame", widget="tile-walk", settings={"n": "8", "tile": "2"}, step="4")["frame"]["say"].startswith(
        "Phase 3"
    )
    assert "C [4 × 4]" in ask(op="panel", widget="tile-walk", settings={"n": "4"}, panel="inputs")["html"]


@pytest.mark.parametrize(
    ("message", "problem"),
    [
        ({"op": "view", "widget": "dot-product", "settings": {"n": "3.5"}}, "matrix size: given “3.5”"),
        ({"op": "view", "widget": "nope"}, "widget: given “nope”"),
        ({"op": "explode"}, "op: given “explode”; allowed: hello, view, frame, panel"),
        ({"op": "panel", "widget": "new-case", "panel": "inputs"}, "panel: given “inputs”; allowed: none"),
        ({"op": "frame", "widget": "dot-product", "step": "9"}, "step: given “9”; allowed: a whole number from 1 to 4"),
        ({}, "op: given “None”"),
    ],
)
def test_mistakes_come_back_as_a_sentence(message, problem):
    assert ask(**message)["problem"].startswith(problem)


@pytest.mark.parametrize("request_text", ["", "[]", "3", '{"op":"view","widget":"dot-product","settings":7}', "{"])
def test_nonsense_comes_back_as_a_sentence(request_text):
    answer = json.loads(handle(request_text))
    assert answer["problem"].startswith("The model stopped with")
    assert "Traceback" not in answer["problem"]


@allow(deadline=None)  # the first call of a widget imports it
@given(
    st.sampled_from(sorted(WIDGETS)),
    st.dictionaries(st.sampled_from(["n", "tile", "row", "column", "a", "b", "x"]), st.text(max_size=12), max_size=4),
)
def test_any_settings_get_a_view_or_a_sentence(widget, settings):
    answer = ask(op="view", widget=widget, settings=settings)
    assert ("view" in answer) != ("problem" in answer)
    assert not answer.get("problem", "").startswith("The model stopped")


def test_no_room_for_an_answer_goes_through_to_the_page(monkeypatch):
    def full(self, message):
        raise MemoryError

    monkeypatch.setattr(Session, "_hello", full)
    with pytest.raises(MemoryError):
        handle('{"op":"hello"}')


def test_a_session_keeps_few_scenes_and_answers_the_same():
    session = Session()
    texts = [json.dumps({"op": "view", "widget": "dot-product", "settings": {"n": str(n)}}) for n in range(1, 21)]
    assert [session.handle(text) for text in texts * 2] == [handle(text) for text in texts * 2]
