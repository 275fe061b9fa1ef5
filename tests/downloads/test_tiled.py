"""The tiled product in plain Python, in NumPy and in Triton: C, counts and partial tiles are the model's."""

import ast
import re
from pathlib import Path

import pytest

from sim.cost import separate_loads, tiled_loads
from sim.tiling import Tiling
from sim.trace import partial_tiles
from tests.downloads.offered import Unpacked
from tests.downloads.tools import DOWNLOADS, run_program
from tests.tl.processes import ask, needs_triton

# M, N, K, BM, BN, BK; then programs, K phases, loads of A and of B, worked out by hand.
CASES = [
    ((5, 7, 5, 2, 3, 2), (9, 3, 75, 105)),  # A's 25 elements for each of 3 columns of tiles, B's 35 for each of 3 rows
    ((4, 4, 4, 2, 2, 2), (4, 2, 32, 32)),
    ((2, 2, 3, 2, 2, 2), (1, 2, 6, 6)),
    ((1, 9, 4, 3, 4, 16), (3, 1, 12, 36)),
    ((6, 1, 7, 1, 1, 1), (6, 7, 42, 42)),
]
MODEL = {"python": "C is what three loops give.", "numpy": "C is what a @ b gives."}


def told(text: str) -> tuple[int, ...]:
    """(programs, K phases, loads of A, loads of B, loads of both, loads of separate outputs), as printed."""
    words = (
        r"^programs: (\d+)",
        r"^K phases of each program: (\d+)",
        r"^input loads: \d+ \((\d+) of A",
        r"^input loads: .* (\d+) of B",
        r"^input loads: (\d+)",
        r"^input loads of separate outputs: (\d+)",
    )
    found = [re.search(word, text, re.MULTILINE) for word in words]
    return tuple(int(match[1]) for match in found if match)


def counted(sizes: tuple[int, ...], numbers: tuple[int, ...]) -> tuple[int, ...]:
    """The numbers worked out by hand, with those of `sim` added."""
    tiling = Tiling(*sizes)
    assert (tiling.programs, tiling.k_phases) == numbers[:2]
    return *numbers, tiled_loads(tiling), separate_loads(*sizes[:3])


def inputs(m: int, n: int, k: int) -> tuple[list[list[int]], list[list[int]]]:
    """The matrices of the programs, by their rule."""
    a = [[(3 * r + 5 * i + r * i) % 11 - 5 for i in range(k)] for r in range(m)]
    return a, [[(7 * i + 2 * c + i * c) % 13 - 6 for c in range(n)] for i in range(k)]


@pytest.mark.parametrize("kind", MODEL)
@pytest.mark.parametrize(("sizes", "numbers"), CASES)
def test_counts_and_partial_tiles_are_the_model_s(kind: str, sizes: tuple[int, ...], numbers: tuple[int, ...]):
    done = run_program(DOWNLOADS / f"tiled_matmul_{kind}.py", *map(str, sizes))
    assert done.returncode == 0, done.stderr
    assert told(done.stdout) == counted(sizes, numbers)
    shown = [ast.literal_eval(tile) for tile in re.findall(r"after phase \d+: (.*)", done.stdout)]
    assert shown == [[list(row) for row in tile] for tile in partial_tiles(*inputs(*sizes[:3]), Tiling(*sizes), 0, 0)]
    assert done.stdout.rstrip().endswith(MODEL[kind])


@pytest.mark.parametrize(
    ("kind", "right", "wrong"),
    [
        ("python", "min(top + BM, M)", "min(top + BM - 1, M)"),
        ("python", "c[r][col] = total[r - top][col - left]", "c[r][col] = total[r - top][0]"),
        ("python", "for start in range(0, K, BK):", "for start in range(0, K - BK, BK):"),
        ("python", "a_tile = [[a[r][k]", "a_tile = [[a[r][k - 1]"),
        ("numpy", "for start in range(0, K, BK):", "for start in range(0, K - BK, BK):"),
        ("numpy", "total += a_tile @ b_tile", "total = a_tile @ b_tile"),
    ],
)
def test_a_wrong_product_is_noticed(kind: str, right: str, wrong: str, tmp_path: Path):
    text = (DOWNLOADS / f"tiled_matmul_{kind}.py").read_text(encoding="utf-8")
    assert right in text
    program = tmp_path / f"tiled_matmul_{kind}.py"
    program.write_text(text.replace(right, wrong), encoding="utf-8")
    done = run_program(program)
    assert done.returncode == 1
    assert done.stderr.startswith(f"tiled_matmul_{kind}: C differs from ")


