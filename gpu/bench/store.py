"""Results on disk: JSON, one row a line, so that a change of one row is a change of one line."""

import json
from pathlib import Path
from typing import Any


def write(path: Path, result: dict[str, Any]) -> None:
    """Store a result, making folders as needed; NaN and infinity are refused by json."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text(result), encoding="utf-8")


def text(result: dict[str, Any]) -> str:
    """The file's text: every key on its own line, and every row of "rows" too."""
    lines = []
    for key, value in result.items():
        if key == "rows":
            inner = ",\n".join("  " + json.dumps(row, allow_nan=False, ensure_ascii=False) for row in value)
            lines.append(f' "rows": [\n{inner}\n ]')
        else:
            lines.append(f" {json.dumps(key)}: {json.dumps(value, allow_nan=False, ensure_ascii=False)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"
