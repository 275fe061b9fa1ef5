"""What a run reports: program, line, lanes and element of each finding."""

import pytest

from sim.tl.api import Run, load_kernel, run
from sim.tl.errors import KernelError
from sim.tl.memory import Array
from tests.tl.kernels import kernel, kinds, launched


def both(body: str, size: int = 4, grid: int = 1, **options: object) -> Run:
    """A kernel on x (int32, 0, 1, 2 …) and an undefined out of the same size."""
    arguments = {
        "x_ptr": Array("x", "int32", (size,), range(size)), "out_ptr": Array.empty("out", "int32", (size,)), "n": size,
    }  # fmt: skip
    return run(kernel("x_ptr, out_ptr, n", body), arguments, grid, **options)  # type: ignore[arg-type]


def test_out_of_bounds_names_program_line_lanes_and_element() -> None:
    done = both(
        "i = tl.program_id(0) * 4 + tl.arange(0, 4)\nx = tl.load(x_ptr + i)\ntl.store(out_ptr, tl.sum(x * 0))", grid=2
    )
    report = done.reports[0]
    assert (report.kind, report.program, report.line) == ("out of bounds", (1, 0, 0), 8)
    assert (report.array, report.lanes, report.element) == ("x", (0, 1, 2, 3), (4,))


def test_a_pointer_that_runs_into_the_next_array_is_out_of_bounds_all_the_same() -> None:
    done = both("i = tl.arange(0, 4)\ntl.store(out_ptr + i, tl.load(x_ptr + 262208 + i))")
    assert done.reports[0].kind == "out of bounds" and done.reports[0].array == "x"


def test_store_out_of_bounds_writes_nothing() -> None:
    done = both("i = tl.arange(0, 8)\ntl.store(out_ptr + i, i)")
    assert done.arrays["out_ptr"] == [0, 1, 2, 3]
    assert done.reports[0].lanes == (4, 5, 6, 7)


def test_undefined_lane_is_reported_where_it_is_stored_not_where_it_is_loaded() -> None:
    done = both("i = tl.arange(0, 4)\nx = tl.load(x_ptr + i, mask=i < 3)\ny = x + 1\ntl.store(out_ptr + i, y)")
    assert [(r.kind, r.line, r.lanes) for r in done.reports] == [("relies on undefined lanes", 10, (3,))]


def test_undefined_lanes_are_reported_where_an_atomic_operation_takes_them() -> None:
    body = "i = tl.arange(0, 4)\nx = tl.load(x_ptr + i, mask=i < 3)\ntl.atomic_add(x_ptr + i, x"
    done = both(f"{body})")
    assert [(r.kind, r.line, r.lanes) for r in done.reports if r.array == "x"] == [
        ("relies on undefined lanes", 9, (3,))
    ]
    assert kinds(both(f"{body}, mask=i < 3)")) == {"never written"}


def test_undefined_lanes_that_no_store_uses_are_not_reported() -> None:
    done = both("i = tl.arange(0, 4)\nx = tl.load(x_ptr + i, mask=i < 3)\ntl.store(out_ptr + i, x, mask=i < 3)")
    assert kinds(done) == {"never written"}
    done = both("i = tl.arange(0, 4)\nx = tl.load(x_ptr + i, mask=i < 3)\ntl.store(out_ptr + i, tl.where(i < 3, x, 0))")
    assert done.reports == ()


def test_undefined_lane_spreads_over_a_sum() -> None:
    done = both("i = tl.arange(0, 4)\nx = tl.load(x_ptr + i, mask=i < 3)\ntl.store(out_ptr, tl.sum(x))")
    assert "relies on undefined lanes" in kinds(done)


