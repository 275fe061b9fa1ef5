"""Where two ways through a kernel meet again: after a branch, behind a ternary, at the returns of a function.

The compiler wants one type there. Only the ways that some program really takes are seen.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sim.tl.dtypes import DType
from sim.tl.tile import Tile


def kind(value: Any) -> str:
    """Type and shape of a value, for sentences and comparison."""
    if isinstance(value, Tile):
        return f"{value.dtype}{list(value.shape)}" if value.shape else f"{value.dtype} scalar"
    if isinstance(value, tuple):
        return f"({', '.join(map(kind, value))})"
    return str(value) if isinstance(value, DType) else type(value).__name__


def specialised(values: Mapping[str, Any]) -> tuple[str, ...]:
    """What the compiler compiles a function anew for: the types of its tiles, the values of the rest."""
    return tuple(
        kind(value) if isinstance(value, (Tile, tuple)) or hasattr(value, "view") else repr(value)
        for value in values.values()
    )


@dataclass
class BranchState:
    """A branch that runs: its condition, and what the names that it binds held before (tiles only).

    ``both`` are names that are new and bound on both sides. A condition that is known when compiling joins nothing.
    """

    condition: Any
    line: int
    before: dict[str, str] = field(default_factory=dict)
    both: tuple[str, ...] = ()

    def changed(self, names: Mapping[str, Any]) -> list[tuple[str, str, str]]:
        """(name, type before, type now) of names that come out of the branch with another type."""
        now = {name: kind(names[name]) for name in self.before if name in names}
        return [(name, self.before[name], found) for name, found in now.items() if found != self.before[name]]


class Merges:
    """The types that the ways seen so far have brought, by the place where they meet."""

    def __init__(self) -> None:
        self.kinds: dict[Any, str] = {}

    def other(self, place: Any, value: Any) -> str:
        """The type that an earlier way brought to ``place`` when it is not that of ``value``; else empty."""
        found = kind(value)
        earlier = self.kinds.setdefault(place, found)
        return "" if earlier == found else earlier
