"""Where the numbers of a page come from: two integer patterns, a person's own, and fresh cases."""

import re
from dataclasses import dataclass

from sim.matmul import Rows
from sim.words import later, say

MAX_SIDE = 64
MAX_MAGNITUDE = 1_000_000
MAX_PLACES = 9

_NUMBER = re.compile(r"([+-]?)(?:([0-9]+)(?:\.([0-9]*))?|\.([0-9]+))(?:[eE]([+-]?[0-9]{1,3}))?")
_NOT_FINITE = re.compile(r"[+-]?(?:nan|inf|infinity)", re.IGNORECASE)
_BEFORE = re.compile(r"(?:[A-Za-z_]\w*\s*=\s*)?(?:(?:torch|np|numpy)\.)?(?:tensor|array|asarray|matrix)?\s*\(?\s*")
_AFTER = re.compile(r"\s*,?\s*(?:[a-z_]+\s*=\s*['\"\w.:<>]+\s*,?\s*)*\)?\s*;?\s*")


@dataclass(frozen=True)
class Operand:
    """An input matrix: integer ``rows`` in units of 10**-``places``, so that decimals stay exact.

    ``Operand(((15, -20),), 1)`` is [[1.5, -2.0]].
    """

    rows: Rows
    places: int = 0

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""
        return len(self.rows), len(self.rows[0]) if self.rows else 0


def formula_a(m: int, k: int) -> Rows:
    """A [M, K] with A[r][k] = (r + k) % 5 - 2. Square ones are symmetric, which hides faults."""
    return tuple(tuple((row + inner) % 5 - 2 for inner in range(k)) for row in range(m))


def formula_b(k: int, n: int) -> Rows:
    """B [K, N] with B[k][c] = (k + c) % 3 - 1. Square ones are symmetric, which hides faults."""
    return tuple(tuple((inner + column) % 3 - 1 for column in range(n)) for inner in range(k))


def distinct_a(m: int, k: int) -> Rows:
    """A [M, K] that counts 1, 2, 3, … row by row: no two elements alike, not symmetric."""
    return tuple(tuple(row * k + inner + 1 for inner in range(k)) for row in range(m))


def distinct_b(k: int, n: int) -> Rows:
    """B [K, N] that counts down to 1 row by row: no two elements alike, not symmetric."""
    return tuple(tuple(k * n - inner * n - column for column in range(n)) for inner in range(k))


def counting_b(m: int, k: int, n: int) -> Rows:
    """B [K, N] that goes on counting where ``distinct_a(m, k)`` ended: with M, N, K = 2, 2, 3 it is 7 … 12."""
    return tuple(tuple(m * k + inner * n + column + 1 for column in range(n)) for inner in range(k))


def parse_matrix(text: str, name: str) -> Operand:
    """A person's own matrix, typed or pasted from a spreadsheet, NumPy, PyTorch or Python.

    Rows end with a new line, a semicolon or a bracket; elements are parted by tabs, commas or
    spaces. Raises ValueError with one sentence that names the matrix, the place, what was given
    and what is allowed.
    """
    rows = _bracketed_rows(text, name) if "[" in text or "]" in text else _plain_rows(text)
    if not rows:
        raise ValueError(say("{name}: given nothing; allowed: rows of numbers, such as 1 2 3; 4 5 6", name=name))
    cells = [_cells(row) for row in rows]
    _check_sides(cells, name)
    numbers = [
        [
            _number(cell, say("{name}, row {row}, column {column}", name=name, row=r, column=c))
            for c, cell in enumerate(row)
        ]
        for r, row in enumerate(cells)
    ]
    places = max(used for row in numbers for _, used in row)
    return Operand(tuple(tuple(value * 10 ** (places - used) for value, used in row) for row in numbers), places)


def fresh_case(index: int) -> tuple[int, int, int]:
    """Case ``index`` ≥ 0 of an endless list: (n, T of the first product, T of the second).

    Case 0 is the chapter's own, 8 × 8 with T = 1 against T = 4. The list walks through every
    pair of widths for n = 3 … 12 with a stride that has no factor in common with its length, so
    that neighbours differ and no case comes back before all have been seen.
    """
    if index == 0:
        return 8, 1, 4
    cases = [
        (n, first, second) for n in range(3, 13) for first in range(1, n + 1) for second in range(first + 1, n + 1)
    ]
    return cases[(index * 89) % len(cases)]