@pytest.mark.parametrize(
    ("kind", "arguments", "sentence"),
    [
        ("python", ["5"], "usage: python tiled_matmul_python.py M N K BM BN BK"),
        ("python", ["5", "7", "5", "2", "0", "2"], "BN: given '0'; allowed: a whole number from 1 to 64"),
        ("python", ["65", "7", "5", "2", "3", "2"], "M: given '65'; allowed: a whole number from 1 to 64"),
        ("numpy", ["5", "7", "5", "2", "3"], "usage: python tiled_matmul_numpy.py M N K BM BN BK"),
        ("numpy", ["5", "7", "5", "2", "3", "2.0"], "BK: given '2.0'; allowed: a whole number from 1 to 1024"),
    ],
)
def test_bad_arguments_end_with_status_2_and_a_sentence(kind: str, arguments: list[str], sentence: str):
    done = run_program(DOWNLOADS / f"tiled_matmul_{kind}.py", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"tiled_matmul_{kind}: {sentence}")


def interpreted(place: Unpacked, *arguments: str):
    """The Triton program of the zip in Triton's interpreter. Skips where Triton has no wheel."""
    needs_triton()
    return run_program(place.folder / "tiled_matmul_triton.py", *arguments, variables={"TRITON_INTERPRET": "1"})


@pytest.mark.parametrize(
    ("sizes", "numbers"),
    [
        ((127, 255, 65, 32, 32, 32), (32, 3, 66_040, 66_300)),  # 127 * 65 * 8 and 65 * 255 * 4
        ((5, 7, 5, 16, 16, 16), (1, 1, 25, 35)),
        ((33, 16, 40, 16, 32, 16), (3, 3, 1320, 1920)),
    ],
)
def test_the_triton_program_is_right_and_counts_as_the_model(place: Unpacked, sizes, numbers):
    done = interpreted(place, *map(str, sizes))
    assert done.returncode == 0, done.stderr
    assert told(done.stdout) == counted(sizes, numbers)
    assert f"C is right: all {sizes[0] * sizes[1]} outputs" in done.stdout


def test_the_interpreter_is_named_and_never_timed(place: Unpacked):
    done = interpreted(place)
    assert done.stdout.startswith("Running on the CPU, in Triton's interpreter (TRITON_INTERPRET=1); torch ")
    assert "Nothing was timed" in done.stdout
    assert not re.search(r"\bms\b|median", done.stdout)
    assert told(done.stdout)[:2] == (32, 3)


def test_without_a_gpu_the_triton_program_says_how_it_runs(place: Unpacked):
    import torch

    needs_triton()
    if torch.cuda.is_available():
        pytest.skip("there is a GPU here")
    done = run_program(place.folder / "tiled_matmul_triton.py", variables={"TRITON_INTERPRET": "0"})
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("tiled_matmul_triton: PyTorch finds no NVIDIA GPU here. To run on the CPU")