@pytest.mark.parametrize(
    "expression",
    [
        "tl.flip(x)", "tl.cat(x, x, can_reorder=True)", "tl.gather(x, 3 - i, 0)", "tl.gather(i, x & 3, 0)",
        "tl.topk(x, 2)", "tl.sort(x)", "tl.cumsum(x, 0)", "tl.histogram(x & 3, 4)", "tl.join(x, i)",
        "tl.fma(x.to(tl.float32), 1.0, 0.0)", "tl.fma(1.0, 0.0, x.to(tl.float32))", "tl.where(x < 9, 1, 2)",
        "tl.dot(tl.broadcast_to(x.to(tl.float16)[:, None], (4, 16)), tl.zeros((16, 4), tl.float16))",
    ],
)  # fmt: skip
def test_undefined_lanes_stay_undefined_whatever_moves_them(expression: str) -> None:
    load = "i = tl.arange(0, 4)\nx = tl.load(x_ptr + i, mask=i < 3)\n"
    store = f"tl.store(x_ptr, tl.sum({expression}).to(tl.int32))"
    assert "relies on undefined lanes" in kinds(both(load + store))
    assert "relies on undefined lanes" not in kinds(both(load.replace(", mask=i < 3", "") + store))


def test_a_flipped_or_gathered_lane_takes_its_own_mark_along() -> None:
    load = "i = tl.arange(0, 4)\nx = tl.load(x_ptr + i, mask=i < 3)\n"
    for expression in ("tl.flip(x)", "tl.gather(x, 3 - i, 0)"):
        done = both(f"{load}tl.store(out_ptr + i, {expression})")
        assert [(r.kind, r.lanes) for r in done.reports] == [("relies on undefined lanes", (0,))]


def test_memory_that_nobody_wrote_is_undefined() -> None:
    done = both("tl.store(x_ptr, tl.load(out_ptr))")
    assert "relies on undefined lanes" in kinds(done)


def test_element_that_nobody_wrote_is_named() -> None:
    done = both("tl.store(out_ptr + 1, 5)")
    assert [(r.kind, r.array, r.element) for r in done.reports] == [("never written", "out", (0,))]
    assert done.reports[0].text == "3 elements of out that no program wrote; first: [0]"
    assert done.arrays["out_ptr"] == [None, 5, None, None]


def test_two_programs_that_store_different_values_race() -> None:
    done = both("tl.store(out_ptr, tl.program_id(0))", 1, 2)
    assert [(r.kind, r.program, r.line, r.element) for r in done.reports] == [("race", (1, 0, 0), 7, (0,))]


def test_two_programs_that_store_equal_values_race_benignly() -> None:
    assert kinds(both("tl.store(out_ptr, 7)", 1, 2)) == {"benign race"}


def test_reading_what_another_program_writes_is_a_race_in_either_order() -> None:
    later = "p = tl.program_id(0)\nif p == 0:\n    tl.store(x_ptr, 9)\nelse:\n    tl.store(out_ptr, tl.load(x_ptr))"
    assert kinds(both(later, 1, 2)) == {"race"}
    earlier = "p = tl.program_id(0)\nif p == 1:\n    tl.store(x_ptr, 9)\nelse:\n    tl.store(out_ptr, tl.load(x_ptr))"
    assert kinds(both(earlier, 1, 2)) == {"race"}


def test_lanes_of_one_store_that_meet_race() -> None:
    assert kinds(both("i = tl.arange(0, 4)\ntl.store(out_ptr + i * 0, i)", 1)) == {"race"}


def test_atomics_order_the_programs_that_meet() -> None:
    body = "seen = tl.atomic_add(x_ptr, 1)\nif seen == 1:\n    tl.store(out_ptr, tl.load(out_ptr) + 1)\n"
    body += "else:\n    tl.store(out_ptr, 1)"
    done = both(body, 1, 2)
    assert done.reports == () and done.arrays["out_ptr"] == [2]


