"""Triton's CPU interpreter as a second opinion where it is sound, and its known faults by name.

Each fault is a case in which sim.tl follows the compiler and the interpreter does something else; when Triton mends
one, its test fails and says so.
"""

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from sim.tl.api import run
from sim.tl.memory import Array
from tests.tl.kernels import TEACHING, kernel
from tests.tl.processes import ask, needs_triton

LOAD = "i = tl.arange(0, B)\nx = tl.load(x_ptr + i)\n"


def array(dtype: str, shape: list[int], values: list[Any]) -> dict[str, Any]:
    return {"dtype": dtype, "shape": shape, "values": values}


def job(body: str, x: dict[str, Any], out: str = "fp32", size: int = 8, grid: int = 1) -> dict[str, Any]:
    """A kernel of x (flat) and out (zeros of ``size``)."""
    arguments = {"x_ptr": x, "out_ptr": array(out, [size], [0] * size), "B": len(x["values"])}
    return {"source": kernel("x_ptr, out_ptr, B: tl.constexpr", body), "arguments": arguments, "grid": [grid]}


def teaching(m: int, n: int, k: int, dtype: str, group_m: int) -> dict[str, Any]:
    """The teaching kernel on random whole numbers."""
    draw = random.Random(m * n * k)
    a, b = ([draw.randint(-4, 4) for _ in range(count)] for count in (m * k, k * n))
    source = TEACHING.read_text(encoding="utf-8").replace("def matmul_kernel(", "def kernel(")
    sizes = {"M": m, "N": n, "K": k, "BM": 16, "BN": 8, "BK": 16, "GROUP_M": group_m}
    arrays = {
        "a_ptr": array(dtype, [m, k], a), "b_ptr": array(dtype, [k, n], b), "c_ptr": array("fp32", [m, n], [0] * m * n),
    }  # fmt: skip
    grid = -(-m // 16) * -(-n // 8)
    return {"source": source, "arguments": {**arrays, **sizes}, "grid": [grid]}


WHOLE = array("int32", [8], [5, -3, 7, 0, 2, -8, 1, 6])
REAL = array("fp32", [8], [0.5, -1.25, 3.0, 0.1, -7.75, 2.5, 100.0, 1e-3])
SAME = {
    "vector add": job(LOAD + "tl.store(out_ptr + i, x + x)", REAL),
    "C division": job(LOAD + "tl.store(out_ptr + i, x // 3)", WHOLE, "int32"),
    "C remainder": job(LOAD + "tl.store(out_ptr + i, x % 3)", WHOLE, "int32"),
    "where": job(LOAD + "tl.store(out_ptr + i, tl.where(x > 1, x, -x))", WHOLE, "int32"),
    "cumsum": job(LOAD + "tl.store(out_ptr + i, tl.cumsum(x, 0))", WHOLE, "int32"),
    "argmax": job(LOAD + "tl.store(out_ptr + i, tl.argmax(x, 0) + i)", WHOLE, "int32"),
    "sort": job(LOAD + "tl.store(out_ptr + i, tl.sort(x))", WHOLE, "int32"),
    "max of halves": job(LOAD + "tl.store(out_ptr + i, tl.max(x.to(tl.float16)) + x)", REAL),
    "masked load": job(
        "i = tl.arange(0, B)\ntl.store(out_ptr + i, tl.load(x_ptr + i, mask=i < 5, other=-1))", WHOLE, "int32"
    ),
    "philox": job("i = tl.arange(0, B)\ntl.store(out_ptr + i, tl.rand(123, i))", WHOLE),
    "philox bits": job("i = tl.arange(0, B)\ntl.store(out_ptr + i, tl.randint(7, i).to(tl.int32))", WHOLE, "int32"),
    "shifts": job(LOAD + "tl.store(out_ptr + i, (x << 3) ^ (x >> 1))", WHOLE, "int32"),
    "narrow": job(LOAD + "tl.store(out_ptr + i, (x * 50).to(tl.int8))", WHOLE, "int32"),
    "bitcast": job(LOAD + "tl.store(out_ptr + i, x.to(tl.int32, bitcast=True))", REAL, "int32"),
    "histogram": job(LOAD + "tl.store(out_ptr + i, tl.histogram((x + 8) // 3, B))", WHOLE, "int32"),
    "atomic add": job(LOAD + "tl.atomic_add(out_ptr + i, x)", WHOLE, "int32", grid=3),
    "join": job(LOAD + "tl.store(out_ptr + tl.arange(0, 16), tl.join(x, -x).reshape(16))", WHOLE, "int32", 16),
    "half product": job(LOAD + "h = x.to(tl.float16)\ntl.store(out_ptr + i, (h * h + h).to(tl.float32))", REAL),
    "teaching 33x17x20": teaching(33, 17, 20, "fp16", 2),
    "teaching 5x7x5": teaching(5, 7, 5, "fp16", 1),
    "teaching 40x9x50 fp32": teaching(40, 9, 50, "fp32", 3),
}
FAULTY = {
    "bf16 arithmetic": job(LOAD + "tl.store(out_ptr + i, x + x)", array("bf16", [8], [1.0, 2.0, 3.0, 4.0] * 2), "bf16"),
    "and on masks": job(LOAD + "tl.store(out_ptr + i, tl.where(i < 3 and i < 6, 1, 0))", WHOLE, "int32"),
    "libdevice": {
        **job(LOAD + "tl.store(out_ptr + i, libdevice.tanh(x))", REAL),
        "source": "from triton.language.extra import libdevice\n"
        + kernel("x_ptr, out_ptr, B: tl.constexpr", LOAD + "tl.store(out_ptr + i, libdevice.tanh(x))"),
    },
    "scalar float argument": {
        "source": kernel("x, out_ptr", "tl.store(out_ptr, x.to(tl.float32))"),
        "arguments": {"x": 1.5, "out_ptr": array("fp32", [1], [0])}, "grid": [1],
    },
    "loop-carried type": job("acc = 0.0\nfor k in range(2):\n    acc += tl.load(x_ptr + tl.arange(0, B))\n"
                             "tl.store(out_ptr + tl.arange(0, B), acc)", REAL),
    "fp8 carry": job(
        LOAD + "tl.store(out_ptr + i, x.to(tl.float8e4nv).to(tl.float32))",
        array("fp32", [8], [7.8, 31.3, 1.99, 3.0, -7.8, 15.9, 0.99, 2.0]),
    ),
    "small dot": job("i = tl.arange(0, 8)\na = tl.zeros((8, 8), tl.float16)\nc = tl.dot(a, a)\n"
                     "tl.store(out_ptr + i, tl.sum(c, 0))", REAL),
}  # fmt: skip
JOBS = {**SAME, **FAULTY}


@pytest.fixture(scope="module")
def interpreted(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, dict[str, Any]]:
    """What the interpreter makes of every job."""
    needs_triton()
    folder: Path = tmp_path_factory.mktemp("interpreter")
    return dict(zip(JOBS, ask("interpret_worker.py", list(JOBS.values()), folder, TRITON_INTERPRET="1"), strict=True))


def simulated(name: str) -> Any:
    given = JOBS[name]
    arguments = {
        key: Array(key, v["dtype"], v["shape"], v["values"]) if isinstance(v, dict) else v
        for key, v in given["arguments"].items()
    }
    return run(given["source"], arguments, given["grid"], kernel="kernel", mode="strict")


@pytest.mark.parametrize("name", SAME)
def test_interpreter_gives_the_same_bits(name: str, interpreted: Mapping[str, dict[str, Any]]) -> None:
    done, other = simulated(name), interpreted[name]
    assert done.failure is None, done.failure
    assert other["ok"], other.get("error")
    assert done.arrays == other["arrays"]


def test_fault_interpreter_adds_the_raw_bits_of_bf16(interpreted: Mapping[str, dict[str, Any]]) -> None:
    assert simulated("bf16 arithmetic").arrays["out_ptr"] == [2.0, 4.0, 6.0, 8.0] * 2
    assert interpreted["bf16 arithmetic"]["arrays"]["out_ptr"] != [2.0, 4.0, 6.0, 8.0] * 2


def test_fault_interpreter_drops_the_left_side_of_and(interpreted: Mapping[str, dict[str, Any]]) -> None:
    assert simulated("and on masks").arrays["out_ptr"] == [1, 1, 1, 0, 0, 0, 0, 0]
    assert interpreted["and on masks"]["arrays"]["out_ptr"] == [1, 1, 1, 1, 1, 1, 0, 0]


def test_fault_interpreter_has_no_libdevice(interpreted: Mapping[str, dict[str, Any]]) -> None:
    assert simulated("libdevice").failure is None
    assert not interpreted["libdevice"]["ok"]


def test_fault_interpreter_cannot_cast_a_float_argument(interpreted: Mapping[str, dict[str, Any]]) -> None:
    assert simulated("scalar float argument").arrays["out_ptr"] == [1.5]
    assert not interpreted["scalar float argument"]["ok"]


def test_fault_interpreter_takes_a_loop_carried_type_change(interpreted: Mapping[str, dict[str, Any]]) -> None:
    assert simulated("loop-carried type").failure is not None
    assert interpreted["loop-carried type"]["ok"]


def test_fault_interpreter_halves_fp8_that_rounds_up_to_a_power_of_two(
    interpreted: Mapping[str, dict[str, Any]],
) -> None:
    assert simulated("fp8 carry").arrays["out_ptr"] == [8.0, 32.0, 2.0, 3.0, -8.0, 16.0, 1.0, 2.0]
    assert interpreted["fp8 carry"]["arrays"]["out_ptr"][:3] == [4.0, 16.0, 1.0]


def test_fault_interpreter_takes_a_dot_of_k_8(interpreted: Mapping[str, dict[str, Any]]) -> None:
    assert simulated("small dot").failure is not None
    assert interpreted["small dot"]["ok"]
