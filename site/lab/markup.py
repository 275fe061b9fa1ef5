"""HTML as values: tags that escape what they hold unless it is HTML already."""

from fractions import Fraction
from html import escape

from sim.words import counted

VOID = frozenset({"br", "col", "hr", "img", "input", "link", "meta"})


class Html(str):
    """Text that is HTML already and must not be escaped again."""

    __slots__ = ()


Child = str | int | None


def text(child: Child) -> Html:
    """One child as HTML: escaped unless it is ``Html``; None is nothing."""
    if child is None:
        return Html("")
    return child if isinstance(child, Html) else Html(escape(str(child), quote=True))


def join(*children: Child) -> Html:
    """Several children in a row."""
    return Html("".join(text(child) for child in children))


def tag(name: str, /, *children: Child, **attributes: str | int | bool | None) -> Html:
    """An element. ``class_`` gives class, ``data_set`` data-set; None and False leave an attribute out."""
    parts = [name]
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        label = key.rstrip("_").replace("_", "-")
        parts.append(label if value is True else f'{label}="{escape(str(value), quote=True)}"')
    opening = f"<{' '.join(parts)}>"
    return Html(opening if name in VOID else f"{opening}{join(*children)}</{name}>")


def number(value: int, places: int = 0) -> str:
    """An integer in units of 10**-places as text, every digit of it: 1024, 137,438,953,472, -1.5.

    Thousands are parted from 10,000 upward, as in running text.
    """
    sign, digits = ("-", -value) if value < 0 else ("", value)
    whole, fraction = divmod(digits, 10**places)
    decimals = f"{fraction:0{places}d}".rstrip("0") if places else ""
    grouped = f"{whole:,}" if whole >= 10_000 else str(whole)
    return f"{sign}{grouped}.{decimals}" if decimals else f"{sign}{grouped}"


def decimal(value: Fraction, places: int = 2) -> str:
    """A fraction rounded half up to ``places``, trailing zeros dropped, by whole-number arithmetic."""
    scaled = int(value * 10**places * 2 + 1) // 2
    return number(scaled, places)


def fixed(value: Fraction) -> str:
    """A fraction rounded half up to one place, the place always shown, so that a column lines up."""
    scaled = int(value * 20 + 1) // 2
    return f"{number(scaled // 10)}.{scaled % 10}"


def plain(value: int, places: int = 0) -> str:
    """The same number without separators, as code and addresses need it."""
    return number(value, places).replace(",", "")


def first_ones(count: int, singular: str) -> str:
    """``does the first program``, ``do the first 27 programs``: the middle of a question about them."""
    return f"does the first {singular}" if count == 1 else f"do the first {number(count)} {singular}s"


def some(count: int, singular: str, plural: str = "") -> str:
    """``1 output``, ``2 outputs``, ``10,000 outputs``."""
    return counted(count, singular, plural, number(count))
