"""What a launch found out about its kernel, as frozen records."""

from dataclasses import asdict, dataclass, field
from typing import Any

Program = tuple[int, int, int]

MOST_REPORTS = 200  # kept; the rest is counted
LANES_TOLD = 64  # of one report
MOST_PRINTED = 1000  # lines that a kernel prints
MOST_TOLD = 4000  # characters of one of them


@dataclass(frozen=True)
class Report:
    """One finding; ``kind`` is one of KINDS, ``text`` a sentence.

    ``lanes`` are the lanes of the tile that are meant (at most 64 of them), ``array`` and ``element`` the array and the
    indices of its first element that is meant. ``line`` is a line of the kernel file, 0 when no single line is meant.
    """

    kind: str
    text: str
    program: Program
    line: int
    lanes: tuple[int, ...] = ()
    array: str = ""
    element: tuple[int, ...] = ()

    @property
    def where(self) -> str:
        """``program 3, line 69: ``; empty where no single line is meant."""
        program = self.program[0] if self.program[1:] == (0, 0) else self.program
        return f"program {program}, line {self.line}: " if self.line else ""

    def json(self) -> dict[str, Any]:
        """Plain data, lists for tuples."""
        return {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(self).items()}


KINDS = {
    "out of bounds": "an address outside the array that the pointer was made from",
    "race": "two programs touch one element, at least one writes, and nothing orders them",
    "benign race": "two programs write the same value to one element",
    "relies on undefined lanes": "a stored value comes from lanes that no load filled",
    "never written": "an element of an output that no program wrote",
    "loop-carried type": "a name comes back from a loop with another type or shape: the compiler refuses it",
    "int32 overflow": "an address comes from a whole number that went past the end of its type",
    "assertion": "a tl.device_assert or tl.assume that does not hold",
}


@dataclass(frozen=True)
class Bent:
    """A rule of real Triton that lesson mode let pass: which, where, and the legal version."""

    rule: str
    text: str
    line: int
    legal: str = ""

    def json(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)


@dataclass
class Counts:
    """Elements loaded and stored, by array name; lanes that a mask switched off are not counted."""

    loads: dict[str, int] = field(default_factory=dict)
    stores: dict[str, int] = field(default_factory=dict)
    atomics: dict[str, int] = field(default_factory=dict)
    dots: int = 0
    flops: int = 0

    def json(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)
