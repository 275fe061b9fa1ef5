"""Lighthouse's scores of a page, as its command-line program gives them by default: a slow phone, simulated."""

import json
import os
import tempfile
from pathlib import Path

from bench.peers.browsers import FLAGS
from bench.peers.pages import npm_packages
from builder.browsers import chromium
from builder.environment import node_programs, run

CATEGORIES = ("performance", "accessibility")


def scores(root: Path, address: str, rounds: int) -> dict[str, list[float]]:
    """Of 100, by category, one for each round. Lighthouse is fetched by npm the first time."""
    program = npm_packages(root, "lighthouse") / "lighthouse" / "cli" / "index.js"
    found: dict[str, list[float]] = {category: [] for category in CATEGORIES}
    for _ in range(rounds):
        report = _run(root, program, address)
        for category in CATEGORIES:
            score = report["categories"][category]["score"]
            if score is not None:
                found[category].append(round(score * 100))
    return found


def _run(root: Path, program: Path, address: str) -> dict[str, dict[str, dict[str, float | None]]]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        output = Path(folder) / "report.json"
        command = [str(node_programs(root)[0]), str(program), address, "--quiet", "--output=json"]
        command += [f"--output-path={output}", f"--only-categories={','.join(CATEGORIES)}"]
        command += [f"--chrome-flags={' '.join(['--headless=new', *FLAGS])}"]
        environment = {**os.environ, "CHROME_PATH": chromium() or "", "TMPDIR": folder}
        run(command, "lighthouse", env=environment)
        report: dict[str, dict[str, dict[str, float | None]]] = json.loads(output.read_text(encoding="utf-8"))
        return report
