"""Names of `tl`, one kernel each: values by hand or from torch."""

import math

import pytest
import torch

from sim.tl.memory import Array
from tests.tl.kernels import kernel, launched, mapped

POWERS = [0.25, 0.5, 1.0, 2.0, 3.5, 7.0, 9.0, 16.0]
SIGNED = [-7, -3, -1, 0, 1, 3, 6, 7]


@pytest.mark.parametrize(
    ("name", "reference"),
    [
        ("tl.exp", torch.exp), ("tl.exp2", torch.exp2), ("tl.log", torch.log), ("tl.log2", torch.log2),
        ("tl.sqrt", torch.sqrt), ("tl.rsqrt", torch.rsqrt), ("tl.sin", torch.sin), ("tl.cos", torch.cos),
        ("tl.erf", torch.erf), ("tl.floor", torch.floor), ("tl.ceil", torch.ceil), ("tl.sigmoid", torch.sigmoid),
    ],
)  # fmt: skip
def test_functions_of_one_float_are_within_one_place_of_torch(name: str, reference: object) -> None:
    want = reference(torch.tensor(POWERS))  # type: ignore[operator]
    got = torch.tensor(mapped(f"{name}(x)", "fp32", POWERS))
    torch.testing.assert_close(got, want, rtol=2.5e-7, atol=1e-8)


EDGES = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    math.inf,
    -math.inf,
    math.nan,
    1000.0,
    -1000.0,
    0.5,
    -2.5,
    2.0**-140,
    88.0,
    -0.75,
    3.0,
    2.0,
]


@pytest.mark.parametrize(
    ("name", "reference"),
    [
        ("acosh", torch.acosh), ("asinh", torch.asinh), ("atanh", torch.atanh), ("sinh", torch.sinh),
        ("cosh", torch.cosh), ("tanh", torch.tanh), ("tan", torch.tan), ("acos", torch.acos), ("erfc", torch.erfc),
        ("expm1", torch.expm1), ("log10", torch.log10), ("log1p", torch.log1p), ("lgamma", torch.lgamma),
        ("exp", torch.exp), ("log", torch.log), ("log2", torch.log2), ("sqrt", torch.sqrt), ("rsqrt", torch.rsqrt),
        ("floor", torch.floor), ("ceil", torch.ceil), ("trunc", torch.trunc), ("rint", torch.round),
    ],
)  # fmt: skip
def test_functions_at_the_edges_of_their_domain_are_torchs(name: str, reference: object) -> None:
    want = reference(torch.tensor(EDGES, dtype=torch.float64)).float()  # type: ignore[operator]
    got = torch.tensor(mapped(f"tl.extra.libdevice.{name}(x)", "fp32", EDGES))
    torch.testing.assert_close(got, want, rtol=3e-7, atol=1e-45, equal_nan=True)
    signs = want.isinf() | (want == 0)
    assert torch.equal(torch.signbit(got)[signs], torch.signbit(want)[signs])


@pytest.mark.parametrize("exponent", [-2.0, -1.0, 0.0, 0.25, 2.0, 3.0, 1000.0, 1001.0])
def test_pow_and_fmod_at_their_edges_are_torchs(exponent: float) -> None:
    wide = torch.tensor(EDGES, dtype=torch.float64)
    for name, want in (("pow", wide**exponent), ("fmod", torch.fmod(wide, exponent))):
        got = torch.tensor(mapped(f"tl.extra.libdevice.{name}(x, {exponent})", "fp32", EDGES))
        torch.testing.assert_close(got, want.float(), rtol=3e-7, atol=1e-45, equal_nan=True)


def test_large_whole_numbers_become_infinite_halves() -> None:
    numbers = [65519, 65520, -65520, -(2**31)]
    assert mapped("x.to(tl.float16)", "int32", numbers, "fp32") == [65504.0, math.inf, -math.inf, -math.inf]


def test_whole_numbers_divide_as_in_c() -> None:
    assert mapped("x // 3", "int32", SIGNED) == [-2, -1, 0, 0, 0, 1, 2, 2]
    assert mapped("x % 3", "int32", SIGNED) == [-1, 0, -1, 0, 1, 0, 0, 1]


def test_slash_of_whole_numbers_is_fp32() -> None:
    assert mapped("x / 2", "int32", SIGNED, "fp32") == [-3.5, -1.5, -0.5, 0.0, 0.5, 1.5, 3.0, 3.5]


