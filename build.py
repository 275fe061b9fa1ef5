"""Build GPU Lab's site: `python3 build.py`, and `python3 build.py --serve` to read it while it is written.

Needs Python 3.11 or newer and nothing else: the first run sets the rest up (see builder.environment).
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
sys.path[:0] = [str(ROOT), str(ROOT / "site")]

from builder import environment  # noqa: E402  (found by the path that the line above sets)

if __name__ == "__main__":
    environment.prepare(ROOT)

    from builder.cli import main

    sys.exit(main(ROOT, sys.argv[1:]))
