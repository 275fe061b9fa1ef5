"""The command: its arguments, what it prints, its exit status."""

from __future__ import annotations

import argparse
import json
import os
import sys

from gpu.doctor.checks import CHECKS, WAYS, check
from gpu.doctor.machine import Machine, this_machine
from gpu.doctor.record import Check

FORMAT = "gpu-lab doctor 1"
EPILOG = f"""checks: {", ".join(CHECKS)}

Exit status: 0 the report was made, and every check that was named can run; 1 a named check cannot run;
2 bad arguments.  Nothing is installed, changed or sent anywhere."""


def parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    made = argparse.ArgumentParser(
        prog="python -m gpu.doctor",
        description="Say what this machine can run of GPU Lab, and the one next step for what it cannot.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("checks", nargs="*", metavar="CHECK", help="make only these checks; default all")
    made.add_argument("--json", action="store_true", help="print the report as JSON")
    return made


def main(arguments: list[str], machine: Machine | None = None) -> int:
    """Make the report; returns the exit status."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace", line_buffering=True)
    made = parser()
    options = made.parse_args(arguments)
    for name in options.checks:
        if name not in CHECKS:
            made.error(f"no check named {name!r}; there are: {', '.join(CHECKS)}")
    machine = machine or this_machine()
    try:
        checks = (report_json if options.json else report)(machine, options.checks)
    except KeyboardInterrupt:
        print("gpu.doctor: stopped at your request", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader of a pipe has gone, as with `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    return 1 if options.checks and not all(one.can for one in checks) else 0


def report(machine: Machine, names: list[str]) -> list[Check]:
    """Print the checks, way by way, each as soon as it is known."""
    system = machine["system"]
    wsl = " in WSL" if system["wsl"] else ""
    print(f"{system['os']}{wsl} on {system['machine']}, Python {system['python']} at {system['executable']}")
    made = []
    for number, (way, members) in enumerate(WAYS.items(), start=1):
        wanted = [name for name in members if name in names or not names]
        if wanted:
            print(f"\n{number}. {way}")
        for name in wanted:
            made.append(check(name, machine))
            print(as_text(made[-1], [one.name for one in made]))
    can = sum(one.can for one in made)
    print(f"\n{can} of {len(made)} can run here.")
    return made


def as_text(one: Check, printed: list[str]) -> str:
    """One check on the terminal. One that waits for another says so, and the next step stands once, at that other."""
    if one.after in printed:
        return f"   no   {one.title}: needs {CHECKS[one.after][0]} first (see above)."
    line = f"   {'yes' if one.can else 'no':<4} {one.title}: {one.found}."
    return line if one.can else f"{line}\n        next: {one.next}"


def report_json(machine: Machine, names: list[str]) -> list[Check]:
    """Print the checks as one JSON object."""
    made = [check(name, machine) for members in WAYS.values() for name in members if name in names or not names]
    told = {"format": FORMAT, "system": machine["system"], "checks": [vars(one) for one in made]}
    print(json.dumps(told, indent=1))
    return made