def test_a_full_memory_is_told_in_a_sentence(place: Unpacked):
    needs_triton()
    full = (
        "import runpy, sys, torch\n"
        "def arange(*size, **kinds):\n"
        "    raise torch.cuda.OutOfMemoryError('CUDA out of memory.')\n"
        "torch.arange, sys.argv = arange, ['tiled_matmul_triton.py', '64', '32', '16']\n"
        f"runpy.run_path({str(place.folder / 'tiled_matmul_triton.py')!r}, run_name='__main__')\n"
    )
    (place.folder / "full.py").write_text(full, encoding="utf-8")
    done = run_program(place.folder / "full.py", variables={"TRITON_INTERPRET": "1"})
    assert done.returncode == 3
    assert done.stderr.startswith("tiled_matmul_triton: there is no room for 64 x 32 x 16 in the GPU's memory.")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("acc = tl.dot(a, b, acc, input_precision=INPUT_PRECISION)", "acc = tl.dot(a, b)"),
        ("(rows[:, None] < M) & (cols[None, :] < N)\n    tl.store", "(rows[:, None] < M - 1)\n    tl.store"),
        ("col_tile = place // group_rows", "col_tile = place % tiles_n"),
    ],
    ids=["accumulator lost", "last row never stored", "order with an owner twice"],
)
def test_a_wrong_kernel_is_noticed(place: Unpacked, right: str, wrong: str, tmp_path: Path):
    text = (place.folder / "tiled_matmul_triton.py").read_text(encoding="utf-8")
    assert right in text
    (tmp_path / "tiled_matmul_triton.py").write_text(text.replace(right, wrong), encoding="utf-8")
    done = interpreted(Unpacked(tmp_path, place.downloads), "40", "50", "70", "16", "16", "32", "2")
    assert done.returncode == 1, done.stdout
    assert re.search(r"^tiled_matmul_triton: \d+ of 2000 outputs differ", done.stderr, re.MULTILINE)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["5", "7"], "usage: python tiled_matmul_triton.py M N K"),
        (["5", "7", "0"], "K: given '0'; allowed: a whole number from 1 to 8192"),
        (["5", "7", "5", "16", "16", "8"], "BK: given '8'; allowed: 16, 32, 64, 128, 256"),
        (["5", "7", "5", "16", "16", "16", "-1"], "GROUP_M: given '-1'; allowed: a whole number from 1 to 8192"),
    ],
)
def test_bad_arguments_of_the_triton_program(place: Unpacked, arguments: list[str], sentence: str):
    done = interpreted(place, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"tiled_matmul_triton: {sentence}")


def test_the_kernel_is_the_one_of_the_lab_letter_for_letter(place: Unpacked):
    own = (DOWNLOADS.parent / "gpu" / "teaching.py").read_text(encoding="utf-8")
    kernel = [line for line in own[own.index("@triton.jit") :].splitlines() if "region " not in line]
    text = (place.folder / "tiled_matmul_triton.py").read_text(encoding="utf-8")
    assert text.count("\n".join(kernel).strip()) == 1
    assert "import matmul_kernel" not in text


@pytest.mark.parametrize(("arch", "edge"), [(75, 64), (80, 128), (90, 128)])
def test_what_is_timed_fits_the_shared_memory_of_gpus_since_2018(place: Unpacked, arch: int, edge: int, tmp_path: Path):
    needs_triton()
    constants = {"BM": edge, "BN": edge, "BK": 32, "GROUP_M": 8, "INPUT_PRECISION": "ieee", "WIDE_OFFSETS": False}
    kinds = dict.fromkeys(("a_ptr", "b_ptr", "c_ptr"), "*fp16") | dict.fromkeys(("M", "N", "K"), "i32")
    job = {
        "path": str(place.folder / "tiled_matmul_triton.py"), "kernel": "matmul_kernel", "arch": arch, "full": True,
        "constexprs": constants, "signature": {**kinds, **dict.fromkeys(constants, "constexpr")},
        "divisible": list(kinds), "options": {"num_warps": 8 if edge == 128 else 4, "num_stages": 3},
    }  # fmt: skip
    (made,) = ask("compile_worker.py", [job], tmp_path)
    assert made["ok"] and made["shared_bytes"] <= 48 * 1024, made


@pytest.mark.gpu
def test_on_a_gpu_both_are_timed(place: Unpacked):
    import torch

    if not torch.cuda.is_available():
        pytest.skip("there is no NVIDIA GPU here")
    done = run_program(place.folder / "tiled_matmul_triton.py")
    assert done.returncode == 0, done.stderr
    assert re.search(r"^this kernel: median [\d.]+ ms", done.stdout, re.MULTILINE)
    assert re.search(r"^torch.mm: median [\d.]+ ms", done.stdout, re.MULTILINE)
