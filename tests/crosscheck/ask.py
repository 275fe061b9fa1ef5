"""Ask a worker process what the kernels did."""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.crosscheck.cases import Case

ROOT = Path(__file__).resolve().parents[2]
NO_DEVICE = 3


class NoDevice(Exception):
    """There is no GPU here."""


@dataclass(frozen=True)
class Answers:
    """By case, then by witness ("debug build", "plain kernel"): the facts. And who gave them."""

    facts: Mapping[Case, Mapping[str, Mapping[str, Any]]]
    device: str
    torch: str
    triton: str


def ask(device: str, cases: Sequence[Case], gpu_package: Path = ROOT) -> Answers:
    """Run the worker on "cpu" (the interpreter) or "cuda"; `gpu_package` is the folder whose `gpu` it imports.

    Raises NoDevice where there is no GPU, RuntimeError with the worker's last words when it fails.
    """
    start = (
        f"import sys; sys.path[:0] = [{str(gpu_package)!r}, {str(ROOT)!r}]; "
        "from tests.crosscheck.worker import main; sys.exit(main())"
    )
    request = json.dumps({"device": device, "cases": [case.request() for case in cases]})
    done = subprocess.run([sys.executable, "-c", start], input=request, capture_output=True, text=True, check=False)
    if done.returncode == NO_DEVICE:
        raise NoDevice(done.stderr.strip())
    if done.returncode:
        raise RuntimeError(f"the worker ended with status {done.returncode}: {done.stderr[-2000:]}")
    reply = json.loads(done.stdout)
    facts = dict(zip(cases, reply["answers"], strict=True))
    return Answers(facts, reply["device"], reply["torch"], reply["triton"])
