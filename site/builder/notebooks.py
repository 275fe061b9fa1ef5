"""The programs of `downloads/` as notebooks: the same text, in cells.

A Python file is cut at its lines `# %% Words`, which editors know as cells too; a CUDA file becomes a cell that writes
it and a cell that runs its command. The first cell says with which versions the tests ran it; pins come from
pyproject.toml.
"""

import ast
import json
import re
import tomllib
from pathlib import Path, PurePosixPath

import nbformat

from lab.notebook import Cell, notebook

MARK = re.compile(r"^# %%[ \t]*(.*)\n", re.MULTILINE)
ENDING = 'if __name__ == "__main__":\n    sys.exit(main(sys.argv[1:]))\n'
PINNED_ON_COLAB = "triton"

VERSIONS = """\
# What is here, beside what this notebook was checked with. Another version may do as well.
import importlib.metadata
import sys

checked = {checked}
here = {{}}
for package in checked:
    try:
        here[package] = importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        here[package] = "missing"
    print(f"{{package}}: checked with {{checked[package]}}, here {{here[package]}}")
print("To install what was checked:  %pip install {wanted}")
"""
COLAB = """
# Colab's machine is thrown away afterwards, so the version that was checked can be put there. Yours is left alone.
if "google.colab" in sys.modules and here["triton"] != checked["triton"]:
    %pip install --quiet triton=={triton}
"""
INTERPRET = """
import os
import shutil

if not shutil.which("nvidia-smi"):
    os.environ.setdefault("TRITON_INTERPRET", "1")  # read when the kernel is defined, so it is set before
    print("No NVIDIA GPU here: Triton's interpreter will run the kernel on the CPU, and nothing is timed.")
"""


def read_pins(root: Path) -> dict[str, str]:
    """Exact versions by package, from pyproject.toml: what the tests run with."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["test"]]
    found = (re.match(r"([\w.-]+)==([\w.]+)", each) for each in wanted)
    return {match[1]: match[2] for match in found if match}


def notebook_of(name: str, text: str, run: str, python: str, checked: dict[str, str]) -> bytes:
    """The notebook of the program `name`, valid by nbformat's own check.

    `run` is its command; `python` and `checked`, by package, are the versions with which the tests ran it.
    """
    path = PurePosixPath(name)
    about = _about(name, text, {"Python": python, **checked} if python else checked)
    cells = [about, *(_python_cells(text, checked) if path.suffix == ".py" else _cuda_cells(name, text, run))]
    gpu = path.suffix == ".cu" or PINNED_ON_COLAB in checked
    made = nbformat.from_dict(notebook(path.stem.replace("_", "-"), cells, gpu=gpu))  # type: ignore[no-untyped-call]
    nbformat.validate(made)
    written: str = nbformat.writes(made, version=nbformat.NO_CONVERT)  # type: ignore[no-untyped-call]
    return written.rstrip("\n").encode() + b"\n"


def _about(name: str, text: str, checked: dict[str, str]) -> Cell:
    head = (ast.get_docstring(ast.parse(text)) or "") if name.endswith(".py") else _head_comment(text)
    title, _, rest = head.partition("\n")
    versions = ", ".join(f"{package} {version}" for package, version in checked.items())
    said = [f"Checked with {versions}: the tests of GPU Lab run every cell, without a GPU."] if versions else []
    said.append(f"The text is that of `{name}`, letter for letter but for the line that starts it.")
    return Cell("markdown", f"# {title}\n\n{' '.join(said)}\n\n```text\n{rest.strip()}\n```")


def _head_comment(text: str) -> str:
    head = re.match(r"(?://.*\n)+", text)
    return re.sub(r"^// ?", "", head.group(), flags=re.MULTILINE) if head else ""


def _python_cells(text: str, checked: dict[str, str]) -> list[Cell]:
    body = text
    head = ast.parse(text).body[0]
    if isinstance(head, ast.Expr) and isinstance(head.value, ast.Constant):
        body = "".join(text.splitlines(True)[head.end_lineno :])
    body = body.replace(ENDING, "status = main([])\n")
    first, *parts = MARK.split(body)
    cells = [Cell("code", _versions(checked))] if checked else []
    cells.append(Cell("code", first))
    for words, part in zip(parts[::2], parts[1::2], strict=True):
        cells += [Cell("markdown", f"## {words}"), Cell("code", part)]
    return [cell for cell in cells if cell.text.strip()]


def _versions(checked: dict[str, str]) -> str:
    wanted = " ".join(f"{package}=={version}" for package, version in checked.items())
    text = VERSIONS.format(checked=json.dumps(checked), wanted=wanted)
    if PINNED_ON_COLAB in checked:
        text += COLAB.format(triton=checked[PINNED_ON_COLAB]) + INTERPRET
    return text


def _cuda_cells(name: str, text: str, run: str) -> list[Cell]:
    return [
        Cell("code", "!nvcc --version"),
        Cell("markdown", f"## Write the file\n\nThe next cell writes `{name}`; the last one builds and runs it."),
        Cell("code", f"%%writefile {name}\n{text}"),
        Cell("markdown", "## Build and run it"),
        Cell("code", f"!{run}"),
    ]
