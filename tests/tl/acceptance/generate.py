"""Write the acceptance table: `python -m tests.tl.acceptance.generate [--packages FOLDER]`.

Installs the packages of PACKAGES into a temporary folder (never into the shared environment), runs every case in
sim.tl, launches every kept launch on Triton's CPU interpreter as well, compares, and writes table.json and table.md
beside this file. Failures are rows like the others. Takes about five minutes on two cores.
"""

import argparse
import collections
import datetime
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parents[2]
PACKAGES = {
    "liger_kernel": ("liger-kernel", "0.8.5"),
    "fla": ("fla-core", "0.6.0"),
    "flag_gems": ("flag-gems", "5.0.2"),
    "conch": ("conch-triton-kernels", "1.3"),
    "triton_kernels": ("triton-kernels", "0.1.0"),
}
HELPERS = ("einops==0.8.2",)
# Each of these faults is a named test in tests/tl/test_interpreter.py; the cases ask torch.
EXPLAINED = {
    "any_kernel_dim": "interpreter's fault: `and` and `or` of masks; torch agrees with sim.tl",
    "isin_by_comparation_kernel": "interpreter's fault: `and` and `or` of masks; torch agrees with sim.tl",
    "nll_loss_forward_kernel": "interpreter's fault: `not` and `and` of masks; torch agrees with sim.tl",
    "weight_norm_kernel_first": "interpreter's fault: `and` of masks; torch agrees with sim.tl",
    "_static_scaled_fp8_quant_kernel": "interpreter's fault: fp8 that rounds up to a power of two is halved",
}  # fmt: skip
MEANINGLESS = {
    "_copy_blocks_kernel": "refused: its host code passes tensors' addresses as numbers, which mean nothing here",
}
Row = dict[str, Any]


def install(folder: Path) -> None:
    """The packages without what they depend on."""
    wanted = [f"{name}=={version}" for name, version in PACKAGES.values()]
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-compile", "--target", str(folder)]
    subprocess.run([*pip, *wanted, *HELPERS], check=True)


def launches(packages: Path, package: str, folder: Path) -> dict[str, Any]:
    """Run one package in sim.tl and on the interpreter: {"launches": […], "cases": […]}."""
    kept, out = folder / f"{package}.pt", folder / f"{package}.json"
    written = folder / "inductor"
    written.mkdir(exist_ok=True)
    base = [sys.executable, "-W", "ignore", "-m"]
    environment = {name: value for name, value in os.environ.items() if name != "TRITON_INTERPRET"}
    environment["HOME"] = str(folder)  # generated code and caches of the packages
    if package == "inductor":
        environment["INDUCTOR_FOLDER"] = str(written)
        command = [*base, "tests.tl.acceptance.inductor", str(written)]
        subprocess.run(command, check=True, cwd=ROOT, env=environment)
    command = [*base, "tests.tl.acceptance.simulate", str(packages), package, str(kept)]
    subprocess.run(command, check=True, cwd=ROOT, env=environment)
    environment["TRITON_INTERPRET"] = "1"
    command = [*base, "tests.tl.acceptance.interpret", str(packages), str(kept), str(out)]
    subprocess.run(command, check=True, cwd=ROOT, env=environment)
    found: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    return found


def kernel_rows(package: str, found: dict[str, Any]) -> list[Row]:
    """A row for every kernel: the worst of its launches."""
    groups: dict[tuple[str, str], list[Row]] = collections.defaultdict(list)
    for launch in found["launches"]:
        groups[launch["module"], launch["kernel"]].append(launch)
    return [_row(package, module, kernel, group) for (module, kernel), group in sorted(groups.items())]


def _row(package: str, module: str, kernel: str, group: list[Row]) -> Row:
    errors = [launch["error"] for launch in group if launch["error"]]
    if kernel in MEANINGLESS:
        errors = [MEANINGLESS[kernel]]
    others = [launch["interpreter"] for launch in group if launch["interpreter"] != "ran"]
    verdicts = [launch["verdict"] for launch in group if launch.get("verdict")]
    worst = next((v for v in ("different", "rounding", "equal") if v in verdicts), "")
    return {
        "package": package, "module": module, "kernel": kernel, "launches": len(group),
        "sim": errors[0] if errors else "ran", "interpreter": others[0] if others else "ran", "verdict": worst,
        "apart": max((launch.get("apart", 0.0) for launch in group if launch["verdict_known"]), default=0.0)
        if verdicts else None,
        "reports": sorted({kind for launch in group for kind in launch["reports"] or []}),
        "note": EXPLAINED.get(kernel, "") if worst == "different" else "",
    }  # fmt: skip


