"""The site beside what else runs Python in a page, each goal beside its figure. `python -m bench.peers`

Builds the site, stands up a bare Pyodide page and PyScript on MicroPython beside it, and opens all of them in turn, so
that a busy spell of the machine hits all alike: in a browser that has just started, with a new profile (cold) and again
with the same one (warm), as they are and slowed down (9 Mbit/s, 60 ms, the page's own thread to a quarter; Chromium
only, and its workers stay as fast as they are). Nothing here is a test. Compare figures of one run only.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from bench.peers import browsers, lighthouse, pages, table
from bench.peers.goals import COLD, FREE, THROTTLED, WARM, Visit
from bench.peers.host import Host, hosted
from builder.address import Address
from builder.environment import SetUpError
from builder.model import lab_model
from builder.site import build_site

ROOT = Path(__file__).resolve().parents[2]
ENGINES = ("chromium", "firefox", "webkit")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; 0 when everything that was asked for was measured, whatever the goals."""
    parser = _parser()
    asked = parser.parse_args(arguments)
    if asked.output and not asked.output.parent.is_dir():
        parser.error(f"--output: {asked.output} given; allowed: a file in a folder that there is")
    try:
        return _measure(asked, sys.argv[1:] if arguments is None else arguments)
    except SetUpError as error:
        sys.exit(f"Stopped: {error}")


def _measure(asked: argparse.Namespace, arguments: Sequence[str]) -> int:
    command = "python -m bench.peers " + " ".join(arguments)
    about = {**browsers.machine(), "date": time.strftime("%Y-%m-%d %H:%M"), "command": command, "commit": _commit()}
    print("Building the site, and compressing it as a host would; the first time takes minutes …", flush=True)
    files = pages.stand_up(ROOT, build_site(ROOT, lab_model(), Address()))
    visits: list[Visit] = []
    versions = about["versions"] = {}
    troubles: list[str] = []
    scores: dict[str, list[float]] = {}
    try:
        for name in asked.engines:
            try:
                with (
                    hosted(files, browsers.reporting_probe() if name == "webkit" else "") as host,
                    browsers.engine(name) as (versions[name], open_),
                ):
                    visits.extend(_rounds(name, host, open_, asked, troubles))
            except browsers.NotHere as reason:
                troubles.append(str(reason))
        if asked.lighthouse:
            with hosted(files) as host:
                scores = lighthouse.scores(ROOT, host.address + pages.ADDRESSES[pages.READ], asked.rounds)
    except KeyboardInterrupt:
        troubles.append("the rest, as you stopped it")
    _print(about, visits, scores, asked.engines)
    for trouble in troubles:
        print(f"Not measured: {trouble}", file=sys.stderr)
    if asked.output:
        runs = {"about": about, "visits": [asdict(visit) for visit in visits], "lighthouse": scores}
        asked.output.write_text(json.dumps(runs, indent=1) + "\n", encoding="utf-8")
    return 1 if troubles else 0


def _parser() -> argparse.ArgumentParser:
    assert __doc__ is not None
    parser = argparse.ArgumentParser(prog="python -m bench.peers", description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=_rounds_number, default=5, help="visits of each kind (default 5)")
    parser.add_argument("--engines", type=_engines, default=ENGINES, help="of " + ",".join(ENGINES) + " (default all)")
    slowed = "slowed down too, where the engine can be (default yes)"
    parser.add_argument("--throttled", action=argparse.BooleanOptionalAction, default=True, help=slowed)
    parser.add_argument("--lighthouse", action="store_true", help="fetch and run Lighthouse too")
    parser.add_argument("--output", type=Path, metavar="FILE", help="write every run as JSON")
    return parser


def _rounds_number(text: str) -> int:
    if not (text.isdecimal() and int(text)):
        raise argparse.ArgumentTypeError(f"{text!r} given; allowed: a whole number from 1")
    return int(text)


def _engines(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    unknown = [name for name in names if name not in ENGINES]
    if unknown:
        raise argparse.ArgumentTypeError(f"{unknown[0]!r} given; allowed: {', '.join(ENGINES)}")
    return names


def _rounds(
    name: str, host: Host, open_: browsers.Open, asked: argparse.Namespace, troubles: list[str]
) -> Iterator[Visit]:
    speeds = (FREE, THROTTLED) if asked.throttled and name == "chromium" else (FREE,)
    for number in range(1, asked.rounds + 1):
        for page in pages.NAMES:
            for speed in speeds:
                print(f"{name}, round {number} of {asked.rounds}: {pages.NAMES[page]}, {speed}", file=sys.stderr)
                with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
                    try:
                        for temper in (COLD, WARM):
                            figures = _visit(host, open_, page, Path(profile), speed)
                            yield Visit(name, speed, page, temper, figures)
                    except Exception as error:  # one lost visit is told of, and the rest goes on
                        troubles.append(f"{name}, {pages.NAMES[page]}, {speed}: {str(error).splitlines()[0]}")


def _commit() -> str:
    command = ["git", "-C", str(ROOT), "describe", "--always", "--dirty"]
    return subprocess.run(command, capture_output=True, text=True).stdout.strip() or "unknown"


def _visit(host: Host, open_: browsers.Open, page: str, profile: Path, speed: str) -> dict[str, float]:
    before = len(host.answers)
    result = open_(host, pages.ADDRESSES[page], profile, speed == THROTTLED)
    if "problem" in result:
        raise RuntimeError(result["problem"])
    answers = host.answers[before:]
    bodies = sum(answer.body for answer in answers)
    heads = sum(answer.head for answer in answers)
    counted = {"wire_bytes": bodies + heads, "body_bytes": bodies, "requests": len(answers)}
    if "interaction_ms" in result:
        result["interaction_ms"] = statistics.median(result["interaction_ms"])
    seen = {key: value for key, value in result.items() if isinstance(value, int | float) and key != "origin_ms"}
    return {**counted, **seen}


def _print(about: object, visits: list[Visit], scores: dict[str, list[float]], engines: Sequence[str]) -> None:
    print(f"\n{about}\n\nThe goals: medians, and from the least to the most")
    print("\n".join(table.lines(table.goal_rows(visits, scores, engines))))
    for name in engines:
        for speed in (FREE, THROTTLED):
            rows = table.page_rows(visits, name, speed)
            if rows:
                print(f"\n{name}, {speed}")
                print("\n".join(table.lines(rows)))


if __name__ == "__main__":
    sys.exit(main())
