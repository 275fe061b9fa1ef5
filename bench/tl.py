"""What a simulated Triton kernel costs: import, one launch, one traced launch. `python -m bench.tl [--pyodide]`

Runs the teaching kernel in this Python or, with --pyodide, in the page's Python under Node, from the very archives that
the site ships. Prints medians with their spread, each beside its goal; everything printed is measured in this one run.
Nothing here is a test: a machine that does other work at the same time gives larger figures, so the lowest is printed,
too. All times are CPU times of the process; under Node that includes the threads that compile WebAssembly.
"""

import argparse
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "site")]

GOALS_MS: dict[str, dict[str, int | None]] = {
    "first import of sim.tl": {"cpython": None, "pyodide": 150},
    "import of sim.tl again": {"cpython": None, "pyodide": 150},
    "64 x 64 x 64 in 16-wide tiles": {"cpython": 100, "pyodide": 400},
    "64 x 64 x 64, one program recorded": {"cpython": None, "pyodide": None},
    "5 x 7 x 5 in tiles 2 x 3 x 2, full trace as JSON": {"cpython": None, "pyodide": 60},
}

NODE_JS = """
import {readFileSync} from 'node:fs';
const {pyodide, stdlib, lab, work, kernel, rounds} = JSON.parse(process.argv[2]);
const {loadPyodide} = await import(pyodide);
const python = await loadPyodide({stdLibURL: stdlib});
const read = (path) => new Uint8Array(readFileSync(path));
try {
  python.FS.writeFile('/lab.zip', read(lab));
  python.FS.writeFile('/tl_times.py', read(work));
  python.runPython("import sys; sys.path[:0] = ['/lab.zip', '/']");
  const source = readFileSync(kernel, 'utf-8');
  const clock = () => { const {user, system} = process.cpuUsage(); return (user + system) / 1e6; };
  console.log('RESULT' + python.pyimport('tl_times').measured(source, rounds, clock));
} catch (error) {
  console.log('FAILED ' + error);
  process.exit(1);
}
"""


def in_pyodide(rounds: int) -> str:
    """The times in the page's Python under Node, as JSON."""
    from builder.environment import node_programs
    from builder.runtime import compiled_stdlib, lab_archive

    package = ROOT / "site" / "node_modules" / "pyodide"
    version = json.loads((package / "package.json").read_text(encoding="utf-8"))["version"]
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "measure.mjs").write_text(NODE_JS, encoding="utf-8")
        (folder / "python_stdlib.zip").write_bytes(compiled_stdlib(ROOT, package, version))
        (folder / "lab.zip").write_bytes(lab_archive(ROOT, package, version, frozenset({"kernels"})))
        asked = {
            "pyodide": (package / "pyodide.mjs").as_uri(),
            "stdlib": str(folder / "python_stdlib.zip"),
            "lab": str(folder / "lab.zip"),
            "work": str(ROOT / "bench" / "tl_times.py"),
            "kernel": str(ROOT / "gpu" / "teaching.py"),
            "rounds": rounds,
        }
        command = [str(node_programs(ROOT)[0]), str(folder / "measure.mjs"), json.dumps(asked)]
        done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    if done.returncode:
        raise RuntimeError((done.stdout + done.stderr)[-2000:])
    return next(line for line in done.stdout.splitlines() if line.startswith("RESULT")).removeprefix("RESULT")


def here(rounds: int) -> str:
    """The times in this Python, as JSON."""
    from bench.tl_times import measured

    return measured((ROOT / "gpu" / "teaching.py").read_text(encoding="utf-8"), rounds, time.process_time)


def main(arguments: list[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.tl", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=15, help="repetitions of each launch (default 15)")
    parser.add_argument("--pyodide", action="store_true", help="in the page's Python under Node instead of this one")
    asked = parser.parse_args(arguments)
    where = "pyodide" if asked.pyodide else "cpython"
    result = json.loads(in_pyodide(asked.rounds) if asked.pyodide else here(asked.rounds))
    print(f"Python {result['python']}, {asked.rounds} rounds, milliseconds")
    for name, times in result["times"].items():
        goal = GOALS_MS[name][where]
        beside = "" if goal is None else f"  goal: at most {goal}"
        spread = "" if len(times) == 1 else f"  (lowest {min(times):.1f}, highest {max(times):.1f})"
        print(f"{name:50} median {statistics.median(times):8.1f}{spread}{beside}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
