"""Every rung says what it adds, and compiles for a Hopper GPU on a machine that has none."""

import importlib

import pytest

from gpu.bench import ptx
from gpu.ladder import RUNGS
from gpu.tuning import table
from tests.gpu.helpers import answers

COMPILE = """
import torch
import triton
from triton.backends.compiler import GPUTarget
from gpu.bench import ptx
from gpu.ladder import RUNGS, packed, persistent, specialised, tiled, transposed

class Hopper:
    get_current_target = staticmethod(lambda: GPUTarget("cuda", 90, 32))
    get_current_device = staticmethod(lambda: 0)
    get_current_stream = staticmethod(lambda *_: 0)
    get_device_capability = staticmethod(lambda *_: (9, 0))
    map_python_to_cpp_type = staticmethod(str)
    launcher_cls = staticmethod(lambda *_: None)

triton.runtime.driver.set_active(Hopper())
for module in (persistent, specialised, transposed):
    module.multiprocessors = lambda device: 132
for name, shape, dtype, precision in (
    ("separate", (127, 255, 65), torch.float16, "ieee"),
    ("tiled", (4096, 4096, 4096), torch.float16, "ieee"),
    ("hinted", (1000, 1000, 1000), torch.float16, "ieee"),
    ("descriptors", (1000, 1000, 1000), torch.bfloat16, "ieee"),
    ("persistent", (4096, 4096, 4096), torch.bfloat16, "ieee"),
    ("specialised", (4096, 4096, 4096), torch.float16, "ieee"),
    ("split_k", (1024, 1024, 65536), torch.float16, "ieee"),
    ("split_specialised", (1024, 1024, 65536), torch.bfloat16, "ieee"),
    ("thin", (16, 4096, 4096), torch.float16, "ieee"),
    ("row", (1, 4096, 4096), torch.float16, "ieee"),
    ("packed", (4095, 4097, 4099), torch.float16, "ieee"),
    ("aligned", (1000, 1000, 1000), torch.float16, "ieee"),
    ("transposed", (4096, 4096, 4096), torch.float32, "tf32"),
):
    M, N, K = shape
    a, b, c = (torch.empty(size, dtype=dtype, device="meta") for size in ((M, K), (K, N), (M, N)))
    kernels = RUNGS[name].prepare(a, b, c, RUNGS[name].default, precision).compile()
    found = {}
    for kernel in kernels:
        found.update(ptx.counts(kernel.asm["ptx"]))
    print(name, *sorted(set(found) - {"fma.rn.f32"}))
"""


def test_every_rung_compiles_for_hopper_and_takes_the_path_it_claims() -> None:
    assert answers(COMPILE, interpret=False) == [
        "separate",
        "tiled wgmma.mma_async",
        "hinted wgmma.mma_async",
        "descriptors cp.async.bulk.tensor wgmma.mma_async",
        "persistent cp.async.bulk.tensor wgmma.mma_async",
        "specialised cp.async.bulk.tensor wgmma.mma_async",
        "split_k cp.async.bulk.tensor wgmma.mma_async",
        "split_specialised cp.async.bulk.tensor wgmma.mma_async",
        "thin cp.async.bulk.tensor wgmma.mma_async",
        "row",
        "packed cp.async.bulk.tensor wgmma.mma_async",
        "aligned cp.async.bulk.tensor wgmma.mma_async",
        "transposed cp.async.bulk.tensor wgmma.mma_async",
    ]


@pytest.mark.parametrize("name", RUNGS)
def test_a_rungs_docstring_begins_with_its_number_and_name_and_says_what_is_next(name: str) -> None:
    docstring = importlib.import_module(f"gpu.ladder.{name}").__doc__ or ""
    title = {"split_k": "split-K", "split_specialised": "split-specialised"}.get(name, name)

    assert docstring.startswith(f"Rung {list(RUNGS).index(name) + 1}, {title}")
    assert "\n\nNext: " in docstring


