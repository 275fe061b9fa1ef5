"""What a reader knows at each executed line of the teaching kernel: its names so far, and where its lanes are."""

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sim.tl.recorder import Plain, Step

# The names by which gpu/teaching.py calls a matrix's row and column indices, and the mask of its tile.
AXES = {"A": ("rows", "k"), "B": ("k", "cols"), "C": ("rows", "cols")}
MASKS = {"a_mask": "A", "b_mask": "B", "c_mask": "C"}
LIVE, MASKED, OUTSIDE, PLANNED, OWNED = "live", "masked", "outside", "planned", "owned"


@dataclass(frozen=True)
class Lane:
    """One lane of a tile.

    ``place`` is the (row, column) that it stands for; ``kind`` says whether it was live, masked, or outside of its
    array though not masked; planned: a mask leaves it on; owned: it is in the program's tile, and no more is known yet.
    ``element`` is the flat element that a live lane reached, ``value`` what it read or wrote.
    """

    place: tuple[int, int]
    kind: str
    element: int | None = None
    value: Any = None


Tiles = Mapping[str, tuple[Lane, ...]]


@dataclass(frozen=True)
class Seen:
    """One step. ``before`` and ``names`` map the kernel's names to what they hold before and after it.

    ``tiles`` are the lanes that the step is about, by matrix; ``touched`` the elements that earlier steps reached;
    ``stored`` the values in C by flat element, this step's included.
    """

    before: Mapping[str, Plain]
    names: Mapping[str, Plain]
    tiles: Tiles
    touched: Mapping[str, frozenset[int]]
    stored: Mapping[int, Any]


def seen_at(steps: Sequence[Step]) -> tuple[Seen, ...]:
    """What is known at each step, in one pass, so that any step is drawn at once."""
    found: list[Seen] = []
    names: dict[str, Plain] = {}
    touched: dict[str, frozenset[int]] = {name: frozenset() for name in AXES}
    stored: dict[int, Any] = {}
    loaded: dict[str, tuple[Lane, ...]] = {}
    for step in steps:
        before = names
        names = {**names, **step.changed} if step.depth == 0 else names
        tiles: dict[str, tuple[Lane, ...]] = {}
        for operation in step.operations:
            if operation["kind"] == "dot":
                tiles |= {name: loaded[name] for name in ("A", "B") if name in loaded}
            elif operation["array"] in AXES:
                tiles[operation["array"]] = _accessed(operation, names)
                loaded |= tiles if operation["kind"] == "load" else {}
        for name in step.changed.keys() & MASKS.keys():
            tiles[MASKS[name]] = _planned(step.changed[name], MASKS[name], names)
        stored = {**stored, **{lane.element: lane.value for lane in tiles.get("C", ()) if lane.element is not None}}
        found.append(Seen(before, names, tiles, touched, stored))
        touched = {name: elements | _reached(tiles.get(name, ())) for name, elements in touched.items()}
    return tuple(found)


def _reached(lanes: Sequence[Lane]) -> frozenset[int]:
    return frozenset(lane.element for lane in lanes if lane.element is not None)


def places(name: str, names: Mapping[str, Plain], shape: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """The (row, column) that each lane of a tile of matrix ``name`` stands for; nothing where it is not known yet."""
    rows, columns = (names.get(axis, {}).get("values", []) for axis in AXES[name])
    if list(shape) != [len(rows), len(columns)]:
        return ()
    return tuple((int(row), int(column)) for row in rows for column in columns)


def _accessed(operation: Plain, names: Mapping[str, Plain]) -> tuple[Lane, ...]:
    """The lanes of a load or store, masked ones too."""
    reached = dict(zip(operation["lanes"], zip(operation["elements"], operation["values"], strict=True), strict=True))
    outside = set(operation["outside"])

    def lane(number: int, place: tuple[int, int]) -> Lane:
        if number in reached:
            return Lane(place, LIVE, *reached[number])
        return Lane(place, OUTSIDE if number in outside else MASKED)

    known = places(operation["array"], names, operation["shape"])
    return tuple(lane(number, place) for number, place in enumerate(known))


def _planned(mask: Plain, name: str, names: Mapping[str, Plain]) -> tuple[Lane, ...]:
    """The lanes that a mask will leave on and off."""
    known = places(name, names, mask.get("shape", []))
    if len(known) != len(mask.get("values", [])):
        return ()
    return tuple(Lane(place, PLANNED if on else MASKED) for place, on in zip(known, mask["values"], strict=True))


def statement_lines(source: str) -> list[int]:
    """The first lines of a kernel file's functions and of their statements, texts that explain them left out."""
    found = set()
    for function in ast.walk(ast.parse(source)):
        if isinstance(function, ast.FunctionDef):
            inside = (node for node in ast.walk(function) if isinstance(node, ast.stmt))
            found |= {node.lineno for node in inside if not _explains(node)}
    return sorted(found)


def _explains(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def names_read(source: str) -> dict[int, tuple[str, ...]]:
    """For the first line of every statement of a kernel file's functions: the names that it reads, in their order."""
    found = {}
    for function in ast.walk(ast.parse(source)):
        if isinstance(function, ast.FunctionDef):
            for statement in ast.walk(function):
                if isinstance(statement, ast.stmt) and statement is not function:
                    found[statement.lineno] = _read_in(statement)
    return found


def _read_in(statement: ast.stmt) -> tuple[str, ...]:
    head: ast.AST = statement
    if isinstance(statement, ast.For):
        head = statement.iter
    elif isinstance(statement, (ast.If, ast.While)):
        head = statement.test
    nodes = [node for node in ast.walk(head) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    nodes.sort(key=lambda node: (node.lineno, node.col_offset))
    grown = (
        [statement.target.id] if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name) else []
    )
    return tuple(dict.fromkeys([*grown, *(node.id for node in nodes)]))
