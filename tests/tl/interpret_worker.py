"""Runs in its own process with TRITON_INTERPRET=1: launches kernels on Triton's CPU interpreter.

JSON in: a list of jobs {source, arguments, grid}; an argument is a number or {dtype, shape, values}. JSON out: for each
{ok, arrays} with the arrays afterwards, or {ok: false, error}.
"""

import json
import math
import sys
import tempfile
from pathlib import Path
from typing import Any

import torch

from tests.tl.compile_worker import loaded

DTYPES = {
    "fp16": torch.float16, "bf16": torch.bfloat16, "fp32": torch.float32, "fp64": torch.float64, "int8": torch.int8,
    "int16": torch.int16, "int32": torch.int32, "int64": torch.int64, "uint8": torch.uint8, "int1": torch.bool,
}  # fmt: skip


def tensor(given: dict[str, Any]) -> torch.Tensor:
    """An array of a job."""
    return torch.tensor(given["values"], dtype=DTYPES[given["dtype"]]).reshape(given["shape"])


def told(value: Any) -> Any:
    """Elements for JSON."""
    if isinstance(value, list):
        return [told(part) for part in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def launched(job: dict[str, Any], folder: Path, number: int) -> dict[str, Any]:
    """One job."""
    path = folder / f"kernel_{number}.py"
    path.write_text(job["source"], encoding="utf-8")
    kernel = loaded(str(path)).kernel
    values = {name: tensor(v) if isinstance(v, dict) else v for name, v in job["arguments"].items()}
    kernel[tuple(job["grid"])](**values)
    arrays = {name: value for name, value in values.items() if isinstance(value, torch.Tensor)}
    return {"ok": True, "arrays": {name: told(value.double().tolist()) for name, value in arrays.items()}}


def main() -> None:
    """All jobs of standard input."""
    results = []
    with tempfile.TemporaryDirectory() as folder:
        for number, job in enumerate(json.load(sys.stdin)):
            try:
                results.append(launched(job, Path(folder), number))
            except Exception as error:
                results.append({"ok": False, "error": f"{type(error).__name__}: {error}"})
    print("RESULTS" + json.dumps(results))


if __name__ == "__main__":
    main()
