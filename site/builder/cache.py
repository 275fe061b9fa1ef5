"""Results that are dear to make, kept between builds in `.cache/`, by a hash of everything that decides them."""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path


def cached(folder: Path, name: str, parts: list[bytes], make: Callable[[], bytes]) -> bytes:
    """The bytes that `make` returns, made once for each content of `parts`. `name` ends in a suffix: `card.png`."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big") + part)
    stem, _, suffix = name.rpartition(".")
    path = folder / f"{stem}-{digest.hexdigest()[:20]}.{suffix}"
    try:
        return path.read_bytes()
    except FileNotFoundError:
        data = make()
    write_whole(path, data)
    return data


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that nobody ever sees a part of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_name(f".{path.name}.{os.getpid()}.part")
    half.write_bytes(data)
    half.replace(path)
