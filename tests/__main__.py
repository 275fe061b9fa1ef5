"""Every check of the repository: `python3 -m tests`. Arguments go to pytest, as in `python3 -m tests -k emphasis`.

Needs Python 3.11 or newer and nothing else: the first run sets the rest up (see builder.environment).
"""

import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "site")]

from builder import environment  # noqa: E402

CHECKS = {
    "ruff": ["-m", "ruff", "check", "."],
    "mypy": ["-m", "mypy"],
    # A file is one worker's: what its tests share is made once. More than four workers only wait for each other.
    "pytest": ["-m", "pytest", "-rfER", "--durations=8", "-n", str(min(os.cpu_count() or 1, 4)), "--dist", "loadfile"],
}


def main(arguments: list[str]) -> int:
    """Run all checks, also after one has failed; 0 when all passed."""
    results: dict[str, int] = {}
    for name, command in CHECKS.items():
        print(f"\n== {name}", flush=True)
        started = time.monotonic()
        whole = [sys.executable, *command, *(arguments if name == "pytest" else [])]
        results[name] = subprocess.run(whole, cwd=ROOT, stdin=subprocess.DEVNULL).returncode
        verdict = "FAILED" if results[name] else "passed"
        print(f"== {name}: {verdict}, {time.monotonic() - started:.0f} s", flush=True)
    failed = [name for name, status in results.items() if status]
    print("\nAll checks passed." if not failed else f"\nFailed: {', '.join(failed)}.")
    return 1 if failed else 0


if __name__ == "__main__":
    os.chdir(ROOT)
    environment.prepare(ROOT, tests=True)
    sys.exit(main(sys.argv[1:]))
