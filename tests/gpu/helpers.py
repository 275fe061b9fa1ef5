"""Shared by the tests of gpu/: a process with Triton's interpreter, and literal answers."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

TOY_A = [[1, 2, 3], [4, 5, 6]]
TOY_B = [[7, 8], [9, 10], [11, 12]]
TOY_C = [[58, 64], [139, 154]]


def python(*arguments: str, interpret: bool) -> subprocess.CompletedProcess[str]:
    """Run Python in the repository's root, with TRITON_INTERPRET=1 or without it."""
    environment = {key: value for key, value in os.environ.items() if key != "TRITON_INTERPRET"}
    environment["PYTHONPATH"] = str(ROOT)
    if interpret:
        environment["TRITON_INTERPRET"] = "1"
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, encoding="utf-8",
        timeout=600, stdin=subprocess.DEVNULL,
    )  # fmt: skip


def answers(program: str, *, interpret: bool = True) -> list[str]:
    """The lines that a Python program prints; a failure shows what it printed to standard error."""
    done = python("-c", program, interpret=interpret)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()
