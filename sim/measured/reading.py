"""From the text of a file to a Run or Counters; whatever is wrong with the file becomes one sentence.

``slim`` keeps what is read here and drops the rest, so that a file can travel; a slim file reads the same as the whole.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from sim.measured.fields import Constant, Fields, Unreadable, rounded, shown
from sim.measured.read_bench import BENCH_KEPT, read_bench
from sim.measured.read_counters import COUNTERS_KEPT, COUNTERS_SCHEMA, read_counters
from sim.measured.records import Counters, Run

MOST_CHARACTERS = 8_000_000
FORMAT = "gpu-lab kernel-bench 1"
OTHERS = {
    "gpu-lab compiled": "what the compile grid wrote: registers and shared memory, no times of products",
    "gpu-lab group-m": "the GROUP_M sweep: one kernel's times, nothing to compare with torch",
}
WANTED = f"a file that kernel-bench wrote with --output (format “{FORMAT}”), or one of python -m gpu.counters"


def read(text: str, name: str) -> Run | Counters:
    """The records of a file called ``name``. Raises Unreadable with one sentence."""
    return _records(parse(text, name), name)


def slim(text: str, name: str) -> str:
    """The file with nothing in it but what ``read`` reads, as short JSON. Raises Unreadable as ``read`` does."""
    whole = parse(text, name)
    _records(whole, name)
    kept = _kept(whole, COUNTERS_KEPT if _is_counters(whole) else BENCH_KEPT)
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":"))


def parse(text: str, name: str) -> dict[str, Any]:
    """The JSON object in a text. Raises Unreadable for an empty, huge or broken file, and for NaN anywhere in it."""
    if not text.strip("\ufeff \t\r\n"):
        raise Unreadable(f"{name}: given an empty file; allowed: {WANTED}")
    if len(text) > MOST_CHARACTERS:
        raise Unreadable(f"{name}: given {len(text):,} characters; allowed: at most {MOST_CHARACTERS:,}")
    seen: list[str] = []

    def constant(word: str) -> Constant:
        seen.append(word)
        return Constant(word)

    try:
        value = json.loads(text.lstrip("\ufeff"), parse_constant=constant)
    except json.JSONDecodeError as error:
        place = f"it breaks off or goes wrong at line {error.lineno}, column {error.colno}"
        raise Unreadable(f"{name}: given text that is not JSON ({place}); allowed: {WANTED}") from None
    except (RecursionError, ValueError):
        what = "JSON that is nested too deeply or has a number too long"
        raise Unreadable(f"{name}: given {what}; allowed: {WANTED}") from None
    if not isinstance(value, dict):
        raise Unreadable(f"{name}: given JSON, but {shown(value)}; allowed: {WANTED}")
    if seen:
        raise Unreadable(f"{name}: {_place_of_constant(value)}: given {seen[0]}; allowed: a finite number, as JSON has")
    return value


def _records(whole: dict[str, Any], name: str) -> Run | Counters:
    if _is_counters(whole):
        return read_counters(Fields(whole, name), name)
    _check_format(whole.get("format"), name)
    return read_bench(Fields(whole, name), name)


def _is_counters(whole: Mapping[str, Any]) -> bool:
    return "format" not in whole and whole.get("schema") == COUNTERS_SCHEMA


def _check_format(given: Any, name: str) -> None:
    if given == FORMAT:
        return
    if given is None:
        raise Unreadable(f"{name}: given JSON without a format; allowed: {WANTED}")
    found = re.fullmatch(r"(gpu-lab [a-z-]+) (\d+)", given) if isinstance(given, str) else None
    if found and found[1] in OTHERS:
        raise Unreadable(f"{name}: given {OTHERS[found[1]]}; allowed: {WANTED}")
    if found and found[1] == "gpu-lab kernel-bench":
        version = f"version {found[2]} of kernel-bench’s format"
        raise Unreadable(f"{name}: given {version}; allowed: version 1, which this page reads")
    raise Unreadable(f"{name}: format: given {shown(given)}; allowed: {WANTED}")


def _place_of_constant(value: Any, path: str = "") -> str:
    """Where the first NaN or infinity stands: ``rows, 3: replay: median_ms``, counting from 1."""
    inner: Any = ()
    if isinstance(value, dict):
        inner = value.items()
    elif isinstance(value, list):
        inner = enumerate(value, 1)
    for key, each in inner:
        here = f"{path}: {key}" if path else str(key)
        if isinstance(each, Constant):
            return here
        if deeper := _place_of_constant(each, here):
            return deeper
    return ""


def _kept(value: Any, keys: Any) -> Any:
    """The part of a value that ``keys`` names: a mapping for an object, a list of one for a list, None for all."""
    if isinstance(keys, list):
        return [_kept(each, keys[0]) for each in value] if isinstance(value, list) else value
    if isinstance(keys, dict):
        if not isinstance(value, dict):
            return value
        return {key: _kept(value[key], inner) for key, inner in keys.items() if key in value}
    return rounded(value) if isinstance(value, float) else value