def test_half_meets_python_number_as_half_and_divides_as_fp32() -> None:
    third = torch.tensor(1 / 3).item()
    assert mapped("x * 0.1", "fp16", [1.0, 2.0]) == (torch.tensor([1.0, 2.0]).half() * 0.1).tolist()
    assert mapped("(x / 3).to(tl.float32)", "fp16", [1.0, 2.0], "fp32")[0] == third


def test_sum_of_small_whole_numbers_is_taken_in_32_bits() -> None:
    assert mapped("tl.sum(x) + tl.zeros((N,), tl.int32)", "int8", [100] * 4, "int32") == [400] * 4


def test_reductions() -> None:
    assert mapped("tl.max(x) + i * 0", "int32", SIGNED) == [7] * 8
    assert mapped("tl.min(x, axis=0) + i * 0", "int32", SIGNED) == [-7] * 8
    assert mapped("tl.argmax(x, 0) + i * 0", "int32", SIGNED) == [7] * 8
    assert mapped("tl.argmin(x, axis=0) + i * 0", "int32", SIGNED) == [0] * 8
    assert mapped("tl.argmax(x, 0) + i * 0", "int32", [5, 9, 9, 1]) == [1] * 4
    assert mapped("tl.xor_sum(x, 0) + i * 0", "int32", [1, 2, 4, 8]) == [15] * 4


def test_scans_and_order() -> None:
    assert mapped("tl.cumsum(x, 0)", "int32", [1, 2, 3, 4]) == [1, 3, 6, 10]
    assert mapped("tl.cumsum(x, 0, reverse=True)", "int32", [1, 2, 3, 4]) == [10, 9, 7, 4]
    assert mapped("tl.cumprod(x, 0)", "int32", [1, 2, 3, 4]) == [1, 2, 6, 24]
    assert mapped("tl.sort(x)", "int32", [3, 1, 4, 2]) == [1, 2, 3, 4]
    assert mapped("tl.flip(x, 0)", "int32", [3, 1, 4, 2]) == [2, 4, 1, 3]


def test_reduce_and_scan_take_a_kernel_function() -> None:
    source = kernel("x_ptr, out_ptr, N: tl.constexpr", "").replace(
        "def kernel", "def larger(a, b):\n    return tl.maximum(a, b)\n\n\n@triton.jit\ndef kernel"
    )
    body = (
        "    i = tl.arange(0, N)\n    x = tl.load(x_ptr + i)\n"
        "    running = tl.associative_scan(x, 0, larger)\n"
        "    tl.store(out_ptr + i, running + tl.reduce(x, 0, larger))\n"
    )
    arguments = {
        "x_ptr": Array("x", "int32", (4,), [2, 1, 5, 3]),
        "out_ptr": Array("out", "int32", (4,), [0] * 4),
        "N": 4,
    }
    assert launched(source + body, arguments).arrays["out_ptr"] == [7, 7, 10, 10]


def test_where_maximum_minimum_clamp() -> None:
    assert mapped("tl.where(x > 0, x, 0)", "int32", SIGNED) == [0, 0, 0, 0, 1, 3, 6, 7]
    assert mapped("tl.maximum(x, 2)", "int32", SIGNED) == [2, 2, 2, 2, 2, 3, 6, 7]
    assert mapped("min(x, 2)", "int32", SIGNED) == [-7, -3, -1, 0, 1, 2, 2, 2]
    assert mapped("tl.clamp(x, -1.0, 1.0)", "fp32", [-3.0, 0.5]) == [-1.0, 0.5]


def test_maximum_gives_way_to_the_number_beside_nan() -> None:
    assert mapped("tl.maximum(x, 1.0)", "fp32", [math.nan, 3.0]) == [1.0, 3.0]
    assert math.isnan(mapped("tl.maximum(x, 1.0, tl.PropagateNan.ALL)", "fp32", [math.nan, 3.0])[0])


def test_bits() -> None:
    assert mapped("(x << 2) | 1", "int32", [1, 2]) == [5, 9]
    assert mapped("x >> 1", "int32", [-8, 9]) == [-4, 4]
    assert mapped("~x", "int32", [0, 5]) == [-1, -6]
    assert mapped("x ^ 3", "int32", [1, 2]) == [2, 1]


def test_and_of_masks_works_lane_by_lane() -> None:
    assert mapped("tl.where(x > 1 and x < 6, 1, 0)", "int32", SIGNED) == [0, 0, 0, 0, 0, 1, 0, 0]
    assert mapped("tl.where(x < 1 or x > 6, 1, 0)", "int32", SIGNED) == [1, 1, 1, 1, 0, 0, 0, 1]
    assert mapped("tl.where(not (x > 1), 1, 0)", "int32", SIGNED) == [1, 1, 1, 1, 1, 0, 0, 0]


