"""Matrices that lie where a tensor descriptor cannot read them, on another GPU, or are too large for 32-bit offsets."""

from contextlib import nullcontext
from types import SimpleNamespace

import pytest
import torch

from gpu import checks, matmul
from gpu.ladder import RUNGS, persistent, specialised, split_k, transposed
from gpu.tuning import table

Matrix = torch.Tensor
SHAPES = {
    "row": (1, 520, 1000), "thin": (13, 520, 1000), "hinted": (123, 136, 200), "descriptors": (123, 136, 200),
    "packed": (296, 520, 1000), "aligned": (296, 520, 1000),
}  # fmt: skip


@pytest.fixture(autouse=True)
def processor_for_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """Matrices on the processor pass for a GPU's; nothing is launched here."""
    monkeypatch.setattr(checks, "_place", lambda name, matrix: None)
    for module in (persistent, specialised, transposed):
        monkeypatch.setattr(module, "multiprocessors", lambda device: 132)


def at(start: int, rows: int, cols: int, dtype: torch.dtype = torch.float16) -> Matrix:
    """A contiguous matrix that starts `start` elements into an aligned buffer."""
    return torch.zeros(start + rows * cols, dtype=dtype)[start:].view(rows, cols)


def test_a_slice_of_a_larger_matrix_may_start_between_the_copy_engines_places() -> None:
    assert checks.no_descriptor(A=at(8, 8, 8)) == ""
    assert checks.no_descriptor(A=at(8, 8, 8), B=at(1, 8, 8)) == "B starts 2 bytes past a multiple of 16"
    assert checks.no_descriptor(C=at(4, 8, 8)) == "C starts 8 bytes past a multiple of 16"


def test_one_row_keeps_the_stride_of_the_matrix_that_it_was_cut_from() -> None:
    row = torch.zeros(4, 13, dtype=torch.float16)[:1, :8]

    assert row.is_contiguous()
    assert checks.no_descriptor(A=row) == "rows of A are 26 bytes apart"


@pytest.mark.parametrize("odd", "ABC")
@pytest.mark.parametrize("name", [name for name in RUNGS if name != "autotuned"])
def test_a_rung_names_those_matrices_that_a_descriptor_would_refuse(name: str, odd: str) -> None:
    """Triton's own descriptor is the referee: it refuses with an assertion, which is no sentence."""
    M, N, K = SHAPES.get(name, (296, 520, 1000))
    dtype, precision = (torch.float32, "tf32") if name == "transposed" else (torch.float16, "ieee")
    sizes = {"A": (M, K), "B": (K, N), "C": (M, N)}
    a, b, c = (at(int(each == odd), *size, dtype) for each, size in sizes.items())

    try:
        RUNGS[name].prepare(a, b, c, RUNGS[name].default, precision)
    except AssertionError:
        refused = True
    else:
        refused = False

    assert refused == (odd in RUNGS[name].described)


def test_a_named_rung_is_refused_in_words() -> None:
    with pytest.raises(checks.Refused) as refusal:
        matmul.plan(at(1, 16, 64), at(0, 64, 32), at(0, 16, 32), rung="descriptors", config=None, precision="ieee")
    assert str(refusal.value) == (
        "rung 'descriptors': A starts 2 bytes past a multiple of 16; allowed: multiples of 16 bytes for a rung that "
        "uses tensor descriptors; rung 'grouped' runs it as it is"
    )


@pytest.mark.parametrize(
    ("start", "rung"), [((0, 0, 0), "descriptors"), ((1, 0, 0), "grouped"), ((0, 0, 3), "grouped")]
)
def test_best_takes_the_plain_kernel_for_such_a_matrix(
    monkeypatch: pytest.MonkeyPatch, start: tuple[int, int, int], rung: str
) -> None:
    taken = []
    monkeypatch.setattr(matmul, "choose", lambda *given: ("descriptors", RUNGS["descriptors"].default))
    monkeypatch.setattr(matmul, "multiply_checked", lambda a, b, out, sizes, rung, *rest: taken.append(rung))

    matmul.best(at(start[0], 16, 64), at(start[1], 64, 32), at(start[2], 16, 32))
    matmul.best(at(start[0], 16, 64), at(start[1], 64, 32))

    assert taken == [rung, "grouped" if start[0] else "descriptors"]


def test_partial_tiles_of_two_to_the_31_elements_are_refused_before_they_are_made() -> None:
    with pytest.raises(checks.Refused, match=r"partial tiles have 2147483648 elements; allowed: fewer than 2147483648"):
        split_k.workspace(torch.empty(1), 2**20, 2, 2**10)


@pytest.mark.parametrize(("N", "rung"), [(2**22, "thin"), (2**24, "grouped")])
def test_very_wide_thin_products_get_a_rung_whose_offsets_hold(N: int, rung: str) -> None:
    assert table.rule(64, N, 128, 2, hopper=True)[0] == rung


def test_a_size_that_rounded_up_to_tiles_leaves_32_bits_is_refused() -> None:
    with pytest.raises(checks.Refused, match=r"A has shape .*; allowed: at most 2146435072 rows or columns"):
        checks.inputs(torch.empty(1, 2**31 - 1, device="meta"), torch.empty(2**31 - 1, 1, device="meta"))


def test_more_programs_than_cuda_launches_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    shape = 2**15, 2**16, 1
    monkeypatch.setattr(checks, "inputs", lambda *given: shape)
    a, b, c = (torch.empty(size, dtype=torch.float16, device="meta") for size in ((2**15, 1), (1, 2**16), shape[:2]))

    with pytest.raises(checks.Refused, match="the grid has 2147483648 programs; allowed: at most 2147483647"):
        matmul.plan(a, b, c, rung="separate", config=None, precision="ieee")


@pytest.mark.parametrize(("kind", "index", "asked"), [("cuda", 1, [1]), ("cuda", 0, []), ("cpu", None, [])])
def test_the_matrices_gpu_is_made_the_current_one(
    monkeypatch: pytest.MonkeyPatch, kind: str, index: int | None, asked: list[int]
) -> None:
    made: list[int | None] = []

    def device(wanted: torch.device) -> nullcontext[None]:
        made.append(wanted.index)
        return nullcontext()

    monkeypatch.setattr(torch.cuda, "current_device", lambda: 0)
    monkeypatch.setattr(torch.cuda, "device", device)

    with matmul.device_of(SimpleNamespace(device=torch.device(kind, index))):  # type: ignore[arg-type]
        pass

    assert made == asked
