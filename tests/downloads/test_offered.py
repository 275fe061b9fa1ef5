"""Everything offered, as a reader has it: each command works in the unpacked zip, each notebook runs."""

import io
import json
import re
import shutil
import sys
import tomllib
import zipfile
from pathlib import Path

import nbformat
import pytest

from builder.bundle import NAME, TOP, bundle
from builder.notebooks import read_pins
from builder.record import read_record, sha256
from tests.downloads.offered import NO_GPU, Unpacked, status_without_gpu
from tests.downloads.record import COMMAND, offered
from tests.downloads.tools import DOWNLOADS, ROOT, nvcc, oclgrind, run_program
from tests.tl.processes import needs_triton

MANIFEST = tomllib.loads((DOWNLOADS / "manifest.toml").read_text(encoding="utf-8"))["download"]
NAMES = [Path(entry["file"]).name for entry in MANIFEST]
PROGRAMS = [Path(entry["file"]).name for entry in MANIFEST if entry["kind"] == "program"]
LINES = [line for entry in MANIFEST for line in entry["run"].strip().splitlines()]
PACKAGED = ["opening.py", "tiled_matmul_numpy.py", "tiled_matmul_opencl.py", "tiled_matmul_triton.py"]


def needs(what: str) -> None:
    """Skip, by name, what this machine has not got."""
    if "nvcc" in what or what.endswith(".cu"):
        nvcc()
    if "opencl" in what and oclgrind()[0]:
        pytest.skip("PyPI has no Oclgrind for this system, and Debian's has to stand before the command")
    if "triton" in what:
        needs_triton()


def test_programs_are_those_that_the_lab_promises():
    assert {
        "opening.py",
        "matmul_exercise.py",
        "matmul_solution.py",
        "tiled_matmul_python.py",
        "tiled_matmul_numpy.py",
        "tiled_matmul_triton.py",
        "tiled_matmul.cu",
        "tiled_matmul_opencl.py",
    } == set(PROGRAMS)


@pytest.mark.parametrize("line", LINES)
def test_every_command_of_the_page_works_in_the_zip(place: Unpacked, line: str):
    needs(line)
    done = place.run(line)
    expected = status_without_gpu(line)
    if expected == NO_GPU and shutil.which("nvidia-smi"):
        expected = 0
    assert done.returncode == expected, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout or done.stderr


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_s_first_lines_hold_its_command(place: Unpacked, name: str):
    text = (place.folder / name).read_text(encoding="utf-8")
    head = text[: text.index("#include")] if name.endswith(".cu") else text.split('"""')[1]
    assert place.downloads.by_name[name].run.splitlines()[0] in head
    assert not re.search(r"^(from|import) (gpu|sim|lab)\b", text, re.MULTILINE)


@pytest.mark.parametrize("name", PACKAGED)
def test_without_its_packages_a_program_says_in_a_sentence_what_to_install(place: Unpacked, name: str):
    done = run_program(place.folder / name, python=(sys.executable, "-S"))
    assert done.returncode in (1, 3)
    assert re.search(r"pip install \w+", done.stderr) and done.stderr.count("\n") == 1
    assert done.stdout == ""


@pytest.mark.parametrize("package", ["torch", "triton"])
def test_the_triton_program_names_the_package_that_is_missing(place: Unpacked, package: str, tmp_path: Path):
    needs_triton()
    missing = f"raise ModuleNotFoundError(\"No module named '{package}'\", name='{package}')\n"
    (tmp_path / f"{package}.py").write_text(missing, encoding="utf-8")
    done = run_program(place.folder / "tiled_matmul_triton.py", variables={"PYTHONPATH": str(tmp_path)})
    assert done.returncode == 3
    assert done.stderr.startswith(f"tiled_matmul_triton: {package} is missing. This program needs: pip install torch")


