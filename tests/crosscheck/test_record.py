"""The stored cross-check: what a row says, and that nothing is stored without a GPU."""

import json
from pathlib import Path

import pytest

from tests.crosscheck import record
from tests.crosscheck.ask import ROOT, Answers, NoDevice
from tests.crosscheck.cases import Case

jsonschema = pytest.importorskip("jsonschema")

SCHEMA = json.loads((ROOT / record.SCHEMA).read_text(encoding="utf-8"))
CASE = Case(5, 7, 5, 2, 4, 16)


def on_a_gpu(interpreter: Answers) -> Answers:
    """The interpreter's answers, less what only it can see."""
    facts = interpreter.facts[CASE]
    return Answers({CASE: {**facts, "plain kernel": {"c": facts["plain kernel"]["c"]}}}, "Some GPU", "2.11.0", "3.6.0")


def test_a_row_names_the_facts_that_agree(interpreter: Answers):
    row, faults = record.compared(CASE, on_a_gpu(interpreter))
    assert faults == []
    assert (row["programs"], row["loads"]) == (6, 155)
    jsonschema.validate([row], SCHEMA["properties"]["cases"] | {"$defs": SCHEMA["$defs"]})


def test_a_fact_that_does_not_agree_is_a_sentence_and_not_in_the_row(interpreter: Answers):
    answers = on_a_gpu(interpreter)
    answers.facts[CASE]["plain kernel"]["c"][0][0] += 1
    row, faults = record.compared(CASE, answers)
    answers.facts[CASE]["plain kernel"]["c"][0][0] -= 1
    assert row["agree"]["plain kernel"] == []
    assert faults[0].startswith("plain kernel: 5x7x5 tiles 2x4x16 float32, C: sim says [[")


def test_nothing_is_stored_without_a_gpu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys):
    def none() -> dict[str, str]:
        raise NoDevice("no GPU here")

    monkeypatch.setattr(record, "device", none)
    output = tmp_path / "out.json"
    assert record.main(["--output", str(output)]) == 1
    assert capsys.readouterr().err == "tests.crosscheck.record: no GPU here\n"
    assert not output.exists()
