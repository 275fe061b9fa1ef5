"""The page's Python: the shipped library and archive run the model, and give what this Python gives."""

import ast
import io
import json
import re
import subprocess
import sys
import zipfile

import pytest

from builder.assets import python_sources, zip_of
from builder.environment import node_programs
from builder.runtime import compiled_stdlib, core_modules

START = """
import { readFileSync } from 'node:fs';
const [config, request] = process.argv.slice(2);
const { folder, stdlib, archive, lock } = JSON.parse(config);
const { loadPyodide } = await import(folder + '/pyodide.mjs');
const python = await loadPyodide({ stdLibURL: stdlib, lockFileContents: lock, packageBaseUrl: folder });
python.unpackArchive(new Uint8Array(readFileSync(archive)), 'zip', { extractDir: '/lab' });
python.runPython("import sys; sys.path.insert(0, '/lab')");
process.stdout.write(python.pyimport('lab.bridge').handle(request));
"""
IN_PYODIDE = {"js", "pyodide", "pyodide_js"}
FOR_TERMINALS = {"argparse"}


WALK = {"op": "view", "widget": "tile-walk", "settings": {"n": "5", "tile": "2"}, "step": "2"}
KERNEL = {"op": "view", "widget": "kernel-stepper", "settings": {"fault": "no-store-mask"}, "step": "41"}


@pytest.mark.parametrize(("page", "asked"), [("reuse.html", WALK), ("kernel.html", WALK), ("kernel.html", KERNEL)])
def test_shipped_library_runs_the_model_as_this_python_does(site_folder, root, tmp_path, page, asked) -> None:
    from lab.bridge import handle

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
    request = json.dumps(asked)
    node = node_programs(root)[0]
    done = subprocess.run([str(node), str(script), json.dumps(places), request], capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == json.loads(handle(request))
    assert "problem" not in json.loads(done.stdout)


def test_shipped_library_has_every_module_that_the_sources_import(root) -> None:
    shipped = {name.split("/")[0].removesuffix(".py") for name in core_modules().decode().split("\n")}
    wanted = set()
    for data in python_sources(root, kernels=True).values():
        for node in ast.walk(ast.parse(data)):
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
    assert len(entries) == len(core_modules().split(b"\n"))


def test_archive_is_the_same_bytes_in_any_order() -> None:
    files = {"sim/b.py": b"2", "sim/a.py": b"1"}
    assert zip_of(files) == zip_of(dict(sorted(files.items())))
