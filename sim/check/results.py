"""Look at what a reader's function returned: is it rows of numbers, of the right shape, with the right values?

Types are compared exactly: a class of the reader's own, even one that inherits from list or int, may do
anything when it is walked through or compared.
"""

from decimal import Decimal
from fractions import Fraction
from typing import Any

from sim.check.records import Case, Exercise, Named, Rows, shown

NUMBERS = (int, float, bool, Fraction, Decimal)
LINES = (list, tuple)


def rows_of(value: Any) -> Rows | None:
    """A list of lists (or tuples) of numbers as tuples; None for anything else."""
    if type(value) not in LINES or not all(type(row) in LINES for row in value):
        return None
    if not all(type(item) in NUMBERS for row in value for item in row):
        return None
    return tuple(tuple(row) for row in value)


def wrong_type(value: Any, exercise: Exercise) -> Named | None:
    """The mistake when the result is no list of rows of numbers; None when it is one."""
    wanted = "a list of (start, stop) pairs" if exercise.pairs else f"{exercise.result} as a list of lists"
    if value is None:
        return Named("nothing returned", f"the function ends without return; it has to return {wanted}")
    if type(value) is not list:
        return Named("result of the wrong type", f"it returns {_kind(value)}; it has to return {wanted}")
    for index, row in enumerate(value):
        if type(row) in NUMBERS:
            return Named("flat list", f"element {index} is the number {shown(row)}; it has to return {wanted}")
        if type(row) not in (LINES if exercise.pairs else (list,)):
            return Named("result of the wrong type", f"row {index} is {_kind(row)}; it has to return {wanted}")
        for column, item in enumerate(row):
            if type(item) not in NUMBERS:
                where = f"{exercise.result}[{index}][{column}]"
                return Named("result of the wrong type", f"{where} is {_kind(item)}; allowed: a number")
    return None


def wrong_shape(rows: Rows, expected: Rows, exercise: Exercise) -> Named | None:
    """The mistake when rows or elements are missing or too many; None when the shape is right."""
    what = "pairs" if exercise.pairs else "rows"
    if len(rows) != len(expected):
        name = f"{what} missing" if len(rows) < len(expected) else f"too many {what}"
        return Named(name, f"{exercise.result} has {len(rows)} {what}; it should have {len(expected)}")
    for index, (row, wanted) in enumerate(zip(rows, expected, strict=True)):
        if len(row) != len(wanted):
            name = "elements missing" if len(row) < len(wanted) else "too many elements"
            return Named(name, f"row {index} has {len(row)} elements; it should have {len(wanted)}")
    return None


def first_difference(rows: Rows, case: Case, exercise: Exercise) -> str:
    """One clause on the first element that is wrong; empty when all are right. Shapes must be equal."""
    for index, (row, wanted) in enumerate(zip(rows, case.expected, strict=True)):
        for column, (item, right) in enumerate(zip(row, wanted, strict=True)):
            if item != right:
                return f"{exercise.result}[{index}][{column}] is {shown(item)}; it should be {shown(right)}"
    return ""


def shares_rows(value: Any) -> bool:
    """Whether two rows of the result are one and the same list."""
    rows = [row for row in value if isinstance(row, list)]
    return len({id(row) for row in rows}) < len(rows)


def same(before: Any, after: Any) -> bool:
    """Whether an argument, numbers in lists, is as it was."""
    if type(before) is list:
        pairs = zip(before, after, strict=True) if type(after) is list and len(after) == len(before) else None
        return pairs is not None and all(same(*pair) for pair in pairs)
    return type(after) in NUMBERS and bool(before == after)


def _kind(value: Any) -> str:
    name = type(value).__name__
    known = {"tuple": "a tuple", "dict": "a dictionary", "set": "a set", "str": "a text", "NoneType": "None"}
    if name in known:
        return known[name]
    if name in ("generator", "map", "zip", "range", "filter"):
        return f"a {name}, not yet a list"
    if type(value) in NUMBERS:
        return f"the number {shown(value)}"
    if hasattr(type(value), "tolist"):
        return f"an array ({name}); its tolist() would be a list"
    return f"a value of type {name}"
