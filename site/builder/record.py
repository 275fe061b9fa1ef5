"""When, where and with which versions each download was last run: `downloads/checked.json`.

`python -m tests.downloads.record` writes it; a test fails when a program is no longer the text that was run.
"""

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path

FILE = "downloads/checked.json"


@dataclass(frozen=True)
class Record:
    """One run of all downloads. `date` is a day; `versions` by package; `files` holds a SHA-256 by file name."""

    date: str = ""
    device: str = ""
    python: str = ""
    versions: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)

    def holds(self, name: str, data: bytes) -> bool:
        """Whether this very text was run."""
        return self.files.get(name) == sha256(data)


def read_record(root: Path) -> Record:
    """The stored record; an empty one where there is none."""
    path = root / FILE
    if not path.is_file():
        return Record()
    whole = json.loads(path.read_text(encoding="utf-8"))
    return Record(**{name: whole[name] for name in Record.__dataclass_fields__})


def sha256(data: bytes) -> str:
    """The checksum that a reader's own `sha256sum` prints."""
    return hashlib.sha256(data).hexdigest()
