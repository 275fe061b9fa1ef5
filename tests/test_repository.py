"""The repository itself: nothing of one machine in it, nothing unpinned, every package listed."""

import json
import re
import subprocess
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = {"sim": "sim", "site/lab": "lab", "site/builder": "builder", "gpu": "gpu"}
# Written in pieces, so that this file is not its own finding.
MACHINE = re.compile("|".join(["/wo" + "rk/", "/ro" + "ot/", "/ho" + "me/", r"[A-Z]:\\Us" + "ers"]))
REGISTRY = re.compile("|".join(["npm" + r"js\.org", "py" + r"pi\.org", "python" + r"hosted\.org", "deb" + r"ian\.org"]))


def tracked() -> list[Path]:
    """Every tracked file that is there."""
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, encoding="utf-8", check=True)
    return [path for name in done.stdout.split("\0") if name and (path := ROOT / name).is_file()]


def test_no_file_names_a_machine_s_path_or_a_registry() -> None:
    for path in tracked():
        text = path.read_bytes().decode("utf-8", "replace")
        for pattern in (MACHINE, REGISTRY):
            found = pattern.search(text)
            assert not found, f"{path.relative_to(ROOT)}:{text.count(chr(10), 0, found.start()) + 1}: {found.group()}"


def test_lock_file_holds_hashes_and_no_addresses() -> None:
    lock = json.loads((ROOT / "site" / "package-lock.json").read_text(encoding="utf-8"))
    entries = {name: entry for name, entry in lock["packages"].items() if name}
    assert all("integrity" in entry and "resolved" not in entry for entry in entries.values())
    assert entries["node_modules/pyodide"]["version"] == "314.0.7"


def test_every_dependency_is_pinned_exactly() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = project["build-system"]["requires"] + project["project"]["dependencies"]
    wanted += project["project"]["optional-dependencies"]["test"]
    assert [each for each in wanted if not re.match(r"[a-z0-9-]+==\d[\d.]*(;|$)", each)] == []


def test_every_package_is_listed_for_installing() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    found = {
        ".".join([package, *path.parent.relative_to(ROOT / folder).parts])
        for folder, package in PACKAGES.items()
        for path in tracked()
        if path.name == "__init__.py" and path.is_relative_to(ROOT / folder)
    }
    assert set(settings["packages"]) == found
    assert settings["package-dir"] == {package: folder for folder, package in PACKAGES.items()}


def test_nothing_that_a_build_makes_is_tracked() -> None:
    made = re.compile(r"^(_site|\.cache|\.venv|site/node_modules)/|\.pyc$|egg-info")
    assert [str(path) for path in tracked() if made.search(path.relative_to(ROOT).as_posix())] == []
