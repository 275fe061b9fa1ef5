"""What a simulated Triton kernel costs: import, one launch, one traced launch. `python -m bench.tl [--pyodide]`

Runs the teaching kernel in this Python or, with --pyodide, in Pyodide under Node. Prints medians with their spread,
each beside its goal; everything printed is measured in this one run. Nothing here is a test: a machine that does other
work at the same time gives larger figures, so the lowest is printed as well. In this Python the time is that of the
process (CPU); Pyodide has the wall's clock only.
"""

import argparse
import importlib
import json
import platform
import statistics
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
clock = time.perf_counter if sys.platform == "emscripten" else time.process_time
GOALS_MS: dict[str, dict[str, int | None]] = {
    "import of sim.tl": {"cpython": None, "pyodide": 150},
    "64 x 64 x 64 in 16-wide tiles": {"cpython": 100, "pyodide": 400},
    "64 x 64 x 64, one program recorded": {"cpython": None, "pyodide": None},
    "5 x 7 x 5 in tiles 2 x 3 x 2, full trace as JSON": {"cpython": None, "pyodide": 60},
}

NODE_JS = """
import {loadPyodide} from %(pyodide)s;
import {readFileSync} from 'node:fs';
const python = await loadPyodide();
try {
python.unpackArchive(new Uint8Array(readFileSync(%(archive)s)), 'zip', {extractDir: '/lab'});
python.runPython("import sys; sys.path.insert(0, '/lab')");
console.log('RESULT' + python.runPython(`import bench.tl as tl; tl.measured(%(rounds)d)`));
} catch (error) {
  console.log('FAILED ' + error);
  process.exit(1);
}
"""


def measured(rounds: int) -> str:
    """Every time in milliseconds, as JSON: name -> list of `rounds` times.

    The import is that of a page which has the rest of the model already; Pyodide compiles it anew each time.
    """
    times: dict[str, list[float]] = {}
    from sim.inputs import formula_a, formula_b
    from sim.tiling import Tiling

    times["import of sim.tl"] = []
    for _ in range(rounds):
        for loaded in [module for module in sys.modules if module.startswith("sim.tl")]:
            del sys.modules[loaded]
        start = clock()
        run_matmul = importlib.import_module("sim.tl.matmul").run_matmul
        times["import of sim.tl"].append(1000 * (clock() - start))
    source = (ROOT / "gpu" / "teaching.py").read_text(encoding="utf-8")
    a, b = formula_a(64, 64), formula_b(64, 64)
    whole = Tiling(64, 64, 64, 16, 16, 16)
    small_a, small_b = formula_a(5, 5), formula_b(5, 7)
    small = Tiling(5, 7, 5, 2, 3, 2)

    def traced() -> Any:
        done = run_matmul(source, small_a, small_b, small, program=0, mode="lesson")
        json.dumps(done.json())
        return done

    work: dict[str, Callable[[], Any]] = {
        "64 x 64 x 64 in 16-wide tiles": lambda: run_matmul(source, a, b, whole),
        "64 x 64 x 64, one program recorded": lambda: run_matmul(source, a, b, whole, program=0),
        "5 x 7 x 5 in tiles 2 x 3 x 2, full trace as JSON": traced,
    }
    for name, action in work.items():
        times[name] = [_timed(action) for _ in range(rounds)]
    return json.dumps({"python": f"{platform.python_version()} {sys.platform}", "times": times})


def _timed(action: Callable[[], Any]) -> float:
    start = clock()
    done = action()
    taken = 1000 * (clock() - start)
    if done.failure is not None or done.reports:
        raise RuntimeError(f"the run went wrong: {done.failure or done.reports[0]}")
    return taken


def in_pyodide(rounds: int) -> str:
    """The same in Pyodide under Node."""
    sys.path[:0] = [str(ROOT), str(ROOT / "site")]
    from builder.environment import node_programs

    with TemporaryDirectory() as folder:
        archive = Path(folder) / "lab.zip"
        with zipfile.ZipFile(archive, "w") as target:
            for path in [*sorted((ROOT / "sim").rglob("*.py")), ROOT / "bench" / "tl.py", ROOT / "gpu" / "teaching.py"]:
                target.write(path, path.relative_to(ROOT))
        script = Path(folder) / "measure.mjs"
        pyodide = (ROOT / "site" / "node_modules" / "pyodide" / "pyodide.mjs").as_uri()
        filled = {"pyodide": json.dumps(pyodide), "archive": json.dumps(str(archive)), "rounds": rounds}
        script.write_text(NODE_JS % filled, encoding="utf-8")
        node = node_programs(ROOT)[0]
        done = subprocess.run([str(node), str(script)], capture_output=True, text=True, cwd=folder)
    if done.returncode:
        raise RuntimeError(done.stdout[-2000:])
    return next(line for line in done.stdout.splitlines() if line.startswith("RESULT")).removeprefix("RESULT")


def main(arguments: list[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.tl", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=15, help="repetitions of each launch (default 15)")
    parser.add_argument("--pyodide", action="store_true", help="in Pyodide under Node instead of this Python")
    asked = parser.parse_args(arguments)
    where = "pyodide" if asked.pyodide else "cpython"
    result = json.loads(in_pyodide(asked.rounds) if asked.pyodide else measured(asked.rounds))
    print(f"Python {result['python']}, {asked.rounds} rounds, milliseconds")
    for name, times in result["times"].items():
        goal = GOALS_MS[name][where]
        beside = "" if goal is None else f"  goal: at most {goal}"
        spread = "" if len(times) == 1 else f"  (lowest {min(times):.1f}, highest {max(times):.1f})"
        print(f"{name:50} median {statistics.median(times):8.1f}{spread}{beside}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