def test_shapes() -> None:
    assert mapped("tl.trans(x.reshape(2, 2)).reshape(4)", "int32", [1, 2, 3, 4]) == [1, 3, 2, 4]
    assert mapped("tl.permute(tl.reshape(x, (2, 2, 2)), (2, 0, 1)).reshape(8)", "int32", list(range(8))) == [
        0, 2, 4, 6, 1, 3, 5, 7,
    ]  # fmt: skip
    assert mapped("tl.expand_dims(x, 0).reshape(4)", "int32", [1, 2, 3, 4]) == [1, 2, 3, 4]
    assert mapped("tl.interleave(x, x * 10).reshape(2, 4).sum(0)", "int32", [1, 2, 3, 4]) == [4, 40, 6, 60]
    assert mapped("tl.join(x, x).split()[1]", "int32", [1, 2]) == [1, 2]
    assert mapped("tl.broadcast_to(tl.sum(x, 0, keep_dims=True), (N,))", "int32", [1, 2]) == [3, 3]


def test_casts_and_bitcasts() -> None:
    assert mapped("x.to(tl.int32)", "fp32", [2.9, -2.9], "int32") == [2, -2]
    assert mapped("x.to(tl.int32, bitcast=True)", "fp32", [1.0, 2.0], "int32") == [0x3F800000, 0x40000000]
    assert mapped("tl.cast(x, tl.bfloat16)", "fp32", [1.00390625, 3.0], "bf16") == [1.0, 3.0]


def test_while_and_early_return() -> None:
    body = "n = tl.load(x_ptr)\nk = 0\nwhile n > 1:\n    n = n // 2\n    k += 1\ntl.store(out_ptr, k)"
    arguments = {"x_ptr": Array("x", "int32", (1,), [1000]), "out_ptr": Array("out", "int32", (1,), [0])}
    assert launched(kernel("x_ptr, out_ptr", body), arguments).arrays["out_ptr"] == [9]
    body = "if tl.program_id(0) == 1:\n    return\ntl.store(out_ptr + tl.program_id(0), 1)"
    done = launched(kernel("out_ptr", body), {"out_ptr": Array("out", "int32", (3,), [0] * 3)}, 3)
    assert done.arrays["out_ptr"] == [1, 0, 1]


def test_three_dimensional_grid() -> None:
    body = "p = tl.program_id(0) + 10 * tl.program_id(1) + 100 * tl.program_id(2)\n"
    body += "n = tl.num_programs(0) * (tl.program_id(1) + tl.num_programs(1) * tl.program_id(2))\n"
    body += "tl.store(out_ptr + n + tl.program_id(0), p)"
    done = launched(kernel("out_ptr", body), {"out_ptr": Array("out", "int32", (8,), [0] * 8)}, (2, 2, 2))
    assert done.arrays["out_ptr"] == [0, 1, 10, 11, 100, 101, 110, 111]


def test_block_pointers_pad_and_advance() -> None:
    body = (
        "p = tl.make_block_ptr(x_ptr, (3, 5), (5, 1), (0, 2), (2, 2), (1, 0))\n"
        "p = tl.advance(p, (2, 2))\n"
        "x = tl.load(p, boundary_check=(0, 1), padding_option='zero')\n"
        "q = tl.make_block_ptr(out_ptr, (2, 2), (2, 1), (0, 0), (2, 2), (1, 0))\n"
        "tl.store(q, x)"
    )
    arguments = {"x_ptr": Array("x", "int32", (3, 5), list(range(15))), "out_ptr": Array.empty("out", "int32", (2, 2))}
    assert launched(kernel("x_ptr, out_ptr", body), arguments).arrays["out_ptr"] == [[14, 0], [0, 0]]


def test_descriptors_fill_with_zero_and_store_inside_only() -> None:
    body = (
        "d = tl.make_tensor_descriptor(x_ptr, (3, 5), (5, 1), (2, 4))\n"
        "e = tl.make_tensor_descriptor(out_ptr, (3, 5), (5, 1), (2, 4))\n"
        "e.store([2, 4], d.load([2, 4]) + 1)\n"
        "e.store([0, 0], d.load([0, 0]))"
    )
    arguments = {
        "x_ptr": Array("x", "int32", (3, 5), list(range(15))),
        "out_ptr": Array("out", "int32", (3, 5), [0] * 15),
    }
    assert launched(kernel("x_ptr, out_ptr", body), arguments).arrays["out_ptr"] == [
        [0, 1, 2, 3, 0], [5, 6, 7, 8, 0], [0, 0, 0, 0, 15],
    ]  # fmt: skip


