"""PyTorch programs for the current settings. Run one, and it prints the C that the page shows."""

from lab.markup import plain
from lab.notebook import Cell, notebook, text_of
from lab.operands import Inputs
from lab.widget import Program
from sim.inputs import Operand

EXACT_IN_FLOAT32 = 2**24
CHECKED_TORCH = "2.13.0"
ABOUT = """\
# {summary}

PyTorch gives the C that the figure of GPU Lab shows for its current settings. Checked with torch {torch}, the version \
that the tests pin; if another one fails, run `%pip install torch=={torch}` in a cell before the first one.
"""

HEAD = """\
# {summary}
# Needs PyTorch (pip install torch). Uses CUDA if there is a GPU for it, the CPU otherwise, and says which.
try:
    import torch
except ImportError:
    raise SystemExit("This program needs PyTorch: pip install torch")

device = "cuda" if torch.cuda.is_available() else "cpu"
print("device:", device)
"""


def product_program(inputs: Inputs) -> Program:
    """A @ B as a PyTorch user writes it: shapes and types are chosen, the algorithm is not."""
    summary = f"C = A @ B for A [{inputs.m}, {inputs.k}] and B [{inputs.k}, {inputs.n}]"
    tail = "# PyTorch chooses the algorithm and its tiles; nothing here asks for a tile width.\nc = a @ b\nprint(c)\n"
    cells = (HEAD.format(summary=summary), _matrices(inputs), tail)
    return Program(f"matmul_{_size(inputs)}.py", summary, cells)


def tiled_program(inputs: Inputs, tile: int, rows: tuple[int, int], columns: tuple[int, int]) -> Program:
    """A @ B, then one output tile of it again, K phase by K phase."""
    summary = (
        f"C = A @ B for A [{inputs.m}, {inputs.k}] and B [{inputs.k}, {inputs.n}], "
        f"and one output tile in K phases of {tile}"
    )
    product = "c = a @ b  # PyTorch chooses its own algorithm and tiles.\nprint(c)\n"
    tail = f"""\
rows, columns, width = slice({rows[0]}, {rows[1]}), slice({columns[0]}, {columns[1]}), {tile}
partial = torch.zeros_like(c[rows, columns])  # set to zero once, before the first phase
for phase, start in enumerate(range(0, a.shape[1], width)):
    inner = slice(start, start + width)
    partial += a[rows, inner] @ b[inner, columns]
    print(f"after phase {{phase}}:", partial.tolist())
torch.testing.assert_close(partial, c[rows, columns])
"""
    cells = (HEAD.format(summary=summary), _matrices(inputs), product, tail)
    return Program(f"tiled_{_size(inputs)}_t{tile}.py", summary, cells)


def notebook_name(program: Program) -> str:
    """`matmul_4x4x4.py` has `matmul_4x4x4.ipynb`."""
    return program.filename.removesuffix(".py") + ".ipynb"


def notebook_text(program: Program) -> str:
    """The program as the text of a notebook file."""
    about = Cell("markdown", ABOUT.format(summary=program.summary, torch=CHECKED_TORCH))
    cells = [about, *(Cell("code", part) for part in program.cells)]
    return text_of(notebook(program.filename.removesuffix(".py").replace("_", "-"), cells))


def _size(inputs: Inputs) -> str:
    return "x".join(str(size) for size in (inputs.m, inputs.n, inputs.k))


def _matrices(inputs: Inputs) -> str:
    dtype = "torch.float32" if _fits_float32(inputs) else "torch.float64"
    if inputs.pattern == "own":
        return _dtype_line(inputs, dtype) + f"a = {_literal(inputs.a, dtype)}\nb = {_literal(inputs.b, dtype)}\n"
    a, b = (
        ("(r + k) % 5 - 2", "(k + c) % 3 - 1")
        if inputs.pattern == "formula"
        else ("r * n + k + 1", "n * n - k * n - c")
    )
    return _dtype_line(inputs, dtype) + (
        f"n = {inputs.n}\n"
        f"a = torch.tensor([[{a} for k in range(n)] for r in range(n)], dtype={dtype}, device=device)\n"
        f"b = torch.tensor([[{b} for c in range(n)] for k in range(n)], dtype={dtype}, device=device)\n"
    )


def _dtype_line(inputs: Inputs, dtype: str) -> str:
    if inputs.a.places or inputs.b.places:
        return "# Decimals are rounded to 64 bits here; the page adds them exactly, so the last digits may differ.\n"
    if dtype == "torch.float64":
        return "# 64-bit floats: some sums here are too large for 32-bit ones to hold exactly.\n"
    return ""


def _fits_float32(inputs: Inputs) -> bool:
    """Whether every partial sum is an integer that float32 holds exactly, in any order of adding."""
    if inputs.a.places or inputs.b.places:
        return False
    return inputs.k * _largest(inputs.a) * _largest(inputs.b) <= EXACT_IN_FLOAT32


def _largest(operand: Operand) -> int:
    return max(max(map(max, operand.rows)), -min(map(min, operand.rows)))


def _literal(operand: Operand, dtype: str) -> str:
    rows = ",\n".join(f"    [{', '.join(plain(value, operand.places) for value in row)}]" for row in operand.rows)
    return f"torch.tensor([\n{rows},\n], dtype={dtype}, device=device)"
