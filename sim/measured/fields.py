"""Fields of a parsed JSON object, each read with its place, so that what is wrong with it can be told in a sentence."""

import math
import re
from collections.abc import Mapping
from typing import Any

LONGEST = 400  # characters of a text that are kept


class Unreadable(ValueError):
    """Says where, what was given and what is allowed."""


class Constant:
    """NaN or an infinity, which JSON does not have but some programs write."""

    def __init__(self, name: str) -> None:
        self.name = name


def shown(value: Any) -> str:
    """A value as a sentence names it: short, and never a whole list."""
    if isinstance(value, Constant):
        return value.name
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if isinstance(value, str):
        return f"“{value[:40]}”"
    if value is None or isinstance(value, bool):
        return "null" if value is None else str(value).lower()
    return str(value)[:40]


def rounded(value: float) -> float:
    """A number as a slim file has it: to a picosecond where it is a time in milliseconds, finer where it is tiny."""
    return round(value, 9 if abs(value) >= 1e-3 else 12)


class Fields:
    """The fields of one object; ``where`` says which one it is."""

    def __init__(self, value: Any, where: str) -> None:
        if not isinstance(value, dict):
            raise Unreadable(f"{where}: given {shown(value)}; allowed: an object with fields")
        self.value: Mapping[str, Any] = value
        self.where = where

    def has(self, key: str) -> bool:
        """True when the field is there and is not null."""
        return self.value.get(key) is not None

    def need(self, key: str) -> Any:
        """A field that must be there."""
        if key not in self.value:
            raise Unreadable(f"{self.where}: {key} is missing")
        return self.value[key]

    def wrong(self, key: str, allowed: str) -> Unreadable:
        """The sentence for a field that holds what it must not."""
        return Unreadable(f"{self.where}: {key}: given {shown(self.value.get(key))}; allowed: {allowed}")

    def inner(self, key: str) -> "Fields":
        """The fields of an object within."""
        return Fields(self.need(key), f"{self.where}: {key}")

    def items(self, key: str, most: int) -> list[Any]:
        """A list with something in it, and not more than ``most``."""
        value = self.need(key)
        if not isinstance(value, list):
            raise self.wrong(key, "a list")
        if not 1 <= len(value) <= most:
            raise self.wrong(key, f"a list of 1 to {most}")
        return value

    def text(self, key: str, default: str | None = None) -> str:
        """A text; ``default`` where it is missing or null, if one is given."""
        if default is not None and not self.has(key):
            return default
        value = self.need(key)
        if not isinstance(value, str):
            raise self.wrong(key, "a text")
        return re.sub(r"\s+", " ", value)[:LONGEST]

    def choice(self, key: str, allowed: tuple[str, ...]) -> str:
        """One of a few texts."""
        value = self.need(key)
        if value not in allowed:
            raise self.wrong(key, ", ".join(allowed))
        return str(value)

    def flag(self, key: str) -> bool:
        """True or false."""
        value = self.need(key)
        if not isinstance(value, bool):
            raise self.wrong(key, "true or false")
        return value

    def whole(self, key: str, low: int = 1, high: int = 2**62) -> int:
        """A whole number from ``low`` on."""
        value = self.need(key)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            most = f"from {low} to {high}" if high < 2**62 else f"from {low} on"
            raise self.wrong(key, f"a whole number {most}")
        return value

    def number(self, key: str, above: float | None = 0) -> float:
        """A finite number above ``above``; None allows every one."""
        value = self.need(key)
        good = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e15
        if not good or not math.isfinite(value) or (above is not None and value <= above):
            raise self.wrong(key, "a number" if above is None else f"a number above {above}")
        return float(value)
