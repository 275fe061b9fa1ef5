"""The page's Python: the shipped library and archive run the model, and give what this Python gives."""

import ast
import io
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from builder.assets import python_sources, slim_results, zip_of
from builder.compiling import Sources, compiled
from builder.environment import node_programs
from builder.runtime import lab_archive
from builder.snapshot import snapshot
from builder.stdlib import compiled_stdlib, core_modules

START = """
import { readFileSync } from 'node:fs';
process.on('uncaughtException', (error) => { console.error(error.message); process.exit(1); });
const [config, request] = process.argv.slice(2);
const { folder, stdlib, archive, lock } = JSON.parse(config);
const { loadPyodide } = await import(folder + '/pyodide.mjs');
const python = await loadPyodide({ stdLibURL: stdlib, lockFileContents: lock, packageBaseUrl: folder });
python.FS.writeFile('/lab.zip', new Uint8Array(readFileSync(archive)));
python.runPython("import sys; sys.path.insert(0, '/lab.zip')");
if (request.startsWith('{')) process.stdout.write(python.pyimport('lab.bridge').handle(request));
else process.stdout.write(python.runPython(request));
"""
IN_PYODIDE = {"js", "pyodide", "pyodide_js"}
FOR_TERMINALS = {"argparse"}


WALK = {"op": "view", "widget": "tile-walk", "settings": {"n": "5", "tile": "2"}, "step": "2"}
EDITOR = {"op": "view", "widget": "kernel-editor", "settings": {"source": "import triton\n\nx = triton.jit(3)\n"}}
LADDER = {"op": "view", "widget": "ladder", "settings": {"way": "call"}, "step": "1"}
KERNEL = {"op": "view", "widget": "kernel-stepper", "settings": {"fault": "no-store-mask"}, "step": "41"}


# Where an error inside of sim.tl was raised: file, line and function of every frame in it.
BLAME = """
import json, traceback
from sim.tl.api import run
try:
    run("import triton\\n\\n@triton.jit\\ndef kernel(n):\\n    pass\\n", {"m": 1}, 1)
except ValueError as error:
    frames = traceback.extract_tb(error.__traceback__)
    found = json.dumps([["sim" + f.filename.split("sim")[-1], f.lineno, f.name] for f in frames if "sim" in f.filename])
found
"""


def in_shipped_python(site_folder: Path, root: Path, tmp_path: Path, page: str, request: str) -> str:
    """What the page's Python, started under Node from the built site's files, answers or evaluates to."""
    html = (site_folder / page).read_text(encoding="utf-8")
    config = json.loads((site_folder / re.findall(r"static/runtime\.\w+\.json", html)[0]).read_text(encoding="utf-8"))
    (folder,) = site_folder.glob("pyodide-*")
    script = tmp_path / "start.mjs"
    script.write_text(START, encoding="utf-8")
    places = {
        "folder": str(folder),
        "stdlib": str(folder / config["stdlib"]),
        "archive": str(site_folder / "static" / config["lab"]),
        "lock": config["lock"],
    }
    node = node_programs(root)[0]
    done = subprocess.run([str(node), str(script), json.dumps(places), request], capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("page", "asked"), [("reuse.html", WALK), ("kernel.html", WALK), ("kernel.html", KERNEL), ("kernel.html", EDITOR)]
)
def test_shipped_library_runs_the_model_as_this_python_does(site_folder, root, tmp_path, page, asked) -> None:
    from lab.bridge import handle

    request = json.dumps(asked)
    answer = in_shipped_python(site_folder, root, tmp_path, page, request)
    assert json.loads(answer) == json.loads(handle(request))
    assert "problem" not in json.loads(answer)


def test_compiled_language_blames_the_lines_of_its_sources(site_folder, root, tmp_path) -> None:
    here: dict[str, str] = {}
    exec(BLAME, here)
    assert [name for _, _, name in json.loads(here["found"])] == ["run", "_bound"]
    assert in_shipped_python(site_folder, root, tmp_path, "kernel.html", BLAME) == here["found"]


