"""The debug build is the teaching kernel plus its marked lines, and its record agrees with hand counts."""

import inspect
import re

from gpu import debug, teaching
from tests.gpu.helpers import ROOT, answers


def body(path: str, name: str) -> list[str]:
    """A kernel's lines after its docstring, without comments, blank lines and lines marked `# trace`."""
    text = (ROOT / path).read_text(encoding="utf-8").split(f"def {name}(")[1]
    lines = [line for line in text.split("# fmt: skip", 1)[1].splitlines() if "# trace" not in line]
    code = re.sub(r'^\s*""".*?"""', "", "\n".join(lines), flags=re.DOTALL).split("\n\n\n")[0]
    return [
        line.split("  #")[0].rstrip() for line in code.splitlines() if line.strip() and not line.strip().startswith("#")
    ]


def test_the_debug_build_without_its_marked_lines_is_the_teaching_kernel() -> None:
    assert body("gpu/debug.py", "traced_kernel") == body("gpu/teaching.py", "matmul_kernel")


def test_both_kernels_are_jit_functions() -> None:
    assert type(debug.traced_kernel) is type(teaching.matmul_kernel)
    assert "Trace" in inspect.getsource(debug.run_traced)


def test_loads_are_counted_under_the_masks_for_each_program_and_phase() -> None:
    program = """
import torch
from gpu.bench import inputs
from gpu.debug import run_traced
a, b = inputs.formula(5, 7, 5, torch.float16, "cpu")
trace = run_traced(a, b, 2, 4, 2, 1)
print(trace["loads"].sum((0, 1)).tolist(), trace["programs"].tolist())
print(trace["loads"][5].tolist(), bool(trace["partials"].isnan().any()))
"""
    first, second = answers(program)

    assert first == "[50, 105] [[0, 0], [0, 1], [1, 0], [1, 1], [2, 0], [2, 1]]"
    assert second == "[[2, 6], [2, 6], [1, 3]] False"
