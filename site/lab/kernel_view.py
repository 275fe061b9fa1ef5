"""Pictures of one executed line of a kernel: the source, what the line changed, and what it touched in A, B and C."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lab.figures import Grid, board, numbers, visible
from lab.markup import Html, join, tag
from sim.matmul import Rows
from sim.tl.recorder import Step

Elements = frozenset[int]


@dataclass(frozen=True)
class Touched:
    """Flat elements of each matrix: those of the last load or store, and all of this program so far."""

    now: dict[str, Elements]
    before: dict[str, Elements]


def touched_after(steps: Sequence[Step]) -> tuple[Touched, ...]:
    """For each step, what it touched and what was touched before it; one pass, so that any step is drawn at once."""
    before: dict[str, Elements] = {"A": frozenset(), "B": frozenset(), "C": frozenset()}
    found = []
    for step in steps:
        now: dict[str, Elements] = {}
        for operation in step.operations:
            if operation["kind"] != "dot":
                now[operation["array"]] = now.get(operation["array"], frozenset()) | frozenset(operation["elements"])
        found.append(Touched(now, before))
        before = {name: elements | now.get(name, frozenset()) for name, elements in before.items()}
    return tuple(found)


def source_pane(lines: Sequence[str], first: int, step: Step | None, name: str) -> Html:
    """The kernel's lines with their numbers; those of ``step`` are marked."""
    current = range(step.line, step.end_line + 1) if step else range(0)
    shown = (
        tag(
            "span",
            tag("span", f"{number:>3} ", class_="line-number", aria_hidden="true"),
            text or " ",
            "\n",
            class_="source-line now" if number in current else "source-line",
            aria_current="true" if number in current else None,
        )
        for number, text in enumerate(lines, first)
    )
    return tag("pre", tag("code", *shown), class_="source", tabindex="0", role="group", aria_label=name)


def changed_names(step: Step) -> Html:
    """The names that this line changed, each with its value."""
    drawn = [_named(name, value) for name, value in step.changed.items()]
    return tag("div", *drawn, class_="names") if drawn else Html("")


def _named(name: str, value: dict[str, Any]) -> Html:
    if value["kind"] == "constant":
        return tag("p", tag("code", name), " = ", tag("code", value["text"]), class_="named")
    if value["kind"] == "tuple" or value["cut"]:
        return tag("p", tag("code", name), " changed; it is too large to draw", class_="named")
    texts = [_lane(value, index) for index in range(len(value["values"]))]
    if not value["shape"]:
        return tag("p", tag("code", name), " = ", tag("code", texts[0]), f" ({_kind(value)})", class_="named")
    width = value["shape"][-1]
    rows = [texts[start : start + width] for start in range(0, len(texts), width)]
    table = tag(
        "table",
        tag("caption", tag("code", name), f" {_kind(value)} {value['shape']}"),
        tag("tbody", *(tag("tr", *(tag("td", text, class_=_mask(text)) for text in row)) for row in rows)),
        class_="lanes",
    )
    return tag("div", table, class_="scroll", tabindex="0", role="group", aria_label=name)


def _kind(value: dict[str, Any]) -> str:
    return f"addresses in {value['array']}" if value["kind"] == "pointer" else str(value["dtype"])


def _lane(value: dict[str, Any], index: int) -> str:
    if index in value["undefined"]:
        return "undefined"
    lane = value["values"][index]
    return ("yes" if lane else "no") if isinstance(lane, bool) else plain_number(lane)


def _mask(text: str) -> str | None:
    return "off" if text in ("no", "undefined") else None


def plain_number(value: Any) -> str:
    """A lane's number as text: whole floats without their fraction, others with at most 6 digits."""
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else f"{value:.6g}"
    return str(value)


def touched_board(a: Rows, b: Rows, c: Sequence[Sequence[Any]], touched: Touched, tile: tuple[int, int, int]) -> Html:
    """A, B and C; elements of this line are marked, those before it light. ``tile`` is (BM, BN, tiles across)."""
    shape = len(a), len(b[0]), len(b)
    grids = [
        _grid("A", (shape[0], shape[2]), lambda row, k: str(a[row][k]), touched),
        _grid("B", (shape[2], shape[1]), lambda k, column: str(b[k][column]), touched),
        _grid("C", (shape[0], shape[1]), lambda row, column: _stored(c, row, column), touched, tile),
    ]
    drawn = tuple(visible(size, (0, 1)) for size in shape)
    return board(grids[0], grids[1], grids[2], (drawn[0], drawn[1], drawn[2]))


def _stored(c: Sequence[Sequence[Any]], row: int, column: int) -> str:
    value = c[row][column] if c else None
    return "" if value is None else plain_number(value)


def _grid(
    name: str, shape: tuple[int, int], value: Any, touched: Touched, tile: tuple[int, int, int] | None = None
) -> Grid:
    width = shape[1]
    now, before = touched.now.get(name, frozenset()), touched.before[name]

    def classes(row: int, column: int) -> str:
        element = row * width + column
        return "tile" if element in now else "line done" if element in before else "blank" if name == "C" else ""

    def pick(row: int, column: int) -> str:
        bm, bn, across = tile or (1, 1, 1)
        return f"program={row // bm * across + column // bn}"

    what = f"{len(now)} elements on this line" if now else ""
    return Grid(name, shape, value, classes, what, pick if tile else None)


def operations(step: Step) -> Html:
    """Loads, stores and dots of this line in a few words each."""
    told = []
    for operation in step.operations:
        if operation["kind"] == "dot":
            size = f"{operation['m']} × {operation['n']} × {operation['k']}"
            told.append(("dot", f"{size}, {operation['operand']} into {operation['accumulator']}"))
        else:
            lanes = 1
            for side in operation["shape"]:
                lanes *= side
            told.append((f"{operation['kind']} {operation['array']}", f"{operation['active']} of {lanes} lanes"))
    return numbers(*told) if told else join()
