"""Roundings, casts and wraps equal torch's, bit for bit."""

import math
import struct

import pytest
import torch

from sim.tl.dtypes import BY_NAME
from sim.tl.rounding import bitcast, decode_small, once, rounded, small_float, tf32, truncated, wrapped
from tests.tl.kernels import mapped

TORCH = {"fp16": torch.float16, "bf16": torch.bfloat16, "fp32": torch.float32}


def spread_values(count: int = 20_000) -> list[float]:
    """fp32 values over the whole range, in every exponent, with the specials."""
    generator = torch.Generator().manual_seed(7)
    bits = torch.randint(-(2**31), 2**31, (count,), generator=generator, dtype=torch.int64).to(torch.int32)
    specials = [0.0, -0.0, math.inf, -math.inf, 65504.0, 65519.9, 65520.0, -65520.0, 5.96e-8, 2.98e-8, 1e-45]
    return [v for v in bits.view(torch.float32).tolist() if v == v] + specials


def test_a_sum_in_the_middle_is_rounded_once_and_not_twice() -> None:
    middle, little = 1.0 + 2.0**-24, 2.0**-80  # rounded to double first, the sum falls back to the middle, then to 1.0
    above, below = [middle, little], [middle, -little]
    fp32 = BY_NAME["fp32"]
    assert once([middle] * 3, fp32, lambda i: (above, below, [middle])[i]) == [1.0 + 2.0**-23, 1.0, 1.0]
    assert once([-middle], fp32, lambda _: [-middle, -little]) == [-1.0 - 2.0**-23]
    assert once([2049.0], BY_NAME["fp16"], lambda _: [2049.0, little]) == [2050.0]
    assert once([math.inf, 65520.0], BY_NAME["fp16"], lambda _: [65520.0]) == [math.inf, math.inf]


def test_a_wide_whole_number_is_rounded_once() -> None:
    numbers = [2**62 + 2**38 + 1, -(2**62) - 2**38 - 1, 2**62 + 2**38, 2**24 + 1, 7, 0, -1, 2**63 - 1]
    want = torch.tensor(numbers, dtype=torch.int64).float().tolist()
    assert want[:3] == [2.0**62 + 2.0**39, -(2.0**62) - 2.0**39, 2.0**62]
    assert mapped("x.to(tl.float32)", "int64", numbers, "fp32") == want


def test_dot_sum_and_fma_round_once() -> None:
    row = "tl.where(i[None, :] == 0, 1.0, tl.where(i[None, :] == 1, 5.960464477539063e-08, 8.271806125530277e-25))"
    ones = "tl.where(i[:, None] < 3, 1.0, 0.0) + tl.zeros((16, 16), tl.float32)"
    dot = f"tl.dot({row} + tl.zeros((16, 16), tl.float32), {ones}, input_precision='ieee')"
    right = [1.0 + 2.0**-23] * 16
    assert mapped(f"tl.max({dot}, 1)", "fp32", [0.0] * 16) == right
    assert mapped(f"tl.sum({row}, 1) + tl.zeros((N,), tl.float32)", "fp32", [0.0] * 16) == right
    below = 2.0**-24 * (1.0 + 2.0**-23)  # times 1 - 2**-23 it is a little less than 2**-24
    assert mapped("tl.fma(x, 1.0 - 2.0**-23, 1.0 + 2.0**-23)", "fp32", [below] * 2) == [1.0 + 2.0**-23] * 2


@pytest.mark.parametrize("name", ["fp16", "bf16"])
def test_every_exponent_rounds_as_in_torch(name: str) -> None:
    values = spread_values()
    want = torch.tensor(values, dtype=torch.float32).to(TORCH[name]).float()
    got = torch.tensor(rounded(values, BY_NAME[name]), dtype=torch.float32)
    assert torch.equal(got.view(torch.int32), want.view(torch.int32))


def test_nan_stays_nan() -> None:
    for name in ("fp16", "bf16", "fp32", "fp8e5", "fp8e4nv"):
        assert math.isnan(rounded([math.nan], BY_NAME[name])[0])


def test_fp32_rounds_doubles_to_nearest_even_and_overflows() -> None:
    assert rounded([1 + 2**-24, 1 + 3 * 2**-24, 1e39, 2**-150], BY_NAME["fp32"]) == [1.0, 1 + 2**-22, math.inf, 0.0]


@pytest.mark.parametrize(("name", "dtype"), [("fp8e5", torch.float8_e5m2), ("fp8e4nv", torch.float8_e4m3fn)])
def test_every_fp8_code_means_what_it_means_in_torch(name: str, dtype: torch.dtype) -> None:
    codes = torch.arange(256, dtype=torch.int16).to(torch.uint8)
    want = codes.view(dtype).float().tolist()
    got = [decode_small(code, BY_NAME[name]) for code in range(256)]
    assert [struct.pack("f", v) if v == v else "nan" for v in got] == [
        struct.pack("f", v) if v == v else "nan" for v in want
    ]


@pytest.mark.parametrize(("name", "dtype"), [("fp8e5", torch.float8_e5m2), ("fp8e4nv", torch.float8_e4m3fn)])
def test_fp8_rounds_as_in_torch_inside_its_range(name: str, dtype: torch.dtype) -> None:
    values = (torch.randn(4000, generator=torch.Generator().manual_seed(3)) * 20).tolist()
    want = torch.tensor(values).to(dtype).float().tolist()
    assert [small_float(value, BY_NAME[name]) for value in values] == want


def test_tf32_cuts_the_13_low_bits() -> None:
    assert tf32([2049.0, 2051.0, -2049.0, 1.0 + 2**-10, 1.0 + 2**-11]) == [2048.0, 2050.0, -2048.0, 1.0 + 2**-10, 1.0]


def test_integers_wrap_and_say_which() -> None:
    assert wrapped([2**31 - 1, 2**31, -(2**31) - 1], BY_NAME["int32"]) == (
        [2**31 - 1, -(2**31), 2**31 - 1],
        [False, True, True],
    )
    assert wrapped([255, 256], BY_NAME["uint8"]) == ([255, 0], [False, True])
    assert wrapped([7, -7], BY_NAME["int8"]) == ([7, -7], None)


def test_floats_become_integers_towards_zero_and_stop_at_the_ends() -> None:
    int32 = BY_NAME["int32"]
    assert [truncated(v, int32) for v in (2.9, -2.9, 1e20, -math.inf, math.nan)] == [2, -2, 2**31 - 1, -(2**31), 0]


def test_bitcasts_keep_the_bits() -> None:
    assert bitcast([1.0, -2.0], BY_NAME["fp32"], BY_NAME["int32"]) == [0x3F800000, -0x40000000]
    assert bitcast([1.0], BY_NAME["bf16"], BY_NAME["uint16"]) == [0x3F80]
    assert bitcast([0x3C00], BY_NAME["int16"], BY_NAME["fp16"]) == [1.0]
