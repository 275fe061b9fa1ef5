"""Pictures of matrices as a person draws them on a board: A to the left of C, B above C."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lab.markup import Html, join, tag

MOST_DRAWN = 12  # rows or columns drawn in full; of larger matrices NEAR of them, around what the step is about
NEAR = 6
FITS = 3  # characters that a cell of fixed width holds; a table of such cells is laid out sooner

Index = int | None
Cell = Callable[[int, int], str]


@dataclass(frozen=True)
class Grid:
    """One matrix on the board. ``value`` and ``classes`` take (row, column); ``pick``: what a click chooses.

    With ``keep`` the reader stays at the step that they are at.
    """

    name: str
    shape: tuple[int, int]
    value: Cell
    classes: Cell
    what: str = ""
    pick: Cell | None = None
    keep: bool = False


def visible(size: int, focus: tuple[int, int]) -> tuple[Index, ...]:
    """Which of ``range(size)`` to draw: all of a few; of many, around ``focus``, both ends, and None for each gap."""
    if size <= MOST_DRAWN:
        return tuple(range(size))
    start, stop = focus
    if stop - start > NEAR:
        middle = {*range(start, start + NEAR // 2), *range(stop - NEAR // 2, stop)}
    else:
        first = min(max(start - (NEAR - stop + start) // 2, 0), size - NEAR)
        middle = set(range(first, first + NEAR))
    return _with_gaps(sorted(middle | {0, size - 1}))


def _with_gaps(indices: Sequence[int]) -> tuple[Index, ...]:
    drawn: list[Index] = []
    for index in indices:
        if drawn and drawn[-1] is not None and index > drawn[-1] + 1:
            drawn.append(None)
        drawn.append(index)
    return tuple(drawn)


def board(
    a: Grid,
    b: Grid,
    c: Grid,
    drawn: tuple[tuple[Index, ...], tuple[Index, ...], tuple[Index, ...]],
    corner: Html | None = None,
) -> Html:
    """A [rows, inner], B [inner, columns] and C [rows, columns], so that a row and a column meet at their output.

    ``drawn`` are the rows, columns and inner indices to show; ``corner`` stands in the empty place above A.
    """
    rows, columns, inner = drawn
    return tag(
        "div",
        tag("div", corner, class_="board-map") if corner else None,
        tag("div", matrix(a, rows, inner), class_="board-a"),
        tag("div", matrix(b, inner, columns), class_="board-b"),
        tag("div", matrix(c, rows, columns), class_="board-c"),
        class_=f"board {_breadth(max(len(columns), len(inner)))}".rstrip(),
    )


def _breadth(columns: int) -> str:
    """How much room a matrix takes, for the style sheet: nothing, middling (5 columns) or wide (7)."""
    return "wide" if columns >= 7 else "middling" if columns >= 5 else ""


def matrix(grid: Grid, rows: tuple[Index, ...], columns: tuple[Index, ...]) -> Html:
    """A captioned table with an index on every row and column, in a box that scrolls by itself."""
    title = f"{grid.name} [{grid.shape[0]} × {grid.shape[1]}]"
    caption = tag("caption", tag("b", title), f" {grid.what}" if grid.what else None)
    head = tag("thead", tag("tr", tag("td"), *(_head(column, "col") for column in columns)))
    body = tag(
        "tbody", *(tag("tr", _head(row, "row"), *(_cell(grid, row, column) for column in columns)) for row in rows)
    )
    table = tag("table", caption, head, body, class_=f"matrix {grid.name.lower()}")
    fit = all(len(grid.value(r, c)) <= FITS for r in rows for c in columns if r is not None and c is not None)
    return tag("div", table, class_="scroll fit" if fit else "scroll", tabindex="0", role="group", aria_label=title)


def _head(index: Index, scope: str) -> Html:
    return tag("th", "…" if index is None else index, scope=scope)


def _cell(grid: Grid, row: Index, column: Index) -> Html:
    if row is None or column is None:
        return tag("td", "⋯" if row is not None else "⋮", class_="gap", aria_hidden="true")
    classes = grid.classes(row, column)
    return tag(
        "td",
        grid.value(row, column),
        class_=classes or None,
        aria_current="true" if "now" in classes.split() else None,
        data_set=grid.pick(row, column) if grid.pick else None,
        data_keep=bool(grid.pick and grid.keep),
    )


def whole(name: str, rows: tuple[tuple[str, ...], ...], what: str = "") -> Html:
    """A complete matrix of texts, every element drawn."""
    size = (len(rows), len(rows[0]) if rows else 0)
    grid = Grid(name, size, lambda row, column: rows[row][column], lambda row, column: "", what)
    return matrix(grid, tuple(range(size[0])), tuple(range(size[1])))


def numbers(*pairs: tuple[str, str]) -> Html:
    """Key figures, each with its label."""
    return tag("dl", *(tag("div", tag("dt", label), tag("dd", value)) for label, value in pairs), class_="numbers")


def facts(caption: str, heads: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]]) -> Html:
    """A small table; each row comes with its class: ``done``, ``now`` or ``todo``."""
    head = tag("thead", tag("tr", *(tag("th", label, scope="col") for label in heads)))
    body = tag(
        "tbody",
        *(
            tag(
                "tr",
                tag("th", cells[0], scope="row"),
                *(tag("td", cell) for cell in cells[1:]),
                class_=kind or None,
                aria_current="true" if kind == "now" else None,
            )
            for kind, cells in rows
        ),
    )
    table = tag("table", tag("caption", caption), head, body, class_="facts")
    return tag("div", table, class_="scroll", tabindex="0", role="group", aria_label=caption)


@dataclass(frozen=True)
class Box:
    """A rectangle inside a matrix, in elements: half-open rows and columns, and its class."""

    rows: tuple[int, int]
    columns: tuple[int, int]
    kind: str


def map_of_tiles(m: int, n: int, k: int, a: Sequence[Box], b: Sequence[Box], c: Sequence[Box], label: str) -> Html:
    """Where things lie in the whole of A, B and C: outlines in the places that the board gives them."""
    gap = 14
    scale = max(1, 96 * 16 // max(m, n, k))
    width_a, width_c, height_b, height_c = (size * scale // 16 for size in (k, n, k, m))
    drawn = join(
        _outline("A", a, m, k, 0, height_b + gap, scale),
        _outline("B", b, k, n, width_a + gap, 0, scale),
        _outline("C", c, m, n, width_a + gap, height_b + gap, scale),
    )
    width, height = width_a + gap + width_c + 2, height_b + gap + height_c + 2
    return tag(
        "svg",
        tag("title", label),
        drawn,
        class_="map",
        viewBox=f"-1 -1 {width} {height}",
        width=width,
        height=height,
        role="img",
        aria_label=label,
    )


def _outline(name: str, boxes: Sequence[Box], rows: int, columns: int, x: int, y: int, scale: int) -> Html:
    whole_box = Box((0, rows), (0, columns), "m-whole")
    drawn = (_rectangle(box, x, y, scale) for box in (whole_box, *boxes))
    return tag("g", *drawn, tag("text", name, x=x + 4, y=y + 13), class_=name.lower())


def _rectangle(box: Box, x: int, y: int, scale: int) -> Html:
    left, right = (x + column * scale // 16 for column in box.columns)
    top, bottom = (y + row * scale // 16 for row in box.rows)
    return tag("rect", class_=box.kind, x=left, y=top, width=max(right - left, 2), height=max(bottom - top, 2))
