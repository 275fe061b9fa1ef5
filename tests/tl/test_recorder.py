"""The record of one program: its steps, its JSON and the limits on its size."""

import json
from typing import Any

import jsonschema
import pytest

from sim.inputs import formula_a, formula_b
from sim.tiling import Tiling
from sim.tl.api import Run, run
from sim.tl.faults import fault
from sim.tl.matmul import run_matmul
from sim.tl.memory import Array
from sim.tl.recorder import MOST_LANES, MOST_STEPS, MOST_VALUES
from sim.tl.schema import run_schema
from tests.tl.kernels import HEAD, TEACHING, kernel, launched

SOURCE = TEACHING.read_text(encoding="utf-8")


def lesson(program: int) -> Run:
    return run_matmul(
        SOURCE, formula_a(5, 5), formula_b(5, 7), Tiling(5, 7, 5, 2, 3, 2), program=program, mode="lesson"
    )


def small(body: str, **options: Any) -> Run:
    out = Array("out", "int32", (8,), [0] * 8)
    return launched(kernel("out_ptr", body), {"out_ptr": out}, program=0, **options)


def lines(done: Run) -> list[int]:
    return [step.line for step in done.steps]


def test_first_step_is_the_call_with_its_parameters() -> None:
    done = launched(kernel("out_ptr, n, B: tl.constexpr", "tl.store(out_ptr, n)"), {
        "out_ptr": Array("out", "int32", (1,), [0]), "n": 3, "B": 4,
    }, program=0)  # fmt: skip
    assert done.steps[0].line == 6
    assert done.steps[0].changed["B"] == {"kind": "constant", "text": "4"}
    assert done.steps[0].changed["n"]["values"] == [3]
    assert done.steps[0].changed["out_ptr"]["array"] == "out"


def test_a_loop_visits_its_header_before_every_pass_and_once_to_end() -> None:
    done = small("k = 0\nfor i in range(2):\n    k += i\ntl.store(out_ptr, k)")
    assert lines(done) == [6, 7, 8, 9, 8, 9, 8, 10]
    assert [step.loops for step in done.steps if step.line == 9] == [((8, 0),), ((8, 1),)]
    assert "i" in done.steps[4].changed and done.steps[6].changed == {}


def test_a_statement_of_several_lines_is_one_step() -> None:
    done = small("x = (\n    1\n    + 2\n)\ntl.store(\n    out_ptr,\n    x,\n)")
    assert [(step.line, step.end_line) for step in done.steps] == [(6, 6), (7, 10), (11, 14)]


def test_the_branch_not_taken_is_not_visited() -> None:
    assert lines(small("if tl.program_id(0) == 1:\n    tl.store(out_ptr, 1)\nelse:\n    tl.store(out_ptr, 2)")) == [
        6,
        7,
        10,
    ]


def test_a_called_function_is_deeper_and_keeps_its_name() -> None:
    source = (
        HEAD
        + "def double(x):\n    return x * 2\n\n\n@triton.jit\ndef kernel(out_ptr):\n    tl.store(out_ptr, double(4))\n"
    )
    done = launched(source, {"out_ptr": Array("out", "int32", (1,), [0])}, program=0)
    assert [(step.function, step.depth, step.line) for step in done.steps] == [
        ("kernel", 0, 11), ("double", 1, 6), ("double", 1, 7), ("kernel", 0, 12),
    ]  # fmt: skip


def test_a_load_tells_lanes_elements_and_values() -> None:
    done = lesson(4)
    load = next(op for step in done.steps for op in step.operations if op["kind"] == "load" and op["array"] == "A")
    assert load["shape"] == [2, 2] and load["active"] == 4
    assert load["elements"] == [10, 11, 15, 16]  # rows 2 and 3, columns 0 and 1 of a width of 5
    assert load["values"] == [0.0, 1.0, 1.0, 2.0]


def test_masked_lanes_are_not_among_the_lanes_of_a_store() -> None:
    store = lesson(8).steps[-1].operations[-1]
    assert (store["kind"], store["active"], store["lanes"], store["elements"]) == ("store", 1, [0], [34])


def test_a_dot_tells_sizes_types_and_flops() -> None:
    dot = next(op for step in lesson(0).steps for op in step.operations if op["kind"] == "dot")
    assert {key: dot[key] for key in ("m", "n", "k", "operand", "accumulator", "flops")} == {
        "m": 2, "n": 3, "k": 2, "operand": "fp16", "accumulator": "fp32", "flops": 24,
    }  # fmt: skip