def summary(rows: list[Row]) -> dict[str, int]:
    """The counts that the goal is about."""
    both = [row for row in rows if row["interpreter"] == "ran"]
    agreeing = [row for row in both if row["sim"] == "ran" and (row["verdict"] in ("equal", "rounding") or row["note"])]
    return {
        "kernels": len(rows), "sim_ran": sum(row["sim"] == "ran" for row in rows), "interpreter_ran": len(both),
        "sim_ran_of_those": sum(row["sim"] == "ran" for row in both), "agree_or_explained": len(agreeing),
        "equal": sum(row["verdict"] == "equal" for row in rows),
        "rounding": sum(row["verdict"] == "rounding" for row in rows),
        "different": sum(row["verdict"] == "different" for row in rows),
        "different_unexplained": sum(row["verdict"] == "different" and not row["note"] for row in rows),
    }  # fmt: skip


def markdown(document: dict[str, Any]) -> str:
    """The table for people."""
    lines = [
        "# Kernels that nobody here wrote, in sim.tl and on Triton's interpreter",
        "",
        f"Made by `python -m tests.tl.acceptance.generate` on {document['date']}, Triton {document['triton']}, torch",
        f"{document['torch']}. *equal*: every bit of every array; *rounding*: floats differ by less than the bound",
        "of their type, relative to the array's largest value; *different*: more. fp32 dots are taken as ieee, as the",
        "interpreter does. A row is a kernel; the worst of its launches counts. Strict mode. The set is not held out:",
        "what it found in sim.tl was mended, so the numbers say what runs now, not what a new kernel will do.",
        "",
        "| package | kernels | sim.tl ran | interpreter ran | both | equal | rounding | different (unexplained) |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for name, counts in document["summary"].items():
        lines.append(
            f"| {name} | {counts['kernels']} | {counts['sim_ran']} | {counts['interpreter_ran']} | "
            f"{counts['sim_ran_of_those']} | {counts['equal']} | {counts['rounding']} | {counts['different']} "
            f"({counts['different_unexplained']}) |"
        )
    lines += ["", "Cases that stopped before their end (later kernels of theirs are not in the table):", ""]
    lines += [f"- {case['package']}, {case['case']}: {_short(case['said'])}" for case in document["stopped"]] or [
        "- none"
    ]
    lines += ["", "| package | kernel | launches | sim.tl | interpreter | verdict | reports and notes |"]
    lines += ["| --- | --- | --- | --- | --- | --- | --- |"]
    for row in document["rows"]:
        notes = "; ".join([*row["reports"], *([row["note"]] if row["note"] else [])])
        cells = (row["package"], f"`{row['kernel']}`", row["launches"], _short(row["sim"]), _short(row["interpreter"]))
        lines.append(f"| {' | '.join(map(str, cells))} | {row['verdict']} | {notes} |")
    return "\n".join(lines) + "\n"


def _short(text: str) -> str:
    return " ".join(text.split()).replace("|", "/")[:110]


def main(arguments: list[str] | None = None) -> int:
    """Install, run, write."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.tl.acceptance.generate", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--packages", type=Path, help="a folder that has the packages already")
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        packages = asked.packages or folder / "packages"
        if asked.packages is None:
            install(packages)
        rows: list[Row] = []
        stopped: list[Row] = []
        for package in (*PACKAGES, "inductor"):
            found = launches(packages, package, folder)
            for launch in found["launches"]:
                launch["verdict_known"] = bool(launch.get("verdict")) and launch.get("apart") != float("inf")
            rows += kernel_rows(package, found)
            stopped += [{"package": package, **case} for case in found["cases"] if case["said"]]
    write(rows, stopped)
    return 0


def write(rows: list[Row], stopped: list[Row]) -> None:
    """table.json and table.md."""
    from importlib.metadata import version

    parts = {package: [row for row in rows if row["package"] == package] for package in (*PACKAGES, "inductor")}
    document = {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(), "triton": version("triton"),
        "torch": version("torch"), "packages": {name: "==".join(pair) for name, pair in PACKAGES.items()},
        "summary": {**{name: summary(part) for name, part in parts.items()}, "all": summary(rows)},
        "stopped": stopped, "rows": rows,
    }  # fmt: skip
    (FOLDER / "table.json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    (FOLDER / "table.md").write_text(markdown(document), encoding="utf-8")
    print(json.dumps(document["summary"], indent=1))


if __name__ == "__main__":
    sys.exit(main())
