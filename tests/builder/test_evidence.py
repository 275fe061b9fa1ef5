"""Quoted results: looked up, rounded as given, and refused in words."""

import json

import pytest

from builder.evidence import Evidence
from lab.problem import Problem

RESULT = {
    "device": {"name": "NVIDIA H200"}, "driver": "580", "date": "2026-11-30",
    "rows": [{"n": 64, "kernel": "tiled", "ms": 0.0123456, "loads": 524288, "instructions": {"mma.sync": 2}},
             {"n": 512, "kernel": "tiled", "ms": 8.5678}],
}  # fmt: skip


@pytest.fixture
def evidence(tmp_path):
    (tmp_path / "gpu" / "results").mkdir(parents=True)
    (tmp_path / "gpu" / "results" / "h200.json").write_text(json.dumps(RESULT), encoding="utf-8")
    return Evidence(tmp_path)


@pytest.mark.parametrize(
    ("expression", "given", "text"),
    [
        ("h200.json/rows/n=64/ms", "0.012", "0.012"),
        ("h200.json/rows/n=64/ms", "0.0123", "0.0123"),
        ("h200.json/rows/n=512,kernel=tiled/ms", "9", "9"),
        ("h200.json/rows/0/loads", "?", "524,288"),
        ("h200.json/rows/0/loads:n", "0.0", "8192.0"),
        ("h200.json/rows/0/n:loads", "0.00012", "0.00012"),
        ("h200.json/rows/0/instructions", "?", "mma.sync"),
        ("h200.json/rows", "?", "2"),
    ],
)
def test_a_stored_value_is_given_as_the_page_gives_it(evidence, expression, given, text):
    found = evidence.look_up(expression, given)
    assert found.text == text
    assert found.provenance == "measured: NVIDIA H200, driver 580, 2026-11-30; h200.json"


def test_what_a_simulator_counted_is_not_called_measured(evidence):
    versions = {"cuda_toolkit": "11.8", "system": "Debian 12"}
    stored = {"provenance": {"simulated": "GPGPU-Sim 4.2.0", "date": "2026-11-30", "versions": versions}}
    (evidence.root / "gpu" / "results" / "simulated.json").write_text(json.dumps(stored), encoding="utf-8")

    told = "simulated, without a GPU: GPGPU-Sim 4.2.0, 2026-11-30; simulated.json"
    assert evidence.provenance("simulated.json") == told
    assert evidence.circumstances("simulated.json") == "2026-11-30, GPGPU-Sim 4.2.0, CUDA toolkit 11.8, on Debian 12"


@pytest.mark.parametrize(
    ("expression", "sentence"),
    [
        ("a100.json/rows", "result: given “a100.json”; allowed: h200.json"),
        ("h200.json/row", "key: given “row”; allowed: date, device, driver, rows"),
        ("h200.json/rows/kernel=tiled/ms", "kernel=tiled given, which 2 entries meet"),
        ("h200.json/rows/n=7/ms", "n=7 given, which 0 entries meet"),
        ("h200.json/rows/0/loads:kernel", "ratio: given “loads:kernel”; allowed: two numbers"),
        ("h200.json/rows/0/loads:gone", "key: given “gone”; allowed: instructions, kernel, loads, ms, n"),
        ("h200.json/rows/0/ms/x", "step: given “x”; allowed: nothing"),
    ],
)
def test_a_value_that_is_not_stored_is_refused_in_words(evidence, expression, sentence):
    with pytest.raises(Problem) as caught:
        evidence.look_up(expression, "1")
    assert sentence in caught.value.sentence


def test_a_page_that_quotes_another_number_does_not_build(author):
    author.write("gpu/results/h200.json", json.dumps(RESULT))
    author.chapter("It took [0.013](result:h200.json/rows/n=64/ms) ms.\n")
    assert author.mistakes() == [
        "chapters/01-one.md:7: '0.013' as result:h200.json/rows/n=64/ms given; "
        "allowed: 0.012, which is what was measured"
    ]