def test_undefined_lanes_are_marked_in_the_tile() -> None:
    done = small("i = tl.arange(0, 4)\nx = tl.load(out_ptr + i, mask=i < 3)")
    assert done.steps[-1].changed["x"]["undefined"] == [3]


@pytest.mark.parametrize("program", range(9))
def test_json_follows_the_schema(program: int) -> None:
    document = json.loads(json.dumps(lesson(program).json()))
    jsonschema.validate(document, run_schema())


def test_json_of_a_failure_follows_the_schema_and_infinities_are_text() -> None:
    body = "x = float('inf')\ny = tl.full((2,), float('nan'), tl.float32)\nz = tl.nothing\n"
    done = run(kernel("out_ptr", body), {"out_ptr": Array("out", "int32", (1,), [0])}, 1, program=0)
    text = json.dumps(done.json(), allow_nan=False)
    jsonschema.validate(json.loads(text), run_schema())
    assert done.steps[1].changed["x"]["values"] == ["inf"]
    assert done.failure is not None and done.failure.line == 9


def test_too_many_steps_are_cut_and_said_so() -> None:
    done = small(f"k = 0\nfor i in range({MOST_STEPS}):\n    k += i\ntl.store(out_ptr, k)")
    assert done.cut and len(done.steps) == MOST_STEPS
    jsonschema.validate(done.json(), run_schema())


def test_large_tiles_are_named_but_not_written_out() -> None:
    done = small(f"x = tl.zeros(({2 * MOST_LANES},), tl.int32)")
    value = done.steps[-1].changed["x"]
    assert value["cut"] and value["values"] == [] and value["shape"] == [2 * MOST_LANES]


def test_a_long_record_of_large_tiles_stops_writing_lanes_out() -> None:
    done = small(f"x = tl.zeros(({MOST_LANES},), tl.int32)\nfor i in range(400):\n    x = x + i\ntl.store(out_ptr, i)")
    tiles = [step.changed["x"] for step in done.steps if "x" in step.changed]
    assert [len(value["values"]) for value in tiles[:2]] == [MOST_LANES] * 2
    assert tiles[-1]["cut"] and tiles[-1]["values"] == [] and tiles[-1]["shape"] == [MOST_LANES]
    written = sum(len(value["values"]) for step in done.steps for value in step.changed.values())
    assert MOST_VALUES - MOST_LANES < written <= MOST_VALUES
    jsonschema.validate(done.json(), run_schema())


def test_arrays_with_infinities_and_nan_are_json_as_well() -> None:
    body = "i = tl.arange(0, 2)\ntl.store(out_ptr + i, tl.where(i > 0, float('nan'), float('-inf')))"
    done = run(kernel("out_ptr", body), {"out_ptr": Array("out", "fp32", (2,), [0, 0])}, 1)
    assert json.loads(json.dumps(done.json(), allow_nan=False))["arrays"] == {"out_ptr": ["-inf", "nan"]}


def test_what_a_kernel_prints_has_its_limits() -> None:
    done = small("for i in range(1100):\n    tl.device_print('i', tl.zeros((4096,), tl.int32))")
    assert len(done.printed) == 1000 and max(map(len, done.printed)) == 4001
    jsonschema.validate(done.json(), run_schema())


def test_only_the_chosen_program_is_recorded_and_all_are_counted() -> None:
    done = lesson(8)
    header = next(number for number, line in enumerate(SOURCE.splitlines(), 1) if "for phase in" in line)
    assert {loop for step in done.steps for loop, _ in step.loops} == {header}
    assert done.counts.loads == {"A": 75, "B": 105}
    assert done.by_program[(8, 0, 0)].loads == {"A": 5, "B": 5}


def test_lanes_that_are_on_and_outside_are_told_from_masked_ones() -> None:
    source = fault("no-k-mask").apply(SOURCE)
    tiling = Tiling(5, 7, 5, 2, 3, 2)
    done = run_matmul(source, formula_a(5, 5), formula_b(5, 7), tiling, program=0, mode="lesson")
    load = done.steps[35].operations[0]
    assert (load["array"], load["active"], load["lanes"], load["outside"]) == ("B", 3, [0, 1, 2], [3, 4, 5])


def test_a_load_of_masked_lanes_only_names_its_array() -> None:
    source = kernel("a_ptr", "x = tl.load(a_ptr + tl.arange(0, 2), mask=tl.arange(0, 2) > 5, other=0)")
    done = launched(source, {"a_ptr": Array("a_ptr", "int32", (2,), [1, 2])}, program=0)
    [load] = done.steps[1].operations
    assert (load["array"], load["active"], load["outside"]) == ("a_ptr", 0, [])
