"""The arrow of imports: sim <- lab <- builder <- build.py; gpu stands apart; the shipped rooms need only Python."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = {"sim": "sim", "lab": "site/lab", "builder": "site/builder", "gpu": "gpu"}
MAY_IMPORT = {"sim": {"sim"}, "lab": {"sim", "lab"}, "builder": {"sim", "lab", "builder"}, "gpu": {"gpu"}}


def imported(path: Path) -> set[str]:
    """The top names that a file imports, wherever in it."""
    names = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            names.add(node.module.split(".")[0])
    return names


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_no_room_imports_against_the_arrow(room: str) -> None:
    rooms = {*FOLDERS, "tests", "build"}
    for path in (ROOT / FOLDERS[room]).rglob("*.py"):
        assert imported(path) & rooms <= MAY_IMPORT[room], path.relative_to(ROOT)


@pytest.mark.parametrize("room", ["sim", "lab"])
def test_shipped_rooms_need_only_the_standard_library(room: str) -> None:
    files = list((ROOT / FOLDERS[room]).rglob("*.py"))
    for path in files:
        assert imported(path) - {"sim", "lab"} <= sys.stdlib_module_names, path.relative_to(ROOT)
    assert files


def test_set_up_needs_only_the_standard_library() -> None:
    for name in ("build.py", "tests/__main__.py", "site/builder/environment.py"):
        assert imported(ROOT / name) - {"builder"} <= sys.stdlib_module_names, name