def test_the_model_travels_compiled_and_what_it_reads_as_it_is(root) -> None:
    package = root / "site" / "node_modules" / "pyodide"
    with zipfile.ZipFile(io.BytesIO(lab_archive(root, package, "314.0.7", frozenset({"kernels"})))) as archive:
        names = archive.namelist()
        magic = {archive.read(name)[:4] for name in ("sim/tl/api.pyc", "lab/bridge.pyc")}
    with zipfile.ZipFile(io.BytesIO(compiled_stdlib(root, package, "314.0.7"))) as stdlib:
        assert {stdlib.read("os.pyc")[:4]} == magic
    assert all(name.endswith(".pyc") == name.startswith(("sim/", "lab/")) for name in names)
    assert {"sim/tiling.pyc", "lab/bridge.pyc", "gpu/teaching.py", "gpu/__init__.py"} < set(names)
    with zipfile.ZipFile(io.BytesIO(lab_archive(root, package, "314.0.7", frozenset()))) as archive:
        assert not [name for name in archive.namelist() if name.startswith(("sim/tl", "gpu"))]


def in_python_of(root: Path, package: Path, folder: Path, asked: str) -> str:
    """What the shipped library evaluates `asked` to, with the folder's lab.zip in the model's place."""
    (folder / "start.mjs").write_text(START, encoding="utf-8")
    (folder / "stdlib.zip").write_bytes(compiled_stdlib(root, package, "314.0.7"))
    info = json.loads((package / "pyodide-lock.json").read_text(encoding="utf-8"))["info"]
    places = {
        "folder": str(package), "stdlib": str(folder / "stdlib.zip"), "archive": str(folder / "lab.zip"),
        "lock": {"info": info, "packages": {}},
    }  # fmt: skip
    command = [str(node_programs(root)[0]), str(folder / "start.mjs"), json.dumps(places), asked]
    done = subprocess.run(command, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stdout


BARE = b'''"""What is left out."""


def f(x: int, *rest: "no name of this file") -> str:
    """And this."""
    return x in {"a", "b", "c", "d"}, "a b c".split(), 1.5, f.__doc__, f.__annotations__


def g():
    """All of it."""


class C:
    """Kept: the types of a class, which make a dataclass."""
    x: int
    def h(self): return g(), C.__doc__, C.__annotations__, __doc__
'''
ASKED = """
import sys
sys.path.insert(0, "/lab.zip")
import kept.one, one
lines = [[each[2] for each in module.f.__code__.co_lines()][-1] for module in (one, kept.one)]
repr((one.f("a")[1:], one.C().h(), lines))
"""


def test_what_nothing_reads_does_not_travel(root, tmp_path) -> None:
    package = root / "site" / "node_modules" / "pyodide"
    names = ("kept/__init__.py", "kept/one.py", "one.py")
    sources = Sources(zip_of(dict.fromkeys(names, BARE)), names, "/lab.zip/", 0, "a test's file", "one", True, "kept/")
    made = set()
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        (tmp_path / name / ".venv").symlink_to(root / ".venv")
        made.add(compiled(tmp_path / name, package, "314.0.7", sources))
    (archive,) = made  # the same bytes each time
    (tmp_path / "lab.zip").write_bytes(archive)
    told = in_python_of(root, package, tmp_path, ASKED)
    assert ast.literal_eval(told.replace("<class 'int'>", "'int'")) == (
        (["a", "b", "c"], 1.5, None, {}), (None, None, {"x": "int"}, None), [None, 6],
    )  # fmt: skip


def test_a_memory_is_the_same_bytes_on_another_machine(root, tmp_path, monkeypatch) -> None:
    package = root / "site" / "node_modules" / "pyodide"
    stdlib = compiled_stdlib(root, package, "314.0.7")
    lab = lab_archive(root, package, "314.0.7", frozenset())
    made = set()
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        (tmp_path / name / ".venv").symlink_to(root / ".venv")
        made.add(snapshot(tmp_path / name, package, stdlib, lab, ["dot-product"], []))
        elsewhere = {"TZ": "Asia/Tokyo", "LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8", "HOME": "/x"}
        for variable, value in elsewhere.items():
            monkeypatch.setenv(variable, value)
    (memory,) = made
    assert [place for place in (str(root), str(tmp_path)) if place.encode() in memory] == []


def test_every_module_of_the_shipped_library_can_be_imported(root, tmp_path) -> None:
    package = root / "site" / "node_modules" / "pyodide"
    names = {name.removesuffix(".py").replace("/", ".").removesuffix(".__init__") for name in core_modules()}
    asked = f"import importlib\nrepr([importlib.import_module(name) and 0 for name in {sorted(names)!r}])"
    (tmp_path / "lab.zip").write_bytes(zip_of({"nothing.txt": b""}))
    assert sum(ast.literal_eval(in_python_of(root, package, tmp_path, asked))) == 0


def test_shipped_library_has_every_module_that_the_sources_import(root) -> None:
    shipped = {name.split("/")[0].removesuffix(".py") for name in core_modules()}
    wanted = set()
    for name, data in python_sources(root, ("kernels", "results")).items():
        for node in ast.walk(ast.parse(data)) if name.endswith(".py") else ():
            if isinstance(node, ast.Import):
                wanted |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                wanted.add(node.module.split(".")[0])
    built_in = {"math", "time", "_thread", "array", "unicodedata", *sys.builtin_module_names}
    assert wanted - shipped - built_in - {"sim", "lab", "triton"} - IN_PYODIDE - FOR_TERMINALS == set()


def test_shipped_library_is_compiled_and_stored(root) -> None:
    package = root / "site" / "node_modules" / "pyodide"
    with zipfile.ZipFile(io.BytesIO(compiled_stdlib(root, package, "314.0.7"))) as archive:
        entries = archive.infolist()
    assert {entry.compress_type for entry in entries} == {zipfile.ZIP_STORED}
    assert all(entry.filename.endswith(".pyc") for entry in entries)
    assert len(entries) == len(core_modules())


def test_archive_is_the_same_bytes_in_any_order() -> None:
    files = {"sim/b.py": b"2", "sim/a.py": b"1"}
    assert zip_of(files) == zip_of(dict(sorted(files.items())))


RESULTS = [f"h200-{part}.json" for part in ("matmul-half", "matmul-float32-ieee", "matmul-float32-tf32", "counters")]


@pytest.mark.parametrize("name", RESULTS)
def test_results_travel_with_what_is_read_and_no_more(root, name) -> None:
    """Against the stored file itself: every time and count of every row, to the picosecond."""
    whole = json.loads((root / "gpu" / "results" / name).read_text(encoding="utf-8"))
    sent = json.loads(slim_results(root)[f"gpu/results/{name}"])
    rows = "loads" if "loads" in whole else "rows"
    assert len(sent[rows]) == len(whole[rows])
    for small, large in zip(sent[rows], whole[rows], strict=True):
        for key in ("kernel", "M", "N", "K", "n", "tile", "counted_loads", "l2_sectors", "skipped"):
            assert small.get(key) == large.get(key)
        for way, time in (("replay", "median_ms"), ("call", "high_ms"), ("time_ms", "median")):
            if way in large:
                assert small[way][time] == pytest.approx(large[way][time], abs=1e-9)
    assert not {"resources", "warnings", "flops", "ptx"} & set(sent[rows][0])


def test_only_pages_of_measured_results_carry_them(site_folder) -> None:
    carried = {}
    for page in ("reuse.html", "kernel.html", "measure.html"):
        html = (site_folder / page).read_text(encoding="utf-8")
        place = re.findall(r"static/runtime\.\w+\.json", html)[0]
        config = json.loads((site_folder / place).read_text(encoding="utf-8"))
        with zipfile.ZipFile(site_folder / "static" / config["lab"]) as archive:
            carried[page] = {entry.filename: entry.file_size for entry in archive.infolist()}
    results = {name for name in carried["measure.html"] if name.startswith("gpu/results/")}
    assert results == {f"gpu/results/{name}" for name in (*RESULTS, "h200-group-m.json")}
    assert sum(carried["measure.html"][name] for name in results) < 400_000  # stored, they are more than 1 MB
    heavy = ("gpu/results", "lab/results", "sim/measured", "sim/lies")
    for page in ("reuse.html", "kernel.html"):
        assert not [name for name in carried[page] if name.startswith(heavy)]


def test_the_clocks_travel(root) -> None:
    clocks = json.loads((root / "gpu/results/h200-group-m.json").read_text(encoding="utf-8"))["clocks"]
    assert json.loads(slim_results(root)["gpu/results/h200-group-m.json"]) == {"clocks": clocks}
