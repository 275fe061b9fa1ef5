"""What a reader's code finds around it: Python's own functions, a print that is caught, a few modules, no files.

This is no wall: people run their own code on their own machine. It gives a sentence where a thing
does not exist in both places, the terminal and the page.
"""

import builtins
from collections.abc import Callable, Mapping, Sequence
from typing import Any

MODULES = (
    "bisect",
    "collections",
    "copy",
    "dataclasses",
    "decimal",
    "enum",
    "fractions",
    "functools",
    "itertools",
    "math",
    "numbers",
    "operator",
    "string",
    "typing",
)
MOST_PRINTED = 2000


class NotHere(Exception):
    """Something that Python has and this place has not. Its text is the sentence."""


class NoModule(NotHere, ImportError):
    """Caught by ``except ImportError``, as the reader's code may expect."""


class NoFile(NotHere, OSError):
    """There are no files."""


class NoInput(NotHere, EOFError):
    """There is nobody to type an answer."""


class Printed:
    """Collects what is printed, up to 2,000 characters."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._kept, self._left_out = 0, 0

    def write(self, text: str) -> int:
        """Keep as much as there is room for."""
        part = text[: MOST_PRINTED - self._kept]
        self._parts.append(part)
        self._kept += len(part)
        self._left_out += len(text) - len(part)
        return len(text)

    def taken(self) -> str:
        """All that was kept since the last time, and how much was not."""
        cut = f"\n… and {self._left_out:,} more characters" if self._left_out else ""
        text = "".join(self._parts) + cut
        self._parts, self._kept, self._left_out = [], 0, 0
        return text


def surroundings(printed: Printed) -> dict[str, Any]:
    """The built-in functions that the reader's code sees."""
    names = dict(vars(builtins))
    for name in ("exit", "quit", "help", "copyright", "credits", "license"):
        names.pop(name, None)

    def caught_print(*values: object, sep: str | None = " ", end: str | None = "\n", **_: object) -> None:
        print(*values, sep=sep, end=end, file=printed)

    return names | {
        "print": caught_print,
        "input": _absent(NoInput, "input() has nobody to ask here: the inputs arrive as the function's arguments"),
        "open": _absent(NoFile, "open() finds no files here: the inputs arrive as the function's arguments"),
        "exec": _absent(NotHere, "exec() is left out here: its steps could not be counted"),
        "eval": _absent(NotHere, "eval() is left out here: its steps could not be counted"),
        "compile": _absent(NotHere, "compile() is left out here: its steps could not be counted"),
        "breakpoint": _absent(NotHere, "breakpoint() has no debugger here: print() shows values"),
        "__import__": _import,
    }


def _absent(error: type[NotHere], sentence: str) -> Callable[..., None]:
    def missing(*_: object, **__: object) -> None:
        raise error(sentence)

    return missing


def _import(
    name: str,
    outer: Mapping[str, object] | None = None,
    inner: Mapping[str, object] | None = None,
    names: Sequence[str] = (),
    level: int = 0,
) -> object:
    if level or name.split(".")[0] not in (*MODULES, "__future__"):
        raise NoModule(f"there is no module {name} here; there are: {', '.join(MODULES)}")
    return __import__(name, outer, inner, names, level)
