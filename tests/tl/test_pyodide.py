"""The page's Python gives the same bytes as this one: runs of the teaching kernel in Pyodide, under Node."""

import json
import subprocess
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.tl.kernels import ROOT, TEACHING
from tests.tl.pyodide_runs import runs

SCRIPT = """
import {loadPyodide} from %(pyodide)s;
import {readFileSync} from 'node:fs';
const python = await loadPyodide();
python.unpackArchive(new Uint8Array(readFileSync(%(archive)s)), 'zip', {extractDir: '/lab'});
python.globals.set('source', readFileSync(%(kernel)s, 'utf-8'));
python.runPython("import sys; sys.path.insert(0, '/lab')");
console.log('RESULT' + python.runPython('import json, pyodide_runs; json.dumps(pyodide_runs.runs(source))'));
"""


@pytest.fixture(scope="module")
def in_pyodide(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """What Pyodide makes of every run."""
    from builder.environment import node_programs

    pyodide = ROOT / "site" / "node_modules" / "pyodide" / "pyodide.mjs"
    node = node_programs(ROOT)[0]
    if not pyodide.exists() or not Path(node).exists():
        pytest.skip("no Pyodide or no Node: the set-up fetches both")
    folder: Path = tmp_path_factory.mktemp("pyodide")
    archive, script = folder / "lab.zip", folder / "runs.mjs"
    with zipfile.ZipFile(archive, "w") as target:
        for path in sorted((ROOT / "sim").rglob("*.py")):
            target.write(path, path.relative_to(ROOT))
        target.write(Path(__file__).parent / "pyodide_runs.py", "pyodide_runs.py")
    names = {"pyodide": pyodide.as_uri(), "archive": str(archive), "kernel": str(TEACHING)}
    script.write_text(SCRIPT % {key: json.dumps(value) for key, value in names.items()}, encoding="utf-8")
    done = subprocess.run([str(node), str(script)], capture_output=True, text=True, cwd=folder, timeout=300)
    lines = [line for line in done.stdout.splitlines() if line.startswith("RESULT")]
    assert lines, done.stderr[-2000:]
    results: Mapping[str, str] = json.loads(lines[0].removeprefix("RESULT"))
    return results


def test_every_run_is_the_same_bytes_in_the_page(in_pyodide: Mapping[str, str]) -> None:
    assert in_pyodide == runs(TEACHING.read_text(encoding="utf-8"))
