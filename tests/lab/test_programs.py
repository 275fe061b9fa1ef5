"""The PyTorch programs print the C of the page: each is run as a reader would run it."""

import json
import subprocess
import sys
import tomllib

import nbformat
import pytest

from lab.operands import Inputs, pattern_inputs, read_inputs
from lab.programs import CHECKED_TORCH, notebook_name, notebook_text
from lab.registry import WIDGETS
from lab.views import open_scene
from lab.widget import Program
from sim.inputs import fresh_case
from sim.matmul import matmul
from tests.downloads.offered import execute

CASES = [
    ("dot-product", {"n": "4"}),
    ("dot-product", {"n": "7", "inputs": "distinct"}),
    ("dot-product", {"n": "64", "inputs": "distinct"}),
    ("dot-product", {"a": "1 2 3\n4 5 6", "b": "7 8\n9 10\n11 12"}),
    ("dot-product", {"a": "0.1 -2.25\n1000000 3", "b": "7 0.5\n1e-3 10"}),
    ("tile-walk", {"n": "4", "tile": "2"}),
    ("tile-walk", {"n": "5", "tile": "2", "i": "2", "j": "1", "inputs": "distinct"}),
    ("tile-waits", {"n": "6", "tile": "4", "order": "no-wait-after-using", "inputs": "distinct"}),
    ("new-case", {"case": "3"}),
    ("tile-walk", {"a": "1 2 3\n4 5 6", "b": "7 8\n9 10\n11 12", "tile": "2"}),
]

SHOW = "\nimport json; print('C =', json.dumps(c.tolist()))"


def program(name: str, settings: dict[str, str]) -> Program:
    made = open_scene(WIDGETS[name], settings).program
    assert made is not None
    return made


def inputs_of(name: str, settings: dict[str, str]) -> Inputs:
    """The matrices of a scene, found without its widget's help."""
    if name == "new-case":
        return pattern_inputs("distinct", fresh_case(int(settings["case"]))[0])
    return pattern_inputs(settings["inputs"], int(settings["n"])) if name == "tile-waits" else read_inputs(settings)


@pytest.mark.parametrize(("name", "settings"), CASES)
def test_the_program_gives_the_c_of_the_page(name, settings, tmp_path):
    made = program(name, settings)
    inputs = inputs_of(name, open_scene(WIDGETS[name], settings).settings)
    path = tmp_path / made.filename
    path.write_text(made.text + SHOW, encoding="utf-8")
    run = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("device: ")
    printed = eval(run.stdout.split("C = ")[1])
    scale = 10 ** (inputs.a.places + inputs.b.places)
    expected = [[value / scale for value in row] for row in matmul(inputs.a.rows, inputs.b.rows)]
    if scale == 1:
        assert printed == expected
    else:  # decimals are rounded to float64, whose unit in the last place is 2**-52 of the value
        assert [[pytest.approx(value, rel=1e-14) for value in row] for row in expected] == printed


def test_the_tiled_program_prints_every_partial_sum():
    text = program("tile-walk", {"n": "4", "tile": "2"}).text
    run = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert "after phase 0: [[2.0, -1.0], [1.0, 0.0]]" in run.stdout
    assert "after phase 1: [[1.0, -1.0], [0.0, -1.0]]" in run.stdout


@pytest.mark.parametrize("file", ["opening.py"])
def test_the_opening_example_runs_and_checks_itself(file, repository):
    run = subprocess.run(
        [sys.executable, str(repository / "downloads" / file)], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("Running on c")
    assert run.stdout.rstrip().endswith("C[0, :] is as expected.")


def test_the_opening_example_falls_back_to_the_cpu_where_a_gpu_is_found_and_cannot_be_used(repository):
    """As with a GPU that is too old for this PyTorch, or whose memory is full."""
    broken = (
        "import runpy, torch\n"
        "def ones(*size, device):\n"
        "    raise RuntimeError('no kernel image is available for execution on the device\\nand more')\n"
        "torch.cuda.is_available, torch.ones = lambda: True, ones\n"
        f"runpy.run_path({str(repository / 'downloads' / 'opening.py')!r}, run_name='__main__')\n"
    )
    run = subprocess.run([sys.executable, "-c", broken], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    reason = "(no kernel image is available for execution on the device)"
    assert run.stdout.startswith(f"Running on cpu: PyTorch finds a CUDA device and cannot use it {reason}.\n")
    assert run.stdout.rstrip().endswith("C[0, :] is as expected.")


def test_without_torch_the_programs_say_what_they_need(tmp_path, repository):
    (tmp_path / "torch.py").write_text("raise ImportError('no torch here')\n", encoding="utf-8")
    shown = program("dot-product", {"n": "4"}).text
    for text in (shown, (repository / "downloads" / "opening.py").read_text(encoding="utf-8")):
        run = subprocess.run(
            [sys.executable, "-c", text],
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
            env={"PYTHONPATH": str(tmp_path), "PYTHONIOENCODING": "utf-8"},
        )
        assert run.returncode == 1
        assert "needs PyTorch: pip install torch" in run.stderr
        assert "Traceback" not in run.stderr


@pytest.mark.parametrize(("name", "settings"), CASES)
def test_the_notebook_holds_the_program_and_nothing_else(name, settings):
    made = program(name, settings)
    notebook = nbformat.reads(notebook_text(made), as_version=nbformat.NO_CONVERT)
    nbformat.validate(notebook)
    code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    assert "\n".join(f"{part}\n" for part in code) == made.text  # which the tests above run


def test_the_notebook_runs_cell_by_cell_in_jupyter(tmp_path):
    made = program("tile-walk", {"n": "4", "tile": "2"})
    executed = execute(nbformat.reads(notebook_text(made), as_version=nbformat.NO_CONVERT), tmp_path)
    printed = "".join(output.text for cell in executed.cells for output in cell.get("outputs", []))
    assert "after phase 0: [[2.0, -1.0], [1.0, 0.0]]" in printed


def test_the_notebook_has_stable_cells_and_a_name(tmp_path):
    made = program("dot-product", {"n": "4"})
    notebook = json.loads(notebook_text(made))
    assert [cell["id"] for cell in notebook["cells"]] == [f"matmul-4x4x4-{number}" for number in range(4)]
    assert notebook_text(made) == notebook_text(program("dot-product", {"n": "4"}))
    assert notebook_name(made) == "matmul_4x4x4.ipynb"


def test_the_notebook_names_the_torch_that_is_pinned(repository):
    pins = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))
    assert f"torch=={CHECKED_TORCH}" in pins["project"]["optional-dependencies"]["test"]
    assert f"Checked with torch {CHECKED_TORCH}" in notebook_text(program("dot-product", {"n": "4"}))