@pytest.mark.parametrize("name", sorted(set(PROGRAMS) - set(PACKAGED) - {"tiled_matmul.cu"}))
def test_programs_in_plain_python_need_nothing(place: Unpacked, name: str):
    done = run_program(place.folder / name, python=(sys.executable, "-S"))
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_cell_of_a_notebook_runs(place: Unpacked, name: str):
    needs(name)
    entry = place.downloads.by_name[name]
    made = place.execute(entry)
    code = [cell for cell in made.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    printed = "".join(output.get("text", "") for cell in code for output in cell.outputs)
    assert LAST_WORDS[name] in printed


LAST_WORDS = {
    "opening.py": "C[0, :] is as expected.",
    "matmul_exercise.py": "should be [[58, 64], [139, 154]]",
    "matmul_solution.py": "[[58, 64], [139, 154]]",
    "tiled_matmul_python.py": "C is what three loops give.",
    "tiled_matmul_numpy.py": "C is what a @ b gives.",
    "tiled_matmul_triton.py": "C is right: all 32385 outputs",
    "tiled_matmul.cu": "tiled_matmul: this program needs an NVIDIA GPU",
    "tiled_matmul_opencl.py": "RESULT wrong=0 of 64: OK",
}


def test_notebooks_are_valid_and_say_what_they_were_checked_with(place: Unpacked):
    pins = read_pins(ROOT)
    for name, data in place.downloads.notebooks.items():
        made = nbformat.reads(data.decode(), as_version=nbformat.NO_CONVERT)
        nbformat.validate(made)
        assert (made.nbformat, made.nbformat_minor) == (4, 5)
        assert "colab.research" not in data.decode()
        first = made.cells[0].source
        assert re.search(r"Checked with Python 3\.\d+\.\d.*: the tests of GPU Lab run every cell, without a GPU", first)
        (entry,) = [entry for entry in place.downloads.by_name.values() if entry.notebook == data]
        assert all(f"{package} {pins[package]}" in first for package in entry.packages), name


def test_the_triton_notebook_pins_triton_where_the_machine_is_not_the_reader_s(place: Unpacked):
    cell = json.loads(place.downloads.notebooks["tiled_matmul_triton.ipynb"])["cells"][1]
    source = "".join(cell["source"])
    condition = 'if "google.colab" in sys.modules and here["triton"] != checked["triton"]:'
    assert f'{condition}\n    %pip install --quiet triton=={read_pins(ROOT)["triton"]}' in source


def test_a_notebook_holds_the_program_s_own_text(place: Unpacked):
    for entry in place.downloads.by_name.values():
        if not entry.notebook or entry.name.endswith(".cu"):
            continue
        cells = json.loads(entry.notebook)["cells"]
        code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
        for line in entry.data.decode().split('"""', 2)[2].splitlines():
            started = line.startswith(('if __name__ == "__main__":', "    sys.exit(main("))
            assert line in code.splitlines() or line.startswith("# %%") or started, (entry.name, line)


def test_the_cuda_notebook_writes_the_very_file(place: Unpacked, tmp_path: Path):
    cells = json.loads(place.downloads.notebooks["tiled_matmul.ipynb"])["cells"]
    (cell,) = [cell for cell in cells if "".join(cell["source"]).startswith("%%writefile")]
    assert "".join(cell["source"]).partition("\n")[2] == (DOWNLOADS / "tiled_matmul.cu").read_text("utf-8").rstrip("\n")


def test_two_builds_make_equal_notebooks_and_zips():
    one, other = offered(), offered()
    assert one.files == other.files
    assert bundle(ROOT, one) == one.bundle[NAME]


def test_the_zip_holds_all_files_and_the_whole_of_sim_and_gpu(place: Unpacked):
    with zipfile.ZipFile(io.BytesIO(place.downloads.bundle[NAME])) as archive:
        names = {name.removeprefix(f"{TOP}/") for name in archive.namelist()}
        assert all(entry.date_time == (1980, 1, 1, 0, 0, 0) for entry in archive.infolist())
    parts = {f"sim/{name}" if (ROOT / "sim" / name).is_file() else name for name in NAMES}
    assert names >= parts | {f"notebooks/{name}" for name in place.downloads.notebooks} | {"README.txt", "LICENSE.txt"}
    code = [path for package in ("sim", "gpu") for path in (ROOT / package).rglob("*.py")]
    assert {path.relative_to(ROOT).as_posix() for path in code} | {"gpu/tuning/h200.json"} <= names
    readme = (place.folder / "README.txt").read_text(encoding="utf-8")
    assert all(f"    {line}\n" in readme for line in LINES)


def test_the_cuda_program_is_the_one_that_was_measured():
    stored = json.loads((ROOT / "gpu" / "results" / "h200-counters.json").read_text(encoding="utf-8"))
    assert sha256((DOWNLOADS / "tiled_matmul.cu").read_bytes()) == stored["provenance"]["source"]["sha256"]


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_record_is_of_this_very_text(name: str):
    record, downloads = read_record(ROOT), offered_as_recorded()
    entry = downloads.by_name[name]
    why = f"{name} has changed since it was recorded; run {COMMAND}"
    assert record.holds(name, entry.data) and record.holds(entry.notebook_name, entry.notebook), why


def offered_as_recorded():
    """What the build makes: notebooks name the Python of the record."""
    from builder.evidence import Evidence
    from builder.manifest import read_downloads
    from builder.mistakes import Mistakes

    return read_downloads(ROOT, Evidence(ROOT), Mistakes())


def test_the_record_is_of_the_pinned_versions():
    record, pins = read_record(ROOT), read_pins(ROOT)
    wanted = {package: pins[package] for entry in MANIFEST for package in entry.get("packages", [])}
    assert {package: version.partition("+")[0] for package, version in record.versions.items()} == wanted, COMMAND
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", record.date) and record.device and record.python
