"""Measured numbers that a page quotes: each is looked up again, by every build, in a stored result.

    [0.092](result:h200-counters.json/loads/n=512,kernel=separate/time_ms/median)

The path walks down the file: a key of an object, an index of a list, or conditions that one entry of a list meets.
A number with a fraction is compared after rounding to the places that the page gives; an object stands for its keys,
a list for the number of its entries.
Two keys with a colon between them, as in ``dram_read_bytes:input_bytes``, give the ratio of two numbers.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lab.markup import number
from lab.problem import Problem, given
from sim.words import say

FOLDER = "gpu/results"


@dataclass(frozen=True)
class Measured:
    """A stored value as a page gives it, and who measured it when."""

    text: str
    provenance: str


@dataclass
class Evidence:
    """The stored results of a repository, each read once a build."""

    root: Path
    files: dict[str, Any] = field(default_factory=dict)

    def look_up(self, expression: str, text: str) -> Measured:
        """The value of an expression in the form that ``text`` has. Raises Problem when there is none."""
        name, *path = expression.split("/")
        whole = self.file(name)
        value = whole
        for step in path:
            value = _step(value, step, expression)
        return Measured(_as_given(value, text), _provenance(whole, name))

    def provenance(self, name: str) -> str:
        """Who measured a stored file, when, with what. Raises Problem when there is no such file."""
        return _provenance(self.file(name), name)

    def checksum(self, name: str, file: str) -> str:
        """The SHA-256 of the text of `file` that a stored result ran; "" where it does not say. Raises Problem."""
        whole = self.file(name)
        source, files = whole.get("provenance", whole).get("source"), whole.get("files")
        known = files if isinstance(files, dict) else {}
        if isinstance(source, dict) and source.get("file") == file:
            known = {file: source.get("sha256", "")}
        return str(known.get(file, ""))

    def circumstances(self, name: str) -> str:
        """Day, device, driver and versions of a stored result, as a page's words. Raises Problem."""
        whole = self.file(name)
        source = whole.get("provenance", whole)
        versions = [f"{_plain_name(package)} {version}" for package, version in source.get("versions", {}).items()]
        driver = [] if "simulated" in source else [f"driver {source.get('driver')}"]
        return ", ".join([str(source.get("date"))[:10], _device(source), *driver, *versions])

    def file(self, name: str) -> Any:
        """The whole of a stored file, by its name. Raises Problem when there is none."""
        folder = self.root / FOLDER
        names = sorted(path.name for path in folder.glob("*.json"))
        if name not in names:
            raise given("result", name, ", ".join(names) or "none is stored yet")
        if name not in self.files:
            self.files[name] = json.loads((folder / name).read_text(encoding="utf-8"))
        return self.files[name]


def _step(value: Any, step: str, expression: str) -> Any:
    if isinstance(value, dict):
        if ":" in step:
            above, below = (_step(value, key, expression) for key in step.split(":", 1))
            return _ratio(above, below, step, expression)
        if step not in value:
            raise given(f"{expression}: key", step, ", ".join(sorted(value)))
        return value[step]
    if not isinstance(value, list):
        raise given(f"{expression}: step", step, "nothing, for a single value is reached here")
    if step.isdigit() and int(step) < len(value):
        return value[int(step)]
    wanted = dict(pair.partition("=")[::2] for pair in step.split(","))
    found = [entry for entry in value if all(str(entry.get(key)) == text for key, text in wanted.items())]
    if len(found) != 1:
        raise Problem(f"{expression}: {step} given, which {len(found)} entries meet; allowed: what one meets")
    return found[0]


def _ratio(above: Any, below: Any, step: str, expression: str) -> float:
    if not all(isinstance(value, int | float) for value in (above, below)) or not below:
        raise given(f"{expression}: ratio", step, "two numbers, the second of them not 0")
    return float(above / below)


def _as_given(value: Any, text: str) -> str:
    if isinstance(value, dict):
        return ", ".join(value)
    if isinstance(value, list):
        return number(len(value))
    if isinstance(value, float):
        return f"{value:.{len(text.partition('.')[2])}f}"
    if isinstance(value, int) and not isinstance(value, bool):
        return number(value)
    return str(value)


def _provenance(whole: Any, name: str) -> str:
    source = whole.get("provenance", whole)
    date = str(source.get("date"))[:10]
    if "simulated" in source:
        how = source["simulated"]
        return say("simulated, without a GPU: {how}, {date}; {file}", how=how, date=date, file=name)
    device, driver = _device(source), source.get("driver")
    return say(
        "measured: {device}, driver {driver}, {date}; {file}", device=device, driver=driver, date=date, file=name
    )


def _device(source: Any) -> str:
    device = source.get("simulated") or source.get("device", {})
    return str(device.get("name", "") if isinstance(device, dict) else device)


def _plain_name(package: str) -> str:
    names = {
        "compiler": "compiled by",
        "cuda_toolkit": "CUDA toolkit",
        "nsight_compute": "Nsight Compute",
        "python": "Python",
        "system": "on",
    }
    return names.get(package, package)
