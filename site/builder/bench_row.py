"""One row of kernel-bench, field by field, each with what it means: how a reader learns to read the others."""

import json
from typing import Any

from builder.evidence import Evidence
from lab.figures import facts
from lab.markup import Html, join, tag
from lab.problem import Problem

FILE = "h200-matmul-half.json"
ROW = {"kernel": "best", "M": 4096, "N": 4096, "K": 4096, "dtype": "float16"}
FIELDS = (
    ("kernel", "what was timed: a rung of the ladder, best, or torch"),
    ("rung", "the rung that best stands for at this shape"),
    ("config", "its tile and the other numbers that the compiler was given"),
    ("M", "rows of A and C"),
    ("N", "columns of B and C"),
    ("K", "what is added up: columns of A, rows of B"),
    ("dtype", "the type of A, B and C"),
    ("precision", "for float32: ieee or tf32, torch’s and ours alike; two-byte types are always ieee"),
    ("flops", "2 M N K, operations"),
    ("bytes", "A and B once and C once: the least that must move, not what did"),
    ("intensity", "operations for each of those bytes"),
    ("verify", "was C right? On whole numbers exactly, on random ones within the tolerance"),
    ("compile_ms", "until the compiled kernel was there, kept apart; so short as this one had been compiled before"),
    ("replay", "the GPU’s time for a recorded launch: median of the repeats, and the values a tenth of the way in"),
    ("call", "what you wait for: Python, the launch, the GPU, and torch.cuda.synchronize()"),
    ("empty_replay_ms", "the same recording with a kernel that does nothing"),
    ("launch_bound", "true when that is more than half of replay: then there is no rate"),
    ("tflops", "operations over the median of replay"),
    ("ratio", "torch’s median of replay over this one: above 1 is faster than torch"),
    ("call_ratio", "the same for call"),
    ("warnings", "numbers to distrust, and why a slower row is slower"),
)
MISSING = object()


def bench_row_html(evidence: Evidence) -> Html:
    """The table of the row. Raises Problem when the result, the row or a field of it is not stored."""
    row = _row(evidence.file(FILE)["rows"])
    cells = [(name, join(_shown(name, row), tag("span", meaning, class_="remark"))) for name, meaning in FIELDS]
    title = "A row of kernel-bench: best, 4096 × 4096 × 4096, float16"
    table = facts(title, ("field", "value, and what it means"), [("", each) for each in cells])
    source = tag("p", evidence.provenance(FILE), class_="provenance")
    return tag("div", table, source, class_="fields")


def _row(rows: list[Any]) -> Any:
    found = [row for row in rows if all(row.get(key) == value for key, value in ROW.items())]
    if len(found) != 1:
        raise Problem(f"{FILE}: {len(found)} rows given with {ROW}; allowed: one")
    return found[0]


def _shown(name: str, row: Any) -> str:
    value = row.get(name, MISSING)
    if value is MISSING:
        raise Problem(f"{FILE}: a row without {name} given; required: {', '.join(each for each, _ in FIELDS)}")
    if name == "verify":
        error, tolerance = (_text(value["random"][key]) for key in ("error", "tolerance"))
        return f"passed {_text(value['passed'])}, error {error}, tolerance {tolerance}"
    if isinstance(value, dict):
        return ", ".join(f"{key} {_text(each)}" for key, each in value.items())
    if isinstance(value, list):
        return "; ".join(_text(each) for each in value) or "none"
    return _text(value)


def _text(value: Any) -> str:
    """A value as the file has it, with four figures of a fraction."""
    return f"{value:.4g}" if isinstance(value, float) else str(value) if isinstance(value, str) else json.dumps(value)
