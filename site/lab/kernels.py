"""The kernel file that runs on a GPU, as text, and what the compiler made of it: both travel beside this package.

The page steps through the file unmodified. ``gpu`` is not imported.
"""

import json
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import PurePath
from typing import Any

LINE_MAP = "compiled/teaching-lines.json"


@dataclass(frozen=True)
class Compiled:
    """One configuration of the teaching kernel as Triton compiled it; it was not run.

    ``settings`` are those of the configuration: arch, dtype, precision, multiples_of_16, BM, BN, BK, GROUP_M,
    num_warps, num_stages. ``instructions`` are (line of the kernel file or 0, place, text), in the order of the code;
    the place, as seen from the loop, is before, loop or after.
    """

    settings: dict[str, Any]
    registers: int
    shared_bytes: int
    instructions: tuple[tuple[int, str, str], ...]
    versions: dict[str, str]
    date: str


def teaching_source() -> str:
    """The whole of ``gpu/teaching.py``."""
    return _beside("teaching.py")


def compiled_kernels() -> tuple[Compiled, ...]:
    """Every configuration of the stored line map, in its order."""
    whole = json.loads(_beside(LINE_MAP))
    return tuple(_compiled(row, whole) for row in whole["rows"])


def _compiled(row: dict[str, Any], whole: dict[str, Any]) -> Compiled:
    found = {"registers", "stack_bytes", "shared_bytes", "instructions"}
    settings = {name: value for name, value in row.items() if name not in found}
    instructions = tuple((line, place, text) for line, place, text in row["instructions"])
    return Compiled(settings, row["registers"], row["shared_bytes"], instructions, whole["versions"], whole["date"])


def _beside(name: str) -> str:
    """The text of a file in the package ``gpu``, from a folder or from the page's archive."""
    spec = find_spec("gpu")
    if spec is None or spec.origin is None or spec.loader is None:
        raise FileNotFoundError(f"gpu/{name} is not beside this package")
    data: bytes = spec.loader.get_data(str(PurePath(spec.origin).parent / name))  # type: ignore[attr-defined]
    return data.decode("utf-8")