def test_atomics_return_what_was_there() -> None:
    body = "old = tl.atomic_add(x_ptr, 5)\ntl.store(out_ptr + tl.program_id(0), old)"
    arguments = {"x_ptr": Array("x", "int32", (1,), [1]), "out_ptr": Array("out", "int32", (3,), [0] * 3)}
    done = launched(kernel("x_ptr, out_ptr", body), arguments, 3)
    assert done.arrays == {"x_ptr": [16], "out_ptr": [1, 6, 11]}
    assert done.counts.atomics == {"x": 3}


def test_dot_of_int8_accumulates_whole_numbers() -> None:
    body = (
        "i = tl.arange(0, 32)\nj = tl.arange(0, 2)\n"
        "a = tl.load(x_ptr + j[:, None] * 32 + i[None, :])\n"
        "tl.store(out_ptr + j[:, None] * 2 + j[None, :], tl.dot(a, tl.trans(a)))"
    )
    arguments = {
        "x_ptr": Array("x", "int8", (2, 32), [[100] * 32, [-1] * 32]),
        "out_ptr": Array.empty("out", "int32", (2, 2)),
    }
    assert launched(kernel("x_ptr, out_ptr", body), arguments).arrays["out_ptr"] == [[320000, -3200], [-3200, 32]]


def test_autotune_takes_the_first_config_and_says_so() -> None:
    source = kernel("out_ptr, B: tl.constexpr", "tl.store(out_ptr, B)").replace(
        "@triton.jit",
        "@triton.autotune(configs=[triton.Config({'B': 8}), triton.Config({'B': 16})], key=[])\n@triton.jit",
    )
    from sim.tl.api import load_kernel

    file = load_kernel(source)
    out = Array("out", "int32", (1,), [0])
    file.kernels["kernel"][(1,)](out)
    assert out.data == [8]
    assert file.machine.notes == ["autotune: the first of 2 configs is taken, nothing is timed: {'B': 8}"]


def test_a_heuristic_may_ask_for_an_earlier_one() -> None:
    source = kernel("out_ptr, A: tl.constexpr, B: tl.constexpr", "tl.store(out_ptr, A + B)").replace(
        "@triton.jit",
        "@triton.heuristics({'A': lambda args: 4, 'B': lambda args: args['A'] * 2})\n@triton.jit",
    )
    from sim.tl.api import load_kernel

    out = Array("out", "int32", (1,), [0])
    load_kernel(source).kernels["kernel"][(1,)](out)
    assert out.data == [12]


def test_constexprs_of_the_file_keep_their_value_on_the_host() -> None:
    from sim.tl.api import load_kernel

    source = kernel("out_ptr", "if FLAG:\n    tl.store(out_ptr, SIZE + 1)").replace(
        "@triton.jit", "SIZE = tl.constexpr(4)\nFLAG = tl.constexpr(True)\nDOUBLE = SIZE.value * 2\n\n\n@triton.jit"
    )
    file = load_kernel(source)
    out = Array("out", "int32", (1,), [0])
    file.kernels["kernel"][(1,)](out)
    assert (out.data, file.module.DOUBLE) == ([5], 8)


def test_block_pointers_tell_the_type_that_they_point_to() -> None:
    body = (
        "p = tl.make_block_ptr(out_ptr, (4,), (1,), (0,), (4,), (0,))\n"
        "tl.store(p, tl.arange(0, 4).to(p.type.element_ty))"
    )
    done = launched(kernel("out_ptr", body), {"out_ptr": Array.empty("out", "fp16", (4,))})
    assert done.arrays["out_ptr"] == [0.0, 1.0, 2.0, 3.0]


def test_heuristics_and_grid_functions_see_the_arguments() -> None:
    source = kernel("out_ptr, n, EVEN: tl.constexpr", "tl.store(out_ptr + tl.program_id(0), EVEN)").replace(
        "@triton.jit", "@triton.heuristics({'EVEN': lambda args: args['n'] % 2 == 0})\n@triton.jit"
    )
    from sim.tl.api import load_kernel

    out = Array("out", "int32", (4,), [0] * 4)
    load_kernel(source).kernels["kernel"][lambda meta: (meta["n"],)](out, 4)
    assert out.data == [1, 1, 1, 1]