@pytest.mark.parametrize("first", ["tl.store(x_ptr, 5)", "tl.store(out_ptr, tl.load(x_ptr))"])
@pytest.mark.parametrize("order", [0, 1])
def test_a_plain_access_and_an_atomic_one_of_two_programs_race_in_either_order(first: str, order: int) -> None:
    body = f"if tl.program_id(0) == {order}:\n    {first}\nelse:\n    tl.atomic_add(x_ptr, 1)"
    done = both(body, 1, 2)
    races = [report for report in done.reports if report.kind == "race"]
    assert [(r.program, r.line, r.array, r.element, r.lanes) for r in races] == [
        ((1, 0, 0), 8 if order == 1 else 10, "x", (0,), (0,)),
    ]  # fmt: skip


def test_every_lane_of_an_atomic_operation_is_kept_though_one_race_is_told() -> None:
    body = "i = tl.arange(0, 4)\np = tl.program_id(0)\nif p == 0:\n    tl.store(x_ptr, 9)\nelif p == 1:\n"
    body += "    tl.atomic_add(x_ptr + i, 1)\nelse:\n    tl.store(out_ptr, tl.load(x_ptr + 3))"
    done = both(body, 4, 3)
    assert [(r.program[0], r.element) for r in done.reports if r.kind == "race"] == [(1, (0,)), (2, (3,))]


def test_atomics_alone_do_not_race_nor_with_the_own_accesses_of_a_program() -> None:
    assert both("tl.atomic_add(x_ptr, 1)\ntl.store(out_ptr + tl.program_id(0), 1)", 4, 4).reports == ()
    assert both("tl.store(out_ptr, 3)\ntl.atomic_add(out_ptr, tl.load(out_ptr))", 1, 1).reports == ()


def test_the_last_to_arrive_may_read_and_reset_what_all_have_updated() -> None:
    body = "tl.atomic_add(out_ptr, 2)\nseen = tl.atomic_add(x_ptr, 1)\nif seen == 2:\n"
    body += "    tl.store(out_ptr, tl.load(out_ptr) + 1)\n    tl.store(x_ptr, 0)"
    done = run(
        kernel("x_ptr, out_ptr", body),
        {"x_ptr": Array("x", "int32", (1,), [0]), "out_ptr": Array("out", "int32", (1,), [0])},
        3,
    )
    assert (done.reports, done.arrays) == ((), {"x_ptr": [0], "out_ptr": [7]})


def test_relaxed_atomics_order_nothing() -> None:
    body = "seen = tl.atomic_add(x_ptr, 1, sem='relaxed')\ntl.store(out_ptr, seen)"
    assert kinds(both(body, 1, 2)) == {"race"}


def test_int32_overflow_in_an_address_is_reported_at_the_access() -> None:
    body = "row = tl.program_id(0) + 65536\noffset = row * 65536\ntl.store(out_ptr, tl.load(x_ptr + offset))"
    done = both(body, 1)
    assert [r.kind for r in done.reports] == [
        "int32 overflow",
    ]  # the address wraps back to 0
    assert done.reports[0].line == 9


def test_int32_that_wraps_in_a_stored_value_is_noted_and_unsigned_ones_are_not() -> None:
    done = both("m = n + 2147483647\ntl.store(out_ptr, m)", 1)
    assert done.arrays["out_ptr"] == [-(2**31)]
    assert done.notes == ("line 8 stores to out, as int32, what went past the end of its type and wrapped",)
    assert both("m = n + 2147483646\ntl.store(out_ptr, m)", 1).notes == ()
    unsigned = "m = n.to(tl.uint32) + 4294967295\ntl.store(out_ptr.to(tl.pointer_type(tl.uint32)), m)"
    assert both(unsigned, 1).notes == ()


def test_wide_offsets_do_not_overflow() -> None:
    body = (
        "row = tl.program_id(0).to(tl.int64) + 65536\noffset = row * 65536\ntl.store(out_ptr, tl.load(x_ptr + offset))"
    )
    assert "int32 overflow" not in kinds(both(body, 1))


def test_hashes_that_wrap_and_are_masked_are_no_overflow() -> None:
    body = "h = (tl.program_id(0) + 12345) * 1664525 * 1013904223\ntl.store(out_ptr + (h & 0), tl.load(x_ptr))"
    assert done_without_reports(body)


