"""Store what a GPU said: `python -m tests.crosscheck.record --output gpu/results/h200-crosscheck.json`.

Runs the cross-check's GPU cases on this machine's GPU and compares every fact with `sim`. The file is written when all
agree; where a fact does not, its sentence is printed, nothing is written and the exit status is 1.
"""

import argparse
import json
import shlex
import sys
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from gpu.counters.profiler import Unmeasured
from gpu.counters.provenance import device
from tests.crosscheck.ask import Answers, NoDevice, ask
from tests.crosscheck.cases import GPU_CASES, Case
from tests.crosscheck.compare import MODEL, disagreements

SCHEMA = "tests/crosscheck/record.schema.json"


def main(arguments: Sequence[str]) -> int:
    """Exit status: 0 all agree and stored, 1 something does not or there is no GPU, 2 bad arguments."""
    about = "Cross-check sim with this GPU."
    parser = argparse.ArgumentParser(prog="python -m tests.crosscheck.record", description=about)
    parser.add_argument("--output", type=Path, required=True, help="the JSON file to write")
    options = parser.parse_args(arguments)
    try:
        where, answers = device(), ask("cuda", GPU_CASES)
    except (Unmeasured, NoDevice) as error:
        print(f"tests.crosscheck.record: {error}", file=sys.stderr)
        return 1
    faults = [sentence for case in GPU_CASES for sentence in compared(case, answers)[1]]
    print("\n".join(faults) or f"sim and {answers.device} agree on {len(GPU_CASES)} cases")
    if faults:
        return 1
    result = {
        "schema": SCHEMA,
        "provenance": {
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
            "command": shlex.join(["python", "-m", "tests.crosscheck.record", *arguments]),
            **where,
            "versions": {"torch": answers.torch, "triton": answers.triton},
        },
        "cases": [compared(case, answers)[0] for case in GPU_CASES],
    }
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return 0


def compared(case: Case, answers: Answers) -> tuple[dict[str, Any], list[str]]:
    """What is stored for one case, and a sentence for each fact that does not agree.

    `loads` is the number of input elements that the debug build counted on the device, all programs and phases.
    """
    row: dict[str, Any] = {**asdict(case), "agree": {}}
    faults = []
    for witness, facts in answers.facts[case].items():
        wrong = disagreements(case, facts)
        seen = [name for name, (key, _) in MODEL.items() if key in facts]
        row["agree"][witness] = [name for name in seen if name not in wrong]
        faults += [f"{witness}: {sentence}" for sentence in wrong.values()]
    debug = answers.facts[case]["debug build"]
    row["programs"] = len(debug["programs"])
    row["loads"] = sum(a + b for program in debug["loads"] for a, b in program)
    return row, faults


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