@pytest.mark.parametrize(
    ("name", "shape", "itemsize", "words"),
    [
        ("separate", (4096, 4096, 4096), 2, "68719476736 products; this rung is run up to 2147483648"),
        ("hinted", (127, 255, 65), 2, "N = 255 and K = 65; this rung is for multiples of 8"),
        ("persistent", (127, 256, 65), 2, "a row of A has 130 bytes; a tensor descriptor needs a multiple of 16"),
        ("specialised", (512, 512, 512), 4, "float32; the ring is written for two-byte types"),
        ("thin", (65, 512, 512), 2, "M is 65; this rung holds all rows in one tile, at most 64"),
        ("row", (2, 512, 512), 2, "M is 2; this rung multiplies one row"),
        (
            "packed",
            (512, 512, 512),
            2,
            "rows of A and B start at multiples of 32 bytes already; there is nothing to pack",
        ),
        ("aligned", (1001, 1000, 1000), 2, "M = 1001 is not a multiple of 8, the number of places"),
        ("transposed", (512, 512, 512), 2, "the matrix instruction reads two-byte types either way"),
        ("tiled", (1, 1, 1), 2, ""),
    ],
)
def test_a_rung_says_why_it_does_not_run_a_shape(
    name: str, shape: tuple[int, int, int], itemsize: int, words: str
) -> None:
    assert RUNGS[name].refuses(*shape, itemsize).startswith(words)


@pytest.mark.parametrize(
    ("shape", "itemsize", "rung"),
    [
        ((1, 4096, 4096), 2, "row"),
        ((16, 4096, 4096), 2, "thin"),
        ((4096, 4096, 4096), 2, "specialised"),
        ((4097, 4099, 4101), 2, "packed"),
        ((127, 255, 65), 2, "grouped"),
        ((256, 256, 8192), 2, "split_specialised"),
        ((4096, 4096, 4096), 4, "grouped"),
    ],
)
def test_an_unlisted_shape_gets_a_rung_that_runs_it(shape: tuple[int, int, int], itemsize: int, rung: str) -> None:
    name, config = table.rule(*shape, itemsize, hopper=True)

    assert name == rung
    assert RUNGS[name].refuses(*shape, itemsize) == ""
    assert config


def test_a_listed_shape_gets_the_stored_winner_of_its_type_and_precision() -> None:
    stored = table.load()

    assert len(stored) == 13 * 4  # shapes, and float16, bfloat16, float32 in IEEE and in TF32
    assert table.listed(stored, 1, 4096, 4096, "bfloat16", "ieee") == (
        "row",
        {"BN": 128, "BK": 64, "SPLIT_K": 16, "num_warps": 2, "num_stages": 1},
    )
    assert (table.listed(stored, 4096, 4096, 4096, "float32", "tf32") or [""])[0] == "transposed"
    assert (table.listed(stored, 4096, 4096, 4096, "float32", "tf32", "persistent") or [""])[0] == "persistent"
    assert table.listed(stored, 4096, 4096, 4096, "float32", "tf32", "specialised") is None
    assert table.listed(stored, 4096, 4096, 4097, "float16", "ieee") is None


def test_other_gpus_get_the_plain_kernel() -> None:
    assert table.rule(4096, 4096, 4096, 2, hopper=False)[0] == "grouped"


def test_matrix_instructions_are_found_by_name() -> None:
    text = "wgmma.mma_async.sync.aligned.m64n256k16\nmma.sync.aligned.m16n8k16\nmma.sync.aligned.m16n8k16\nxmma.sync"

    assert ptx.counts(text) == {"wgmma.mma_async": 1, "mma.sync": 2}


def test_no_matrix_instruction_is_said_plainly() -> None:
    assert ptx.sentence({"fma.rn.f32": 12}).startswith("no matrix instruction (mma.sync, wgmma) in the code")