def done_without_reports(body: str) -> bool:
    return both(body, 1).reports == ()


def test_loop_carried_type_is_reported_in_lesson_mode_at_the_loop() -> None:
    done = both(
        "acc = 0.0\nfor k in range(2):\n    acc += tl.load(x_ptr + tl.arange(0, 4))\ntl.store(out_ptr, 1)",
        mode="lesson",
    )
    report = next(r for r in done.reports if r.kind == "loop-carried type")
    assert report.line == 8
    assert "acc enters the loop as fp32 scalar and comes back as fp32[4]" in report.text


def test_an_assumption_that_is_false_is_reported() -> None:
    done = both("tl.assume(n > 9)\ntl.store(out_ptr, n)", 1)
    assert [(r.kind, r.line) for r in done.reports] == [("assertion", 7)]
    assert both("tl.assume(n > 0)\ntl.store(out_ptr, n)", 1).reports == ()


def test_device_assert_names_its_lanes() -> None:
    done = both("i = tl.arange(0, 4)\ntl.device_assert(i < 2, 'too far')\ntl.store(out_ptr + i, i)")
    assert [(r.kind, r.lanes) for r in done.reports] == [("assertion", (2, 3))]


def test_step_limit_stops_an_endless_loop_and_keeps_what_was_recorded() -> None:
    done = both("k = 0\nwhile k >= 0:\n    k = k * 0", program=0, step_limit=50)
    assert done.failure is not None
    assert (done.failure.kind, done.failure.line) == ("step limit", 9)
    assert len(done.steps) > 50


def test_unknown_name_of_tl_raises_with_its_name_and_line() -> None:
    done = both("x = tl.load(x_ptr)\ny = tl.softplus(x)")
    assert done.failure is not None
    assert (done.failure.kind, done.failure.line) == ("unknown name", 8)
    assert done.failure.text == "triton.language has no softplus here"


def test_unknown_import_raises_with_its_name_and_line() -> None:
    with pytest.raises(KernelError, match=r"triton\.language has no tanhshrink here") as caught:
        load_kernel("import triton\nfrom triton.language import load, tanhshrink\n")
    assert caught.value.line == 2
    with pytest.raises(KernelError, match="no module numpy here") as caught:
        load_kernel("import triton\n\nimport numpy\n")
    assert caught.value.line == 3


def test_no_python_is_refused_with_its_line() -> None:
    done = run("import triton\n\ndef kernel(:\n", {}, 1)
    assert done.failure is not None and (done.failure.kind, done.failure.line) == ("syntax", 3)


def test_callers_mistakes_are_value_errors() -> None:
    source = kernel("out_ptr, n", "tl.store(out_ptr, n)")
    with pytest.raises(ValueError, match="missing n; it takes out_ptr, n"):
        run(source, {"out_ptr": Array("out", "int32", (1,), [0])}, 1)
    with pytest.raises(ValueError, match="the file has: kernel"):
        run(source, {}, 1, kernel="nope")
    with pytest.raises(ValueError, match="inside of the grid"):
        run(source, {}, 2, program=2)
    with pytest.raises(ValueError, match="given 3 values; allowed: 4"):
        Array("x", "int32", (2, 2), [1, 2, 3])


def test_a_helper_function_keeps_its_own_line() -> None:
    source = kernel("x_ptr, out_ptr", "tl.store(out_ptr, fetch(x_ptr))").replace(
        "@triton.jit\n", "@triton.jit\ndef fetch(p):\n    return tl.load(p + 9)\n\n\n@triton.jit\n"
    )
    arguments = {"x_ptr": Array("x", "int32", (1,), [0]), "out_ptr": Array("out", "int32", (1,), [0])}
    done = launched(source, arguments)
    assert [(r.kind, r.line) for r in done.reports] == [("out of bounds", 7), ("relies on undefined lanes", 12)]