def _plain_rows(text: str) -> list[str]:
    return [row for row in re.split(r"[;\n\r]+", text) if row.strip()]


def _bracketed_rows(text: str, name: str) -> list[str]:
    start, stop = text.find("["), text.rfind("]")
    before, after = text[: max(start, 0)], text[stop + 1 :]
    if start < 0 or stop < start:
        raise ValueError(
            say("{name}: a bracket is missing; allowed: [[1, 2], [3, 4]] or rows without brackets", name=name)
        )
    for outside, shape in ((before, _BEFORE), (after, _AFTER)):
        if not shape.fullmatch(outside.strip() and outside):
            raise ValueError(
                say(
                    "{name}: given {given} outside the brackets; allowed: tensor(…), array(…) or nothing",
                    name=name,
                    given=_short(outside),
                )
            )
    inside = text[start + 1 : stop].strip()
    if "[" not in inside and "]" not in inside:
        return [inside] if inside else []
    if not re.fullmatch(r"(?:\[[^\[\]]*\][\s,;]*)+", inside):
        raise ValueError(
            say("{name}: the brackets do not close row by row; allowed: two levels, as in [[1, 2], [3, 4]]", name=name)
        )
    return re.findall(r"\[([^\[\]]*)\]", inside)


def _cells(row: str) -> list[str]:
    if "," in row and "\t" not in row:
        parts = row.strip().split(",")
        return [part.strip() for part in (parts[:-1] if parts[-1].strip() == "" else parts)]
    if "\t" in row:
        return [part.strip() for part in row.strip(" \r\n").split("\t")]
    return row.split()


def _check_sides(cells: list[list[str]], name: str) -> None:
    width = len(cells[0])
    for index, row in enumerate(cells):
        if any(cell in ("...", "…") for cell in row):
            shortened = later(
                "{name}, row {row}: given …; a shortened print-out leaves numbers out; allowed: every number"
            )
            raise ValueError(say(shortened, name=name, row=index))
        if len(row) != width:
            uneven = later("{name}, row {row}: given a row of {given}; allowed: {width}, as long as row 0")
            raise ValueError(say(uneven, name=name, row=index, given=len(row), width=width))
    if len(cells) > MAX_SIDE or width > MAX_SIDE:
        large = later("{name}: given {rows} rows and {columns} columns; allowed: at most {most} of each")
        raise ValueError(say(large, name=name, rows=len(cells), columns=width, most=MAX_SIDE))
    if width == 0:
        raise ValueError(say("{name}, row 0: given no number; allowed: at least one in each row", name=name))


def _number(cell: str, where: str) -> tuple[int, int]:
    """(integer, decimal places) of one cell."""
    text = cell.replace("\u2212", "-")
    match = _NUMBER.fullmatch(text)
    if not match:
        finite = not _NOT_FINITE.fullmatch(text)
        raise _refused(where, cell, say("a number such as 3, -2 or 0.5") if finite else say("a finite number"))
    sign, whole, fraction, only_fraction, exponent = match.groups()
    digits = (fraction if whole is not None else only_fraction) or ""
    value, places = int((whole or "") + digits), len(digits) - int(exponent or 0)
    while places > 0 and value % 10 == 0:
        value, places = value // 10, places - 1
    if value and -places > 6:
        value, places = MAX_MAGNITUDE + 1, 0
    if places < 0:
        value, places = value * 10**-places, 0
    if places > MAX_PLACES and value:
        raise _refused(where, cell, say("at most {most} decimal places", most=MAX_PLACES))
    if value > MAX_MAGNITUDE * 10 ** min(places, MAX_PLACES):
        raise _refused(where, cell, say("-1,000,000 to 1,000,000"))
    return (-value if sign == "-" else value), (places if value else 0)


def _refused(where: str, cell: str, allowed: str) -> ValueError:
    return ValueError(
        say("{where}: given {given}; allowed: {allowed}", where=where, given=_short(cell), allowed=allowed)
    )


def _short(text: str) -> str:
    """What was given, at most 24 characters of it, in quotation marks."""
    text = " ".join(text.split())
    return f"“{text[:23]}…”" if len(text) > 24 else f"“{text}”" if text else say("nothing")
